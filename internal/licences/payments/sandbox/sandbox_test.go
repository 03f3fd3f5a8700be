package sandbox

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// provider is a sandbox that is asked over HTTP, and a program that takes its events.
type provider struct {
	*Sandbox
	clock *testkit.Clock
	pages *httptest.Server
	shop  *httptest.Server

	mu     sync.Mutex
	events []payments.Event
	deaf   int // how many events are not taken
}

func newProvider(t *testing.T, engine string) *provider {
	p := &provider{clock: testkit.NewClock()}
	settings := testkit.Settings(t, engine)
	settings.Clock = p.clock.Now
	d := testkit.Open(t, settings)
	mux := http.NewServeMux()
	handle := func(w http.ResponseWriter, rq *http.Request) { p.Page(w, rq, false) }
	mux.HandleFunc("GET "+Path, handle)
	mux.HandleFunc("POST "+Path, handle)
	p.pages = httptest.NewServer(mux)
	p.shop = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		body, _ := io.ReadAll(rq.Body)
		e, err := p.Event(rq.Header, body, p.clock.Now())
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.deaf > 0 {
			p.deaf--
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if err != nil {
			t.Error(err)
		}
		p.events = append(p.events, e)
	}))
	t.Cleanup(func() { p.pages.Close(); p.shop.Close() })
	var err error
	p.Sandbox, err = New(Settings{DB: d, PublicURL: p.pages.URL, Name: "Saldo", Secret: "secret", Language: i18n.Polish})
	if err != nil {
		t.Fatal(err)
	}
	q := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
	q.Poll = 2 * time.Millisecond
	q.Handle(EventKind, p.Post)
	running, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 2) }()
	t.Cleanup(func() { cancel(); <-ended })
	return p
}

func (p *provider) taken() []payments.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]payments.Event{}, p.events...)
}

func (p *provider) begin(t *testing.T, key string) payments.Started {
	t.Helper()
	s, err := p.Start(t.Context(), payments.Payment{Key: key, Order: "L/2026/11/1", Text: "1000 <rozliczeń>", Amount: 123456,
		Currency: money.PLN, Language: "de", Return: p.shop.URL + "/back", Events: p.shop.URL + "/events",
		ExpiresAt: p.clock.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var visitor = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// choose posts an action and gives the status, where the visitor is sent, and the page.
func choose(t *testing.T, address string, a Action) (status int, to, page string) {
	t.Helper()
	response, err := visitor.PostForm(address, url.Values{"do": {string(a)}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Location"), string(body)
}

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	response, err := visitor.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func each(t *testing.T, test func(t *testing.T, p *provider)) {
	testkit.EachFleet(t, newProvider, test)
}

func TestPage_DoesWhatIsChosen(t *testing.T) {
	each(t, func(t *testing.T, p *provider) {
		for _, c := range []struct {
			action Action
			state  payments.State
			amount money.Amount
			events int
		}{
			{Pay, payments.Paid, 123456, 1}, {Silent, payments.Paid, 123456, 0}, {Twice, payments.Paid, 123456, 2},
			{Wrong, payments.Paid, 123457, 1}, {Refuse, payments.Failed, 123456, 1}, {Expire, payments.Expired, 123456, 1},
		} {
			s := p.begin(t, string(c.action))
			if status, to, _ := choose(t, s.URL, c.action); status != http.StatusSeeOther || to != p.shop.URL+"/back" {
				t.Errorf("%s: %d, sent to %q", c.action, status, to)
			}
			st, err := p.State(t.Context(), s.Ref)
			if err != nil || st.State != c.state || st.Amount != c.amount {
				t.Errorf("%s: %+v %v", c.action, st, err)
			}
			ids := func() (ids []string) {
				for _, e := range p.taken() {
					if e.Ref == s.Ref {
						ids = append(ids, e.ID)
					}
				}
				return ids
			}
			testkit.Eventually(t, string(c.action), func() bool { return len(ids()) == c.events })
			if got := ids(); len(got) == 2 && got[0] != got[1] {
				t.Errorf("an event that is posted twice has the ids %q", got)
			}
		}
	})
}

func TestPage_MoneyMayComeLater(t *testing.T) {
	each(t, func(t *testing.T, p *provider) {
		s := p.begin(t, "later")
		choose(t, s.URL, Later)
		if err := p.Sandbox.Expire(t.Context(), s.Ref); err != nil {
			t.Error(err)
		}
		if st, err := p.State(t.Context(), s.Ref); err != nil || st.State != payments.Pending {
			t.Errorf("%+v %v", st, err)
		}
		if _, page := get(t, s.URL); !strings.Contains(page, i18n.Of(i18n.German, "payment-sandbox:state_pending")) {
			t.Error("the page does not say that the money is on its way")
		}
		p.clock.Pass(wait)
		if st, err := p.State(t.Context(), s.Ref); err != nil || st.State != payments.Paid {
			t.Errorf("%+v %v", st, err)
		}
		testkit.Eventually(t, "the event is posted", func() bool { return len(p.taken()) == 1 })

		ended := p.begin(t, "arrive")
		p.clock.Pass(time.Hour)
		if status, to, _ := choose(t, ended.URL, Pay); status != http.StatusOK || to != "" {
			t.Errorf("paying after the end: %d, sent to %q", status, to)
		}
		if status, to, _ := choose(t, ended.URL, Arrive); status != http.StatusSeeOther || to == "" {
			t.Errorf("money after the end: %d, sent to %q", status, to)
		}
		if st, err := p.State(t.Context(), ended.Ref); err != nil || st.State != payments.Paid {
			t.Errorf("%+v %v", st, err)
		}
	})
}

func TestPage_IsDecidedOnce(t *testing.T) {
	each(t, func(t *testing.T, p *provider) {
		s := p.begin(t, "key")
		var wg sync.WaitGroup
		sent := make(chan Action, 20)
		for i := range 20 {
			a := []Action{Pay, Refuse, Wrong, Expire}[i%4]
			wg.Go(func() {
				if status, _, _ := choose(t, s.URL, a); status == http.StatusSeeOther {
					sent <- a
				}
			})
		}
		wg.Wait()
		close(sent)
		if len(sent) != 1 {
			t.Errorf("%d of 20 decided", len(sent))
		}
		testkit.Eventually(t, "one event", func() bool { return len(p.taken()) == 1 })
		if status, _, page := choose(t, s.URL, Action("steal")); status != http.StatusOK ||
			!strings.Contains(page, i18n.Of(i18n.German, "payment-sandbox:late")) {
			t.Errorf("%d %s", status, page)
		}
	})
}

func TestPage_ReadsInEveryLanguage(t *testing.T) {
	p := newProvider(t, testkit.Engine)
	s := p.begin(t, "key")
	if _, page := get(t, s.URL); !strings.Contains(page, `lang="de"`) || !strings.Contains(page, "1.234,56\u00a0zł") ||
		!strings.Contains(page, "1000 &lt;rozliczeń&gt;") || strings.Contains(page, "<script") {
		t.Error(page)
	}
	for _, l := range i18n.Languages {
		status, page := get(t, s.URL+"?lang="+string(l))
		if status != http.StatusOK || !strings.Contains(page, `<html lang="`+string(l)+`"`) {
			t.Errorf("%s: %d", l, status)
		}
		for _, a := range actions[1:] {
			if !strings.Contains(page, i18n.Of(l, "payment-sandbox:do_"+string(a))) || !strings.Contains(page, i18n.Of(l, "payment-sandbox:about_"+string(a))) {
				t.Errorf("%s does not offer %s", l, a)
			}
		}
	}
	if status, page := get(t, p.pages.URL+"/payment-sandbox/none"); status != http.StatusNotFound ||
		!strings.Contains(page, i18n.Of(i18n.Polish, "payment-sandbox:unknown")) {
		t.Errorf("%d %s", status, page)
	}
	w := httptest.NewRecorder()
	p.Page(w, httptest.NewRequest(http.MethodGet, s.URL, nil), true)
	if w.Code != http.StatusTooManyRequests {
		t.Errorf("over its limit: %d", w.Code)
	}
}

func TestTexts_AreThereForEveryCode(t *testing.T) {
	for _, a := range testkit.Constants(t, "internal/licences/payments/sandbox", "Action") {
		if Action(a) == Pay {
			continue // its button names the amount
		}
		testkit.HasText(t, "payment-sandbox:do_"+a)
		testkit.HasText(t, "payment-sandbox:about_"+a)
	}
	for _, state := range []payments.State{payments.Pending, payments.Paid, payments.Failed} {
		testkit.HasText(t, "payment-sandbox:state_"+string(state))
	}
}

func TestPost_TriesAgain(t *testing.T) {
	each(t, func(t *testing.T, p *provider) {
		p.mu.Lock()
		p.deaf = 2
		p.mu.Unlock()
		s := p.begin(t, "key")
		choose(t, s.URL, Pay)
		testkit.Eventually(t, "the event is taken in the end", func() bool {
			p.clock.Pass(time.Second)
			return len(p.taken()) == 1
		})
	})
}

// What is decided is rows: another instance, or one started later, goes on with it.
func TestState_SurvivesARestart(t *testing.T) {
	settings := testkit.Settings(t, testkit.Engine)
	clock := testkit.NewClock()
	settings.Clock = clock.Now
	open := func(d *db.DB) *Sandbox {
		s, err := New(Settings{DB: d, PublicURL: "https://saldo.example", Secret: "secret", Language: i18n.Polish})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	d := testkit.Open(t, settings)
	first, err := open(d).Start(t.Context(), payments.Payment{Key: "key", Amount: 100, Currency: money.EUR,
		ExpiresAt: clock.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if decided, err := open(d).Decide(t.Context(), first.Ref, Silent); err != nil || !decided {
		t.Fatal(decided, err)
	}
	if st, err := open(testkit.Open(t, settings)).State(t.Context(), first.Ref); err != nil || st.State != payments.Paid {
		t.Errorf("%+v %v", st, err)
	}
}

func TestNew_NeedsASecret(t *testing.T) {
	if _, err := New(Settings{}); err == nil {
		t.Error("a sandbox without a secret")
	}
}

package idp_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/identity/idp"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

const (
	realm    = "saldo"
	password = "correct horse battery"
)

// house is a provider behind a real server, as a browser meets it: forms of
// other sites are refused before it.
type house struct {
	t       *testing.T
	db      *db.DB
	idp     *idp.Provider
	url     string
	server  *httptest.Server
	smtp    *testkit.SMTP
	passing *passing
}

// passing is the wall clock that a test can move on. The protocol library
// reads the wall, so the test's time starts there.
type passing struct {
	mu sync.Mutex
	by time.Duration
}

func (p *passing) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Now().Add(p.by)
}

func (p *passing) Pass(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.by += d
}

func open(t *testing.T, engine string) *house {
	t.Helper()
	h := &house{t: t, passing: &passing{}, smtp: testkit.NewSMTP(t)}
	s := testkit.Settings(t, engine)
	s.Clock = h.passing.Now
	h.db = testkit.Open(t, s)
	h.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewCrossOriginProtection().Handler(h.idp.Handler()).ServeHTTP(w, r)
	}))
	h.url = "http://" + h.server.Listener.Addr().String()
	h.restart()
	h.server.Start()
	t.Cleanup(h.server.Close)
	return h
}

// restart opens the provider anew on the same database.
func (h *house) restart() {
	h.t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		h.t.Fatal(err)
	}
	sender, err := mail.Open(h.smtp.URL(), "")
	if err != nil {
		h.t.Fatal(err)
	}
	box := mail.NewQueue(v, sender, mail.Address{Address: "saldo@localhost"})
	quiet := slog.New(slog.DiscardHandler)
	if h.idp, err = idp.Open(context.Background(), idp.Settings{DB: h.db, Vault: v, Mails: box, Log: quiet, PublicURL: h.url, Realm: realm,
		Language: i18n.Polish, Currency: "zł"}); err != nil {
		h.t.Fatal(err)
	}
	queue := jobs.NewQueue(h.db, quiet)
	queue.Handle(mail.SendKind, box.Deliver)
	queue.Handle(idp.ResetKind, h.idp.SendReset)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); queue.Run(ctx, 2) }()
	h.t.Cleanup(func() { stop(); <-ended })
}

func each(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) { test(t, open(t, engine)) })
	}
}

// person makes somebody who can sign in.
func (h *house) person(role access.Role) (id, email string) {
	h.t.Helper()
	email = testkit.NewAddress()
	id, _, err := h.idp.EnsureUser(context.Background(), identity.NewUser{Email: email, FirstName: "Anna", LastName: "Mazurek", Language: "pl", Role: role,
		Attributes: map[string]string{identity.PartnerCode: "wrzos"}})
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.idp.SetPassword(context.Background(), id, password); err != nil {
		h.t.Fatal(err)
	}
	return id, email
}

func (h *house) browser() *testkit.Browser { return testkit.NewBrowser(h.t, h.url, realm) }

func (h *house) verify(token string) (identity.Claims, error) {
	v := &identity.Verifier{Issuer: h.idp.Issuer(), Provider: identity.Embedded, Key: h.idp.Public, Clock: h.passing.Now}
	return v.Verify(token)
}

// mailTo waits for n mails to an address and gives the newest.
func (h *house) mailTo(email string, n int) string {
	h.t.Helper()
	var found []string
	testkit.Eventually(h.t, "the mail", func() bool {
		found = nil
		for _, m := range h.smtp.Taken() {
			if strings.EqualFold(m.To, email) {
				found = append(found, m.Data)
			}
		}
		return len(found) >= n
	})
	return found[n-1]
}

func (h *house) linkTo(email string, n int) string {
	h.t.Helper()
	links := testkit.Links(h.t, h.mailTo(email, n))
	if len(links) != 1 || !strings.HasPrefix(links[0], h.url+"/auth/realms/saldo/login-actions/action-token?key=") {
		h.t.Fatalf("links: %v", links)
	}
	return links[0]
}

// login sends the sign-in form and gives what was answered.
func login(t *testing.T, b *testkit.Browser, ask testkit.Ask, more url.Values, email, password string) *http.Response {
	t.Helper()
	form := testkit.FormOf(t, b.Authorize(t, ask, more), "kc-form-login")
	form.Fields.Set("username", email)
	form.Fields.Set("password", password)
	return b.Submit(t, form)
}

func back(t *testing.T, answer *http.Response) url.Values {
	t.Helper()
	text := testkit.Text(t, answer)
	at, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("not sent back: %d %v\n%s", answer.StatusCode, err, text)
	}
	if at.Fragment != "" {
		values, err := url.ParseQuery(at.Fragment)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	return at.Query()
}

func shows(t *testing.T, answer *http.Response, status int, what string) string {
	t.Helper()
	text := testkit.Text(t, answer)
	if answer.StatusCode != status || !strings.Contains(text, what) {
		t.Fatalf("%d, want %d and %q in:\n%s", answer.StatusCode, status, what, text)
	}
	return text
}

func TestTheEmbeddedProviderManagesPeopleAsAnyOther(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			h := open(t, engine)
			testkit.AdminContract(t, func(t *testing.T) testkit.Provider {
				return testkit.Provider{Admin: h.idp, Public: h.url,
					Mails: h.smtp.Taken,
					SignIn: func(id, email string) {
						if err := h.idp.SetPassword(context.Background(), id, password); err != nil {
							t.Fatal(err)
						}
						testkit.Login(t, h.url, realm, email, password)
					},
					Live: func(id string) (n int) {
						testkit.Read(t, h.db, access.Program("test"), func(tx *db.Tx) error {
							live, err := db.Select[string](tx.Across(), `SELECT id FROM idp_sessions WHERE user_id = $1 AND ended_at = ''`, id)
							n = len(live)
							return err
						})
						return n
					}}
			})
		})
	}
}

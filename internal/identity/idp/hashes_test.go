package idp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/identity/idp"
	"saldo/internal/kernel/access"
	"saldo/internal/testkit"
)

// occupy takes both turns of the checking of passwords until it is told to leave.
func (h *house) occupy() (leave func()) {
	h.t.Helper()
	one, err := h.idp.Turn(context.Background(), false)
	if err != nil {
		h.t.Fatal(err)
	}
	two, err := h.idp.Turn(context.Background(), false)
	if err != nil {
		h.t.Fatal(err)
	}
	leave = sync.OnceFunc(func() { one(); two() })
	h.t.Cleanup(leave)
	return leave
}

// Whoever failed before shares one turn with all who did, however many come: whoever has not failed finds one free.
func TestHashes_OfSuspectsLeaveATurnToOthers(t *testing.T) {
	h := open(t, testkit.Engine)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	leave, err := h.idp.Turn(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	var suspects sync.WaitGroup
	got := make(chan struct{}, idp.MostSuspects)
	for range idp.MostSuspects {
		suspects.Go(func() {
			if leave, err := h.idp.Turn(ctx, true); err == nil {
				got <- struct{}{}
				leave()
			}
		})
	}
	testkit.Eventually(t, "all others wait", func() bool { _, waiting := h.idp.Waiting(); return waiting == idp.MostSuspects || len(got) > 0 })
	if len(got) > 0 {
		t.Error("suspects have more turns than one")
	}
	short, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if _, err := h.idp.Turn(short, true); !idp.Busy(err) {
		t.Errorf("one suspect more than may wait is told %v", err)
	}
	free, err := h.idp.Turn(short, false)
	if err != nil {
		t.Fatalf("whoever has not failed finds no turn: %v", err)
	}
	free()
	leave()
	suspects.Wait() // each has its turn then
	if len(got) != idp.MostSuspects {
		t.Errorf("%d suspects had their turn", len(got))
	}
}

// At most so many wait for a hash; the next is told at once to come later, and nothing is done for them.
func TestHashes_HaveAQueueOfOneLength(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	leave := h.occupy()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var queue sync.WaitGroup
	for range idp.MostWaiting {
		queue.Go(func() {
			if leave, err := h.idp.Turn(ctx, false); err == nil {
				leave()
			}
		})
	}
	testkit.Eventually(t, "the queue is full", func() bool { all, _ := h.idp.Waiting(); return all == idp.MostWaiting })
	short, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if _, err := h.idp.Turn(short, false); !idp.Busy(err) {
		t.Fatalf("one more than may wait is told %v", err)
	}
	answer := login(t, h.browser(), testkit.NewAsk(), nil, email, password)
	answer.Body.Close()
	if answer.StatusCode != 503 || answer.Header.Get("Retry-After") == "" {
		t.Errorf("a sign-in is answered %d %v", answer.StatusCode, answer.Header)
	}
	leave()
	queue.Wait()
	h.browser().Login(t, email, password)
}

// An address that is not known costs the same hash as one that is: nobody learns from the time which it was.
func TestHashes_AreMadeForUnknownAddressesToo(t *testing.T) {
	h := open(t, testkit.Engine)
	_, known := h.person(access.Driver)
	ways := map[string]func(email string) *http.Response{
		"signing in": func(email string) *http.Response {
			return login(t, h.browser(), testkit.NewAsk(), nil, email, "not the password")
		},
		"registering": func(email string) *http.Response { return register(t, h, h.browser(), email, password, nil) },
	}
	for name, way := range ways {
		h.passing.Pass(20 * time.Minute) // nobody has to wait for another reason
		leave := h.occupy()
		var both sync.WaitGroup
		answers := make(chan int, 2)
		for _, email := range []string{known, testkit.NewAddress()} {
			both.Go(func() {
				answer := way(email)
				answer.Body.Close()
				answers <- answer.StatusCode
			})
		}
		testkit.Eventually(t, name+" with both addresses waits for a hash or is answered", func() bool {
			all, _ := h.idp.Waiting()
			return all == 2 || len(answers) > 0
		})
		if len(answers) > 0 {
			t.Errorf("%s: one of the addresses was answered without a hash", name)
		}
		leave()
		both.Wait()
		if one, other := <-answers, <-answers; one != other {
			t.Errorf("%s: %d and %d", name, one, other)
		}
	}
}

// Guesses at one account wait together, from however many addresses they come.
func TestGuesses_FromManyAddressesCountForTheAccount(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	for n := range 10 {
		b := h.browser().From(fmt.Sprintf("127.0.0.%d", 2+n))
		shows(t, login(t, b, testkit.NewAsk(), nil, email, "wrong wrong wrong"), 400, "Logowanie nie powiodło się")
	}
	shows(t, login(t, h.browser().From("127.0.0.99"), testkit.NewAsk(), nil, email, password), 429, "Za dużo prób")
}

// timed keeps the time that a request is given to arrive.
type timed struct {
	*httptest.ResponseRecorder
	read time.Time
}

func (w *timed) SetReadDeadline(at time.Time) error { w.read = at; return nil }

// Everything under /auth/ is read within limits: half a minute, 64 KiB, text.
func TestForms_OfThePagesAreReadWithinLimits(t *testing.T) {
	h := open(t, testkit.Engine)
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"NUL":                    {"username=a%00b", 422, `"name":"username"`},
		"bytes that are no text": {"username=%ff", 422, `"name":"username"`},
		"too much":               {"username=" + strings.Repeat("a", 64<<10), 413, `"request.too_large"`},
	} {
		for _, path := range []string{"/login-actions/reset-credentials", "/protocol/openid-connect/token"} {
			w := &timed{ResponseRecorder: httptest.NewRecorder()}
			rq := httptest.NewRequest(http.MethodPost, h.url+"/auth/realms/saldo"+path, strings.NewReader(c.body))
			rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			h.idp.Handler().ServeHTTP(w, rq)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%s at %s: %d %s", name, path, w.Code, w.Body)
			}
			if w.read.IsZero() || w.read.After(time.Now().Add(30*time.Second)) {
				t.Errorf("%s has until %v to arrive", path, w.read)
			}
		}
	}
}

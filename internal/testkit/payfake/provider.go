// Package payfake has payment providers for tests: what Stripe and Przelewy24 do over HTTP, with their state and their faults, and the
// sandbox, all steered alike.
package payfake

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
)

// Provider is a payment provider of tests. What people do there is done by their Ref, as Start gave it.
type Provider interface {
	// Name is what the provider is called in addresses and settings.
	Name() string
	// Gateway gives what the program talks to it with.
	Gateway() payments.Gateway
	// Ref is the provider's id of the payment with our key, also where the answer that named it was lost. Empty: there is none.
	Ref(key string) string

	// Pay pays the amount that was asked for, also after the payment has ended: money that was on its way arrives.
	Pay(ref string)
	// PayOther pays another amount.
	PayOther(ref string, amount money.Amount, currency money.Currency)
	// Hold begins a payment whose money is on its way: it stays Pending, whatever is expired, until Pay or Refuse.
	Hold(ref string)
	// Refuse has the bank refuse. It says whether that is the end: at Przelewy24 the person may try again until the payment expires.
	Refuse(ref string) (final bool)
	// Expire ends the time for paying at the provider, which may tell so. Przelewy24 does not, and is Pending until the clock has passed
	// ExpiresAt.
	Expire(ref string)
	// FinishRefunds carries out what was only accepted.
	FinishRefunds()

	// Deliveries are the events that were not asked for yet, oldest first, signed now. They may be posted late, in another order, more
	// than once, or not at all.
	Deliveries() []Delivery
	// Resign signs a delivery anew, as a provider does that tries again later.
	Resign(d Delivery) Delivery
	// Forge signs a delivery as somebody who does not have the secret.
	Forge(d Delivery) Delivery

	// Down turns the provider off and on: nobody answers.
	Down(down bool)
	// LoseAnswers lets the next calls be carried out without an answer.
	LoseAnswers(n int)
	// Fail lets the next calls end with a status (500, 503, 429, 401) and nothing else.
	Fail(status, n int)

	// Payments is how many payments were made, and Refunded how much of one was given back.
	Payments() int
	Refunded(ref string) money.Amount
	// Kept says whether the money of a payment stays with the seller: Przelewy24 gives back what is not verified.
	Kept(ref string) bool
}

// Delivery is an event as it is posted.
type Delivery struct {
	Header http.Header
	Body   []byte
}

// New are all providers by their names. The clock is that of the database.
var New = map[string]func(t *testing.T, d *db.DB) Provider{
	"sandbox":    func(t *testing.T, d *db.DB) Provider { return NewSandbox(t, d) },
	"stripe":     func(t *testing.T, d *db.DB) Provider { return NewStripe(t, d.Now) },
	"przelewy24": func(t *testing.T, d *db.DB) Provider { return NewPrzelewy24(t, d.Now) },
}

// faults are those that any provider may have.
type faults struct {
	mu     sync.Mutex
	down   bool
	lose   int
	status int
	fail   int
	calls  int
}

func (f *faults) Down(down bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
}

func (f *faults) LoseAnswers(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lose = n
}

func (f *faults) Fail(status, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status, f.fail = status, n
}

// next says what becomes of the next call.
func (f *faults) next() (down, lost bool, status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	switch {
	case f.down:
		return true, false, 0
	case f.fail > 0:
		f.fail--
		return false, false, f.status
	case f.lose > 0:
		f.lose--
		return false, true, 0
	}
	return false, false, 0
}

// Calls is how often the provider was called.
func (f *faults) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// server is a provider over HTTP.
type server struct {
	faults
	t    *testing.T
	now  func() time.Time
	http *httptest.Server

	state sync.Mutex // of what the provider knows; held while it answers
}

// serve lets handle answer, one call after the other, with the faults that were asked for.
func (s *server) serve(t *testing.T, now func() time.Time, handle http.HandlerFunc) {
	s.t, s.now = t, now
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		down, lost, status := s.next()
		if down {
			panic(http.ErrAbortHandler)
		}
		if status != 0 {
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, "<html>no JSON</html>")
			return
		}
		_ = r.ParseForm()
		s.state.Lock()
		defer s.state.Unlock()
		if lost {
			handle(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		handle(w, r)
	}))
	s.http.Config.SetKeepAlivesEnabled(false) // on a kept connection net/http would repeat a lost call by itself
	s.http.StartTLS()
	t.Cleanup(s.http.Close)
}

// made fails a test whose gateway could not be made.
func made(t *testing.T) func(g payments.Gateway, err error) payments.Gateway {
	return func(g payments.Gateway, err error) payments.Gateway {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

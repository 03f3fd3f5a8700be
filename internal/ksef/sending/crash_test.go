package sending_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// post is a call by method and the end of its path.
func post(method, end string) func(*http.Request) bool {
	return func(r *http.Request) bool { return r.Method == method && strings.HasSuffix(r.URL.Path, end) }
}

// deaths are the moments at which a process dies: what it wrote down before and after each call is what the next one finds. Between two
// calls there is one unit of work at most, so that dying before a call is dying after the unit before it, and dying after a call is dying
// before the unit that would have written down its answer.
var deaths = []struct {
	name     string
	invoices int
	on       func(*http.Request) bool
	after    bool
}{
	{"before a session is opened", 4, post("POST", "/sessions/online"), false},
	{"after a session is opened", 4, post("POST", "/sessions/online"), true},
	{"before an invoice is sent", 4, post("POST", "/invoices"), false},
	{"after an invoice is sent", 4, post("POST", "/invoices"), true},
	{"before a session is closed", 4, post("POST", "/close"), false},
	{"after a session is closed", 4, post("POST", "/close"), true},
	{"before the numbers are asked for", 4, post("GET", "/invoices"), false},
	{"after the numbers are given", 4, post("GET", "/invoices"), true},
	{"after the confirmation is given", 4, func(r *http.Request) bool { return strings.Contains(r.URL.Path, "session-upo") }, true},
	{"before a batch is opened", 12, post("POST", "/sessions/batch"), false},
	{"after a batch is opened", 12, post("POST", "/sessions/batch"), true},
	{"after a batch is put", 12, func(r *http.Request) bool { return r.Method == "PUT" }, true},
	{"before a batch is closed", 12, post("POST", "/close"), false},
	{"after a batch is closed", 12, post("POST", "/close"), true},
}

func TestAProcessThatDies_SendsNothingTwiceAndLosesNothing(t *testing.T) {
	for _, d := range deaths {
		t.Run(d.name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t)
				sent := 0
				for round := range testkit.Times(1, 20) {
					w.grant(w.count, d.invoices)
					ids := w.settled(t, d.invoices)
					dying := &stopper{RoundTripper: w.ksef.Client().Transport, on: d.on, after: d.after}
					if d.name == "before an invoice is sent" || d.name == "after an invoice is sent" {
						dying.skip = round % d.invoices
					}
					w.dies(t, dying, func() { w.issue(t, ids...) })
					w.pass(time.Minute) // its leases run out
					stop := w.work(t, w.Service)
					sent += d.invoices
					w.all(t, sent)
					stop()
				}
			})
		})
	}
}

// dies runs a process until it dies: after that it writes nothing any more and calls nobody.
func (w *world) dies(t *testing.T, dying *stopper, begin func()) {
	t.Helper()
	own, err := db.Open(context.Background(), w.Settings)
	if err != nil {
		t.Fatal(err)
	}
	dead := make(chan struct{})
	dying.struck = func() { close(dead); _ = own.Close() }
	process := w.process(own, &http.Client{Transport: dying})
	begin()
	stop := testkit.RunJobs(t, own, func(q *jobs.Queue) {
		q.Lease, q.Grace = 30*time.Second, 0
		process.Handle(q)
	})
	w.until(t, "it dies", func() bool {
		select {
		case <-dead:
			return true
		default:
			return false
		}
	})
	stop()
}

// TestTwoInstances_SendEachInvoiceOnce issues while both work.
func TestTwoInstances_SendEachInvoiceOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const n = 24
		w.connect(t)
		w.grant(0, n)
		ids := w.settled(t, n)
		w.work(t, w.Service)
		w.work(t, w.process(testkit.Open(t, w.Settings), w.ksef.Client()))
		var issuing sync.WaitGroup
		for part := range 4 {
			issuing.Go(func() {
				for k := range n / 4 {
					w.issue(t, ids[part*n/4+k])
				}
			})
		}
		issuing.Wait()
		w.all(t, n)
	})
}

// TestAWorkerThoughtDead_IsNotFollowedByASecondCopy lets the lease of a process run out while KSeF keeps it waiting, and another one goes on.
func TestAWorkerThoughtDead_IsNotFollowedByASecondCopy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 3)
		ids := w.settled(t, 3)
		arrived, leave := make(chan struct{}), make(chan struct{})
		var once sync.Once
		slow := roundTrip(func(r *http.Request) (*http.Response, error) {
			if post("POST", "/invoices")(r) {
				once.Do(func() { close(arrived); <-leave })
			}
			return w.ksef.Client().Transport.RoundTrip(r)
		})
		w.issue(t, ids...)
		first := w.process(testkit.Open(t, w.Settings), &http.Client{Transport: slow})
		testkit.RunJobs(t, first.DB, func(q *jobs.Queue) { q.Lease = 30 * time.Second; first.Handle(q) })
		<-arrived
		w.pass(time.Minute)
		w.work(t, w.Service)
		testkit.Eventually(t, "the other one has taken over", func() bool {
			return w.counted(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND fence > 1`) > 0
		})
		close(leave)
		w.all(t, 3)
		if n := fmt.Sprint(len(w.ksef.Accepted())); n != "3" {
			t.Error(n)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

package billing_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/billing/ksef"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// ksefNumber is one that KSeF could have given.
const ksefNumber = "5265877635-20250826-0100001AF629-AF"

// authority is a server that answers as it was told, once each, and the last answer from then on.
type authority struct {
	*httptest.Server
	mutex   sync.Mutex
	answers []string // status and body
	got     []string
	before  func() // called while a request is answered; nil: nothing happens meanwhile
}

func newAuthority(t *testing.T, answers ...string) *authority {
	t.Helper()
	o := &authority{answers: answers}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/invoices" || r.Header.Get("Content-Type") != "application/xml" {
			t.Errorf("%s %s %v", r.Method, r.URL, err)
		}
		o.mutex.Lock()
		defer o.mutex.Unlock()
		answer := o.answers[0]
		if len(o.answers) > 1 {
			o.answers = o.answers[1:]
		}
		o.got = append(o.got, string(body))
		if o.before != nil {
			o.before()
		}
		var status int
		_, parts, _ := strings.Cut(answer, " ")
		if _, err := fmt.Sscan(answer, &status); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, parts)
	}))
	t.Cleanup(o.Close)
	return o
}

func (o *authority) received() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.got
}

// work sends what waits until the test ends, with a clock that runs.
func (w *fixture) work(t *testing.T) {
	t.Helper()
	testkit.RunJobs(t, w.db, func(q *jobs.Queue) {
		q.Handle(billing.SendKind, w.Send)
	})
}

func (w *fixture) at(t *testing.T, o *authority) {
	t.Helper()
	w.KSeFClient = ksef.Client{URL: o.URL + "/", HTTP: o.Client()}
	w.rules(t, b2b(rules.B2BVAT))
}

func (w *fixture) document(t testing.TB, settlement string) billing.Document {
	t.Helper()
	return w.offered(t, settlement).Documents[0]
}

func TestAnAcceptedInvoiceCarriesItsNumberFromKSeF(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(t, `201 {"number":"`+ksefNumber+`"}`)
		w.at(t, o)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		if doc.AuthorityState != billing.Waiting {
			t.Fatalf("%+v", doc)
		}
		mustSay(t, w.printed(t, "waiting", doc.ID), "OFFLINE")
		w.work(t)
		testkit.Eventually(t, "it is accepted", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		text := w.printed(t, "accepted", doc.ID)
		mustSay(t, text, ksefNumber)
		if strings.Contains(text, "OFFLINE") || len(o.received()) != 1 || o.received()[0] != string(w.file(t, doc.ID)) {
			t.Error("what was sent is not what was issued")
		}
		// what the office has said stays said
		if err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE billing_documents SET authority_state = 'refused', authority_number = '' WHERE tenant_id = $1`)
			return err
		}); !db.Guarded(err) {
			t.Error(err)
		}
	})
}

func TestARefusedInvoiceKeepsTheReason(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.at(t, newAuthority(t, `422 {"reason":"Brak uprawnienia SelfInvoicing"}`))
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		w.work(t)
		testkit.Eventually(t, "it is refused", func() bool { return w.document(t, id).AuthorityState == billing.Refused })
		if got := w.document(t, id); got.AuthorityReason != "Brak uprawnienia SelfInvoicing" || got.AuthorityNumber != "" {
			t.Errorf("%+v", got)
		}
		mustSay(t, w.printed(t, "refused", doc.ID), "OFFLINE")
	})
}

// TestTaxAuthorityThatIsDown_GetsTheInvoiceLaterAndOnce has an office that fails, says nonsense, and then says that it has the invoice already.
func TestTaxAuthorityThatIsDown_GetsTheInvoiceLaterAndOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(t, `503 away`, `200 {"number":"made up"}`, `409 {"number":"`+ksefNumber+`"}`)
		w.at(t, o)
		id := w.settled(t, w.details("pl"))
		w.issue(t, id, company)
		w.work(t)
		for tries := 1; tries <= 3; tries++ {
			testkit.Eventually(t, "it is tried again", func() bool { return len(o.received()) == tries })
			if tries < 3 {
				if got := w.document(t, id).AuthorityState; got != billing.Waiting {
					t.Errorf("after %d tries it is %s", tries, got)
				}
				testkit.Eventually(t, "the job waits", func() bool {
					var waiting int64
					testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
						waiting, err = db.One[int64](tx, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = $2 AND state = 'waiting'`, billing.SendKind)
						return err
					})
					return waiting == 1
				})
				w.clock.Pass(time.Hour)
			}
		}
		testkit.Eventually(t, "it is accepted", func() bool { return w.document(t, id).AuthorityNumber == ksefNumber })
		if got := o.received(); got[0] != got[2] {
			t.Error("the same invoice is sent in other bytes")
		}
	})
}

package sending_test

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

func TestAFewInvoices_GoOneByOneAndComeBackWithNumbers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 3)
		ids := w.settled(t, 3)
		w.issue(t, ids...)
		w.work(t, w.Service)
		w.all(t, 3)
		doc := w.documents(t, ids[0])[0]
		if doc.AuthorityState != billing.Accepted || doc.AuthorityNumber == "" {
			t.Errorf("%+v", doc)
		}
		// What KSeF accepted stays accepted.
		for _, change := range []string{`UPDATE ksef_sendings SET state = 'refused' WHERE tenant_id = $1`, `UPDATE ksef_receipts SET number = 'x' WHERE tenant_id = $1`,
			`UPDATE ksef_sessions SET state = 'open' WHERE tenant_id = $1`, `DELETE FROM ksef_receipts WHERE tenant_id = $1`} {
			if err := w.Fleet.DB.Write(t.Context(), testkit.Anna, func(tx *db.Tx) error { _, err := tx.Exec(change); return err }); !db.Guarded(err) {
				t.Errorf("%s: %v", change, err)
			}
		}
	})
}

func TestAThousandInvoices_GoTogetherInTwelveCalls(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := min(testkit.Times(60, 1000), 1000)
		w.connect(t)
		w.grant(0, n)
		stop := w.work(t, w.Service)
		w.until(t, "the permissions are read, as every night", func() bool { return w.counted(t, `SELECT COUNT(*) FROM ksef_grants WHERE tenant_id = $1`) == int64(n) })
		stop()
		ids := w.settled(t, n)
		w.Login.Drop(w.signedIn(t))
		w.ksef.Calls()
		w.issue(t, ids...)
		w.work(t, w.Service)
		w.all(t, n)
		calls := w.ksef.Calls()
		if len(calls) > 12 {
			t.Errorf("%d calls: %v", len(calls), calls)
		}
		t.Logf("%d invoices in %d calls", n, len(calls))
		if strings.Contains(strings.Join(calls, " "), "sessions/online") {
			t.Error(calls)
		}
	})
}

func TestFiftyInvoices_OneByOneNeverTooFast(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.ksef.Limited = true
		n := testkit.Times(27, 54)
		w.connect(t)
		w.grant(0, n)
		ids := w.settled(t, n)
		w.work(t, w.Service)
		for from := 0; from < n; from += 9 {
			w.issue(t, ids[from:from+9]...)
			w.until(t, "they are sent", func() bool {
				return w.counted(t, `SELECT COUNT(*) FROM ksef_receipts WHERE tenant_id = $1`) == int64(from+9)
			})
		}
		w.all(t, n)
		if w.ksef.TooMany() != 0 {
			t.Error(w.ksef.TooMany(), "calls were too fast")
		}
		if got := w.counted(t, `SELECT COUNT(*) FROM ksef_sessions WHERE tenant_id = $1 AND kind = 'batch'`); got != 0 {
			t.Error(got, "batches")
		}
	})
}

// TestWithoutAccess_InvoicesAreHeldAndGoByThemselves connects afterwards.
func TestWithoutAccess_InvoicesAreHeldAndGoByThemselves(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.grant(0, 2)
		w.issue(t, w.settled(t, 2)...)
		w.work(t, w.Service)
		w.until(t, "they are held", func() bool { return w.states(t) == "2 held no_access" })
		w.connect(t)
		w.all(t, 2)
	})
}

func TestWithoutGrant_AnInvoiceIsHeldAndOthersGo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(1, 1)
		w.issue(t, w.settled(t, 2)...)
		w.work(t, w.Service)
		w.until(t, "one is held", func() bool { return w.states(t) == "1 accepted, 1 held no_grant" })
	})
}

// TestWhatKSeFSaysOfAnInvoice has each code that KSeF ends one with.
func TestWhatKSeFSaysOfAnInvoice(t *testing.T) {
	for code, want := range map[int]string{430: "1 refused", 435: "1 refused", 450: "1 refused", 415: "1 refused", 405: "1 accepted", 500: "1 accepted", 550: "1 accepted"} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t)
				w.grant(0, 1)
				id := w.settled(t, 1)[0]
				w.ksef.End("invoice", code)
				w.issue(t, id)
				w.work(t, w.Service)
				w.until(t, "it is answered", func() bool { return w.states(t) == want })
				doc := w.documents(t, id)[0]
				if want == "1 refused" && (doc.AuthorityState != billing.Refused || !strings.Contains(doc.AuthorityReason, "Stan ")) {
					t.Errorf("%d: %+v", code, doc)
				}
			})
		})
	}
}

// TestLostAnswers_SendNothingTwice loses the answer to each call.
func TestLostAnswers_SendNothingTwice(t *testing.T) {
	for _, call := range []string{"POST /sessions/online", "POST /sessions/online/{referenceNumber}/invoices", "POST /sessions/online/{referenceNumber}/close",
		"GET /sessions/{referenceNumber}", "GET /sessions/{referenceNumber}/invoices", "GET storage"} {
		t.Run(call, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t)
				w.grant(0, 3)
				w.issue(t, w.settled(t, 3)...)
				w.ksef.Script(ksefd.Fault{On: call, Cut: true})
				w.work(t, w.Service)
				w.all(t, 3)
			})
		})
	}
}

// signedIn is a client with the token that is held.
func (w *world) signedIn(t *testing.T) wire.Client {
	t.Helper()
	c, err := w.Login.Client(t.Context(), testkit.Anna)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

package sending_test

import (
	"fmt"
	"testing"
	"time"

	"saldo/internal/ksef/sending"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

// reads counts the pages of permissions that were read since it was last asked.
func (w *world) reads() (n int) {
	for _, call := range w.ksef.Calls() {
		if call == "POST /permissions/query/authorizations/grants" {
			n++
		}
	}
	return n
}

// TestAHeldInvoice_GoesByItselfOnceThePermissionIsThere reads no more often than every 15 minutes, and sends within 15 minutes.
func TestAHeldInvoice_GoesByItselfOnceThePermissionIsThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.issue(t, w.settled(t, 1)...)
		w.work(t, w.Service)
		w.until(t, "it is read", func() bool { return w.counted(t, `SELECT COUNT(*) FROM ksef_grant_readings WHERE tenant_id = $1`) == 1 })
		w.ksef.Calls()
		begin := w.Clock.Now()
		w.until(t, "three hours pass", func() bool { return w.Clock.Now().Sub(begin) >= 3*time.Hour })
		if got := w.states(t); got != "1 held no_grant" {
			t.Fatal(got)
		}
		if n := w.reads(); n < 10 || n > 13 {
			t.Error(n, "readings in three hours")
		}
		w.grant(0, 1)
		begin = w.Clock.Now()
		w.all(t, 1)
		if took := w.Clock.Now().Sub(begin); took > 15*time.Minute+30*time.Second {
			t.Error("it takes", took)
		}
	})
}

// TestFiveThousandPermissions_AreReadInFiftyCalls within the limits, with a pause where they demand one.
func TestFiveThousandPermissions_AreReadInFiftyCalls(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := testkit.Times(3300, 5000)
		w.ksef.Limited = true
		w.connect(t)
		w.grant(0, n)
		w.issue(t, w.settled(t, 1)...)
		w.ksef.Calls()
		w.work(t, w.Service)
		w.all(t, 1)
		w.until(t, "all are read", func() bool { return w.counted(t, `SELECT COUNT(*) FROM ksef_grant_readings WHERE tenant_id = $1`) == 1 })
		if calls := w.reads(); calls > n/100 || w.ksef.TooMany() != 0 {
			t.Errorf("%d calls, %d too fast", calls, w.ksef.TooMany())
		}
		if got := w.counted(t, `SELECT COUNT(*) FROM ksef_grants WHERE tenant_id = $1 AND gone_at = ''`); got != int64(n) {
			t.Error(got)
		}
	})
}

// TestAPermissionThatIsTakenBack holds the next invoice, before KSeF is asked where a night has passed, after its answer else.
func TestAPermissionThatIsTakenBack(t *testing.T) {
	for _, night := range []bool{true, false} {
		t.Run(fmt.Sprint(night), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t)
				w.grant(0, 1)
				ids := w.settled(t, 1)
				w.issue(t, ids...)
				w.work(t, w.Service)
				w.all(t, 1)
				w.ksef.Revoke(nip(0), fleet)
				if night {
					w.pass(25 * time.Hour)
					w.until(t, "it is seen", func() bool {
						return w.counted(t, `SELECT COUNT(*) FROM ksef_grants WHERE tenant_id = $1 AND gone_at <> ''`) == 1
					})
				}
				w.ksef.Calls()
				testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error { return w.Billing.Settlements.Revoke(tx, ids[0], "wrong file") })
				w.until(t, "it is held", func() bool { return w.states(t) == "1 accepted, 1 held no_grant" })
				sent := false
				for _, call := range w.ksef.Calls() {
					sent = sent || call == "POST /sessions/online"
				}
				if sent == night {
					t.Error("it is sent:", sent)
				}
				w.grant(0, 1)
				w.all(t, 2)
			})
		})
	}
}

// TestPermissionsThatKSeFDoesNotShow: invoices go without knowing them.
func TestPermissionsThatKSeFDoesNotShow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.ksef.Script(ksefd.Fault{On: "POST /permissions/query/authorizations/grants", Status: 403, Reason: "missing-permissions"},
			ksefd.Fault{On: "POST /permissions/query/authorizations/grants", Status: 403, Reason: "missing-permissions"})
		w.grant(0, 1)
		w.issue(t, w.settled(t, 2)...)
		w.work(t, w.Service)
		w.until(t, "one goes", func() bool { return w.states(t) == "1 accepted, 1 held "+string(sending.NoGrant) })
	})
}

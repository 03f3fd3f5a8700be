package sending_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
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
		if got := w.notes(t); got != `shown {"nip":"`+fleet+`"}` {
			t.Error("the driver is told:", got)
		}
		w.grant(0, 1)
		begin = w.Clock.Now()
		w.all(t, 1)
		if took := w.Clock.Now().Sub(begin); took > 15*time.Minute+30*time.Second {
			t.Error("it takes", took)
		}
		if got := w.notes(t); !strings.HasPrefix(got, "taken back") {
			t.Error("what the driver was told:", got)
		}
	})
}

// notes are those about permissions on the boards of drivers.
func (w *world) notes(t *testing.T) string {
	t.Helper()
	var all []string
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		found, err := db.Select[struct {
			Params    string
			TakenBack bool
		}](tx, `SELECT params, taken_back FROM notes WHERE tenant_id = $1 AND kind = 'ksef_permission' ORDER BY id`)
		for _, n := range found {
			all = append(all, map[bool]string{true: "taken back ", false: "shown "}[n.TakenBack]+n.Params)
		}
		return err
	})
	return strings.Join(all, ", ")
}

// TestADriverWithoutThePermission_IsToldOnceAWeek, and anew when it is missing again.
func TestADriverWithoutThePermission_IsToldOnceAWeek(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		ids := w.settled(t, 2)
		w.issue(t, ids...)
		w.work(t, w.Service)
		notices := func() int64 { return w.counted(t, `SELECT COUNT(*) FROM ksef_grant_notices WHERE tenant_id = $1`) }
		placed := func() int64 {
			return w.counted(t, `SELECT COUNT(DISTINCT placed_at) FROM notes WHERE tenant_id = $1 AND kind = 'ksef_permission'`)
		}
		w.until(t, "both are told", func() bool { return notices() == 2 })
		first := w.Clock.Now()
		w.until(t, "an hour passes", func() bool { return w.Clock.Now().Sub(first) >= time.Hour })
		if n := placed(); n != 1 {
			t.Error(n, "times")
		}
		w.grant(0, 1)
		w.until(t, "one goes", func() bool { return w.states(t) == "1 accepted, 1 held no_grant" })
		w.until(t, "one is told no more", func() bool { return notices() == 1 })
		w.pass(7 * 24 * time.Hour)
		w.until(t, "the other is told again", func() bool {
			return w.counted(t, `SELECT COUNT(*) FROM notes WHERE tenant_id = $1 AND kind = 'ksef_permission' AND NOT taken_back`) == 1 && placed() == 2
		})
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

// TestALateInvoice_IsNotLateWhereAnOutagePutsItsDayOff, even one that is announced afterwards.
func TestALateInvoice_IsNotLateWhereAnOutagePutsItsDayOff(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.issue(t, w.settled(t, 1)...)
		late := func() (n int64) {
			testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
				c, err := w.Count(tx)
				n = c.Late
				return err
			})
			return n
		}
		if late() != 0 {
			t.Error("it is late on its own day")
		}
		issued := w.Clock.Now()
		w.pass(6 * 24 * time.Hour)
		if late() != 1 {
			t.Error("it is not late after six days")
		}
		testkit.Write(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`INSERT INTO ksef_outages (tenant_id, environment, event, kind, from_at, to_at, version)
				VALUES ('', 'test', 1, 'failure', $1, $2, 1)`, issued.Add(-time.Hour), issued.Add(48*time.Hour))
			return err
		})
		if late() != 0 {
			t.Error("the outage does not put its day off")
		}
		w.pass(14 * 24 * time.Hour)
		if late() != 1 {
			t.Error("it is never late")
		}
	})
}

package feeds_test

import (
	"fmt"
	"slices"
	"testing"

	"saldo/internal/connections"
	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// history has a first file of 4 x 100.00 that a person confirmed, and lets the next ones be confirmed by themselves.
func (w *world) history(t *testing.T) {
	t.Helper()
	w.refuel(today, 4)
	w.connect(t, 0, true)
	w.fetch(t, connections.Orlen)
	same(t, "without a history", w.states(t)+" "+w.reasons(t), "preview waits:no_history")
	w.confirm(t, 0)
}

func (w *world) book(card string, gross int64) {
	w.connector.Book(testkit.Refuelling{Card: card, On: today, Gross: gross, Bill: fmt.Sprint("WZ/", card, gross)})
}

func TestDecide_ConfirmsOnlyWhatIsUsual(t *testing.T) {
	for _, c := range []struct {
		more   int64 // beside the usual 400.00
		states string
	}{{196_00, "success success"}, {200_00, "success success"}, {200_01, "success preview"}, {900_00, "success preview"}} {
		t.Run(fmt.Sprint(c.more), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.history(t)
				w.book(cardOf(2), c.more)
				w.night(t)
				same(t, "files", w.states(t), c.states)
			})
		})
	}
}

func TestDecide_FarLessThanUsualWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.history(t)
		w.connector.Forget()
		w.book(cardOf(1), 199_00)
		w.night(t)
		same(t, "files", w.states(t)+" "+w.reasons(t), "success preview waits:no_history waits:unclear") // what stands is missing
	})
}

func TestDecide_AnUnknownCardWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.history(t)
		w.book("7099990000009999", 50_00)
		w.night(t)
		same(t, "files", w.states(t)+" "+w.reasons(t), "success preview waits:no_history waits:unknown")
		same(t, "booked", w.booked(t), 4)
		w.confirm(t, 1)
		same(t, "unmatched", w.count(t, `SELECT COUNT(*) FROM unmatched_rows WHERE tenant_id = $1`), 1)
	})
}

func TestDecide_RefusedRowsWait(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.history(t)
		w.connector.Book(testkit.Refuelling{Card: cardOf(1), On: today.AddDays(-1), Gross: 50_00, Bill: "WZ/x;9;9;9;9"}, // too many cells
			testkit.Refuelling{Card: "", On: today, Gross: 1_00, Bill: "WZ/y"})
		w.night(t)
		same(t, "files", w.states(t)+" "+w.reasons(t), "success preview waits:no_history waits:unclear")
	})
}

func TestDecide_NothingIsConfirmedWithoutTheTick(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.history(t)
		w.save(t, connections.Orlen, connections.Change{Version: 1, Public: connections.Public{FleetNumber: w.connector.Fleet, Account: "anna"}})
		w.book(cardOf(1), 10_00)
		w.night(t)
		same(t, "files", w.states(t)+" "+w.reasons(t), "success preview waits:no_history waits:not_allowed")
	})
}

// The same ten days are asked for each night: that somebody is settled for one of them holds nothing up.
func TestDecide_SettledDriversHoldUpNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.history(t)
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, 'test', '{}')`); err != nil {
				return err
			}
			_, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state,
				absorbed_into, terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer,
				tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by,
				revoke_reason)
				SELECT $1, 's1', 1, MIN(driver_id), '', '2026-W46', 0, 1, $2, $2, 'settled', '', 'test', 'PLN', 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}',
				'[]', '[]', '', '', '', '', '', '', '', '', '' FROM transactions WHERE tenant_id = $1`, string(today))
			return err
		})
		w.book(cardOf(1), 40_00)
		w.night(t)
		same(t, "files", w.states(t), "success success")
		same(t, "booked", w.booked(t), 5)
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			p, err := imports.PreviewOf(tx, w.files(t)[1].ID)
			if err != nil || !slices.ContainsFunc(p.Warnings, func(one pipeline.Warning) bool { return one.Code == pipeline.WarnSettled }) {
				t.Error("nobody is settled for these days: ", p.Warnings, err)
			}
			return nil
		})
	})
}

func TestDecide_RunsByItself(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.history(t)
		for n := range 6 { // week after week, with late rows
			w.book(cardOf(n%4), 10_00+int64(n))
			w.night(t)
		}
		same(t, "files", w.states(t), "success success success success success success success")
		same(t, "booked", w.booked(t), 10)
		w.night(t)
		same(t, "booked", w.booked(t), 10)
	})
}

// A file of more than 2 MB is read in a job of its own; what is decided on it is decided then.
func TestDecide_LargeFilesAreDecidedOnceTheyAreRead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 20_000 {
			w.connector.Book(testkit.Refuelling{Card: cardOf(i % 4), On: today, Gross: 10_00, Bill: fmt.Sprintf("WZ/%060d", i)})
		}
		w.connect(t, 0, true) // looks by itself, so all is booked before
		w.fetch(t, connections.Orlen)
		w.look(t)
		same(t, "files", w.states(t)+" "+w.reasons(t), "preview waits:no_history")
		w.confirm(t, 0)
		same(t, "booked", w.booked(t), 20_000)
		w.night(t)
		w.look(t)
		same(t, "again", w.states(t)+" "+w.reasons(t), "success cancelled waits:no_history nothing")
		same(t, "booked again", w.booked(t), 20_000)
		if t.Failed() {
			t.Logf("%+v\n%+v", w.files(t)[0].Counts, w.files(t)[1].Counts)
		}
	})
}

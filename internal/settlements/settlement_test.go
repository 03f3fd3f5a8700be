package settlements_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

var (
	ctx  = context.Background()
	anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
)

// fixture is a partner with a service, a clock and a queue.
type fixture struct {
	*settlements.Service
	db    *db.DB
	clock *testkit.Clock
	book  drivers.Service

	settings db.Settings // of the database, which a second instance may open
}

func newFixture(t *testing.T, engine string) *fixture {
	t.Helper()
	f := testkit.NewFleet(t, engine)
	return &fixture{&settlements.Service{Instance: f.Instance, Imports: &imports.Service{DB: f.DB, Instance: f.Instance}}, f.DB, f.Clock,
		drivers.Service{Vault: f.Vault, Country: "PL"}, f.Settings}
}

func each(t *testing.T, test func(t *testing.T, w *fixture)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t, engine)
			test(t, w)
			w.verified(t)
		})
	}
}

// work runs the jobs until the test ends.
func (w *fixture) work(t *testing.T) {
	t.Helper()
	testkit.RunJobs(t, w.db, func(q *jobs.Queue) {
		q.Handle(settlements.SettleKind, w.Settle)
	})
}

// counted has the engine count its rows, as it does within a minute by itself.
func (w *fixture) counted(t testing.TB) {
	t.Helper()
	for _, table := range []string{"drivers", "transactions", "settlements", "settlement_bases", "settlement_carries"} {
		if err := w.db.Refresh(ctx, table); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *fixture) write(t testing.TB, fn func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, w.db, anna, fn)
}

// refused runs a unit of work that must end with the fault.
func (w *fixture) refused(t testing.TB, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.Write(ctx, anna, fn); !errors.Is(err, want) {
		t.Fatalf("%v, not %v", err, want)
	}
}

func (w *fixture) driver(t testing.TB, name string) (id string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		ids, err := w.book.AddMany(tx, []drivers.NewDriver{{Details: drivers.Details{FirstName: name, LastName: "Kowalski", SummaryLanguage: "pl"}}})
		if err == nil {
			id = ids[0]
		}
		return err
	})
	return id
}

// rules changes the default schema.
func (w *fixture) rules(t testing.TB, change func(*rules.Rules)) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		change(&s.Rules)
		_, err = schemas.Save(tx, 1, s.Version, s.Rules)
		return err
	})
}

// add books transactions: provider, type, day and amount of each.
func (w *fixture) add(t testing.TB, driver string, rows ...row) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for _, r := range rows {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: r.provider, Type: r.typ, OccurredOn: r.on, Amount: r.amount, Currency: "PLN", Source: "import"}) {
					return
				}
			}
		})
		return err
	})
}

type row struct {
	provider, typ string
	on            calendar.Date
	amount        money.Amount
}

func trip(on calendar.Date, amount money.Amount) row { return row{"UBER", "TRIP", on, amount} }
func cost(on calendar.Date, amount money.Amount) row { return row{"PARTNER", "COST", on, -amount} }

// preview shows what a selection would do and keeps it.
func (w *fixture) preview(t testing.TB, selection settlements.Selection) (p settlements.Preview) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.Preview(tx, selection); return err })
	w.write(t, func(tx *db.Tx) error { return p.Keep(tx) })
	return p
}

func of(period calendar.Period, drivers ...string) settlements.Selection {
	return settlements.Selection{Filter: settlements.PendingFilter{Period: period}, Drivers: drivers}
}

// settle settles drivers of a period, or all, and answers with the run.
func (w *fixture) settle(t testing.TB, period calendar.Period, drivers ...string) (r settlements.Run) {
	t.Helper()
	p := w.preview(t, of(period, drivers...))
	return w.start(t, p.ID, false)
}

func (w *fixture) start(t testing.TB, id string, fits bool) (r settlements.Run) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) {
		r, err = w.Start(tx, id, settlements.StartOptions{Share: true, Partial: fits, Unfinished: true})
		return err
	})
	return r
}

// live are the settlements of a driver that stand, the oldest first.
func (w *fixture) live(t testing.TB, driver string) (list []settlements.Settlement) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		p, err := settlements.List(tx, settlements.Filter{DriverID: driver, Page: 1, Size: 1000})
		list = slices.DeleteFunc(p.Items, func(s settlements.Settlement) bool { return s.State == settlements.Revoked })
		slices.Reverse(list)
		return err
	})
	return list
}

func (w *fixture) pending(t testing.TB, period calendar.Period) (page settlements.PendingPage) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		page, err = w.PendingPage(tx, settlements.PendingFilter{Period: period, Page: 1, Size: 1000})
		return err
	})
	return page
}

// due is what a driver has pending in a period.
func (w *fixture) due(t testing.TB, driver string, period calendar.Period) money.Amount {
	t.Helper()
	for _, p := range w.pending(t, period).Items {
		if p.Driver.ID == driver {
			return p.Figures[engine.Due]
		}
	}
	t.Fatalf("%s has nothing pending in %s", driver, period)
	return 0
}

func (w *fixture) verified(t testing.TB) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		problems, err := w.Verify(tx)
		for _, p := range problems {
			t.Error(p)
		}
		return err
	})
}

// everything is the sum of all rows of the tenant but the trail, runs, numbers and jobs, and of settlements the revoked ones.
func (w *fixture) everything(t testing.TB) string {
	t.Helper()
	sum := sha256.New()
	testkit.Read(t, w.db, access.Program("test"), func(tx *db.Tx) error {
		for _, query := range []string{
			`SELECT id || '|' || driver_id || '|' || type || '|' || occurred_on || '|' || settlement_id || '|' || deleted_at || '|' || updated_at || '|' || CAST(amount AS TEXT) || '|' || CAST(version AS TEXT) FROM transactions ORDER BY id`,
			`SELECT id || '|' || settled_on || '|' || updated_at || '|' || CAST(version AS TEXT) FROM drivers ORDER BY id`,
			`SELECT id || '|' || state || '|' || paid_on FROM settlements WHERE state <> 'revoked' ORDER BY id`,
			`SELECT id || '|' || transaction_id FROM settlement_carries ORDER BY id`,
			`SELECT id || '|' || state || '|' || settlement_id || '|' || CAST(gross AS TEXT) FROM invoice_images ORDER BY id`,
			`SELECT id || '|' || settlement_id || '|' || deleted_at || '|' || refused_at || '|' || CAST(amount AS TEXT) FROM trips ORDER BY id`,
			`SELECT settlement_id || '|' || base_id FROM settlement_bases b WHERE EXISTS (SELECT 1 FROM settlements s WHERE s.tenant_id = b.tenant_id AND s.id = b.settlement_id AND s.state <> 'revoked') ORDER BY settlement_id, base_id`,
			`SELECT tenant_id || '|' || CAST(used AS TEXT) || '|' || CAST(granted AS TEXT) FROM licence_balances ORDER BY tenant_id`,
		} {
			rows, err := db.Select[string](tx.Across(), query)
			if err != nil {
				return err
			}
			fmt.Fprintln(sum, len(rows), strings.Join(rows, "\n"))
		}
		return nil
	})
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func (w *fixture) usage(t testing.TB) (used int64) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		b, err := licences.Of(tx)
		used = b.Used
		return err
	})
	return used
}

const (
	w44 = calendar.Period("2026-W44") // 26 October to 1 November
	w45 = calendar.Period("2026-W45") // 2 to 8 November
	w46 = calendar.Period("2026-W46")
)

func TestSettledIsKeptAndRevokedIsAsBefore(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.MinTransfer = 100_00; r.SettlementCost = 10_00 })
		oleh, jan := w.driver(t, "Oleh"), w.driver(t, "Jan")
		w.add(t, oleh, trip("2026-11-03", 500_00), cost("2026-11-04", 20_00), row{"UBER", "UNKNOWN", "2026-11-05", 7_77}, row{"UBER", "PAYOUT", "2026-11-05", 480_00})
		w.add(t, jan, trip("2026-11-03", 60_00))
		before := w.everything(t)

		r := w.settle(t, w45)
		if r.State != settlements.RunDone || r.Settled != 2 || w.usage(t) != 2 {
			t.Fatalf("%+v", r)
		}
		s := w.live(t, oleh)[0]
		// 500.00 less VAT of 8 % inside it, the cost and the charge
		if s.Payout != 500_00-37_04-20_00-10_00 || s.Transactions != 3 || s.Number != 1 || s.SettledBy != "Anna" || s.SharedAt.IsZero() {
			t.Errorf("%+v", s)
		}
		j := w.live(t, jan)[0]
		if j.Payout != 0 || j.NextPeriodTransfer != 60_00-4_44-10_00 {
			t.Errorf("%+v", j)
		}
		if got := w.due(t, jan, w46); got != j.NextPeriodTransfer {
			t.Errorf("carried: %v", got)
		}
		w.verified(t)
		for _, one := range []settlements.Settlement{s, j} {
			w.refused(t, settlements.ErrInvalid, func(tx *db.Tx) error { return w.Revoke(tx, one.ID, " ") })
			w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, one.ID, "wrong file") })
			w.refused(t, settlements.ErrRevoked, func(tx *db.Tx) error { return w.Revoke(tx, one.ID, "again") })
		}
		if after := w.everything(t); after != before {
			t.Error("revoking did not give back what was")
		}
		if r := w.settle(t, w45); r.Settled != 2 || w.live(t, oleh)[0].Number != 3 && w.live(t, jan)[0].Number != 3 {
			t.Error("a number was used again")
		}
	})
}

func TestANegativePeriodIsAbsorbedAndOpenAgainWhenRevoked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, cost("2026-10-20", 50_00), cost("2026-10-27", 30_00), trip("2026-11-03", 1080_00))
		w.refused(t, settlements.ErrNegative, func(tx *db.Tx) error {
			p, err := w.Preview(tx, of(w44))
			if err != nil {
				return err
			}
			if p.Drivers != 0 || p.Refused != 1 || p.Refusals[0].Refusal != engine.Negative || p.Refusals[0].Amount != -80_00 {
				t.Errorf("%+v", p)
			}
			if err := p.Keep(tx); err != nil {
				return err
			}
			_, err = w.Start(tx, p.ID, settlements.StartOptions{})
			return err
		})
		before := w.everything(t)
		w.settle(t, w45)
		list := w.live(t, oleh)
		if len(list) != 3 || w.usage(t) != 1 {
			t.Fatalf("%d settlements, %d units", len(list), w.usage(t))
		}
		whole := list[2]
		if whole.Payout != 1080_00-80_00-80_00 || whole.CarryIn != -80_00 {
			t.Errorf("%+v", whole)
		}
		for _, a := range list[:2] {
			if a.AbsorbedInto != whole.ID || a.AbsorbedPeriod != w45 || a.Payout != 0 || a.Due >= 0 {
				t.Errorf("%+v", a)
			}
			w.refused(t, settlements.ErrAbsorbed, func(tx *db.Tx) error { return w.Revoke(tx, a.ID, "no") })
			w.refused(t, settlements.ErrAbsorbed, func(tx *db.Tx) error { return w.MarkPaid(tx, a.ID, 0, "2026-11-15") })
		}
		w.verified(t)
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, whole.ID, "wrong file") })
		if after := w.everything(t); after != before {
			t.Error("revoking did not give back what was")
		}
	})
}

func TestALaterSettlementMustBeRevokedFirst(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.MinTransfer = 1000_00 })
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-10-27", 108_00), trip("2026-11-03", 216_00))
		w.settle(t, w44)
		w.settle(t, w45)
		list := w.live(t, oleh)
		w.refused(t, settlements.ErrCarried, func(tx *db.Tx) error { return w.Revoke(tx, list[0].ID, "wrong") })
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, list[1].ID, "wrong") })
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, list[0].ID, "wrong") })
	})
}

func TestALateFileMakesASupplementaryThatIsChargedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) {
			r.SettlementCost, r.WeeklyContractCost, r.DailyFee.Uber = 10_00, 20_00, 5_00
			max := money.Amount(12_00)
			r.MaxFee1 = &max
		})
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-11-03", 108_00), trip("2026-11-04", 108_00))
		w.settle(t, w45)
		w.add(t, oleh, trip("2026-11-05", 108_00))
		// the third day would be 15.00, at most 12.00, 10.00 are charged; the rest is charged once
		if got := w.due(t, oleh, w45); got != 100_00-2_00 {
			t.Errorf("due %v", got)
		}
		w.settle(t, w45)
		list := w.live(t, oleh)
		if len(list) != 2 || list[1].Ordinal != 1 {
			t.Fatalf("%+v", list)
		}
		w.verified(t)
		w.refused(t, settlements.ErrCarried, func(tx *db.Tx) error { return w.Revoke(tx, list[0].ID, "wrong") })
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, list[1].ID, "wrong") })
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, list[0].ID, "wrong") })
	})
}

func TestWhatIsNotCarriedByItselfWaitsForThePartner(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.AutoNextPeriod, r.MinTransfer = false, 500_00 })
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		before := w.everything(t)
		w.settle(t, w45)
		s := w.live(t, oleh)[0]
		if s.NotCarried != 1 || len(w.pending(t, w46).Items) != 0 {
			t.Fatalf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error { return w.CarryOver(tx, s.ID) })
		w.refused(t, settlements.ErrNotWaiting, func(tx *db.Tx) error { return w.CarryOver(tx, s.ID) })
		if got := w.due(t, oleh, w46); got != 100_00 {
			t.Errorf("due %v", got)
		}
		w.verified(t)
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, s.ID, "wrong") })
		if after := w.everything(t); after != before {
			t.Error("revoking did not give back what was")
		}
	})
}

func TestPaidIsMarkedAndUnmarked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.settle(t, w45)
		id := w.live(t, oleh)[0].ID
		w.refused(t, settlements.ErrNotPaid, func(tx *db.Tx) error { return settlements.Unmark(tx, id) })
		w.refused(t, settlements.ErrInvalid, func(tx *db.Tx) error { return w.MarkPaid(tx, id, 0, "2027-01-01") })
		w.refused(t, settlements.ErrInvalid, func(tx *db.Tx) error { return w.MarkPaid(tx, id, 0, "2026-11-14") }) // it was settled a day later
		w.write(t, func(tx *db.Tx) error { return w.MarkPaid(tx, id, 0, "2026-11-15") })
		w.refused(t, settlements.ErrPaid, func(tx *db.Tx) error { return w.MarkPaid(tx, id, 0, "2026-11-15") })
		w.refused(t, settlements.ErrPaid, func(tx *db.Tx) error { return w.Revoke(tx, id, "wrong") })
		if s := w.live(t, oleh)[0]; s.State != settlements.Paid || s.PaidOn != "2026-11-15" {
			t.Errorf("%+v", s)
		}
		w.write(t, func(tx *db.Tx) error { return settlements.Unmark(tx, id) })
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, id, "wrong") })
	})
}

func TestNothingIsSettledThatIsNotAsShown(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh, jan := w.driver(t, "Oleh"), w.driver(t, "Jan")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.add(t, jan, trip("2026-11-03", 208_00)) // the larger one, before the other in the run
		p := w.preview(t, of(w45))
		w.add(t, oleh, cost("2026-11-04", 10_00))
		r := w.start(t, p.ID, false)
		if r.State != settlements.RunChanged || r.Settled != 0 || w.usage(t) != 0 || len(w.live(t, jan)) != 0 {
			t.Fatalf("%+v", r)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			changed, err := settlements.Outcomes(tx, p.ID, 1) // whoever changed is named first
			if len(changed) != 1 || changed[0].Outcome != settlements.OutcomeChanged || changed[0].DriverID != oleh || changed[0].Due != 100_00 || changed[0].DueNow != 90_00 {
				t.Errorf("%+v", changed)
			}
			return err
		})
		if r := w.start(t, p.ID, false); r.State != settlements.RunChanged {
			t.Errorf("a second click did something else: %+v", r)
		}
	})
}

func TestTheLicenceIsNeverPassed(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.write(t, func(tx *db.Tx) error {
			_, err := licences.Use(tx, 998)
			return err
		})
		defer w.write(t, func(tx *db.Tx) error { return licences.GiveBack(tx, 998) })
		ids := []string{}
		for i := range 4 {
			id := w.driver(t, fmt.Sprint("Jan", i))
			ids = append(ids, id)
			w.add(t, id, trip("2026-11-03", money.Amount(108_00*(i+1))))
		}
		if r := w.settle(t, w45); r.State != settlements.RunShort || r.Missing != 2 || r.Settled != 0 || w.usage(t) != 998 {
			t.Fatalf("%+v", r)
		}
		p := w.preview(t, of(w45))
		if r := w.start(t, p.ID, true); r.State != settlements.RunDone || r.Settled != 2 || r.SettledPayout != 700_00 {
			t.Fatalf("%+v", r)
		}
		if len(w.live(t, ids[3])) != 1 || len(w.live(t, ids[2])) != 1 || len(w.live(t, ids[1])) != 0 {
			t.Error("not the largest were settled")
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			counts, err := settlements.OutcomeCounts(tx, p.ID)
			if len(counts) != 2 || counts[0].Outcome != settlements.OutcomeLimit || counts[0].Count != 2 || counts[1].Count != 2 {
				t.Errorf("%+v", counts)
			}
			return err
		})
	})
}

func TestManyAreSettledInAJobAndOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.work(t)
		const n = 250
		var ids []string
		w.write(t, func(tx *db.Tx) (err error) {
			added := make([]drivers.NewDriver, n)
			for i := range added {
				added[i].Details = drivers.Details{FirstName: fmt.Sprint("Jan", i), LastName: "Nowak", SummaryLanguage: "pl"}
			}
			ids, err = w.book.AddMany(tx, added)
			return err
		})
		for i, id := range ids {
			w.add(t, id, trip("2026-11-03", money.Amount(108_00+i)), cost("2026-11-04", 1_00))
		}
		w.add(t, ids[0], cost("2026-11-05", 500_00)) // owes
		p := w.preview(t, of(w45))
		q := w.preview(t, of(w45))
		if r := w.start(t, p.ID, false); r.State != settlements.RunRunning {
			t.Fatalf("%+v", r)
		}
		w.start(t, p.ID, false)
		w.start(t, q.ID, false)
		var r settlements.Run
		testkit.Eventually(t, "the run ends", func() bool {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { r, err = settlements.RunOf(tx, p.ID); return err })
			return r.State != settlements.RunRunning
		})
		var twin settlements.Run
		testkit.Eventually(t, "its twin ends", func() bool {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { twin, err = settlements.RunOf(tx, q.ID); return err })
			return twin.State != settlements.RunRunning
		})
		if r.Settled+twin.Settled != n-1 || w.usage(t) != n-1 {
			t.Fatalf("%+v %+v", r, twin)
		}
		if left := w.pending(t, w45); left.Totals.Drivers != 1 || left.Totals.Settleable != 0 || left.Totals.Due != 108_00-8_00-1_00-500_00 {
			t.Errorf("%+v", left.Totals)
		}
	})
}

func TestWhatIsSettledCannotBeChangedByAnybody(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.rules(t, func(r *rules.Rules) { r.MinTransfer = 500_00 })
		w.settle(t, w45)
		for _, text := range []string{
			`UPDATE settlements SET payout = payout + 1, due = due + 1 WHERE tenant_id = $1`, `UPDATE settlements SET figures = '{}' WHERE tenant_id = $1`, `DELETE FROM settlements WHERE tenant_id = $1`,
			`UPDATE settlements SET driver_id = driver_id || '' , period = '2026-W01' WHERE tenant_id = $1`, `UPDATE settlement_terms SET terms = '{}' WHERE tenant_id = $1`,
			`DELETE FROM settlement_terms WHERE tenant_id = $1`, `UPDATE transactions SET amount = 1 WHERE tenant_id = $1 AND settlement_id <> ''`,
			`UPDATE transactions SET settlement_id = '' WHERE tenant_id = $1 AND settlement_id <> ''`, `DELETE FROM transactions WHERE tenant_id = $1 AND settlement_id <> ''`,
			`UPDATE transactions SET deleted_at = 'x' WHERE tenant_id = $1 AND settlement_id <> ''`, `UPDATE settlement_carries SET amount = 1 WHERE tenant_id = $1`, `DELETE FROM settlement_carries WHERE tenant_id = $1`,
			`UPDATE schema_versions SET rules = '{}' WHERE tenant_id = $1`, `DELETE FROM schema_versions WHERE tenant_id = $1`,
		} {
			err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := tx.Exec(text); return err })
			if !db.Guarded(err) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func TestAnExplanationIsMadeOfWhatWasTaken(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-11-03", 108_00), cost("2026-11-04", 10_00))
		var pending, settled settlements.Explained
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { pending, err = w.ExplainPending(tx, oleh, w45); return err })
		w.settle(t, w45)
		id := w.live(t, oleh)[0].ID
		w.rules(t, func(r *rules.Rules) { r.SettlementCost = 99_00 })
		w.add(t, oleh, trip("2026-11-05", 1_00))
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { settled, err = w.Explain(tx, id); return err })
		was, _ := json.Marshal(pending.Computed.Explanations())
		is, _ := json.Marshal(settled.Computed.Explanations())
		if string(was) != string(is) || len(settled.Rows) != 2 || settled.Terms.Rules.SettlementCost != 0 {
			t.Errorf("%s\n%s", was, is)
		}
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, id, "wrong") })
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { pending, err = w.ExplainPending(tx, oleh, w45); return err })
		if pending.Revoked == nil || pending.Revoked.ID != id || pending.Revoked.Payout != 90_00 {
			t.Errorf("%+v", pending.Revoked)
		}
	})
}

func TestWhatIsOnlyInformationIsNothingToSettle(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, row{"UBER", "PAYOUT", "2026-11-05", 480_00})
		p := w.preview(t, of(w45))
		if p.Drivers != 0 || p.Refusals[0].Refusal != engine.NothingToSettle {
			t.Fatalf("%+v", p)
		}
		w.refused(t, settlements.ErrNothing, func(tx *db.Tx) error { _, err := w.Start(tx, p.ID, settlements.StartOptions{}); return err })
		w.refused(t, settlements.ErrNothing, func(tx *db.Tx) error { _, err := w.Preview(tx, of(w44)); return err })
		w.refused(t, settlements.ErrRunNotFound, func(tx *db.Tx) error { _, err := w.Start(tx, "nobody", settlements.StartOptions{}); return err })
		w.refused(t, settlements.ErrNotFound, func(tx *db.Tx) error { return w.Revoke(tx, "nobody", "wrong") })
	})
}

// date gives the rows of a driver a day, as no route can.
func (w *fixture) date(t *testing.T, driver, day string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE transactions SET occurred_on = $3 WHERE tenant_id = $1 AND driver_id = $2`, driver, day)
		return err
	})
}

func TestUncomputedDriver_DoesNotKeepOthersFromBeingSettled(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh, jan := w.driver(t, "Oleh"), w.driver(t, "Jan")
		for _, driver := range []string{oleh, jan} {
			w.add(t, driver, trip("2026-11-05", 100_00))
		}
		shown := w.preview(t, of(w45))
		w.date(t, oleh, "2026-11-0")
		page := w.pending(t, w45)
		if page.All != 2 || page.Totals.Settleable != 1 || page.Totals.Revenue != 100_00 {
			t.Fatalf("%+v", page.Totals)
		}
		for _, p := range page.Items {
			if (p.Driver.ID == oleh) != (p.Refusal() == settlements.Uncomputed) {
				t.Errorf("%s: %s", p.Driver.FirstName, p.Refusal())
			}
		}
		if err := w.db.Read(t.Context(), anna, func(tx *db.Tx) error { _, err := w.ExplainPending(tx, oleh, w45); return err }); !errors.Is(err, engine.ErrOutside) {
			t.Errorf("explained: %v", err)
		}
		if r := w.start(t, shown.ID, false); r.State != settlements.RunChanged || r.Settled != 0 {
			t.Fatalf("a dry run from before: %+v", r)
		}
		p := w.preview(t, of(w45))
		if p.Drivers != 1 || len(p.Refusals) != 1 || p.Refusals[0].Refusal != settlements.Uncomputed || !slices.Equal(p.Refusals[0].Drivers, []string{oleh}) {
			t.Fatalf("%+v", p)
		}
		if r := w.start(t, p.ID, false); r.State != settlements.RunDone || r.Settled != 1 || len(w.live(t, jan)) != 1 || len(w.live(t, oleh)) != 0 {
			t.Fatalf("%+v", r)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			problems, err := w.Verify(tx)
			if len(problems) != 1 || problems[0].ID != oleh {
				t.Errorf("%+v", problems)
			}
			return err
		})
		w.date(t, oleh, "2026-11-05")
		if r := w.settle(t, w45); r.Settled != 1 || len(w.live(t, oleh)) != 1 {
			t.Errorf("once it is mended: %+v", r)
		}
	})
}

func TestARunGoesOnPastWhomItCannotCompute(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		var drivers []string
		for i := range 130 { // more than are settled without a job, and than one unit of it settles
			drivers = append(drivers, w.driver(t, fmt.Sprintf("Jan %03d", i)))
			w.add(t, drivers[i], trip("2026-11-05", 100_00))
		}
		p := w.preview(t, of(w45))
		w.start(t, p.ID, false)
		w.write(t, func(tx *db.Tx) error { _, err := w.Go(tx, p.ID); return err }) // everything is as it was shown
		w.date(t, drivers[7], "2026-11-0")
		for r := (settlements.Run{State: settlements.RunRunning}); r.State == settlements.RunRunning; {
			w.write(t, func(tx *db.Tx) (err error) { r, err = w.Go(tx, p.ID); return err })
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			r, err := settlements.RunOf(tx, p.ID)
			left, failed := settlements.Outcomes(tx, p.ID, 10)
			if r.Settled != 129 || len(left) != 1 || left[0].DriverID != drivers[7] || left[0].Outcome != "failed" || left[0].Reason == "" {
				t.Errorf("%+v %+v", r, left)
			}
			return errors.Join(err, failed)
		})
		w.date(t, drivers[7], "2026-11-05")
		if used := w.usage(t); used != 129 {
			t.Errorf("%d units of the licence for 129 settlements", used)
		}
	})
}

// A run of many is not computed before it begins where the audit trail has nothing new: what its unit finds changed is left out alone.
// Where somebody changed anything, everybody is computed first, and nobody is settled.
func TestRun_ComputesEverybodyFirstOnlyWhereSomethingChanged(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		var drivers []string
		for i := range 51 { // more than are settled without a job
			drivers = append(drivers, w.driver(t, fmt.Sprintf("Jan %03d", i)))
			w.add(t, drivers[i], trip("2026-11-05", 100_00))
		}
		run := func(change func()) (r settlements.Run) {
			p := w.preview(t, of(w45))
			change()
			for r = w.start(t, p.ID, false); r.State == settlements.RunRunning; {
				w.write(t, func(tx *db.Tx) (err error) { r, err = w.Go(tx, p.ID); return err })
			}
			return r
		}
		if r := run(func() { w.block(t, drivers[50], true) }); r.State != settlements.RunChanged || r.Settled != 0 {
			t.Fatalf("somebody was blocked: %+v", r)
		}
		w.block(t, drivers[50], false)
		unnoticed := func() {
			w.write(t, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE settlement_run_drivers SET fingerprint = 'another' WHERE tenant_id = $1 AND driver_id = $2`, drivers[7])
				return err
			})
		}
		if r := run(unnoticed); r.State != settlements.RunDone || r.Settled != 50 || len(w.live(t, drivers[7])) != 0 {
			t.Errorf("nothing in the trail: %+v", r)
		}
	})
}

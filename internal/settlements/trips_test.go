package settlements_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/simulation"
	"saldo/internal/testkit"
	"saldo/internal/tracking"
)

// drove writes a trip down.
func (w *fixture) drove(t testing.TB, driver string, on calendar.Date, amount money.Amount, payment tracking.Payment) (id string) {
	t.Helper()
	id = uuid.NewString()
	w.write(t, func(tx *db.Tx) error {
		_, _, err := (&tracking.Service{Instance: w.Instance}).SaveTrip(tx, tracking.Driver(driver), id,
			tracking.TripDetails{OccurredOn: on, Amount: amount, Payment: payment}, tracking.Said{})
		return err
	})
	return id
}

// Trips alone make a period; a late one makes a supplementary settlement that is charged only what the whole period is charged more;
// revoking goes from the newest back and gives everything as it was.
func TestTrips_AreSettledLateAndRevoked(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		most := money.Amount(12_00)
		w.rules(t, func(r *rules.Rules) {
			r.ContractType, r.TripSettlementCost, r.TripFee, r.MaxTripSettlementCost, r.SettlementCost = rules.B2BVAT, 5_00, 3_00, &most, 10_00
		})
		jan := w.driver(t, "Jan")
		first := w.drove(t, jan, "2026-10-27", 100_00, tracking.Card)
		w.drove(t, jan, "2026-11-01", 40_00, tracking.Cash)
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			weeks, err := w.Periods(tx)
			if !slices.ContainsFunc(weeks, func(p settlements.Period) bool { return p.Code == w44 }) {
				t.Error("the week of the trips is not offered")
			}
			return err
		})
		// 140.00 less the cash, 10.00 for the period and 5.00 + 2 x 3.00 for the trips
		if due := w.due(t, jan, w44); due != 140_00-40_00-10_00-11_00 {
			t.Errorf("due is %v", due)
		}
		before := w.everything(t)
		w.settle(t, w44)
		s := w.live(t, jan)[0]
		if s.Payout != 79_00 || s.Transactions != 0 {
			t.Errorf("%+v", s)
		}
		w.drove(t, jan, "2026-10-30", 60_00, tracking.Card)
		if due := w.due(t, jan, w44); due != 60_00-1_00 { // 12.00 in all
			t.Errorf("the late trip makes %v", due)
		}
		w.settle(t, w44)
		late := w.live(t, jan)[1]
		if late.Ordinal != 1 || late.Payout != 59_00 {
			t.Errorf("%+v", late)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			e, err := w.Explain(tx, s.ID)
			if len(e.Trips) != 2 || e.Trips[0].ID != first || e.Trips[0].SettlementID != s.ID {
				t.Errorf("%+v", e.Trips)
			}
			return err
		})
		w.refused(t, settlements.ErrCarried, func(tx *db.Tx) error { return w.Revoke(tx, s.ID, "first") })
		w.write(t, func(tx *db.Tx) error { return errors.Join(w.Revoke(tx, late.ID, "late"), w.Revoke(tx, s.ID, "first")) })
		w.write(t, func(tx *db.Tx) error { // the late one as if it had never been
			open, err := tracking.Open(tx, []string{jan})
			if err == nil && len(open[jan]) != 3 {
				t.Errorf("%+v", open)
			}
			return err
		})
		if due := w.due(t, jan, w44); due != 200_00-40_00-10_00-12_00 {
			t.Errorf("due is %v", due)
		}
		if w.everything(t) == before {
			t.Error("the third trip is gone")
		}
	})
}

// A trip that changes between a dry run and its start stops the start.
func TestTrips_ThatChangeStopAStart(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		jan := w.driver(t, "Jan")
		id := w.drove(t, jan, "2026-11-03", 100_00, tracking.Card)
		p := w.preview(t, of(w45))
		w.write(t, func(tx *db.Tx) error { _, err := tracking.RefuseTrip(tx, id, 1, "not ours"); return err })
		r := settlements.Run{}
		err := w.db.Write(ctx, anna, func(tx *db.Tx) (err error) {
			r, err = w.Start(tx, p.ID, settlements.StartOptions{})
			return err
		})
		if err == nil && r.Settled > 0 || len(w.live(t, jan)) > 0 {
			t.Errorf("%+v was settled: %v", r, err)
		}
	})
}

// What breaks the rules of trips is named.
func TestTrips_VerifyNamesWhatIsBroken(t *testing.T) {
	w := newFixture(t, testkit.Engines[0])
	jan := w.driver(t, "Jan")
	id := w.drove(t, jan, "2026-11-03", 100_00, tracking.Card)
	w.add(t, jan, trip("2026-11-03", 100_00))
	w.settle(t, w45)
	lost := w.drove(t, jan, "2026-11-04", 1, tracking.Cash)
	w.write(t, func(tx *db.Tx) error { return tracking.Take(tx, "nowhere", []string{lost}) })
	w.add(t, jan, trip("2026-11-10", 1_00))
	w.write(t, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE transactions SET source = 'trip' WHERE tenant_id = $1 AND settlement_id = ''`)
		return err
	})
	named := map[string]bool{}
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		problems, err := w.Verify(tx)
		for _, p := range problems {
			named[p.What] = true
			if p.ID == id {
				t.Errorf("%v is right", p)
			}
		}
		return err
	})
	for _, want := range []string{"a trip is taken by one live settlement that has its day, and is neither deleted nor refused",
		"a trip is no transaction: it would count twice"} {
		if !named[want] {
			t.Errorf("not named: %s; only %v", want, named)
		}
	}
}

// A civil contract that pays less for the tracked hours than the law wants is warned of, in Poland only.
func TestMinimumRate_WarnsOfCivilContracts(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		jan := w.driver(t, "Jan")
		w.rules(t, func(r *rules.Rules) { r.ContractType, r.SettlementCost = rules.CivilContract, 0 })
		w.add(t, jan, trip("2026-11-03", 340_00)) // 314.81 after VAT
		worked := func(id, from, to string) {
			w.write(t, func(tx *db.Tx) error {
				_, _, err := (&tracking.Service{Instance: w.Instance}).SaveTime(tx, tracking.Driver(jan), id, tracking.TimeDetails{StartedAt: from, EndedAt: to},
					tracking.Said{})
				return err
			})
		}
		warned := func() (least money.Amount) {
			for _, p := range w.pending(t, w45).Items {
				for _, warning := range p.Warnings {
					if warning.Code == settlements.MinimumRate {
						least = warning.Amount
					}
				}
			}
			return least
		}
		worked(uuid.NewString(), "2026-11-03T08:00", "2026-11-03T18:00") // 314.00
		worked(uuid.NewString(), "2026-11-01T08:00", "2026-11-01T18:00") // of the week before
		if least := warned(); least != 0 {
			t.Errorf("warned of %v", least)
		}
		worked(uuid.NewString(), "2026-11-08T23:30", "2026-11-09T01:30") // belongs to its start
		if least := warned(); least != 12*31_40 {
			t.Errorf("warned of %v", least)
		}
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.B2BNoVAT })
		if least := warned(); least != 0 {
			t.Errorf("a company is warned of %v", least)
		}
		w.rules(t, func(r *rules.Rules) { r.ContractType = rules.CivilContract })
		var err error
		if w.Instance, err = config.InstanceOf("de"); err != nil {
			t.Fatal(err)
		}
		if least := warned(); least != 0 {
			t.Errorf("Germany warns of %v", least)
		}
	})
}

// What other rules would have made of the last week counts trips.
func TestSimulation_CountsTrips(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		jan := w.driver(t, "Jan")
		last := calendar.Recent(calendar.DateOf(w.db.Now(), w.Instance.Location(), 0), 2)[1]
		w.drove(t, jan, last.Monday(), 100_00, tracking.Card)
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			b, err := w.TermsOf(tx, []string{jan})
			if err != nil {
				return err
			}
			r := b[jan].Rules
			r.TripFee = 7_00
			found, err := simulation.Of(tx, w.Service, r, 1, "")
			if found.Drivers != 1 || found.After-found.Before != -7_00 {
				t.Errorf("%+v", found)
			}
			return err
		})
	})
}

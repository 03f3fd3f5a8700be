package settlements_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/tracking"
)

// TestAWholeFleet_IsComputedAsEachOfItsDriversAlone: many drivers are computed a few at a time, and only figures of them are kept meanwhile.
func TestAWholeFleet_IsComputedAsEachOfItsDriversAlone(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.SettlementCost, r.AutoNextPeriod = 20_00, true })
		var ids []string
		w.write(t, func(tx *db.Tx) (err error) {
			added := make([]drivers.NewDriver, 230)
			for i := range added {
				added[i].Details = drivers.Details{FirstName: fmt.Sprintf("Jan %03d", i), LastName: "Nowak", SummaryLanguage: "pl"}
			}
			if ids, err = w.book.AddMany(tx, added); err != nil {
				return err
			}
			_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
				for i, id := range ids {
					// every third owes from the week before, every fifth has no row in the week, every seventh owes in it
					for n, amount := range []money.Amount{money.Amount(-50_00 * (1 - min(i%3, 1))), money.Amount(300_00 + i), money.Amount(-900_00 * (1 - min(i%7, 1)))} {
						if amount == 0 || n == 1 && i%5 == 0 {
							continue
						}
						on := w45.Monday().AddDays(n)
						if n == 0 {
							on = on.AddDays(-3)
						}
						if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: []string{"UBER", "BOLT"}[i%2], Type: "TRIP", OccurredOn: on, Amount: amount,
							Currency: "PLN", Source: "import"}) {
							return
						}
					}
				}
			})
			return err
		})
		w.drove(t, ids[9], w45.Monday(), 80_00, tracking.Cash)
		w.block(t, ids[11], true)

		page := w.pending(t, w45)
		if len(page.Items) < 180 {
			t.Fatalf("%d pending", len(page.Items))
		}
		for i := range page.Items {
			p := &page.Items[i]
			w.write(t, func(tx *db.Tx) error {
				alone, err := w.ExplainPending(tx, p.Driver.ID, w45)
				if err != nil {
					return err
				}
				bare := alone.Computed.Bare()
				if !reflect.DeepEqual(*p.Settlement, bare) || p.Refusal() != alone.Refusal || !slices.Equal(p.Warnings, alone.Warnings) || p.Figures != alone.Computed.Figures {
					t.Errorf("%s: %+v alone, %+v among all", p.Driver.FirstName, bare, *p.Settlement)
				}
				return nil
			})
		}

		// what a dry run keeps of everybody at once is what it keeps of them part by part
		whole, parts := w.kept(t, nil), []keptDriver(nil)
		for some := range slices.Chunk(ids, 40) {
			parts = append(parts, w.kept(t, some)...)
		}
		byID := func(a, b keptDriver) int { return slices.Compare([]string{a.DriverID}, []string{b.DriverID}) }
		slices.SortFunc(whole, byID)
		slices.SortFunc(parts, byID)
		if len(whole) != len(page.Items) || !slices.Equal(whole, parts) {
			t.Errorf("%d of a whole fleet, %d of its parts", len(whole), len(parts))
		}
		// a driver who is named twice, or among more than are read together, is there once
		if twice := w.kept(t, slices.Concat(ids, ids)); len(twice) != len(whole) {
			t.Errorf("%d of drivers named twice, %d of them once", len(twice), len(whole))
		}
	})
}

type keptDriver struct {
	DriverID, Fingerprint string
	Due, Payout           money.Amount
	Refusal               engine.Refusal
}

// kept is what a dry run writes down of drivers; none: of all.
func (w *fixture) kept(t *testing.T, whose []string) (kept []keptDriver) {
	t.Helper()
	selection := of(w45)
	selection.Drivers = whose
	p := w.preview(t, selection)
	w.write(t, func(tx *db.Tx) (err error) {
		kept, err = db.Select[keptDriver](tx, `SELECT driver_id, fingerprint, due, payout, refusal FROM settlement_run_drivers WHERE tenant_id = $1
			AND run_id = $2`, p.ID)
		return err
	})
	return kept
}

// TestABareSettlement_CannotBeKept: it has figures and nothing that they are made of.
func TestABareSettlement_CannotBeKept(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.driver(t, "Jan")
		w.add(t, driver, row{"UBER", "TRIP", w45.Monday(), 500_00})
		w.write(t, func(tx *db.Tx) error {
			e, err := w.ExplainPending(tx, driver, w45)
			if err != nil {
				return err
			}
			bare := e.Computed.Bare()
			if e.Computed.Explained() != nil || bare.Explained() == nil || len(bare.Takes()) > 0 {
				t.Error("a bare settlement says what it is made of")
			}
			return nil
		})
	})
}

// TestFiguresAreExplainedAlike: with what explanations name and without it.
func TestFiguresAreExplainedAlike(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.driver(t, "Jan")
		w.add(t, driver, row{"UBER", "TRIP", w45.Monday(), 500_00}, row{"BOLT", "CASH_COLLECTED", w45.Monday(), -80_00})
		w.settle(t, w45, driver)
		w.write(t, func(tx *db.Tx) error {
			whole, err := w.Explain(tx, w.live(t, driver)[0].ID)
			if err != nil {
				return err
			}
			figures, err := settlements.ExplainFigures(tx, whole.Settled.ID)
			if len(whole.Rows) != 2 || len(figures.Rows) > 0 {
				t.Errorf("%d rows, %d beside figures alone", len(whole.Rows), len(figures.Rows))
			}
			whole.Rows, whole.Origins, whole.Invoices, whole.Trips, whole.Last, whole.Revoked = nil, nil, nil, nil, nil, nil
			if !reflect.DeepEqual(whole, figures) {
				t.Errorf("%+v, figures alone %+v", whole, figures)
			}
			return err
		})
	})
}

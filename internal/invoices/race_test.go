package invoices_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"saldo/internal/invoices"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// One person settles a driver while another opens the driver's invoice again and rejects it, and later one revokes while the other
// approves: the settlement has the VAT of the invoice exactly where it has taken the invoice.
func TestSettling_AgainstRejectingAndRevoking(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.drivers[0]
		w.worked(t, driver, "2026-10-28", 1000_00)
		for round := range 6 * testkit.Soak() {
			d := w.fuel(fmt.Sprint("R/", round))
			d.Net, d.Gross, d.BaseZero = d.Net+money.Amount(100*round), d.Gross+money.Amount(100*round), money.Amount(100*round) // no other's amount
			i := w.added(t, invoices.Partner, driver, w.picture(), &d)
			i = w.describe(t, invoices.Partner, i, i.Details, invoices.Approve)
			var p settlements.Preview
			w.write(t, func(tx *db.Tx) (err error) {
				if p, err = w.settling.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: "2026-W44"}, Drivers: []string{driver}}); err != nil {
					return err
				}
				return p.Keep(tx)
			})
			var ended sync.WaitGroup
			var rejected error
			ended.Go(func() {
				_ = w.db.Write(ctx, anna, func(tx *db.Tx) error { // refused where the invoice went first
					_, err := w.settling.Start(tx, p.ID, settlements.StartOptions{Share: true})
					return err
				})
			})
			ended.Go(func() {
				rejected = w.db.Write(ctx, anna, func(tx *db.Tx) error {
					if _, err := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: i.Details,
						Action: invoices.Reopen}); err != nil {
						return err
					}
					_, err := w.Reject(tx, i.ID, "unreadable", "")
					return err
				})
			})
			ended.Wait()
			if rejected != nil && !errors.Is(rejected, invoices.ErrSettled) && !errors.Is(rejected, invoices.ErrChanged) {
				t.Error(rejected)
			}
			settlement := w.taken(t, driver, i.ID)
			if settlement == "" {
				continue
			}
			ended.Go(func() {
				if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.settling.Revoke(tx, settlement, "again") }); err != nil {
					t.Error(err)
				}
			})
			ended.Go(func() {
				err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
					_, err := w.Describe(tx, invoices.Partner, i.ID, invoices.Change{Version: i.Version, Details: i.Details, Action: invoices.Reopen})
					return err
				})
				if err != nil && !errors.Is(err, invoices.ErrSettled) && !errors.Is(err, invoices.ErrChanged) && !errors.Is(err, invoices.ErrState) {
					t.Error(err)
				}
			})
			ended.Wait()
			w.verified(t)
			if now := w.of(t, i.ID); now.SettlementID != "" {
				t.Errorf("a revoked settlement still has the invoice")
			}
			if now := w.of(t, i.ID); now.State == invoices.Approved { // out of the way of the next round
				w.describe(t, invoices.Partner, now, now.Details, invoices.Reopen)
			}
		}
	})
}

// taken says by which settlement an invoice is taken, and checks that it holds the VAT of the invoice exactly then.
func (w *fixture) taken(t *testing.T, driver, invoice string) (id string) {
	t.Helper()
	w.verified(t)
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		page, err := settlements.List(tx, settlements.Filter{DriverID: driver, State: settlements.Settled, Page: 1, Size: 1})
		if err != nil {
			return err
		}
		back := money.Amount(0)
		if len(page.Items) > 0 {
			id = page.Items[0].ID
			figures, err := page.Items[0].KeptFigures()
			if err != nil {
				return err
			}
			back = figures[engine.VATReturn]
		}
		if by := w.of(t, invoice).SettlementID; (by != "") != (back != 0) || by != "" && by != id {
			t.Errorf("the invoice is taken by %q, the settlement %q gives back %d", by, id, back)
		}
		return nil
	})
	return id
}

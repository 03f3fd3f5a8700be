package invoices_test

import (
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/invoices"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestDriverOf_IsWhoseNewestApprovedInvoiceHasThePlate(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		proposed := func(plate string) string {
			r := invoices.Reading{Result: reading.Result{Fields: []reading.Field{{Name: reading.Registration, Value: plate}}}}
			name := ""
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				d, err := w.DriverOf(tx, &r)
				if d != nil {
					name = d.ID
				}
				return err
			})
			return name
		}
		approved := func(driver, number, plate, on string) invoices.Invoice {
			d := w.fuel(number)
			d.Registration, d.IssuedOn, d.SoldOn = plate, calendar.Date(on), calendar.Date(on)
			return w.describe(t, invoices.Partner, w.added(t, invoices.Partner, driver, w.picture(), &d), d, invoices.Approve)
		}
		first, second := w.drivers[0], w.drivers[1]
		if got := proposed("WX12345"); got != "" {
			t.Errorf("of a plate that nobody knows: %q", got)
		}
		d := w.fuel("A/10")
		d.Registration = "WX12345"
		w.added(t, invoices.Partner, second, w.picture(), &d)
		if got := proposed("WX12345"); got != "" {
			t.Errorf("of a plate that no approved invoice has: %q", got)
		}
		approved(first, "BB/227", "WX 12345", "2026-10-20")
		if got := proposed("wx 123-45"); got != first {
			t.Errorf("written otherwise: %q", got)
		}
		approved(second, "CCC/3385", "WX12345", "2026-10-27") // the vehicle changed hands
		approved(first, "D/99/2026", "WX 99999", "2026-10-29")
		if got := proposed("WX12345"); got != second {
			t.Errorf("after the vehicle changed hands: %q", got)
		}
		agreed := func(contract, driver, plate string) {
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
				return drivers.AgreeOnVehicle(tx, drivers.Vehicle{ContractID: contract, DriverID: driver, Registration: plate, FromOn: "2026-01-01"})
			})
		}
		agreed("c-1", first, "WX12345")
		if got := proposed("WX12345"); got != first {
			t.Errorf("by contract: %q", got)
		}
		agreed("c-2", second, "WX12345") // two drive it: the newest invoice decides again
		if got := proposed("WX12345"); got != second {
			t.Errorf("of a vehicle that two drive: %q", got)
		}
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return drivers.EndVehicle(tx, "c-2", "2026-02-01") })
		if got := proposed("WX12345"); got != first {
			t.Errorf("after one of the contracts ended: %q", got)
		}
		if got := proposed(""); got != "" {
			t.Errorf("without a plate: %q", got)
		}
	})
}

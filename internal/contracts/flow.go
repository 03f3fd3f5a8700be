package contracts

import (
	"slices"
	"time"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
)

// flow writes what was agreed on where it is used: account, frequency, number and tax id of the driver, their vehicle, and that the
// partner may write invoices for them. Another account has the checks of every change of an account.
func (s *Service) flow(tx *db.Tx, c *Contract, d *Data) error {
	id, err := driverOf(tx, OfPartner(), c.DriverID)
	if err != nil {
		return err
	}
	of, err := drivers.Get(tx, s.Vault, id)
	if err != nil {
		return err
	}
	details := of.Details
	details.IBAN, details.SettlementFrequency, details.ContractNumber = official.Account(d.Contract.IBANPayout), d.Contract.Frequency, c.Number
	if d.Contract.Company.TaxID != "" {
		details.TaxID = d.Contract.Company.TaxID
	}
	details.Bailiff = details.Bailiff || d.Contract.Bailiff
	if err := s.Drivers.Save(tx, id, details, of.Version); err != nil {
		return err
	}
	if plate := d.Contract.Vehicle.Registration; plate != "" {
		if err := drivers.AgreeOnVehicle(tx, drivers.Vehicle{ContractID: c.ID, DriverID: c.DriverID, Registration: plate, FromOn: c.FromOn,
			ToOn: c.ToOn}); err != nil {
			return err
		}
	}
	documents, err := DocumentsOf(tx, c.ID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(documents, func(d Document) bool { return d.Kind == "self_billing" }) {
		return billing.Signed(tx, c.DriverID, c.ID, s.today(tx.Now))
	}
	return nil
}

// move ends a contract, with what it brought to others.
func (s *Service) move(tx *db.Tx, c *Contract, to State) error {
	if err := c.move(tx, to); err != nil {
		return err
	}
	on := s.today(tx.Now)
	if err := drivers.EndVehicle(tx, c.ID, on); err != nil {
		return err
	}
	return billing.SignedEnds(tx, c.ID, on)
}

// keptUntil says until when a contract is kept: whole years after that in which it ended, longer where insurance and pay depend on it.
func keptUntil(country string, kinds []string, ended time.Time, at *time.Location) calendar.Date {
	years := map[string]int{"PL": 5, "DE": 6}[country]
	if slices.Contains(kinds, "civil_contract") || slices.Contains(kinds, "employment") {
		years = 10
	}
	return calendar.Date(time.Date(ended.In(at).Year()+years, 12, 31, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
}

package billing

import (
	"cmp"
	"errors"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Approval is how a driver approves the invoices that the partner writes.
type Approval string

// The ways. AsFleet is a driver's own who has none.
const (
	AsFleet  Approval = ""
	None     Approval = "none"     // what is issued is issued
	Tacit    Approval = "tacit"    // silence approves after some days
	Explicit Approval = "explicit" // nothing is issued without the driver's word
)

// approvalDaysMax is how long silence may be waited for.
const approvalDaysMax = 60

// Agreement says how invoices are approved: the fleet's, or that of one driver.
type Agreement struct {
	DriverID            string // empty: the fleet's
	FirstName, LastName string
	Approval            Approval
	Days                int64 // after which silence approves; 0: it never does
}

// Agreements are the fleet's and those of drivers who have their own, by name.
func Agreements(tx *db.Tx) (fleetwide Agreement, own []Agreement, err error) {
	all, err := db.Select[Agreement](tx, `SELECT a.driver_id, COALESCE(d.first_name, '') AS first_name, COALESCE(d.last_name, '') AS
		last_name, a.approval, a.days
		FROM billing_agreements a LEFT JOIN drivers d ON d.tenant_id = a.tenant_id AND d.id = a.driver_id
		WHERE a.tenant_id = $1 AND (a.driver_id = '' OR d.merged_into = '') ORDER BY d.search_key, a.driver_id`)
	fleetwide, own = Agreement{Approval: None}, []Agreement{}
	for _, a := range all {
		if a.DriverID == "" {
			fleetwide = a
		} else {
			own = append(own, a)
		}
	}
	return fleetwide, own, err
}

// daysBySignature is how long silence is waited for where a driver signed that invoices are written for them and nothing else was
// agreed on: Polish law wants a way of approving.
const daysBySignature = 7

// agreed is what holds of a driver: their own agreement, else the fleet's, else what follows from their signature, else none.
func (d *Service) agreed(tx *db.Tx, driver string) (a Agreement, err error) {
	found, err := db.Select[Agreement](tx, `SELECT driver_id, approval, days FROM billing_agreements WHERE tenant_id = $1
		AND driver_id IN ('', $2) ORDER BY driver_id DESC LIMIT 1`, driver)
	if err != nil {
		return a, err
	}
	if a = (Agreement{Approval: None}); len(found) > 0 {
		a = found[0]
	}
	if a.Approval != None || a.DriverID != "" || d.Instance.Code != "pl" {
		return a, nil
	}
	signed, err := db.Select[string](tx, `SELECT contract_id FROM billing_contracts WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+
		` AND ended_on = '' LIMIT 1`, driver)
	if err != nil || len(signed) == 0 {
		return a, err
	}
	return Agreement{Approval: Tacit, Days: daysBySignature}, nil
}

// Signed writes down that a driver signed an agreement on invoices that the partner writes for them.
func Signed(tx *db.Tx, driver, contract string, on calendar.Date) error {
	return db.Insert(tx, "billing_contracts", struct {
		ContractID, DriverID string
		SignedOn, EndedOn    calendar.Date
	}{contract, driver, on, ""})
}

// SignedEnds says that such an agreement ended, where the contract was one. Drafts that were made keep what held then.
func SignedEnds(tx *db.Tx, contract string, on calendar.Date) error {
	_, err := tx.Exec(`UPDATE billing_contracts SET ended_on = $3 WHERE tenant_id = $1 AND contract_id = $2 AND ended_on = ''`, contract,
		string(on))
	return err
}

// Agree writes down how invoices are approved, of the fleet or of one driver, from now on: drafts that were made keep what held then.
func (d *Service) Agree(tx *db.Tx, a Agreement) error {
	switch {
	case a.Approval == Tacit && (a.Days < 1 || a.Days > approvalDaysMax):
		return ErrInvalid.Field("days", fault.TooBig, "max", "60")
	case a.Approval != Tacit:
		a.Days = 0
	}
	if a.Approval != None && a.Approval != Tacit && a.Approval != Explicit && (a.Approval != AsFleet || a.DriverID == "") {
		return ErrInvalid.Field("approval", fault.NotOneOf)
	}
	if a.DriverID != "" {
		if _, err := drivers.Get(tx, d.Vault, a.DriverID); err != nil {
			return err
		}
	}
	before, err := db.One[Agreement](tx, `SELECT driver_id, approval, days FROM billing_agreements WHERE tenant_id = $1 AND driver_id = $2`,
		a.DriverID)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return err
	}
	if before.Approval == a.Approval && before.Days == a.Days {
		return nil
	}
	if a.Approval == AsFleet {
		_, err = tx.Exec(`DELETE FROM billing_agreements WHERE tenant_id = $1 AND driver_id = $2`, a.DriverID)
	} else {
		_, err = tx.Exec(`INSERT INTO billing_agreements (tenant_id, driver_id, approval, days, updated_at, updated_by)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (tenant_id, driver_id) DO UPDATE SET approval = excluded.approval, days = excluded.days, updated_at = excluded.updated_at,
			updated_by = excluded.updated_by`,
			a.DriverID, string(a.Approval), a.Days, tx.Now, tx.Actor.Name)
	}
	if err != nil {
		return err
	}
	type correctable struct {
		Approval Approval `json:"approval"`
		Days     int64    `json:"days"`
	}
	return audit.Record(tx, audit.Change{Action: "billing.agree", Kind: "billing_agreement", ID: cmp.Or(a.DriverID, "fleet"),
		Before: correctable{before.Approval, before.Days}, After: correctable{a.Approval, a.Days}})
}

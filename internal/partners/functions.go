package partners

import (
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// DriverFunctions are the four numbered switches by which a partner decides
// what its drivers see: 1 trips; 2 time tracker and invoices; 3 invoices and
// settlements; 4 settlements.
type DriverFunctions struct {
	FunctionsVersion                           int64 // counts the changes; a change of another version is refused
	Function1, Function2, Function3, Function4 bool
}

// Trips says whether drivers see their trips.
func (f DriverFunctions) Trips() bool { return f.Function1 }

// TimeTracker says whether drivers track their time.
func (f DriverFunctions) TimeTracker() bool { return f.Function2 }

// Invoices says whether drivers see their invoices.
func (f DriverFunctions) Invoices() bool { return f.Function2 || f.Function3 }

// Settlements says whether drivers see their settlements.
func (f DriverFunctions) Settlements() bool { return f.Function3 || f.Function4 }

// OwnDriverFunctions are the switches of the partner in whose tenant the unit
// of work runs.
func OwnDriverFunctions(tx *db.Tx) (DriverFunctions, error) {
	return db.One[DriverFunctions](tx, `SELECT functions_version, function1, function2, function3, function4 FROM partner_profiles
		WHERE tenant_id = $1`)
}

// SetDriverFunctions sets all four switches, if nobody changed them since the
// version that they were read at.
func SetDriverFunctions(tx *db.Tx, f DriverFunctions) error {
	before, err := OwnDriverFunctions(tx)
	if err != nil {
		return err
	}
	if before.FunctionsVersion != f.FunctionsVersion {
		return ErrProfileChanged
	}
	if before == f {
		return nil
	}
	f.FunctionsVersion++
	if _, err := tx.Exec(`UPDATE partner_profiles SET functions_version = $2, function1 = $3, function2 = $4, function3 = $5, function4 = $6
		WHERE tenant_id = $1`,
		f.FunctionsVersion, f.Function1, f.Function2, f.Function3, f.Function4); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "partners.set_driver_functions", Kind: "partner", ID: tx.Actor.Tenant, Before: before,
		After: f})
}

// Package licences keeps how many settlements a partner may make. What was
// bought or given and what is used stand in one row, and every change of it is
// one guarded statement: the last unit is never used twice.
package licences

import (
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	// ErrUsedUp is the answer to settling with fewer units left than are needed.
	ErrUsedUp  = fault.Declare(fault.Conflict, "licences.used_up")
	ErrInvalid = fault.Declare(fault.Invalid, "licences.invalid")
)

const grantMax = 10_000_000

// Left is how many more settlements the partner may make.
func Left(tx *db.Tx) (int64, error) {
	p, err := partners.Own(tx)
	return p.SettlementLimit - p.SettlementUsage, err
}

// Use takes so many units, or none and says so.
func Use(tx *db.Tx, units int64) (taken bool, err error) {
	if units == 0 {
		return true, nil
	}
	n, err := tx.Exec(`UPDATE partners SET settlement_usage = settlement_usage + $2 WHERE tenant_id = $1
		AND settlement_usage + $2 <= settlement_limit`, units)
	return n == 1, err
}

// UseUpTo takes so many units or as many as are left, and says how many.
func UseUpTo(tx *db.Tx, units int64) (int64, error) {
	left, err := Left(tx)
	if err != nil {
		return 0, err
	}
	units = min(units, left)
	taken, err := Use(tx, units)
	if err == nil && !taken {
		err = ErrUsedUp // only a unit that is not serial could come here
	}
	return units, err
}

// GiveBack returns so many units that were taken.
func GiveBack(tx *db.Tx, units int64) error {
	if units == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE partners SET settlement_usage = settlement_usage - $2 WHERE tenant_id = $1`, units)
	return err
}

// Grant gives the partner more units.
func Grant(tx *db.Tx, units int64, note string) error {
	if units < 1 || units > grantMax {
		return ErrInvalid.Field("units", fault.TooBig)
	}
	n, err := tx.Exec(`UPDATE partners SET settlement_limit = settlement_limit + $2 WHERE tenant_id = $1`, units)
	if err != nil {
		return err
	}
	if n == 0 {
		return db.ErrNone
	}
	id := tx.NewID()
	if _, err := tx.Exec(`INSERT INTO licences (tenant_id, id, units, note, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6)`, id,
		units, note, tx.Now, tx.Actor.Name); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "licences.grant", Kind: "licence", ID: id, After: map[string]int64{"units": units},
		Reason: note})
}

// Package licences keeps how many settlements a partner may make. What was bought or given and what is used stand in one row, and every
// change of it is one guarded statement: the last unit is never used twice. Each change leaves an entry that says why, so the entries of
// a partner always add up to what is left.
package licences

import (
	"errors"
	"fmt"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	// ErrUsedUp is the answer to settling with fewer units left than are needed.
	ErrUsedUp  = fault.Declare(fault.Conflict, "licences.used_up")
	ErrInvalid = fault.Declare(fault.Invalid, "licences.invalid")
)

const grantMax = 10_000_000

// kind is why a balance changed.
type kind string

const (
	granted kind = "grant"
	bought  kind = "order"
	undone  kind = "refund" // the units of an order whose money goes back
	used    kind = "use"    // above zero: what was taken and not needed
)

// Balance is what a partner has and what of it is used.
type Balance struct {
	Granted, Used int64
	FullUnits     int64 // what was left after units were last given or bought
}

// Left is how many more settlements the balance allows.
func (b Balance) Left() int64 { return b.Granted - b.Used }

// Open gives a new partner its balance, with units to begin with.
func Open(tx *db.Tx, units int64) error {
	if units < 0 || units > grantMax {
		return ErrInvalid.Field("units", fault.TooBig)
	}
	if err := db.Insert(tx, "licence_balances", Balance{Granted: units, FullUnits: units}); err != nil || units == 0 {
		return err
	}
	return enter(tx, granted, units, "", "")
}

// Of is the balance of the partner.
func Of(tx *db.Tx) (Balance, error) {
	return db.One[Balance](tx, `SELECT granted, used, full_units FROM licence_balances WHERE tenant_id = $1`)
}

// Left is how many more settlements the partner may make.
func Left(tx *db.Tx) (int64, error) {
	b, err := Of(tx)
	return b.Left(), err
}

// Use takes so many units, or none and says so.
func Use(tx *db.Tx, units int64) (taken bool, err error) {
	if units == 0 {
		return true, nil
	}
	after, err := db.Select[Balance](tx, `UPDATE licence_balances SET used = used + $2 WHERE tenant_id = $1 AND used + $2 <= granted
		RETURNING granted, used, full_units`, units)
	if err != nil || len(after) == 0 {
		return false, err
	}
	if err := enter(tx, used, -units, "", ""); err != nil {
		return false, err
	}
	return true, tell(tx, after[0])
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
	if _, err := tx.Exec(`UPDATE licence_balances SET used = used - $2 WHERE tenant_id = $1`, units); err != nil {
		return err
	}
	return enter(tx, used, units, "", "")
}

// Grant gives the partner more units.
func Grant(tx *db.Tx, units int64, why string) error {
	if units < 1 || units > grantMax {
		return ErrInvalid.Field("units", fault.TooBig)
	}
	return add(tx, granted, units, "", why)
}

// Buy gives the partner the units of an order that is paid. Of one order they are given once: a second time is an error.
func Buy(tx *db.Tx, units int64, order, number string) error {
	return add(tx, bought, units, order, number)
}

func add(tx *db.Tx, why kind, units int64, order, text string) error {
	n, err := tx.Exec(`UPDATE licence_balances SET granted = granted + $2, full_units = granted + $2 - used WHERE tenant_id = $1`, units)
	if err != nil {
		return err
	}
	if n == 0 {
		return db.ErrNone
	}
	if err := enter(tx, why, units, order, text); err != nil {
		return err
	}
	if err := endNotes(tx); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "licences." + string(why), Kind: "licence", ID: tx.Actor.Tenant,
		After: map[string]int64{"units": units}, Reason: text})
}

// TakeBack takes units of an order back whose money is returned, or none and says so: what is used is never taken.
func TakeBack(tx *db.Tx, units int64, order, number string) (taken bool, err error) {
	if units == 0 {
		return true, nil
	}
	after, err := db.Select[Balance](tx, `UPDATE licence_balances SET granted = granted - $2 WHERE tenant_id = $1 AND granted - $2 >= used
		RETURNING granted, used, full_units`, units)
	if err != nil || len(after) == 0 {
		return false, err
	}
	if err := enter(tx, undone, -units, order, number); err != nil {
		return false, err
	}
	if err := tell(tx, after[0]); err != nil {
		return false, err
	}
	return true, audit.Record(tx, audit.Change{Action: "licences.refund", Kind: "licence", ID: tx.Actor.Tenant,
		After: map[string]int64{"units": -units}, Reason: number})
}

// ReturnUnits gives units of an order that were taken back to the partner again: its money did not go back after all.
func ReturnUnits(tx *db.Tx, units int64, order, number string) error {
	if units == 0 {
		return nil
	}
	return add(tx, undone, units, order, number)
}

// enter writes down why the balance changed.
func enter(tx *db.Tx, why kind, units int64, order, text string) error {
	_, err := tx.Exec(`INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, tx.NewID(), string(why), units, order, text, tx.Now, tx.Actor.Name)
	return err
}

// weeksLooked is over how many weeks the use of units is looked at.
const weeksLooked = 8

// WeeklyUse is how many units the partner used on average in each of the last eight weeks, or in those since it began; 0: none.
func WeeklyUse(tx *db.Tx) (int64, error) {
	found, err := db.One[struct {
		Units int64
		First time.Time
	}](tx, `SELECT CAST(COALESCE(-SUM(units), 0) AS BIGINT) AS units, COALESCE(MIN(created_at), '') AS first FROM licence_entries
		WHERE tenant_id = $1 AND kind = 'use' AND created_at > $2`, tx.Now.AddDate(0, 0, -7*weeksLooked))
	if err != nil || found.Units <= 0 {
		return 0, err
	}
	const week = 7 * 24 * time.Hour
	weeks := min(int64(tx.Now.Sub(found.First)/week)+1, weeksLooked)
	return (found.Units + weeks - 1) / weeks, nil
}

// Verify names what does not hold of the partner's units, by what and what it says.
func Verify(tx *db.Tx) (problems [][2]string, err error) {
	b, err := Of(tx)
	if errors.Is(err, db.ErrNone) {
		return [][2]string{{"a partner has a balance of units", "there is none"}}, nil
	}
	if err != nil {
		return nil, err
	}
	sums, err := db.One[struct{ Given, Taken int64 }](tx, `SELECT
		CAST(COALESCE(SUM(CASE WHEN kind = 'use' THEN 0 ELSE units END), 0) AS BIGINT) AS given,
		CAST(COALESCE(-SUM(CASE WHEN kind = 'use' THEN units ELSE 0 END), 0) AS BIGINT) AS taken
		FROM licence_entries WHERE tenant_id = $1`)
	if err != nil {
		return nil, err
	}
	if sums.Given != b.Granted {
		problems = append(problems, [2]string{"units are those of grants and orders less refunds",
			fmt.Sprintf("%d, entries say %d", b.Granted, sums.Given)})
	}
	if sums.Taken != b.Used {
		problems = append(problems, [2]string{"used units are those of the entries", fmt.Sprintf("%d, entries say %d", b.Used, sums.Taken)})
	}
	return problems, nil
}

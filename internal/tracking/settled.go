package tracking

import (
	"cmp"
	"fmt"
	"slices"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
)

// What a settlement reads, takes and gives back. Who was merged into another driver is settled with that driver; undone, what is not
// settled is their own again.

// asked is a trip as the engine asks for it.
type asked struct {
	ID, SettlementID string
	Canonical        string // the driver now
	OccurredOn       calendar.Date
	Amount           money.Amount
	Payment          Payment
}

func (a *asked) engine() engine.Trip {
	return engine.Trip{ID: a.ID, On: a.OccurredOn, Amount: a.Amount, Cash: a.Payment == Cash}
}

const (
	askedColumns = `t.id, t.settlement_id, t.occurred_on, t.amount, t.payment`
	isOpen       = `t.settlement_id = '' AND t.deleted_at = '' AND t.refused_at = ''`
)

// Open gives the trips that no settlement has taken, by the driver they are settled with, in the order of their days: of some drivers, a
// hundred at most, or of all.
func Open(tx *db.Tx, whose []string) (map[string][]engine.Trip, error) {
	query, args := `SELECT `+askedColumns+`, `+drivers.CanonicalID("d")+` AS canonical FROM trips t
		JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id WHERE t.tenant_id = $1 AND `+isOpen, []any(nil)
	if len(whose) > 0 {
		in, ids := db.Filled(2, whose)
		query += ` AND t.driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1 AND id` + in + `
			UNION ALL SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into` + in + ` AND merged_into <> '')`
		args = ids
	}
	found, err := db.Select[asked](tx, query, args...)
	return grouped(found, func(a *asked) string { return a.Canonical }), err
}

// TakenBy gives what settlements took, by the settlement: of a hundred at most.
func TakenBy(tx *db.Tx, settlements []string) (map[string][]engine.Trip, error) {
	if len(settlements) == 0 {
		return nil, nil
	}
	in, args := db.Filled(2, settlements)
	found, err := db.Select[asked](tx, `SELECT `+askedColumns+`, t.driver_id AS canonical FROM trips t WHERE t.tenant_id = $1
		AND t.settlement_id`+in+` AND t.settlement_id <> ''`, args...)
	return grouped(found, func(a *asked) string { return a.SettlementID }), err
}

// Between gives all trips of some days that count, settled or not, by the driver they are settled with.
func Between(tx *db.Tx, from, to calendar.Date) (map[string][]engine.Trip, error) {
	found, err := db.Select[asked](tx, `SELECT `+askedColumns+`, `+drivers.CanonicalID("d")+` AS canonical FROM trips t
		JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id WHERE t.tenant_id = $1 AND t.deleted_at = '' AND t.refused_at = ''
		AND t.occurred_on BETWEEN $2 AND $3`, string(from), string(to))
	return grouped(found, func(a *asked) string { return a.Canonical }), err
}

func grouped(found []asked, key func(*asked) string) map[string][]engine.Trip {
	slices.SortFunc(found, func(a, b asked) int { return cmp.Or(cmp.Compare(a.OccurredOn, b.OccurredOn), cmp.Compare(a.ID, b.ID)) })
	by := make(map[string][]engine.Trip, len(found))
	for n := range found {
		by[key(&found[n])] = append(by[key(&found[n])], found[n].engine())
	}
	return by
}

// OldestOpen is the day of the oldest trip that no settlement has taken; empty: there is none.
func OldestOpen(tx *db.Tx) (calendar.Date, error) {
	return db.One[calendar.Date](tx, `SELECT COALESCE(MIN(t.occurred_on), '') FROM trips t WHERE t.tenant_id = $1 AND `+isOpen)
}

// Take gives a settlement its trips. One that is not open any more is an error: the figures were made of something else.
func Take(tx *db.Tx, settlement string, ids []string) error {
	for some := range slices.Chunk(ids, db.Most) {
		in, args := db.Among(3, some)
		n, err := tx.Exec(`UPDATE trips SET settlement_id = $2, version = version + 1 WHERE tenant_id = $1 AND settlement_id = ''
			AND deleted_at = '' AND refused_at = '' AND id`+in, append([]any{settlement}, args...)...)
		if err != nil {
			return err
		}
		if n != int64(len(some)) {
			return fmt.Errorf("tracking: %d trips were taken, not %d", n, len(some))
		}
	}
	return nil
}

// Free gives back what a settlement took. The settlement must be revoked already.
func Free(tx *db.Tx, settlement string) error {
	_, err := tx.Exec(`UPDATE trips SET settlement_id = '', version = version + 1 WHERE tenant_id = $1 AND settlement_id = $2
		AND settlement_id <> ''`, settlement)
	return err
}

// TripsNamed are the trips that an explanation names, by the day.
func TripsNamed(tx *db.Tx, ids []string) ([]Trip, error) {
	all := []Trip{}
	for some := range slices.Chunk(ids, db.Most) {
		in, args := db.Filled(2, some)
		found, err := db.Select[Trip](tx, `SELECT `+tripColumns+` FROM trips t WHERE t.tenant_id = $1 AND t.id`+in, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(a, b Trip) int {
		return cmp.Or(cmp.Compare(a.OccurredOn, b.OccurredOn), cmp.Compare(a.StartAt, b.StartAt), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

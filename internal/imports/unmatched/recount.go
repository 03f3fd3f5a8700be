package unmatched

import (
	"saldo/internal/imports/counts"
	"saldo/internal/platform/db"
)

// movedRows says how many rows of an identity an import brought.
type movedRows struct {
	ImportID string
	Rows     int64
}

// rowsOf are the rows of an identity by import: those that wait, or those that are a driver's.
func rowsOf(tx *db.Tx, identity string, assigned bool) ([]movedRows, error) {
	if assigned {
		return db.Select[movedRows](tx, `SELECT import_id, COUNT(*) AS rows FROM transactions WHERE tenant_id = $1 AND identity_id = $2
			AND identity_id <> '' AND import_id <> ''
			GROUP BY import_id ORDER BY import_id`, identity)
	}
	return db.Select[movedRows](tx, `SELECT import_id, COUNT(*) AS rows FROM unmatched_rows WHERE tenant_id = $1 AND identity_id = $2
		AND identity_id <> '' GROUP BY import_id ORDER BY import_id`, identity)
}

// moveCounts lets imports say what became of the rows of an identity since a person decided about it: the log and the card of a file tell
// what is true now.
func moveCounts(tx *db.Tx, moved []movedRows, from, to string) error {
	for _, m := range moved {
		c, err := db.One[counted](tx, `SELECT counts FROM imports WHERE tenant_id = $1 AND id = $2`, m.ImportID)
		if err != nil {
			return err
		}
		people, rows := peopleIn(&c.Counts.Drivers, from), rowsIn(&c.Counts.Transactions, from)
		if from == Unmatched && *people == 0 {
			people = &c.Counts.Drivers.New // this file brought them
		}
		// never below nothing, whatever was counted before
		one, n := min(1, *people), min(m.Rows, *rows)
		*people, *rows = *people-one, *rows-n
		*peopleIn(&c.Counts.Drivers, to) += one
		*rowsIn(&c.Counts.Transactions, to) += n
		if _, err := tx.Exec(`UPDATE imports SET counts = $3 WHERE tenant_id = $1 AND id = $2`, m.ImportID, db.JSON(c.Counts)); err != nil {
			return err
		}
	}
	return nil
}

type counted struct{ Counts counts.Counts }

// peopleIn is where people of a state are counted.
func peopleIn(c *counts.People, state string) *int64 {
	switch state {
	case Assigned:
		return &c.Existing
	case Ignored:
		return &c.Ignored
	}
	return &c.Unassigned
}

// rowsIn is where rows of people of a state are counted.
func rowsIn(c *counts.Rows, state string) *int64 {
	switch state {
	case Assigned:
		return &c.New
	case Ignored:
		return &c.Ignored
	}
	return &c.Unassigned
}

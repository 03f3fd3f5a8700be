package drivers

import (
	"cmp"
	"slices"

	"saldo/internal/platform/db"
)

// A driver that was merged into another stays as a row, which names its canonical driver in merged_into. Canonical drivers are merged into
// nobody, so one step leads from any row to its canonical driver.

// CanonicalID is, in SQL, the id of the canonical driver of a row of drivers.
func CanonicalID(row string) string {
	return `CASE WHEN ` + row + `.merged_into = '' THEN ` + row + `.id ELSE ` + row + `.merged_into END`
}

// SameDriver is, in SQL, whether a row of drivers is the driver with an id or was merged into that driver.
func SameDriver(row, id string) string {
	return `(` + row + `.id = ` + id + ` OR ` + row + `.merged_into = ` + id + `)`
}

// Those is, in SQL, the ids of a driver and of everybody merged into them, for a condition on an id: they lead to the few rows of one
// driver, where SameDriver lets SQLite read those of all.
func Those(id string) string {
	return ` IN (SELECT id FROM drivers WHERE tenant_id = $1 AND id = ` + id + `
		UNION ALL SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = ` + id + ` AND merged_into <> '')`
}

// WithMerged are a driver and everybody who was merged into them: whose settled
// history is read as the driver's.
func WithMerged(tx *db.Tx, driverID string) ([]Name, error) {
	// two questions, sorted here: for an OR or an ORDER BY SQLite would read the whole fleet
	found, err := db.Select[Name](tx, `SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND id = $2
		UNION ALL SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> ''`, driverID)
	slices.SortFunc(found, func(a, b Name) int { return cmp.Compare(a.ID, b.ID) })
	return found, err
}

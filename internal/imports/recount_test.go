package imports_test

import (
	"fmt"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/unmatched"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestAssign_ImportsTellTheNewTruthAndContactsAreFilled(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.driver(t, "Oleh", "Babiak", "", "")
		content := smallHead + "week\nOleh Babiak;b-1;;oleh@example.com;+48500000101;;2026-11-03;;;TRIP;1;;\nOleh Babiak;b-1;;oleh@example.com;+48500000101;;2026-11-04;;;TRIP;2;;\n"
		i := w.bring(t, "1.csv", content, imports.Order{})
		reported := func() string {
			c := w.one(t, i.ID).Counts
			return fmt.Sprintf("%s; drivers new %d unassigned %d ignored %d existing %d", counted(c.Transactions), c.Drivers.New, c.Drivers.Unassigned, c.Drivers.Ignored, c.Drivers.Existing)
		}
		waits := "all 2 new 0 unassigned 2 ignored 0 existing 0 failed 0 fleet 0; drivers new 1 unassigned 0 ignored 0 existing 0"
		same(t, "before", reported(), waits)
		id := w.lines(t, `SELECT id FROM unmatched_drivers WHERE tenant_id = $1`)[0]
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.unmatched.Assign(tx, id, driver); return err })
		same(t, "assigned", reported(), "all 2 new 2 unassigned 0 ignored 0 existing 0 failed 0 fleet 0; drivers new 0 unassigned 0 ignored 0 existing 1")
		same(t, "contact", w.lines(t, `SELECT email || ' ' || phone FROM drivers WHERE tenant_id = $1`), []string{"oleh@example.com +48500000101"})
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.unmatched.Undo(tx, id); return err })
		same(t, "undone", reported(), "all 2 new 0 unassigned 2 ignored 0 existing 0 failed 0 fleet 0; drivers new 0 unassigned 1 ignored 0 existing 0")
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return unmatched.Ignore(tx, id) })
		same(t, "ignored", reported(), "all 2 new 0 unassigned 0 ignored 2 existing 0 failed 0 fleet 0; drivers new 0 unassigned 0 ignored 1 existing 0")
	}, small("UBER", "weekly", "week", nil))
}

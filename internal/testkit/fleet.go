package testkit

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
)

// Anna is a person of the partner north.
var Anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}

// Found makes the partner of Anna.
func Found(t testing.TB, d *db.DB) {
	t.Helper()
	Write(t, d, Anna, func(tx *db.Tx) error {
		return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0)
	})
}

// Imported writes rows as an import does: id, date, provider, type, amount, description.
func Imported(t testing.TB, d *db.DB, driverID string, rows ...[]any) {
	t.Helper()
	Write(t, d, Anna, func(tx *db.Tx) error {
		_, err := tx.Insert("transactions", db.Columns(`id, driver_id, occurred_on, provider, type, amount, description, search_key, rule_layout,
			rule_label, source_column, came_unknown, currency, occurred_at, span_from, span_to, name, payment, twin_id, source, import_id,
			source_file, source_row, external_id, evidence, evidence_type, evidence_name, reason, settlement_id, version, created_at, created_by,
			updated_at, deleted_at`),
			func(yield func([]any) bool) {
				for i, r := range rows {
					if !yield([]any{r[0], driverID, r[1], r[2], r[3], r[4], r[5], strings.ToLower(r[5].(string)), "payments",
						r[5], "", r[3] == "UNKNOWN", "PLN", tx.Now, "", "", "", "", "", "import", "i1",
						"week.csv", i + 2, fmt.Sprint("x", i), "", "", "", "", "", 1, tx.Now, "", tx.Now, ""}) {
						return
					}
				}
			})
		if err != nil {
			return err
		}
		return Recounted(tx)
	})
}

// Settled marks a transaction and its twin as settled.
func Settled(t testing.TB, d *db.DB, id string) {
	t.Helper()
	Write(t, d, Anna, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE transactions SET settlement_id = 's1' WHERE tenant_id = $1 AND (id = $2 OR twin_id = $2)`, id)
		return err
	})
}

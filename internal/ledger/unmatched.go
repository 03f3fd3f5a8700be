package ledger

import (
	"iter"
	"strings"

	"saldo/internal/platform/db"
)

// movedColumns are the columns that a row keeps on its way between a
// driver and the unmatched rows.
var movedColumns = []string{"id", "identity_id", "provider", "type", "amount", "currency", "occurred_at", "occurred_on", "span_from",
	"span_to", "name", "description",
	"search_key", "payment", "import_id", "source_file", "source_row", "source_column", "external_id", "came_unknown", "rule_layout",
	"rule_label", "evidence", "evidence_type", "evidence_name", "reason",
	"row_key", "created_at", "created_by"}

// AssignUnmatched makes the unmatched rows of an identity transactions of a driver
// and says how many.
func AssignUnmatched(tx *db.Tx, identityID, driverID string) (int64, error) {
	moved := strings.Join(movedColumns, ", ")
	came, err := unmatchedSums(tx, identityID)
	if err != nil {
		return 0, err
	}
	n, err := tx.Exec(`INSERT INTO transactions (tenant_id, `+moved+
		`, driver_id, twin_id, source, settlement_id, version, updated_at, deleted_at)
		SELECT $1, `+moved+`, $3, '', 'import', '', 1, $4, '' FROM unmatched_rows
		WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> ''`,
		identityID, driverID, tx.Now)
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(`DELETE FROM unmatched_rows WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> ''`,
		identityID); err != nil {
		return 0, err
	}
	totals := NewTotals()
	for _, g := range came {
		totals.add(driverID, g.OccurredOn, g.Provider, g.Type, g.Amount, g.N)
	}
	if err := totals.Keep(tx); err != nil {
		return 0, err
	}
	// what a later file replaced follows, in case it comes back
	_, err = tx.Exec(`UPDATE replaced_rows SET driver_id = $3 WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> ''
		AND driver_id = ''`, identityID, driverID)
	return n, err
}

// unmatchedSums adds up the rows of somebody who is to become a driver.
func unmatchedSums(tx *db.Tx, identityID string) ([]grouped, error) {
	return db.Select[grouped](tx, `SELECT '' AS driver_id, provider, type, occurred_on, CAST(SUM(amount) AS BIGINT) AS amount, COUNT(*) AS n
		FROM unmatched_rows WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> '' GROUP BY provider, type, occurred_on`, identityID)
}

// ReturnUnmatched takes the transactions that came by an identity from their
// driver and lets them wait again. If some are settled it does nothing and
// answers ErrInSettlements.
func ReturnUnmatched(tx *db.Tx, identityID string) (n int64, err error) {
	// a row that corrects a settled one is bound to it
	settlements, err := db.Select[string](tx, `SELECT settlement_id FROM transactions WHERE tenant_id = $1 AND identity_id = $2
		AND identity_id <> '' AND settlement_id <> ''
		UNION SELECT s.settlement_id FROM transactions c JOIN transactions s ON s.tenant_id = c.tenant_id AND s.id = c.corrects
		WHERE c.tenant_id = $1 AND c.identity_id = $2 AND c.identity_id <> '' AND c.corrects <> '' AND s.settlement_id <> ''
		ORDER BY settlement_id`, identityID)
	if err == nil {
		err = settledIn(tx, settlements)
	}
	if err != nil {
		return 0, err
	}
	went, err := sumsOf(tx, `identity_id = $2 AND identity_id <> '' AND settlement_id = ''`, identityID)
	if err != nil {
		return 0, err
	}
	totals := NewTotals()
	for _, g := range went {
		totals.add(g.DriverID, g.OccurredOn, g.Provider, g.Type, -g.Amount, -g.N)
	}
	if err := totals.Keep(tx); err != nil {
		return 0, err
	}
	moved := strings.Join(movedColumns, ", ")
	n, err = tx.Exec(`INSERT INTO unmatched_rows (tenant_id, `+moved+`) SELECT $1, `+moved+
		` FROM transactions WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> ''`, identityID)
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(`DELETE FROM driver_merge_transactions WHERE tenant_id = $1
		AND transaction_id IN (SELECT id FROM transactions WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> '')`,
		identityID); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(`DELETE FROM transactions WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> '' AND settlement_id = ''`,
		identityID); err != nil {
		return 0, err
	}
	_, err = tx.Exec(`UPDATE replaced_rows SET driver_id = '' WHERE tenant_id = $1 AND identity_id = $2 AND identity_id <> ''`, identityID)
	return n, err
}

// AddUnmatched writes rows of an import that are no driver's by the engine's fast way.
func AddUnmatched(tx *db.Tx, importID string, rows iter.Seq[*Transaction]) error {
	_, err := tx.Insert("unmatched_rows", movedColumns, func(yield func([]any) bool) {
		for t := range rows {
			if !yield([]any{t.ID, t.IdentityID, t.Provider, t.Type, int64(t.Amount), string(t.Currency), t.OccurredAt, string(t.OccurredOn),
				string(t.SpanFrom), string(t.SpanTo), t.Name,
				t.Description, t.SearchKey(), t.Payment, importID, t.SourceFile, t.SourceRow, t.SourceColumn, t.ExternalID, t.CameUnknown, t.RuleLayout,
				t.RuleLabel, "", "", "", "", t.RowKey, tx.Now, tx.Actor.ID}) {
				return
			}
		}
	})
	return err
}

package ledger

import (
	"iter"

	"saldo/internal/platform/db"
)

var insertColumns = db.Columns(`id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name,
	description, search_key, payment,
	source, import_id, source_file, source_row, source_column, external_id, came_unknown, rule_layout, rule_label, row_key, identity_id,
	created_at, created_by, updated_at, version,
	twin_id, evidence, evidence_type, evidence_name, reason, settlement_id, deleted_at`)

// AddMany adds many transactions by the engine's fast way and says
// how many. Who calls has checked them: drivers of the partner, known types.
// They have no twin, no evidence and no reason, and are not settled.
func AddMany(tx *db.Tx, importID string, transactions iter.Seq[*Transaction]) (int64, error) {
	now := db.Instant(tx.Now)
	return tx.Insert("transactions", insertColumns, func(yield func([]any) bool) {
		row := make([]any, len(insertColumns))
		for t := range transactions {
			copy(row, []any{t.ID, t.DriverID, t.Provider, t.Type, int64(t.Amount), string(t.Currency), t.OccurredAt, string(t.OccurredOn),
				string(t.SpanFrom), string(t.SpanTo),
				t.Name, t.Description, t.SearchKey(), t.Payment, t.Source, importID, t.SourceFile, t.SourceRow, t.SourceColumn, t.ExternalID,
				t.CameUnknown,
				t.RuleLayout, t.RuleLabel, t.RowKey, t.IdentityID,
				now, tx.Actor.ID, now, int64(1), "", "", "", "", "", "", ""})
			if !yield(row) {
				return
			}
		}
	})
}

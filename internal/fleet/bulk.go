package fleet

import (
	"fmt"
	"iter"
	"strings"

	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Newcomer is a driver of a fleet that moves in with all its drivers at once.
type Newcomer struct {
	DriverDetails
	Identities []Identity
	Tags       []string // ids
}

// MoveIn writes many drivers down at once and gives their ids in the same
// order. Nobody is mailed: the partner sends activations when it is ready to
// answer questions. One wrong driver refuses all, by their place in the list.
func (b DriverBook) MoveIn(tx *db.Tx, newcomers []Newcomer) ([]string, error) {
	ids := make([]string, len(newcomers))
	for i := range newcomers {
		n := &newcomers[i]
		var err error
		if n.DriverDetails, err = n.checked(tx, b.Country); err != nil {
			return nil, fmt.Errorf("fleet: driver %d of those moving in: %w", i+1, err)
		}
		if n.Identities, err = checkedIdentities(n.Identities); err != nil {
			return nil, fmt.Errorf("fleet: driver %d of those moving in: %w", i+1, err)
		}
		ids[i] = tx.NewID()
	}
	if _, err := tx.Insert("drivers", split(`id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum, account_holder,
		tax_id, contract_number,
		bailiff, summary_language, settlement_frequency, created_at, updated_at, iban_changed_at, schema_number, active, blocked, account_id,
		verified_at,
		activation_sent_at, settled_on, merged_into, version, passport_name, small_business`), func(yield func([]any) bool) {
		for i, n := range newcomers {
			sealed, sum := b.sealed(tx, n.IBAN)
			if !yield([]any{ids[i], n.FirstName, n.LastName, n.searchKey(), n.Email, n.Phone, sealed, sum, n.AccountHolder, n.TaxID,
				n.ContractNumber,
				n.Bailiff, n.SummaryLanguage, n.SettlementFrequency, tx.Now, tx.Now, "", n.SchemaNumber, true, false, "", "", "", "", "", int64(1),
				n.PassportName, n.SmallBusiness}) {
				return
			}
		}
	}); err != nil {
		return nil, err
	}
	if _, err := tx.Insert("driver_identities", []string{"driver_id", "provider", "value", "created_at"}, func(yield func([]any) bool) {
		for i, n := range newcomers {
			for _, one := range n.Identities {
				if !yield([]any{ids[i], one.Provider, one.Value, tx.Now}) {
					return
				}
			}
		}
	}); err != nil {
		return nil, err
	}
	if _, err := tx.Insert("driver_tags", []string{"driver_id", "tag_id"}, func(yield func([]any) bool) {
		for i, n := range newcomers {
			for _, tag := range n.Tags {
				if !yield([]any{ids[i], tag}) {
					return
				}
			}
		}
	}); err != nil {
		return nil, err
	}
	for i, n := range newcomers {
		if err := audit.Record(tx, audit.Change{Action: "drivers.add", Kind: driverKind, ID: ids[i],
			After: n.told(DriverDetails{})}); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

var transactionInsert = split(`id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name,
	description, search_key, payment,
	source, import_id, source_file, source_row, source_column, external_id, came_unknown, rule_layout, rule_label, row_key, identity_id,
	created_at, created_by, updated_at, version,
	twin_id, evidence, evidence_type, evidence_name, reason, settlement_id, deleted_at`)

// RecordTransactions adds many transactions by the engine's fast way and says
// how many. Who calls has checked them: drivers of the partner, known types.
// They have no twin, no evidence and no reason, and are not settled.
func RecordTransactions(tx *db.Tx, importID string, transactions iter.Seq[*Transaction]) (int64, error) {
	now := db.Instant(tx.Now)
	return tx.Insert("transactions", transactionInsert, func(yield func([]any) bool) {
		row := make([]any, len(transactionInsert))
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

// split is a list of columns as tx.Insert takes it.
func split(columns string) []string {
	return strings.FieldsFunc(columns, func(r rune) bool { return strings.ContainsRune(", \n\t", r) })
}

// Package ledger keeps the transactions of drivers: those that people enter, those that files bring, which of them count, and the files
// that show why they are right.
package ledger

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "transactions.not_found")
	// ErrNoSuchDriver is the answer to asking for the transactions of somebody who is no driver of the partner.
	ErrNoSuchDriver = fault.Declare(fault.NotFound, "transactions.driver_not_found")
	ErrFilter       = fault.Declare(fault.Invalid, "transactions.filter_invalid")
)

// Transaction is one thing that a driver earned, paid or owes.
type Transaction struct {
	ID, DriverID, Provider, Type string
	Amount                       money.Amount
	Currency                     money.Currency
	OccurredAt                   time.Time // zero: only the day is known
	OccurredOn                   calendar.Date
	SpanFrom, SpanTo             calendar.Date // what a row that sums up days covers
	Name, Description            string
	Payment                      string // cash, card, or empty
	TwinID                       string // of what was paid in cash: the cash; of the cash: what was paid
	Source                       string
	ImportID                     string // of the file that brought it; empty: none did
	SourceFile                   string
	SourceRow                    int64
	SourceColumn, ExternalID     string
	CameUnknown                  bool
	RuleLayout, RuleLabel        string // by which a type given to it is remembered; empty: it is not
	Evidence                     string // key of the blob
	EvidenceType, EvidenceName   string
	Reason                       string
	SettlementID                 string       // empty: unsettled
	RowKey                       string       // what makes it the same row in another file; empty: no file brought it
	IdentityID                   string       // of the unmatched driver that it came by; empty: none
	Corrects                     string       // the settled transaction whose amount is taken off; empty: none
	CorrectedAmount              money.Amount `db:"-"` // of that one

	Version   int64
	CreatedAt time.Time
	DeletedAt time.Time // zero: it stands
}

// Category is where a settlement counts the transaction.
func (t Transaction) Category() kinds.Category {
	return kinds.CategoryOf(t.Type, t.Provider, int64(t.Amount))
}

// Settled says whether the transaction is part of a settlement and cannot change.
func (t Transaction) Settled() bool { return t.SettlementID != "" }

// isTwin says whether the row only follows another one.
func (t Transaction) isTwin() bool { return t.TwinID != "" && t.Type == kinds.CashCollected }

// ByHand says whether a person entered the transaction.
func (t Transaction) ByHand() bool { return t.Source == byHand }

// Editable says whether people may change or delete the row: what they wrote
// by hand, while it is unsettled, and not the cash that follows it by itself.
func (t Transaction) Editable() bool { return t.Source == byHand && !t.isTwin() && !t.Settled() }

// Retypable says whether people may give the row another type.
func (t Transaction) Retypable() bool { return t.CameUnknown && !t.Settled() }

// byHand is where transactions come from that people may change.
const byHand = "hand"

const columns = `id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name,
	description, payment, twin_id,
	source, import_id, source_file, source_row, source_column, external_id, came_unknown, rule_layout, rule_label, evidence, evidence_type,
	evidence_name, reason, settlement_id, version,
	created_at, deleted_at, corrects,
	COALESCE((SELECT c.amount FROM transactions c WHERE c.tenant_id = transactions.tenant_id AND c.id = transactions.corrects
	AND transactions.corrects <> ''), 0) AS corrected_amount`

// Filter says which of a driver's transactions are wanted. What is
// empty filters nothing.
type Filter struct {
	DriverID, Type, Provider string
	From, To                 string // dates, both included
	State                    string // settled, unsettled
	SettlementID             string
	Query                    string // words of name, description, external id or file
	After                    string // Next of the page before
	Limit                    int
}

// CategoryTotal is what a filter holds of one category.
type CategoryTotal struct {
	Category kinds.Category
	Count    int64
	Sum      money.Amount
}

// Page is a page of a driver's transactions, newest first, with the
// totals of the whole filter.
type Page struct {
	Driver       drivers.Name
	Transactions []Transaction
	Next         string // where the next page begins; empty: this is the last
	Count        int64
	Totals       []CategoryTotal // those with rows, in the order of a settlement
	Sum          money.Amount    // of what is counted
}

// PageMax is how many transactions a page may have.
const PageMax = 200

// List lists a driver's transactions.
func List(tx *db.Tx, f Filter) (page Page, err error) {
	page.Driver, err = drivers.Named(tx, f.DriverID)
	if errors.Is(err, drivers.ErrNotFound) {
		return page, ErrNoSuchDriver
	}
	if err != nil {
		return page, err
	}
	whose, err := drivers.WithMerged(tx, f.DriverID)
	if err != nil {
		return page, err
	}
	where, args, err := f.conditions(whose)
	if err != nil {
		return page, err
	}
	if err := page.total(tx, where, args); err != nil {
		return page, err
	}
	if f.After != "" {
		on, id, ok := strings.Cut(f.After, "_")
		if _, err := calendar.ParseDate(on); err != nil || !ok {
			return page, ErrFilter.Field("after", fault.WrongFormat)
		}
		where += fmt.Sprintf(` AND (occurred_on, id) < ($%d, $%d)`, len(args)+2, len(args)+3)
		args = append(args, on, id)
	}
	if f.Limit < 1 || f.Limit > PageMax {
		f.Limit = PageMax
	}
	page.Transactions, err = db.Select[Transaction](tx, fmt.Sprintf(`SELECT %s FROM transactions WHERE %s
		ORDER BY occurred_on DESC, id DESC LIMIT %d`,
		columns, where, f.Limit+1), args...)
	if len(page.Transactions) > f.Limit {
		page.Transactions = page.Transactions[:f.Limit]
		last := page.Transactions[f.Limit-1]
		page.Next = string(last.OccurredOn) + "_" + last.ID
	}
	return page, err
}

// conditions is the filter in SQL, with its arguments from $2 on. The rows of
// a driver are also the settled ones of those who were merged into them.
func (f Filter) conditions(whose []drivers.Name) (where string, args []any, err error) {
	where = `tenant_id = $1 AND deleted_at = ''`
	add := func(condition string, value any) {
		args = append(args, value)
		where += fmt.Sprintf(" AND "+condition, len(args)+1)
	}
	ids := make([]string, len(whose))
	for i, d := range whose {
		ids[i] = d.ID
	}
	in, args := db.Among(2, ids)
	where += ` AND driver_id` + in
	if f.Type != "" {
		add(`type = $%d`, f.Type)
	}
	if f.Provider != "" {
		add(`provider = $%d`, f.Provider)
	}
	if f.SettlementID != "" {
		add(`settlement_id = $%d`, f.SettlementID)
	}
	for _, day := range []struct{ field, value, condition string }{{"from", f.From, `occurred_on >= $%d`},
		{"to", f.To, `occurred_on <= $%d`}} {
		if day.value == "" {
			continue
		}
		if _, err := calendar.ParseDate(day.value); err != nil {
			return "", nil, ErrFilter.Field(day.field, fault.WrongFormat)
		}
		add(day.condition, day.value)
	}
	switch f.State {
	case "settled":
		where += ` AND settlement_id <> ''`
	case "unsettled":
		where += ` AND settlement_id = ''`
	}
	for word := range strings.FieldsSeq(i18n.Fold(f.Query)) {
		add(`search_key LIKE $%d ESCAPE '!'`, "%"+db.Literal(word)+"%")
	}
	return where, args, nil
}

// total adds up the whole filter. A category depends on the sign too, so the
// database adds up by it and the table of types does the rest.
func (p *Page) total(tx *db.Tx, where string, args []any) error {
	parts, err := db.Select[struct {
		Type, Provider string
		Negative       int64
		Rows           int64
		Sum            money.Amount
	}](tx, `SELECT type, provider, CASE WHEN amount < 0 THEN 1 ELSE 0 END AS negative, COUNT(*) AS rows, CAST(SUM(amount) AS BIGINT) AS sum
		FROM transactions WHERE `+where+` GROUP BY type, provider, CASE WHEN amount < 0 THEN 1 ELSE 0 END`, args...)
	if err != nil {
		return err
	}
	sums := map[kinds.Category]CategoryTotal{}
	for _, part := range parts {
		category := kinds.CategoryOf(part.Type, part.Provider, 1-2*part.Negative)
		t := sums[category]
		t.Category, t.Count = category, t.Count+part.Rows
		if t.Sum, err = t.Sum.Add(part.Sum); err != nil {
			return err
		}
		sums[category] = t
		p.Count += part.Rows
	}
	p.Totals = []CategoryTotal{}
	for _, category := range kinds.Categories() {
		t, ok := sums[category]
		if !ok {
			continue
		}
		p.Totals = append(p.Totals, t)
		if category.Counted() {
			if p.Sum, err = p.Sum.Add(t.Sum); err != nil {
				return err
			}
		}
	}
	return nil
}

// transaction finds one that stands.
func transaction(tx *db.Tx, id string) (Transaction, error) {
	t, err := db.One[Transaction](tx, `SELECT `+columns+` FROM transactions WHERE tenant_id = $1 AND id = $2 AND deleted_at = ''`,
		id)
	if errors.Is(err, db.ErrNone) {
		return t, ErrNotFound
	}
	return t, err
}

// ByIDs are those of a driver within days whose ids are given.
func ByIDs(tx *db.Tx, driverID string, from, to calendar.Date, ids []string) ([]Transaction, error) {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	found, err := db.Select[Transaction](tx, `SELECT `+columns+` FROM transactions
		WHERE tenant_id = $1 AND driver_id = $2 AND occurred_on BETWEEN $3 AND $4 ORDER BY occurred_on, id`, driverID, string(from), string(to))
	return slices.DeleteFunc(found, func(t Transaction) bool { return !wanted[t.ID] }), err
}

var insertColumns = db.Columns(`id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name,
	description, search_key, payment,
	source, import_id, source_file, source_row, source_column, external_id, came_unknown, rule_layout, rule_label, row_key, identity_id,
	created_at, created_by, updated_at, version,
	twin_id, evidence, evidence_type, evidence_name, reason, settlement_id, deleted_at`)

// AddMany adds many transactions by the engine's fast way and says
// how many. Who calls has checked them: drivers of the partner, known types.
// They have no twin, no evidence and no reason, and are not settled.
func AddMany(tx *db.Tx, importID string, transactions iter.Seq[*Transaction]) (int64, error) {
	totals := NewTotals()
	n, err := AddBlock(tx, importID, transactions, totals)
	if err != nil {
		return n, err
	}
	return n, totals.Keep(tx)
}

// AddBlock is AddMany for one block of many: whoever calls keeps the totals after the last one.
func AddBlock(tx *db.Tx, importID string, transactions iter.Seq[*Transaction], totals *Totals) (int64, error) {
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
			totals.add(t.DriverID, t.OccurredOn, t.Provider, t.Type, t.Amount, 1)
			if !yield(row) {
				return
			}
		}
	})
}

// ImportsOf are the files that rows of a driver's days came from: of a settlement those that it took, without one those that are open.
func ImportsOf(tx *db.Tx, driverID string, from, to calendar.Date, settlementID string) ([]string, error) {
	return db.Select[string](tx, `SELECT DISTINCT import_id FROM transactions WHERE tenant_id = $1 AND driver_id = $2
		AND occurred_on BETWEEN $3 AND $4 AND settlement_id = $5 AND import_id <> '' AND deleted_at = ''`,
		driverID, string(from), string(to), settlementID)
}

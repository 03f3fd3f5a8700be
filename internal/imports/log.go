package imports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// What became of a row.
const (
	RowBooked     = "transaction"
	RowUnassigned = "unassigned"
	RowIgnored    = "ignored"
	RowFleet      = "fleet"    // the partner's own
	RowReplaced   = "replaced" // a later file says it anew
)

// Row is one amount that an import brought.
type Row struct {
	ID                   string
	State                string
	SourceFile           string
	SourceRow            int64
	SourceColumn         string
	Provider, Type       string
	Amount               money.Amount
	Currency             money.Currency
	OccurredOn           calendar.Date
	SpanFrom, SpanTo     calendar.Date
	Description          string
	DriverID, IdentityID string
	FirstName, LastName  string // of the driver, or as the file has them
	SettlementID         string
	Corrects             string // the settled transaction whose amount is taken off
}

// RowPage is a page of rows, in the order of the file.
type RowPage struct {
	Rows []Row
	Next string // empty: it is the last
}

// RowsOf lists the rows that an import brought.
func RowsOf(tx *db.Tx, id, after string, limit int) (page RowPage, err error) {
	if _, err := Of(tx, id); err != nil {
		return page, err
	}
	line, last := int64(-1), ""
	if after != "" {
		text, rest, ok := strings.Cut(after, "_")
		if line, err = strconv.ParseInt(text, 10, 64); err != nil || !ok {
			return page, ErrInvalid.Field("after", fault.WrongFormat)
		}
		last = rest
	}
	const columns = `r.id, r.source_file, r.source_row, r.source_column, r.provider, r.type, r.amount, r.currency, r.occurred_on, r.span_from,
		r.span_to, r.description, r.identity_id`
	booked, err := db.Select[Row](tx, fmt.Sprintf(`SELECT %s, 'transaction' AS state, r.driver_id, d.first_name, d.last_name, r.settlement_id,
		r.corrects FROM transactions r
		JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.import_id <> '' AND (r.source_row, r.id) > ($3, $4)
		ORDER BY r.source_row, r.id LIMIT %d`, columns, limit+1), id, line, last)
	if err != nil {
		return page, err
	}
	waiting, err := db.Select[Row](tx, fmt.Sprintf(`SELECT %s, CASE WHEN r.identity_id = '' THEN 'fleet' WHEN i.state = 'ignored' THEN
		'ignored' ELSE 'unassigned' END AS state,
		'' AS driver_id, COALESCE(i.first_name, '') AS first_name, COALESCE(CASE WHEN i.last_name = '' THEN i.name ELSE i.last_name END, '') AS
		last_name, '' AS settlement_id
		FROM unmatched_rows r LEFT JOIN unmatched_drivers i ON i.tenant_id = r.tenant_id AND i.id = r.identity_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND (r.source_row, r.id) > ($3, $4) ORDER BY r.source_row, r.id LIMIT %d`, columns, limit+1),
		id, line, last)
	if err != nil {
		return page, err
	}
	replaced, err := db.Select[Row](tx, fmt.Sprintf(`SELECT %s, 'replaced' AS state, r.driver_id, COALESCE(d.first_name, i.first_name, '') AS
		first_name,
		COALESCE(d.last_name, CASE WHEN i.last_name = '' THEN i.name ELSE i.last_name END, '') AS last_name, '' AS settlement_id
		FROM replaced_rows r
		LEFT JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id LEFT JOIN unmatched_drivers i ON i.tenant_id = r.tenant_id
		AND i.id = r.identity_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND (r.source_row, r.id) > ($3, $4) ORDER BY r.source_row, r.id LIMIT %d`, columns, limit+1),
		id, line, last)
	if err != nil {
		return page, err
	}
	page.Rows = slices.Concat(booked, waiting, replaced)
	slices.SortFunc(page.Rows, func(a, b Row) int {
		if a.SourceRow != b.SourceRow {
			return int(a.SourceRow - b.SourceRow)
		}
		return strings.Compare(a.ID, b.ID)
	})
	if len(page.Rows) > limit {
		page.Rows = page.Rows[:limit]
		end := page.Rows[limit-1]
		page.Next = fmt.Sprintf("%d_%s", end.SourceRow, end.ID)
	}
	return page, nil
}

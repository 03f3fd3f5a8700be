package imports

import (
	"cmp"
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
	Rows   []Row
	Before bool   // there are rows before the first one
	Next   string // empty: it is the last
}

// RowsFrom says where a page of rows begins. What is empty says nothing; without both it is the first page.
type RowsFrom struct {
	After string // Next of the page before
	At    string // the id of a row that the page contains, with a few before it; of a row that the import does not have: the first page
}

// rowPlace is where a row stands among those of an import.
type rowPlace struct {
	SourceRow int64
	ID        string
}

func (p rowPlace) compare(q rowPlace) int {
	return cmp.Or(cmp.Compare(p.SourceRow, q.SourceRow), strings.Compare(p.ID, q.ID))
}

// start is before every row.
var start = rowPlace{SourceRow: -1}

// rowsAbove is how many rows a page has before the one that it was asked for.
const rowsAbove = 5

// place is after which row the page begins.
func (f RowsFrom) place(tx *db.Tx, id string, limit int) (rowPlace, error) {
	if f.After != "" {
		text, last, ok := strings.Cut(f.After, "_")
		line, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !ok {
			return start, ErrInvalid.Field("after", fault.WrongFormat)
		}
		return rowPlace{line, last}, nil
	}
	if f.At == "" {
		return start, nil
	}
	at, err := placesOf(tx, id, `AND r.id = $3`, f.At)
	if err != nil || len(at) == 0 {
		return start, err
	}
	shown := min(rowsAbove, limit-1)
	above, err := placesOf(tx, id, fmt.Sprintf(`AND (r.source_row, r.id) < ($3, $4) ORDER BY r.source_row DESC, r.id DESC LIMIT %d`, shown+1),
		at[0].SourceRow, at[0].ID)
	if err != nil || len(above) <= shown {
		return start, err
	}
	slices.SortFunc(above, func(a, b rowPlace) int { return b.compare(a) })
	return above[shown], nil
}

// placesOf are the places of rows of an import, wherever they are kept.
func placesOf(tx *db.Tx, id, condition string, args ...any) (places []rowPlace, err error) {
	for _, table := range []string{"transactions", "unmatched_rows", "replaced_rows"} {
		some, err := db.Select[rowPlace](tx, `SELECT r.source_row, r.id FROM `+table+` r WHERE r.tenant_id = $1 AND r.import_id = $2
			AND r.import_id <> '' `+condition, append([]any{id}, args...)...)
		if err != nil {
			return nil, err
		}
		places = append(places, some...)
	}
	return places, nil
}

// RowsOf lists the rows that an import brought.
func RowsOf(tx *db.Tx, id string, from RowsFrom, limit int) (page RowPage, err error) {
	if _, err := Of(tx, id); err != nil {
		return page, err
	}
	after, err := from.place(tx, id, limit)
	if err != nil {
		return page, err
	}
	line, last := after.SourceRow, after.ID
	page.Before = after != start
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
		return rowPlace{a.SourceRow, a.ID}.compare(rowPlace{b.SourceRow, b.ID})
	})
	if len(page.Rows) > limit {
		page.Rows = page.Rows[:limit]
		end := page.Rows[limit-1]
		page.Next = fmt.Sprintf("%d_%s", end.SourceRow, end.ID)
	}
	return page, nil
}

package imports

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/access"
	"saldo/internal/audit"
	"saldo/internal/calendar"
	"saldo/internal/db"
	"saldo/internal/fault"
	"saldo/internal/fleet"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/money"
	"saldo/internal/sheet"
)

// What became of a row.
const (
	RowBooked     = "transaction"
	RowUnassigned = "unassigned"
	RowIgnored    = "ignored"
	RowFleet      = "fleet" // the partner's own
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
	const columns = `r.id, r.source_file, r.source_row, r.source_column, r.provider, r.type, r.amount, r.currency, r.occurred_on, r.span_from, r.span_to, r.description, r.identity_id`
	booked, err := db.Select[Row](tx, fmt.Sprintf(`SELECT %s, 'transaction' AS state, r.driver_id, d.first_name, d.last_name, r.settlement_id FROM transactions r
		JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.import_id <> '' AND (r.source_row, r.id) > ($3, $4) ORDER BY r.source_row, r.id LIMIT %d`, columns, limit+1), id, line, last)
	if err != nil {
		return page, err
	}
	waiting, err := db.Select[Row](tx, fmt.Sprintf(`SELECT %s, CASE WHEN r.identity_id = '' THEN 'fleet' WHEN i.state = 'ignored' THEN 'ignored' ELSE 'unassigned' END AS state,
		'' AS driver_id, COALESCE(i.first_name, '') AS first_name, COALESCE(CASE WHEN i.last_name = '' THEN i.name ELSE i.last_name END, '') AS last_name, '' AS settlement_id
		FROM waiting_rows r LEFT JOIN waiting_identities i ON i.tenant_id = r.tenant_id AND i.id = r.identity_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND (r.source_row, r.id) > ($3, $4) ORDER BY r.source_row, r.id LIMIT %d`, columns, limit+1), id, line, last)
	if err != nil {
		return page, err
	}
	page.Rows = append(booked, waiting...)
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

// Remove takes back all that an import brought, in one unit of work: after it
// everything is as before, and the same file can come again. What is settled
// refuses it. It tells which blobs of evidence nobody needs any more.
func Remove(tx *db.Tx, id string) (evidence []string, err error) {
	i, err := Of(tx, id)
	if err != nil {
		return nil, err
	}
	if i.Status != Success {
		return nil, ErrNotImported
	}
	removed, evidence, settlements, err := removeRows(tx, id)
	if err != nil {
		return nil, err
	}
	if len(settlements) > 0 {
		return nil, settled(tx, settlements)
	}
	n, err := tx.Exec(`UPDATE imports SET status = 'removed', removed_at = $3, removed_by = $4 WHERE tenant_id = $1 AND id = $2 AND status = 'success'`, id, tx.Now, tx.Actor.Name)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, ErrNotImported
	}
	return evidence, audit.Record(tx, audit.Change{Action: "imports.remove", Kind: importKind, ID: id, Before: map[string]int64{"rows": removed}})
}

// Refused writes the rows of a file that were not imported, as the file has
// them, each with its reasons, as a sheet. The file is read again for it:
// what was refused is kept nowhere else.
func (d *Desk) Refused(ctx context.Context, who access.Actor, id string, format sheet.Format, to io.Writer) error {
	var i Import
	if err := d.DB.Read(ctx, who, func(tx *db.Tx) (err error) { i, err = Of(tx, id); return err }); err != nil {
		return err
	}
	file, err := d.fetch(ctx, i)
	if err != nil {
		return err
	}
	defer file.Close()
	return d.DB.Read(ctx, who, func(tx *db.Tx) error {
		rd, err := d.reading(tx, i, file, "")
		if err != nil {
			return err
		}
		var out sheet.Sheet
		rd.row = func(p *Part, r table.Row, _ []entry, troubles []statement.Trouble) (err error) {
			if len(troubles) == 0 {
				return nil
			}
			if out == nil {
				if out, err = sheet.New(format, to, "refused", append([]string{"line", "reason", "column", "found", "expected"}, p.Head...)); err != nil {
					return err
				}
			}
			for _, t := range troubles {
				if err := out.Row(sheet.Texts(append([]string{strconv.FormatInt(r.Line, 10), t.Code, t.Column, t.Found, t.Expected}, r.Cells...))); err != nil {
					return err
				}
			}
			return nil
		}
		if err := rd.run(ctx); err != nil {
			return err
		}
		if out == nil {
			var err error
			if out, err = sheet.New(format, to, "refused", []string{"line", "reason", "column", "found", "expected"}); err != nil {
				return err
			}
		}
		return out.Close()
	})
}

func removeRows(tx *db.Tx, id string) (removed int64, evidence, settlements []string, err error) {
	removed, evidence, settlements, err = fleet.RemoveImported(tx, id)
	if err != nil || len(settlements) > 0 {
		return 0, nil, settlements, err
	}
	waited, err := db.Select[string](tx, `SELECT evidence FROM waiting_rows WHERE tenant_id = $1 AND import_id = $2 AND evidence <> ''`, id)
	if err != nil {
		return 0, nil, nil, err
	}
	n, err := tx.Exec(`DELETE FROM waiting_rows WHERE tenant_id = $1 AND import_id = $2`, id)
	if err != nil {
		return 0, nil, nil, err
	}
	// whom only this file named, and nobody decided about, is not asked about any more
	_, err = tx.Exec(`DELETE FROM waiting_identities WHERE tenant_id = $1 AND state = 'waiting'
		AND NOT EXISTS (SELECT 1 FROM waiting_rows r WHERE r.tenant_id = waiting_identities.tenant_id AND r.identity_id = waiting_identities.id)`)
	return removed + n, append(evidence, waited...), nil, err
}

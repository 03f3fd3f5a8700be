package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// heir is another standing file that contains a row, the one that was uploaded first; empty: none. The row is r.
const heir = `COALESCE((SELECT MIN(l.import_id) FROM import_rows l JOIN imports i ON i.tenant_id = l.tenant_id AND i.id = l.import_id
	WHERE l.tenant_id = r.tenant_id AND l.row_key = r.row_key AND r.row_key <> '' AND i.status = 'success' AND l.import_id <> $2), '')`

// ErrInSettlements is the answer to removing or taking back what went into settlements.
var ErrInSettlements = fault.Declare(fault.Conflict, "imports.settled")

// settlementsMax is how many settlements ErrInSettlements names.
const settlementsMax = 20

// settledIn names the settlements that hold rows, the first of them, and whose
// each is, in the same order; nil: there are none.
func settledIn(tx *db.Tx, settlements []string) error {
	if len(settlements) == 0 {
		return nil
	}
	named := settlements[:min(len(settlements), settlementsMax)]
	drivers := make([]string, len(named))
	for n, id := range named {
		of, err := db.One[string](tx, `SELECT MIN(driver_id) FROM transactions WHERE tenant_id = $1 AND settlement_id = $2`, id)
		if err != nil {
			return err
		}
		drivers[n] = of
	}
	return ErrInSettlements.With("settlements", strings.Join(named, " ")).With("drivers", strings.Join(drivers, " ")).
		With("count", len(settlements))
}

// CanBeRemoved answers ErrInSettlements where settlements hold rows which no standing file but this one contains.
func CanBeRemoved(tx *db.Tx, importID string) error {
	own, err := db.Select[string](tx, `SELECT DISTINCT r.settlement_id FROM transactions r WHERE r.tenant_id = $1 AND r.import_id = $2
		AND r.import_id <> '' AND r.settlement_id <> ''
		AND `+heir+` = ''`, importID)
	if err != nil {
		return err
	}
	// settled rows keep the file that brought them, also after it was removed
	left, err := db.Select[string](tx, `SELECT DISTINCT r.settlement_id FROM imports o CROSS JOIN transactions r WHERE o.tenant_id = $1
		AND o.status = 'removed' AND r.tenant_id = o.tenant_id
		AND r.import_id = o.id AND r.import_id <> '' AND r.settlement_id <> '' AND EXISTS (SELECT 1 FROM import_rows l
		WHERE l.tenant_id = r.tenant_id AND l.import_id = $2
		AND l.row_key = r.row_key AND r.row_key <> '') AND `+heir+` = ''`, importID)
	if err != nil {
		return err
	}
	named := append(own, left...)
	slices.Sort(named)
	return settledIn(tx, slices.Compact(named))
}

// heldRow is a row of a file wherever it stands.
type heldRow struct {
	ID, RowKey, Type, SettlementID, Evidence, Heir string
	Amount                                         money.Amount
	SourceRow                                      int64
}

// Released is what one step of taking an import back has done.
type Released struct {
	Rows     int64    // looked at
	Removed  int64    // gone for good
	Evidence []string // blobs that nobody needs any more
	Heirs    map[string][]HandedOver
	Done     bool

	totals *Totals
}

// HandedOver is a row that now belongs to another file.
type HandedOver struct {
	Type   string
	Amount money.Amount
}

// idsAtOnce is how many rows one statement names.
const idsAtOnce = 200

// Release takes back up to so many rows of an import that stands no more: a row that another standing file contains is handed over to it,
// every other one goes. What is settled stays as it is: CanBeRemoved was asked before.
func Release(tx *db.Tx, importID string, limit int) (done Released, err error) {
	done.Heirs, done.totals = map[string][]HandedOver{}, NewTotals()
	for _, table := range []string{"transactions", "unmatched_rows", "replaced_rows"} {
		line, last := int64(-1), ""
		for int(done.Rows) < limit {
			rows, err := heldBy(tx, table, importID, line, last, limit-int(done.Rows))
			if err != nil {
				return done, err
			}
			if len(rows) == 0 {
				break
			}
			end := rows[len(rows)-1]
			line, last = end.SourceRow, end.ID
			rows = slices.DeleteFunc(rows, func(r heldRow) bool { return r.SettlementID != "" })
			done.Rows += int64(len(rows))
			if err := done.release(tx, table, importID, rows); err != nil {
				return done, err
			}
		}
	}
	if err := done.totals.Keep(tx); err != nil {
		return done, err
	}
	for _, table := range []string{"import_rows", "row_replacements"} {
		column := map[string]string{"import_rows": "row_key", "row_replacements": "row_id"}[table]
		for int(done.Rows) < limit {
			keys, err := db.Select[string](tx, fmt.Sprintf(`SELECT %s FROM %s WHERE tenant_id = $1 AND import_id = $2 LIMIT %d`, column, table,
				limit-int(done.Rows)), importID)
			if err != nil {
				return done, err
			}
			if len(keys) == 0 {
				break
			}
			done.Rows += int64(len(keys))
			if err := eachChunk(tx, `DELETE FROM `+table+` WHERE tenant_id = $1 AND import_id = $2 AND `+column, keys, importID); err != nil {
				return done, err
			}
		}
	}
	done.Done = int(done.Rows) < limit
	return done, nil
}

func heldBy(tx *db.Tx, table, importID string, line int64, last string, limit int) ([]heldRow, error) {
	settlement := `'' AS settlement_id`
	if table == "transactions" {
		settlement = `r.settlement_id`
	}
	return db.Select[heldRow](tx, fmt.Sprintf(`SELECT r.id, r.row_key, r.type, r.amount, r.source_row, r.evidence, %s, %s AS heir FROM %s r
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.import_id <> '' AND (r.source_row, r.id) > ($3, $4)
		ORDER BY r.source_row, r.id LIMIT %d`, settlement, heir, table, limit), importID, line, last)
}

func (done *Released) release(tx *db.Tx, table, importID string, rows []heldRow) error {
	gone, heirs := []string{}, map[string][]heldRow{}
	for _, r := range rows {
		if r.Heir != "" {
			heirs[r.Heir] = append(heirs[r.Heir], r)
			done.Heirs[r.Heir] = append(done.Heirs[r.Heir], HandedOver{r.Type, r.Amount})
			continue
		}
		gone = append(gone, r.ID)
		if r.Evidence != "" {
			done.Evidence = append(done.Evidence, r.Evidence)
		}
	}
	done.Removed += int64(len(gone))
	if table == "transactions" {
		if err := done.totals.rows(tx, -1, gone); err != nil {
			return err
		}
	}
	for _, text := range []string{`DELETE FROM driver_merge_transactions WHERE tenant_id = $1 AND transaction_id`,
		`DELETE FROM row_replacements WHERE tenant_id = $1 AND row_id`,
		`DELETE FROM ` + table + ` WHERE tenant_id = $1 AND id`} {
		if err := eachChunk(tx, text, gone); err != nil {
			return err
		}
	}
	for _, to := range slices.Sorted(maps.Keys(heirs)) {
		if err := handOver(tx, table, to, heirs[to]); err != nil {
			return err
		}
	}
	return nil
}

// handOver makes rows those of another file that contains them.
func handOver(tx *db.Tx, table, to string, rows []heldRow) error {
	ids, keys := make([]string, len(rows)), make([]string, len(rows))
	for n, r := range rows {
		ids[n], keys[n] = r.ID, r.RowKey
	}
	if err := eachChunk(tx, `UPDATE `+table+` SET (import_id, source_file, source_row, source_column) = (SELECT l.import_id, l.source_file,
		l.source_row, l.source_column FROM import_rows l
		WHERE l.tenant_id = $1 AND l.import_id = $2 AND l.row_key = `+table+`.row_key) WHERE tenant_id = $1 AND id`, ids, to); err != nil {
		return err
	}
	return eachChunk(tx, `DELETE FROM import_rows WHERE tenant_id = $1 AND import_id = $2 AND row_key`, keys, to)
}

// eachChunk runs a statement that ends with the column of an id, for all of them.
func eachChunk(tx *db.Tx, text string, ids []string, args ...any) error {
	for some := range slices.Chunk(ids, idsAtOnce) {
		in, named := db.Among(2+len(args), some)
		if _, err := tx.Exec(text+in, append(slices.Clone(args), named...)...); err != nil {
			return err
		}
	}
	return nil
}

// Containing says which further files contain a row.
type Containing struct {
	RowKey, File, Column string
	Line                 int64
}

// Contains notes rows that stand already as rows of this file too.
func Contains(tx *db.Tx, importID string, rows []Containing) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.Insert("import_rows", []string{"import_id", "row_key", "source_file", "source_row", "source_column"},
		func(yield func([]any) bool) {
			for _, r := range rows {
				if !yield([]any{importID, r.RowKey, r.File, r.Line, r.Column}) {
					return
				}
			}
		})
	return err
}

// columnsOf are columns with the name of their table before them.
func columnsOf(table string, columns []string) string {
	named := make([]string, len(columns))
	for n, c := range columns {
		named[n] = table + "." + c
	}
	return strings.Join(named, ", ")
}

// DropRows deletes unsettled rows of a file by their tables: they stand already in other words.
func DropRows(tx *db.Tx, rows map[string][]string) error {
	totals := NewTotals()
	if err := totals.rows(tx, -1, rows["transactions"]); err != nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if err := eachChunk(tx, `DELETE FROM `+table+` WHERE tenant_id = $1 AND id`, rows[table]); err != nil {
			return err
		}
	}
	return totals.Keep(tx)
}

// ReplaceRows notes that an import took the force of rows.
func ReplaceRows(tx *db.Tx, importID string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Insert("row_replacements", []string{"row_id", "import_id"}, func(yield func([]any) bool) {
		for _, id := range ids {
			if !yield([]any{id, importID}) {
				return
			}
		}
	})
	return err
}

// ContainInOther notes that the row of a file is another one that stands.
func ContainInOther(tx *db.Tx, importID, from, to string) error {
	_, err := tx.Exec(`UPDATE import_rows SET row_key = $4 WHERE tenant_id = $1 AND import_id = $2 AND row_key = $3`, importID, from, to)
	return err
}

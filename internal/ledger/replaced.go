package ledger

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// A row that several files speak of counts while one that contains it was booked after every file that replaced it. What no longer counts
// stands in replaced_rows and comes back when the file that replaced it is removed. Settled rows never change: where one does not count
// any more, an unsettled row takes its amount off (corrects), so that the difference is settled as a supplement of the same day.

// orders are when the files that contain row r, and those that replaced it, were booked.
const orders = `COALESCE((SELECT i.booked_order FROM imports i WHERE i.tenant_id = r.tenant_id AND i.id = r.import_id
	AND i.status = 'success'), -1) AS owned,
	COALESCE((SELECT MAX(i.booked_order) FROM import_rows l JOIN imports i ON i.tenant_id = l.tenant_id AND i.id = l.import_id
		WHERE l.tenant_id = r.tenant_id AND l.row_key = r.row_key AND r.row_key <> '' AND i.status = 'success'), -1) AS linked`

// replacements are the rows that standing files replaced, as p, and when the last of these was booked.
const replacements = `(SELECT x.tenant_id, x.row_id, MAX(i.booked_order) AS replaced FROM row_replacements x
	JOIN imports i ON i.tenant_id = x.tenant_id AND i.id = x.import_id
	WHERE x.tenant_id = $1 AND i.status = 'success' GROUP BY x.tenant_id, x.row_id) p`

// replacedRow is a row that some file replaced.
type replacedRow struct {
	ID, RowKey, DriverID, SettlementID, Corrects string
	ImportID                                     string
	Owned, Linked, Replaced                      int64
}

func (s replacedRow) counts() bool { return max(s.Owned, s.Linked) > s.Replaced }

// Changed are the imports some of whose rows were replaced, brought back or corrected.
type Changed map[string]bool

// Reconcile brings every row where it belongs after files were booked or removed, or settlements revoked, and says whose rows moved.
func Reconcile(tx *db.Tx) (Changed, error) {
	changed := Changed{}
	if err := adopt(tx, changed); err != nil {
		return nil, err
	}
	booked, err := db.Select[replacedRow](tx,
		`SELECT r.id, r.driver_id, r.settlement_id, r.corrects, r.import_id, p.replaced, `+orders+` FROM `+
			replacements+` CROSS JOIN transactions r
		WHERE r.tenant_id = $1 AND r.id = p.row_id`)
	if err != nil {
		return nil, err
	}
	waiting, err := db.Select[replacedRow](tx,
		`SELECT r.id, r.import_id, p.replaced, `+orders+` FROM `+replacements+` CROSS JOIN unmatched_rows r
		WHERE r.tenant_id = $1 AND r.id = p.row_id`)
	if err != nil {
		return nil, err
	}
	away, err := db.Select[replacedRow](tx, `SELECT r.id, r.driver_id, r.import_id, COALESCE(p.replaced, -1) AS replaced, `+orders+
		` FROM replaced_rows r LEFT JOIN `+replacements+`
		ON p.row_id = r.id WHERE r.tenant_id = $1`)
	if err != nil {
		return nil, err
	}
	settled, hide := map[string]bool{}, []string{} // settled ones that do not count
	for _, r := range booked {
		switch {
		case r.counts():
		case r.SettlementID != "":
			settled[r.ID] = true
		default:
			hide = append(hide, r.ID)
			changed[r.ImportID] = true
		}
	}
	if err := uncorrect(tx, settled, hide, changed); err != nil {
		return nil, err
	}
	hideWaiting := []string{}
	for _, r := range waiting {
		if !r.counts() {
			hideWaiting = append(hideWaiting, r.ID)
			changed[r.ImportID] = true
		}
	}
	if err := putAway(tx, hide, hideWaiting); err != nil {
		return nil, err
	}
	back, backWaiting, drivers := []string{}, []string{}, map[string]bool{}
	for _, r := range away {
		if !r.counts() {
			continue
		}
		changed[r.ImportID] = true
		if r.DriverID == "" {
			backWaiting = append(backWaiting, r.ID)
		} else {
			back, drivers[r.DriverID] = append(back, r.ID), true
		}
	}
	if err := bringBack(tx, back, backWaiting); err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(drivers)) {
		if err := FollowMerge(tx, id); err != nil {
			return nil, err
		}
	}
	return changed, correct(tx, settled, changed)
}

// adopt hands unsettled rows of removed imports over: they were settled when their file was removed.
func adopt(tx *db.Tx, changed Changed) error {
	left, err := db.Select[heldRow](tx, strings.ReplaceAll(`SELECT r.id, r.row_key, `+heir+` AS heir FROM imports o CROSS JOIN transactions r
		WHERE o.tenant_id = $1 AND o.status = 'removed'
		AND o.removing = FALSE AND r.tenant_id = o.tenant_id AND r.import_id = o.id AND r.import_id <> '' AND r.settlement_id = ''`, "$2",
		"o.id"))
	if err != nil {
		return err
	}
	for _, r := range left {
		if r.Heir == "" {
			continue
		}
		changed[r.Heir] = true
		if err := handOver(tx, "transactions", r.Heir, []heldRow{r}); err != nil {
			return err
		}
	}
	return nil
}

// putAway moves rows that do not count any more. Whose they were before a merge is kept: coming back they follow it again.
func putAway(tx *db.Tx, booked, waiting []string) error {
	totals := NewTotals()
	if err := totals.rows(tx, -1, booked); err != nil {
		return err
	}
	if err := totals.Keep(tx); err != nil {
		return err
	}
	moved, from := strings.Join(movedColumns, ", "), columnsOf("r", movedColumns)
	if err := eachChunk(tx, `INSERT INTO replaced_rows (tenant_id, `+moved+`, driver_id) SELECT $1, `+from+
		`, COALESCE((SELECT m.merged_id FROM driver_merge_transactions d
		JOIN driver_merges m ON m.tenant_id = d.tenant_id AND m.id = d.merge_id WHERE d.tenant_id = r.tenant_id AND d.transaction_id = r.id
		ORDER BY m.merged_at, m.id LIMIT 1), r.driver_id)
		FROM transactions r WHERE r.tenant_id = $1 AND r.id`, booked); err != nil {
		return err
	}
	for _, text := range []string{`DELETE FROM driver_merge_transactions WHERE tenant_id = $1 AND transaction_id`,
		`DELETE FROM transactions WHERE tenant_id = $1 AND id`} {
		if err := eachChunk(tx, text, booked); err != nil {
			return err
		}
	}
	if err := eachChunk(tx, `INSERT INTO replaced_rows (tenant_id, `+moved+`, driver_id) SELECT $1, `+from+
		`, '' FROM unmatched_rows r WHERE r.tenant_id = $1 AND r.id`, waiting); err != nil {
		return err
	}
	return eachChunk(tx, `DELETE FROM unmatched_rows WHERE tenant_id = $1 AND id`, waiting)
}

// bringBack is the other way.
func bringBack(tx *db.Tx, booked, waiting []string) error {
	moved := strings.Join(movedColumns, ", ")
	if err := eachChunk(tx, `INSERT INTO transactions (tenant_id, `+moved+
		`, driver_id, twin_id, source, settlement_id, version, updated_at, deleted_at)
		SELECT $1, `+moved+`, driver_id, '', 'import', '', 1, $2, '' FROM replaced_rows WHERE tenant_id = $1 AND id`, booked,
		db.Instant(tx.Now)); err != nil {
		return err
	}
	totals := NewTotals()
	if err := totals.rows(tx, 1, booked); err != nil {
		return err
	}
	if err := totals.Keep(tx); err != nil {
		return err
	}
	if err := eachChunk(tx, `INSERT INTO unmatched_rows (tenant_id, `+moved+`) SELECT $1, `+moved+
		` FROM replaced_rows WHERE tenant_id = $1 AND id`, waiting); err != nil {
		return err
	}
	return eachChunk(tx, `DELETE FROM replaced_rows WHERE tenant_id = $1 AND id`, append(slices.Clone(booked), waiting...))
}

// linked is a settled row that does not count, or one that takes another's amount off.
type linked struct {
	ID, RowKey, Corrects, SettlementID, ImportID string
	Amount                                       money.Amount
}

// chain is a settled row and what corrects it, the settled ones: each takes off what those before it come to.
type chain struct {
	tail   string
	stands money.Amount // what all of it comes to
	should money.Amount // what it should: what the files say that those of its rows hold which count
}

// chains are all settled rows that were corrected or should be, by the last of each, and the unsettled rows that correct.
func chains(tx *db.Tx, settled map[string]bool) (byTail map[string]chain, unsettled []linked, rows map[string]linked, err error) {
	rows = map[string]linked{}
	const columns = `SELECT r.id, r.row_key, r.corrects, r.settlement_id, r.import_id, r.amount FROM transactions r WHERE r.tenant_id = $1`
	found, err := db.Select[linked](tx, columns+` AND r.corrects <> '' UNION `+columns+
		` AND r.id IN (SELECT c.corrects FROM transactions c WHERE c.tenant_id = $1 AND c.corrects <> '')`)
	if err != nil {
		return nil, nil, nil, err
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(settled)), idsAtOnce) {
		in, args := db.Among(2, some)
		more, err := db.Select[linked](tx, columns+` AND r.id`+in, args...)
		if err != nil {
			return nil, nil, nil, err
		}
		found = append(found, more...)
	}
	by := map[string]string{} // which settled row corrects it
	for _, r := range found {
		rows[r.ID] = r
		if r.Corrects != "" && r.SettlementID != "" {
			by[r.Corrects] = r.ID
		}
	}
	byTail = map[string]chain{}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		r := rows[id]
		if r.SettlementID == "" {
			if r.Corrects != "" {
				unsettled = append(unsettled, r)
			}
			continue
		}
		if r.Corrects != "" && rows[r.Corrects].SettlementID != "" {
			continue
		}
		c := chain{}
		for id := r.ID; id != ""; id = by[id] {
			c.tail = id
			if c.stands, err = c.stands.Add(rows[id].Amount); err != nil {
				return nil, nil, nil, err
			}
			if !settled[id] && rows[id].RowKey != "" {
				c.should += c.stands
			}
		}
		byTail[c.tail] = c
	}
	return byTail, unsettled, rows, nil
}

// Force says of settled rows and of those that correct them what they are worth.
type Force struct {
	Replaced map[string]bool         // keys of settled rows that do not count
	Full     map[string]money.Amount // rows that correct others, by id: what the file says
}

// ForceOf looks at all that was replaced or corrected.
func ForceOf(tx *db.Tx) (Force, error) {
	f := Force{map[string]bool{}, map[string]money.Amount{}}
	found, err := db.Select[replacedRow](tx, `SELECT r.id, r.row_key, p.replaced, `+orders+` FROM `+replacements+` CROSS JOIN transactions r
		WHERE r.tenant_id = $1 AND r.id = p.row_id AND r.settlement_id <> ''`)
	if err != nil {
		return f, err
	}
	for _, r := range found {
		if !r.counts() {
			f.Replaced[r.RowKey] = true
		}
	}
	_, unsettled, rows, err := chains(tx, map[string]bool{})
	if err != nil {
		return f, err
	}
	for _, u := range unsettled {
		rows[u.ID] = u
	}
	for id, r := range rows {
		if r.Corrects == "" {
			continue
		}
		full := r.Amount
		for of := r.Corrects; of != ""; of = rows[of].Corrects {
			full += rows[of].Amount
		}
		if r.RowKey == "" {
			full = 0 // it only takes an amount off
		}
		f.Full[id] = full
	}
	return f, nil
}

// uncorrect gives unsettled rows their own amount again where what they correct counts, is not settled any more, or they go themselves.
// Rows
// that only took an amount off go.
func uncorrect(tx *db.Tx, settled map[string]bool, hide []string, changed Changed) error {
	byTail, unsettled, rows, err := chains(tx, settled)
	if err != nil {
		return err
	}
	going := map[string]bool{}
	for _, id := range hide {
		going[id] = true
	}
	for _, u := range unsettled {
		c, settled := byTail[u.Corrects]
		valid := settled && c.should == 0 && u.RowKey != "" || settled && u.RowKey == "" && u.Amount == c.should-c.stands
		if valid && !going[u.ID] {
			continue
		}
		changed[u.ImportID] = true
		if u.RowKey == "" {
			if err := recounted(tx, []string{u.ID}, func() error { return deleteRows(tx, []string{u.ID}) }); err != nil {
				return err
			}
			continue
		}
		taken := money.Amount(0)
		for id := u.Corrects; id != ""; id = rows[id].Corrects {
			taken += rows[id].Amount
		}
		if err := recounted(tx, []string{u.ID}, func() error {
			_, err := tx.Exec(`UPDATE transactions SET amount = amount + $3, corrects = '', version = version + 1, updated_at = $4
				WHERE tenant_id = $1 AND id = $2`, u.ID, int64(taken), tx.Now)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// deleteRows deletes transactions with all that names them. Their sums are whoever calls'.
func deleteRows(tx *db.Tx, ids []string) error {
	for _, text := range []string{`DELETE FROM driver_merge_transactions WHERE tenant_id = $1 AND transaction_id`,
		`DELETE FROM row_replacements WHERE tenant_id = $1 AND row_id`, `DELETE FROM transactions WHERE tenant_id = $1 AND id`} {
		if err := eachChunk(tx, text, ids); err != nil {
			return err
		}
	}
	return nil
}

// corrected is a settled row that does not count any more.
type corrected struct {
	ID, DriverID, Provider, Type, Name, Description, Payment string
	Currency                                                 money.Currency
	OccurredAt                                               time.Time
	OccurredOn, SpanFrom, SpanTo                             calendar.Date
	ExternalID, SourceColumn                                 string
	Import, File                                             string // that replaced it
}

// correct makes chains of settled rows come to what the files say: by a row of the file that says the same anew, or by one of its own.
func correct(tx *db.Tx, settled map[string]bool, changed Changed) error {
	byTail, unsettled, _, err := chains(tx, settled)
	if err != nil {
		return err
	}
	for _, u := range unsettled {
		delete(byTail, u.Corrects)
	}
	for _, id := range slices.Sorted(maps.Keys(byTail)) {
		c := byTail[id]
		if c.should == c.stands {
			continue
		}
		x, err := db.One[corrected](tx, `SELECT r.id, `+drivers.CanonicalID("d")+` AS driver_id, r.provider,
			r.type, r.currency, r.name, r.description, r.payment,
			r.occurred_at, r.occurred_on, r.span_from, r.span_to, r.external_id, r.source_column, i.id AS import, i.file_name AS file
			FROM transactions r
			JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id
			JOIN row_replacements p ON p.tenant_id = r.tenant_id AND p.row_id = r.id JOIN imports i ON i.tenant_id = p.tenant_id
			AND i.id = p.import_id
			WHERE r.tenant_id = $1 AND r.id = $2 AND i.status = 'success' ORDER BY i.booked_order DESC LIMIT 1`, id)
		if errors.Is(err, db.ErrNone) { // nothing replaced it: something that it corrects counts again
			x, err = db.One[corrected](tx, `SELECT r.id, `+drivers.CanonicalID("d")+` AS driver_id, r.provider,
				r.type, r.currency, r.name, r.description, r.payment,
				r.occurred_at, r.occurred_on, r.span_from, r.span_to, r.external_id, r.source_column, r.import_id AS import, r.source_file AS file
				FROM transactions r
				JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id WHERE r.tenant_id = $1 AND r.id = $2`, id)
		}
		if err != nil {
			return err
		}
		changed[x.Import] = true
		if err := x.takeOff(tx, c); err != nil {
			return err
		}
	}
	return nil
}

func (x corrected) takeOff(tx *db.Tx, c chain) error {
	type candidate struct{ ID, ExternalID, SourceColumn string }
	found, err := db.Select[candidate](tx, `SELECT r.id, r.external_id, r.source_column FROM transactions r WHERE r.tenant_id = $1
		AND r.driver_id = $2 AND r.occurred_on = $3
		AND r.provider = $4 AND r.type = $5 AND r.span_from = $6 AND r.span_to = $7 AND r.settlement_id = '' AND r.deleted_at = ''
		AND r.corrects = '' AND r.row_key <> ''
		AND (r.import_id = $8 OR EXISTS (SELECT 1 FROM import_rows l WHERE l.tenant_id = r.tenant_id AND l.import_id = $8
		AND l.row_key = r.row_key)) ORDER BY r.id`,
		x.DriverID, string(x.OccurredOn), x.Provider, x.Type, string(x.SpanFrom), string(x.SpanTo), x.Import)
	if err != nil {
		return err
	}
	// a movement is corrected by the one of the same name, a row that sums up days by one that sums up the same days
	found = slices.DeleteFunc(found, func(c candidate) bool { return c.ExternalID != x.ExternalID || x.ExternalID == "" && x.SpanFrom == "" })
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(x.distance(a.SourceColumn), x.distance(b.SourceColumn)) })
	if len(found) > 0 && c.should == 0 {
		return recounted(tx, []string{found[0].ID}, func() error {
			_, err := tx.Exec(`UPDATE transactions SET amount = amount - $3, corrects = $4, version = version + 1, updated_at = $5
				WHERE tenant_id = $1 AND id = $2`, found[0].ID, int64(c.stands), x.ID, tx.Now)
			return err
		})
	}
	return insert(tx, Transaction{ID: tx.NewID(), DriverID: x.DriverID, Provider: x.Provider, Type: x.Type, Amount: c.should - c.stands,
		Currency: x.Currency, OccurredAt: x.OccurredAt, OccurredOn: x.OccurredOn, SpanFrom: x.SpanFrom, SpanTo: x.SpanTo, Name: x.Name,
		Description: x.Description, Payment: x.Payment, Source: "import", SourceFile: x.File, SourceColumn: x.SourceColumn,
		ExternalID: x.ExternalID, Corrects: x.ID, Version: 1, CreatedAt: tx.Now}, x.Import)
}

func (x corrected) distance(column string) int {
	if column == x.SourceColumn {
		return 0
	}
	return 1
}

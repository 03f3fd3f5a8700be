package query

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// ErrTooLarge says that a comparison would have more rows than a report may have.
var ErrTooLarge = errors.New("query: too many rows")

// Result is what a question found. Cells are texts, whole numbers, or nil where there is none.
type Result struct {
	Columns []Term
	Rows    [][]any
	Drivers []string // id of the driver of each row, where it has one
	Totals  []any    // nil: none were asked for
	Once    bool     // rows do not add up to the totals: a driver of several counts once in them
	Groups  int64    // rows that there are without a limit
}

// found is a row as the database has it.
type found struct {
	keys   []string
	cells  []any // by dimension
	values []int64
	driver string
}

// Limited says whether the definition shows its first rows alone.
func (d *Definition) Limited() bool { return d.limited }

// Run asks the question, on the snapshot of the unit of work.
func (d *Definition) Run(tx *db.Tx, q Question, l i18n.Language) (*Result, error) {
	r := &Result{Columns: d.heads(l), Rows: [][]any{}, Once: d.doubles()}
	q.Limit = max(0, min(q.Limit, d.limit-q.Offset))
	rows, groups, err := d.rows(tx, q, l, false)
	if err != nil {
		return nil, err
	}
	r.Groups = groups
	var total, before *found
	if d.total || d.has(share) {
		if total, err = d.totals(tx, q, l); err != nil {
			return nil, err
		}
	}
	earlier := map[string]*found{}
	if d.has(change) {
		then := q
		days := q.To.DaysSince(q.From) + 1
		then.From, then.To, then.Offset, then.Limit = q.From.AddDays(-days), q.From.AddDays(-1), 0, RowsMost
		old, groups, err := d.rows(tx, then, l, false)
		if err != nil {
			return nil, err
		}
		if groups > RowsMost {
			return nil, ErrTooLarge
		}
		for _, o := range old {
			earlier[strings.Join(o.keys, "\x00")] = o
		}
		if d.total {
			if before, err = d.totals(tx, then, l); err != nil {
				return nil, err
			}
		}
	}
	byDriver := slices.ContainsFunc(d.by, func(b *dimension) bool { return b.kind == Driver })
	for _, row := range rows {
		r.Rows = append(r.Rows, append(row.cells, d.shown(row, total, earlier[strings.Join(row.keys, "\x00")])...))
		if byDriver {
			r.Drivers = append(r.Drivers, row.driver)
		}
	}
	if d.total {
		r.Totals = append(make([]any, len(d.by)), d.shown(total, total, before)...)
	}
	return r, nil
}

func (d *Definition) has(as compared) bool {
	return slices.ContainsFunc(d.columns, func(c column) bool { return c.as == as })
}

// doubles says whether a driver may be behind several rows.
func (d *Definition) doubles() bool {
	return slices.ContainsFunc(d.by, func(b *dimension) bool { return b.kind == Tag }) ||
		len(d.by) > 0 && slices.ContainsFunc(d.columns, func(c column) bool { return c.distinct })
}

// heads are the columns of the result.
func (d *Definition) heads(l i18n.Language) []Term {
	heads := []Term{}
	for _, b := range d.by {
		kind := b.kind
		if kind == Choice || kind == Tag {
			kind = Text
		}
		heads = append(heads, Term{Key: b.key, Title: d.titled(b.key, l, b.title(l)), Kind: kind})
	}
	for _, c := range d.columns {
		kind, title := c.kind, c.measure.title(l)
		if c.as != itself {
			kind, title = Percent, i18n.Of(l, "report-model:compared_"+string(c.as), "measure", title)
		}
		heads = append(heads, Term{Key: c.key(), Title: d.titled(c.key(), l, title), Kind: kind})
	}
	return heads
}

func (d *Definition) titled(key string, l i18n.Language, otherwise string) string {
	if title := d.named[key].in(l); title != "" {
		return title
	}
	return otherwise
}

// shown are the measures of a row.
func (d *Definition) shown(row, total, before *found) []any {
	cells := make([]any, len(d.columns))
	for i, c := range d.columns {
		switch {
		case row == nil:
		case c.as == itself:
			cells[i] = row.values[i]
		case c.as == share && total != nil:
			cells[i] = tenths(big.NewInt(row.values[i]), total.values[i])
		case c.as == change && before != nil:
			difference := new(big.Int).Sub(big.NewInt(row.values[i]), big.NewInt(before.values[i]))
			cells[i] = tenths(difference, before.values[i])
		}
	}
	return cells
}

// tenths is a part of a whole in tenths of a percent, halves away from zero, or nil of nothing and of what is too much to be said.
func tenths(part *big.Int, whole int64) any {
	if whole == 0 {
		return nil
	}
	size := new(big.Int).Abs(big.NewInt(whole))
	twice := new(big.Int).Mul(new(big.Int).Abs(part), big.NewInt(2000))
	n := twice.Add(twice, size).Quo(twice, size.Mul(size, big.NewInt(2)))
	if !n.IsInt64() {
		return nil
	}
	if part.Sign() < 0 {
		return -n.Int64()
	}
	return n.Int64()
}

func (d *Definition) totals(tx *db.Tx, q Question, l i18n.Language) (*found, error) {
	rows, _, err := d.rows(tx, q, l, true)
	if err != nil || len(rows) != 1 {
		return nil, errors.Join(err, expect(len(rows) == 1, "%d rows of totals", len(rows)))
	}
	return rows[0], nil
}

func expect(holds bool, otherwise string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf("query: "+otherwise, args...)
}

// politeness is after how many rows a job lets people go first.
const politeness = 256

func (d *Definition) rows(tx *db.Tx, q Question, l i18n.Language, totals bool) (list []*found, groups int64, err error) {
	by := d.by
	if totals {
		by = nil
	}
	names, err := d.schemaNames(tx, by)
	if err != nil {
		return nil, 0, err
	}
	s := d.compile(q, totals)
	tx.Yield()
	err = db.EachRow(tx, func(cells []any) error {
		if len(list)%politeness == 0 {
			tx.Yield()
		}
		row := &found{values: make([]int64, len(d.columns))}
		for _, b := range by {
			text := fmt.Sprint(cells[0])
			labels := cells[1 : 1+len(b.labels)]
			row.keys = append(row.keys, text)
			row.cells = append(row.cells, b.cell(l, cells[0], labels, names))
			if b.kind == Driver {
				row.driver = text
			}
			cells = cells[1+len(b.labels):]
		}
		for i := range d.columns {
			n, ok := cells[i].(int64)
			if !ok {
				return expect(false, "%s is a %T", d.columns[i].key(), cells[i])
			}
			row.values[i] = n
		}
		cells = cells[len(d.columns):]
		groups, _ = cells[0].(int64)
		for _, currency := range cells[1:] {
			if text := fmt.Sprint(currency); text != "" && text != string(q.Currency) {
				return expect(false, "there are amounts in %s", text)
			}
		}
		list = append(list, row)
		return nil
	}, s.text, s.args...)
	if err == nil && len(list) == 0 && q.Offset > 0 && !totals { // a page after the last one
		first := q
		first.Offset, first.Limit = 0, 1
		_, groups, err = d.rows(tx, first, l, false)
	}
	return list, groups, err
}

// cell is a value as people read it.
func (b *dimension) cell(l i18n.Language, value any, labels []any, names map[string]string) any {
	text := fmt.Sprint(value)
	switch {
	case b.kind == Driver:
		return strings.TrimSpace(fmt.Sprint(labels[0]) + " " + fmt.Sprint(labels[1]))
	case b.kind == Tag && text == "":
		return i18n.Of(l, "report-model:none")
	case len(b.labels) == 1:
		if label := fmt.Sprint(labels[0]); label != "" {
			return label
		}
		return text
	case b.show != nil:
		return b.show(value)
	case b.codes && names[text] != "":
		return names[text]
	case b.kind == Day && text == "":
		return nil
	}
	return b.named(l, text)
}

// schemaNames are the names of the partner's schemas by number, where they are shown.
func (d *Definition) schemaNames(tx *db.Tx, by []*dimension) (map[string]string, error) {
	if !slices.ContainsFunc(by, func(b *dimension) bool { return b.codes }) {
		return nil, nil
	}
	rows, err := db.Select[struct{ Number, Name string }](tx, `SELECT CAST(c.number AS TEXT) AS number, {json_text v.rules name} AS name
		FROM schemas c JOIN schema_versions v ON v.tenant_id = c.tenant_id AND v.schema_number = c.number AND v.version = c.current_version
		WHERE c.tenant_id = $1`)
	names := map[string]string{}
	for _, r := range rows {
		names[r.Number] = r.Name
	}
	return names, err
}

package query

import (
	"fmt"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Question is what a definition is asked.
type Question struct {
	From, To calendar.Date
	Values   map[string][]string
	Self     string // whose rows alone are seen, of a driver's report
	Currency money.Currency

	Offset, Limit int
}

// statement is one text with its arguments from $2 on.
type statement struct {
	text string
	args []any
}

func (s *statement) put(value any) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d", len(s.args)+1)
}

// compile makes the statement of a question: its rows, or the one row of its totals. Whoever asks is $1.
func (d *Definition) compile(q Question, totals bool) statement {
	var s statement
	by := d.by
	if totals {
		by = nil
	}
	needs := joins(0)
	cells, groups := []string{}, []string{}
	for _, b := range by {
		needs |= b.needs
		cells = append(append(cells, b.sql), b.labels...)
		groups = append(groups, b.sql)
	}
	for _, c := range d.columns {
		needs |= c.needs
		cells = append(cells, c.sql)
	}
	cells = append(cells, `COUNT(*) OVER ()`)
	if d.subject.currency != "" {
		cells = append(cells, `COALESCE(MIN(`+d.subject.currency+`), '')`, `COALESCE(MAX(`+d.subject.currency+`), '')`)
	}
	where := d.where(&s, q, &needs, totals)
	s.text = `SELECT ` + strings.Join(cells, ", ") + ` FROM ` + d.subject.from + d.subject.joined(needs) + where
	if len(groups) > 0 {
		s.text += ` GROUP BY ` + strings.Join(groups, ", ")
	}
	if !totals {
		s.text += d.order() + ` LIMIT ` + s.put(q.Limit) + ` OFFSET ` + s.put(q.Offset)
	}
	return s
}

func (d *Definition) where(s *statement, q Question, needs *joins, totals bool) string {
	where := ` WHERE ` + d.subject.tenant + `.tenant_id = $1 AND ` + d.subject.where
	if d.subject.day != "" {
		where += ` AND ` + d.subject.day + ` BETWEEN ` + s.put(string(q.From)) + ` AND ` + s.put(string(q.To))
	}
	if d.subject.foreign {
		where += ` AND ` + d.subject.currency + ` IN ('', ` + s.put(string(q.Currency)) + `)`
	}
	for _, f := range d.filters {
		values := f.values
		if f.ask != "" {
			values = q.Values[f.ask]
		}
		if len(values) == 0 {
			continue // it was asked for and not said: all of them
		}
		marks := make([]string, len(values))
		for i, value := range values {
			marks[i] = s.put(value)
		}
		in := ` IN (` + strings.Join(marks, ", ") + `)`
		*needs |= f.needs &^ ofTag
		if f.kind == Tag { // whoever has several of them is there once
			where += ` AND EXISTS (SELECT 1 FROM driver_tags e WHERE e.tenant_id = k.tenant_id AND e.driver_id = k.id AND e.tag_id` + in + `)`
			if totals || !slices.ContainsFunc(d.by, func(b *dimension) bool { return b.kind == Tag }) {
				continue
			}
		}
		where += ` AND ` + f.sql + in
	}
	if d.Audience == ForDriver {
		where += ` AND ` + d.subject.driver + drivers.Those(s.put(q.Self)) + ` AND ` + d.subject.shared
	}
	return where
}

// order is what was asked for, then the dimensions as they stand, so that two runs give the same pages.
func (d *Definition) order() string {
	parts := []string{}
	way := map[bool]string{true: " DESC"}
	sorted := map[int]bool{}
	for _, o := range d.sorts {
		if o.column >= 0 {
			parts = append(parts, d.columns[o.column].sql+way[o.descending])
			continue
		}
		at := -1 - o.column
		sorted[at] = true
		parts = append(parts, d.by[at].ordered()+way[o.descending])
	}
	for i, b := range d.by {
		if !sorted[i] {
			parts = append(parts, b.ordered())
		}
	}
	for _, b := range d.by {
		if b.by != "" {
			parts = append(parts, b.sql)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ` ORDER BY ` + strings.Join(parts, ", ")
}

func (b *dimension) ordered() string {
	if b.by != "" {
		return b.by
	}
	return b.sql
}

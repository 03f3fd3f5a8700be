package pipeline

import (
	"slices"
	"strings"
	"unicode"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/providers/mapped"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// How much is kept of a file that nobody knows, so that a partner can say what its columns hold.
const (
	sampleParts = 8
	sampleRows  = 40 // of a part, its head among them
)

// sampleOf is the first rows of a file that no layout knows, each with where its head seems to stand.
func sampleOf(f File) (Preview, error) {
	preview := emptyPreview()
	tables, err := table.Open(f.Name, f.Content, f.Size)
	if err != nil {
		return Preview{}, err
	}
	for _, t := range tables[:min(len(tables), sampleParts)] {
		p := Part{Name: t.Part, Role: RoleUnknown, Encoding: t.Encoding, Head: []string{}}
		if t.Delimiter != 0 {
			p.Delimiter = string(t.Delimiter)
		}
		rows, maximum := 0, 0
		for row, err := range t.Rows() {
			if err != nil {
				return Preview{}, err
			}
			if rows++; rows > sampleRows {
				break
			}
			cells := make([]string, min(len(row.Cells), mapped.ColumnsMax))
			words := 0
			for n := range cells {
				cells[n] = cut(strings.ReplaceAll(row.Cells[n], "\x00", "")) // PostgreSQL keeps no such sign
				if strings.ContainsFunc(cells[n], unicode.IsLetter) {
					words++
				}
			}
			preview.Rows = append(preview.Rows, PreviewRow{p.Name, row.Line, cells})
			if words > maximum && rows <= providers.HeadWithin { // heads are words, rows below them mostly numbers
				maximum, p.Head, p.HeadLine = words, cells, row.Line
			}
		}
		if rows > 0 {
			preview.Parts = append(preview.Parts, p)
		}
	}
	return preview, nil
}

// Below is the head of a part and the rows below it. Of a part that nobody knows, the head is the row that the partner says it is.
// A part that a built-in layout reads has none: that layout would read it before any mapping.
func (s Preview) Below(part string, headLine int64) (head []string, rows []PreviewRow, ok bool) {
	n := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Name == part })
	if n < 0 || s.Parts[n].Role != RoleUnknown && s.Parts[n].Kind != mapped.Kind {
		return nil, nil, false
	}
	seen := 0
	for _, r := range s.Rows {
		switch {
		case r.Part != part:
			continue
		case s.Parts[n].Role != RoleUnknown || r.Line > headLine:
			rows = append(rows, r)
		case r.Line == headLine && seen < providers.HeadWithin:
			head = r.Cells
		}
		seen++
	}
	if s.Parts[n].Role != RoleUnknown {
		head = s.Parts[n].Head
	}
	return head, rows, slices.ContainsFunc(head, func(name string) bool { return name != "" })
}

// Tried is a row as a mapping would read it.
type Tried struct {
	Line      int64
	On        calendar.Date
	Clock     string // hours and minutes; empty: the row has none
	Person    statement.Person
	Type      string
	Amount    money.Amount
	RowErrors []statement.RowError // why it would be refused
	Skipped   string               // why it holds no money; empty: it does
}

// FullName is the person as the file calls them.
func (t Tried) FullName() string { return t.Person.FullName() }

// Try reads rows below a head with a mapping that nobody has saved yet. It writes nothing.
func (l Pipeline) Try(tx *db.Tx, rules mapped.Mapping, headLine int64, head []string, rows []PreviewRow) ([]Tried, error) {
	rd, err := l.reading(tx, File{})
	if err != nil {
		return nil, err
	}
	p := &Part{Role: RoleMoney, Provider: rules.Provider, Kind: mapped.Kind, Head: head, layout: rules.Layout()}
	read := p.layout.Open(statement.NewHead(headLine, head), rd.given)
	tried := []Tried{}
	for _, r := range rows {
		one := Tried{Line: r.Line}
		var found collector
		out := found.out(rd)
		out.Skipped = func(_ int64, why string) { one.Skipped = why }
		read(statement.Row{Line: r.Line, Cells: r.Cells}, out)
		entries, rowErrors := rd.checked(p, found.entries, found.rowErrors)
		one.RowErrors = rowErrors
		for _, e := range entries { // one at most: a mapping has one amount
			one.On, one.Person, one.Type, one.Amount = e.On, e.Person, e.Booked, e.Amount
			if !e.At.IsZero() {
				one.Clock = e.At.In(rd.given.Zone).Format("15:04")
			}
		}
		tried = append(tried, one)
	}
	return tried, nil
}

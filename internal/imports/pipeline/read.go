// Package pipeline takes a provider's file to transactions: it reads the rows, recognises what they are, finds out whose they are and
// which of them stand already, and shows or books them. It knows nothing of uploads, jobs and the states of an import.
package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/relay"
)

// Pipeline reads files.
type Pipeline struct {
	Instance config.Instance
	Layouts  []statement.Layout
}

// country is the code by which phone numbers are read.
func (l Pipeline) country() string { return strings.ToUpper(l.Instance.Code) }

// File is an uploaded file and what is known of it before it is read.
type File struct {
	ImportID     string
	Name         string
	Content      io.ReaderAt
	Size         int64
	Chosen       string         // provider, by a person; empty: as recognised
	Dates, Bonus statement.Span // for rows, and for bonuses, without a date
	MergeByName  bool           // a name that one driver has is enough to recognise them
	DuplicateOf  string         // the import that brought the same content; empty: none
	Mappings     []Mapping      // by which it may be read
	Recognised                  // when it was last read; nothing: nobody has read it
}

// Recognised is what a file was recognised as, and which days it covers.
type Recognised struct {
	Provider, Kind       string
	Encoding, Delimiter  string
	PeriodFrom, PeriodTo calendar.Date
	PeriodSource         string // name, rows or picker
}

// salt makes the rows of a file that was brought before, and may come again, other rows.
func (f File) salt() string {
	if f.DuplicateOf != "" {
		return f.ImportID
	}
	return ""
}

// reading prepares the way through a file.
func (l Pipeline) reading(tx *db.Tx, f File) (*reading, error) {
	remembered, err := rememberedTypes(tx)
	if err != nil {
		return nil, err
	}
	chosen := cmp.Or(f.Chosen, f.Provider) // as it was shown
	known, err := knownByProvider(tx, l.Layouts, chosen)
	if err != nil {
		return nil, err
	}
	before, err := providersBefore(tx, f)
	if err != nil {
		return nil, err
	}
	layouts := slices.Clip(l.Layouts)
	for _, m := range f.Mappings {
		layouts = append(layouts, m.Rules.Remembered(m.Head))
	}
	return &reading{turns: tx.HasInteractiveLoad, file: f, chosen: chosen, layouts: layouts, remembered: remembered,
		known: known, before: before, given: statement.Given{Zone: l.Instance.Location(), Currency: l.Instance.Currency, Provider: chosen}}, nil
}

// What a table of a file is good for.
const (
	RoleMoney       = "money"
	RoleDetail      = "detail"       // describes the money of another table of the file
	RoleWrongReport = "wrong_report" // no statement: another file is needed
	RoleUnknown     = "unknown"      // no layout has such a head
)

// Part is one table of a file, as it was recognised.
type Part struct {
	Name            string   `json:"name"` // inside an archive or of the sheet; empty: the file itself
	Role            string   `json:"role"`
	Provider        string   `json:"provider"`
	Kind            string   `json:"kind"`
	SuggestedReport string   `json:"suggestedReport"`
	Encoding        string   `json:"encoding"`
	Delimiter       string   `json:"delimiter"`
	Head            []string `json:"head"`
	HeadLine        int64    `json:"headLine"` // where it stands; of an unknown part: where it seems to stand

	layout   statement.Layout
	span     statement.Span // of its name or of the rows above its head
	rules    string         // the layout by which types are remembered; empty: none is
	asBefore bool           // the provider is whose the earlier files of this kind were
}

// reading is one way through a file, from its first row to its last.
type reading struct {
	turns      func() bool // leave a core to others
	file       File
	chosen     string // provider, by a person or as it was shown
	given      statement.Given
	layouts    []statement.Layout         // those of the mappings stand behind the others
	remembered map[ledger.TypeRule]string // types that people gave to what came unknown

	// known are the people of providers whose files have one layout; provider and key
	known map[string]bool
	// before is as whose files of a kind were read so far
	before map[string]string

	// found is told of each table once it is known what it is.
	found func(*Part)
	// row is told what a row of money became: entries, in a list that is used again, or why there are none.
	row func(p *Part, r table.Row, entries []Entry, rowErrors []statement.RowError) error
	// rowWarning and skipped may be nil.
	rowWarning func(statement.RowWarning)
	skipped    func()

	parts   []*Part
	entries []Entry // of the row that is being read
}

// run reads the file. Whatever it has told before an error must be forgotten.
func (rd *reading) run(ctx context.Context) error {
	rd.parts = nil
	tables, err := table.Open(rd.file.Name, rd.file.Content, rd.file.Size)
	if err != nil {
		return refusal(err)
	}
	for _, t := range tables {
		if err := rd.table(ctx, t); err != nil {
			return refusal(err)
		}
	}
	if slices.ContainsFunc(rd.parts, func(p *Part) bool { return p.Role == RoleMoney }) {
		return nil
	}
	for _, p := range rd.parts {
		if p.Role == RoleWrongReport {
			return ErrWrongFile.With("suggestedReport", p.SuggestedReport)
		}
	}
	return ErrNotRecognised
}

// How many rows are made of the bytes of a file while others are looked at, and
// in how many blocks. Each row may be as long as a record can be, so they are
// few.
const (
	blocksAhead = 8
	rowsAhead   = 8
)

// textRow is a row of a table, or why there is none.
type textRow struct {
	table.Row
	err error
}

// errNothingBooked ends the way through a table of which nothing is booked.
var errNothingBooked = errors.New("imports: nothing of this table is booked")

func (rd *reading) table(ctx context.Context, t table.Table) error {
	finder := providers.NewFinder(rd.layouts)
	p := &Part{Name: t.Part, Role: RoleUnknown, Encoding: t.Encoding, Head: []string{}}
	if t.Delimiter != 0 {
		p.Delimiter = string(t.Delimiter)
	}
	rd.parts = append(rd.parts, p)
	var reader statement.Reader
	var collected collector
	out := collected.out(rd)
	n, own := 0, 0 // own columns of the file, where Saldo added some; 0: it did not
	err := relay.Blocks(rd.turns, blocksAhead, rowsAhead, func(add func(textRow) error) error {
		for row, err := range t.Rows() {
			row.Cells = slices.Clone(row.Cells)
			if err := add(textRow{row, err}); err != nil {
				return err
			}
		}
		return nil
	}, func(rows []textRow) error {
		for _, one := range rows {
			row, err := one.Row, one.err
			if err != nil {
				return err
			}
			if n++; n%512 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if reader == nil {
				if kept := withoutOurs(row.Cells); kept < len(row.Cells) {
					own = kept
				}
			}
			if own > 0 {
				row.Cells = row.Cells[:min(own, len(row.Cells))]
			}
			if reader == nil {
				found, done := finder.Row(row.Line, row.Cells)
				if !done {
					continue
				}
				if reader, err = rd.recognised(t, p, found); err != nil {
					return err
				}
				if reader == nil {
					return errNothingBooked
				}
				continue
			}
			if t.Delimiter == 0 && slices.ContainsFunc(row.Cells, func(cell string) bool { return strings.Contains(cell, "\x00") }) {
				return table.Refusal{Reason: table.ErrEncoding, Part: t.Part, Line: row.Line} // as an escape of a workbook can make it
			}
			collected.entries, collected.rowErrors = collected.entries[:0], collected.rowErrors[:0]
			reader(statement.Row(row), out)
			entries, rowErrors := rd.checked(p, collected.entries, collected.rowErrors)
			if len(entries) == 0 && len(rowErrors) == 0 {
				continue
			}
			if err := rd.row(p, row, entries, rowErrors); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, errNothingBooked) {
		return nil
	}
	if err != nil {
		return err
	}
	if reader == nil && rd.found != nil {
		rd.found(p)
	}
	return nil
}

// recognised says what the head of a table makes of it; no reader: nothing of
// it is booked.
func (rd *reading) recognised(t table.Table, p *Part, found providers.Found) (statement.Reader, error) {
	defer func() {
		if rd.found != nil {
			rd.found(p)
		}
	}()
	if found.Recognise == nil {
		return nil, nil
	}
	p.Provider, p.Kind, p.Head, p.HeadLine, p.layout = found.Provider, found.Kind, found.Head.Names, found.Head.Line, found.Layout
	p.SuggestedReport = found.Instead(cmp.Or(p.Name, rd.file.Name))
	switch {
	case slices.Contains(found.Choices, rd.chosen):
		p.Provider = rd.chosen
	case len(found.Choices) > 1 && p.Provider != "":
		p.Provider = rd.providerOf(t, p, found)
	}
	switch {
	case p.SuggestedReport != "":
		p.Role = RoleWrongReport
		return nil, nil
	case p.Provider == "":
		return nil, ErrProviderNeeded.With("choices", strings.Join(found.Choices, ", "))
	case slices.ContainsFunc(rd.parts[:len(rd.parts)-1], func(other *Part) bool { return other.Role == RoleMoney && sameMoney(p, other) }):
		p.Role = RoleDetail
		return nil, nil
	}
	p.Role = RoleMoney
	p.rules = rd.rulesOf(p)
	if found.Span != nil {
		for _, name := range []string{p.Name, rd.file.Name} {
			if span, ok := found.Span(name, found.Above); ok {
				p.span = span
				break
			}
		}
	}
	given := rd.given
	given.Provider = p.Provider
	return found.Open(found.Head, given), nil
}

// sameMoney says whether two tables describe the same money in two ways.
func sameMoney(a, b *Part) bool {
	return a.Provider == b.Provider && a.Kind != b.Kind &&
		(slices.Contains(a.layout.Details, b.Kind) || slices.Contains(b.layout.Details, a.Kind))
}

// collector takes what a layout finds in one row.
type collector struct {
	entries   []statement.Entry
	rowErrors []statement.RowError
}

func (c *collector) out(rd *reading) statement.Out {
	return statement.Out{
		Entries: func(e statement.Entry) { c.entries = append(c.entries, e) },
		Errors:  func(t statement.RowError) { c.rowErrors = append(c.rowErrors, t) },
		Warnings: func(d statement.RowWarning) {
			if rd.rowWarning != nil {
				rd.rowWarning(d)
			}
		},
		Skipped: func(int64, string) {
			if rd.skipped != nil {
				rd.skipped()
			}
		},
	}
}

// checked gives the entries of a row their day and type. A row with
// errors has none of its entries booked: half a row is worse than one that is
// named and corrected.
func (rd *reading) checked(p *Part, found []statement.Entry, rowErrors []statement.RowError) ([]Entry, []statement.RowError) {
	if len(rowErrors) == 0 && len(found) == 0 {
		return nil, nil
	}
	entries := rd.entries[:0]
	for _, e := range found {
		if p.layout.OneDriver && e.Person.Nobody() {
			e.Person.Name = rd.owner()
		}
		one := Entry{Entry: e, Part: p, Booked: e.Type}
		one.Provider = cmp.Or(e.Provider, p.Provider)
		one.Currency = cmp.Or(e.Currency, rd.given.Currency)
		if t, wrong := rd.date(&one); wrong {
			rowErrors = append(rowErrors, t)
		}
		if one.Currency != rd.given.Currency {
			rowErrors = append(rowErrors, statement.RowError{Code: statement.WrongCurrency, Line: e.Line, Column: e.Column,
				Found:    string(one.Currency),
				Expected: string(rd.given.Currency)})
		}
		if one.Amount > amountMax || one.Amount < -amountMax {
			rowErrors = append(rowErrors, statement.RowError{Code: statement.WrongAmount, Line: e.Line, Column: e.Column, Found: one.Amount.String(),
				Expected: "-1234,56"})
		}
		if len(e.Person.FullName()) > personMax ||
			slices.ContainsFunc(e.Person.Keys, func(k statement.Key) bool { return len(k.Value) > personMax }) {
			rowErrors = append(rowErrors, statement.RowError{Code: statement.NoDriver, Line: e.Line, Column: e.Column, Found: e.Person.FullName(),
				Expected: "+48500000101"})
		}
		rd.recall(&one)
		if t, known := kinds.Of(one.Booked); !known || !t.CarriedBy(one.Provider) {
			rowErrors = append(rowErrors, statement.RowError{Code: statement.WrongType, Line: e.Line, Column: e.Column,
				Found: one.Provider + " " + one.Booked, Expected: "TRIP, FEE, COST"})
		}
		entries = append(entries, one)
	}
	rd.entries = entries
	if len(rowErrors) > 0 {
		return nil, rowErrors
	}
	return entries, nil
}

// owner is what somebody is called whose file does not name them: the file.
// They stay unmatched until a person says whose file it is.
func (rd *reading) owner() string {
	return strings.TrimSuffix(path.Base(rd.file.Name), path.Ext(rd.file.Name))
}

// What no row of a statement has: money that a million rows could not be
// added up of, and people whose names or keys are texts.
const (
	amountMax money.Amount = 100_000_000_00
	personMax int          = 400 // bytes
)

// date finds the days of an entry: its own instant, day or span; of a bonus the
// days chosen for bonuses; the days of the file; those that were chosen.
func (rd *reading) date(e *Entry) (statement.RowError, bool) {
	wrong := statement.RowError{Code: statement.WrongDate, Line: e.Line, Column: e.Column, Expected: "2026-09-21"}
	bonus := (e.Type == "BONUS" || e.Type == "PROMO") && rd.file.Bonus.To != ""
	days := statement.Span{}
	e.Dated = true
	switch {
	case !e.At.IsZero():
		if year := e.At.Year(); year < 2000 || year > 2099 {
			wrong.Found = e.At.Format("2006-01-02")
			return wrong, true
		}
		e.On = calendar.DateOf(e.At, rd.given.Zone, e.Part.layout.DayStarts)
	case e.On != "":
	case e.To != "":
		days = statement.Span{From: cmp.Or(e.From, e.To), To: e.To}
	case bonus:
		days, e.Dated = rd.file.Bonus, false
	case e.Part.span.To != "":
		days, e.Dated = e.Part.span, false
	case rd.file.Dates.To != "":
		days, e.Dated = rd.file.Dates, false
	default:
		return statement.RowError{Code: statement.NoDate, Line: e.Line, Column: e.Column, Expected: "2026-09-21"}, true
	}
	e.From, e.To = days.From, days.To
	if e.To != "" {
		e.On = e.To
	}
	if e.On < statement.FirstDay || e.On > statement.LastDay || e.From != "" && (e.From < statement.FirstDay || e.From > e.To) {
		wrong.Found = string(e.On)
		return wrong, true
	}
	return statement.RowError{}, false
}

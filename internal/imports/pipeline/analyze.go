package pipeline

import (
	"cmp"
	"context"
	"errors"

	"saldo/internal/imports/counts"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
)

// lookup is how many keys are asked for at once. SQLite's driver finds each by
// walking a list of them, so more cost more a key; PostgreSQL would rather have
// more, as each question is a way to the server and back.
const lookup = 100

// shownAtOnce is how many amounts of a preview are counted at once.
const shownAtOnce = 1000

// analysis is what a person is shown of one way through a file.
type analysis struct {
	*resolver
	preview           Preview
	recalled, guesses map[ledger.TypeRule]*RememberedRows
	rowError          map[string]*RowErrorGroup
	today             calendar.Date
	future            int64
	first             calendar.Date // of the rows that say their own day
	last              calendar.Date
	undated           statement.Span // of those that do not
	rows              int64
	ticked            func(rows int64)
}

// Analyze reads a file and says what it is and what importing it would do. A file that no layout knows is answered with
// ErrNotRecognised and a preview of its first rows.
func (l Pipeline) Analyze(ctx context.Context, tx *db.Tx, f File, ticked func(rows int64)) (Recognised, Preview, error) {
	r, err := l.resolver(tx, f, f.Size/200)
	if err != nil {
		return Recognised{}, Preview{}, err
	}
	j := &analysis{resolver: r, preview: emptyPreview(), recalled: map[ledger.TypeRule]*RememberedRows{},
		guesses: map[ledger.TypeRule]*RememberedRows{}, rowError: map[string]*RowErrorGroup{},
		today: calendar.DateOf(tx.Now, l.Instance.Location(), 0), ticked: ticked}
	r.rd.found = func(p *Part) { j.preview.Parts = append(j.preview.Parts, p.clipped()) }
	r.rd.rowWarning = j.addWarning
	if err := r.blocks(ctx, shownAtOnce, j.row, func([]Entry) error { return nil }); errors.Is(err, ErrNotRecognised) {
		sample, failed := sampleOf(f)
		return Recognised{}, sample, cmp.Or(failed, err)
	} else if err != nil {
		return Recognised{}, Preview{}, err
	}
	found, err := r.restated()
	if err != nil {
		return Recognised{}, Preview{}, err
	}
	j.preview.Changes = r.compare.changes(found)
	r.conclude()
	f.Recognised = j.describe()
	j.show()
	if err := j.warn(l, f); err != nil {
		return Recognised{}, Preview{}, err
	}
	if j.preview.Standing, err = standing(tx); err != nil {
		return Recognised{}, Preview{}, err
	}
	return f.Recognised, j.preview, nil
}

func (j *analysis) row(p *Part, r table.Row, entries []Entry, rowErrors []statement.RowError) error {
	if j.rows++; j.rows%2000 == 0 && j.ticked != nil {
		j.ticked(j.rows)
	}
	if len(j.preview.Rows) < previewRows {
		cells := make([]string, min(len(r.Cells), previewColumns))
		for n := range cells {
			cells[n] = cut(r.Cells[n])
		}
		j.preview.Rows = append(j.preview.Rows, PreviewRow{p.Name, r.Line, cells})
	}
	for _, t := range rowErrors {
		j.addError(t, r.Line)
	}
	for n := range entries {
		j.dated(&entries[n])
		if err := j.remembered(&entries[n]); err != nil {
			return err
		}
	}
	return nil
}

func (j *analysis) addError(t statement.RowError, line int64) {
	kind := j.rowError[t.Code]
	if kind == nil {
		kind = &RowErrorGroup{Code: t.Code, First: []statement.RowError{}}
		j.rowError[t.Code] = kind
	}
	if kind.Count++; kind.Count <= previewFirst {
		t.Line, t.Found, t.Expected, t.Column = cmp.Or(t.Line, line), cut(t.Found), cut(t.Expected), cut(t.Column)
		kind.First = append(kind.First, t)
	}
}

func (j *analysis) addWarning(d statement.RowWarning) {
	if j.preview.RowWarnings.Count++; j.preview.RowWarnings.Count <= previewFirst {
		d.Column = cut(d.Column)
		j.preview.RowWarnings.First = append(j.preview.RowWarnings.First, d)
	}
}

// dated notes the days that the file covers.
func (j *analysis) dated(e *Entry) {
	if e.On > j.today {
		j.future++
	}
	from := cmp.Or(e.From, e.On)
	if !e.Dated {
		j.undated.From, j.undated.To = earlier(j.undated.From, from), max(j.undated.To, e.On)
		return
	}
	j.first, j.last = earlier(j.first, from), max(j.last, e.On)
}

func earlier(a, b calendar.Date) calendar.Date {
	if a == "" {
		return b
	}
	return min(a, b)
}

// show makes the preview of what was found.
func (j *analysis) show() {
	s := &j.preview
	s.Counts, s.Totals = j.counts, counts.InOrder(j.totals)
	s.Mappings = j.rd.usedMappings()
	for _, w := range j.people.All() {
		switch {
		case w.Driver != "":
			s.Matches.By[w.How]++
		case w.State != unmatched.Ignored && len(s.Matches.Unassigned) < previewFirst:
			s.Matches.Unassigned = append(s.Matches.Unassigned,
				Stranger{w.Provider, w.Person.Keys, cut(w.Person.FullName()), w.Fresh + w.Existing, w.Sum})
		}
		if w.How == unmatched.ByName {
			s.Matches.Pairs = append(s.Matches.Pairs,
				Pair{w.Provider, w.Surest, cut(w.Person.FullName()), w.Driver, j.people.DriverName(w.Driver), w.Fresh + w.Existing})
		}
	}
	s.Remembered, s.Guessed = inOrderOfRules(j.recalled), inOrderOfRules(j.guesses)
	for _, code := range RowErrorCodes() {
		if kind, ok := j.rowError[code]; ok {
			s.RowErrors = append(s.RowErrors, *kind)
		}
	}
}

// describe says what the file was recognised as and which days it covers: those
// of its name, those of its rows, or those that were chosen.
func (j *analysis) describe() (i Recognised) {
	for _, p := range j.rd.parts {
		if p.Role != RoleMoney {
			continue
		}
		if i.Kind == "" {
			i.Provider, i.Kind, i.Encoding, i.Delimiter = p.Provider, p.Kind, p.Encoding, p.Delimiter
		}
		if p.span.To != "" {
			i.PeriodFrom, i.PeriodTo, i.PeriodSource = earlier(i.PeriodFrom, p.span.From), max(i.PeriodTo, p.span.To), "name"
		}
	}
	switch {
	case i.PeriodTo != "":
	case j.last != "":
		i.PeriodFrom, i.PeriodTo, i.PeriodSource = j.first, j.last, "rows"
	case j.undated.To != "":
		i.PeriodFrom, i.PeriodTo, i.PeriodSource = j.undated.From, j.undated.To, "picker"
	}
	return i
}

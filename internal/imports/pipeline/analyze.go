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
	"saldo/internal/platform/relay"
)

// lookup is how many keys are asked for at once. SQLite's driver finds each by
// walking a list of them, so more cost more a key; PostgreSQL would rather have
// more, as each question is a way to the server and back.
const lookup = 100

// weighedAtOnce is how many amounts are counted at once.
const weighedAtOnce = 1000

// analysis is what one way through a file found.
type analysis struct {
	tx                *db.Tx
	keys              *keyMaker
	stands            standingRows
	people            *unmatched.Matcher
	preview           Preview
	totals            map[string]*counts.Sum
	recalled, guesses map[ledger.TypeRule]*RememberedRows
	rowError          map[string]*RowErrorGroup
	fleet             int64
	today             calendar.Date
	future            int64
	first             calendar.Date // of the rows that say their own day
	last              calendar.Date
	undated           statement.Span // of those that do not
	rows              int64
	ticked            func(rows int64)
	compare           *comparison
}

// Analyze reads a file and says what it is and what importing it would do. A file that no layout knows is answered with
// ErrNotRecognised and a preview of its first rows.
func (l Pipeline) Analyze(ctx context.Context, tx *db.Tx, f File, ticked func(rows int64)) (Recognised, Preview, error) {
	nothing := Recognised{}
	ppl, err := unmatched.LoadMatcher(tx, l.country(), f.MergeByName)
	if err != nil {
		return nothing, Preview{}, err
	}
	j := &analysis{tx: tx, stands: standingRows{tx: tx}, people: ppl, totals: map[string]*counts.Sum{},
		recalled: map[ledger.TypeRule]*RememberedRows{},
		guesses:  map[ledger.TypeRule]*RememberedRows{}, rowError: map[string]*RowErrorGroup{},
		today: calendar.DateOf(tx.Now, l.Instance.Location(), 0), ticked: ticked,
		compare: newComparison(tx, f)}
	j.preview = emptyPreview()
	rd, err := l.reading(tx, f)
	if err != nil {
		return nothing, Preview{}, err
	}
	j.keys = &rd.keys
	rd.found = func(p *Part) { j.preview.Parts = append(j.preview.Parts, p.clipped()) }
	rd.rowWarning, rd.skipped = j.addWarning, func() { j.preview.Counts.Skipped++ }
	if err := relay.Blocks(tx.HasInteractiveLoad, 2, weighedAtOnce, func(add func(entry) error) error {
		rd.row = func(p *Part, r table.Row, entries []entry, rowErrors []statement.RowError) error {
			return j.row(p, r, entries, rowErrors, add)
		}
		return rd.run(ctx)
	}, j.count); errors.Is(err, ErrNotRecognised) {
		sample, failed := sampleOf(f)
		return nothing, sample, cmp.Or(failed, err)
	} else if err != nil {
		return nothing, Preview{}, err
	}
	j.preview.Mappings = rd.usedMappings()
	f.Recognised = describe(rd, j)
	if err := j.restated(); err != nil {
		return nothing, Preview{}, err
	}
	j.conclude()
	if err := j.warn(l, f, rd); err != nil {
		return nothing, Preview{}, err
	}
	if j.preview.Standing, err = standing(tx); err != nil {
		return nothing, Preview{}, err
	}
	return f.Recognised, j.preview, nil
}

func (j *analysis) row(p *Part, r table.Row, entries []entry, rowErrors []statement.RowError, add func(entry) error) error {
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
	if len(rowErrors) > 0 {
		j.preview.Counts.Transactions.Failed++
		for _, t := range rowErrors {
			j.addError(t, r.Line)
		}
		return nil
	}
	for _, e := range entries {
		j.dated(&e)
		if err := j.remembered(&e); err != nil {
			return err
		}
		if err := add(e); err != nil {
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
func (j *analysis) dated(e *entry) {
	if e.on > j.today {
		j.future++
	}
	from := cmp.Or(e.from, e.on)
	if !e.dated {
		j.undated.From, j.undated.To = earlier(j.undated.From, from), max(j.undated.To, e.on)
		return
	}
	j.first, j.last = earlier(j.first, from), max(j.last, e.on)
}

func earlier(a, b calendar.Date) calendar.Date {
	if a == "" {
		return b
	}
	return min(a, b)
}

// count finds out whose amounts are and counts them, with what other imports
// have brought.
func (j *analysis) count(block []entry) error {
	j.tx.Yield()
	rows, again, whose := make([]asked, len(block)), make([]bool, len(block)), make([]*unmatched.Match, len(block)) // nil: the fleet's own
	for n := range block {
		e := &block[n]
		rows[n] = asked{named: e.ExternalID != "", amount: e.Amount, on: e.on}
		rows[n].key, again[n] = j.keys.of(e)
		if !e.Person.Nobody() {
			var err error
			if whose[n], err = j.people.Of(e.Provider, e.Person, e.part.layout.Provider == ""); err != nil {
				return err
			}
			rows[n].driver = whose[n].Driver
		}
	}
	stand, err := j.stands.find(rows)
	if err != nil {
		return err
	}
	for n := range block {
		e, who := &block[n], whose[n]
		known, stands := stand.known[rows[n].key]
		sum := j.totals[e.typ]
		if sum == nil {
			sum = &counts.Sum{Type: e.typ}
			j.totals[e.typ] = sum
		}
		sum.Count++
		if err := total(&sum.Sum, e.Amount); err != nil {
			return err
		}
		if !again[n] {
			row := fileRow{e.part, e.Provider, e.typ, e.Amount, e.At, e.on, e.from, e.to, e.Line, who, e.ExternalID}
			if err := j.compare.take(row, known, stand.versions[rows[n].key]); err != nil {
				return err
			}
		}
		if again[n] || stands {
			j.preview.Counts.Transactions.Existing++
			if who != nil {
				who.Existing++
			}
			continue
		}
		sum.NewCount++
		if err := total(&sum.NewSum, e.Amount); err != nil {
			return err
		}
		if who == nil {
			j.fleet++
			continue
		}
		who.Fresh++
		if err := total(&who.Sum, e.Amount); err != nil {
			return err
		}
	}
	return nil
}

// restated finds out what the file says anew. What stands in other words is counted as standing.
func (j *analysis) restated() error {
	f, err := j.compare.conclude()
	if err != nil {
		return err
	}
	j.preview.Changes = j.compare.changes(f)
	for _, p := range f.same {
		for _, row := range p.same {
			j.preview.Counts.Transactions.Existing++
			if sum := j.totals[row.Type]; sum != nil {
				sum.NewCount--
				sum.NewSum -= row.Amount
			}
			if p.who == nil {
				j.fleet--
				continue
			}
			p.who.Fresh--
			p.who.Existing++
			p.who.Sum -= row.Amount
		}
	}
	return nil
}

// conclude makes the counts of the file out of those of its people.
func (j *analysis) conclude() {
	c := &j.preview.Counts
	c.Transactions.Fleet = j.fleet
	for _, w := range j.people.All() {
		c.Drivers.All++
		switch {
		case w.Driver != "":
			c.Drivers.Existing++
			c.Transactions.New += w.Fresh
			j.preview.Matches.By[w.How]++
		case w.State == unmatched.Ignored:
			c.Drivers.Ignored++
			c.Transactions.Ignored += w.Fresh
			continue
		default:
			if w.Identity == "" {
				c.Drivers.New++
			} else {
				c.Drivers.Unassigned++
			}
			c.Transactions.Unassigned += w.Fresh
			if len(j.preview.Matches.Unassigned) < previewFirst {
				j.preview.Matches.Unassigned = append(j.preview.Matches.Unassigned,
					Stranger{w.Provider, w.Person.Keys, cut(w.Person.FullName()), w.Fresh + w.Existing, w.Sum})
			}
		}
		if w.How == unmatched.ByName {
			j.preview.Matches.Pairs = append(j.preview.Matches.Pairs,
				Pair{w.Provider, w.Surest, cut(w.Person.FullName()), w.Driver, j.people.DriverName(w.Driver), w.Fresh + w.Existing})
		}
	}
	c.Transactions.Add()
	j.preview.Totals = counts.InOrder(j.totals)
	j.preview.Remembered, j.preview.Guessed = inOrderOfRules(j.recalled), inOrderOfRules(j.guesses)
	for _, code := range RowErrorCodes() {
		if kind, ok := j.rowError[code]; ok {
			j.preview.RowErrors = append(j.preview.RowErrors, *kind)
		}
	}
}

// describe says what the file was recognised as and which days it covers: those
// of its name, those of its rows, or those that were chosen.
func describe(rd *reading, j *analysis) (i Recognised) {
	for _, p := range rd.parts {
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

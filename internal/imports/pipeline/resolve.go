package pipeline

import (
	"context"

	"saldo/internal/imports/counts"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/relay"
)

// Entry is one amount of a file as it is booked. Its provider, currency and days are those that count: On is always there, and the span
// is empty where the amount is of one day. Tens of thousands wait in memory, so it has no more than is needed.
type Entry struct {
	statement.Entry
	Part        *Part
	Booked      string           // type: remembered or guessed where the file's is unknown
	Key         rowKey           // what makes it the same in another file
	Who         *unmatched.Match // nil: the fleet's own
	Stands      string           // key under which another import has brought it; empty: none has
	Dated       bool             // by the row itself
	CameUnknown bool             // the file does not say its type
	Recalled    bool             // a remembered type was taken
	Again       bool             // the same movement stood in this file before
}

// fresh says whether no import has brought the entry.
func (e *Entry) fresh() bool { return !e.Again && e.Stands == "" }

// ruleLayout is the layout by which a type that a person gives to the entry is remembered; empty: none is.
func (e *Entry) ruleLayout() string {
	if e.Label == "" {
		return ""
	}
	return e.Part.rules
}

// resolver finds out whose the entries of a file are and which of them stand already, and counts them. It is for one unit of work and
// one way through the file, whether the file is shown or booked.
type resolver struct {
	tx      *db.Tx
	rd      *reading
	keys    keyMaker
	people  *unmatched.Matcher
	stands  standingRows
	compare *comparison
	allNew  bool // no row of the file stands
	counts  counts.Counts
	totals  map[string]*counts.Sum
}

// resolver prepares the one way through a file that is expected to hold so many amounts.
func (l Pipeline) resolver(tx *db.Tx, f File, expected int64) (*resolver, error) {
	people, err := unmatched.LoadMatcher(tx, l.country(), f.MergeByName)
	if err != nil {
		return nil, err
	}
	rd, err := l.reading(tx, f)
	if err != nil {
		return nil, err
	}
	r := &resolver{tx: tx, rd: rd, keys: keyMaker{salt: f.salt(), seen: roomFor(expected)}, people: people, stands: standingRows{tx: tx},
		compare: newComparison(tx, f), totals: map[string]*counts.Sum{}}
	rd.skipped = func() { r.counts.Skipped++ }
	return r, nil
}

// blocks reads the file. What each row of money became is told to row, beside the goroutine of the unit of work; its entries come to
// take, resolved, in blocks of up to size.
func (r *resolver) blocks(ctx context.Context, size int, row func(*Part, table.Row, []Entry, []statement.RowError) error,
	take func([]Entry) error) error {
	return relay.Blocks(r.tx.HasInteractiveLoad, 2, size, func(add func(Entry) error) error {
		r.rd.row = func(p *Part, from table.Row, entries []Entry, rowErrors []statement.RowError) error {
			if len(rowErrors) > 0 {
				r.counts.Transactions.Failed++
			}
			if err := row(p, from, entries, rowErrors); err != nil {
				return err
			}
			for n := range entries {
				e := &entries[n]
				if err := r.identify(e); err != nil {
					return err
				}
				if err := add(*e); err != nil {
					return err
				}
			}
			return nil
		}
		return r.rd.run(ctx)
	}, func(block []Entry) error {
		if err := r.look(block); err != nil {
			return err
		}
		return take(block)
	})
}

// identify gives an entry its key and its person.
func (r *resolver) identify(e *Entry) (err error) {
	e.Key, e.Again = r.keys.of(e)
	if !e.Person.Nobody() {
		e.Who, err = r.people.Of(e.Provider, e.Person, e.Part.layout.Provider == "")
	}
	return err
}

// look finds out which entries of a block stand already, and counts all of them.
func (r *resolver) look(block []Entry) error {
	r.tx.Yield()
	stand := found{}
	if !r.allNew {
		var err error
		if stand, err = r.stands.find(block); err != nil {
			return err
		}
	}
	for n := range block {
		e := &block[n]
		known := stand.known[e.Key]
		e.Stands = known.key
		if err := r.count(e); err != nil {
			return err
		}
		if !e.Again {
			if err := r.compare.take(e, known, stand.versions[e.Key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// count counts an entry, in its type and with its person.
func (r *resolver) count(e *Entry) error {
	sum := r.totals[e.Booked]
	if sum == nil {
		sum = &counts.Sum{Type: e.Booked}
		r.totals[e.Booked] = sum
	}
	sum.Count++
	if err := total(&sum.Sum, e.Amount); err != nil {
		return err
	}
	if !e.fresh() {
		r.counts.Transactions.Existing++
		if e.Who != nil {
			e.Who.Existing++
		}
		return nil
	}
	sum.NewCount++
	if err := total(&sum.NewSum, e.Amount); err != nil {
		return err
	}
	if e.Who == nil {
		r.counts.Transactions.Fleet++
		return nil
	}
	e.Who.Fresh++
	return total(&e.Who.Sum, e.Amount)
}

// total adds amounts and keeps what does not fit as an error.
func total(sum *money.Amount, amount money.Amount) (err error) {
	*sum, err = sum.Add(amount)
	return err
}

// restated finds out what the file says anew, once all of it was read. What stands in other words is counted as standing.
func (r *resolver) restated() (finding, error) {
	f, err := r.compare.conclude()
	if err != nil {
		return f, err
	}
	c := &r.counts
	for _, p := range f.same {
		for _, row := range p.same {
			c.Transactions.Existing++
			if sum := r.totals[row.Type]; sum != nil {
				sum.NewCount--
				sum.NewSum -= row.Amount
			}
			if p.who == nil {
				c.Transactions.Fleet--
				continue
			}
			p.who.Fresh--
			p.who.Existing++
			p.who.Sum -= row.Amount
		}
	}
	return f, nil
}

// conclude makes the counts of the file out of those of its people.
func (r *resolver) conclude() {
	c := &r.counts
	for _, w := range r.people.All() {
		c.Drivers.All++
		switch {
		case w.Driver != "":
			c.Drivers.Existing++
			c.Transactions.New += w.Fresh
		case w.State == unmatched.Ignored:
			c.Drivers.Ignored++
			c.Transactions.Ignored += w.Fresh
		default:
			if w.Unknown() {
				c.Drivers.New++
			} else {
				c.Drivers.Unassigned++
			}
			c.Transactions.Unassigned += w.Fresh
		}
	}
	c.Transactions.Add()
}

package pipeline

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"saldo/internal/imports/counts"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/platform/relay"
)

// block is how many amounts are written at once. They are written driver by
// driver, which is how most indexes stand: the more there are, the fewer pages
// of those are touched, and the more memory they take.
const block = 24_000

// BookOptions are what a file is booked by.
type BookOptions struct {
	Preview  Preview // as it was shown
	BookedAs string  // what a person said about money that another file has brought in another form; empty: nothing
	Restated string  // and about weeks that stand already
}

// Booked is what booking a file came to.
type Booked struct {
	Counts   counts.Counts
	Totals   counts.Totals
	Replaced []string // rows that the file takes the force of, once it counts as imported
	Joined   bool     // rows that it has in other words stood already
}

// booking writes a file block by block.
type booking struct {
	tx      *db.Tx
	file    File
	asked   BookOptions
	booked  Booked
	people  *unmatched.Matcher
	totals  map[string]*counts.Sum
	written *atomic.Int64
	keys    *keyMaker
	stands  standingRows
	compare *comparison
	allNew  bool // the preview found no row of the file standing, and nothing was imported since
}

// owned is an amount that is to be booked, and whose it is. Tens of thousands
// wait in memory, so it has no more than it needs.
type owned struct {
	provider, typ, name, text         string
	amount                            money.Amount
	currency                          money.Currency
	at                                time.Time
	on, from, to                      calendar.Date
	payment, file, column, externalID string
	line                              int64
	key                               rowKey
	unknown, again                    bool
	layout, label                     string           // by which a type given to it would be remembered
	who                               *unmatched.Match // nil: the fleet's own
	part                              *Part
}

func (b *booking) row(p *Part, entries []entry, rowErrors []statement.RowError, add func(owned) error) error {
	if len(rowErrors) > 0 {
		b.booked.Counts.Transactions.Failed++
		return nil
	}
	for i := range entries {
		e := &entries[i]
		o := owned{provider: e.Provider, typ: e.typ, name: e.Name, text: e.Text, amount: e.Amount, currency: e.Currency, at: e.At, on: e.on,
			from: e.from, to: e.to,
			payment: e.Payment, file: b.file.Name, column: e.Column, externalID: e.ExternalID, line: e.Line, part: p,
			unknown: e.Type == kinds.Unknown || e.Guess != "" || e.recalled,
			layout:  e.layout, label: e.label}
		o.key, o.again = b.keys.of(e)
		if p.Name != "" {
			o.file += " / " + p.Name
		}
		if !e.Person.Nobody() {
			var err error
			if o.who, err = b.people.Of(e.Provider, e.Person, p.layout.Provider == ""); err != nil {
				return err
			}
		}
		if err := add(o); err != nil {
			return err
		}
	}
	return nil
}

// write writes what stands nowhere yet.
func (b *booking) write(block []owned) error {
	stand, err := b.standing(block)
	if err != nil {
		return err
	}
	booked, waiting := make([]*owned, 0, len(block)), []*owned{}
	unknown, contained := []*unmatched.Match{}, []ledger.Containing{}
	c := &b.booked.Counts.Transactions
	for n := range block {
		e, w := &block[n], block[n].who
		known, stands := stand.known[e.key]
		fresh := !e.again && !stands
		if err := b.add(e, fresh); err != nil {
			return err
		}
		if !e.again {
			row := fileRow{e.part, e.provider, e.typ, e.amount, e.at, e.on, e.from, e.to, e.line, w, e.externalID}
			if err := b.compare.take(row, known, stand.versions[e.key]); err != nil {
				return err
			}
		}
		if w != nil && w.Driver == "" && w.Identity == "" {
			w.Store(b.tx.NewID())
			unknown = append(unknown, w)
		}
		switch {
		case !fresh:
			c.Existing++
			if stands && !e.again {
				contained = append(contained, ledger.Containing{RowKey: known.key, File: e.file, Line: e.line, Column: e.column})
			}
			continue
		case w == nil:
			c.Fleet++
		case w.Driver != "":
			c.New++
			booked = append(booked, e)
			continue
		case w.State == unmatched.Ignored:
			c.Ignored++
		default:
			c.Unassigned++
		}
		waiting = append(waiting, e)
	}
	if err := ledger.Contains(b.tx, b.file.ImportID, contained); err != nil {
		return err
	}
	if err := unmatched.Add(b.tx, unknown); err != nil {
		return err
	}
	b.written.Add(int64(len(block) - len(booked) - len(waiting)))
	byDriver := b.transactions(booked, func(w *unmatched.Match) string { return w.Driver })
	if _, err := ledger.AddMany(b.tx, b.file.ImportID, byDriver); err != nil {
		return err
	}
	if len(waiting) == 0 {
		return nil
	}
	return ledger.AddUnmatched(b.tx, b.file.ImportID, b.transactions(waiting, func(w *unmatched.Match) string { return w.Identity }))
}

// standing says what stands of a block.
func (b *booking) standing(block []owned) (found, error) {
	if b.allNew {
		return found{}, nil
	}
	rows := make([]asked, len(block))
	for n := range block {
		e := &block[n]
		rows[n] = asked{key: e.key, named: e.externalID != "", amount: e.amount, on: e.on}
		if e.who != nil {
			rows[n].driver = e.who.Driver
		}
	}
	return b.stands.find(rows)
}

// restated says which rows the file takes the force of, once it is written. Without a word from a person it takes nobody's.
func (b *booking) restated() ([]string, error) {
	f, err := b.compare.conclude()
	if err != nil {
		return nil, err
	}
	if len(f.changed) > 0 && b.asked.Restated == "" {
		return nil, ErrRestated.With("count", len(f.changed))
	}
	if b.asked.Restated == Replace {
		if err := f.replaceable(); err != nil {
			return nil, err
		}
	}
	b.booked.Joined = len(f.same) > 0
	if err := b.compare.join(f); err != nil {
		return nil, err
	}
	if b.asked.Restated == Beside {
		return nil, nil
	}
	return f.replaced(true), nil
}

// transactions are rows as they will stand, put in the order of whose they are:
// those of one person stay as the file has them. Each is told to whoever
// watches, and is used before the next is asked for.
func (b *booking) transactions(rows []*owned, id func(*unmatched.Match) string) iter.Seq[*ledger.Transaction] {
	of := func(o *owned) string {
		if o.who == nil {
			return ""
		}
		return id(o.who)
	}
	slices.SortStableFunc(rows, func(one, other *owned) int { return strings.Compare(of(one), of(other)) })
	return func(yield func(*ledger.Transaction) bool) {
		var t ledger.Transaction
		for _, o := range rows {
			t = ledger.Transaction{ID: b.tx.NewID(), Provider: o.provider, Type: o.typ, Amount: o.amount, Currency: o.currency, OccurredAt: o.at,
				OccurredOn: o.on, SpanFrom: o.from,
				SpanTo: o.to, Name: o.name, Description: o.text, Payment: o.payment, Source: "import", SourceFile: o.file, SourceRow: o.line,
				SourceColumn: o.column,
				ExternalID:   o.externalID, CameUnknown: o.unknown, RuleLayout: o.layout, RuleLabel: o.label, RowKey: o.key.String()}
			if o.who != nil {
				t.DriverID, t.IdentityID = o.who.Driver, o.who.Identity
			}
			if !yield(&t) {
				return
			}
			b.written.Add(1)
		}
	}
}

func (b *booking) add(e *owned, fresh bool) error {
	sum := b.totals[e.typ]
	if sum == nil {
		sum = &counts.Sum{Type: e.typ}
		b.totals[e.typ] = sum
	}
	sum.Count++
	if fresh {
		sum.NewCount++
		if err := total(&sum.NewSum, e.amount); err != nil {
			return err
		}
	}
	return total(&sum.Sum, e.amount)
}

// Book writes the rows of a file. written is how many it has written so far.
func (l Pipeline) Book(ctx context.Context, tx *db.Tx, f File, asked BookOptions, written *atomic.Int64) (Booked, error) {
	ppl, err := unmatched.LoadMatcher(tx, l.country(), f.MergeByName)
	if err != nil {
		return Booked{}, err
	}
	pairs := map[string]string{}
	for _, p := range asked.Preview.Matches.Pairs {
		pairs[unmatched.PairKey(p.Provider, p.Key)] = p.DriverID
	}
	ppl.Only(pairs)
	now, err := standing(tx)
	if err != nil {
		return Booked{}, err
	}
	expected := asked.Preview.Counts.Transactions
	b := &booking{tx: tx, stands: standingRows{tx: tx}, file: f, asked: asked, people: ppl, totals: map[string]*counts.Sum{}, written: written,
		compare: newComparison(tx, f), allNew: now == asked.Preview.Standing && expected.Existing == 0}
	rd, err := l.reading(tx, f)
	if err != nil {
		return Booked{}, err
	}
	rd.remembered = asked.Preview.rules()
	b.keys, rd.expected = &rd.keys, expected.All
	rd.skipped = func() { b.booked.Counts.Skipped++ }
	if err := relay.Blocks(tx.HasInteractiveLoad, 2, block, func(add func(owned) error) error {
		rd.row = func(p *Part, _ table.Row, entries []entry, rowErrors []statement.RowError) error {
			return b.row(p, entries, rowErrors, add)
		}
		return rd.run(ctx)
	}, b.write); err != nil {
		return Booked{}, err
	}
	if asked.BookedAs == "" {
		others, err := l.sameMoneyAs(tx, f, rd.parts)
		if err != nil {
			return Booked{}, err
		}
		if len(others) > 0 {
			return Booked{}, ErrSameMoney.With("import", others[0])
		}
	}
	if b.booked.Replaced, err = b.restated(); err != nil {
		return Booked{}, err
	}
	c := &b.booked.Counts
	for _, w := range ppl.All() {
		c.Drivers.All++
		switch {
		case w.Driver != "":
			c.Drivers.Existing++
		case w.State == unmatched.Ignored:
			c.Drivers.Ignored++
		case w.Unknown():
			c.Drivers.New++
		default:
			c.Drivers.Unassigned++
		}
	}
	c.Transactions.Add()
	b.booked.Totals = counts.InOrder(b.totals)
	return b.booked, nil
}

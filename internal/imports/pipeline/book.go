package pipeline

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"saldo/internal/fuel/details"
	"saldo/internal/imports/counts"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/imports/unmatched"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
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
	*resolver
	file    File
	asked   BookOptions
	written *atomic.Int64
	sums    *ledger.Totals // of what was written
}

// Book writes the rows of a file. written is how many it has written so far.
func (l Pipeline) Book(ctx context.Context, tx *db.Tx, f File, asked BookOptions, written *atomic.Int64) (booked Booked, err error) {
	expected := asked.Preview.Counts.Transactions
	r, err := l.resolver(tx, f, expected.All)
	if err != nil {
		return booked, err
	}
	pairs := map[string]string{}
	for _, p := range asked.Preview.Matches.Pairs {
		pairs[unmatched.PairKey(p.Provider, p.Key)] = p.DriverID
	}
	r.people.Only(pairs)
	r.writes = true
	r.rd.remembered = asked.Preview.rules()
	now, err := standing(tx)
	if err != nil {
		return booked, err
	}
	// the preview found no row of the file standing, and nothing was imported since
	r.allNew = now == asked.Preview.Standing && expected.Existing == 0
	b := &booking{resolver: r, file: f, asked: asked, written: written, sums: ledger.NewTotals()}
	nothing := func(*Part, table.Row, []Entry, []statement.RowError) error { return nil }
	if err := r.blocks(ctx, block, nothing, b.write); err != nil {
		return booked, err
	}
	if err := b.sums.Keep(tx); err != nil {
		return booked, err
	}
	if asked.BookedAs == "" {
		others, err := l.sameMoneyAs(tx, f, r.rd.parts)
		if err != nil {
			return booked, err
		}
		if len(others) > 0 {
			return booked, ErrSameMoney.With("import", others[0])
		}
	}
	found, err := r.restated()
	if err != nil {
		return booked, err
	}
	if booked.Replaced, err = b.replaced(found); err != nil {
		return booked, err
	}
	r.conclude()
	booked.Counts, booked.Totals, booked.Joined = r.counts, counts.InOrder(r.totals), len(found.same) > 0
	return booked, nil
}

// write writes what stands nowhere yet.
func (b *booking) write(block []Entry) error {
	booked, waiting := make([]*Entry, 0, len(block)), []*Entry{}
	unknown, contained := []*unmatched.Match{}, []ledger.Containing{}
	for n := range block {
		e := &block[n]
		w := e.Who
		if w != nil && w.Driver == "" && w.Identity == "" {
			w.Store(b.tx.NewID())
			unknown = append(unknown, w)
		}
		switch {
		case e.Again:
		case e.Stands != "":
			contained = append(contained, ledger.Containing{RowKey: e.Stands, File: b.source(e), Line: e.Line, Column: e.Column})
		case w != nil && w.Driver != "":
			booked = append(booked, e)
		default:
			waiting = append(waiting, e)
		}
	}
	if err := ledger.Contains(b.tx, b.file.ImportID, contained); err != nil {
		return err
	}
	if err := unmatched.Add(b.tx, unknown); err != nil {
		return err
	}
	if err := details.Add(b.tx, b.file.ImportID, refuellings(block)); err != nil {
		return err
	}
	b.written.Add(int64(len(block) - len(booked) - len(waiting)))
	byDriver := b.transactions(booked, func(w *unmatched.Match) string { return w.Driver })
	if _, err := ledger.AddBlock(b.tx, b.file.ImportID, byDriver, b.sums); err != nil {
		return err
	}
	if len(waiting) == 0 {
		return nil
	}
	return ledger.AddUnmatched(b.tx, b.file.ImportID, b.transactions(waiting, func(w *unmatched.Match) string { return w.Identity }))
}

// refuellings are what a block says of purchases at stations, by the keys under which their rows stand.
func refuellings(block []Entry) (found []details.Refuelling) {
	for n := range block {
		if e := &block[n]; e.Fuel != nil && !e.Again {
			found = append(found, details.Refuelling{RowKey: cmp.Or(e.Stands, e.Key.String()), Facts: details.Facts(*e.Fuel)})
		}
	}
	return found
}

// source is the file of an entry, and its part.
func (b *booking) source(e *Entry) string {
	if e.Part.Name == "" {
		return b.file.Name
	}
	return b.file.Name + " / " + e.Part.Name
}

// replaced says which rows the file takes the force of, once it is written. Without a word from a person it takes nobody's.
func (b *booking) replaced(f finding) ([]string, error) {
	if len(f.changed) > 0 && b.asked.Restated == "" {
		return nil, ErrRestated.With("count", len(f.changed))
	}
	if b.asked.Restated == Replace {
		if err := f.replaceable(); err != nil {
			return nil, err
		}
	}
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
func (b *booking) transactions(rows []*Entry, id func(*unmatched.Match) string) iter.Seq[*ledger.Transaction] {
	of := func(e *Entry) string {
		if e.Who == nil {
			return ""
		}
		return id(e.Who)
	}
	slices.SortStableFunc(rows, func(one, other *Entry) int { return strings.Compare(of(one), of(other)) })
	return func(yield func(*ledger.Transaction) bool) {
		var t ledger.Transaction
		for _, e := range rows {
			t = ledger.Transaction{ID: b.tx.NewID(), Provider: e.Provider, Type: e.Booked, Amount: e.Amount, Currency: e.Currency,
				OccurredAt: e.At, OccurredOn: e.On, SpanFrom: e.From, SpanTo: e.To, Name: e.Name, Description: e.Text, Payment: e.Payment,
				Source: "import", SourceFile: b.source(e), SourceRow: e.Line, SourceColumn: e.Column, ExternalID: e.ExternalID,
				CameUnknown: e.CameUnknown, RuleLayout: e.ruleLayout(), RuleLabel: e.Label, RowKey: e.Key.String()}
			if e.Who != nil {
				t.DriverID, t.IdentityID = e.Who.Driver, e.Who.Identity
			}
			if !yield(&t) {
				return
			}
			b.written.Add(1)
		}
	}
}

package imports

import (
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// block is how many amounts are written at once. They are written driver by
// driver, which is how most indexes stand: the more there are, the fewer pages
// of those are touched, and the more memory they take.
const block = 24_000

// isNew is the state, in memory only, of an identity that this file brought.
const isNew = "new"

// booking writes a file block by block.
type booking struct {
	tx      *db.Tx
	to      *Import
	people  *people
	totals  map[string]*Sum
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
	layout, label                     string // by which a type given to it would be remembered
	who                               *whose // nil: the fleet's own
	part                              *Part
}

func (b *booking) row(p *Part, entries []entry, rowErrors []statement.RowError, add func(owned) error) error {
	if len(rowErrors) > 0 {
		b.to.Counts.Transactions.Failed++
		return nil
	}
	for i := range entries {
		e := &entries[i]
		o := owned{provider: e.Provider, typ: e.typ, name: e.Name, text: e.Text, amount: e.Amount, currency: e.Currency, at: e.At, on: e.on,
			from: e.from, to: e.to,
			payment: e.Payment, file: b.to.FileName, column: e.Column, externalID: e.ExternalID, line: e.Line, part: p,
			unknown: e.Type == kinds.Unknown || e.Guess != "" || e.recalled,
			layout:  e.layout, label: e.label}
		o.key, o.again = b.keys.of(e)
		if p.Name != "" {
			o.file += " / " + p.Name
		}
		if !e.Person.Nobody() {
			var err error
			if o.who, err = b.people.of(e.Provider, e.Person, p.layout.Provider == ""); err != nil {
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
	unmatched, contained := []*whose{}, []ledger.Containing{}
	c := &b.to.Counts.Transactions
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
		if w != nil && w.driver == "" && w.identity == "" {
			w.identity, w.state = b.tx.NewID(), isNew
			unmatched = append(unmatched, w)
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
		case w.driver != "":
			c.New++
			booked = append(booked, e)
			continue
		case w.state == Ignored:
			c.Ignored++
		default:
			c.Unassigned++
		}
		waiting = append(waiting, e)
	}
	if err := ledger.Contains(b.tx, b.to.ID, contained); err != nil {
		return err
	}
	if err := b.addUnmatched(unmatched); err != nil {
		return err
	}
	b.written.Add(int64(len(block) - len(booked) - len(waiting)))
	if _, err := ledger.AddMany(b.tx, b.to.ID, b.transactions(booked, func(w *whose) string { return w.driver })); err != nil {
		return err
	}
	if len(waiting) == 0 {
		return nil
	}
	return b.addUnmatchedRows(b.transactions(waiting, func(w *whose) string { return w.identity }))
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
			rows[n].driver = e.who.driver
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
	if len(f.changed) > 0 && b.to.Restated == "" {
		return nil, ErrRestated.With("count", len(f.changed))
	}
	if b.to.Restated == Replace {
		if err := f.replaceable(); err != nil {
			return nil, err
		}
	}
	b.to.joined = len(f.same) > 0
	if err := b.compare.join(b.to, f); err != nil {
		return nil, err
	}
	if b.to.Restated == Beside {
		return nil, nil
	}
	return f.replaced(true), nil
}

// transactions are rows as they will stand, put in the order of whose they are:
// those of one person stay as the file has them. Each is told to whoever
// watches, and is used before the next is asked for.
func (b *booking) transactions(rows []*owned, id func(*whose) string) iter.Seq[*ledger.Transaction] {
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
				t.DriverID, t.IdentityID = o.who.driver, o.who.identity
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
		sum = &Sum{Type: e.typ}
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

// addUnmatched stores people who match no driver.
func (b *booking) addUnmatched(unmatched []*whose) error {
	if len(unmatched) == 0 {
		return nil
	}
	_, err := b.tx.Insert("unmatched_drivers",
		[]string{"id", "provider", "key_kind", "key_value", "keys", "first_name", "last_name", "name", "state", "driver_id", "taught",
			"created_at",
			"decided_at", "decided_by"}, func(yield func([]any) bool) {
			for _, w := range unmatched {
				if !yield([]any{w.identity, w.provider, w.surest.Kind, w.surest.Value, packed(w.person.Keys), w.person.FirstName, w.person.LastName,
					w.person.Name, Unmatched, "", "[]", b.tx.Now, "", ""}) {
					return
				}
			}
		})
	return err
}

var unmatchedColumns = []string{"id", "identity_id", "provider", "type", "amount", "currency", "occurred_at", "occurred_on", "span_from",
	"span_to", "name", "description", "search_key",
	"payment", "import_id", "source_file", "source_row", "source_column", "external_id", "came_unknown", "rule_layout", "rule_label",
	"evidence", "evidence_type", "evidence_name", "reason", "row_key",
	"created_at", "created_by"}

// addUnmatchedRows writes rows that are no driver's.
func (b *booking) addUnmatchedRows(rows iter.Seq[*ledger.Transaction]) error {
	_, err := b.tx.Insert("unmatched_rows", unmatchedColumns, func(yield func([]any) bool) {
		for t := range rows {
			if !yield([]any{t.ID, t.IdentityID, t.Provider, t.Type, int64(t.Amount), string(t.Currency), t.OccurredAt, string(t.OccurredOn),
				string(t.SpanFrom), string(t.SpanTo), t.Name,
				t.Description, t.SearchKey(), t.Payment, b.to.ID, t.SourceFile, t.SourceRow, t.SourceColumn, t.ExternalID, t.CameUnknown, t.RuleLayout,
				t.RuleLabel, "", "", "", "", t.RowKey, b.tx.Now, b.tx.Actor.ID}) {
				return
			}
		}
	})
	return err
}

package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"saldo/internal/imports/counts"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/table"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/calendar"
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
	writes  bool // the unit of work has enough to do with writing: keys and people are found by the goroutine that reads
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
				if r.writes {
					if err := r.identify(&entries[n]); err != nil {
						return err
					}
				}
				if err := add(entries[n]); err != nil {
					return err
				}
			}
			return nil
		}
		return r.rd.run(ctx)
	}, func(block []Entry) error {
		if !r.writes {
			for n := range block {
				if err := r.identify(&block[n]); err != nil {
					return err
				}
			}
		}
		if err := r.look(block); err != nil {
			return err
		}
		return take(block)
	})
}

// identify gives an entry its key and its person. It is called for each once, in the order of the file.
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

// rowKey is what makes a row the same row in another file.
type rowKey [16]byte

// How much of a key is the movement where the provider names it: whole signs of its text.
const (
	namedBytes   = 9
	namedLetters = namedBytes * 4 / 3
)

func (k rowKey) String() string { return base64.RawURLEncoding.EncodeToString(k[:]) }

// keyMaker gives each entry its key. All that it remembers of a row is one key.
type keyMaker struct {
	salt string
	seen keySet
	// line is the row that is being read, and how often each movement and type stood in it.
	line    int64
	inLine  map[string]int
	buffer  []byte
	day     calendar.Date // that was last numbered
	dayNo   uint16
	columns map[string]string // folded
}

// of is the key of an entry: what the provider calls the movement, or else
// everything that the row says and how often the file said it before. So two
// equal rows both count, and a file that overlaps another adds what is new.
// again says that the same movement stood in this file before.
// A row may hold several amounts of one movement: they are distinguished by their
// type and their order in the row. A key made of the content starts with its
// day: rows of a week then stand side by side in an index of years.
func (k *keyMaker) of(e *Entry) (key rowKey, again bool) {
	k.buffer = k.buffer[:0]
	k.add(k.salt, e.Provider)
	if e.ExternalID != "" {
		if k.line != e.Line || k.inLine == nil {
			k.line, k.inLine = e.Line, map[string]int{}
		}
		name := e.ExternalID + "\x00" + e.Type
		k.inLine[name]++
		k.add("id", e.ExternalID, e.Type)
		k.number(int64(k.inLine[name]))
		key = k.done()
		again = k.seen.add(key) > 1
		// its start is the movement, its end the version: what the provider changed since is found by the start
		k.buffer = append(k.buffer[:0], key[:]...)
		k.number(int64(e.Amount))
		k.add(string(e.On))
		if len(e.Person.Keys) > 0 {
			k.add(e.Person.Keys[0].Compared())
		} else {
			k.add(e.Person.FullName())
		}
		version := k.done()
		copy(key[namedBytes:], version[:])
		return key, again
	}
	k.add("row", e.Part.Kind)
	for _, one := range e.Person.Keys {
		k.add(one.Kind, one.Compared())
	}
	if len(e.Person.Keys) == 0 {
		k.add("name", e.Person.FullName())
	}
	k.add(e.Type, k.folded(e.Column), string(e.Currency), string(e.On), string(e.From), string(e.To), e.Payment, e.Name, e.Text)
	k.number(int64(e.Amount))
	if !e.At.IsZero() {
		k.number(e.At.UnixMicro())
	}
	content := k.done()
	k.buffer = append(k.buffer[:0], content[:]...)
	k.number(int64(k.seen.add(content)))
	key = k.done()
	if k.day != e.On {
		k.day, k.dayNo = e.On, uint16(e.On.DaysSince(statement.FirstDay))
	}
	binary.BigEndian.PutUint16(key[:], k.dayNo)
	return key, false
}

func (k *keyMaker) folded(column string) string {
	folded, ok := k.columns[column]
	if !ok {
		if k.columns == nil {
			k.columns = map[string]string{}
		}
		folded = statement.Fold(column)
		k.columns[column] = folded
	}
	return folded
}

func (k *keyMaker) add(texts ...string) {
	for _, text := range texts {
		k.number(int64(len(text)))
		k.buffer = append(k.buffer, text...)
	}
}

func (k *keyMaker) number(n int64) { k.buffer = binary.AppendVarint(k.buffer, n) }

func (k *keyMaker) done() (key rowKey) {
	whole := sha256.Sum256(k.buffer)
	copy(key[:], whole[:])
	return key
}

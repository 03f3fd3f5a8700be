package bankstatement

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Transfer is one that a bank was told to make.
type Transfer struct {
	ID         string
	File       int64         // that told the bank of it
	Since      calendar.Date // nothing happened to it before
	PaidOn     calendar.Date // as an earlier statement said; empty: none did
	ReturnedOn calendar.Date
	Account    string
	Amount     money.Amount // positive
	Title      string
	EndToEnd   string
	Reference  string // that the bank gave; empty: not known
}

// Outcome is what a statement says of a transfer.
type Outcome string

// The outcomes.
const (
	Paid     Outcome = "paid"
	Returned Outcome = "returned"
	Unclear  Outcome = "unclear"
)

// Why is what an outcome was decided by.
type Why string

// The reasons, of which the first four decide.
const (
	ByID      Why = "id"      // the end-to-end id or the bank's reference
	ByTitle   Why = "title"   // account, amount and title
	ByAccount Why = "account" // account and amount, and only one fits
	AsOneSum  Why = "one_sum" // the bank booked the whole file at once

	Known        Why = "known" // an earlier statement said it
	NotFound     Why = "not_found"
	OtherAmount  Why = "other_amount"  // the id fits and the amount does not
	OtherAccount Why = "other_account" // the id fits and the money went elsewhere
	Several      Why = "several"       // more than one fits, or one fits more than one transfer
	LooseReturn  Why = "loose_return"  // a return of that amount is no transfer's
)

// Proposal is what is proposed for one transfer. People decide.
type Proposal struct {
	TransferID string
	Outcome    Outcome
	Why        Why
	Entry      int  // place among the entries of what was paid; -1: none
	Return     int  // and of what came back; -1: none
	OneSum     bool // the entry is that of all transfers
}

// Match proposes what became of transfers, in their order. No entry is used for
// two of them, except the one sum of all transfers of a file, and the order of
// the entries does not matter. What came back beats what was paid. What an
// earlier statement said takes its entries first, should they be here again,
// and is proposed once more only when more became of it.
func Match(transfers []Transfer, entries []Entry) []Proposal {
	m := matching{transfers: transfers, entries: entries, proposals: make([]Proposal, len(transfers)), used: map[int]bool{}}
	for i, t := range transfers {
		m.proposals[i] = Proposal{t.ID, Unclear, NotFound, -1, -1, false}
	}
	for i := range entries {
		m.order = append(m.order, i)
	}
	// from here on places of the file decide what its order did
	slices.SortFunc(m.order, func(a, b int) int { return compare(&entries[a], &entries[b]) })
	files := map[int64][]int{}
	for i, t := range transfers {
		files[t.File] = append(files[t.File], i)
	}
	for _, file := range files {
		m.known(file)
	}
	for _, back := range []bool{false, true} {
		m.byID(back)
		m.grouped(back, true)
		m.grouped(back, false)
	}
	m.oneSums(files)
	m.loose()
	return m.proposals
}

// known takes the entries of what is known already of a file's transfers: each
// its own, or the one sum of all.
func (m *matching) known(file []int) {
	single, amounts := false, []money.Amount{}
	for _, i := range file {
		t := &m.transfers[i]
		for _, back := range []bool{false, true} {
			on := t.PaidOn
			if back {
				on = t.ReturnedOn
			}
			if on == "" {
				continue
			}
			p := &m.proposals[i]
			p.Why = Known
			taken := m.take(func(e int) bool {
				one := &m.entries[e]
				return one.Day == on && m.runs(e, back) && m.size(e) == t.Amount &&
					(one.EndToEnd != "" && one.EndToEnd == t.EndToEnd || one.Account != "" && account(one.Account) == account(t.Account))
			})
			if back {
				p.Return = taken
			} else {
				p.Entry, single = taken, single || taken >= 0
			}
		}
		amounts = append(amounts, t.Amount)
	}
	on := m.transfers[file[0]].PaidOn
	if sum, err := money.Sum(amounts...); on != "" && !single && err == nil {
		if taken := m.take(func(e int) bool { return m.entries[e].Day == on && m.runs(e, false) && m.size(e) == sum }); taken >= 0 {
			for _, i := range file {
				m.proposals[i].Entry, m.proposals[i].OneSum = taken, true
			}
		}
	}
}

// take uses the first entry that fits; -1: there is none.
func (m *matching) take(fits func(e int) bool) int {
	n := slices.IndexFunc(m.order, fits)
	if n < 0 {
		return -1
	}
	m.used[m.order[n]] = true
	return m.order[n]
}

func compare(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Amount, b.Amount), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Title, b.Title),
		cmp.Compare(a.EndToEnd, b.EndToEnd),
		cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Place, b.Place))
}

type matching struct {
	transfers []Transfer
	entries   []Entry
	order     []int // entries as they are gone through
	proposals []Proposal
	used      map[int]bool
}

// runs says whether an entry goes the way that is looked at. What goes out to
// give something back pays nobody.
func (m *matching) runs(e int, back bool) bool {
	one := &m.entries[e]
	if back {
		return !m.used[e] && one.Amount > 0
	}
	return !m.used[e] && one.Amount < 0 && !one.Returned
}

// open says whether a transfer can still get an entry of that way.
func (m *matching) open(t int, back bool) bool {
	p := &m.proposals[t]
	if back {
		return p.Return < 0 && !p.Why.differs() && m.transfers[t].ReturnedOn == ""
	}
	return p.Entry < 0 && p.Why == NotFound
}

func (m *matching) set(t, e int, back bool, why Why) {
	p := &m.proposals[t]
	m.used[e] = true
	switch {
	case back:
		p.Outcome, p.Why, p.Return = Returned, why, e
	case why.differs():
		p.Outcome, p.Why, p.Entry = Unclear, why, e
	default:
		p.Outcome, p.Why, p.Entry = Paid, why, e
	}
}

// unclear leaves a transfer to people. What is known to have come back stays so.
func (m *matching) unclear(t int, why Why) {
	if p := &m.proposals[t]; p.Outcome != Returned && p.Why != Known {
		p.Outcome, p.Why = Unclear, why
	}
}

// size is what an entry moved.
func (m *matching) size(e int) money.Amount {
	if a := m.entries[e].Amount; a > 0 {
		return a
	}
	return -m.entries[e].Amount
}

// byID gives entries to transfers whose end-to-end id or reference they have.
// What comes in with an id of ours is a return, whether it says so or not. A
// reference of several is that of a batch and decides nothing.
func (m *matching) byID(back bool) {
	for _, of := range []struct {
		entry    func(*Entry) string
		transfer func(*Transfer) string
		batch    bool
	}{
		{func(e *Entry) string { return e.EndToEnd }, func(t *Transfer) string { return t.EndToEnd }, false},
		{func(e *Entry) string { return e.Reference }, func(t *Transfer) string { return t.Reference }, true},
	} {
		owners, found := map[string][]int{}, map[string][]int{}
		for i := range m.transfers {
			if id := of.transfer(&m.transfers[i]); id != "" && m.open(i, back) {
				owners[id] = append(owners[id], i)
			}
		}
		for _, e := range m.order {
			if id := of.entry(&m.entries[e]); m.runs(e, back) && owners[id] != nil && m.entries[e].Day >= m.transfers[owners[id][0]].Since {
				found[id] = append(found[id], e)
			}
		}
		for id, list := range found {
			switch whose := owners[id]; {
			case of.batch && (len(whose) > 1 || len(list) > 1):
			case len(whose) > 1 || len(list) > 1:
				for _, t := range whose {
					m.unclear(t, Several)
				}
				for _, e := range list { // nobody else may have them
					m.used[e] = true
				}
			default:
				m.byOneID(whose[0], list[0], back)
			}
		}
	}
}

// byOneID gives an entry to the transfer whose id it has, if the amount and the
// account are those that the bank was told; otherwise people decide.
func (m *matching) byOneID(t, e int, back bool) {
	why := ByID
	if m.size(e) != m.transfers[t].Amount {
		why = OtherAmount
	} else if other := m.entries[e].Account; !back && other != "" && account(other) != account(m.transfers[t].Account) {
		why = OtherAccount
	}
	if back && why != ByID {
		m.used[e] = true
		m.unclear(t, why)
		return
	}
	m.set(t, e, back, why)
}

// differs says that an id fits and something else does not.
func (w Why) differs() bool { return w == OtherAmount || w == OtherAccount }

// key is what equal transfers and entries have in common.
type key struct {
	account, title string
	amount         money.Amount
}

// grouped pairs what has the same account and amount, and the same title or
// else only where there is one of each.
func (m *matching) grouped(back, titled bool) {
	transfers, entries := map[key][]int{}, map[key][]int{}
	title := func(text string) string {
		if titled {
			return bare(text)
		}
		return ""
	}
	for i, t := range m.transfers {
		if k := (key{account(t.Account), title(t.Title), t.Amount}); k.account != "" && (!titled || k.title != "") && m.open(i, back) &&
			!m.decided(i, back) {
			transfers[k] = append(transfers[k], i)
		}
	}
	for _, e := range m.order {
		if !m.runs(e, back) || back && !m.entries[e].Returned {
			continue
		}
		if k := (key{account(m.entries[e].Account), title(m.entries[e].Title), m.size(e)}); transfers[k] != nil {
			entries[k] = append(entries[k], e)
		}
	}
	why := ByAccount
	if titled {
		why = ByTitle
	}
	for k, list := range entries {
		whose, list := m.timely(transfers[k], list)
		if len(whose) == 0 || len(list) == 0 {
			continue
		}
		if (titled && len(list) >= len(whose) || len(list) == 1 && len(whose) == 1) && m.inTime(whose, list) {
			for i, t := range whose {
				m.set(t, list[i], back, why)
			}
		} else if !titled {
			for _, t := range whose {
				m.unclear(t, Several)
			}
		}
	}
}

// timely leaves out transfers that are younger than all entries, and entries
// that are older than all transfers. The others are in the order of time.
func (m *matching) timely(transfers, entries []int) ([]int, []int) {
	slices.SortStableFunc(transfers, func(a, b int) int { return cmp.Compare(m.transfers[a].Since, m.transfers[b].Since) })
	last, first := m.entries[entries[len(entries)-1]].Day, m.transfers[transfers[0]].Since
	return slices.DeleteFunc(transfers, func(t int) bool { return m.transfers[t].Since > last }),
		slices.DeleteFunc(entries, func(e int) bool { return m.entries[e].Day < first })
}

// inTime says whether each transfer can have the entry at its place.
func (m *matching) inTime(transfers, entries []int) bool {
	for i, t := range transfers {
		if m.entries[entries[i]].Day < m.transfers[t].Since {
			return false
		}
	}
	return true
}

// decided says whether nothing more is to be learnt of a transfer: one whose id
// was found unclear is not explained by what merely looks alike.
func (m *matching) decided(t int, back bool) bool {
	p := &m.proposals[t]
	return p.Why.differs() || p.Why == Several && !back
}

// oneSums takes one debit of the sum of all transfers of a file for all of
// them, where none was found on its own and no other file has that sum.
func (m *matching) oneSums(files map[int64][]int) {
	sums := map[money.Amount][][]int{}
	for _, file := range files {
		if sum, alone := m.unfound(file); alone && len(file) > 1 {
			sums[sum] = append(sums[sum], file)
		}
	}
	for sum, files := range sums {
		var found []int
		for _, e := range m.order {
			if m.runs(e, false) && m.size(e) == sum && m.entries[e].Day >= m.transfers[files[0][0]].Since {
				found = append(found, e)
			}
		}
		if len(found) == 0 {
			continue
		}
		for _, file := range files {
			for _, i := range file {
				p := &m.proposals[i]
				if len(found) > 1 || len(files) > 1 {
					m.unclear(i, Several)
					continue
				}
				m.used[found[0]] = true
				if p.Entry, p.OneSum = found[0], true; p.Outcome != Returned {
					p.Outcome, p.Why = Paid, AsOneSum
				}
			}
		}
	}
}

// unfound is the sum of a file's transfers, and whether no debit of any of them
// was found.
func (m *matching) unfound(file []int) (money.Amount, bool) {
	var amounts []money.Amount
	for _, i := range file {
		if p := &m.proposals[i]; p.Entry >= 0 || p.Why != NotFound && p.Return < 0 || m.transfers[i].PaidOn != "" {
			return 0, false
		}
		amounts = append(amounts, m.transfers[i].Amount)
	}
	sum, err := money.Sum(amounts...)
	return sum, err == nil
}

// loose marks as unclear what is called paid while something of that amount came back and
// is nobody's: not every bank says from where.
func (m *matching) loose() {
	for _, e := range m.order {
		if !m.runs(e, true) || !m.entries[e].Returned {
			continue
		}
		for t := range m.transfers {
			if m.proposals[t].Outcome == Paid && m.transfers[t].Amount == m.size(e) {
				m.unclear(t, LooseReturn)
			}
		}
	}
}

// bare is a title by its letters and digits: banks break, capitalise and
// simplify it.
func bare(title string) string {
	var text strings.Builder
	for _, r := range norm.NFKD.String(strings.ToUpper(title)) {
		switch {
		case r == 'Ł':
			text.WriteByte('L')
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			text.WriteRune(r)
		}
	}
	return text.String()
}

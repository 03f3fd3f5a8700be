package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"saldo/internal/billing"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// Sort is what an entry of a month is.
type Sort string

// The sorts.
const (
	Settlement Sort = "settlement"
	Payment    Sort = "payment" // of a settlement
	Document   Sort = "document"
)

// Sorts are all there are.
func Sorts() []Sort { return []Sort{Settlement, Payment, Document} }

// Entry is a thing of a month with what counts of it. Names of people are none of it: a name that is corrected changes no month.
type Entry struct {
	Sort    Sort          `json:"sort"`
	ID      string        `json:"id"`
	Number  string        `json:"number"`
	State   string        `json:"state"` // of a settlement: revoked or not; that it was paid is a payment
	On      calendar.Date `json:"on"`    // its last day, the day of the payment, the day of issue
	Amounts []int64       `json:"amounts"`
	Mark    string        `json:"mark"` // of a document: what the tax office said, and how often it was made
}

// contents are what a month holds.
type contents struct {
	Entries []Entry `json:"entries"`
	Figures Figures `json:"figures"`
}

// fingerprint is the same for the same contents, and for no others.
func (c *contents) fingerprint() string {
	sum := sha256.Sum256([]byte(db.JSON(c.Entries)))
	return hex.EncodeToString(sum[:])
}

// filter chooses the settlements of a month: those whose last day is in it.
func filter(first, last calendar.Date) settlements.Filter {
	return settlements.Filter{EndsFrom: first, EndsTo: last}
}

// page is how many documents are read at once.
const page = 500

// gather reads what a month holds. Settlements belong to the month of their last day, payments to that of their day, documents to that of
// their issue: as the screens filter them.
func gather(tx *db.Tx, month string) (c contents, err error) {
	first, last, err := days(month)
	if err != nil {
		return c, err
	}
	if err := c.settlements(tx, filter(first, last)); err != nil {
		return c, err
	}
	if err := settlements.EachPaid(tx, first, last, func(s *settlements.Settlement) (err error) {
		c.Entries = append(c.Entries, Entry{Sort: Payment, ID: s.ID, Number: number(s.Number), On: s.PaidOn, Amounts: []int64{int64(s.Payout)}})
		c.Figures.Payments++
		c.Figures.Paid, err = c.Figures.Paid.Add(s.Payout)
		return err
	}); err != nil {
		return c, err
	}
	if err := eachDocument(tx, first, last, func(r *billing.Register, d *billing.Document) error {
		c.Entries = append(c.Entries, Entry{Sort: Document, ID: d.ID, Number: d.Number, State: string(d.State), On: d.IssuedOn,
			Amounts: []int64{int64(d.Net), int64(d.VAT), int64(d.Gross)}, Mark: d.AuthorityNumber + "/" + number(d.Edition)})
		c.Figures.Documents, c.Figures.Net, c.Figures.VAT, c.Figures.Gross = r.Total, r.Net, r.VAT, r.Gross
		return nil
	}); err != nil {
		return c, err
	}
	slices.SortFunc(c.Entries, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.ID, b.ID)) })
	return c, nil
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func (c *contents) settlements(tx *db.Tx, f settlements.Filter) error {
	page, err := settlements.List(tx, f) // without items: its sums are those of the screen
	if err != nil {
		return err
	}
	s := page.Sums
	c.Figures = Figures{Settlements: s.Count, Revoked: s.Revoked, Revenue: s.Revenue, CashCollected: s.CashCollected, Due: s.Due,
		Payout: s.Payout}
	return settlements.Each(tx, f, func(s *settlements.Settlement) error {
		e := Entry{Sort: Settlement, ID: s.ID, Number: number(s.Number), On: s.LastOn,
			Amounts: []int64{int64(s.Revenue), int64(s.CashCollected), int64(s.Due), int64(s.Payout)}}
		if s.State == settlements.Revoked {
			e.State = string(s.State)
		}
		c.Entries = append(c.Entries, e)
		return nil
	})
}

// eachDocument hands over what was issued on some days, newest first, with the sums of all of it.
func eachDocument(tx *db.Tx, first, last calendar.Date, do func(*billing.Register, *billing.Document) error) error {
	for n := int64(1); ; n++ {
		r, err := billing.Issuances(tx, billing.Filter{From: first, To: last}, n, page)
		if err != nil {
			return err
		}
		for i := range r.Items {
			if err := do(&r, &r.Items[i]); err != nil {
				return err
			}
		}
		if n*page >= r.Total {
			return nil
		}
	}
}

// Change is one difference between two versions.
type Change struct {
	Sort          Sort
	Number        string
	Before, After *Fact // nil: it was not there, or is not there any more
}

// Fact is what an entry counted.
type Fact struct {
	State  string
	On     calendar.Date
	Amount money.Amount // due, paid, or gross
}

func factOf(e *Entry) *Fact {
	at := map[Sort]int{Settlement: 2, Payment: 0, Document: 2}[e.Sort]
	return &Fact{e.State, e.On, money.Amount(e.Amounts[at])}
}

// differences are what is not the same in two lists of entries, each in the order of gather.
func differences(before, after []Entry) (list []Change) {
	for len(before)+len(after) > 0 {
		var order int
		switch {
		case len(before) == 0:
			order = 1
		case len(after) == 0:
			order = -1
		default:
			order = cmp.Or(cmp.Compare(before[0].Sort, after[0].Sort), cmp.Compare(before[0].ID, after[0].ID))
		}
		switch {
		case order < 0:
			list = append(list, Change{before[0].Sort, before[0].Number, factOf(&before[0]), nil})
			before = before[1:]
		case order > 0:
			list = append(list, Change{after[0].Sort, after[0].Number, nil, factOf(&after[0])})
			after = after[1:]
		default:
			if db.JSON(before[0]) != db.JSON(after[0]) {
				list = append(list, Change{before[0].Sort, before[0].Number, factOf(&before[0]), factOf(&after[0])})
			}
			before, after = before[1:], after[1:]
		}
	}
	return list
}

package engine

import (
	"cmp"
	"fmt"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
)

// Open is everything of one driver that no settlement has taken, and what was settled before.
type Open struct {
	Terms        // VAT is ignored where VATOn is given
	VATOn        func(calendar.Date) VAT
	Transactions []Transaction
	Trips        []Trip
	Invoices     []Invoice
	Settled      []Settled // at least those that share a week with what is open
}

// Pending gives the chain of a driver's periods that have activity, oldest first, with what each carries into the next.
func Pending(o Open) ([]Settlement, error) {
	r := &o.Rules
	if r.WeekStartDay < 1 || r.WeekStartDay > 7 || o.Weeks != 1 && o.Weeks != 2 && o.Weeks != mostWeeks {
		return nil, ErrTerms
	}
	chain, err := o.periods()
	if err != nil {
		return nil, err
	}
	done := make([]Settlement, 0, len(chain))
	for _, in := range chain {
		if n := len(done); n > 0 && r.AutoNextPeriod && done[n-1].Figures[Due] < 0 {
			before := &done[n-1]
			in.CarryIn = before.Figures[Due]
			in.CarriedFrom = append(slices.Clone(before.CarriedFrom), before.Period)
		}
		if o.VATOn != nil {
			last := in.Last
			if last == "" {
				_, last, _ = calendar.PeriodDays(in.Period, int(r.WeekStartDay), o.Weeks)
			}
			in.VAT = o.VATOn(last)
		}
		s, err := Compute(in.Input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Period, err)
		}
		s.Days = in.days
		done = append(done, s)
	}
	return done, nil
}

// pendingPeriod is a period of the chain with the days that its rows are of, where days around them may be others'.
type pendingPeriod struct {
	Input
	days []calendar.Date
}

// periods sorts what is open into the periods it belongs to.
func (o *Open) periods() ([]*pendingPeriod, error) {
	if err := o.checkSettled(); err != nil {
		return nil, err
	}
	byCode := map[calendar.Period]*pendingPeriod{}
	codes := map[calendar.Date]calendar.Period{} // rows of one day are many
	of := func(on calendar.Date) (*pendingPeriod, error) {
		code, known := codes[on]
		if known {
			return byCode[code], nil
		}
		if !settleable(on) {
			return nil, fmt.Errorf("%w: a row on %.40q", ErrOutside, string(on))
		}
		in := o.periodOf(on)
		codes[on] = in.Period
		if former := byCode[in.Period]; former != nil {
			former.join(in)
		} else {
			byCode[in.Period] = in
		}
		return byCode[in.Period], nil
	}
	for _, t := range o.Transactions {
		in, err := of(t.On)
		if err != nil {
			return nil, err
		}
		in.Transactions = append(in.Transactions, t)
	}
	for _, t := range o.Trips {
		in, err := of(t.On)
		if err != nil {
			return nil, err
		}
		in.Trips = append(in.Trips, t)
	}
	o.addSettled(byCode)
	chain := inOrder(byCode)
	for _, v := range o.Invoices {
		if !settleable(v.On) {
			return nil, fmt.Errorf("%w: an invoice on %.40q", ErrOutside, string(v.On))
		}
		if at := slices.IndexFunc(chain, func(in *pendingPeriod) bool { return o.lastOf(in) >= v.On }); at >= 0 {
			chain[at].Invoices = append(chain[at].Invoices, v)
			continue
		}
		in, err := of(v.On) // after every period with rows: it makes one
		if err != nil {
			return nil, err
		}
		in.Invoices = append(in.Invoices, v)
	}
	o.addSettled(byCode)
	return inOrder(byCode), nil
}

// periodOf is the period of a day: the settled one that has the day, or else the one of the boundaries that hold now, less the
// days of settled periods of other weeks.
func (o *Open) periodOf(on calendar.Date) *pendingPeriod {
	in := &pendingPeriod{Input: Input{Terms: o.Terms}}
	if len(o.Settled) == 0 {
		in.Period = calendar.PeriodOf(on, int(o.Rules.WeekStartDay)).Closing(o.Weeks)
		return in
	}
	in.days = []calendar.Date{on}
	for i := range o.Settled {
		s := &o.Settled[i]
		if first, last := o.daysOf(s); first <= on && on <= last {
			in.Period, in.Weeks, in.First, in.Last = s.Period, s.Weeks, first, last
			return in
		}
	}
	in.Period = calendar.PeriodOf(on, int(o.Rules.WeekStartDay)).Closing(o.Weeks)
	in.First, in.Last, _ = calendar.PeriodDays(in.Period, int(o.Rules.WeekStartDay), o.Weeks)
	for i := range o.Settled {
		first, last := o.daysOf(&o.Settled[i])
		if o.Settled[i].sharesWeek(in.Period, in.Weeks) {
			continue
		}
		if last < on {
			in.First = max(in.First, last.AddDays(1))
		} else if first > on {
			in.Last = min(in.Last, first.AddDays(-1))
		}
	}
	return in
}

// join makes one period of two of the same code.
func (in *pendingPeriod) join(other *pendingPeriod) {
	if in.Weeks = max(in.Weeks, other.Weeks); in.First == "" {
		return
	}
	in.First, in.Last, in.days = min(in.First, other.First), max(in.Last, other.Last), append(in.days, other.days...)
}

// addSettled gives periods what of their weeks is settled, and makes them reach over its days: a charge is that of all of them less
// what was charged.
func (o *Open) addSettled(byCode map[calendar.Period]*pendingPeriod) {
	for _, in := range byCode {
		in.Before = nil
		for i := range o.Settled {
			if s := &o.Settled[i]; s.sharesWeek(in.Period, in.Weeks) {
				first, last := o.daysOf(s)
				in.Before, in.First, in.Last = append(in.Before, *s), min(in.First, first), max(in.Last, last)
			}
		}
	}
}

func (o *Open) lastOf(in *pendingPeriod) calendar.Date {
	if in.Last != "" {
		return in.Last
	}
	_, last, _ := calendar.PeriodDays(in.Period, int(o.Rules.WeekStartDay), in.Weeks)
	return last
}

func (o *Open) checkSettled() error {
	for _, s := range o.Settled {
		_, err := calendar.ParsePeriod(string(s.Period))
		if err != nil || s.Period[:4] < firstYear || s.Period[:4] > lastYear || s.Weeks != 1 && s.Weeks != 2 && s.Weeks != mostWeeks {
			return fmt.Errorf("%w: settled %.40q of %d weeks", ErrTerms, string(s.Period), s.Weeks)
		}
		if first, last := o.daysOf(&s); !first.Exists() || !last.Exists() || first > last {
			return fmt.Errorf("%w: settled %s from %.40q to %.40q", ErrTerms, s.Period, string(first), string(last))
		}
	}
	return nil
}

// daysOf are the days that a settled settlement has.
func (o *Open) daysOf(s *Settled) (first, last calendar.Date) {
	if s.First != "" || s.Last != "" {
		return s.First, s.Last
	}
	first, last, _ = calendar.PeriodDays(s.Period, int(o.Rules.WeekStartDay), s.Weeks)
	return first, last
}

// sharesWeek says whether a settled settlement has a week of a period, whatever days their weeks begin on.
func (s *Settled) sharesWeek(code calendar.Period, weeks int) bool {
	return SharesWeek(s.Period, s.Weeks, code, weeks)
}

// SharesWeek says whether two periods have a week in common, whatever days their weeks begin on.
func SharesWeek(a calendar.Period, aWeeks int, b calendar.Period, bWeeks int) bool {
	firstA, lastA, closesA := calendar.PeriodDays(a, 1, aWeeks)
	firstB, lastB, closesB := calendar.PeriodDays(b, 1, bWeeks)
	return closesA && closesB && firstA <= lastB && firstB <= lastA
}

func settleable(on calendar.Date) bool {
	return on.Exists() && on[:4] >= firstYear && on[:4] < lastYear
}

func inOrder(byCode map[calendar.Period]*pendingPeriod) []*pendingPeriod {
	chain := make([]*pendingPeriod, 0, len(byCode))
	for _, in := range byCode {
		chain = append(chain, in)
	}
	slices.SortFunc(chain, func(a, b *pendingPeriod) int { return cmp.Compare(a.Period, b.Period) })
	return chain
}

// Refusal says why a settlement is left pending.
type Refusal string

// The refusals.
const (
	Negative        Refusal = "negative"          // the driver owes more than is due
	NothingToSettle Refusal = "nothing_to_settle" // nothing in the period is counted
)

// Refusal says why the settlement cannot be settled now; empty: it can.
func (s *Settlement) Refusal() Refusal {
	switch {
	case s.Figures[Due] < 0:
		return Negative
	case !s.anything:
		return NothingToSettle
	}
	return ""
}

// Carry is an amount that goes from a settled period into the driver's next one: a row of INTERNAL.
type Carry struct {
	Type   string
	Amount money.Amount
	On     calendar.Date   // the day after the period that was settled
	From   calendar.Period // whose amount it is: that period, or one it absorbed
}

// Closing is what settling one period of a chain does besides.
type Closing struct {
	Absorbed []int   // places in the chain of older negative periods that close with it, oldest first
	Carries  []Carry // none of them zero
	Waits    bool    // nothing is carried by itself: the amounts stand on the driver until the partner carries them
}

// Close says what settling the period at a place of its chain closes and carries.
func Close(chain []Settlement, place int) (Closing, error) {
	s := &chain[place]
	if why := s.Refusal(); why != "" {
		return Closing{}, fmt.Errorf("%s cannot be settled: %s", s.Period, why)
	}
	c := Closing{Waits: !s.autoNextPeriod}
	for first := place - len(s.CarriedFrom); first < place; first++ {
		c.Absorbed = append(c.Absorbed, first)
	}
	on := s.Last.AddDays(1)
	carry := func(kind string, amount money.Amount, from calendar.Period) {
		if amount != 0 {
			c.Carries = append(c.Carries, Carry{Type: kind, Amount: amount, On: on, From: from})
		}
	}
	carry(kinds.PreviousPeriod, s.Figures[NextPeriodTransfer], s.Period)
	for _, i := range c.Absorbed {
		carry(kinds.TaxOverpayment, chain[i].Figures[TaxExcess], chain[i].Period)
	}
	carry(kinds.TaxOverpayment, s.Figures[TaxExcess], s.Period)
	return c, nil
}

// DueOf is what terms make of rows and trips in the period that ends in a week, of nothing else, and whether there are any.
func DueOf(terms Terms, vatOn func(calendar.Date) VAT, period calendar.Period, rows []Transaction, trips []Trip) (due money.Amount,
	worked bool, err error) {
	first, last, closes := calendar.PeriodDays(period.Closing(terms.Weeks), int(terms.Rules.WeekStartDay), terms.Weeks)
	if !closes {
		return 0, false, nil
	}
	in := Input{Terms: terms, Period: period.Closing(terms.Weeks)}
	in.VAT = vatOn(last)
	for _, t := range rows {
		if first <= t.On && t.On <= last {
			in.Transactions = append(in.Transactions, t)
		}
	}
	for _, t := range trips {
		if first <= t.On && t.On <= last {
			in.Trips = append(in.Trips, t)
		}
	}
	if len(in.Transactions)+len(in.Trips) == 0 {
		return 0, false, nil
	}
	s, err := Compute(in)
	return s.Figures[Due], true, err
}

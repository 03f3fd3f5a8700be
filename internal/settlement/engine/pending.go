package engine

import (
	"cmp"
	"fmt"
	"slices"

	"saldo/internal/calendar"
	"saldo/internal/ledger"
	"saldo/internal/money"
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
			_, last, _ := calendar.PeriodDays(in.Period, int(r.WeekStartDay), o.Weeks)
			in.VAT = o.VATOn(last)
		}
		if in.Before, err = o.before(in.Period); err != nil {
			return nil, err
		}
		s, err := Compute(*in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Period, err)
		}
		done = append(done, s)
	}
	return done, nil
}

// periods sorts what is open into the periods it belongs to.
func (o *Open) periods() ([]*Input, error) {
	byCode := map[calendar.Period]*Input{}
	codes := map[calendar.Date]calendar.Period{} // rows of one day are many
	of := func(on calendar.Date) (*Input, error) {
		code, known := codes[on]
		if !known {
			if !settleable(on) {
				return nil, fmt.Errorf("%w: a row on %.40q", ErrOutside, string(on))
			}
			code = calendar.PeriodOf(on, int(o.Rules.WeekStartDay)).Closing(o.Weeks)
			codes[on] = code
		}
		if byCode[code] == nil {
			byCode[code] = &Input{Terms: o.Terms, Period: code}
		}
		return byCode[code], nil
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
	chain := inOrder(byCode)
	for _, v := range o.Invoices {
		if !settleable(v.On) {
			return nil, fmt.Errorf("%w: an invoice on %.40q", ErrOutside, string(v.On))
		}
		own := calendar.PeriodOf(v.On, int(o.Rules.WeekStartDay)).Closing(o.Weeks)
		at, _ := slices.BinarySearchFunc(chain, own, func(in *Input, code calendar.Period) int { return cmp.Compare(in.Period, code) })
		if at < len(chain) {
			chain[at].Invoices = append(chain[at].Invoices, v)
			continue
		}
		in, err := of(v.On) // after every period with rows: it makes one
		if err != nil {
			return nil, err
		}
		in.Invoices = append(in.Invoices, v)
	}
	return inOrder(byCode), nil
}

func settleable(on calendar.Date) bool {
	return on.Exists() && on[:4] >= firstYear && on[:4] < lastYear
}

func inOrder(byCode map[calendar.Period]*Input) []*Input {
	chain := make([]*Input, 0, len(byCode))
	for _, in := range byCode {
		chain = append(chain, in)
	}
	slices.SortFunc(chain, func(a, b *Input) int { return cmp.Compare(a.Period, b.Period) })
	return chain
}

// before gives the settled settlements that share a week with a period.
func (o *Open) before(code calendar.Period) (shared []Settled, err error) {
	first, last, _ := calendar.PeriodDays(code, 1, o.Weeks)
	for _, s := range o.Settled {
		if _, err := calendar.ParsePeriod(string(s.Period)); err != nil || s.Period[:4] < firstYear || s.Period[:4] > lastYear || s.Weeks != 1 && s.Weeks != 2 && s.Weeks != mostWeeks {
			return nil, fmt.Errorf("%w: settled %.40q of %d weeks", ErrTerms, string(s.Period), s.Weeks)
		}
		from, to, closes := calendar.PeriodDays(s.Period, 1, s.Weeks)
		if closes && from <= last && first <= to {
			shared = append(shared, s)
		}
	}
	return shared, nil
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
	carry(ledger.PreviousPeriod, s.Figures[NextPeriodTransfer], s.Period)
	for _, i := range c.Absorbed {
		carry(ledger.TaxOverpayment, chain[i].Figures[TaxExcess], chain[i].Period)
	}
	carry(ledger.TaxOverpayment, s.Figures[TaxExcess], s.Period)
	return c, nil
}

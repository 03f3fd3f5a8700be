package engine

import (
	"fmt"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/schemas/rules"
)

const (
	whole       = 10_000 // the rate that means all
	mostWeeks   = 4
	mostDays    = 64 // bits of a set of days; four weeks and what changes of boundaries add at both ends are 40
	internalApp = "INTERNAL"

	// Periods reach beyond their week, and the calendar ends.
	firstYear, lastYear = "1900", "9000"

	mostProviders = 16  // there are fourteen
	mostListed    = 255 // what a part can distinguish; lists have up to 50
)

// Compute gives the settlement of one driver and period with the explanation of every figure, all checked against each
// other.
func Compute(in Input) (Settlement, error) {
	s := Settlement{providers: make([]string, 0, 4), Period: in.Period, Weeks: in.Weeks, Schema: in.Schema, SmallBusiness: in.SmallBusiness,
		Supplementary: len(in.Before) > 0, CarriedFrom: in.CarriedFrom,
		autoNextPeriod: in.Rules.AutoNextPeriod}
	c := calc{in: &in, s: &s}
	if err := c.check(); err != nil {
		return Settlement{}, err
	}
	if err := c.read(); err != nil {
		return Settlement{}, err
	}
	c.apps()
	c.earned()
	c.charges()
	c.rates()
	c.contract()
	c.fuelAndCosts()
	c.taxes()
	c.due()
	c.transfers()
	if c.tooLarge {
		return Settlement{}, fmt.Errorf("%s: %w", in.Period, money.ErrOverflow)
	}
	c.warn()
	if err := s.Explained(); err != nil {
		return Settlement{}, err
	}
	return s, nil
}

var errProviders = fmt.Errorf("%w: more than %d providers", ErrTerms, mostProviders)

// calc is a settlement on its way. Its formulas are written from the text; the explanation of each is laid down beside
// it and must come to the same figure in the end.
type calc struct {
	in    *Input
	s     *Settlement
	space [mostProviders]slot // arrays without pointers, so that all of this stays on the stack
	place [mostProviders]uint8
	used  int
	start int // where the parts of the next figure begin
	first int // number of the first day
	days  int // how many there are

	tooLarge       bool // an amount on the way
	settledRevenue money.Amount
	settledTrips   int
	charged        Charged
}

// slot is what one provider brought.
type slot struct {
	sums    [categoryCount]money.Amount
	counts  [categoryCount]int32
	starts  [categoryCount]int32 // where its rows begin
	days    uint64               // worked, by day of the period
	allDays uint64               // with those that are settled
}

func (c *calc) check() error {
	r, s := &c.in.Rules, c.s
	if _, err := calendar.ParsePeriod(string(c.in.Period)); err != nil {
		return fmt.Errorf("%w: %w", ErrTerms, err)
	}
	if year := string(c.in.Period[:4]); year < firstYear || year > lastYear {
		return fmt.Errorf("%w: the year %s", ErrTerms, year)
	}
	known := r.ContractType == rules.B2BNoVAT || r.ContractType == rules.B2BVAT || r.ContractType == rules.CivilContract
	switch r.InvoiceVAT {
	case "", rules.Reduced, rules.Standard, rules.Exempt:
	default:
		return fmt.Errorf("%w: invoices with VAT %q", ErrTerms, r.InvoiceVAT)
	}
	if !known || r.VATMethod != rules.Inside && r.VATMethod != rules.On || r.PayoutOf != rules.OfRevenue && r.PayoutOf != rules.OfIncome ||
		r.WeekStartDay < 1 || r.WeekStartDay > 7 {
		return ErrTerms
	}
	for _, rate := range [...]money.Rate{c.in.VAT.Standard, c.in.VAT.Reduced, c.in.Commission, r.DeductionRate, r.DepreciationRate,
		r.PayoutRate} {
		if rate < 0 || rate > whole {
			return fmt.Errorf("%w: a rate of %d", ErrTerms, rate)
		}
	}
	for i := range r.CostRates {
		if r.CostRates[i].Rate < 0 || r.CostRates[i].Rate > int64(rules.AmountMax) || r.CostRates[i].IncomeFrom < 0 {
			return fmt.Errorf("%w: a cost rate of %d", ErrTerms, r.CostRates[i].Rate)
		}
	}
	if c.in.Weeks != 1 && c.in.Weeks != 2 && c.in.Weeks != mostWeeks {
		return fmt.Errorf("%w: %d weeks", ErrTerms, c.in.Weeks)
	}
	if len(r.CostRates) > mostListed || len(r.AdditionalCosts) > mostListed {
		return fmt.Errorf("%w: a list is too long", ErrTerms)
	}
	if c.in.CarryIn > 0 || c.in.CarryIn < 0 && !r.AutoNextPeriod {
		return ErrCarry
	}
	var closes bool
	if s.First, s.Last, closes = calendar.PeriodDays(c.in.Period, int(r.WeekStartDay), c.in.Weeks); !closes {
		return ErrNotClosing
	}
	if c.in.First != "" || c.in.Last != "" {
		s.First, s.Last = c.in.First, c.in.Last
	}
	first, from := s.First.Number()
	last, to := s.Last.Number()
	if c.first, c.days = first, last-first+1; !from || !to || c.days < 1 || c.days > mostDays {
		return fmt.Errorf("%w: from %.40q to %.40q", ErrTerms, string(s.First), string(s.Last))
	}
	return nil
}

// read sorts the rows by provider and category and adds them up.
func (c *calc) read() error {
	var space [64]uint16
	keys := space[:0]
	if len(c.in.Transactions) > len(space) {
		keys = make([]uint16, 0, len(c.in.Transactions))
	}
	for i := range c.in.Transactions {
		t := &c.in.Transactions[i]
		day, inside := c.day(t.On)
		if !inside {
			return fmt.Errorf("%w: %s on %.40q", ErrOutside, t.ID, string(t.On))
		}
		category := position(kinds.CategoryOf(t.Type, t.Provider, int64(t.Amount)))
		at := c.slot(t.Provider)
		if at >= mostProviders {
			return errProviders
		}
		slot := &c.space[at]
		if slot.counts[category]++; category < informational {
			slot.sums[category] = c.sum(slot.sums[category], t.Amount)
		}
		if category == income {
			days, err := c.daysOf(t, day)
			if err != nil {
				return err
			}
			slot.days |= days
		}
		keys = append(keys, uint16(at*categoryCount+category))
	}
	if err := c.readTrips(); err != nil {
		return err
	}
	for i := range c.in.Invoices {
		if on := c.in.Invoices[i].On; on != "" && (!on.Exists() || on > c.s.Last) {
			return fmt.Errorf("%w: %s on %.40q", ErrOutside, c.in.Invoices[i].ID, string(on))
		}
	}
	if err := c.readSettled(); err != nil {
		return err
	}
	c.sortSlots()
	c.layOut(keys)
	return nil
}

func (c *calc) readTrips() error {
	if len(c.in.Trips) == 0 {
		return nil
	}
	at := c.slot(internalApp)
	if at >= mostProviders {
		return errProviders
	}
	slot := &c.space[at]
	for i := range c.in.Trips {
		t := &c.in.Trips[i]
		day, inside := c.day(t.On)
		if !inside {
			return fmt.Errorf("%w: %s on %.40q", ErrOutside, t.ID, string(t.On))
		}
		slot.sums[income] = c.sum(slot.sums[income], t.Amount)
		slot.counts[income]++
		slot.days |= 1 << day
		if t.Cash {
			slot.sums[cash] = c.sub(slot.sums[cash], t.Amount)
			slot.counts[cash]++
		}
	}
	return nil
}

// readSettled adds the days, trips and revenue of the period that are settled, and what was charged for them.
func (c *calc) readSettled() error {
	for i := range c.in.Before {
		b := &c.in.Before[i]
		c.charged.BaseCost = c.sum(c.charged.BaseCost, b.Charged.BaseCost)
		c.charged.AdditionalSettlementCost = c.sum(c.charged.AdditionalSettlementCost, b.Charged.AdditionalSettlementCost)
		c.charged.ContractBase = c.sum(c.charged.ContractBase, b.Charged.ContractBase)
		c.charged.AppFee = c.sum(c.charged.AppFee, b.Charged.AppFee)
		c.charged.TripCost = c.sum(c.charged.TripCost, b.Charged.TripCost)
		for j := range b.Transactions {
			t := &b.Transactions[j]
			category := position(kinds.CategoryOf(t.Type, t.Provider, int64(t.Amount)))
			day, inside := c.day(t.On)
			if category > tips || !inside {
				continue
			}
			c.settledRevenue = c.sum(c.settledRevenue, t.Amount)
			if category == income {
				days, err := c.daysOf(t, day)
				if err != nil {
					return err
				}
				at := c.slot(t.Provider)
				if at >= mostProviders {
					return errProviders
				}
				c.space[at].allDays |= days
			}
		}
		for j := range b.Trips {
			if _, inside := c.day(b.Trips[j].On); inside {
				c.settledRevenue = c.sum(c.settledRevenue, b.Trips[j].Amount)
				c.settledTrips++
			}
		}
	}
	for i := range c.slots() {
		c.space[i].allDays |= c.space[i].days
	}
	return nil
}

// day counts from the first day of the period; ok is false outside it.
func (c *calc) day(on calendar.Date) (day int, ok bool) {
	number, ok := on.Number()
	day = number - c.first
	return day, ok && day >= 0 && day < c.days
}

// daysOf gives the days of the period that a row of a day covers, one bit for each.
func (c *calc) daysOf(t *Transaction, day int) (uint64, error) {
	if t.SpanFrom == "" && t.SpanTo == "" {
		return 1 << day, nil
	}
	first, last := day, day
	if t.SpanFrom != "" {
		number, ok := t.SpanFrom.Number()
		if !ok {
			return 0, fmt.Errorf("%w: %s from %.40q", ErrOutside, t.ID, string(t.SpanFrom))
		}
		first = max(0, number-c.first)
	}
	if t.SpanTo != "" {
		number, ok := t.SpanTo.Number()
		if !ok {
			return 0, fmt.Errorf("%w: %s to %.40q", ErrOutside, t.ID, string(t.SpanTo))
		}
		last = min(c.days-1, number-c.first)
	}
	if first > last {
		return 0, nil
	}
	return ^uint64(0) >> (63 - last) &^ (1<<first - 1), nil
}

func (c *calc) slot(provider string) int {
	i := slices.Index(c.s.providers, provider)
	if i >= 0 {
		return i
	}
	c.s.providers = append(c.s.providers, provider)
	c.used++
	return c.used - 1
}

func (c *calc) slots() []slot { return c.space[:c.used] }

// order gives the slots by provider.
func (c *calc) order() []uint8 { return c.place[:c.used] }

// sortSlots makes every list of providers independent of the order of rows.
func (c *calc) sortSlots() {
	for i := range c.slots() {
		at := i
		for ; at > 0 && c.s.providers[c.place[at-1]] > c.s.providers[i]; at-- {
			c.place[at] = c.place[at-1]
		}
		c.place[at] = uint8(i)
	}
}

// layOut copies the rows so that those of one provider and category stand together.
func (c *calc) layOut(keys []uint16) {
	s := c.s
	at, groups := int32(0), 0
	for _, i := range c.order() {
		slot := &c.space[i]
		for category, n := range slot.counts {
			slot.starts[category] = at
			if category == unsorted && n > 0 {
				s.unknown = append(s.unknown, span{at, at + n})
			} else if category < informational && n > 0 {
				s.anything = true
			}
			if at += n; n > 0 {
				groups++
			}
		}
	}
	s.invoices = at
	s.anything = s.anything || len(c.in.Invoices) > 0
	s.rows = make([]Row, int(at)+len(c.in.Invoices))
	put := func(slot *slot, category int, r Row) {
		s.rows[slot.starts[category]] = r
		slot.starts[category]++
	}
	for i, key := range keys {
		t := &c.in.Transactions[i]
		put(&c.space[key/categoryCount], int(key%categoryCount), Row{OfTransaction, t.ID, t.Amount})
	}
	if len(c.in.Trips) > 0 {
		slot := &c.space[c.slot(internalApp)]
		for i := range c.in.Trips {
			t := &c.in.Trips[i]
			put(slot, income, Row{OfTrip, t.ID, t.Amount})
			if t.Cash {
				put(slot, cash, Row{tripCash, t.ID, c.sub(0, t.Amount)})
			}
		}
	}
	for i := range c.in.Invoices {
		s.rows[at] = Row{OfInvoice, c.in.Invoices[i].ID, c.in.Invoices[i].Gross}
		at++
	}
	for i := range c.slots() {
		for category, n := range c.space[i].counts {
			c.space[i].starts[category] -= n
		}
	}
	s.parts = make([]part, 0, 26+3*groups+len(c.in.Rules.AdditionalCosts)+len(c.in.Rules.CostRates)+3*len(c.in.Invoices))
}

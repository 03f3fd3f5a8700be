package engine_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// book is one driver's rows and settlements, kept as plainly as can be: what a store must do with what the engine says.
type book struct {
	t        *testing.T
	terms    engine.Terms
	rows     []*bookRow
	trips    []*bookTrip
	invoices []*bookInvoice
	settled  []*bookSettled
	ids      int
}

type (
	bookRow struct {
		engine.Transaction
		in     *bookSettled // that took it
		carry  *bookSettled // that wrote it
		source calendar.Period
	}
	bookTrip struct {
		engine.Trip
		in *bookSettled
	}
	bookInvoice struct {
		engine.Invoice
		in *bookSettled
	}
	bookSettled struct {
		engine.Settlement
		into    *bookSettled   // that absorbed it
		waiting []engine.Carry // not carried yet
	}
)

func (b *book) id(prefix string) string {
	b.ids++
	return fmt.Sprint(prefix, b.ids)
}

func (b *book) open() engine.Open {
	o := engine.Open{Terms: b.terms}
	for _, s := range b.settled {
		before := engine.Settled{Period: s.Period, Weeks: s.Weeks, First: s.First, Last: s.Last, Charged: s.Charged()}
		for _, r := range b.rows {
			if r.in == s {
				before.Transactions = append(before.Transactions, r.Transaction)
			}
		}
		for _, r := range b.trips {
			if r.in == s {
				before.Trips = append(before.Trips, r.Trip)
			}
		}
		o.Settled = append(o.Settled, before)
	}
	for _, r := range b.rows {
		if r.in == nil {
			o.Transactions = append(o.Transactions, r.Transaction)
		}
	}
	for _, r := range b.trips {
		if r.in == nil {
			o.Trips = append(o.Trips, r.Trip)
		}
	}
	for _, r := range b.invoices {
		if r.in == nil {
			o.Invoices = append(o.Invoices, r.Invoice)
		}
	}
	return o
}

func (b *book) pending() []engine.Settlement {
	b.t.Helper()
	chain, err := engine.Pending(b.open())
	if err != nil {
		b.t.Fatal(err)
	}
	return chain
}

func (b *book) take(s engine.Settlement, into *bookSettled) *bookSettled {
	kept := &bookSettled{Settlement: s, into: into}
	b.settled = append(b.settled, kept)
	for _, r := range s.Takes() {
		found := 0
		for _, x := range b.rows {
			if r.Kind == engine.OfTransaction && x.ID == r.ID && x.in == nil {
				x.in = kept
				found++
			}
		}
		for _, x := range b.trips {
			if r.Kind == engine.OfTrip && x.ID == r.ID && x.in == nil {
				x.in = kept
				found++
			}
		}
		for _, x := range b.invoices {
			if r.Kind == engine.OfInvoice && x.ID == r.ID && x.in == nil {
				x.in = kept
				found++
			}
		}
		if found != 1 {
			b.t.Fatalf("%+v was taken %d times", r, found)
		}
	}
	return kept
}

func (b *book) settle(chain []engine.Settlement, place int) *bookSettled {
	b.t.Helper()
	closing, err := engine.Close(chain, place)
	if err != nil {
		b.t.Fatal(err)
	}
	kept := b.take(chain[place], nil)
	for _, i := range closing.Absorbed {
		if chain[i].Figures.Of(engine.Due) >= 0 || chain[i].Figures.Of(engine.Payout) != 0 {
			b.t.Fatalf("%s was absorbed with %s due", chain[i].Period, chain[i].Figures.Of(engine.Due))
		}
		b.take(chain[i], kept)
	}
	kept.waiting = closing.Carries
	if closing.Waits == b.terms.Rules.AutoNextPeriod {
		b.t.Fatal("what waits and what is carried are mixed up")
	}
	if !closing.Waits {
		b.carry(kept)
	}
	return kept
}

func (b *book) carry(s *bookSettled) {
	for _, c := range s.waiting {
		b.rows = append(b.rows, &bookRow{Transaction: engine.Transaction{ID: b.id("carry"), Provider: "INTERNAL", Type: c.Type, On: c.On, Amount: c.Amount}, carry: s, source: c.From})
	}
	s.waiting = nil
}

// revoke says whether it was done.
func (b *book) revoke(s *bookSettled) bool {
	if s.into != nil {
		return false
	}
	for _, r := range b.rows {
		if r.carry == s && r.in != nil {
			return false
		}
	}
	gone := func(x *bookSettled) bool { return x != nil && (x == s || x.into == s) }
	b.rows = slices.DeleteFunc(b.rows, func(r *bookRow) bool { return r.carry == s })
	for _, r := range b.rows {
		if gone(r.in) {
			r.in = nil
		}
	}
	for _, r := range b.trips {
		if gone(r.in) {
			r.in = nil
		}
	}
	for _, r := range b.invoices {
		if gone(r.in) {
			r.in = nil
		}
	}
	b.settled = slices.DeleteFunc(b.settled, gone)
	return true
}

// balanced checks that nothing is lost and nothing counted twice.
func (b *book) balanced() {
	b.t.Helper()
	chain := b.pending()
	var earned, paid, credit, used, left, leftCredit money.Amount
	count := func(s *engine.Settlement) {
		f := &s.Figures
		earned += f.Of(engine.Due) - f.Of(engine.PreviousPeriod)
		paid += f.Of(engine.Payout)
		credit += f.Of(engine.TaxCredit)
		used += f.Of(engine.Tax) - f.Of(engine.TaxAfterOptimisation)
	}
	for _, s := range b.settled {
		count(&s.Settlement)
		if s.Figures.Of(engine.Due) < 0 != (s.into != nil) {
			b.t.Fatalf("%s is settled with %s due", s.Period, s.Figures.Of(engine.Due))
		}
		for _, c := range s.waiting {
			if c.Type == kinds.PreviousPeriod {
				left += c.Amount
			} else {
				leftCredit += c.Amount
			}
		}
	}
	seen := map[string]int{}
	for i := range chain {
		s := &chain[i]
		count(s)
		paid -= s.Figures.Of(engine.Payout)
		if carried := i+1 < len(chain) && len(chain[i+1].CarriedFrom) > 0; !carried {
			left += s.Figures.Of(engine.Due)
		}
		leftCredit += s.Figures.Of(engine.TaxExcess)
		for _, r := range s.Takes() {
			seen[r.ID]++
		}
		if i > 0 && chain[i-1].Period >= s.Period {
			b.t.Fatal("the chain is not in order")
		}
	}
	for _, r := range b.rows {
		counted := kinds.CategoryOf(r.Type, r.Provider, int64(r.Amount))
		if r.carry == nil && counted == kinds.Previous {
			earned += r.Amount
		}
		if r.carry != nil && counted == kinds.Overpayment {
			credit -= r.Amount
		}
		if want := r.in == nil && counted != kinds.Unsorted; (seen[r.ID] == 1) != want || seen[r.ID] > 1 {
			b.t.Fatalf("%+v is in %d pending settlements", r, seen[r.ID])
		}
	}
	for _, r := range b.trips {
		if (r.in == nil) != (seen[r.ID] == 1) {
			b.t.Fatalf("%+v is in %d pending settlements", r, seen[r.ID])
		}
	}
	for _, r := range b.invoices {
		if (r.in == nil) != (seen[r.ID] == 1) {
			b.t.Fatalf("%+v is in %d pending settlements", r, seen[r.ID])
		}
	}
	if earned != paid+left {
		b.t.Fatalf("%s was earned, %s paid, %s is left", earned, paid, left)
	}
	if credit != used+leftCredit {
		b.t.Fatalf("%s of tax was credited, %s used, %s is left", credit, used, leftCredit)
	}
}

// chargedOnce holds while terms do not change.
func (b *book) chargedOnce() {
	b.t.Helper()
	sums := map[calendar.Period]engine.Charged{}
	for _, s := range b.settled {
		c, sum := s.Charged(), sums[s.Period]
		sum.BaseCost += c.BaseCost
		sum.AdditionalSettlementCost += c.AdditionalSettlementCost
		sum.ContractBase += c.ContractBase
		sums[s.Period] = sum
		r := &b.terms.Rules
		maximum := r.WeeklyContractCost*money.Amount(s.Weeks) + r.MonthlyContractCost*money.Amount(calendar.MonthEnds(s.First, s.Last))
		if sum.BaseCost > r.SettlementCost || sum.ContractBase > maximum {
			b.t.Fatalf("%s was charged %+v", s.Period, sum)
		}
	}
}

// chargedOnceAcrossBoundaries holds while only the first day of the week and the frequency change: no day, week or month end is
// charged twice, whichever periods they were in.
func (b *book) chargedOnceAcrossBoundaries() {
	b.t.Helper()
	r := &b.terms.Rules
	var base, contract, fee, mostFee money.Amount
	codes, weeks, ends := map[calendar.Period]bool{}, map[calendar.Date]bool{}, map[calendar.Date]bool{}
	worked := map[string]money.Amount{}
	for _, s := range b.settled {
		c := s.Charged()
		base, contract, fee = base+c.BaseCost, contract+c.ContractBase, fee+c.AppFee
		codes[s.Period] = true
		first, last, _ := calendar.PeriodDays(s.Period, 1, s.Weeks)
		for monday := first; monday < last; monday = monday.AddDays(7) {
			weeks[monday] = true
		}
		for day := s.First; day <= s.Last; day = day.AddDays(1) {
			if calendar.MonthEnds(day, day) == 1 {
				ends[day] = true
			}
			for _, x := range b.rows {
				from, to := x.On, x.On
				if x.SpanFrom != "" {
					from = x.SpanFrom
				}
				if x.SpanTo != "" {
					to = x.SpanTo
				}
				if x.in == s && kinds.CategoryOf(x.Type, x.Provider, int64(x.Amount)) == kinds.Income && from <= day && day <= to {
					worked[x.Provider+string(day)] = map[string]money.Amount{"UBER": r.DailyFee.Uber, "BOLT": r.DailyFee.Bolt, "FREENOW": r.DailyFee.FreeNow}[x.Provider]
				}
			}
		}
	}
	for _, daily := range worked {
		mostFee += daily
	}
	if base > r.SettlementCost*money.Amount(len(codes)) || fee > mostFee ||
		contract > r.WeeklyContractCost*money.Amount(len(weeks))+r.MonthlyContractCost*money.Amount(len(ends)) {
		b.t.Fatalf("charged %s for %d periods, %s for %d weeks and %d ends of months, %s of %s for days", base, len(codes), contract, len(weeks), len(ends), fee, mostFee)
	}
}

func figuresOf(chain []engine.Settlement) (all []any) {
	for i := range chain {
		all = append(all, chain[i].Period, chain[i].Figures, chain[i].Transfers)
	}
	return all
}

func TestNothingIsLostAndNothingCountedTwice(t *testing.T) {
	settled, absorbed, revoked, refused, carried := 0, 0, 0, 0, 0
	for run := range 60 * testkit.Soak() {
		d := throw(uint64(1000 + run))
		b := &book{t: t, terms: d.terms()}
		b.terms.VAT = engine.VAT{Standard: 2300, Reduced: 800}
		steady, boundaries := run%3 == 0, run%3 == 1
		on := func() calendar.Date { return calendar.Date("2026-10-05").AddDays(d.IntN(70)) }
		for range 60 {
			chain := b.pending()
			switch d.IntN(10) {
			case 0, 1, 2:
				for range 1 + d.IntN(5) {
					b.rows = append(b.rows, &bookRow{Transaction: d.transaction(b.id("t"), on())})
				}
			case 3:
				open := slices.IndexFunc(b.trips, func(r *bookTrip) bool { return r.in == nil })
				switch {
				case open >= 0 && d.once(4): // changed
					b.trips[open].On, b.trips[open].Amount, b.trips[open].Cash = on(), d.amount(9000), d.once(2)
				case open >= 0 && d.once(4): // deleted
					b.trips = slices.Delete(b.trips, open, open+1)
				}
				b.trips = append(b.trips, &bookTrip{Trip: engine.Trip{ID: b.id("r"), On: on(), Amount: d.amount(9000), Cash: d.once(2)}})
			case 4:
				b.invoices = append(b.invoices, &bookInvoice{Invoice: d.invoice(b.id("i"), on())})
			case 5, 6:
				if len(chain) == 0 {
					continue
				}
				place := d.IntN(len(chain))
				if chain[place].Refusal() != "" {
					refused++
					continue
				}
				before := figuresOf(chain)
				s := b.settle(chain, place)
				settled++
				absorbed += len(s.CarriedFrom)
				if d.once(2) {
					if !b.revoke(s) {
						t.Fatal("what was just settled cannot be revoked")
					}
					revoked++
					if after := figuresOf(b.pending()); !reflect.DeepEqual(before, after) {
						t.Fatalf("run %d: settled and revoked\n%v\n%v", run, before, after)
					}
				}
			case 7:
				if len(b.settled) > 0 && b.revoke(pick(d, b.settled...)) {
					revoked++
				}
			case 8:
				for _, s := range b.settled {
					if len(s.waiting) > 0 {
						b.carry(s)
						carried++
					}
				}
			case 9:
				if boundaries {
					b.terms.Weeks, b.terms.Rules.WeekStartDay = pick(d, 1, 2, 4), int64(1+d.IntN(7))
				} else if !steady && d.once(3) {
					b.terms = d.terms()
					b.terms.VAT = engine.VAT{Standard: 2300, Reduced: 800}
				}
			}
			b.balanced()
			if steady {
				b.chargedOnce()
			} else if boundaries {
				b.chargedOnceAcrossBoundaries()
			}
		}
	}
	if settled == 0 || absorbed == 0 || revoked == 0 || refused == 0 || carried == 0 {
		t.Errorf("%d settled, %d absorbed, %d revoked, %d refused, %d carried later: the dice are loaded", settled, absorbed, revoked, refused, carried)
	}
}

package engine_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// dice throws inputs that are small enough to collide and odd enough to round.
type dice struct{ *rand.Rand }

func throw(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 20240101))} }

func pick[T any](d dice, all ...T) T { return all[d.IntN(len(all))] }

func (d dice) once(in int) bool { return d.IntN(in) == 0 }

// amount is mostly an everyday one, sometimes one at an edge.
func (d dice) amount(maximum int64) money.Amount {
	switch d.IntN(8) {
	case 0:
		return 0
	case 1:
		return money.Amount(pick(d, 1, 2, 49, 50, 51, 99, 100, 101, maximum-1, maximum))
	}
	return money.Amount(d.Int64N(maximum + 1))
}

func (d dice) optional(maximum int64) *money.Amount {
	if d.once(2) {
		return nil
	}
	a := d.amount(maximum)
	return &a
}

func (d dice) rate() money.Rate {
	return money.Rate(pick(d, 0, 1, 333, 850, 1250, 5000, 9999, 10_000, 10_000, d.Int64N(10_001)))
}

func (d dice) rules() rules.Rules {
	r := rules.Default()
	r.ContractType = pick(d, rules.B2BNoVAT, rules.B2BVAT, rules.CivilContract)
	charge := func() money.Amount {
		if d.once(3) {
			return 0
		}
		return d.amount(20_000)
	}
	r.WeeklyContractCost, r.MonthlyContractCost, r.SettlementCost = charge(), charge(), charge()
	for i := range d.IntN(4) {
		r.AdditionalCosts = append(r.AdditionalCosts, rules.AdditionalCost{Name: fmt.Sprint("cost ", i), Amount: d.amount(5000)})
	}
	r.DailyFee = rules.DailyFee{Uber: charge(), Bolt: charge(), FreeNow: charge()}
	r.MaxFee1, r.MaxFee2, r.MaxFee3 = d.optional(60_000), d.optional(60_000), d.optional(60_000)
	r.TripSettlementCost, r.TripFee, r.MaxTripSettlementCost = charge(), charge(), d.optional(30_000)
	r.MinContractIncome = d.optional(80_000)
	r.VATMethod = pick(d, rules.Inside, rules.On)
	r.InvoiceVAT = pick(d, rules.Reduced, rules.Standard, rules.Exempt, "")
	r.VATSplit = d.once(2)
	r.DeductionRate, r.DepreciationRate, r.PayoutRate = d.rate(), d.rate(), d.rate()
	r.PayoutOf = pick(d, rules.OfRevenue, rules.OfIncome)
	r.PayoutIncludesCash, r.AutoNextPeriod = !d.once(4), !d.once(4)
	r.WeekStartDay = pick(d, 1, 1, int64(1+d.IntN(7)))
	r.MinTransfer = pick(d, 0, d.amount(100_000))
	for _, kind := range []rules.CostRateType{rules.Percent, rules.Marginal, rules.Flat} {
		from := d.amount(50_000)
		for range d.IntN(4) {
			to := from + 1 + d.amount(150_000)
			band := rules.CostRate{Type: kind, IncomeFrom: from, IncomeTo: &to, Rate: int64(d.rate())}
			if d.once(4) {
				band.IncomeTo = nil
			}
			r.CostRates = append(r.CostRates, band)
			if from = to + pick(d, 0, d.amount(10_000)); band.IncomeTo == nil {
				break
			}
		}
	}
	return r
}

func (d dice) terms() engine.Terms {
	return engine.Terms{Rules: d.rules(), Schema: engine.SchemaVersion{Number: 1 + d.Int64N(5), Version: 1 + d.Int64N(9)}, Weeks: pick(d, 1, 1, 2, 4),
		VAT:        pick(d, engine.VAT{Standard: 2300, Reduced: 800}, engine.VAT{Standard: 1900, Reduced: 700}, engine.VAT{Standard: 1600, Reduced: 500}, engine.VAT{}),
		Commission: d.rate(), DescribedOnly: d.once(2), Missing: engine.Missing{Account: d.once(9), TaxID: d.once(9), Schema: d.once(9)}}
}

// codes are weeks with clock changes, ends of years and months, and a week 53.
var codes = []calendar.Period{"2026-W45", "2026-W44", "2026-W43", "2026-W13", "2026-W52", "2026-W53", "2027-W01", "2024-W09", "2028-W09", "2023-W52", "2032-W53"}

// providers are those of random rows, the common ones more often. They stay the same when another one is added, as what is made of them
// is kept in files.
var providers = strings.Fields("BOLT UBER FREENOW UBER_EATS GLOVO STUART BOLT_FOOD INTERNAL UBER BOLT FREENOW UBER BOLT " +
	"ORLEN CIRCLEK FLOTEX REVOLUT PARTNER OTHER")

var everyType = kinds.Types()

func (d dice) transaction(id string, on calendar.Date) engine.Transaction {
	kind := everyType[d.IntN(len(everyType))]
	if d.once(3) {
		kind, _ = kinds.Of(kinds.Trip)
	}
	t := engine.Transaction{ID: id, Provider: pick(d, providers...), Type: kind.Name, On: on, Amount: d.amount(90_000)}
	if kind.Sign == kinds.Minus || kind.Sign == kinds.Either && d.once(3) {
		t.Amount = -t.Amount
	}
	if d.once(12) {
		t.Amount = -t.Amount // a provider corrects itself
	}
	if d.once(5) {
		t.SpanFrom, t.SpanTo = on.AddDays(-d.IntN(10)), on.AddDays(pick(d, 0, 0, d.IntN(5)))
	}
	return t
}

func (d dice) input() engine.Input {
	in := engine.Input{Terms: d.terms()}
	in.Period = pick(d, codes...).Closing(in.Weeks)
	first, _, _ := calendar.PeriodDays(in.Period, int(in.Rules.WeekStartDay), in.Weeks)
	on := func() calendar.Date { return first.AddDays(d.IntN(7 * in.Weeks)) }
	rows := func(prefix string, maximum int) (transactions []engine.Transaction, trips []engine.Trip) {
		for i := range d.IntN(maximum) {
			transactions = append(transactions, d.transaction(fmt.Sprint(prefix, "t", i), on()))
		}
		for i := range pick(d, 0, 0, d.IntN(maximum)) {
			trips = append(trips, engine.Trip{ID: fmt.Sprint(prefix, "r", i), On: on(), Amount: d.amount(9000), Cash: d.once(2)})
		}
		return transactions, trips
	}
	in.Transactions, in.Trips = rows("", 14)
	for i := range pick(d, 0, 0, d.IntN(5)) {
		in.Invoices = append(in.Invoices, d.invoice(fmt.Sprint("i", i), first.AddDays(7*in.Weeks-1-d.IntN(90))))
	}
	for i := range pick(d, 0, 0, d.IntN(3)) {
		b := engine.Settled{Period: in.Period, Weeks: in.Weeks, Charged: engine.Charged{BaseCost: d.amount(20_000), AdditionalSettlementCost: d.amount(9000),
			ContractBase: d.amount(40_000), AppFee: d.amount(40_000), TripCost: d.amount(20_000)}}
		b.Transactions, b.Trips = rows(fmt.Sprint("s", i), 6)
		in.Before = append(in.Before, b)
	}
	if in.Rules.AutoNextPeriod && d.once(4) {
		in.CarryIn = -1 - d.amount(50_000)
		in.CarriedFrom = []calendar.Period{in.Period.Prev().Prev().Prev().Prev()}
	}
	return in
}

func (d dice) invoice(id string, on calendar.Date) engine.Invoice {
	return engine.Invoice{ID: id, On: on, Gross: d.amount(200_000), VATStandard: d.amount(20_000), VATReduced: d.amount(3000), ByPartner: d.once(2)}
}

// 10,000 in a plain run, a million with SALDO_SOAK=100.
func TestTheEngineAgreesWithASecondCalculation(t *testing.T) {
	const shards = 4
	for shard := range uint64(shards) {
		t.Run(fmt.Sprint("seed ", shard), func(t *testing.T) {
			t.Parallel()
			d := throw(shard)
			paid, negative, supplementary := 0, 0, 0
			for n := range 10_000 / shards * testkit.Soak() {
				in := d.input()
				s, err := engine.Compute(in)
				if err != nil {
					t.Fatalf("input %d: %v", n, err)
				}
				if wrong := byText(in).differences(&s); len(wrong) > 0 {
					t.Fatalf("input %d: %s\n%+v", n, strings.Join(wrong, "\n"), in)
				}
				if s.Figures.Of(engine.Payout) > 0 {
					paid++
				}
				if s.Figures.Of(engine.Due) < 0 {
					negative++
				}
				if s.Supplementary {
					supplementary++
				}
				if n%50 == 0 {
					if whole(t, &s); t.Failed() {
						t.Fatalf("input %d: %+v", n, in)
					}
				}
			}
			if paid == 0 || negative == 0 || supplementary == 0 {
				t.Errorf("%d paid, %d negative, %d supplementary: the dice are loaded", paid, negative, supplementary)
			}
		})
	}
}

func TestTheSecondCalculationGivesTheWorkedCasesToo(t *testing.T) {
	for _, w := range cases(t) {
		in := w.input(t)
		a := byText(in)
		for name, want := range w.Expected.Figures {
			if got := a.figures[name]; got == nil || got.Cmp(rat(want)) != 0 {
				t.Errorf("%s: %s is %v, not %d", w.Name, name, got, want)
			}
		}
	}
}

func TestTheOrderOfRowsNeverMatters(t *testing.T) {
	d := throw(7)
	for range 2000 {
		in := d.input()
		s, err := engine.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		mixed := in
		mixed.Transactions, mixed.Trips, mixed.Invoices = shuffled(d, in.Transactions), shuffled(d, in.Trips), shuffled(d, in.Invoices)
		mixed.Before = shuffled(d, in.Before)
		m, err := engine.Compute(mixed)
		if err != nil {
			t.Fatal(err)
		}
		if m.Figures != s.Figures || !reflect.DeepEqual(m.Transfers, s.Transfers) || !reflect.DeepEqual(m.Warnings, s.Warnings) || len(m.Apps) != len(s.Apps) {
			t.Fatalf("%+v\n%+v", s, m)
		}
		for i := range s.Apps {
			a, b := s.Apps[i], m.Apps[i]
			if a.Provider != b.Provider || a.Income != b.Income || a.Bonus != b.Bonus || a.Tips != b.Tips || a.CashCollected != b.CashCollected || a.Fees != b.Fees || a.WorkingDays != b.WorkingDays {
				t.Fatalf("%+v\n%+v", a, b)
			}
		}
	}
}

func shuffled[T any](d dice, all []T) []T {
	mixed := append([]T(nil), all...)
	d.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	return mixed
}

// Behind the figures stands everything that was counted, once, and nothing else.
func TestEveryRowIsPartOfExactlyOneFigure(t *testing.T) {
	d := throw(8)
	for range 2000 {
		in := d.input()
		s, err := engine.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		want, taken := map[string]int{}, map[string]int{}
		for _, x := range in.Transactions {
			switch c := kinds.CategoryOf(x.Type, x.Provider, int64(x.Amount)); {
			case c.Counted():
				want["transaction "+x.ID]++
				taken["transaction "+x.ID]++
			case c == kinds.Informational:
				taken["transaction "+x.ID]++
			}
		}
		for _, x := range in.Trips {
			want["trip "+x.ID]++
			taken["trip "+x.ID]++
			if x.Cash {
				want["trip_cash "+x.ID]++
			}
		}
		for _, x := range in.Invoices {
			want["invoice "+x.ID]++
			taken["invoice "+x.ID]++
		}
		behind := map[string]int{}
		for _, e := range s.Explanations() {
			for _, p := range e.Parts {
				if p.Kind == engine.FromRows && e.Formula != engine.Days {
					for _, r := range p.Rows {
						behind[string(r.Kind)+" "+r.ID]++
					}
				}
			}
		}
		if !reflect.DeepEqual(behind, want) {
			t.Fatalf("behind the figures: %v\ncounted: %v", behind, want)
		}
		got := map[string]int{}
		for _, r := range s.Takes() {
			got[string(r.Kind)+" "+r.ID]++
		}
		if !reflect.DeepEqual(got, taken) {
			t.Fatalf("takes: %v\nwant: %v", got, taken)
		}
	}
}

package engine_test

import (
	"fmt"
	"math/big"
	"sort"
	"strings"
	"time"

	"saldo/internal/ledger/kinds"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// The second calculation. It follows the text of the specification from top to bottom, in fractions of any size, with
// its own calendar and its own table of types, and shares nothing with the engine but the input and the schema.

type fraction = big.Rat

func rat(n int64) *fraction { return new(fraction).SetInt64(n) }
func plus(all ...*fraction) *fraction {
	sum := new(fraction)
	for _, f := range all {
		sum.Add(sum, f)
	}
	return sum
}
func minus(a *fraction, all ...*fraction) *fraction { return new(fraction).Sub(a, plus(all...)) }
func times(a, b *fraction) *fraction                { return new(fraction).Mul(a, b) }
func over(a, b int64) *fraction                     { return big.NewRat(a, b) }
func bp(n int64) *fraction                          { return big.NewRat(n, 10_000) }
func minimum(a, b *fraction) *fraction {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}
func maximum(a, b *fraction) *fraction {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// rounded is half away from zero: cut after adding a half in the direction of the sign.
func rounded(f *fraction) *fraction {
	half := big.NewRat(1, 2)
	if f.Sign() < 0 {
		half.Neg(half)
	}
	moved := plus(f, half)
	return new(fraction).SetInt(new(big.Int).Quo(moved.Num(), moved.Denom()))
}

var typesOfCategory = map[string]string{
	"income":        "TRIP DELIVERY WAITING_TIME CANCELLATION CLEANING_REPAIR INCREASE",
	"bonus":         "BONUS PROMO",
	"tips":          "TIP",
	"cash":          "CASH_COLLECTED",
	"fee":           "FEE FEE_TAX FEE_RETURN DELIVERY_FEE CHARGE CHARGE_TAX PAYOUT_FEE ZONE_FEE SUBSCRIPTION",
	"fuel":          "FUEL",
	"cost":          "COST DEPOSIT",
	"credit":        "INVOICE",
	"tax":           "TAX",
	"contract":      "CONTRACT_COST",
	"settlement":    "SETTLEMENT_COST",
	"overpayment":   "TAX_OVERPAYMENT",
	"previous":      "PREV_PERIOD_TRANSFER",
	"informational": "PAYOUT BANKABLE",
	"unknown":       "UNKNOWN",
}

// What providers sell is said of each in one line of their table; what follows from it is computed here once more.
var (
	rideProviders = providersOf(kinds.Rides)
	fuelProviders = providersOf(kinds.FuelCards)
)

func providersOf(group kinds.Group) string {
	var codes []string
	for _, p := range kinds.Providers {
		if p.Group == group {
			codes = append(codes, p.Code)
		}
	}
	return strings.Join(codes, " ")
}

func listed(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}

func categoryByText(t engine.Transaction) string {
	for category, types := range typesOfCategory {
		if listed(types, t.Type) {
			return category
		}
	}
	rides := listed(rideProviders, t.Provider)
	switch {
	case t.Type == "CARD_FEE" && rides:
		return "fee"
	case t.Type == "CARD_FEE" && listed(fuelProviders, t.Provider):
		return "fuel"
	case t.Type == "CARD_FEE":
		return "cost" // the text is silent; the ledger decided
	case rides:
		return "income"
	case t.Amount < 0:
		return "cost"
	}
	return "credit"
}

func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// daysByText gives the dates of a period, and whether one closes in the week.
func daysByText(code string, weekStart, n int) ([]string, bool) {
	var year, week int
	fmt.Sscanf(code, "%d-W%d", &year, &week)
	monday := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -10)
	for {
		y, w := monday.ISOWeek()
		if y == year && w == week && monday.Weekday() == time.Monday {
			break
		}
		monday = monday.AddDate(0, 0, 1)
	}
	i := int(monday.Sub(day("2024-01-01")).Hours()) / 24 / 7
	if (i+1)%n != 0 {
		return nil, false
	}
	start := monday.AddDate(0, 0, -7*(n-1)+weekStart-1)
	var days []string
	for k := range 7 * n {
		days = append(days, start.AddDate(0, 0, k).Format(time.DateOnly))
	}
	return days, true
}

type answer struct {
	first, last string
	figures     map[string]*fraction
	apps        map[string]map[string]*fraction
	transfers   []string
	unknown     int
	unknownSum  *fraction
}

func coveredBy(t engine.Transaction, days []string) (covered []string) {
	from, to := string(t.On), string(t.On)
	if t.SpanFrom != "" {
		from, to = string(t.SpanFrom), string(t.SpanTo)
	}
	for _, d := range days {
		if from <= d && d <= to {
			covered = append(covered, d)
		}
	}
	return covered
}

func byText(in engine.Input) answer {
	r := in.Rules
	days, closes := daysByText(string(in.Period), int(r.WeekStartDay), in.Weeks)
	if !closes {
		panic("not a closing week")
	}
	a := answer{first: days[0], last: days[len(days)-1], figures: map[string]*fraction{}, apps: map[string]map[string]*fraction{}, unknownSum: rat(0)}

	// A trip is income of INTERNAL, type TRIP; with cash a second transaction goes with it.
	asRows := func(transactions []engine.Transaction, trips []engine.Trip) []engine.Transaction {
		all := append([]engine.Transaction{}, transactions...)
		for _, t := range trips {
			all = append(all, engine.Transaction{Provider: "INTERNAL", Type: "TRIP", On: t.On, Amount: t.Amount})
			if t.Cash {
				all = append(all, engine.Transaction{Provider: "INTERNAL", Type: "CASH_COLLECTED", On: t.On, Amount: -t.Amount})
			}
		}
		return all
	}
	category := map[string]*fraction{}
	for name := range typesOfCategory {
		category[name] = rat(0)
	}
	worked, workedEver := map[string]map[string]bool{}, map[string]map[string]bool{}
	mark := func(where map[string]map[string]bool, t engine.Transaction) {
		if where[t.Provider] == nil {
			where[t.Provider] = map[string]bool{}
		}
		for _, d := range coveredBy(t, days) {
			where[t.Provider][d] = true
		}
	}
	perApp := map[string]string{"income": "income", "bonus": "bonus", "tips": "tips", "cash": "cashCollected", "fee": "fee"}
	for _, t := range asRows(in.Transactions, in.Trips) {
		c := categoryByText(t)
		amount := rat(int64(t.Amount))
		category[c] = plus(category[c], amount)
		if c == "unknown" {
			a.unknown++
			a.unknownSum = plus(a.unknownSum, amount)
		}
		if figure, ok := perApp[c]; ok {
			if a.apps[t.Provider] == nil {
				a.apps[t.Provider] = map[string]*fraction{"income": rat(0), "bonus": rat(0), "tips": rat(0), "cashCollected": rat(0), "fee": rat(0)}
			}
			if c == "cash" || c == "fee" {
				amount = minus(rat(0), amount)
			}
			a.apps[t.Provider][figure] = plus(a.apps[t.Provider][figure], amount)
		}
		if c == "income" {
			mark(worked, t)
			mark(workedEver, t)
		}
	}
	for app := range a.apps {
		a.apps[app]["workingDays"] = rat(int64(len(worked[app])))
	}
	settledRevenue, trips := rat(0), len(in.Trips)
	charged := map[string]*fraction{"baseCost": rat(0), "additionalSettlementCost": rat(0), "contractBase": rat(0), "appFee": rat(0), "tripCost": rat(0)}
	for _, b := range in.Before {
		for _, t := range asRows(b.Transactions, b.Trips) {
			if string(t.On) < a.first || string(t.On) > a.last {
				continue
			}
			if c := categoryByText(t); c == "income" || c == "bonus" || c == "tips" {
				settledRevenue = plus(settledRevenue, rat(int64(t.Amount)))
				if c == "income" {
					mark(workedEver, t)
				}
			}
		}
		for _, t := range b.Trips {
			if string(t.On) >= a.first && string(t.On) <= a.last {
				trips++
			}
		}
		charged["baseCost"] = plus(charged["baseCost"], rat(int64(b.Charged.BaseCost)))
		charged["additionalSettlementCost"] = plus(charged["additionalSettlementCost"], rat(int64(b.Charged.AdditionalSettlementCost)))
		charged["contractBase"] = plus(charged["contractBase"], rat(int64(b.Charged.ContractBase)))
		charged["appFee"] = plus(charged["appFee"], rat(int64(b.Charged.AppFee)))
		charged["tripCost"] = plus(charged["tripCost"], rat(int64(b.Charged.TripCost)))
	}
	f := a.figures
	supplementary := func(name string, whole *fraction) { f[name] = maximum(rat(0), minus(whole, charged[name])) }
	zero := rat(0)

	f["income"], f["bonus"], f["tips"] = category["income"], category["bonus"], category["tips"]
	f["cashCollected"], f["fee"] = minus(zero, category["cash"]), minus(zero, category["fee"])
	f["revenue"] = plus(f["income"], f["bonus"], f["tips"])
	f["netIncome"] = minus(f["revenue"], f["fee"])
	share := f["netIncome"]
	if r.PayoutOf == rules.OfRevenue {
		share = f["revenue"]
	}
	f["payoutBase"] = rounded(times(bp(int64(r.PayoutRate)), share))
	f["cashDeducted"] = zero
	if r.PayoutIncludesCash {
		f["cashDeducted"] = f["cashCollected"]
	}

	k, fees := 0, rat(0)
	for app, daily := range map[string]int64{"UBER": int64(r.DailyFee.Uber), "BOLT": int64(r.DailyFee.Bolt), "FREENOW": int64(r.DailyFee.FreeNow)} {
		if n := len(workedEver[app]); n > 0 {
			k++
			fees = plus(fees, times(rat(daily), rat(int64(n))))
		}
	}
	if k == 1 && r.MaxFee1 != nil {
		fees = minimum(fees, rat(int64(*r.MaxFee1)))
	}
	if k == 2 && r.MaxFee2 != nil {
		fees = minimum(fees, rat(int64(*r.MaxFee2)))
	}
	if k == 3 && r.MaxFee3 != nil {
		fees = minimum(fees, rat(int64(*r.MaxFee3)))
	}
	supplementary("appFee", fees)
	tripCost := zero
	if trips > 0 {
		tripCost = plus(rat(int64(r.TripSettlementCost)), times(rat(int64(r.TripFee)), rat(int64(trips))))
		if r.MaxTripSettlementCost != nil {
			tripCost = minimum(tripCost, rat(int64(*r.MaxTripSettlementCost)))
		}
	}
	supplementary("tripCost", tripCost)
	base, additional := zero, zero
	if plus(f["revenue"], settledRevenue).Sign() > 0 {
		base = rat(int64(r.SettlementCost))
		for _, c := range r.AdditionalCosts {
			additional = plus(additional, rat(int64(c.Amount)))
		}
	}
	supplementary("baseCost", base)
	supplementary("additionalSettlementCost", additional)
	f["settlementCost"] = minus(plus(f["baseCost"], f["appFee"], f["tripCost"]), category["settlement"])

	rates := rat(0)
	if f["revenue"].Sign() > 0 {
		for _, b := range r.CostRates {
			from, endless := rat(int64(b.IncomeFrom)), b.IncomeTo == nil
			to := rat(0)
			if !endless {
				to = rat(int64(*b.IncomeTo))
			}
			holds := from.Cmp(f["revenue"]) <= 0 && (endless || f["revenue"].Cmp(to) < 0)
			switch b.Type {
			case rules.Percent:
				if holds {
					rates = plus(rates, times(bp(b.Rate), f["revenue"]))
				}
			case rules.Flat:
				if holds {
					rates = plus(rates, rat(b.Rate))
				}
			case rules.Marginal:
				top := f["revenue"]
				if !endless {
					top = minimum(top, to)
				}
				rates = plus(rates, times(bp(b.Rate), maximum(zero, minus(top, from))))
			}
		}
	}
	f["rateCost"] = rounded(rates)
	ends := int64(0)
	for _, d := range days {
		if day(d).AddDate(0, 0, 1).Day() == 1 {
			ends++
		}
	}
	supplementary("contractBase", plus(times(rat(int64(r.WeeklyContractCost)), rat(int64(in.Weeks))), times(rat(int64(r.MonthlyContractCost)), rat(ends))))
	f["contractCost"] = minus(f["contractBase"], category["contract"])

	s, q := int64(in.VAT.Standard), int64(in.VAT.Reduced)
	payer := r.ContractType == rules.B2BVAT
	f["fuelCost"] = minus(zero, category["fuel"])
	f["fuelRefund"] = zero
	if !payer {
		f["fuelRefund"] = rounded(times(times(f["fuelCost"], over(s, 10_000+s)), bp(int64(r.DeductionRate))))
	}
	f["costs"], f["credits"] = minus(zero, category["cost"]), category["credit"]

	vat := func(x *fraction, rate int64) *fraction {
		if r.VATMethod == rules.On {
			return times(maximum(zero, x), bp(rate))
		}
		return times(maximum(zero, x), over(rate, 10_000+rate))
	}
	f["tax"] = minus(zero, category["tax"])
	if !payer {
		f["tax"] = rounded(minus(plus(vat(f["income"], q), vat(f["bonus"], s)), category["tax"]))
	}
	f["vatReturn"], f["provision"], f["invoicesGross"] = zero, zero, zero
	for _, v := range in.Invoices {
		f["invoicesGross"] = plus(f["invoicesGross"], rat(int64(v.Gross)))
		if payer {
			continue
		}
		back := rounded(times(plus(rat(int64(v.VATStandard)), rat(int64(v.VATReduced))), bp(int64(r.DeductionRate))))
		f["vatReturn"] = plus(f["vatReturn"], back)
		if !in.DescribedOnly || v.ByPartner {
			f["provision"] = plus(f["provision"], rounded(times(back, bp(int64(in.Commission)))))
		}
	}
	f["taxCredit"] = plus(minus(f["vatReturn"], f["provision"]), category["overpayment"])
	f["taxAfterOptimisation"] = maximum(zero, minus(f["tax"], f["taxCredit"]))
	f["taxExcess"] = maximum(zero, minus(f["taxCredit"], f["tax"]))
	f["previousPeriod"] = plus(category["previous"], rat(int64(in.CarryIn)))
	f["due"] = plus(minus(f["payoutBase"], f["cashDeducted"], f["taxAfterOptimisation"], f["settlementCost"], f["additionalSettlementCost"], f["rateCost"],
		f["contractCost"], f["fuelCost"], f["costs"]), f["fuelRefund"], f["credits"], f["previousPeriod"])
	f["payout"] = zero
	if f["due"].Sign() > 0 && f["due"].Cmp(rat(int64(r.MinTransfer))) >= 0 {
		f["payout"] = f["due"]
	}
	f["nextPeriodTransfer"] = minus(f["due"], f["payout"])

	if f["payout"].Sign() > 0 {
		a.transfers = transfersByText(in, f)
	}
	return a
}

func transfersByText(in engine.Input, f map[string]*fraction) (list []string) {
	r := in.Rules
	civil := r.ContractType == rules.CivilContract
	order := rat(0)
	if civil && r.MinContractIncome != nil {
		order = minimum(f["payout"], rat(int64(*r.MinContractIncome)))
	}
	deduction := maximum(rat(0), minimum(minus(f["payout"], order), rounded(times(bp(int64(r.DepreciationRate)), f["netIncome"]))))
	rest := minus(f["payout"], order, deduction)
	add := func(purpose string, amount, vat *fraction) {
		if amount.Sign() != 0 {
			list = append(list, purpose+" "+amount.RatString()+" "+vat.RatString())
		}
	}
	add("DEDUCTION_COST", deduction, rat(0))
	vat := rat(0)
	if r.ContractType == rules.B2BVAT {
		rate := map[rules.InvoiceVAT]int64{"": int64(in.VAT.Reduced), rules.Reduced: int64(in.VAT.Reduced), rules.Standard: int64(in.VAT.Standard)}[r.InvoiceVAT]
		if in.SmallBusiness {
			rate = 0
		}
		vat = rounded(times(rest, over(rate, 10_000+rate)))
	}
	switch {
	case civil && r.MinContractIncome != nil:
		add("ORDER_CONTRACT", order, rat(0))
		add("LEASE_CONTRACT", rest, rat(0))
	case civil:
		add("ORDER_CONTRACT", rest, rat(0))
	default:
		add("INVOICE", rest, vat)
	}
	return list
}

// differences says where a settlement is not the answer.
func (a answer) differences(s *engine.Settlement) (wrong []string) {
	differ := func(what string, got int64, want *fraction) {
		if rat(got).Cmp(want) != 0 {
			wrong = append(wrong, fmt.Sprintf("%s is %d, by the text %s", what, got, want.RatString()))
		}
	}
	if string(s.First) != a.first || string(s.Last) != a.last {
		wrong = append(wrong, fmt.Sprintf("days %s to %s, by the text %s to %s", s.First, s.Last, a.first, a.last))
	}
	compared := 0
	for _, f := range engine.AllFigures() {
		if want, ok := a.figures[f.String()]; ok {
			compared++
			differ(f.String(), int64(s.Figures.Of(f)), want)
		}
	}
	if compared != len(a.figures) || compared != 32 {
		wrong = append(wrong, fmt.Sprintf("%d of %d figures compared", compared, len(a.figures)))
	}
	var names []string
	for _, app := range s.Apps {
		names = append(names, app.Provider)
		want := a.apps[app.Provider]
		if want == nil {
			wrong = append(wrong, app.Provider+" is no app by the text")
			continue
		}
		for what, got := range map[string]int64{"income": int64(app.Income), "bonus": int64(app.Bonus), "tips": int64(app.Tips),
			"cashCollected": int64(app.CashCollected), "fee": int64(app.Fees), "workingDays": int64(app.WorkingDays)} {
			differ(what+" of "+app.Provider, got, want[what])
		}
	}
	if len(names) != len(a.apps) || !sort.StringsAreSorted(names) {
		wrong = append(wrong, fmt.Sprintf("apps %v", names))
	}
	var transfers []string
	for _, t := range s.Transfers {
		transfers = append(transfers, fmt.Sprintf("%s %d %d", t.Purpose, int64(t.Amount), int64(t.VAT)))
	}
	if strings.Join(transfers, ", ") != strings.Join(a.transfers, ", ") {
		wrong = append(wrong, fmt.Sprintf("transfers %v, by the text %v", transfers, a.transfers))
	}
	if s.Unknown.Count != a.unknown {
		wrong = append(wrong, fmt.Sprintf("%d unknown rows", s.Unknown.Count))
	}
	differ("the sum of unknown rows", int64(s.Unknown.Amount), a.unknownSum)
	return wrong
}

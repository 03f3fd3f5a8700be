package rules_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
)

func amount(a money.Amount) *money.Amount { return &a }

// describe is what Check says, in one line.
func describe(wrong []fault.Field) string {
	var all []string
	for _, f := range wrong {
		line := f.Name + " " + string(f.Code)
		for _, name := range []string{"min", "max"} {
			if bound, ok := f.Params[name]; ok {
				line += fmt.Sprintf(" %s %s", name, bound)
			}
		}
		all = append(all, line)
	}
	return strings.Join(all, "; ")
}

func TestTheDefaultRulesHaveNoProblem(t *testing.T) {
	if wrong := describe(rules.Check(rules.Default())); wrong != "" {
		t.Error(wrong)
	}
}

// fields are all numbers of the rules with their bounds.
var fields = []struct {
	name             string
	minimum, maximum int64
	set              func(r *rules.Rules, n int64)
}{
	{"weeklyContractCost", 0, 100_000_000, func(r *rules.Rules, n int64) { r.WeeklyContractCost = money.Amount(n) }},
	{"monthlyContractCost", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MonthlyContractCost = money.Amount(n) }},
	{"settlementCost", 0, 100_000_000, func(r *rules.Rules, n int64) { r.SettlementCost = money.Amount(n) }},
	{"additionalCosts[1].amount", 0, 100_000_000, func(r *rules.Rules, n int64) {
		r.AdditionalCosts = []rules.AdditionalCost{{Name: "phone"}, {Name: "car", Amount: money.Amount(n)}}
	}},
	{"dailyFee.UBER", 0, 100_000_000, func(r *rules.Rules, n int64) { r.DailyFee.Uber = money.Amount(n) }},
	{"dailyFee.BOLT", 0, 100_000_000, func(r *rules.Rules, n int64) { r.DailyFee.Bolt = money.Amount(n) }},
	{"dailyFee.FREENOW", 0, 100_000_000, func(r *rules.Rules, n int64) { r.DailyFee.FreeNow = money.Amount(n) }},
	{"maxFee1", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MaxFee1 = amount(money.Amount(n)) }},
	{"maxFee2", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MaxFee2 = amount(money.Amount(n)) }},
	{"maxFee3", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MaxFee3 = amount(money.Amount(n)) }},
	{"tripSettlementCost", 0, 100_000_000, func(r *rules.Rules, n int64) { r.TripSettlementCost = money.Amount(n) }},
	{"tripFee", 0, 100_000_000, func(r *rules.Rules, n int64) { r.TripFee = money.Amount(n) }},
	{"maxTripSettlementCost", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MaxTripSettlementCost = amount(money.Amount(n)) }},
	{"minContractIncome", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MinContractIncome = amount(money.Amount(n)) }},
	{"deductionRateBp", 0, 10_000, func(r *rules.Rules, n int64) { r.DeductionRate = money.Rate(n) }},
	{"depreciationRateBp", 0, 10_000, func(r *rules.Rules, n int64) { r.DepreciationRate = money.Rate(n) }},
	{"payoutRateBp", 0, 10_000, func(r *rules.Rules, n int64) { r.PayoutRate = money.Rate(n) }},
	{"weekStartDay", 1, 7, func(r *rules.Rules, n int64) { r.WeekStartDay = n }},
	{"minTransfer", 0, 100_000_000, func(r *rules.Rules, n int64) { r.MinTransfer = money.Amount(n) }},
	{"costRates[0].incomeFrom", 0, 100_000_000, func(r *rules.Rules, n int64) {
		r.CostRates = []rules.CostRate{{Type: rules.Percent, IncomeFrom: money.Amount(n)}}
	}},
	{"costRates[0].incomeTo", 5001, 100_000_000, func(r *rules.Rules, n int64) {
		r.CostRates = []rules.CostRate{{Type: rules.Percent, IncomeFrom: 5000, IncomeTo: amount(money.Amount(n))}}
	}},
	{"costRates[0].rate", 0, 10_000, func(r *rules.Rules, n int64) { r.CostRates = []rules.CostRate{{Type: rules.Percent, Rate: n}} }},
	{"costRates[0].rate", 0, 10_000, func(r *rules.Rules, n int64) { r.CostRates = []rules.CostRate{{Type: rules.Marginal, Rate: n}} }},
	{"costRates[0].rate", 0, 100_000_000, func(r *rules.Rules, n int64) { r.CostRates = []rules.CostRate{{Type: rules.Flat, Rate: n}} }},
}

func TestEveryNumberIsTakenAtItsBoundsAndRefusedBeyondThem(t *testing.T) {
	for _, f := range fields {
		for n, want := range map[int64]string{
			f.minimum: "", f.maximum: "",
			f.minimum - 1: fmt.Sprintf("%s too_small min %d", f.name, f.minimum),
			f.maximum + 1: fmt.Sprintf("%s too_large max %d", f.name, f.maximum),
			math.MinInt64: fmt.Sprintf("%s too_small min %d", f.name, f.minimum),
			math.MaxInt64: fmt.Sprintf("%s too_large max %d", f.name, f.maximum),
		} {
			r := rules.Default()
			if f.set(&r, n); describe(rules.Check(r)) != want {
				t.Errorf("%s %d: %q, want %q", f.name, n, describe(rules.Check(r)), want)
			}
		}
	}
}

func TestWordsAndListsHaveTheirBounds(t *testing.T) {
	costs := func(n int) (all []rules.AdditionalCost) {
		for range n {
			all = append(all, rules.AdditionalCost{Name: "phone"})
		}
		return all
	}
	bands := func(n int) (all []rules.CostRate) {
		for i := range n {
			all = append(all, rules.CostRate{Type: rules.Flat, IncomeFrom: money.Amount(i), IncomeTo: amount(money.Amount(i + 1))})
		}
		return all
	}
	for _, c := range []struct {
		set  func(r *rules.Rules)
		want string
	}{
		{func(r *rules.Rules) { r.Name = "ż" }, ""},
		{func(r *rules.Rules) { r.Name = strings.Repeat("ż", 100) }, ""},
		{func(r *rules.Rules) { r.Name = strings.Repeat("ż", 101) }, "name too_long max 100"},
		{func(r *rules.Rules) { r.Name = " " }, "name required"},
		{func(r *rules.Rules) { r.Name = "a\x00" }, "name wrong_format"},
		{func(r *rules.Rules) { r.ContractType = "" }, "contractType required"},
		{func(r *rules.Rules) { r.ContractType = "B2B" }, "contractType not_allowed"},
		{func(r *rules.Rules) { r.ContractType = rules.B2BVAT }, ""},
		{func(r *rules.Rules) { r.ContractType = rules.B2BNoVAT }, ""},
		{func(r *rules.Rules) { r.VATMethod = rules.On }, ""},
		{func(r *rules.Rules) { r.InvoiceVAT = rules.Standard }, ""},
		{func(r *rules.Rules) { r.InvoiceVAT = rules.Exempt }, ""},
		{func(r *rules.Rules) { r.InvoiceVAT = "HALF" }, "invoiceVat not_allowed"},
		{func(r *rules.Rules) { r.VATMethod = "OUTSIDE" }, "vatMethod not_allowed"},
		{func(r *rules.Rules) { r.PayoutOf = rules.OfRevenue }, ""},
		{func(r *rules.Rules) { r.PayoutOf = "PROFIT" }, "payoutOf not_allowed"},
		{func(r *rules.Rules) { r.AdditionalCosts = costs(20) }, ""},
		{func(r *rules.Rules) { r.AdditionalCosts = costs(21) }, "additionalCosts too_long max 20"},
		{func(r *rules.Rules) { r.AdditionalCosts = []rules.AdditionalCost{{Name: strings.Repeat("a", 101)}} }, "additionalCosts[0].name too_long max 100"},
		{func(r *rules.Rules) { r.AdditionalCosts = []rules.AdditionalCost{{}} }, "additionalCosts[0].name required"},
		{func(r *rules.Rules) { r.CostRates = bands(50) }, ""},
		{func(r *rules.Rules) { r.CostRates = bands(51) }, "costRates too_long max 50"},
		{func(r *rules.Rules) { r.CostRates = []rules.CostRate{{Type: "SHARE"}} }, "costRates[0].type not_allowed"},
		{func(r *rules.Rules) { r.Name, r.WeekStartDay = "", 8 }, "name required; weekStartDay too_large max 7"},
	} {
		r := rules.Default()
		if c.set(&r); describe(rules.Check(r)) != c.want {
			t.Errorf("%q, want %q", describe(rules.Check(r)), c.want)
		}
	}
}

func TestBandsOfOneTypeMayTouchAndLeaveGapsButNotOverlap(t *testing.T) {
	band := func(kind rules.CostRateType, from money.Amount, to ...money.Amount) rules.CostRate {
		b := rules.CostRate{Type: kind, IncomeFrom: from}
		if len(to) > 0 {
			b.IncomeTo = &to[0]
		}
		return b
	}
	for name, c := range map[string]struct {
		bands []rules.CostRate
		want  string
	}{
		"touching":               {[]rules.CostRate{band(rules.Percent, 0, 100), band(rules.Percent, 100)}, ""},
		"a gap":                  {[]rules.CostRate{band(rules.Percent, 0, 100), band(rules.Percent, 101)}, ""},
		"one unit shared":        {[]rules.CostRate{band(rules.Percent, 0, 101), band(rules.Percent, 100)}, "costRates[1].incomeFrom overlaps"},
		"later first":            {[]rules.CostRate{band(rules.Percent, 100), band(rules.Percent, 0, 101)}, "costRates[0].incomeFrom overlaps"},
		"the same":               {[]rules.CostRate{band(rules.Flat, 5, 9), band(rules.Flat, 5, 9)}, "costRates[1].incomeFrom overlaps"},
		"inside":                 {[]rules.CostRate{band(rules.Flat, 0, 90), band(rules.Flat, 5, 9), band(rules.Flat, 80, 95)}, "costRates[1].incomeFrom overlaps; costRates[2].incomeFrom overlaps"},
		"after one without end":  {[]rules.CostRate{band(rules.Marginal, 0), band(rules.Marginal, 5, 9), band(rules.Marginal, 9)}, "costRates[1].incomeFrom overlaps; costRates[2].incomeFrom overlaps"},
		"other types":            {[]rules.CostRate{band(rules.Percent, 0), band(rules.Marginal, 0), band(rules.Flat, 0)}, ""},
		"an empty one":           {[]rules.CostRate{band(rules.Percent, 0, 100), band(rules.Percent, 50, 50)}, "costRates[1].incomeTo too_small min 51"},
		"the wrong way round":    {[]rules.CostRate{band(rules.Percent, 50, 40)}, "costRates[0].incomeTo too_small min 51"},
		"up to the highest one":  {[]rules.CostRate{band(rules.Percent, 0, rules.AmountMax), band(rules.Percent, rules.AmountMax)}, ""},
		"of several worked ones": {[]rules.CostRate{band(rules.Percent, 0, 100000), band(rules.Percent, 100000), band(rules.Marginal, 50000, 90000), band(rules.Flat, 120000)}, ""},
	} {
		r := rules.Default()
		r.CostRates = c.bands
		if describe(rules.Check(r)) != c.want {
			t.Errorf("%s: %q, want %q", name, describe(rules.Check(r)), c.want)
		}
	}
}

func TestRulesComeBackFromJSONAsTheyWere(t *testing.T) {
	full := rules.Rules{Name: "Łódź", ContractType: rules.B2BVAT, WeeklyContractCost: 1, MonthlyContractCost: 2, SettlementCost: 3,
		AdditionalCosts: []rules.AdditionalCost{{Name: "phone", Amount: 990}}, DailyFee: rules.DailyFee{Uber: 4, Bolt: 5, FreeNow: 6}, MaxFee1: amount(0),
		MaxFee2: amount(7), MaxFee3: amount(8), TripSettlementCost: 9, TripFee: 10, MaxTripSettlementCost: amount(11), MinContractIncome: amount(12),
		VATMethod: rules.On, InvoiceVAT: rules.Standard, VATSplit: true, DeductionRate: 13, DepreciationRate: 14, PayoutRate: 15, PayoutOf: rules.OfRevenue,
		PayoutIncludesCash: true, WeekStartDay: 7, MinTransfer: 16, CostRates: []rules.CostRate{{Type: rules.Flat, IncomeFrom: 1, IncomeTo: amount(2), Rate: 3}},
		AutoNextPeriod: true}
	for i := range reflect.ValueOf(full).NumField() {
		if reflect.ValueOf(full).Field(i).IsZero() {
			t.Errorf("%s is not filled in", reflect.TypeOf(full).Field(i).Name)
		}
	}
	for _, r := range []rules.Rules{full, rules.Default()} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back rules.Rules
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
	}
}

// What a worked case leaves out is as in Default.
func TestAFieldThatIsLeftOutHasItsDefault(t *testing.T) {
	r := rules.Default()
	if err := json.Unmarshal([]byte(`{"contractType": "B2B_NO_VAT", "dailyFee": {"BOLT": 1000}, "maxFee1": 3500}`), &r); err != nil {
		t.Fatal(err)
	}
	if r.ContractType != rules.B2BNoVAT || r.DailyFee != (rules.DailyFee{Bolt: 1000}) || *r.MaxFee1 != 3500 || r.MaxFee2 != nil || r.DeductionRate != 10000 ||
		r.PayoutRate != 10000 || r.PayoutOf != rules.OfIncome || !r.PayoutIncludesCash || !r.AutoNextPeriod || r.VATMethod != rules.Inside || r.WeekStartDay != 1 || r.VATSplit {
		t.Errorf("%+v", r)
	}
}

package schema_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/schema"
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
	if wrong := describe(schema.Check(schema.Default())); wrong != "" {
		t.Error(wrong)
	}
}

// fields are all numbers of the rules with their bounds.
var fields = []struct {
	name             string
	minimum, maximum int64
	set              func(r *schema.Rules, n int64)
}{
	{"weeklyContractCost", 0, 100_000_000, func(r *schema.Rules, n int64) { r.WeeklyContractCost = money.Amount(n) }},
	{"monthlyContractCost", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MonthlyContractCost = money.Amount(n) }},
	{"settlementCost", 0, 100_000_000, func(r *schema.Rules, n int64) { r.SettlementCost = money.Amount(n) }},
	{"additionalCosts[1].amount", 0, 100_000_000, func(r *schema.Rules, n int64) {
		r.AdditionalCosts = []schema.AdditionalCost{{Name: "phone"}, {Name: "car", Amount: money.Amount(n)}}
	}},
	{"dailyFee.UBER", 0, 100_000_000, func(r *schema.Rules, n int64) { r.DailyFee.Uber = money.Amount(n) }},
	{"dailyFee.BOLT", 0, 100_000_000, func(r *schema.Rules, n int64) { r.DailyFee.Bolt = money.Amount(n) }},
	{"dailyFee.FREENOW", 0, 100_000_000, func(r *schema.Rules, n int64) { r.DailyFee.FreeNow = money.Amount(n) }},
	{"maxFee1", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MaxFee1 = amount(money.Amount(n)) }},
	{"maxFee2", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MaxFee2 = amount(money.Amount(n)) }},
	{"maxFee3", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MaxFee3 = amount(money.Amount(n)) }},
	{"tripSettlementCost", 0, 100_000_000, func(r *schema.Rules, n int64) { r.TripSettlementCost = money.Amount(n) }},
	{"tripFee", 0, 100_000_000, func(r *schema.Rules, n int64) { r.TripFee = money.Amount(n) }},
	{"maxTripSettlementCost", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MaxTripSettlementCost = amount(money.Amount(n)) }},
	{"minContractIncome", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MinContractIncome = amount(money.Amount(n)) }},
	{"deductionRateBp", 0, 10_000, func(r *schema.Rules, n int64) { r.DeductionRate = money.Rate(n) }},
	{"depreciationRateBp", 0, 10_000, func(r *schema.Rules, n int64) { r.DepreciationRate = money.Rate(n) }},
	{"payoutRateBp", 0, 10_000, func(r *schema.Rules, n int64) { r.PayoutRate = money.Rate(n) }},
	{"weekStartDay", 1, 7, func(r *schema.Rules, n int64) { r.WeekStartDay = n }},
	{"minTransfer", 0, 100_000_000, func(r *schema.Rules, n int64) { r.MinTransfer = money.Amount(n) }},
	{"costRates[0].incomeFrom", 0, 100_000_000, func(r *schema.Rules, n int64) {
		r.CostRates = []schema.CostRate{{Type: schema.Percent, IncomeFrom: money.Amount(n)}}
	}},
	{"costRates[0].incomeTo", 5001, 100_000_000, func(r *schema.Rules, n int64) {
		r.CostRates = []schema.CostRate{{Type: schema.Percent, IncomeFrom: 5000, IncomeTo: amount(money.Amount(n))}}
	}},
	{"costRates[0].rate", 0, 10_000, func(r *schema.Rules, n int64) { r.CostRates = []schema.CostRate{{Type: schema.Percent, Rate: n}} }},
	{"costRates[0].rate", 0, 10_000, func(r *schema.Rules, n int64) { r.CostRates = []schema.CostRate{{Type: schema.Marginal, Rate: n}} }},
	{"costRates[0].rate", 0, 100_000_000, func(r *schema.Rules, n int64) { r.CostRates = []schema.CostRate{{Type: schema.Flat, Rate: n}} }},
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
			r := schema.Default()
			if f.set(&r, n); describe(schema.Check(r)) != want {
				t.Errorf("%s %d: %q, want %q", f.name, n, describe(schema.Check(r)), want)
			}
		}
	}
}

func TestWordsAndListsHaveTheirBounds(t *testing.T) {
	costs := func(n int) (all []schema.AdditionalCost) {
		for range n {
			all = append(all, schema.AdditionalCost{Name: "phone"})
		}
		return all
	}
	bands := func(n int) (all []schema.CostRate) {
		for i := range n {
			all = append(all, schema.CostRate{Type: schema.Flat, IncomeFrom: money.Amount(i), IncomeTo: amount(money.Amount(i + 1))})
		}
		return all
	}
	for _, c := range []struct {
		set  func(r *schema.Rules)
		want string
	}{
		{func(r *schema.Rules) { r.Name = "ż" }, ""},
		{func(r *schema.Rules) { r.Name = strings.Repeat("ż", 100) }, ""},
		{func(r *schema.Rules) { r.Name = strings.Repeat("ż", 101) }, "name too_long max 100"},
		{func(r *schema.Rules) { r.Name = " " }, "name required"},
		{func(r *schema.Rules) { r.Name = "a\x00" }, "name wrong_format"},
		{func(r *schema.Rules) { r.ContractType = "" }, "contractType required"},
		{func(r *schema.Rules) { r.ContractType = "B2B" }, "contractType not_allowed"},
		{func(r *schema.Rules) { r.ContractType = schema.B2BVAT }, ""},
		{func(r *schema.Rules) { r.ContractType = schema.B2BNoVAT }, ""},
		{func(r *schema.Rules) { r.VATMethod = schema.On }, ""},
		{func(r *schema.Rules) { r.InvoiceVAT = schema.Standard }, ""},
		{func(r *schema.Rules) { r.InvoiceVAT = schema.Exempt }, ""},
		{func(r *schema.Rules) { r.InvoiceVAT = "HALF" }, "invoiceVat not_allowed"},
		{func(r *schema.Rules) { r.VATMethod = "OUTSIDE" }, "vatMethod not_allowed"},
		{func(r *schema.Rules) { r.PayoutOf = schema.OfRevenue }, ""},
		{func(r *schema.Rules) { r.PayoutOf = "PROFIT" }, "payoutOf not_allowed"},
		{func(r *schema.Rules) { r.AdditionalCosts = costs(20) }, ""},
		{func(r *schema.Rules) { r.AdditionalCosts = costs(21) }, "additionalCosts too_long max 20"},
		{func(r *schema.Rules) { r.AdditionalCosts = []schema.AdditionalCost{{Name: strings.Repeat("a", 101)}} }, "additionalCosts[0].name too_long max 100"},
		{func(r *schema.Rules) { r.AdditionalCosts = []schema.AdditionalCost{{}} }, "additionalCosts[0].name required"},
		{func(r *schema.Rules) { r.CostRates = bands(50) }, ""},
		{func(r *schema.Rules) { r.CostRates = bands(51) }, "costRates too_long max 50"},
		{func(r *schema.Rules) { r.CostRates = []schema.CostRate{{Type: "SHARE"}} }, "costRates[0].type not_allowed"},
		{func(r *schema.Rules) { r.Name, r.WeekStartDay = "", 8 }, "name required; weekStartDay too_large max 7"},
	} {
		r := schema.Default()
		if c.set(&r); describe(schema.Check(r)) != c.want {
			t.Errorf("%q, want %q", describe(schema.Check(r)), c.want)
		}
	}
}

func TestBandsOfOneTypeMayTouchAndLeaveGapsButNotOverlap(t *testing.T) {
	band := func(kind schema.CostRateType, from money.Amount, to ...money.Amount) schema.CostRate {
		b := schema.CostRate{Type: kind, IncomeFrom: from}
		if len(to) > 0 {
			b.IncomeTo = &to[0]
		}
		return b
	}
	for name, c := range map[string]struct {
		bands []schema.CostRate
		want  string
	}{
		"touching":               {[]schema.CostRate{band(schema.Percent, 0, 100), band(schema.Percent, 100)}, ""},
		"a gap":                  {[]schema.CostRate{band(schema.Percent, 0, 100), band(schema.Percent, 101)}, ""},
		"one unit shared":        {[]schema.CostRate{band(schema.Percent, 0, 101), band(schema.Percent, 100)}, "costRates[1].incomeFrom overlaps"},
		"later first":            {[]schema.CostRate{band(schema.Percent, 100), band(schema.Percent, 0, 101)}, "costRates[0].incomeFrom overlaps"},
		"the same":               {[]schema.CostRate{band(schema.Flat, 5, 9), band(schema.Flat, 5, 9)}, "costRates[1].incomeFrom overlaps"},
		"inside":                 {[]schema.CostRate{band(schema.Flat, 0, 90), band(schema.Flat, 5, 9), band(schema.Flat, 80, 95)}, "costRates[1].incomeFrom overlaps; costRates[2].incomeFrom overlaps"},
		"after one without end":  {[]schema.CostRate{band(schema.Marginal, 0), band(schema.Marginal, 5, 9), band(schema.Marginal, 9)}, "costRates[1].incomeFrom overlaps; costRates[2].incomeFrom overlaps"},
		"other types":            {[]schema.CostRate{band(schema.Percent, 0), band(schema.Marginal, 0), band(schema.Flat, 0)}, ""},
		"an empty one":           {[]schema.CostRate{band(schema.Percent, 0, 100), band(schema.Percent, 50, 50)}, "costRates[1].incomeTo too_small min 51"},
		"the wrong way round":    {[]schema.CostRate{band(schema.Percent, 50, 40)}, "costRates[0].incomeTo too_small min 51"},
		"up to the highest one":  {[]schema.CostRate{band(schema.Percent, 0, schema.AmountMax), band(schema.Percent, schema.AmountMax)}, ""},
		"of several worked ones": {[]schema.CostRate{band(schema.Percent, 0, 100000), band(schema.Percent, 100000), band(schema.Marginal, 50000, 90000), band(schema.Flat, 120000)}, ""},
	} {
		r := schema.Default()
		r.CostRates = c.bands
		if describe(schema.Check(r)) != c.want {
			t.Errorf("%s: %q, want %q", name, describe(schema.Check(r)), c.want)
		}
	}
}

func TestRulesComeBackFromJSONAsTheyWere(t *testing.T) {
	full := schema.Rules{Name: "Łódź", ContractType: schema.B2BVAT, WeeklyContractCost: 1, MonthlyContractCost: 2, SettlementCost: 3,
		AdditionalCosts: []schema.AdditionalCost{{Name: "phone", Amount: 990}}, DailyFee: schema.DailyFee{Uber: 4, Bolt: 5, FreeNow: 6}, MaxFee1: amount(0),
		MaxFee2: amount(7), MaxFee3: amount(8), TripSettlementCost: 9, TripFee: 10, MaxTripSettlementCost: amount(11), MinContractIncome: amount(12),
		VATMethod: schema.On, InvoiceVAT: schema.Standard, VATSplit: true, DeductionRate: 13, DepreciationRate: 14, PayoutRate: 15, PayoutOf: schema.OfRevenue,
		PayoutIncludesCash: true, WeekStartDay: 7, MinTransfer: 16, CostRates: []schema.CostRate{{Type: schema.Flat, IncomeFrom: 1, IncomeTo: amount(2), Rate: 3}},
		AutoNextPeriod: true}
	for i := range reflect.ValueOf(full).NumField() {
		if reflect.ValueOf(full).Field(i).IsZero() {
			t.Errorf("%s is not filled in", reflect.TypeOf(full).Field(i).Name)
		}
	}
	for _, r := range []schema.Rules{full, schema.Default()} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back schema.Rules
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
	}
}

// What a worked case leaves out is as in Default.
func TestAFieldThatIsLeftOutHasItsDefault(t *testing.T) {
	r := schema.Default()
	if err := json.Unmarshal([]byte(`{"contractType": "B2B_NO_VAT", "dailyFee": {"BOLT": 1000}, "maxFee1": 3500}`), &r); err != nil {
		t.Fatal(err)
	}
	if r.ContractType != schema.B2BNoVAT || r.DailyFee != (schema.DailyFee{Bolt: 1000}) || *r.MaxFee1 != 3500 || r.MaxFee2 != nil || r.DeductionRate != 10000 ||
		r.PayoutRate != 10000 || r.PayoutOf != schema.OfIncome || !r.PayoutIncludesCash || !r.AutoNextPeriod || r.VATMethod != schema.Inside || r.WeekStartDay != 1 || r.VATSplit {
		t.Errorf("%+v", r)
	}
}

package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
)

// Bounds of the rules.
const (
	NameMax    = 100 // characters, of a schema and of a cost
	CostsMax   = 20
	BandsMax   = 50
	AmountMax  = money.Amount(1_000_000_00)
	RateMax    = money.Rate(10_000) // the whole
	weekDayMax = 7
)

// Check names every field that is out of its bounds, with the bound in the
// unit of the field. Rules without a problem can be settled by.
func Check(r Rules) []fault.Field {
	c := &check{}
	c.name("name", r.Name)
	oneOf(c, "contractType", r.ContractType, B2BNoVAT, B2BVAT, CivilContract)
	c.amount("weeklyContractCost", r.WeeklyContractCost)
	c.amount("monthlyContractCost", r.MonthlyContractCost)
	c.amount("settlementCost", r.SettlementCost)
	c.costs(r.AdditionalCosts)
	c.amount("dailyFee.UBER", r.DailyFee.Uber)
	c.amount("dailyFee.BOLT", r.DailyFee.Bolt)
	c.amount("dailyFee.FREENOW", r.DailyFee.FreeNow)
	c.optional("maxFee1", r.MaxFee1)
	c.optional("maxFee2", r.MaxFee2)
	c.optional("maxFee3", r.MaxFee3)
	c.amount("tripSettlementCost", r.TripSettlementCost)
	c.amount("tripFee", r.TripFee)
	c.optional("maxTripSettlementCost", r.MaxTripSettlementCost)
	c.optional("minContractIncome", r.MinContractIncome)
	oneOf(c, "vatMethod", r.VATMethod, Inside, On)
	oneOf(c, "invoiceVat", r.InvoiceVAT, Reduced, Standard, Exempt)
	c.within("deductionRateBp", int64(r.DeductionRate), 0, int64(RateMax))
	c.within("depreciationRateBp", int64(r.DepreciationRate), 0, int64(RateMax))
	c.within("payoutRateBp", int64(r.PayoutRate), 0, int64(RateMax))
	oneOf(c, "payoutOf", r.PayoutOf, OfRevenue, OfIncome)
	c.within("weekStartDay", r.WeekStartDay, 1, weekDayMax)
	c.amount("minTransfer", r.MinTransfer)
	c.bands(r.CostRates)
	return c.wrong
}

type check struct{ wrong []fault.Field }

func (c *check) refuse(field string, code fault.FieldCode, params map[string]string) {
	c.wrong = append(c.wrong, fault.Field{Name: field, Code: code, Params: params})
}

func bound(name string, value int64) map[string]string {
	return map[string]string{name: fmt.Sprint(value)}
}

func (c *check) within(field string, value, minimum, maximum int64) {
	switch {
	case value < minimum:
		c.refuse(field, fault.TooSmall, bound("min", minimum))
	case value > maximum:
		c.refuse(field, fault.TooBig, bound("max", maximum))
	}
}

func (c *check) amount(field string, a money.Amount) { c.within(field, int64(a), 0, int64(AmountMax)) }

func (c *check) optional(field string, a *money.Amount) {
	if a != nil {
		c.amount(field, *a)
	}
}

func (c *check) name(field, text string) {
	switch {
	case strings.TrimSpace(text) == "":
		c.refuse(field, fault.Required, nil)
	case utf8.RuneCountInString(text) > NameMax:
		c.refuse(field, fault.TooLong, bound("max", NameMax))
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		c.refuse(field, fault.WrongFormat, nil)
	}
}

func oneOf[T ~string](c *check, field string, value T, allowed ...T) {
	switch {
	case value == "":
		c.refuse(field, fault.Required, nil)
	case !slices.Contains(allowed, value):
		c.refuse(field, fault.NotOneOf, nil)
	}
}

func (c *check) costs(costs []AdditionalCost) {
	if len(costs) > CostsMax {
		c.refuse("additionalCosts", fault.TooLong, bound("max", CostsMax))
		return
	}
	for i, cost := range costs {
		field := fmt.Sprintf("additionalCosts[%d].", i)
		c.name(field+"name", cost.Name)
		c.amount(field+"amount", cost.Amount)
	}
}

// bands may leave gaps, where they charge nothing. A band ends before its
// IncomeTo, so that the next one may begin there.
func (c *check) bands(bands []CostRate) {
	if len(bands) > BandsMax {
		c.refuse("costRates", fault.TooLong, bound("max", BandsMax))
		return
	}
	for i, b := range bands {
		field := fmt.Sprintf("costRates[%d].", i)
		oneOf(c, field+"type", b.Type, Percent, Marginal, Flat)
		c.amount(field+"incomeFrom", b.IncomeFrom)
		if b.IncomeTo != nil {
			c.within(field+"incomeTo", int64(*b.IncomeTo), int64(max(b.IncomeFrom, 0))+1, int64(AmountMax))
		}
		maximum := int64(RateMax)
		if b.Type == Flat {
			maximum = int64(AmountMax)
		}
		c.within(field+"rate", b.Rate, 0, maximum)
	}
	c.overlaps(bands)
}

// overlaps names, of two bands that share a revenue, the one that begins
// later; of two that begin together, the one further down the list. Bands
// that end where they begin, or before, hold nothing and meet nobody.
func (c *check) overlaps(bands []CostRate) {
	order := make([]int, 0, len(bands))
	for i, b := range bands {
		if b.IncomeTo == nil || *b.IncomeTo > b.IncomeFrom {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(bands[i].IncomeFrom, bands[j].IncomeFrom) })
	widest := map[CostRateType]*CostRate{} // of each type the band so far that ends last
	var met []int
	for _, i := range order {
		b := &bands[i]
		before := widest[b.Type]
		if before != nil && (before.IncomeTo == nil || *before.IncomeTo > b.IncomeFrom) {
			met = append(met, i)
		}
		if before == nil || before.IncomeTo != nil && (b.IncomeTo == nil || *b.IncomeTo > *before.IncomeTo) {
			widest[b.Type] = b
		}
	}
	slices.Sort(met)
	for _, i := range met {
		c.refuse(fmt.Sprintf("costRates[%d].incomeFrom", i), fault.Overlaps, nil)
	}
}

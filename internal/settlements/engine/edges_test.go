package engine_test

import (
	"testing"

	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// Random amounts hardly ever meet a bound exactly.

func TestBandsHoldFromTheirFirstToLessThanTheirLast(t *testing.T) {
	to := money.Amount(20_000)
	for _, c := range []struct {
		kind    rules.CostRateType
		rate    int64
		revenue money.Amount
		want    money.Amount
	}{
		{rules.Percent, 1000, 9_999, 0}, {rules.Percent, 1000, 10_000, 1000}, {rules.Percent, 1000, 19_999, 2000}, {rules.Percent, 1000, 20_000, 0},
		{rules.Flat, 77, 9_999, 0}, {rules.Flat, 77, 10_000, 77}, {rules.Flat, 77, 19_999, 77}, {rules.Flat, 77, 20_000, 0},
		{rules.Marginal, 1000, 9_999, 0}, {rules.Marginal, 1000, 10_000, 0}, {rules.Marginal, 1000, 10_005, 1}, {rules.Marginal, 1000, 20_000, 1000},
		{rules.Marginal, 1000, 99_999, 1000},
	} {
		in := plain("2026-W45", row("UBER", "TIP", "2026-11-03", c.revenue))
		in.Rules.CostRates = []rules.CostRate{{Type: c.kind, IncomeFrom: 10_000, IncomeTo: &to, Rate: c.rate}}
		if s := compute(t, in); s.Figures[engine.RateCost] != c.want {
			t.Errorf("%s of %s: %s", c.kind, c.revenue, s.Figures[engine.RateCost])
		}
	}
}

func TestTheSmallestTransferIsStillPaid(t *testing.T) {
	for _, c := range []struct {
		due, minimum, payout money.Amount
		why                  engine.Reason
	}{
		{1000, 1000, 1000, ""}, {999, 1000, 0, engine.BelowMinimum}, {1, 0, 1, ""}, {0, 0, 0, engine.NotPositive}, {-1, 0, 0, engine.NotPositive},
	} {
		in := plain("2026-W45", row("UBER", "TIP", "2026-11-03", c.due))
		in.Rules.MinTransfer = c.minimum
		s := compute(t, in)
		if s.Figures[engine.Payout] != c.payout || s.Figures[engine.NextPeriodTransfer] != c.due-c.payout || s.Explain(engine.Payout).Reason != c.why {
			t.Errorf("%s due of at least %s: %+v", c.due, c.minimum, s.Explain(engine.Payout))
		}
	}
}

func TestOnlyASplitPaymentOfAPayerOfVATNamesItsVAT(t *testing.T) {
	for _, c := range []struct {
		contract rules.ContractType
		split    bool
		vat      money.Amount
		named    bool
	}{
		{rules.B2BVAT, true, 800, true}, {rules.B2BVAT, false, 800, false}, {rules.B2BNoVAT, true, 0, false}, {rules.CivilContract, true, 0, false},
	} {
		in := plain("2026-W45", row("UBER", "TIP", "2026-11-03", 10_800))
		in.Rules.ContractType, in.Rules.VATSplit = c.contract, c.split
		if s := compute(t, in); len(s.Transfers) != 1 || s.Transfers[0].VAT != c.vat || s.Transfers[0].NameVAT != c.named {
			t.Errorf("%+v: %+v", c, s.Transfers)
		}
	}
}

func TestAPayoutIsDividedInItsOrder(t *testing.T) {
	minimum := money.Amount(4000)
	for _, c := range []struct {
		contract  rules.ContractType
		minimum   *money.Amount
		due, rate int64
		want      []engine.Transfer
	}{
		{rules.CivilContract, &minimum, 10_000, 2500, []engine.Transfer{{Purpose: engine.DeductionCost, Amount: 2500, Of: engine.Deduction},
			{Purpose: engine.OrderContract, Amount: 4000, Of: engine.Order}, {Purpose: engine.LeaseContract, Amount: 3500, Of: engine.Remainder}}},
		{rules.CivilContract, &minimum, 4000, 2500, []engine.Transfer{{Purpose: engine.OrderContract, Amount: 4000, Of: engine.Order}}},
		{rules.CivilContract, &minimum, 4001, 10_000, []engine.Transfer{{Purpose: engine.DeductionCost, Amount: 1, Of: engine.Deduction},
			{Purpose: engine.OrderContract, Amount: 4000, Of: engine.Order}}},
		{rules.CivilContract, nil, 10_000, 2500, []engine.Transfer{{Purpose: engine.DeductionCost, Amount: 2500, Of: engine.Deduction},
			{Purpose: engine.OrderContract, Amount: 7500, Of: engine.Remainder}}},
		{rules.B2BNoVAT, &minimum, 10_000, 0, []engine.Transfer{{Purpose: engine.InvoicePaid, Amount: 10_000, Of: engine.Remainder}}},
	} {
		in := plain("2026-W45", row("UBER", "TIP", "2026-11-03", money.Amount(c.due)))
		in.Rules.ContractType, in.Rules.MinContractIncome, in.Rules.DepreciationRate = c.contract, c.minimum, money.Rate(c.rate)
		s := compute(t, in)
		if len(s.Transfers) != len(c.want) {
			t.Fatalf("%+v", s.Transfers)
		}
		for i := range c.want {
			if s.Transfers[i] != c.want[i] {
				t.Errorf("%+v, want %+v", s.Transfers[i], c.want[i])
			}
		}
	}
}

// What came late is charged only what the period was not charged yet.
func TestAPeriodPaysItsChargesOnce(t *testing.T) {
	fare := row("UBER", "TRIP", "2026-11-03", 10_000)
	in := plain("2026-W45", row("UBER", "TRIP", "2026-11-04", -4000))
	in.Rules.SettlementCost, in.Rules.WeeklyContractCost = 5000, 1000
	in.Rules.AdditionalCosts = []rules.AdditionalCost{{Name: "phone", Amount: 990}}
	for name, c := range map[string]struct {
		before           []engine.Settled
		base, additional money.Amount
		contract         money.Amount
	}{
		"first, without revenue":              {nil, 0, 0, 1000},
		"revenue settled, all charged":        {[]engine.Settled{{Transactions: []engine.Transaction{fare}, Charged: engine.Charged{BaseCost: 5000, AdditionalSettlementCost: 990, ContractBase: 1000}}}, 0, 0, 0},
		"revenue settled, charges have grown": {[]engine.Settled{{Transactions: []engine.Transaction{fare}, Charged: engine.Charged{BaseCost: 4000, AdditionalSettlementCost: 900, ContractBase: 900}}}, 1000, 90, 100},
		"charges have shrunk":                 {[]engine.Settled{{Transactions: []engine.Transaction{fare}, Charged: engine.Charged{BaseCost: 9000, AdditionalSettlementCost: 9000, ContractBase: 9000}}}, 0, 0, 0},
		"two before":                          {[]engine.Settled{{Transactions: []engine.Transaction{fare}, Charged: engine.Charged{BaseCost: 3000}}, {Charged: engine.Charged{BaseCost: 1500}}}, 500, 990, 1000},
	} {
		in.Before = c.before
		if f := compute(t, in).Figures; f[engine.BaseCost] != c.base || f[engine.AdditionalSettlementCost] != c.additional || f[engine.ContractBase] != c.contract {
			t.Errorf("%s: %s, %s, %s", name, f[engine.BaseCost], f[engine.AdditionalSettlementCost], f[engine.ContractBase])
		}
	}
}

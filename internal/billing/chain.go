package billing

import (
	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

// term is one figure with its sign in a line.
type term struct {
	figure   engine.Figure
	provider string // of an app's figure
	minus    bool
}

// line is one step of the way from the start balance to what is due.
type line struct {
	group           string
	name            engine.Figure
	provider        string
	terms           []term
	amount, balance money.Amount
}

// counted is what a chain is made of.
type counted struct {
	figures engine.Figures
	apps    []settlements.App
	rules   *rules.Rules
}

func (c *counted) value(t term) money.Amount {
	v := c.figures[t.figure]
	if t.provider != "" {
		v = 0
		for _, a := range c.apps {
			if a.Provider == t.provider {
				v = appValue(a, t.figure)
			}
		}
	}
	if t.minus {
		return -v
	}
	return v
}

func appValue(a settlements.App, f engine.Figure) money.Amount {
	switch f {
	case engine.Income:
		return a.Income
	case engine.Bonus:
		return a.Bonus
	case engine.Tips:
		return a.Tips
	case engine.CashCollected:
		return a.CashCollected
	case engine.Fee:
		return a.Fee
	}
	return 0
}

// chain are the lines from the start balance to what is due, without those of nothing. They add up to what is due whatever
// the rules: the partner's share is what lies between what was earned and what of it is the driver's. Screens show the same.
func (c *counted) chain() (lines []line) {
	plus := func(f engine.Figure) term { return term{figure: f} }
	taken := func(f engine.Figure) term { return term{figure: f, minus: true} }
	ofRevenue := c.rules.PayoutOf == rules.OfRevenue
	drafts := []line{{group: "", name: engine.PreviousPeriod, terms: []term{plus(engine.PreviousPeriod)}}}
	for _, a := range c.apps {
		drafts = append(drafts, line{group: "earnings", name: engine.Revenue, provider: a.Provider,
			terms: []term{{engine.Income, a.Provider, false}, {engine.Bonus, a.Provider, false}, {engine.Tips, a.Provider, false}}})
	}
	if c.rules.PayoutIncludesCash {
		for _, a := range c.apps {
			drafts = append(drafts, line{group: "cash", name: engine.CashDeducted, provider: a.Provider,
				terms: []term{{engine.CashCollected, a.Provider, true}}})
		}
	}
	whole := engine.NetIncome
	if ofRevenue {
		whole = engine.Revenue
	} else {
		drafts = append(drafts, line{group: "deductions", name: engine.Fee, terms: []term{taken(engine.Fee)}})
	}
	drafts = append(drafts, line{group: "deductions", name: engine.PayoutBase, terms: []term{plus(engine.PayoutBase), taken(whole)}})
	for _, f := range []engine.Figure{engine.TaxAfterOptimisation, engine.SettlementCost, engine.AdditionalSettlementCost, engine.RateCost,
		engine.ContractCost} {
		drafts = append(drafts, line{group: "deductions", name: f, terms: []term{taken(f)}})
	}
	drafts = append(drafts,
		line{group: "deductions", name: engine.FuelCost, terms: []term{taken(engine.FuelCost), plus(engine.FuelRefund)}},
		line{group: "deductions", name: engine.Costs, terms: []term{taken(engine.Costs)}},
		line{group: "credits", name: engine.Credits, terms: []term{plus(engine.Credits)}})
	var balance money.Amount
	for _, draft := range drafts {
		kept := draft.terms[:0:0]
		for _, t := range draft.terms {
			if v := c.value(t); v != 0 || len(draft.terms) == 1 {
				kept = append(kept, t)
				draft.amount += v
			}
		}
		balance += draft.amount
		draft.terms, draft.balance = kept, balance
		if draft.amount != 0 || draft.name == engine.PreviousPeriod {
			lines = append(lines, draft)
		}
	}
	return lines
}

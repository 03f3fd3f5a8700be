package engine

import (
	"fmt"

	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
)

// Group is the part of the way from the start balance to what is due that a line stands in.
type Group string

// The groups in their order.
const (
	StartGroup      Group = "start"
	EarningsGroup   Group = "earnings"
	CashGroup       Group = "cash"
	DeductionsGroup Group = "deductions"
	CreditsGroup    Group = "credits"
)

// LineTerm is a figure that the amount of a line is made of.
type LineTerm struct {
	Figure   string       `json:"figure"`
	Provider string       `json:"provider,omitempty" doc:"of an app's figure"`
	Amount   money.Amount `json:"amount" doc:"with its sign in the line"`
}

// Line is one step of the way from the start balance to what is due.
type Line struct {
	Group    Group
	Name     string     // of the figure it is called after, one of LineNames
	Provider string     // the app, of a line that each app has
	Terms    []LineTerm // they add up to the amount; those of zero are left out unless there is one only
	Amount   money.Amount
	Balance  money.Amount // after this line; after the last one what is due
}

// LineNames are the figures that lines are called after.
var LineNames = []Figure{PreviousPeriod, Revenue, CashDeducted, Fee, PayoutBase, TaxAfterOptimisation, SettlementCost,
	AdditionalSettlementCost, RateCost, ContractCost, FuelCost, Costs, Credits}

// CashLines says how the cash that a driver has already is listed.
type CashLines bool

// The ways to list cash.
const (
	CashByApp CashLines = false
	CashAsOne CashLines = true
)

// Lines are the steps from the start balance to what is due: the start balance always, others only where their amount is not zero. They
// come to what is due whatever the rules, or there is an error: the partner's share is what lies between what was earned and what of it
// is the driver's. Every screen, link and document of a settlement lists these.
func Lines(figures *Figures, apps []App, r *rules.Rules, cash CashLines) (lines []Line, err error) {
	var balance money.Amount
	for _, draft := range draftLines(figures, apps, r, cash) {
		kept := draft.Terms[:0:0]
		for _, t := range draft.Terms {
			if t.Amount == 0 && len(draft.Terms) > 1 {
				continue
			}
			kept = append(kept, t)
			if draft.Amount, err = draft.Amount.Add(t.Amount); err != nil {
				return nil, fmt.Errorf("the line %s: %w", draft.Name, err)
			}
		}
		if balance, err = balance.Add(draft.Amount); err != nil {
			return nil, fmt.Errorf("the balance after %s: %w", draft.Name, err)
		}
		draft.Terms, draft.Balance = kept, balance
		if draft.Amount != 0 || draft.Group == StartGroup {
			lines = append(lines, draft)
		}
	}
	if due := figures[Due]; balance != due {
		return nil, fmt.Errorf("%w: the lines come to %s, due is %s", ErrUnexplained, balance, due)
	}
	return lines, nil
}

// draftLines are all lines that the rules know, also those of nothing, with their terms and without sums.
func draftLines(figures *Figures, apps []App, r *rules.Rules, cash CashLines) []Line {
	plus := func(f Figure) LineTerm { return LineTerm{Figure: f.String(), Amount: figures[f]} }
	minus := func(f Figure) LineTerm { return LineTerm{Figure: f.String(), Amount: -figures[f]} }
	drafts := []Line{}
	add := func(group Group, name Figure, provider string, terms ...LineTerm) {
		drafts = append(drafts, Line{Group: group, Name: name.String(), Provider: provider, Terms: terms})
	}
	add(StartGroup, PreviousPeriod, "", plus(PreviousPeriod))
	for i := range apps {
		terms := make([]LineTerm, 0, 3)
		for _, f := range []Figure{Income, Bonus, Tips} {
			terms = append(terms, LineTerm{f.String(), apps[i].Provider, apps[i].of(f)})
		}
		add(EarningsGroup, Revenue, apps[i].Provider, terms...)
	}
	switch {
	case cash == CashAsOne:
		add(CashGroup, CashDeducted, "", minus(CashDeducted))
	case r.PayoutIncludesCash:
		for i := range apps {
			add(CashGroup, CashDeducted, apps[i].Provider, LineTerm{CashCollected.String(), apps[i].Provider, -apps[i].CashCollected})
		}
	}
	whole := Revenue
	if r.PayoutOf != rules.OfRevenue {
		whole = NetIncome
		add(DeductionsGroup, Fee, "", minus(Fee))
	}
	add(DeductionsGroup, PayoutBase, "", plus(PayoutBase), minus(whole))
	for _, f := range []Figure{TaxAfterOptimisation, SettlementCost, AdditionalSettlementCost, RateCost, ContractCost} {
		add(DeductionsGroup, f, "", minus(f))
	}
	add(DeductionsGroup, FuelCost, "", minus(FuelCost), plus(FuelRefund))
	add(DeductionsGroup, Costs, "", minus(Costs))
	add(CreditsGroup, Credits, "", plus(Credits))
	return drafts
}

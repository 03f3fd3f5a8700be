package engine

import (
	"fmt"
	"math/bits"
	"strconv"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// derivation explains one figure: the sum of its parts rounded once, at most the cap, less what was charged before, not below
// the floor. It holds no pointers, since millions of them are made.
type derivation struct {
	maximum, charged money.Amount
	from, to         int32 // its parts
	days             uint64
	mostRule         rule
	capped, floor    bool
	why              reasonCode
}

// part is amount × times ÷ of.
type part struct {
	amount    money.Amount
	times, of int32
	from, to  int32 // its rows
	kind      partKind
	figure    Figure
	category  uint8
	app       uint8 // of ofRows its provider, of ofApp its app
	rule      rule
	rule2     rule
	index     uint8 // in a list of the schema
	rounded   bool  // by itself
}

type partKind uint8

const (
	ofFigure  partKind = iota // another figure
	ofApp                     // a figure of one app
	ofRows                    // transactions and trips of one provider and category; invoices
	ofRule                    // an amount of the schema
	ofBand                    // the part of the revenue in a band
	ofInvoice                 // one invoice
	ofCarry                   // what older periods owe
)

var kindNames = [...]PartKind{FromFigure, FromApp, FromRows, FromRule, FromBand, FromInvoice, FromCarry}

// noProvider is the app of rows that have none.
const noProvider = 255

// sum gives what parts add up to under a derivation.
func sum(parts []part, l *derivation) (money.Amount, error) {
	var total money.Amount
	var exact money.Exact
	var err error
	fraction := false
	for i := range parts {
		p := &parts[i]
		change := p.amount
		switch {
		case p.of == 1 && p.times == 1:
		case p.of == 1 && p.times == -1:
			change, err = change.Neg()
		case p.rounded:
			var one money.Exact
			one.Add(p.amount, int64(p.times), int64(p.of))
			change, err = one.Round()
		default:
			exact.Add(p.amount, int64(p.times), int64(p.of))
			fraction, change = true, 0
		}
		if err != nil {
			return 0, err
		}
		if total, err = total.Add(change); err != nil {
			return 0, err
		}
	}
	if fraction {
		exact.Add(total, 1, 1)
		if total, err = exact.Round(); err != nil {
			return 0, err
		}
	}
	if l.capped {
		total = min(total, l.maximum)
	}
	if total, err = total.Sub(l.charged); err != nil {
		return 0, err
	}
	if l.floor {
		total = max(total, 0)
	}
	return total, nil
}

// Explained checks that every figure is what its explanation adds up to, that every number in an explanation is the
// figure or the rows it names, and that the transfers are the payout. Compute returns nothing that fails it.
func (s *Settlement) Explained() error {
	for f := range s.derivations {
		if Figure(f) == WorkingDays {
			continue
		}
		if err := s.derives(Figure(f), s.Figures[f], &s.derivations[f]); err != nil {
			return err
		}
	}
	for i := range s.Apps {
		a := &s.Apps[i]
		for f := range appFigures {
			l := a.derivation(f)
			if err := s.derives(f, a.of(f), &l); err != nil {
				return err
			}
		}
	}
	left := s.Figures[Payout]
	for _, t := range s.Transfers {
		if t.Amount != s.Figures[t.Of] || t.Amount <= 0 || t.Amount > left {
			return fmt.Errorf("%w: the transfer %s", ErrUnexplained, t.Purpose)
		}
		left -= t.Amount
	}
	if left != 0 {
		return fmt.Errorf("%w: the transfers are not the payout", ErrUnexplained)
	}
	return nil
}

func (s *Settlement) derives(f Figure, value money.Amount, l *derivation) error {
	if l.from == l.to && value == 0 && l.charged == 0 && !l.capped && l.days == 0 {
		return nil // most figures of most settlements
	}
	parts := s.parts[l.from:l.to]
	for i := range parts {
		if !s.partHolds(&parts[i]) {
			return fmt.Errorf("%w: %s, part %d", ErrUnexplained, f, i)
		}
	}
	if f == WorkingDays {
		if int(value) != bits.OnesCount64(l.days) {
			return fmt.Errorf("%w: %s", ErrUnexplained, f)
		}
		return nil
	}
	total, err := sum(parts, l)
	if err != nil {
		return fmt.Errorf("%s: %w", f, err)
	}
	if total != value {
		return fmt.Errorf("%w: %s is %s and adds up to %s", ErrUnexplained, f, value, total)
	}
	return nil
}

func (s *Settlement) partHolds(p *part) bool {
	switch p.kind {
	case ofFigure:
		return p.amount == s.Figures[p.figure]
	case ofApp:
		return p.amount == s.Apps[p.app].of(p.figure)
	case ofBand:
		return p.amount > 0 && p.amount <= s.Figures[Revenue]
	case ofRows:
		var total money.Amount
		var err error
		for i := p.from; i < p.to; i++ {
			if total, err = total.Add(s.rows[i].Amount); err != nil {
				// The order of rows must not matter, only the total may be too large.
				return s.wideSum(p)
			}
		}
		return total == p.amount
	}
	return true
}

func (s *Settlement) wideSum(p *part) bool {
	var exact money.Exact
	for i := p.from; i < p.to; i++ {
		exact.Add(s.rows[i].Amount, 1, 1)
	}
	total, err := exact.Round()
	return err == nil && total == p.amount
}

// PartKind says what a part of an explanation is taken from.
type PartKind string

// The kinds of parts.
const (
	FromFigure  PartKind = "figure"  // another figure of the settlement
	FromApp     PartKind = "app"     // a figure of one app
	FromRows    PartKind = "rows"    // transactions and trips of one provider and category; invoices
	FromRule    PartKind = "rule"    // an amount of the schema
	FromBand    PartKind = "band"    // the part of the revenue that is in a band
	FromInvoice PartKind = "invoice" // one invoice
	FromCarry   PartKind = "carry"   // what older periods owe
)

// Explanation says how a figure came about, in numbers and codes that a screen puts into words. The figure is the sum of
// its parts, rounded once, half away from zero; at most the cap; less what was charged before; not below zero where
// that is said. A part that names another figure is explained there.
type Explanation struct {
	Figure   string          `json:"figure"`
	Provider string          `json:"provider,omitempty"` // of an app's figure
	Value    money.Amount    `json:"value"`
	Formula  Formula         `json:"formula" enum:"sum,share,at_most,rest_of_charge,not_below_zero,days,nothing"`
	Parts    []Part          `json:"parts" nullable:"false"`
	Cap      *Cap            `json:"cap,omitempty"`
	Charged  money.Amount    `json:"charged,omitempty" doc:"by settled settlements of the same period"`
	Floor    bool            `json:"floor,omitempty" doc:"not below zero"`
	Reason   Reason          `json:"reason,omitempty" doc:"why a part of the formula does not apply"`
	Days     []calendar.Date `json:"days,omitempty" doc:"worked"`
	Schema   SchemaVersion   `json:"schema"`
}

// Formula names the shape of an explanation.
type Formula string

// The formulas. Where several apply, the first of these names it.
const (
	Nothing      Formula = "nothing"        // it does not apply; the reason says why
	Days         Formula = "days"           // a number of days
	RestOfCharge Formula = "rest_of_charge" // what of a charge was not taken yet
	AtMost       Formula = "at_most"        // a sum with a cap
	NotBelowZero Formula = "not_below_zero" // a difference that never is negative
	ShareOf      Formula = "share"          // rates of amounts
	SumOf        Formula = "sum"
)

// Cap is the most that a sum may be.
type Cap struct {
	Amount money.Amount `json:"amount"`
	Rule   string       `json:"rule,omitempty" doc:"the field of the schema; empty: what is left of the payout"`
}

// Part is amount × times ÷ of.
type Part struct {
	Kind     PartKind          `json:"kind" enum:"figure,app,rows,rule,band,invoice,carry"`
	Figure   string            `json:"figure,omitempty"`
	Provider string            `json:"provider,omitempty"`
	Category string            `json:"category,omitempty"`
	Rules    []string          `json:"rules,omitempty" doc:"fields of the schema, of the partner or of the instance that the numbers are from"`
	Amount   money.Amount      `json:"amount"`
	Times    int64             `json:"times"`
	Of       int64             `json:"of"`
	Rounded  bool              `json:"rounded,omitempty" doc:"by itself, before it is added"`
	Rows     []Row             `json:"rows,omitempty"`
	Periods  []calendar.Period `json:"periods,omitempty" doc:"that were carried in, oldest first"`
}

// Explain gives the explanation of a figure; of WorkingDays, which only apps have, an empty one.
func (s *Settlement) Explain(f Figure) Explanation {
	return s.expand(f, "", s.Figures[f], &s.derivations[f])
}

// Explanations gives all of them: of the settlement, then of each app.
func (s *Settlement) Explanations() []Explanation {
	var all []Explanation
	for _, f := range AllFigures() {
		all = append(all, s.Explain(f))
	}
	for i := range s.Apps {
		for f := range appFigures {
			l := s.Apps[i].derivation(f)
			all = append(all, s.expand(f, s.Apps[i].Provider, s.Apps[i].of(f), &l))
		}
	}
	return all
}

func (s *Settlement) expand(f Figure, provider string, value money.Amount, l *derivation) Explanation {
	e := Explanation{Figure: f.String(), Provider: provider, Value: value, Parts: make([]Part, 0, l.to-l.from), Charged: l.charged,
		Floor:  l.floor,
		Reason: reasonNames[l.why], Schema: s.Schema}
	if l.capped {
		e.Cap = &Cap{Amount: l.maximum, Rule: ruleNames[l.mostRule]}
	}
	for day := range mostDays {
		if l.days&(1<<day) != 0 {
			e.Days = append(e.Days, s.First.AddDays(day))
		}
	}
	for i := l.from; i < l.to; i++ {
		e.Parts = append(e.Parts, s.expandPart(&s.parts[i]))
	}
	e.Formula = formula(f, l, s.parts[l.from:l.to])
	return e
}

func formula(f Figure, l *derivation, parts []part) Formula {
	switch {
	case f == WorkingDays:
		return Days
	case len(parts) == 0 && l.why != applies:
		return Nothing
	case l.charged != 0:
		return RestOfCharge
	case l.capped:
		return AtMost
	case f == TaxAfterOptimisation || f == TaxExcess:
		return NotBelowZero
	}
	for i := range parts {
		if parts[i].of != 1 {
			return ShareOf
		}
	}
	return SumOf
}

func (s *Settlement) expandPart(p *part) Part {
	x := Part{Kind: kindNames[p.kind], Amount: p.amount, Times: int64(p.times), Of: int64(p.of), Rounded: p.rounded}
	switch p.kind {
	case ofFigure, ofBand:
		x.Figure = p.figure.String()
	case ofApp:
		x.Figure, x.Provider = p.figure.String(), s.Apps[p.app].Provider
	case ofInvoice:
		if p.figure == VATReturn {
			x.Figure = p.figure.String()
		}
	case ofCarry:
		x.Periods = s.CarriedFrom
	}
	if p.kind == ofRows && p.app != noProvider {
		x.Provider, x.Category = s.providers[p.app], string(categoryNames[p.category])
	}
	if p.to > p.from {
		x.Rows = s.rows[p.from:p.to:p.to]
	}
	for _, r := range [...]rule{p.rule, p.rule2} {
		switch r {
		case noRule:
		case ruleAdditionalCosts, ruleCostRates:
			x.Rules = append(x.Rules, ruleNames[r]+"["+strconv.Itoa(int(p.index))+"]")
		default:
			x.Rules = append(x.Rules, ruleNames[r])
		}
	}
	return x
}

// Sum gives what an explanation adds up to, also one that was stored. It must be the value.
func (e Explanation) Sum() (money.Amount, error) {
	if e.Formula == Days {
		return money.Amount(len(e.Days)), nil
	}
	l := derivation{charged: e.Charged, floor: e.Floor}
	if e.Cap != nil {
		l.capped, l.maximum = true, e.Cap.Amount
	}
	parts := make([]part, 0, len(e.Parts))
	for _, p := range e.Parts {
		if p.Of == 0 || int64(int32(p.Of)) != p.Of || int64(int32(p.Times)) != p.Times {
			return 0, fmt.Errorf("%w: %s", ErrUnexplained, e.Figure)
		}
		parts = append(parts, part{amount: p.Amount, times: int32(p.Times), of: int32(p.Of), rounded: p.Rounded})
	}
	return sum(parts, &l)
}

package engine_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// linesAddUp checks what must hold of the lines of every settlement.
func linesAddUp(t testing.TB, figures *engine.Figures, apps []engine.App, r *rules.Rules) {
	t.Helper()
	byApp, err := engine.Lines(figures, apps, r, engine.CashByApp)
	if err != nil {
		t.Fatal(err)
	}
	asOne, err := engine.Lines(figures, apps, r, engine.CashAsOne)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]engine.Figure{engine.WorkingDays.String(): engine.WorkingDays}
	for _, f := range engine.AllFigures() {
		named[f.String()] = f
	}
	value := func(term engine.LineTerm) money.Amount {
		if term.Provider == "" {
			return figures.Of(named[term.Figure])
		}
		for _, a := range apps {
			if a.Provider == term.Provider {
				return map[string]money.Amount{"income": a.Income, "bonus": a.Bonus, "tips": a.Tips, "cashCollected": a.CashCollected}[term.Figure]
			}
		}
		return 0
	}
	for _, lines := range [][]engine.Line{byApp, asOne} {
		var balance money.Amount
		if len(lines) == 0 || lines[0].Name != "previousPeriod" || lines[0].Group != engine.StartGroup || len(lines[0].Terms) != 1 {
			t.Fatalf("they do not begin with the start balance: %+v", lines)
		}
		for i, l := range lines {
			var terms money.Amount
			for _, term := range l.Terms {
				if v := value(term); term.Amount != v && term.Amount != -v || v == 0 && len(l.Terms) > 1 {
					t.Errorf("%s has %s %s of %s, which is %s", l.Name, term.Figure, term.Provider, term.Amount, v)
				}
				terms += term.Amount
			}
			if balance += l.Amount; l.Balance != balance || terms != l.Amount {
				t.Errorf("line %d, %s %s: terms of %s, amount %s, balance %s, not %s", i, l.Name, l.Provider, terms, l.Amount, l.Balance, balance)
			}
			if l.Amount == 0 && i > 0 {
				t.Errorf("a line of nothing: %s %s", l.Name, l.Provider)
			}
		}
		if balance != figures.Of(engine.Due) {
			t.Errorf("they come to %s, due is %s", balance, figures.Of(engine.Due))
		}
		order := []engine.Group{engine.StartGroup, engine.EarningsGroup, engine.CashGroup, engine.DeductionsGroup, engine.CreditsGroup}
		if !slices.IsSortedFunc(lines, func(a, b engine.Line) int { return slices.Index(order, a.Group) - slices.Index(order, b.Group) }) {
			t.Errorf("the groups are out of order: %+v", lines)
		}
	}
	sameButCash(t, byApp, asOne)
}

// sameButCash checks that both ways to list cash differ in nothing else, and come to the same.
func sameButCash(t testing.TB, byApp, asOne []engine.Line) {
	t.Helper()
	other := func(lines []engine.Line) (rest []engine.Line, cash money.Amount) {
		for _, l := range lines {
			if l.Group == engine.CashGroup {
				cash += l.Amount
			} else {
				rest = append(rest, l)
			}
		}
		return rest, cash
	}
	rest, cash := other(byApp)
	restAsOne, cashAsOne := other(asOne)
	if cash != cashAsOne || !reflect.DeepEqual(rest, restAsOne) {
		t.Errorf("cash by app:\n%+v\nas one:\n%+v", byApp, asOne)
	}
}

func TestLines_AddUpToWhatIsDueInTheWorkedCases(t *testing.T) {
	for _, w := range cases(t) {
		t.Run(w.Name, func(t *testing.T) {
			in := w.input(t)
			s, err := engine.Compute(in)
			if err != nil {
				t.Fatal(err)
			}
			linesAddUp(t, &s.Figures, s.Apps, &in.Rules)
		})
	}
}

// Also of inputs as the second calculation gets them: every kind of schema, debts, supplementary settlements.
func TestLines_AddUpToWhatIsDueForAnyInput(t *testing.T) {
	d := throw(9)
	for n := range 2000 {
		in := d.input()
		s, err := engine.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		if linesAddUp(t, &s.Figures, s.Apps, &in.Rules); t.Failed() {
			t.Fatalf("input %d: %+v", n, in)
		}
	}
}

// Also of figures that no formula gave: the lines lean on nothing but the sums of the apps and the figures that make up what is due.
func TestLines_AddUpToWhatIsDueForAnyFigures(t *testing.T) {
	d := throw(20260101)
	amount := func() money.Amount {
		if d.once(4) {
			return 0
		}
		return money.Amount(d.IntN(900_001) - 90_000)
	}
	for range 2000 {
		var f engine.Figures
		apps := make([]engine.App, d.IntN(5))
		for i := range apps {
			apps[i] = engine.App{Provider: fmt.Sprint("APP", i), Income: amount(), Bonus: amount(), Tips: amount(), CashCollected: amount(), Fees: amount()}
			f[engine.Revenue] += apps[i].Income + apps[i].Bonus + apps[i].Tips
			f[engine.CashCollected] += apps[i].CashCollected
			f[engine.Fee] += apps[i].Fees
		}
		f[engine.NetIncome] = f[engine.Revenue] - f[engine.Fee]
		r := rules.Default()
		r.PayoutIncludesCash = !d.once(3)
		base := f[engine.NetIncome]
		if d.once(2) {
			r.PayoutOf, base = rules.OfRevenue, f[engine.Revenue]
		}
		f[engine.PayoutBase] = base * money.Amount(d.IntN(10_001)) / 10_000
		if r.PayoutIncludesCash {
			f[engine.CashDeducted] = f[engine.CashCollected]
		}
		due := f[engine.PayoutBase] - f[engine.CashDeducted]
		for _, taken := range []engine.Figure{engine.TaxAfterOptimisation, engine.SettlementCost, engine.AdditionalSettlementCost, engine.RateCost, engine.ContractCost,
			engine.FuelCost, engine.Costs} {
			f[taken] = amount()
			due -= f[taken]
		}
		for _, given := range []engine.Figure{engine.FuelRefund, engine.Credits, engine.PreviousPeriod} {
			f[given] = amount()
			due += f[given]
		}
		f[engine.Due] = due
		if linesAddUp(t, &f, apps, &r); t.Failed() {
			t.Fatalf("%+v %+v", f, apps)
		}
	}
}

func TestLines_OfAWeekWithCashThatIsNotCounted(t *testing.T) {
	figures := engine.Figures{engine.Income: 100_00, engine.Revenue: 100_00, engine.NetIncome: 100_00, engine.CashCollected: 30_00, engine.PayoutBase: 100_00, engine.Due: 100_00}
	apps := []engine.App{{Provider: "UBER", Income: 100_00, CashCollected: 30_00}}
	r := rules.Default()
	r.PayoutIncludesCash = false
	want := []engine.Line{
		{Group: engine.StartGroup, Name: "previousPeriod", Terms: []engine.LineTerm{{Figure: "previousPeriod"}}},
		{Group: engine.EarningsGroup, Name: "revenue", Provider: "UBER", Terms: []engine.LineTerm{{Figure: "income", Provider: "UBER", Amount: 100_00}}, Amount: 100_00, Balance: 100_00},
	}
	for _, cash := range []engine.CashLines{engine.CashByApp, engine.CashAsOne} {
		if got, err := engine.Lines(&figures, apps, &r, cash); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v %+v", err, got)
		}
	}
}

func TestLines_ThatDoNotComeToWhatIsDueAreAnError(t *testing.T) {
	w := cases(t)[0]
	in := w.input(t)
	s, err := engine.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	s.Figures[engine.Due]++
	if lines, err := engine.Lines(&s.Figures, s.Apps, &in.Rules, engine.CashByApp); !errors.Is(err, engine.ErrUnexplained) || lines != nil {
		t.Errorf("%v %+v", err, lines)
	}
}

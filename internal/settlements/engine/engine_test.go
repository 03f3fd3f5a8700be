package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

func compute(t testing.TB, in engine.Input) engine.Settlement {
	t.Helper()
	s, err := engine.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func plain(period calendar.Period, rows ...engine.Transaction) engine.Input {
	return engine.Input{Terms: engine.Terms{Rules: rules.Default(), Weeks: 1, VAT: engine.VAT{Standard: 2300, Reduced: 800}}, Period: period, Transactions: rows}
}

func row(provider, kind string, on calendar.Date, amount money.Amount) engine.Transaction {
	return engine.Transaction{ID: provider + " " + kind + " " + string(on), Provider: provider, Type: kind, On: on, Amount: amount}
}

// The check is there for mistakes of this package, so mistakes are planted.
func TestAFigureThatIsNotItsExplanationIsFound(t *testing.T) {
	planted := func(name string, in engine.Input, mistake func(s *engine.Settlement)) {
		s := compute(t, in)
		if err := s.Explained(); err != nil {
			t.Fatal(err)
		}
		if mistake(&s); !errors.Is(s.Explained(), engine.ErrUnexplained) {
			t.Errorf("%s: %v", name, s.Explained())
		}
	}
	for _, w := range cases(t) {
		in := w.input(t)
		for _, f := range engine.AllFigures() {
			planted(w.Name+": "+f.String(), in, func(s *engine.Settlement) { s.Figures[f]++ })
			planted(w.Name+": less "+f.String(), in, func(s *engine.Settlement) { s.Figures[f]-- })
		}
		s := compute(t, in)
		for i := range s.Parts() {
			if s.SourcedPart(i) {
				planted(fmt.Sprint(w.Name, ": part ", i), in, func(s *engine.Settlement) { s.ChangePart(i) })
			}
		}
		for i := range s.Rows() {
			if s.CountedRow(i) {
				planted(fmt.Sprint(w.Name, ": row ", i), in, func(s *engine.Settlement) { s.ChangeRow(i) })
			}
		}
		for i := range s.Apps {
			planted(w.Name+": income", in, func(s *engine.Settlement) { s.Apps[i].Income++ })
			planted(w.Name+": fee", in, func(s *engine.Settlement) { s.Apps[i].Fees++ })
			planted(w.Name+": days", in, func(s *engine.Settlement) { s.Apps[i].WorkingDays++ })
			planted(w.Name+": a day", in, func(s *engine.Settlement) { s.ForgetDay(i) })
		}
		for i := range s.Transfers {
			planted(w.Name+": transfer", in, func(s *engine.Settlement) { s.Transfers[i].Amount++ })
			planted(w.Name+": no transfer", in, func(s *engine.Settlement) { s.Transfers = slices.Delete(s.Transfers, i, i+1) })
		}
	}
}

func TestAnExplanationNamesFormulaRuleVersionAndRows(t *testing.T) {
	all := cases(t)
	first, capped, supplementary, payer := compute(t, all[0].input(t)), compute(t, all[1].input(t)), compute(t, all[7].input(t)), compute(t, all[2].input(t))
	e := first.Explain(engine.FuelRefund)
	want := engine.Explanation{Figure: "fuelRefund", Value: 2367, Formula: engine.ShareOf, Schema: engine.SchemaVersion{Number: 3, Version: 2}, Parts: []engine.Part{{
		Kind: engine.FromFigure, Figure: "fuelCost", Rules: []string{"instance.standardVat", "deductionRateBp"}, Amount: 25318, Times: 2300 * 5000, Of: 12300 * 10_000}}}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v", e)
	}
	if e = first.Explain(engine.FuelCost); len(e.Parts) != 1 || !reflect.DeepEqual(e.Parts[0], engine.Part{Kind: engine.FromRows, Provider: "ORLEN", Category: "fuel",
		Amount: -25318, Times: -1, Of: 1, Rows: []engine.Row{{Kind: engine.OfTransaction, ID: "t9", Amount: -25318}}}) {
		t.Errorf("%+v", e)
	}
	if e = first.Explain(engine.Provision); len(e.Parts) != 1 || e.Parts[0].Rows[0].ID != "i0" || !slices.Equal(e.Parts[0].Rules, []string{"partner.commission", "partner.provisionCharge"}) ||
		e.Parts[0].Amount != 3450 || !e.Parts[0].Rounded {
		t.Errorf("%+v", e)
	}
	if e = first.Explain(engine.AdditionalSettlementCost); len(e.Parts) != 1 || e.Parts[0].Rules[0] != "additionalCosts[0]" {
		t.Errorf("%+v", e)
	}
	if e = capped.Explain(engine.AppFee); e.Formula != engine.AtMost || *e.Cap != (engine.Cap{Amount: 5500, Rule: "maxFee3"}) || len(e.Parts) != 3 || e.Parts[0].Times != 6 || e.Parts[0].Rules[0] != "dailyFee.UBER" {
		t.Errorf("%+v", e)
	}
	if e = supplementary.Explain(engine.AppFee); e.Formula != engine.RestOfCharge || e.Charged != 2000 || e.Cap.Amount != 3500 || e.Parts[0].Times != 4 {
		t.Errorf("%+v", e)
	}
	if e, ok := first.ExplainApp("BOLT", engine.WorkingDays); !ok || e.Formula != engine.Days || len(e.Days) != 7 || e.Days[6] != "2026-11-08" || len(e.Parts) != 1 || e.Parts[0].Rows[0].ID != "t5" {
		t.Errorf("%+v", e)
	}
	if _, ok := first.ExplainApp("GLOVO", engine.Income); ok {
		t.Error("an app without rows is explained")
	}
	if _, ok := first.ExplainApp("BOLT", engine.Due); ok {
		t.Error("an app has something due")
	}
	if e = payer.Explain(engine.Tax); e.Formula != engine.Nothing || e.Reason != engine.PaysVAT {
		t.Errorf("%+v", e)
	}
}

func TestRulesAreNamedAsInTheSchema(t *testing.T) {
	text, err := json.Marshal(rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range engine.RuleNames() {
		owner, field, nested := strings.Cut(name, ".")
		if nested && (owner == "partner" || owner == "instance") {
			continue
		}
		value, ok := fields[owner]
		if inner, is := value.(map[string]any); ok && nested {
			_, ok = inner[field]
			ok = ok && is
		}
		if !ok {
			t.Errorf("no schema has a field %q", name)
		}
	}
}

func TestAStoredExplanationCanBeCheckedAgain(t *testing.T) {
	for _, w := range cases(t) {
		s := compute(t, w.input(t))
		text, err := json.Marshal(s.Explanations())
		if err != nil {
			t.Fatal(err)
		}
		var back []engine.Explanation
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, s.Explanations()) {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, e := range back {
			if got, err := e.Sum(); err != nil || got != e.Value {
				t.Errorf("%s is %s, %v", e.Figure, got, err)
			}
		}
	}
	if _, err := (engine.Explanation{Parts: []engine.Part{{Amount: 1, Times: 1}}}).Sum(); !errors.Is(err, engine.ErrUnexplained) {
		t.Errorf("divided by zero: %v", err)
	}
}

func TestWhatCannotBeComputedIsRefused(t *testing.T) {
	fare := row("UBER", "TRIP", "2026-11-03", 100)
	huge := func(n int, amount money.Amount) (rows []engine.Transaction) {
		for range n {
			rows = append(rows, row("UBER", "TRIP", "2026-11-03", amount))
		}
		return rows
	}
	for name, c := range map[string]struct {
		change func(in *engine.Input)
		want   error
	}{
		"nothing wrong":              {func(*engine.Input) {}, nil},
		"a week that does not exist": {func(in *engine.Input) { in.Period = "2025-W53" }, engine.ErrTerms},
		"before any fleet":           {func(in *engine.Input) { in.Period = "0001-W01" }, engine.ErrTerms},
		"the last week":              {func(in *engine.Input) { in.Period = "9999-W52" }, engine.ErrTerms},
		"three weeks":                {func(in *engine.Input) { in.Weeks = 3 }, engine.ErrTerms},
		"no weeks":                   {func(in *engine.Input) { in.Weeks = 0 }, engine.ErrTerms},
		"day 8":                      {func(in *engine.Input) { in.Rules.WeekStartDay = 8 }, engine.ErrTerms},
		"no contract":                {func(in *engine.Input) { in.Rules.ContractType = "" }, engine.ErrTerms},
		"no method":                  {func(in *engine.Input) { in.Rules.VATMethod = "" }, engine.ErrTerms},
		"a share of nothing":         {func(in *engine.Input) { in.Rules.PayoutOf = "" }, engine.ErrTerms},
		"more than everything":       {func(in *engine.Input) { in.Rules.DeductionRate = 10_001 }, engine.ErrTerms},
		"a negative commission":      {func(in *engine.Input) { in.Commission = -1 }, engine.ErrTerms},
		"a negative cost rate":       {func(in *engine.Input) { in.Rules.CostRates = []rules.CostRate{{Type: rules.Flat, Rate: -1}} }, engine.ErrTerms},
		"a list without end":         {func(in *engine.Input) { in.Rules.AdditionalCosts = make([]rules.AdditionalCost, 256) }, engine.ErrTerms},
		"a week that closes nothing": {func(in *engine.Input) { in.Weeks, in.Transactions = 2, nil }, engine.ErrNotClosing},
		"the day before":             {func(in *engine.Input) { in.Transactions[0].On = "2026-11-01" }, engine.ErrOutside},
		"the day after":              {func(in *engine.Input) { in.Transactions[0].On = "2026-11-09" }, engine.ErrOutside},
		"no date":                    {func(in *engine.Input) { in.Transactions[0].On = "2026-11-031" }, engine.ErrOutside},
		"no date from":               {func(in *engine.Input) { in.Transactions[0].SpanFrom = "x" }, engine.ErrOutside},
		"no date to":                 {func(in *engine.Input) { in.Transactions[0].SpanTo = "x" }, engine.ErrOutside},
		"a trip of another week":     {func(in *engine.Input) { in.Trips = []engine.Trip{{On: "2026-11-09"}} }, engine.ErrOutside},
		"a later invoice":            {func(in *engine.Input) { in.Invoices = []engine.Invoice{{On: "2026-11-09"}} }, engine.ErrOutside},
		"an earlier invoice":         {func(in *engine.Input) { in.Invoices = []engine.Invoice{{On: "2025-11-09"}} }, nil},
		"something carried in":       {func(in *engine.Input) { in.CarryIn = 1 }, engine.ErrCarry},
		"carried against the rules":  {func(in *engine.Input) { in.CarryIn, in.Rules.AutoNextPeriod = -1, false }, engine.ErrCarry},
		"too much":                   {func(in *engine.Input) { in.Transactions = huge(2, math.MaxInt64) }, money.ErrOverflow},
		"too little":                 {func(in *engine.Input) { in.Transactions = huge(2, math.MinInt64) }, money.ErrOverflow},
		"17 providers": {func(in *engine.Input) {
			for i := range 17 {
				in.Transactions = append(in.Transactions, row(fmt.Sprint("P", i), "TRIP", "2026-11-03", 1))
			}
		}, engine.ErrTerms},
	} {
		in := plain("2026-W45", fare)
		c.change(&in)
		s, err := engine.Compute(in)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && s.Period != "" {
			t.Errorf("%s: there is an error and a settlement", name)
		}
	}
}

// A cost paid in cash is already paid; it stands under PARTNER as cash that the driver gave.
func TestACostPaidInCashChangesNothingDue(t *testing.T) {
	s := compute(t, plain("2026-W45", row("PARTNER", "COST", "2026-11-03", -5000), row("PARTNER", "CASH_COLLECTED", "2026-11-03", 5000)))
	if f := s.Figures; f[engine.Due] != 0 || f[engine.Costs] != 5000 || f[engine.CashCollected] != -5000 || len(s.Apps) != 1 || s.Apps[0].Provider != "PARTNER" {
		t.Errorf("%+v", s.Figures)
	}
}

func TestWarningsNameWhatIsUnknownAndMissing(t *testing.T) {
	in := plain("2026-W45", row("UBER", "UNKNOWN", "2026-11-03", 700), row("BOLT", "UNKNOWN", "2026-11-03", -900), row("UBER", "NEW_TYPE", "2026-11-04", 5))
	in.Missing = engine.Missing{Account: true, TaxID: true, Schema: true}
	s := compute(t, in)
	want := []engine.Warning{{Code: engine.UnknownRows, Count: 3, Amount: -195}, {Code: engine.NoAccount}, {Code: engine.NoTaxID}, {Code: engine.NoSchema}}
	if !slices.Equal(s.Warnings, want) || len(s.Takes()) != 0 || s.Refusal() != engine.NothingToSettle {
		t.Errorf("%+v, takes %v, %q", s.Warnings, s.Takes(), s.Refusal())
	}
	if s = compute(t, plain("2026-W45", row("UBER", "PAYOUT", "2026-11-03", -700))); s.Refusal() != engine.NothingToSettle || len(s.Takes()) != 1 || len(s.Warnings) != 0 {
		t.Errorf("%+v", s)
	}
	if s = compute(t, plain("2026-W45", row("UBER", "FEE", "2026-11-03", -1))); s.Refusal() != engine.Negative {
		t.Errorf("%+v", s)
	}
}

// Rows that are not counted must not stop those that are, however large.
func TestAnUnknownSumThatIsTooLargeStopsNothing(t *testing.T) {
	s := compute(t, plain("2026-W45", row("UBER", "UNKNOWN", "2026-11-03", math.MaxInt64), row("UBER", "UNKNOWN", "2026-11-04", 1),
		row("UBER", "PAYOUT", "2026-11-03", math.MinInt64), row("UBER", "PAYOUT", "2026-11-04", -1), row("UBER", "TIP", "2026-11-04", 50)))
	if s.Figures[engine.Due] != 50 || s.Unknown.Count != 2 || s.Unknown.Amount != math.MaxInt64 {
		t.Errorf("%+v", s.Unknown)
	}
}

func TestWeeksOfClockChangesAndWeek53HaveSevenDays(t *testing.T) {
	for _, c := range []struct {
		code        calendar.Period
		first, last calendar.Date
	}{{"2026-W13", "2026-03-23", "2026-03-29"}, {"2026-W43", "2026-10-19", "2026-10-25"}, {"2026-W53", "2026-12-28", "2027-01-03"}} {
		in := plain(c.code)
		in.Rules.DailyFee.Uber = 100
		for day := c.first; day <= c.last; day = day.AddDays(1) {
			in.Transactions = append(in.Transactions, row("UBER", "TRIP", day, 1000))
		}
		if s := compute(t, in); s.First != c.first || s.Last != c.last || s.Apps[0].WorkingDays != 7 || s.Figures[engine.AppFee] != 700 {
			t.Errorf("%s: %s to %s, %+v", c.code, s.First, s.Last, s.Apps)
		}
	}
}

func TestADriverChoosesTheFrequencyOnlyWhereTheyMay(t *testing.T) {
	for _, c := range []struct {
		partner, driver int
		may             bool
		want            int
	}{{1, 4, true, 4}, {1, 4, false, 1}, {2, 0, true, 2}, {2, 0, false, 2}} {
		if got := engine.Frequency(c.partner, c.driver, c.may); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func open(rows ...engine.Transaction) engine.Open {
	return engine.Open{Terms: plain("").Terms, Transactions: rows}
}

func pending(t testing.TB, o engine.Open) []engine.Settlement {
	t.Helper()
	chain, err := engine.Pending(o)
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

func TestWhatIsNegativeFlowsThroughTheChain(t *testing.T) {
	o := open(row("PARTNER", "COST", "2026-10-06", -5000), row("PARTNER", "COST", "2026-10-20", -1000), row("UBER", "TIP", "2026-11-03", 20_000),
		row("PARTNER", "COST", "2026-11-10", -300))
	chain := pending(t, o)
	reported := ""
	for _, s := range chain {
		reported += fmt.Sprintf("%s %d from %v; ", s.Period, int64(s.Figures[engine.Due]), s.CarriedFrom)
	}
	if reported != "2026-W41 -5000 from []; 2026-W43 -6000 from [2026-W41]; 2026-W45 14000 from [2026-W41 2026-W43]; 2026-W46 -300 from []; " {
		t.Error(reported)
	}
	if e := chain[2].Explain(engine.PreviousPeriod); len(e.Parts) != 1 || !slices.Equal(e.Parts[0].Periods, []calendar.Period{"2026-W41", "2026-W43"}) || e.Parts[0].Amount != -6000 {
		t.Errorf("%+v", e)
	}
	c, err := engine.Close(chain, 2)
	if err != nil || !slices.Equal(c.Absorbed, []int{0, 1}) || len(c.Carries) != 0 || c.Waits {
		t.Errorf("%+v, %v", c, err)
	}
	for _, place := range []int{0, 1, 3} {
		if _, err := engine.Close(chain, place); err == nil {
			t.Errorf("%s was closed", chain[place].Period)
		}
	}
	o.Rules.AutoNextPeriod = false
	for _, s := range pending(t, o) {
		if len(s.CarriedFrom) > 0 || s.Figures[engine.PreviousPeriod] != 0 {
			t.Errorf("%s carries although nothing is carried by itself", s.Period)
		}
	}
}

func TestClosingCarriesWhatIsLeftAndTheTaxOfWhatItAbsorbed(t *testing.T) {
	o := open(row("PARTNER", "COST", "2026-10-27", -900), row("UBER", "TIP", "2026-11-03", 1500))
	o.Rules.MinTransfer = 1000
	o.Invoices = []engine.Invoice{{ID: "i1", On: "2026-10-26", Gross: 1230, VATStandard: 230}, {ID: "i2", On: "2026-11-08", Gross: 123, VATStandard: 23}}
	for _, auto := range []bool{true, false} {
		o.Rules.AutoNextPeriod = auto
		chain := pending(t, o)
		c, err := engine.Close(chain, 1)
		if err != nil || c.Waits == auto {
			t.Fatalf("%+v, %v", c, err)
		}
		want := []engine.Carry{{Type: "TAX_OVERPAYMENT", Amount: 23, On: "2026-11-09", From: "2026-W45"}}
		if auto {
			want = []engine.Carry{{Type: "PREV_PERIOD_TRANSFER", Amount: 600, On: "2026-11-09", From: "2026-W45"},
				{Type: "TAX_OVERPAYMENT", Amount: 230, On: "2026-11-09", From: "2026-W44"}, {Type: "TAX_OVERPAYMENT", Amount: 23, On: "2026-11-09", From: "2026-W45"}}
		}
		if !slices.Equal(c.Carries, want) {
			t.Errorf("%+v", c.Carries)
		}
	}
}

func TestAnInvoiceGoesIntoTheOldestPeriodThatMayTakeIt(t *testing.T) {
	o := open(row("UBER", "TRIP", "2026-10-20", 10_000), row("UBER", "TRIP", "2026-11-03", 10_000))
	for on, want := range map[calendar.Date]calendar.Period{"2026-01-01": "2026-W43", "2026-10-25": "2026-W43", "2026-10-26": "2026-W45", "2026-11-08": "2026-W45", "2026-11-09": "2026-W46"} {
		o.Invoices = []engine.Invoice{{ID: "i", On: on, Gross: 123, VATStandard: 23}}
		where := []calendar.Period{}
		for _, s := range pending(t, o) {
			if s.Figures[engine.InvoicesGross] != 0 {
				where = append(where, s.Period)
			}
		}
		if !slices.Equal(where, []calendar.Period{want}) {
			t.Errorf("%s: %v", on, where)
		}
	}
}

func TestWhatAPeriodWasChargedIsKnownAfterItsFrequencyChanged(t *testing.T) {
	o := open(row("UBER", "TRIP", "2026-10-28", 10_000))
	o.Rules.WeeklyContractCost = 1000
	o.Settled = []engine.Settled{
		{Period: "2026-W43", Weeks: 1, Charged: engine.Charged{ContractBase: 1000}},
		{Period: "2026-W44", Weeks: 1, Charged: engine.Charged{ContractBase: 1000}},
		{Period: "2026-W45", Weeks: 1, Charged: engine.Charged{ContractBase: 1000}},
	}
	for _, weeks := range []int{1, 2, 4} { // a settled day stays in its period
		o.Weeks = weeks
		chain := pending(t, o)
		if len(chain) != 1 || chain[0].Period != "2026-W44" || chain[0].Weeks != 1 || chain[0].Figures[engine.ContractBase] != 0 || !chain[0].Supplementary {
			t.Errorf("%d weeks: %+v", weeks, chain[0].Figures[engine.ContractBase])
		}
	}
	o.Transactions[0].On = "2026-10-14" // W42, which is not settled
	for weeks, want := range map[int]struct {
		period calendar.Period
		cost   money.Amount
	}{1: {"2026-W42", 1000}, 2: {"2026-W42", 2000}, 4: {"2026-W44", 2000}} { // W42; W41 and W42; W41 to W44
		o.Weeks = weeks
		if chain := pending(t, o); len(chain) != 1 || chain[0].Period != want.period || chain[0].Figures[engine.ContractBase] != want.cost {
			t.Errorf("%d weeks: %s %s", weeks, chain[0].Period, chain[0].Figures[engine.ContractBase])
		}
	}
	o.Weeks, o.Settled = 1, []engine.Settled{{Period: "2026-W44", Weeks: 4, Charged: engine.Charged{ContractBase: 4000}}}
	o.Transactions[0].On = "2026-10-08"
	if chain := pending(t, o); chain[0].Period != "2026-W44" || chain[0].Weeks != 4 || chain[0].Figures[engine.ContractBase] != 0 {
		t.Errorf("%s of %d weeks: %s", chain[0].Period, chain[0].Weeks, chain[0].Figures[engine.ContractBase])
	}
	o.Transactions[0].On = "2026-10-01"
	if chain := pending(t, o); chain[0].Supplementary || chain[0].Figures[engine.ContractBase] != 1000 {
		t.Errorf("%s %s", chain[0].Period, chain[0].Figures[engine.ContractBase])
	}
}

func TestPending_SettledDaysKeepTheirPeriodWhenWeeksBeginOnAnotherDay(t *testing.T) {
	monday := open(row("BOLT", "TRIP", "2026-11-03", 10_000))
	monday.Rules.WeeklyContractCost, monday.Rules.SettlementCost, monday.Rules.DailyFee.Bolt = 1000, 700, 300
	first := pending(t, monday)[0]
	if first.Period != "2026-W45" || first.Figures[engine.ContractBase] != 1000 || first.Figures[engine.BaseCost] != 700 || first.Figures[engine.AppFee] != 300 {
		t.Fatalf("%+v", first.Figures)
	}
	settled := engine.Settled{Period: first.Period, Weeks: 1, First: first.First, Last: first.Last, Charged: first.Charged(), Transactions: monday.Transactions}
	for _, c := range []struct {
		start       int64
		on          calendar.Date
		period      calendar.Period
		first, last calendar.Date
		weekly, fee money.Amount
	}{
		{7, "2026-11-03", "2026-W45", "2026-11-02", "2026-11-08", 0, 0},      // the same day again
		{7, "2026-11-08", "2026-W45", "2026-11-02", "2026-11-08", 0, 300},    // another settled day
		{7, "2026-11-01", "2026-W44", "2026-11-01", "2026-11-01", 1000, 300}, // what is left of the week before
		{7, "2026-11-09", "2026-W45", "2026-11-02", "2026-11-14", 0, 300},    // the rest of the same code
		{7, "2026-11-15", "2026-W46", "2026-11-15", "2026-11-21", 1000, 300},
		{3, "2026-11-03", "2026-W45", "2026-11-02", "2026-11-08", 0, 0},
		{3, "2026-11-10", "2026-W45", "2026-11-02", "2026-11-10", 0, 300},
		{3, "2026-11-11", "2026-W46", "2026-11-11", "2026-11-17", 1000, 300},
	} {
		o := open(row("BOLT", "TRIP", c.on, 5_000))
		o.Rules, o.Settled = monday.Rules, []engine.Settled{settled}
		o.Rules.WeekStartDay = c.start
		chain := pending(t, o)
		s := &chain[0]
		if len(chain) != 1 || s.Period != c.period || s.First != c.first || s.Last != c.last || s.Figures[engine.ContractBase] != c.weekly || s.Figures[engine.AppFee] != c.fee {
			t.Errorf("weeks from day %d, a row on %s: %s from %s to %s, %s a week, %s for days", c.start, c.on, s.Period, s.First, s.Last, s.Figures[engine.ContractBase], s.Figures[engine.AppFee])
		}
	}
}

func TestVATIsThatOfTheLastDay(t *testing.T) {
	o := open(row("UBER", "TRIP", "2020-06-29", 10_700), row("UBER", "TRIP", "2020-06-23", 10_700))
	o.VATOn = func(d calendar.Date) engine.VAT {
		if d >= "2020-07-01" && d <= "2020-12-31" {
			return engine.VAT{Standard: 1600, Reduced: 500}
		}
		return engine.VAT{Standard: 1900, Reduced: 700}
	}
	if chain := pending(t, o); chain[0].Figures[engine.Tax] != 700 || chain[1].Figures[engine.Tax] != 510 {
		t.Errorf("%v %v", chain[0].Figures[engine.Tax], chain[1].Figures[engine.Tax])
	}
}

func TestAChainOfWhatIsNotThereIsRefusedOrEmpty(t *testing.T) {
	if chain := pending(t, open()); len(chain) != 0 {
		t.Errorf("%+v", chain)
	}
	for name, change := range map[string]func(o *engine.Open){
		"no weeks":      func(o *engine.Open) { o.Weeks = 0 },
		"no week start": func(o *engine.Open) { o.Rules.WeekStartDay = 0 },
		"no date":       func(o *engine.Open) { o.Transactions[0].On = "" },
		"an early date": func(o *engine.Open) { o.Transactions[0].On = "0001-01-01" },
		"a late date":   func(o *engine.Open) { o.Transactions[0].On = "9999-12-31" },
		"settled early": func(o *engine.Open) { o.Settled = []engine.Settled{{Period: "0001-W01", Weeks: 4}} },
		"no trip date":  func(o *engine.Open) { o.Trips = []engine.Trip{{On: "2026-02-30"}} },
		"no sale date":  func(o *engine.Open) { o.Invoices = []engine.Invoice{{}} },
		"no contract":   func(o *engine.Open) { o.Rules.ContractType = "" },
		"settled never": func(o *engine.Open) { o.Settled = []engine.Settled{{Weeks: 1}} },
		"settled by 3":  func(o *engine.Open) { o.Settled = []engine.Settled{{Period: "2026-W45", Weeks: 3}} },
	} {
		o := open(row("UBER", "TRIP", "2026-11-03", 100))
		if change(&o); true {
			if _, err := engine.Pending(o); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

func FuzzCompute(f *testing.F) {
	f.Add(uint64(1), "2026-W45", 1, "2026-11-03", "", "", "UBER", "TRIP", int64(12_345), int64(5000))
	f.Add(uint64(2), "2026-W44", 4, "2026-10-12", "2026-10-01", "2026-10-20", "PARTNER", "ADJUSTMENT", int64(-1), int64(0))
	f.Add(uint64(3), "2026-W53", 1, "2027-01-03", "", "2026-12-30", "NOBODY", "NOTHING", int64(math.MinInt64), int64(10_000))
	f.Add(uint64(4), "0001-W01", 1, "0001-01-01", "9999-12-31", "0001-01-01", "ORLEN", "CARD_FEE", int64(math.MaxInt64), int64(-1))
	f.Fuzz(func(t *testing.T, seed uint64, period string, weeks int, on, from, to, provider, kind string, amount, rate int64) {
		d := throw(seed)
		in := d.input()
		hostile := engine.Transaction{ID: "x", Provider: provider, Type: kind, On: calendar.Date(on), SpanFrom: calendar.Date(from), SpanTo: calendar.Date(to), Amount: money.Amount(amount)}
		in.Transactions = append(in.Transactions, hostile)
		in.Rules.DeductionRate = money.Rate(rate)
		in.Invoices = append(in.Invoices, engine.Invoice{ID: "v", Gross: money.Amount(amount), VATStandard: money.Amount(rate), VATReduced: money.Amount(amount)})
		if s, err := engine.Compute(in); err == nil {
			whole(t, &s)
		}
		in.Period, in.Weeks, in.Transactions, in.Trips, in.Before = calendar.Period(period), weeks, in.Transactions[len(in.Transactions)-1:], nil, nil
		s, err := engine.Compute(in)
		if err != nil {
			return
		}
		whole(t, &s)
		if hostile.SpanFrom == "" == (hostile.SpanTo == "") && ledgerKnows(hostile) {
			if wrong := byText(in).differences(&s); len(wrong) > 0 {
				t.Fatal(wrong)
			}
		}
	})
}

func ledgerKnows(t engine.Transaction) bool {
	_, kind := kinds.Of(t.Type)
	_, provider := kinds.ProviderOf(t.Provider)
	return kind && provider
}

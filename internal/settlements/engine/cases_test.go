package engine_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// worked is a case as it is written down.
type worked struct {
	Name     string
	Instance struct{ StandardVAT, ReducedVAT int64 }
	Period   calendar.Period
	Driver   struct{ FrequencyWeeks int }
	Partner  struct {
		CommissionBp    money.Rate
		ProvisionCharge string
	}
	Schema              json.RawMessage
	Transactions        []workedRow
	SettledTransactions []workedRow
	Trips               []struct {
		Date          calendar.Date
		Amount        money.Amount
		PaymentMethod string
	}
	Invoices []struct {
		Gross, VATStandard, VATReduced money.Amount
		DescribedBy                    string
	}
	AlreadyCharged *engine.Charged
	Expected       struct {
		From, To  calendar.Date
		Apps      map[string]map[string]int64
		Figures   map[string]int64
		Transfers []struct {
			Purpose     engine.Purpose
			Amount, VAT money.Amount
		}
		Unknown struct {
			Count  int
			Amount money.Amount
		}
	}
}

type workedRow struct {
	Provider, Type         string
	Date, SpanFrom, SpanTo calendar.Date
	Amount                 money.Amount
}

func rows(prefix string, all []workedRow) (list []engine.Transaction) {
	for i, r := range all {
		list = append(list, engine.Transaction{ID: prefix + strconv.Itoa(i), Provider: r.Provider, Type: r.Type, On: r.Date, SpanFrom: r.SpanFrom, SpanTo: r.SpanTo, Amount: r.Amount})
	}
	return list
}

func cases(t testing.TB) []worked {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []worked
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 8 {
		t.Fatalf("%d cases", len(all))
	}
	return all
}

func (w *worked) input(t testing.TB) engine.Input {
	t.Helper()
	in := engine.Input{Terms: engine.Terms{Rules: rules.Default(), Schema: engine.SchemaVersion{Number: 3, Version: 2}, Weeks: w.Driver.FrequencyWeeks,
		VAT:        engine.VAT{Standard: money.Rate(w.Instance.StandardVAT * 100), Reduced: money.Rate(w.Instance.ReducedVAT * 100)},
		Commission: w.Partner.CommissionBp, DescribedOnly: w.Partner.ProvisionCharge == "WHEN_DESCRIBED"}, Period: w.Period, Transactions: rows("t", w.Transactions)}
	if err := json.Unmarshal(w.Schema, &in.Rules); err != nil {
		t.Fatal(err)
	}
	for i, trip := range w.Trips {
		in.Trips = append(in.Trips, engine.Trip{ID: "r" + strconv.Itoa(i), On: trip.Date, Amount: trip.Amount, Cash: trip.PaymentMethod == "cash"})
	}
	for i, v := range w.Invoices {
		in.Invoices = append(in.Invoices, engine.Invoice{ID: "i" + strconv.Itoa(i), Gross: v.Gross, VATStandard: v.VATStandard, VATReduced: v.VATReduced, ByPartner: v.DescribedBy == "PARTNER"})
	}
	if w.AlreadyCharged != nil {
		in.Before = []engine.Settled{{Period: w.Period, Weeks: in.Weeks, Charged: *w.AlreadyCharged, Transactions: rows("s", w.SettledTransactions)}}
	}
	return in
}

func TestTheWorkedCasesComeOutExactly(t *testing.T) {
	for _, w := range cases(t) {
		t.Run(w.Name, func(t *testing.T) {
			s, err := engine.Compute(w.input(t))
			if err != nil {
				t.Fatal(err)
			}
			if s.First != w.Expected.From || s.Last != w.Expected.To {
				t.Errorf("from %s to %s", s.First, s.Last)
			}
			known := map[string]engine.Figure{}
			for _, f := range engine.AllFigures() {
				known[f.String()] = f
			}
			if len(w.Expected.Figures) != 31 {
				t.Errorf("%d figures are expected", len(w.Expected.Figures))
			}
			for name, want := range w.Expected.Figures {
				f, ok := known[name]
				if got := s.Figures.Of(f); !ok || int64(got) != want {
					t.Errorf("%s is %d, not %d", name, int64(got), want)
				}
			}
			if len(s.Apps) != len(w.Expected.Apps) {
				t.Errorf("%d apps", len(s.Apps))
			}
			for _, a := range s.Apps {
				got := map[string]int64{"income": int64(a.Income), "bonus": int64(a.Bonus), "tips": int64(a.Tips), "cashCollected": int64(a.CashCollected),
					"fee": int64(a.Fees), "workingDays": int64(a.WorkingDays)}
				if len(w.Expected.Apps[a.Provider]) != len(got) {
					t.Errorf("%s is not expected", a.Provider)
				}
				for name, want := range w.Expected.Apps[a.Provider] {
					if got[name] != want {
						t.Errorf("%s of %s is %d, not %d", name, a.Provider, got[name], want)
					}
				}
			}
			if len(s.Transfers) != len(w.Expected.Transfers) {
				t.Fatalf("transfers: %+v", s.Transfers)
			}
			for i, want := range w.Expected.Transfers {
				if got := s.Transfers[i]; got.Purpose != want.Purpose || got.Amount != want.Amount || got.VAT != want.VAT {
					t.Errorf("transfer %d is %+v", i, got)
				}
			}
			if s.Unknown.Count != w.Expected.Unknown.Count || s.Unknown.Amount != w.Expected.Unknown.Amount {
				t.Errorf("unknown: %+v", s.Unknown)
			}
			whole(t, &s)
		})
	}
}

func TestTheCategoriesAreThoseOfTheLedger(t *testing.T) {
	if got := slices.Compact(engine.Positions()); len(got) != len(kinds.Categories()) || !slices.IsSorted(got) || got[len(got)-1] != len(got)-1 {
		t.Errorf("%v", got)
	}
}

// whole checks what must hold for any settlement, from outside.
func whole(t testing.TB, s *engine.Settlement) {
	t.Helper()
	f := &s.Figures
	if f.Of(engine.Payout)+f.Of(engine.NextPeriodTransfer) != f.Of(engine.Due) {
		t.Errorf("payout and carry are not what is due: %v", f)
	}
	var transferred money.Amount
	for _, x := range s.Transfers {
		if transferred += x.Amount; x.Amount <= 0 {
			t.Errorf("a transfer of %s", x.Amount)
		}
	}
	if transferred != f.Of(engine.Payout) || f.Of(engine.Payout) < 0 {
		t.Errorf("transfers of %s for a payout of %s", transferred, f.Of(engine.Payout))
	}
	due := s.Explain(engine.Due)
	var lines money.Amount
	for _, p := range due.Parts {
		if p.Of != 1 || p.Times*p.Times != 1 {
			t.Errorf("a line of due is %+v", p)
		}
		lines += p.Amount * money.Amount(p.Times)
	}
	if lines != due.Value || lines != f.Of(engine.Due) {
		t.Errorf("due is %s, its lines are %s", f.Of(engine.Due), lines)
	}
	for _, e := range s.Explanations() {
		if total, err := e.Sum(); err != nil || total != e.Value {
			t.Errorf("%s %s is %s and adds up to %s, %v", e.Figure, e.Provider, e.Value, total, err)
		}
		if e.Schema != s.Schema {
			t.Errorf("%s names schema %+v", e.Figure, e.Schema)
		}
		for _, p := range e.Parts {
			if p.Kind == engine.FromRule && len(p.Rules) == 0 || p.Kind == engine.FromRows && len(p.Rows) == 0 || p.Kind == engine.FromInvoice && len(p.Rows) != 1 {
				t.Errorf("%s has a part without its source: %+v", e.Figure, p)
			}
		}
	}
}

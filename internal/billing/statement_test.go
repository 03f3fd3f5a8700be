package billing_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

// rich are rules by which nearly every figure is something.
func rich(r *rules.Rules) {
	r.Name, r.SettlementCost, r.WeeklyContractCost = "Standard 2026", 30_00, 25_00
	r.DailyFee.Uber, r.DailyFee.Bolt = 5_00, 4_00
	maximum := r.DailyFee.Uber * 3
	r.MaxFee2 = &maximum
	r.AdditionalCosts = []rules.AdditionalCost{{Name: "Kamera", Amount: 7_50}}
	r.CostRates = []rules.CostRate{{Type: rules.Percent, IncomeFrom: 100_000, Rate: 150}}
	r.DeductionRate, r.PayoutRate = 5000, 9500
	order := maximum * 20
	r.MinContractIncome = &order
}

// TestAStatementSaysEveryFigureOfTheLedgerInTheDriversLanguage compares what can be copied out of the PDF with what the settlement kept.
func TestAStatementSaysEveryFigureOfTheLedgerInTheDriversLanguage(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, rich)
		for _, language := range i18n.Languages {
			id := w.settled(t, w.details(string(language)))
			content := w.statement(t, id, logo(t))
			text := textOf(t, "statement-"+string(language), content)
			plain := strings.Join(strings.Fields(text), " ") // no-break spaces are spaces here
			s := w.kept(t, id)
			figures, err := s.KeptFigures()
			if err != nil {
				t.Fatal(err)
			}
			apps, err := s.KeptApps()
			if err != nil {
				t.Fatal(err)
			}
			say := func(amount string) string { return strings.Join(strings.Fields(amount), " ") }
			for _, f := range engine.AllFigures() {
				if figures[f] == 0 {
					continue
				}
				if want := say(i18n.Amount(language, figures[f])); !strings.Contains(plain, want) {
					t.Errorf("%s: %s, %s, is missing", language, f, want)
				}
			}
			for _, a := range apps {
				if want := say(i18n.Amount(language, a.Income)); !strings.Contains(plain, want) {
					t.Errorf("%s: the income of %s, %s, is missing", language, a.Provider, want)
				}
			}
			for _, want := range []string{"Олег Żółkiewski", "Północ Flota", "521-301-72-28", "••• 0274", "PL••• 2874", "U/7", "Kamera", "Uber", "Bolt", i18n.Of(language, "statement:group_deductions"),
				i18n.Of(language, "statement:purpose_ORDER_CONTRACT"), "8/108", "1/3"} {
				if !strings.Contains(plain, want) {
					t.Errorf("%s: %q is missing", language, want)
				}
			}
			for _, secret := range []string{"5260250274", "61109010140000071219812874", "\ufffd"} {
				if strings.Contains(strings.ReplaceAll(plain, " ", ""), secret) {
					t.Errorf("%s shows %s", language, secret)
				}
			}
			if !bytes.Equal(content, w.statement(t, id, logo(t))) {
				t.Error("the same settlement gives other bytes")
			}
		}
	})
}

func TestAStatementSaysWhatBecameOfTheMoney(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		id := w.settled(t, w.details("pl"))
		parts := func() string {
			return strings.Join(strings.Fields(textOf(t, "state", w.statement(t, id, nil))), " ")
		}
		if text := parts(); !strings.Contains(text, "Rozliczono 15.11.2026, czeka na przelew") {
			t.Error(text)
		}
		w.write(t, func(tx *db.Tx) error { return w.Settlements.MarkPaid(tx, id, 0, "2026-11-15") })
		if text := parts(); !strings.Contains(text, "Wypłacono 15.11.2026") {
			t.Error(text)
		}
		w.write(t, func(tx *db.Tx) error {
			if err := settlements.Unmark(tx, id); err != nil {
				return err
			}
			return w.Settlements.Revoke(tx, id, "wrong file")
		})
		text := parts()
		if !strings.Contains(text, "WYCOFANE 15.11.2026") || strings.Contains(text, "Skąd te kwoty") || !regexp.MustCompile(`Do wypłaty\s+[\d ]+,\d\d`).MatchString(text) {
			t.Error(text)
		}
	})
}

func TestStatement_NamesADebt(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, func(r *rules.Rules) { r.MinTransfer = 100_000_00 })
		text := textOf(t, "small", w.statement(t, w.settled(t, w.details("de")), nil))
		for _, want := range []string{"keine Auszahlung", "Aus dieser Abrechnung folgt keine Überweisung", "kleinste Überweisung"} {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
				t.Errorf("%q is missing in %s", want, text)
			}
		}
	})
}

// TestTheLinesOfAStatementComeToWhatIsDueWhateverTheRules makes statements by rules that leave lines out or put others in; one whose lines do not add up is an error.
func TestTheLinesOfAStatementComeToWhatIsDueWhateverTheRules(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		for name, change := range map[string]func(*rules.Rules){
			"plain":          func(*rules.Rules) {},
			"rich":           rich,
			"of revenue":     func(r *rules.Rules) { rich(r); r.PayoutOf = rules.OfRevenue },
			"without cash":   func(r *rules.Rules) { rich(r); r.PayoutIncludesCash = false },
			"VAT on":         func(r *rules.Rules) { rich(r); r.VATMethod = rules.On },
			"with a company": func(r *rules.Rules) { rich(r); r.ContractType, r.MinContractIncome = rules.B2BVAT, nil },
			"a half":         func(r *rules.Rules) { r.PayoutRate = 5000 },
			"bands": func(r *rules.Rules) {
				r.CostRates = []rules.CostRate{{Type: rules.Marginal, IncomeFrom: 500_00, Rate: 700}}
			},
			"little for them": func(r *rules.Rules) { r.MinTransfer = 5_000_00 },
		} {
			w.rules(t, func(r *rules.Rules) { *r = rules.Default(); change(r) })
			id := w.settled(t, w.details("en"))
			s := w.kept(t, id)
			if text := textOf(t, "rules", w.statement(t, id, nil)); !strings.Contains(text, i18n.Amount("en", s.Due)) {
				t.Errorf("%s: %s is missing in %s", name, s.Due, text)
			}
		}
	})
}

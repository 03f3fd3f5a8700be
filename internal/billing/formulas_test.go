package billing

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"saldo/internal/platform/i18n"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// rateFields are the fields of rules that are rates, and those of partners and instances.
var rateFields = regexp.MustCompile(`Bp$|^partner\.|^instance\.|^costRates`)

// Every figure of the worked cases and of invented ones, as the PDF of a settlement explains it: no sentence and no name with its amount
// stands there twice, and what is a share shows its rate.
func TestFormulas_SayEverythingOnceAndShowTheRate(t *testing.T) {
	text, err := os.ReadFile("../settlements/engine/testdata/shown.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name         string
		Rules        rules.Rules
		Explanations []engine.Explanation
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 30 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	shares := 0
	for _, one := range cases {
		for _, l := range i18n.Languages {
			w := words{l, &one.Rules}
			for _, e := range one.Explanations {
				formula, err := w.formula(e)
				if err != nil {
					t.Fatal(err)
				}
				terms := strings.FieldsFunc(strings.NewReplacer(" + ", "\n", " \u2212 ", "\n", "; ", "\n", " =\u00a0", "\n").Replace(formula), func(r rune) bool { return r == '\n' })
				slices.Sort(terms)
				// two invoices over the same amount are two parts
				invoices := slices.ContainsFunc(e.Parts, func(p engine.Part) bool { return p.Kind == engine.FromInvoice })
				if !invoices && len(slices.Compact(slices.Clone(terms))) != len(terms) {
					t.Errorf("%s, %s, %s %s says a thing twice: %s", one.Name, l, e.Figure, e.Provider, formula)
				}
				for _, p := range e.Parts {
					rate := p.Of != 1
					if rate && !strings.Contains(formula, w.share(p.Times, p.Of)) {
						t.Errorf("%s, %s, %s hides the rate %s: %s", one.Name, l, e.Figure, w.share(p.Times, p.Of), formula)
					}
					if rate {
						shares++
					}
					if !rate && p.Kind != engine.FromRule && slices.ContainsFunc(p.Rules, rateFields.MatchString) {
						t.Errorf("%s, %s, %s is by %v and shows no rate: %s", one.Name, l, e.Figure, p.Rules, formula)
					}
				}
			}
		}
	}
	if shares < 100 {
		t.Errorf("only %d shares were looked at", shares)
	}
}

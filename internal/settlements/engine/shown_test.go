package engine_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

var update = flag.Bool("update", false, "write what screens are tested with anew")

// shown is what a screen gets of a settlement.
type shown struct {
	Name         string                  `json:"name"`
	Rules        rules.Rules             `json:"rules"`
	Figures      map[string]money.Amount `json:"figures"`
	Apps         []map[string]any        `json:"apps"`
	Explanations []engine.Explanation    `json:"explanations"`
	Lines        []map[string]any        `json:"lines"` // as drivers get them
}

const thrown = 24

// The tests of the web application read this file: a screen is tested with what the engine really says, for all kinds of
// schemas. Rows are left out, they would be most of it.
func TestWhatScreensAreTestedWithIsWhatTheEngineSays(t *testing.T) {
	var all []shown
	add := func(name string, in engine.Input) {
		s, err := engine.Compute(in)
		if err != nil {
			t.Fatal(err)
		}
		one := shown{Name: name, Rules: in.Rules, Figures: map[string]money.Amount{}, Apps: []map[string]any{}}
		for _, f := range engine.AllFigures() {
			if v := s.Figures.Of(f); v != 0 {
				one.Figures[f.String()] = v
			}
		}
		for _, a := range s.Apps {
			one.Apps = append(one.Apps, map[string]any{"provider": a.Provider, "income": a.Income, "bonus": a.Bonus, "tips": a.Tips, "cashCollected": a.CashCollected, "fee": a.Fees,
				"workingDays": a.WorkingDays})
		}
		for _, e := range s.Explanations() {
			if len(e.Parts) == 0 && e.Value == 0 && e.Reason == "" {
				continue
			}
			for i := range e.Parts {
				e.Parts[i].Rows = nil
			}
			one.Explanations = append(one.Explanations, e)
		}
		lines, err := engine.Lines(&s.Figures, s.Apps, &in.Rules, engine.CashAsOne)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			line := map[string]any{"group": l.Group, "name": l.Name, "terms": l.Terms, "amount": l.Amount, "balance": l.Balance}
			if l.Provider != "" {
				line["provider"] = l.Provider
			}
			one.Lines = append(one.Lines, line)
		}
		all = append(all, one)
	}
	for _, w := range cases(t) {
		add(w.Name, w.input(t))
	}
	for seed := range uint64(thrown) {
		add(fmt.Sprint("thrown ", seed), throw(seed).input())
	}
	var text bytes.Buffer
	text.WriteString("[")
	for i, one := range all {
		line, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString("\n")
		text.Write(line)
	}
	text.WriteString("\n]\n")
	const file = "testdata/shown.json"
	if *update {
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(kept, text.Bytes()) {
		t.Errorf("%s is not what the engine says, %v; write it anew with -update", file, err)
	}
}

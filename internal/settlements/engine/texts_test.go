package engine_test

import (
	"strings"
	"testing"

	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

func TestEveryCodeOfAnExplanationHasAText(t *testing.T) {
	for _, figure := range append(engine.AllFigures(), engine.WorkingDays) {
		testkit.HasText(t, "statement:figure_"+figure.String())
	}
	for _, rule := range engine.RuleNames() {
		testkit.HasText(t, "statement:rule_"+strings.ReplaceAll(rule, ".", "_"))
	}
	for _, reason := range testkit.Constants(t, "internal/settlements/engine", "Reason") {
		testkit.HasText(t, "statement:reason_"+reason)
	}
	for _, formula := range testkit.Constants(t, "internal/settlements/engine", "Formula") {
		testkit.HasText(t, "explain:formula_"+formula)
	}
	for _, purpose := range testkit.Constants(t, "internal/settlements/engine", "Purpose") {
		testkit.HasText(t, "statement:purpose_"+purpose)
		testkit.HasText(t, "billing:transferTitle."+purpose)
	}
}

func TestEveryLineHasAText(t *testing.T) {
	for _, group := range testkit.Constants(t, "internal/settlements/engine", "Group") {
		if group != string(engine.StartGroup) { // the first line stands above all headings
			testkit.HasText(t, "statement:group_"+group)
		}
	}
	for _, of := range testkit.Constants(t, "internal/schemas/rules", "PayoutOf") {
		for _, cash := range []bool{true, false} {
			r := rules.Rules{PayoutOf: rules.PayoutOf(of), PayoutIncludesCash: cash}
			for _, line := range engine.DraftLines(&engine.Figures{}, []engine.App{{Provider: "UBER"}}, &r, engine.CashByApp) {
				if line.Provider == "" { // others are called by their provider
					testkit.HasText(t, "statement:line_"+line.Name)
				}
			}
		}
	}
}

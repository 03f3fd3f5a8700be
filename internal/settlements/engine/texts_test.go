package engine_test

import (
	"strings"
	"testing"

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

package billing

import (
	"testing"

	"saldo/internal/kernel/money"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

func TestEveryLineOfAStatementHasAText(t *testing.T) {
	var figures engine.Figures
	for i := range figures {
		figures[i] = money.Amount(i + 1) // all different, so that no line comes to nothing
	}
	for _, of := range testkit.Constants(t, "internal/schemas/rules", "PayoutOf") {
		for _, cash := range []bool{true, false} {
			c := counted{figures: figures, apps: []settlements.App{{Provider: "UBER", Income: 1, CashCollected: 1}},
				rules: &rules.Rules{PayoutOf: rules.PayoutOf(of), PayoutIncludesCash: cash}}
			for _, line := range c.chain() {
				if line.group != "" {
					testkit.HasText(t, "statement:group_"+line.group)
				}
				if line.provider == "" {
					testkit.HasText(t, "statement:line_"+line.name.String())
				}
			}
		}
	}
}

func TestEveryPartOfAnExplanationHasAName(t *testing.T) {
	w := words{language: "en", rules: &rules.Rules{}}
	for _, kind := range testkit.Constants(t, "internal/settlements/engine", "PartKind") {
		part := engine.Part{Kind: engine.PartKind(kind), Figure: "due", Rules: []string{"minTransfer"}}
		if got := w.part(part); got == kind {
			t.Errorf("a part of the kind %s has no name", kind)
		}
	}
}

func TestEveryKindOfDocumentAndServiceHasAText(t *testing.T) {
	for _, purpose := range settlements.Purposes {
		if purpose != engine.DeductionCost { // a refund is no service, so no document has it
			testkit.HasText(t, "billing:service."+string(purpose))
		}
	}
	for _, kind := range testkit.Constants(t, "internal/billing", "Kind") {
		testkit.HasText(t, "billing:document."+kind)
	}
}

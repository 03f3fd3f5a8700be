package billing

import (
	"testing"

	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/export"
	"saldo/internal/testkit"
)

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
	for _, purpose := range export.Purposes {
		if purpose != engine.DeductionCost { // a refund is no service, so no document has it
			testkit.HasText(t, "billing:service."+string(purpose))
		}
	}
	for _, kind := range testkit.Constants(t, "internal/billing", "Kind") {
		testkit.HasText(t, "billing:document."+kind)
	}
}

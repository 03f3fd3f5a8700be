package kinds_test

import (
	"testing"

	"saldo/internal/ledger/kinds"
	"saldo/internal/testkit"
)

func TestEveryProviderHasAGroup(t *testing.T) {
	for _, p := range kinds.Providers {
		if _, ok := kinds.GroupOf(p.Code); !ok {
			t.Errorf("%s has no group", p.Code)
		}
	}
}

func TestEveryTypeAndCategoryHasATextInFiveLanguages(t *testing.T) {
	for _, typ := range kinds.Types() {
		testkit.HasText(t, "types:type_"+typ.Name)
	}
	for _, category := range kinds.Categories() {
		testkit.HasText(t, "types:category_"+string(category))
	}
}

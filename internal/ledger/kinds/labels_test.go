package kinds_test

import (
	"regexp"
	"slices"
	"testing"

	"saldo/internal/ledger/kinds"
	"saldo/internal/testkit"
)

func TestEveryProviderHasANameAndAGroup(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range kinds.Providers {
		groups := []kinds.Group{kinds.Rides, kinds.FuelCards, kinds.Rest}
		if p.Name == "" || !slices.Contains(groups, p.Group) || !regexp.MustCompile(`^[A-Z][A-Z_]*$`).MatchString(p.Code) || seen[p.Code] {
			t.Errorf("%+v", p)
		}
		seen[p.Code] = true
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

// A brand is the same in all languages; what partners keep themselves has a word in each.
func TestWhatPartnersKeepThemselvesHasANameInFiveLanguages(t *testing.T) {
	for _, p := range kinds.Providers {
		if p.OwnSheets {
			testkit.HasText(t, "types:provider_"+p.Code)
		}
	}
}

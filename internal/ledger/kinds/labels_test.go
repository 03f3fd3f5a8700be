package kinds_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/i18n"
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

func TestEveryTypeHasALabelInFiveLanguagesOnTheServerAndOnScreen(t *testing.T) {
	for _, language := range i18n.Languages {
		screen, err := os.ReadFile(fmt.Sprintf("%s/ui/src/i18n/%s/types.ts", testkit.Root(t), language))
		if err != nil {
			t.Fatal(err)
		}
		for _, typ := range kinds.Types() {
			label := i18n.Of(language, "transactions.type."+typ.Name) // panics without one
			if !regexp.MustCompile(`(?m)^\s+type_` + typ.Name + `:\s*"` + regexp.QuoteMeta(label) + `",$`).Match(screen) {
				t.Errorf("%s is called %q on the server and otherwise on screen in %s", typ.Name, label, language)
			}
		}
	}
}

package settlements_test

import (
	"testing"

	"saldo/internal/testkit"
)

func TestEveryStateHasATextInExports(t *testing.T) {
	for _, state := range testkit.Constants(t, "internal/settlements", "State") {
		testkit.HasText(t, "exports:settlements.state."+state)
	}
	for _, provider := range []string{"PARTNER", "INTERNAL", "OTHER"} {
		testkit.HasText(t, "types:provider_"+provider)
	}
}

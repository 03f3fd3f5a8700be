package bankstatement

import (
	"testing"

	"saldo/internal/testkit"
)

func TestEveryReasonToRefuseAFileHasAText(t *testing.T) {
	for _, code := range testkit.Constants(t, "internal/payouts/bankstatement", "Code") {
		testkit.HasText(t, "payouts:statement_"+code)
	}
}

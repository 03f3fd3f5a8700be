package ledger

import (
	"slices"
	"strings"

	"saldo/internal/ledger/kinds"
)

// RevenueTotals and CashTotals are, in SQL, whether a line of day_totals is revenue or cash: IsRevenue and IsCash of its type and provider.
var RevenueTotals, CashTotals = totalsThat(IsRevenue, TrackedTrip), totalsThat(IsCash, TrackedCash)

// totalsThat names types of which all or some providers are meant. The texts are those of tables in the program.
func totalsThat(is func(typ, provider string) bool, tracked string) string {
	quoted := func(list []string) string { return ` IN ('` + strings.Join(list, `', '`) + `')` }
	always, conditions := []string{tracked}, []string{}
	for _, t := range kinds.Types() {
		providers := []string{}
		for _, p := range kinds.Providers {
			if is(t.Name, p.Code) {
				providers = append(providers, p.Code)
			}
		}
		switch len(providers) {
		case 0:
		case len(kinds.Providers):
			always = append(always, t.Name)
		default:
			conditions = append(conditions, `type = '`+t.Name+`' AND provider`+quoted(providers))
		}
	}
	return `(` + strings.Join(slices.Insert(conditions, 0, `type`+quoted(always)), ` OR `) + `)`
}

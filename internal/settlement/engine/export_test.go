package engine

import "saldo/internal/ledger"

// Positions gives the numbers of the ledger's categories, in its order.
func Positions() (all []int) {
	for _, c := range ledger.Categories() {
		all = append(all, position(c))
	}
	return all
}

// Package titles decides how the title of a transfer names the invoices that it pays.
package titles

import (
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/ksef/numbers"
)

// From is the first day on which a transfer must name its invoices by their numbers at KSeF (art. 108g and 108a(3) of the VAT act).
const From calendar.Date = "2027-01-01"

// mostTogether is how many invoices a collective identifier can stand for.
const mostTogether = 500

// Invoice is what a transfer pays.
type Invoice struct {
	Number     string // empty: none is issued
	KSeFNumber string // empty: it has none
	Exempt     bool   // its seller owes no VAT
	Failure    bool   // it was issued while KSeF failed, or could not be sent because of a failure
}

// must says whether the law wants the number at KSeF of the invoice in a transfer of the day.
func (i Invoice) must(payOn calendar.Date) bool { return payOn >= From && !i.Exempt && !i.Failure }

// Of gives the text that names the invoices of one seller: the number at KSeF of each that must have it, one collective identifier where
// there are several of them, and the seller's own numbers of all others. Such an identifier has 35 characters at most, as much as
// a line of Elixir and the field of a split payment hold. Missing says that the law wants one that is not known: then the seller's own
// numbers stand in its place.
func Of(payOn calendar.Date, invoices []Invoice, collective string) (text string, missing bool) {
	var official, own, others []string
	for _, i := range invoices {
		switch {
		case !i.must(payOn):
			others = append(others, i.Number)
		case numbers.IsInvoice(i.KSeFNumber):
			official, own = append(official, i.KSeFNumber), append(own, i.Number)
		default:
			missing, own = true, append(own, i.Number)
		}
	}
	if len(official) > 1 && !missing {
		missing = len(official) > mostTogether || !numbers.IsCollective(collective)
		for _, number := range official {
			missing = missing || number[:sellerDigits] != collective[:sellerDigits]
		}
		official = []string{collective}
	}
	if missing {
		official = own
	}
	return strings.Join(strings.Fields(strings.Join(append(official, others...), " ")), " "), missing
}

// sellerDigits begin both a number and a collective identifier: the seller's tax id.
const sellerDigits = 10

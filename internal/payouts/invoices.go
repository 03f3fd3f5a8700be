package payouts

import (
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// The reasons why a settlement with an invoice is left out.
const (
	NoInvoice      Reason = "no_invoice"      // a split payment names the invoice, and none is issued
	InvoiceRefused Reason = "invoice_refused" // KSeF refused it: paid only when a person says so
	NoSplit        Reason = "no_split"        // the file cannot hold the split payment that the partner chose
	OutsideSEPA    Reason = "outside_sepa"    // a SEPA file holds accounts of SEPA countries only
)

// ksefTitlesFrom is the first day on which a transfer must name the invoice's number at KSeF (art. 108g of the VAT act).
const ksefTitlesFrom calendar.Date = "2027-01-01"

// invoices are those that were issued of settlements which are not paid.
func (d *Service) invoices(tx *db.Tx) (map[string]settlements.Invoice, error) {
	if d.Invoices == nil {
		return nil, nil
	}
	return d.Invoices(tx)
}

// named is how a transfer names an invoice: by its number, and by that of KSeF where a transfer of the day must; empty: there is none.
func named(i settlements.Invoice, payOn calendar.Date) string {
	if payOn >= ksefTitlesFrom && i.KSeFNumber != "" {
		return i.KSeFNumber
	}
	return i.Number
}

// splits says whether a transfer is to be a split payment, which only Poland knows.
func (d *Service) splits(t snapshot.Transfer) bool {
	return d.Instance.Code == "pl" && t.NameVAT && t.VAT > 0
}

// invoiced says why a settlement cannot be paid because of its invoice or its account; empty: it can.
func (d *Service) invoiced(w *PayoutRequest, way Way, s string, transfers []Transfer, i settlements.Invoice) Reason {
	split := false
	for _, t := range transfers {
		split = split || t.VAT > 0
	}
	profile, _ := d.profile(map[Way]string{Domestic: w.Profile, Foreign: w.ForeignProfile}[way])
	switch {
	case i.Refused && !slices.Contains(w.PayRefused, s): // also in cash
		return InvoiceRefused
	case way == Cash || len(transfers) == 0:
		return ""
	case d.Instance.Currency == money.EUR && !bankfile.InSEPA(transfers[0].Account.Country()):
		return OutsideSEPA
	case split && i.Number == "":
		return NoInvoice
	case split && !profile.Splits:
		return NoSplit
	}
	return ""
}

// titled puts the number of the invoice before the title of the transfer that pays it.
func titled(title string, purpose engine.Purpose, invoice string) string {
	if invoice == "" || purpose != engine.InvoicePaid {
		return title
	}
	return invoice + " " + title
}

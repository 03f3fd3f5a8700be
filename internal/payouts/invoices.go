package payouts

import (
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/payouts/titles"
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

// invoices are those that were issued of settlements which are not paid.
func (d *Service) invoices(tx *db.Tx) (map[string]settlements.Invoice, error) {
	if d.Invoices == nil {
		return nil, nil
	}
	return d.Invoices(tx)
}

// named is how a transfer names the invoice that it pays; empty: it pays none, or none is issued. Missing says that it must have the
// number at KSeF, which is not known. Who has no VAT on an invoice is taken for exempt: its transfer has none inside.
func (d *Service) named(i settlements.Invoice, t snapshot.Transfer, payOn calendar.Date) (text string, missing bool) {
	switch {
	case t.Purpose != engine.InvoicePaid:
		return "", false
	case d.Instance.Code != "pl":
		return i.Number, false
	}
	return titles.Of(payOn, []titles.Invoice{{Number: i.Number, KSeFNumber: i.KSeFNumber, Exempt: t.VAT == 0}}, "")
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

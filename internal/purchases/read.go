package purchases

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"saldo/internal/invoices/checks"
	"saldo/internal/invoices/reading/xmlinvoice"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ksef"
)

// How long texts of strangers may be; what is longer is cut.
const (
	nameMost   = 512
	numberMost = 256
	formMost   = 20
)

// form is the one that is read.
const form = "FA (3)"

// otherFile is why a file is not read that is not the one KSeF names.
const otherFile = "other_file"

// plain is a stranger's text in one line.
func plain(text string, most int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most])
	}
	return text
}

// read is an invoice with what its file says, or with what KSeF says of it where its form is not read.
func read(f fetched, a about, x *export) row {
	sum := sha256.Sum256(f.content)
	r := row{Environment: x.Environment, Purchase: Purchase{KsefNumber: f.number, Role: x.Role, SellerTaxID: f.number[:10],
		SellerName: a.Seller.Name, Number: a.Invoice, StoredAt: a.Stored, Form: form, SelfBilled: a.SelfBilled,
		BuyerTaxID: plain(a.Buyer.Identifier.Value, formMost), Sum: base64.RawURLEncoding.EncodeToString(sum[:]), Size: int64(len(f.content)),
		Corrects: []string{}}}
	if day := calendar.Date(a.IssuedOn); day.Exists() {
		r.IssuedOn = day
	}
	fa, err := xmlinvoice.ReadFA(f.content)
	var unread xmlinvoice.Unread
	switch {
	case a.Hash != "" && a.Hash != ksef.Hash(f.content):
		r.Unread = otherFile
	case errors.As(err, &unread):
		if r.Unread = string(unread.Reason); unread.Reason == xmlinvoice.OtherForm {
			r.Form = unread.Found
			if r.Form == "" {
				r.Form = a.Form.System
			}
		}
	case err != nil:
		r.Unread = string(xmlinvoice.Broken)
	default:
		r.SellerTaxID, r.SellerName, r.BuyerTaxID = fa.Seller.TaxID, plain(fa.Seller.Name, nameMost), fa.Buyer.TaxID
		r.Number, r.IssuedOn, r.Kind, r.SelfBilled = plain(fa.Number, numberMost), fa.IssuedOn, fa.Kind, fa.SelfBilled
		r.Currency, r.Net, r.VAT, r.Gross = fa.Currency, fa.Net, fa.VAT, fa.Gross
		for _, c := range fa.Corrects {
			number := c.KSeFNumber
			if number == "" {
				number = plain(c.Number, numberMost)
			}
			r.Corrects = append(r.Corrects, number)
		}
	}
	r.NumberKey = checks.NumberKey(r.Number)
	if r.SelfBilled && r.BuyerTaxID == x.NIP {
		r.Checked = unchecked
	}
	return r
}

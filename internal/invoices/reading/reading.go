// Package reading finds the fields of an invoice among words with their places on the pages, and in invoices that are XML. It decides
// nothing about an invoice: every field says how sure it is, where it stands and by which rule it was found.
package reading

import (
	"slices"

	"saldo/internal/invoices/layout"
	"saldo/internal/kernel/calendar"
)

// Source says what a field was read from.
type Source string

// The sources, best first.
const (
	XML  Source = "xml"  // an invoice for machines
	Text Source = "text" // the text of a digital PDF
	OCR  Source = "ocr"  // a picture
	None Source = "none" // nothing could be read: a person types
)

// The names of the fields. Amounts are minor units in decimal digits, dates ISO, a registration has no blanks.
const (
	Number       = "number"
	IssueDate    = "issueDate"
	SaleDate     = "saleDate"
	IssuerTaxID  = "issuerTaxId"
	IssuerName   = "issuerName"
	BuyerTaxID   = "buyerTaxId"
	Net          = "net"
	Gross        = "gross"
	VATStandard  = "vatStandard"
	VATReduced   = "vatReduced"
	VATZeroBase  = "vatZeroBase"
	Registration = "registration"
	Mileage      = "mileage"
	Currency     = "currency"
	KSeFNumber   = "ksefNumber"
)

// Names lists all fields in the order in which they are shown.
var Names = []string{Number, IssueDate, SaleDate, IssuerTaxID, IssuerName, BuyerTaxID, Net, Gross, VATStandard, VATReduced, VATZeroBase,
	Registration, Mileage, Currency, KSeFNumber}

// The findings: what a person should know before the invoice is used.
const (
	OtherRate  = "OTHER_RATE" // VAT of a rate that is neither the standard nor the reduced one
	Foreign    = "CURRENCY"   // amounts in another currency than that of the country
	ProForma   = "PRO_FORMA"  // an offer or a pro forma: no invoice
	Correction = "CORRECTION" // corrects an earlier invoice; its amounts are differences
	Reversed   = "REVERSE_CHARGE"
	Margin     = "MARGIN"        // VAT of a margin, which the invoice does not show
	CodeDiffer = "KSEF_MISMATCH" // the KSeF code names another issuer or day than the print
)

// Field is one value that was found.
type Field struct {
	Name   string     `json:"name"`
	Value  string     `json:"value"`
	Sure   float64    `json:"sure"` // 0 to 1; from SureFrom on it needs no second look
	Page   int        `json:"page"` // 0: it has no place, as in XML
	Box    layout.Box `json:"box"`
	Source Source     `json:"source"`
	Rule   string     `json:"rule"` // by which it was found
}

// SureFrom is the confidence from which a field is shown without a mark; below LookFrom it is only a hint.
const (
	SureFrom = 0.9
	LookFrom = 0.6
)

// Hints are what is known before reading.
type Hints struct {
	Country  string // PL or DE; empty: found out
	OwnTaxID string // of the partner, who is the buyer; may be empty
	Today    calendar.Date
	Plates   []string            // vehicles of the driver
	Shapes   map[string][]string // tax id of an issuer: numbers of its invoices that were approved before
}

// Result is all that was found in a file.
type Result struct {
	Source     Source   `json:"source"`
	Engine     string   `json:"engine"`
	Fields     []Field  `json:"fields"`
	KSeFNumber string   `json:"ksefNumber"`
	KSeFCode   string   `json:"ksefCode"` // the address behind the QR code
	Pages      int      `json:"pages"`
	Findings   []string `json:"findings"`
	Sharp      float64  `json:"sharp"` // of a picture; 0: not measured
}

// Field is the field with that name.
func (r Result) Field(name string) (Field, bool) {
	i := slices.IndexFunc(r.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return r.Fields[i], true
}

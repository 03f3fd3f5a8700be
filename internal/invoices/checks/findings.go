package checks

import (
	"slices"
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Code names what was found.
type Code string

// What can be found. The first group is refused, the second must be confirmed by the partner, the third is only said.
const (
	NumberDuplicate     Code = "NUMBER_DUPLICATE"
	AmountDateDuplicate Code = "AMOUNT_DATE_DUPLICATE"
	SameFile            Code = "SAME_FILE"
	IssuerChecksum      Code = "ISSUER_CHECKSUM"
	Sum                 Code = "SUM"
	IssuerIsPartner     Code = "ISSUER_IS_PARTNER"
	Incomplete          Code = "INCOMPLETE" // a field is missing that an invoice must have
	ForeignCurrency     Code = "CURRENCY"

	BuyerNotPartner Code = "BUYER_NOT_PARTNER"
	VATRate         Code = "VAT_RATE"
	OtherRate       Code = "OTHER_RATE"
	FutureDate      Code = "FUTURE_DATE"
	KSeFMismatch    Code = "KSEF_MISMATCH"
	LooksLike       Code = "LOOKS_LIKE"
	Correction      Code = "CORRECTION"
	ProForma        Code = "PRO_FORMA"      // an offer, no invoice
	ReverseCharge   Code = "REVERSE_CHARGE" // the buyer owes the VAT
	Margin          Code = "MARGIN"         // VAT of a margin, which does not come back
	MileageBack     Code = "MILEAGE_BACK"
	MileageJump     Code = "MILEAGE_JUMP"

	OldDate        Code = "OLD_DATE"
	SaleAfterIssue Code = "SALE_AFTER_ISSUE"
	PlateUnknown   Code = "PLATE_UNKNOWN"
	KSeFMissing    Code = "KSEF_MISSING"
	NumberShape    Code = "NUMBER_SHAPE"
)

// Codes lists all of them.
var Codes = []Code{NumberDuplicate, AmountDateDuplicate, SameFile, IssuerChecksum, Sum, IssuerIsPartner, Incomplete, ForeignCurrency,
	BuyerNotPartner, VATRate, OtherRate, FutureDate, KSeFMismatch, LooksLike, Correction, ProForma, ReverseCharge, Margin, MileageBack,
	MileageJump, OldDate, SaleAfterIssue,
	PlateUnknown, KSeFMissing, NumberShape}

// Severity is what a finding asks for.
type Severity string

// The severities.
const (
	Refuse  Severity = "refuse"
	Confirm Severity = "confirm" // by the partner, before it approves
	Note    Severity = "note"
)

// Finding is something about an invoice that a person should know.
type Finding struct {
	Code            Code
	Severity        Severity
	Field           string
	Expected, Found string
	OtherID         string // the invoice that it repeats or resembles
}

// Earlier is another invoice of the tenant.
type Earlier struct {
	ID, Number string
	Gross      money.Amount
}

// Known is what is known beside the invoice itself.
type Known struct {
	Country       string // of the instance
	Currency      money.Currency
	Today         calendar.Date
	PartnerTaxID  string
	Standard      money.Rate // of VAT on the day of issue
	Reduced       money.Rate
	SameNumber    string    // an invoice with the number and issuer; empty: none
	SameAmount    string    // one with the issuer, day and amount; empty: none, or the partner said that it is another
	OfIssuer      []Earlier // approved ones of the issuer
	Plates        []string  // of the driver's approved ones
	MileageBefore int64     // the last one of the plate before the day of the invoice; 0: none
	MileageOn     calendar.Date
	KSeFIssuer    string // what the code on the picture says; empty: there is none
	KSeFIssuedOn  calendar.Date
	Read          []string // what reading the file found
}

const (
	oldDays     = 2 * 365
	kmADay      = 1500
	ksefDuty    = calendar.Date("2026-04-01") // from then on all Polish companies issue by KSeF
	smallDE     = money.Amount(250_00)        // German invoices up to it name no buyer
	shapesLeast = 2                           // how many numbers of an issuer make a shape
)

// Findings lists what there is to say of an invoice, what is refused first.
func Findings(d Details, k Known) []Finding {
	c := &checking{d: d, k: k}
	c.repeats()
	c.parties()
	c.amounts()
	c.days()
	c.vehicle()
	c.ksef()
	for _, code := range []Code{ProForma, ReverseCharge, Margin} {
		if slices.Contains(k.Read, string(code)) {
			c.add(code, Confirm, "", "", "", "")
		}
	}
	sorted := make([]Finding, 0, len(c.found))
	for _, severity := range []Severity{Refuse, Confirm, Note} {
		for _, f := range c.found {
			if f.Severity == severity {
				sorted = append(sorted, f)
			}
		}
	}
	return sorted
}

// Refused is the first finding that is refused.
func Refused(found []Finding) (Finding, bool) {
	if len(found) > 0 && found[0].Severity == Refuse {
		return found[0], true
	}
	return Finding{}, false
}

type checking struct {
	d     Details
	k     Known
	found []Finding
}

func (c *checking) add(code Code, severity Severity, field, expected, found, other string) {
	c.found = append(c.found, Finding{code, severity, field, expected, found, other})
}

func (c *checking) repeats() {
	if c.k.SameNumber != "" {
		c.add(NumberDuplicate, Refuse, "number", "", c.d.Number, c.k.SameNumber)
	}
	if c.k.SameAmount != "" && c.k.SameAmount != c.k.SameNumber {
		c.add(AmountDateDuplicate, Refuse, "gross", "", "", c.k.SameAmount)
	}
	if c.d.Number == "" || c.k.SameNumber != "" {
		return
	}
	key, shape, shapes := NumberKey(c.d.Number), Shape(c.d.Number), map[string]int{}
	for _, e := range c.k.OfIssuer {
		other := NumberKey(e.Number)
		if e.Gross == c.d.Gross && e.ID != c.k.SameAmount && oneEdit(key, other) {
			c.add(LooksLike, Confirm, "number", e.Number, c.d.Number, e.ID)
		}
		shapes[Shape(e.Number)]++
	}
	if len(shapes) == 1 && shapes[shape] == 0 && len(c.k.OfIssuer) >= shapesLeast {
		c.add(NumberShape, Note, "number", c.k.OfIssuer[0].Number, c.d.Number, "")
	}
}

func (c *checking) parties() {
	d, k := &c.d, &c.k
	switch {
	case d.IssuerTaxID == "":
	case k.PartnerTaxID != "" && bare(d.IssuerTaxID) == bare(k.PartnerTaxID):
		c.add(IssuerIsPartner, Refuse, "issuerTaxId", "", d.IssuerTaxID, "")
	case !validTaxID(d.IssuerTaxID, k.Country):
		c.add(IssuerChecksum, Refuse, "issuerTaxId", "", d.IssuerTaxID, "")
	}
	if k.PartnerTaxID == "" || d.IssuedOn == "" && d.BuyerTaxID == "" {
		return
	}
	small := k.Country == "DE" && d.BuyerTaxID == "" && d.Gross <= smallDE
	if bare(d.BuyerTaxID) != bare(k.PartnerTaxID) && !small {
		c.add(BuyerNotPartner, Confirm, "buyerTaxId", k.PartnerTaxID, d.BuyerTaxID, "")
	}
}

// bare is a tax id without the letters of its country.
func bare(id string) string { return strings.TrimPrefix(strings.TrimPrefix(id, "PL"), "DE") }

func (c *checking) amounts() {
	d, k := &c.d, &c.k
	if d.Currency != "" && d.Currency != k.Currency {
		c.add(ForeignCurrency, Refuse, "currency", string(k.Currency), string(d.Currency), "")
	}
	if d.Gross == 0 {
		return
	}
	if d.Gross < 0 {
		c.add(Correction, Confirm, "gross", "", minor(d.Gross), "")
	}
	if sum := d.Net + d.VATStandard + d.VATReduced + d.VATOther; sum != d.Gross {
		c.add(Sum, Refuse, "gross", minor(sum), minor(d.Gross), "")
		return
	}
	if d.VATOther != 0 {
		c.add(OtherRate, Confirm, "vatOther", "", minor(d.VATOther), "")
		return
	}
	// What the VAT amounts stand for must be the net amount: each may be a cent off, and lines are rounded one by one.
	least, most := d.BaseZero, d.BaseZero
	for _, v := range []struct {
		vat  money.Amount
		rate money.Rate
	}{{d.VATStandard, k.Standard}, {d.VATReduced, k.Reduced}} {
		if v.vat != 0 && v.rate > 0 {
			least += (v.vat*2 - 3) * 5000 / money.Amount(v.rate)
			most += (v.vat*2 + 3) * 5000 / money.Amount(v.rate)
		}
	}
	if d.VATStandard == 0 && d.VATReduced == 0 {
		return // exempt, or of a company that has no VAT
	}
	if d.Net < least || d.Net > most {
		c.add(VATRate, Confirm, "vatStandard", minor((least+most)/2), minor(d.Net), "")
	}
}

// minor is an amount in minor units.
func minor(a money.Amount) string { return strconv.FormatInt(int64(a), 10) }

func (c *checking) days() {
	d, k := &c.d, &c.k
	if d.IssuedOn == "" || !d.IssuedOn.Exists() || d.SoldOn != "" && !d.SoldOn.Exists() {
		return
	}
	if on := d.On(); d.IssuedOn > k.Today || on > k.Today {
		c.add(FutureDate, Confirm, "issueDate", string(k.Today), string(max(d.IssuedOn, on)), "")
	} else if k.Today.DaysSince(on) > oldDays {
		c.add(OldDate, Note, "saleDate", "", string(on), "")
	}
	if d.SoldOn > d.IssuedOn {
		c.add(SaleAfterIssue, Note, "saleDate", string(d.IssuedOn), string(d.SoldOn), "")
	}
}

func (c *checking) vehicle() {
	d, k := &c.d, &c.k
	if d.Registration == "" {
		return
	}
	known := len(k.Plates) == 0
	for _, p := range k.Plates {
		known = known || p == d.Registration
	}
	if !known {
		c.add(PlateUnknown, Note, "registration", k.Plates[0], d.Registration, "")
	}
	if d.Mileage == 0 || k.MileageBefore == 0 || !d.IssuedOn.Exists() {
		return
	}
	days := int64(max(1, d.On().DaysSince(k.MileageOn)))
	switch {
	case d.Mileage < k.MileageBefore:
		c.add(MileageBack, Confirm, "mileage", strconv.FormatInt(k.MileageBefore, 10), strconv.FormatInt(d.Mileage, 10), "")
	case d.Mileage-k.MileageBefore > kmADay*days:
		c.add(MileageJump, Confirm, "mileage", strconv.FormatInt(k.MileageBefore, 10), strconv.FormatInt(d.Mileage, 10), "")
	}
}

func (c *checking) ksef() {
	d, k := &c.d, &c.k
	if k.KSeFIssuer != "" && d.IssuerTaxID != "" && bare(k.KSeFIssuer) != bare(d.IssuerTaxID) {
		c.add(KSeFMismatch, Confirm, "issuerTaxId", k.KSeFIssuer, d.IssuerTaxID, "")
	} else if k.KSeFIssuedOn != "" && d.IssuedOn != "" && k.KSeFIssuedOn != d.IssuedOn {
		c.add(KSeFMismatch, Confirm, "issueDate", string(k.KSeFIssuedOn), string(d.IssuedOn), "")
	} else if n := d.KsefNumber; len(n) == 35 && d.IssuerTaxID != "" && n[:10] != bare(d.IssuerTaxID) {
		c.add(KSeFMismatch, Confirm, "ksefNumber", d.IssuerTaxID, n[:10], "")
	}
	polish := k.Country == "PL" && len(bare(d.IssuerTaxID)) == 10 && strings.Trim(bare(d.IssuerTaxID), "0123456789") == ""
	if polish && d.IssuedOn >= ksefDuty && d.KsefNumber == "" && k.KSeFIssuer == "" {
		c.add(KSeFMissing, Note, "ksefNumber", "", "", "")
	}
}

// Shape is what numbers of one issuer share: letters as A, digits as 9, each run once.
func Shape(number string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range NumberKey(number) {
		switch {
		case r >= '0' && r <= '9':
			r = '9'
		case r >= 'A' && r <= 'Z':
			r = 'A'
		}
		if r != last || r != '9' && r != 'A' {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// oneEdit says whether two texts differ by one letter that was changed, added or left out.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

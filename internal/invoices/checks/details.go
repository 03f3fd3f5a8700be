// Package checks knows what an invoice must be: the one form of its fields, what it lacks, and what a person should look at before the
// VAT in it is given back. It is asked by the form while somebody types and by the server when it saves, so both refuse the same.
package checks

import (
	"strconv"
	"strings"
	"unicode"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/ksef/numbers"
)

// Limits of what people type.
const (
	NumberMax      = 40
	NameMax        = 200
	DescriptionMax = 500
	plateMax       = 15
	taxIDMax       = 20
	mileageMax     = 9_999_999
	amountMax      = money.Amount(100_000_000_00)
	firstDay       = calendar.Date("2000-01-01")
	lastDay        = calendar.Date("2099-12-31")
)

// Details are what an invoice says. What is empty or zero is not known.
type Details struct {
	Number                              string
	IssuedOn, SoldOn                    calendar.Date
	IssuerTaxID, IssuerName, BuyerTaxID string
	Currency                            money.Currency
	Net, Gross                          money.Amount
	VATStandard, VATReduced             money.Amount
	VATOther                            money.Amount // of other rates; it is never given back
	BaseZero                            money.Amount // what of the net amount bears no VAT
	Registration                        string
	Mileage                             int64
	Category, Description               string
	CorrectedNumber                     string // of the invoice that a correction is about
	KsefNumber                          string
}

// On is the day by which a settlement takes the invoice: that of the sale, or of issue where there is none.
func (d *Details) On() calendar.Date {
	if d.SoldOn != "" {
		return d.SoldOn
	}
	return d.IssuedOn
}

// NumberKey is a number in the form by which repeats are found: upper case, without blanks, with one kind of dash. Leading zeros stay.
func NumberKey(number string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case unicode.Is(unicode.Pd, r) || r == '\u2212':
			return '-'
		case r == '\\':
			return '/'
		}
		return unicode.ToUpper(r)
	}, validate.Line(number))
}

// Normal is the details in their one form. What no form of theirs could be kept is noted on the form, for drafts too.
func (d Details) Normal(f *validate.Form, country string, categories []string) Details {
	d.Number = f.Text("number", d.Number, NumberMax, false)
	d.CorrectedNumber = f.Text("correctedNumber", d.CorrectedNumber, NumberMax, false)
	d.IssuerName = f.Text("issuerName", d.IssuerName, NameMax, false)
	d.Description = f.Text("description", d.Description, DescriptionMax, false)
	d.Category = f.OneOf("category", d.Category, categories)
	d.IssuerTaxID = f.Text("issuerTaxId", taxID(d.IssuerTaxID, country), taxIDMax, false)
	d.BuyerTaxID = f.Text("buyerTaxId", taxID(d.BuyerTaxID, country), taxIDMax, false)
	d.Registration = f.Text("registration", Plate(d.Registration), plateMax, false)
	d.KsefNumber = strings.ToUpper(validate.Line(d.KsefNumber))
	if d.KsefNumber != "" && !numbers.IsInvoice(d.KsefNumber) {
		f.Wrong("ksefNumber", fault.WrongFormat)
	}
	for _, day := range []struct {
		field string
		on    calendar.Date
	}{{"issueDate", d.IssuedOn}, {"saleDate", d.SoldOn}} {
		if day.on != "" && (!day.on.Exists() || day.on < firstDay || day.on > lastDay) {
			f.Wrong(day.field, fault.WrongFormat)
		}
	}
	for _, a := range d.amounts() {
		if a.amount > amountMax {
			f.Wrong(a.field, fault.TooBig, "max", strconv.FormatInt(int64(amountMax), 10))
		} else if a.amount < -amountMax {
			f.Wrong(a.field, fault.TooSmall, "min", strconv.FormatInt(-int64(amountMax), 10))
		}
	}
	if d.Mileage < 0 {
		f.Wrong("mileage", fault.TooSmall, "min", "0")
	} else if d.Mileage > mileageMax {
		f.Wrong("mileage", fault.TooBig, "max", strconv.Itoa(mileageMax))
	}
	return d
}

func (d *Details) amounts() []struct {
	field  string
	amount money.Amount
} {
	return []struct {
		field  string
		amount money.Amount
	}{{"net", d.Net}, {"gross", d.Gross}, {"vatStandard", d.VATStandard}, {"vatReduced", d.VATReduced}, {"vatOther", d.VATOther},
		{"vatZeroBase", d.BaseZero}}
}

// Complete notes what an invoice lacks before it can be sent or approved.
func (d *Details) Complete(f *validate.Form) {
	for _, one := range []struct {
		field   string
		missing bool
	}{{"number", NumberKey(d.Number) == ""}, {"issueDate", d.IssuedOn == ""}, {"issuerTaxId", d.IssuerTaxID == ""}, {"gross", d.Gross == 0},
		{"correctedNumber", d.Gross < 0 && d.CorrectedNumber == ""}} {
		if one.missing {
			f.Wrong(one.field, fault.Required)
		}
	}
}

// Plate is a registration without blanks and dashes, in capitals.
func Plate(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, validate.Line(text))
}

// taxID is a tax id as it is kept: that of the country without its letters in Poland, as they are written in Germany. What is none stays
// as it was typed, without blanks.
func taxID(text, country string) string {
	if id, err := official.ParseTaxID(text, country); err == nil {
		return id
	}
	text = strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ".", "").Replace(validate.Line(text)))
	if id, err := official.ParseTaxID(text, country); err == nil {
		return id
	}
	return text
}

// validTaxID says whether an issuer can have the tax id: one of the country with its checksum, or one of another country.
func validTaxID(id, country string) bool {
	if _, err := official.ParseTaxID(id, country); err == nil {
		return true
	}
	if len(id) < 5 || len(id) > 14 || id[:2] == country || !unicode.IsUpper(rune(id[0])) || !unicode.IsUpper(rune(id[1])) {
		return false
	}
	switch id[:2] {
	case "PL":
		_, err := official.ParseNIP(id[2:])
		return err == nil
	case "DE":
		_, err := official.ParseUStIdNr(id)
		return err == nil
	}
	return strings.Contains(unionCountries, id[:2]+" ") && !strings.ContainsFunc(id[2:], func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z')
	})
}

// unionCountries are the letters that tax ids of other countries begin with.
const unionCountries = "AT BE BG CY CZ DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PT RO SE SI SK XI CH NO GB UA "

// Package bankfile writes the files that tell a bank whom to pay. The same order gives the same bytes, no text can add a
// field or a record, and a sign that a file cannot hold is named with what stands in its place or refuses the payment.
package bankfile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
)

// Order is what a bank is to do with one account on one day.
type Order struct {
	ID       string    // unique for good: a bank refuses one that it has seen
	MadeAt   time.Time // written into the file
	On       calendar.Date
	Currency money.Currency
	From     Party
	Payments []Payment
}

// Party is whoever pays or is paid, under the name that the bank knows.
type Party struct {
	Name    string
	Street  string
	Place   string // post code and town
	Account official.Account
}

// Payment is one transfer.
type Payment struct {
	Reference string // ours, unique in all orders; letters, digits and dashes, at most 35
	Amount    money.Amount
	To        Party
	Title     string
	Split     *Split // nil: an ordinary transfer
}

// Split names the VAT inside a payment, which a Polish bank then moves to the seller's VAT account.
type Split struct {
	VAT     money.Amount
	TaxID   official.NIP // of the seller
	Invoice string
}

// File is an order as the bank takes it.
type File struct {
	Name    string
	Type    string // as HTTP names it
	Content []byte
	Changes []Change
}

// Change tells that a text stands otherwise in the file than in the order: signs that the file cannot hold have others in
// their place, or its end was cut.
type Change struct {
	Payment int // place in the order; -1: who pays
	Field   Field
	Was, Is string
}

// Field is a text of an order.
type Field string

// The texts that may stand otherwise.
const (
	Name    Field = "name"
	Street  Field = "street"
	Place   Field = "place"
	Title   Field = "title"
	Invoice Field = "invoice"
)

// Reason is why an order cannot be written.
type Reason string

// The reasons.
const (
	NoPayments      Reason = "no_payments"
	TooMany         Reason = "too_many" // payments for one file of this bank
	WrongCurrency   Reason = "wrong_currency"
	WrongReference  Reason = "wrong_reference" // empty, too long, with other signs, or there twice
	WrongDate       Reason = "wrong_date"
	WrongAmount     Reason = "wrong_amount" // nothing, less than nothing, or more than a file can hold
	NoAccount       Reason = "no_account"
	ForeignAccount  Reason = "foreign_account" // in a file that holds accounts of one country only
	OutsideSEPA     Reason = "outside_sepa"    // in a SEPA file
	NoName          Reason = "no_name"
	NoTitle         Reason = "no_title"
	Unwritable      Reason = "unwritable" // a sign that nothing can stand for
	NoSplit         Reason = "no_split"   // split payments do not exist in this file
	WrongSplit      Reason = "wrong_split"
	UnknownProfile  Reason = "unknown_profile"
	wholeOrder             = -1
	mostMinor              = 999_999_999_99 // what every bank's file can hold
	referenceLength        = 35
)

// Refusal says which payment of the order cannot be written, and why. Nothing of the order is.
type Refusal struct {
	Payment int // -1: the order itself
	Reason  Reason
	Field   Field  // empty: none of them
	Found   string // the sign or the number that is in the way
}

func (r Refusal) Error() string {
	return fmt.Sprintf("bank file: payment %d: %s %s %q", r.Payment, r.Reason, r.Field, r.Found)
}

// Write makes the file of an order for a bank.
func Write(profile string, o Order) (File, error) {
	p, known := Of(profile)
	if !known {
		return File{}, Refusal{wholeOrder, UnknownProfile, "", profile}
	}
	if err := p.check(o); err != nil {
		return File{}, err
	}
	w := &writer{profile: p, order: o, at: wholeOrder}
	content := p.write(w)
	if w.refused != nil {
		return File{}, *w.refused
	}
	return File{Name: o.ID + p.Extension, Type: p.Type, Content: content, Changes: w.changes}, nil
}

// check refuses what no file of the profile can hold.
func (p Profile) check(o Order) error {
	whole := func(reason Reason, found string) error { return Refusal{wholeOrder, reason, "", found} }
	switch {
	case len(o.Payments) == 0:
		return whole(NoPayments, "")
	case p.Most > 0 && len(o.Payments) > p.Most:
		return whole(TooMany, fmt.Sprint(len(o.Payments)))
	case p.Currency != "" && o.Currency != p.Currency:
		return whole(WrongCurrency, string(o.Currency))
	case !reference(o.ID):
		return whole(WrongReference, o.ID)
	case !o.On.Exists():
		return whole(WrongDate, string(o.On))
	}
	if err := p.account(wholeOrder, o.From.Account); err != nil {
		return err
	}
	seen := map[string]bool{}
	for n, payment := range o.Payments {
		one := func(reason Reason, found string) error { return Refusal{n, reason, "", found} }
		switch {
		case !reference(payment.Reference) || seen[payment.Reference]:
			return one(WrongReference, payment.Reference)
		case payment.Amount <= 0 || payment.Amount > mostMinor:
			return one(WrongAmount, payment.Amount.String())
		}
		seen[payment.Reference] = true
		if err := p.account(n, payment.To.Account); err != nil {
			return err
		}
		if country := payment.To.Account.Country(); o.Currency == money.EUR && !InSEPA(country) {
			return one(OutsideSEPA, country)
		}
		if s := payment.Split; s != nil {
			if !p.Splits {
				return one(NoSplit, "")
			}
			if _, err := official.ParseNIP(string(s.TaxID)); err != nil || s.VAT <= 0 || s.VAT > payment.Amount || s.Invoice == "" {
				return one(WrongSplit, s.Invoice)
			}
		}
	}
	return nil
}

// account refuses what is no account, and one of another country where the file holds those of one only.
func (p Profile) account(payment int, account official.Account) error {
	if parsed, err := official.ParseAccount(string(account)); err != nil || parsed != account {
		return Refusal{payment, NoAccount, "", ""}
	}
	if p.Country != "" && !account.Domestic(p.Country) {
		return Refusal{payment, ForeignAccount, "", account.Country()}
	}
	return nil
}

// reference says whether banks take the text as an id: no slash, which some read as a mark of their own.
func reference(text string) bool {
	for _, r := range text {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return text != "" && len(text) <= referenceLength
}

// sepa are the countries of the Single Euro Payments Area by the letters of their accounts, as of 2026.
var sepa = strings.Fields(
	"AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA")

// InSEPA says whether euro reach accounts of a country by a SEPA transfer.
func InSEPA(country string) bool { return slices.Contains(sepa, country) }

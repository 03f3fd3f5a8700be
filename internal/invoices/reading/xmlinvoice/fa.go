package xmlinvoice

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef/numbers"
)

// FA is an invoice of the form of KSeF. Amounts are hundredths of the currency; those of a correction are differences.
type FA struct {
	Number     string        // P_2
	IssuedOn   calendar.Date // P_1
	SoldOn     calendar.Date // the last day of what is billed; empty: it names none
	Kind       string        // VAT, UPR, ZAL or ROZ; KOR, KOR_ZAL or KOR_ROZ correct one
	SelfBilled bool          // P_17: the buyer wrote it
	Currency   money.Currency
	Seller     FAParty
	Buyer      FAParty
	Others     []FAParty     // such as who pays in the buyer's place
	Corrects   []FACorrected // by a correction

	Net, VAT, Gross money.Amount
	Standard        money.Amount // VAT of 23 or 22 percent
	Reduced         money.Amount // VAT of 8 or 7 percent
	OtherVAT        money.Amount // of any other rate
	Untaxed         money.Amount // without VAT, part of the net amount
	Reversed        bool         // the buyer owes the VAT of a part
	Margin          bool         // a part is taxed by its margin
}

// FAParty is one that an invoice names.
type FAParty struct {
	TaxID string // NIP, or a VAT id of another country; empty: it names none that is one
	Name  string
	Role  string // of others than seller and buyer: 1 to 11 as the form counts them; empty: another one
}

// FACorrected is an invoice that a correction corrects.
type FACorrected struct {
	IssuedOn   calendar.Date
	Number     string
	KSeFNumber string // empty: KSeF does not have it
}

// AddsUp says whether net and VAT make the gross amount. KSeF takes invoices of which they do not.
func (f *FA) AddsUp() bool { return f.Net+f.VAT == f.Gross }

// Corrections says whether it corrects other invoices.
func (f *FA) Corrections() bool { return strings.HasPrefix(f.Kind, "KOR") }

// What a file of KSeF may have: one with an attachment is three times as large as one without.
const (
	faMost      = 3_000_000
	faDeep      = 32
	faNumberMax = 256
)

// Unread says why nothing was taken from a file. It is an ErrUnreadable.
type Unread struct {
	Reason UnreadReason
	Found  string // the form, or the field that is in the way; never what stands in it
}

// UnreadReason is why a file is not read.
type UnreadReason string

// The reasons.
const (
	TooLarge  UnreadReason = "too_large"
	TooDeep   UnreadReason = "too_deep"
	Broken    UnreadReason = "broken"     // no XML, or one with a document type
	OtherForm UnreadReason = "other_form" // FA(2), PEF, FA_RR
	Damaged   UnreadReason = "damaged"    // a field that an invoice has is missing, wrong or there twice
)

func (u Unread) Error() string { return fmt.Sprintf("XML invoice: %s %q", u.Reason, u.Found) }

// Unwrap makes it an ErrUnreadable.
func (u Unread) Unwrap() error { return ErrUnreadable }

// formFA3 is the namespace of FA(3), and formCode how a form is named.
const formFA3 = "http://crd.gov.pl/wzor/2025/06/25/13775/"

var formCode = regexp.MustCompile(`^[A-Z_]{2,12} \(\d{1,2}\)$`)

// faKinds are the kinds of FA(3).
var faKinds = []string{"VAT", "KOR", "ZAL", "ROZ", "UPR", "KOR_ZAL", "KOR_ROZ"}

// ReadFA reads an invoice that KSeF has, of the form FA(3) and no other. The error is an Unread.
func ReadFA(content []byte) (FA, error) {
	if len(content) > faMost {
		return FA{}, Unread{TooLarge, ""}
	}
	root, foreign, err := outline(content, faDeep)
	switch {
	case err != nil:
		return FA{}, err
	case root.Local == "Invoice", root.Local == "CreditNote":
		return FA{}, Unread{OtherForm, "PEF"}
	case root.Local != "Faktura":
		return FA{}, Unread{OtherForm, ""}
	}
	file, err := decodedFA(content)
	if err != nil {
		return FA{}, err
	}
	if code := file.Head.Form.Code; root.Space != formFA3 || code != "FA (3)" {
		if !formCode.MatchString(code) {
			code = ""
		}
		return FA{}, Unread{OtherForm, code}
	}
	f, err := file.invoice()
	switch {
	case err != nil:
		return FA{}, err
	case foreign:
		return FA{}, Unread{Damaged, "xmlns"}
	case !slices.Contains(faKinds, f.Kind):
		return FA{}, Unread{Damaged, "RodzajFaktury"}
	case file.Fa.SelfBilled != "1" && file.Fa.SelfBilled != "2":
		return FA{}, Unread{Damaged, "P_17"}
	case f.Corrections() != (len(f.Corrects) > 0):
		return FA{}, Unread{Damaged, "DaneFaKorygowanej"}
	}
	return f, nil
}

// once is the text of an element that may be there once.
type once string

var errTwice = errors.New("an element is there twice")

// UnmarshalXML refuses the second one.
func (o *once) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var text string
	if err := d.DecodeElement(&text, &start); err != nil {
		return err
	}
	if *o != "" {
		return errTwice
	}
	*o = once(strings.TrimSpace(text))
	return nil
}

// The parts of FA(2) and FA(3) that are read.
type (
	faFile struct {
		Head struct {
			Form struct {
				Code string `xml:"kodSystemowy,attr"`
			} `xml:"KodFormularza"`
		} `xml:"Naglowek"`
		Seller faParty   `xml:"Podmiot1"`
		Buyer  faParty   `xml:"Podmiot2"`
		Others []faParty `xml:"Podmiot3"`
		Fa     struct {
			Currency   once `xml:"KodWaluty"`
			Issued     once `xml:"P_1"`
			Number     once `xml:"P_2"`
			Sold       once `xml:"P_6"`
			To         once `xml:"OkresFa>P_6_Do"`
			Net1       once `xml:"P_13_1"`
			VAT1       once `xml:"P_14_1"`
			Net2       once `xml:"P_13_2"`
			VAT2       once `xml:"P_14_2"`
			Net3       once `xml:"P_13_3"`
			VAT3       once `xml:"P_14_3"`
			Net4       once `xml:"P_13_4"`
			VAT4       once `xml:"P_14_4"`
			Net5       once `xml:"P_13_5"`
			VAT5       once `xml:"P_14_5"`
			Zero1      once `xml:"P_13_6_1"`
			Zero2      once `xml:"P_13_6_2"`
			Zero3      once `xml:"P_13_6_3"`
			Free       once `xml:"P_13_7"`
			Outside8   once `xml:"P_13_8"`
			Outside9   once `xml:"P_13_9"`
			Reverse    once `xml:"P_13_10"`
			Margin     once `xml:"P_13_11"`
			Gross      once `xml:"P_15"`
			SelfBilled once `xml:"Adnotacje>P_17"`
			Kind       once `xml:"RodzajFaktury"`
			Corrects   []struct {
				Issued once `xml:"DataWystFaKorygowanej"`
				Number once `xml:"NrFaKorygowanej"`
				KSeF   once `xml:"NrKSeFFaKorygowanej"`
			} `xml:"DaneFaKorygowanej"`
			Lines []struct {
				Sold once `xml:"P_6A"`
			} `xml:"FaWiersz"`
		} `xml:"Fa"`
	}
	faParty struct {
		NIP   once `xml:"DaneIdentyfikacyjne>NIP"`
		Union once `xml:"DaneIdentyfikacyjne>KodUE"`
		VATID once `xml:"DaneIdentyfikacyjne>NrVatUE"`
		Name  once `xml:"DaneIdentyfikacyjne>Nazwa"`
		Role  once `xml:"Rola"`
	}
)

func decodedFA(content []byte) (f faFile, err error) {
	if err := xmlDecoder(content).Decode(&f); err != nil {
		return f, Unread{Damaged, ""}
	}
	return f, nil
}

// party has the tax id where it is one.
func (p faParty) party() FAParty {
	id := taxIDOf(string(p.NIP))
	if id == "" && p.Union != "" {
		id = taxIDOf(string(p.Union + p.VATID))
	}
	if id == "" && p.Union != "" {
		country := strings.Replace(string(p.Union), "EL", "GR", 1)
		if known, err := official.ParseVATID(string(p.VATID), country); err == nil {
			id = known
		}
	}
	return FAParty{TaxID: id, Name: string(p.Name), Role: string(p.Role)}
}

// invoice is what the file says, checked as far as any invoice of any form has it.
func (file *faFile) invoice() (FA, error) {
	b := &file.Fa
	f := FA{Number: string(b.Number), IssuedOn: calendar.Date(b.Issued), Kind: string(b.Kind), SelfBilled: b.SelfBilled == "1",
		Currency: money.Currency(b.Currency), Seller: file.Seller.party(), Buyer: file.Buyer.party(),
		Reversed: b.Reverse != "", Margin: b.Margin != "", SoldOn: calendar.Date(cmp.Or(b.Sold, b.To))}
	for _, l := range b.Lines { // the last day of several
		if b.Sold == "" && b.To == "" {
			f.SoldOn = max(f.SoldOn, calendar.Date(l.Sold))
		}
	}
	for _, p := range file.Others {
		f.Others = append(f.Others, p.party())
	}
	for _, c := range b.Corrects {
		one := FACorrected{calendar.Date(c.Issued), string(c.Number), string(c.KSeF)}
		if !one.IssuedOn.Exists() || one.Number == "" || one.KSeFNumber != "" && !numbers.IsInvoice(one.KSeFNumber) &&
			!numbers.IsFormer(one.KSeFNumber) {
			return FA{}, Unread{Damaged, "DaneFaKorygowanej"}
		}
		f.Corrects = append(f.Corrects, one)
	}
	_, sellerErr := official.ParseNIP(f.Seller.TaxID)
	for _, wrong := range []struct {
		field string
		is    bool
	}{
		{"P_1", !f.IssuedOn.Exists()},
		{"P_2", f.Number == "" || utf8.RuneCountInString(f.Number) > faNumberMax},
		{"P_6", f.SoldOn != "" && !f.SoldOn.Exists()},
		{"KodWaluty", len(f.Currency) != 3},
		{"Podmiot1", sellerErr != nil},
	} {
		if wrong.is {
			return FA{}, Unread{Damaged, wrong.field}
		}
	}
	for _, sum := range []struct {
		field string
		into  *money.Amount
		of    []once
	}{
		{"P_14_1", &f.Standard, []once{b.VAT1}},
		{"P_14_2", &f.Reduced, []once{b.VAT2}},
		{"P_14_3", &f.OtherVAT, []once{b.VAT3, b.VAT4, b.VAT5}},
		{"P_13_6", &f.Untaxed, []once{b.Zero1, b.Zero2, b.Zero3, b.Free, b.Outside8, b.Outside9, b.Reverse, b.Margin}},
		{"P_13_1", &f.Net, []once{b.Net1, b.Net2, b.Net3, b.Net4, b.Net5}},
	} {
		for _, text := range sum.of {
			if text == "" {
				continue
			}
			n, err := xmlMinor(string(text))
			if err != nil {
				return FA{}, Unread{Damaged, sum.field}
			}
			*sum.into += money.Amount(n)
		}
	}
	gross, err := xmlMinor(string(b.Gross))
	if err != nil {
		return FA{}, Unread{Damaged, "P_15"}
	}
	f.Net, f.VAT, f.Gross = f.Net+f.Untaxed, f.Standard+f.Reduced+f.OtherVAT, money.Amount(gross)
	return f, nil
}

// readFA takes the fields of a driver's invoice out of FA(2) and FA(3).
func readFA(content []byte) (m machine, err error) {
	file, err := decodedFA(content)
	if err != nil {
		return m, err
	}
	f, err := file.invoice()
	if err != nil {
		return m, err
	}
	m = machine{number: f.Number, currency: string(f.Currency), issued: f.IssuedOn, sold: f.SoldOn,
		sellerID: f.Seller.TaxID, sellerName: f.Seller.Name, buyerID: taxIDOf(f.Buyer.TaxID), net: int64(f.Net), gross: int64(f.Gross),
		standard: int64(f.Standard), reduced: int64(f.Reduced), zero: int64(f.Untaxed), otherVAT: int64(f.OtherVAT)}
	if f.Reversed {
		m.findings = append(m.findings, reading.Reversed)
	}
	if f.Margin {
		m.findings = append(m.findings, reading.Margin)
	}
	if f.Corrections() {
		m.findings = append(m.findings, reading.Correction)
	}
	return m, nil
}

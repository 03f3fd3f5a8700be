// Package xmlinvoice reads invoices for machines: KSeF's FA(2) and FA(3), and EN 16931 as Cross Industry Invoice (Factur-X, ZUGFeRD) and
// as UBL (XRechnung).
package xmlinvoice

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
)

// xmlMost is the largest invoice for machines that is read; KSeF takes no larger ones.
const xmlMost = 1 << 20

// ErrUnreadable says that a file is no invoice for machines, or a broken one. Nothing is taken from it.
var ErrUnreadable = errors.New("no readable XML invoice")

// xmlRoots are the elements that invoices for machines begin with, with the reader of each.
var xmlRoots = map[string]func([]byte) (machine, error){
	"Faktura":              readFA,  // KSeF, FA(2) and FA(3)
	"CrossIndustryInvoice": readCII, // Factur-X, ZUGFeRD 2 and XRechnung
	"Invoice":              readUBL, // XRechnung
	"CreditNote":           readUBL,
}

// Is says whether a file begins as an invoice for machines does.
func Is(content []byte) bool {
	name, err := xmlRoot(content)
	return err == nil && xmlRoots[name] != nil
}

// xmlDecoder reads XML without a document type: entities are never expanded.
func xmlDecoder(content []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(content, []byte("\xEF\xBB\xBF"))))
	d.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		for name, set := range map[string]*charmap.Charmap{"iso-8859-1": charmap.ISO8859_1, "iso-8859-2": charmap.ISO8859_2,
			"iso-8859-15": charmap.ISO8859_15, "windows-1250": charmap.Windows1250, "windows-1252": charmap.Windows1252} {
			if strings.EqualFold(label, name) {
				return set.NewDecoder().Reader(input), nil
			}
		}
		return nil, ErrUnreadable
	}
	return d
}

// xmlRoot is the name of the first element, before which no document type may stand.
func xmlRoot(content []byte) (string, error) {
	if len(content) == 0 || !bytes.ContainsRune(content[:min(len(content), 64)], '<') {
		return "", ErrUnreadable
	}
	d := xmlDecoder(content[:min(len(content), 64<<10)])
	for {
		t, err := d.RawToken()
		if err != nil {
			return "", ErrUnreadable
		}
		switch t := t.(type) {
		case xml.Directive:
			return "", ErrUnreadable
		case xml.StartElement:
			return t.Name.Local, nil
		}
	}
}

// machine is what an invoice for machines says.
type machine struct {
	number, currency     string
	issued, sold         calendar.Date
	sellerID, sellerName string
	buyerID              string
	net, gross           int64
	standard, reduced    int64
	zero, otherVAT       int64 // amounts without VAT; VAT of other rates
	findings             []string
	noSums               bool // it names no VAT by rate
}

// Read reads an invoice for machines. An error means that nothing was taken from it.
func Read(content []byte) (reading.Result, error) {
	if len(content) > xmlMost {
		return reading.Result{}, ErrUnreadable
	}
	name, err := xmlRoot(content)
	if err != nil || xmlRoots[name] == nil || !wellFormed(content) {
		return reading.Result{}, ErrUnreadable
	}
	m, err := xmlRoots[name](content)
	if err != nil {
		return reading.Result{}, err
	}
	return m.result()
}

// wellFormed reads the whole file: Unmarshal ends behind the first element.
func wellFormed(content []byte) bool {
	d, roots, depth := xmlDecoder(content), 0, 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return roots == 1
		}
		if err != nil {
			return false
		}
		switch t := t.(type) {
		case xml.Directive:
			return false
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			if depth++; depth > 100 {
				return false
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 && len(bytes.TrimSpace(t)) > 0 {
				return false
			}
		}
	}
}

// result checks what an invoice must have and makes its fields.
func (m machine) result() (reading.Result, error) {
	m.number = strings.TrimSpace(m.number)
	switch {
	case m.number == "" || len(m.number) > 256 || !m.issued.Exists() || m.sold != "" && !m.sold.Exists():
		return reading.Result{}, ErrUnreadable
	case !m.noSums && m.net+m.standard+m.reduced+m.otherVAT != m.gross:
		return reading.Result{}, ErrUnreadable
	case len(m.currency) != 3:
		return reading.Result{}, ErrUnreadable
	}
	r := reading.Result{Source: reading.XML, Pages: 1, Findings: m.findings}
	add := func(name, value string) {
		if value != "" {
			r.Fields = append(r.Fields, reading.Field{Name: name, Value: value, Sure: 1, Source: reading.XML, Rule: "xml"})
		}
	}
	money := func(n int64) string { return strconv.FormatInt(n, 10) }
	add(reading.Number, m.number)
	add(reading.IssueDate, string(m.issued))
	add(reading.SaleDate, string(m.sold))
	add(reading.IssuerTaxID, m.sellerID)
	add(reading.IssuerName, strings.TrimSpace(m.sellerName))
	add(reading.BuyerTaxID, m.buyerID)
	home := m.currency == "PLN" || m.currency == "EUR"
	if m.otherVAT != 0 {
		r.Findings = append(r.Findings, reading.OtherRate)
	}
	if !home {
		r.Findings = append(r.Findings, reading.Foreign)
	}
	add(reading.Net, money(m.net))
	add(reading.Gross, money(m.gross))
	if !m.noSums && m.otherVAT == 0 {
		add(reading.VATStandard, money(m.standard))
		add(reading.VATReduced, money(m.reduced))
		if m.zero != 0 {
			add(reading.VATZeroBase, money(m.zero))
		}
	}
	add(reading.Currency, m.currency)
	return r, nil
}

var xmlAmount = regexp.MustCompile(`^\s*(-?)(\d{1,13})(?:\.(\d{1,10}))?\s*$`)

// xmlMinor reads an amount of XML as minor units. More than two decimals must be zeros.
func xmlMinor(text string) (int64, error) {
	m := xmlAmount.FindStringSubmatch(text)
	if m == nil {
		return 0, ErrUnreadable
	}
	decimals := m[3] + "00"
	if strings.Trim(decimals[2:], "0") != "" {
		return 0, ErrUnreadable
	}
	n, err := strconv.ParseInt(m[2]+decimals[:2], 10, 64)
	if err != nil {
		return 0, ErrUnreadable
	}
	if m[1] == "-" {
		n = -n
	}
	return n, nil
}

// sum adds amounts that may be absent.
func sum(texts ...string) (total int64, err error) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		n, err := xmlMinor(text)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// taxIDOf is a tax id as fields hold it; what is none stays away.
func taxIDOf(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if id, err := official.ParseUStIdNr(text); err == nil {
		return string(id)
	}
	if id, err := official.ParseNIP(text); err == nil {
		return string(id)
	}
	return ""
}

// The parts of FA(2) and FA(3) that are read.
type fa struct {
	Seller struct {
		NIP  string `xml:"DaneIdentyfikacyjne>NIP"`
		Name string `xml:"DaneIdentyfikacyjne>Nazwa"`
	} `xml:"Podmiot1"`
	Buyer struct {
		NIP   string `xml:"DaneIdentyfikacyjne>NIP"`
		VATUE string `xml:"DaneIdentyfikacyjne>NrVatUE"`
		UE    string `xml:"DaneIdentyfikacyjne>KodUE"`
	} `xml:"Podmiot2"`
	Fa struct {
		Currency string   `xml:"KodWaluty"`
		Issued   string   `xml:"P_1"`
		Number   string   `xml:"P_2"`
		Sold     string   `xml:"P_6"`
		To       string   `xml:"OkresFa>P_6_Do"`
		Net1     string   `xml:"P_13_1"`
		VAT1     string   `xml:"P_14_1"`
		Net2     string   `xml:"P_13_2"`
		VAT2     string   `xml:"P_14_2"`
		Net3     string   `xml:"P_13_3"`
		VAT3     string   `xml:"P_14_3"`
		Net4     string   `xml:"P_13_4"`
		VAT4     string   `xml:"P_14_4"`
		Net5     string   `xml:"P_13_5"`
		VAT5     string   `xml:"P_14_5"`
		Zero1    string   `xml:"P_13_6_1"`
		Zero2    string   `xml:"P_13_6_2"`
		Zero3    string   `xml:"P_13_6_3"`
		Free     string   `xml:"P_13_7"`
		Outside8 string   `xml:"P_13_8"`
		Outside9 string   `xml:"P_13_9"`
		Reverse  string   `xml:"P_13_10"`
		Margin   string   `xml:"P_13_11"`
		Gross    string   `xml:"P_15"`
		Kind     string   `xml:"RodzajFaktury"`
		Lines    []faLine `xml:"FaWiersz"`
	} `xml:"Fa"`
}

type faLine struct {
	Sold string `xml:"P_6A"`
}

func readFA(content []byte) (m machine, err error) {
	var f fa
	if err := xmlDecoder(content).Decode(&f); err != nil {
		return m, ErrUnreadable
	}
	b := f.Fa
	m = machine{number: b.Number, currency: strings.TrimSpace(b.Currency), issued: calendar.Date(strings.TrimSpace(b.Issued)),
		sellerID: taxIDOf(f.Seller.NIP), sellerName: f.Seller.Name, buyerID: taxIDOf(f.Buyer.NIP)}
	if m.buyerID == "" && f.Buyer.UE != "" {
		m.buyerID = taxIDOf(f.Buyer.UE + f.Buyer.VATUE)
	}
	if m.sellerID == "" {
		return m, ErrUnreadable
	}
	for _, on := range append([]string{b.Sold, b.To}, lineDates(b.Lines)...) {
		if m.sold == "" {
			m.sold = calendar.Date(strings.TrimSpace(on))
		}
	}
	var errs [6]error
	m.standard, errs[0] = sum(b.VAT1)
	m.reduced, errs[1] = sum(b.VAT2)
	m.otherVAT, errs[2] = sum(b.VAT3, b.VAT4, b.VAT5)
	m.zero, errs[3] = sum(b.Zero1, b.Zero2, b.Zero3, b.Free, b.Outside8, b.Outside9, b.Reverse, b.Margin)
	m.net, errs[4] = sum(b.Net1, b.Net2, b.Net3, b.Net4, b.Net5)
	m.gross, errs[5] = xmlMinor(b.Gross)
	m.net += m.zero
	if err := errors.Join(errs[:]...); err != nil {
		return m, ErrUnreadable
	}
	if b.Reverse != "" {
		m.findings = append(m.findings, reading.Reversed)
	}
	if b.Margin != "" {
		m.findings = append(m.findings, reading.Margin)
	}
	if strings.HasPrefix(b.Kind, "KOR") {
		m.findings = append(m.findings, reading.Correction)
	}
	return m, nil
}

func lineDates(lines []faLine) (found []string) {
	for _, l := range lines {
		if l.Sold != "" {
			found = append(found, l.Sold)
		}
	}
	slices.Sort(found)
	slices.Reverse(found) // the last day of several
	return found
}

// xmlDay reads 20260715 and 2026-07-15.
func xmlDay(text string) calendar.Date {
	text = strings.TrimSpace(text)
	if len(text) == 8 && !strings.Contains(text, "-") {
		text = fmt.Sprintf("%s-%s-%s", text[:4], text[4:6], text[6:])
	}
	return calendar.Date(text)
}

// byRate is the VAT of one rate.
type byRate struct{ net, vat, percent, category string }

// takeRates sorts VAT by rate into that of the country: Polish rates for a Polish seller, else German ones.
func (m *machine) takeRates(rates []byRate) error {
	standard, reduced := "19", "7"
	if !strings.HasPrefix(m.sellerID, "DE") && m.sellerID != "" {
		standard, reduced = "23", "8"
	}
	for _, r := range rates {
		vat, err := sum(r.vat)
		if err != nil {
			return err
		}
		net, err := sum(r.net)
		if err != nil {
			return err
		}
		percent := strings.TrimSpace(r.percent)
		if strings.Contains(percent, ".") {
			percent = strings.TrimRight(strings.TrimRight(percent, "0"), ".")
		}
		switch {
		case percent == standard:
			m.standard += vat
		case percent == reduced:
			m.reduced += vat
		case vat == 0:
			m.zero += net
			if r.category == "AE" {
				m.findings = append(m.findings, reading.Reversed)
			}
		default:
			m.otherVAT += vat
		}
	}
	m.noSums = len(rates) == 0
	return nil
}

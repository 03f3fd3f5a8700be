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
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
)

// xmlMost is the largest invoice for machines that is read; KSeF takes no larger ones.
const xmlMost = 1 << 20

// xmlDeep is how many elements may be in each other.
const xmlDeep = 100

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
	if err != nil || xmlRoots[name] == nil {
		return reading.Result{}, ErrUnreadable
	}
	if _, _, err := outline(content, xmlDeep); err != nil {
		return reading.Result{}, err
	}
	m, err := xmlRoots[name](content)
	if err != nil {
		return reading.Result{}, err
	}
	return m.result()
}

// outline reads the whole file, as Unmarshal ends behind the first element: its root, and whether elements of another namespace are in
// it.
func outline(content []byte, deepest int) (root xml.Name, foreign bool, err error) {
	d, roots, depth := xmlDecoder(content), 0, 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) && roots == 1 {
			return root, foreign, nil
		}
		if err != nil {
			return root, foreign, Unread{Broken, ""}
		}
		switch t := t.(type) {
		case xml.Directive:
			return root, foreign, Unread{Broken, "DOCTYPE"}
		case xml.StartElement:
			if depth == 0 {
				root = t.Name
				roots++
			}
			foreign = foreign || t.Name.Space != root.Space
			if depth++; depth > deepest {
				return root, foreign, Unread{TooDeep, ""}
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 && len(bytes.TrimSpace(t)) > 0 {
				return root, foreign, Unread{Broken, ""}
			}
		}
	}
}

// result checks what an invoice must have and makes its fields.
func (m machine) result() (reading.Result, error) {
	m.number = strings.TrimSpace(m.number)
	switch {
	case m.number == "" || utf8.RuneCountInString(m.number) > faNumberMax || !m.issued.Exists() || m.sold != "" && !m.sold.Exists():
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

// xmlMinorOr0 reads an amount that may be absent.
func xmlMinorOr0(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	return xmlMinor(text)
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
		vat, err := xmlMinorOr0(r.vat)
		if err != nil {
			return err
		}
		net, err := xmlMinorOr0(r.net)
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

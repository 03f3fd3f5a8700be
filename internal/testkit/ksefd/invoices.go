package ksefd

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

var ofInvoices = map[string]func(*call) reply{
	"GET /invoices/ksef/{ksefNumber}": (*call).one, "POST /invoices/query/metadata": (*call).query, "POST /invoices/exports": (*call).export,
	"GET /invoices/exports/{referenceNumber}": (*call).exported, "POST /collective-identifiers": (*call).collect,
}

// invoice is one that was sent, and perhaps accepted.
type invoice struct {
	reference, hash, name string
	session               *session // nil: another company's
	ordinal, code, steps  int
	sent                  time.Time
	offline               bool
	replaces              string
	original              *invoice // of which it is a duplicate

	number           string
	acquired, stored time.Time
	file             []byte
	read             faInvoice
	upo              *file
}

func (i *invoice) mode() string {
	if i.offline || i.read.IssuedOn != i.sent.In(warsaw).Format(time.DateOnly) {
		return "Offline"
	}
	return "Online"
}

func (i *invoice) inSession() string {
	if i.session == nil {
		return ""
	}
	return i.session.reference
}

// warsaw is the time of Poland, near enough for days.
var warsaw = time.FixedZone("Warsaw", 3600)

// faInvoice is what KSeF reads of FA(3).
type faInvoice struct {
	XMLName xml.Name
	Form    struct {
		System  string `xml:"kodSystemowy,attr"`
		Version string `xml:"wersjaSchemy,attr"`
		Text    string `xml:",chardata"`
	} `xml:"Naglowek>KodFormularza"`
	Seller     faParty   `xml:"Podmiot1"`
	Buyer      faParty   `xml:"Podmiot2"`
	Third      []faParty `xml:"Podmiot3"`
	Currency   string    `xml:"Fa>KodWaluty"`
	IssuedOn   string    `xml:"Fa>P_1"`
	Number     string    `xml:"Fa>P_2"`
	Gross      string    `xml:"Fa>P_15"`
	SelfBilled string    `xml:"Fa>Adnotacje>P_17"`
	Kind       string    `xml:"Fa>RodzajFaktury"`
	VAT        []string  `xml:"Fa>P_14_1"`
	VAT2       []string  `xml:"Fa>P_14_2"`
	VAT3       []string  `xml:"Fa>P_14_3"`
}

// identity is what no two invoices may share, whoever sends them.
func (f faInvoice) identity() string { return f.Seller.NIP + " " + f.Kind + " " + f.Number }

type faParty struct {
	NIP  string `xml:"DaneIdentyfikacyjne>NIP"`
	Name string `xml:"DaneIdentyfikacyjne>Nazwa"`
}

// The schema of FA(3) is not part of the project: what KSeF reads and what its own messages name is looked at here.
const faSpace = "http://crd.gov.pl/wzor/2025/06/25/13775/"

var (
	nipForm    = regexp.MustCompile(`^[1-9]((\d[1-9])|([1-9]\d))\d{7}$`)
	amountForm = regexp.MustCompile(`^-?\d{1,16}(\.\d{1,2})?$`)
	kinds      = map[string]string{"VAT": "Vat", "KOR": "Kor", "ZAL": "Zal", "ROZ": "Roz", "UPR": "Upr", "KOR_ZAL": "KorZal",
		"KOR_ROZ": "KorRoz"}
)

// verified reads a file and says by which code it is refused; 200: it is not.
func (s *Server) verified(content []byte) (read faInvoice, code int) {
	if len(content) > 1_000_000 || !utf8.Valid(content) || bytes.HasPrefix(content, []byte("\xEF\xBB\xBF")) {
		return read, 430
	}
	for d := xml.NewDecoder(bytes.NewReader(content)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		instruction, is := token.(xml.ProcInst)
		if err != nil || is && instruction.Target != "xml" {
			return read, 430
		}
	}
	if err := xml.Unmarshal(content, &read); err != nil {
		return read, 430
	}
	today := s.now().In(warsaw).Format(time.DateOnly)
	_, err := time.Parse(time.DateOnly, read.IssuedOn)
	switch {
	case read.XMLName.Space != faSpace || read.XMLName.Local != "Faktura",
		read.Form.System != "FA (3)" || read.Form.Version != "1-0E" || read.Form.Text != "FA",
		!nipForm.MatchString(read.Seller.NIP), read.Seller.Name == "", read.Number == "" || utf8.RuneCountInString(read.Number) > 256,
		err != nil || read.IssuedOn > today, !amountForm.MatchString(read.Gross), kinds[read.Kind] == "", len(read.Currency) != 3,
		read.SelfBilled != "1" && read.SelfBilled != "2":
		return read, 450
	}
	return read, 200
}

// process takes an invoice or refuses it.
func (s *Server) process(i *invoice, content []byte) {
	i.read, i.code = s.verified(content)
	if i.code != 200 {
		return
	}
	if i.code = s.ending("invoice"); i.code != 200 {
		return
	}
	if who := i.session.nip; who != i.read.Seller.NIP {
		if i.read.SelfBilled != "1" || i.read.Buyer.NIP != who || !s.granted(i.read.Seller.NIP, who, "SelfInvoicing") {
			i.code = 410
			return
		}
	}
	if former := s.taken[i.read.identity()]; former != nil {
		i.code, i.original = 440, former
		return
	}
	s.accept(i, content)
}

func (s *Server) accept(i *invoice, content []byte) {
	s.counter++
	i.acquired, i.file = s.now(), content
	i.stored = i.acquired
	if n := len(s.store); n > 0 && !i.stored.After(s.store[n-1].stored) {
		i.stored = s.store[n-1].stored.Add(time.Millisecond)
	}
	i.number = withSum(fmt.Sprintf("%s-%s-%012X", i.read.Seller.NIP, i.acquired.In(warsaw).Format("20060102"), 0x100000000000+s.counter))
	s.store, s.taken[i.read.identity()] = append(s.store, i), i
}

// withSum adds the CRC-8 that ends KSeF's numbers.
func withSum(text string) string {
	crc := 0
	for _, c := range []byte(text) {
		crc ^= int(c)
		for range 8 {
			if crc <<= 1; crc > 0xFF {
				crc ^= 0x107
			}
		}
	}
	return fmt.Sprintf("%s-%02X", text, crc)
}

// Receive has another company send an invoice. It gives its number.
func (s *Server) Receive(content []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	read, code := s.verified(content)
	if code != 200 {
		panic(fmt.Sprintf("the invoice is refused with %d", code))
	}
	i := &invoice{hash: hash(content), sent: s.now(), read: read, code: 200}
	s.accept(i, content)
	return i.number
}

// ReceiveForeign has another company send what may be of another form, or no invoice. It gives its number.
func (s *Server) ReceiveForeign(content []byte, form, seller, buyer, number string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &invoice{hash: hash(content), sent: s.now(), code: 200}
	i.read.Form.System, i.read.Seller, i.read.Buyer = form, faParty{seller, "Sprzedawca"}, faParty{buyer, "Nabywca"}
	i.read.Number, i.read.IssuedOn, i.read.SelfBilled = number, s.now().In(warsaw).Format(time.DateOnly), "2"
	i.read.Kind, i.read.Currency, i.read.Gross = "VAT", "PLN", "1.00"
	s.accept(i, content)
	return i.number
}

// Accepted are the files that KSeF has, by their numbers.
func (s *Server) Accepted() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string][]byte{}
	for _, i := range s.store {
		all[i.number] = i.file
	}
	return all
}

// upo says which invoices of a session were accepted, as UPO 4-3 does, without the Ministry's signature.
func (s *Server) upo(of *session, invoices []*invoice) []byte {
	var b bytes.Buffer
	text := func(name, value string) {
		b.WriteString("<" + name + ">")
		_ = xml.EscapeText(&b, []byte(value))
		b.WriteString("</" + name + ">")
	}
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><Potwierdzenie xmlns="http://upo.schematy.mf.gov.pl/KSeF/v4-3">`)
	text("NazwaPodmiotuPrzyjmujacego", "Ministerstwo Finansów")
	text("NumerReferencyjnySesji", of.reference)
	b.WriteString("<Uwierzytelnienie><IdKontekstu>")
	text("Nip", of.nip)
	b.WriteString("</IdKontekstu></Uwierzytelnienie>")
	text("KodFormularza", "FA (3)")
	for _, i := range invoices {
		if i.code != 200 {
			continue
		}
		b.WriteString("<Dokument>")
		text("NipSprzedawcy", i.read.Seller.NIP)
		text("NumerKSeFDokumentu", i.number)
		text("NumerFaktury", i.read.Number)
		text("DataWystawieniaFaktury", i.read.IssuedOn)
		text("DataPrzeslaniaDokumentu", stamp(i.sent))
		text("DataNadaniaNumeruKSeF", stamp(i.acquired))
		text("SkrotDokumentu", i.hash)
		text("TrybWysylki", i.mode())
		b.WriteString("</Dokument>")
	}
	b.WriteString("</Potwierdzenie>")
	return b.Bytes()
}

func (c *call) one() reply {
	for _, i := range c.store {
		if i.number != c.path["ksefNumber"] || !c.concerns(i, "Subject1") && !c.concerns(i, "Subject2") && !c.concerns(i, "Subject3") {
			continue
		}
		if i.stored.After(c.mark()) {
			return c.bad(21165)
		}
		return reply{status: http.StatusOK, header: http.Header{"Content-Type": {"application/xml"}, "X-Ms-Meta-Hash": {i.hash}}, raw: i.file}
	}
	return c.bad(21164)
}

// mark is the time up to which all invoices are stored for good.
func (s *Server) mark() time.Time { return s.now().Add(-s.Lag) }

func (c *call) concerns(i *invoice, role string) bool {
	switch role {
	case "Subject1":
		return i.read.Seller.NIP == c.who.nip
	case "Subject2":
		return i.read.Buyer.NIP == c.who.nip
	case "Subject3":
		return slices.ContainsFunc(i.read.Third, func(p faParty) bool { return p.NIP == c.who.nip })
	}
	return false
}

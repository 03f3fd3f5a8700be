package einvoice

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"

	"saldo/internal/kernel/official"
	"saldo/internal/ksef/numbers"
)

// The parts of FA(3) that a self-billed invoice needs, in the order that the schema has.
type (
	faInvoice struct {
		XMLName xml.Name `xml:"http://crd.gov.pl/wzor/2025/06/25/13775/ Faktura"`
		Head    faHead   `xml:"Naglowek"`
		Seller  faParty  `xml:"Podmiot1"`
		Buyer   faParty  `xml:"Podmiot2"`
		Body    faBody   `xml:"Fa"`
	}
	faHead struct {
		Form struct {
			System  string `xml:"kodSystemowy,attr"`
			Version string `xml:"wersjaSchemy,attr"`
			Text    string `xml:",chardata"`
		} `xml:"KodFormularza"`
		Variant int    `xml:"WariantFormularza"`
		MadeAt  string `xml:"DataWytworzeniaFa"`
		By      string `xml:"SystemInfo"`
	}
	faParty struct {
		Prefix  string `xml:"PrefiksPodatnika,omitempty"` // PL of a seller to another country of the Union
		NIP     string `xml:"DaneIdentyfikacyjne>NIP,omitempty"`
		Union   string `xml:"DaneIdentyfikacyjne>KodUE,omitempty"` // of a buyer in another country, with the number after it
		VATID   string `xml:"DaneIdentyfikacyjne>NrVatUE,omitempty"`
		Name    string `xml:"DaneIdentyfikacyjne>Nazwa"`
		Country string `xml:"Adres>KodKraju"`
		Line1   string `xml:"Adres>AdresL1"`
		Line2   string `xml:"Adres>AdresL2,omitempty"`
		JST     string `xml:"JST,omitempty"` // part of a local authority: 2, no
		GV      string `xml:"GV,omitempty"`  // member of a VAT group: 2, no
	}
	faBody struct {
		Currency string      `xml:"KodWaluty"`
		IssuedOn string      `xml:"P_1"`
		Number   string      `xml:"P_2"`
		From     *string     `xml:"OkresFa>P_6_Od"` // nil: the day of the invoice
		To       *string     `xml:"OkresFa>P_6_Do"`
		Net1     string      `xml:"P_13_1,omitempty"`
		VAT1     string      `xml:"P_14_1,omitempty"`
		Net2     string      `xml:"P_13_2,omitempty"`
		VAT2     string      `xml:"P_14_2,omitempty"`
		Net3     string      `xml:"P_13_3,omitempty"`
		VAT3     string      `xml:"P_14_3,omitempty"`
		NetFree  string      `xml:"P_13_7,omitempty"`
		NetUnion string      `xml:"P_13_9,omitempty"` // services taxed in another country of the Union
		Gross    string      `xml:"P_15"`
		Notes    faNotes     `xml:"Adnotacje"`
		Kind     string      `xml:"RodzajFaktury"`
		Reason   string      `xml:"PrzyczynaKorekty,omitempty"`
		Effect   int         `xml:"TypKorekty,omitempty"` // 1: on the day of the corrected invoice
		Corrects *faCorrects `xml:"DaneFaKorygowanej"`
		Lines    []faLine    `xml:"FaWiersz"`
		Payment  *faPayment  `xml:"Platnosc"`
	}
	faNotes struct {
		Cash       int    `xml:"P_16"`
		SelfBilled int    `xml:"P_17"`
		Reverse    int    `xml:"P_18"`
		Split      int    `xml:"P_18A"`
		Free       int    `xml:"Zwolnienie>P_19,omitempty"`
		FreeBy     string `xml:"Zwolnienie>P_19A,omitempty"`
		NotFree    int    `xml:"Zwolnienie>P_19N,omitempty"`
		NoVehicle  int    `xml:"NoweSrodkiTransportu>P_22N"`
		Simplified int    `xml:"P_23"`
		NoMargin   int    `xml:"PMarzy>P_PMarzyN"`
	}
	faCorrects struct {
		IssuedOn string `xml:"DataWystFaKorygowanej"`
		Number   string `xml:"NrFaKorygowanej"`
		InKSeF   int    `xml:"NrKSeF,omitempty"`
		KSeF     string `xml:"NrKSeFFaKorygowanej,omitempty"`
		Outside  int    `xml:"NrKSeFN,omitempty"`
	}
	faLine struct {
		Place int    `xml:"NrWierszaFa"`
		Text  string `xml:"P_7"`
		Unit  string `xml:"P_8A"`
		Count int64  `xml:"P_8B"`
		Price string `xml:"P_9A,omitempty"`
		Net   string `xml:"P_11"`
		Rate  string `xml:"P_12"`

		Before int `xml:"StanPrzed,omitempty"`
	}
	faPayment struct {
		Paid    int     `xml:"Zaplacono,omitempty"`
		PaidOn  string  `xml:"DataZaplaty,omitempty"`
		By      string  `xml:"TerminPlatnosci>Termin,omitempty"`
		Form    int     `xml:"FormaPlatnosci,omitempty"` // 6: by transfer
		Other   int     `xml:"PlatnoscInna,omitempty"`
		About   string  `xml:"OpisPlatnosci,omitempty"`
		Account *string `xml:"RachunekBankowy>NrRB"` // nil: it names none
	}
)

// yes and no of the form.
const (
	yes = 1
	no  = 2
)

// nameMax and textMax are what the form takes.
const (
	nameMax   = 512
	textMax   = 512
	numberMax = 256
)

var polishRates = []Rate{23, 22, 8, 7, 5, Free, Reversed}

// FA3 is the invoice as KSeF takes it, form FA(3), without a mark of byte order and without characters that KSeF refuses.
func FA3(i Invoice) ([]byte, error) {
	i = i.accepted()
	sums, err := i.checked(polishRates, func(p Party) error {
		if i.BySeller && p.Country != "PL" {
			_, err := official.ParseVATID(p.TaxID, p.Country)
			return err
		}
		_, err := official.ParseNIP(p.TaxID)
		return err
	})
	if err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(i.Number) > numberMax {
		return nil, Refusal{TooLong, i.Number}
	}
	f := faInvoice{Seller: fa(i.Seller), Buyer: fa(i.Buyer)}
	f.Buyer.JST, f.Buyer.GV = "2", "2"
	f.Head.Form.System, f.Head.Form.Version, f.Head.Form.Text = "FA (3)", "1-0E", "FA"
	f.Head.Variant, f.Head.MadeAt, f.Head.By = 3, i.MadeAt.UTC().Format("2006-01-02T15:04:05Z"), "Saldo"
	f.Body = faBody{Currency: string(i.Currency), IssuedOn: string(i.IssuedOn), Number: i.Number, From: new(string(i.From)),
		To:    new(string(i.To)),
		Gross: sums.gross.String(), Kind: "VAT",
		Notes: faNotes{Cash: no, SelfBilled: yes, Reverse: no, Split: no, NotFree: yes, NoVehicle: yes, Simplified: no, NoMargin: yes}}
	if i.Split {
		f.Body.Notes.Split = yes
	}
	if i.BySeller {
		f.Body.Notes.SelfBilled = no
	}
	if i.BySeller && i.From == i.To { // the day of the payment, which is that of the invoice
		f.Body.From, f.Body.To = nil, nil
	}
	for _, rate := range polishRates {
		net, there := sums.net[rate]
		if !there {
			continue
		}
		switch rate {
		case 23, 22:
			f.Body.Net1, f.Body.VAT1 = net.String(), sums.vat[rate].String()
		case 8, 7:
			f.Body.Net2, f.Body.VAT2 = net.String(), sums.vat[rate].String()
		case 5:
			f.Body.Net3, f.Body.VAT3 = net.String(), sums.vat[rate].String()
		case Free:
			f.Body.NetFree = net.String()
			f.Body.Notes.Free, f.Body.Notes.FreeBy, f.Body.Notes.NotFree = yes, i.Exempt, 0
		case Reversed:
			f.Body.NetUnion, f.Body.Notes.Reverse, f.Seller.Prefix = net.String(), yes, "PL"
		}
	}
	if _, two := sums.net[22]; two && sums.net[23] != 0 {
		return nil, Refusal{WrongRate, "22"} // one field holds one of them
	}
	if _, two := sums.net[7]; two && sums.net[8] != 0 {
		return nil, Refusal{WrongRate, "7"}
	}
	for n, line := range i.Lines {
		if utf8.RuneCountInString(line.Text) > textMax {
			return nil, Refusal{TooLong, line.Text}
		}
		rate := fmt.Sprint(int(line.Rate))
		switch line.Rate {
		case Free:
			rate = "zw"
		case Reversed:
			rate = "np II"
		}
		one := faLine{Place: n + 1, Text: line.Text, Unit: "usł.", Count: line.quantity(), Price: line.price().String(), Net: line.Net.String(),
			Rate: rate}
		if i.Corrects != nil { // each line as it was, and what is left of it
			one.Place, one.Before = 2*n+1, yes
			f.Body.Lines = append(f.Body.Lines, one)
			one.Place, one.Before, one.Count, one.Net = 2*n+2, 0, 0, "0.00"
			if len(i.Corrects.Left) > 0 && i.Corrects.Left[n].Net != 0 {
				one.Count, one.Price, one.Net = i.Corrects.Left[n].quantity(), i.Corrects.Left[n].price().String(), i.Corrects.Left[n].Net.String()
			}
		}
		f.Body.Lines = append(f.Body.Lines, one)
	}
	if err := f.Body.correct(i); err != nil {
		return nil, err
	}
	if i.Corrects != nil {
		return marshalled(f)
	}
	if i.PaidOn != "" {
		f.Body.Payment = &faPayment{Paid: yes, PaidOn: string(i.PaidOn), Other: yes, About: "płatność online", Account: nrb(i.Account)}
	} else if i.PayBy != "" || i.Account != "" {
		f.Body.Payment = &faPayment{By: string(i.PayBy), Form: 6, Account: nrb(i.Account)}
	}
	return marshalled(f)
}

// nrb is an account as the form has it; nil: there is none.
func nrb(a official.Account) *string {
	if a == "" {
		return nil
	}
	return new(strings.TrimPrefix(string(a), "PL"))
}

func marshalled(form any) ([]byte, error) {
	content, err := xml.MarshalIndent(form, "", " ")
	if err != nil {
		return nil, fmt.Errorf("e-invoice: %w", err)
	}
	return append([]byte(xml.Header), append(content, '\n')...), nil
}

// correct names the invoice that a correction takes back, with its number at KSeF where it has one.
func (b *faBody) correct(i Invoice) error {
	if i.Corrects == nil {
		return nil
	}
	c := &faCorrects{IssuedOn: string(i.Corrects.IssuedOn), Number: i.Corrects.Number, InKSeF: yes, KSeF: i.Corrects.KSeFNumber}
	switch {
	case c.KSeF == "":
		c.InKSeF, c.Outside = 0, yes
	case !numbers.IsInvoice(c.KSeF):
		return Refusal{NoNumber, c.KSeF}
	}
	if utf8.RuneCountInString(i.Reason) > numberMax {
		return Refusal{TooLong, i.Reason}
	}
	b.Kind, b.Reason, b.Effect, b.Corrects = "KOR", i.Reason, 1, c
	return nil
}

func fa(p Party) faParty {
	f := faParty{Name: cut(p.Name), Country: p.Country, Line1: cut(p.Street), Line2: cut(p.Place)}
	if nip, err := official.ParseNIP(p.TaxID); p.Country == "PL" && err == nil {
		f.NIP = string(nip)
	} else if prefix := official.VATPrefix(p.Country); prefix != "" {
		f.Union, f.VATID = prefix, strings.TrimPrefix(p.TaxID, prefix)
	}
	if f.Line1 == "" {
		f.Line1, f.Line2 = f.Line2, ""
	}
	return f
}

func cut(text string) string {
	if runes := []rune(text); len(runes) > nameMax {
		return string(runes[:nameMax])
	}
	return text
}

package xmlinvoice

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"saldo/internal/billing/einvoice"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/testkit"
)

const ksefNumber = "5265877635-20250826-0100001AF629-AF"

// written are invoices of every sort that is written: of drivers' companies and of licences, at home and to another country, and their
// corrections, with what is read of each.
func written() map[string]struct {
	invoice einvoice.Invoice
	want    FA
} {
	type one = struct {
		invoice einvoice.Invoice
		want    FA
	}
	seller := FAParty{TaxID: "5260250274", Name: "Jan Kowalski & Synowie"}
	buyer := FAParty{TaxID: "5213017228", Name: "Flota Sp. z o.o."}
	full := one{polish(), FA{Number: "SF/2026/11/0001", IssuedOn: "2026-11-16", SoldOn: "2026-11-15", Kind: "VAT", SelfBilled: true, Currency: money.PLN,
		Seller: seller, Buyer: buyer, Net: 2131_30, VAT: 178_70, Gross: 2310_00, Standard: 18_70, Reduced: 160_00, Untaxed: 50_00}}
	exempt := full
	exempt.invoice.Lines, exempt.invoice.Exempt = []einvoice.Line{{Text: "Przewóz", Net: 1367_50, Rate: einvoice.Free}}, "art. 113 ust. 1"
	exempt.want.Net, exempt.want.VAT, exempt.want.Gross, exempt.want.Standard, exempt.want.Reduced, exempt.want.Untaxed = 1367_50, 0, 1367_50, 0, 0, 1367_50
	other := full
	other.invoice.Lines = []einvoice.Line{{Text: "Przewóz", Net: 100_00, VAT: 5_00, Rate: 5}, {Text: "Premie", Net: 0_01, VAT: 0, Rate: 23}}
	other.want.Net, other.want.VAT, other.want.Gross, other.want.Standard, other.want.Reduced, other.want.OtherVAT, other.want.Untaxed = 100_01, 5_00, 105_01, 0, 0, 5_00, 0
	hostile := full
	hostile.invoice.Seller.Name, hostile.invoice.Lines[0].Text = `Олег "Щ" & <synowie> ]]>`, "<P_15>0</P_15><!--"
	hostile.want.Seller.Name = hostile.invoice.Seller.Name
	licence := full
	licence.invoice.BySeller, licence.invoice.PaidOn, licence.invoice.From, licence.invoice.To = true, "2026-11-16", "2026-11-16", "2026-11-16"
	licence.invoice.Lines = []einvoice.Line{{Text: "Licencja", Quantity: 3, Price: 33_33, Net: 99_99, VAT: 23_00, Rate: 23}}
	licence.want.SelfBilled, licence.want.SoldOn, licence.want.Net, licence.want.VAT, licence.want.Gross = false, "", 99_99, 23_00, 122_99
	licence.want.Standard, licence.want.Reduced, licence.want.Untaxed = 23_00, 0, 0
	abroad := licence
	abroad.invoice.Buyer = einvoice.Party{Name: "Flotte GmbH", TaxID: "DE136695976", Street: "Hafenstr. 1", Place: "20457 Hamburg", Country: "DE"}
	abroad.invoice.Lines, abroad.invoice.Exempt = []einvoice.Line{{Text: "Licencja", Quantity: 3, Price: 33_33, Net: 99_99, Rate: einvoice.Reversed}}, "odwrotne obciążenie"
	abroad.want.Buyer, abroad.want.VAT, abroad.want.Gross, abroad.want.Standard, abroad.want.Untaxed = FAParty{TaxID: "DE136695976", Name: "Flotte GmbH"}, 0, 99_99, 0, 99_99
	greek := abroad
	greek.invoice.Buyer.TaxID, greek.invoice.Buyer.Country, greek.want.Buyer.TaxID = "EL123456789", "GR", "EL123456789"
	back, outside, part := full, exempt, licence
	back.invoice.Corrects, back.invoice.Reason = &einvoice.Corrected{Number: "SF/1", IssuedOn: "2026-11-09", KSeFNumber: ksefNumber}, "Wycofanie"
	back.want.Kind, back.want.Corrects = "KOR", []FACorrected{{"2026-11-09", "SF/1", ksefNumber}}
	back.want.Net, back.want.VAT, back.want.Gross, back.want.Standard, back.want.Reduced, back.want.Untaxed = -2131_30, -178_70, -2310_00, -18_70, -160_00, -50_00
	outside.invoice.Corrects, outside.invoice.Reason = &einvoice.Corrected{Number: "SF/1", IssuedOn: "2026-11-09"}, "Wycofanie"
	outside.want.Kind, outside.want.Corrects = "KOR", []FACorrected{{"2026-11-09", "SF/1", ""}}
	outside.want.Net, outside.want.Gross, outside.want.Untaxed = -1367_50, -1367_50, -1367_50
	part.invoice.Corrects = &einvoice.Corrected{Number: "L/1", IssuedOn: "2026-11-09", KSeFNumber: ksefNumber,
		Left: []einvoice.Line{{Text: "Licencja", Net: 50_00, VAT: 11_50, Rate: 23}}}
	part.invoice.Reason, part.want.Kind, part.want.Corrects = "Reklamacja", "KOR", []FACorrected{{"2026-11-09", "L/1", ksefNumber}}
	part.want.Net, part.want.VAT, part.want.Gross, part.want.Standard = -49_99, -11_50, -61_49, -11_50
	return map[string]one{"full": full, "exempt": exempt, "another rate": other, "hostile": hostile, "licence": licence, "abroad": abroad, "to Greece": greek,
		"correction": back, "correction of one outside": outside, "correction of a part": part}
}

func TestReadFA_WhatSaldoWrites(t *testing.T) {
	for name, one := range written() {
		content, err := einvoice.FA3(one.invoice)
		if err != nil {
			t.Fatal(name, err)
		}
		testkit.Valid(t, "ksef/FA3.xsd", content)
		if got, err := ReadFA(content); err != nil || !reflect.DeepEqual(got, one.want) || !got.AddsUp() {
			t.Errorf("%s: %v\n%+v, not\n%+v", name, err, got, one.want)
		}
	}
}

// fa3 is a whole invoice as text, to be changed.
func fa3(t testing.TB) string {
	t.Helper()
	content, err := einvoice.FA3(polish())
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// strangers are files that others write, by what is wrong with them; empty: nothing.
func strangers(whole string) map[string]struct {
	content string
	want    Unread
} {
	type one = struct {
		content string
		want    Unread
	}
	with := func(old, changed string) string { return strings.Replace(whole, old, changed, 1) }
	prefixed := strings.NewReplacer("</", "</f:", "<?", "<?", "<", "<f:").Replace(whole)
	prefixed = strings.Replace(strings.Replace(prefixed, "<f:Faktura xmlns=", "<f:Faktura xmlns:f=", 1), "<f:?", "<?", 1)
	older := strings.NewReplacer(formFA3, "http://crd.gov.pl/wzor/2023/06/29/12648/", "FA (3)", "FA (2)").Replace(whole)
	return map[string]one{
		"prefixed":              {prefixed, Unread{}},
		"amounts of 18 digits":  {with("<P_15>2310.00", "<P_15>231000000000000000.00"), Unread{Damaged, "P_15"}},
		"an exponent":           {with("<P_15>2310.00", "<P_15>2.31e3"), Unread{Damaged, "P_15"}},
		"a comma":               {with("<P_15>2310.00", "<P_15>2310,00"), Unread{Damaged, "P_15"}},
		"three decimals":        {with("<P_13_1>81.30", "<P_13_1>81.305"), Unread{Damaged, "P_13_1"}},
		"wrong sums":            {with("<P_15>2310.00", "<P_15>2310.01"), Unread{}},
		"two gross amounts":     {with("<P_15>", "<P_15>1.00</P_15><P_15>"), Unread{Damaged, ""}},
		"two sellers":           {with("</Podmiot1>", "</Podmiot1><Podmiot1><DaneIdentyfikacyjne><NIP>1132191233</NIP></DaneIdentyfikacyjne></Podmiot1>"), Unread{Damaged, ""}},
		"another namespace":     {with("<P_15>2310.00</P_15>", `<P_15 xmlns="urn:x">2310.00</P_15>`), Unread{Damaged, "xmlns"}},
		"a wrong seller":        {with("5260250274", "5260250275"), Unread{Damaged, "Podmiot1"}},
		"no number":             {with("SF/2026/11/0001", " "), Unread{Damaged, "P_2"}},
		"a long number":         {with("SF/2026/11/0001", strings.Repeat("ż", 257)), Unread{Damaged, "P_2"}},
		"no such day":           {with("<P_1>2026-11-16", "<P_1>2026-02-30"), Unread{Damaged, "P_1"}},
		"no such last day":      {with("<P_6_Do>2026-11-15", "<P_6_Do>tomorrow"), Unread{Damaged, "P_6"}},
		"no currency":           {with("<KodWaluty>PLN", "<KodWaluty>"), Unread{Damaged, "KodWaluty"}},
		"a strange kind":        {with("<RodzajFaktury>VAT", "<RodzajFaktury>XXX"), Unread{Damaged, "RodzajFaktury"}},
		"no mark":               {with("<P_17>1", "<P_17>3"), Unread{Damaged, "P_17"}},
		"corrects nothing":      {with("<RodzajFaktury>VAT", "<RodzajFaktury>KOR"), Unread{Damaged, "DaneFaKorygowanej"}},
		"corrects without kind": {with("<FaWiersz>", "<DaneFaKorygowanej><DataWystFaKorygowanej>2026-11-01</DataWystFaKorygowanej><NrFaKorygowanej>1</NrFaKorygowanej><NrKSeFN>1</NrKSeFN></DaneFaKorygowanej><FaWiersz>"), Unread{Damaged, "DaneFaKorygowanej"}},
		"FA(2)":                 {older, Unread{OtherForm, "FA (2)"}},
		"FA_RR":                 {with("FA (3)", "FA_RR (1)"), Unread{OtherForm, "FA_RR (1)"}},
		"an invented form":      {with("FA (3)", "<script>"[1:]), Unread{OtherForm, ""}},
		"PEF":                   {`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`, Unread{OtherForm, "PEF"}},
		"HTML":                  {"<html><body>Faktura</body></html>", Unread{OtherForm, ""}},
		"nothing":               {"", Unread{Broken, ""}},
		"cut off":               {whole[:len(whole)/2], Unread{Broken, ""}},
		"two files":             {whole + whole[strings.Index(whole, "<Faktura"):], Unread{Broken, ""}},
		"text behind it":        {whole + "x", Unread{Broken, ""}},
		"a document type":       {with("<Faktura", `<!DOCTYPE F [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><Faktura`), Unread{Broken, "DOCTYPE"}},
		"an unknown entity":     {with("SF/2026", "&a;"), Unread{Broken, ""}},
		"UTF-16":                {with("UTF-8", "UTF-16"), Unread{Broken, ""}},
		"a null":                {with("SF/2026", "SF\x00"), Unread{Broken, ""}},
		"too deep":              {with("<Fa>", "<Fa>"+strings.Repeat("<a>", 200_000)), Unread{TooDeep, ""}},
		"too large":             {with("<Faktura", "<!--"+strings.Repeat("x", faMost)+"--><Faktura"), Unread{TooLarge, ""}},
	}
}

func TestReadFA_Strangers(t *testing.T) {
	whole := fa3(t)
	for name, one := range strangers(whole) {
		if one.content == whole {
			t.Fatalf("%s changes nothing", name)
		}
		got, err := ReadFA([]byte(one.content))
		if one.want == (Unread{}) {
			if err != nil || got.Number != "SF/2026/11/0001" {
				t.Errorf("%s: %+v %v", name, got, err)
			}
			continue
		}
		var why Unread
		if !errors.As(err, &why) || why != one.want || !errors.Is(err, ErrUnreadable) || !reflect.DeepEqual(got, FA{}) {
			t.Errorf("%s: %+v %v, not %v", name, got, err, one.want)
		}
	}
}

func TestReadFA_WrongSumsAreRead(t *testing.T) {
	got, err := ReadFA([]byte(strings.Replace(fa3(t), "<P_15>2310.00", "<P_15>2310.01", 1)))
	if err != nil || got.Gross != 2310_01 || got.AddsUp() {
		t.Errorf("%+v %v", got, err)
	}
}

func TestReadFA_Others(t *testing.T) {
	third := func(nip, role string) string {
		return "<Podmiot3><DaneIdentyfikacyjne><NIP>" + nip + "</NIP><Nazwa>Trzeci</Nazwa></DaneIdentyfikacyjne>" + role + "</Podmiot3>"
	}
	got, err := ReadFA([]byte(strings.Replace(fa3(t), "<Fa>", third("1132191233", "<Rola>6</Rola>")+third("1", "<RolaInna>1</RolaInna>")+"<Fa>", 1)))
	want := []FAParty{{"1132191233", "Trzeci", "6"}, {"", "Trzeci", ""}}
	if err != nil || !slices.Equal(got.Others, want) {
		t.Errorf("%+v %v", got, err)
	}
}

// TestReadFA_WithAnAttachment is larger than what is read of a driver.
func TestReadFA_WithAnAttachment(t *testing.T) {
	large := strings.Replace(fa3(t), "</Faktura>", "<Zalacznik>"+strings.Repeat("<Akapit>x</Akapit>", 150_000)+"</Zalacznik></Faktura>", 1)
	if got, err := ReadFA([]byte(large)); err != nil || got.Gross != 2310_00 {
		t.Errorf("%+v %v", got, err)
	}
}

// FuzzReadFA looks for files that break the reader, or of which it gives what no invoice has.
func FuzzReadFA(f *testing.F) {
	for _, one := range written() {
		content, err := einvoice.FA3(one.invoice)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	for name, one := range strangers(fa3(f)) {
		if !strings.HasPrefix(name, "too ") {
			f.Add([]byte(one.content))
		}
	}
	ubl, err := os.ReadFile("testdata/xrechnung-ubl.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(ubl)
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := ReadFA(content)
		if err != nil {
			var why Unread
			if !errors.As(err, &why) || !reflect.DeepEqual(got, FA{}) {
				t.Fatalf("%+v %v", got, err)
			}
			return
		}
		if _, err := official.ParseNIP(got.Seller.TaxID); err != nil || !got.IssuedOn.Exists() || got.Number == "" || len(got.Currency) != 3 ||
			got.Net < -1<<56 || got.Net > 1<<56 || got.VAT < -1<<56 || got.VAT > 1<<56 || got.Corrections() != (len(got.Corrects) > 0) {
			t.Fatalf("%+v", got)
		}
		if r, err := Read(content); len(content) <= xmlMost && Is(content) && got.AddsUp() {
			if gross, _ := r.Field(reading.Number); err != nil || gross.Value != got.Number {
				t.Fatalf("a driver's invoice says otherwise: %+v %v", r, err)
			}
		}
	})
}

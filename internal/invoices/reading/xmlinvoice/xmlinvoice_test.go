package xmlinvoice

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/billing/einvoice"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
)

func polish() einvoice.Invoice {
	return einvoice.Invoice{Number: "SF/2026/11/0001", IssuedOn: "2026-11-16", From: "2026-11-09", To: "2026-11-15",
		MadeAt: time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC), Currency: money.PLN,
		Seller: einvoice.Party{Name: "Jan Kowalski & Synowie", TaxID: "5260250274", Street: "ul. Testowa 1", Place: "00-001 Warszawa", Country: "PL"},
		Buyer:  einvoice.Party{Name: "Flota Sp. z o.o.", TaxID: "5213017228", Street: "ul. Flotowa 2", Place: "00-002 Warszawa", Country: "PL"},
		Lines: []einvoice.Line{{Text: "Przewóz", Net: 2000_00, VAT: 160_00, Rate: 8}, {Text: "Premie", Net: 81_30, VAT: 18_70, Rate: 23},
			{Text: "Szkolenie", Net: 50_00, Rate: einvoice.Free}}, Exempt: "art. 43"}
}

func german() einvoice.Invoice {
	i := polish()
	i.Number, i.Currency = "GS-2026-11-0001", money.EUR
	i.Seller = einvoice.Party{Name: "Max Mustermann", TaxID: "DE136695976", Street: "Hauptstr. 1", Place: "10115 Berlin", Country: "DE"}
	i.Buyer = einvoice.Party{Name: "Flotte Beispiel GmbH", TaxID: "DE111111125", Street: "Nebenstr. 2", Place: "80331 München", Country: "DE"}
	i.Lines = []einvoice.Line{{Text: "Taxi", Net: 93_46, VAT: 6_54, Rate: 7}, {Text: "Fahrten", Net: 1000_00, VAT: 190_00, Rate: 19}}
	return i
}

func text(t *testing.T, content []byte) map[string]string {
	t.Helper()
	r, err := Read(content)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range r.Fields {
		if f.Sure != 1 || f.Source != reading.XML {
			t.Errorf("%s is %.2f sure and of %s", f.Name, f.Sure, f.Source)
		}
		found[f.Name] = f.Value
	}
	return found
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also found %v", got)
	}
}

// What the writers write is read back to the same fields.
func TestRead_WhatSaldoWrites(t *testing.T) {
	fa3, err := einvoice.FA3(polish())
	if err != nil {
		t.Fatal(err)
	}
	same(t, text(t, fa3), map[string]string{"number": "SF/2026/11/0001", "issueDate": "2026-11-16", "saleDate": "2026-11-15",
		"issuerTaxId": "5260250274", "issuerName": "Jan Kowalski & Synowie", "buyerTaxId": "5213017228", "net": "213130", "gross": "231000",
		"vatStandard": "1870", "vatReduced": "16000", "vatZeroBase": "5000", "currency": "PLN"})
	cii, err := einvoice.CII(german())
	if err != nil {
		t.Fatal(err)
	}
	same(t, text(t, cii), map[string]string{"number": "GS-2026-11-0001", "issueDate": "2026-11-16", "saleDate": "2026-11-15",
		"issuerTaxId": "DE136695976", "issuerName": "Max Mustermann", "buyerTaxId": "DE111111125", "net": "109346", "gross": "129000",
		"vatStandard": "19000", "vatReduced": "654", "currency": "EUR"})
}

func TestRead_Corrections(t *testing.T) {
	i := polish()
	i.Corrects, i.Reason = &einvoice.Corrected{Number: "SF/2026/10/0001", IssuedOn: "2026-10-16"}, "pomyłka"
	content, err := einvoice.FA3(i)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(content)
	if gross, _ := r.Field(reading.Gross); err != nil || gross.Value != "-231000" || len(r.Findings) != 1 || r.Findings[0] != reading.Correction {
		t.Errorf("gross %q, findings %v, %v", gross.Value, r.Findings, err)
	}
}

func TestRead_UBL(t *testing.T) {
	content, err := os.ReadFile("testdata/xrechnung-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"number": "XR-2026-19", "issueDate": "2026-10-12", "saleDate": "2026-10-10", "issuerTaxId": "DE525089966",
		"issuerName": "Werkstatt Amsel GmbH", "buyerTaxId": "DE781453845", "net": "30000", "gross": "34500", "vatStandard": "3800",
		"vatReduced": "700", "currency": "EUR"}
	same(t, text(t, content), want)
}

// FA(2) has another namespace and no GV and JST; the fields are the same.
func TestRead_FA2(t *testing.T) {
	fa3, err := einvoice.FA3(polish())
	if err != nil {
		t.Fatal(err)
	}
	older := strings.NewReplacer("http://crd.gov.pl/wzor/2025/06/25/13775/", "http://crd.gov.pl/wzor/2023/06/29/12648/", "<JST>2</JST>", "",
		"<GV>2</GV>", "", "FA (3)", "FA (2)").Replace(string(fa3))
	if got := text(t, []byte(older)); got["gross"] != "231000" || got["number"] != "SF/2026/11/0001" {
		t.Errorf("read %v", got)
	}
}

func TestRead_RefusesWhatIsNoInvoice(t *testing.T) {
	fa3, err := einvoice.FA3(polish())
	if err != nil {
		t.Fatal(err)
	}
	whole := string(fa3)
	for name, content := range map[string]string{
		"nothing": "", "text": "faktura", "html": "<html><body>Faktura</body></html>",
		"a document type":     strings.Replace(whole, "<Faktura", `<!DOCTYPE Faktura [<!ENTITY a "b">]><Faktura`, 1),
		"an entity":           strings.Replace(whole, "SF/2026", "&a;", 1),
		"cut off":             whole[:len(whole)/2],
		"two":                 whole + whole[len("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"):],
		"text behind it":      whole + "x",
		"sums that are wrong": strings.Replace(whole, "<P_15>2310.00", "<P_15>2310.01", 1),
		"no number":           strings.Replace(whole, "<P_2>SF/2026/11/0001</P_2>", "", 1),
		"no day":              strings.Replace(whole, "<P_1>2026-11-16", "<P_1>2026-11-31", 1),
		"no amount":           strings.Replace(whole, "<P_15>2310.00", "<P_15>2310,00", 1),
		"another seller":      strings.Replace(whole, "5260250274", "5260250275", 1),
		"too large":           strings.Replace(whole, "<Faktura", "<!--"+strings.Repeat("x", xmlMost)+"--><Faktura", 1),
		"too deep":            strings.Replace(whole, "<Fa>", strings.Repeat("<a>", 200)+strings.Repeat("</a>", 200)+"<Fa>", 1),
	} {
		if content == whole {
			t.Fatalf("%s changes nothing", name)
		}
		if r, err := Read([]byte(content)); err == nil || len(r.Fields) > 0 {
			t.Errorf("%s: read %v, %v", name, r.Fields, err)
		}
	}
}

func TestRead_OldCodePages(t *testing.T) {
	fa3, err := einvoice.FA3(polish())
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Replace(string(fa3), "UTF-8", "ISO-8859-2", 1)
	content = strings.Replace(content, "Jan Kowalski", "Jan \xa3oś", 1)
	content = strings.ReplaceAll(content, "ś", "\xb6")
	content = strings.ReplaceAll(content, "ł", "\xb3")
	content = strings.ReplaceAll(content, "ó", "\xf3")
	if got := text(t, []byte(content)); got["issuerName"] != "Jan Łoś & Synowie" {
		t.Errorf("the name is %q", got["issuerName"])
	}
}

// A file that was damaged gives nothing, or fields that still fit together: valid ids, days that exist, sums that are right.
func TestRead_DamagedFiles(t *testing.T) {
	fa3, err := einvoice.FA3(polish())
	if err != nil {
		t.Fatal(err)
	}
	cii, err := einvoice.CII(german())
	if err != nil {
		t.Fatal(err)
	}
	ubl, err := os.ReadFile("testdata/xrechnung-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(21, 3))
	for n := range 3000 {
		whole := [][]byte{fa3, cii, ubl}[n%3]
		content := append([]byte(nil), whole...)
		for range 1 + random.IntN(4) {
			at := random.IntN(len(content))
			switch random.IntN(5) {
			case 0:
				content[at] = byte(random.IntN(256))
			case 1:
				content = append(content[:at:at], content[min(len(content), at+1+random.IntN(40)):]...)
			case 2:
				content = content[:at+1]
			case 3:
				content = append(content[:at:at], append([]byte(fmt.Sprint(random.IntN(1000))), content[at:]...)...)
			case 4:
				end := min(len(content), at+random.IntN(300))
				content = append(content[:end:end], content[at:]...)
			}
		}
		r, err := Read(content)
		if err != nil {
			if len(r.Fields) > 0 {
				t.Fatalf("a broken file gave %v", r.Fields)
			}
			continue
		}
		consistent(t, r)
	}
}

func consistent(t *testing.T, r reading.Result) {
	t.Helper()
	number := func(name string) (n int64) {
		if f, ok := r.Field(name); ok {
			var err error
			if n, err = strconv.ParseInt(f.Value, 10, 64); err != nil {
				t.Fatalf("%s is %q", name, f.Value)
			}
		}
		return n
	}
	if _, ok := r.Field(reading.VATStandard); ok {
		if net, gross := number(reading.Net), number(reading.Gross); net+number(reading.VATStandard)+number(reading.VATReduced) != gross {
			t.Errorf("net %d and VAT do not make %d", net, gross)
		}
	}
	for _, name := range []string{reading.IssueDate, reading.SaleDate} {
		if f, ok := r.Field(name); ok && !calendar.Date(f.Value).Exists() {
			t.Errorf("%s is %q", name, f.Value)
		}
	}
	if f, ok := r.Field(reading.BuyerTaxID); ok {
		_, polish := official.ParseNIP(f.Value)
		_, german := official.ParseUStIdNr(f.Value)
		if polish != nil && german != nil {
			t.Errorf("the buyer is %q", f.Value)
		}
	}
}

package einvoice_test

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"
	"time"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/money"
	"saldo/internal/testkit"
)

func sample() einvoice.Invoice {
	return einvoice.Invoice{Number: "SF/2026/11/0001", IssuedOn: "2026-11-16", From: "2026-11-09", To: "2026-11-15", MadeAt: time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC), Currency: money.PLN,
		Seller: einvoice.Party{Name: "Jan Kowalski Transport", TaxID: "5260250274", Street: "ul. Testowa 1", Place: "00-001 Warszawa", Country: "PL"},
		Buyer:  einvoice.Party{Name: "Flota Sp. z o.o.", TaxID: "5213017228", Street: "ul. Flotowa 2", Place: "00-002 Warszawa", Country: "PL"},
		Lines:  []einvoice.Line{{Text: "Usługi przewozu osób 09-15.11.2026", Net: 2000_00, VAT: 160_00, Rate: 8}}}
}

// kinds are the invoices that drivers' companies get.
func kinds() map[string]einvoice.Invoice {
	full, free, hostile := sample(), sample(), sample()
	full.Lines = append(full.Lines, einvoice.Line{Text: "Premie", Net: 81_30, VAT: 18_70, Rate: 23})
	full.PayBy, full.Account, full.Split = "2026-11-23", "PL61109010140000071219812874", true
	free.Lines, free.Exempt = []einvoice.Line{{Text: "Usługi przewozu osób", Net: 1367_50, Rate: einvoice.Free}}, "art. 113 ust. 1 ustawy o VAT"
	hostile.Seller.Name, hostile.Lines[0].Text = `Олег "Щ" & <synowie> ]]>`, "<P_15>0</P_15>"
	return map[string]einvoice.Invoice{"plain": sample(), "with everything": full, "exempt": free, "hostile": hostile}
}

// fields are all texts of a file by the names of their elements.
func fields(t *testing.T, content []byte) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	name := ""
	for d := xml.NewDecoder(strings.NewReader(string(content))); ; {
		token, err := d.Token()
		if token == nil {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		switch one := token.(type) {
		case xml.StartElement:
			name = one.Name.Local
		case xml.CharData:
			if text := strings.TrimSpace(string(one)); text != "" {
				found[name] = append(found[name], text)
			}
		}
	}
}

func TestFA3SaysWhatTheInvoiceSays(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"plain":           {"P_2": "SF/2026/11/0001", "P_13_2": "2000.00", "P_14_2": "160.00", "P_15": "2160.00", "P_17": "1", "P_18A": "2", "P_19N": "1", "NIP": "5260250274 5213017228", "P_12": "8", "P_6_Od": "2026-11-09"},
		"with everything": {"P_13_1": "81.30", "P_14_1": "18.70", "P_13_2": "2000.00", "P_15": "2260.00", "P_18A": "1", "P_12": "8 23", "Termin": "2026-11-23", "NrRB": "61109010140000071219812874", "FormaPlatnosci": "6"},
		"exempt":          {"P_13_7": "1367.50", "P_15": "1367.50", "P_12": "zw", "P_19": "1", "P_19A": "art. 113 ust. 1 ustawy o VAT", "P_19N": "", "P_14_2": ""},
		"hostile":         {"P_15": "2160.00", "P_7": "<P_15>0</P_15>", "Nazwa": `Олег "Щ" & <synowie> ]]> Flota Sp. z o.o.`},
	} {
		content, err := einvoice.FA3(kinds()[name])
		if err != nil {
			t.Fatal(err)
		}
		got := fields(t, content)
		for field, text := range want {
			if strings.Join(got[field], " ") != text {
				t.Errorf("%s: %s is %q, not %q", name, field, got[field], text)
			}
		}
	}
}

func TestFA3IsValidAgainstTheSchema(t *testing.T) {
	for name, invoice := range kinds() {
		content, err := einvoice.FA3(invoice)
		if err != nil {
			t.Fatal(name, err)
		}
		testkit.Valid(t, "ksef/FA3.xsd", content)
	}
}

func TestWhatIsNoInvoiceIsRefused(t *testing.T) {
	for name, one := range map[string]struct {
		spoil func(*einvoice.Invoice)
		want  einvoice.Reason
	}{
		"no number":       {func(i *einvoice.Invoice) { i.Number = " " }, einvoice.NoNumber},
		"no day":          {func(i *einvoice.Invoice) { i.IssuedOn = "2026-02-30" }, einvoice.WrongDate},
		"days reversed":   {func(i *einvoice.Invoice) { i.From, i.To = i.To, i.From }, einvoice.WrongDate},
		"nothing billed":  {func(i *einvoice.Invoice) { i.Lines = nil }, einvoice.NoLines},
		"nobody":          {func(i *einvoice.Invoice) { i.Seller.Name = "" }, einvoice.NoName},
		"no address":      {func(i *einvoice.Invoice) { i.Buyer.Street, i.Buyer.Place = "", "" }, einvoice.NoAddress},
		"a wrong tax id":  {func(i *einvoice.Invoice) { i.Buyer.TaxID = "5213017229" }, einvoice.WrongTaxID},
		"a strange rate":  {func(i *einvoice.Invoice) { i.Lines[0].Rate = 19 }, einvoice.WrongRate},
		"too little VAT":  {func(i *einvoice.Invoice) { i.Lines[0].VAT = 159_98 }, einvoice.WrongVAT},
		"free of nothing": {func(i *einvoice.Invoice) { i.Lines[0].Rate, i.Lines[0].VAT = einvoice.Free, 0 }, einvoice.NoExemption},
		"no account":      {func(i *einvoice.Invoice) { i.Account = "PL61109010140000071219812875" }, einvoice.WrongAccount},
		"too much":        {func(i *einvoice.Invoice) { i.Lines[0].Net = 1 << 60 }, einvoice.TooLarge},
		"a long text":     {func(i *einvoice.Invoice) { i.Lines[0].Text = strings.Repeat("x", 513) }, einvoice.TooLong},
	} {
		i := sample()
		one.spoil(&i)
		content, err := einvoice.FA3(i)
		var refusal einvoice.Refusal
		if !errors.As(err, &refusal) || refusal.Reason != one.want || content != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFA3_CorrectionTakesEverythingBack has each kind of invoice corrected to zero, known to KSeF and not.
func TestFA3_CorrectionTakesEverythingBack(t *testing.T) {
	for name, invoice := range kinds() {
		for _, ksef := range []string{"", "5265877635-20250826-0100001AF629-AF"} {
			invoice.Corrects, invoice.Reason = &einvoice.Corrected{Number: "SF/1", IssuedOn: "2026-11-09", KSeFNumber: ksef}, "Wycofanie"
			content, err := einvoice.FA3(invoice)
			if err != nil {
				t.Fatal(name, err)
			}
			testkit.Valid(t, "ksef/FA3.xsd", content)
			got := fields(t, content)
			if got["RodzajFaktury"][0] != "KOR" || got["NrFaKorygowanej"][0] != "SF/1" || !strings.HasPrefix(got["P_15"][0], "-") || len(got["StanPrzed"]) != len(invoice.Lines) ||
				(len(got["NrKSeFN"]) == 1) != (ksef == "") || strings.Join(got["NrKSeFFaKorygowanej"], "") != ksef {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	wrong := sample()
	for _, corrected := range []einvoice.Corrected{{Number: "", IssuedOn: "2026-11-09"}, {Number: "SF/1", IssuedOn: "2026-12-09"}, {Number: "SF/1", IssuedOn: "2026-11-09", KSeFNumber: "made up"}} {
		wrong.Corrects, wrong.Reason = &corrected, "Wycofanie"
		var refusal einvoice.Refusal
		if _, err := einvoice.FA3(wrong); !errors.As(err, &refusal) {
			t.Errorf("%+v: %v", corrected, err)
		}
	}
}

// discouraged are the characters for which KSeF refuses a file.
func discouraged() (all []rune) {
	for _, bounds := range [][2]rune{{0x00, 0x08}, {0x0B, 0x0C}, {0x0E, 0x1F}, {0x7F, 0x84}, {0x86, 0x9F}, {0xFDD0, 0xFDEF}, {0xFFFD, 0xFFFF}} {
		for r := bounds[0]; r <= bounds[1]; r++ {
			all = append(all, r)
		}
	}
	for plane := rune(0x1FFFE); plane <= 0x10FFFE; plane += 0x10000 {
		all = append(all, plane, plane+1)
	}
	return all
}

// TestFA3_HasNoCharactersThatKSeFRefuses has all of them in each text of an invoice and of a correction.
func TestFA3_HasNoCharactersThatKSeFRefuses(t *testing.T) {
	rubbish := string(discouraged()) + "\xff\xfe"
	i := sample()
	i.Lines, i.Exempt = []einvoice.Line{{Text: "Przewóz", Net: 10_00, Rate: einvoice.Free}}, "art. 113"
	i.Corrects, i.Reason = &einvoice.Corrected{Number: "SF/1", IssuedOn: "2026-11-09", Left: []einvoice.Line{{Text: "Przewóz", Net: 5_00, Rate: einvoice.Free}}}, "Wycofanie"
	want, err := einvoice.FA3(i)
	if err != nil {
		t.Fatal(err)
	}
	lines, corrected := i.Lines, i.Corrects
	i.Lines, i.Corrects = append([]einvoice.Line(nil), lines...), &einvoice.Corrected{Number: corrected.Number, IssuedOn: corrected.IssuedOn, Left: append([]einvoice.Line(nil), corrected.Left...)}
	for _, text := range []*string{&i.Number, &i.Exempt, &i.Reason, &i.Seller.Name, &i.Seller.Street, &i.Seller.Place, &i.Buyer.Name, &i.Buyer.Street, &i.Buyer.Place,
		&i.Lines[0].Text, &i.Corrects.Number, &i.Corrects.Left[0].Text} {
		*text = (*text)[:1] + rubbish + (*text)[1:]
	}
	given := i.Lines[0].Text
	got, err := einvoice.FA3(i)
	if err != nil || string(got) != string(want) {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
	testkit.Valid(t, "ksef/FA3.xsd", got)
	if i.Lines[0].Text != given {
		t.Error("the invoice itself is changed")
	}
	i = sample()
	i.Seller.Name = rubbish
	var refusal einvoice.Refusal
	if _, err := einvoice.FA3(i); !errors.As(err, &refusal) || refusal.Reason != einvoice.NoName {
		t.Errorf("a name of nothing else: %v", err)
	}
	i = sample()
	i.Seller.Name = "Łódź Щ \U0001F695 \u0085\u2028"
	if content, err := einvoice.FA3(i); err != nil || !strings.Contains(string(content), i.Seller.Name) {
		t.Errorf("what KSeF takes stays: %v", err)
	}
}

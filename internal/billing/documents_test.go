package billing_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/invoices/reading/xmlinvoice"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/tracking"
)

var company = billing.Seller{Name: "Oleg Transport", Street: "Polna 1", Place: "00-001 Warszawa"}

func (w *fixture) issue(t testing.TB, id string, seller billing.Seller) (doc billing.Document) {
	t.Helper()
	w.write(t, func(tx *db.Tx) (err error) { doc, err = w.Issue(tx, id, seller); return err })
	return doc
}

// refused issues a document, which must end with the fault.
func (w *fixture) refused(t testing.TB, want *fault.Fault, id string, seller billing.Seller) {
	t.Helper()
	if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Issue(tx, id, seller); return err }); !errors.Is(err, want) {
		t.Errorf("%v, not %v", err, want)
	}
}

// printed is the text of a document's PDF.
func (w *fixture) printed(t testing.TB, name, id string) string {
	t.Helper()
	var p *billing.PDFDocument
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.PDFDocument(tx, id); return err })
	content, err := p.PDF(logo(t))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(textOf(t, name, content)), " ")
}

func (w *fixture) file(t testing.TB, id string) (content []byte) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		if content, _, err = w.File(tx, id); err != nil || w.Instance.Code != "pl" {
			return err
		}
		settlement, err := billing.SettlementOf(tx, id)
		if err != nil {
			return err
		}
		documents, err := billing.DocumentsOf(tx, settlement)
		for _, d := range documents {
			if d.ID == id {
				readBack(t, &d, content)
			}
		}
		return err
	})
	return content
}

// readBack reads the file of a Polish document as that of a stranger.
func readBack(t testing.TB, d *billing.Document, content []byte) {
	t.Helper()
	f, err := xmlinvoice.ReadFA(content)
	if err != nil || f.Number != d.Number || f.IssuedOn != d.IssuedOn || f.Currency != d.Currency || f.Net != d.Net || f.VAT != d.VAT || f.Gross != d.Gross ||
		!f.AddsUp() || !f.SelfBilled || f.Corrections() != (d.Kind == billing.Correction) {
		t.Errorf("%s is read as %+v, %v", d.Number, f, err)
	}
}

func (w *fixture) offered(t testing.TB, id string) (o billing.Offer) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { o, err = w.Offered(tx, id); return err })
	return o
}

// b2b are rules of drivers with a company.
func b2b(contract rules.ContractType) func(*rules.Rules) {
	return func(r *rules.Rules) { r.ContractType, r.VATSplit, r.DepreciationRate = contract, true, 1000 }
}

// billed is what of a payout is a service.
func (w *fixture) billed(t testing.TB, id string) (gross, vat money.Amount) {
	t.Helper()
	s := w.kept(t, id)
	transfers, err := s.KeptTransfers()
	if err != nil {
		t.Fatal(err)
	}
	for _, transfer := range transfers {
		if transfer.Purpose != "DEDUCTION_COST" {
			gross, vat = gross+transfer.Amount, vat+transfer.VAT
		}
	}
	return gross, vat
}

func mustSay(t testing.TB, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
}

func TestABillToACivilContractSaysWhatIsPaid(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, rich)
		details := w.details("uk")
		details.TaxID = "" // nobody with a civil contract needs one
		id := w.settled(t, details)
		w.refused(t, billing.ErrInvalid, id, billing.Seller{}) // a bill has an address
		w.write(t, func(tx *db.Tx) error {                     // what was worked, what runs and what the partner refused
			driver, err := db.One[string](tx, `SELECT driver_id FROM settlements WHERE tenant_id = $1 AND id = $2`, id)
			for n, one := range []tracking.TimeDetails{{StartedAt: "2026-11-03T08:00", EndedAt: "2026-11-03T16:30", BreakMinutes: 15},
				{StartedAt: "2026-11-08T20:00", EndedAt: "2026-11-09T01:50"}, {StartedAt: "2026-11-07T08:00"},
				{StartedAt: "2026-11-05T08:00", EndedAt: "2026-11-05T16:00"}, {StartedAt: "2026-11-09T02:00", EndedAt: "2026-11-09T03:00"}} {
				if err == nil {
					_, _, err = (&tracking.Service{Instance: w.Instance}).SaveTime(tx, tracking.Driver(driver), fmt.Sprintf("00000000-0000-4000-8000-%012d", n), one, tracking.Said{})
				}
			}
			if err == nil {
				_, err = tracking.RefuseTime(tx, "00000000-0000-4000-8000-000000000003", 1, "not ours")
			}
			return err
		})
		doc := w.issue(t, id, billing.Seller{Street: "Polna 1", Place: "00-001 Warszawa"})
		if gross, _ := w.billed(t, id); doc.Kind != billing.Bill || doc.Number != "R/NORTH/2026/11/1" || doc.Gross != gross || doc.VAT != 0 || gross != 774_18 {
			t.Errorf("%+v", doc)
		}
		if again := w.issue(t, id, company); again.ID != doc.ID || again.Number != doc.Number {
			t.Errorf("%+v", again)
		}
		mustSay(t, w.printed(t, "bill", doc.ID), "Rachunek", "R/NORTH/2026/11/1", "Wykonawca Zamawiający", "Олег Żółkiewski", "Polna 1", "00-001 Warszawa", "521-301-72-28", "Do umowy nr U/7", "300,00", "474,18", "774,18 zł",
			"Godziny wykonywania umowy w 11.2026: 14 godz. 05 min.",
			"siedemset siedemdziesiąt cztery zł 18/100", "PL61 1090 1014 0000 0712 1981 2874")
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			if _, _, err := w.File(tx, doc.ID); !errors.Is(err, billing.ErrNoFile) {
				t.Error(err)
			}
			return nil
		})
	})
}

func TestAnInvoiceHasTheVATThatIsInsideThePayment(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		gross, vat := w.billed(t, id)
		if doc.Kind != billing.Invoice || doc.Number != "SF/NORTH/2026/11/1" || doc.Gross != gross || doc.VAT != vat || doc.Net != gross-vat || vat == 0 || doc.AuthorityState != billing.NotSent {
			t.Errorf("%+v, billed %s with %s", doc, gross, vat)
		}
		text := w.printed(t, "invoice", doc.ID)
		mustSay(t, text, "Faktura", "Sprzedawca Nabywca", "Oleg Transport", "Polna 1", "526-025-02-74", "521-301-72-28", "8%", "Samofakturowanie", "OFFLINE", "qr.ksef.mf.gov.pl/invoice/5260250274/15-11-2026/")
		xml := string(w.file(t, doc.ID))
		mustSay(t, xml, "<P_2>SF/NORTH/2026/11/1</P_2>", "<P_15>"+gross.String()+"</P_15>", "<P_14_2>"+vat.String()+"</P_14_2>", "<P_17>1</P_17>", "<NIP>5260250274</NIP>", "<P_6_Od>2026-11-02</P_6_Od>", "<NrRB>61109010140000071219812874</NrRB>")
		if o := w.offered(t, id); len(o.Documents) != 1 || len(o.Missing) != 0 || o.Seller != company {
			t.Errorf("%+v", o)
		}
	})
}

func TestACompanyWithoutVATSaysByWhichLaw(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BNoVAT))
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		if gross, _ := w.billed(t, id); doc.VAT != 0 || doc.Gross != gross {
			t.Errorf("%+v", doc)
		}
		mustSay(t, w.printed(t, "exempt", doc.ID), "zw.", "Zwolnienie z VAT: art. 113 ust. 1 i 9")
		mustSay(t, string(w.file(t, doc.ID)), "<P_12>zw</P_12>", "<P_19>1</P_19>", "<P_13_7>"+doc.Gross.String()+"</P_13_7>")
	})
}

func TestInvoicesOfBothKindsAreValidAgainstTheSchema(t *testing.T) {
	for _, contract := range []rules.ContractType{rules.B2BVAT, rules.B2BNoVAT} {
		for instance, form := range map[string]string{"pl": "ksef/FA3.xsd", "de": "facturx/Factur-X_EN16931.xsd"} {
			t.Run(string(contract)+" "+instance, func(t *testing.T) {
				w := newFixture(t, "sqlite", instance)
				w.rules(t, b2b(contract))
				doc := w.issue(t, w.settled(t, w.details("de")), billing.Seller{Street: "Polna 1", Place: "10115 Berlin"})
				testkit.Valid(t, form, w.file(t, doc.ID))
			})
		}
	}
}

func TestAGermanInvoiceIsAGutschrift(t *testing.T) {
	for _, engine := range testkit.Engines {
		w := newFixture(t, engine, "de")
		w.rules(t, b2b(rules.B2BVAT))
		id := w.settled(t, w.details("de"))
		doc := w.issue(t, id, billing.Seller{Street: "Polna 1", Place: "10115 Berlin"})
		gross, vat := w.billed(t, id)
		text := w.printed(t, "gutschrift", doc.ID)
		mustSay(t, text, "Gutschrift", "Leistungserbringer Leistungsempfänger", "7%", "USt-IdNr. DE111111125", "DE89 3704 0044 0532 0130 00")
		if strings.Contains(text, "OFFLINE") || strings.Contains(text, "KSeF") {
			t.Error("KSeF is Polish")
		}
		mustSay(t, string(w.file(t, doc.ID)), "<ram:TypeCode>389</ram:TypeCode>", ">"+vat.String()+"</ram:TaxTotalAmount>", "<ram:GrandTotalAmount>"+gross.String()+"</ram:GrandTotalAmount>")
	}
}

func TestIncompleteDriver_GetsNoDocumentAndAReason(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		lacking := func(spoil func(*drivers.Details)) string {
			d := w.details("pl")
			spoil(&d)
			return w.settled(t, d)
		}
		noTax := lacking(func(d *drivers.Details) { d.TaxID = "" })
		noAccount := lacking(func(d *drivers.Details) { d.IBAN = "" })
		fine := lacking(func(*drivers.Details) {})
		w.refused(t, billing.ErrNoTaxID, noTax, company)
		w.refused(t, billing.ErrNoAccount, noAccount, company)
		w.refused(t, billing.ErrInvalid, fine, billing.Seller{})
		w.refused(t, billing.ErrInvalid, fine, billing.Seller{Street: "x", Place: strings.Repeat("x", 101)})
		w.refused(t, settlements.ErrNotFound, "nothing", company)
		if o := w.offered(t, noTax); fmt.Sprint(o.Missing) != "[billing.no_tax_id]" || o.Kind != billing.Invoice || o.Seller.Name != "Олег Żółkiewski" {
			t.Errorf("%+v", o)
		}
		profile := func(change func(*partners.Profile)) {
			w.write(t, func(tx *db.Tx) error {
				p, err := partners.OwnProfile(tx, w.Vault)
				if err != nil {
					return err
				}
				change(&p)
				tx.Actor.Proof.SignedInAt = tx.Now
				return partners.SaveProfile(tx, w.Vault, "PL", p)
			})
		}
		profile(func(p *partners.Profile) { p.TaxID, p.Address = "", partners.Address{} })
		w.refused(t, billing.ErrNoPartnerTaxID, fine, company)
		if o := w.offered(t, fine); fmt.Sprint(o.Missing) != "[billing.no_partner_tax_id billing.no_partner_address]" {
			t.Errorf("%+v", o.Missing)
		}
		profile(func(p *partners.Profile) { p.TaxID = "5213017228" })
		w.refused(t, billing.ErrNoPartnerAddress, fine, company)
		profile(func(p *partners.Profile) {
			p.Address = partners.Address{Street: "Towarowa", HouseNumber: "7", City: "Warszawa", PostCode: "00-839", Country: "PL"}
		})
		w.rules(t, func(r *rules.Rules) { r.MinTransfer = 100_000_00 })
		w.refused(t, billing.ErrNothing, lacking(func(*drivers.Details) {}), company)
		if doc := w.issue(t, fine, company); doc.Number != "SF/NORTH/2026/11/1" {
			t.Errorf("what was refused took a number: %s", doc.Number)
		}
	})
}

// TestNumbersOfASeriesHaveNoGapWhoeverIssues has many issue the same documents at once: each settlement gets one, each company counts for itself.
func TestNumbersOfASeriesHaveNoGapWhoeverIssues(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		ids := []string{}
		for i := range 6 {
			d := w.details("pl")
			if i >= 4 {
				d.TaxID = "1132191233"
			}
			ids = append(ids, w.settled(t, d))
		}
		var working sync.WaitGroup
		for n := range 24 {
			working.Go(func() {
				if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Issue(tx, ids[n%len(ids)], company); return err }); err != nil {
					t.Error(err)
				}
			})
		}
		working.Wait()
		var numbers []string
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			numbers, err = db.Select[string](tx, `SELECT number FROM billing_documents WHERE tenant_id = $1 ORDER BY number`)
			return err
		})
		if got := strings.Join(numbers, " "); got != "SF/NORTH/2026/11/1 SF/NORTH/2026/11/1 SF/NORTH/2026/11/2 SF/NORTH/2026/11/2 SF/NORTH/2026/11/3 SF/NORTH/2026/11/4" {
			t.Error(got)
		}
	})
}

func TestDocuments_CannotBeChangedOrDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		doc := w.issue(t, w.settled(t, w.details("pl")), company)
		for _, text := range []string{`UPDATE billing_documents SET gross = gross + 1, net = net + 1 WHERE tenant_id = $1`, `UPDATE billing_documents SET number = 'x' WHERE tenant_id = $1`,
			`UPDATE billing_documents SET authority_state = 'waiting' WHERE tenant_id = $1`, `DELETE FROM billing_documents WHERE tenant_id = $1`, `UPDATE billing_series SET last = 0 WHERE tenant_id = $1`,
			`UPDATE billing_series SET last = last + 2 WHERE tenant_id = $1`, `DELETE FROM billing_series WHERE tenant_id = $1`} {
			if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := tx.Exec(text); return err }); !db.Guarded(err) {
				t.Errorf("%s: %v", text, err)
			}
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			row, err := db.One[string](tx, `SELECT content_sealed || file_sealed FROM billing_documents WHERE tenant_id = $1`)
			if strings.Contains(row, "Oleg") || strings.Contains(row, "6110901014") || doc.Number == "" {
				t.Error("people and accounts stand there unsealed")
			}
			return err
		})
	})
}

func TestASecondMonthBeginsItsOwnSeries(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.rules(t, b2b(rules.B2BVAT))
		first, second := w.settled(t, w.details("pl")), w.settled(t, w.details("pl"))
		w.issue(t, first, company)
		w.clock.Pass(16 * 24 * 60 * 60 * 1e9)
		if doc := w.issue(t, second, company); doc.Number != "SF/NORTH/2026/12/1" || doc.IssuedOn != calendar.Date("2026-12-01") {
			t.Errorf("%+v", doc)
		}
	})
}

func TestVerifyingFindsADocumentThatIsNotWhatWasPaidAndAGap(t *testing.T) {
	for _, engine := range testkit.Engines {
		w := newFixture(t, engine, "pl")
		w.rules(t, b2b(rules.B2BVAT))
		w.issue(t, w.settled(t, w.details("pl")), company)
		other := w.settled(t, w.details("pl"))
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO billing_documents (tenant_id, id, settlement_id, kind, series, place, number, issued_on, currency, net, vat, gross, content_sealed, file_sealed, issued_at, issued_by,
				authority_state, authority_number, authority_reason, authority_at, corrects, edition) SELECT $1, 'forged', $2, 'invoice', series, 3, 'x', issued_on, currency, 1, 0, 1, content_sealed, '', issued_at, '', '', '', '', '', '', 1 FROM billing_documents WHERE tenant_id = $1`, other)
			return err
		})
		var parts []string
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			problems, err := w.Verify(tx)
			for _, p := range problems {
				parts = append(parts, p.String())
			}
			return err
		})
		if len(parts) != 2 || !strings.Contains(parts[0], "1 numbers, 2 documents, the last is 3") || !strings.Contains(parts[1], "forged: 0.01") {
			t.Errorf("%s: %q", engine, parts)
		}
	}
}

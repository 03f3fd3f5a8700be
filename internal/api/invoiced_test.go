package api_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// registerSeen is what the register of documents says.
type registerSeen struct {
	Items []struct {
		ID, Number, Kind, State, SettlementID, Corrects, CorrectedBy, AuthorityReason string
		Net, VAT, Gross                                                               money.Amount
	}
	Net, VAT, Gross money.Amount
	Total, Awaiting int64
}

func (w *world) register(t *testing.T, query string) (r registerSeen) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", "/api/billing-documents"+query, nil, &r); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return r
}

// documentSays compares a document of the register with its PDF, its XML, and what the archive holds of it.
func (w *world) documentSays(t *testing.T, id string, language i18n.Language, inFile func(net, vat, gross money.Amount) []string) {
	t.Helper()
	r := w.register(t, "?ids="+id)
	if len(r.Items) != 1 || r.Items[0].Net+r.Items[0].VAT != r.Items[0].Gross || r.Gross != r.Items[0].Gross {
		t.Fatalf("%+v", r)
	}
	d := r.Items[0]
	document, _ := w.document(t, "partner", "/api/billing-documents/"+id)
	for _, a := range []money.Amount{d.Net, d.VAT, d.Gross} {
		if reply := strings.Join(strings.Fields(i18n.Amount(language, a)), " "); !strings.Contains(document, reply) {
			t.Errorf("%s: the paper does not say %s: %s", d.Number, reply, document)
		}
	}
	file := w.must(t, 200, "partner", "GET", "/api/billing-documents/"+id+"/xml", nil)
	for _, reply := range inFile(d.Net, d.VAT, d.Gross) {
		if !strings.Contains(file, reply) {
			t.Errorf("%s: the file does not say %s: %s", d.Number, reply, file)
		}
	}
	packed := w.must(t, 200, "partner", "GET", "/api/billing-documents/archive?ids="+id, nil)
	archive, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	same := false
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var held bytes.Buffer
		if _, err := held.ReadFrom(content); err != nil {
			t.Fatal(err)
		}
		same = same || held.String() == file
	}
	if !same || len(archive.File) != 2 {
		t.Errorf("%s: the archive has %d files, the same one: %v", d.Number, len(archive.File), same)
	}
}

func inFA3(_, vat, gross money.Amount) []string {
	return []string{"<P_15>" + gross.String() + "</P_15>", ">" + vat.String() + "</P_14_"}
}

// An invoice is issued, its settlement revoked and settled anew: the register, PDFs, XMLs, the export and the bank's file agree at each step.
func TestAnInvoiceAndItsCorrectionSayTheSameEverywhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.pays(t)
		id := w.billable(t)
		one := w.settlementOf(t, id)
		first := w.issued(t, id)
		w.documentSays(t, first, i18n.Polish, inFA3)
		if r := w.register(t, ""); r.Gross != one.Payout || r.Items[0].State != "issued" {
			t.Fatalf("invoiced %+v, paid %s", r, one.Payout)
		}
		var undoing struct {
			Documents []struct {
				Number    string
				Gross     money.Amount
				Corrected bool
			}
		}
		w.call(t, "partner", "GET", "/api/settlements/"+id+"/undoing", nil, &undoing)
		if len(undoing.Documents) != 1 || undoing.Documents[0].Gross != one.Payout || !undoing.Documents[0].Corrected {
			t.Errorf("told beforehand: %+v", undoing)
		}

		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{id}, "reason": "zły plik"})
		r := w.register(t, "?kind=correction")
		if len(r.Items) != 1 || r.Items[0].Gross != -one.Payout || r.Items[0].SettlementID != id {
			t.Fatalf("%+v", r)
		}
		w.documentSays(t, r.Items[0].ID, i18n.Polish, func(net, vat, gross money.Amount) []string {
			return append(inFA3(net, vat, gross), "<RodzajFaktury>KOR</RodzajFaktury>", "<NrFaKorygowanej>"+r.Items[0].Corrects+"</NrFaKorygowanej>")
		})
		if r := w.register(t, ""); r.Gross != 0 || r.Net != 0 || r.VAT != 0 || r.Total != 2 {
			t.Errorf("after revoking the documents come to %+v", r)
		}
		if rows := strings.Count(w.must(t, 200, "partner", "GET", "/api/settlements/export?format=csv&lang=pl&state=settled", nil), "\n"); rows != 1 {
			t.Errorf("the export of what stands still has %d lines", rows)
		}
		if plan := w.planned(t, map[string]any{"profile": "elixir", "settlements": []string{id}}); len(plan.Drafts) != 0 {
			t.Errorf("a revoked settlement would be paid: %+v", plan)
		}

		w.reached(t, one.DriverID)
		anew := w.settlementOf(t, w.settledOf(t, one.DriverID))
		second := w.issued(t, anew.ID)
		w.documentSays(t, second, i18n.Polish, inFA3)
		if r := w.register(t, ""); r.Gross != anew.Payout || r.Total != 3 {
			t.Errorf("all documents come to %+v, paid %s", r, anew.Payout)
		}
		all := []settlements.Settlement{anew}
		w.agrees(t, &anew, w.exportedFigures(t)[anew.Number], w.linkedFigures(t, all)[anew.ID], w.bankPays(t, all)[anew.Number])
	})
}

// reached gives a driver an address that mails reach.
func (w *world) reached(t *testing.T, driver string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET email = 'pawel@mail.example' WHERE tenant_id = $1 AND id = $2`, driver)
		return err
	})
}

// settlementOf is a settlement as it is kept.
func (w *world) settlementOf(t *testing.T, id string) (s settlements.Settlement) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) { s, err = settlements.Of(tx, id); return err })
	return s
}

// A taxi, a Mietwagen and a Kleinunternehmer of the German instance: the settlement, its invoice as PDF and as XML, the link and the bank's file agree.
func TestGermanInvoicesSayTheSameEverywhere(t *testing.T) {
	instance, err := config.InstanceOf("de")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOf(t, "sqlite", instance)
	w.paysFrom(t, "DE136695976", "DE89370400440532013000")
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE partner_profiles SET street = 'Polnische Str.', house_number = '1', city = 'Berlin', post_code = '10115', country = 'DE' WHERE tenant_id = $1`)
		return err
	})
	for i, c := range []struct {
		vat      string
		small    bool
		rate     int64
		category string
	}{{"REDUCED", false, 7, "S"}, {"STANDARD", false, 19, "S"}, {"STANDARD", true, 0, "E"}} {
		t.Run(fmt.Sprint(c.vat, " ", c.small), func(t *testing.T) {
			var made struct{ SchemaNumber int64 }
			if status, text := w.call(t, "partner", "POST", "/api/settlement-schemas", with(rulesOf(fmt.Sprint("Firmen ", i)), "contractType", "B2B_VAT", "invoiceVat", c.vat,
				"weeklyContractCost", 0, "settlementCost", 0, "additionalCosts", []any{}, "dailyFee", map[string]any{"UBER": 0, "BOLT": 0, "FREENOW": 0}, "costRates", []any{}), &made); status != 201 {
				t.Fatalf("%d %s", status, text)
			}
			driver := w.addDriver(t, "partner", with(driverOf("Schmidt"), "taxId", "DE111111125", "iban", "DE02120300000000202051", "schemaNumber", made.SchemaNumber, "smallBusiness", c.small,
				"summaryLanguage", "de"))
			w.reached(t, driver)
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				if err := licences.Grant(tx, 1, "test"); err != nil {
					return err
				}
				_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
					yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: "UBER", Type: "TRIP", Amount: 1_234_56, Currency: "EUR", OccurredOn: "2026-10-28", Source: "import",
						SourceFile: "week.csv", SourceRow: 7})
				})
				return err
			})
			s := w.settlementOf(t, w.settledOf(t, driver))
			var issued struct{ ID, Number string }
			if status, text := w.call(t, "partner", "POST", "/api/settlements/"+s.ID+"/documents", map[string]any{"name": "Schmidt Transport", "street": "Polna 1", "place": "10115 Berlin"}, &issued); status != 201 {
				t.Fatalf("%d %s", status, text)
			}
			w.documentSays(t, issued.ID, i18n.German, func(net, vat, gross money.Amount) []string {
				if gross != s.Payout || vat != money.Amount((int64(gross)*c.rate*2+100+c.rate)/(2*(100+c.rate))) {
					t.Errorf("%s with VAT of %s; paid is %s", gross, vat, s.Payout)
				}
				return []string{"<ram:GrandTotalAmount>" + gross.String(), ">" + vat.String() + "</ram:TaxTotalAmount>", "<ram:CategoryCode>" + c.category + "</ram:CategoryCode>",
					fmt.Sprintf("<ram:RateApplicablePercent>%d", c.rate)}
			})
			figures, err := s.KeptFigures()
			if err != nil {
				t.Fatal(err)
			}
			page := w.linkedFigures(t, []settlements.Settlement{s})[s.ID]
			for _, f := range engine.AllFigures() {
				if page[f.String()] != figures[f] {
					t.Errorf("the page has %s of %s, not %s", f, page[f.String()], figures[f])
				}
			}
			body := map[string]any{"profile": "sepa", "settlements": []string{s.ID}}
			body["token"] = w.planned(t, body).Token
			var batch struct{ Numbers []int64 }
			if status, text := w.call(t, "partner", "POST", batchesPath, body, &batch); status != 201 || len(batch.Numbers) != 1 {
				t.Fatalf("%d %s", status, text)
			}
			file := w.must(t, 200, "partner", "GET", fmt.Sprint(batchesPath, "/", batch.Numbers[0], "/file"), nil)
			if !strings.Contains(file, `<InstdAmt Ccy="EUR">`+s.Payout.String()+"</InstdAmt>") || !strings.Contains(file, issued.Number) {
				t.Errorf("the bank is told %s", file)
			}
		})
	}
}

package api_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// document downloads a file and gives its text as a reader copies it out.
func (w *world) document(t *testing.T, who, path string) (text string, head http.Header) {
	t.Helper()
	rq, err := http.NewRequest("GET", w.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+w.tokens[who])
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	file, err := os.Create(t.TempDir() + "/x.pdf")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-layout", file.Name(), "-").CombinedOutput()
	if resp.StatusCode != 200 || err != nil {
		t.Fatalf("%d %v %s", resp.StatusCode, err, out)
	}
	return strings.Join(strings.Fields(string(out)), " "), resp.Header
}

// linked makes the driver who signs in the one who is settled.
func (w *world) linked(t *testing.T, driver string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET account_id = (SELECT account_id FROM driver_profiles WHERE tenant_id = $1 AND left_at = '' LIMIT 1) WHERE tenant_id = $1 AND id = $2`, driver)
		return err
	})
}

func TestAStatementIsDownloadedByThePartnerAndByItsDriverOnceItIsShared(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		w.linked(t, driver)
		id := w.settledOf(t, driver)
		text, head := w.document(t, "partner", "/api/settlements/"+id+"/statement")
		if !strings.Contains(text, "10 000,00 zł") || !strings.Contains(text, canary+"north") || head.Get("Content-Type") != "application/pdf" ||
			!strings.HasPrefix(head.Get("Content-Disposition"), "attachment; filename=rozliczenie-1-2026-W44.pdf") || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%v %s", head, text)
		}
		if own, _ := w.document(t, "driver", "/api/driver-accounts/settlements/"+id+"/statement"); own != text {
			t.Error("the driver gets another paper")
		}
		w.must(t, 404, "stranger", "GET", "/api/driver-accounts/settlements/"+id+"/statement", nil)
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{id}, "reason": "wrong file"})
		w.must(t, 404, "driver", "GET", "/api/driver-accounts/settlements/"+id+"/statement", nil)
		if text, _ := w.document(t, "partner", "/api/settlements/"+id+"/statement"); !strings.Contains(text, "WYCOFANE") {
			t.Error(text)
		}
	})
}

// company is what a partner says of a driver's company.
var company = map[string]any{"name": canary + "north Transport", "street": "Polna 1", "place": "00-001 Warszawa"}

// billable is a settlement of a driver with a company, by a partner that has all that an invoice needs.
func (w *world) billable(t *testing.T) string {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE partner_profiles SET tax_id = '5213017228', street = 'Prosta', house_number = '1', city = 'Warszawa', post_code = '00-838', country = 'PL' WHERE tenant_id = $1`)
		return err
	})
	var made struct{ SchemaNumber int64 }
	if status, text := w.call(t, "partner", "POST", "/api/settlement-schemas", with(rulesOf(fmt.Sprint("b2b ", w.keys.Load())), "contractType", "B2B_VAT", "weeklyContractCost", 0, "settlementCost", 0,
		"additionalCosts", []any{}, "dailyFee", map[string]any{"UBER": 0, "BOLT": 0, "FREENOW": 0}, "costRates", []any{}), &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	driver := w.addDriver(t, "partner", with(driverOf(canary+"north"), "taxId", "1132191233", "iban", "PL61109010140000071219812874", "schemaNumber", made.SchemaNumber))
	w.earns(t, driver, 10_800_00)
	return w.settledOf(t, driver)
}

// issued is the document of a settlement.
func (w *world) issued(t *testing.T, settlement string) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/settlements/"+settlement+"/documents", company, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

func TestAnInvoiceIsIssuedOnceAndDownloaded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.billable(t)
		path := "/api/settlements/" + id + "/documents"
		var offer struct {
			Documents []struct {
				ID, Number, AuthorityState string
				Gross, VAT                 int64
				CancelledAt                *string
			}
			Kind    string
			Missing []string
			Seller  struct{ Name, Street string }
		}
		w.call(t, "partner", "GET", path, nil, &offer)
		if offer.Kind != "invoice" || len(offer.Documents) != 0 || len(offer.Missing) != 0 || offer.Seller.Name != "Oleh "+canary+"north" {
			t.Fatalf("%+v", offer)
		}
		if status, text := w.call(t, "partner", "POST", path, map[string]any{}, nil); status != 422 || !strings.Contains(text, `"street"`) || !strings.Contains(text, "billing.invalid") {
			t.Errorf("%d %s", status, text)
		}
		doc := w.issued(t, id)
		if w.issued(t, id) != doc {
			t.Error("a second document")
		}
		w.call(t, "partner", "GET", path, nil, &offer)
		if len(offer.Documents) != 1 || offer.Documents[0].Gross != 10_800_00 || offer.Documents[0].VAT != 800_00 || offer.Documents[0].AuthorityState != "" || offer.Seller.Street != "Polna 1" {
			t.Errorf("%+v", offer)
		}
		text, head := w.document(t, "partner", "/api/billing-documents/"+doc)
		if !strings.Contains(text, "10 800,00 zł") || !strings.Contains(text, "800,00") || head.Get("Content-Disposition") != "attachment; filename=SF-NORTH-2026-11-1-1.pdf" {
			t.Errorf("%v %s", head, text)
		}
		if status, text := w.call(t, "partner", "GET", "/api/billing-documents/"+doc+"/xml", nil, nil); status != 200 || !strings.Contains(text, "<P_15>10800.00</P_15>") {
			t.Errorf("%d %s", status, text)
		}
		var shown struct {
			DriverID  string
			Documents []struct {
				ID, Number string
				HasFile    bool
			}
		}
		w.call(t, "partner", "GET", "/api/settlements/"+id, nil, &shown)
		w.must(t, 404, "driver", "GET", "/api/driver-accounts/documents/"+doc, nil)
		w.linked(t, shown.DriverID)
		if w.call(t, "driver", "GET", "/api/driver-accounts/settlements/"+id, nil, &shown); len(shown.Documents) != 1 || shown.Documents[0].ID != doc || !shown.Documents[0].HasFile {
			t.Errorf("the driver sees %+v", shown)
		}
		if own, _ := w.document(t, "driver", "/api/driver-accounts/documents/"+doc); own != text {
			t.Error("the driver gets another paper")
		}
		if text := w.must(t, 200, "driver", "GET", "/api/driver-accounts/documents/"+doc+"/xml", nil); !strings.Contains(text, "<P_15>10800.00</P_15>") {
			t.Error(text)
		}
		for _, who := range []string{"stranger", "other"} {
			if status, _ := w.call(t, who, "GET", "/api/driver-accounts/documents/"+doc, nil, nil); status != 404 && status != 403 {
				t.Errorf("%s gets %d", who, status)
			}
		}
		bill := w.issuedRefused(t, w.settled(t))
		if !strings.Contains(bill, "billing.invalid") || !strings.Contains(bill, `"street"`) { // a bill, paid in cash, needs the address
			t.Error(bill)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{id}, "reason": "wrong file"})
		w.call(t, "partner", "GET", path, nil, &offer)
		if len(offer.Documents) != 2 || offer.Documents[0].CancelledAt == nil || offer.Documents[1].Number != "SFK/NORTH/2026/11/1" || offer.Documents[1].Gross != -10_800_00 {
			t.Errorf("%+v", offer)
		}
	})
}

func (w *world) issuedRefused(t *testing.T, settlement string) string {
	t.Helper()
	status, text := w.call(t, "partner", "POST", "/api/settlements/"+settlement+"/documents", map[string]any{}, nil)
	if status != 422 {
		t.Errorf("%d", status)
	}
	return text
}

// TestManyDocumentsAreIssuedAtOnce has a driver whose address an earlier invoice has, one without an address, and a settlement that is
// not there.
func TestManyDocumentsAreIssuedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := w.billable(t)
		w.issued(t, before)
		driver := w.settlementOf(t, before).DriverID
		w.earns(t, driver, 5_400_00)
		ready, unaddressed := w.settledOf(t, driver), w.billable(t)
		issue := func() string {
			t.Helper()
			var out struct {
				Outcomes []struct{ ID, Fault string }
				Done     int64
				Awaiting int64
			}
			status, text := w.call(t, "partner", "POST", "/api/billing-documents", map[string]any{"ids": []string{unaddressed, "nothing", ready}}, &out)
			if status != 200 || len(out.Outcomes) != 3 {
				t.Fatalf("%d %s", status, text)
			}
			return fmt.Sprint(out.Done, " ", out.Awaiting, " ", out.Outcomes[0].Fault, " ", out.Outcomes[1].Fault, " ", out.Outcomes[2].Fault)
		}
		const want = "1 0 billing.no_address settlements.not_found "
		for range 2 { // asked again it is the same document
			if got := issue(); got != want {
				t.Errorf("%q, not %q", got, want)
			}
			if r := w.register(t, "?driver="+driver); r.Total != 2 || r.Items[0].SettlementID != ready || r.Gross != 16_200_00 {
				t.Errorf("%+v", r)
			}
		}
		if r := w.register(t, ""); r.Total != 2 {
			t.Errorf("%+v", r)
		}
		w.must(t, 204, "partner", "PUT", "/api/billing-agreements", map[string]any{"approval": "explicit"})
		w.earns(t, driver, 1_080_00)
		if ready = w.settledOf(t, driver); issue() != "0 1 billing.no_address settlements.not_found billing.awaits_approval" {
			t.Error(issue())
		}
	})
}

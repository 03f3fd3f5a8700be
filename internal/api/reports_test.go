package api_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestAPayoutReportHasWhatWasPaidOnItsDaysAndAddsUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/api/reports/payout"
		settle := func(name string, amount money.Amount, paidOn string) string {
			driver := w.silentDriver(t, "partner", name)
			w.earns(t, driver, amount)
			id := w.settledOf(t, driver)
			if paidOn != "" {
				// paid on days before this test settles: the rules would refuse that
				testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE settlements SET state = 'paid', paid_on = $3, paid_at = $4, paid_by = 'test' WHERE tenant_id = $1 AND id = $2`, id, paidOn, tx.Now)
					return err
				})
			}
			return driver
		}
		settle("Zięba", 10_800_00, "2026-11-02")
		kept := settle("=Adamczyk", 5_400_00, "2026-11-10")
		other := settle("Adamczyk-Bis", 2_160_00, "2026-11-10")
		settle("Before", 10_800_00, "2026-11-01")
		settle("Open", 10_800_00, "")
		header, file := w.fetched(t, "partner", path+"?from=2026-11-02&to=2026-11-10&lang=en")
		if header.Get("Cache-Control") != "no-store" || header.Get("Content-Disposition") != "attachment; filename=payout-2026-11-02-2026-11-10.xlsx" {
			t.Errorf("%v", header)
		}
		sheets := sheetsOf(t, file)
		if got := strings.Join(under(t, sheets["Settlements"], "Last name"), "|"); got != "Zięba|=Adamczyk|Adamczyk-Bis|" {
			t.Errorf("%q", got)
		}
		for _, want := range []struct{ sheet, head, cells string }{
			{"Settlements", "Paid on", "2026-11-02|2026-11-10|2026-11-10|Total"},
			{"Settlements", "Period", "2026-W44|2026-W44|2026-W44|"},
			{"Settlements", "Sum", "10000.00|5000.00|2000.00|17000.00"},
			{"Settlements", "Transfer: Order contract", "10000.00|5000.00|2000.00|17000.00"},
			{"Settlements", "Transfer: Invoice", "|||0.00"},
			{"Drivers", "Last name", "=Adamczyk|Adamczyk-Bis|Zięba|Total"},
			{"Drivers", "Settlements", "1|1|1|3"},
			{"Drivers", "Sum", "5000.00|2000.00|10000.00|17000.00"},
		} {
			if got := strings.ReplaceAll(strings.Join(under(t, sheets[want.sheet], want.head), "|"), ",", ""); got != want.cells {
				t.Errorf("%s of %s: %q, not %q", want.head, want.sheet, got, want.cells)
			}
		}
		var list settledList
		w.call(t, "partner", "GET", "/api/settlements?state=paid", nil, &list)
		if list.Totals.Payout != 27_000_00 {
			t.Errorf("%+v", list.Totals)
		}

		// a merged driver is counted with the canonical one
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET merged_into = $3 WHERE tenant_id = $1 AND id = $2`, kept, other)
			return err
		})
		_, file = w.fetched(t, "partner", path+"?from=2026-11-10&to=2026-11-10&lang=en")
		sheets = sheetsOf(t, file)
		if got := fmt.Sprint(under(t, sheets["Drivers"], "Last name"), under(t, sheets["Drivers"], "Sum"), under(t, sheets["Settlements"], "Last name")); got != "[Adamczyk-Bis Total] [7,000.00 7,000.00] [=Adamczyk Adamczyk-Bis ]" {
			t.Error(got)
		}
		if _, file = w.fetched(t, "other", path+"?from=2026-11-01&to=2026-11-10&lang=en"); len(sheetsOf(t, file)["Settlements"]) != 2 || strings.Contains(fmt.Sprint(sheetsOf(t, file)), "Adamczyk") {
			t.Errorf("the other partner: %q", sheetsOf(t, file))
		}
		for query, want := range map[string]string{"": `reports.days_invalid`, "?from=2026-11-01": `"to"`, "?from=2026-02-30&to=2026-11-01": `"from"`, "?from=2026-11-02&to=2026-11-01": "reports.days_reversed",
			"?from=2025-01-01&to=2026-02-05": "reports.too_long"} {
			if status, text := w.call(t, "partner", "GET", path+query, nil, nil); status != 422 || !strings.Contains(text, want) {
				t.Errorf("%s: %d %s", query, status, text)
			}
		}
		w.must(t, 200, "partner", "GET", path+"?from=2025-01-01&to=2026-02-04", nil) // 400 days
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			entries, err := db.Select[string](tx, `SELECT after_state FROM audit_entries WHERE tenant_id = $1 AND action = 'reports.payout' ORDER BY id`)
			if len(entries) != 3 || !strings.Contains(entries[0], `"settlements":3`) || !strings.Contains(entries[0], `"payout":1700000`) || !strings.Contains(entries[0], `"from":"2026-11-02"`) {
				t.Errorf("%v", entries)
			}
			return err
		})
	})
}

// sheetsOf are the tables of a workbook by name, as a reader shows them.
func sheetsOf(t *testing.T, file []byte) map[string][][]string {
	t.Helper()
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	sheets := map[string][][]string{}
	for _, name := range book.GetSheetList() {
		if sheets[name], err = book.GetRows(name); err != nil {
			t.Fatal(err)
		}
	}
	return sheets
}

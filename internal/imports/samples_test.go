package imports_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"saldo/internal/db"
	"saldo/internal/imports"
	"saldo/internal/testkit"
)

// Every sample of every provider goes the whole way: nothing of it is lost, and the second time it brings nothing.
func TestEverySampleIsBookedWholeAndOnce(t *testing.T) {
	files, err := filepath.Glob("providers/testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	chosen := map[string]string{"other": "OTHER", "partner": "PARTNER", "internal": "INTERNAL", "uber_eats": "UBER_EATS"}
	// The archive and the workbook hold rows of samples before them; one workbook has a cell that is no number.
	overlapping := []string{"freenow-earnings_2026-09-21_2026-09-27-pl.zip", "bolt_food-fleet_courier_earnings_and_balances_2026_W39_2.xlsx"}
	failing := map[string]int64{"glovo-payment_old-en.xlsx": 1}
	refused := map[string]string{"uber-trip_activity-pl.csv": "imports.wrong_file", "freenow-earnings_without_vat-pl.csv": "imports.wrong_file"}
	each(t, func(t *testing.T, w *desk) {
		seen := 0
		for _, file := range files {
			name := filepath.Base(file)
			stem := strings.TrimSuffix(name, filepath.Ext(name))
			if strings.HasSuffix(name, ".golden") || strings.HasSuffix(stem, "-de") { // those are in euros
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			prefix, _, _ := strings.Cut(name, "-")
			order := imports.Order{Chosen: chosen[prefix], DatesFrom: "2026-09-21", DatesTo: "2026-09-27"}
			i := w.upload(t, name, string(content), order)
			if want := refused[name]; want != "" {
				if i.Status != imports.Failed || i.Fault != want {
					t.Errorf("%s is %s %s instead of %s", name, i.Status, i.Fault, want)
				}
				continue
			}
			if i.Status != imports.Preview {
				t.Errorf("%s is %s %s %v", name, i.Status, i.Fault, i.FaultParams)
				continue
			}
			seen++
			i = w.confirm(t, i.ID, "money")
			c := i.Counts.Transactions
			if i.Status != imports.Success || c.Failed != failing[name] || (c.Existing > 0) != slices.Contains(overlapping, name) ||
				c.New+c.Unassigned+c.Fleet+c.Existing == 0 {
				t.Errorf("%s is %s with %+v", name, i.Status, c)
			}
			var kept int64
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
				kept, err = db.One[int64](tx, `SELECT (SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND import_id = $2)
					+ (SELECT COUNT(*) FROM waiting_rows WHERE tenant_id = $1 AND import_id = $2)`, i.ID)
				return err
			})
			if kept != c.New+c.Unassigned+c.Fleet {
				t.Errorf("%s says %+v and keeps %d", name, c, kept)
			}
			if again := w.upload(t, name, string(content), order); again.Status != imports.Duplicated {
				t.Errorf("%s is %s the second time", name, again.Status)
			}
			longer := w.upload(t, name, string(content)+"\n", order)
			if c := longer.Counts.Transactions; longer.Status == imports.Preview && (c.New != 0 || c.Unassigned != 0 || c.Existing == 0) {
				t.Errorf("the same rows in another file of %s: %+v", name, c)
			}
		}
		if seen < 20 {
			t.Errorf("only %d samples were booked", seen)
		}
	})
}

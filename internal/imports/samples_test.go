package imports_test

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/statement"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// Every sample of every provider goes the whole way in its country: nothing of it is lost, and the second time it brings nothing.
func TestEverySampleIsBookedWholeAndOnce(t *testing.T) {
	for _, country := range []string{"pl", "de"} {
		for _, engine := range testkit.Engines {
			t.Run(country+" "+engine, func(t *testing.T) {
				w := newFixtureIn(t, engine, country)
				w.work(t)
				booked := 0
				for name, content := range samples(t) {
					stem := strings.TrimSuffix(name, filepath.Ext(name))
					if strings.HasSuffix(stem, "-de") == (country == "de") && bookedOnce(t, w, name, content) {
						booked++
					}
				}
				if booked == 0 {
					t.Error("no sample was booked")
				}
			})
		}
	}
}

// samples are the files of every provider by name, in order.
func samples(t testing.TB) iter.Seq2[string, string] {
	t.Helper()
	files, err := filepath.Glob("providers/*/testdata/*.*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return func(yield func(string, string) bool) {
		for _, file := range files {
			if strings.HasSuffix(file, ".golden") {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(filepath.Base(file), string(content)) {
				return
			}
		}
	}
}

// orderFor chooses the provider whose code the name of a sample starts with.
func orderFor(name string) imports.Order {
	prefix, _, _ := strings.Cut(name, "-")
	return imports.Order{Chosen: strings.ToUpper(prefix), DatesFrom: "2026-09-21", DatesTo: "2026-09-27"}
}

// bookedOnce brings a sample and says whether it is one that can be brought.
func bookedOnce(t *testing.T, w *fixture, name, content string) bool {
	t.Helper()
	// The archive and the workbook hold rows of samples before them; one workbook has a cell that is no number.
	overlapping := []string{"freenow-earnings_2026-09-21_2026-09-27-pl.zip", "bolt_food-fleet_courier_earnings_and_balances_2026_W39_2.xlsx"}
	failing := map[string]int64{"glovo-payment_old-en.xlsx": 1}
	refused := map[string]string{"uber-trip_activity-pl.csv": "imports.wrong_file", "freenow-earnings_without_vat-pl.csv": "imports.wrong_file"}
	order := orderFor(name)
	i := w.upload(t, name, content, order)
	if want := refused[name]; want != "" {
		if i.Status != imports.Failed || i.Fault != want {
			t.Errorf("%s is %s %s instead of %s", name, i.Status, i.Fault, want)
		}
		return false
	}
	if i.Status != imports.InPreview {
		t.Errorf("%s is %s %s %v", name, i.Status, i.Fault, i.FaultParams)
		return false
	}
	i = w.confirm(t, i.ID, "money")
	c := i.Counts.Transactions
	if i.Status != imports.Success || c.Failed != failing[name] || (c.Existing > 0) != slices.Contains(overlapping, name) ||
		c.New+c.Unassigned+c.Fleet+c.Existing == 0 {
		t.Errorf("%s is %s with %+v", name, i.Status, c)
	}
	var kept, foreign int64
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
		const rows = `FROM (SELECT currency FROM transactions WHERE tenant_id = $1 AND import_id = $2 UNION ALL SELECT currency FROM unmatched_rows WHERE tenant_id = $1 AND import_id = $2) AS r`
		if kept, err = db.One[int64](tx, `SELECT COUNT(*) `+rows, i.ID); err != nil {
			return err
		}
		foreign, err = db.One[int64](tx, `SELECT COUNT(*) `+rows+` WHERE currency <> $3`, i.ID, string(w.Instance.Currency))
		return err
	})
	if kept != c.New+c.Unassigned+c.Fleet || foreign != 0 {
		t.Errorf("%s says %+v and keeps %d, of which %d in other money", name, c, kept, foreign)
	}
	if again := w.upload(t, name, content, order); again.Status != imports.Duplicated {
		t.Errorf("%s is %s the second time", name, again.Status)
	}
	longer := w.upload(t, name, content+"\n", order)
	if c := longer.Counts.Transactions; longer.Status == imports.InPreview && (c.New != 0 || c.Unassigned != 0 || c.Existing == 0) {
		t.Errorf("the same rows in another file of %s: %+v", name, c)
	}
	return true
}

// A file in another currency than the instance's brings nothing, and says why.
func TestFilesOfAnotherCountryBringNoMoney(t *testing.T) {
	for country, foreign := range map[string][]string{"de": {"bolt-earnings-pl.csv", "internal-transactions-en.csv"}, "pl": {"bolt-earnings-de.csv"}} {
		for _, engine := range testkit.Engines {
			t.Run(country+" "+engine, func(t *testing.T) {
				w := newFixtureIn(t, engine, country)
				for name, content := range samples(t) {
					if !slices.Contains(foreign, name) {
						continue
					}
					i := w.upload(t, name, content, orderFor(name))
					c, rowErrors := i.Counts.Transactions, w.preview(t, i.ID).RowErrors
					if c.Failed == 0 || c.All != c.Failed || len(rowErrors) != 1 || rowErrors[0].Code != statement.WrongCurrency {
						t.Errorf("%s: %+v %v", name, c, rowErrors)
					}
				}
			})
		}
	}
}

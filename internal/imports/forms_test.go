package imports_test

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
)

func sampleFile(t testing.TB, name string) string {
	t.Helper()
	for one, content := range samples(t) {
		if one == name {
			return content
		}
	}
	t.Fatalf("there is no sample %s", name)
	return ""
}

// asWorkbook is a CSV file saved by a spreadsheet program: amounts are numbers, so that 40.00 is 40.
func asWorkbook(t testing.TB, content string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(content, "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	book := excelize.NewFile()
	for y, row := range rows {
		for x, text := range row {
			cell, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err != nil {
				t.Fatal(err)
			}
			var value any = text
			if number, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, ".") {
				value = number
			}
			if err := book.SetCellValue("Sheet1", cell, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTheSameWeekAsWorkbookBesideCSVBringsNothing(t *testing.T) {
	for _, one := range []struct{ sample, name, provider string }{
		{"bolt-earnings-pl.csv", "Zarobki na kierowcę-2026W46-Demo", "BOLT"},
		{"uber-payments_driver-pl.csv", "20260921-20260928-payments_driver-DEMO", "UBER"},
		{"uber-payments_order-pl.csv", "20260921-20260928-payments_order-DEMO", "UBER"},
	} {
		t.Run(one.sample, func(t *testing.T) {
			each(t, func(t *testing.T, w *fixture) {
				content := sampleFile(t, one.sample)
				first := w.bring(t, one.name+".csv", content, imports.Order{Chosen: one.provider})
				second := w.upload(t, one.name+".xlsx", asWorkbook(t, content), imports.Order{Chosen: one.provider})
				same(t, "known", second.Counts.Transactions.Existing, first.Counts.Transactions.All)
				same(t, "changed", w.preview(t, second.ID).Changes.Count, 0)
				booked := w.confirm(t, second.ID, "")
				same(t, "counts as shown", booked.Counts, second.Counts)
				same(t, "totals as shown", booked.Totals, second.Totals)
			})
		})
	}
}

// A real report of Uber, downloaded again after Uber put 10.00 right.
func TestACorrectedWeekOfUberIsReplaced(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "", "")
		const name = "20260921-20260928-payments_driver-DEMO.csv"
		content := strings.Join(strings.SplitAfter(sampleFile(t, "uber-payments_driver-pl.csv"), "\n")[:2], "")
		first := w.bring(t, name, content, imports.Order{Chosen: "UBER"})
		sum := func() int64 {
			return w.due(t) + w.count(t, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM unmatched_rows WHERE tenant_id = $1`)
		}
		same(t, "due", sum(), 970_92)
		corrected := strings.NewReplacer("970.92", "980.92", "1217.26", "1227.26", "1642.25", "1652.25", "1400.20", "1410.20").Replace(content)
		second := w.upload(t, name, corrected, imports.Order{Chosen: "UBER"})
		change := w.preview(t, second.ID).Changes
		if change.Count != 1 || change.New-change.Old != 10_00 {
			t.Fatalf("the difference: %+v", change)
		}
		w.confirmAs(t, second.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
		same(t, "replaced", sum(), 980_92)
		w.remove(t, second.ID)
		same(t, "undone", sum(), 970_92)
		w.remove(t, first.ID)
		same(t, "nothing", sum(), 0)
	})
}

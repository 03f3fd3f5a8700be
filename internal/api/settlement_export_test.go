package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// fetched downloads a file as a principal.
func (w *world) fetched(t *testing.T, who, path string) (header http.Header, file []byte) {
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
	file, err = io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%d %s %v", resp.StatusCode, file, err)
	}
	return resp.Header, file
}

// under are the cells below a head, from the first row on.
func under(t *testing.T, rows [][]string, head string) (cells []string) {
	t.Helper()
	at := slices.Index(rows[0], head)
	if at < 0 {
		t.Fatalf("no %q among %q", head, rows[0])
	}
	for _, row := range rows[1:] {
		if at < len(row) {
			cells = append(cells, row[at])
		} else {
			cells = append(cells, "")
		}
	}
	return cells
}

func TestAnExportOfSettlementsHasEveryFigureInItsColumn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/api/settlements/export"
		hostile := []string{`=HYPERLINK("http://evil.example";"x")`, "-1+1"}
		var drivers, settlements []string
		for i, name := range hostile {
			driver := w.silentDriver(t, "partner", name)
			w.earns(t, driver, 10_800_00)
			if i == 1 {
				w.earns(t, driver, -999_99)
			}
			drivers, settlements = append(drivers, driver), append(settlements, w.settledOf(t, driver))
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/pay", map[string]any{"ids": settlements[:1], "paidOn": "2026-11-15"})
		for _, format := range []string{"csv", "xlsx"} {
			header, file := w.fetched(t, "partner", path+"?lang=en&sort=name&format="+format)
			if header.Get("Cache-Control") != "no-store" || header.Get("Content-Disposition") != fmt.Sprintf("attachment; filename=settlements-%s.%s", w.clock.Now().Format(time.DateOnly), format) {
				t.Errorf("%v", header)
			}
			rows := tableOf(t, format, file)
			sorted := slices.Clone(rows[0])
			slices.Sort(sorted)
			if len(rows) != 3 || len(slices.Compact(sorted)) != len(rows[0]) {
				t.Fatalf("%q", rows)
			}
			amounts := map[string][]string{"csv": {"10800,00", "9800,01"}, "xlsx": {"10,800.00", "9,800.01"}}[format]
			names := under(t, rows, "Last name")
			for i, name := range hostile {
				at := slices.Index(names, name)
				if at < 0 {
					t.Fatalf("%q", names)
				}
				for head, want := range map[string]string{"Period": "2026-W44", "From": "2026-10-26", "To": "2026-11-01", "State": []string{"Paid", "Settled"}[i], "Kind": "Regular", "Currency": "PLN",
					"Paid on": []string{"2026-11-15", ""}[i], "Uber: Income": amounts[i], "Uber: Working days": "1", "Revenue": amounts[i]} {
					if got := under(t, rows, head)[at]; got != want {
						t.Errorf("%s of %s is %q, not %q", head, name, got, want)
					}
				}
				paid := under(t, rows, "To pay out")[at]
				if transferred := under(t, rows, "Transfer: Order contract")[at]; transferred != paid || paid == "" {
					t.Errorf("%q is transferred of %q", transferred, paid)
				}
			}
			if _, file = w.fetched(t, "partner", path+"?lang=pl&state=paid&format="+format); len(tableOf(t, format, file)) != 2 || tableOf(t, format, file)[0][1] != "Nazwisko" {
				t.Errorf("the filter: %q", tableOf(t, format, file))
			}
			if _, file = w.fetched(t, "partner", path+"?driver="+drivers[1]+"&format="+format); len(tableOf(t, format, file)) != 2 {
				t.Errorf("one driver: %q", tableOf(t, format, file))
			}
			if _, file = w.fetched(t, "partner", path+"?query=nobody&format="+format); len(tableOf(t, format, file)) != 1 {
				t.Errorf("nobody: %q", tableOf(t, format, file))
			}
			if _, file = w.fetched(t, "other", path+"?format="+format); len(tableOf(t, format, file)) != 1 {
				t.Errorf("the other partner: %q", tableOf(t, format, file))
			}
		}
		_, file := w.fetched(t, "partner", path+"?lang=en&format=xlsx&state=settled")
		book, err := excelize.OpenReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		if kind, err := book.GetCellType(book.GetSheetName(0), "B2"); err != nil || kind != excelize.CellTypeInlineString {
			t.Errorf("a name is of type %d, %v", kind, err)
		}
		heads := tableOf(t, "xlsx", file)[0]
		at, _ := excelize.CoordinatesToCellName(slices.Index(heads, "Uber: Income")+1, 2)
		raw, err := book.GetCellValue(book.GetSheetName(0), at, excelize.Options{RawCellValue: true})
		if kind, _ := book.GetCellType(book.GetSheetName(0), at); err != nil || raw != "9800.01" || kind == excelize.CellTypeInlineString {
			t.Errorf("an amount is %q of type %d, %v", raw, kind, err)
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			entries, err := db.Select[string](tx, `SELECT after_state FROM audit_entries WHERE tenant_id = $1 AND action = 'settlements.export' ORDER BY id`)
			if len(entries) != 9 || !strings.Contains(entries[0], `"settlements":2`) || !strings.Contains(entries[1], `"state":"paid"`) || !strings.Contains(entries[3], `"searched":true`) || strings.Contains(strings.Join(entries, ""), "nobody") {
				t.Errorf("%v", entries)
			}
			return err
		})
		w.must(t, 422, "partner", "GET", path+"?format=pdf", nil)
		if status, text := w.call(t, "partner", "GET", path+"?period=2026-W54", nil, nil); status != 422 || !strings.Contains(text, "settlements.period_invalid") {
			t.Errorf("%d %s", status, text)
		}
	})
}

package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

type rowSeen struct {
	ID, Source, ImportID, SourceFile, EnteredBy string
	Type                                        string
	Amount, SourceRow                           int64
	EnteredAt                                   *string
	Corrects                                    *struct {
		ID, ImportID, SourceFile string
		Amount, SourceRow        int64
	}
}

func (w *world) explainedRows(t *testing.T, who, path string) []rowSeen {
	t.Helper()
	var seen struct{ Rows []rowSeen }
	if status, text := w.call(t, who, "GET", path, nil, &seen); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return seen.Rows
}

// standsAt checks that the page of a file that is asked for at a row has the row, where the explanation says.
func (w *world) standsAt(t *testing.T, id, importID, file string, line int64) {
	t.Helper()
	var page struct {
		Rows []struct {
			ID, SourceFile string
			SourceRow      int64
		}
	}
	if status, text := w.call(t, "partner", "GET", fmt.Sprintf("/api/imports/%s/rows?at=%s&limit=2", importID, id), nil, &page); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	for _, r := range page.Rows {
		if r.ID == id && r.SourceFile == file && r.SourceRow == line {
			return
		}
	}
	t.Errorf("the page of %s at %s has %+v", file, id, page.Rows)
}

// Every row of an explanation leads to where it came from: an imported one to the row of its file, one that was entered to who entered it,
// one that corrects a settled amount to both files.
func TestExplainedRows_LeadToTheRowOfTheirFileOrToWhoEnteredThem(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", map[string]any{"firstName": "Łukasz", "lastName": "Żółkiewski", "email": "lukasz.z@example.com"})
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error { return licences.Grant(tx, 10, "test") })
		bring := func(name, content, restated string) (id string) {
			id = w.send(t, "partner", name, []byte(content)).ID
			w.must(t, 202, "partner", "POST", "/api/imports/"+id+"/confirm", map[string]any{"restated": restated})
			w.drain(t, id)
			return id
		}
		report := boltWeek(t)
		first := bring("Zarobki na kierowcę-2026W44-Demo.csv", report, "")
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(driver, "occurredOn", "2026-10-28"))
		settled := w.settledOf(t, driver)
		checked := func(rows []rowSeen) (imported, entered, corrections, ofNoRow int) {
			for _, r := range rows {
				switch {
				case r.Source == "import" && r.ImportID != "" && r.EnteredBy == "" && r.EnteredAt == nil:
					imported++
					w.standsAt(t, r.ID, r.ImportID, r.SourceFile, r.SourceRow)
				case r.Source == "hand" && r.ImportID == "" && r.EnteredBy == canary+"north partner" && r.EnteredAt != nil:
					entered++
				default:
					t.Errorf("%+v", r)
				}
				if c := r.Corrects; c != nil {
					corrections++
					w.standsAt(t, c.ID, c.ImportID, c.SourceFile, c.SourceRow)
					if c.ImportID != first || r.ImportID == first {
						t.Errorf("%+v corrects %+v", r, c)
					}
					if r.SourceRow == 0 {
						ofNoRow++
						if r.Amount != -c.Amount {
							t.Errorf("%+v takes off %+v", r, c)
						}
					}
				}
			}
			return imported, entered, corrections, ofNoRow
		}
		rows := w.explainedRows(t, "partner", "/api/settlements/"+settled)
		if imported, entered, corrections, _ := checked(rows); imported < 4 || entered != 2 || corrections != 0 { // the cost and its cash
			t.Errorf("%d imported, %d entered, %d corrections", imported, entered, corrections)
		}

		// the week comes again with 10.00 more in the app and without tips
		for _, change := range [][2]string{{"4970.90", "4948.40"}, {"4210.40", "4220.40"}, {"32.50", "0.00"}, {"3756.30", "3733.80"}, {"3181.50", "3159.00"}} {
			report = strings.Replace(report, change[0], change[1], 1)
		}
		second := bring("Zarobki na kierowcę-2026W44-Demo (1).csv", report, "replace")
		w.earns(t, driver, 5000_00) // so that the difference is not a debt; from no file that can be opened
		pending := w.explainedRows(t, "partner", "/api/drivers/"+driver+"/pending-settlement?period=2026-W44")
		pending = slices.DeleteFunc(pending, func(r rowSeen) bool { return r.SourceFile == "week.csv" && r.ImportID == "" })
		if imported, _, corrections, ofNoRow := checked(pending); imported == 0 || corrections != imported || ofNoRow != 1 {
			t.Errorf("%d imported, %d corrections, %d of them of no row: %+v", imported, corrections, ofNoRow, pending)
		}
		for _, r := range pending {
			if r.ImportID != second {
				t.Errorf("%+v is not of the second file", r)
			}
		}

		// a driver is told file and row, and neither ids of files nor who of the office wrote
		w.linked(t, driver)
		for i, r := range w.explainedRows(t, "driver", "/api/driver-accounts/settlements/"+settled) {
			if r.ImportID != "" || r.EnteredBy != "" || r.SourceFile != rows[i].SourceFile || r.SourceRow != rows[i].SourceRow || r.Source == "hand" && r.EnteredAt == nil {
				t.Errorf("%+v", r)
			}
		}

		// whoever the driver is merged into, the settlement keeps its rows
		kept := w.addDriver(t, "partner", map[string]any{"firstName": "Łukasz", "lastName": "Żółkiewski-Nowak"})
		var versions [2]driverSeen
		versions[0], versions[1] = w.driver(t, "partner", kept), w.driver(t, "partner", driver)
		w.must(t, 201, "partner", "POST", driversPath+"/"+kept+"/merge", map[string]any{"with": driver, "version": versions[0].Version, "withVersion": versions[1].Version})
		after := w.explainedRows(t, "partner", "/api/settlements/"+settled)
		if imported, entered, _, _ := checked(after); imported < 4 || entered != 2 || len(after) != len(rows) {
			t.Errorf("after the merge: %+v", after)
		}
	})
}

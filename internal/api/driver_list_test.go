package api_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
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

func TestASchemaIsChosenForADriverAndHoldsIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", "Kurierzy")
		id := w.addDriver(t, "partner", with(driverOf("Own"), "schemaNumber", number))
		w.addDriver(t, "partner", driverOf("Default"))
		if d := w.driver(t, "partner", id); d.SchemaNumber != number {
			t.Errorf("%+v", d)
		}
		list, _ := w.listed(t, "")
		if list.Counts.WithoutSchema != 1 || list.Drivers[1].SchemaNumber != number || list.Drivers[0].SchemaNumber != 0 {
			t.Errorf("%+v", list)
		}
		if _, names := w.listed(t, "?missing=schema"); names != "Default" {
			t.Errorf("without a schema of their own: %s", names)
		}
		if text := w.must(t, 200, "partner", "GET", schemaPath(number, "/drivers"), nil); !strings.Contains(text, id) || !strings.Contains(text, `"total":1`) {
			t.Error(text)
		}
		if text := w.must(t, 409, "partner", "DELETE", schemaPath(number, ""), nil); !strings.Contains(text, "schemas.attached") {
			t.Error(text)
		}
		w.must(t, 204, "partner", "PUT", driversPath+"/"+id, with(driverOf("Own"), "version", 1, "schemaNumber", 0))
		if text := w.must(t, 200, "partner", "GET", driversPath+"/"+id+"/history", nil); !strings.Contains(text, fmt.Sprintf(`"field":"schemaNumber","before":"%d","after":""`, number)) {
			t.Error(text)
		}
		w.must(t, 204, "partner", "DELETE", schemaPath(number, ""), nil)
		for _, gone := range []map[string]any{with(driverOf("Own"), "version", 2, "schemaNumber", number)} {
			if text := w.must(t, 422, "partner", "PUT", driversPath+"/"+id, gone); !strings.Contains(text, `"name":"schemaNumber"`) || !strings.Contains(text, "not_allowed") {
				t.Errorf("a removed schema: %s", text)
			}
		}
	})
}

// earned books a row of a driver on a day.
func (w *world) earned(t *testing.T, driver, provider, typ string, on string, deleted bool) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		gone := ""
		if deleted {
			gone = db.Instant(tx.Now)
		}
		_, err := tx.Exec(`INSERT INTO transactions (tenant_id, id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to,
			name, description, search_key, payment, twin_id, source, import_id, source_file, source_row, source_column, external_id, came_unknown,
			evidence, evidence_type, evidence_name, reason, settlement_id, version, created_at, created_by, updated_at, deleted_at)
			VALUES ($1, $2, $3, $4, $5, 100, 'PLN', '', $6, '', '', '', '', '', '', '', 'import', '', '', 0, '', '', FALSE, '', '', '', '', '', 1, $7, '', $7, $8)`,
			tx.NewID(), driver, provider, typ, on, tx.Now, gone)
		if err != nil {
			return err
		}
		return testkit.Recounted(tx)
	})
}

func TestOnlyThoseWithIncomeOfTheLastFourWeeksAreShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		// late in the evening of Warsaw, which is the day before in Greenwich
		w.clock.Pass(time.Date(2026, 11, 14, 23, 30, 0, 0, time.UTC).Sub(w.clock.Now()))
		w.freshly(t)
		today := "2026-11-15"
		for _, c := range []struct {
			name, provider, typ, on string
			deleted                 bool
		}{
			{"Today", "BOLT", "TRIP", today, false},
			{"First", "UBER", "DELIVERY", "2026-10-19", false},
			{"Refund", "UBER", "REFUND", today, false},
			{"Before", "UBER", "TRIP", "2026-10-18", false},
			{"Future", "UBER", "TRIP", "2026-11-16", false},
			{"Deleted", "UBER", "TRIP", today, true},
			{"Fee", "UBER", "FEE", today, false},
			{"Tip", "UBER", "TIP", today, false},
			{"Fuel", "ORLEN", "REFUND", today, false}, // a credit, no income
		} {
			w.earned(t, w.addDriver(t, "partner", driverOf(c.name)), c.provider, c.typ, c.on, c.deleted)
		}
		w.addDriver(t, "partner", driverOf("Nothing"))
		list, names := w.listed(t, "?income=true")
		if names != "First Refund Today" || list.Total != 3 || list.Counts.All != 3 || list.Counts.WithoutIban != 3 {
			t.Errorf("%s: %+v", names, list)
		}
		if list, names = w.listed(t, "?income=true&state=inactive"); names != "" || list.Total != 0 || list.Counts.Active != 3 {
			t.Errorf("%s: %+v", names, list)
		}
		w.clock.Pass(24 * time.Hour)
		w.freshly(t)
		if _, names = w.listed(t, "?income=true"); names != "Future Refund Today" {
			t.Errorf("a day later: %s", names)
		}
	})
}

func TestDriversAreFoundByWhatProvidersKnowThemBy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, other := w.addDriver(t, "partner", driverOf("Nowak")), w.addDriver(t, "other", driverOf("South"))
		for who, driver := range map[string]string{"partner": id, "other": other} {
			w.must(t, 204, who, "PUT", driversPath+"/"+driver+"/identities", map[string]any{"version": 1, "identities": []any{
				map[string]string{"provider": "UBER", "value": "AB-7 100%"}, map[string]string{"provider": "ORLEN", "value": "7896"}}})
		}
		w.addDriver(t, "partner", driverOf("Zak"))
		for query, want := range map[string]string{"7896": "Nowak", "ab-7+100%25": "Nowak", "AB-7+100%25": "Nowak", "789": "", "%25": "", "nowak+7896": ""} {
			if _, names := w.listed(t, "?q="+query); names != want {
				t.Errorf("%s: %q, want %q", query, names, want)
			}
		}
	})
}

func TestManyDriversAreTaggedInOneUnit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := w.addDriver(t, "partner", driverOf("A")), w.addDriver(t, "partner", driverOf("B"))
		foreign := w.addDriver(t, "other", driverOf("South"))
		night, day := w.addTag(t, "partner", "night"), w.addTag(t, "partner", "day")
		w.must(t, 204, "partner", "PUT", driversPath+"/"+b+"/tags", map[string]any{"tags": []string{night}})
		trail := func() int64 {
			return w.counted(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'drivers.tags'`)
		}
		change := func(ids, add, remove []string) string {
			t.Helper()
			var answer struct{ Drivers []struct{ ID, Result string } }
			if status, text := w.call(t, "partner", "POST", driversPath+"/tags", map[string]any{"driverIds": ids, "add": add, "remove": remove}, &answer); status != 200 {
				t.Fatalf("%d %s", status, text)
			}
			reply := ""
			for _, d := range answer.Drivers {
				reply += map[string]string{a: "A ", b: "B ", foreign: "S ", "nobody": "N "}[d.ID] + d.Result + " "
			}
			return reply
		}
		tags := func(id string) (names string) {
			for _, tag := range w.driver(t, "partner", id).Tags {
				names += tag.Name + " "
			}
			return names
		}
		if reply := change([]string{a, b, "nobody", foreign, a}, []string{night}, []string{}); reply != "A changed B unchanged N not_found S not_found " || trail() != 2 {
			t.Errorf("%s, %d in the trail", reply, trail())
		}
		if reply := change([]string{a, b}, []string{day}, []string{night}); reply != "A changed B changed " || tags(a)+tags(b) != "day day " || trail() != 4 {
			t.Errorf("%s: %s and %s", reply, tags(a), tags(b))
		}
		if reply := change([]string{a, b}, []string{}, []string{night}); reply != "A unchanged B unchanged " || trail() != 4 {
			t.Error(reply)
		}
		south := w.addTag(t, "other", "south")
		many := strings.Split(strings.TrimSuffix(strings.Repeat(a+" ", 501), " "), " ")
		for _, c := range []struct {
			ids, add, remove []string
			want             string
		}{
			{[]string{a}, []string{night, south}, nil, `"name":"add[1]","code":"not_allowed"`},
			{[]string{a}, []string{night}, []string{"nothing"}, `"name":"remove[0]","code":"not_allowed"`},
			{[]string{a}, []string{night}, []string{day, night}, `"name":"remove[1]","code":"duplicate"`},
			{[]string{a}, nil, nil, `"name":"add","code":"required"`},
			{[]string{}, []string{night}, nil, `"name":"driverIds","code":"required"`},
			{many, []string{night}, nil, `"name":"driverIds","code":"too_long"`},
		} {
			body := map[string]any{"driverIds": c.ids, "add": append([]string{}, c.add...), "remove": append([]string{}, c.remove...)}
			if text := w.must(t, 422, "partner", "POST", driversPath+"/tags", body); !strings.Contains(text, c.want) {
				t.Errorf("%s, want %s", text, c.want)
			}
		}
		if tags(a) != "day " || trail() != 4 {
			t.Errorf("what was refused changed %s", tags(a))
		}
		if text := w.must(t, 200, "partner", "GET", driversPath+"/"+a+"/history", nil); !strings.Contains(text, `"field":"tags","before":"night","after":"day"`) {
			t.Error(text)
		}
		if kept := w.keptAnswers(t); strings.Contains(kept, "Oleh") {
			t.Errorf("answers kept: %s", kept)
		}
	})
}

// exported downloads an export as a principal.
func (w *world) exported(t *testing.T, who, query string) (header http.Header, file []byte) {
	t.Helper()
	return w.fetched(t, who, driversPath+"/export"+query)
}

// tableOf reads a file back with a reader that knows nothing of the writer.
func tableOf(t *testing.T, format string, file []byte) (rows [][]string) {
	t.Helper()
	var err error
	if format == "csv" {
		reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff"))))
		reader.Comma = ';'
		if rows, err = reader.ReadAll(); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for i := range row {
				row[i] = strings.TrimPrefix(row[i], "'")
			}
		}
		return rows
	}
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if rows, err = book.GetRows(book.GetSheetName(0)); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestExport_HoldsExactlyTheDriversOfTheFilter(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.addSchema(t, "partner", "Kurierzy")
		hostile := []string{`=HYPERLINK("http://evil.example";"x")`, "@SUM(1)", "-1+1", "＝1+1", "'quoted", `Nowak; "Jan"`, "Їжак"}
		for _, name := range hostile {
			w.addDriver(t, "partner", with(driverOf(name), "phone", "601 234 567", "iban", polishIBAN, "taxId", "5260250274", "contractNumber", "007", "schemaNumber", number))
		}
		for range 3 {
			w.addDriver(t, "partner", driverOf("Zwykły"))
		}
		w.addDriver(t, "other", driverOf(canary+"south"))
		for _, format := range []string{"csv", "xlsx"} {
			header, file := w.exported(t, "partner", "?lang=en&format="+format)
			if header.Get("Cache-Control") != "no-store" || header.Get("Content-Disposition") != fmt.Sprintf("attachment; filename=drivers-%s.%s", w.clock.Now().Format(time.DateOnly), format) {
				t.Errorf("%v", header)
			}
			rows := tableOf(t, format, file)
			if len(rows) != 11 || strings.Join(rows[0][:5], " ") != "Last name First name E-mail Phone IBAN" || strings.Contains(fmt.Sprint(rows), canary) {
				t.Errorf("%v", rows)
			}
			for _, row := range rows[1:] {
				if row[0] == "Zwykły" {
					if row[7] != "Standard (default)" {
						t.Errorf("%v", row)
					}
					continue
				}
				if !slices.Contains(hostile, row[0]) || row[3] != "+48601234567" || row[4] != "PL61109010140000071219812874" || row[6] != "5260250274" || row[7] != "Kurierzy" || row[8] != "007" {
					t.Errorf("%q", row)
				}
			}
			if _, file = w.exported(t, "partner", "?lang=pl&missing=iban&sort=-name&format="+format); len(tableOf(t, format, file)) != 4 || !strings.Contains(tableOf(t, format, file)[0][0], "Nazwisko") {
				t.Errorf("the filter: %v", tableOf(t, format, file))
			}
			if _, file = w.exported(t, "partner", "?q=jezak-nobody&format="+format); len(tableOf(t, format, file)) != 1 {
				t.Errorf("nobody: %v", tableOf(t, format, file))
			}
			if _, file = w.exported(t, "other", "?format="+format); len(tableOf(t, format, file)) != 2 || tableOf(t, format, file)[1][0] != canary+"south" {
				t.Errorf("the other partner: %v", tableOf(t, format, file))
			}
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			entries, err := db.Select[string](tx, `SELECT after_state FROM audit_entries WHERE tenant_id = $1 AND action = 'drivers.export' ORDER BY id`)
			if len(entries) != 6 || !strings.Contains(entries[1], `"drivers":3`) || !strings.Contains(entries[1], `"missing":"iban"`) || !strings.Contains(entries[0], `"drivers":10`) ||
				!strings.Contains(entries[2], `"searched":true`) || strings.Contains(strings.Join(entries, ""), "jezak") {
				t.Errorf("%v", entries)
			}
			return err
		})
		w.must(t, 422, "partner", "GET", driversPath+"/export?format=pdf", nil)
	})
}

func TestExport_OfSeveralBatchesHasEachDriverOnceInOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const many = 1203
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error { return fillDrivers(tx, many) })
		_, file := w.exported(t, "partner", "?sort=-name")
		rows := tableOf(t, "csv", file)[1:]
		names := make([]string, len(rows))
		for i, row := range rows {
			names[i] = row[0]
		}
		slices.Reverse(names)
		if len(slices.Compact(slices.Clone(names))) != many || !slices.IsSorted(names) {
			t.Errorf("%d rows", len(rows))
		}
		list, last := w.listed(t, "?size=100&page=13")
		if list.Total != many || len(list.Drivers) != 3 || !strings.HasSuffix(last, names[many-1]) {
			t.Errorf("the last page: %d of %d: %s", len(list.Drivers), list.Total, last)
		}
	})
}

// fillDrivers writes many drivers down at once.
func fillDrivers(tx *db.Tx, many int) error {
	_, err := tx.Insert("drivers", strings.Fields(`id first_name last_name search_key email phone iban_sealed iban_sum iban_changed_at account_holder tax_id schema_number
		contract_number bailiff summary_language settlement_frequency active blocked account_id verified_at activation_sent_at settled_on merged_into version created_at updated_at`),
		func(yield func([]any) bool) {
			for i := range many {
				name := fmt.Sprintf("Driver%06d", (i*7919)%many)
				if !yield([]any{fmt.Sprintf("id-%06d", i), "Jan", name, strings.ToLower(name) + " jan", "", "", "", "", "", "", "", int64(0), "", false, "", int64(0),
					true, false, "", "", "", "", "", int64(1), tx.Now, tx.Now}) {
					return
				}
			}
		})
	return err
}

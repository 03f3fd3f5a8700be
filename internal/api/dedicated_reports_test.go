package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// reportOf is a report of the partner that shows payouts by driver.
func reportOf(code, audience string) map[string]any {
	return map[string]any{"code": code, "audience": audience, "enabled": true, "version": 0, "definition": map[string]any{
		"subject": "settlements", "title": map[string]any{"en": canary + "north payouts"}, "measures": []string{"count", "payout"}, "by": []string{"driver"},
		"ask":   []any{map[string]any{"name": "from", "kind": "day"}, map[string]any{"name": "to", "kind": "day"}},
		"total": true}}
}

func (w *world) report(t *testing.T, audience string) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/report-definitions", reportOf(fmt.Sprint("r-", w.keys.Load()), audience), &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

var lastWeeks = map[string]any{"parameters": map[string]any{"days": "last_4_weeks"}, "lang": "en"}

func (w *world) scheduleOf(t *testing.T) map[string]any {
	t.Helper()
	return map[string]any{"reportId": w.report(t, "partner"), "parameters": map[string]any{"days": "last_week"}, "every": "week", "weekday": 1, "hour": 7,
		"format": "xlsx", "recipients": []string{firstOfNorth.ID}, "paused": false, "version": 0}
}

func (w *world) schedule(t *testing.T) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/report-schedules", w.scheduleOf(t), &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

// reportBodies is what operations on reports need of north's.
func (w *world) reportBodies(t *testing.T, bodies map[string]func() any, ids map[string]func() string, queries map[string]string) {
	for _, name := range []string{"run-report", "generate-report"} {
		bodies[name], ids[name] = func() any { return lastWeeks }, func() string { return w.report(t, "partner") }
	}
	for _, name := range []string{"run-driver-report", "generate-driver-report"} {
		bodies[name], ids[name] = func() any { return lastWeeks }, func() string { return w.report(t, "driver") }
	}
	bodies["add-report"] = func() any { return reportOf(fmt.Sprint("added-", w.keys.Load()), "partner") }
	bodies["preview-report"] = func() any {
		return map[string]any{"parameters": map[string]any{}, "audience": "driver", "definition": with(reportOf("", "")["definition"].(map[string]any), "title", map[string]any{"en": "x"})}
	}
	ids["save-report"] = func() string { return w.report(t, "partner") }
	bodies["save-report"] = func() any { return with(reportOf(fmt.Sprint("saved-", w.keys.Load()), "partner"), "version", 1) }
	ids["remove-report"], queries["remove-report"] = func() string { return w.report(t, "partner") }, "?version=1"
	bodies["add-report-schedule"] = func() any { return w.scheduleOf(t) }
	ids["save-report-schedule"] = func() string { return w.schedule(t) }
	bodies["save-report-schedule"] = func() any { return with(w.scheduleOf(t), "version", 1) }
	ids["remove-report-schedule"], queries["remove-report-schedule"] = func() string { return w.schedule(t) }, "?version=1"
}

type reportShown struct {
	Title   string
	Columns []struct{ Key, Title, Kind string }
	Rows    [][]any
	Totals  []any
	Drivers []string
}

func TestADedicatedReport_IsShownAndHandedOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		own, other := w.earner(t), w.earner(t)
		w.linkOnly(t, own)
		w.settledOf(t, own)
		w.settledOf(t, other)
		partner, driver := w.report(t, "partner"), w.report(t, "driver")
		ask := map[string]any{"parameters": map[string]any{"from": "2026-10-01", "to": "2026-11-30"}, "lang": "en"}

		var shown, mine reportShown
		w.call(t, "partner", "POST", "/api/reports/"+partner, ask, &shown)
		if len(shown.Rows) != 2 || len(shown.Drivers) != 2 || shown.Columns[2].Kind != "money" || fmt.Sprint(shown.Totals[1]) != "2" {
			t.Errorf("%+v", shown)
		}
		w.call(t, "driver", "POST", "/api/reports/driver/"+driver, ask, &mine)
		if len(mine.Rows) != 1 || len(mine.Drivers) != 0 || fmt.Sprint(mine.Totals[1]) != "1" {
			t.Errorf("%+v", mine)
		}
		for path, who := range map[string]string{"/api/reports/" + driver: "partner", "/api/reports/driver/" + partner: "driver", "/api/reports/generate/" + driver: "partner",
			"/api/reports/driver/generate/" + partner: "driver"} {
			if status, text := w.call(t, who, "POST", path, ask, nil); status != 404 {
				t.Errorf("%s: %d %s", path, status, text)
			}
		}
		for format, mediaType := range map[string]string{"csv": "text/csv; charset=utf-8", "pdf": "application/pdf",
			"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"} {
			for path, who := range map[string]string{"/api/reports/generate/" + partner: "partner", "/api/reports/driver/generate/" + driver: "driver"} {
				status, text, header := w.ask(t, who, "POST", path, with(ask, "format", format), fmt.Sprint("key-", w.keys.Add(1)))
				if name := header.Get("Content-Disposition"); status != 200 || header.Get("Content-Type") != mediaType || !strings.Contains(name, "-2026-10-01-2026-11-30."+format) ||
					header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s: %d %v", path, status, header)
				}
				if format == "csv" && strings.Count(text, "\n") != map[string]int{"partner": 4, "driver": 3}[who] {
					t.Errorf("%s has %s", who, text)
				}
			}
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			lines, err := db.Select[string](tx, `SELECT actor_role FROM audit_entries WHERE tenant_id = $1 AND action = 'reports.generate' ORDER BY actor_role`)
			if fmt.Sprint(lines) != "[driver driver driver partner partner partner]" {
				t.Errorf("the trail has %v", lines)
			}
			return err
		})
		for body, want := range map[string]string{`{"parameters":{}}`: "reports.days_invalid", `{"parameters":{"from":"2026-11-01"}}`: "reports.days_invalid",
			`{"parameters":{"from":"2026-11-01","to":"x"}}`: "reports.days_invalid", `{"parameters":{"from":"2025-01-01","to":"2026-11-01"}}`: "reports.too_long"} {
			for _, path := range []string{"/api/reports/", "/api/reports/generate/"} {
				if status, text := w.call(t, "partner", "POST", path+partner, json.RawMessage(body), nil); status != 422 || !strings.Contains(text, want) {
					t.Errorf("%s: %d %s", body, status, text)
				}
			}
		}
	})
}

func TestADefinition_IsReadAsItWasWritten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		definition := asText(reportOf("", "")["definition"])
		for text, place := range map[string]string{
			strings.Replace(definition, `"total":true`, `"total":true,"total":false`, 1): `"place":"total"`,
			strings.Replace(definition, `"payout"`, `"salary"`, 1):                       `"place":"measures[1]"`,
			strings.Replace(definition, `"driver"`, `"tenant_id"`, 1):                    `"place":"by[0]"`,
			strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500):                `"place":"$"`,
			`{}`: `"place":"subject"`,
			`{"` + strings.Repeat("x", 200_000) + `":1}`: `"place":"$"`,
		} {
			for _, path := range []string{"/api/report-definitions", "/api/report-definitions/preview"} {
				body := `{"code":"x","audience":"partner","enabled":true,"version":0,"parameters":{},"definition":` + text + `}`
				if strings.HasSuffix(path, "preview") {
					body = `{"audience":"partner","parameters":{},"definition":` + text + `}`
				} else {
					body = strings.Replace(body, `"parameters":{},`, "", 1)
				}
				if status, answer := w.call(t, "partner", "POST", path, json.RawMessage(body), nil); status != 422 || !strings.Contains(answer, "reports.definition_invalid") ||
					!strings.Contains(answer, place) && !strings.Contains(place, "$") {
					t.Errorf("%.100s to %s: %d %.300s, not at %s", text, path, status, answer, place)
				}
			}
		}
		var list struct {
			Items []struct {
				ID, Code string
				Own      bool
			}
			Ready, Subjects []struct{ Code, Key, Title string }
		}
		id := w.report(t, "partner")
		w.call(t, "partner", "GET", "/api/report-definitions?lang=de", nil, &list)
		if len(list.Items) != 1 || list.Items[0].ID != id || !list.Items[0].Own || len(list.Ready) != 12 || len(list.Subjects) != 9 {
			t.Errorf("%+v", list)
		}
	})
}

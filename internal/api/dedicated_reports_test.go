package api_test

import (
	"fmt"
	"testing"
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

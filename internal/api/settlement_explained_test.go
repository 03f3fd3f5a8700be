package api_test

import "testing"

type explainedSeen struct {
	DriverID, Period, Refusal string
	Settled                   *struct {
		ID, State string
		SharedAt  *string
	}
	Figures      map[string]int64
	Explanations []struct {
		Figure string
		Value  int64
		Parts  []struct{ Rows []struct{ ID string } }
	}
	Rows []struct {
		ID, SourceFile string
		SourceRow      int64
	}
	Last *struct{ ID string }
}

func (e *explainedSeen) check(t *testing.T, driver, row string) {
	t.Helper()
	if e.DriverID != driver || e.Period != "2026-W45" || e.Figures["income"] != 1250 || e.Last != nil {
		t.Errorf("%+v", e)
	}
	if len(e.Rows) != 1 || e.Rows[0].ID != row || e.Rows[0].SourceFile != "week.csv" || e.Rows[0].SourceRow != 7 {
		t.Errorf("rows: %+v", e.Rows)
	}
	named := false
	for _, one := range e.Explanations {
		for _, p := range one.Parts {
			for _, r := range p.Rows {
				named = named || one.Figure == "income" && one.Value == 1250 && r.ID == row
			}
		}
	}
	if !named {
		t.Error("no explanation names the row")
	}
}

func TestAPendingSettlementIsExplainedDownToTheFileAndSoItIsOnceSettled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		row, driver := w.row(t, "north", "TRIP"), w.driverOf(t, "north")
		pending := "/api/drivers/" + driver + "/pending-settlement?period=2026-W45"
		var before, after explainedSeen
		if status, text := w.call(t, "partner", "GET", pending, nil, &before); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		if before.check(t, driver, row); before.Settled != nil {
			t.Errorf("%+v", before.Settled)
		}
		w.must(t, 404, "other", "GET", pending, nil)

		var run struct{ ID string }
		if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": "2026-W45", "drivers": []string{driver}}, &run); status != 201 {
			t.Fatalf("%d %s", status, text)
		}
		w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+run.ID+"/start", map[string]any{"share": true})
		w.must(t, 404, "partner", "GET", pending, nil)
		var list struct{ Items []struct{ ID string } }
		if status, text := w.call(t, "partner", "GET", "/api/settlements?driver="+driver, nil, &list); status != 200 || len(list.Items) != 1 {
			t.Fatalf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "GET", "/api/settlements/"+list.Items[0].ID, nil, &after); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		after.check(t, driver, row)
		if after.Settled == nil || after.Settled.State != "settled" || after.Settled.SharedAt == nil {
			t.Errorf("%+v", after.Settled)
		}
		for figure, value := range before.Figures {
			if after.Figures[figure] != value {
				t.Errorf("%s was %d and is %d", figure, value, after.Figures[figure])
			}
		}
	})
}

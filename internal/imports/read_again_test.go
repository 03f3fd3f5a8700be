package imports_test

import (
	"testing"

	"saldo/internal/imports"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func (w *fixture) readAgain(t *testing.T, id string, order *imports.Order) (i imports.Import, err error) {
	t.Helper()
	if err = w.change(func(tx *db.Tx) error { _, err := imports.ReadAgain(tx, id, order); return err }); err != nil {
		return i, err
	}
	return w.until(t, id, imports.Analyzing), nil
}

// A file that is read again stays the same import: the log has one line of it.
func TestReadAgain_IsTheSameImportByAnotherOrder(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		content := smallHead + "week\nJan Nowak;u-1;;;;;;;;TRIP;1;\n"
		first := w.upload(t, "1.csv", content, imports.Order{Chosen: "UBER"})
		same(t, "undated", counted(first.Counts.Transactions), "all 1 new 0 unassigned 0 ignored 0 existing 0 failed 1 fleet 0")
		week := imports.Order{Chosen: "UBER", City: " Łódź ", DatesFrom: "2026-11-02", DatesTo: "2026-11-08", MergeByName: true}
		again, err := w.readAgain(t, first.ID, &week)
		if err != nil || again.PeriodFrom != "2026-11-02" || again.City != "Łódź" || !again.MergeByName || again.UploadedBy != "Anna" || again.Readings != 2 {
			t.Errorf("%+v %v", again, err)
		}
		same(t, "dated", counted(again.Counts.Transactions), "all 1 new 0 unassigned 1 ignored 0 existing 0 failed 0 fleet 0")
		if again, err = w.readAgain(t, first.ID, nil); err != nil || again.PeriodFrom != "2026-11-02" {
			t.Errorf("without an order: %+v %v", again, err)
		}
		wrong := week
		wrong.DatesTo = "2026-11-01"
		_, err = w.readAgain(t, first.ID, &wrong)
		refusedWith(t, err, imports.ErrInvalid)
		same(t, "log", w.count(t, `SELECT COUNT(*) FROM imports WHERE tenant_id = $1`), int64(1))
		w.confirm(t, first.ID, "")
		_, err = w.readAgain(t, first.ID, &week)
		refusedWith(t, err, imports.ErrOver)
		same(t, "booked once", len(w.waiting(t)), 1)
	}, small("UBER", "weekly", "week", nil))
}

// One clerk reads a file again while another one confirms what they saw before: that is not what would be written.
func TestReadAgain_ConfirmingWhatWasSeenBeforeIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		content := smallHead + "week\nJan Nowak;u-1;;;;;;;;TRIP;1;\n"
		seen := w.upload(t, "1.csv", content, imports.Order{Chosen: "UBER", DatesFrom: "2026-10-26", DatesTo: "2026-11-01"})
		other := imports.Order{Chosen: "UBER", DatesFrom: "2026-11-02", DatesTo: "2026-11-08"}
		now, err := w.readAgain(t, seen.ID, &other)
		if err != nil {
			t.Fatal(err)
		}
		confirm := func(reading int64) error {
			return w.change(func(tx *db.Tx) error {
				_, err := w.Confirm(tx, seen.ID, imports.ConfirmOptions{Reading: reading})
				return err
			})
		}
		refusedWith(t, confirm(now.Readings-1), imports.ErrReadAgain)
		same(t, "still to be confirmed", w.one(t, seen.ID).Status, imports.InPreview)
		if err := confirm(now.Readings); err != nil {
			t.Error(err)
		}
		same(t, "again joins the first", confirm(now.Readings), nil)
	}, small("UBER", "weekly", "week", nil))
}

func TestReadAgain_TheSameContentOnlyIfTheOrderAllowsIt(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		content := smallHead + "week\nJan Nowak;u-1;;;;;2026-11-02;;;TRIP;1;\n"
		uber := imports.Order{Chosen: "UBER"}
		first := w.bring(t, "1.csv", content, uber)
		twin := w.upload(t, "2.csv", content, uber)
		same(t, "twin", twin.Status, imports.Duplicated)
		_, err := w.readAgain(t, twin.ID, &uber)
		refusedWith(t, err, imports.ErrDuplicated)
		allowed := uber
		allowed.AllowDuplicates = true
		again, err := w.readAgain(t, twin.ID, &allowed)
		if err != nil || again.Status != imports.InPreview || again.DuplicateOf != first.ID {
			t.Errorf("%+v %v", again, err)
		}
		third := w.upload(t, "3.csv", content, uber)
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, first.ID); return err })
		if again, err = w.readAgain(t, third.ID, nil); err != nil || again.Status != imports.InPreview || again.DuplicateOf != "" {
			t.Errorf("after the other one is removed: %+v %v", again, err)
		}
	}, small("UBER", "weekly", "week", nil))
}

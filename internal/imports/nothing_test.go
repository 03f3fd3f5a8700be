package imports_test

import (
	"strings"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/statement"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const freenowUkrainian = "ID водія,Водій,Усього поїздок,Загальний дохід,Замовлення від Freenow"

func TestConfirm_RefusesAFileOfWhichNothingIsBooked(t *testing.T) {
	week := imports.Order{Chosen: "FREENOW", DatesFrom: "2026-11-02", DatesTo: "2026-11-08"}
	each(t, func(t *testing.T, w *fixture) {
		for name, c := range map[string]struct {
			content string
			order   imports.Order
		}{
			"freenow.csv": {freenowUkrainian + "\n1014CX,Oleh Babiak,20,518.43,680.00\n", week},
			"head.csv":    {head, imports.Order{}},
			"refused.csv": {head + row("2026-11-02", "oleh@example.com", "", "TRIP", "many", ""), imports.Order{}},
			"zeros.csv":   {head + row("2026-11-02", "oleh@example.com", "", "TRIP", "0", ""), imports.Order{}},
		} {
			i := w.upload(t, name, c.content, c.order)
			same(t, name, i.Status, imports.InPreview)
			found := ""
			for _, warning := range w.preview(t, i.ID).Warnings {
				found += warning.Code + " "
			}
			if !strings.Contains(found, pipeline.WarnNothingToBook) {
				t.Errorf("%s warns of %q", name, found)
			}
			refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); return err }), imports.ErrNothingToBook)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			covered, err := w.CoverageOf(tx)
			same(t, "coverage", len(covered), 0)
			return err
		})
	})
}

func TestFreenow_IsReadInUkrainian(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.bring(t, "earnings_2026-11-02_2026-11-08.csv", freenowUkrainian+",Оплата готівкою/карткою,Чайові,Бонуси,Дохід до вирахування комісії,Комісія\n"+
			"1014CX,Oleh Babiak,20,518.43,680.00,204.00,0,0,680.00,161.57\n", imports.Order{Chosen: "FREENOW"})
		same(t, "waiting", w.waiting(t), []string{"1014cx waiting CASH_COLLECTED -20400 2026-11-08", "1014cx waiting FEE -16157 2026-11-08", "1014cx waiting TRIP 68000 2026-11-08"})
	})
}

func TestUpload_LinesMayEndWithCarriageReturns(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		w.bring(t, "mac.csv", strings.ReplaceAll(head+row("2026-11-02", "oleh@example.com", "", "TRIP", "5", "fare"), "\n", "\r"), imports.Order{})
		same(t, "booked", w.booked(t), []string{"Babiak PARTNER TRIP 500 2026-11-02  fare"})
	})
}

func TestDetail_BlocksNoBookingAndCoversNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		content := smallHead + "trip\n;;;oleh@example.com;;;2026-11-03;;;TRIP;1;\n"
		first := w.bring(t, "2026-11-02_2026-11-08.csv", smallHead+"week\n;;;oleh@example.com;;;2026-11-03;;;TRIP;2;\n", imports.Order{})
		detail := w.confirm(t, w.upload(t, "2026-11-02_2026-11-08.csv", content, imports.Order{}).ID, imports.AsDetail)
		same(t, "detail", detail.Status, imports.Success)
		w.remove(t, first.ID)
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			covered, err := w.CoverageOf(tx)
			same(t, "coverage", len(covered), 0)
			return err
		})
		booked := w.bring(t, "2026-11-02_2026-11-08.csv", content, imports.Order{})
		same(t, "again", counted(booked.Counts.Transactions), "all 1 new 1 unassigned 0 ignored 0 existing 0 failed 0 fleet 0")
	}, small("UBER", "earnings", "week", nil), small("UBER", "trips", "trip", detailOf("earnings")))
}

// detailOf makes a layout one that describes the money of another.
func detailOf(kind string) func(*statement.Layout) {
	return func(l *statement.Layout) { l.Details = []string{kind} }
}

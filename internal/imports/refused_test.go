package imports_test

import (
	"bytes"
	"strings"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
)

func (w *fixture) refused(t *testing.T, id string, language i18n.Language) string {
	t.Helper()
	var out bytes.Buffer
	if err := w.Refused(ctx, anna, id, spreadsheet.CSV, language, &out); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(out.String(), "\uFEFF")
}

func TestRefused_CanBeCorrectedAndUploadedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "", "+48500000101")
		first := w.bring(t, "a.csv", head+row("2026-11-02", "+48500000101", "", "TRIP", "50", "good")+row("2126-11-02", "+48500000101", "", "TRIP", "x", "=bad")+
			row("2026-11-02", "+48500000101", "", "COST", "-5", "")+row("2026-11-09", "+48500000101", "", "GIFT", "-7,50", "gift"), imports.Order{})
		same(t, "counts", counted(first.Counts.Transactions), "all 4 new 2 unassigned 0 ignored 0 existing 0 failed 2 fleet 0")
		got := w.refused(t, first.ID, "en")
		same(t, "file", got, "date;driver_identifier;driver_name;type;amount;currency;payment_method;description;document_number;Saldo: row;Saldo: what to fix\n"+
			"2126-11-02;+48500000101;;TRIP;x;PLN;;'=bad;;3;Column date: The date is not valid. Found: 2126-11-02. Expected, for example: 2000-01-01 – 2099-12-31. "+
			"Column amount: The amount is not a number. Found: x. Expected, for example: -1234.56 / -1234,56.\n"+
			"2026-11-09;+48500000101;;GIFT;-7,50;PLN;;gift;;5;Column type: This type does not fit the provider. Found: GIFT. Expected, for example: TRIP, FEE, COST.\n")
		corrected := strings.NewReplacer("2126", "2026", ";x;", ";9;", "GIFT", "COST").Replace(got)
		second := w.bring(t, "b.csv", corrected, imports.Order{})
		same(t, "again", counted(second.Counts.Transactions), "all 2 new 2 unassigned 0 ignored 0 existing 0 failed 0 fleet 0")
		same(t, "booked", w.booked(t), []string{"Babiak PARTNER COST -500 2026-11-02  ", "Babiak PARTNER COST -750 2026-11-09  gift", "Babiak PARTNER TRIP 5000 2026-11-02  good",
			"Babiak PARTNER TRIP 900 2026-11-02  =bad"})
	})
}

func TestTemplate_PhonesMatchHoweverTheyAreWritten(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "", "+48500000101")
		w.driver(t, "Jan", "Nowak", "", "", drivers.Identity{Provider: "BOLT", Value: "+48500000102"})
		content := head
		for _, phone := range []string{"+48500000101", "48500000101", "500000101", "0500000101", "0048500000101", "500 000 101", "500000102", "48500000102"} {
			content += row("2026-11-02", phone, "", "TRIP", "1", "")
		}
		i := w.bring(t, "a.csv", content, imports.Order{})
		same(t, "counts", counted(i.Counts.Transactions), "all 8 new 8 unassigned 0 ignored 0 existing 0 failed 0 fleet 0")
		same(t, "Babiak's", w.count(t, `SELECT COUNT(*) FROM transactions r JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id WHERE r.tenant_id = $1 AND d.last_name = 'Babiak'`), int64(6))
	})
}

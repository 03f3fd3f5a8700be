package imports_test

import (
	"strings"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const uberHead = "Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you : Your earnings,Paid to you:Your earnings:Fare:Fare," +
	"Paid to you:Trip balance:Payouts:Transferred to bank account\n"

// receive uploads a file of which nobody said whose it is.
func (w *fixture) receive(t *testing.T, name, content string) imports.Import {
	t.Helper()
	got, err := w.Upload(ctx, anna, imports.Upload{Name: name, Content: strings.NewReader(content), Size: -1,
		Order: imports.Order{DatesFrom: "2026-11-02", DatesTo: "2026-11-08"}})
	if err != nil {
		t.Fatal(err)
	}
	return got.Import
}

func TestUber_AsksWhetherItIsEats(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		file := uberHead + "u-1,Oleh,Babiak,50,50,50,\n"
		asked := w.receive(t, "a.csv", file)
		same(t, "asked", asked.Fault, pipeline.ErrProviderNeeded.Code)
		same(t, "choices", asked.FaultParams["choices"], "UBER, UBER_EATS")
		id := w.driver(t, "Oleh", "Babiak", "", "", drivers.Identity{Provider: "UBER_EATS", Value: "U-1"})
		same(t, "told by its people", w.receive(t, "b.csv", file).Provider, "UBER_EATS")
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
			_, err := w.unmatched.Drivers.Teach(tx, id, []drivers.Identity{{Provider: "UBER", Value: "u-1"}})
			return err
		})
		same(t, "of both", w.receive(t, "c.csv", file).Fault, pipeline.ErrProviderNeeded.Code)
		chosen := w.upload(t, "d.csv", file, imports.Order{Chosen: "UBER_EATS", DatesFrom: "2026-11-02", DatesTo: "2026-11-08"})
		same(t, "chosen", chosen.Provider, "UBER_EATS")
	})
}

// Whose the report is must be said once, and not again while all of them were the same provider's.
func TestUber_AsksOnceAndRemembers(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		file := func(id string) string { return uberHead + id + ",Oleh,Babiak,50,50,50,\n" }
		days := imports.Order{Chosen: "UBER", DatesFrom: "2026-11-02", DatesTo: "2026-11-08"}
		warned := func(i imports.Import) (found []string) {
			for _, warning := range w.preview(t, i.ID).Warnings {
				found = append(found, warning.Code+" "+warning.Found)
			}
			return found
		}
		same(t, "asked", w.receive(t, "a.csv", file("u-1")).Fault, pipeline.ErrProviderNeeded.Code)
		first := w.upload(t, "b.csv", file("u-1"), days)
		same(t, "said by the person", warned(first), []string(nil))
		second := w.receive(t, "c.csv", file("u-2"))
		same(t, "not asked again", second.Provider, "UBER")
		same(t, "and said so", warned(second), []string{"provider_as_before UBER"})
		w.confirm(t, second.ID, "")
		same(t, "after confirming", w.receive(t, "d.csv", file("u-3")).Provider, "UBER")
		eats := days
		eats.Chosen = "UBER_EATS"
		w.bring(t, "e.csv", file("e-1"), eats)
		same(t, "of both", w.receive(t, "f.csv", file("u-4")).Fault, pipeline.ErrProviderNeeded.Code)
		same(t, "told by its people", w.receive(t, "g.csv", file("e-1")+"e-2,Ewa,Lis,50,50,50,\n").Provider, "UBER_EATS")
	})
}

func TestUber_DriverWithNothingButATransferStaysADriver(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "", "", drivers.Identity{Provider: "UBER", Value: "u-1"})
		i := w.bring(t, "a.csv", uberHead+"u-1,Oleh,Babiak,-50,,,-50\nu-2,Demo,Flota Sp. z o.o.,-70,,,-70\n", imports.Order{Chosen: "UBER", DatesFrom: "2026-11-02", DatesTo: "2026-11-08"})
		same(t, "counts", counted(i.Counts.Transactions), "all 2 new 1 unassigned 0 ignored 0 existing 0 failed 0 fleet 1")
	})
}

const revolutHead = "Date started (UTC),Date completed (UTC),ID,Type,State,Description,Payer,Card number,Payment currency,Amount,Total amount,Fee,Account,MCC\n"

func TestRevolut_StationsWithoutATradeAreAGuess(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "", "", drivers.Identity{Provider: "REVOLUT", Value: "9873"})
		pay := func(id, shop, mcc string) string {
			return "2026-11-03,2026-11-03," + id + ",CARD_PAYMENT,COMPLETED," + shop + ",Oleh,516760******9873,PLN,-50,-50,0,Main," + mcc + "\n"
		}
		i := w.bring(t, "a.csv", revolutHead+pay("1", "Circle K Warszawa", "")+pay("2", "Zabka", "")+pay("3", "Orlen", "5541")+pay("4", "Orlen Paczka", "")+pay("5", "Shell", "5999"), imports.Order{Chosen: "REVOLUT"})
		same(t, "typed", w.lines(t, `SELECT type || ' ' || description FROM transactions WHERE tenant_id = $1`),
			[]string{"COST Orlen Paczka", "COST Shell", "COST Zabka", "FUEL Circle K Warszawa", "FUEL Orlen"})
		guessed := w.preview(t, i.ID).Guessed
		same(t, "guessed", guessed, []pipeline.RememberedRows{{Provider: "REVOLUT", Layout: "business", Seen: "CARD_PAYMENT Circle K Warszawa", Type: "FUEL", Count: 1, Sum: -50_00, Lines: []int64{2}}})
		// a person knows better, and is not asked again
		w.retype(t, "Circle K", "COST")
		next := w.bring(t, "b.csv", revolutHead+pay("6", "Circle K Warszawa", ""), imports.Order{Chosen: "REVOLUT"})
		same(t, "remembered", len(w.preview(t, next.ID).Remembered), 1)
		same(t, "no longer guessed", w.count(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND type = 'FUEL'`), int64(1))
	})
}

func TestRevolut_TopUpsAreNeverCounted(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		for n, content := range []string{
			"Rodzaj,Produkt,Data rozpoczęcia,Data zrealizowania,Opis,Kwota,Opłata,Waluta,State,Saldo\nWpłata,Bieżące,2026-11-02 10:00:00,2026-11-02,Uber,10,0,PLN,ZAKOŃCZONO,1\n",
			"Art,Produkt,Startdatum,Abschlussdatum,Beschreibung,Betrag,Gebühr,Währung,Status,Saldo\nEinzahlung,Aktuell,2026-11-03 10:00:00,2026-11-02,Uber,10,0,PLN,ABGESCHLOSSEN,2\n",
			"Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\nDeposit,Current,2026-11-04 10:00:00,2026-11-02,Uber,10,0,PLN,COMPLETED,3\n",
			"Тип,Продукт,Дата початку,Дата завершення,Опис,Сума,Комісія,Валюта,Стан,Баланс\nПоповнення,Поточний,2026-11-05 10:00:00,2026-11-02,Uber,10,0,PLN,Завершено,4\n",
			"Тип,Продукт,Дата начала,Дата завершения,Описание,Сумма,Комиссия,Валюта,Статус,Остаток\nПополнение,Текущий,2026-11-06 10:00:00,2026-11-02,Uber,10,0,PLN,Выполнено,5\n",
		} {
			w.bring(t, string(rune('a'+n))+".csv", content, imports.Order{Chosen: "REVOLUT"})
		}
		same(t, "types", w.lines(t, `SELECT type FROM unmatched_rows WHERE tenant_id = $1`), []string{"PAYOUT", "PAYOUT", "PAYOUT", "PAYOUT", "PAYOUT"})
	})
}

package imports_test

import (
	"fmt"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers/mapped"
	"saldo/internal/imports/statement"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// retype gives a type to the unknown row with this description.
func (w *fixture) retype(t *testing.T, description, typ string) {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
		rows, err := db.Select[ledger.Seen](tx, `SELECT id, version FROM transactions WHERE tenant_id = $1 AND came_unknown AND description LIKE $2`, description+"%")
		if err != nil {
			return err
		}
		outcomes, err := ledger.Retype(tx, rows, typ)
		for _, o := range outcomes {
			if o.Fault != nil {
				t.Error(o.Fault)
			}
		}
		if len(outcomes) == 0 {
			t.Errorf("no unknown row is called %q", description)
		}
		return err
	})
}

func (w *fixture) rules(t *testing.T) (rules []string) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		all, err := ledger.RememberedTypes(tx)
		for _, r := range all {
			rules = append(rules, fmt.Sprint(r.Provider, " ", r.Seen, " ", r.Type))
		}
		return err
	})
	return rules
}

func TestRememberedTypes_TemplateNeverTakesOne(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		w.bring(t, "1.csv", head+row("2026-11-02", "oleh@example.com", "", "UNKNOWN", "50", "thanks for november"), imports.Order{})
		w.retype(t, "thanks", "BONUS")
		same(t, "rules", w.rules(t), []string(nil))
		i := w.bring(t, "2.csv", head+row("2026-11-03", "oleh@example.com", "", "UNKNOWN", "-200", "damage to a car door")+
			row("2026-11-03", "oleh@example.com", "", "UNKNOWN", "50", "thanks for november"), imports.Order{})
		same(t, "booked", w.booked(t), []string{"Babiak PARTNER BONUS 5000 2026-11-02  thanks for november", "Babiak PARTNER UNKNOWN -20000 2026-11-03  damage to a car door",
			"Babiak PARTNER UNKNOWN 5000 2026-11-03  thanks for november"})
		same(t, "remembered", len(w.preview(t, i.ID).Remembered), 0)
	})
}

const circleHead = "Numer faktury;Numer karty;Nazwa na karcie;Numer rejestracyjny;Data transakcji;Godzina transakcji;Stacja;Kod produktu;Produkt;Ilość;Cena brutto;Rabat;Kwota netto;VAT;Kwota brutto;Waluta;Przebieg\n"

func circleRow(day, product, gross string) string {
	return "F1;7001;;;" + day + ";;Warszawa;1;" + product + ";1;;;;;" + gross + ";PLN;\n"
}

func TestRememberedTypes_FuelCardsGoByProduct(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "", "", drivers.Identity{Provider: "CIRCLEK", Value: "7001"})
		order := imports.Order{Chosen: "CIRCLEK"}
		w.bring(t, "1.csv", circleHead+circleRow("2026-11-02", "Zegarek", "10")+circleRow("2026-11-02", "Mandat", "20"), order)
		w.retype(t, "Zegarek", "COST")
		same(t, "rules", w.rules(t), []string{"CIRCLEK Zegarek COST"})
		i := w.upload(t, "2.csv", circleHead+circleRow("2026-11-03", "ZEGAREK", "11")+circleRow("2026-11-03", "Mandat", "21")+circleRow("2026-11-04", "zegarek", "12"), order)
		same(t, "shown", w.preview(t, i.ID).Remembered, []pipeline.RememberedRows{{Provider: "CIRCLEK", Layout: "transactions", Seen: "ZEGAREK", Type: "COST", Count: 2, Sum: -23_00, Lines: []int64{2, 4}}})
		// what was shown is booked, whatever is remembered by then
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
			all, err := ledger.RememberedTypes(tx)
			if err != nil {
				return err
			}
			return ledger.RemoveTypeRule(tx, all[0].ID())
		})
		w.confirm(t, i.ID, "")
		same(t, "typed", w.lines(t, `SELECT type || ' ' || CAST(amount AS TEXT) FROM transactions WHERE tenant_id = $1`),
			[]string{"COST -1000", "COST -1100", "COST -1200", "UNKNOWN -2000", "UNKNOWN -2100"})
		i = w.bring(t, "3.csv", circleHead+circleRow("2026-11-05", "Zegarek", "13"), order)
		same(t, "forgotten", len(w.preview(t, i.ID).Remembered), 0)
		refusedWith(t, w.change(func(tx *db.Tx) error { return ledger.RemoveTypeRule(tx, "none") }), ledger.ErrTypeRuleNotFound)
	})
}

func TestRememberedTypes_DescribedFilesGoByDescription(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "", "", drivers.Identity{Provider: "OTHER", Value: "7001"})
		rules := mapped.Mapping{Provider: "OTHER", Decimal: ",", DateForm: "DD.MM.YYYY", Sign: mapped.AsIs,
			Columns: []mapped.Column{{Header: "Nr", Role: mapped.Card}, {Header: "Dzień", Role: mapped.Date}, {Header: "Kwota", Role: mapped.Amount}, {Header: "Stacja", Role: mapped.Type}}}
		order := imports.Order{Chosen: "OTHER"}
		first := w.upload(t, "a.csv", cards("7001;02.11.2026;5,00;Naprawa", "7001;02.11.2026;7,00;Opony", "7001;02.11.2026;9,00;"), order)
		w.describe(t, first.ID, rules)
		w.confirm(t, w.until(t, first.ID, imports.Analyzing).ID, "")
		w.retype(t, "Opony", "COST")
		w.bring(t, "b.csv", cards("7001;03.11.2026;5,00;Naprawa", "7001;03.11.2026;8,00;opony", "7001;03.11.2026;9,00;"), order)
		same(t, "typed", w.lines(t, `SELECT type || ' ' || CAST(amount AS TEXT) || ' ' || occurred_on FROM transactions WHERE tenant_id = $1`),
			[]string{"COST 700 2026-11-02", "COST 800 2026-11-03", "UNKNOWN 500 2026-11-02", "UNKNOWN 500 2026-11-03", "UNKNOWN 900 2026-11-02", "UNKNOWN 900 2026-11-03"})
	})
}

func TestRememberedTypes_HoldForOneLayout(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		file := func(mark, day string) string {
			return smallHead + mark + ";week\n;;;oleh@example.com;;;" + day + ";;;UNKNOWN;1;;\n"
		}
		w.bring(t, "1.csv", file("Airport", "2026-11-02"), imports.Order{})
		w.retype(t, "", "REFUND")
		w.bring(t, "2.csv", file("Airport ride", "2026-11-03"), imports.Order{})
		w.bring(t, "3.csv", file("Airport", "2026-11-04"), imports.Order{})
		same(t, "booked", w.booked(t), []string{"Babiak UBER REFUND 100 2026-11-02  ", "Babiak UBER REFUND 100 2026-11-04  ", "Babiak UBER UNKNOWN 100 2026-11-03  "})
	}, small("UBER", "weekly", "Airport", nil), small("UBER", "daily", "Airport ride", inColumn("Airport")))
}

// inColumn lets a layout have its amounts in a column that another layout has too.
func inColumn(name string) func(*statement.Layout) {
	return func(l *statement.Layout) {
		open := l.Open
		l.Open = func(h statement.Head, given statement.Given) statement.Reader {
			read := open(h, given)
			return func(r statement.Row, out statement.Out) {
				entries := out.Entries
				out.Entries = func(e statement.Entry) { e.Column = name; entries(e) }
				read(r, out)
			}
		}
	}
}

// cash is a row of the template that was paid in cash.
func cash(day, who, typ, amount, text string) string {
	return fmt.Sprintf("%s;%s;;%s;%s;PLN;cash;%s;\n", day, who, typ, amount, text)
}

func TestTemplate_CashHasATwinThatLivesWithItsRow(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		order := imports.Order{Chosen: "INTERNAL"}
		file := head + cash("2026-11-02", "oleh@example.com", "TRIP", "80", "fare") + cash("2026-11-02", "oleh@example.com", "COST", "-20", "wash") +
			cash("2026-11-02", "oleh@example.com", "CASH_COLLECTED", "-5", "kept") + cash("2026-11-02", "oleh@example.com", "PAYOUT", "-7", "paid") +
			cash("2026-11-02", "oleh@example.com", "UNKNOWN", "3", "what")
		first := w.bring(t, "1.csv", file, order)
		want := []string{"Babiak INTERNAL CASH_COLLECTED -500 2026-11-02  kept", "Babiak INTERNAL CASH_COLLECTED -8000 2026-11-02  fare", "Babiak INTERNAL CASH_COLLECTED 2000 2026-11-02  wash",
			"Babiak INTERNAL COST -2000 2026-11-02  wash", "Babiak INTERNAL PAYOUT -700 2026-11-02  paid", "Babiak INTERNAL TRIP 8000 2026-11-02  fare",
			"Babiak INTERNAL UNKNOWN -300 2026-11-02  what", "Babiak INTERNAL UNKNOWN 300 2026-11-02  what"}
		same(t, "booked", w.booked(t), want)
		again := w.bring(t, "2.csv", file+cash("2026-11-03", "oleh@example.com", "TRIP", "1", "more"), order)
		same(t, "again", counted(again.Counts.Transactions), "all 10 new 2 unassigned 0 ignored 0 existing 8 failed 0 fleet 0")
		w.remove(t, again.ID)
		same(t, "removed", w.booked(t), want)
		w.remove(t, first.ID)
		same(t, "empty", w.booked(t), []string(nil))
		// rows that wait come with their cash
		waits := w.bring(t, "3.csv", head+cash("2026-11-04", "who@example.com", "TRIP", "80", "fare"), order)
		same(t, "waiting", counted(waits.Counts.Transactions), "all 2 new 0 unassigned 2 ignored 0 existing 0 failed 0 fleet 0")
	})
}

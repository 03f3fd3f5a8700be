package imports_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/imports/counts"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// small is a layout of a provider for tests. Its rows are: name, id, card, email, phone, instant, day, from, to, type, amount, external id.
func small(provider, kind, mark string, more func(*statement.Layout)) statement.Layout {
	l := statement.Layout{Provider: provider, Kind: kind,
		Recognise: func(h statement.Head) bool { return h.Has(mark, "person", "id") },
		Span: func(name string, _ [][]string) (statement.Span, bool) {
			from, to, ok := strings.Cut(strings.TrimSuffix(name, ".csv"), "_")
			return statement.Span{From: calendar.Date(from), To: calendar.Date(to)}, ok
		},
		Open: func(h statement.Head, given statement.Given) statement.Reader {
			return func(r statement.Row, out statement.Out) {
				at := func(name string) string { return r.At(h.Find(name)) }
				e := statement.Entry{Line: r.Line, Column: mark, Type: at("type"), ExternalID: at("external"), On: calendar.Date(at("day")), From: calendar.Date(at("from")), To: calendar.Date(at("to"))}
				for _, k := range []struct{ kind, column string }{{statement.ByID, "id"}, {statement.ByCard, "card"}, {statement.ByEmail, "email"}, {statement.ByPhone, "phone"}} {
					if value := at(k.column); value != "" {
						e.Person.Keys = append(e.Person.Keys, statement.Key{Kind: k.kind, Value: value})
					}
				}
				e.Person.Name = at("person")
				e.At, _ = statement.Instant(at("instant"), given.Zone)
				if at("amount") == "total" {
					out.Warnings(statement.RowWarning{Line: r.Line, Column: "total", Says: 100, Adds: 200})
					return
				}
				amounts := strings.Split(at("amount"), "+")
				for _, text := range amounts {
					var err error
					if e.Amount, err = statement.Amount(text, money.AnyDecimal); err != nil {
						out.Errors(statement.RowError{Code: statement.WrongAmount, Line: r.Line, Column: mark, Found: text})
						continue
					}
					out.Entries(e)
				}
			}
		}}
	if more != nil {
		more(&l)
	}
	return l
}

const smallHead = "person;id;card;email;phone;instant;day;from;to;type;amount;external;"

func TestEveryRowGetsTheRightDay(t *testing.T) {
	night := small("UBER", "trips", "night", func(l *statement.Layout) { l.DayStarts = 4 * time.Hour })
	chosen := imports.Order{Chosen: "UBER", DatesFrom: "2026-10-05", DatesTo: "2026-10-11"}
	bonus := imports.Order{Chosen: "UBER", DatesFrom: "2026-10-05", DatesTo: "2026-10-11", BonusFrom: "2026-09-28", BonusTo: "2026-10-04"}
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		for n, c := range []struct {
			name, cells string // instant;day;from;to;type
			order       imports.Order
			want        string // day and span, or the code of the row error
		}{
			{"x.csv", "2026-11-02 03:59:59;;;;TRIP", imports.Order{}, "2026-11-01 .."},
			{"x.csv", "2026-11-02 04:00:00;;;;TRIP", imports.Order{}, "2026-11-02 .."},
			{"x.csv", "2026-10-25T03:30:00+01:00;;;;TRIP", imports.Order{}, "2026-10-24 .."}, // the night of the clock change
			{"x.csv", "2026-10-25T04:00:00+01:00;;;;TRIP", imports.Order{}, "2026-10-25 .."},
			{"x.csv", ";2026-11-02;;;TRIP", chosen, "2026-11-02 .."},
			{"x.csv", ";;2026-11-01;2026-11-03;TRIP", chosen, "2026-11-03 2026-11-01..2026-11-03"},
			{"2026-11-02_2026-11-08.csv", ";;;;TRIP", imports.Order{}, "2026-11-08 2026-11-02..2026-11-08"},
			{"2026-11-02_2026-11-08.csv", ";;;;TRIP", chosen, "2026-11-08 2026-11-02..2026-11-08"},
			{"x.csv", ";;;;TRIP", chosen, "2026-10-11 2026-10-05..2026-10-11"},
			{"x.csv", ";;;;TRIP", imports.Order{Chosen: "UBER", DatesTo: "2026-10-11"}, "2026-10-11 2026-10-11..2026-10-11"},
			{"x.csv", ";;;;BONUS", bonus, "2026-10-04 2026-09-28..2026-10-04"},
			{"2026-11-02_2026-11-08.csv", ";;;;PROMO", bonus, "2026-10-04 2026-09-28..2026-10-04"},
			{"x.csv", ";2026-11-02;;;BONUS", bonus, "2026-11-02 .."},
			{"x.csv", ";;;;TIP", bonus, "2026-10-11 2026-10-05..2026-10-11"},
			{"x.csv", ";;;;BONUS", chosen, "2026-10-11 2026-10-05..2026-10-11"},
			{"x.csv", ";;;;TRIP", imports.Order{}, "no_date"},
			{"x.csv", ";1999-12-31;;;TRIP", imports.Order{}, "wrong_date"},
			{"x.csv", "0001-01-01T03:00:00Z;;;;TRIP", imports.Order{}, "wrong_date"},
			{"x.csv", "9999-12-31T23:00:00Z;;;;TRIP", imports.Order{}, "wrong_date"},
			{"x.csv", ";;2026-11-09;2026-11-03;TRIP", imports.Order{}, "wrong_date"},
		} {
			i := w.upload(t, c.name, smallHead+"night\n;;;oleh@example.com;;"+c.cells+fmt.Sprintf(";%d;", n+1), c.order)
			if rowErrors := w.preview(t, i.ID).RowErrors; len(rowErrors) > 0 {
				same(t, c.cells, rowErrors[0].Code, c.want)
				continue
			}
			w.confirm(t, i.ID, imports.AsMoney)
			got := w.lines(t, `SELECT occurred_on || ' ' || span_from || '..' || span_to FROM transactions WHERE tenant_id = $1 AND import_id = '`+i.ID+`'`)
			same(t, c.name+" "+c.cells, got, []string{c.want})
		}
	}, night)
}

func TestAPeriodThatIsNotTheChosenOneIsAWarning(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		for name, c := range map[string]struct {
			file, day string
			want      string
		}{
			"the name":      {"2026-11-02_2026-11-08.csv", "", "period_differs 2026-11-02–2026-11-08 2026-10-05–2026-10-11"},
			"the rows":      {"x.csv", "2026-10-12", "period_differs 2026-10-12–2026-10-12 2026-10-05–2026-10-11"},
			"none":          {"x.csv", "", ""},
			"agrees":        {"2026-10-05_2026-10-11.csv", "", ""},
			"in the future": {"x.csv", "2026-12-01", "future_dates   period_differs 2026-12-01–2026-12-01 2026-10-05–2026-10-11"},
		} {
			i := w.upload(t, c.file, smallHead+"week\n;1;;;;;"+c.day+";;;TRIP;1;", imports.Order{Chosen: "UBER", DatesFrom: "2026-10-05", DatesTo: "2026-10-11"})
			reported := []string{}
			for _, warning := range w.preview(t, i.ID).Warnings {
				reported = append(reported, warning.Code+" "+warning.Found+" "+warning.Expected)
			}
			same(t, name, strings.Join(reported, " "), c.want)
		}
	}, small("UBER", "weekly", "week", nil))
}

func TestPeopleAreRecognisedBySureThingsOnly(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "+48500100200", drivers.Identity{Provider: "UBER", Value: "u-1"}, drivers.Identity{Provider: "UBER", Value: "00078"})
		w.driver(t, "Łukasz", "Żółty", "twin@example.com", "")
		w.driver(t, "Jan", "Nowak", "twin@example.com", "", drivers.Identity{Provider: "BOLT", Value: "b-1"})
		w.driver(t, "Jan", "Nowak", "", "")
		for name, c := range map[string]struct {
			cells  string // person;id;card;email;phone
			byName bool
			want   string // last name and how; empty: nobody
		}{
			"by id":                        {"x;U-1;;;", false, "Babiak identity"},
			"by a later key":               {"x;new;;;+48500100200", false, "Babiak phone"},
			"by card without zeros":        {"x;;78;;", false, "Babiak identity"},
			"by card with more zeros":      {"x;;0000078;;", false, "Babiak identity"},
			"an id is not a card":          {"x;78;;;", false, ""},
			"by e-mail":                    {"x;;;OLEH@example.com;", false, "Babiak email"},
			"by phone in words":            {"x;;;;500 100 200", false, "Babiak phone"},
			"by phone of a workbook":       {"x;;;;48500100200.0", false, "Babiak phone"},
			"an e-mail of two":             {"x;;;twin@example.com;", false, ""},
			"another provider's id":        {"x;b-1;;;", false, ""},
			"by name, not asked":           {"Łukasz Żółty;n-1;;;", false, ""},
			"by name":                      {"lukasz  ZOLTY;n-1;;;", true, "Żółty name"},
			"by name, the other way round": {"Żółty Łukasz;n-1;;;", true, "Żółty name"},
			"a name of two":                {"Jan Nowak;n-1;;;", true, ""},
			"a first name":                 {"Łukasz;n-1;;;", true, ""},
			"only a name":                  {"Oleh Babiak;;;;", false, ""},
		} {
			i := w.upload(t, "x.csv", smallHead+"week\n"+c.cells+";;2026-11-02;;;TRIP;1;", imports.Order{Chosen: "UBER", MergeByName: c.byName})
			preview := w.preview(t, i.ID)
			got := ""
			for how := range preview.Matches.By {
				got = how
			}
			done := w.confirm(t, i.ID, "")
			if booked := w.booked(t); len(booked) == 1 {
				got = strings.Fields(booked[0])[0] + " " + got
			}
			same(t, name, got, c.want)
			if (c.want == "Żółty name") != (len(preview.Matches.Pairs) == 1) {
				t.Errorf("%s: pairs %v", name, preview.Matches.Pairs)
			}
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, done.ID); return err })
		}
	}, small("UBER", "weekly", "week", nil))
}

func TestANameThatTwoPeopleOfAFileShareMakesNoPair(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Jan", "Nowak", "", "")
		content := smallHead + "week\nJan Nowak;n-1;;;;;2026-11-02;;;TRIP;1;\nJan Nowak;n-2;;;;;2026-11-02;;;TRIP;2;\n"
		i := w.bring(t, "x.csv", content, imports.Order{Chosen: "UBER", MergeByName: true})
		same(t, "counts", counted(i.Counts.Transactions), "all 2 new 0 unassigned 2 ignored 0 existing 0 failed 0 fleet 0")
		same(t, "people", i.Counts.Drivers, counts.People{All: 2, New: 2})
	}, small("UBER", "weekly", "week", nil))
}

// A pair that nobody has seen is not made, even if the drivers changed between preview and confirming.
func TestANameMakesNoPairThatThePreviewDidNotShow(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.upload(t, "x.csv", smallHead+"week\nJan Nowak;n-1;;;;;2026-11-02;;;TRIP;1;\n", imports.Order{Chosen: "UBER", MergeByName: true})
		w.driver(t, "Jan", "Nowak", "", "")
		same(t, "counts", counted(w.confirm(t, i.ID, "").Counts.Transactions), "all 1 new 0 unassigned 1 ignored 0 existing 0 failed 0 fleet 0")
	}, small("UBER", "weekly", "week", nil))
}

func TestTheFinalCountsSayWhatChangedSinceThePreview(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.upload(t, "x.csv", head+row("2026-11-02", "oleh@example.com", "", "TRIP", "1", "")+row("2026-11-02", "X", "", "TRIP", "1", ""), imports.Order{})
		w.bring(t, "y.csv", head+row("2026-11-02", "X", "", "TRIP", "1", ""), imports.Order{})
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		done := w.confirm(t, i.ID, "")
		same(t, "shown", counted(w.preview(t, i.ID).Counts.Transactions), "all 2 new 0 unassigned 2 ignored 0 existing 0 failed 0 fleet 0")
		same(t, "done", counted(done.Counts.Transactions), "all 2 new 1 unassigned 0 ignored 0 existing 1 failed 0 fleet 0")
	})
}

func TestDecisionsAreRememberedAndUndone(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh", "Babiak", "", "")
		file := func(day string) string {
			return smallHead + "week\nJan;u-9;;;+48511222333;;" + day + ";;;TRIP;1;\nEwa;u-8;;;;;" + day + ";;;TRIP;2;\n;;;;;;" + day + ";;;FEE;-4;\n"
		}
		uber := imports.Order{Chosen: "UBER"}
		first := w.bring(t, "1.csv", file("2026-11-02"), uber)
		same(t, "counts", counted(first.Counts.Transactions), "all 3 new 0 unassigned 2 ignored 0 existing 0 failed 0 fleet 1")
		before := w.state(t)
		ids := map[string]string{}
		var box unmatched.UnmatchedDrivers
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			box, err = unmatched.IdentitiesOf(tx, unmatched.IdentityFilter{Limit: 10})
			return err
		})
		for _, i := range box.Identities {
			ids[i.FullName()] = i.ID
		}
		var moved int64
		testkit.Write(t, w.db, anna, func(tx *db.Tx) (err error) { moved, err = w.unmatched.Assign(tx, ids["Jan"], oleh); return err })
		same(t, "moved", moved, 1)
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return unmatched.Ignore(tx, ids["Ewa"]) })
		same(t, "booked", w.booked(t), []string{"Babiak UBER TRIP 100 2026-11-02  "})
		same(t, "again", counted(w.bring(t, "1.csv", file("2026-11-02")+"\n", uber).Counts.Transactions), "all 3 new 0 unassigned 0 ignored 0 existing 3 failed 0 fleet 0")
		second := w.bring(t, "2.csv", file("2026-11-03"), uber)
		same(t, "remembered", counted(second.Counts.Transactions), "all 3 new 1 unassigned 0 ignored 1 existing 0 failed 0 fleet 1")
		same(t, "people", second.Counts.Drivers, counts.People{All: 2, Ignored: 1, Existing: 1})
		// what the driver is known by now finds them also by another key
		same(t, "by phone", counted(w.bring(t, "3.csv", smallHead+"week\nJan;;;;511222333;;2026-11-04;;;TRIP;1;\n", uber).Counts.Transactions), "all 1 new 1 unassigned 0 ignored 0 existing 0 failed 0 fleet 0")

		testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE transactions SET settlement_id = 's-7' WHERE tenant_id = $1 AND import_id = $2`, second.ID)
			return err
		})
		err := w.change(func(tx *db.Tx) error { _, err := w.unmatched.Undo(tx, ids["Jan"]); return err })
		refusedWith(t, err, ledger.ErrInSettlements)
		if !strings.Contains(fmt.Sprint(err), "settled") || len(w.booked(t)) != 3 {
			t.Error(err, w.booked(t))
		}
		err = w.change(func(tx *db.Tx) error { _, err := imports.Remove(tx, second.ID); return err })
		refusedWith(t, err, ledger.ErrInSettlements)
		if f := new(fault.Fault); !errors.As(err, &f) || f.Params["settlements"] != "s-7" ||
			w.count(t, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND id = '`+fmt.Sprint(f.Params["drivers"])+`'`) != 1 {
			t.Errorf("what is settled is not named with whose it is: %v", f.Params)
		}
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
			return testkit.Unsettle(tx)
		})
		testkit.Write(t, w.db, anna, func(tx *db.Tx) (err error) { moved, err = w.unmatched.Undo(tx, ids["Jan"]); return err })
		same(t, "gone back, of later files too", moved, 2)
		same(t, "still known of a file that named them otherwise", w.booked(t), []string{"Babiak UBER TRIP 100 2026-11-04  "})
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.unmatched.Undo(tx, ids["Ewa"]); return err })
		same(t, "identities", w.count(t, `SELECT COUNT(*) FROM driver_identities WHERE tenant_id = $1`), 0)
		for _, i := range []string{second.ID} {
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, i); return err })
		}
		if got := w.waiting(t); strings.Join(got, "\n") != strings.SplitN(before, "--\n", 2)[1] {
			t.Errorf("%s\ninstead of\n%s", got, before)
		}
		var made string
		testkit.Write(t, w.db, anna, func(tx *db.Tx) (err error) {
			made, moved, err = w.unmatched.Create(tx, []string{ids["Ewa"]}, unmatched.NewDriver{Name: unmatched.Name{First: "Ewa", Last: "Lis"}})
			return err
		})
		if made == "" || moved != 1 || len(w.booked(t)) != 2 {
			t.Error(made, moved, w.booked(t))
		}
	}, small("UBER", "weekly", "week", nil))
}

func TestTheProvidersOwnIDDecidesWhatIsTheSameRow(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		uber := imports.Order{Chosen: "UBER"}
		line := func(amount, external string) string {
			return "Jan;u-1;;;;;2026-11-02;;;TRIP;" + amount + ";" + external + ";\n"
		}
		i := w.bring(t, "1.csv", smallHead+"week\n"+line("1+1", "t-1")+line("1", "t-2")+line("1", "t-2"), uber)
		same(t, "two amounts of a movement, and a movement twice", counted(i.Counts.Transactions), "all 4 new 0 unassigned 3 ignored 0 existing 1 failed 0 fleet 0")
		i = w.bring(t, "2.csv", smallHead+"week\n"+line("1", "t-3")+line("1+1", "t-1"), uber)
		same(t, "overlapping", counted(i.Counts.Transactions), "all 3 new 0 unassigned 1 ignored 0 existing 2 failed 0 fleet 0")
	}, small("UBER", "weekly", "week", nil))
}

func TestRowWithAnError_IsRefusedWholeAndTheRestIsImported(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.upload(t, "1.csv", smallHead+"week\nJan;u-1;;;;;2026-11-02;;;TRIP;1+x;\nJan;u-1;;;;;2026-11-02;;;TRIP;2;\nJan;u-1;;;;;2026-11-02;;;NONSENSE;2;\nJan;u-1;;;;;2026-11-02;;;INVOICE;2;\n;;;;;;;;;;total;\n",
			imports.Order{Chosen: "UBER"})
		same(t, "row errors", fmt.Sprint(w.preview(t, i.ID).RowErrors), "[{wrong_amount 1 [{wrong_amount 2 week x }]} {wrong_type 2 [{wrong_type 4 week UBER NONSENSE TRIP, FEE, COST} {wrong_type 5 week UBER INVOICE TRIP, FEE, COST}]}]")
		same(t, "row warnings", w.preview(t, i.ID).RowWarnings.Count, 1)
		i = w.confirm(t, i.ID, "")
		same(t, "counts", counted(i.Counts.Transactions), "all 4 new 0 unassigned 1 ignored 0 existing 0 failed 3 fleet 0")
	}, small("UBER", "weekly", "week", nil))
}

func TestUnknownColumnsTakeTheTypeThatPeopleGaveThem(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		file := func(day string) string {
			return smallHead + "Airport\n;;;oleh@example.com;;;" + day + ";;;UNKNOWN;1;\n"
		}
		w.bring(t, "1.csv", file("2026-11-02"), imports.Order{})
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
			id, err := db.One[string](tx, `SELECT id FROM transactions WHERE tenant_id = $1`)
			if err != nil {
				return err
			}
			_, err = ledger.Retype(tx, []ledger.Seen{{ID: id, Version: 1}}, "REFUND")
			return err
		})
		w.bring(t, "2.csv", file("2026-11-03"), imports.Order{})
		same(t, "booked", w.booked(t), []string{"Babiak UBER REFUND 100 2026-11-02  ", "Babiak UBER REFUND 100 2026-11-03  "})
		same(t, "again", w.bring(t, "1.csv", file("2026-11-02")+"\n", imports.Order{}).Counts.Transactions.Existing, 1)
	}, small("UBER", "weekly", "Airport", nil))
}

func TestMoneyThatAnotherFileDescribesNeedsAWord(t *testing.T) {
	earnings := small("UBER", "earnings", "week", func(l *statement.Layout) { l.Details = []string{"trips"} })
	trips := small("UBER", "trips", "trip", nil)
	each(t, func(t *testing.T, w *fixture) {
		uber := imports.Order{Chosen: "UBER"}
		first := w.bring(t, "1.csv", smallHead+"week\n;1;;;;;;2026-11-02;2026-11-08;TRIP;3;\n", uber)
		second := w.upload(t, "2.csv", smallHead+"trip\n;1;;;;;2026-11-08;;;TRIP;1;\n;1;;;;;2026-11-08;;;TRIP;2;\n", uber)
		warned := w.preview(t, second.ID).Warnings
		if len(warned) != 1 || warned[0].Code != pipeline.WarnSameMoney || warned[0].ImportID != first.ID {
			t.Fatal(warned)
		}
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, second.ID, imports.ConfirmOptions{}); return err }), pipeline.ErrSameMoney)
		done := w.confirm(t, second.ID, imports.AsDetail)
		same(t, "detail", string(done.Status)+" "+counted(done.Counts.Transactions), "success all 2 new 0 unassigned 0 ignored 0 existing 2 failed 0 fleet 0")
		same(t, "rows", len(w.waiting(t)), 1)
		next := w.bring(t, "3.csv", smallHead+"trip\n;1;;;;;2026-11-09;;;TRIP;1;\n", uber) // another week
		same(t, "money of its own", next.Counts.Transactions.Unassigned, 1)
	}, earnings, trips)
}

func TestAFileThatIsNoStatementSaysWhichToDownload(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.upload(t, "1.csv", smallHead+"activity\n;1;;;;;;;;TRIP;3;\n", imports.Order{})
		same(t, "refused", i.Fault+" "+i.FaultParams["suggestedReport"], "imports.wrong_file uber_payments")
	}, small("UBER", "activity", "activity", func(l *statement.Layout) { l.SuggestedReport = "uber_payments" }))
}

// dying is a layout whose reading ends in the middle once it is told to, as if the process had died there.
func dying(at *atomic.Int64, die func()) statement.Layout {
	return small("UBER", "weekly", "week", func(l *statement.Layout) {
		open := l.Open
		l.Open = func(h statement.Head, given statement.Given) statement.Reader {
			read := open(h, given)
			return func(r statement.Row, out statement.Out) {
				if at.Load() > 0 && r.Line == at.Load() {
					die()
				}
				read(r, out)
			}
		}
	})
}

func TestAnImportThatDiesInTheMiddleLeavesNothingAndIsTriedAgain(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			var at, deaths atomic.Int64
			w := newFixture(t, engine, dying(&at, func() { deaths.Add(1); panic("the power went") }))
			stop := w.work(t)
			var b strings.Builder
			b.WriteString(smallHead + "week\n")
			for n := range 9000 {
				fmt.Fprintf(&b, "Jan;u-%d;;;;;2026-11-02;;;TRIP;1;\n", n%50)
			}
			i := w.upload(t, "a.csv", b.String(), imports.Order{Chosen: "UBER"})
			at.Store(8500) // after some blocks were written
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); return err })
			testkit.Eventually(t, "it died", func() bool { return deaths.Load() > 0 })
			stop()
			same(t, "left behind", len(w.state(t)), len("\n--\n"))
			same(t, "identities", w.count(t, `SELECT COUNT(*) FROM unmatched_drivers WHERE tenant_id = $1`), 0)
			same(t, "status", w.one(t, i.ID).Status, imports.Running)
			at.Store(0)
			w.clock.Pass(time.Minute) // the next try is due
			w.work(t)
			done := w.until(t, i.ID, imports.Running)
			same(t, "then whole", counted(done.Counts.Transactions), "all 9000 new 0 unassigned 9000 ignored 0 existing 0 failed 0 fleet 0")
			same(t, "rows", len(w.waiting(t)), 9000)
		})
	}
}

func TestCancellingLeavesNothing(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine)
			i := w.upload(t, "a.csv", generated(1, 10), imports.Order{})
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); return err })
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return imports.Cancel(tx, i.ID) })
			w.work(t)
			testkit.Eventually(t, "the job ends", func() bool {
				return w.count(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND state = 'done'`) == 1
			})
			same(t, "status", w.one(t, i.ID).Status, imports.Cancelled)
			same(t, "rows", len(w.state(t)), len("\n--\n"))
			refusedWith(t, w.change(func(tx *db.Tx) error { return imports.Cancel(tx, i.ID) }), imports.ErrOver)
			refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); return err }), imports.ErrOver)
		})
	}
}

func TestAStoredFileThatChangedIsNotImported(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.upload(t, "a.csv", generated(1, 10), imports.Order{})
		if _, err := w.Blobs.Put(context.Background(), i.BlobKey, strings.NewReader(generated(2, 10)), -1); err != nil {
			t.Fatal(err)
		}
		done := w.confirm(t, i.ID, "")
		same(t, "refused", string(done.Status)+" "+done.Fault, "failed imports.file_changed")
		same(t, "rows", len(w.state(t)), len("\n--\n"))
	})
}

func TestLargeFile_IsAnalyzedInAJob(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		content := head + strings.Repeat(row("2026-11-02", "X", "", "TRIP", "1", strings.Repeat("x", 200)), 9000)
		i := w.upload(t, "a.csv", content, imports.Order{})
		same(t, "analyzed", string(i.Status)+" "+counted(i.Counts.Transactions), "preview all 9000 new 0 unassigned 9000 ignored 0 existing 0 failed 0 fleet 0")
		bad := w.upload(t, "b.csv", content+"2026;\x00;\n", imports.Order{})
		same(t, "refused", string(bad.Status)+" "+bad.Fault+" "+bad.FaultParams["line"], "failed imports.encoding 9002")
	})
}

func TestCoverageSaysWhichWeeksAreThere(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) { // it is Sunday of week 46
		uber := imports.Order{Chosen: "UBER"}
		for n, week := range []string{"2026-11-02_2026-11-08", "2026-10-26_2026-10-28", "2026-10-12_2026-10-18"} {
			w.bring(t, week+".csv", smallHead+fmt.Sprintf("week\n;1;;;;;;;;TRIP;%d;\n", n+1), uber)
		}
		var covered []imports.Coverage
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { covered, err = w.CoverageOf(tx); return err })
		if len(covered) != 1 || len(covered[0].Weeks) != 12 {
			t.Fatalf("%+v", covered)
		}
		got := []string{}
		for _, week := range covered[0].Weeks[:5] {
			got = append(got, fmt.Sprint(week.Week, week.State, week.Days, len(week.Imports)))
		}
		same(t, "weeks", strings.Join(got, ", "), "2026-W45complete7 1, 2026-W44partial3 1, 2026-W43missing0 0, 2026-W42late7 1, 2026-W41missing0 0")
	}, small("UBER", "weekly", "week", nil))
}

func TestCancellingInTheMiddleLeavesNothing(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			var at atomic.Int64
			reached, goOn := make(chan struct{}), make(chan struct{})
			w := newFixture(t, engine, dying(&at, func() { at.Store(0); close(reached); <-goOn }))
			w.work(t)
			i := w.upload(t, "a.csv", smallHead+"week\n"+strings.Repeat("Jan;u-1;;;;;2026-11-02;;;TRIP;1;\n", 25_000), imports.Order{Chosen: "UBER"})
			at.Store(24_200) // after a block was written
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); return err })
			<-reached
			testkit.Eventually(t, "24,000 of 25,000 rows are written", func() bool {
				var p *imports.Progress
				testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.ProgressOf(tx, w.one(t, i.ID)); return err })
				return p.Done == 24_000 && p.Total == 25_000
			})
			w.Stop("south", i.ID) // somebody else's
			w.Stop("north", i.ID)
			close(goOn)
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return imports.Cancel(tx, i.ID) })
			testkit.Eventually(t, "the try ends", func() bool {
				return w.count(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND state = 'running'`) == 0
			})
			w.clock.Pass(time.Minute)
			testkit.Eventually(t, "the job ends", func() bool {
				return w.count(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND state = 'done'`) == 1
			})
			same(t, "status", w.one(t, i.ID).Status, imports.Cancelled)
			same(t, "rows", len(w.state(t)), len("\n--\n"))
		})
	}
}

func TestWhatNoStatementHoldsIsARowError(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		i := w.bring(t, "1.csv", smallHead+"week\nJan;u-1;;;;;2026-11-02;;;TRIP;100000000,01;\nJan;"+strings.Repeat("u", 5000)+";;;;;2026-11-02;;;TRIP;1;\n"+strings.Repeat("n", 5000)+";;;;;;2026-11-02;;;TRIP;1;\nJan;u-1;;;;;2026-11-02;;;TRIP;1;\n", imports.Order{Chosen: "UBER"})
		same(t, "counts", counted(i.Counts.Transactions), "all 4 new 0 unassigned 1 ignored 0 existing 0 failed 3 fleet 0")
	}, small("UBER", "weekly", "week", nil))
}

// A database of PostgreSQL that was made before its columns compared bytes puts keys in the order of its language: rows that
// stand are found there too. Many days make keys with all kinds of starts.
func TestRowsAreFoundInAnyOrderOfTheirKeys(t *testing.T) {
	w := newFixture(t, "postgres", small("UBER", "weekly", "week", nil))
	w.work(t)
	testkit.Write(t, w.db, access.Program("test"), func(tx *db.Tx) error {
		for _, table := range []string{"transactions", "unmatched_rows"} {
			if _, err := tx.Across().Exec(`ALTER TABLE ` + table + ` ALTER COLUMN row_key TYPE TEXT COLLATE "pl-x-icu"`); err != nil {
				return err
			}
		}
		return nil
	})
	rows := func(aDay int) string {
		content := smallHead + "week\n"
		for day := range 200 {
			content += strings.Repeat("Jan;u-1;;;;;"+string(calendar.Date("2026-01-01").AddDays(day))+";;;TRIP;1;\n", aDay)
		}
		return content
	}
	w.bring(t, "1.csv", rows(1), imports.Order{Chosen: "UBER"})
	again := w.upload(t, "2.csv", rows(20), imports.Order{Chosen: "UBER"})
	same(t, "counts", counted(again.Counts.Transactions), "all 4000 new 0 unassigned 3800 ignored 0 existing 200 failed 0 fleet 0")
}

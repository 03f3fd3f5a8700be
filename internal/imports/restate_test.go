package imports_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/pipeline"
	"saldo/internal/kernel/fault"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// boltWeek is Bolt's report of a week with its first driver only, and one text in it changed.
func boltWeek(t testing.TB, from, to string) string {
	t.Helper()
	content, err := os.ReadFile("providers/bolt/testdata/bolt-earnings-pl.csv")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(strings.Join(strings.SplitAfter(string(content), "\n")[:2], ""), from, to, 1)
}

const boltName = "Zarobki na kierowcę-2026W46-Demo.csv"

// correctedBolt has 10 more of what was paid in the app.
func correctedBolt(t testing.TB) string {
	return strings.NewReplacer(`"4970.90"`, `"4980.90"`, `"3756.30"`, `"3766.30"`, `"3181.50"`, `"3191.50"`).Replace(boltWeek(t, `"4210.40"`, `"4220.40"`))
}

// due is all that stands of drivers.
func (w *fixture) due(t testing.TB) int64 {
	t.Helper()
	return w.count(t, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM transactions WHERE tenant_id = $1`)
}

func (w *fixture) changes(t testing.TB, id string) string {
	t.Helper()
	lines := []string{}
	for _, d := range w.preview(t, id).Changes.Drivers {
		lines = append(lines, fmt.Sprintf("%s %s–%s %s → %s settled %d", d.Name, d.From, d.To, d.Old, d.New, d.Settled))
	}
	return strings.Join(lines, "; ")
}

// settleAll marks all that stands as settled.
func (w *fixture) settleAll(t testing.TB, as string) {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE transactions SET settlement_id = $2 WHERE tenant_id = $1 AND settlement_id = ''`, as)
		return err
	})
}

func (w *fixture) revokeAll(t testing.TB) {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return errors.Join(testkit.Unsettle(tx), imports.Reconcile(tx)) })
}

func (w *fixture) replaceWith(t testing.TB, name, content string) imports.Import {
	t.Helper()
	i := w.upload(t, name, content, imports.Order{Chosen: "BOLT"})
	if i.Status != imports.InPreview {
		t.Fatalf("%s is %s %s", name, i.Status, i.Fault)
	}
	return w.confirmAs(t, i.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
}

func TestRemovingOneOfTwoOverlappingFilesKeepsWhatTheOtherContains(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		line := func(who, amount string) string { return row("2026-11-02", who, "", "TRIP", amount, "") }
		first := w.bring(t, "1.csv", head+line("oleh@example.com", "1")+line("oleh@example.com", "2")+line("ghost", "5"), imports.Order{})
		content := head + line("oleh@example.com", "2") + line("oleh@example.com", "3") + line("ghost", "5") + line("ghost", "6")
		second := w.bring(t, "2.csv", content, imports.Order{})
		same(t, "second", counted(second.Counts.Transactions), "all 4 new 1 unassigned 1 ignored 0 existing 2 failed 0 fleet 0")
		w.remove(t, first.ID)
		same(t, "left", w.due(t), 500)
		same(t, "waiting", len(w.waiting(t)), 2)
		same(t, "counts", counted(w.one(t, second.ID).Counts.Transactions), "all 4 new 2 unassigned 2 ignored 0 existing 0 failed 0 fleet 0")
		same(t, "totals", w.one(t, second.ID).Totals, "[{TRIP 4 16.00 4 16.00}]")
		var page imports.RowPage
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			page, err = imports.RowsOf(tx, second.ID, imports.RowsFrom{}, 10)
			return err
		})
		if len(page.Rows) != 4 || page.Rows[0].SourceFile != "2.csv" || page.Rows[0].SourceRow != 2 {
			t.Errorf("the log of what is left: %+v", page.Rows)
		}
		same(t, "again", w.upload(t, "2.csv", content, imports.Order{}).Status, imports.Duplicated)
		w.remove(t, second.ID)
		same(t, "nothing", fmt.Sprint(w.due(t), w.waiting(t), w.count(t, `SELECT COUNT(*) FROM import_rows WHERE tenant_id = $1`)), "0 [] 0")
	})
}

func TestASettledRowKeepsNoFileThatAnotherContainsToo(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		content := head + row("2026-11-02", "oleh@example.com", "", "TRIP", "1", "")
		first := w.bring(t, "1.csv", content, imports.Order{})
		second := w.bring(t, "2.csv", content+"\n", imports.Order{})
		w.settleAll(t, "s-1")
		w.remove(t, first.ID)
		same(t, "stands", w.due(t), 100)
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := imports.Remove(tx, second.ID); return err }), ledger.ErrInSettlements)
		w.revokeAll(t)
		same(t, "counts", counted(w.one(t, second.ID).Counts.Transactions), "all 1 new 1 unassigned 0 ignored 0 existing 0 failed 0 fleet 0")
		w.remove(t, second.ID)
		same(t, "gone", w.due(t), 0)
	})
}

func TestACorrectedWeekIsReplacedAndNotBookedTwice(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		first := w.bring(t, boltName, boltWeek(t, "", ""), imports.Order{Chosen: "BOLT"})
		same(t, "due", w.due(t), 3181_50)
		second := w.upload(t, boltName, correctedBolt(t), imports.Order{Chosen: "BOLT"})
		same(t, "shown", w.changes(t, second.ID), "Łukasz Żółkiewski 2026-11-09–2026-11-15 3181.50 → 3191.50 settled 0")
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, second.ID, imports.ConfirmOptions{}); return err }), pipeline.ErrRestated)
		second = w.confirmAs(t, second.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
		same(t, "replaced", w.due(t), 3191_50)
		same(t, "the first", w.one(t, first.ID).Counts.Transactions.Replaced, 1)
		same(t, "the trail", w.count(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'imports.replace'`), 1)
		third := w.replaceWith(t, boltName, strings.ReplaceAll(correctedBolt(t), "4220.40", "4230.40"))
		same(t, "a third time", w.due(t), 3201_50)
		w.remove(t, second.ID)
		same(t, "without the second", w.due(t), 3201_50)
		w.remove(t, third.ID)
		same(t, "what the first says", w.due(t), 3181_50)
		same(t, "the first again", fmt.Sprint(counted(w.one(t, first.ID).Counts.Transactions), w.one(t, first.ID).Counts.Transactions.Replaced), fmt.Sprint(counted(first.Counts.Transactions), 0))
		w.remove(t, first.ID)
		same(t, "nothing", w.due(t)+w.count(t, `SELECT COUNT(*) FROM replaced_rows WHERE tenant_id = $1`), 0)
	})
}

func TestACorrectedWeekCanBeBookedBesideOnPurpose(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		w.bring(t, boltName, boltWeek(t, "", ""), imports.Order{Chosen: "BOLT"})
		w.bring(t, boltName, correctedBolt(t), imports.Order{Chosen: "BOLT"})
		same(t, "both", w.due(t), 7401_90)
	})
}

// A month stands as one sum, and a week of it comes: replacing would lose the other weeks. A month over its weeks replaces them.
func TestReplace_IsRefusedWhereTheFileCoversOnlyAPart(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		month := imports.Order{Chosen: "BOLT", DatesFrom: "2026-11-01", DatesTo: "2026-11-30"}
		week := imports.Order{Chosen: "BOLT", DatesFrom: "2026-11-09", DatesTo: "2026-11-15"}
		const plain = "Zarobki na kierowcę-Demo.csv"
		w.bring(t, plain, boltWeek(t, "", ""), month)
		part := w.upload(t, plain, correctedBolt(t), week)
		same(t, "partly", fmt.Sprint(w.preview(t, part.ID).Changes.Partly, w.preview(t, part.ID).Changes.Drivers[0].Partly), "1 true")
		refusedWith(t, w.change(func(tx *db.Tx) error {
			_, err := w.Confirm(tx, part.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
			return err
		}), pipeline.ErrPartlyCovered)
		same(t, "nothing happened", w.due(t), 3181_50)
		same(t, "it still waits", w.one(t, part.ID).Status, imports.InPreview)
		w.confirmAs(t, part.ID, imports.ConfirmOptions{Restated: pipeline.Beside})
		same(t, "beside, on purpose", w.due(t), 3181_50+3191_50)

		w.driver(t, "Ewa", "Bąk", "ewa@example.com", "")
		of := strings.NewReplacer("lukasz.z@example.com", "ewa@example.com", "Łukasz", "Ewa", "Żółkiewski", "Bąk", "+48500000101", "+48500000999",
			"b083c8b5", "b083c8b6", "c3ed562e", "c3ed562f")
		before := w.due(t)
		w.bring(t, plain, of.Replace(boltWeek(t, "", "")), week)
		whole := w.upload(t, plain, of.Replace(correctedBolt(t)), month)
		same(t, "not partly", w.preview(t, whole.ID).Changes.Partly, 0)
		w.confirmAs(t, whole.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
		same(t, "the month alone", w.due(t)-before, 3191_50)
	})
}

// A file whose preview was shown before a month was booked may not replace it either.
func TestReplace_IsRefusedForWhatWasBookedAfterThePreview(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		const plain = "Zarobki na kierowcę-Demo.csv"
		part := w.upload(t, plain, correctedBolt(t), imports.Order{Chosen: "BOLT", DatesFrom: "2026-11-09", DatesTo: "2026-11-15"})
		w.bring(t, plain, boltWeek(t, "", ""), imports.Order{Chosen: "BOLT", DatesFrom: "2026-11-01", DatesTo: "2026-11-30"})
		late := w.confirmAs(t, part.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
		same(t, "the month stands", w.due(t), 3181_50)
		if late.Status == imports.Success {
			t.Errorf("the part is %s %s", late.Status, late.Fault)
		}
	})
}

func TestASettledWeekIsCorrectedByTheDifference(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		open := func() []string {
			return w.lines(t, `SELECT type || ' ' || CAST(amount AS TEXT) || ' ' || occurred_on FROM transactions WHERE tenant_id = $1 AND settlement_id = ''`)
		}
		first := w.bring(t, boltName, boltWeek(t, "", ""), imports.Order{Chosen: "BOLT"})
		w.settleAll(t, "s-1")
		second := w.upload(t, boltName, correctedBolt(t), imports.Order{Chosen: "BOLT"})
		same(t, "shown", w.changes(t, second.ID), "Łukasz Żółkiewski 2026-11-09–2026-11-15 3181.50 → 3191.50 settled 1")
		second = w.confirmAs(t, second.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
		same(t, "the difference", open(), []string{"TRIP 1000 2026-11-15"})
		var page ledger.Page
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			page, err = ledger.List(tx, ledger.Filter{DriverID: driver, State: "unsettled"})
			return err
		})
		if len(page.Transactions) != 1 || page.Transactions[0].Corrects == "" || page.Transactions[0].CorrectedAmount != 4210_40 {
			t.Errorf("the row does not say what it corrects: %+v", page.Transactions)
		}
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := imports.Remove(tx, first.ID); return err }), ledger.ErrInSettlements)
		// the correction is corrected before and after it is settled
		third := w.replaceWith(t, boltName, strings.ReplaceAll(correctedBolt(t), "4220.40", "4190.40"))
		same(t, "against what was settled", open(), []string{"TRIP -2000 2026-11-15"})
		w.settleAll(t, "s-2")
		fourth := w.replaceWith(t, boltName, strings.ReplaceAll(correctedBolt(t), "4220.40", "4215.40"))
		same(t, "against both", open(), []string{"TRIP 2500 2026-11-15"})
		same(t, "all of it", w.due(t), 3186_50)
		w.remove(t, fourth.ID)
		same(t, "undone", fmt.Sprint(open(), w.due(t)), "[] 316150")
		w.remove(t, second.ID)
		w.revokeAll(t)
		same(t, "nothing is settled", fmt.Sprint(w.due(t), w.count(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND corrects <> ''`)), "316150 0")
		w.remove(t, third.ID)
		same(t, "the first", w.due(t), 3181_50)
		w.remove(t, first.ID)
		same(t, "nothing", w.due(t), 0)
	})
}

func TestAMovementThatTheProviderChangedIsShownWithOldAndNew(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		w.driver(t, "Ewa", "Lis", "ewa@example.com", "")
		uber := imports.Order{Chosen: "UBER"}
		line := func(who, day, amount, external string) string {
			return "x;;;" + who + "@example.com;;;" + day + ";;;TRIP;" + amount + ";" + external + ";\n"
		}
		first := w.bring(t, "1.csv", smallHead+"week\n"+line("oleh", "2026-11-02", "10", "t-1")+line("oleh", "2026-11-03", "20", "t-2")+line("oleh", "2026-11-03", "30", "t-3"), uber)
		changed := smallHead + "week\n" + line("oleh", "2026-11-02", "12", "t-1") + line("ewa", "2026-11-03", "20", "t-2") + line("oleh", "2026-11-04", "30", "t-3") + line("oleh", "2026-11-04", "1", "t-4")
		second := w.upload(t, "2.csv", changed, uber)
		rows := []string{}
		for _, r := range w.preview(t, second.ID).Changes.Rows {
			rows = append(rows, fmt.Sprint(r.Line, " ", r.Old, " ", r.New, " ", r.OldOn, " ", r.NewOn))
		}
		same(t, "old and new", rows, []string{"2 10.00 12.00 2026-11-02 2026-11-02", "3 20.00 20.00 2026-11-03 2026-11-03", "4 30.00 30.00 2026-11-03 2026-11-04"})
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, second.ID, imports.ConfirmOptions{}); return err }), pipeline.ErrRestated)
		second = w.confirmAs(t, second.ID, imports.ConfirmOptions{Restated: pipeline.Replace})
		want := []string{"Babiak UBER TRIP 100 2026-11-04  ", "Babiak UBER TRIP 1200 2026-11-02  ", "Babiak UBER TRIP 3000 2026-11-04  ", "Lis UBER TRIP 2000 2026-11-03  "}
		same(t, "booked", w.booked(t), want)
		again := w.upload(t, "3.csv", changed+"\n", uber)
		same(t, "again", counted(again.Counts.Transactions), "all 4 new 0 unassigned 0 ignored 0 existing 4 failed 0 fleet 0")
		w.confirmAs(t, again.ID, imports.ConfirmOptions{})
		w.remove(t, first.ID)
		w.remove(t, second.ID)
		same(t, "without the first two", w.booked(t), want)
		w.remove(t, again.ID)
		same(t, "nothing", w.due(t), 0)
	}, small("UBER", "weekly", "week", nil))
}

func TestTheSameWeekInAnotherLanguageBringsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		polish := boltWeek(t, "", "")
		english := strings.NewReplacer("Zarobki brutto (ogółem)", "Gross earnings (total)", "Zarobki brutto (płatności w aplikacji)", "Gross earnings (in-app payment)",
			"Zarobki brutto (płatności gotówkowe)", "Gross earnings (cash payment)", "Pobrana gotówka", "Collected cash", "Napiwki od pasażerów", "Rider tips",
			"Zarobki z kampanii", "Campaign earnings", "Opłaty za anulowanie", "Cancellation fees", "Prowizje", "Commissions", "Opłaty ogółem", "Total fees", `"590.00"`, `"590"`).Replace(polish)
		first := w.bring(t, boltName, polish, imports.Order{Chosen: "BOLT"})
		second := w.upload(t, "Earnings per driver-2026W46-Demo.csv", english, imports.Order{Chosen: "BOLT", DatesFrom: "2026-11-09", DatesTo: "2026-11-15"})
		same(t, "shown", counted(second.Counts.Transactions), "all 8 new 0 unassigned 0 ignored 0 existing 8 failed 0 fleet 0")
		same(t, "changes", w.changes(t, second.ID), "")
		if !slices.ContainsFunc(w.preview(t, second.ID).Warnings, func(x pipeline.Warning) bool { return x.Code == pipeline.WarnNothing }) {
			t.Error("nobody says that the week is there already")
		}
		second = w.confirmAs(t, second.ID, imports.ConfirmOptions{})
		same(t, "done", string(second.Status)+" "+counted(second.Counts.Transactions), "success all 8 new 0 unassigned 0 ignored 0 existing 8 failed 0 fleet 0")
		same(t, "due", w.due(t), 3181_50)
		w.remove(t, first.ID)
		same(t, "the other language", w.due(t), 3181_50)
		w.remove(t, second.ID)
		same(t, "nothing", w.due(t), 0)
	})
}

func TestTwoPeopleWhoReplaceAtOnceDoNotDouble(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Łukasz", "Żółkiewski", "lukasz.z@example.com", "")
		w.bring(t, boltName, boltWeek(t, "", ""), imports.Order{Chosen: "BOLT"})
		one := w.upload(t, boltName, correctedBolt(t), imports.Order{Chosen: "BOLT"})
		other := w.upload(t, boltName, correctedBolt(t)+"\n", imports.Order{Chosen: "BOLT"})
		var both sync.WaitGroup
		for _, id := range []string{one.ID, other.ID} {
			both.Go(func() {
				err := w.change(func(tx *db.Tx) error {
					_, err := w.Confirm(tx, id, imports.ConfirmOptions{Restated: pipeline.Replace})
					return err
				})
				if err != nil && !errors.As(err, new(*fault.Fault)) {
					t.Error(err)
				}
			})
		}
		both.Wait()
		for _, id := range []string{one.ID, other.ID} {
			same(t, "status", w.until(t, id, imports.Running).Status, imports.Success)
		}
		same(t, "due", w.due(t), 3191_50)
		w.remove(t, one.ID)
		same(t, "the other one still stands", w.due(t), 3191_50)
		w.remove(t, other.ID)
		same(t, "the first", w.due(t), 3181_50)
	})
}

func TestALargeFileIsRemovedInAJobThatGoesOnAfterItWasKilled(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine)
			stop := w.work(t)
			w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
			before := w.bring(t, "before.csv", head+row("2026-11-02", "oleh@example.com", "", "TRIP", "7", "1"), imports.Order{})
			var b strings.Builder
			b.WriteString(head)
			for n := range 3*imports.RemovedAtOnce + 10 {
				b.WriteString(row("2026-11-02", []string{"oleh@example.com", "ghost"}[n%2], "", "TRIP", "7", fmt.Sprint(n)))
			}
			i := w.bring(t, "large.csv", b.String(), imports.Order{})
			stop()
			w.remove(t, i.ID)
			same(t, "at first", w.one(t, i.ID).Status, imports.Removing)
			var going bool
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { going, err = imports.RemovalGoesOn(tx); return err })
			same(t, "goes on", going, true)
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { // a process was killed in the middle
				_, err := tx.Exec(`UPDATE jobs SET state = 'running', attempts = 1, fence = 1, lease_until = '' WHERE tenant_id = $1 AND kind = 'imports.remove'`)
				return err
			})
			w.work(t)
			i = w.until(t, i.ID, imports.Removing)
			same(t, "removed", i.Status, imports.Removed)
			same(t, "left", fmt.Sprint(w.due(t), len(w.waiting(t))), "700 0")
			w.remove(t, before.ID)
			same(t, "nothing", w.due(t), 0)
		})
	}
}

func TestRemove_GoesOnAfterItsJobFailed(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine)
			stop := w.work(t)
			w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
			var b strings.Builder
			b.WriteString(head)
			for n := range imports.RemovedAtOnce + 1 {
				b.WriteString(row("2026-11-02", "oleh@example.com", "", "TRIP", "7", fmt.Sprint(n)))
			}
			i := w.bring(t, "large.csv", b.String(), imports.Order{})
			stop()
			w.remove(t, i.ID)
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE jobs SET state = 'failed', attempts = 10, finished_at = $2 WHERE tenant_id = $1 AND kind = 'imports.remove'`, tx.Now)
				return err
			})
			var p *imports.Progress
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { p, err = w.ProgressOf(tx, w.one(t, i.ID)); return err })
			same(t, "its progress says", p.State, jobs.Failed)
			w.remove(t, i.ID)
			w.work(t)
			same(t, "removed", w.until(t, i.ID, imports.Removing).Status, imports.Removed)
			same(t, "left", w.due(t), 0)
		})
	}
}

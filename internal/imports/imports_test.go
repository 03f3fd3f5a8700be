package imports_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/imports/counts"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/providers"
	"saldo/internal/imports/statement"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

var ctx = context.Background()

// anna is the partner whose files they are.
var anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}

// fixture is a fleet with its files over one database.
type fixture struct {
	*imports.Service
	db        *db.DB
	clock     *testkit.Clock
	unmatched unmatched.Service
}

func newFixture(t *testing.T, engine string, layouts ...statement.Layout) *fixture {
	t.Helper()
	return newFixtureIn(t, engine, "pl", layouts...)
}

// newFixtureIn is a fixture of one of the instances.
func newFixtureIn(t *testing.T, engine, country string, layouts ...statement.Layout) *fixture {
	t.Helper()
	settings := testkit.Settings(t, engine)
	clock := testkit.NewClock()
	settings.Clock = clock.Now
	d := testkit.Open(t, settings)
	instance, err := config.InstanceOf(country)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	store, err := blob.Open("", t.TempDir(), v)
	if err != nil {
		t.Fatal(err)
	}
	book := drivers.Service{Vault: v, Country: strings.ToUpper(country), Language: i18n.Language(instance.Language)}
	w := &fixture{&imports.Service{DB: d, Blobs: store, Instance: instance, Layouts: append(layouts, providers.Layouts()...)}, d, clock,
		unmatched.Service{Drivers: book}}
	testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 10)
	})
	return w
}

func each(t *testing.T, test func(t *testing.T, w *fixture), layouts ...statement.Layout) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t, engine, layouts...)
			w.work(t)
			test(t, w)
		})
	}
}

// work runs the jobs until the test ends or stop is called.
func (w *fixture) work(t *testing.T, settings ...func(*jobs.Queue)) (stop func()) {
	t.Helper()
	q := jobs.NewQueue(w.db, slog.New(slog.DiscardHandler))
	q.Poll = 5 * time.Millisecond
	for _, set := range settings {
		set(q)
	}
	q.Handle(imports.AnalyzeKind, w.Analyze)
	q.Handle(imports.ConfirmKind, w.Import)
	q.OnFailure(imports.AnalyzeKind, imports.OnFailure)
	q.OnFailure(imports.ConfirmKind, imports.OnFailure)
	q.Handle(imports.SweepKind, w.Sweep)
	q.Handle(imports.RemoveKind, w.TakeBack)
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 4) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// upload brings a file as far as its preview.
func (w *fixture) upload(t testing.TB, name, content string, o imports.Order) imports.Import {
	t.Helper()
	if o.Chosen == "" {
		o.Chosen = "PARTNER"
	}
	up, err := w.Upload(ctx, anna, imports.Upload{Name: name, Content: strings.NewReader(content), Size: int64(len(content)), Order: o})
	if err != nil {
		t.Fatal(err)
	}
	i := up.Import
	if i.Status == imports.Analyzing {
		i = w.until(t, i.ID, imports.Analyzing)
	}
	return i
}

// until waits for an import to leave a status.
func (w *fixture) until(t testing.TB, id string, leaves imports.Status) (i imports.Import) {
	t.Helper()
	testkit.Eventually(t, "the import leaves "+string(leaves), func() bool {
		i = w.one(t, id)
		return i.Status != leaves
	})
	return i
}

func (w *fixture) one(t testing.TB, id string) (i imports.Import) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { i, err = imports.Of(tx, id); return err })
	return i
}

func (w *fixture) preview(t testing.TB, id string) (s pipeline.Preview) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { s, err = imports.PreviewOf(tx, id); return err })
	return s
}

func (w *fixture) confirm(t testing.TB, id, as string) imports.Import {
	t.Helper()
	return w.confirmAs(t, id, imports.ConfirmOptions{BookedAs: as, Restated: pipeline.Beside})
}

func (w *fixture) confirmAs(t testing.TB, id string, options imports.ConfirmOptions) imports.Import {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.Confirm(tx, id, options); return err })
	return w.until(t, id, imports.Running)
}

// bring uploads and confirms.
func (w *fixture) bring(t testing.TB, name, content string, o imports.Order) imports.Import {
	t.Helper()
	i := w.upload(t, name, content, o)
	if i.Status != imports.InPreview {
		t.Fatalf("%s is %s %s", name, i.Status, i.Fault)
	}
	return w.confirm(t, i.ID, "")
}

func (w *fixture) change(fn func(tx *db.Tx) error) error { return w.db.Write(ctx, anna, fn) }

// driver writes a driver down.
func (w *fixture) driver(t testing.TB, first, last, email, phone string, identities ...drivers.Identity) (id string) {
	t.Helper()
	testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
		ids, err := w.unmatched.Drivers.AddMany(tx, []drivers.NewDriver{{Details: drivers.Details{FirstName: first, LastName: last, Email: email, Phone: phone}, Identities: identities}})
		if err == nil {
			id = ids[0]
		}
		return err
	})
	return id
}

// booked are all transactions, as "driver provider type amount day span description", in order.
func (w *fixture) booked(t testing.TB) []string {
	t.Helper()
	return w.lines(t, `SELECT COALESCE(d.last_name, '') || ' ' || r.provider || ' ' || r.type || ' ' || CAST(r.amount AS TEXT) || ' ' || r.occurred_on || ' ' || r.span_from || ' ' || r.description
		FROM transactions r JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id WHERE r.tenant_id = $1`)
}

// waiting are the rows that are no driver's, likewise.
func (w *fixture) waiting(t testing.TB) []string {
	t.Helper()
	return w.lines(t, `SELECT COALESCE(i.key_value, 'fleet') || ' ' || COALESCE(i.state, '') || ' ' || r.type || ' ' || CAST(r.amount AS TEXT) || ' ' || r.occurred_on
		FROM unmatched_rows r LEFT JOIN unmatched_drivers i ON i.tenant_id = r.tenant_id AND i.id = r.identity_id WHERE r.tenant_id = $1`)
}

func (w *fixture) lines(t testing.TB, text string) (lines []string) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { lines, err = db.Select[string](tx, text); return err })
	slices.Sort(lines)
	return lines
}

func (w *fixture) count(t testing.TB, text string) (n int64) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { n, err = db.One[int64](tx, text); return err })
	return n
}

const head = "date;driver_identifier;driver_name;type;amount;currency;payment_method;description;document_number\n"

// row is a row of the template.
func row(day, who, name, typ, amount, text string) string {
	return fmt.Sprintf("%s;%s;%s;%s;%s;PLN;;%s;\n", day, who, name, typ, amount, text)
}

func counted(c counts.Rows) string {
	return fmt.Sprintf("all %d new %d unassigned %d ignored %d existing %d failed %d fleet %d", c.All, c.New, c.Unassigned, c.Ignored, c.Existing, c.Failed, c.Fleet)
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: %s instead of %s", what, g, w)
	}
}

func refusedWith(t testing.TB, err error, want *fault.Fault) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v instead of %v", err, want)
	}
}

func TestAFileIsBookedOnlyWhenItIsConfirmed(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		content := head + row("2026-11-02", "oleh@example.com", "Oleh", "TRIP", "12,34", "Kurs") + row("2026-11-02", "oleh@example.com", "Oleh", "TRIP", "12,34", "Kurs") +
			row("2026-11-03", "X1", "Jan Nowak", "COST", "-5", "Mandat") + row("2026-11-03", "oleh@example.com", "", "TRIP", "abc", "")
		i := w.upload(t, "a.csv", content, imports.Order{})
		same(t, "status", i.Status, imports.InPreview)
		same(t, "recognised", i.Provider+" "+i.Kind+" "+i.Encoding+" "+i.Delimiter, "PARTNER template UTF-8 ;")
		same(t, "period", string(i.PeriodFrom+i.PeriodTo)+i.PeriodSource, "2026-11-022026-11-03rows")
		want := "all 4 new 2 unassigned 1 ignored 0 existing 0 failed 1 fleet 0"
		same(t, "expected", counted(i.Counts.Transactions), want)
		same(t, "drivers", i.Counts.Drivers, counts.People{All: 2, New: 1, Existing: 1})
		preview := w.preview(t, i.ID)
		same(t, "rows shown", len(preview.Rows), 4)
		same(t, "row errors", fmt.Sprint(preview.RowErrors), "[{wrong_amount 1 [{wrong_amount 5 amount abc -1234.56 / -1234,56}]}]")
		same(t, "matched by", preview.Matches.By, map[string]int64{"email": 1})
		same(t, "strangers", preview.Matches.Unassigned[0].Name, "Jan Nowak")
		same(t, "totals", i.Totals, "[{TRIP 2 24.68 2 24.68} {COST 1 -5.00 1 -5.00}]")
		if len(w.booked(t))+len(w.waiting(t)) != 0 {
			t.Error("a preview booked something")
		}
		i = w.confirm(t, i.ID, "")
		same(t, "status", i.Status, imports.Success)
		same(t, "counts", counted(i.Counts.Transactions), want)
		same(t, "drivers", i.Counts.Drivers, counts.People{All: 2, New: 1, Existing: 1})
		same(t, "booked", w.booked(t), []string{"Babiak PARTNER TRIP 1234 2026-11-02  Kurs", "Babiak PARTNER TRIP 1234 2026-11-02  Kurs"})
		same(t, "waiting", w.waiting(t), []string{"x1 waiting COST -500 2026-11-03"})
		var page imports.RowPage
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { page, err = imports.RowsOf(tx, i.ID, imports.RowsFrom{}, 2); return err })
		if len(page.Rows) != 2 || page.Next == "" || page.Rows[1].SourceRow != 3 || page.Rows[0].State != imports.RowBooked {
			t.Errorf("%+v", page)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
			page, err = imports.RowsOf(tx, i.ID, imports.RowsFrom{After: page.Next}, 2)
			return err
		})
		if len(page.Rows) != 1 || page.Next != "" || page.Rows[0].State != imports.RowUnassigned || page.Rows[0].LastName != "Jan Nowak" {
			t.Errorf("%+v", page)
		}
	})
}

func TestAFileWhoseMoneyIsFarFromTheOneBeforeIsShownWithBoth(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		warned := func(first, last, amount string) string {
			i := w.upload(t, first+".csv", head+row(first, "oleh@example.com", "", "TRIP", amount, "")+row(last, "oleh@example.com", "", "TRIP", "0,01", "")+
				row(last, "oleh@example.com", "", "PAYOUT", "-9999", ""), imports.Order{})
			found := ""
			for _, warning := range w.preview(t, i.ID).Warnings {
				if warning.Code == pipeline.WarnMoney {
					found += warning.Found + " after " + warning.Expected
				}
			}
			w.confirm(t, i.ID, "")
			return found
		}
		same(t, "the first", warned("2026-10-05", "2026-10-11", "100"), "")
		same(t, "half more", warned("2026-10-12", "2026-10-18", "150"), "")
		same(t, "less than half", warned("2026-10-19", "2026-10-25", "70"), "7001 after 15001")
		same(t, "another length", warned("2026-10-26", "2026-10-27", "900"), "")
		same(t, "more than half more", warned("2026-11-02", "2026-11-08", "110"), "11001 after 7001")
	})
}

func TestTheSameContentIsDuplicatedAndComesAgainOnlyWhenAllowed(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		content := head + row("2026-11-02", "oleh@example.com", "", "TRIP", "1", "") + row("2026-11-02", "X", "", "TRIP", "2", "")
		first := w.bring(t, "a.csv", content, imports.Order{})
		again := w.upload(t, "b.csv", content, imports.Order{})
		same(t, "status", string(again.Status)+again.DuplicateOf, "duplicated"+first.ID)
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, again.ID, imports.ConfirmOptions{}); return err }), imports.ErrDuplicated)
		other := w.bring(t, "c.csv", content+"\n", imports.Order{})
		same(t, "other bytes, same rows", counted(other.Counts.Transactions), "all 2 new 0 unassigned 0 ignored 0 existing 2 failed 0 fleet 0")
		allowed := w.bring(t, "d.csv", content, imports.Order{AllowDuplicates: true})
		same(t, "allowed", counted(allowed.Counts.Transactions), "all 2 new 1 unassigned 1 ignored 0 existing 0 failed 0 fleet 0")
		same(t, "visible as such", allowed.DuplicateOf, first.ID)
		if w.preview(t, allowed.ID).Warnings[0].Code != pipeline.WarnDuplicate || len(w.booked(t)) != 2 || len(w.waiting(t)) != 2 {
			t.Error(w.preview(t, allowed.ID).Warnings, w.booked(t), w.waiting(t))
		}
		// allowing what is no duplicate allows nothing
		overlapping := w.bring(t, "e.csv", content+row("2026-11-03", "oleh@example.com", "", "TRIP", "1", ""), imports.Order{AllowDuplicates: true})
		same(t, "overlapping", counted(overlapping.Counts.Transactions), "all 3 new 1 unassigned 0 ignored 0 existing 2 failed 0 fleet 0")
	})
}

// generated is a file of the template with rows drawn from a small world, so that rows repeat and files overlap.
func generated(seed, rows int) string {
	var b strings.Builder
	b.WriteString(head)
	state := uint32(seed)*2654435761 + 1
	next := func(n int) int { state = state*1664525 + 1013904223; return int(state>>8) % n }
	for range rows {
		who := []string{"oleh@example.com", "+48500100200", "ghost-1", "ghost-2"}[next(4)]
		b.WriteString(row(fmt.Sprintf("2026-11-%02d", 1+next(5)), who, "", []string{"TRIP", "TIP"}[next(2)], fmt.Sprint(1+next(3)), []string{"", "a"}[next(2)]))
	}
	return b.String()
}

// state is everything that files brought, whichever brought it.
func (w *fixture) state(t testing.TB) string {
	return strings.Join(w.booked(t), "\n") + "\n--\n" + strings.Join(w.waiting(t), "\n")
}

func TestImportsFollowTheirLaws(t *testing.T) {
	files := []string{generated(1, 40), generated(2, 40), generated(3, 10), generated(4, 60)}
	files = append(files, files[0]+strings.TrimPrefix(files[2], head)) // overlaps two others
	run := func(t *testing.T, engine string, order []int, law func(w *fixture)) string {
		w := newFixture(t, engine)
		w.work(t)
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		w.driver(t, "Anna", "Cicha", "", "+48500100200")
		for _, n := range order {
			w.bring(t, fmt.Sprint(n, ".csv"), files[n], imports.Order{})
		}
		if law != nil {
			law(w)
		}
		return w.state(t)
	}
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			want := run(t, engine, []int{0, 1, 2, 3, 4}, nil)
			for _, order := range [][]int{{4, 3, 2, 1, 0}, {2, 4, 0, 3, 1}} {
				same(t, "any order", run(t, engine, order, nil), want)
			}
			run(t, engine, []int{0, 1, 2, 3, 4}, func(w *fixture) {
				for n, f := range files {
					i := w.bring(t, fmt.Sprint("again", n), f+"\n", imports.Order{})
					if c := i.Counts.Transactions; c.New+c.Unassigned != 0 || c.Existing != c.All {
						t.Errorf("again: %+v", c)
					}
				}
				same(t, "again", w.state(t), want)
			})
			before := run(t, engine, []int{0, 1, 2}, nil)
			run(t, engine, []int{0, 1, 2}, func(w *fixture) {
				i := w.bring(t, "3.csv", files[3], imports.Order{})
				if w.state(t) == before {
					t.Error("the file brought nothing")
				}
				testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := imports.Remove(tx, i.ID); return err })
				same(t, "removed", w.state(t), before)
				same(t, "status", w.one(t, i.ID).Status, imports.Removed)
				refusedWith(t, w.change(func(tx *db.Tx) error { _, err := imports.Remove(tx, i.ID); return err }), imports.ErrNotImported)
				first := w.bring(t, "3.csv", files[3], imports.Order{})
				same(t, "as if first", fmt.Sprint(first.Counts, first.DuplicateOf), fmt.Sprint(i.Counts, ""))
			})
		})
	}
}

func TestAFileWhoseLastTryDiedHasFailed(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w := newFixture(t, engine)
			i := w.upload(t, "week.csv", "date;driver_identifier;type;amount\n2026-11-02;x1;COST;-5\n", imports.Order{})
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
				if _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); err != nil {
					return err
				}
				// a process was killed during the last try
				_, err := tx.Exec(`UPDATE jobs SET state = 'running', attempts = max_attempts, fence = 1, lease_until = '' WHERE tenant_id = $1`)
				return err
			})
			w.work(t)
			i = w.until(t, i.ID, imports.Running)
			if i.Status != imports.Failed || i.Fault != imports.ErrJobFailed.Code || i.FinishedAt.IsZero() || len(w.booked(t))+len(w.waiting(t)) != 0 {
				t.Errorf("%+v", i)
			}
		})
	}
}

func TestEightConfirmationsImportOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
		i := w.upload(t, "a.csv", generated(7, 500), imports.Order{})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, i.ID, imports.ConfirmOptions{}); return err }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		done := w.until(t, i.ID, imports.Running)
		same(t, "status", done.Status, imports.Success)
		same(t, "rows", int64(len(w.booked(t))+len(w.waiting(t))), done.Counts.Transactions.All)
		same(t, "jobs", w.count(t, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = 'imports.confirm'`), 1)
		same(t, "imported", w.count(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'imports.import'`), 1)
	})
}

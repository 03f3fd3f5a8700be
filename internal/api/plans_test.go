package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/reports/stats"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

// fullScans are the statements that read a whole large table, by what they contain, with the reason.
var fullScans = map[string]string{}

// large are the tables that grow with every week or every fleet.
var large = []string{"transactions", "settlements", "drivers", "day_totals", "driver_weeks", "settlement_weeks"}

// No statement that runs for a request or for a driver reads a whole large table, at 100,000 transactions. The plans of SQLite are the same
// at 5,000, as it has no statistics (analyze): only a longer run makes as many there.
func TestPlans_ReadNoLargeTableWhole(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		drivers := 1000 // with 100 transactions each
		if w.app.DB().Engine() == "sqlite" && testkit.Soak() == 1 {
			drivers = 50
		}
		if err := w.app.Populate(t.Context(), "north", drivers, func(int) {}); err != nil {
			t.Fatal(err)
		}
		var mutex sync.Mutex
		statements := map[string][]any{}
		w.app.DB().Observe(func(text string, args []any) {
			mutex.Lock()
			defer mutex.Unlock()
			if statements[text] == nil {
				statements[text] = slices.Clone(args)
			}
		})
		w.monday(t)
		testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			_, err := settlements.SharedWith(tx, "somebody", "", 60)
			return err
		})
		w.app.DB().Observe(func(string, []any) {})
		w.analyze(t)
		looked := 0
		for _, text := range slices.Sorted(maps.Keys(statements)) {
			plan := w.plan(t, text, statements[text])
			if plan == nil {
				continue
			}
			looked++
			for _, table := range wholly(plan, text) {
				if !slices.ContainsFunc(slices.Collect(maps.Keys(fullScans)), func(part string) bool { return strings.Contains(text, part) }) {
					t.Errorf("%s is read whole by\n%s\n%s", table, text, strings.Join(plan, "\n"))
				}
			}
		}
		if w.app.DB().Engine() == "sqlite" {
			// of one driver only the settlements of that driver are read: those of a fleet are two hundred a driver after four years
			own := 0
			for text, args := range statements {
				if !strings.Contains(text, "s.shared_at <> '' AND s.last_on >=") {
					continue
				}
				own++
				if !strings.Contains(strings.Join(w.plan(t, text, args), "\n"), "driver_id=?") {
					t.Errorf("the settlements of everybody are read for one driver by\n%s\n%s", text, strings.Join(w.plan(t, text, args), "\n"))
				}
			}
			if own == 0 {
				t.Error("no driver asked for settlements")
			}
		}
		planted := "SELECT d.id FROM drivers d WHERE d.account_holder = $1"
		if found := wholly(w.plan(t, planted, []any{"Jan"}), planted); !slices.Equal(found, []string{"drivers"}) {
			t.Errorf("a statement without an index is not found: %v", found)
		}
		if looked < 60 {
			t.Errorf("looked at %d plans only", looked)
		}
		t.Logf("%d plans of %d statements", looked, len(statements))
	})
}

// monday asks for what a clerk and a driver look at, and settles some drivers.
func (w *world) monday(t *testing.T) {
	t.Helper()
	var list struct{ Drivers []struct{ ID string } }
	w.call(t, "partner", "GET", "/api/drivers?size=40", nil, &list)
	driver := list.Drivers[0].ID
	get := func(who string, paths ...string) {
		for _, path := range paths {
			if status, text := w.call(t, who, "GET", path, nil, nil); status != 200 {
				t.Errorf("%s answers %d %s", path, status, text)
			}
		}
	}
	get("partner", "/api/drivers", "/api/drivers?page=9&q=now", "/api/drivers?q="+url.QueryEscape("+48600"), "/api/drivers/"+driver, "/api/drivers/"+driver+"/history",
		"/api/transactions?driverUUID="+driver, "/api/settlements/periods", "/api/settlements/limits", "/api/imports", "/api/imports/coverage",
		"/api/overview", "/api/settlement-schemas", "/api/settlement-schemas/1/drivers", "/api/tags", "/api/jobs", "/api/driver-profiles")
	w.feature(t, "north", true)
	get("partner", driverFuel(driver))
	var periods struct{ Periods []struct{ Code string } }
	w.call(t, "partner", "GET", "/api/settlements/periods", nil, &periods)
	period := periods.Periods[1].Code
	get("partner", "/api/settlements/pending?period="+period, "/api/settlements/pending/payable?period="+period,
		"/api/drivers/"+driver+"/pending-settlement?period="+period)
	ids := []string{}
	for _, d := range list.Drivers {
		ids = append(ids, d.ID)
	}
	var run struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": period, "drivers": ids[:5]}, &run); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs/"+run.ID+"/start", map[string]any{"share": true}, nil); status > 299 {
		t.Fatalf("%d %s", status, text)
	}
	var settled struct {
		Items []struct {
			ID     string
			Number int64
		}
	}
	w.call(t, "partner", "GET", "/api/settlements?state=settled", nil, &settled)
	if len(settled.Items) == 0 {
		t.Fatal("nothing is settled")
	}
	one := settled.Items[0].ID
	get("partner", "/api/settlements/"+one+"/place?state=settled&sort=name", "/api/settlements/"+one+"/place?state=settled", "/api/drivers/"+driver+"/place")
	get("partner", "/api/settlements/"+one+"/timeline", "/api/drivers/"+driver+"/pending-timeline?period="+period)
	get("partner", "/api/settlements/"+one, "/api/settlements/"+one+"/documents", "/api/settlements/"+one+"/undoing",
		"/api/settlements?state=paid", "/api/payout-batches", "/api/billing-documents", "/api/summaries")
	get("partner", "/api/stats/partner", "/api/stats/partner?from=2026-01-01&to=2026-12-31")
	get("driver", "/api/stats/driver?weeks=53")
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": periods.Periods[2].Code, "drivers": ids[:1]}, &run); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs/"+run.ID+"/start", map[string]any{"share": true}, nil); status > 299 {
		t.Fatalf("%d %s", status, text)
	}
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error { // whoever has settled periods
		instance, err := config.InstanceOf("pl")
		if err != nil {
			return err
		}
		d, err := stats.OfDriver(tx, instance, driver, 53, calendar.DateOf(tx.Now, instance.Location(), 0))
		if d.SettledPeriods < 2 {
			t.Errorf("%d periods of the driver are settled", d.SettledPeriods)
		}
		return err
	})
	get("driver", "/api/driver-accounts/settlements", "/api/driver-accounts", "/api/driver-accounts/next-payout")
}

// analyze is what PostgreSQL does by itself. SQLite has no statistics, here as in production: with them it read settlements or drivers whole
// in 18 of 84 statements, as one fleet is nearly all of its file, and went on so while the tables grew.
func (w *world) analyze(t *testing.T) {
	t.Helper()
	if err := w.app.DB().Write(t.Context(), access.Program("test"), func(tx *db.Tx) error {
		if w.app.DB().Engine() == "postgres" {
			_, err := tx.Across().Exec("ANALYZE")
			return err
		}
		known, err := db.One[int64](tx.Across(), "SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'")
		if known != 0 {
			t.Error("SQLite has statistics: these are other plans than those of production")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

var statement = regexp.MustCompile(`(?i)^\s*(SELECT|WITH|UPDATE|DELETE|INSERT)\b`)

// plan is how the engine would run a statement, a line for each step; nil where it is no statement that has a plan.
func (w *world) plan(t *testing.T, text string, args []any) (plan []string) {
	t.Helper()
	if !statement.MatchString(text) {
		return nil
	}
	err := w.app.DB().Write(t.Context(), access.Program("test"), func(tx *db.Tx) (err error) {
		if w.app.DB().Engine() == "sqlite" {
			rows, err := db.Select[struct {
				ID, Parent, Notused int64
				Detail              string
			}](tx.Across(), "EXPLAIN QUERY PLAN "+text, args...)
			for _, r := range rows {
				plan = append(plan, r.Detail)
			}
			return err
		}
		// a small table is read whole rather than through an index; what has no index is read whole even so
		if _, err := tx.Across().Exec("SET LOCAL enable_seqscan = off"); err != nil {
			return err
		}
		plan, err = db.Select[string](tx.Across(), "EXPLAIN "+text, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%v of %s", err, text)
	}
	return plan
}

// wholly lists the large tables that a plan reads whole. SQLite names a table by its alias.
func wholly(plan []string, text string) (tables []string) {
	for _, table := range large {
		names := []string{table}
		for _, m := range regexp.MustCompile(`\b`+table+`\s+(?:AS\s+)?([a-z]\w*)\b`).FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		for _, step := range plan {
			for _, name := range names {
				if strings.HasPrefix(step, "SCAN "+name+" ") || step == "SCAN "+name || strings.Contains(step, fmt.Sprintf("Seq Scan on %s ", table)) {
					tables = append(tables, table)
				}
			}
		}
	}
	slices.Sort(tables)
	return slices.Compact(tables)
}

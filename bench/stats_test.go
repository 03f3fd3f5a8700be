//go:build bench

package bench

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/settlements/sums"
	"saldo/internal/testkit"
)

const (
	statsDrivers = 2000
	statsWeeks   = 52
	statsRows    = 1_000_000
)

// yearOfAFleet is a fleet of 2,000 drivers with a year of rows and a settlement of every driver and week.
func yearOfAFleet(t *testing.T, h *house) (from, to calendar.Date) {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	to = calendar.PeriodOf(calendar.DateOf(time.Now(), time.UTC, 0), 1).Monday().AddDays(-1)
	from = to.AddDays(1 - 7*statsWeeks)
	var ids []string
	testkit.Write(t, h.DB(), north, func(tx *db.Tx) (err error) {
		added := make([]drivers.NewDriver, statsDrivers)
		for i := range added {
			added[i] = drivers.NewDriver{Details: drivers.Details{FirstName: "Jan", LastName: fmt.Sprintf("Kowalski %05d", i), Phone: phone(i),
				SummaryLanguage: "pl"}}
		}
		ids, err = drivers.Service{Vault: v, Country: "PL"}.AddMany(tx, added)
		return err
	})
	kinds := []struct {
		provider, typ string
		amount        money.Amount
	}{{"UBER", "TRIP", 310_00}, {"UBER", "CASH_COLLECTED", -80_00}, {"UBER", "FEE", -60_00}, {"BOLT", "TRIP", 240_00}, {"BOLT", "FEE", -50_00},
		{"BOLT", "TIP", 7_00}, {"FREENOW", "TRIP", 90_00}, {"FREENOW", "FEE", -12_00}, {"ORLEN", "FUEL", -70_00}, {"PARTNER", "COST", -9_00}}
	perWeek := statsRows / statsWeeks
	for week := range statsWeeks {
		testkit.Write(t, h.DB(), north, func(tx *db.Tx) error {
			_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
				for i := range perWeek {
					k := kinds[i/statsDrivers%len(kinds)]
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: ids[i%statsDrivers], Provider: k.provider, Type: k.typ,
						Amount: k.amount + money.Amount(i%97), Currency: "PLN", OccurredOn: from.AddDays(7*week + (i+i/statsDrivers)%7),
						Source: "import", SourceFile: "week.csv", SourceRow: int64(i + 1)}) {
						return
					}
				}
			})
			return err
		})
	}
	settle(t, h, ids, from)
	return from, to
}

// settle writes a settlement of every driver and week, with as much text as real ones have.
func settle(t *testing.T, h *house, ids []string, from calendar.Date) {
	t.Helper()
	var f engine.Figures
	for i, one := range engine.AllFigures() {
		f[one] = money.Amount(1000 + i)
	}
	f[engine.NextPeriodTransfer] = f[engine.Due] - f[engine.Payout]
	figures, err := json.Marshal(snapshot.Figures(&f))
	if err != nil {
		t.Fatal(err)
	}
	apps := `[{"provider":"BOLT","income":24000,"bonus":0,"tips":700,"cashCollected":0,"fee":5000,"workingDays":5},{"provider":"UBER","income":31000,"bonus":0,"tips":0,"cashCollected":8000,"fee":6000,"workingDays":5}]`
	testkit.Write(t, h.DB(), north, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, 'bench', '{}')`); err != nil {
			return err
		}
		_, err := tx.Insert("settlements", db.Columns(`id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state,
			absorbed_into, terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer,
			tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by,
			revoke_reason`), func(yield func([]any) bool) {
			for week := range statsWeeks {
				monday := from.AddDays(7 * week)
				for i, driver := range ids {
					if !yield([]any{tx.NewID(), week*len(ids) + i + 1, driver, "", string(calendar.PeriodOf(monday, 1)), 0, 1, string(monday),
						string(monday.AddDays(6)), "settled", "", "bench", "PLN", 10, 0, int64(f[engine.Revenue]), 80_00, int64(f[engine.Fee]),
						int64(f[engine.Due]), int64(f[engine.Payout]), int64(f[engine.NextPeriodTransfer]), 0, string(figures), apps, "[]", "", "",
						"", "", "", "", "", "", ""}) {
						return
					}
				}
			}
		})
		if err != nil {
			return err
		}
		_, err = sums.Mend(tx)
		return err
	})
}

// processor is how long this process was busy; SQLite is part of it, PostgreSQL is not.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// spent is the least of some runs in milliseconds: of the processor on SQLite, of the clock on PostgreSQL, whose work is another process's.
func spent(t *testing.T, name string, f func() error) float64 {
	t.Helper()
	least := time.Hour
	for range 7 {
		busy, at := processor(t), time.Now()
		if err := f(); err != nil {
			t.Fatal(err)
		}
		took := processor(t) - busy
		if name == "postgres" {
			took = time.Since(at)
		}
		least = min(least, took)
	}
	return float64(least.Microseconds()) / 1000
}

// Ours: /api/stats/partner over HTTP. Anchor: the same statements with nothing around them, their rows read and thrown away.
func TestStatistics(t *testing.T) {
	for _, name := range engines() {
		h := open(t, name)
		from, to := yearOfAFleet(t, h)
		bare := pool(t, name, h)
		analysed(t, name, bare)
		busy, at := processor(t), time.Now()
		testkit.Read(t, h.DB(), north, func(tx *db.Tx) error {
			wrong, err := ledger.Differences(tx)
			if err != nil || len(wrong) > 0 {
				t.Error(wrong)
			}
			problems, err := sums.Verify(tx, nil)
			if len(problems) > 0 {
				t.Error(problems)
			}
			return err
		})
		fmt.Printf("| comparing all sums with %d rows and %d settlements, %s: %.1f s of processor, %.1f s by the clock | | | | |\n", statsRows,
			statsDrivers*statsWeeks, name, (processor(t) - busy).Seconds(), time.Since(at).Seconds())
		for what, query := range map[string]string{"26 weeks": "", "a year": fmt.Sprintf("?from=%s&to=%s", from, to)} {
			address := h.URL + "/api/stats/partner" + query
			those := statementsOf(t, h, address)
			compare(t, fmt.Sprintf("statistics of a fleet, %s, %d rows, %s; anchor: the same statements", what, statsRows, name), "ms",
				func() float64 { return spent(t, name, func() error { return ask(h.Client(), address, h.token) }) },
				func() float64 {
					return spent(t, name, func() error { return those.run(bare) })
				})
		}
		h.close(t)
	}
}

type statement struct {
	text string
	args []any
}

type asked []statement

// statementsOf are those that a request runs on totals, settlements and drivers.
func statementsOf(t *testing.T, h *house, address string) (list asked) {
	t.Helper()
	var mutex sync.Mutex
	h.DB().Observe(func(text string, args []any) {
		mutex.Lock()
		defer mutex.Unlock()
		list = append(list, statement{text, slices.Clone(args)})
	})
	if err := ask(h.Client(), address, h.token); err != nil {
		t.Fatal(err)
	}
	h.DB().Observe(func(string, []any) {})
	return list
}

func (list asked) run(p *sql.DB) error {
	for _, s := range list {
		rows, err := p.Query(s.text, s.args...)
		if err != nil {
			return fmt.Errorf("%s: %w", s.text, err)
		}
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(sql.RawBytes)
		}
		for rows.Next() {
			if err := rows.Scan(cells...); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}

package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
)

// What stands of transactions is kept as sums too, so that nobody who asks about a year adds up its rows: day_totals by day, provider and
// type, driver_weeks what each driver earned in a week. Both change in the unit of work in which rows come, go or change, and always equal
// what a GROUP BY of the rows that are not deleted would give (Differences). A key without rows has no line. Trips of the tracker are no
// transactions and count as settlements count them: as income of INTERNAL and, paid in cash, as cash, under types of their own.

// Totals are changes of sums that Keep writes.
type Totals struct {
	days  map[dayKey]rowSum
	weeks map[weekKey]rowSum
	known map[calendar.Date]Week
	wrong error // a sum that is more than an amount holds
}

// Week is a week from Monday to Sunday as a number: weeks that follow each other are numbers that do, so a set of them is bits of one.
type Week int64

const firstMonday = calendar.Date("1969-12-29")

// WeekOf is the week of a day.
func WeekOf(on calendar.Date) Week {
	days := on.DaysSince(firstMonday)
	if days < 0 {
		days -= 6
	}
	return Week(days / 7)
}

// Monday is its first day.
func (w Week) Monday() calendar.Date { return firstMonday.AddDays(7 * int(w)) }

type dayKey struct {
	OccurredOn     calendar.Date
	Provider, Type string
}

type weekKey struct {
	DriverID string
	Week     Week
}

// rowSum is what some rows come to, and how many they are.
type rowSum struct {
	amount money.Amount
	n      int64
}

// NewTotals changes nothing yet.
func NewTotals() *Totals {
	return &Totals{map[dayKey]rowSum{}, map[weekKey]rowSum{}, map[calendar.Date]Week{}, nil}
}

// Types of totals that are of trips of the tracker.
const (
	TrackedTrip = "TRACKED_TRIP"
	TrackedCash = "TRACKED_CASH"
	tracker     = "INTERNAL"
)

// IsRevenue says whether a total is of what drivers earn: the revenue of settlements.
func IsRevenue(typ, provider string) bool {
	if typ == TrackedTrip {
		return true
	}
	switch kinds.CategoryOf(typ, provider, 1) {
	case kinds.Income, kinds.Bonus, kinds.Tips:
		return true
	}
	return false
}

// IsCash says whether a total is of cash that drivers took; what they took is below zero.
func IsCash(typ, provider string) bool {
	return typ == TrackedCash || kinds.CategoryOf(typ, provider, -1) == kinds.Cash
}

// AddTrip adds a trip of the tracker that counts, n times: 1 where it came, -1 where it went.
func (t *Totals) AddTrip(driver string, on calendar.Date, amount money.Amount, cash bool, n int64) {
	t.add(driver, on, tracker, TrackedTrip, amount*money.Amount(n), n)
	if cash {
		t.add(driver, on, tracker, TrackedCash, -amount*money.Amount(n), n)
	}
}

func (t *Totals) add(driver string, on calendar.Date, provider, typ string, amount money.Amount, n int64) {
	day := dayKey{on, provider, typ}
	t.days[day] = t.plus(t.days[day], amount, n)
	t.addWeek(driver, on, provider, typ, amount, n)
}

func (t *Totals) addWeek(driver string, on calendar.Date, provider, typ string, amount money.Amount, n int64) {
	if !IsRevenue(typ, provider) {
		return
	}
	of, known := t.known[on]
	if !known {
		of = WeekOf(on)
		t.known[on] = of
	}
	week := weekKey{driver, of}
	t.weeks[week] = t.plus(t.weeks[week], amount, n)
}

func (t *Totals) plus(s rowSum, amount money.Amount, n int64) rowSum {
	sum, err := s.amount.Add(amount)
	if err != nil {
		t.wrong = err
	}
	return rowSum{sum, s.n + n}
}

// grouped are rows of one driver, day and type.
type grouped struct {
	DriverID, Provider, Type string
	OccurredOn               calendar.Date
	Amount                   money.Amount
	N                        int64
}

// sumsOf adds up the rows of a condition that are not deleted, by driver, day and type.
func sumsOf(tx *db.Tx, condition string, args ...any) ([]grouped, error) {
	return db.Select[grouped](tx, `SELECT driver_id, provider, type, occurred_on, CAST(SUM(amount) AS BIGINT) AS amount, COUNT(*) AS n
		FROM transactions WHERE tenant_id = $1 AND deleted_at = '' AND `+condition+` GROUP BY driver_id, provider, type, occurred_on`, args...)
}

// rows adds the rows with some ids, or takes them off.
func (t *Totals) rows(tx *db.Tx, sign int64, ids []string) error {
	for some := range slices.Chunk(ids, idsAtOnce) {
		in, args := db.Among(2, some)
		found, err := sumsOf(tx, `id`+in, args...)
		if err != nil {
			return err
		}
		for _, g := range found {
			t.add(g.DriverID, g.OccurredOn, g.Provider, g.Type, g.Amount*money.Amount(sign), g.N*sign)
		}
	}
	return nil
}

// movesTo notes that rows go over from one driver to another.
func movesTo(tx *db.Tx, rows []grouped, to string) error {
	t := NewTotals()
	for _, g := range rows {
		t.addWeek(g.DriverID, g.OccurredOn, g.Provider, g.Type, -g.Amount, -g.N)
		t.addWeek(to, g.OccurredOn, g.Provider, g.Type, g.Amount, g.N)
	}
	return t.Keep(tx)
}

// recounted does something to rows with some ids and keeps the sums right. Rows that come by it have ids of their own, and rows that go
// are not there after it.
func recounted(tx *db.Tx, ids []string, do func() error) error {
	t := NewTotals()
	if err := t.rows(tx, -1, ids); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	if err := t.rows(tx, 1, ids); err != nil {
		return err
	}
	return t.Keep(tx)
}

// keysAtOnce is how many sums one statement changes.
const keysAtOnce = 160

// Keep changes the sums. It is called in the unit of work of the rows, and the changes are forgotten.
func (t *Totals) Keep(tx *db.Tx) error {
	if t.wrong != nil {
		return fmt.Errorf("ledger: sums of transactions: %w", t.wrong)
	}
	days := slices.SortedFunc(maps.Keys(t.days), func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.OccurredOn, b.OccurredOn), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Type, b.Type))
	})
	if err := keepSums(tx, "day_totals", []string{"occurred_on", "provider", "type"}, "amount", days, func(k dayKey) ([]any, rowSum) {
		return []any{string(k.OccurredOn), k.Provider, k.Type}, t.days[k]
	}); err != nil {
		return err
	}
	weeks := slices.SortedFunc(maps.Keys(t.weeks), func(a, b weekKey) int {
		return cmp.Or(cmp.Compare(a.DriverID, b.DriverID), cmp.Compare(a.Week, b.Week))
	})
	err := keepSums(tx, "driver_weeks", []string{"driver_id", "week"}, "revenue", weeks, func(k weekKey) ([]any, rowSum) {
		return []any{k.DriverID, int64(k.Week)}, t.weeks[k]
	})
	clear(t.days)
	clear(t.weeks)
	return err
}

// keepSums adds sums to the lines of a table, in the order of their keys: units that run at once never wait for each other in a circle.
func keepSums[K any](tx *db.Tx, table string, columns []string, amount string, keys []K, of func(K) ([]any, rowSum)) error {
	keys = slices.DeleteFunc(keys, func(k K) bool { _, s := of(k); return s == rowSum{} })
	key := strings.Join(columns, ", ")
	for some := range slices.Chunk(keys, keysAtOnce) {
		var rows, gone []string
		var args, goneArgs []any
		for _, k := range some {
			values, s := of(k)
			rows = append(rows, `($1, `+marks(len(args)+2, len(values)+2)+`)`)
			args = append(append(args, values...), int64(s.amount), s.n)
			if s.n <= 0 {
				gone = append(gone, `(`+typed(len(goneArgs)+2, values)+`)`)
				goneArgs = append(goneArgs, values...)
			}
		}
		if _, err := tx.Exec(fmt.Sprintf(`INSERT INTO %[1]s (tenant_id, %[2]s, %[3]s, n) VALUES %[4]s
			ON CONFLICT (tenant_id, %[2]s) DO UPDATE SET %[3]s = %[1]s.%[3]s + excluded.%[3]s, n = %[1]s.n + excluded.n`,
			table, key, amount, strings.Join(rows, ", ")), args...); err != nil {
			return err
		}
		if len(gone) == 0 {
			continue
		}
		if _, err := tx.Exec(fmt.Sprintf(`DELETE FROM %s WHERE tenant_id = $1 AND n = 0 AND %s = 0 AND (%s) IN (VALUES %s)`, table, amount, key,
			strings.Join(gone, ", ")), goneArgs...); err != nil {
			return err
		}
	}
	return nil
}

// typed are the places of arguments of which PostgreSQL cannot tell that some are numbers.
func typed(from int, values []any) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = fmt.Sprintf("$%d", from+i)
		if _, number := v.(int64); number {
			all[i] = `CAST(` + all[i] + ` AS BIGINT)`
		}
	}
	return strings.Join(all, ", ")
}

// marks are the places of so many arguments.
func marks(from, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(all, ", ")
}

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
	days  map[dayKey]*dayLine
	weeks map[weekKey]*rowSum
	wrong error // a sum that is more than an amount holds
}

// dayLine knows besides its sum what else its rows change: they are a million in a large file.
type dayLine struct {
	rowSum
	week    Week
	revenue bool
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
func NewTotals() *Totals { return &Totals{map[dayKey]*dayLine{}, map[weekKey]*rowSum{}, nil} }

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
	day := t.day(on, provider, typ)
	t.plus(&day.rowSum, amount, n)
	t.addWeek(driver, day, amount, n)
}

// day is the line of a day, where there is none a new one of nothing.
func (t *Totals) day(on calendar.Date, provider, typ string) *dayLine {
	key := dayKey{on, provider, typ}
	line := t.days[key]
	if line == nil {
		line = &dayLine{week: WeekOf(on), revenue: IsRevenue(typ, provider)}
		t.days[key] = line
	}
	return line
}

func (t *Totals) addWeek(driver string, day *dayLine, amount money.Amount, n int64) {
	if !day.revenue {
		return
	}
	key := weekKey{driver, day.week}
	line := t.weeks[key]
	if line == nil {
		line = &rowSum{}
		t.weeks[key] = line
	}
	t.plus(line, amount, n)
}

func (t *Totals) plus(s *rowSum, amount money.Amount, n int64) {
	sum, err := s.amount.Add(amount)
	if err != nil {
		t.wrong = err
	}
	s.amount, s.n = sum, s.n+n
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
		day := t.day(g.OccurredOn, g.Provider, g.Type)
		t.addWeek(g.DriverID, day, -g.Amount, -g.N)
		t.addWeek(to, day, g.Amount, g.N)
	}
	return t.Keep(tx)
}

// recounted does something to the rows with some ids and keeps the sums right: what they come to before it is taken off, and what those of
// them that are there after it come to is added.
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

// Keep changes the sums. It is called in the unit of work of the rows, and the changes are forgotten.
func (t *Totals) Keep(tx *db.Tx) error {
	if t.wrong != nil {
		return fmt.Errorf("ledger: sums of transactions: %w", t.wrong)
	}
	days, weeks := t.sums()
	clear(t.days)
	clear(t.weeks)
	if err := dayTable.change(tx, days); err != nil {
		return err
	}
	return weekTable.change(tx, weeks)
}

// sums are all changes.
func (t *Totals) sums() (days map[dayKey]rowSum, weeks map[weekKey]rowSum) {
	days, weeks = make(map[dayKey]rowSum, len(t.days)), make(map[weekKey]rowSum, len(t.weeks))
	for key, line := range t.days {
		days[key] = line.rowSum
	}
	for key, line := range t.weeks {
		weeks[key] = *line
	}
	return days, weeks
}

// table is one of the two tables of sums.
type table[K comparable] struct {
	name, key, amount string
	compare           func(a, b K) int
	values            func(K) []any // in the order of the key
	of                func(*keptLine) K
	lines             string // SELECT of those of the tenant
	between           string // the condition of those between the first and the last of some keys, by the values of both
	bounds            func(K) any
}

var dayTable = table[dayKey]{name: "day_totals", key: "occurred_on, provider, type", amount: "amount",
	compare: func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.OccurredOn, b.OccurredOn), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Type, b.Type))
	},
	values:  func(k dayKey) []any { return []any{string(k.OccurredOn), k.Provider, k.Type} },
	of:      func(l *keptLine) dayKey { return dayKey{l.OccurredOn, l.Provider, l.Type} },
	lines:   `SELECT occurred_on, provider, type, amount, n FROM day_totals WHERE tenant_id = $1`,
	between: ` AND occurred_on BETWEEN $2 AND $3`,
	bounds:  func(k dayKey) any { return string(k.OccurredOn) }}

var weekTable = table[weekKey]{name: "driver_weeks", key: "driver_id, week", amount: "revenue",
	compare: func(a, b weekKey) int {
		return cmp.Or(cmp.Compare(a.DriverID, b.DriverID), cmp.Compare(a.Week, b.Week))
	},
	values:  func(k weekKey) []any { return []any{k.DriverID, int64(k.Week)} },
	of:      func(l *keptLine) weekKey { return weekKey{l.DriverID, l.Week} },
	lines:   `SELECT driver_id, week, revenue AS amount, n FROM driver_weeks WHERE tenant_id = $1`,
	between: ` AND driver_id BETWEEN $2 AND $3`,
	bounds:  func(k weekKey) any { return k.DriverID }}

// keptLine is a line of either table.
type keptLine struct {
	DriverID, Provider, Type string
	OccurredOn               calendar.Date
	Week                     Week
	Amount                   money.Amount
	N                        int64
}

// How many sums one statement changes: SQLite reads a statement in a time that grows faster than its arguments, and 20 were faster than
// 10, 40, 80 and 160. From many on, those that are new are added by the engine's fast way; to know them all lines are read.
const (
	keysAtOnce = 20
	keysMany   = 10_000
)

// change adds sums to the lines of a table, in the order of their keys: units that run at once never wait for each other in a circle.
func (t table[K]) change(tx *db.Tx, sums map[K]rowSum) error {
	keys := slices.SortedFunc(maps.Keys(sums), t.compare)
	keys = slices.DeleteFunc(keys, func(k K) bool { return sums[k] == rowSum{} })
	if len(keys) >= keysMany {
		fresh, err := t.fresh(tx, keys)
		if err != nil {
			return err
		}
		if _, err := tx.Insert(t.name, db.Columns(t.key+", "+t.amount+", n"), func(yield func([]any) bool) {
			for _, k := range keys {
				if fresh[k] && !yield(append(t.values(k), int64(sums[k].amount), sums[k].n)) {
					return
				}
			}
		}); err != nil {
			return err
		}
		keys = slices.DeleteFunc(keys, func(k K) bool { return fresh[k] })
	}
	for some := range slices.Chunk(keys, keysAtOnce) {
		if err := t.upsert(tx, some, sums); err != nil {
			return err
		}
	}
	return nil
}

// fresh are those of many keys that have no line.
func (t table[K]) fresh(tx *db.Tx, keys []K) (map[K]bool, error) {
	fresh := make(map[K]bool, len(keys))
	for _, k := range keys {
		fresh[k] = true
	}
	err := db.Each(tx, func(l *keptLine) error {
		delete(fresh, t.of(l))
		return nil
	}, t.lines+t.between, t.bounds(keys[0]), t.bounds(keys[len(keys)-1]))
	return fresh, err
}

func (t table[K]) upsert(tx *db.Tx, keys []K, sums map[K]rowSum) error {
	var rows, gone []string
	var args, goneArgs []any
	for _, k := range keys {
		values, s := t.values(k), sums[k]
		rows = append(rows, `($1, `+marks(len(args)+2, len(values)+2)+`)`)
		args = append(append(args, values...), int64(s.amount), s.n)
		if s.n <= 0 {
			gone = append(gone, `(`+typed(len(goneArgs)+2, values)+`)`)
			goneArgs = append(goneArgs, values...)
		}
	}
	if _, err := tx.Exec(fmt.Sprintf(`INSERT INTO %[1]s (tenant_id, %[2]s, %[3]s, n) VALUES %[4]s
		ON CONFLICT (tenant_id, %[2]s) DO UPDATE SET %[3]s = %[1]s.%[3]s + excluded.%[3]s, n = %[1]s.n + excluded.n`,
		t.name, t.key, t.amount, strings.Join(rows, ", ")), args...); err != nil || len(gone) == 0 {
		return err
	}
	_, err := tx.Exec(fmt.Sprintf(`DELETE FROM %s WHERE tenant_id = $1 AND n = 0 AND %s = 0 AND (%s) IN (VALUES %s)`, t.name, t.amount, t.key,
		strings.Join(gone, ", ")), goneArgs...)
	return err
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

package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Difference is a sum that is not what its rows come to.
type Difference struct {
	Of                string // whose sum
	Kept, Rows        money.Amount
	KeptRows, RowsAre int64
}

// String names the sum and both values.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s in %d rows are kept, the rows come to %s in %d", d.Of, d.Kept, d.KeptRows, d.Rows, d.RowsAre)
}

// Differences compares all sums of the partner with its rows.
func Differences(tx *db.Tx) ([]Difference, error) {
	found, _, err := differences(tx)
	return found, err
}

// differences are those too by which the sums would have to change.
func differences(tx *db.Tx) (found []Difference, missing *Totals, err error) {
	missing = NewTotals()
	read := 0
	if err := db.Each(tx, func(g *grouped) error {
		missing.add(g.DriverID, g.OccurredOn, g.Provider, g.Type, g.Amount, g.N)
		if read++; read%1000 == 0 {
			tx.Yield()
		}
		return nil
	}, `SELECT driver_id, provider, type, occurred_on, amount, 1 AS n FROM transactions WHERE tenant_id = $1
		AND deleted_at = ''`); err != nil {
		return nil, nil, err
	}
	if err := db.Each(tx, func(trip *struct {
		DriverID   string
		OccurredOn calendar.Date
		Amount     money.Amount
		Payment    string
	}) error {
		missing.AddTrip(trip.DriverID, trip.OccurredOn, trip.Amount, trip.Payment == "cash", 1)
		return nil
	}, `SELECT driver_id, occurred_on, amount, payment FROM trips WHERE tenant_id = $1 AND deleted_at = ''
		AND refused_at = ''`); err != nil {
		return nil, nil, err
	}
	days, err := kept(tx, missing.days, func(l *keptLine) dayKey { return dayKey{l.OccurredOn, l.Provider, l.Type} },
		`SELECT occurred_on, provider, type, amount, n FROM day_totals WHERE tenant_id = $1`)
	if err != nil {
		return nil, nil, err
	}
	weeks, err := kept(tx, missing.weeks, func(l *keptLine) weekKey { return weekKey{l.DriverID, l.Week} },
		`SELECT driver_id, week, revenue AS amount, n FROM driver_weeks WHERE tenant_id = $1`)
	return append(days, weeks...), missing, err
}

// keptLine is a line of either table.
type keptLine struct {
	DriverID, Provider, Type string
	OccurredOn               calendar.Date
	Week                     Week
	Amount                   money.Amount
	N                        int64
}

// kept takes what is kept off what the rows come to, and names what is not the same.
func kept[K interface {
	comparable
	fmt.Stringer
}](tx *db.Tx, rows map[K]rowSum, key func(*keptLine) K, query string) (found []Difference, err error) {
	without := maps.Clone(rows) // what no line is kept of
	note := func(k K, is, should rowSum) {
		rows[k] = rowSum{should.amount - is.amount, should.n - is.n}
		if is != should {
			found = append(found, Difference{k.String(), is.amount, should.amount, is.n, should.n})
		}
	}
	err = db.Each(tx, func(l *keptLine) error {
		k := key(l)
		note(k, rowSum{l.Amount, l.N}, without[k])
		if l.N == 0 { // a line without rows
			found = append(found, Difference{k.String() + " is empty", l.Amount, 0, 0, 0})
		}
		delete(without, k)
		return nil
	}, query)
	for k, should := range without {
		note(k, rowSum{}, should)
	}
	slices.SortFunc(found, func(a, b Difference) int { return cmp.Compare(a.Of, b.Of) })
	return found, err
}

func (k dayKey) String() string {
	return fmt.Sprint("day ", k.OccurredOn, " ", k.Provider, " ", k.Type)
}
func (k weekKey) String() string {
	return fmt.Sprint("driver ", k.DriverID, " ", calendar.PeriodOf(k.Week.Monday(), 1))
}

// Mend makes the sums what the rows come to and says what was wrong.
func Mend(tx *db.Tx) ([]Difference, error) {
	found, missing, err := differences(tx)
	if err != nil || len(found) == 0 {
		return found, err
	}
	if err := missing.Keep(tx); err != nil {
		return nil, err
	}
	for _, table := range []string{"day_totals", "driver_weeks"} {
		if _, err := tx.Exec(`DELETE FROM ` + table + ` WHERE tenant_id = $1 AND n = 0`); err != nil {
			return nil, err
		}
	}
	return found, audit.Record(tx, audit.Change{Action: "transactions.mend_totals", Kind: "totals", ID: tx.Actor.Tenant,
		After: map[string]int{"sums": len(found)}})
}

package ledger

import (
	"cmp"
	"fmt"
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
	d, err := differences(tx)
	return d.found, err
}

// difference is what differs, and by how much the sums would have to change.
type difference struct {
	found []Difference
	days  map[dayKey]rowSum
	weeks map[weekKey]rowSum
}

func differences(tx *db.Tx) (d difference, err error) {
	rows, read := NewTotals(), 0
	if err := db.Each(tx, func(g *grouped) error {
		rows.add(g.DriverID, g.OccurredOn, g.Provider, g.Type, g.Amount, g.N)
		if read++; read%1000 == 0 {
			tx.Yield()
		}
		return nil
	}, `SELECT driver_id, provider, type, occurred_on, amount, 1 AS n FROM transactions WHERE tenant_id = $1
		AND deleted_at = ''`); err != nil {
		return d, err
	}
	if err := db.Each(tx, func(trip *struct {
		DriverID   string
		OccurredOn calendar.Date
		Amount     money.Amount
		Payment    string
	}) error {
		rows.AddTrip(trip.DriverID, trip.OccurredOn, trip.Amount, trip.Payment == "cash", 1)
		return nil
	}, `SELECT driver_id, occurred_on, amount, payment FROM trips WHERE tenant_id = $1 AND deleted_at = ''
		AND refused_at = ''`); err != nil {
		return d, err
	}
	if rows.wrong != nil {
		return d, rows.wrong
	}
	days, weeks := rows.sums()
	var ofWeeks []Difference
	if d.found, d.days, err = differ(tx, dayTable, days); err != nil {
		return d, err
	}
	ofWeeks, d.weeks, err = differ(tx, weekTable, weeks)
	d.found = append(d.found, ofWeeks...)
	return d, err
}

// differ names the lines of a table that are not what the rows come to, and by how much each would have to change.
func differ[K interface {
	comparable
	fmt.Stringer
}](tx *db.Tx, t table[K], rows map[K]rowSum) (found []Difference, missing map[K]rowSum, err error) {
	missing = map[K]rowSum{}
	note := func(k K, is, should rowSum) {
		if is != should {
			missing[k] = rowSum{should.amount - is.amount, should.n - is.n}
			found = append(found, Difference{k.String(), is.amount, should.amount, is.n, should.n})
		}
	}
	err = db.Each(tx, func(l *keptLine) error {
		k := t.of(l)
		note(k, rowSum{l.Amount, l.N}, rows[k])
		if l.Amount == 0 && l.N == 0 && rows[k] == (rowSum{}) { // a line without rows
			found = append(found, Difference{Of: k.String() + " is empty"})
		}
		delete(rows, k)
		return nil
	}, t.lines)
	for k, should := range rows {
		if should.n != 0 {
			note(k, rowSum{}, should)
		}
	}
	slices.SortFunc(found, func(a, b Difference) int { return cmp.Compare(a.Of, b.Of) })
	return found, missing, err
}

func (k dayKey) String() string {
	return fmt.Sprint("day ", k.OccurredOn, " ", k.Provider, " ", k.Type)
}
func (k weekKey) String() string {
	return fmt.Sprint("driver ", k.DriverID, " ", calendar.PeriodOf(k.Week.Monday(), 1))
}

// Mend makes the sums what the rows come to and says what was wrong.
func Mend(tx *db.Tx) ([]Difference, error) {
	d, err := differences(tx)
	if err != nil || len(d.found) == 0 {
		return nil, err
	}
	if err := dayTable.change(tx, d.days); err != nil {
		return nil, err
	}
	if err := weekTable.change(tx, d.weeks); err != nil {
		return nil, err
	}
	for _, table := range []string{"day_totals", "driver_weeks"} {
		if _, err := tx.Exec(`DELETE FROM ` + table + ` WHERE tenant_id = $1 AND n = 0`); err != nil {
			return nil, err
		}
	}
	return d.found, audit.Record(tx, audit.Change{Action: "transactions.mend_totals", Kind: "totals", ID: tx.Actor.Tenant,
		After: map[string]int{"sums": len(d.found)}})
}

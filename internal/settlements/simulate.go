package settlements

import (
	"cmp"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
)

// Simulated is what other rules would have made of a driver's last period.
type Simulated struct {
	DriverID, FirstName, LastName string
	Before, After                 money.Amount // due
}

// Simulation is what other rules would have made of the last complete period.
type Simulation struct {
	Period        calendar.Period
	Drivers       int64
	Before, After money.Amount
	Changed       []Simulated // the largest difference first, a hundred at most
	ChangedCount  int64
}

// simulatedMax is how many drivers a simulation names.
const simulatedMax = 100

// Simulate computes the last complete period of drivers twice: by the rules
// that hold and by others. It takes every transaction of the period, settled
// or not, and nothing of other periods, so that only the rules differ.
// The drivers are those of a schema, or one.
func (d *Service) Simulate(tx *db.Tx, r rules.Rules, number int64, driver string) (s Simulation, err error) {
	b, err := d.book(tx)
	if err != nil {
		return s, err
	}
	s.Period = calendar.Recent(d.today(tx), 2)[1]
	drivers, err := db.Select[Driver](tx, `SELECT `+driverColumns+` FROM drivers WHERE tenant_id = $1 AND merged_into = ''
		AND ($3 <> '' AND id = $3 OR $3 = '' AND (schema_number = $2 OR schema_number = 0 AND $2 = $4))`, number, driver, b.standard)
	if err != nil {
		return s, err
	}
	rows := make(map[string][]engine.Transaction, len(drivers))
	err = db.Each(tx, func(row *booked) error {
		rows[row.DriverID] = append(rows[row.DriverID], row.transaction())
		return nil
	}, `SELECT t.id, t.driver_id, t.provider, t.type, t.amount, t.occurred_on, t.span_from, t.span_to FROM drivers d
		JOIN transactions t ON t.tenant_id = d.tenant_id AND t.driver_id = d.id AND t.occurred_on BETWEEN $5 AND $6 AND t.deleted_at = ''
		WHERE d.tenant_id = $1 AND d.merged_into = '' AND ($3 <> '' AND d.id = $3 OR $3 = '' AND (d.schema_number = $2 OR d.schema_number = 0
		AND $2 = $4))`,
		number, driver, b.standard, string(s.Period.Monday().AddDays(-27)), string(latest(s.Period)))
	if err != nil {
		return s, err
	}
	for i := range drivers {
		one := &drivers[i]
		before, worked, err := engine.DueOf(b.terms(one), b.vatOn, s.Period, rows[one.ID])
		if err != nil {
			return s, err
		}
		terms := b.terms(one)
		terms.Rules = r
		after, alsoWorked, err := engine.DueOf(terms, b.vatOn, s.Period, rows[one.ID])
		if err != nil {
			return s, err
		}
		if !worked && !alsoWorked {
			continue
		}
		s.Drivers++
		if s.Before, err = s.Before.Add(before); err != nil {
			return s, err
		}
		if s.After, err = s.After.Add(after); err != nil {
			return s, err
		}
		if before != after {
			s.Changed = append(s.Changed, Simulated{one.ID, one.FirstName, one.LastName, before, after})
		}
	}
	slices.SortFunc(s.Changed, func(a, b Simulated) int {
		return cmp.Or(cmp.Compare(distance(b), distance(a)), cmp.Compare(a.LastName, b.LastName), cmp.Compare(a.DriverID, b.DriverID))
	})
	s.ChangedCount = int64(len(s.Changed))
	s.Changed = s.Changed[:min(len(s.Changed), simulatedMax)]
	return s, nil
}

func distance(s Simulated) money.Amount { return max(s.After-s.Before, s.Before-s.After) }

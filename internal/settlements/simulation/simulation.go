// Package simulation says what other rules would have made of drivers' last complete period.
package simulation

import (
	"cmp"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/tracking"
)

// Changed is what other rules would have made of a driver's last period.
type Changed struct {
	DriverID, FirstName, LastName string
	Before, After                 money.Amount // due
}

// Result is what other rules would have made of the last complete period.
type Result struct {
	Period        calendar.Period
	Drivers       int64
	Before, After money.Amount
	Changed       []Changed // the largest difference first, a hundred at most
	ChangedCount  int64
}

// changedMax is how many drivers a simulation names.
const changedMax = 100

// chosen are the drivers $2 of a schema, of the default one also those without, or one.
const chosen = `d.tenant_id = $1 AND d.merged_into = '' AND ($3 <> '' AND d.id = $3 OR $3 = '' AND (d.schema_number = $2
	OR d.schema_number = 0 AND EXISTS (SELECT 1 FROM schemas c WHERE c.tenant_id = $1 AND c.number = $2 AND c.is_default)))`

// Of computes the last complete period of drivers twice: by the rules that hold and by others. It takes every transaction and trip of the
// period, settled or not, and nothing of other periods, so that only the rules differ. The drivers are those of a schema, or one.
func Of(tx *db.Tx, s *settlements.Service, r rules.Rules, number int64, driver string) (result Result, err error) {
	result.Period = calendar.Recent(calendar.DateOf(tx.Now, s.Instance.Location(), 0), 2)[1]
	first, last := result.Period.Monday().AddDays(-27), result.Period.Monday().AddDays(12)
	named, err := db.Select[struct{ ID, FirstName, LastName string }](tx, `SELECT d.id, d.first_name, d.last_name FROM drivers d
		WHERE `+chosen, number, driver)
	if err != nil {
		return result, err
	}
	rows := make(map[string][]engine.Transaction, len(named))
	type row struct {
		ID, DriverID, Provider, Type string
		Amount                       money.Amount
		OccurredOn, SpanFrom, SpanTo calendar.Date
	}
	if err := db.Each(tx, func(t *row) error {
		rows[t.DriverID] = append(rows[t.DriverID], engine.Transaction{ID: t.ID, Provider: t.Provider, Type: t.Type, On: t.OccurredOn,
			SpanFrom: t.SpanFrom, SpanTo: t.SpanTo, Amount: t.Amount})
		return nil
	}, `SELECT t.id, t.driver_id, t.provider, t.type, t.amount, t.occurred_on, t.span_from, t.span_to FROM drivers d
		JOIN transactions t ON t.tenant_id = d.tenant_id AND t.driver_id = d.id AND t.occurred_on BETWEEN $4 AND $5 AND t.deleted_at = ''
		WHERE `+chosen, number, driver, string(first), string(last)); err != nil {
		return result, err
	}
	trips, err := tracking.Between(tx, first, last)
	if err != nil {
		return result, err
	}
	ids := make([]string, len(named))
	for i := range named {
		ids[i] = named[i].ID
	}
	terms, err := s.TermsOf(tx, ids)
	if err != nil {
		return result, err
	}
	vatOn := func(day calendar.Date) engine.VAT {
		v := s.Instance.VATOn(day)
		return engine.VAT{Standard: v.Standard, Reduced: v.Reduced}
	}
	for _, one := range named {
		before, worked, err := engine.DueOf(terms[one.ID], vatOn, result.Period, rows[one.ID], trips[one.ID])
		if err != nil {
			return result, err
		}
		others := terms[one.ID]
		others.Rules = r
		after, alsoWorked, err := engine.DueOf(others, vatOn, result.Period, rows[one.ID], trips[one.ID])
		if err != nil {
			return result, err
		}
		if !worked && !alsoWorked {
			continue
		}
		result.Drivers++
		if result.Before, err = result.Before.Add(before); err != nil {
			return result, err
		}
		if result.After, err = result.After.Add(after); err != nil {
			return result, err
		}
		if before != after {
			result.Changed = append(result.Changed, Changed{one.ID, one.FirstName, one.LastName, before, after})
		}
	}
	slices.SortFunc(result.Changed, func(a, b Changed) int {
		return cmp.Or(cmp.Compare(distance(b), distance(a)), cmp.Compare(a.LastName, b.LastName), cmp.Compare(a.DriverID, b.DriverID))
	})
	result.ChangedCount = int64(len(result.Changed))
	result.Changed = result.Changed[:min(len(result.Changed), changedMax)]
	return result, nil
}

func distance(c Changed) money.Amount { return max(c.After-c.Before, c.Before-c.After) }

package stats

import (
	"cmp"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
)

// What is looked at of drivers.
const (
	goneAfter = 4  // weeks without revenue
	ranked    = 10 // drivers at either end
	months    = 12 // whose beginners are followed
	seen      = 2 * bitsOfWord
)

// bitsOfWord is how many weeks one number of the database holds: its sign is none of them.
const bitsOfWord = 62

// activity is what a driver did: sums of two spans, and in which of the last weeks they had revenue.
type activity struct {
	DriverID    string
	MergedInto  string
	First       ledger.Week // with revenue, ever; noWeek: none
	Now, Before money.Amount
	Early, Late uint64 // bits of the weeks from the base on
}

// noWeek is after all weeks.
const noWeek ledger.Week = 1 << 40

// worked says whether there was revenue so many weeks after the base.
func (a *activity) worked(week int) bool {
	switch {
	case week < 0 || week >= seen:
		return false
	case week < bitsOfWord:
		return a.Early>>week&1 == 1
	}
	return a.Late>>(week-bitsOfWord)&1 == 1
}

// activities are those of all drivers up to a week, of whoever was merged as those of whom they were merged into.
func activities(tx *db.Tx, base, until ledger.Week, span, before Span) ([]*activity, error) {
	first, last := ledger.WeekOf(span.From), ledger.WeekOf(span.To)
	found, err := db.Select[activity](tx, `SELECT w.driver_id, d.merged_into, w.first, w.now, w.before, w.early, w.late
		FROM (SELECT driver_id, MIN(CASE WHEN revenue > 0 THEN week ELSE $2 END) AS first,
		CAST(SUM(CASE WHEN week BETWEEN $3 AND $4 THEN revenue ELSE 0 END) AS BIGINT) AS now,
		CAST(SUM(CASE WHEN week BETWEEN $5 AND $6 THEN revenue ELSE 0 END) AS BIGINT) AS before,
		CAST(SUM(CASE WHEN revenue > 0 AND week >= $7 AND week < $8 THEN CAST(1 AS BIGINT) << CAST(week - $7 AS INTEGER) ELSE 0 END) AS BIGINT)
		AS early,
		CAST(SUM(CASE WHEN revenue > 0 AND week >= $8 AND week <= $9 THEN CAST(1 AS BIGINT) << CAST(week - $8 AS INTEGER) ELSE 0 END) AS BIGINT)
		AS late FROM driver_weeks WHERE tenant_id = $1 GROUP BY driver_id) w
		JOIN drivers d ON d.tenant_id = $1 AND d.id = w.driver_id`, int64(noWeek), int64(first), int64(last),
		int64(ledger.WeekOf(before.From)), int64(ledger.WeekOf(before.To)), int64(base), int64(base+bitsOfWord), int64(until))
	if err != nil {
		return nil, err
	}
	byDriver := make(map[string]*activity, len(found))
	for i := range found {
		a := &found[i]
		a.DriverID = cmp.Or(a.MergedInto, a.DriverID)
		if kept := byDriver[a.DriverID]; kept != nil {
			kept.First = min(kept.First, a.First)
			kept.Now, kept.Before = kept.Now+a.Now, kept.Before+a.Before
			kept.Early, kept.Late = kept.Early|a.Early, kept.Late|a.Late
			continue
		}
		byDriver[a.DriverID] = a
	}
	all := make([]*activity, 0, len(byDriver))
	for _, a := range byDriver {
		all = append(all, a)
	}
	return all, nil
}

// addDrivers adds who drove, since when, and who earned most and least.
func (f *Fleet) addDrivers(tx *db.Tx) error {
	until := ledger.WeekOf(f.To)
	base := until - seen + 1
	all, err := activities(tx, base, until, f.Span, f.Previous)
	if err != nil {
		return err
	}
	start := int(ledger.WeekOf(f.From) - base)
	for i := range f.Weeks {
		week := &f.Weeks[i]
		at := start + i
		for _, a := range all {
			switch {
			case a.worked(at):
				week.Active++
				if int(a.First-base) == at {
					week.Fresh++
				}
			case a.worked(at-goneAfter) && !a.worked(at-1) && !a.worked(at-2) && !a.worked(at-3):
				week.Gone++
			}
		}
	}
	f.addCohorts(all, base, until)
	return f.rank(tx, all)
}

// monthOf is the month of the Monday of a week.
func monthOf(week ledger.Week) string { return string(week.Monday()[:len("2026-11")]) }

// addCohorts follows who began in each of the last months, for as many weeks as are over for all of them.
func (f *Fleet) addCohorts(all []*activity, base, until ledger.Week) {
	byMonth := map[string][]*activity{}
	for _, a := range all {
		if a.First >= base && a.First <= until {
			byMonth[monthOf(a.First)] = append(byMonth[monthOf(a.First)], a)
		}
	}
	month := monthOf(until)
	for range months {
		began := byMonth[month]
		if len(began) > 0 {
			last := slices.MaxFunc(began, func(a, b *activity) int { return cmp.Compare(a.First, b.First) }).First
			c := Cohort{Month: month, Drivers: int64(len(began)), Active: make([]int64, until-last+1)}
			for _, a := range began {
				for after := range c.Active {
					if a.worked(int(a.First-base) + after) {
						c.Active[after]++
					}
				}
			}
			f.Cohorts = append(f.Cohorts, c)
		}
		month = string(calendar.Date(month + "-01").AddDays(-1)[:len(month)])
	}
	slices.Reverse(f.Cohorts)
}

// rank finds the drivers with most and least revenue.
func (f *Fleet) rank(tx *db.Tx, all []*activity) error {
	all = slices.DeleteFunc(all, func(a *activity) bool { return a.Now <= 0 })
	slices.SortFunc(all, func(a, b *activity) int {
		return cmp.Or(cmp.Compare(b.Now, a.Now), cmp.Compare(a.DriverID, b.DriverID))
	})
	top := all[:min(ranked, len(all))]
	bottom := slices.Clone(all[max(len(top), len(all)-ranked):])
	slices.Reverse(bottom)
	ids := []string{}
	for _, a := range slices.Concat(top, bottom) {
		ids = append(ids, a.DriverID)
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := db.Filled(2, ids)
	names, err := db.Select[struct{ ID, FirstName, LastName string }](tx, `SELECT id, first_name, last_name FROM drivers
		WHERE tenant_id = $1 AND id`+in, args...)
	if err != nil {
		return err
	}
	named := map[string]RankedDriver{}
	for _, n := range names {
		named[n.ID] = RankedDriver{ID: n.ID, FirstName: n.FirstName, LastName: n.LastName}
	}
	list := func(of []*activity) []RankedDriver {
		ranks := make([]RankedDriver, len(of))
		for i, a := range of {
			ranks[i] = named[a.DriverID]
			ranks[i].Revenue, ranks[i].Previous, ranks[i].Change = a.Now, a.Before, shareOf(a.Now-a.Before, a.Before)
		}
		return ranks
	}
	f.Top, f.Bottom = list(top), list(bottom)
	return nil
}

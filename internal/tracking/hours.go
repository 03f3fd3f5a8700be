package tracking

import (
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

// MonthMinutes is the time that a driver worked in some days, by the month that it was begun in.
type MonthMinutes struct {
	Month   string // 2026-11
	Minutes int64
}

// Worked is what a driver and whoever was merged into them worked in some days, by month. What runs or is refused does not count.
func Worked(tx *db.Tx, driver string, from, to calendar.Date) ([]MonthMinutes, error) {
	return db.Select[MonthMinutes](tx, `SELECT SUBSTR(started_at, 1, 7) AS month, CAST(SUM(minutes) AS BIGINT) AS minutes FROM time_entries
		WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+` AND deleted_at = '' AND refused_at = '' AND ended_at <> ''
		AND started_at >= $3 AND started_at < $4 GROUP BY 1 ORDER BY 1`, driver, string(from), string(to.AddDays(1)))
}

// WorkedByAll are the minutes that drivers worked on each day from one on, by the driver now and the day.
func WorkedByAll(tx *db.Tx, from, to calendar.Date) (map[string]map[calendar.Date]int64, error) {
	found, err := db.Select[struct {
		Canonical string
		Day       calendar.Date
		Minutes   int64
	}](tx, `SELECT `+drivers.CanonicalID("d")+` AS canonical, SUBSTR(t.started_at, 1, 10) AS day, CAST(SUM(t.minutes) AS BIGINT) AS minutes
		FROM time_entries t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id WHERE t.tenant_id = $1 AND t.deleted_at = ''
		AND t.refused_at = '' AND t.ended_at <> '' AND t.started_at >= $2 AND t.started_at < $3 GROUP BY 1, 2`, string(from),
		string(to.AddDays(1)))
	by := map[string]map[calendar.Date]int64{}
	for _, f := range found {
		if by[f.Canonical] == nil {
			by[f.Canonical] = map[calendar.Date]int64{}
		}
		by[f.Canonical][f.Day] += f.Minutes
	}
	return by, err
}

// LeastPay is what the law wants for the minutes that were worked from one day to another, each at the rate of its day.
func LeastPay(i config.Instance, first, last calendar.Date, minutes map[calendar.Date]int64) money.Amount {
	sixtieths := money.Amount(0)
	for day, worked := range minutes {
		if first <= day && day <= last {
			sixtieths += i.HourlyRateOn(day) * money.Amount(worked)
		}
	}
	return (sixtieths + 59) / 60
}

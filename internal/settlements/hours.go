package settlements

import (
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
	"saldo/internal/tracking"
)

// worked are the minutes that drivers tracked on the days that their periods of a code may have, where the law knows a least pay.
func (d *Service) worked(tx *db.Tx, period calendar.Period) (map[string]map[calendar.Date]int64, error) {
	if d.Instance.HourlyRateOn(latest(period)) == 0 {
		return nil, nil
	}
	return tracking.WorkedByAll(tx, period.Monday().AddDays(-27), latest(period))
}

// leastPay is what a civil contract must pay for the tracked time of a settlement's days: each hour at the rate of its day.
func (d *Service) leastPay(contract rules.ContractType, s *engine.Settlement, minutes map[calendar.Date]int64) money.Amount {
	if contract != rules.CivilContract {
		return 0
	}
	sixtieths := money.Amount(0)
	for day, worked := range minutes {
		if s.First <= day && day <= s.Last {
			sixtieths += d.Instance.HourlyRateOn(day) * money.Amount(worked)
		}
	}
	return (sixtieths + 59) / 60
}

// ordered is what the civil contract of a settlement pays: its lease and refunds are no pay.
func ordered(s *engine.Settlement) (amount money.Amount) {
	for _, t := range s.Transfers {
		if t.Purpose == engine.OrderContract {
			amount += t.Amount
		}
	}
	return amount
}

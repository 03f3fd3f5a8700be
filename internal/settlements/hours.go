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

// leastPay is what a civil contract must pay for the tracked time of a settlement's days, where it pays less; 0: it pays enough.
func (d *Service) leastPay(contract rules.ContractType, s *engine.Settlement, minutes map[calendar.Date]int64) money.Amount {
	if least := tracking.LeastPay(d.Instance, s.First, s.Last, minutes); contract == rules.CivilContract && least > s.Ordered() {
		return least
	}
	return 0
}

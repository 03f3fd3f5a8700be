package stats

import (
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// bands is how many bands payouts are sorted into: the first has those who were paid nothing.
const bands = 8

// addPayouts sorts the drivers of the last week with settlements by what they were paid.
func (f *Fleet) addPayouts(tx *db.Tx) error {
	if f.PayoutWeek == "" {
		return nil
	}
	paid, err := db.Select[money.Amount](tx, `SELECT CAST(SUM(s.payout) AS BIGINT) AS payout FROM settlements s
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		WHERE s.tenant_id = $1 AND s.period = $2 AND s.state <> 'revoked' AND s.absorbed_into = '' GROUP BY `+drivers.CanonicalID("d"),
		string(f.PayoutWeek))
	if err != nil || len(paid) == 0 {
		return err
	}
	most := money.Amount(0)
	for _, amount := range paid {
		most = max(most, amount)
	}
	width := int64(evenWidth(most))
	f.PayoutBands = make([]Band, bands)
	f.PayoutBands[0] = Band{0, 1, 0, 0}
	for i := 1; i < bands; i++ {
		f.PayoutBands[i] = Band{From: max(1, int64(i-1)*width), To: int64(i) * width}
	}
	for _, amount := range paid {
		at := 0
		if amount > 0 {
			at = 1 + int(int64(amount)/width)
		}
		f.PayoutBands[at].Drivers++
		f.PayoutBands[at].Amount += amount
	}
	return nil
}

// evenWidth is the least width among 1, 2 and 5 with noughts of which all bands but the first hold every amount up to the most.
func evenWidth(most money.Amount) money.Amount {
	for width := money.Amount(50_00); ; width *= 10 {
		for _, times := range []money.Amount{1, 2, 4, 5} {
			if most/(width*times) < bands-1 {
				return width * times
			}
		}
	}
}

// ages are from how many weeks on a debt belongs to the next band.
var ages = []int64{0, 1, 4, 13}

// addDebts sorts by age what drivers owe from settled periods and no settlement has taken yet. A debt is as old as the first of the
// periods that ended below nothing one after another.
func (f *Fleet) addDebts(tx *db.Tx, today calendar.Date) error {
	const open = `SELECT driver_id, amount, occurred_on FROM transactions WHERE tenant_id = $1 AND source = 'carry' AND settlement_id = ''
		AND type = 'PREV_PERIOD_TRANSFER' AND amount < 0 AND deleted_at = ''
		UNION ALL SELECT driver_id, amount, occurred_on FROM settlement_carries WHERE tenant_id = $1 AND transaction_id = ''
		AND type = 'PREV_PERIOD_TRANSFER' AND amount < 0`
	owed, err := db.Select[struct {
		Driver string
		Amount money.Amount
		Since  calendar.Date
	}](tx, `SELECT `+drivers.CanonicalID("d")+` AS driver, o.amount, COALESCE((SELECT MIN(s.last_on) FROM settlements s
		WHERE s.tenant_id = $1 AND s.driver_id = o.driver_id AND s.due < 0 AND s.state <> 'revoked' AND s.last_on >
		COALESCE((SELECT MAX(p.last_on) FROM settlements p WHERE p.tenant_id = $1 AND p.driver_id = o.driver_id AND p.due >= 0
		AND p.state <> 'revoked' AND p.last_on < o.occurred_on), '') AND s.last_on < o.occurred_on), o.occurred_on) AS since
		FROM (`+open+`) o JOIN drivers d ON d.tenant_id = $1 AND d.id = o.driver_id
		ORDER BY since`)
	if err != nil || len(owed) == 0 {
		return err
	}
	f.Debts = make([]Band, len(ages))
	for i := range f.Debts {
		f.Debts[i].From = ages[i]
		if i+1 < len(ages) {
			f.Debts[i].To = ages[i+1]
		}
	}
	counted := map[string]bool{} // a driver with debts of several ages is counted with the oldest
	for _, o := range owed {
		weeks := int64(max(0, today.DaysSince(o.Since)-1) / 7)
		at := 0
		for at+1 < len(ages) && weeks >= ages[at+1] {
			at++
		}
		f.Debts[at].Amount -= o.Amount
		if !counted[o.Driver] {
			f.Debts[at].Drivers++
			counted[o.Driver] = true
		}
	}
	return nil
}

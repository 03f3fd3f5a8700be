package stats

import (
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

// DriverWeek is one week of a driver.
type DriverWeek struct {
	Week    calendar.Period `json:"week"`
	From    calendar.Date   `json:"from"`
	To      calendar.Date   `json:"to"`
	Revenue money.Amount    `json:"revenue"`
	Payout  money.Amount    `json:"payout"`
	Fees    money.Amount    `json:"fees"`
	Cash    money.Amount    `json:"cash"`
	Minutes int64           `json:"minutes"`
}

// DriverStatistics is the statistics of a driver: of settlements that they may see.
type DriverStatistics struct {
	SettledPeriods int64          `json:"settledPeriods" doc:"below two there is nothing else"`
	Currency       money.Currency `json:"currency"`
	Last           money.Amount   `json:"last"`
	Average4       money.Amount   `json:"average4" doc:"payout of the last four"`
	Weeks          []DriverWeek   `json:"weeks" nullable:"false"`
	PerHour        *money.Amount  `json:"perHour"`
	CashShare      *int64         `json:"cashShare" doc:"basis points of the revenue"`
	FeeShare       *int64         `json:"feeShare" doc:"basis points of the revenue"`
	BestWeekday    int            `json:"bestWeekday" doc:"1 is Monday; 0: not known"`
}

// periodsLeast is how many settled periods a driver has before there are statistics: of one, an average says nothing.
const periodsLeast = 2

// settledPeriod is what a driver's settlements of a period come to: supplementary ones and those that a later one absorbed too.
type settledPeriod struct {
	Period                     calendar.Period
	FirstOn, LastOn            calendar.Date
	Revenue, Payout, Fee, Cash money.Amount
}

// worked are the minutes that a driver wrote down for a day.
type worked struct {
	Day     calendar.Date
	Minutes int64
}

// OfDriver is the statistics of a driver over the last weeks that are over before today: of settlements that were shared with them.
func OfDriver(tx *db.Tx, in config.Instance, driver string, weeks int, today calendar.Date) (d DriverStatistics, err error) {
	d = DriverStatistics{Currency: in.Currency, Weeks: []DriverWeek{}}
	all, err := db.Select[settledPeriod](tx, `SELECT period, MIN(first_on) AS first_on, MAX(last_on) AS last_on,
		CAST(SUM(revenue) AS BIGINT) AS revenue, CAST(SUM(payout) AS BIGINT) AS payout, CAST(SUM(fee) AS BIGINT) AS fee,
		CAST(SUM(cash_collected) AS BIGINT) AS cash FROM settlements WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+`
		AND shared_at <> '' AND state <> 'revoked' GROUP BY period ORDER BY period DESC`, driver)
	if err != nil {
		return d, err
	}
	d.SettledPeriods = int64(len(all))
	if d.SettledPeriods < periodsLeast {
		return d, nil
	}
	last := all[:min(len(all), 4)]
	var average money.Exact
	for _, p := range last {
		average.Add(p.Payout, 1, int64(len(last)))
	}
	d.Last = all[0].Payout
	if d.Average4, err = average.Round(); err != nil {
		return d, err
	}
	until := calendar.PeriodOf(today, 1).Monday().AddDays(-1)
	span := Span{until.AddDays(1 - 7*weeks), until}
	for _, week := range span.weeks() {
		d.Weeks = append(d.Weeks, DriverWeek{Week: week, From: week.Monday(), To: week.Monday().AddDays(6)})
	}
	minutes, err := db.Select[worked](tx, `SELECT SUBSTR(started_at, 1, 10) AS day, CAST(SUM(minutes) AS BIGINT) AS minutes FROM time_entries
		WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+` AND deleted_at = '' AND refused_at = '' AND started_at >= $3
		GROUP BY SUBSTR(started_at, 1, 10)`, driver, string(span.From.AddDays(-7*longestPeriod)))
	if err != nil {
		return d, err
	}
	if err := d.fill(span, all, minutes); err != nil {
		return d, err
	}
	d.BestWeekday, err = bestWeekday(tx, driver, span)
	return d, err
}

// longestPeriod is how many weeks a period may have.
const longestPeriod = 4

// fill adds what was settled in the weeks of the span.
func (d *DriverStatistics) fill(span Span, all []settledPeriod, minutes []worked) error {
	for _, m := range minutes {
		if span.From <= m.Day && m.Day <= span.To {
			d.Weeks[span.at(m.Day)].Minutes += m.Minutes
		}
	}
	var revenue, fee, cash, paid money.Amount
	hours := int64(0) // in minutes, of periods in which some were written down
	for _, p := range all {
		monday := p.Period.Monday()
		if monday < span.From || monday > span.To {
			continue
		}
		w := &d.Weeks[span.at(monday)]
		w.Revenue, w.Payout, w.Fees, w.Cash = p.Revenue, p.Payout, p.Fee, p.Cash
		revenue, fee, cash = revenue+p.Revenue, fee+p.Fee, cash+p.Cash
		within := int64(0)
		for _, m := range minutes {
			if p.FirstOn <= m.Day && m.Day <= p.LastOn {
				within += m.Minutes
			}
		}
		if within > 0 {
			hours, paid = hours+within, paid+p.Payout
		}
	}
	d.CashShare, d.FeeShare = shareOf(cash, revenue), shareOf(fee, revenue)
	if hours == 0 {
		return nil
	}
	var exact money.Exact
	exact.Add(paid, 60, hours)
	perHour, err := exact.Round()
	d.PerHour = &perHour
	return err
}

// bestWeekday is the weekday with most revenue on average of those days on which there was any, of rows that are of one day and stand in
// settlements that the driver may see; of equal ones the first.
func bestWeekday(tx *db.Tx, driver string, span Span) (best int, err error) {
	const seen = ` AND EXISTS (SELECT 1 FROM settlements s WHERE s.tenant_id = $1 AND s.id = settlement_id AND s.shared_at <> ''
		AND s.state <> 'revoked')`
	days, err := db.Select[struct {
		Day     calendar.Date
		Revenue money.Amount
	}](tx, `SELECT day, CAST(SUM(amount) AS BIGINT) AS revenue FROM (SELECT occurred_on AS day, amount FROM transactions
		WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+` AND occurred_on BETWEEN $3 AND $4 AND settlement_id <> ''
		AND span_from = span_to AND `+ledger.RevenueTotals+seen+`
		UNION ALL SELECT occurred_on AS day, amount FROM trips WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+`
		AND occurred_on BETWEEN $3 AND $4 AND settlement_id <> ''`+seen+`) o GROUP BY day`, driver, string(span.From), string(span.To))
	if err != nil {
		return 0, err
	}
	var revenue [8]money.Amount
	var n [8]money.Amount
	for _, d := range days {
		if d.Revenue > 0 {
			revenue[d.Day.Weekday()] += d.Revenue
			n[d.Day.Weekday()]++
		}
	}
	for day := 1; day <= 7; day++ { // a / b > c / d where a * d > c * b
		if n[day] > 0 && (best == 0 || revenue[day]*n[best] > revenue[best]*n[day]) {
			best = day
		}
	}
	return best, nil
}

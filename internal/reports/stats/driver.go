package stats

import (
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
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

// OfDriver is the statistics of a driver over the last weeks that are over.
func OfDriver(tx *db.Tx, in config.Instance, driver string, weeks int) (d DriverStatistics, err error) {
	d = DriverStatistics{Currency: in.Currency, Weeks: []DriverWeek{}}
	return d, nil
}

// Package stats adds up what a fleet and a driver earned, by week: sums of figures that settlements kept and of rows that stand, no money
// is computed anew. Days are whole weeks from Monday to Sunday; settlements are counted in the week that their period is called after.
package stats

import (
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

// Span is some whole weeks.
type Span struct {
	From calendar.Date `json:"from"`
	To   calendar.Date `json:"to"`
}

// Equation is what became of the revenue of settlements: revenue - fee - cash = left, and left - earned - tax - costs + broughtForward -
// carriedForward = payouts.
type Equation struct {
	Settlements    int64        `json:"settlements"`
	Revenue        money.Amount `json:"revenue"`
	Fee            money.Amount `json:"fee"`
	Cash           money.Amount `json:"cash"`
	Left           money.Amount `json:"left"`
	Earned         money.Amount `json:"earned"`
	Tax            money.Amount `json:"tax"`
	Costs          money.Amount `json:"costs" doc:"less credits"`
	BroughtForward money.Amount `json:"broughtForward" doc:"below zero: owed by drivers"`
	CarriedForward money.Amount `json:"carriedForward"`
	Payouts        money.Amount `json:"payouts"`
}

// FleetWeek is one week of a fleet.
type FleetWeek struct {
	Week      calendar.Period `json:"week"`
	From      calendar.Date   `json:"from"`
	To        calendar.Date   `json:"to"`
	Revenue   money.Amount    `json:"revenue" doc:"of all rows"`
	LastYear  money.Amount    `json:"lastYear"`
	Payout    money.Amount    `json:"payout"`
	Earned    money.Amount    `json:"earned"`
	Active    int64           `json:"active"`
	Fresh     int64           `json:"fresh" doc:"with first revenue"`
	Gone      int64           `json:"gone" doc:"since four weeks"`
	CashShare *int64          `json:"cashShare" doc:"basis points of the revenue"`
}

// AppFigures is what one app brought.
type AppFigures struct {
	Provider string         `json:"provider"`
	Revenue  money.Amount   `json:"revenue"`
	Previous money.Amount   `json:"previous"`
	Rows     int64          `json:"rows"`
	Weeks    []money.Amount `json:"weeks" nullable:"false" doc:"revenue"`
}

// RankedDriver is one of the drivers with most or least revenue.
type RankedDriver struct {
	ID        string       `json:"id"`
	FirstName string       `json:"firstName"`
	LastName  string       `json:"lastName"`
	Revenue   money.Amount `json:"revenue"`
	Previous  money.Amount `json:"previous"`
	Change    *int64       `json:"change" doc:"basis points"`
}

// Cohort is the drivers who began in a month, and how many of them were active since.
type Cohort struct {
	Month   string  `json:"month"`
	Drivers int64   `json:"drivers"`
	Active  []int64 `json:"active" nullable:"false" doc:"by the weeks since a driver's first"`
}

// Band is the drivers whose payouts lie between two amounts, or whose debts are some weeks old.
type Band struct {
	From    int64        `json:"from" doc:"minor units of payouts, weeks of debts"`
	To      int64        `json:"to" doc:"not included; 0: any more"`
	Drivers int64        `json:"drivers"`
	Amount  money.Amount `json:"amount"`
}

// LicenceBurn is how long the units of the licence last.
type LicenceBurn struct {
	Left    int64         `json:"left"`
	PerWeek int64         `json:"perWeek"`
	EndsOn  calendar.Date `json:"endsOn" doc:"empty: none are used"`
}

// Fleet is the statistics of a fleet.
type Fleet struct {
	Span
	Currency         money.Currency  `json:"currency"`
	Previous         Span            `json:"previous"`
	Equation         Equation        `json:"equation"`
	PreviousEquation Equation        `json:"previousEquation"`
	Weeks            []FleetWeek     `json:"weeks" nullable:"false"`
	Apps             []AppFigures    `json:"apps" nullable:"false"`
	Top              []RankedDriver  `json:"top" nullable:"false"`
	Bottom           []RankedDriver  `json:"bottom" nullable:"false"`
	Cohorts          []Cohort        `json:"cohorts" nullable:"false"`
	PayoutWeek       calendar.Period `json:"payoutWeek" doc:"of the bands; empty: none"`
	PayoutBands      []Band          `json:"payoutBands" nullable:"false"`
	Debts            []Band          `json:"debts" nullable:"false"`
	Licence          LicenceBurn     `json:"licence"`
}

// OfFleet is the statistics of a fleet over whole weeks.
func OfFleet(tx *db.Tx, in config.Instance, span Span) (f Fleet, err error) {
	f = Fleet{Span: span, Currency: in.Currency, Previous: span.before(), Weeks: []FleetWeek{}, Apps: []AppFigures{},
		Top: []RankedDriver{}, Bottom: []RankedDriver{}, Cohorts: []Cohort{}, PayoutBands: []Band{}, Debts: []Band{}}
	for _, week := range span.weeks() {
		f.Weeks = append(f.Weeks, FleetWeek{Week: week, From: week.Monday(), To: week.Monday().AddDays(6)})
	}
	return f, nil
}

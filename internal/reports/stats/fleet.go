// Package stats adds up what a fleet and a driver earned, by week: sums of figures that settlements kept and of rows that stand, no money
// is computed anew. Days are whole weeks from Monday to Sunday; settlements are counted in the week that their period is called after.
package stats

import (
	"cmp"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/sums"
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

// OfFleet is the statistics of a fleet over whole weeks, as of today.
func OfFleet(tx *db.Tx, in config.Instance, span Span, today calendar.Date) (f Fleet, err error) {
	f = Fleet{Span: span, Currency: in.Currency, Previous: span.before(), Weeks: []FleetWeek{}, Apps: []AppFigures{}, Top: []RankedDriver{},
		Bottom: []RankedDriver{}, Cohorts: []Cohort{}, PayoutBands: []Band{}, Debts: []Band{}}
	for _, week := range span.weeks() {
		f.Weeks = append(f.Weeks, FleetWeek{Week: week, From: week.Monday(), To: week.Monday().AddDays(6)})
	}
	for _, add := range []func(*db.Tx) error{f.addSettlements, f.addDays, f.addDrivers, f.addPayouts} {
		if err := add(tx); err != nil {
			return f, err
		}
	}
	if err := f.addDebts(tx, today); err != nil {
		return f, err
	}
	return f, f.addLicence(tx, today)
}

// at is the place of a week in the span; below 0: it is before.
func (s Span) at(monday calendar.Date) int { return monday.DaysSince(s.From) / 7 }

// addSettlements adds what settlements came to.
func (f *Fleet) addSettlements(tx *db.Tx) error {
	weeks, err := sums.Weeks(tx, calendar.PeriodOf(f.Previous.From, 1), f.Weeks[len(f.Weeks)-1].Week)
	if err != nil {
		return err
	}
	for i := range weeks {
		w := &weeks[i]
		if w.Period < f.Weeks[0].Week {
			f.PreviousEquation.add(w)
			continue
		}
		f.Equation.add(w)
		week := &f.Weeks[f.at(w.Period.Monday())]
		week.Payout, week.Earned = w.Payout, w.PartnerFees
		if w.N > 0 {
			f.PayoutWeek = w.Period
		}
	}
	return nil
}

// add adds a week. Sums that were kept do not overflow when they are added again: the database would have refused them.
func (e *Equation) add(w *sums.Week) {
	e.Settlements += w.N
	e.Revenue += w.Revenue
	e.Fee += w.Fee
	e.Cash += w.CashDeducted
	e.Left = e.Revenue - e.Fee - e.Cash
	e.Earned += w.PartnerFees
	e.Tax += w.TaxKept
	e.Costs += w.Costs
	e.BroughtForward += w.BroughtForward
	e.CarriedForward += w.CarriedForward
	e.Payouts += w.Payout
}

// dayTotal is what one app brought on a day.
type dayTotal struct {
	OccurredOn    calendar.Date
	Provider      string
	Revenue, Cash money.Amount
	N             int64
}

// daysOf are the totals of days, by day and app.
func daysOf(tx *db.Tx, from, to calendar.Date) ([]dayTotal, error) {
	return db.Select[dayTotal](tx, `SELECT occurred_on, provider,
		CAST(SUM(CASE WHEN `+ledger.RevenueTotals+` THEN amount ELSE 0 END) AS BIGINT) AS revenue,
		CAST(SUM(CASE WHEN `+ledger.CashTotals+` THEN -amount ELSE 0 END) AS BIGINT) AS cash, CAST(SUM(n) AS BIGINT) AS n
		FROM day_totals WHERE tenant_id = $1 AND occurred_on BETWEEN $2 AND $3 GROUP BY occurred_on, provider`, string(from), string(to))
}

// yearOfWeeks is how many days before a week the week of the last year begins that it is compared with.
const yearOfWeeks = 52 * 7

// addDays adds what rows came to, of the span, the span before and the weeks a year before.
func (f *Fleet) addDays(tx *db.Tx) error {
	days, err := daysOf(tx, f.Previous.From, f.To)
	if err != nil {
		return err
	}
	apps := map[string]*AppFigures{}
	cash := make([]money.Amount, len(f.Weeks))
	for _, d := range days {
		app := apps[d.Provider]
		if app == nil {
			app = &AppFigures{Provider: d.Provider, Weeks: make([]money.Amount, len(f.Weeks))}
			apps[d.Provider] = app
		}
		if d.OccurredOn < f.From {
			app.Previous += d.Revenue
			continue
		}
		at := f.at(d.OccurredOn)
		f.Weeks[at].Revenue += d.Revenue
		app.Weeks[at] += d.Revenue
		app.Revenue += d.Revenue
		app.Rows += d.N
		cash[at] += d.Cash
	}
	for i := range f.Weeks {
		f.Weeks[i].CashShare = shareOf(cash[i], f.Weeks[i].Revenue)
	}
	for _, app := range apps {
		if app.Revenue != 0 || app.Previous != 0 {
			f.Apps = append(f.Apps, *app)
		}
	}
	slices.SortFunc(f.Apps, func(a, b AppFigures) int {
		return cmp.Or(cmp.Compare(b.Revenue, a.Revenue), cmp.Compare(a.Provider, b.Provider))
	})
	if until := f.To.AddDays(-yearOfWeeks); until < f.Previous.From || f.From.AddDays(-yearOfWeeks) < f.Previous.From {
		if days, err = daysOf(tx, f.From.AddDays(-yearOfWeeks), min(until, f.To)); err != nil {
			return err
		}
	}
	for _, d := range days {
		if on := d.OccurredOn.AddDays(yearOfWeeks); f.From <= on && on <= f.To {
			f.Weeks[f.at(on)].LastYear += d.Revenue
		}
	}
	return nil
}

// whole is all of something in basis points.
const whole = 10_000

// shareOf is a part of an amount in basis points, rounded half away from zero; nil: there is nothing to be a part of.
func shareOf(part, of money.Amount) *int64 {
	if of <= 0 {
		return nil
	}
	var exact money.Exact
	exact.Add(part, whole, int64(of))
	share, err := exact.Round()
	if err != nil { // more than a number holds: there is no share that anybody reads
		return nil
	}
	points := int64(share)
	return &points
}

// addLicence adds how long the units last.
func (f *Fleet) addLicence(tx *db.Tx, today calendar.Date) (err error) {
	if f.Licence.Left, err = licences.Left(tx); err != nil {
		return err
	}
	if f.Licence.PerWeek, err = licences.WeeklyUse(tx); err != nil || f.Licence.PerWeek == 0 {
		return err
	}
	if days := f.Licence.Left * 7 / f.Licence.PerWeek; days < 100*365 {
		f.Licence.EndsOn = today.AddDays(int(days))
	}
	return nil
}

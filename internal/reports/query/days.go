package query

import "saldo/internal/kernel/calendar"

// Days are days by name, as schedules say them.
type Days string

// The spans.
const (
	Yesterday   Days = "yesterday"
	LastWeek    Days = "last_week" // from Monday to Sunday
	Last4Weeks  Days = "last_4_weeks"
	ThisMonth   Days = "this_month"
	LastMonth   Days = "last_month"
	LastQuarter Days = "last_quarter"
	ThisYear    Days = "this_year"
	LastYear    Days = "last_year"
)

// AllDays lists them.
func AllDays() []Days {
	return []Days{Yesterday, LastWeek, Last4Weeks, ThisMonth, LastMonth, LastQuarter, ThisYear, LastYear}
}

// Parameters are what somebody says of a report: its days, or their name, and what else it asks for.
type Parameters struct {
	From   calendar.Date       `json:"from,omitempty"`
	To     calendar.Date       `json:"to,omitempty"`
	Days   Days                `json:"days,omitempty"`
	Values map[string][]string `json:"values,omitempty"`
}

// Span is what the days are on a day; false: there is no such name.
func (d Days) Span(today calendar.Date) (from, to calendar.Date, known bool) {
	monday := today.AddDays(1 - today.Weekday())
	month := func(day calendar.Date) calendar.Date { return day[:8] + "01" }
	year := func(day calendar.Date) calendar.Date { return day[:5] + "01-01" }
	switch first := month(today); d {
	case Yesterday:
		return today.AddDays(-1), today.AddDays(-1), true
	case LastWeek:
		return monday.AddDays(-7), monday.AddDays(-1), true
	case Last4Weeks:
		return monday.AddDays(-28), monday.AddDays(-1), true
	case ThisMonth:
		return first, today, true
	case LastMonth:
		return month(first.AddDays(-1)), first.AddDays(-1), true
	case LastQuarter:
		for !isQuarter(first) {
			first = month(first.AddDays(-1))
		}
		end := first.AddDays(-1)
		return month(month(month(end).AddDays(-1)).AddDays(-1)), end, true
	case ThisYear:
		return year(today), today, true
	case LastYear:
		end := year(today).AddDays(-1)
		return year(end), end, true
	}
	return "", "", false
}

// isQuarter says whether a quarter begins with a day.
func isQuarter(day calendar.Date) bool {
	switch day[5:] {
	case "01-01", "04-01", "07-01", "10-01":
		return true
	}
	return false
}

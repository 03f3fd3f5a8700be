package calendar

import (
	"fmt"
	"strconv"
	"time"
)

// Period is the code of a settlement period: an ISO week such as 2026-W11. Periods of several weeks carry the code of
// their last week. The text order is the order of time. Methods panic on a text that ParsePeriod refuses.
type Period string

// anchorMonday is the day from which weeks are counted into periods of several weeks.
var anchorMonday = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

var anchorNumber, _ = Date("2024-01-01").Number()

// ParsePeriod accepts exactly the form 2026-W11 of a week that exists; week 53 only in the years that have one.
func ParsePeriod(text string) (Period, error) {
	if _, _, ok := parseWeek(text); !ok {
		return "", fmt.Errorf("%.40q is not a week such as 2026-W11", text)
	}
	return Period(text), nil
}

func parseWeek(text string) (year, week int, ok bool) {
	if len(text) != len("2026-W11") || text[4:6] != "-W" {
		return 0, 0, false
	}
	y, errYear := strconv.ParseUint(text[:4], 10, 16)
	w, errWeek := strconv.ParseUint(text[6:], 10, 16)
	year, week = int(y), int(w)
	if errYear != nil || errWeek != nil || year < 1 || week < 1 || week > 52 && week > weeksIn(year) {
		return 0, 0, false
	}
	return year, week, true
}

// weeksIn: 28 December is always in the last ISO week of its year.
func weeksIn(year int) int {
	_, week := time.Date(year, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
	return week
}

// PeriodOf gives the week that holds the date, when weeks begin on weekStartDay (1 Monday … 7 Sunday): the seven days of
// a code begin weekStartDay - 1 days after its ISO Monday.
func PeriodOf(date Date, weekStartDay int) Period {
	year, week := date.AddDays(-shift(weekStartDay)).midnight().ISOWeek()
	return weekCode(year, week)
}

func weekCode(year, week int) Period {
	mustExist(year)
	return Period(digits(append(digits(nil, year, 4), "-W"...), week, 2))
}

// PeriodDays gives the first and the last date of the period of 1, 2 or 4 weeks (frequency) that closes in the week.
// Where none closes in it, closes is false and there are no dates.
func PeriodDays(code Period, weekStartDay, frequency int) (first, last Date, closes bool) {
	offset, monday := shift(weekStartDay), code.mondayNumber()
	if weeksToClosing((monday-anchorNumber)/7, frequency) != 0 {
		return "", "", false
	}
	return numbered(monday + offset - 7*(frequency-1)), numbered(monday + offset + 6), true
}

// Closing gives the week in which the period of 1, 2 or 4 weeks (frequency) closes that this week is part of.
func (p Period) Closing(frequency int) Period {
	monday := p.monday()
	return weekCode(monday.AddDate(0, 0, 7*weeksToClosing(daysBetween(anchorMonday, monday)/7, frequency)).ISOWeek())
}

// weeksToClosing counts from the week that is so many after the anchor's.
func weeksToClosing(week, frequency int) int {
	if frequency != 1 && frequency != 2 && frequency != 4 {
		panic(fmt.Sprintf("calendar: a period cannot have %d weeks", frequency))
	}
	// Periods before the anchor must count on the same way, so the remainder must not be negative.
	position := (week%frequency + frequency) % frequency
	return frequency - 1 - position
}

// Monday gives the ISO Monday of the week, whatever day a partner's weeks begin on.
func (p Period) Monday() Date { return dateAt(p.monday()) }

func (p Period) mustWeek() (year, week int) {
	year, week, ok := parseWeek(string(p))
	if !ok {
		panic(fmt.Sprintf("calendar: %.40q is not a week", string(p)))
	}
	return year, week
}

// mondayNumber is the number of the Monday, for periods by the million.
func (p Period) mondayNumber() int {
	year, week := p.mustWeek()
	// 4 January is always in the first ISO week of its year; the anchor is a Monday.
	fourth := number(year, 1, 4)
	sinceMonday := ((fourth-anchorNumber)%7 + 7) % 7
	return fourth - sinceMonday + 7*(week-1)
}

func (p Period) monday() time.Time {
	year, week := p.mustWeek()
	// 4 January is always in the first ISO week of its year.
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	sinceMonday := (int(fourth.Weekday()) + 6) % 7
	return fourth.AddDate(0, 0, 7*(week-1)-sinceMonday)
}

// Next gives the following week.
func (p Period) Next() Period { return weekCode(p.monday().AddDate(0, 0, 7).ISOWeek()) }

// Prev gives the week before.
func (p Period) Prev() Period { return weekCode(p.monday().AddDate(0, 0, -7).ISOWeek()) }

// Recent lists n weeks, newest first, from the one that is running today.
func Recent(today Date, n int) []Period {
	weeks := make([]Period, 0, max(n, 0))
	for week := PeriodOf(today, 1); len(weeks) < n; week = week.Prev() {
		weeks = append(weeks, week)
	}
	return weeks
}

func shift(weekStartDay int) int {
	if weekStartDay < 1 || weekStartDay > 7 {
		panic(fmt.Sprintf("calendar: a week cannot begin on day %d", weekStartDay))
	}
	return weekStartDay - 1
}

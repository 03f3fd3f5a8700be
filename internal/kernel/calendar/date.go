// Package calendar knows days and weeks as people settle by them: local dates, ISO weeks and periods of several weeks.
// It holds no clock; instants and time zones are given.
package calendar

import (
	"fmt"
	"time"
)

// Date is a day of the calendar as text, such as 2026-03-09; the text order is the order of time. The empty date is no
// day. Methods panic on a text that ParseDate refuses.
type Date string

const dateLayout = "2006-01-02"

// ParseDate accepts exactly the form 2026-03-09 of a day that exists.
func ParseDate(text string) (Date, error) {
	if !Date(text).Exists() {
		return "", fmt.Errorf("%.40q is not a date such as 2026-03-09", text)
	}
	return Date(text), nil
}

// DateOf gives the local date of an instant where the day begins at the cut-off (00:00 up to 23:59:59) instead of
// midnight: before the cut-off it is still the previous date.
//
// The wall clock of the zone decides, not elapsed hours: on the day after a night in which clocks change, a day that
// begins at 04:00 still begins when local clocks show 04:00, 3 or 5 hours after midnight. Days have 23 or 25 hours then,
// and every instant still has exactly one date.
func DateOf(instant time.Time, zone *time.Location, cutoff time.Duration) Date {
	if cutoff < 0 || cutoff >= 24*time.Hour {
		panic(fmt.Sprintf("calendar: a day cannot begin at %v", cutoff))
	}
	local := instant.In(zone)
	hour, minute, second := local.Clock()
	clock := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	date := dateAt(local)
	if clock < cutoff.Truncate(time.Second) {
		return date.AddDays(-1)
	}
	return date
}

// AddDays gives the date n days later, or earlier when n is negative.
func (d Date) AddDays(n int) Date { return dateAt(d.midnight().AddDate(0, 0, n)) }

// DaysSince counts the days from an earlier date to this one; it is negative when that date is later.
func (d Date) DaysSince(earlier Date) int { return daysBetween(earlier.midnight(), d.midnight()) }

// Number counts the days from 1 March of the year 0 up to the date; ok is false where ParseDate would refuse the text.
// The difference of two numbers is that of their dates.
func (d Date) Number() (days int, ok bool) {
	year, month, day, ok := d.parts()
	if !ok {
		return 0, false
	}
	return number(year, month, day), true
}

func number(year, month, day int) int {
	// Years that begin in March have their leap day last, so that months need no table.
	if month -= 3; month < 0 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1
}

// Exists says whether ParseDate would take the text.
func (d Date) Exists() bool {
	_, _, _, ok := d.parts()
	return ok
}

// MonthEnds counts the last days of months from first to last, both included.
func MonthEnds(first, last Date) int {
	fromYear, fromMonth, _ := first.mustParts()
	year, month, day := last.mustParts()
	ends := (year-fromYear)*12 + month - fromMonth
	if day == daysIn(year, month) {
		ends++
	}
	return ends
}

func daysBetween(earlier, later time.Time) int {
	return int((later.Unix() - earlier.Unix()) / (24 * 60 * 60))
}

// midnight stands for the date in UTC, where every day has 24 hours.
func (d Date) midnight() time.Time {
	year, month, day := d.mustParts()
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

func (d Date) mustParts() (year, month, day int) {
	year, month, day, ok := d.parts()
	if !ok {
		panic(fmt.Sprintf("calendar: %.40q is not a date", string(d)))
	}
	return year, month, day
}

// parts reads the text itself: settlements ask for the days of dates by the million.
func (d Date) parts() (year, month, day int, ok bool) {
	if len(d) != len(dateLayout) || d[4] != '-' || d[7] != '-' {
		return 0, 0, 0, false
	}
	year, okYear := digitsOf(d[:4])
	month, okMonth := digitsOf(d[5:7])
	day, okDay := digitsOf(d[8:])
	ok = okYear && okMonth && okDay && year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
	return year, month, day, ok
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func digitsOf(text Date) (n int, ok bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = n*10 + int(text[i]-'0')
	}
	return n, true
}

// numbered gives the date that has the number.
func numbered(days int) Date {
	era, day := days/146_097, days%146_097 // of 400 years
	year := (day - day/1_460 + day/36_524 - day/146_096) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153
	day -= (153*month+2)/5 - 1
	if year, month = year+400*era, month+3; month > 12 {
		year, month = year+1, month-12
	}
	return dateOf(year, month, day)
}

func dateAt(t time.Time) Date {
	year, month, day := t.Date()
	return dateOf(year, int(month), day)
}

func dateOf(year, month, day int) Date {
	mustExist(year)
	text := make([]byte, 0, len(dateLayout)) // stays on the stack
	text = append(digits(text, year, 4), '-')
	text = append(digits(text, month, 2), '-')
	return Date(digits(text, day, 2))
}

func mustExist(year int) {
	if year < 1 || year > 9999 {
		panic(fmt.Sprintf("calendar: the year %d is beyond this calendar", year))
	}
}

// digits appends a number with leading zeros; dates are made by the million.
func digits(text []byte, n, width int) []byte {
	for place := width - 1; place >= 0; place-- {
		digit := n
		for range place {
			digit /= 10
		}
		text = append(text, byte('0'+digit%10))
	}
	return text
}

// Weekday is the day of the week: Monday is 1, Sunday is 7.
func (d Date) Weekday() int { return (int(d.midnight().Weekday())+6)%7 + 1 }

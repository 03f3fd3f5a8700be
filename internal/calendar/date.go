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
	if _, err := time.Parse(dateLayout, text); err != nil || len(text) != len(dateLayout) || text < "0001" {
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

func daysBetween(earlier, later time.Time) int {
	return int((later.Unix() - earlier.Unix()) / (24 * 60 * 60))
}

// midnight stands for the date in UTC, where every day has 24 hours.
func (d Date) midnight() time.Time {
	t, err := time.Parse(dateLayout, string(d))
	if err != nil {
		panic(fmt.Sprintf("calendar: %.40q is not a date", string(d)))
	}
	return t
}

func dateAt(t time.Time) Date {
	year, month, day := t.Date()
	mustExist(year)
	text := append(digits(nil, year, 4), '-')
	text = append(digits(text, int(month), 2), '-')
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

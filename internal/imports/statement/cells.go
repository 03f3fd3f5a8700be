package statement

import (
	"strconv"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
)

// excelEpoch is the day 0 of workbooks that count from 1900, with the leap day that never was.
var excelEpoch = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// Date reads a day: 2026-09-21, 21.09.2026, 21/09/2026, 21-09-2026, also with a time behind it, or a workbook's number of days.
func Date(cell string) (calendar.Date, bool) {
	day, _, _ := strings.Cut(strings.TrimSpace(cell), " ")
	day, _, _ = strings.Cut(day, "T")
	for _, form := range []string{"2006-01-02", "02.01.2006", "2.1.2006", "02/01/2006", "02-01-2006", "2006/01/02", "20060102"} {
		if t, err := time.Parse(form, day); err == nil {
			return dateOf(t)
		}
	}
	if serial, err := strconv.ParseFloat(day, 64); err == nil && serial >= 20_000 && serial < 80_000 {
		return dateOf(excelEpoch.AddDate(0, 0, int(serial)))
	}
	return "", false
}

// The days that a row of money may have.
const (
	FirstDay calendar.Date = "2000-01-01"
	LastDay  calendar.Date = "2099-12-31"
)

// ExpectedDate is what is expected in the place of a cell that is no day of a row of money: an example, or the days that there may be.
func ExpectedDate(cell, example string) string {
	if on, ok := Date(cell); ok && (on < FirstDay || on > LastDay) {
		return string(FirstDay + " – " + LastDay)
	}
	return example
}

// DayOf reads a day of a row of money.
func DayOf(cell string) (calendar.Date, bool) {
	on, ok := Date(cell)
	return on, ok && on >= FirstDay && on <= LastDay
}

func dateOf(t time.Time) (calendar.Date, bool) {
	on, err := calendar.ParseDate(t.Format("2006-01-02"))
	return on, err == nil
}

// offsets are the forms of instants that say how far from UTC they are.
var offsets = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999 -0700 MST", "2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 -0700",
	"2006-01-02T15:04:05-0700"}

// locals are the forms of instants that leave the zone to the reader.
var locals = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "02.01.2006 15:04:05", "02.01.2006 15:04",
	"02/01/2006 15:04:05", "02/01/2006 15:04"}

// Instant reads a moment, in the zone where the cell does not say one. A time that the clock shows twice is the first of both,
// and one that it skips is an hour later; an offset in the cell decides both.
func Instant(cell string, zone *time.Location) (time.Time, bool) {
	cell = strings.TrimSpace(cell)
	for _, form := range offsets {
		if t, err := time.Parse(form, cell); err == nil {
			return t, true
		}
	}
	for _, form := range locals {
		if t, err := time.ParseInLocation(form, cell, zone); err == nil {
			return first(t, zone), true
		}
	}
	return time.Time{}, false
}

// first is the earlier of two moments at which the clock shows the same.
func first(t time.Time, zone *time.Location) time.Time {
	if earlier := t.Add(-time.Hour); earlier.In(zone).Format("15:04:05") == t.In(zone).Format("15:04:05") {
		return earlier
	}
	return t
}

// Plain makes a card number or an id that a workbook turned into a number whole again: without decimals, blanks and leading zeros.
func Plain(value string) string {
	value = strings.Join(strings.Fields(value), "")
	if whole, decimals, found := strings.Cut(value, "."); found && strings.Trim(decimals, "0") == "" {
		value = whole
	}
	return value
}

package calendar

import "time"

// BusinessDay says whether banks of a country settle payments on a date: Polish banks by Elixir, all others by the
// calendar of TARGET. The Polish ones are also the working days of the law: Saturdays and the fourteen public holidays are none.
func BusinessDay(date Date, country string) bool {
	at := date.midnight()
	if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
		return false
	}
	easter := easterSunday(at.Year())
	sinceEaster := daysBetween(easter, at)
	month, day := at.Month(), at.Day()
	on := func(m time.Month, d int) bool { return month == m && day == d }
	if on(time.January, 1) || sinceEaster == 1 || on(time.May, 1) || on(time.December, 25) || on(time.December, 26) {
		return false
	}
	if country != "PL" {
		return sinceEaster != -2 // Good Friday
	}
	corpusChristi := sinceEaster == 60
	return !corpusChristi && !on(time.January, 6) && !on(time.May, 3) && !on(time.August, 15) && !on(time.November, 1) &&
		!on(time.November, 11) &&
		(!on(time.December, 24) || at.Year() < 2025) // a holiday since 2025
}

// NextBusinessDay is the date itself where banks of the country work on it, or else the first one after it.
func NextBusinessDay(date Date, country string) Date {
	for !BusinessDay(date, country) {
		date = date.AddDays(1)
	}
	return date
}

// AddBusinessDays gives the last of n business days that follow a date, which itself does not count.
func AddBusinessDays(date Date, n int, country string) Date {
	for ; n > 0; n-- {
		date = NextBusinessDay(date.AddDays(1), country)
	}
	return date
}

// easterSunday is found by the anonymous Gregorian computus.
func easterSunday(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	month, day := (h+l-7*m+114)/31, (h+l-7*m+114)%31+1
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

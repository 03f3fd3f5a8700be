package calendar

import "testing"

func TestNextBusinessDay(t *testing.T) {
	for _, c := range []struct {
		on      Date
		country string
		want    Date
	}{
		{"2026-11-10", "PL", "2026-11-10"},
		{"2026-11-11", "PL", "2026-11-12"}, // Independence Day
		{"2026-11-11", "DE", "2026-11-11"},
		{"2026-11-14", "PL", "2026-11-16"}, // a weekend
		{"2026-04-03", "DE", "2026-04-07"}, // Good Friday, weekend, Easter Monday
		{"2026-04-03", "PL", "2026-04-03"},
		{"2026-06-04", "PL", "2026-06-05"}, // Corpus Christi
		{"2026-12-24", "PL", "2026-12-28"},
		{"2026-12-24", "DE", "2026-12-24"},
		{"2024-12-24", "PL", "2024-12-24"},
		{"2027-01-01", "PL", "2027-01-04"},
		{"2027-03-28", "PL", "2027-03-30"}, // Easter
		{"2025-01-06", "PL", "2025-01-07"},
	} {
		if got := NextBusinessDay(c.on, c.country); got != c.want {
			t.Errorf("%s in %s: %s, not %s", c.on, c.country, got, c.want)
		}
	}
}

func TestEasterSunday(t *testing.T) {
	for year, want := range map[int]Date{1961: "1961-04-02", 2000: "2000-04-23", 2019: "2019-04-21", 2024: "2024-03-31", 2025: "2025-04-20", 2026: "2026-04-05", 2038: "2038-04-25"} {
		if got := dateAt(easterSunday(year)); got != want {
			t.Errorf("%d: %s, not %s", year, got, want)
		}
	}
}

func TestAddBusinessDays(t *testing.T) {
	for _, c := range []struct {
		on      Date
		n       int
		country string
		want    Date
	}{
		{"2026-11-14", 0, "PL", "2026-11-14"},
		{"2026-11-13", 1, "PL", "2026-11-16"},
		{"2026-11-10", 1, "PL", "2026-11-12"}, // Independence Day
		{"2025-07-12", 7, "PL", "2025-07-22"}, // the example of the Ministry of Finance
		{"2026-12-23", 7, "PL", "2027-01-07"}, // Christmas, New Year, Epiphany and two weekends
		{"2026-12-23", 7, "DE", "2027-01-05"},
	} {
		if got := AddBusinessDays(c.on, c.n, c.country); got != c.want {
			t.Errorf("%d after %s in %s: %s, not %s", c.n, c.on, c.country, got, c.want)
		}
	}
}

// TestBusinessDay_PolishHolidays has all fourteen of a year.
func TestBusinessDay_PolishHolidays(t *testing.T) {
	for year, holidays := range map[string][]Date{
		"2026": {"2026-01-01", "2026-01-06", "2026-04-05", "2026-04-06", "2026-05-01", "2026-05-03", "2026-05-24", "2026-06-04", "2026-08-15",
			"2026-11-01", "2026-11-11", "2026-12-24", "2026-12-25", "2026-12-26"},
		"2027": {"2027-01-01", "2027-01-06", "2027-03-28", "2027-03-29", "2027-05-01", "2027-05-03", "2027-05-16", "2027-05-27", "2027-08-15",
			"2027-11-01", "2027-11-11", "2027-12-24", "2027-12-25", "2027-12-26"},
	} {
		off := map[Date]bool{}
		for _, on := range holidays {
			off[on] = true
		}
		for on := Date(year + "-01-01"); on <= Date(year+"-12-31"); on = on.AddDays(1) {
			if want := on.Weekday() < 6 && !off[on]; BusinessDay(on, "PL") != want {
				t.Errorf("%s: %v", on, !want)
			}
		}
	}
}

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

package calendar

import (
	"fmt"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

const uber = 4 * time.Hour

// An instant is in the periods of its date, so this and the next test together say: in exactly one period.
func TestEveryInstantHasExactlyOneDate(t *testing.T) {
	for _, name := range []string{"Europe/Warsaw", "Europe/Berlin"} {
		for _, cutoff := range []time.Duration{0, uber} {
			t.Run(fmt.Sprintf("%s from %v", name, cutoff), func(t *testing.T) {
				t.Parallel()
				z := zone(t, name)
				instant := time.Date(2020, 1, 1, 0, 0, 0, 0, z)
				end := time.Date(2041, 1, 1, 0, 0, 0, 0, z)
				date := DateOf(instant, z, cutoff)
				for ; instant.Before(end); instant = instant.Add(15 * time.Minute) {
					next := DateOf(instant, z, cutoff)
					if next == date {
						continue
					}
					// Days follow each other without a gap, a repeat or a step back, each from its cut-off on.
					local := instant.In(z)
					began := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute
					if next != date.AddDays(1) || began != cutoff {
						t.Fatalf("%s follows %s at %v", next, date, local)
					}
					date = next
				}
				if date < "2040-12-31" {
					t.Errorf("the sweep ended on %s", date)
				}
			})
		}
	}
}

func TestEveryDateIsInExactlyOnePeriod(t *testing.T) {
	t.Parallel()
	for date := Date("2019-12-31"); date <= "2041-01-01"; date = date.AddDays(1) {
		inExactlyOnePeriod(t, date)
	}
}

func inExactlyOnePeriod(t *testing.T, date Date) {
	t.Helper()
	for start := 1; start <= 7; start++ {
		week := PeriodOf(date, start)
		for _, frequency := range []int{1, 2, 4} {
			holding := 0
			code := week.Prev()
			for range frequency + 2 {
				first, last, closes := PeriodDays(code, start, frequency)
				if closes && first <= date && date <= last {
					holding++
					if code != week.Closing(frequency) {
						t.Fatalf("%s is in %s, not in %s", date, code, week.Closing(frequency))
					}
				}
				code = code.Next()
			}
			if holding != 1 {
				t.Fatalf("%s is in %d periods of %d weeks from day %d", date, holding, frequency, start)
			}
		}
	}
}

func TestPeriodsTouchEachOtherWithoutGapOrOverlap(t *testing.T) {
	for start := 1; start <= 7; start++ {
		for _, frequency := range []int{1, 2, 4} {
			previous := Date("")
			for code := Period("2019-W48"); code < "2041-W01"; code = code.Next() {
				first, last, closes := PeriodDays(code, start, frequency)
				if !closes {
					if first != "" || last != "" {
						t.Fatalf("%s does not close and has days", code)
					}
					continue
				}
				if previous != "" && first != previous.AddDays(1) {
					t.Fatalf("%s begins on %s after %s", code, first, previous)
				}
				if last.DaysSince(first) != 7*frequency-1 {
					t.Fatalf("%s has %d days", code, last.DaysSince(first)+1)
				}
				previous = last
			}
		}
	}
}

func TestPeriodDaysAreThoseOfTheSpecification(t *testing.T) {
	for _, c := range []struct {
		code             Period
		start, frequency int
		first, last      Date
		closes           bool
	}{
		{"2024-W01", 1, 1, "2024-01-01", "2024-01-07", true},
		{"2024-W01", 1, 2, "", "", false},
		{"2024-W02", 1, 2, "2024-01-01", "2024-01-14", true},
		{"2024-W03", 1, 4, "", "", false},
		{"2024-W04", 1, 4, "2024-01-01", "2024-01-28", true},
		{"2024-W02", 7, 2, "2024-01-07", "2024-01-20", true},
		{"2023-W52", 1, 2, "2023-12-18", "2023-12-31", true},
		{"2023-W51", 1, 2, "", "", false},
		{"2023-W52", 1, 4, "2023-12-04", "2023-12-31", true},
		{"2026-W45", 1, 1, "2026-11-02", "2026-11-08", true},
		{"2026-W45", 3, 1, "2026-11-04", "2026-11-10", true},
		{"2026-W53", 1, 1, "2026-12-28", "2027-01-03", true},
	} {
		first, last, closes := PeriodDays(c.code, c.start, c.frequency)
		if first != c.first || last != c.last || closes != c.closes {
			t.Errorf("%s from day %d, %d weeks: %s to %s, closes %v", c.code, c.start, c.frequency, first, last, closes)
		}
	}
}

func TestAWeekOfAClockChangeHas167Or169Hours(t *testing.T) {
	for _, name := range []string{"Europe/Warsaw", "Europe/Berlin"} {
		z := zone(t, name)
		for _, cutoff := range []time.Duration{0, uber} {
			hours := map[Period]int{}
			end := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
			for instant := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC); instant.Before(end); instant = instant.Add(time.Hour) {
				hours[PeriodOf(DateOf(instant, z, cutoff), 1)]++
			}
			for code, want := range map[Period]int{"2026-W12": 168, "2026-W13": 167, "2026-W14": 168, "2026-W42": 168, "2026-W43": 169, "2026-W44": 168} {
				if hours[code] != want {
					t.Errorf("%s from %v: %s has %d hours", name, cutoff, code, hours[code])
				}
			}
		}
	}
}

func TestTheNightsOfAClockChangeFollowTheWallClock(t *testing.T) {
	z := zone(t, "Europe/Warsaw")
	for _, c := range []struct {
		utc      string
		wall     string
		midnight Date
		fromFour Date
	}{
		// Clocks go back: 02:30 comes twice.
		{"2026-10-25T00:30:00Z", "02:30 CEST", "2026-10-25", "2026-10-24"},
		{"2026-10-25T01:30:00Z", "02:30 CET", "2026-10-25", "2026-10-24"},
		{"2026-10-25T02:30:00Z", "03:30 CET", "2026-10-25", "2026-10-24"},
		{"2026-10-25T02:59:59Z", "03:59 CET", "2026-10-25", "2026-10-24"},
		{"2026-10-25T03:00:00Z", "04:00 CET", "2026-10-25", "2026-10-25"},
		// Clocks go forward: there is no 02:30.
		{"2026-03-29T00:59:59Z", "01:59 CET", "2026-03-29", "2026-03-28"},
		{"2026-03-29T01:00:00Z", "03:00 CEST", "2026-03-29", "2026-03-28"},
		{"2026-03-29T01:59:59Z", "03:59 CEST", "2026-03-29", "2026-03-28"},
		{"2026-03-29T02:00:00Z", "04:00 CEST", "2026-03-29", "2026-03-29"},
		{"2026-03-29T02:30:00Z", "04:30 CEST", "2026-03-29", "2026-03-29"},
		// Ordinary nights.
		{"2026-01-01T02:59:59.999Z", "03:59 CET", "2026-01-01", "2025-12-31"},
		{"2025-12-31T23:00:00Z", "00:00 CET", "2026-01-01", "2025-12-31"},
		{"2025-12-31T22:59:59Z", "23:59 CET", "2025-12-31", "2025-12-31"},
	} {
		instant, err := time.Parse(time.RFC3339Nano, c.utc)
		if err != nil {
			t.Fatal(err)
		}
		if wall := instant.In(z).Format("15:04 MST"); wall != c.wall {
			t.Errorf("%s is %s", c.utc, wall)
		}
		if got := DateOf(instant, z, 0); got != c.midnight {
			t.Errorf("%s from midnight is %s", c.wall, got)
		}
		if got := DateOf(instant, z, uber); got != c.fromFour {
			t.Errorf("%s from four is %s", c.wall, got)
		}
	}
}

func TestWeek53ExistsOnlyInLongYears(t *testing.T) {
	for year := 2015; year <= 2045; year++ {
		_, err := ParsePeriod(fmt.Sprintf("%d-W53", year))
		if long := slices.Contains([]int{2015, 2020, 2026, 2032, 2037, 2043}, year); long != (err == nil) {
			t.Errorf("%d: %v", year, err)
		}
	}
	if got := Period("2026-W53").Next(); got != "2027-W01" {
		t.Errorf("after 2026-W53 comes %s", got)
	}
	if got := Period("2033-W01").Prev(); got != "2032-W53" {
		t.Errorf("before 2033-W01 is %s", got)
	}
	if got := PeriodOf("2027-01-03", 1); got != "2026-W53" {
		t.Errorf("2027-01-03 is in %s", got)
	}
	if got := Period("2032-W53").Monday(); got != "2032-12-27" {
		t.Errorf("2032-W53 begins on %s", got)
	}
}

func TestWeeksAgreeWithTheISOWeeksOfTheLibrary(t *testing.T) {
	for date := Date("2019-12-20"); date < "2041-01-10"; date = date.AddDays(1) {
		parsed, err := time.Parse(dateLayout, string(date))
		if err != nil {
			t.Fatal(err)
		}
		year, week := parsed.ISOWeek()
		code := PeriodOf(date, 1)
		if want := Period(fmt.Sprintf("%d-W%02d", year, week)); code != want {
			t.Fatalf("%s is in %s, not in %s", date, code, want)
		}
		if number, _ := code.Monday().Number(); number != code.mondayNumber() {
			t.Fatalf("the Monday of %s has two numbers", code)
		}
		if days := date.DaysSince(code.Monday()); days < 0 || days > 6 || code.Next().Prev() != code || code.Next() <= code {
			t.Fatalf("%s is day %d of %s", date, days, code)
		}
	}
}

func TestOnlyDatesAndWeeksThatExistAreParsed(t *testing.T) {
	for _, good := range []string{"2026-03-09", "2024-02-29", "0001-01-01", "9999-12-31"} {
		if d, err := ParseDate(good); err != nil || string(d) != good {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "2026-3-9", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-32", "09.03.2026", "2026-03-09T00:00:00Z", " 2026-03-09", "0000-01-01", "-001-01-01", "２０２６-03-09"} {
		if _, err := ParseDate(bad); err == nil {
			t.Errorf("%q is a date", bad)
		}
	}
	for _, good := range []string{"2026-W01", "2026-W53", "2025-W52"} {
		if p, err := ParsePeriod(good); err != nil || string(p) != good {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "2026-W00", "2025-W53", "2026-W54", "2026W11", "2026-w11", "2026-W1", "2026-W011", "+026-W11", "2026-W+1", "2026-W 1", "0000-W01"} {
		if _, err := ParsePeriod(bad); err == nil {
			t.Errorf("%q is a week", bad)
		}
	}
}

func TestRecentWeeksBeginWithTheRunningOne(t *testing.T) {
	want := []Period{"2027-W02", "2027-W01", "2026-W53", "2026-W52"}
	if got := Recent("2027-01-17", 4); !slices.Equal(got, want) {
		t.Errorf("%s", got)
	}
	if got := Recent("2027-01-17", 0); len(got) != 0 {
		t.Errorf("%s", got)
	}
}

func TestMistakesOfTheCallerPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"no date":             func() { Date("").AddDays(1) },
		"no week":             func() { Period("2025-W53").Monday() },
		"day 0":               func() { PeriodOf("2026-01-01", 0) },
		"day 8":               func() { PeriodDays("2026-W01", 8, 1) },
		"three weeks":         func() { PeriodDays("2026-W01", 1, 3) },
		"cut-off of a day":    func() { DateOf(time.Time{}, time.UTC, 24*time.Hour) },
		"cut-off before":      func() { DateOf(time.Time{}, time.UTC, -time.Hour) },
		"after all dates":     func() { Date("9999-12-31").AddDays(1) },
		"before all dates":    func() { Date("0001-01-01").AddDays(-1) },
		"before all instants": func() { DateOf(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.UTC, time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			call()
		})
	}
}

func FuzzParsing(f *testing.F) {
	f.Add("2026-03-09")
	f.Add("2026-W53")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDate(text); err == nil && d > "0001-01-08" && d < "9999-12-24" {
			if d.AddDays(1).AddDays(-1) != d || PeriodOf(d, 1).Monday() > d {
				t.Fatalf("%q", text)
			}
		}
		if p, err := ParsePeriod(text); err == nil && PeriodOf(p.Monday(), 1) != p {
			t.Fatalf("%q", text)
		}
	})
}

func TestExactlyTheDatesOfTheLibraryExist(t *testing.T) {
	first, _ := Date("0001-01-01").Number()
	for year := range 2101 {
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				parsed, err := time.Parse(dateLayout, text)
				if exists := err == nil && year > 0; Date(text).Exists() != exists {
					t.Fatalf("%s exists: %v", text, !exists)
				} else if exists && !Date(text).midnight().Equal(parsed) {
					t.Fatalf("%s is %v", text, Date(text).midnight())
				} else if number, ok := Date(text).Number(); ok != exists || ok && (number-first != Date(text).DaysSince("0001-01-01") || numbered(number) != Date(text)) {
					t.Fatalf("%s has the number %d, %v", text, number, ok)
				}
			}
		}
	}
}

func TestMonthEndsAreCountedWithBothDays(t *testing.T) {
	for _, c := range []struct {
		first, last Date
		want        int
	}{
		{"2026-10-26", "2026-11-01", 1}, {"2026-10-31", "2026-10-31", 1}, {"2026-11-01", "2026-11-07", 0}, {"2026-10-25", "2026-10-31", 1},
		{"2026-12-28", "2027-01-03", 1}, {"2027-01-31", "2027-02-27", 1}, {"2027-01-31", "2027-02-28", 2}, {"2028-01-31", "2028-02-28", 1},
	} {
		if got := MonthEnds(c.first, c.last); got != c.want {
			t.Errorf("%s to %s: %d", c.first, c.last, got)
		}
	}
	for first := Date("2019-12-20"); first < "2029-01-10"; first = first.AddDays(1) {
		want := 0
		for day := first; day <= first.AddDays(27); day = day.AddDays(1) {
			if day.AddDays(1)[8:] == "01" {
				want++
			}
		}
		if got := MonthEnds(first, first.AddDays(27)); got != want {
			t.Fatalf("from %s: %d, not %d", first, got, want)
		}
	}
}

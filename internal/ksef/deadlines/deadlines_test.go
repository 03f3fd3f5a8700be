package deadlines

import (
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
)

var warsaw = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		panic(err)
	}
	return zone
}()

// at reads an instant: by the clocks of Warsaw, or in UTC where it ends with Z, as in nights in which clocks change.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	layout, zone := "2006-01-02 15:04:05"[:len(strings.TrimSuffix(text, "Z"))], warsaw
	if strings.HasSuffix(text, "Z") {
		text, zone = strings.TrimSuffix(text, "Z"), time.UTC
	}
	instant, err := time.ParseInLocation(layout, text, zone)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

// outages reads "failure 2026-11-12 08:00 - 2026-11-13 20:00", several divided by semicolons; without an end it goes on.
func outages(t *testing.T, text string) (found []Outage) {
	t.Helper()
	for one := range strings.SplitSeq(text, "; ") {
		if one == "" {
			continue
		}
		kind, times, _ := strings.Cut(one, " ")
		from, to, ends := strings.Cut(times, " - ")
		o := Outage{Kind: Mode(kind), From: at(t, from)}
		if ends {
			o.To = at(t, to)
		}
		found = append(found, o)
	}
	return found
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		issued  string // the instant; the invoice is of that day in Warsaw, or of the one before it
		outages string
		mode    Mode
		want    calendar.Date
	}{
		// by choice: the next working day
		{"2026-11-16 12:00", "", Offline24, "2026-11-17"},
		{"2026-11-20 12:00", "", Offline24, "2026-11-23"}, // Friday
		{"2026-11-21 12:00", "", Offline24, "2026-11-23"},
		{"2026-11-22 12:00", "", Offline24, "2026-11-23"},
		{"2026-11-10 12:00", "", Offline24, "2026-11-12"}, // Independence Day
		{"2026-11-11 12:00", "", Offline24, "2026-11-12"},
		{"2027-11-10 12:00", "", Offline24, "2027-11-12"},
		{"2026-10-30 12:00", "", Offline24, "2026-11-02"}, // All Saints on a Sunday
		{"2027-10-29 12:00", "", Offline24, "2027-11-02"}, // and on a Monday
		{"2026-04-02 12:00", "", Offline24, "2026-04-03"}, // Good Friday is a working day
		{"2026-04-03 12:00", "", Offline24, "2026-04-07"}, // Easter
		{"2027-03-26 12:00", "", Offline24, "2027-03-30"},
		{"2026-05-22 12:00", "", Offline24, "2026-05-25"}, // Pentecost
		{"2026-06-03 12:00", "", Offline24, "2026-06-05"}, // Corpus Christi
		{"2027-05-26 12:00", "", Offline24, "2027-05-28"},
		{"2026-04-30 12:00", "", Offline24, "2026-05-04"},
		{"2027-04-30 12:00", "", Offline24, "2027-05-04"},
		{"2026-08-14 12:00", "", Offline24, "2026-08-17"},
		{"2024-12-23 12:00", "", Offline24, "2024-12-24"}, // a holiday since 2025
		{"2025-12-23 12:00", "", Offline24, "2025-12-29"},
		{"2026-12-23 12:00", "", Offline24, "2026-12-28"},
		{"2027-12-23 12:00", "", Offline24, "2027-12-27"},
		{"2026-12-31 12:00", "", Offline24, "2027-01-04"},
		{"2027-01-05 12:00", "", Offline24, "2027-01-07"}, // Epiphany
		// midnight in Warsaw and nights in which clocks change
		{"2026-11-16 23:59:59", "", Offline24, "2026-11-17"},
		{"2026-11-17 00:00", "", Offline24, "2026-11-18"},
		{"2026-11-16 22:59Z", "", Offline24, "2026-11-17"},
		{"2026-11-16 23:00Z", "", Offline24, "2026-11-18"},
		{"2026-10-24 21:59Z", "", Offline24, "2026-10-26"}, // a minute before midnight, in summer time
		{"2026-10-25 00:30Z", "", Offline24, "2026-10-26"}, // the first half past two
		{"2026-10-25 01:30Z", "", Offline24, "2026-10-26"}, // and the second
		{"2026-10-25 22:59Z", "", Offline24, "2026-10-26"},
		{"2026-10-25 23:00Z", "", Offline24, "2026-10-27"},
		{"2026-03-29 01:00Z", "", Offline24, "2026-03-30"},
		{"2026-03-29 21:59Z", "", Offline24, "2026-03-30"},
		{"2026-03-29 22:00Z", "", Offline24, "2026-03-31"},
		// an announced break: the next working day after its end
		{"2026-11-20 23:00", "unavailable 2026-11-20 22:00 - 2026-11-21 14:00", Unavailable, "2026-11-23"},
		{"2026-11-22 12:00", "unavailable 2026-11-22 08:00 - 2026-11-23 00:00", Unavailable, "2026-11-23"},
		{"2026-11-22 12:00", "unavailable 2026-11-22 08:00 - 2026-11-23 00:01", Unavailable, "2026-11-24"},
		{"2026-11-10 12:00", "unavailable 2026-11-10 08:00 - 2026-11-10 18:00", Unavailable, "2026-11-12"},
		{"2026-12-23 12:00", "unavailable 2026-12-23 08:00 - 2026-12-23 20:00", Unavailable, "2026-12-28"},
		{"2026-10-25 00:45Z", "unavailable 2026-10-24 22:00Z - 2026-10-25 01:30Z", Unavailable, "2026-10-26"},
		{"2026-03-28 23:00", "unavailable 2026-03-28 20:00 - 2026-03-29 03:00", Unavailable, "2026-03-30"},
		{"2026-11-22 12:00", "unavailable 2026-11-22 08:00", Unavailable, ""},                            // goes on
		{"2026-11-19 12:00", "unavailable 2026-11-20 00:00 - 2026-11-21 00:00", Offline24, "2026-11-20"}, // it came later
		{"2026-11-19 12:00", "unavailable 2026-11-19 08:00 - 2026-11-19 12:00", Offline24, "2026-11-20"}, // it is over
		// a failure: seven working days after its end
		{"2025-07-12 09:00", "failure 2025-07-12 08:00 - 2025-07-12 16:00", Failure, "2025-07-22"}, // the Ministry's example
		{"2026-11-13 12:00", "failure 2026-11-13 12:00 - 2026-11-13 15:00", Failure, "2026-11-24"},
		{"2026-11-13 12:00", "failure 2026-11-13 12:00 - 2026-11-14 00:00", Failure, "2026-11-24"},
		{"2026-11-09 12:00", "failure 2026-11-09 08:00 - 2026-11-09 15:00", Failure, "2026-11-19"}, // Independence Day
		{"2026-12-18 12:00", "failure 2026-12-18 08:00 - 2026-12-18 15:00", Failure, "2026-12-31"}, // Christmas
		{"2026-12-23 12:00", "failure 2026-12-23 08:00 - 2026-12-23 15:00", Failure, "2027-01-07"},
		{"2026-03-31 12:00", "failure 2026-03-31 08:00 - 2026-03-31 15:00", Failure, "2026-04-10"}, // Easter
		{"2026-06-01 12:00", "failure 2026-06-01 08:00 - 2026-06-01 15:00", Failure, "2026-06-11"}, // Corpus Christi
		{"2026-10-23 12:00", "failure 2026-10-23 08:00 - 2026-10-23 15:00", Failure, "2026-11-03"}, // All Saints
		{"2026-10-25 00:30Z", "failure 2026-10-25 00:00Z - 2026-10-25 01:59Z", Failure, "2026-11-03"},
		{"2027-03-27 23:00", "failure 2027-03-27 20:00 - 2027-03-28 03:00", Failure, "2027-04-07"},
		{"2026-11-13 12:00", "failure 2026-11-13 08:00", Failure, ""}, // goes on
		{"2026-11-13 12:00", "unavailable 2026-11-13 08:00 - 2026-11-13 20:00; failure 2026-11-13 11:00 - 2026-11-13 15:00", Failure, "2026-11-24"},
		{"2026-11-13 16:00", "failure 2026-11-13 12:00 - 2026-11-13 16:00", Offline24, "2026-11-16"}, // it is over
		// failure upon failure
		{"2026-11-13 12:00", "failure 2026-11-13 08:00 - 2026-11-13 15:00; failure 2026-11-24 10:00 - 2026-11-25 09:00", Failure, "2026-12-04"},
		{"2026-11-13 12:00", "failure 2026-11-13 08:00 - 2026-11-13 15:00; failure 2026-11-24 23:59 - 2026-11-25 09:00", Failure, "2026-12-04"},
		{"2026-11-13 12:00", "failure 2026-11-13 08:00 - 2026-11-13 15:00; failure 2026-11-25 00:00 - 2026-11-25 09:00", Failure, "2026-11-24"},
		{"2026-11-13 12:00", "failure 2026-12-04 08:00 - 2026-12-07 09:00; failure 2026-11-13 08:00 - 2026-11-13 15:00; " +
			"failure 2026-11-24 10:00 - 2026-11-25 09:00", Failure, "2026-12-16"},
		{"2026-11-12 09:00", "failure 2026-11-12 08:00 - 2026-11-13 20:00; failure 2026-11-12 10:00 - 2026-11-12 12:00", Failure, "2026-11-24"},
		{"2026-11-13 12:00", "failure 2026-11-13 08:00 - 2026-11-13 15:00; failure 2026-11-24 10:00", Failure, ""},
		// it puts off what the other modes say too
		{"2026-11-19 12:00", "failure 2026-11-20 12:00 - 2026-11-20 15:00", Offline24, "2026-12-01"},
		{"2026-11-20 12:00", "failure 2026-11-22 12:00 - 2026-11-22 15:00", Offline24, "2026-12-01"},
		{"2026-11-19 12:00", "failure 2026-11-21 00:00 - 2026-11-21 15:00", Offline24, "2026-11-20"},
		{"2026-11-20 12:00", "unavailable 2026-11-20 08:00 - 2026-11-20 20:00; failure 2026-11-23 09:00 - 2026-11-23 10:00", Unavailable, "2026-12-02"},
		// total failures: never sent
		{"2026-11-19 12:00", "total_failure 2026-11-19 08:00 - 2026-11-21 08:00", TotalFailure, ""},
		{"2026-11-19 12:00", "failure 2026-11-18 08:00 - 2026-11-22 08:00; total_failure 2026-11-19 08:00", TotalFailure, ""},
		{"2026-11-19 12:00", "total_failure 2026-11-18 08:00 - 2026-11-19 08:00", Offline24, "2026-11-20"},
		{"2026-11-19 12:00", "total_failure 2026-11-20 08:00 - 2026-11-20 18:00", Offline24, "2026-12-01"}, // after the issue
	} {
		issued, all := at(t, c.issued), outages(t, c.outages)
		want := Deadline{c.mode, c.want}
		if got := Of(calendar.DateOf(issued, warsaw, 0), issued, all, warsaw); got != want {
			t.Errorf("issued %s, %s: %v, not %v", c.issued, c.outages, got, want)
		}
		slices.Reverse(all)
		if got := Of(calendar.DateOf(issued, warsaw, 0), issued, all, warsaw); got != want {
			t.Errorf("issued %s, %s, in another order: %v, not %v", c.issued, c.outages, got, want)
		}
	}
}

// TestOf_CountsFromTheDayOnTheInvoice has one of the day before, issued after midnight.
func TestOf_CountsFromTheDayOnTheInvoice(t *testing.T) {
	if got := Of("2026-11-16", at(t, "2026-11-17 00:30"), nil, warsaw); got.On != "2026-11-17" {
		t.Error(got)
	}
}

func TestDeadline_IsLateAfterItsLastDay(t *testing.T) {
	d := Deadline{Offline24, "2026-11-17"}
	if d.Late(at(t, "2026-11-17 23:59:59"), warsaw) || !d.Late(at(t, "2026-11-18 00:00"), warsaw) {
		t.Error("the last day ends at midnight in Warsaw")
	}
	if (Deadline{Mode: TotalFailure}).Late(at(t, "2036-11-18 00:00"), warsaw) || (Deadline{Mode: Failure}).Late(at(t, "2036-11-18 00:00"), warsaw) {
		t.Error("what has no last day is late")
	}
}

func TestOffline_IsWhatComesOnAnotherDay(t *testing.T) {
	if Offline("2026-11-17", at(t, "2026-11-17 23:59:59"), warsaw) || !Offline("2026-11-17", at(t, "2026-11-17 23:00Z"), warsaw) {
		t.Error("the day ends at midnight in Warsaw")
	}
}

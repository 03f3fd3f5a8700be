// Package deadlines says until when KSeF must get an invoice that was not sent on the day of its issue.
package deadlines

import (
	"slices"
	"time"

	"saldo/internal/kernel/calendar"
)

// Mode is how an invoice was issued, which what KSeF did at that instant decides.
type Mode string

// The modes.
const (
	Offline24    Mode = "offline24"     // KSeF worked (art. 106nda of the VAT act)
	Unavailable  Mode = "unavailable"   // a break that was announced before (art. 106nh)
	Failure      Mode = "failure"       // art. 106nf
	TotalFailure Mode = "total_failure" // art. 106ng: such invoices are never sent and have no codes
)

// byGravity are the modes from the least to the gravest: of several outages at one instant the gravest counts.
var byGravity = []Mode{Offline24, Unavailable, Failure, TotalFailure}

// country is the one whose working days count.
const country = "PL"

// afterFailure is how many working days there are after a failure.
const afterFailure = 7

// Outage is a time in which KSeF could not be reached, as it was announced.
type Outage struct {
	Kind Mode // Unavailable, Failure or TotalFailure
	From time.Time
	To   time.Time // the first instant after it; zero: it goes on
}

// during says whether the outage went on at an instant.
func (o Outage) during(at time.Time) bool {
	return !at.Before(o.From) && (o.To.IsZero() || at.Before(o.To))
}

// Deadline is until when an invoice must be sent.
type Deadline struct {
	Mode Mode
	On   calendar.Date // the last day; empty: it is not known until an outage ends, or the invoice is never sent
}

// Late says whether the last day is over. An invoice that is never sent, or whose last day is not known, is not late.
func (d Deadline) Late(at time.Time, zone *time.Location) bool {
	return d.On != "" && calendar.DateOf(at, zone, 0) > d.On
}

// Offline says whether KSeF takes an invoice for issued offline because of the day on which it comes, whatever was meant.
func Offline(issuedOn calendar.Date, sentAt time.Time, zone *time.Location) bool {
	return calendar.DateOf(sentAt, zone, 0) > issuedOn
}

// Of finds the deadline of an invoice of a day that was issued at an instant, given all outages that are known. A failure that begins
// before the deadline is over puts it off, again and again, and never forward. What the law says of a total failure that begins after
// the issue is not known here: it puts the deadline off as a failure does.
func Of(issuedOn calendar.Date, issuedAt time.Time, outages []Outage, zone *time.Location) Deadline {
	outages = slices.Clone(outages)
	slices.SortStableFunc(outages, func(a, b Outage) int { return a.From.Compare(b.From) })
	d := Deadline{Mode: Offline24}
	for _, o := range outages {
		if o.during(issuedAt) && slices.Index(byGravity, o.Kind) > slices.Index(byGravity, d.Mode) {
			d.Mode = o.Kind
		}
	}
	switch d.Mode {
	case TotalFailure:
		return d
	case Offline24:
		d.On = calendar.AddBusinessDays(issuedOn, 1, country)
	}
	for _, o := range outages {
		issuedIn := o.Kind == d.Mode && o.during(issuedAt)
		putsOff := (o.Kind == Failure || o.Kind == TotalFailure) && o.From.After(issuedAt) && calendar.DateOf(o.From, zone, 0) <= d.On
		if !issuedIn && !putsOff {
			continue
		}
		if o.To.IsZero() {
			d.On = ""
			return d
		}
		d.On = max(d.On, o.due(zone))
	}
	return d
}

// due is the last day to send what could not be sent because of the outage alone. One that ends at midnight ended the day before.
func (o Outage) due(zone *time.Location) calendar.Date {
	days := afterFailure
	if o.Kind == Unavailable {
		days = 1
	}
	return calendar.AddBusinessDays(calendar.DateOf(o.To.Add(-1), zone, 0), days, country)
}

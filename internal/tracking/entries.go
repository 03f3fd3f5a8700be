package tracking

import (
	"errors"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger"
	"saldo/internal/platform/config"
)

// Payment is how a trip was paid.
type Payment string

// The payments.
const (
	Cash Payment = "cash"
	Card Payment = "card"
)

// TripDetails are what a person says of a trip.
type TripDetails struct {
	OccurredOn           calendar.Date
	StartAt, EndAt       string // local minutes as 23:59; empty: not written down
	StartPlace, EndPlace string
	Amount               money.Amount
	Payment              Payment
}

// Trip is one trip of a driver.
type Trip struct {
	Stamp
	TripDetails
	SettlementID string // that took it; empty: none
}

// TimeDetails are what a person says of their working time.
type TimeDetails struct {
	StartedAt, EndedAt       string // local minutes as 2026-11-18T23:59; no end: it runs
	BreakMinutes             int64
	MileageStart, MileageEnd int64 // 0: none
	Plate, Note              string
}

// TimeEntry is one stretch of working time.
type TimeEntry struct {
	Stamp
	TimeDetails
	Minutes int64 // worked, without breaks; 0 while it runs
}

// Running says whether the entry has no end yet.
func (t *TimeEntry) Running() bool { return t.EndedAt == "" }

// Day is the day that the entry belongs to, that of its start.
func (t *TimeEntry) Day() calendar.Date {
	return calendar.Date(t.StartedAt[:min(10, len(t.StartedAt))])
}

// The bounds of what is typed.
const (
	amountMost  = 1_000_000_00
	mileageMost = 9_999_999
	dayMinutes  = 24 * 60
	firstDay    = calendar.Date("2015-01-01")
	daysAhead   = 366 // a day that is still to come is a warning, not a refusal; beyond this it is a mistake
	minuteForm  = "2006-01-02T15:04"
)

// normal brings the details of a trip into their one form.
func (d TripDetails) normal(f *validate.Form, today calendar.Date) TripDetails {
	checkDay(f, "occurredOn", d.OccurredOn, today)
	for field, at := range map[string]string{"startAt": d.StartAt, "endAt": d.EndAt} {
		if _, err := time.Parse("15:04", at); at != "" && (err != nil || len(at) != 5) {
			f.Wrong(field, fault.WrongFormat)
		}
	}
	d.StartPlace = f.Text("startPlace", d.StartPlace, placeMax, false)
	d.EndPlace = f.Text("endPlace", d.EndPlace, placeMax, false)
	switch {
	case d.Amount <= 0:
		f.Wrong("amount", fault.TooSmall)
	case d.Amount > amountMost:
		f.Wrong("amount", fault.TooBig)
	}
	if d.Payment != Cash && d.Payment != Card {
		f.Wrong("payment", fault.NotOneOf)
	}
	return d
}

func checkDay(f *validate.Form, field string, day, today calendar.Date) {
	switch _, err := calendar.ParseDate(string(day)); {
	case day == "":
		f.Wrong(field, fault.Required)
	case err != nil:
		f.Wrong(field, fault.WrongFormat)
	case day < firstDay:
		f.Wrong(field, fault.TooSmall)
	case day > today.AddDays(daysAhead):
		f.Wrong(field, fault.TooBig)
	}
}

var errMinute = errors.New("not a local minute")

// minuteOf is a local minute as an instant; of one that an hour's change brings twice it is the first.
func minuteOf(text string, i config.Instance) (time.Time, error) {
	if len(text) != len(minuteForm) {
		return time.Time{}, errMinute
	}
	return time.ParseInLocation(minuteForm, text, i.Location())
}

// normal brings the details of working time into their one form and counts the minutes. An hour's change counts as it was worked.
func (d TimeDetails) normal(f *validate.Form, i config.Instance, today calendar.Date) (_ TimeDetails, minutes int64) {
	d.Plate = strings.ToUpper(strings.ReplaceAll(f.Text("plate", d.Plate, plateMax, false), " ", ""))
	d.Note = f.Text("note", d.Note, noteMax, false)
	for field, n := range map[string]int64{"mileageStart": d.MileageStart, "mileageEnd": d.MileageEnd} {
		if n < 0 {
			f.Wrong(field, fault.TooSmall)
		} else if n > mileageMost {
			f.Wrong(field, fault.TooBig)
		}
	}
	if d.MileageStart > 0 && d.MileageEnd > 0 && d.MileageEnd < d.MileageStart {
		f.Wrong("mileageEnd", fault.TooSmall)
	}
	if d.BreakMinutes < 0 {
		f.Wrong("breakMinutes", fault.TooSmall)
	}
	from, err := minuteOf(d.StartedAt, i)
	if d.StartedAt == "" {
		f.Wrong("startedAt", fault.Required)
		return d, 0
	} else if err != nil {
		f.Wrong("startedAt", fault.WrongFormat)
		return d, 0
	}
	checkDay(f, "startedAt", calendar.Date(d.StartedAt[:10]), today)
	if d.EndedAt == "" {
		if d.BreakMinutes > dayMinutes {
			f.Wrong("breakMinutes", fault.TooBig)
		}
		return d, 0
	}
	to, err := minuteOf(d.EndedAt, i)
	worked := int64(to.Sub(from) / time.Minute)
	switch {
	case err != nil:
		f.Wrong("endedAt", fault.WrongFormat)
	case worked < 0 || d.EndedAt < d.StartedAt:
		f.Wrong("endedAt", fault.TooSmall)
	case worked > dayMinutes:
		f.Wrong("endedAt", fault.TooBig)
	case d.BreakMinutes > worked:
		f.Wrong("breakMinutes", fault.TooBig)
	}
	return d, max(0, worked-d.BreakMinutes)
}

// What the changes of entries ask of either kind.

func (t *Trip) stamp() *Stamp      { return &t.Stamp }
func (t *Trip) kind() Kind         { return OfTrip }
func (t *Trip) day() calendar.Date { return t.OccurredOn }
func (t *Trip) same(o *Trip) bool  { return t.TripDetails == o.TripDetails }
func (t *Trip) taken() string      { return t.SettlementID }
func (t *Trip) runs() bool         { return false }

// count adds a trip that counts to totals, or takes it off.
func (t *Trip) count(totals *ledger.Totals, n int64) {
	if !t.Deleted() && !t.Refused() {
		totals.AddTrip(t.DriverID, t.OccurredOn, t.Amount, t.Payment == "cash", n)
	}
}

// view is a trip as the trail keeps it: without its places.
func (t *Trip) view() map[string]any {
	return map[string]any{"driver": t.DriverID, "day": t.OccurredOn, "amount": t.Amount, "payment": t.Payment}
}

func (t *TimeEntry) stamp() *Stamp          { return &t.Stamp }
func (t *TimeEntry) kind() Kind             { return OfTime }
func (t *TimeEntry) day() calendar.Date     { return t.Day() }
func (t *TimeEntry) same(o *TimeEntry) bool { return t.TimeDetails == o.TimeDetails }
func (t *TimeEntry) taken() string          { return "" }
func (t *TimeEntry) runs() bool             { return t.Running() }

// count does nothing: time is no money.
func (t *TimeEntry) count(*ledger.Totals, int64) {}

// view is working time as the trail keeps it: without the vehicle.
func (t *TimeEntry) view() map[string]any {
	return map[string]any{"driver": t.DriverID, "from": t.StartedAt, "to": t.EndedAt, "break": t.BreakMinutes}
}

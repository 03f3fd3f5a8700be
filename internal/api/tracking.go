package api

import (
	"context"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/tracking"
)

func (s Settings) trackingRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/trips", Name: "trips", Permission: access.TrackingRead,
		Summary: "A page of trips, the newest first: a driver's own, or all of the partner's"}, s.trips)
	web.Driver(r, web.Route{Method: post, Path: "/api/trips", Name: "add-trip", Permission: access.AccountWrite,
		Summary: "Write a trip down; sent again it is the same"}, s.addTrip)
	web.Plain(r, web.Route{Method: put, Path: "/api/trips/{id}", Name: "save-trip", Permission: access.TrackingWrite, Mails: true,
		Summary: "Change a trip that is not settled; a partner says why"}, s.saveTrip)
	web.Driver(r, web.Route{Method: del, Path: "/api/trips/{id}", Name: "remove-trip", Permission: access.AccountWrite,
		Summary: "Take a trip away that is not settled"}, s.removeTrip)
	web.Write(r, web.Route{Method: post, Path: "/api/trips/{id}/refuse", Name: "refuse-trip", Permission: access.TrackingDecide, Mails: true,
		Summary: "Refuse a trip, which the driver is told, or let it count again"}, s.refuseTrip)
	web.Plain(r, web.Route{Method: get, Path: "/api/trips/{id}/history", Name: "trip-history", Permission: access.TrackingRead,
		Summary: "What happened to a trip"}, s.tripHistory)
	web.Plain(r, web.Route{Method: get, Path: "/api/time-entries", Name: "time-entries", Permission: access.TrackingRead,
		Summary: "A page of working time, the newest first"}, s.timeEntries)
	web.Driver(r, web.Route{Method: post, Path: "/api/time-entries", Name: "add-time-entry", Permission: access.AccountWrite,
		Summary: "Write working time down; without an end it runs"}, s.addTime)
	web.Plain(r, web.Route{Method: put, Path: "/api/time-entries/{id}", Name: "save-time-entry", Permission: access.TrackingWrite, Mails: true,
		Summary: "Change working time; a partner says why"}, s.saveTime)
	web.Driver(r, web.Route{Method: del, Path: "/api/time-entries/{id}", Name: "remove-time-entry", Permission: access.AccountWrite,
		Summary: "Take working time away"}, s.removeTime)
	web.Write(r, web.Route{Method: post, Path: "/api/time-entries/{id}/refuse", Name: "refuse-time-entry", Permission: access.TrackingDecide,
		Mails: true, Summary: "Refuse working time, which the driver is told, or let it count again"}, s.refuseTime)
	web.Plain(r, web.Route{Method: get, Path: "/api/time-entries/{id}/history", Name: "time-entry-history", Permission: access.TrackingRead,
		Summary: "What happened to working time"}, s.timeHistory)
	web.Driver(r, web.Route{Method: post, Path: "/api/tracking/batch", Name: "send-tracking", Permission: access.AccountWrite,
		Summary: "Send up to 50 entries of a phone at once; each has its own answer"}, s.sendTracking)
	web.Read(r, web.Route{Method: get, Path: "/api/tracking/checks", Name: "tracking-checks", Permission: access.TrackingDecide,
		Summary: "What all drivers wrote down in some days, and what to look at"}, s.trackingChecks)
	s.trackingFilesRoutes(r)
}

// TripFields are what a person says of a trip.
type TripFields struct {
	OccurredOn calendar.Date    `json:"occurredOn" maxLength:"10" doc:"local day of the start"`
	StartAt    string           `json:"startAt" required:"false" maxLength:"5" doc:"local minute as 23:59; empty: none"`
	EndAt      string           `json:"endAt" required:"false" maxLength:"5"`
	StartPlace string           `json:"startPlace" required:"false" maxLength:"400"`
	EndPlace   string           `json:"endPlace" required:"false" maxLength:"400"`
	Amount     money.Amount     `json:"amount"`
	Payment    tracking.Payment `json:"payment" enum:"cash,card"`
}

// WorkFields are what a person says of working time.
type WorkFields struct {
	StartedAt    string `json:"startedAt" maxLength:"16" doc:"local minute as 2026-11-18T23:59"`
	EndedAt      string `json:"endedAt" required:"false" maxLength:"16" doc:"empty: it runs"`
	BreakMinutes int64  `json:"breakMinutes" required:"false"`
	MileageStart int64  `json:"mileageStart" required:"false" doc:"0: none"`
	MileageEnd   int64  `json:"mileageEnd" required:"false" doc:"0: none"`
	Plate        string `json:"plate" required:"false" maxLength:"40"`
	Note         string `json:"note" required:"false" maxLength:"1000"`
}

// EntryState is what every tracked entry has besides what a person said.
type EntryState struct {
	ID           string             `json:"id"`
	Version      int64              `json:"version"`
	DriverID     string             `json:"driverUUID"`
	FirstName    string             `json:"firstName"`
	LastName     string             `json:"lastName"`
	Source       tracking.Source    `json:"source" enum:"phone,web,partner" doc:"of the last change"`
	Device       string             `json:"device" doc:"of the last change, as it calls itself"`
	EnteredAt    *time.Time         `json:"enteredAt" doc:"by the clock of the device; null: not said"`
	ReceivedAt   time.Time          `json:"receivedAt"`
	ChangedAt    time.Time          `json:"changedAt"`
	RefuseReason string             `json:"refuseReason" doc:"why the partner does not count it; empty: it counts"`
	Deleted      bool               `json:"deleted"`
	Warnings     []tracking.Warning `json:"warnings" nullable:"false" enum:"no_photo,future,clock,overlap,odometer,long"`
}

// Trip is a trip in JSON.
type Trip struct {
	EntryState
	TripFields
	Photo            bool   `json:"photo"`
	SettlementID     string `json:"settlementId" doc:"that took it: it cannot change; empty: none"`
	SettlementNumber int64  `json:"settlementNumber" doc:"0: none"`
}

// WorkEntry is working time in JSON.
type WorkEntry struct {
	EntryState
	WorkFields
	Minutes    int64 `json:"minutes" doc:"worked, without breaks; 0 while it runs"`
	PhotoStart bool  `json:"photoStart"`
	PhotoEnd   bool  `json:"photoEnd"`
}

func entryState(e *tracking.Stamp, w tracking.Whose, warnings []tracking.Warning) EntryState {
	return EntryState{ID: e.ID, Version: e.Version, DriverID: w.Canonical, FirstName: w.FirstName, LastName: w.LastName, Source: e.Source,
		Device: e.Device, EnteredAt: instantOf(e.EnteredAt), ReceivedAt: e.ReceivedAt, ChangedAt: e.ChangedAt, RefuseReason: e.RefuseReason,
		Deleted: e.Deleted(), Warnings: warnings}
}

func (s Settings) shownTrip(tx *db.Tx, t *tracking.ListedTrip) Trip {
	return Trip{entryState(&t.Stamp, t.Whose, t.Warnings(s.Tracking.Today(tx))), TripFields{t.OccurredOn, t.StartAt, t.EndAt, t.StartPlace,
		t.EndPlace, t.Amount, t.Payment}, t.Photo, t.SettlementID, t.SettlementNumber}
}

func (s Settings) shownWork(tx *db.Tx, t *tracking.ListedTime) WorkEntry {
	return WorkEntry{entryState(&t.Stamp, t.Whose, s.Tracking.Warnings(tx, t)), WorkFields{t.StartedAt, t.EndedAt, t.BreakMinutes,
		t.MileageStart, t.MileageEnd, t.Plate, t.Note}, t.Minutes, t.PhotoStart, t.PhotoEnd}
}

// oneTrip is a trip as it is now.
func (s Settings) oneTrip(tx *db.Tx, id string) (Trip, error) {
	t, err := tracking.ListedTripOf(tx, id)
	return s.shownTrip(tx, &t), err
}

func (s Settings) oneWork(tx *db.Tx, id string) (WorkEntry, error) {
	t, err := tracking.ListedTimeOf(tx, id)
	return s.shownWork(tx, &t), err
}

// TrackedDays choose entries.
type TrackedDays struct {
	DriverUUID string `query:"driverUUID" maxLength:"64" doc:"whose, where a partner asks; empty: all"`
	From       string `query:"from" maxLength:"10"`
	To         string `query:"to" maxLength:"10"`
	State      string `query:"state" enum:"open,settled,refused"`
	Page       int64  `query:"page" minimum:"1" maximum:"100000" default:"1"`
}

func (d *TrackedDays) filter(driver string) (f tracking.Filter, err error) {
	for name, day := range map[string]string{"from": d.From, "to": d.To} {
		if day != "" && !calendar.Date(day).Exists() {
			return f, tracking.ErrInvalid.Field(name, fault.WrongFormat)
		}
	}
	f = tracking.Filter{Driver: d.DriverUUID, From: calendar.Date(d.From), To: calendar.Date(d.To), State: d.State, Page: d.Page}
	if driver != "" {
		f.Driver = driver
	}
	return f, nil
}

// tracked reads for a driver, or for the partner, of whose drivers one may be named.
func (s Settings) tracked(ctx context.Context, c web.Call, asked *TrackedDays, read func(*db.Tx, tracking.Filter) error) error {
	return s.readAsSide(ctx, c, tracking.ErrUnlinked, func(tx *db.Tx, driver string) error {
		f, err := asked.filter(driver)
		if err == nil && driver == "" && f.Driver != "" {
			_, err = drivers.Named(tx, f.Driver)
		}
		if err != nil {
			return err
		}
		return read(tx, f)
	})
}

// TripPage is a page of trips.
type TripPage struct {
	Items      []Trip    `json:"items" nullable:"false"`
	Totals     TripSums  `json:"totals" doc:"of all pages"`
	PageSize   int       `json:"pageSize"`
	ServerTime time.Time `json:"serverTime"`
}

// TripSums are what trips are together; refused ones only count as refused.
type TripSums struct {
	Count        int64        `json:"count"`
	Cash         money.Amount `json:"cash"`
	Card         money.Amount `json:"card"`
	WithoutPhoto int64        `json:"withoutPhoto"`
	Refused      int64        `json:"refused"`
}

func (s Settings) trips(ctx context.Context, c web.Call, in *TrackedDays) (out TripPage, err error) {
	err = s.tracked(ctx, c, in, func(tx *db.Tx, f tracking.Filter) error {
		items, totals, err := tracking.Trips(tx, f)
		out = TripPage{[]Trip{}, TripSums{totals.Count, totals.Cash, totals.Card, totals.WithoutPhoto, totals.Refused}, tracking.PageMax, tx.Now}
		for i := range items {
			out.Items = append(out.Items, s.shownTrip(tx, &items[i]))
		}
		return err
	})
	return out, err
}

// WorkPage is a page of working time.
type WorkPage struct {
	Items      []WorkEntry `json:"items" nullable:"false"`
	Totals     WorkSums    `json:"totals" doc:"of all pages"`
	PageSize   int         `json:"pageSize"`
	ServerTime time.Time   `json:"serverTime"`
}

// WorkSums are what working time is together; refused entries only count as refused.
type WorkSums struct {
	Count      int64 `json:"count"`
	Minutes    int64 `json:"minutes"`
	Kilometres int64 `json:"kilometres"`
	Refused    int64 `json:"refused"`
}

func (s Settings) timeEntries(ctx context.Context, c web.Call, in *TrackedDays) (out WorkPage, err error) {
	err = s.tracked(ctx, c, in, func(tx *db.Tx, f tracking.Filter) error {
		items, totals, err := tracking.Times(tx, f)
		out = WorkPage{[]WorkEntry{}, WorkSums{totals.Count, totals.Minutes, totals.Kilometres, totals.Refused}, tracking.PageMax, tx.Now}
		for i := range items {
			out.Items = append(out.Items, s.shownWork(tx, &items[i]))
		}
		return err
	})
	return out, err
}

// EntryHistory is what happened to an entry, oldest first.
type EntryHistory struct {
	Trail []InvoiceEvent `json:"trail" nullable:"false"`
}

func (s Settings) tripHistory(ctx context.Context, c web.Call, in *named) (EntryHistory, error) {
	return s.entryHistory(ctx, c, tracking.OfTrip, in.ID, func(tx *db.Tx, who tracking.Person) error {
		_, err := tracking.TripOf(tx, who, in.ID)
		return err
	})
}

func (s Settings) timeHistory(ctx context.Context, c web.Call, in *named) (EntryHistory, error) {
	return s.entryHistory(ctx, c, tracking.OfTime, in.ID, func(tx *db.Tx, who tracking.Person) error {
		_, err := tracking.TimeOf(tx, who, in.ID)
		return err
	})
}

func (s Settings) entryHistory(ctx context.Context, c web.Call, kind tracking.Kind, id string,
	find func(*db.Tx, tracking.Person) error) (out EntryHistory, err error) {
	err = s.readAsSide(ctx, c, tracking.ErrUnlinked, func(tx *db.Tx, driver string) error {
		if err := find(tx, trackingPerson(driver)); err != nil {
			return err
		}
		var trail []audit.Entry
		trail, err = tracking.Trail(tx, kind, id)
		out.Trail = shownTrail(trail, driver != "")
		return err
	})
	return out, err
}

// trackingPerson is whoever acts: a driver, or the partner.
func trackingPerson(driver string) tracking.Person {
	if driver == "" {
		return tracking.Partner
	}
	return tracking.Driver(driver)
}

// asTracked acts as the driver whom the partner of choice knows. An entry that was made for another partner is not taken.
func asTracked(tx *db.Tx, who access.Actor, partner string, do func(driver string) error) error {
	if partner != "" {
		own, err := accounts.ChosenPartner(tx, who)
		if err != nil {
			return err
		}
		if own != partner {
			return tracking.ErrPartner
		}
	}
	return asOwnDriver(tx, who, tracking.ErrUnlinked, do)
}

// TrackedDriver is what a driver wrote down in some days, and how much of it to look at.
type TrackedDriver struct {
	DriverID          string       `json:"driverUUID"`
	FirstName         string       `json:"firstName"`
	LastName          string       `json:"lastName"`
	Trips             int64        `json:"trips"`
	TripsWithoutPhoto int64        `json:"tripsWithoutPhoto"`
	RefusedTrips      int64        `json:"refusedTrips"`
	Cash              money.Amount `json:"cash"`
	Card              money.Amount `json:"card"`
	TimeEntries       int64        `json:"timeEntries"`
	Minutes           int64        `json:"minutes"`
	TimeWithoutPhoto  int64        `json:"timeWithoutPhoto" doc:"a mileage that no photo shows"`
	Overlaps          int64        `json:"overlaps"`
	Odometer          int64        `json:"odometer" doc:"the vehicle had more kilometres before"`
	Running           int64        `json:"running"`
	RefusedTime       int64        `json:"refusedTime"`
}

// TrackingChecks are what all drivers wrote down in some days.
type TrackingChecks struct {
	Items []TrackedDriver `json:"items" nullable:"false" doc:"by name"`
}

// checkedDays is how many days are looked through at once.
const checkedDays = 92

func (s Settings) trackingChecks(tx *db.Tx, in *struct {
	From string `query:"from" required:"true" maxLength:"10"`
	To   string `query:"to" required:"true" maxLength:"10" doc:"up to 92 days"`
}) (TrackingChecks, error) {
	out := TrackingChecks{[]TrackedDriver{}}
	from, to := calendar.Date(in.From), calendar.Date(in.To)
	switch {
	case !from.Exists():
		return out, tracking.ErrInvalid.Field("from", fault.WrongFormat)
	case !to.Exists():
		return out, tracking.ErrInvalid.Field("to", fault.WrongFormat)
	case to < from:
		return out, tracking.ErrInvalid.Field("to", fault.TooSmall)
	case to.DaysSince(from) >= checkedDays:
		return out, tracking.ErrInvalid.Field("to", fault.TooBig)
	}
	found, err := tracking.Checks(tx, from, to)
	for _, f := range found {
		out.Items = append(out.Items, TrackedDriver{f.Canonical, f.FirstName, f.LastName, f.Trips, f.TripsWithoutPhoto, f.RefusedTrips, f.Cash,
			f.Card, f.Entries, f.Minutes, f.WithoutPhoto, f.Overlaps, f.Odometer, f.Running, f.RefusedTime})
	}
	return out, err
}

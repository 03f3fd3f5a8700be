package tracking

import (
	"errors"
	"strconv"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

var (
	tripColumns  = "t." + strings.Join(db.ColumnsOf[Trip](), ", t.")
	timeColumns  = "t." + strings.Join(db.ColumnsOf[TimeEntry](), ", t.")
	photoColumns = strings.Join(db.ColumnsOf[Photo](), ", ")
)

// PageMax is how many entries a page has.
const PageMax = 100

// Filter chooses entries that are not deleted. What is empty filters nothing.
type Filter struct {
	Driver   string        // and whoever was merged into them
	From, To calendar.Date // of the day of a trip, of the start of working time
	State    string        // open, settled or refused
	Page     int64
}

// where is the filter in SQL.
func (f Filter) where(kind Kind) (text string, args []any) {
	put := func(value string) string {
		args = append(args, value)
		return "$" + strconv.Itoa(len(args)+1)
	}
	if f.Driver != "" {
		text += ` AND t.driver_id` + drivers.Those(put(f.Driver))
	}
	day := map[Kind]string{OfTrip: "t.occurred_on", OfTime: "t.started_at"}[kind]
	if f.From != "" {
		text += ` AND ` + day + ` >= ` + put(string(f.From))
	}
	if f.To != "" {
		text += ` AND ` + day + ` < ` + put(string(f.To.AddDays(1)))
	}
	switch {
	case f.State == "refused":
		text += ` AND t.refused_at <> ''`
	case f.State == "open":
		text += ` AND t.refused_at = ''`
		if kind == OfTrip {
			text += ` AND t.settlement_id = ''`
		}
	case f.State == "settled" && kind == OfTrip:
		text += ` AND t.settlement_id <> ''`
	}
	return text, args
}

// paged ends the query of a page.
func (f Filter) paged(args []any) (text string, all []any) {
	n := len(args) + 2
	return ` LIMIT $` + strconv.Itoa(n) + ` OFFSET $` + strconv.Itoa(n+1), append(args, PageMax, (max(1, f.Page)-1)*PageMax)
}

// Whose is the driver of an entry as lists name them.
type Whose struct {
	Canonical           string // the driver now
	FirstName, LastName string
}

var whoseColumns = drivers.CanonicalID("d") + ` AS canonical, d.first_name, d.last_name`

// ListedTrip is a trip as lists have it.
type ListedTrip struct {
	Trip
	Whose
	SettlementNumber int64 // 0: none
	Photo            bool
}

// photo is, in SQL, whether an entry has a photo of a side.
func photo(kind Kind, side string) string {
	return `EXISTS (SELECT 1 FROM tracking_photos p WHERE p.tenant_id = t.tenant_id AND p.kind = '` + string(kind) + `' AND p.entry_id = t.id
		AND p.side = '` + side + `' AND p.gone_at = '')`
}

const (
	tripsFrom = ` FROM trips t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id
		LEFT JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id AND t.settlement_id <> ''
		WHERE t.tenant_id = $1 AND t.deleted_at = ''`
	timesFrom = ` FROM time_entries t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id
		WHERE t.tenant_id = $1 AND t.deleted_at = ''`
)

// TripTotals are what the trips of a filter are together; refused ones are in Refused alone.
type TripTotals struct {
	Count, Refused, WithoutPhoto int64
	Cash, Card                   money.Amount
}

// Trips is a page of trips, the newest first, with what all of the filter are together.
func Trips(tx *db.Tx, f Filter) ([]ListedTrip, TripTotals, error) {
	where, args := f.where(OfTrip)
	of := func(condition, what string) string {
		return `CAST(COALESCE(SUM(CASE WHEN ` + condition + ` THEN ` + what + ` ELSE 0 END), 0) AS BIGINT)`
	}
	totals, err := db.One[TripTotals](tx, `SELECT `+of(`t.refused_at = ''`, `1`)+` AS count, `+of(`t.refused_at <> ''`, `1`)+` AS refused, `+
		of(`t.refused_at = '' AND t.payment = 'cash'`, `t.amount`)+` AS cash, `+of(`t.refused_at = '' AND t.payment = 'card'`, `t.amount`)+
		` AS card, `+of(`t.refused_at = '' AND NOT `+photo(OfTrip, OfPayment), `1`)+` AS without_photo`+tripsFrom+where, args...)
	if err != nil {
		return nil, totals, err
	}
	limit, args := f.paged(args)
	items, err := db.Select[ListedTrip](tx, `SELECT `+tripColumns+`, `+whoseColumns+`, COALESCE(s.number, 0) AS settlement_number, `+
		photo(OfTrip, OfPayment)+` AS photo`+tripsFrom+where+` ORDER BY t.occurred_on DESC, t.start_at DESC, t.id DESC`+limit, args...)
	return items, totals, err
}

// ListedTripOf is one trip as lists have it, also a deleted one.
func ListedTripOf(tx *db.Tx, id string) (ListedTrip, error) {
	t, err := db.One[ListedTrip](tx, `SELECT `+tripColumns+`, `+whoseColumns+`, COALESCE(s.number, 0) AS settlement_number, `+
		photo(OfTrip, OfPayment)+` AS photo FROM trips t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id
		LEFT JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id AND t.settlement_id <> ''
		WHERE t.tenant_id = $1 AND t.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return t, err
}

// ListedTime is working time as lists have it.
type ListedTime struct {
	TimeEntry
	Whose
	PhotoStart, PhotoEnd bool
	Overlaps             bool // another entry of the driver
	Odometer             bool // the vehicle had more kilometres before
}

// overlaps is, in SQL, whether an entry has minutes in common with another of its driver.
const overlaps = `EXISTS (SELECT 1 FROM time_entries o WHERE o.tenant_id = t.tenant_id AND o.driver_id = t.driver_id AND o.id <> t.id
	AND o.deleted_at = '' AND o.started_at < CASE WHEN t.ended_at = '' THEN '9999' ELSE t.ended_at END
	AND (o.ended_at = '' OR o.ended_at > t.started_at))`

// odometer is, in SQL, whether the vehicle of an entry had more kilometres at an earlier end.
const odometer = `(t.plate <> '' AND t.mileage_start > 0 AND EXISTS (SELECT 1 FROM time_entries o WHERE o.tenant_id = t.tenant_id
	AND o.plate = t.plate AND o.plate <> '' AND o.deleted_at = '' AND o.started_at < t.started_at AND o.mileage_end > t.mileage_start))`

// TimeTotals are what the working time of a filter is together; refused entries are in Refused alone.
type TimeTotals struct {
	Count, Refused, Minutes, Kilometres int64
}

// Times is a page of working time, the newest first, with what all of the filter are together.
func Times(tx *db.Tx, f Filter) ([]ListedTime, TimeTotals, error) {
	where, args := f.where(OfTime)
	totals, err := db.One[TimeTotals](tx, `SELECT COALESCE(SUM(CASE WHEN t.refused_at = '' THEN 1 ELSE 0 END), 0) AS count,
		COALESCE(SUM(CASE WHEN t.refused_at = '' THEN 0 ELSE 1 END), 0) AS refused,
		CAST(COALESCE(SUM(CASE WHEN t.refused_at = '' THEN t.minutes ELSE 0 END), 0) AS BIGINT) AS minutes,
		CAST(COALESCE(SUM(CASE WHEN t.refused_at = '' AND t.mileage_start > 0 AND t.mileage_end > 0 THEN t.mileage_end - t.mileage_start
		ELSE 0 END), 0) AS BIGINT) AS kilometres`+timesFrom+where, args...)
	if err != nil {
		return nil, totals, err
	}
	limit, args := f.paged(args)
	items, err := db.Select[ListedTime](tx, `SELECT `+timeColumns+`, `+whoseColumns+`, `+photo(OfTime, OfStart)+` AS photo_start, `+
		photo(OfTime, OfEnd)+` AS photo_end, `+overlaps+` AS overlaps, `+odometer+` AS odometer`+timesFrom+where+`
		ORDER BY t.started_at DESC, t.id DESC`+limit, args...)
	return items, totals, err
}

// ListedTimeOf is one stretch of working time as lists have it, also a deleted one.
func ListedTimeOf(tx *db.Tx, id string) (ListedTime, error) {
	t, err := db.One[ListedTime](tx, `SELECT `+timeColumns+`, `+whoseColumns+`, `+photo(OfTime, OfStart)+` AS photo_start, `+
		photo(OfTime, OfEnd)+` AS photo_end, `+overlaps+` AS overlaps, `+odometer+` AS odometer FROM time_entries t
		JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id WHERE t.tenant_id = $1 AND t.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return t, err
}

// Warning is what somebody should look at in an entry. None refuses anything.
type Warning string

// The warnings.
const (
	NoPhoto     Warning = "no_photo"
	InFuture    Warning = "future"
	WrongClock  Warning = "clock" // the clock of the device was off by more than five minutes
	Overlapping Warning = "overlap"
	OddOdometer Warning = "odometer"
	LongRunning Warning = "long" // without an end for more than fourteen hours
)

// Warnings lists every warning, for the contract.
var Warnings = []Warning{NoPhoto, InFuture, WrongClock, Overlapping, OddOdometer, LongRunning}

const (
	clockMost   = 300
	longMinutes = 14 * 60
)

func (s *Stamp) wrongClock() bool { return s.ClockOff > clockMost || s.ClockOff < -clockMost }

// noted are the warnings that hold.
func noted(all map[Warning]bool) []Warning {
	found := []Warning{}
	for _, w := range Warnings {
		if all[w] {
			found = append(found, w)
		}
	}
	return found
}

// Warnings are what should be looked at in a trip.
func (t *ListedTrip) Warnings(today calendar.Date) []Warning {
	return noted(map[Warning]bool{NoPhoto: !t.Photo, InFuture: t.OccurredOn > today, WrongClock: t.wrongClock()})
}

// Warnings are what should be looked at in working time.
func (s *Service) Warnings(tx *db.Tx, t *ListedTime) []Warning {
	from, err := minuteOf(t.StartedAt, s.Instance)
	return noted(map[Warning]bool{NoPhoto: t.MileageStart > 0 && !t.PhotoStart || t.MileageEnd > 0 && !t.PhotoEnd,
		InFuture: err == nil && from.After(tx.Now), WrongClock: t.wrongClock(), Overlapping: t.Overlaps, OddOdometer: t.Odometer,
		LongRunning: t.Running() && err == nil && tx.Now.Sub(from).Minutes() > longMinutes})
}

// Checked is what the tracked days of a driver come to, and how much of it should be looked at.
type Checked struct {
	Whose
	Trips, TripsWithoutPhoto                     int64
	Cash, Card                                   money.Amount
	Entries, Minutes, WithoutPhoto, Overlaps     int64
	Odometer, Running, RefusedTrips, RefusedTime int64
}

// Checks looks through what all drivers wrote down in some days, by the driver's name.
func Checks(tx *db.Tx, from, to calendar.Date) ([]Checked, error) {
	count := func(condition string) string {
		return `CAST(SUM(CASE WHEN ` + condition + ` THEN 1 ELSE 0 END) AS BIGINT)`
	}
	noStart, noEnd := `t.mileage_start > 0 AND NOT `+photo(OfTime, OfStart), `t.mileage_end > 0 AND NOT `+photo(OfTime, OfEnd)
	const counts = `t.refused_at = '' AND `
	return db.Select[Checked](tx, `SELECT c.id AS canonical, c.first_name, c.last_name, COALESCE(a.trips, 0) AS trips,
		COALESCE(a.without_photo, 0) AS trips_without_photo, COALESCE(a.cash, 0) AS cash, COALESCE(a.card, 0) AS card,
		COALESCE(a.refused, 0) AS refused_trips, COALESCE(b.entries, 0) AS entries, COALESCE(b.minutes, 0) AS minutes,
		COALESCE(b.without_photo, 0) AS without_photo, COALESCE(b.overlaps, 0) AS overlaps, COALESCE(b.odometer, 0) AS odometer,
		COALESCE(b.running, 0) AS running, COALESCE(b.refused, 0) AS refused_time
		FROM drivers c LEFT JOIN (SELECT `+drivers.CanonicalID("d")+` AS canonical, `+count(`t.refused_at = ''`)+` AS trips,
			`+count(counts+`NOT `+photo(OfTrip, OfPayment))+` AS without_photo, `+count(`t.refused_at <> ''`)+` AS refused,
			CAST(SUM(CASE WHEN `+counts+`t.payment = 'cash' THEN t.amount ELSE 0 END) AS BIGINT) AS cash,
			CAST(SUM(CASE WHEN `+counts+`t.payment = 'card' THEN t.amount ELSE 0 END) AS BIGINT) AS card
			FROM trips t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id WHERE t.tenant_id = $1 AND t.deleted_at = ''
			AND t.occurred_on BETWEEN $2 AND $3 GROUP BY 1) a ON a.canonical = c.id
		LEFT JOIN (SELECT `+drivers.CanonicalID("d")+` AS canonical, `+count(`t.refused_at = ''`)+` AS entries,
			CAST(SUM(CASE WHEN t.refused_at = '' THEN t.minutes ELSE 0 END) AS BIGINT) AS minutes,
			`+count(counts+`(`+noStart+` OR `+noEnd+`)`)+` AS without_photo, `+count(counts+overlaps)+` AS overlaps,
			`+count(counts+odometer)+` AS odometer, `+count(counts+`t.ended_at = ''`)+` AS running, `+count(`t.refused_at <> ''`)+` AS refused
			FROM time_entries t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id WHERE t.tenant_id = $1
			AND t.deleted_at = '' AND t.started_at >= $2 AND t.started_at < $4 GROUP BY 1) b ON b.canonical = c.id
		WHERE c.tenant_id = $1 AND c.merged_into = '' AND (a.canonical IS NOT NULL OR b.canonical IS NOT NULL)
		ORDER BY c.last_name, c.first_name, c.id`, string(from), string(to), string(to.AddDays(1)))
}

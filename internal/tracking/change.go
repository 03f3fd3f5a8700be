package tracking

import (
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// dailyMost is how many new entries of a kind a driver may send in a day: more than a phone collects in weeks without a line.
const dailyMost = 2000

// record is an entry of either kind.
type record[T any] interface {
	*T
	stamp() *Stamp
	kind() Kind
	day() calendar.Date
	same(*T) bool
	taken() string
	runs() bool
	count(totals *ledger.Totals, n int64)
	view() map[string]any
}

func tableOf(k Kind) string { return map[Kind]string{OfTrip: "trips", OfTime: "time_entries"}[k] }

// find is an entry, also a deleted one. A driver finds their own and those of whoever was merged into them.
func find[T any, P record[T]](tx *db.Tx, who Person, id string) (found T, err error) {
	condition, args := ``, []any{id}
	if who != Partner {
		condition, args = ` AND driver_id`+drivers.Those("$3"), append(args, who.driver)
	}
	found, err = db.One[T](tx, `SELECT `+strings.Join(db.ColumnsOf[T](), ", ")+` FROM `+tableOf(P(&found).kind())+`
		WHERE tenant_id = $1 AND id = $2`+condition, args...)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return found, err
}

// TripOf is a trip, also a deleted one.
func TripOf(tx *db.Tx, who Person, id string) (Trip, error) { return find[Trip](tx, who, id) }

// TimeOf is a stretch of working time, also a deleted one.
func TimeOf(tx *db.Tx, who Person, id string) (TimeEntry, error) { return find[TimeEntry](tx, who, id) }

// SaveTrip adds a trip or changes it. With ErrChanged and ErrSettled it gives the trip that stays; same says that there was nothing to do.
func (s *Service) SaveTrip(tx *db.Tx, who Person, id string, d TripDetails, said Said) (_ Trip, same bool, err error) {
	f := validate.New(ErrInvalid)
	t := Trip{Stamp: said.stamp(f, tx, who, id), TripDetails: d.normal(f, s.Today(tx))}
	if err := f.Err(); err != nil {
		return t, false, err
	}
	return save(tx, who, t, said)
}

// SaveTime adds working time or changes it, as SaveTrip does with trips.
func (s *Service) SaveTime(tx *db.Tx, who Person, id string, d TimeDetails, said Said) (_ TimeEntry, same bool, err error) {
	f := validate.New(ErrInvalid)
	t := TimeEntry{Stamp: said.stamp(f, tx, who, id)}
	t.TimeDetails, t.Minutes = d.normal(f, s.Instance, s.Today(tx))
	if err := f.Err(); err != nil {
		return t, false, err
	}
	return save(tx, who, t, said)
}

// stamp is what a change leaves on an entry besides its content.
func (s Said) stamp(f *validate.Form, tx *db.Tx, who Person, id string) Stamp {
	if s.Version < 0 {
		f.Wrong("version", fault.TooSmall)
	}
	stamp := Stamp{ID: id, DriverID: who.driver, Version: 1, Source: FromWeb, Device: f.Text("device", s.Device, deviceMax, false),
		ReceivedAt: tx.Now, ChangedAt: tx.Now, EnteredAt: within(s.EnteredAt)}
	if sent := within(s.SentAt); !sent.IsZero() {
		stamp.ClockOff = int64(sent.Sub(tx.Now) / time.Second)
	}
	switch {
	case who == Partner:
		stamp.Source = FromPartner
		f.Text("reason", s.Reason, reasonMax, true)
	case s.Phone:
		stamp.Source = FromPhone
	}
	return stamp
}

// within leaves out what no clock says.
func within(at time.Time) time.Time {
	if at.Year() < 2000 || at.Year() > 2200 {
		return time.Time{}
	}
	return at.UTC()
}

func save[T any, P record[T]](tx *db.Tx, who Person, wanted T, said Said) (_ T, same bool, err error) {
	w := P(&wanted)
	if err := Allowed(tx, who, w.kind()); err != nil {
		return wanted, false, err
	}
	before, err := find[T, P](tx, who, w.stamp().ID)
	switch b := P(&before); {
	case errors.Is(err, ErrNotFound) && who != Partner && said.Version == 0:
		return wanted, false, add[T, P](tx, wanted)
	case err != nil:
		return before, false, err
	case b.same(&wanted) && (!b.stamp().Deleted() || b.stamp().Version != said.Version): // what was seen deleted is wanted again
		return before, true, nil // sent again, also when it was settled or deleted meanwhile
	case b.taken() != "":
		return before, false, ErrSettled.With("settlement", b.taken())
	case !b.stamp().Deleted() && b.stamp().Version != said.Version: // a deletion loses against a change, whichever came first
		return before, false, ErrChanged.With("version", b.stamp().Version)
	}
	was, now := *P(&before).stamp(), w.stamp()
	now.DriverID, now.Version, now.ReceivedAt = was.DriverID, was.Version+1, was.ReceivedAt
	if err := write[T, P](tx, wanted, was.Version); err != nil {
		return before, false, err
	}
	if err := messages.TakeBack(tx, now.ID, messages.EntryRefused); err != nil {
		return wanted, false, err
	}
	if who == Partner {
		if err := tell(tx, messages.EntryChanged, now, w.kind(), w.day(), said.Reason); err != nil {
			return wanted, false, err
		}
	}
	return wanted, false, audit.Record(tx, audit.Change{Action: tableOf(w.kind()) + ".change", Kind: w.kind().auditKind(), ID: now.ID,
		Before: P(&before).view(), After: w.view(), Reason: said.Reason})
}

// add stores an entry that is new.
func add[T any, P record[T]](tx *db.Tx, wanted T) error {
	w := P(&wanted)
	stamp, table := w.stamp(), tableOf(w.kind())
	if made, err := uuid.Parse(stamp.ID); err != nil || made.String() != stamp.ID {
		return ErrInvalid.Field("id", fault.WrongFormat)
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM `+table+` WHERE tenant_id = $1 AND driver_id = $2 AND received_at > $3`,
		stamp.DriverID, tx.Now.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	if n >= dailyMost {
		return ErrTooMany.With("max", dailyMost).After(time.Hour)
	}
	// nothing is stored where another driver has the id, or where one already runs, so that the others of the same unit are
	if n, err = db.InsertNew(tx, table, wanted); err != nil {
		return err
	}
	if n == 0 {
		return refusedInsert(tx, stamp, w.runs())
	}
	totals := ledger.NewTotals()
	w.count(totals, 1)
	if err := totals.Keep(tx); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: table + ".add", Kind: w.kind().auditKind(), ID: stamp.ID, After: w.view()})
}

// refusedInsert says why an entry was not stored.
func refusedInsert(tx *db.Tx, stamp *Stamp, runs bool) error {
	if runs {
		running, err := db.Select[string](tx, `SELECT id FROM time_entries WHERE tenant_id = $1 AND driver_id = $2 AND ended_at = ''
			AND deleted_at = ''`, stamp.DriverID)
		if err != nil {
			return err
		}
		if len(running) > 0 {
			return ErrRunning.With("id", running[0])
		}
	}
	return ErrInvalid.Field("id", fault.Duplicate)
}

// write stores an entry over the version that it was read at.
func write[T any, P record[T]](tx *db.Tx, wanted T, version int64) error {
	w := P(&wanted)
	before, err := find[T, P](tx, Partner, w.stamp().ID)
	if err != nil {
		return err
	}
	totals := ledger.NewTotals()
	P(&before).count(totals, -1)
	w.count(totals, 1)
	condition := ``
	if w.runs() && !w.stamp().Deleted() {
		condition = ` AND NOT EXISTS (SELECT 1 FROM time_entries r WHERE r.tenant_id = $1 AND r.driver_id = $4 AND r.id <> $2 AND r.ended_at = ''
			AND r.deleted_at = '')`
	}
	n, err := db.Update(tx, tableOf(w.kind()), wanted, `id = $2 AND version = $3 AND driver_id = $4`+condition, w.stamp().ID, version,
		w.stamp().DriverID)
	if err == nil && n == 0 {
		if err = ErrChanged; condition != "" {
			err = ErrRunning
		}
	}
	if err != nil {
		return err
	}
	return totals.Keep(tx)
}

// DeleteTrip takes a trip away. With ErrChanged and ErrSettled it gives the trip that stays; deleted already, nothing happens.
func DeleteTrip(tx *db.Tx, who Person, id string, version int64) (Trip, error) {
	return remove[Trip](tx, who, id, version)
}

// DeleteTime takes working time away, as DeleteTrip does with trips.
func DeleteTime(tx *db.Tx, who Person, id string, version int64) (TimeEntry, error) {
	return remove[TimeEntry](tx, who, id, version)
}

func remove[T any, P record[T]](tx *db.Tx, who Person, id string, version int64) (T, error) {
	t, err := find[T, P](tx, who, id)
	if err != nil {
		return t, err
	}
	p := P(&t)
	stamp := p.stamp()
	if err := Allowed(tx, who, p.kind()); err != nil {
		return t, err
	}
	switch {
	case stamp.Deleted():
		return t, nil
	case p.taken() != "":
		return t, ErrSettled.With("settlement", p.taken())
	case stamp.Version != version:
		return t, ErrChanged.With("version", stamp.Version)
	}
	stamp.DeletedAt, stamp.ChangedAt, stamp.Version = tx.Now, tx.Now, version+1
	if err := write[T, P](tx, t, version); err != nil {
		return t, err
	}
	if err := messages.TakeBack(tx, id, messages.EntryRefused, messages.EntryChanged); err != nil {
		return t, err
	}
	return t, audit.Record(tx, audit.Change{Action: tableOf(p.kind()) + ".delete", Kind: p.kind().auditKind(), ID: id, Before: p.view()})
}

// RefuseTrip is the partner's word that a trip does not count, with the reason that the driver is told; without a reason it counts again.
func RefuseTrip(tx *db.Tx, id string, version int64, reason string) (Trip, error) {
	return refuse[Trip](tx, id, version, reason)
}

// RefuseTime is the partner's word that working time does not count, as RefuseTrip is of a trip.
func RefuseTime(tx *db.Tx, id string, version int64, reason string) (TimeEntry, error) {
	return refuse[TimeEntry](tx, id, version, reason)
}

func refuse[T any, P record[T]](tx *db.Tx, id string, version int64, reason string) (T, error) {
	t, err := find[T, P](tx, Partner, id)
	if err != nil {
		return t, err
	}
	f := validate.New(ErrInvalid)
	reason = f.Text("reason", reason, reasonMax, false)
	if err := f.Err(); err != nil {
		return t, err
	}
	p := P(&t)
	stamp := p.stamp()
	switch {
	case stamp.Deleted():
		return t, ErrNotFound
	case stamp.RefuseReason == reason:
		return t, nil
	case p.taken() != "":
		return t, ErrSettled.With("settlement", p.taken())
	case stamp.Version != version:
		return t, ErrChanged.With("version", stamp.Version)
	}
	stamp.RefuseReason, stamp.RefusedAt, stamp.ChangedAt, stamp.Version = reason, time.Time{}, tx.Now, version+1
	if reason != "" {
		stamp.RefusedAt = tx.Now
	}
	if err := write[T, P](tx, t, version); err != nil {
		return t, err
	}
	if reason == "" {
		err = messages.TakeBack(tx, id, messages.EntryRefused)
	} else {
		err = tell(tx, messages.EntryRefused, stamp, p.kind(), p.day(), reason)
	}
	if err != nil {
		return t, err
	}
	action := map[bool]string{true: ".count", false: ".refuse"}[reason == ""]
	return t, audit.Record(tx, audit.Change{Action: tableOf(p.kind()) + action, Kind: p.kind().auditKind(), ID: id, Reason: reason})
}

// tell puts what the partner did with an entry on the board of its driver.
func tell(tx *db.Tx, kind messages.Kind, stamp *Stamp, of Kind, day calendar.Date, text string) error {
	return messages.Tell(tx, messages.Notice{Kind: kind, DriverID: stamp.DriverID, ObjectID: stamp.ID,
		Params: map[string]string{"entry": string(of), "day": string(day), "text": text}})
}

// Trail is what happened to an entry, oldest first.
func Trail(tx *db.Tx, kind Kind, id string) ([]audit.Entry, error) {
	return audit.Of(tx, kind.auditKind(), id)
}

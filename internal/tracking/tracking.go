// Package tracking keeps what drivers write down on the way: trips that a settlement pays for, and working time. Entries are made on a
// phone that may have no line for days, with ids of its own. The id and the version of an entry say what is new, what came before and
// what somebody else has changed meanwhile; nothing is decided by the clock of a phone.
package tracking

import (
	"time"

	"saldo/internal/invoices/files"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "tracking.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "tracking.invalid")
	// ErrChanged is the answer to a change of an entry that somebody else changed meanwhile. What is stored stays.
	ErrChanged = fault.Declare(fault.Conflict, "tracking.changed")
	// ErrSettled is the answer to a change of a trip that a settlement has taken.
	ErrSettled = fault.Declare(fault.Conflict, "tracking.settled")
	// ErrRunning is the answer to a second entry that has no end.
	ErrRunning = fault.Declare(fault.Conflict, "tracking.running")
	// ErrOff is the answer to a driver whose partner does not use the tracker.
	ErrOff = fault.Declare(fault.Conflict, "tracking.switched_off")
	// ErrPartner is the answer to an entry that was made for a partner that is not the driver's any more.
	ErrPartner = fault.Declare(fault.Conflict, "tracking.partner_changed")
	// ErrUnlinked is the answer to a driver whom no partner has accepted yet.
	ErrUnlinked = fault.Declare(fault.Conflict, "tracking.not_linked")
	ErrTooMany  = fault.Declare(fault.TooMany, "tracking.too_many")
)

// The answers to photos that are not taken.
var (
	ErrPhotoType     = fault.Declare(fault.Unsupported, "tracking.photo_type")
	ErrPhotoTooLarge = fault.Declare(fault.TooLarge, "tracking.photo_too_large")
	ErrPhotoPixels   = fault.Declare(fault.Invalid, "tracking.photo_pixels")
	ErrPhotoBroken   = fault.Declare(fault.Invalid, "tracking.photo_broken")
)

// Service has what photos are kept and drawn with.
type Service struct {
	DB       *db.DB
	Blobs    blob.Store
	Instance config.Instance
	Reader   *files.Reader
}

// Person is who acts: the partner, or one driver with what is their own.
type Person struct{ driver string }

// Partner is the partner's people.
var Partner = Person{}

// Driver is one driver.
func Driver(id string) Person { return Person{id} }

// Kind is what an entry is.
type Kind string

// The kinds.
const (
	OfTrip Kind = "trip"
	OfTime Kind = "time"
)

// auditKind names entries in the trail.
func (k Kind) auditKind() string { return map[Kind]string{OfTrip: "trip", OfTime: "time_entry"}[k] }

// Source says where the last change came from.
type Source string

// The sources.
const (
	FromPhone   Source = "phone"
	FromWeb     Source = "web"
	FromPartner Source = "partner"
)

// Stamp is what every entry has besides its content.
type Stamp struct {
	ID, DriverID string
	Version      int64
	Source       Source
	Device       string
	EnteredAt    time.Time // by the clock of the device; zero: it said nothing
	ClockOff     int64     // seconds by which that clock was ahead when the entry was sent
	ReceivedAt   time.Time
	ChangedAt    time.Time
	RefusedAt    time.Time // by the partner: it does not count; zero: it is not refused
	RefuseReason string
	DeletedAt    time.Time
}

// Refused says whether the partner refused the entry.
func (s *Stamp) Refused() bool { return !s.RefusedAt.IsZero() }

// Deleted says whether the entry is deleted.
func (s *Stamp) Deleted() bool { return !s.DeletedAt.IsZero() }

// Said is what comes with a change of an entry.
type Said struct {
	Version   int64  // that the person saw; 0: the entry is new to them
	Device    string // as it calls itself
	Phone     bool   // it came from the tracker on a phone
	EnteredAt time.Time
	SentAt    time.Time // by the clock of the device; zero: it said nothing
	Reason    string    // of a partner's change
}

// The longest texts.
const (
	placeMax  = 200
	noteMax   = 500
	plateMax  = 15
	deviceMax = 64
	reasonMax = 500
)

// Today is the day in the zone of the instance.
func (s *Service) Today(tx *db.Tx) calendar.Date {
	return calendar.DateOf(tx.Now, s.Instance.Location(), 0)
}

// Allowed says whether a driver may use a tracker of the partner; the partner always may.
func Allowed(tx *db.Tx, who Person, kind Kind) error {
	if who == Partner {
		return nil
	}
	f, err := partners.OwnDriverFunctions(tx)
	if err == nil && (kind == OfTrip && !f.Trips() || kind == OfTime && !f.TimeTracker()) {
		err = ErrOff
	}
	return err
}

package payouts

import (
	"errors"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Two-person release: whoever makes a batch cannot release it. One person
// turns it on; turning it off takes two, a request and a confirmation.

var (
	// ErrOnePerson is the answer to turning two-person release on while the office has one active person.
	ErrOnePerson = fault.Declare(fault.Conflict, "payouts.one_person")
	// ErrOffAlone is the answer to turning it off without a second person.
	ErrOffAlone = fault.Declare(fault.Conflict, "payouts.off_alone")
	// ErrTwoPersonOff is the answer to asking for what is off already.
	ErrTwoPersonOff = fault.Declare(fault.Conflict, "payouts.two_person_off")
	// ErrRequestPending is the answer to a second request while one is open.
	ErrRequestPending  = fault.Declare(fault.Conflict, "payouts.request_pending")
	ErrRequestNotFound = fault.Declare(fault.NotFound, "payouts.request_not_found")
	// ErrRequestDecided is the answer to deciding what somebody else has decided, or what was withdrawn.
	ErrRequestDecided = fault.Declare(fault.Conflict, "payouts.request_decided")
	// ErrOwnRequest is the answer to deciding about one's own request.
	ErrOwnRequest = fault.Declare(fault.Conflict, "payouts.own_request")
	// ErrNotYourRequest is the answer to withdrawing somebody else's.
	ErrNotYourRequest = fault.Declare(fault.Conflict, "payouts.not_your_request")
)

const kindOfRequest = "two_person_request"

// changesTwoPerson refuses a change of the settings that would turn two-person
// release on for an office of one, or off at all: that is ConfirmOff's.
func changesTwoPerson(tx *db.Tx, before, after Settings) error {
	switch {
	case before.SecondPerson == after.SecondPerson:
		return nil
	case before.SecondPerson:
		return ErrOffAlone
	}
	n, err := identity.ActivePeople(tx)
	if err == nil && n < 2 {
		err = ErrOnePerson
	}
	return err
}

// TurnOnTwoPerson makes every batch from now on wait for a second person.
func (d *Service) TurnOnTwoPerson(tx *db.Tx) error {
	s, err := d.SettingsOf(tx)
	if err != nil {
		return err
	}
	s.SecondPerson = true
	return d.SaveSettings(tx, s)
}

// OffRequest asks to turn two-person release off.
type OffRequest struct {
	ID                         string
	State                      string
	RequestedAt                time.Time
	RequestedBy, RequestedByID string
}

const requestColumns = `id, state, requested_at, requested_by, requested_by_id`

// PendingOff is the open request, if there is one.
func PendingOff(tx *db.Tx) (*OffRequest, error) {
	r, err := db.One[OffRequest](tx, `SELECT `+requestColumns+` FROM two_person_requests WHERE tenant_id = $1 AND state = 'pending'`)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}
	return &r, err
}

func requestOf(tx *db.Tx, id string) (OffRequest, error) {
	r, err := db.One[OffRequest](tx, `SELECT `+requestColumns+` FROM two_person_requests WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrRequestNotFound
	}
	return r, err
}

// active says in SQL that a person of the office can sign in.
func active(id string) string {
	return `EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = $1 AND m.id = ` + id + ` AND m.role = 'partner' AND m.state = 'active')`
}

// RequestOff asks to turn two-person release off. It stays on until another
// person confirms.
func (d *Service) RequestOff(tx *db.Tx) (id string, err error) {
	if err := identity.ActsStill(tx); err != nil {
		return "", err
	}
	id = tx.NewID()
	n, err := tx.Exec(`INSERT INTO two_person_requests (tenant_id, id, state, requested_at, requested_by, requested_by_id, decided_at,
		decided_by, decided_by_id)
		SELECT $1, $2, 'pending', $3, $4, $5, '', '', ''
		WHERE EXISTS (SELECT 1 FROM payout_settings s WHERE s.tenant_id = $1 AND s.second_person) AND `+active("$5")+`
		AND NOT EXISTS (SELECT 1 FROM two_person_requests r WHERE r.tenant_id = $1 AND r.state = 'pending')`, id, tx.Now, tx.Actor.Name,
		tx.Actor.ID)
	if err != nil {
		return "", err
	}
	if n == 0 {
		if s, err := d.SettingsOf(tx); err != nil || s.SecondPerson {
			return "", errors.Join(err, ErrRequestPending)
		}
		return "", ErrTwoPersonOff
	}
	return id, audit.Record(tx, audit.Change{Action: "payouts.request_off", Kind: kindOfRequest, ID: id,
		After: map[string]any{"state": "pending"}})
}

// decide ends an open request. The statement itself holds who may: allowed is
// a condition on the request and the actor, $5.
func decide(tx *db.Tx, id, state, allowed string) (bool, error) {
	n, err := tx.Exec(`UPDATE two_person_requests SET state = '`+state+`', decided_at = $3, decided_by = $4, decided_by_id = $5
		WHERE tenant_id = $1 AND id = $2 AND state = 'pending' AND `+active("$5")+` AND `+allowed, id, tx.Now, tx.Actor.Name, tx.Actor.ID)
	if err != nil || n == 0 {
		return false, err
	}
	return true, audit.Record(tx, audit.Change{Action: "payouts.off_" + state, Kind: kindOfRequest, ID: id,
		Before: map[string]any{"state": "pending"}, After: map[string]any{"state": state}})
}

// whyNotDecided is the answer to a decision whose statement changed nothing.
func whyNotDecided(tx *db.Tx, id string, otherwise *fault.Fault) error {
	if err := identity.ActsStill(tx); err != nil {
		return err
	}
	r, err := requestOf(tx, id)
	switch {
	case err != nil:
		return err
	case r.State != "pending" || otherwise == ErrOwnRequest && r.RequestedByID != tx.Actor.ID:
		return ErrRequestDecided
	}
	return otherwise
}

// ConfirmOff turns two-person release off at the request of another person who
// can still sign in.
func (d *Service) ConfirmOff(tx *db.Tx, id string) error {
	done, err := decide(tx, id, "confirmed", `requested_by_id <> $5 AND `+active("requested_by_id"))
	if err != nil {
		return err
	}
	if !done {
		return whyNotDecided(tx, id, ErrOwnRequest)
	}
	before, err := d.SettingsOf(tx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE payout_settings SET second_person = FALSE, version = version + 1, updated_at = $2 WHERE tenant_id = $1`,
		tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "payouts.settings", Kind: kindOfSettings, ID: tx.Actor.Tenant,
		Before: map[string]any{"secondPerson": before.SecondPerson}, After: map[string]any{"secondPerson": false}})
}

// RejectOff keeps two-person release on.
func RejectOff(tx *db.Tx, id string) error {
	done, err := decide(tx, id, "rejected", `requested_by_id <> $5`)
	if err != nil || done {
		return err
	}
	return whyNotDecided(tx, id, ErrOwnRequest)
}

// WithdrawOff takes one's own request back.
func WithdrawOff(tx *db.Tx, id string) error {
	done, err := decide(tx, id, "withdrawn", `requested_by_id = $5`)
	if err != nil || done {
		return err
	}
	return whyNotDecided(tx, id, ErrNotYourRequest)
}

// BlockPerson shuts a person of the office out. While batches need two people
// two must stay, else blocking would be a way around the second one. What the
// person asked for lapses.
func (d *Service) BlockPerson(tx *db.Tx, id string) error {
	s, err := d.SettingsOf(tx)
	if err != nil {
		return err
	}
	keep := int64(1)
	if s.SecondPerson {
		keep = 2
	}
	if err := identity.BlockPerson(tx, id, keep); err != nil {
		return err
	}
	r, err := PendingOff(tx)
	if err != nil || r == nil || r.RequestedByID != id {
		return err
	}
	_, err = decide(tx, r.ID, "lapsed", `requested_by_id <> $5`)
	return err
}

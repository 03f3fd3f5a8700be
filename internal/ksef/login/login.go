// Package login keeps how partners sign in at KSeF, and signs in. Certificates and keys are sealed, tried before they are kept, and never
// shown again. Access tokens are in memory alone. Nothing of it was tried at KSeF itself.
//
// What KSeF would find too fast is not called, and nobody waits for it: the answer says when.
package login

import (
	"crypto/x509"
	"errors"
	"net/http"
	"sync"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

var (
	// ErrOff is the answer where the operator has not turned KSeF on.
	ErrOff = fault.Declare(fault.Conflict, "ksef.off")
	// ErrNone is the answer where a partner has no certificate, or not one of this environment.
	ErrNone = fault.Declare(fault.NotFound, "ksef.none")
	// ErrChanged is the answer to a change of what somebody else changed meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "ksef.changed")
	// ErrWait is the answer to what would be too fast for KSeF, or while another process signs in. It says when.
	ErrWait = fault.Declare(fault.Conflict, "ksef.wait")

	errNIP        = fault.Declare(fault.Conflict, "ksef.nip")
	errUnreadable = fault.Declare(fault.Invalid, "ksef.unreadable")
	errPassword   = fault.Declare(fault.Invalid, "ksef.password")
	errMismatch   = fault.Declare(fault.Invalid, "ksef.mismatch")
	errUnsuitable = fault.Declare(fault.Invalid, "ksef.unsuitable")
	errOffline    = fault.Declare(fault.Invalid, "ksef.offline")
	errAway       = fault.Declare(fault.Conflict, "ksef.away")
	errDenied     = fault.Declare(fault.Conflict, "ksef.denied")
	errRefused    = fault.Declare(fault.Conflict, "ksef.refused")
	errBlocked    = fault.Declare(fault.Conflict, "ksef.blocked")
	errExpired    = fault.Declare(fault.Conflict, "ksef.expired")
)

// State is how signing in fares.
type State string

// The states.
const (
	Working  State = "working"
	Away     State = "away"    // KSeF does not answer; it is tried again
	Denied   State = "denied"  // whom the certificate names has no rights in the company
	Refused  State = "refused" // the certificate is not accepted
	Blocked  State = "blocked" // KSeF blocks the company
	Expired  State = "expired"
	OtherNIP State = "nip" // the profile has another NIP than the certificate was kept for
)

// States are all there are.
func States() []State { return []State{Working, Away, Denied, Refused, Blocked, Expired, OtherNIP} }

// refusals are what people are told of a state; nil: it works.
var refusals = map[State]*fault.Fault{Away: errAway, Denied: errDenied, Refused: errRefused, Blocked: errBlocked, Expired: errExpired,
	OtherNIP: errNIP}

func (s State) refusal() error {
	if f := refusals[s]; f != nil {
		return f
	}
	return nil
}

// Stopped is the state for which an error of Client asks a person to do something; empty: it asks for nothing.
func Stopped(err error) State {
	for state, f := range refusals {
		if state.stopped() && errors.Is(err, f) {
			return state
		}
	}
	return ""
}

// stopped says whether a person must do something before it is tried again.
func (s State) stopped() bool { return s != Working && s != Away }

// Access is a partner's as people see it.
type Access struct {
	Version int64
	NIP     official.NIP
	Subject string // whom the certificate names
	Serial  string
	ValidTo time.Time
	State   State
	Since   time.Time
	TriedAt time.Time
}

type row struct {
	Access
	ID                           string
	CertificateSealed, KeySealed string
}

// Service signs in at one environment.
type Service struct {
	DB          *db.DB
	Vault       *vault.Vault
	Environment string // empty: KSeF is off
	Env         ksef.Env
	HTTP        *http.Client

	mu     sync.Mutex
	tokens map[string]held // by the id of the access
}

// held is an access token.
type held struct {
	token string
	until time.Time
}

// What secrets are sealed for, with the id of the access.
const (
	forCertificate = "ksef certificate "
	forKey         = "ksef key "
	forRefresh     = "ksef refresh "
)

func (s *Service) rowOf(tx *db.Tx) (row, error) {
	r, err := db.One[row](tx, `SELECT id, version, nip, subject, certificate_sealed, key_sealed, serial, valid_to, state, since, tried_at
		FROM ksef_access WHERE tenant_id = $1 AND environment = $2`, s.Environment)
	if errors.Is(err, db.ErrNone) {
		return r, ErrNone
	}
	if err != nil {
		return r, err
	}
	nip, err := s.ownNIP(tx)
	switch {
	case errors.Is(err, errNIP), err == nil && nip != r.NIP:
		r.State = OtherNIP
		err = nil
	case !tx.Now.Before(r.ValidTo):
		r.State = Expired
	}
	return r, err
}

// Of is the partner's access, or ErrNone.
func (s *Service) Of(tx *db.Tx) (Access, error) {
	r, err := s.rowOf(tx)
	return r.Access, err
}

// ownNIP is the number as which the partner signs in.
func (s *Service) ownNIP(tx *db.Tx) (official.NIP, error) {
	p, err := partners.OwnProfile(tx, s.Vault)
	if err != nil {
		return "", err
	}
	nip, err := official.ParseNIP(p.TaxID)
	if err != nil {
		return "", errNIP
	}
	return nip, nil
}

// certificate reads back what was kept.
func (s *Service) certificate(tenant string, r *row) (*ksef.Certificate, error) {
	certificate, err := s.Vault.Unseal(tenant, forCertificate+r.ID, r.CertificateSealed)
	if err != nil {
		return nil, err
	}
	key, err := s.Vault.Unseal(tenant, forKey+r.ID, r.KeySealed)
	if err != nil {
		return nil, err
	}
	return ksef.Certified(certificate, key, "")
}

// readFiles reads what a person uploads. What KSeF would refuse in any case is not shown to it.
func readFiles(u *Upload, now time.Time) (*ksef.Certificate, error) {
	c, err := ksef.Certified(u.Certificate, u.Key, u.Password)
	switch {
	case errors.Is(err, ksef.ErrPassword):
		return nil, errPassword
	case errors.Is(err, ksef.ErrOtherKey):
		return nil, errMismatch
	case errors.Is(err, ksef.ErrKey):
		return nil, errUnsuitable
	case err != nil:
		return nil, errUnreadable
	case now.Before(c.NotBefore) || !now.Before(c.NotAfter):
		return nil, errExpired
	case c.KeyUsage&x509.KeyUsageDigitalSignature != 0 || c.KeyUsage == 0: // without a list of uses all are allowed
		return c, nil
	case c.KeyUsage&x509.KeyUsageContentCommitment != 0: // KSeF's type Offline
		return nil, errOffline
	}
	return nil, errUnsuitable
}

// stateAfter is what an error of signing in means; an error that is none of KSeF's is given back, and ErrWait where KSeF says when.
func stateAfter(err error) (State, error) {
	var said *wire.Said
	if !errors.As(err, &said) {
		return "", err
	}
	switch kind := said.Kind(); {
	case kind == wire.Later:
		return "", waiting(said.After)
	case wire.Has(err, 415), said.HTTP == http.StatusForbidden:
		return Denied, nil
	case wire.Has(err, 480):
		return Blocked, nil
	case kind == wire.People, kind == wire.Refused:
		return Refused, nil
	}
	return Away, nil
}

// waiting says when the same may be asked again.
func waiting(wait time.Duration) error {
	wait = min(wait, mostWait)
	return ErrWait.With("minutes", int64((wait+time.Minute-1)/time.Minute)).After(wait)
}

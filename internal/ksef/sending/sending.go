// Package sending takes the partners' invoices to KSeF and brings back their numbers. Nothing goes to KSeF before it is written down what
// goes in which session, so that after a crash or a lost answer KSeF is asked what it has before anything is sent again. Nothing of it was
// tried at KSeF itself.
package sending

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/ksef/availability"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
)

// State is how far an invoice is on its way to KSeF.
type State string

// The states. Accepted is final; a refused invoice may be made anew, which is another edition.
const (
	Waiting  State = "waiting"
	Sent     State = "sent"
	Held     State = "held"
	Accepted State = "accepted"
	Refused  State = "refused"
)

// Reason is why an invoice is held: a person must do something.
type Reason string

// The reasons.
const (
	NoAccess      Reason = "no_access" // the partner cannot sign in at KSeF, or may not send
	AccessExpired Reason = "access_expired"
	NoGrant       Reason = "no_grant" // the seller does not let the partner issue invoices
	Blocked       Reason = "blocked"  // KSeF blocks the partner
)

// Reasons are all there are.
func Reasons() []Reason { return []Reason{NoAccess, AccessExpired, NoGrant, Blocked} }

// Service sends.
type Service struct {
	DB      *db.DB
	Vault   *vault.Vault
	Blobs   blob.Store
	Billing *billing.Service
	Login   *login.Service
	Log     *slog.Logger

	Announced *availability.Service // in what outages put deadlines off

	keys wire.Keyring
}

// The jobs beside billing.SendKind.
const (
	AskKind   = "ksef.ask"   // what became of a session
	SweepKind = "ksef.sweep" // for what no job is there
)

// attempts of a job are many: only errors of Saldo itself count.
const attempts = 1000

// Handle gives the jobs their handlers.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(billing.SendKind, s.send)
	q.Handle(AskKind, s.ask)
	q.Handle(SweepKind, s.sweep)
	q.Handle(GrantsKind, s.grants)
	q.Handle(NightKind, s.night)
	if s.Login.Environment == "" {
		return
	}
	q.Every(24*time.Hour, NightKind, jobs.Order{Kind: NightKind, Key: "night"})
	q.Every(time.Minute, SweepKind, jobs.Order{Kind: SweepKind, Key: "sweep"})
}

// ticket is what a job knows of its past.
type ticket struct {
	Session string // that is asked for
	Tries   int    // in a row that came to nothing
	Renewed bool   // it was tried with another token already

	Page  int       // of permissions that is read next
	Began time.Time // when the first page was read
}

// pauses are those between two tries.
var pauses = []time.Duration{2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute}

func pauseOf(tries int) time.Duration { return pauses[min(tries, len(pauses)-1)] }

// heldBy is why nothing can be sent after an error of signing in or calling; empty: no person can do anything about it.
func heldBy(err error) Reason {
	switch login.Stopped(err) {
	case login.Expired:
		return AccessExpired
	case login.Blocked:
		return Blocked
	case "":
		if errors.Is(err, login.ErrNone) || errors.Is(err, login.ErrOff) || wire.KindOf(err) == wire.People {
			return NoAccess
		}
		return ""
	}
	return NoAccess
}

// again is when to try once more after an error, and with which ticket. A worker never waits.
func (s *Service) again(t ticket, c wire.Client, failure error) (ticket, time.Duration) {
	var said *wire.Said
	var asked *fault.Fault
	wait := pauseOf(t.Tries)
	if errors.As(failure, &said) {
		switch said.Kind() {
		case wire.SignIn:
			s.Login.Drop(c)
			if !t.Renewed {
				t.Renewed = true
				return t, 0
			}
		case wire.Later:
			return t, max(wait, said.After)
		default:
		}
	}
	if errors.As(failure, &asked) && asked.Retry > 0 {
		return t, asked.Retry
	}
	t.Tries++
	return t, wait
}

// reschedule ends a job and leaves the next one of its kind in its place.
func reschedule(tx *db.Tx, run *jobs.Run, key string, t ticket, wait time.Duration) error {
	if err := run.Finish(tx); err != nil {
		return err
	}
	return jobs.Enqueue(tx, jobs.Order{Kind: run.Kind, Key: key, Payload: t, At: tx.Now.Add(wait), Attempts: attempts})
}

// mine is whether an error is Saldo's own, for the queue to count and log.
func mine(err error) bool {
	var said *wire.Said
	var known *fault.Fault
	return err != nil && !errors.As(err, &said) && !errors.As(err, &known)
}

// retryHeld is how long an invoice is held before it is tried whether a person has done what was to do.
const retryHeld = 5 * time.Minute

// sweep leaves a job for every partner of whom something waits and no job is there.
func (s *Service) sweep(ctx context.Context, run *jobs.Run) error {
	var tenants []string
	if err := s.DB.Read(ctx, access.Program("ksef"), func(tx *db.Tx) (err error) {
		tenants, err = db.Select[string](tx.Across(), `SELECT b.tenant_id FROM billing_documents b WHERE b.authority_state = 'waiting'
			AND NOT EXISTS (SELECT 1 FROM ksef_sendings k WHERE k.tenant_id = b.tenant_id AND k.document_id = b.id AND k.edition = b.edition)
			UNION SELECT k.tenant_id FROM ksef_sendings k WHERE k.state = 'waiting' AND k.session_id = '' AND k.next_at <= $1
			UNION SELECT k.tenant_id FROM ksef_sendings k JOIN ksef_access a ON a.tenant_id = k.tenant_id AND a.environment = $2
			AND a.state IN ('working', 'away') AND a.valid_to > $1
			WHERE k.state = 'held' AND k.reason IN ('no_access', 'access_expired', 'blocked') AND k.since <= $3 ORDER BY 1`,
			tx.Now, s.Login.Environment, tx.Now.Add(-retryHeld))
		return err
	}); err != nil {
		return err
	}
	for _, tenant := range tenants {
		if err := s.DB.Write(ctx, access.ProgramFor(tenant, "ksef"), billing.EnqueueSend); err != nil {
			return err
		}
	}
	return run.Write(ctx, run.Finish)
}

package login

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

const (
	leased   = 2 * patience     // longer than signing in can take
	soon     = 3 * time.Second  // until whoever signs in now has done it, most of the time
	leeway   = 90 * time.Second // a token that ends so soon is not begun with
	mostWait = 24 * time.Hour
)

// login is where signing in got to.
type login struct {
	AccessID, RefreshSealed, Lease string
	Until, LeasedUntil, NotBefore  time.Time
}

// task is what one call of Client has to do outside of units of work.
type task struct {
	row     row
	login   login
	token   string // that is there already
	refresh string // that gets one; empty: sign in
}

// Client calls KSeF as the partner, for a job. Where a person must do something first, or KSeF does not answer, the error says so in words;
// ErrWait says when to come again. Two processes never sign in at the same time.
func (s *Service) Client(ctx context.Context, who access.Actor) (wire.Client, error) {
	return s.enter(ctx, who, false)
}

// Try signs in anew, as a person asks for it, in any state. What becomes of it is the state of the access.
func (s *Service) Try(ctx context.Context, who access.Actor) error {
	_, err := s.enter(ctx, who, true)
	for _, known := range refusals {
		if errors.Is(err, known) {
			return nil
		}
	}
	return err
}

func (s *Service) enter(ctx context.Context, who access.Actor, anew bool) (c wire.Client, err error) {
	if s.Environment == "" {
		return c, ErrOff
	}
	worthless := ""
	for {
		t, err := s.begin(ctx, who, anew, worthless)
		if err != nil {
			return c, err
		}
		if t.token != "" {
			return s.client(who.Tenant).As(wire.Tokens{Access: t.token}), nil
		}
		if t.refresh == "" {
			return s.signInFor(ctx, who, &t)
		}
		tokens, err := s.refresh(ctx, who.Tenant, t.refresh)
		if err == nil {
			return s.entered(ctx, who, &t, tokens)
		}
		switch wire.KindOf(err) {
		case wire.SignIn, wire.Refused, wire.People:
			worthless = t.login.RefreshSealed
		default:
			state, err := stateAfter(err)
			return c, s.failed(ctx, who, &t, errors.Join(state.refusal(), err))
		}
	}
}

func (s *Service) refresh(ctx context.Context, tenant, token string) (wire.Tokens, error) {
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.client(tenant).Refresh(limited, wire.Tokens{Refresh: token})
}

// entered keeps that KSeF answers again.
func (s *Service) entered(ctx context.Context, who access.Actor, t *task, tokens wire.Tokens) (wire.Client, error) {
	if t.row.State != Working {
		if err := s.DB.Write(ctx, who, func(tx *db.Tx) error { return s.note(tx, t, Working) }); err != nil {
			return wire.Client{}, err
		}
	}
	s.hold(t.row.ID, tokens)
	return s.client(who.Tenant).As(tokens), nil
}

// begin finds out what is to be done, and takes the lease where it is signing in.
func (s *Service) begin(ctx context.Context, who access.Actor, anew bool, worthless string) (t task, err error) {
	err = s.DB.Write(ctx, who, func(tx *db.Tx) (err error) {
		t = task{}
		if t.row, err = s.rowOf(tx); err != nil {
			return err
		}
		if t.row.State == OtherNIP || t.row.State == Expired || !anew && t.row.State.stopped() {
			return t.row.State.refusal()
		}
		t.login, err = db.One[login](tx, `SELECT access_id, refresh_sealed, lease, until, leased_until, not_before FROM ksef_login
			WHERE tenant_id = $1 AND environment = $2`, s.Environment)
		if err != nil {
			return err
		}
		other := t.login.Lease
		t.login.Lease = ""
		if t.token = s.heldFor(t.row.ID, tx.Now); t.token != "" && !anew {
			return nil
		}
		t.token = ""
		if wait := t.login.NotBefore.Sub(tx.Now); wait > 0 {
			return waiting(wait)
		}
		if known := t.login.RefreshSealed; !anew && known != "" && known != worthless && tx.Now.Add(leeway).Before(t.login.Until) {
			refresh, err := s.Vault.Unseal(tx.Actor.Tenant, forRefresh+t.row.ID, known)
			t.refresh = string(refresh)
			return err
		}
		if other != "" && tx.Now.Before(t.login.LeasedUntil) {
			return waiting(soon)
		}
		t.login.Lease = rand.Text()
		_, err = tx.Exec(`UPDATE ksef_login SET lease = $3, leased_until = $4 WHERE tenant_id = $1 AND environment = $2`, s.Environment,
			t.login.Lease, tx.Now.Add(leased))
		return err
	})
	return t, err
}

// signInFor signs in under the lease, and keeps what becomes of it. Nothing is kept of a certificate that was replaced or removed
// meanwhile.
func (s *Service) signInFor(ctx context.Context, who access.Actor, t *task) (c wire.Client, err error) {
	var certificate *ksef.Certificate
	if certificate, err = s.certificate(who.Tenant, &t.row); err != nil {
		return c, err
	}
	tokens, state, err := s.signIn(ctx, who.Tenant, t.row.NIP, certificate)
	if err != nil {
		return c, s.failed(ctx, who, t, err)
	}
	err = s.DB.Write(context.WithoutCancel(ctx), who, func(tx *db.Tx) error {
		refresh, until := "", tokens.RefreshUntil
		switch state {
		case Working:
			refresh = s.sealed(tx, t.row.ID, tokens.Refresh)
		case Away: // what was there may be good still
			refresh, until = t.login.RefreshSealed, t.login.Until
		default:
		}
		n, err := tx.Exec(`UPDATE ksef_login SET refresh_sealed = $3, until = $4, lease = '', leased_until = '', not_before = ''
			WHERE tenant_id = $1 AND environment = $2 AND access_id = $5 AND lease = $6`, s.Environment, refresh, until,
			t.row.ID, t.login.Lease)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrChanged
		}
		return s.note(tx, t, state)
	})
	if err != nil {
		s.signOut(ctx, who.Tenant, tokens)
		return c, err
	}
	if state != Working {
		s.drop(t.row.ID)
		return c, state.refusal()
	}
	s.hold(t.row.ID, tokens)
	return s.client(who.Tenant).As(tokens), nil
}

// note keeps the state. That a person must do something is in the trail.
func (s *Service) note(tx *db.Tx, t *task, state State) error {
	since := t.row.Since
	if state != t.row.State {
		since = tx.Now
	}
	if _, err := tx.Exec(`UPDATE ksef_access SET state = $3, since = $4, tried_at = $5 WHERE tenant_id = $1 AND environment = $2
		AND id = $6`, s.Environment, string(state), since, tx.Now, t.row.ID); err != nil {
		return err
	}
	if !state.stopped() || state == t.row.State {
		return nil
	}
	return audit.Record(tx, audit.Change{Action: "ksef.stop", Kind: "partner", ID: tx.Actor.Tenant,
		After: map[string]any{"environment": s.Environment, "serial": t.row.Serial, "reason": string(state)}})
}

// failed keeps when KSeF may be asked again, if it said so, and lets go of the lease.
func (s *Service) failed(ctx context.Context, who access.Actor, t *task, failure error) error {
	var said *fault.Fault
	var wait time.Duration
	if errors.As(failure, &said) {
		wait = said.Retry
	}
	return errors.Join(s.DB.Write(context.WithoutCancel(ctx), who, func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE ksef_login SET lease = '', leased_until = '' WHERE tenant_id = $1 AND environment = $2
			AND access_id = $3 AND lease = $4`, s.Environment, t.row.ID, t.login.Lease); err != nil || wait <= 0 {
			return err
		}
		_, err := tx.Exec(`UPDATE ksef_login SET not_before = $4 WHERE tenant_id = $1 AND environment = $2 AND access_id = $3`,
			s.Environment, t.row.ID, tx.Now.Add(wait))
		return err
	}), failure)
}

func (s *Service) hold(id string, t wire.Tokens) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens == nil {
		s.tokens = map[string]held{}
	}
	s.tokens[id] = held{t.Access, t.AccessUntil}
}

func (s *Service) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tokens, id)
}

// Drop forgets the token of a client: KSeF does not take it any more.
func (s *Service) Drop(c wire.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, h := range s.tokens {
		if h.token == c.Access {
			delete(s.tokens, id)
		}
	}
}

// heldFor is an access token that lasts a while; what has ended is forgotten.
func (s *Service) heldFor(id string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one, h := range s.tokens {
		if !now.Add(leeway).Before(h.until) {
			delete(s.tokens, one)
		}
	}
	return s.tokens[id].token
}

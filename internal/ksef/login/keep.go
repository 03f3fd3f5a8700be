package login

import (
	"context"
	"errors"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Upload is what a person gives: files as the Ministry's application makes them.
type Upload struct {
	Version          int64 // that it takes the place of; 0: of none
	Certificate, Key []byte
	Password         string // of the key; empty: it has none
}

// Prepared is a certificate that lets the partner in and can be kept.
type Prepared struct {
	version     int64
	nip         official.NIP
	certificate *ksef.Certificate
	key         []byte // as it is sealed
	tokens      wire.Tokens
}

// patience is how long signing in may take: somebody waits for it.
const patience = 25 * time.Second

func (s *Service) client(tenant string) wire.Client {
	return wire.Client{Env: s.Env, HTTP: s.HTTP, Pace: pace{s, tenant}}
}

// signIn signs in by the certificate, outside of units of work. What KSeF says of it is the state.
func (s *Service) signIn(ctx context.Context, tenant string, as official.NIP, c *ksef.Certificate) (wire.Tokens, State, error) {
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	tokens, err := s.client(tenant).SignIn(limited, as, wire.Signature{Certificate: c})
	if err == nil {
		return tokens, Working, nil
	}
	if limited.Err() != nil {
		return tokens, Away, nil
	}
	state, err := stateAfter(err)
	return tokens, state, err
}

// Prepare tries a certificate that a person uploads. Of one that does not let the partner in it is the refusal, and nothing is kept.
func (s *Service) Prepare(ctx context.Context, who access.Actor, u Upload) (p Prepared, err error) {
	if s.Environment == "" {
		return p, ErrOff
	}
	var now time.Time
	p.version = u.Version
	if err := s.DB.Read(ctx, who, func(tx *db.Tx) (err error) {
		now = tx.Now
		if p.nip, err = s.ownNIP(tx); err != nil {
			return err
		}
		_, err = s.before(tx, u.Version)
		return err
	}); err != nil {
		return p, err
	}
	if p.certificate, err = readFiles(&u, now); err != nil {
		return p, err
	}
	if p.key, err = p.certificate.PKCS8(); err != nil {
		return p, err
	}
	var state State
	if p.tokens, state, err = s.signIn(ctx, who.Tenant, p.nip, p.certificate); err != nil {
		return p, err
	}
	return p, state.refusal()
}

// before is what an upload takes the place of; nil: nothing.
func (s *Service) before(tx *db.Tx, version int64) (*row, error) {
	r, err := s.rowOf(tx)
	switch {
	case errors.Is(err, ErrNone) && version == 0:
		return nil, nil
	case errors.Is(err, ErrNone), err == nil && r.Version != version:
		return nil, ErrChanged
	}
	return &r, err
}

// Keep keeps what was prepared, unless somebody changed it meanwhile.
func (s *Service) Keep(tx *db.Tx, p Prepared) error {
	before, err := s.before(tx, p.version)
	if err != nil {
		return err
	}
	if nip, err := s.ownNIP(tx); err != nil || nip != p.nip {
		return errors.Join(err, ErrChanged)
	}
	change := audit.Change{Action: "ksef.connect", Kind: "partner", ID: tx.Actor.Tenant}
	if before != nil {
		change.Before = map[string]any{"environment": s.Environment, "serial": before.Serial}
		if err := s.forget(tx); err != nil {
			return err
		}
	}
	c, id := p.certificate, tx.NewID()
	change.After = map[string]any{"environment": s.Environment, "serial": c.Serial(), "validTo": c.NotAfter.UTC()}
	if _, err := tx.Exec(`INSERT INTO ksef_access (tenant_id, environment, id, version, nip, subject, certificate_sealed, key_sealed,
		serial, valid_to, state, since, tried_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`, s.Environment, id,
		p.version+1, string(p.nip), c.Subject.CommonName, s.Vault.Seal(tx.Actor.Tenant, forCertificate+id, c.Raw),
		s.Vault.Seal(tx.Actor.Tenant, forKey+id, p.key), c.Serial(), c.NotAfter, string(Working), tx.Now); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO ksef_login (tenant_id, environment, access_id, refresh_sealed, until, lease, leased_until, not_before)
		VALUES ($1, $2, $3, $4, $5, '', '', '')`, s.Environment, id, s.sealed(tx, id, p.tokens.Refresh), p.tokens.RefreshUntil); err != nil {
		return err
	}
	return audit.Record(tx, change)
}

func (s *Service) sealed(tx *db.Tx, id, refresh string) string {
	return s.Vault.Seal(tx.Actor.Tenant, forRefresh+id, []byte(refresh))
}

// forget takes away what is kept of the environment.
func (s *Service) forget(tx *db.Tx) error {
	for _, statement := range []string{`DELETE FROM ksef_login WHERE tenant_id = $1 AND environment = $2`,
		`DELETE FROM ksef_access WHERE tenant_id = $1 AND environment = $2`} {
		if _, err := tx.Exec(statement, s.Environment); err != nil {
			return err
		}
	}
	return nil
}

// Discard signs out who was let in by what is not kept. KSeF ends such tokens by itself after a week.
func (s *Service) Discard(ctx context.Context, who access.Actor, p Prepared) {
	s.signOut(ctx, who.Tenant, p.tokens)
}

func (s *Service) signOut(ctx context.Context, tenant string, t wire.Tokens) {
	if t.Access != "" {
		limited, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer stop()
		_ = s.client(tenant).As(t).SignOut(limited)
	}
}

// Remove forgets certificate, key and tokens. KSeF keeps the certificate until it is revoked there.
func (s *Service) Remove(tx *db.Tx) error {
	if s.Environment == "" {
		return ErrOff
	}
	r, err := s.rowOf(tx)
	if err != nil {
		return err
	}
	if err := s.forget(tx); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "ksef.remove", Kind: "partner", ID: tx.Actor.Tenant,
		Before: map[string]any{"environment": s.Environment, "serial": r.Serial}})
}

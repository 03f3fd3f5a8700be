// Package renewal asks KSeF for certificates in good time: one to sign in, in the place of the one that ends, and one that signs the second
// code of invoices which KSeF does not have yet. Keys are made here and never leave. Nothing of it was tried at KSeF itself.
package renewal

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
)

// DaysBefore is how long before the end of a certificate another one is asked for.
const DaysBefore = 60

const (
	afterRefusal = 24 * time.Hour   // until it is tried once more, with another key
	unseen       = 10 * time.Minute // a request whose answer was lost is listed by then
	poll         = time.Minute
	held         = 12 * time.Hour // until it is looked whether a certificate can take its place
)

// The jobs.
const (
	kind      = "ksef.renew"
	sweepKind = "ksef.renewals"
)

// Service renews.
type Service struct {
	DB      *db.DB
	Vault   *vault.Vault
	Login   *login.Service
	Billing *billing.Service
	Log     *slog.Logger
}

// Handle gives the jobs their handlers.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(kind, s.renew)
	q.Handle(sweepKind, s.sweep)
	q.Every(time.Hour, sweepKind, jobs.Order{Kind: sweepKind, Key: "sweep"})
}

// request is one as it is kept.
type request struct {
	ID, KeySealed, RequestSealed, Reference string
	Purpose                                 wire.Purpose
	BegunAt, AskedAt, RefusedAt             time.Time
}

func (r *request) name() string { return "Saldo " + r.ID }

// What is sealed for, with the id of the request.
const (
	forKey     = "ksef renewal key "
	forRequest = "ksef renewal request "
)

// later is an error that says when to go on.
type later time.Duration

func (l later) Error() string { return "later" }

// refusal is KSeF's of a request; the code is 0 where it gave none.
type refusal int

func (r refusal) Error() string { return "KSeF gives no certificate" }

func (s *Service) sweep(ctx context.Context, run *jobs.Run) error {
	if s.Login.Environment == "" {
		return nil
	}
	var tenants []string
	if err := s.DB.Read(ctx, access.Program("ksef"), func(tx *db.Tx) (err error) {
		tenants, err = db.Select[string](tx.Across(), `SELECT tenant_id FROM ksef_access WHERE environment = $1 AND state = 'working'
			AND valid_to > $2 ORDER BY tenant_id`, s.Login.Environment, tx.Now)
		return err
	}); err != nil {
		return err
	}
	for _, tenant := range tenants {
		if err := s.DB.Write(ctx, access.ProgramFor(tenant, "ksef"), func(tx *db.Tx) error {
			for _, p := range []wire.Purpose{wire.ToSignIn, wire.ToGoAhead} {
				due, err := s.due(tx, p)
				if err != nil {
					return err
				}
				if !due {
					continue
				}
				if err := jobs.Enqueue(tx, jobs.Order{Kind: kind, Key: string(p), Payload: p}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return run.Write(ctx, run.Finish)
}

// due says whether a certificate is wanted now, and was not refused a while ago.
func (s *Service) due(tx *db.Tx, p wire.Purpose) (bool, error) {
	refused, err := db.Select[time.Time](tx, `SELECT refused_at FROM ksef_renewals WHERE tenant_id = $1 AND environment = $2 AND purpose = $3
		AND refused_at <> ''`, s.Login.Environment, string(p))
	if err != nil || len(refused) > 0 && tx.Now.Before(refused[0].Add(afterRefusal)) {
		return false, err
	}
	return s.wanted(tx, p)
}

func (s *Service) wanted(tx *db.Tx, p wire.Purpose) (bool, error) {
	a, err := s.Login.Of(tx)
	if errors.Is(err, login.ErrNone) || err == nil && a.State != login.Working {
		return false, nil
	}
	if p == wire.ToSignIn || err != nil {
		return !tx.Now.Before(a.ValidTo.AddDate(0, 0, -DaysBefore)), err
	}
	c, err := billing.CertificateOf(tx)
	return c == nil || calendar.DateOf(tx.Now, s.Billing.Instance.Location(), 0).AddDays(DaysBefore) >= c.ValidTo, err
}

// renew takes one partner's request as far as it goes. A worker never waits.
func (s *Service) renew(ctx context.Context, run *jobs.Run) error {
	var p wire.Purpose
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	err := s.goOn(ctx, run, p)
	var wait later
	var no refusal
	var answer *wire.Said
	var known *fault.Fault
	switch {
	case errors.As(err, &wait):
		return s.again(ctx, run, p, time.Duration(wait))
	case errors.As(err, &no):
		return s.refused(ctx, run, p, no)
	case errors.As(err, &answer) && (answer.Kind() == wire.Refused || answer.Kind() == wire.People):
		if len(answer.Codes) > 0 {
			no = refusal(answer.Codes[0])
		}
		return s.refused(ctx, run, p, no)
	case errors.As(err, &answer):
		return s.again(ctx, run, p, max(answer.After, unseen))
	case errors.As(err, &known):
		return s.again(ctx, run, p, max(known.Retry, unseen))
	}
	return err
}

func (s *Service) again(ctx context.Context, run *jobs.Run, p wire.Purpose, wait time.Duration) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		if err := run.Finish(tx); err != nil {
			return err
		}
		if wanted, err := s.wanted(tx, p); err != nil || !wanted {
			return err
		}
		return jobs.Enqueue(tx, jobs.Order{Kind: kind, Key: string(p), Payload: p, At: tx.Now.Add(wait)})
	})
}

// refused keeps that there will be no certificate. The key is forgotten.
func (s *Service) refused(ctx context.Context, run *jobs.Run, p wire.Purpose, code refusal) error {
	s.Log.Warn("KSeF gives no certificate", "partner", run.TenantID, "purpose", string(p), "code", int(code))
	return run.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO ksef_renewals (tenant_id, environment, purpose, id, key_sealed, request_sealed, reference, begun_at,
			asked_at, refused_at, code) VALUES ($1, $2, $3, '', '', '', '', $4, '', $4, $5) ON CONFLICT (tenant_id, environment, purpose)
			DO UPDATE SET key_sealed = '', request_sealed = '', refused_at = excluded.refused_at, code = excluded.code`,
			s.Login.Environment, string(p), tx.Now, int64(code))
		return errors.Join(err, run.Finish(tx))
	})
}

// Problem says since when and by which code KSeF gives no certificate to sign in; zero: it does, or was not asked.
func (s *Service) Problem(tx *db.Tx) (since time.Time, code int64, err error) {
	found, err := db.Select[struct {
		RefusedAt time.Time
		Code      int64
	}](tx, `SELECT refused_at, code FROM ksef_renewals WHERE tenant_id = $1 AND environment = $2 AND purpose = 'Authentication'
		AND refused_at <> ''`, s.Login.Environment)
	if err != nil || len(found) == 0 {
		return time.Time{}, 0, err
	}
	return found[0].RefusedAt, found[0].Code, nil
}

// newKey is what a certificate is asked for: the kind that KSeF prefers.
func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return key, der, err
}

func asPEM(what string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: what, Bytes: der}))
}

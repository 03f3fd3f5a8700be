package renewal

import (
	"context"
	"crypto/x509"
	"errors"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// goOn goes on where the request stands: after a crash or a lost answer KSeF is asked what it has before it is asked for more.
func (s *Service) goOn(ctx context.Context, run *jobs.Run, p wire.Purpose) error {
	c, err := s.Login.Client(ctx, access.ProgramFor(run.TenantID, "ksef"))
	if err != nil {
		return err
	}
	r, wanted, err := s.current(ctx, run, p)
	if err != nil || !wanted {
		return err
	}
	if r == nil {
		if r, err = s.begin(ctx, run, c, p); err != nil {
			return err
		}
	}
	serial, err := s.serial(ctx, run, c, r)
	if err != nil {
		return err
	}
	certificate, err := c.Retrieve(ctx, serial)
	if err != nil {
		return err
	}
	key, err := s.Vault.Unseal(run.TenantID, forKey+r.ID, r.KeySealed)
	if err != nil {
		return err
	}
	if _, err := ksef.Certified(certificate.Raw, key, ""); err != nil { // it was issued for another key
		return refusal(0)
	}
	if r.Purpose == wire.ToSignIn {
		return s.signInWith(ctx, run, r, certificate, key)
	}
	return s.signCodesWith(ctx, run, r, certificate.Raw, key)
}

// current is the request that is under way; nil: none. One that nobody wants any more, or that was refused, is dropped.
func (s *Service) current(ctx context.Context, run *jobs.Run, p wire.Purpose) (r *request, wanted bool, err error) {
	err = run.Write(ctx, func(tx *db.Tx) (err error) {
		r = nil
		if wanted, err = s.wanted(tx, p); err != nil {
			return err
		}
		found, err := db.Select[request](tx, `SELECT id, purpose, key_sealed, request_sealed, reference, begun_at, asked_at, refused_at
			FROM ksef_renewals WHERE tenant_id = $1 AND environment = $2 AND purpose = $3`, s.Login.Environment, string(p))
		if err != nil {
			return err
		}
		if len(found) > 0 && wanted && found[0].RefusedAt.IsZero() {
			r = &found[0]
			return nil
		}
		if err := s.drop(tx, p); err != nil || wanted {
			return err
		}
		return run.Finish(tx)
	})
	return r, wanted, err
}

func (s *Service) drop(tx *db.Tx, p wire.Purpose) error {
	_, err := tx.Exec(`DELETE FROM ksef_renewals WHERE tenant_id = $1 AND environment = $2 AND purpose = $3`, s.Login.Environment, string(p))
	return err
}

// begin makes a key and writes down what KSeF will be asked.
func (s *Service) begin(ctx context.Context, run *jobs.Run, c wire.Client, p wire.Purpose) (*request, error) {
	left, err := c.MayEnrol(ctx)
	if err != nil {
		return nil, err
	}
	if left == 0 {
		return nil, refusal(25007)
	}
	owner, err := c.EnrolData(ctx)
	if err != nil {
		return nil, err
	}
	key, der, err := newKey()
	if err != nil {
		return nil, err
	}
	csr, err := owner.Request(key)
	if err != nil {
		return nil, err
	}
	var r *request
	err = run.Write(ctx, func(tx *db.Tx) error {
		r = &request{ID: tx.NewID(), Purpose: p, BegunAt: tx.Now}
		r.KeySealed = s.Vault.Seal(tx.Actor.Tenant, forKey+r.ID, der)
		r.RequestSealed = s.Vault.Seal(tx.Actor.Tenant, forRequest+r.ID, csr)
		_, err := tx.Exec(`INSERT INTO ksef_renewals (tenant_id, environment, purpose, id, key_sealed, request_sealed, reference, begun_at,
			asked_at, refused_at, code) VALUES ($1, $2, $3, $4, $5, $6, '', $7, '', '', 0)`, s.Login.Environment, string(p), r.ID,
			r.KeySealed, r.RequestSealed, tx.Now)
		return err
	})
	return r, err
}

// serial is the number of the certificate that KSeF has issued, asked for where it was not.
func (s *Service) serial(ctx context.Context, run *jobs.Run, c wire.Client, r *request) (string, error) {
	if r.Reference == "" {
		serial, err := s.found(ctx, run, c, r)
		if err != nil || serial != "" {
			return serial, err
		}
		if err := s.ask(ctx, run, c, r); err != nil {
			return "", err
		}
	}
	state, serial, err := c.Enrolment(ctx, r.Reference)
	if err != nil {
		return "", err
	}
	if state.Running(wire.OfEnrolment) {
		return "", later(poll)
	}
	if err := state.Err(wire.OfEnrolment); err != nil {
		return "", refusal(state.Code)
	}
	return serial, nil
}

// found looks for a certificate whose request was sent and of which no answer came; empty: there is none, and it can be asked for.
func (s *Service) found(ctx context.Context, run *jobs.Run, c wire.Client, r *request) (string, error) {
	if r.AskedAt.IsZero() {
		return "", nil
	}
	issued, _, err := c.Certificates(ctx, r.name(), 0)
	if err != nil {
		return "", err
	}
	for _, one := range issued {
		if one.Purpose == r.Purpose {
			return one.Serial, nil
		}
	}
	return "", run.Read(ctx, func(tx *db.Tx) error {
		if wait := r.AskedAt.Add(unseen).Sub(tx.Now); wait > 0 {
			return later(wait)
		}
		return nil
	})
}

// ask sends the request. That it may have been sent is written down before.
func (s *Service) ask(ctx context.Context, run *jobs.Run, c wire.Client, r *request) error {
	csr, err := s.Vault.Unseal(run.TenantID, forRequest+r.ID, r.RequestSealed)
	if err != nil {
		return err
	}
	if err := run.Write(ctx, func(tx *db.Tx) error {
		r.AskedAt = tx.Now
		_, err := tx.Exec(`UPDATE ksef_renewals SET asked_at = $4 WHERE tenant_id = $1 AND environment = $2 AND id = $3`,
			s.Login.Environment, r.ID, tx.Now)
		return err
	}); err != nil {
		return err
	}
	if r.Reference, err = c.Enrol(ctx, r.name(), r.Purpose, csr); err != nil {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE ksef_renewals SET reference = $4 WHERE tenant_id = $1 AND environment = $2 AND id = $3`,
			s.Login.Environment, r.ID, r.Reference)
		return err
	})
}

// signInWith tries the new certificate, and puts it in the place of the one that ends, unless a person was faster.
func (s *Service) signInWith(ctx context.Context, run *jobs.Run, r *request, certificate *x509.Certificate, key []byte) error {
	var now login.Access
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if wait := certificate.NotBefore.Sub(tx.Now); wait > 0 { // KSeF's clock is ahead
			return later(wait)
		}
		now, err = s.Login.Of(tx)
		return err
	}); err != nil {
		return err
	}
	who := access.ProgramFor(run.TenantID, "ksef")
	tried, err := s.Login.Prepare(ctx, who, login.Upload{Version: now.Version, Certificate: certificate.Raw, Key: key})
	if login.Stopped(err) != "" { // the one before still works
		return refusal(0)
	}
	if err != nil {
		return err
	}
	err = run.Write(ctx, func(tx *db.Tx) error {
		if err := s.Login.Keep(tx, tried); err != nil {
			return err
		}
		return errors.Join(s.drop(tx, r.Purpose), run.Finish(tx))
	})
	if err != nil {
		s.Login.Discard(ctx, who, tried)
	}
	return err
}

// signCodesWith puts the new certificate in the place of the one before, if there is one. As long as invoices wait that only the one before
// can sign, it stays until it ends.
func (s *Service) signCodesWith(ctx context.Context, run *jobs.Run, r *request, certificate, key []byte) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		before, err := billing.CertificateOf(tx)
		if err != nil {
			return err
		}
		if before != nil && calendar.DateOf(tx.Now, s.Billing.Instance.Location(), 0) <= before.ValidTo {
			waiting, err := db.One[int64](tx, `SELECT COUNT(*) FROM billing_documents WHERE tenant_id = $1 AND authority_state = 'waiting'`)
			if err != nil {
				return err
			}
			if waiting > 0 {
				return later(held)
			}
		}
		if err := s.Billing.SetCertificate(tx, asPEM("CERTIFICATE", certificate), asPEM("PRIVATE KEY", key)); err != nil {
			return err
		}
		return errors.Join(s.drop(tx, r.Purpose), run.Finish(tx))
	})
}

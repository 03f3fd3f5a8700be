package sending

import (
	"context"
	"errors"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

const (
	// GrantsKind is the job that reads who lets the partner issue invoices.
	GrantsKind = "ksef.grants"
	// NightKind leaves that job for every partner, once a night.
	NightKind = "ksef.night"
)

const (
	readEvery  = 15 * time.Minute // at most, while invoices wait for permissions
	probeEvery = time.Hour        // where KSeF does not show permissions, sending is how one learns of them
)

// reading is the last one of all grants.
type reading struct {
	ReadAt   time.Time
	Readable bool
}

func (s *Service) readingOf(tx *db.Tx) (r reading, err error) {
	r, err = db.One[reading](tx, `SELECT read_at, readable FROM ksef_grant_readings WHERE tenant_id = $1 AND environment = $2`,
		s.Login.Environment)
	if errors.Is(err, db.ErrNone) {
		return reading{Readable: true}, nil
	}
	return r, err
}

// holdUngranted keeps back invoices whose sellers have not given the permission, as far as is known: those who took it back, and those of
// whom nothing was accepted yet. A reading of the permissions lets them go.
func (s *Service) holdUngranted(tx *db.Tx) error {
	r, err := s.readingOf(tx)
	if err != nil || !r.Readable {
		return err
	}
	n, err := tx.Exec(`UPDATE ksef_sendings SET state = 'held', reason = 'no_grant', since = $2 WHERE tenant_id = $1 AND state = 'waiting'
		AND session_id = '' AND NOT EXISTS (SELECT 1 FROM ksef_grants g WHERE g.tenant_id = ksef_sendings.tenant_id AND g.environment = $3
			AND g.seller = ksef_sendings.seller AND g.gone_at = '')
		AND (EXISTS (SELECT 1 FROM ksef_grants g WHERE g.tenant_id = ksef_sendings.tenant_id AND g.environment = $3
			AND g.seller = ksef_sendings.seller)
			OR NOT EXISTS (SELECT 1 FROM ksef_sendings o JOIN ksef_receipts r ON r.tenant_id = o.tenant_id AND r.document_id = o.document_id
			AND r.environment = $3 WHERE o.tenant_id = ksef_sendings.tenant_id AND o.seller = ksef_sendings.seller))`,
		tx.Now, s.Login.Environment)
	if err != nil || n == 0 {
		return err
	}
	return s.readGrants(tx)
}

// readGrants leaves the job that reads the permissions, not too soon after the last reading.
func (s *Service) readGrants(tx *db.Tx) error {
	r, err := s.readingOf(tx)
	if err != nil {
		return err
	}
	at := tx.Now
	if next := r.ReadAt.Add(readEvery); !r.ReadAt.IsZero() && next.After(at) {
		at = next
	}
	return jobs.Enqueue(tx, jobs.Order{Kind: GrantsKind, Key: "grants", At: at, Attempts: attempts})
}

// night reads the permissions of every partner who has access.
func (s *Service) night(ctx context.Context, run *jobs.Run) error {
	var tenants []string
	if err := s.DB.Read(ctx, access.Program("ksef"), func(tx *db.Tx) (err error) {
		tenants, err = db.Select[string](tx.Across(), `SELECT tenant_id FROM ksef_access WHERE environment = $1
			AND state IN ('working', 'away') AND valid_to > $2 ORDER BY tenant_id`, s.Login.Environment, tx.Now)
		return err
	}); err != nil {
		return err
	}
	for _, tenant := range tenants {
		if err := s.DB.Write(ctx, access.ProgramFor(tenant, "ksef"), s.readGrants); err != nil {
			return err
		}
	}
	return run.Write(ctx, run.Finish)
}

// grants reads all permissions, page by page: where KSeF's limits stop it, it goes on later with the next page.
func (s *Service) grants(ctx context.Context, run *jobs.Run) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	c, err := s.Login.Client(ctx, access.ProgramFor(run.TenantID, "ksef"))
	if err == nil {
		err = s.readPages(ctx, run, c, &t)
	}
	if err == nil || mine(err) {
		return err
	}
	if wire.KindOf(err) == wire.People {
		return run.Write(ctx, func(tx *db.Tx) error { return s.unreadable(tx, run) })
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if heldBy(err) != "" { // without access nothing goes: it is read again before it does
			return run.Finish(tx)
		}
		next, wait := s.again(t, c, err)
		return reschedule(tx, run, "grants", next, wait)
	})
}

func (s *Service) readPages(ctx context.Context, run *jobs.Run, c wire.Client, t *ticket) error {
	for more := true; more; t.Page++ {
		var page []wire.Grant
		var err error
		if page, more, err = c.Received(ctx, t.Page); err != nil {
			return err
		}
		if err := run.Write(ctx, func(tx *db.Tx) error {
			if t.Began.IsZero() {
				t.Began = tx.Now
			}
			for _, g := range page {
				if _, err := tx.Exec(`INSERT INTO ksef_grants (tenant_id, environment, seller, permission_id, since, seen_at, gone_at)
					VALUES ($1, $2, $3, $4, $5, $6, '') ON CONFLICT (tenant_id, environment, seller) DO UPDATE
					SET permission_id = excluded.permission_id, since = excluded.since, seen_at = excluded.seen_at, gone_at = ''`,
					s.Login.Environment, string(g.Seller), g.ID, g.Since, t.Began); err != nil {
					return err
				}
			}
			if more {
				return nil
			}
			if _, err := tx.Exec(`UPDATE ksef_grants SET gone_at = $3 WHERE tenant_id = $1 AND environment = $2 AND gone_at = ''
				AND seen_at < $4`, s.Login.Environment, tx.Now, t.Began); err != nil {
				return err
			}
			if _, err := tx.Exec(`UPDATE ksef_sendings SET state = 'waiting', reason = '', since = $2 WHERE tenant_id = $1 AND state = 'held'
				AND reason = 'no_grant' AND EXISTS (SELECT 1 FROM ksef_grants g WHERE g.tenant_id = ksef_sendings.tenant_id
				AND g.environment = $3 AND g.seller = ksef_sendings.seller AND g.gone_at = '')`, tx.Now, s.Login.Environment); err != nil {
				return err
			}
			return s.afterReading(tx, run, true)
		}); err != nil {
			return err
		}
	}
	return nil
}

// unreadable keeps that KSeF does not show permissions to the partner: then invoices are sent without knowing them, and those that KSeF
// sent back are tried once more from time to time.
func (s *Service) unreadable(tx *db.Tx, run *jobs.Run) error {
	if _, err := tx.Exec(`UPDATE ksef_sendings SET state = 'waiting', reason = '', since = $2 WHERE tenant_id = $1 AND state = 'held'
		AND reason = 'no_grant' AND (code <> 410 OR since <= $3)`, tx.Now, tx.Now.Add(-probeEvery)); err != nil {
		return err
	}
	return s.afterReading(tx, run, false)
}

// afterReading ends the job: what was let go is sent, and while something is held for want of a permission it is read again.
func (s *Service) afterReading(tx *db.Tx, run *jobs.Run, readable bool) error {
	if _, err := tx.Exec(`INSERT INTO ksef_grant_readings (tenant_id, environment, read_at, readable) VALUES ($1, $2, $3, $4)
		ON CONFLICT (tenant_id, environment) DO UPDATE SET read_at = excluded.read_at, readable = excluded.readable`,
		s.Login.Environment, tx.Now, readable); err != nil {
		return err
	}
	counts, err := db.One[struct{ Waiting, Held int64 }](tx, `SELECT COUNT(CASE WHEN state = 'waiting' THEN 1 END) AS waiting,
		COUNT(CASE WHEN reason = 'no_grant' THEN 1 END) AS held FROM ksef_sendings WHERE tenant_id = $1 AND state IN ('waiting', 'held')`)
	if err != nil {
		return err
	}
	if counts.Waiting > 0 {
		if err := billing.EnqueueSend(tx); err != nil {
			return err
		}
	}
	if err := s.tellSellers(tx); err != nil {
		return err
	}
	if counts.Held == 0 {
		return run.Finish(tx)
	}
	return reschedule(tx, run, "grants", ticket{}, readEvery)
}

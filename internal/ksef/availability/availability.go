// Package availability asks KSeF's own announcements whether it works, and keeps the times in which it did not: until when invoices must be
// sent depends on them. Nothing of it was tried at KSeF itself.
package availability

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/deadlines"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// AskKind is the job that asks.
const AskKind = "ksef.availability"

const (
	each  = 5 * time.Minute // while something waits
	daily = 24 * time.Hour  // else
	stale = daily + time.Hour
)

// Service asks at one environment.
type Service struct {
	DB          *db.DB
	Environment string // empty: KSeF is off
	Env         ksef.Env
	HTTP        *http.Client
	Log         *slog.Logger
}

// Handle gives the job its handler.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(AskKind, s.ask)
	q.Every(each, AskKind, jobs.Order{Kind: AskKind, Key: "ask"})
}

// Status is whether KSeF works.
type Status struct {
	Status         wire.Weather
	Since, AskedAt time.Time
}

// shared reads what belongs to no tenant, for whoever asks.
func shared[T any](tx *db.Tx, query, environment string) ([]T, error) {
	if tx.Actor.Tenant == "" {
		return db.Select[T](tx.Across(), query, "", environment)
	}
	return db.Select[T](tx, query, environment)
}

// Now is what KSeF said last; nothing where it was not asked of late.
func (s *Service) Now(tx *db.Tx) (Status, error) {
	found, err := shared[Status](tx, `SELECT status, since, asked_at FROM ksef_availability WHERE (tenant_id = $1 OR tenant_id = '')
		AND environment = $2`, s.Environment)
	if err != nil || len(found) == 0 || tx.Now.Sub(found[0].AskedAt) > stale {
		return Status{}, err
	}
	return found[0], nil
}

// Outages are all that are known.
func (s *Service) Outages(tx *db.Tx) ([]deadlines.Outage, error) {
	rows, err := shared[struct {
		Kind         deadlines.Mode
		FromAt, ToAt time.Time
	}](tx, `SELECT kind, from_at, to_at FROM ksef_outages WHERE (tenant_id = $1 OR tenant_id = '') AND environment = $2
		ORDER BY from_at, event`,
		s.Environment)
	all := make([]deadlines.Outage, len(rows))
	for n, r := range rows {
		all[n] = deadlines.Outage{Kind: r.Kind, From: r.FromAt, To: r.ToAt}
	}
	return all, err
}

// due says whether it is time to ask: once a day, and always while invoices wait or KSeF does not answer.
func (s *Service) due(tx *db.Tx) (bool, error) {
	now, err := s.Now(tx)
	if err != nil || now.Status != wire.Available || tx.Now.Sub(now.AskedAt) >= daily {
		return true, err
	}
	n, err := db.One[int64](tx.Across(), `SELECT (SELECT COUNT(*) FROM billing_documents WHERE authority_state = 'waiting')
		+ (SELECT COUNT(*) FROM ksef_fetches WHERE environment = $1 AND problem = 'away')
		+ (SELECT COUNT(*) FROM ksef_access WHERE environment = $1 AND state = 'away')`, s.Environment)
	return n > 0, err
}

func (s *Service) ask(ctx context.Context, run *jobs.Run) error {
	if s.Environment == "" || s.Env.Lighthouse == "" {
		return nil
	}
	due := false
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { due, err = s.due(tx); return err }); err != nil || !due {
		return err
	}
	status, notices, err := wire.Client{Env: s.Env, HTTP: s.HTTP}.Weather(ctx)
	if wire.KindOf(err) != "" { // it is asked again in five minutes
		s.Log.Warn("KSeF does not say whether it works", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error { return errors.Join(s.keep(tx, status, notices), run.Finish(tx)) })
}

// kinds are the outages as deadlines know them.
var kinds = map[wire.Weather]deadlines.Mode{wire.Maintenance: deadlines.Unavailable, wire.Failure: deadlines.Failure,
	wire.TotalFailure: deadlines.TotalFailure}

// keep keeps what KSeF said. Of an outage the newest version counts, in whatever order they come.
func (s *Service) keep(tx *db.Tx, status wire.Weather, notices []wire.Notice) error {
	if _, err := tx.Across().Exec(`INSERT INTO ksef_availability (tenant_id, environment, status, since, asked_at) VALUES ('', $1, $2, $3, $3)
		ON CONFLICT (tenant_id, environment) DO UPDATE SET asked_at = excluded.asked_at,
		since = CASE WHEN ksef_availability.status = excluded.status THEN ksef_availability.since ELSE excluded.since END,
		status = excluded.status`, s.Environment, string(status), tx.Now); err != nil {
		return err
	}
	for _, n := range notices {
		kind, known := kinds[n.Category]
		if !known || n.Start.IsZero() {
			continue
		}
		var to time.Time
		if n.End != nil {
			to = *n.End
		}
		if _, err := tx.Across().Exec(`INSERT INTO ksef_outages (tenant_id, environment, event, kind, from_at, to_at, version)
			VALUES ('', $1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id, environment, event) DO UPDATE SET kind = excluded.kind,
			from_at = excluded.from_at, to_at = excluded.to_at, version = excluded.version
			WHERE ksef_outages.version < excluded.version`, s.Environment, n.Event, string(kind), n.Start, to, n.Version); err != nil {
			return err
		}
	}
	return nil
}

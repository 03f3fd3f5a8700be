// Package feeds fetches partners' files by itself: transactions of fuel cards from a connector, and statements out of a mailbox. What it
// fetches is an upload like a person's, which waits to be confirmed. The same content is uploaded once, whatever is asked again.
package feeds

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"time"

	"saldo/internal/connections"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// The kinds of jobs.
const (
	LookKind  = "feeds.look"  // for what every partner has to fetch
	FetchKind = "feeds.fetch" // what one partner has
)

// The time of the night, on the clock of the partner's country, from which on files are fetched. Each connection has a minute of its own
// in the half hour after it: issuers are not asked for all fleets at once.
const (
	nightHour, nightMinute = 4, 30
	nightMinutes           = 30
)

// Service fetches.
type Service struct {
	DB          *db.DB
	Imports     *imports.Service
	Connections *connections.Service
	Instance    config.Instance
	Log         *slog.Logger
}

// Handle gives the jobs their handlers.
func (s *Service) Handle(q *jobs.Queue) {
	q.Handle(LookKind, s.look)
	q.Handle(FetchKind, s.fetch)
	q.Every(5*time.Minute, LookKind, jobs.Order{Kind: LookKind, Key: "look"})
}

// due is a connection that may be asked.
type due struct {
	TenantID, ID string
	Kind         connections.Kind
	State        connections.State
	NextAt       time.Time
	Night        calendar.Date // on which it was last asked by itself; empty: never
}

// look leaves a job for every connection whose night it is, or that is tried again, and decides on files that were read meanwhile.
func (s *Service) look(ctx context.Context, _ *jobs.Run) error {
	var found []due
	var open []struct{ TenantID, ID string }
	var now time.Time
	if err := s.DB.Read(ctx, access.Program("feeds"), func(tx *db.Tx) (err error) {
		now = tx.Now
		if found, err = db.Select[due](tx.Across(), `SELECT c.tenant_id, c.id, c.kind, c.state, c.next_at, COALESCE(f.night, '') AS night
			FROM service_connections c LEFT JOIN fetches f ON f.tenant_id = c.tenant_id AND f.connection_id = c.id
			WHERE c.kind IN ('fuel.orlen', 'fuel.mailbox') AND c.state <> 'stopped' ORDER BY c.tenant_id, c.kind`); err != nil {
			return err
		}
		open, err = db.Select[struct{ TenantID, ID string }](tx.Across(), `SELECT f.tenant_id, f.id FROM fetched_files f
			JOIN imports i ON i.tenant_id = f.tenant_id AND i.id = f.import_id
			WHERE f.decision = 'open' AND i.status <> 'analyzing' ORDER BY f.tenant_id, f.id`)
		return err
	}); err != nil {
		return err
	}
	var failed error // of one partner holds up no other
	for _, one := range found {
		night, again := s.night(now, one.ID), one.State == connections.Failing && !one.NextAt.After(now)
		if !s.Connections.Available(one.Kind) || one.Night >= night && !again {
			continue
		}
		if err := s.DB.Write(ctx, access.ProgramFor(one.TenantID, "feeds"), func(tx *db.Tx) error {
			return s.begin(tx, one, night)
		}); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	for _, one := range open {
		failed = errors.Join(failed, s.decided(ctx, access.ProgramFor(one.TenantID, "feeds"), one.ID))
	}
	return failed
}

// night is the day whose night the connection's last one was: by the clock on the wall, so that a change of the clock makes neither two
// nights nor none.
func (s *Service) night(now time.Time, connection string) calendar.Date {
	spread := fnv.New32a()
	_, _ = spread.Write([]byte(connection))
	begins := time.Duration(nightHour)*time.Hour + time.Duration(nightMinute+spread.Sum32()%nightMinutes)*time.Minute
	local := now.In(s.Instance.Location())
	today := calendar.DateOf(now, s.Instance.Location(), 0)
	hour, minute, second := local.Clock()
	if time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute+time.Duration(second)*time.Second < begins {
		return today.AddDays(-1)
	}
	return today
}

// begin leaves the job of a night: one, whoever looks at the same moment.
func (s *Service) begin(tx *db.Tx, one due, night calendar.Date) error {
	n, err := tx.Exec(`INSERT INTO fetches (tenant_id, connection_id, night, fetched_to, row_count, new_count) VALUES ($1, $2, $3, '', 0, 0)
		ON CONFLICT (tenant_id, connection_id) DO UPDATE SET night = excluded.night WHERE fetches.night < excluded.night`,
		one.ID, string(night))
	if err != nil || n == 0 && one.State != connections.Failing {
		return err
	}
	return ask(tx, one.Kind)
}

func ask(tx *db.Tx, k connections.Kind) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: FetchKind, Payload: k, Key: string(k), Attempts: 3})
}

// Ask fetches now what one of the partner's connections has.
func (s *Service) Ask(tx *db.Tx, k connections.Kind) error {
	c, err := connections.Of(tx, k)
	switch {
	case err != nil:
		return err
	case !k.Fuel():
		return connections.ErrNotFound
	case !s.Connections.Available(k):
		return connections.ErrOff
	case c.State == connections.Stopped:
		return connections.Refusal(c.Reason) // a person tries it first
	}
	return ask(tx, k)
}

// Last is how the last fetch of a connection went.
type Last struct {
	RowCount, NewCount int64
	Refused            int64 // messages of the last month that were not read
	Asked              bool  // it is being fetched
}

// LastOf is that of one of the partner's connections.
func LastOf(tx *db.Tx, c *connections.Connection) (l Last, err error) {
	found, err := db.Select[struct{ RowCount, NewCount int64 }](tx, `SELECT row_count, new_count FROM fetches
		WHERE tenant_id = $1 AND connection_id = $2`, c.ID)
	if err != nil {
		return l, err
	}
	if len(found) > 0 {
		l.RowCount, l.NewCount = found[0].RowCount, found[0].NewCount
	}
	if l.Refused, err = db.One[int64](tx, `SELECT COUNT(*) FROM fetched_mails WHERE tenant_id = $1 AND connection_id = $2
		AND state = 'refused' AND at > $3`, c.ID, tx.Now.AddDate(0, -1, 0)); err != nil {
		return l, err
	}
	job, err := jobs.Latest(tx, FetchKind, string(c.Kind))
	if errors.Is(err, db.ErrNone) {
		return l, nil
	}
	l.Asked = job.State == jobs.Waiting || job.State == jobs.Running
	return l, err
}

// Package jobs is the durable queue: work that is enqueued in the unit of work
// that asks for it, claimed once by one worker of one instance, and tried
// again until it is done or has failed for good.
package jobs

import (
	"encoding/json"
	"errors"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

var (
	ErrNotFound  = fault.Declare(fault.NotFound, "jobs.not_found")
	ErrNotFailed = fault.Declare(fault.Conflict, "jobs.not_failed")
)

// ErrLost tells a handler that its lease ran out and another worker has the
// job: nothing it writes from now on counts.
var ErrLost = errors.New("jobs: the lease was lost")

const topic = "jobs"

// Order describes a job to enqueue.
type Order struct {
	Kind     string
	Payload  any       // kept as JSON
	Key      string    // at most one unfinished job of a kind has it; empty: no limit
	At       time.Time // not before; zero: now
	Attempts int       // tries before it fails for good; zero: 10
}

// Enqueue leaves a job. It exists exactly if the unit of work is committed.
func Enqueue(tx *db.Tx, o Order) error {
	payload, err := json.Marshal(o.Payload)
	if err != nil {
		return err
	}
	if o.At.IsZero() {
		o.At = tx.Now
	}
	if o.Attempts == 0 {
		o.Attempts = 10
	}
	args := []any{tx.NewID(), o.Kind, string(payload), o.Key, o.At, o.Attempts, tx.Now}
	const columns = `(tenant_id, id, kind, payload, unique_key, run_at, max_attempts, created_at,
		state, attempts, fence, lease_until, done, total, error, finished_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', 0, 0, '', 0, 0, '', '') ON CONFLICT DO NOTHING`
	if tx.Actor.Tenant == "" {
		_, err = tx.Across().Exec(`INSERT INTO jobs `+columns, append([]any{""}, args...)...)
	} else {
		_, err = tx.Exec(`INSERT INTO jobs `+columns, args...)
	}
	tx.Notify(topic)
	return err
}

// State is where a job stands.
type State string

const (
	Waiting State = "waiting"
	Running State = "running"
	Failed  State = "failed"
	Done    State = "done"
)

// Job is what a partner sees of a job.
type Job struct {
	ID          string
	Kind        string
	Key         string // what the job is about, where there is one job for each
	State       State
	Done, Total int64
	Error       string
	CreatedAt   time.Time
	FinishedAt  time.Time
}

// Recent lists the tenant's unfinished and failed jobs and those done in the
// last hour, newest first, a hundred at most. Kinds of which there are many, and which are told of elsewhere, can be left out.
func Recent(tx *db.Tx, without ...string) ([]Job, error) {
	in, args := db.Among(3, append(without, ""))
	return db.Select[Job](tx, `SELECT id, kind, unique_key AS key, state, done, total, error, created_at, finished_at FROM jobs
		WHERE tenant_id = $1 AND (state <> 'done' OR finished_at > $2) AND NOT (kind`+in+`) ORDER BY id DESC LIMIT 100`,
		append([]any{tx.Now.Add(-time.Hour)}, args...)...)
}

// Latest is the newest job of a kind with the key, or db.ErrNone.
func Latest(tx *db.Tx, kind, key string) (Job, error) {
	return db.One[Job](tx, `SELECT id, kind, unique_key AS key, state, done, total, error, created_at, finished_at FROM jobs
		WHERE tenant_id = $1 AND kind = $2 AND unique_key = $3 ORDER BY id DESC LIMIT 1`, kind, key)
}

// Retry gives a failed job a new set of tries.
func Retry(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE jobs SET state = 'waiting', run_at = $3, attempts = 0, error = '', finished_at = ''
		WHERE tenant_id = $1 AND id = $2 AND state = 'failed'`, id, tx.Now)
	if err != nil {
		return err
	}
	if n == 1 {
		tx.Notify(topic)
		return nil
	}
	if _, err := db.One[string](tx, `SELECT id FROM jobs WHERE tenant_id = $1 AND id = $2`, id); errors.Is(err, db.ErrNone) {
		return ErrNotFound
	}
	return ErrNotFailed
}

// permanent marks an error that another try would only repeat.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// Permanent makes a handler's error final: the job fails without another try.
func Permanent(err error) error { return permanent{err} }

// Counts says how many jobs of all tenants stand where; done ones are not counted.
func Counts(tx *db.Tx) (map[State]int64, error) {
	rows, err := db.Select[struct {
		State State
		N     int64
	}](tx.Across(), `SELECT state, COUNT(*) AS n FROM jobs WHERE state IN ('waiting', 'running', 'failed') GROUP BY state`)
	counts := map[State]int64{}
	for _, r := range rows {
		counts[r.State] = r.N
	}
	return counts, err
}

// Backlog is how many jobs of a kind are unfinished.
type Backlog struct {
	Kind string
	N    int64
}

// Backlogs counts the unfinished jobs of all tenants by their kind.
func Backlogs(tx *db.Tx) ([]Backlog, error) {
	return db.Select[Backlog](tx.Across(), `SELECT kind, COUNT(*) AS n FROM jobs WHERE state IN ('waiting', 'running') GROUP BY kind
		ORDER BY kind`)
}

// FailAll fails the unfinished jobs of a kind of all tenants. Whoever waits for them must be told in the same unit of work.
func FailAll(tx *db.Tx, kind, why string) error {
	_, err := tx.Across().Exec(`UPDATE jobs SET state = 'failed', fence = fence + 1, lease_until = '', error = $2, finished_at = $3
		WHERE kind = $1 AND state IN ('waiting', 'running')`, kind, why, tx.Now)
	return err
}

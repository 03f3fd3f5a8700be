package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// Handler does one job. It may be called again for the same job: after an
// error, and after the worker before it died anywhere in the middle.
type Handler func(ctx context.Context, run *Run) error

// OnFailure is called once a job has failed for good, in the unit of work that
// marks the job as failed. Without it whatever waits for the job would wait
// for ever when the worker of its last try died.
type OnFailure func(tx *db.Tx, run *Run, why error) error

// errDied is why a job failed whose worker died in its last try.
var errDied = errors.New("the worker died")

// Queue takes jobs and hands them to their handlers.
type Queue struct {
	db        *db.DB
	log       *slog.Logger
	handlers  map[string]Handler
	onFailure map[string]OnFailure
	schedules []schedule
	alone     map[string]*atomic.Bool // kinds of which one job runs at a time: whether one does

	// Lease is how long a worker may be silent before its job is given to
	// another; Poll is how often the queue looks for jobs of other instances;
	// Grace is how long running jobs may go on after the queue is told to stop.
	Lease, Poll, Grace time.Duration
}

type schedule struct {
	name  string
	each  time.Duration
	order Order
}

// NewQueue makes a queue without handlers.
func NewQueue(d *db.DB, log *slog.Logger) *Queue {
	return &Queue{db: d, log: log, handlers: map[string]Handler{}, onFailure: map[string]OnFailure{}, alone: map[string]*atomic.Bool{},
		Lease: 30 * time.Second, Poll: 500 * time.Millisecond, Grace: 10 * time.Second}
}

// Handle gives a kind of job its handler.
func (q *Queue) Handle(kind string, h Handler) { q.handlers[kind] = h }

// Alone lets only one job of a kind run at a time in this instance: it needs so much memory or so many processors that several would
// keep the others waiting. Jobs of other kinds pass those that wait.
func (q *Queue) Alone(kind string) { q.alone[kind] = new(atomic.Bool) }

// OnFailure sets what is called when a job of the kind has failed for good.
func (q *Queue) OnFailure(kind string, e OnFailure) { q.onFailure[kind] = e }

// Every leaves a job of the program at each full multiple of the duration,
// once however many instances run.
func (q *Queue) Every(each time.Duration, name string, o Order) {
	q.schedules = append(q.schedules, schedule{name, each, o})
}

// Run works with so many workers until ctx ends, then lets running jobs finish
// within the grace.
func (q *Queue) Run(ctx context.Context, workers int) {
	ctx = db.Background(ctx)
	hard, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
	var running sync.WaitGroup
	free := make(chan struct{}, workers)
	for range workers {
		free <- struct{}{}
	}
	running.Go(func() { q.tick(ctx) })
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			continue
		case <-free:
		}
		run, err := q.claim(ctx)
		if err != nil || run == nil {
			free <- struct{}{}
			if err != nil && ctx.Err() == nil {
				q.log.Error("claiming a job failed", "error", err)
			}
			q.pause(ctx)
			continue
		}
		running.Go(func() {
			defer func() { free <- struct{}{} }()
			q.work(hard, run)
			if one := q.alone[run.Kind]; one != nil {
				one.Store(false)
			}
		})
	}
	stopped := time.AfterFunc(q.Grace, kill)
	defer stopped.Stop()
	running.Wait()
}

func (q *Queue) pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-q.db.Notified(topic):
	case <-time.After(q.Poll):
	}
}

// tick leaves the scheduled jobs and looks for dead workers, once a second.
func (q *Queue) tick(ctx context.Context) {
	for ctx.Err() == nil {
		if err := q.requeueExpired(ctx); err != nil && ctx.Err() == nil {
			q.log.Error("looking for jobs of dead workers failed", "error", err)
		}
		for _, s := range q.schedules {
			if err := q.due(ctx, s); err != nil && ctx.Err() == nil {
				q.log.Error("scheduling failed", "schedule", s.name, "error", err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// requeueExpired puts jobs whose lease has expired back into the queue. One
// whose last try this was is claimed once more, to be marked as failed.
func (q *Queue) requeueExpired(ctx context.Context) error {
	return q.db.Claim(ctx, access.Program("jobs"), func(tx *db.Tx) error {
		n, err := tx.Across().Exec(`UPDATE jobs SET state = 'waiting', lease_until = ''
			WHERE state = 'running' AND lease_until < $1`, tx.Now)
		if n > 0 {
			tx.Notify(topic)
		}
		return err
	})
}

// due leaves the job of a slot. The slot's row decides between instances.
func (q *Queue) due(ctx context.Context, s schedule) error {
	slot := q.db.Now().Truncate(s.each)
	seen := false
	err := q.db.Read(ctx, access.Program("schedule"), func(tx *db.Tx) error {
		n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM slots WHERE schedule = $1 AND slot_at = $2`, s.name, slot)
		seen = n > 0
		return err
	})
	if err != nil || seen {
		return err
	}
	return q.db.Write(ctx, access.Program("schedule"), func(tx *db.Tx) error {
		taken, err := TakeSlot(tx, s.name, slot, s.each)
		if err != nil || !taken {
			return err
		}
		return Enqueue(tx, s.order)
	})
}

// TakeSlot says whether this unit of work is the first that takes a slot of a schedule, which is due so often. The slot is taken exactly if
// the unit is committed; slots are remembered for ten times that long.
func TakeSlot(tx *db.Tx, schedule string, slot time.Time, each time.Duration) (bool, error) {
	n, err := tx.Across().Exec(`INSERT INTO slots (schedule, slot_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, schedule, slot)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = tx.Across().Exec(`DELETE FROM slots WHERE schedule = $1 AND slot_at < $2`, schedule, slot.Add(-10*each))
	return true, err
}

// claim takes the job whose turn it is, or none. Its cost does not grow with
// the queue: the index gives the first row.
func (q *Queue) claim(ctx context.Context) (*Run, error) {
	var taken []Run
	busy := []string{}
	for kind, one := range q.alone {
		if one.Load() {
			busy = append(busy, kind)
		}
	}
	slices.Sort(busy)
	err := q.db.Claim(ctx, access.Program("jobs"), func(tx *db.Tx) (err error) {
		without, args := "", []any{tx.Now, tx.Now.Add(q.Lease)}
		if len(busy) > 0 {
			in, kinds := db.Among(3, busy)
			without, args = ` AND NOT (kind`+in+`)`, append(args, kinds...)
		}
		taken, err = db.Select[Run](tx.Across(), `UPDATE jobs SET state = 'running', fence = fence + 1, attempts = attempts + 1, lease_until = $2
			WHERE id IN (SELECT id FROM jobs WHERE state = 'waiting' AND run_at <= $1`+without+` ORDER BY run_at, id LIMIT 1 {skip_locked})
			RETURNING id, tenant_id, kind, payload, fence, attempts, max_attempts`, args...)
		return err
	})
	if err != nil || len(taken) == 0 {
		return nil, err
	}
	run := taken[0]
	if one := q.alone[run.Kind]; one != nil {
		one.Store(true) // claims follow each other: nobody else has taken one since
	}
	run.queue = q
	return &run, nil
}

func (q *Queue) work(ctx context.Context, run *Run) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	beating := make(chan struct{})
	go func() { defer close(beating); run.heartbeat(ctx, cancel) }()
	err := q.call(ctx, run)
	cancel(nil)
	<-beating
	if err := run.settle(context.WithoutCancel(ctx), err); err != nil {
		q.log.Error("writing down how a job ended failed", "job", run.ID, "kind", run.Kind, "error", err)
	}
}

func (q *Queue) call(ctx context.Context, run *Run) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if run.Attempts > run.MaxAttempts {
		return Permanent(errDied)
	}
	h, ok := q.handlers[run.Kind]
	if !ok {
		return errUnknown
	}
	return h(ctx, run)
}

// Run is one try at one job.
type Run struct {
	ID, TenantID, Kind, Payload  string
	Fence, Attempts, MaxAttempts int64

	queue *Queue
	ended bool
}

// Into reads the payload.
func (r *Run) Into(payload any) error { return json.Unmarshal([]byte(r.Payload), payload) }

func (r *Run) actor() access.Actor { return access.ProgramFor(r.TenantID, r.Kind) }

// Read opens a read-only unit for the job's tenant.
func (r *Run) Read(ctx context.Context, fn func(*db.Tx) error) error {
	return r.queue.db.Read(ctx, r.actor(), fn)
}

// Write opens a unit of work for the job's tenant that is committed only while
// the lease is held: a worker that was thought dead cannot write.
func (r *Run) Write(ctx context.Context, fn func(*db.Tx) error) error {
	return r.queue.db.Write(ctx, r.actor(), func(tx *db.Tx) error {
		if err := r.hold(tx, `lease_until = $3`, tx.Now.Add(r.queue.Lease)); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Finish makes the job done in the unit of work that holds its last effect, so
// that both happen or neither.
func (r *Run) Finish(tx *db.Tx) error {
	r.ended = true
	return r.hold(tx, `state = 'done', error = '', finished_at = $3`, tx.Now)
}

// Progress says how far the job is; it also keeps the lease.
func (r *Run) Progress(ctx context.Context, done, total int64) error {
	return r.Write(ctx, func(tx *db.Tx) error { return r.hold(tx, `done = $3, total = $4`, done, total) })
}

func (r *Run) hold(tx *db.Tx, set string, args ...any) error {
	n, err := tx.Across().Exec(`UPDATE jobs SET `+set+` WHERE id = $1 AND fence = $2 AND state = 'running'`,
		append([]any{r.ID, r.Fence}, args...)...)
	if err == nil && n == 0 {
		return ErrLost
	}
	return err
}

// heartbeat keeps the lease while the handler is busy elsewhere, and stops the
// handler when the lease is gone.
func (r *Run) heartbeat(ctx context.Context, cancel context.CancelCauseFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(r.queue.Lease / 3):
		}
		if err := r.Write(ctx, func(*db.Tx) error { return nil }); errors.Is(err, ErrLost) {
			cancel(ErrLost)
			return
		}
	}
}

// errUnknown is how a try ends of a job whose kind this version does not know. While versions run side by side, another instance knows it:
// the job waits, and the try does not count.
var errUnknown = errors.New("this version does not know the job")

// unknownAgain is when such a job is looked at again, by whichever instance.
const unknownAgain = time.Minute

// settle writes down how the try ended.
func (r *Run) settle(ctx context.Context, failure error) error {
	if errors.Is(failure, ErrLost) || (failure == nil && r.ended) {
		return nil
	}
	q := r.queue
	return q.db.Write(ctx, r.actor(), func(tx *db.Tx) error {
		var final permanent
		var err error
		switch {
		case failure == nil:
			err = r.Finish(tx)
		case errors.Is(failure, errUnknown):
			err = r.hold(tx, `state = 'waiting', lease_until = '', attempts = attempts - 1, error = $3, run_at = $4`, errUnknown.Error(),
				tx.Now.Add(unknownAgain))
		case errors.As(failure, &final) || r.Attempts >= r.MaxAttempts:
			q.log.Error("a job failed", "job", r.ID, "kind", r.Kind, "error", failure)
			err = r.hold(tx, `state = 'failed', error = $3, finished_at = $4`, reason(failure), tx.Now)
			if end, ok := q.onFailure[r.Kind]; ok && err == nil {
				err = end(tx, r, failure)
			}
		default:
			q.log.Warn("a job will be tried again", "job", r.ID, "kind", r.Kind, "attempt", r.Attempts, "error", failure)
			err = r.hold(tx, `state = 'waiting', lease_until = '', error = $3, run_at = $4`, reason(failure), tx.Now.Add(backoff(r.Attempts)))
		}
		if errors.Is(err, ErrLost) {
			return nil
		}
		return err
	})
}

// backoff is 1 s, 2 s, 4 s … one hour at most.
func backoff(attempts int64) time.Duration {
	return min(time.Second<<min(attempts-1, 12), time.Hour)
}

func reason(err error) string {
	text := []rune(err.Error())
	return string(text[:min(len(text), 500)])
}

// Sweep forgets jobs that were done before the instant.
func Sweep(tx *db.Tx, before time.Time) error {
	_, err := tx.Across().Exec(`DELETE FROM jobs WHERE state = 'done' AND finished_at < $1`, before)
	return err
}

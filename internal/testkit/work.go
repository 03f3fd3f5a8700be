package testkit

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// RunJobs runs the jobs for which handle names the handlers, until the test ends or stop is called.
func RunJobs(t testing.TB, d *db.DB, handle func(q *jobs.Queue)) (stop func()) {
	t.Helper()
	q := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
	q.Poll = 5 * time.Millisecond
	handle(q)
	running, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 4) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// Work runs one job of a kind as the schedule would, and waits for it.
func Work(t testing.TB, d *db.DB, kind string, do func(context.Context, *jobs.Run) error) {
	t.Helper()
	done := make(chan error, 1)
	stop := RunJobs(t, d, func(q *jobs.Queue) {
		q.Lease = 10_000 * time.Hour // tests pass months while nothing runs
		q.Handle(kind, func(ctx context.Context, run *jobs.Run) error {
			err := do(ctx, run)
			select {
			case done <- err:
			default:
			}
			return err
		})
	})
	defer stop()
	Write(t, d, access.Program("test"), func(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: kind}) })
	if err := <-done; err != nil {
		t.Error(err)
	}
}

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

// Work runs one job of a kind as the schedule would, and waits for it.
func Work(t testing.TB, d *db.DB, kind string, do func(context.Context, *jobs.Run) error) {
	t.Helper()
	q := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
	q.Poll, q.Lease = 2*time.Millisecond, 10_000*time.Hour // tests pass months while nothing runs
	done := make(chan error, 1)
	q.Handle(kind, func(ctx context.Context, run *jobs.Run) error {
		err := do(ctx, run)
		select {
		case done <- err:
		default:
		}
		return err
	})
	Write(t, d, access.Program("test"), func(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: kind}) })
	running, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 1) }()
	if err := <-done; err != nil {
		t.Error(err)
	}
	cancel()
	<-ended
}

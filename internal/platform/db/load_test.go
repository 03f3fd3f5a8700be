package db_test

import (
	"context"
	"testing"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestBackgroundJob_YieldsToInteractiveLoad(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		job := db.Background(ctx)
		read := func(ctx context.Context, fn func(*db.Tx)) {
			t.Helper()
			if err := d.Read(ctx, north, func(tx *db.Tx) error { fn(tx); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		// paused is how long a unit that worked for a while pauses
		paused := func(tx *db.Tx) time.Duration {
			tx.Yield()
			time.Sleep(20 * time.Millisecond)
			start := time.Now()
			tx.Yield()
			return time.Since(start)
		}
		read(job, func(tx *db.Tx) {
			testkit.Eventually(t, "a job alone", func() bool { return !tx.HasInteractiveLoad() })
			read(job, func(*db.Tx) {
				if tx.HasInteractiveLoad() {
					t.Error("another job counts as a person")
				}
			})
			read(ctx, func(person *db.Tx) {
				if !tx.HasInteractiveLoad() || person.HasInteractiveLoad() {
					t.Error("the job does not see the person, or the person thinks to be a job")
				}
				if pause := paused(tx); pause < 20*time.Millisecond {
					t.Errorf("the job paused for %v while a person was served", pause)
				}
			})
			if tx.HasInteractiveLoad() {
				t.Error("one person who was here is a crowd")
			}
			for !tx.HasInteractiveLoad() { // on a busy machine they may come too slowly to be load
				for range 4 {
					read(ctx, func(*db.Tx) {})
				}
			}
		})
	})
}

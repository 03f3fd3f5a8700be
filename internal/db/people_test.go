package db_test

import (
	"testing"
	"time"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/testkit"
)

func TestAJobGivesWayToPeopleAndPeopleToNobody(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		job := access.ProgramFor("north", "test")
		read := func(who access.Actor, fn func(*db.Tx)) {
			t.Helper()
			if err := d.Read(ctx, who, func(tx *db.Tx) error { fn(tx); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		// paused is how long a unit that worked for a while gives way
		paused := func(tx *db.Tx) time.Duration {
			tx.GiveWay()
			time.Sleep(20 * time.Millisecond)
			start := time.Now()
			tx.GiveWay()
			return time.Since(start)
		}
		read(job, func(tx *db.Tx) {
			if tx.Crowded() {
				t.Error("a job alone leaves a core to nobody")
			}
			read(job, func(*db.Tx) {
				if tx.Crowded() {
					t.Error("another job counts as a person")
				}
			})
			read(north, func(person *db.Tx) {
				if !tx.Crowded() || person.Crowded() {
					t.Error("the job does not see the person, or the person thinks to be a job")
				}
				if pause := paused(tx); pause < 20*time.Millisecond {
					t.Errorf("the job paused for %v while a person was served", pause)
				}
			})
			if tx.Crowded() {
				t.Error("one person who was here is a crowd")
			}
			for !tx.Crowded() { // on a busy machine they may come too slowly for a crowd
				for range 4 {
					read(north, func(*db.Tx) {})
				}
			}
		})
	})
}

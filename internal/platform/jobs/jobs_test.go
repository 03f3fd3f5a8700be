package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

var (
	ctx   = context.Background()
	quiet = slog.New(slog.DiscardHandler)
	north = access.ProgramFor("north", "test")
	south = access.ProgramFor("south", "test")
)

func enqueue(t *testing.T, d *db.DB, who access.Actor, o jobs.Order) {
	t.Helper()
	testkit.Write(t, d, who, func(tx *db.Tx) error { return jobs.Enqueue(tx, o) })
}

// start runs a queue until the test ends or stop is called.
func start(t *testing.T, q *jobs.Queue, workers int) (stop func()) {
	t.Helper()
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, workers) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

func newQueue(d *db.DB) *jobs.Queue {
	q := jobs.NewQueue(d, quiet)
	q.Poll = 5 * time.Millisecond
	return q
}

func recent(t *testing.T, d *db.DB, who access.Actor) (list []jobs.Job) {
	t.Helper()
	testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
		list, err = jobs.Recent(tx)
		return err
	})
	return list
}

// Two instances with four workers each are the eight claimers.
func TestThreeHundredJobsAndEightClaimersRunEachOnce(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := testkit.Settings(t, engine)
			jobCount := 300 * testkit.Soak()
			var mu sync.Mutex
			times := map[string]int{}
			var first *db.DB
			for range 2 {
				d := testkit.Open(t, s)
				q := newQueue(d)
				q.Handle("count", func(_ context.Context, run *jobs.Run) error {
					mu.Lock()
					defer mu.Unlock()
					times[run.Payload]++
					return nil
				})
				if first == nil {
					first = d
					testkit.Write(t, d, north, func(tx *db.Tx) error {
						for i := range jobCount {
							if err := jobs.Enqueue(tx, jobs.Order{Kind: "count", Payload: i}); err != nil {
								return err
							}
						}
						return nil
					})
				}
				start(t, q, 4)
			}
			testkit.Eventually(t, "all jobs are done", func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(times) == jobCount
			})
			time.Sleep(50 * time.Millisecond) // a second run of a job would show up now
			mu.Lock()
			defer mu.Unlock()
			for job, n := range times {
				if n != 1 {
					t.Errorf("job %s ran %d times", job, n)
				}
			}
		})
	}
}

func TestARolledBackUnitLeavesNoJob(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		no := errors.New("no")
		err := d.Write(ctx, north, func(tx *db.Tx) error {
			if err := jobs.Enqueue(tx, jobs.Order{Kind: "never"}); err != nil {
				return err
			}
			return no
		})
		if !errors.Is(err, no) {
			t.Fatal(err)
		}
		if list := recent(t, d, north); len(list) != 0 {
			t.Errorf("left %v", list)
		}
	})
}

func TestAKeyKeepsASecondUnfinishedJobAway(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		for range 3 {
			enqueue(t, d, north, jobs.Order{Kind: "settle", Key: "2026-W45"})
		}
		enqueue(t, d, south, jobs.Order{Kind: "settle", Key: "2026-W45"})
		if n := len(recent(t, d, north)); n != 1 {
			t.Errorf("north has %d jobs, want 1", n)
		}
		if n := len(recent(t, d, south)); n != 1 {
			t.Errorf("south has %d jobs, want 1: keys are each tenant's own", n)
		}
	})
}

func TestAFailingJobIsTriedAgainThenFailsVisiblyAndCanBeRetried(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			clock := testkit.NewClock()
			s := testkit.Settings(t, engine)
			s.Clock = clock.Now
			d := testkit.Open(t, s)
			var tries atomic.Int64
			var mended atomic.Bool
			q := newQueue(d)
			q.Handle("shaky", func(context.Context, *jobs.Run) error {
				tries.Add(1)
				if mended.Load() {
					return nil
				}
				return errors.New("the printer is on fire")
			})
			enqueue(t, d, north, jobs.Order{Kind: "shaky", Attempts: 3})
			start(t, q, 2)
			state := func() jobs.Job {
				list := recent(t, d, north)
				if len(list) != 1 {
					t.Fatalf("%d jobs", len(list))
				}
				return list[0]
			}
			for n := int64(1); n <= 2; n++ {
				testkit.Eventually(t, "the try is over", func() bool { return tries.Load() == n && state().State == jobs.Waiting })
				clock.Pass(time.Minute)
			}
			testkit.Eventually(t, "it has failed", func() bool { return state().State == jobs.Failed })
			if j := state(); !strings.Contains(j.Error, "on fire") || j.FinishedAt.IsZero() || tries.Load() != 3 {
				t.Errorf("after %d tries: %+v", tries.Load(), j)
			}
			mended.Store(true)
			testkit.Write(t, d, north, func(tx *db.Tx) error { return jobs.Retry(tx, state().ID) })
			testkit.Eventually(t, "it is done", func() bool { return state().State == jobs.Done })
			err := d.Write(ctx, north, func(tx *db.Tx) error { return jobs.Retry(tx, state().ID) })
			if !errors.Is(err, jobs.ErrNotFailed) {
				t.Errorf("retrying a done job: %v", err)
			}
			err = d.Write(ctx, south, func(tx *db.Tx) error { return jobs.Retry(tx, state().ID) })
			if !errors.Is(err, jobs.ErrNotFound) {
				t.Errorf("another tenant's job: %v", err)
			}
		})
	}
}

func TestAPermanentErrorAndAPanicAreNotTriedTenTimes(t *testing.T) {
	d := testkit.Open(t, testkit.Settings(t, "sqlite"))
	q := newQueue(d)
	q.Handle("hopeless", func(context.Context, *jobs.Run) error { return jobs.Permanent(errors.New("no such address")) })
	q.Handle("panics", func(context.Context, *jobs.Run) error { panic("nil map") })
	enqueue(t, d, north, jobs.Order{Kind: "hopeless"})
	enqueue(t, d, north, jobs.Order{Kind: "panics", Attempts: 1})
	start(t, q, 2)
	testkit.Eventually(t, "both failed", func() bool {
		failed := 0
		for _, j := range recent(t, d, north) {
			if j.State == jobs.Failed && j.Error != "" {
				failed++
			}
		}
		return failed == 2
	})
}

// While two versions run side by side, the older one meets jobs of the newer one: it leaves them to it, also at the last try.
func TestAJobOfAnUnknownKindWaitsForAVersionThatKnowsIt(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			settings := testkit.Settings(t, engine)
			clock := testkit.NewClock()
			settings.Clock = clock.Now
			d := testkit.Open(t, settings)
			stop := start(t, newQueue(d), 2)
			enqueue(t, d, north, jobs.Order{Kind: "new", Attempts: 1})
			for range 3 {
				testkit.Eventually(t, "the job was looked at, and left", func() (left bool) {
					testkit.Read(t, d, north, func(tx *db.Tx) error {
						n, err := db.One[int64](tx, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND state = 'waiting' AND error <> '' AND run_at > $2
							AND attempts = 0`, tx.Now)
						left = n == 1
						return err
					})
					return left
				})
				clock.Pass(2 * time.Minute)
			}
			stop()
			done := make(chan struct{}, 10)
			q := newQueue(d)
			q.Handle("new", func(context.Context, *jobs.Run) error { done <- struct{}{}; return nil })
			start(t, q, 2)
			clock.Pass(2 * time.Minute)
			<-done
			testkit.Eventually(t, "the job is done", func() bool { return len(recent(t, d, north)) == 0 || recent(t, d, north)[0].State == jobs.Done })
		})
	}
}

// A worker that falls silent loses its job to another; when it wakes it can
// write nothing, not even in units that have nothing to do with the job's row.
func TestAWorkerThatLostItsLeaseCannotWrite(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			clock := testkit.NewClock()
			s := testkit.Settings(t, engine)
			s.Clock = clock.Now
			d := testkit.Open(t, s)
			asleep, wake := make(chan struct{}), make(chan struct{})
			lost := make(chan error, 1)
			silent := newQueue(d)
			silent.Lease = time.Hour // it never renews: its heart beats every 20 minutes
			silent.Handle("pay", func(ctx context.Context, run *jobs.Run) error {
				close(asleep)
				<-wake
				lost <- run.Write(ctx, func(tx *db.Tx) error {
					return jobs.Enqueue(tx, jobs.Order{Kind: "paid twice"})
				})
				return nil
			})
			enqueue(t, d, north, jobs.Order{Kind: "pay"})
			stop := start(t, silent, 1)
			<-asleep
			clock.Pass(2 * time.Hour)
			var paid atomic.Int64
			awake := newQueue(d)
			awake.Handle("pay", func(context.Context, *jobs.Run) error { paid.Add(1); return nil })
			start(t, awake, 1)
			testkit.Eventually(t, "the other worker has done it", func() bool {
				list := recent(t, d, north)
				return len(list) == 1 && list[0].State == jobs.Done
			})
			close(wake)
			if err := <-lost; !errors.Is(err, jobs.ErrLost) {
				t.Errorf("the silent worker wrote: %v", err)
			}
			stop()
			if list := recent(t, d, north); len(list) != 1 || list[0].State != jobs.Done || paid.Load() != 1 {
				t.Errorf("paid %d times: %+v", paid.Load(), list)
			}
		})
	}
}

func TestAJobWhoseWorkerDiesEveryTimeFailsInTheEnd(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			clock := testkit.NewClock()
			s := testkit.Settings(t, engine)
			s.Clock = clock.Now
			d := testkit.Open(t, s)
			enqueue(t, d, north, jobs.Order{Kind: "deadly", Attempts: 2})
			for range 2 {
				started := make(chan struct{})
				q := newQueue(d)
				q.Grace = time.Millisecond
				q.Handle("deadly", func(ctx context.Context, _ *jobs.Run) error {
					close(started)
					<-ctx.Done()
					return jobs.ErrLost // as if the process ended here: nothing is written down
				})
				stop := start(t, q, 1)
				<-started
				stop()
				clock.Pass(time.Hour)
			}
			q := newQueue(d)
			var tried, ended atomic.Int64
			q.Handle("deadly", func(context.Context, *jobs.Run) error { tried.Add(1); return nil })
			q.OnFailure("deadly", func(tx *db.Tx, run *jobs.Run, why error) error {
				ended.Add(1)
				// the job is called failed in this unit of work
				job, err := db.One[string](tx, `SELECT state FROM jobs WHERE tenant_id = $1 AND id = $2`, run.ID)
				if job != string(jobs.Failed) || why.Error() != "the worker died" {
					t.Errorf("%s, because %v", job, why)
				}
				return err
			})
			start(t, q, 1)
			testkit.Eventually(t, "it has failed", func() bool {
				list := recent(t, d, north)
				return len(list) == 1 && list[0].State == jobs.Failed
			})
			if tried.Load() != 0 || ended.Load() == 0 {
				t.Errorf("tried %d times more, ended %d times", tried.Load(), ended.Load())
			}
		})
	}
}

func TestJob_HasNotFailedBeforeOnFailureIsWritten(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(d)
		q.Lease = 20 * time.Millisecond
		var ended atomic.Int64
		q.Handle("hopeless", func(context.Context, *jobs.Run) error { return jobs.Permanent(errors.New("no such address")) })
		q.OnFailure("hopeless", func(*db.Tx, *jobs.Run, error) error {
			if list := recent(t, d, north); list[0].State == jobs.Failed {
				t.Error("it is called failed before OnFailure is called")
			}
			if ended.Add(1) == 1 {
				return errors.New("the disk is full")
			}
			return nil
		})
		enqueue(t, d, north, jobs.Order{Kind: "hopeless"})
		start(t, q, 1)
		testkit.Eventually(t, "it has failed", func() bool { return recent(t, d, north)[0].State == jobs.Failed })
		if ended.Load() < 2 {
			t.Errorf("ended %d times", ended.Load())
		}
	})
}

func TestProgressCanBeReadWhileAJobRuns(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		goOn := make(chan struct{})
		q := newQueue(d)
		q.Handle("long", func(ctx context.Context, run *jobs.Run) error {
			err := run.Progress(ctx, 40, 100)
			<-goOn
			return err
		})
		enqueue(t, d, north, jobs.Order{Kind: "long"})
		start(t, q, 1)
		testkit.Eventually(t, "40 of 100", func() bool {
			list := recent(t, d, north)
			return len(list) == 1 && list[0].State == jobs.Running && list[0].Done == 40 && list[0].Total == 100
		})
		close(goOn)
	})
}

func TestAJobIsNotRunBeforeItsTime(t *testing.T) {
	clock := testkit.NewClock()
	s := testkit.Settings(t, "sqlite")
	s.Clock = clock.Now
	d := testkit.Open(t, s)
	var ran atomic.Bool
	q := newQueue(d)
	q.Handle("later", func(context.Context, *jobs.Run) error { ran.Store(true); return nil })
	enqueue(t, d, north, jobs.Order{Kind: "later", At: clock.Now().Add(30 * time.Second)})
	start(t, q, 1)
	time.Sleep(50 * time.Millisecond)
	if ran.Load() {
		t.Fatal("it ran at once")
	}
	clock.Pass(31 * time.Second)
	testkit.Eventually(t, "it ran", ran.Load)
}

func TestAScheduleRunsOnceForEachSlotHoweverManyInstances(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			clock := testkit.NewClock()
			s := testkit.Settings(t, engine)
			s.Clock = clock.Now
			var ran atomic.Int64
			for range 3 {
				q := newQueue(testkit.Open(t, s))
				q.Handle("nightly", func(context.Context, *jobs.Run) error { ran.Add(1); return nil })
				q.Every(time.Hour, "nightly", jobs.Order{Kind: "nightly"})
				start(t, q, 1)
			}
			for slot := int64(1); slot <= 2; slot++ {
				testkit.Eventually(t, fmt.Sprintf("slot %d", slot), func() bool { return ran.Load() >= slot })
				time.Sleep(1200 * time.Millisecond) // every instance looks at the schedule once more
				if ran.Load() != slot {
					t.Fatalf("ran %d times in %d slots", ran.Load(), slot)
				}
				clock.Pass(time.Hour)
			}
		})
	}
}

func TestStoppingLetsARunningJobFinish(t *testing.T) {
	d := testkit.Open(t, testkit.Settings(t, "sqlite"))
	started := make(chan struct{})
	q := newQueue(d)
	q.Handle("slow", func(ctx context.Context, run *jobs.Run) error {
		close(started)
		time.Sleep(100 * time.Millisecond)
		return ctx.Err()
	})
	enqueue(t, d, north, jobs.Order{Kind: "slow"})
	stop := start(t, q, 1)
	<-started
	stop()
	if list := recent(t, d, north); len(list) != 1 || list[0].State != jobs.Done {
		t.Errorf("after the stop: %+v", list)
	}
}

func TestAlone_RunsOneJobOfAKindWhileOthersPass(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			d := testkit.Open(t, testkit.Settings(t, engine))
			q := newQueue(d)
			var together, most atomic.Int64
			passed, done := make(chan struct{}), make(chan struct{}, 3)
			q.Handle("heavy", func(_ context.Context, _ *jobs.Run) error {
				if now := together.Add(1); now > most.Load() {
					most.Store(now)
				}
				<-passed // a later job of another kind gets its turn meanwhile
				together.Add(-1)
				done <- struct{}{}
				return nil
			})
			q.Alone("heavy")
			q.Handle("light", func(context.Context, *jobs.Run) error { close(passed); return nil })
			for range 3 {
				enqueue(t, d, north, jobs.Order{Kind: "heavy"})
			}
			enqueue(t, d, north, jobs.Order{Kind: "light"})
			start(t, q, 4)
			for range 3 {
				<-done
			}
			if most.Load() != 1 {
				t.Errorf("%d jobs of the kind ran at a time", most.Load())
			}
		})
	}
}

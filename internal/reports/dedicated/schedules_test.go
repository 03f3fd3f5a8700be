package dedicated

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/reports/query"
	"saldo/internal/testkit"
)

const payoutsByTag = `{"subject":"settlements","title":{"pl":"Wypłaty","de":"Auszahlungen"},"measures":["count","payout"],"by":["tag"],"total":true,` +
	asksDays + `}`

func mondayAtSeven(report string, recipients ...string) Plan {
	return Plan{ReportID: report, Parameters: query.Parameters{Days: query.LastWeek}, Every: Weekly, Weekday: 1, Hour: 7, Format: CSV, Recipients: recipients}
}

func (w *world) scheduled(t *testing.T, p Plan) (id string) {
	t.Helper()
	testkit.Write(t, w.DB, north, func(tx *db.Tx) (err error) { id, err = w.AddSchedule(tx, p); return err })
	return id
}

// handles are all jobs that a schedule needs.
func (w *world) handles(q *jobs.Queue) {
	q.Lease = 10_000 * time.Hour // tests pass weeks while nothing runs
	q.Handle(DueKind, w.Due)
	q.Handle(SendKind, w.Send)
	q.Alone(SendKind)
	q.Handle(mail.SendKind, w.Mails.Deliver)
	q.OnFailure(mail.SendKind, mail.OnFailure)
}

// passes looks at the schedules and lets everything that follows be done.
func (w *world) passes(t *testing.T) {
	t.Helper()
	w.looks(t)
	stop := testkit.RunJobs(t, w.DB, w.handles)
	w.idle(t)
	stop()
}

// looks leaves the job that looks at the schedules.
func (w *world) looks(t *testing.T) {
	t.Helper()
	testkit.Write(t, w.DB, access.Program("test"), func(tx *db.Tx) error { return jobs.Enqueue(tx, jobs.Order{Kind: DueKind}) })
}

func (w *world) idle(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, "nothing is left to do", func() bool {
		open := int64(0)
		testkit.Read(t, w.DB, access.Program("test"), func(tx *db.Tx) (err error) {
			open, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state IN ('waiting', 'running')`)
			return err
		})
		return open == 0
	})
}

// got are the mails so far, by recipient.
func (w *world) got(to string) (mails []string) {
	for _, m := range w.server.Taken() {
		if m.To == to {
			mails = append(mails, m.Data)
		}
	}
	return mails
}

func (w *world) schedule(t *testing.T, id string) (s Schedule) {
	t.Helper()
	testkit.Read(t, w.DB, north, func(tx *db.Tx) error {
		all, err := Schedules(tx)
		for _, one := range all {
			if one.ID == id {
				s = one
			}
		}
		return err
	})
	return s
}

func TestASchedule_SendsEachSlotOnceToMembersAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		report := w.add(t, "payouts", query.ForPartner, payoutsByTag)
		id := w.scheduled(t, mondayAtSeven(report, "m1", "m2"))
		if w.passes(t); len(w.server.Taken()) != 0 {
			t.Fatal("it was sent before its time")
		}
		w.clock.Pass(18 * time.Hour) // Monday, 07:00 in Warsaw
		for range 3 {                // looked at again and again
			w.passes(t)
		}
		if len(w.got("m1@north.example")) != 1 || len(w.got("m2@north.example")) != 1 || len(w.server.Taken()) != 2 {
			t.Fatalf("%d mails", len(w.server.Taken()))
		}
		if s := w.schedule(t, id); s.Sent != 2 || s.LastAt.Format(time.RFC3339) != "2026-11-16T06:00:00Z" || s.NextAt.Format(time.RFC3339) != "2026-11-23T06:00:00Z" {
			t.Errorf("%+v", s)
		}
		if text := w.got("m1@north.example")[0]; !strings.Contains(text, "payouts-2026-11-09-2026-11-15.csv") || !strings.Contains(text, "Auszahlungen") ||
			!strings.Contains(text, "Content-Language: de") {
			t.Errorf("%.1500s", text)
		}

		w.block(t, "m2") // between slots
		w.clock.Pass(7 * 24 * time.Hour)
		if w.passes(t); len(w.got("m1@north.example")) != 2 || len(w.got("m2@north.example")) != 1 {
			t.Error("whoever is no member any more got the report, or the other one did not")
		}

		w.clock.Pass(5 * 7 * 24 * time.Hour) // nobody was there for five weeks
		if w.passes(t); len(w.got("m1@north.example")) != 3 {
			t.Errorf("%d mails after five weeks", len(w.got("m1@north.example")))
		}
		if text := w.got("m1@north.example")[2]; !strings.Contains(text, "payouts-2026-12-21-2026-12-27.csv") {
			t.Errorf("%.1500s", text)
		}

		testkit.Write(t, w.DB, north, func(tx *db.Tx) error { return w.RemoveSchedule(tx, id, 1) })
		w.clock.Pass(7 * 24 * time.Hour)
		if w.passes(t); len(w.server.Taken()) != 4 {
			t.Error("a schedule that was removed sent something")
		}
	})
}

func (w *world) block(t *testing.T, member string) {
	t.Helper()
	testkit.Write(t, w.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE members SET state = 'blocked' WHERE tenant_id = $1 AND id = $2`, member)
		return err
	})
}

// Several instances look at the schedules at the same moment, and one of them is killed before it has done anything.
func TestASlot_IsTakenOnceByManyInstances(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.scheduled(t, mondayAtSeven(w.add(t, "payouts", query.ForPartner, payoutsByTag), "m1"))
		w.clock.Pass(18 * time.Hour)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := w.DB.Write(context.Background(), Scope("north"), w.leave); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		// a worker dies in the middle of its first try: what it would have written is not there
		var killed atomic.Int64
		stop := testkit.RunJobs(t, w.DB, func(q *jobs.Queue) {
			w.handles(q)
			q.Handle(SendKind, func(ctx context.Context, run *jobs.Run) error {
				if killed.Add(1) == 1 {
					if err := run.Write(ctx, func(tx *db.Tx) error {
						var o sending
						if err := run.Into(&o); err != nil {
							return err
						}
						return errors.Join(w.conclude(tx, o, "", nil), errors.New("killed"))
					}); err == nil {
						t.Error("the unit was committed")
					}
					return errors.New("killed")
				}
				return w.Send(ctx, run)
			})
		})
		testkit.Eventually(t, "the second try", func() bool { w.clock.Pass(time.Minute); return killed.Load() > 1 })
		w.idle(t)
		stop()
		if len(w.server.Taken()) != 1 || killed.Load() != 2 {
			t.Errorf("%d mails after %d tries", len(w.server.Taken()), killed.Load())
		}
	})
}

func TestASchedule_IsPausedWhenItsReportCannotBeMade(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		broken := w.add(t, "broken", query.ForPartner, payoutsByTag)
		off := w.add(t, "off", query.ForPartner, payoutsByTag)
		slow := w.add(t, "slow", query.ForPartner, payoutsByTag)
		fine := w.add(t, "fine", query.ForPartner, payoutsByTag)
		ids := map[string]Reason{w.scheduled(t, mondayAtSeven(broken, "m2")): Definition, w.scheduled(t, mondayAtSeven(off, "m2")): Definition,
			w.scheduled(t, mondayAtSeven(fine, "m2")): ""}
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE report_definitions SET definition = '{"subject":"gone"}' WHERE tenant_id = $1 AND id = $2`, broken); err != nil {
				return err
			}
			return w.Save(tx, off, Entry{Code: "off", Audience: query.ForPartner, Version: 1, Definition: payoutsByTag})
		})
		w.clock.Pass(18 * time.Hour)
		w.passes(t)
		for id, why := range ids {
			if s := w.schedule(t, id); s.Reason != why || s.Paused != (why != "") || s.Paused != s.NextAt.IsZero() {
				t.Errorf("%+v, not %q", s, why)
			}
		}
		if owner, other := len(w.got("m1@north.example")), len(w.got("m2@north.example")); owner != 2 || other != 1 {
			t.Errorf("the owner was told %d times, and %d reports were sent", owner, other)
		}

		alone := w.scheduled(t, mondayAtSeven(fine, "m2"))
		w.block(t, "m2")
		late := w.scheduled(t, mondayAtSeven(slow, "m1"))
		w.Limit = time.Nanosecond
		w.clock.Pass(7 * 24 * time.Hour)
		w.looks(t)
		stop := testkit.RunJobs(t, w.DB, w.handles)
		testkit.Eventually(t, "it was tried once more", func() bool {
			w.clock.Pass(time.Minute)
			return w.schedule(t, late).Paused && w.schedule(t, alone).Paused
		})
		w.idle(t)
		stop()
		if one, other := w.schedule(t, alone), w.schedule(t, late); one.Reason != Recipients || other.Reason != Size {
			t.Errorf("%+v %+v", one, other)
		}

		// resuming needs a report and recipients that can be
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
			s := w.schedule(t, alone)
			s.Paused = false
			if err := w.SaveSchedule(tx, alone, s.Plan); !errors.Is(err, ErrSchedule) {
				t.Errorf("resumed for nobody: %v", err)
			}
			s.Recipients = []string{"m1"}
			return w.SaveSchedule(tx, alone, s.Plan)
		})
		if s := w.schedule(t, alone); s.Paused || s.Reason != "" || s.NextAt.IsZero() {
			t.Errorf("%+v", s)
		}
	})
}

// Between the job and the mail server a recipient goes, or the schedule does.
func TestAMail_IsNotSentToWhoeverIsGone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		report := w.add(t, "payouts", query.ForPartner, payoutsByTag)
		w.scheduled(t, mondayAtSeven(report, "m1", "m2"))
		w.clock.Pass(18 * time.Hour)
		w.looks(t)
		blocked := make(chan struct{})
		stop := testkit.RunJobs(t, w.DB, func(q *jobs.Queue) {
			w.handles(q)
			q.Handle(mail.SendKind, func(ctx context.Context, run *jobs.Run) error { <-blocked; return w.Mails.Deliver(ctx, run) })
		})
		testkit.Eventually(t, "both mails are written", func() bool {
			written := int64(0)
			testkit.Read(t, w.DB, north, func(tx *db.Tx) (err error) {
				written, err = db.One[int64](tx, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1`)
				return err
			})
			return written == 2
		})
		w.block(t, "m2")
		close(blocked)
		testkit.Eventually(t, "one is sent, one failed", func() bool {
			open := int64(0)
			testkit.Read(t, w.DB, north, func(tx *db.Tx) (err error) {
				open, err = db.One[int64](tx, `SELECT COUNT(*) FROM mails WHERE tenant_id = $1 AND state = 'queued'`)
				return err
			})
			return open == 0
		})
		stop()
		if len(w.got("m1@north.example")) != 1 || len(w.got("m2@north.example")) != 0 {
			t.Errorf("%d and %d mails", len(w.got("m1@north.example")), len(w.got("m2@north.example")))
		}
	})
}

func TestTwoEditors_TheSecondIsTold(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		report := w.add(t, "payouts", query.ForPartner, payoutsByTag)
		id := w.scheduled(t, mondayAtSeven(report, "m1"))
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
			e := Entry{Code: "payouts", Audience: query.ForPartner, Enabled: true, Version: 1, Definition: payoutsByTag}
			p := mondayAtSeven(report, "m2")
			p.Version = 1
			if err := errors.Join(w.Save(tx, report, e), w.SaveSchedule(tx, id, p)); err != nil {
				return err
			}
			for what, err := range map[string]error{"saving": w.Save(tx, report, e), "removing": w.Remove(tx, report, 1), "planning": w.SaveSchedule(tx, id, p),
				"unplanning": w.RemoveSchedule(tx, id, 1)} {
				if !errors.Is(err, ErrChanged) {
					t.Errorf("%s again: %v", what, err)
				}
			}
			if _, err := w.Add(tx, e); !errors.Is(err, ErrCodeTaken) {
				t.Errorf("the same address: %v", err)
			}
			return nil
		})
		testkit.Write(t, w.DB, access.Actor{Role: access.Partner, Tenant: "south", ID: "s1"}, func(tx *db.Tx) error {
			p := mondayAtSeven(report, "s1")
			for what, err := range map[string]error{"a report": w.Remove(tx, report, 2), "a schedule": w.RemoveSchedule(tx, id, 2)} {
				if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrScheduleUnknown) {
					t.Errorf("%s of another partner: %v", what, err)
				}
			}
			if _, err := w.AddSchedule(tx, p); !errors.Is(err, ErrSchedule) {
				t.Errorf("a schedule of another partner's report: %v", err)
			}
			own, err := w.Add(tx, Entry{Code: "payouts", Audience: query.ForPartner, Enabled: true, Definition: payoutsByTag})
			if err != nil {
				return err
			}
			if _, err := w.AddSchedule(tx, mondayAtSeven(own, "m1")); !errors.Is(err, ErrSchedule) {
				t.Errorf("a recipient of another partner: %v", err)
			}
			return nil
		})
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error {
			if err := w.Remove(tx, report, 2); err != nil {
				return err
			}
			left, err := Schedules(tx)
			if len(left) != 0 {
				t.Error("the schedule of a report that was removed is there")
			}
			return err
		})
	})
}

// Every slot of two years is one instant, at its hour, on either side of the changes of clocks.
func TestSlots_FollowTheClockOfTheInstance(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	zone := w.Instance.Location()
	for hour := range int64(24) {
		for _, p := range []Plan{{Every: Weekly, Weekday: 7, Hour: hour}, {Every: Monthly, Day: 31, Hour: hour}} {
			at, seen := time.Date(2026, 1, 1, 0, 0, 0, 0, zone), map[string]bool{}
			for at.Year() < 2028 {
				slot := p.due(at, zone, true)
				local := slot.In(zone)
				day := local.Format(time.DateOnly)
				if !slot.After(at) || seen[day] {
					t.Fatalf("%+v: %s after %s", p, slot, at)
				}
				if seen[day] = true; local.Hour() != int(hour) && (hour != 2 || local.Hour() > 3) {
					t.Errorf("%+v: %s", p, local)
				}
				if p.Every == Monthly && local.AddDate(0, 0, 1).Day() != 1 || p.Every == Weekly && local.Weekday() != time.Sunday {
					t.Errorf("%+v: %s", p, local)
				}
				if back := p.due(slot, zone, false); !back.Equal(slot) {
					t.Errorf("%+v: the slot at %s is %s", p, slot, back)
				}
				at = slot
			}
			if want := map[Every]int{Weekly: 104, Monthly: 24}[p.Every]; len(seen) < want || len(seen) > want+1 {
				t.Errorf("%+v: %d slots", p, len(seen))
			}
		}
	}
	for days, want := range map[query.Days]string{query.Yesterday: "2026-11-14 2026-11-14", query.LastWeek: "2026-11-02 2026-11-08", query.Last4Weeks: "2026-10-12 2026-11-08",
		query.ThisMonth: "2026-11-01 2026-11-15", query.LastMonth: "2026-10-01 2026-10-31", query.LastQuarter: "2026-07-01 2026-09-30",
		query.ThisYear: "2026-01-01 2026-11-15", query.LastYear: "2025-01-01 2025-12-31"} {
		if from, to, known := days.Span("2026-11-15"); fmt.Sprint(from, " ", to) != want || !known {
			t.Errorf("%s is %s to %s, not %s", days, from, to, want)
		}
	}
}

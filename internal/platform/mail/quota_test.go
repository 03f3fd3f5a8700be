package mail_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/testkit"
)

func (w world) try(who access.Actor, to string) error {
	return w.db.Write(ctx, who, func(tx *db.Tx) error { _, err := w.queue.Enqueue(tx, message(to)); return err })
}

// over says that a mail was refused with this fault until the window ends.
func over(t *testing.T, err error, want *fault.Fault, wait time.Duration) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) || !errors.Is(err, want) || f.Retry != wait || f.Kind != fault.TooMany {
		t.Errorf("%v, want %s for %s", err, want.Code, wait)
	}
}

func TestMailQuota_PerAddressAndHour(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.queue.Within(mail.Quota{PerDay: 100, PerAddress: 2})
		w.clock.Pass(10 * time.Minute)
		for range 2 {
			w.enqueue(t, message("ewa@mail.example"))
		}
		over(t, w.try(north, " EWA@mail.example"), mail.ErrAddressQuota, 50*time.Minute)
		for _, err := range []error{w.try(north, "jan@mail.example"), w.try(south, "ewa@mail.example")} {
			if err != nil {
				t.Errorf("another address, another partner: %v", err)
			}
		}
		if n := len(w.mails(t, north)); n != 3 {
			t.Errorf("%d mails", n)
		}
		w.clock.Pass(50 * time.Minute)
		if err := w.try(north, "ewa@mail.example"); err != nil {
			t.Errorf("in the next hour: %v", err)
		}
	})
}

func TestMailQuota_PerPartnerAndDay(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.queue.Within(mail.Quota{PerDay: 3, PerAddress: 1})
		w.enqueue(t, message("a@mail.example"))
		// what is refused for its address does not count for the day, even where the unit goes on
		testkit.Write(t, w.db, north, func(tx *db.Tx) error {
			over(t, w.queue.Reserve(tx, "a@mail.example"), mail.ErrAddressQuota, time.Hour)
			return nil
		})
		w.enqueue(t, message("b@mail.example"))
		w.enqueue(t, message("c@mail.example"))
		over(t, w.try(north, "d@mail.example"), mail.ErrDayQuota, 12*time.Hour)
		if err := w.try(south, "d@mail.example"); err != nil {
			t.Errorf("another partner: %v", err)
		}
		counted := message("d@mail.example")
		counted.Counted = true
		w.enqueue(t, counted)
		w.clock.Pass(12 * time.Hour)
		if err := w.try(north, "d@mail.example"); err != nil {
			t.Errorf("on the next day: %v", err)
		}
	})
}

func TestMailQuota_TwoAtTheSameMomentDoNotPassIt(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for name, c := range map[string]struct {
			quota mail.Quota
			to    func(n int) string
		}{
			"address": {mail.Quota{PerDay: 1000, PerAddress: 5}, func(int) string { return "ewa@mail.example" }},
			"day":     {mail.Quota{PerDay: 5, PerAddress: 1000}, func(n int) string { return fmt.Sprintf("p%d@mail.example", n) }},
		} {
			t.Run(name, func(t *testing.T) {
				w.queue.Within(c.quota)
				who := access.ProgramFor("fleet-"+name, "test")
				var all sync.WaitGroup
				for n := range 20 {
					all.Go(func() {
						err := w.try(who, c.to(n))
						for errors.Is(err, db.ErrContended) { // told to try again
							err = w.try(who, c.to(n))
						}
						if err != nil && !errors.Is(err, mail.ErrAddressQuota) && !errors.Is(err, mail.ErrDayQuota) {
							t.Error(err)
						}
					})
				}
				all.Wait()
				if n := len(w.mails(t, who)); n != 5 {
					t.Errorf("%d mails passed a quota of 5", n)
				}
			})
		}
	})
}

func TestMailQuota_WindowsThatAreOverAreForgotten(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.enqueue(t, message("a@mail.example"))
		left := func() (n int64) {
			testkit.Write(t, w.db, access.Program("sweep"), func(tx *db.Tx) (err error) {
				if err := mail.SweepQuotas(tx); err != nil {
					return err
				}
				n, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM mail_quotas`)
				return err
			})
			return n
		}
		if n := left(); n != 2 {
			t.Errorf("%d windows", n)
		}
		w.clock.Pass(37 * time.Hour)
		if n := left(); n != 0 {
			t.Errorf("%d windows are kept", n)
		}
	})
}

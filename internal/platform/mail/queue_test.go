package mail_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

var (
	ctx   = context.Background()
	quiet = slog.New(slog.DiscardHandler)
	north = access.ProgramFor("north", "test")
	south = access.ProgramFor("south", "test")
)

// world is a mail queue over a mail server that the test scripts.
type world struct {
	db     *db.DB
	queue  *mail.Queue
	server *testkit.SMTP
	clock  *testkit.Clock
}

func newWorld(t *testing.T, engine string) world {
	t.Helper()
	clock := testkit.NewClock()
	s := testkit.Settings(t, engine)
	s.Clock = clock.Now
	w := world{db: testkit.Open(t, s), server: testkit.NewSMTP(t), clock: clock}
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	sender, err := mail.Open(w.server.URL(), "")
	if err != nil {
		t.Fatal(err)
	}
	w.queue = mail.NewQueue(v, sender, mail.Address{Name: "Saldo", Address: "saldo@fleet.example"})
	return w
}

func (w world) start(t *testing.T) {
	t.Helper()
	q := jobs.NewQueue(w.db, quiet)
	q.Poll = 5 * time.Millisecond
	q.Handle(mail.SendKind, w.queue.Deliver)
	q.OnFailure(mail.SendKind, mail.OnFailure)
	running, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() { q.Run(running, 4) })
	t.Cleanup(func() { cancel(); ended.Wait() })
}

func message(to string) mail.Message {
	return mail.Message{To: mail.Address{Name: "Łukasz", Address: to}, Subject: "Rozliczenie 2–8 lis", Text: "2 878,30 zł", Language: "pl"}
}

func (w world) enqueue(t *testing.T, l mail.Message) {
	t.Helper()
	testkit.Write(t, w.db, north, func(tx *db.Tx) error { _, err := w.queue.Enqueue(tx, l); return err })
}

func (w world) mails(t *testing.T, who access.Actor) (list []mail.Status) {
	t.Helper()
	testkit.Read(t, w.db, who, func(tx *db.Tx) (err error) {
		list, err = w.queue.Mails(tx, 100)
		return err
	})
	return list
}

// job is the one job of north.
func (w world) job(t *testing.T) (job jobs.Job) {
	t.Helper()
	testkit.Read(t, w.db, north, func(tx *db.Tx) error {
		list, err := jobs.Recent(tx)
		if err == nil && len(list) != 1 {
			t.Fatalf("%d jobs", len(list))
		}
		if err == nil {
			job = list[0]
		}
		return err
	})
	return job
}

func each(t *testing.T, test func(t *testing.T, w world)) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) { test(t, newWorld(t, engine)) })
	}
}

func TestARolledBackUnitLeavesNoMail(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		no := errors.New("no")
		err := w.db.Write(ctx, north, func(tx *db.Tx) error {
			if _, err := w.queue.Enqueue(tx, message("lukasz@mail.example")); err != nil {
				return err
			}
			return no
		})
		if !errors.Is(err, no) {
			t.Fatal(err)
		}
		w.start(t)
		time.Sleep(50 * time.Millisecond)
		if n := len(w.mails(t, north)); n != 0 || len(w.server.Taken()) != 0 {
			t.Errorf("%d mails written, %d sent", n, len(w.server.Taken()))
		}
	})
}

func TestAMailIsSentOnceTheServerTookIt(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.enqueue(t, message("lukasz@mail.example"))
		if m := w.mails(t, north); len(m) != 1 || m[0].State != mail.Queued || m[0].To.Address != "lukasz@mail.example" {
			t.Fatalf("before: %+v", m)
		}
		w.start(t)
		testkit.Eventually(t, "sent", func() bool { return w.mails(t, north)[0].State == mail.Sent })
		taken := w.server.Taken()
		if len(taken) != 1 || !strings.Contains(taken[0].Data, "<lukasz@mail.example>") {
			t.Errorf("the server took %+v", taken)
		}
		if w.mails(t, north)[0].DecidedAt.IsZero() || len(w.mails(t, south)) != 0 {
			t.Error("no time of sending, or another tenant sees it")
		}
	})
}

func TestARefusedRecipientFailsWithTheServersReason(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.server.Answer("gone@mail.example", 550, "no such user gone@mail.example")
		w.enqueue(t, message("gone@mail.example"))
		w.start(t)
		testkit.Eventually(t, "failed", func() bool { return w.mails(t, north)[0].State == mail.Failed })
		if m := w.mails(t, north)[0]; !strings.Contains(m.Reason, "no such user") {
			t.Errorf("reason: %s", m.Reason)
		}
		testkit.Eventually(t, "the job has failed", func() bool { return w.job(t).State == jobs.Failed })
		if reason := w.job(t).Error; !strings.Contains(reason, "no such user") || strings.Contains(reason, "gone@mail.example") {
			t.Errorf("the job says: %s", reason)
		}
	})
}

func TestABusyServerGetsTheSameMailAgain(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.server.Answer("lukasz@mail.example", 451, "try later")
		w.enqueue(t, message("lukasz@mail.example"))
		w.start(t)
		testkit.Eventually(t, "refused for now", func() bool { return strings.Contains(w.mails(t, north)[0].Reason, "try later") })
		if m := w.mails(t, north)[0]; m.State != mail.Queued || !m.DecidedAt.IsZero() {
			t.Errorf("a mail that will be tried again: %+v", m)
		}
		w.server.Answer("lukasz@mail.example", 0, "")
		testkit.Eventually(t, "the job waits", func() bool { return w.job(t).State == jobs.Waiting })
		w.clock.Pass(time.Hour)
		testkit.Eventually(t, "sent", func() bool { return w.mails(t, north)[0].State == mail.Sent })
		if m := w.mails(t, north)[0]; m.Reason != "" || len(w.server.Taken()) != 1 {
			t.Errorf("after: %+v, taken %d", m, len(w.server.Taken()))
		}
	})
}

func TestAMailWhoseLastTryDiedHasFailedAndCanBeSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.enqueue(t, message("lukasz@mail.example"))
		testkit.Write(t, w.db, north, func(tx *db.Tx) error { // a process was killed during the last try
			_, err := tx.Exec(`UPDATE jobs SET state = 'running', attempts = max_attempts, fence = 1, lease_until = '' WHERE tenant_id = $1`)
			return err
		})
		w.start(t)
		testkit.Eventually(t, "failed", func() bool { return w.mails(t, north)[0].State == mail.Failed })
		m := w.mails(t, north)[0]
		if m.Reason == "" || m.DecidedAt.IsZero() || w.job(t).State != jobs.Failed || len(w.server.Taken()) != 0 {
			t.Errorf("%+v, the job is %s", m, w.job(t).State)
		}
		testkit.Write(t, w.db, north, func(tx *db.Tx) error {
			had, err := mail.Retry(tx, m.ID)
			if !had {
				t.Error("it cannot be tried again")
			}
			return err
		})
		testkit.Eventually(t, "sent", func() bool { return w.mails(t, north)[0].State == mail.Sent })
	})
}

func TestTheSameKeyWritesOneMail(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		l := message("lukasz@mail.example")
		l.Key = "activation:42"
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.db.Write(ctx, north, func(tx *db.Tx) error { _, err := w.queue.Enqueue(tx, l); return err }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(w.mails(t, north)); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
}

func TestWhatAMailSaysIsNotReadableInTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.enqueue(t, message("lukasz@mail.example"))
		testkit.Read(t, w.db, access.Program("test"), func(tx *db.Tx) error {
			sealed, err := db.One[string](tx.Across(), `SELECT sealed FROM mails`)
			if strings.Contains(sealed, "lukasz") || strings.Contains(sealed, "2 878") {
				t.Errorf("stored in the clear: %s", sealed)
			}
			return err
		})
	})
}

package summaries_test

import (
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/summaries"
	"saldo/internal/testkit"
)

// TestWhateverTheMailServerDoesEachBillIsDeliveredOnceAndItsStateIsTrue has a server that is down for an hour, slow, busy, refusing, and one that
// takes a mail and dies before saying so. Settling goes on beside it.
func TestWhateverTheMailServerDoesEachBillIsDeliveredOnceAndItsStateIsTrue(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "fine@mail.example", "busy@mail.example", "gone@mail.example", "dies@mail.example")
		fine, busy, gone, dies := ids[0], ids[1], ids[2], ids[3]
		w.server.Down()
		w.work(t)
		w.send(t, false, ids...)
		testkit.Eventually(t, "tried in vain", func() bool { return w.of(t, dies)[0].Reason != "" && w.of(t, fine)[0].Reason != "" })
		for _, id := range ids {
			if s := w.of(t, id)[0]; s.State != mail.Queued || !s.DecidedAt.IsZero() {
				t.Fatalf("the server is down: %+v", s)
			}
		}
		w.settled(t, "pl", "beside@mail.example") // settling does not wait for mail
		w.server.Answer("busy@mail.example", 451, "try later")
		w.server.Answer("gone@mail.example", 550, "no such user")
		w.server.DieAfter("dies@mail.example", 1)
		w.server.Slow(100 * time.Millisecond)
		w.server.Up()
		w.passing(t, "what can be sent is sent, what cannot has failed", func() bool {
			return w.of(t, fine)[0].State == mail.Sent && w.of(t, gone)[0].State == mail.Failed && w.of(t, dies)[0].State == mail.Sent &&
				strings.Contains(w.of(t, busy)[0].Reason, "try later")
		})
		if s := w.of(t, busy)[0]; s.State != mail.Queued {
			t.Errorf("busy: %+v", s)
		}
		if s := w.of(t, gone)[0]; !strings.Contains(s.Reason, "no such user") {
			t.Errorf("gone: %+v", s)
		}
		w.server.Answer("busy@mail.example", 0, "")
		w.passing(t, "the busy one is sent", func() bool { return w.of(t, busy)[0].State == mail.Sent })
		times := map[string]int{}
		for _, m := range w.server.Taken() {
			times[m.To]++
		}
		// who died after taking it got it twice under one Message-ID; mail programs show that once
		if times["fine@mail.example"] != 1 || times["busy@mail.example"] != 1 || times["dies@mail.example"] != 2 || times["gone@mail.example"] != 0 || len(w.messages(t)) != 3 {
			t.Errorf("taken: %v, different: %v", times, w.messages(t))
		}
	})
}

// passing lets hours go by until something holds.
func (w *fixture) passing(t testing.TB, what string, holds func() bool) {
	t.Helper()
	testkit.Eventually(t, what, func() bool {
		w.clock.Pass(time.Minute)
		return holds()
	})
}

func TestAFailedBillIsTriedAgainAloneAndFollowsACorrectedAddress(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.settled(t, "pl", "full@mail.example", "wrong@mail.example", "fine@mail.example")
		w.server.Answer("full@mail.example", 552, "mailbox is full")
		w.server.Answer("wrong@mail.example", 550, "no such user")
		w.work(t)
		w.send(t, false, ids...)
		for i, state := range []summaries.State{mail.Failed, mail.Failed, mail.Sent} {
			w.becomes(t, ids[i], state)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			failed, err := summaries.Failed(tx)
			if len(failed) != 2 || failed[0].Reason == "" {
				t.Errorf("failed: %+v", failed)
			}
			return err
		})
		full, wrong := w.of(t, ids[0])[0], w.of(t, ids[1])[0]
		w.refused(t, summaries.ErrNotFailed, func(tx *db.Tx) error { return w.Retry(tx, w.of(t, ids[2])[0].ID) })
		w.server.Answer("full@mail.example", 0, "")
		w.retry(t, full.ID)
		w.becomes(t, ids[0], mail.Sent)
		if s := w.of(t, ids[0]); len(s) != 1 || s[0].Reason != "" {
			t.Errorf("the same mail: %+v", s)
		}
		w.moves(t, wrong.DriverID, "right@mail.example")
		w.retry(t, wrong.ID)
		w.becomes(t, ids[1], mail.Sent)
		if s := w.of(t, ids[1]); len(s) != 2 || s[0].Address != "right@mail.example" || s[1].State != mail.Failed {
			t.Errorf("a new mail: %+v", s)
		}
		w.refused(t, summaries.ErrNotFailed, func(tx *db.Tx) error { return w.Retry(tx, wrong.ID) }) // a newer one stands for it
		if len(w.server.Taken()) != 3 || len(w.messages(t)) != 3 {
			t.Errorf("%v", w.messages(t))
		}
	})
}

// retry tries again once the job of the failed try has ended.
func (w *fixture) retry(t testing.TB, id string) {
	t.Helper()
	testkit.Eventually(t, "tried again", func() bool { return w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.Retry(tx, id) }) == nil })
}

// moves gives a driver another address.
func (w *fixture) moves(t testing.TB, driver, address string) {
	t.Helper()
	testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE drivers SET email = $3 WHERE tenant_id = $1 AND id = $2`, driver, address)
		return err
	})
}

func TestNothingIsMailedBeforeTheCommit(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		id := w.settled(t, "pl", "pawel@mail.example")[0]
		w.work(t)
		w.refused(t, summaries.ErrNothing, func(tx *db.Tx) error {
			s, err := w.Prepare(tx, summaries.SendRequest{Settlements: []string{id}})
			if err != nil {
				return err
			}
			if s, err = w.Start(tx, s.ID); err != nil || s.State != summaries.Done {
				t.Errorf("%+v: %v", s, err)
			}
			return summaries.ErrNothing // and so nothing of it is kept
		})
		other := w.settled(t, "pl", "other@mail.example")[0]
		w.send(t, false, other)
		w.becomes(t, other, mail.Sent)
		if len(w.server.Taken()) != 1 || len(w.of(t, id)) != 0 {
			t.Errorf("%d mails, %d bills", len(w.server.Taken()), len(w.of(t, id)))
		}
	})
}

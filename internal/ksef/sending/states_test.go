package sending_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

// TestADuplicate_IsAdoptedOnlyWithOurOwnSum sends an invoice behind Saldo's back: the same file, or another one under its number.
func TestADuplicate_IsAdoptedOnlyWithOurOwnSum(t *testing.T) {
	for _, own := range []bool{true, false} {
		t.Run(fmt.Sprint(own), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t)
				w.grant(0, 1)
				id := w.settled(t, 1)[0]
				doc := w.issue(t, id)[0]
				var file []byte
				testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) { file, _, err = w.Billing.Outgoing(tx, doc); return err })
				if !own {
					file = bytes.Replace(file, []byte("Oleg"), []byte("Igor"), 1)
				}
				c, err := w.Login.Client(t.Context(), testkit.Anna)
				if err != nil {
					t.Fatal(err)
				}
				var ring wire.Keyring
				var session string
				var e ksef.Envelope
				if err := ring.Seal(t.Context(), c, w.Clock.Now(), func(made ksef.Envelope) (err error) {
					e = made
					session, _, err = c.OpenOnline(t.Context(), e)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				sealed, err := e.Seal(file)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := c.Send(t.Context(), session, sealed, false, ""); err != nil {
					t.Fatal(err)
				}
				if err := c.Close(t.Context(), session); err != nil {
					t.Fatal(err)
				}
				w.work(t, w.Service)
				if own {
					w.all(t, 1)
					return
				}
				w.until(t, "it is refused", func() bool { return w.states(t) == "1 refused" })
				if got := w.documents(t, id)[0]; got.AuthorityState != billing.Refused || !strings.HasPrefix(got.AuthorityReason, "440 ") {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

// TestAccessThatIsRemovedMeanwhile holds what is not sent, and asks for the rest once there is access again.
func TestAccessThatIsRemovedMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 2)
		ids := w.settled(t, 2)
		w.ksef.Steps = 3 // KSeF takes its time
		w.issue(t, ids[0])
		w.work(t, w.Service)
		w.until(t, "one is sent", func() bool {
			_, running, _ := w.jobsOf(t)
			return w.states(t) == "1 sent" && running == 0 && w.counted(t, `SELECT COUNT(*) FROM ksef_sessions WHERE tenant_id = $1 AND state = 'closed'`) == 1
		})
		testkit.Write(t, w.Fleet.DB, testkit.Anna, w.Login.Remove)
		w.issue(t, ids[1])
		w.until(t, "the other is held", func() bool { return w.states(t) == "1 held no_access, 1 sent" })
		w.pass(time.Hour)
		if got := w.states(t); got != "1 held no_access, 1 sent" {
			t.Error(got)
		}
		w.connect(t)
		w.all(t, 2)
	})
}

// TestRevokingBetweenSentAndAccepted issues a correction that waits for the number, and goes by itself.
func TestRevokingBetweenSentAndAccepted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 1)
		id := w.settled(t, 1)[0]
		w.ksef.Steps = 2
		w.issue(t, id)
		w.work(t, w.Service)
		w.until(t, "it is sent", func() bool { return w.states(t) == "1 sent" })
		testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error { return w.Billing.Settlements.Revoke(tx, id, "wrong file") })
		if all := w.documents(t, id); len(all) != 2 || all[1].AuthorityState != billing.Pending {
			t.Fatalf("%+v", all)
		}
		w.all(t, 2)
		all := w.documents(t, id)
		number := all[0].AuthorityNumber
		if all[0].State != billing.CorrectedDoc || all[1].AuthorityState != billing.Accepted {
			t.Errorf("%+v", all)
		}
		if file := w.ksef.Accepted()[all[1].AuthorityNumber]; !bytes.Contains(file, []byte("<NrKSeFFaKorygowanej>"+number+"<")) {
			t.Errorf("the correction does not name %s: %s", number, file)
		}
	})
}

// TestARefusedInvoice_GoesAgainAsAnotherEdition: what was refused stays.
func TestARefusedInvoice_GoesAgainAsAnotherEdition(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 1)
		id := w.settled(t, 1)[0]
		w.ksef.End("invoice", 450)
		doc := w.issue(t, id)[0]
		w.work(t, w.Service)
		w.until(t, "it is refused", func() bool { return w.states(t) == "1 refused" })
		if err := w.Fleet.DB.Write(t.Context(), testkit.Anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE ksef_sendings SET state = 'waiting' WHERE tenant_id = $1`)
			return err
		}); !db.Guarded(err) {
			t.Error(err)
		}
		testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
			_, err := w.Billing.SendAgain(tx, doc, billing.Seller{Street: "Nowa 5"})
			return err
		})
		w.until(t, "it is accepted", func() bool { return w.states(t) == "1 accepted, 1 refused" })
		if all := w.ksef.Accepted(); len(all) != 1 {
			t.Error(len(all), "are accepted")
		}
	})
}

// TestTheArrows tries every change of a state in one statement.
func TestTheArrows(t *testing.T) {
	states := []string{"waiting", "sent", "held", "accepted", "refused"}
	allowed := map[string]bool{"waiting held": true, "waiting sent": true, "waiting waiting": true, "held waiting": true, "sent accepted": true, "sent refused": true,
		"sent waiting": true, "sent held": true}
	each(t, func(t *testing.T, w *world) {
		w.settled(t, 1)
		w.issue(t, w.settled(t, 1)...)
		w.work(t, w.Service)
		w.until(t, "it is held", func() bool { return w.states(t) == "1 held no_access" })
		set := func(tx *db.Tx, state string) error {
			reason, session := "", "x"
			if state == "held" {
				reason, session = "no_grant", ""
			}
			_, err := tx.Exec(`UPDATE ksef_sendings SET state = $2, reason = $3, session_id = $4 WHERE tenant_id = $1`, state, reason, session)
			return err
		}
		ways := map[string][]string{"held": nil, "waiting": {"waiting"}, "sent": {"waiting", "sent"}, "accepted": {"waiting", "sent", "accepted"}, "refused": {"waiting", "sent", "refused"}}
		for _, from := range states {
			for _, to := range states {
				undone := fmt.Errorf("undone")
				err := w.Fleet.DB.Write(t.Context(), testkit.Anna, func(tx *db.Tx) error {
					for _, step := range ways[from] {
						if err := set(tx, step); err != nil {
							t.Fatalf("%s on the way to %s: %v", step, from, err)
						}
					}
					if err := set(tx, to); err != nil {
						return err
					}
					return undone
				})
				if arrow := from + " " + to; allowed[arrow] == db.Guarded(err) {
					t.Errorf("%s: %v", arrow, err)
				}
			}
		}
	})
}

// TestALongPause_HoldsNoWorker has KSeF ask for 50 minutes of peace.
func TestALongPause_HoldsNoWorker(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 1)
		ids := w.settled(t, 1)
		w.ksef.Script(ksefd.Fault{On: "POST /sessions/online", Status: 429, Retry: 50 * time.Minute})
		w.issue(t, ids...)
		w.work(t, w.Service)
		testkit.Eventually(t, "the job is put off", func() bool {
			waiting, running, next := w.jobsOf(t)
			return waiting == 1 && running == 0 && next.Sub(w.Clock.Now()) >= 49*time.Minute
		})
		if got := w.states(t); got != "1 waiting" {
			t.Error(got)
		}
		w.all(t, 1)
	})
}

// TestATokenThatKSeFDoesNotTake_IsDroppedOnce signs in anew once; if that does not help, it waits.
func TestATokenThatKSeFDoesNotTake_IsDroppedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		w.grant(0, 1)
		ids := w.settled(t, 1)
		w.ksef.Script(ksefd.Fault{On: "POST /sessions/online", Status: 401}, ksefd.Fault{On: "POST /sessions/online/{referenceNumber}/invoices", Status: 401},
			ksefd.Fault{On: "GET /sessions/{referenceNumber}", Status: 401})
		w.issue(t, ids...)
		w.ksef.Calls()
		w.work(t, w.Service)
		w.all(t, 1)
		renewed := 0
		for _, call := range w.ksef.Calls() {
			if call == "POST /auth/token/refresh" || call == "POST /auth/challenge" {
				renewed++
			}
		}
		if renewed < 2 || renewed > 2*(1+3) { // each of two jobs, at the beginning and after each answer
			t.Error(renewed, "times")
		}
	})
}

// TestABatchThatKSeFGivesBack_GoesAgain has each code that a whole batch ends with.
func TestABatchThatKSeFGivesBack_GoesAgain(t *testing.T) {
	for _, code := range []int{405, 415, 435, 440} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t)
				w.grant(0, 10)
				ids := w.settled(t, 10)
				w.ksef.End("batch", code)
				w.issue(t, ids...)
				w.work(t, w.Service)
				// the fake has taken the invoices before it gives the batch back: each is a duplicate of itself, and adopted
				w.until(t, "all have numbers", func() bool { return w.states(t) == "10 accepted" })
				if n := len(w.ksef.Accepted()); n != 10 {
					t.Error(n)
				}
			})
		})
	}
}

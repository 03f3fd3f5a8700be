package billing_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/ksef"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// ksefNumber is one that KSeF could have given.
const ksefNumber = "5265877635-20250826-0100001AF629-AF"

// authority answers as it was told, once each, and the last answer from then on.
type authority struct {
	mutex   sync.Mutex
	answers []billing.Answer
	got     []string
	before  func() // called while an invoice is with it; nil: nothing happens meanwhile
}

func newAuthority(answers ...billing.Answer) *authority { return &authority{answers: answers} }

func (o *authority) received() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.got
}

// take is an invoice that is handed in, and the answer.
func (o *authority) take(file []byte) billing.Answer {
	o.mutex.Lock()
	answer := o.answers[0]
	if len(o.answers) > 1 {
		o.answers = o.answers[1:]
	}
	o.got = append(o.got, string(file))
	o.mutex.Unlock()
	if o.before != nil {
		o.before()
	}
	return answer
}

// work hands in what waits until the test ends.
func (w *fixture) work(t *testing.T, o *authority) {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-ended })
	go func() {
		defer close(ended)
		for {
			if err := w.handIn(o); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
}

func (w *fixture) handIn(o *authority) error {
	type row struct {
		ID      string
		Edition int64
	}
	var rows []row
	if err := w.db.Read(ctx, anna, func(tx *db.Tx) (err error) {
		rows, err = db.Select[row](tx, `SELECT id, edition FROM billing_documents WHERE tenant_id = $1 AND authority_state = 'waiting' ORDER BY id`)
		return err
	}); err != nil {
		return err
	}
	for _, r := range rows {
		var file []byte
		if err := w.db.Read(ctx, anna, func(tx *db.Tx) (err error) { file, _, err = w.Outgoing(tx, r.ID); return err }); err != nil {
			return err
		}
		answer := o.take(file)
		if err := w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.Answered(tx, r.ID, r.Edition, answer) }); err != nil {
			return err
		}
	}
	return nil
}

func (w *fixture) at(t *testing.T) {
	t.Helper()
	w.KSeF = ksef.Production
	w.rules(t, b2b(rules.B2BVAT))
}

func (w *fixture) document(t testing.TB, settlement string) billing.Document {
	t.Helper()
	return w.offered(t, settlement).Documents[0]
}

func TestAnAcceptedInvoiceCarriesItsNumberFromKSeF(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		o := newAuthority(billing.Answer{Number: ksefNumber})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		if doc.AuthorityState != billing.Waiting {
			t.Fatalf("%+v", doc)
		}
		mustSay(t, w.printed(t, "waiting", doc.ID), "OFFLINE")
		w.work(t, o)
		testkit.Eventually(t, "it is accepted", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		text := w.printed(t, "accepted", doc.ID)
		mustSay(t, text, ksefNumber)
		if strings.Contains(text, "OFFLINE") || len(o.received()) != 1 || o.received()[0] != string(w.file(t, doc.ID)) {
			t.Error("what was sent is not what was issued")
		}
		// what the office has said stays said
		if err := w.db.Write(ctx, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE billing_documents SET authority_state = 'refused', authority_number = '' WHERE tenant_id = $1`)
			return err
		}); !db.Guarded(err) {
			t.Error(err)
		}
	})
}

func TestARefusedInvoiceKeepsTheReason(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.at(t)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		w.work(t, newAuthority(billing.Answer{Refused: "Brak uprawnienia SelfInvoicing"}))
		testkit.Eventually(t, "it is refused", func() bool { return w.document(t, id).AuthorityState == billing.Refused })
		if got := w.document(t, id); got.AuthorityReason != "Brak uprawnienia SelfInvoicing" || got.AuthorityNumber != "" {
			t.Errorf("%+v", got)
		}
		mustSay(t, w.printed(t, "refused", doc.ID), "OFFLINE")
	})
}

// TestAnAnswer_IsKeptOnce has a second one, and one to an edition that is not the one that waits.
func TestAnAnswer_IsKeptOnce(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.at(t)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		answer := func(edition int64, a billing.Answer) error {
			return w.db.Write(ctx, anna, func(tx *db.Tx) error { return w.Answered(tx, doc.ID, edition, a) })
		}
		if answer(2, billing.Answer{Number: ksefNumber}) == nil {
			t.Error("an edition is answered that was not made")
		}
		if err := answer(1, billing.Answer{Number: ksefNumber}); err != nil {
			t.Fatal(err)
		}
		if answer(1, billing.Answer{Refused: "no"}) == nil || answer(1, billing.Answer{Number: otherKSeF}) == nil {
			t.Error("it is answered twice")
		}
		if got := w.document(t, id); got.AuthorityNumber != ksefNumber {
			t.Errorf("%+v", got)
		}
	})
}

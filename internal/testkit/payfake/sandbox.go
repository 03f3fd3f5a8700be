package payfake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/licences/payments/sandbox"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// SandboxSecret is what the sandbox of tests signs with.
const SandboxSecret = "secret-of-the-sandbox"

// Sandbox is the sandbox of a database. Its events wait for Deliveries; where a queue of the program runs its job, that posts them.
type Sandbox struct {
	faults
	*sandbox.Sandbox
	t      *testing.T
	d      *db.DB
	events []Delivery
}

// NewSandbox makes one.
func NewSandbox(t *testing.T, d *db.DB) *Sandbox {
	box, err := sandbox.New(sandbox.Settings{DB: d, PublicURL: "https://saldo.example", Name: "Saldo", Secret: SandboxSecret,
		Language: i18n.Polish})
	if err != nil {
		t.Fatal(err)
	}
	return &Sandbox{Sandbox: box, t: t, d: d}
}

// Name is "sandbox".
func (s *Sandbox) Name() string { return "sandbox" }

// Gateway talks to it, with the faults of a network.
func (s *Sandbox) Gateway() payments.Gateway { return sandboxLine{s} }

// Expire ends the time for paying. The method of the gateway is behind Gateway.
func (s *Sandbox) Expire(ref string) { s.decide(ref, sandbox.Expire) }

// Refunded is how much was given back.
func (s *Sandbox) Refunded(ref string) money.Amount { return s.status(ref).Refunded }

// Kept says whether a payment is paid.
func (s *Sandbox) Kept(ref string) bool { return s.status(ref).State == payments.Paid }

func (s *Sandbox) status(ref string) payments.Status {
	s.t.Helper()
	st, err := s.State(context.Background(), ref)
	if err != nil {
		s.t.Fatal(err)
	}
	return st
}

func (s *Sandbox) decide(ref string, a sandbox.Action) {
	s.t.Helper()
	if _, err := s.Decide(context.Background(), ref, a); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Sandbox) write(fn func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.d.Write(context.Background(), access.Program("test"), fn); err != nil {
		s.t.Fatal(err)
	}
}

// Ref finds a payment by our key.
func (s *Sandbox) Ref(key string) (ref string) {
	s.write(func(tx *db.Tx) (err error) {
		ref, err = db.One[string](tx.Across(), `SELECT ref FROM sandbox_payments WHERE unique_key = $1`, key)
		if errors.Is(err, db.ErrNone) {
			ref, err = "", nil
		}
		return err
	})
	return ref
}

// Pay pays what was asked for.
func (s *Sandbox) Pay(ref string) {
	st := s.status(ref)
	if st.State == payments.Pending {
		s.decide(ref, sandbox.Pay)
	}
	if !s.Kept(ref) {
		s.PayOther(ref, st.Amount, st.Currency)
	}
}

// PayOther pays something else, or late.
func (s *Sandbox) PayOther(ref string, amount money.Amount, currency money.Currency) {
	s.t.Helper()
	s.write(func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`UPDATE sandbox_payments SET state = 'paid', paid_at = $2, paid_amount = $3, paid_currency = $4
			WHERE ref = $1`, ref, tx.Now, amount, currency)
		return err
	})
	s.tell(ref, "paid")
}

// Hold is money that needs a hundred years.
func (s *Sandbox) Hold(ref string) {
	s.write(func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`UPDATE sandbox_payments SET state = 'paid', paid_at = $2, paid_amount = amount, paid_currency = currency
			WHERE ref = $1`, ref, tx.Now.Add(100*365*24*time.Hour))
		return err
	})
}

// Refuse ends a payment.
func (s *Sandbox) Refuse(ref string) bool {
	s.write(func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`UPDATE sandbox_payments SET state = 'failed', paid_at = '' WHERE ref = $1`, ref)
		return err
	})
	s.tell(ref, "failed")
	return true
}

// FinishRefunds has nothing to do: refunds are carried out at once.
func (s *Sandbox) FinishRefunds() {}

// Payments counts them.
func (s *Sandbox) Payments() (n int) {
	s.write(func(tx *db.Tx) (err error) {
		n, err = db.One[int](tx.Across(), `SELECT COUNT(*) FROM sandbox_payments`)
		return err
	})
	return n
}

func (s *Sandbox) tell(ref, kind string) {
	body, _ := json.Marshal(map[string]string{"id": ref + "." + kind, "payment": ref, "key": s.status(ref).Key, "kind": kind})
	s.events = append(s.events, Delivery{Body: body})
}

// Deliveries takes the events out of the queue.
func (s *Sandbox) Deliveries() []Delivery {
	s.t.Helper()
	s.write(func(tx *db.Tx) error {
		rows, err := db.Select[string](tx.Across(), `SELECT payload FROM jobs WHERE kind = $1 AND state = 'waiting' AND run_at <= $2 ORDER BY id`,
			sandbox.EventKind, tx.Now)
		if err != nil {
			return err
		}
		found := []Delivery{}
		for _, row := range rows {
			var posting struct{ Event json.RawMessage }
			if err := json.Unmarshal([]byte(row), &posting); err != nil {
				return err
			}
			found = append(found, Delivery{Body: bytes.TrimSpace(posting.Event)})
		}
		_, err = tx.Across().Exec(`DELETE FROM jobs WHERE kind = $1 AND state = 'waiting' AND run_at <= $2`, sandbox.EventKind, tx.Now)
		s.events = append(s.events, found...)
		return err
	})
	events := s.events
	s.events = nil
	for i := range events {
		events[i] = s.Resign(events[i])
	}
	return events
}

// Resign signs an event now.
func (s *Sandbox) Resign(d Delivery) Delivery { return s.signed(d, SandboxSecret) }

// Forge signs an event with another secret.
func (s *Sandbox) Forge(d Delivery) Delivery { return s.signed(d, "secret-of-somebody") }

func (s *Sandbox) signed(d Delivery, secret string) Delivery {
	return Delivery{http.Header{"Content-Type": {"application/json"}, "Sandbox-Signature": {payments.Sign(secret, s.d.Now(), d.Body)}}, d.Body}
}

// sandboxLine is the way to the sandbox.
type sandboxLine struct{ box *Sandbox }

// over carries a call out, or not, as the faults say.
func (l sandboxLine) over(question bool, call func() error) error {
	down, lost, status := l.box.next()
	noAnswer := &payments.Error{Outcome: payments.Unknown, Reason: payments.NoAnswer, Status: status}
	if question || down {
		noAnswer.Outcome = payments.Later
	}
	switch {
	case status == http.StatusTooManyRequests:
		return &payments.Error{Outcome: payments.Later, Reason: payments.Busy, Status: status}
	case status == http.StatusUnauthorized:
		return &payments.Error{Outcome: payments.Refused, Reason: payments.Unauthorized, Status: status}
	case down || status != 0:
		return noAnswer
	}
	if err := call(); err != nil || !lost {
		return err
	}
	return noAnswer
}

func (l sandboxLine) Start(ctx context.Context, p payments.Payment) (started payments.Started, err error) {
	err = l.over(false, func() (err error) { started, err = l.box.Start(ctx, p); return err })
	if err != nil {
		started = payments.Started{}
	}
	return started, err
}

func (l sandboxLine) State(ctx context.Context, ref string) (st payments.Status, err error) {
	err = l.over(true, func() (err error) { st, err = l.box.State(ctx, ref); return err })
	if err != nil {
		st = payments.Status{}
	}
	return st, err
}

func (l sandboxLine) Expire(ctx context.Context, ref string) error {
	return l.over(false, func() error { return l.box.Sandbox.Expire(ctx, ref) })
}

func (l sandboxLine) Refund(ctx context.Context, ref string, amount money.Amount, currency money.Currency, key string) (r payments.Refunded,
	err error) {
	err = l.over(false, func() (err error) { r, err = l.box.Refund(ctx, ref, amount, currency, key); return err })
	if err != nil {
		r = payments.Refunded{}
	}
	return r, err
}

func (l sandboxLine) List(ctx context.Context, from, to time.Time) (list []payments.Status, err error) {
	err = l.over(true, func() (err error) { list, err = l.box.List(ctx, from, to); return err })
	if err != nil {
		list = nil
	}
	return list, err
}

func (l sandboxLine) Event(header http.Header, body []byte, now time.Time) (payments.Event, error) {
	return l.box.Event(header, body, now)
}

// Package sandbox is a payment provider without money: its page lets whoever tries Saldo out choose what the provider does. It behaves as
// a real one does: it keeps its own state, posts signed events, and is asked for what became of a payment.
package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
)

// Settings are what the sandbox needs.
type Settings struct {
	DB        *db.DB
	PublicURL string
	Name      string // of the instance
	Secret    string // events are signed with it; the same in every instance
	Language  i18n.Language
}

// Sandbox is the provider and the gateway to it.
type Sandbox struct {
	Settings
	client *http.Client
	pages  pages
}

// New makes the sandbox. Whoever knows an address of it pays without money, so the program must refuse to start with it where the public
// address is https, unless it is the demo. Its pages are at Path, its job is EventKind.
func New(s Settings) (*Sandbox, error) {
	if s.Secret == "" {
		return nil, errors.New("sandbox: it needs a secret to sign events with")
	}
	pages, err := readPages()
	return &Sandbox{Settings: s, pages: pages, client: &http.Client{Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, err
}

// payment is a row.
type payment struct {
	Ref          string
	UniqueKey    string
	OrderNumber  string
	Text         string
	Amount       money.Amount
	Currency     money.Currency
	Language     i18n.Language
	ReturnURL    string
	EventsURL    string
	CreatedAt    time.Time
	ExpiresAt    time.Time
	State        payments.State
	PaidAt       time.Time
	PaidAmount   money.Amount
	PaidCurrency money.Currency
	Refunded     money.Amount
}

const columns = `ref, unique_key, order_number, text, amount, currency, language, return_url, events_url, created_at, expires_at, state,
	paid_at, paid_amount, paid_currency, CAST((SELECT COALESCE(SUM(r.amount), 0) FROM sandbox_refunds r
	WHERE r.payment_ref = sandbox_payments.ref) AS BIGINT) AS refunded`

func find(tx *db.Tx, ref string) (payment, error) {
	return db.One[payment](tx.Across(), `SELECT `+columns+` FROM sandbox_payments WHERE ref = $1`, ref)
}

// at is what the payment is at an instant.
func (p payment) at(now time.Time) payments.Status {
	st := payments.Status{Ref: p.Ref, Key: p.UniqueKey, State: p.State, Amount: p.Amount, Currency: p.Currency, Refunded: p.Refunded,
		At: p.CreatedAt}
	switch {
	case p.State == payments.Paid && p.PaidAt.After(now):
		st.State = payments.Pending
	case p.State == payments.Paid:
		st.Amount, st.Currency = p.PaidAmount, p.PaidCurrency
	case p.State == payments.Failed:
		st.Reason = payments.Declined
	case p.State == payments.Expired, !p.ExpiresAt.After(now):
		st.State, st.Reason = payments.Expired, payments.TimedOut
	}
	return st
}

func refused(reason payments.Reason) error {
	return &payments.Error{Outcome: payments.Refused, Reason: reason}
}

// answered makes the error of a unit of work one of a gateway. What the unit would have written was not written.
func answered(err error) error {
	var e *payments.Error
	switch {
	case err == nil || errors.As(err, &e):
		return err
	case errors.Is(err, db.ErrNone):
		return refused(payments.NotFound)
	}
	return &payments.Error{Outcome: payments.Later, Reason: payments.Busy}
}

var actor = access.Program("payment sandbox")

func (s *Sandbox) write(ctx context.Context, fn func(*db.Tx) error) error {
	return answered(s.DB.Write(ctx, actor, fn))
}

func (s *Sandbox) read(ctx context.Context, fn func(*db.Tx) error) error {
	return answered(s.DB.Read(ctx, actor, fn))
}

// Start makes a payment, or finds the one of the key. It keeps no e-mail.
func (s *Sandbox) Start(ctx context.Context, p payments.Payment) (payments.Started, error) {
	if p.Amount <= 0 || p.Key == "" {
		return payments.Started{}, refused(payments.Invalid)
	}
	var made payment
	err := s.write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Across().Exec(`INSERT INTO sandbox_payments (ref, unique_key, order_number, text, amount, currency, language,
			return_url, events_url, created_at, expires_at, state, paid_at, paid_amount, paid_currency)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'pending', '', 0, '') ON CONFLICT DO NOTHING`, strings.ToLower(rand.Text()),
			p.Key, p.Order, p.Text, p.Amount, p.Currency, p.Language, p.Return, p.Events, tx.Now, p.ExpiresAt); err != nil {
			return err
		}
		var err error
		made, err = db.One[payment](tx.Across(), `SELECT `+columns+` FROM sandbox_payments WHERE unique_key = $1`, p.Key)
		return err
	})
	switch {
	case err != nil:
		return payments.Started{}, err
	case made.Amount != p.Amount, made.Currency != p.Currency, made.OrderNumber != p.Order, made.ReturnURL != p.Return:
		return payments.Started{}, refused(payments.Invalid)
	}
	return payments.Started{Ref: made.Ref, URL: s.PublicURL + address + made.Ref, ExpiresAt: made.ExpiresAt}, nil
}

// State is what a payment is now.
func (s *Sandbox) State(ctx context.Context, ref string) (st payments.Status, err error) {
	err = s.read(ctx, func(tx *db.Tx) error {
		p, err := find(tx, ref)
		st = p.at(tx.Now)
		return err
	})
	return st, err
}

// Expire ends a payment that was not decided.
func (s *Sandbox) Expire(ctx context.Context, ref string) error {
	return s.write(ctx, func(tx *db.Tx) error {
		if _, err := find(tx, ref); err != nil {
			return err
		}
		_, err := decide(tx, ref, Expire)
		return err
	})
}

// Refund gives back at once.
func (s *Sandbox) Refund(ctx context.Context, ref string, amount money.Amount, currency money.Currency, key string) (payments.Refunded,
	error) {
	err := s.write(ctx, func(tx *db.Tx) error {
		p, err := find(tx, ref)
		if err != nil {
			return err
		}
		known, err := db.Select[money.Amount](tx.Across(), `SELECT amount FROM sandbox_refunds WHERE unique_key = $1 AND payment_ref = $2`,
			key, ref)
		if err != nil {
			return err
		}
		st := p.at(tx.Now)
		switch {
		case len(known) == 1 && known[0] == amount && st.Currency == currency:
			return nil
		case len(known) > 0, key == "", st.State != payments.Paid, st.Currency != currency, amount <= 0, st.Refunded+amount > st.Amount:
			return refused(payments.Invalid)
		}
		_, err = tx.Across().Exec(`INSERT INTO sandbox_refunds (unique_key, payment_ref, amount, created_at) VALUES ($1, $2, $3, $4)`,
			key, ref, amount, tx.Now)
		return err
	})
	if err != nil {
		return payments.Refunded{}, err
	}
	return payments.Refunded{Ref: key, State: payments.Paid}, nil
}

// List gives the payments of a span.
func (s *Sandbox) List(ctx context.Context, from, to time.Time) (list []payments.Status, err error) {
	err = s.read(ctx, func(tx *db.Tx) error {
		rows, err := db.Select[payment](tx.Across(), `SELECT `+columns+` FROM sandbox_payments WHERE created_at >= $1 AND created_at < $2
			ORDER BY created_at, ref`, from, to)
		list = []payments.Status{}
		for _, p := range rows {
			list = append(list, p.at(tx.Now))
		}
		return err
	})
	return list, err
}

const signatureHeader = "Sandbox-Signature"

// told is an event as it is posted.
type told struct {
	ID   string `json:"id"`
	Ref  string `json:"payment"`
	Key  string `json:"key"`
	Kind string `json:"kind"`
}

// Event reads one.
func (s *Sandbox) Event(header http.Header, body []byte, now time.Time) (payments.Event, error) {
	var e told
	if !payments.Signed(header.Get(signatureHeader), []string{s.Secret}, body, now) || json.Unmarshal(body, &e) != nil || e.ID == "" {
		return payments.Event{}, payments.ErrForged
	}
	return payments.Event{ID: e.ID, Ref: e.Ref, Key: e.Key, Kind: e.Kind}, nil
}

// EventKind is the job that posts an event.
const EventKind = "payment sandbox event"

// note leaves the job that posts an event.
func note(tx *db.Tx, p payment, kind string, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: EventKind, At: at,
		Payload: posting{Event: told{ID: p.Ref + "." + kind, Ref: p.Ref, Key: p.UniqueKey, Kind: kind}, To: p.EventsURL}})
}

type posting struct {
	Event told
	To    string
}

// Post is the job. It tries again until whoever is told answers with success.
func (s *Sandbox) Post(ctx context.Context, run *jobs.Run) error {
	var what posting
	if err := run.Into(&what); err != nil {
		return jobs.Permanent(err)
	}
	body, err := json.Marshal(what.Event)
	if err != nil {
		return jobs.Permanent(err)
	}
	rq, err := http.NewRequestWithContext(ctx, http.MethodPost, what.To, strings.NewReader(string(body)))
	if err != nil {
		return jobs.Permanent(errors.New("sandbox: the address for events is none"))
	}
	rq.Header.Set("Content-Type", "application/json")
	rq.Header.Set(signatureHeader, payments.Sign(s.Secret, s.DB.Now(), body))
	response, err := s.client.Do(rq)
	if err != nil {
		return errors.New("sandbox: nobody took the event")
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New("sandbox: the event was answered with " + response.Status)
	}
	return nil
}

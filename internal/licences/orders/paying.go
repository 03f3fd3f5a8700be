package orders

import (
	"context"
	"errors"
	"slices"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

// attemptState is where one try to pay is.
type attemptState string

const (
	created  attemptState = "created" // the provider may have been called
	pending  attemptState = "pending"
	paid     attemptState = "paid"
	failed   attemptState = "failed"
	expired  attemptState = "expired"
	inReview attemptState = "review"   // something else was paid than was asked for
	overpaid attemptState = "overpaid" // the order was paid by another try; the money goes back
)

// free is the provider of an order that costs nothing.
const free = "free"

// attempt is one try to pay an order. Its id is what the provider knows the payment by.
type attempt struct {
	ID, OrderID, Provider, Ref, URL        string
	N                                      int64
	State                                  attemptState
	Reason                                 payments.Reason
	Amount                                 money.Amount
	Currency                               money.Currency
	PaidAmount                             money.Amount
	PaidCurrency                           money.Currency
	CreatedAt, DecidedAt, ExpiresAt, AskAt time.Time
}

func (a *attempt) live() bool { return a.State == created || a.State == pending }

func (a *attempt) settled() bool {
	return a.State == paid || a.State == overpaid || a.State == inReview
}

const attemptQuery = `SELECT id, order_id, provider, ref, url, n, state, reason, amount, currency, paid_amount, paid_currency, created_at,
	decided_at, expires_at, ask_at FROM payment_attempts WHERE tenant_id = $1`

func attemptOf(tx *db.Tx, id string) (attempt, error) {
	return db.One[attempt](tx, attemptQuery+` AND id = $2`, id)
}

// liveAttempt is the try of an order that can still be paid; nil: there is none.
func liveAttempt(tx *db.Tx, order string) (*attempt, error) {
	a, err := db.One[attempt](tx, attemptQuery+` AND order_id = $2 AND state IN ('created', 'pending')`, order)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}
	return &a, err
}

const (
	payWithin = 23 * time.Hour // after it a payment is expired at the provider
	askUntil  = 72 * time.Hour // after it only what the provider has not decided is asked about
	askSlowly = 6 * time.Hour
)

// nextAsk is when the provider is asked next about a payment: after 2, 10 and 60 minutes, then every hour for three days; then every six
// hours while it is not decided, as a direct debit takes days. Zero: not again.
func nextAsk(from, now time.Time, open bool) time.Time {
	for _, after := range []time.Duration{2 * time.Minute, 10 * time.Minute, time.Hour} {
		if at := from.Add(after); at.After(now) {
			return at
		}
	}
	switch {
	case now.Sub(from) < askUntil:
		return now.Add(time.Hour)
	case open:
		return now.Add(askSlowly)
	}
	return time.Time{}
}

// Paying is where somebody can pay.
type Paying struct {
	State State
	URL   string // empty: the provider has not answered yet, or nothing is to pay
}

// Pay asks a provider for a payment of the order and says where it can be paid. Two people who pay the same order at once get the same
// payment. The provider is called outside of any unit of work; where it gives no answer, the order waits and is asked about later.
func (s *Service) Pay(ctx context.Context, who access.Actor, key, id, provider string) (Paying, error) {
	sum, err := web.Sum("pay-licence-order", []string{id, provider})
	if err != nil {
		return Paying{}, err
	}
	return s.pay(ctx, who, key, sum, id, provider)
}

func (s *Service) pay(ctx context.Context, who access.Actor, key, sum, id, provider string) (Paying, error) {
	var attempt string
	if err := s.DB.Write(ctx, who, func(tx *db.Tx) (err error) {
		attempt, _, err = web.Once(tx, key, sum, func() (string, error) { return s.begin(tx, id, provider) })
		return err
	}); err != nil {
		return Paying{}, err
	}
	// whoever goes away must not leave a payment behind that nobody here knows
	if err := s.start(context.WithoutCancel(ctx), who.Tenant, attempt); err != nil {
		return Paying{}, err
	}
	return s.payingOf(ctx, who, id)
}

func (s *Service) payingOf(ctx context.Context, who access.Actor, id string) (p Paying, err error) {
	err = s.DB.Read(ctx, who, func(tx *db.Tx) error {
		o, err := one(tx, id)
		p = Paying{o.State, o.URL}
		return err
	})
	return p, err
}

// begin writes down a new try to pay, or gives the one that goes on.
func (s *Service) begin(tx *db.Tx, id, provider string) (string, error) {
	o, err := one(tx, id)
	if err != nil {
		return "", err
	}
	switch o.State {
	case Success, Refunded:
		return "", ErrPaid
	case Review:
		return "", ErrReview
	}
	live, err := liveAttempt(tx, id)
	if err != nil {
		return "", err
	}
	if live != nil {
		return live.ID, nil
	}
	if why := s.Closed(); why != "" {
		return "", ErrClosed.With("reason", why)
	}
	switch {
	case o.Gross == 0:
		provider = free
	case provider == "":
		provider = s.Providers[0]
	case !slices.Contains(s.Providers, provider):
		return "", ErrInvalid.Field("provider", fault.NotOneOf)
	}
	a := attempt{ID: tx.NewID(), OrderID: id, Provider: provider, N: o.Attempts + 1, State: created, Amount: o.Gross, Currency: o.Currency,
		CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(payWithin), AskAt: nextAsk(tx.Now, tx.Now, true)}
	if err := db.Insert(tx, "payment_attempts", a); err != nil {
		return "", err
	}
	if _, err := tx.Exec(`UPDATE licence_orders SET state = 'started', reason = '', attempts = $3, version = version + 1 WHERE tenant_id = $1
		AND id = $2 AND state IN ('draft', 'failed', 'abandoned')`, id, a.N); err != nil {
		return "", err
	}
	return a.ID, audit.Record(tx, audit.Change{Action: "licences.pay", Kind: "licence_order", ID: id,
		After: map[string]any{"number": o.Number, "provider": provider, "try": a.N}})
}

func (s *Service) program(tenant string) access.Actor { return access.ProgramFor(tenant, "licences") }

// gateway is the way to a provider. One that was taken out of the settings while payments go on is as good as one that does not answer.
func (s *Service) gateway(provider string) (payments.Gateway, error) {
	if g := s.Gateways[provider]; g != nil {
		return g, nil
	}
	s.Log.Error("payments go on at a provider that SALDO_PAYMENTS does not name", "provider", provider)
	return nil, &payments.Error{Outcome: payments.Later, Reason: payments.NoAnswer}
}

// start asks the provider for the payment of a try, outside of any unit of work, and writes down what it answers. The same try is the same
// payment there, however often it is asked for.
func (s *Service) start(ctx context.Context, tenant, id string) error {
	var a attempt
	var p payments.Payment
	if err := s.DB.Read(ctx, s.program(tenant), func(tx *db.Tx) (err error) {
		if a, err = attemptOf(tx, id); err != nil || a.State != created {
			return err
		}
		o, buyer, err := s.Get(tx, a.OrderID)
		p = payments.Payment{Key: a.ID, Order: o.Number, Text: o.PackageNames[o.Language], Amount: a.Amount, Currency: a.Currency,
			Email: buyer.Email, Language: string(o.Language), Return: s.PublicURL + "/app/payment-service/" + o.ID,
			Events: s.PublicURL + "/api/payments/" + a.Provider + "/events", CreatedAt: a.CreatedAt, ExpiresAt: a.ExpiresAt}
		return err
	}); err != nil || a.State != created {
		return err
	}
	if a.Provider == free {
		return s.found(ctx, tenant, &a, payments.Status{Key: a.ID, State: payments.Paid, Currency: a.Currency})
	}
	var started payments.Started
	g, failure := s.gateway(a.Provider)
	if failure == nil {
		started, failure = g.Start(ctx, p)
	}
	return s.DB.Write(ctx, s.program(tenant), func(tx *db.Tx) error { return noteStart(tx, &a, started, failure) })
}

// noteStart writes down what a provider answered to a new payment. One that was refused or put off was not made.
func noteStart(tx *db.Tx, a *attempt, started payments.Started, failure error) error {
	var e *payments.Error
	switch {
	case failure == nil:
		if started.ExpiresAt.IsZero() || started.ExpiresAt.After(a.ExpiresAt) {
			started.ExpiresAt = a.ExpiresAt
		}
		_, err := tx.Exec(`UPDATE payment_attempts SET ref = $3, url = $4, expires_at = $5, state = 'pending', ask_at = $6 WHERE tenant_id = $1
			AND id = $2 AND state = 'created'`, a.ID, started.Ref, started.URL, started.ExpiresAt, nextAsk(a.CreatedAt, tx.Now, true))
		return err
	case !errors.As(failure, &e):
		return failure
	case e.Outcome == payments.Unknown:
		_, err := tx.Exec(`UPDATE payment_attempts SET ask_at = $3 WHERE tenant_id = $1 AND id = $2 AND state = 'created'`, a.ID,
			soon(a.CreatedAt, tx.Now, true))
		return err
	}
	return decide(tx, a, failed, e.Reason, time.Time{})
}

// soon is when a provider that gave no answer is asked again.
func soon(from, now time.Time, open bool) time.Time {
	at := now.Add(max(15*time.Second, min(now.Sub(from), 10*time.Minute)))
	if next := nextAsk(from, now, open); next.IsZero() || next.Before(at) {
		return next
	}
	return at
}

// decide ends a try without money. Its order follows, unless another try goes on or has paid it.
func decide(tx *db.Tx, a *attempt, to attemptState, why payments.Reason, askAt time.Time) error {
	n, err := tx.Exec(`UPDATE payment_attempts SET state = $3, reason = $4, decided_at = $5, ask_at = $6 WHERE tenant_id = $1 AND id = $2
		AND state IN ('created', 'pending')`, a.ID, string(to), string(why), tx.Now, askAt)
	if err != nil || n == 0 {
		return err
	}
	state := map[attemptState]State{failed: Failed, expired: Abandoned}[to]
	_, err = tx.Exec(`UPDATE licence_orders SET state = $3, reason = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2
		AND state = 'started' AND attempts = $5`, a.OrderID, string(state), string(why), a.N)
	return err
}

// Retry makes the last payment of an order impossible at the provider and begins another. What was paid meanwhile is paid.
func (s *Service) Retry(ctx context.Context, who access.Actor, key, id, provider string) (Paying, error) {
	sum, err := web.Sum("retry-licence-order", []string{id, provider})
	if err != nil {
		return Paying{}, err
	}
	var known bool
	var live *attempt
	if err := s.DB.Read(ctx, who, func(tx *db.Tx) (err error) {
		if _, known, err = web.Answered[string](tx, key, sum); err != nil || known {
			return err
		}
		if _, err = one(tx, id); err != nil {
			return err
		}
		live, err = liveAttempt(tx, id)
		return err
	}); err != nil {
		return Paying{}, err
	}
	if live != nil && !known {
		err := s.stop(context.WithoutCancel(ctx), who.Tenant, live)
		// a payment that cannot be ended can still be paid: it is the one that is given, unless another way is wanted
		if err != nil && (!errors.Is(err, ErrOnTheWay) || provider != "" && provider != live.Provider) {
			return Paying{}, err
		}
	}
	return s.pay(ctx, who, key, sum, id, provider)
}

// Cancel makes the payment of an order impossible and abandons it. What was paid meanwhile is paid.
func (s *Service) Cancel(ctx context.Context, who access.Actor, key, id string) (Paying, error) {
	sum, err := web.Sum("cancel-licence-order", id)
	if err != nil {
		return Paying{}, err
	}
	var live *attempt
	if err := s.DB.Read(ctx, who, func(tx *db.Tx) (err error) {
		if _, err = one(tx, id); err != nil {
			return err
		}
		live, err = liveAttempt(tx, id)
		return err
	}); err != nil {
		return Paying{}, err
	}
	if live != nil {
		if err := s.stop(context.WithoutCancel(ctx), who.Tenant, live); err != nil {
			return Paying{}, err
		}
	}
	if err := s.DB.Write(ctx, who, func(tx *db.Tx) error {
		_, _, err := web.Once(tx, key, sum, func() (string, error) { return "", abandon(tx, id) })
		return err
	}); err != nil {
		return Paying{}, err
	}
	return s.payingOf(ctx, who, id)
}

// abandon ends an order that nobody can pay any more.
func abandon(tx *db.Tx, id string) error {
	o, err := one(tx, id)
	if err != nil {
		return err
	}
	switch o.State {
	case Success, Refunded:
		return ErrPaid
	case Review:
		return ErrReview
	}
	n, err := tx.Exec(`UPDATE licence_orders SET state = 'abandoned', reason = 'cancelled',
		version = version + 1 WHERE tenant_id = $1 AND id = $2
		AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.tenant_id = $1 AND a.order_id = $2 AND a.state IN ('created', 'pending'))`, id)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrOnTheWay // somebody began another payment at this moment
	}
	return audit.Record(tx, audit.Change{Action: "licences.cancel", Kind: "licence_order", ID: id, Before: map[string]any{"state": o.State},
		After: map[string]any{"state": Abandoned, "number": o.Number}})
}

// stop makes a payment impossible at the provider and writes down what became of it. A payment whose answer was lost is asked for first, so
// that there is none which nobody can stop.
func (s *Service) stop(ctx context.Context, tenant string, a *attempt) error {
	if a.State == created {
		if err := s.start(ctx, tenant, a.ID); err != nil {
			return err
		}
		if err := s.DB.Read(ctx, s.program(tenant), func(tx *db.Tx) (err error) { *a, err = attemptOf(tx, a.ID); return err }); err != nil {
			return err
		}
		if a.State == created {
			return ErrProvider
		}
	}
	if !a.live() {
		return nil
	}
	g, err := s.gateway(a.Provider)
	if err != nil {
		return ErrProvider.Because(err)
	}
	if err := g.Expire(ctx, a.Ref); err != nil {
		return ErrProvider.Because(err)
	}
	status, err := g.State(ctx, a.Ref)
	if err != nil {
		return ErrProvider.Because(err)
	}
	if status.State == payments.Pending {
		return ErrOnTheWay
	}
	return s.found(ctx, tenant, a, status)
}

// found applies what a provider says of a payment in a unit of its own.
func (s *Service) found(ctx context.Context, tenant string, a *attempt, status payments.Status) error {
	return s.DB.Write(ctx, s.program(tenant), func(tx *db.Tx) error { return s.apply(tx, a.ID, a.AskAt, status) })
}

package orders

import (
	"context"
	"errors"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// The jobs of payments.
const (
	AskKind     = "licences.ask"     // ask a provider about one payment
	SweepKind   = "licences.sweep"   // every minute: leave a job for each payment to ask about
	CompareKind = "licences.compare" // every night: compare the provider's list with ours
)

// Kinds are the jobs that work in the tenant of a partner and are none of its business.
var Kinds = []string{AskKind, RefundKind, AlarmKind, invoicing.SendKind}

type asking struct{ Attempt string }

// sweepMost is how many payments are looked at in a minute; the others are next.
const sweepMost = 200

// Sweep is the handler of SweepKind.
func (s *Service) Sweep(ctx context.Context, run *jobs.Run) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		due, err := db.Select[struct{ TenantID, ID string }](tx.Across(), `SELECT tenant_id, id FROM payment_attempts
			WHERE ask_at <> '' AND ask_at <= $1 ORDER BY ask_at, id LIMIT $2`, tx.Now, sweepMost)
		if err != nil {
			return err
		}
		for _, a := range due {
			if err := tx.As(s.program(a.TenantID), func() error {
				return jobs.Enqueue(tx, jobs.Order{Kind: AskKind, Key: a.ID, Payload: asking{a.ID}})
			}); err != nil {
				return err
			}
		}
		return run.Finish(tx)
	})
}

// AskOne is the handler of AskKind.
func (s *Service) AskOne(ctx context.Context, run *jobs.Run) error {
	var p asking
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	return s.ask(ctx, run.TenantID, p.Attempt)
}

// ask asks the provider what became of a payment and writes it down. A payment whose time is over is expired first; where the provider
// gives no answer, it is asked again soon.
func (s *Service) ask(ctx context.Context, tenant, id string) error {
	a, err := s.attempt(ctx, tenant, id)
	if err != nil || a.settled() {
		return err
	}
	if a.State == created {
		if err := s.start(ctx, tenant, id); err != nil {
			return err
		}
		if a, err = s.attempt(ctx, tenant, id); err != nil || a.State == created && s.DB.Now().Before(a.CreatedAt.Add(askUntil)) || a.settled() {
			return err
		}
		if a.State == created { // the provider gave no answer for three days: whatever it has, nobody can have paid
			return s.found(ctx, tenant, &a, payments.Status{State: payments.Expired})
		}
	}
	if a.Ref == "" { // it was never made, as far as is known here
		return s.DB.Write(ctx, s.program(tenant), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE payment_attempts SET ask_at = '' WHERE tenant_id = $1 AND id = $2 AND ref = ''
				AND state IN ('failed', 'expired')`, id)
			return err
		})
	}
	g, err := s.gateway(a.Provider)
	if err != nil {
		return s.later(ctx, tenant, &a, err)
	}
	status, err := g.State(ctx, a.Ref)
	if err == nil && status.State == payments.Pending && !s.DB.Now().Before(a.ExpiresAt) {
		if err = g.Expire(ctx, a.Ref); err == nil {
			status, err = g.State(ctx, a.Ref)
		}
	}
	if err != nil {
		return s.later(ctx, tenant, &a, err)
	}
	return s.found(ctx, tenant, &a, status)
}

// later asks again where a provider gave no answer.
func (s *Service) later(ctx context.Context, tenant string, a *attempt, failure error) error {
	var e *payments.Error
	if !errors.As(failure, &e) {
		return failure
	}
	s.Log.Warn("a payment provider gave no answer", "provider", a.Provider, "attempt", a.ID, "reason", string(e.Reason), "status", e.Status)
	return s.DB.Write(ctx, s.program(tenant), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE payment_attempts SET ask_at = $3 WHERE tenant_id = $1 AND id = $2 AND ask_at = $4`, a.ID,
			soon(a.CreatedAt, tx.Now, a.live()), a.AskAt)
		return err
	})
}

func (s *Service) attempt(ctx context.Context, tenant, id string) (a attempt, err error) {
	err = s.DB.Read(ctx, s.program(tenant), func(tx *db.Tx) error { a, err = attemptOf(tx, id); return err })
	return a, err
}

// compared is how far back the nightly list goes.
const compared = 3 * 24 * time.Hour

// Unknown is a payment that a provider has and nobody here knows, as after an old backup.
type Unknown struct {
	Provider, Ref, Key string
	Amount             money.Amount
	Currency           money.Currency
	At                 time.Time
}

// Reconciled is what asking about everything found.
type Reconciled struct {
	Asked   int
	Billed  int // paid orders that had no invoice, as the operator was not named when they were paid
	Unknown []Unknown
	Failed  []string // providers whose list could not be had
}

// Reconcile asks about every payment that may still change and compares the lists of the providers with what is known here.
func (s *Service) Reconcile(ctx context.Context) (r Reconciled, err error) {
	var open []struct{ TenantID, ID string }
	if err := s.DB.Read(ctx, access.Program("licences"), func(tx *db.Tx) (err error) {
		open, err = db.Select[struct{ TenantID, ID string }](tx.Across(), `SELECT tenant_id, id FROM payment_attempts WHERE ask_at <> ''
			ORDER BY ask_at, id`)
		return err
	}); err != nil {
		return r, err
	}
	for _, a := range open {
		if err := s.ask(ctx, a.TenantID, a.ID); err != nil {
			return r, err
		}
		r.Asked++
	}
	if r.Billed, err = s.billMissing(ctx); err != nil {
		return r, err
	}
	return r, s.compare(ctx, &r)
}

// billMissing writes the invoices of paid orders that have none, each in a unit of its own.
func (s *Service) billMissing(ctx context.Context) (billed int, err error) {
	if s.Invoices.Seller == nil {
		return 0, nil
	}
	var missing []struct{ TenantID, ID string }
	if err := s.DB.Read(ctx, access.Program("licences"), func(tx *db.Tx) (err error) {
		missing, err = db.Select[struct{ TenantID, ID string }](tx.Across(), `SELECT o.tenant_id, o.id FROM licence_orders o
			WHERE o.paid_at <> '' AND o.gross > 0 AND NOT EXISTS (SELECT 1 FROM licence_documents d WHERE d.tenant_id = o.tenant_id
			AND d.order_id = o.id AND d.kind = 'invoice') ORDER BY o.paid_at, o.id`)
		return err
	}); err != nil {
		return 0, err
	}
	for _, m := range missing {
		if err := s.DB.Write(ctx, s.program(m.TenantID), func(tx *db.Tx) error {
			o, err := one(tx, m.ID)
			if err != nil {
				return err
			}
			found, err := invoicing.Of(tx, []string{m.ID})
			if err != nil || len(found[m.ID]) > 0 {
				return err
			}
			return s.bill(tx, &o)
		}); err != nil {
			return billed, err
		}
		billed++
	}
	return billed, nil
}

// Compare is the handler of CompareKind.
func (s *Service) Compare(ctx context.Context, _ *jobs.Run) error {
	var r Reconciled
	if _, err := s.billMissing(ctx); err != nil {
		return err
	}
	if err := s.compare(ctx, &r); err != nil {
		return err
	}
	for _, u := range r.Unknown {
		s.Log.Error("a payment is known to the provider and not here: see docs/operate/licences.md", "provider", u.Provider, "ref", u.Ref,
			"amount", u.Amount.String(), "currency", string(u.Currency), "at", u.At)
	}
	if len(r.Failed) > 0 {
		return errors.New("licences: a payment provider gave no list")
	}
	return nil
}

func (s *Service) compare(ctx context.Context, r *Reconciled) error {
	now := s.DB.Now()
	for _, provider := range s.Providers {
		list, err := s.Gateways[provider].List(ctx, now.Add(-compared), now.Add(time.Minute))
		if err != nil {
			r.Failed = append(r.Failed, provider)
			continue
		}
		for _, status := range list {
			if status.State != payments.Paid && status.State != payments.Pending {
				continue
			}
			a, err := s.attemptAt(ctx, provider, status.Ref, status.Key)
			switch {
			case errors.Is(err, db.ErrNone) && status.State == payments.Pending:
				// nobody has paid, or the provider gives back what nobody here confirms
			case errors.Is(err, db.ErrNone):
				r.Unknown = append(r.Unknown, Unknown{provider, status.Ref, status.Key, status.Amount, status.Currency, status.At})
			case err != nil:
				return err
			case !(&attempt{State: a.State}).settled() && (status.State == payments.Paid || a.AskAt.IsZero()):
				if err := s.adopt(ctx, provider, a, status.Ref); err != nil {
					return err
				}
				if err := s.ask(ctx, a.TenantID, a.ID); err != nil {
					return err
				}
				r.Asked++
			}
		}
	}
	return nil
}

// adopt gives a try the provider's id of its payment where the answer that named it is not here, after the provider has said that it is
// this
// one. A payment that is not decided keeps waiting for that answer, as only there is the address to pay at.
func (s *Service) adopt(ctx context.Context, provider string, a attemptPlace, ref string) error {
	if ref == "" || a.Ref != "" {
		return nil
	}
	status, err := s.Gateways[provider].State(ctx, ref)
	if err != nil || status.Key != a.ID || status.State == payments.Pending {
		return err
	}
	return s.DB.Write(ctx, s.program(a.TenantID), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE payment_attempts SET ref = $3, ask_at = $4,
			state = CASE WHEN state = 'created' THEN 'pending' ELSE state END WHERE tenant_id = $1 AND id = $2 AND ref = ''
			AND state IN ('created', 'failed', 'expired')`, a.ID, ref, tx.Now)
		return err
	})
}

type attemptPlace struct {
	TenantID, ID, Ref string
	State             attemptState
	AskAt             time.Time
}

// attemptAt finds a try in any tenant by the provider's id of its payment, else by ours.
func (s *Service) attemptAt(ctx context.Context, provider, ref, key string) (a attemptPlace, err error) {
	err = s.DB.Read(ctx, access.Program("licences"), func(tx *db.Tx) error {
		a, err = db.One[attemptPlace](tx.Across(), `SELECT tenant_id, id, ref, state, ask_at FROM payment_attempts WHERE provider = $1
			AND ($2 <> '' AND ref = $2 OR id = $3) ORDER BY CASE WHEN ref = $2 THEN 0 ELSE 1 END LIMIT 1`, provider, ref, key)
		return err
	})
	return a, err
}

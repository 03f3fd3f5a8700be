package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// RefundKind is the job that gives money back.
const RefundKind = "licences.refund"

// refundKind is why money goes back.
type refundKind string

const (
	refundOrder    refundKind = "order"    // the operator gives back of an order
	refundOverpaid refundKind = "overpaid" // an order was paid twice
	refundReview   refundKind = "review"   // something else was paid than was asked for
)

// refundRow is money that goes back. Its id is the key at the provider, so it goes back once.
type refundRow struct {
	ID, OrderID, AttemptID string
	Kind                   refundKind
	Amount                 money.Amount
	Currency               money.Currency
	Units                  int64
	Note                   string
	State                  payments.State // created is no state of a provider
	Reason                 payments.Reason
	CreatedAt              time.Time
	CreatedBy              string
	DecidedAt              time.Time
}

const refundCreated payments.State = "created"

type refundTicket struct{ Refund string }

// refund writes down that money goes back and leaves its job.
func (s *Service) refund(tx *db.Tx, r refundRow) (string, error) {
	r.ID, r.State, r.CreatedAt, r.CreatedBy = tx.NewID(), refundCreated, tx.Now, tx.Actor.Name
	if err := db.Insert(tx, "payment_refunds", r); err != nil {
		return "", err
	}
	return r.ID, enqueueRefund(tx, r.ID, tx.Now)
}

func enqueueRefund(tx *db.Tx, id string, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: RefundKind, Key: id, Payload: refundTicket{id}, At: at, Attempts: 100})
}

// Return is what the operator gives back of an order.
type Return struct {
	Order  string // number
	Amount money.Amount
	All    bool // all money that is left of it
	Units  int64
	Whole  bool // all units that are left of it
	Note   string
}

// Refunding is a refund that was begun.
type Refunding struct {
	Amount   money.Amount
	Currency money.Currency
	Units    int64
	Left     int64 // units that the partner has left
}

// Refund begins to give money of an order back and takes its units, none of which may be used. Of an order in review what was paid goes
// back.
func (s *Service) Refund(ctx context.Context, r Return) (done Refunding, err error) {
	var place struct{ TenantID, ID string }
	if err := s.DB.Read(ctx, access.Program("operator"), func(tx *db.Tx) (err error) {
		place, err = db.One[struct{ TenantID, ID string }](tx.Across(), `SELECT tenant_id, id FROM licence_orders WHERE number = $1`, r.Order)
		return err
	}); err != nil {
		if errors.Is(err, db.ErrNone) {
			err = fmt.Errorf("there is no order %q: see saldo licences list", r.Order)
		}
		return done, err
	}
	err = s.DB.Write(ctx, access.ProgramFor(place.TenantID, "operator"), func(tx *db.Tx) (err error) {
		done, err = s.giveBack(tx, place.ID, r)
		return err
	})
	return done, err
}

func (s *Service) giveBack(tx *db.Tx, id string, r Return) (done Refunding, err error) {
	o, err := one(tx, id)
	if err != nil {
		return done, err
	}
	unclear, err := db.Select[attempt](tx,
		attemptQuery+` AND order_id = $2 AND state = 'review' AND NOT EXISTS (SELECT 1 FROM payment_refunds f
		WHERE f.tenant_id = $1 AND f.attempt_id = payment_attempts.id AND f.state <> 'failed') ORDER BY n`, id)
	if err != nil {
		return done, err
	}
	for _, a := range unclear {
		if _, err := s.refund(tx, refundRow{Kind: refundReview, OrderID: id, AttemptID: a.ID, Amount: a.PaidAmount, Currency: a.PaidCurrency,
			Note: r.Note}); err != nil {
			return done, err
		}
		done.Amount, done.Currency = done.Amount+a.PaidAmount, a.PaidCurrency
	}
	if len(unclear) > 0 {
		if _, err := tx.Exec(`UPDATE licence_orders SET state = 'abandoned', reason = 'cancelled', version = version + 1 WHERE tenant_id = $1
			AND id = $2 AND state = 'review'`, id); err != nil {
			return done, err
		}
		if done.Left, err = licences.Left(tx); err != nil {
			return done, err
		}
		return done, s.record(tx, &o, &done, r.Note)
	}
	done = Refunding{Amount: r.Amount, Currency: o.Currency, Units: r.Units}
	if r.All {
		done.Amount = o.Gross - o.Refunded
	}
	if r.Whole {
		done.Units = o.Units - o.RefundedUnits
	}
	switch {
	case o.State != Success && o.State != Refunded:
		return done, fmt.Errorf("order %s is %s: only what is paid can be given back", o.Number, o.State)
	case done.Amount <= 0 || done.Amount > o.Gross-o.Refunded:
		return done, fmt.Errorf("%s %s cannot be given back of order %s: %s are left of it", done.Amount, o.Currency, o.Number,
			o.Gross-o.Refunded)
	case done.Units < 0 || done.Units > o.Units-o.RefundedUnits:
		return done, fmt.Errorf("%d units cannot be taken back of order %s: %d are left of it", done.Units, o.Number, o.Units-o.RefundedUnits)
	}
	taken, err := licences.TakeBack(tx, done.Units, o.ID, o.Number)
	if err != nil {
		return done, err
	}
	if done.Left, err = licences.Left(tx); err != nil {
		return done, err
	}
	if !taken {
		return done, fmt.Errorf("%d units cannot be taken back: %d are not used yet; give the money back and leave the units, or take fewer",
			done.Units, done.Left)
	}
	n, err := tx.Exec(`UPDATE licence_orders SET state = 'refunded', refunded = refunded + $3, refunded_units = refunded_units + $4,
		version = version + 1 WHERE tenant_id = $1 AND id = $2 AND state IN ('success', 'refunded') AND refunded + $3 <= gross
		AND refunded_units + $4 <= units`, id, int64(done.Amount), done.Units)
	if err != nil {
		return done, err
	}
	if n == 0 {
		return done, fmt.Errorf("order %s changed at this moment: look at it again", o.Number)
	}
	if _, err := s.refund(tx, refundRow{Kind: refundOrder, OrderID: id, AttemptID: o.PaidAttempt, Amount: done.Amount, Currency: o.Currency,
		Units: done.Units, Note: r.Note}); err != nil {
		return done, err
	}
	return done, s.record(tx, &o, &done, r.Note)
}

func (s *Service) record(tx *db.Tx, o *orderRow, done *Refunding, note string) error {
	return audit.Record(tx, audit.Change{Action: "licences.give_back", Kind: "licence_order", ID: o.ID,
		Before: map[string]any{"state": o.State},
		After:  map[string]any{"number": o.Number, "amount": done.Amount, "currency": done.Currency, "units": done.Units}, Reason: note})
}

// GiveMoneyBack is the handler of RefundKind. A provider may take days: it is asked with the same key until it has decided.
func (s *Service) GiveMoneyBack(ctx context.Context, run *jobs.Run) error {
	var t refundTicket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var r refundRow
	var a attempt
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if r, err = db.One[refundRow](tx, refundQuery+` AND id = $2`, t.Refund); err != nil {
			return err
		}
		a, err = attemptOf(tx, r.AttemptID)
		return err
	}); err != nil || r.State == payments.Paid || r.State == payments.Failed {
		return err
	}
	var refunded payments.Refunded
	g, failure := s.gateway(a.Provider)
	if failure == nil {
		refunded, failure = g.Refund(ctx, a.Ref, r.Amount, r.Currency, r.ID)
	}
	var e *payments.Error
	switch {
	case errors.As(failure, &e) && e.Outcome == payments.Refused:
		refunded.State, r.Reason = payments.Failed, e.Reason
	case failure != nil:
		refunded.State = payments.Pending
	}
	return run.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		if err := run.Finish(tx); err != nil {
			return err
		}
		switch refunded.State {
		case payments.Paid:
			return s.wentBack(tx, &r)
		case payments.Failed:
			return s.stayed(tx, &r, &a)
		}
		if _, err := tx.Exec(`UPDATE payment_refunds SET state = 'pending' WHERE tenant_id = $1 AND id = $2 AND state = 'created'`,
			r.ID); err != nil {
			return err
		}
		return enqueueRefund(tx, r.ID, tx.Now.Add(max(15*time.Second, min(tx.Now.Sub(r.CreatedAt), time.Hour))))
	})
}

const refundQuery = `SELECT id, order_id, attempt_id, kind, amount, currency, units, note, state, reason, created_at, created_by, decided_at
	FROM payment_refunds WHERE tenant_id = $1`

// decideRefund ends a refund once.
func decideRefund(tx *db.Tx, r *refundRow, state payments.State) (bool, error) {
	n, err := tx.Exec(`UPDATE payment_refunds SET state = $3, reason = $4, decided_at = $5 WHERE tenant_id = $1 AND id = $2
		AND state IN ('created', 'pending')`, r.ID, string(state), string(r.Reason), tx.Now)
	return n == 1, err
}

// wentBack writes the correction of an invoice whose money went back.
func (s *Service) wentBack(tx *db.Tx, r *refundRow) error {
	first, err := decideRefund(tx, r, payments.Paid)
	if err != nil || !first || r.Kind != refundOrder {
		return err
	}
	return s.Invoices.Correct(tx, invoicing.Refund{ID: r.ID, Order: r.OrderID, Amount: r.Amount, Reason: r.Note})
}

// stayed undoes a refund that the provider refused, and tells the operator.
func (s *Service) stayed(tx *db.Tx, r *refundRow, a *attempt) error {
	first, err := decideRefund(tx, r, payments.Failed)
	if err != nil || !first {
		return err
	}
	o, err := one(tx, r.OrderID)
	if err != nil {
		return err
	}
	if r.Kind == refundOrder {
		if _, err := tx.Exec(`UPDATE licence_orders SET refunded = refunded - $3, refunded_units = refunded_units - $4,
			state = CASE WHEN refunded = $3 THEN 'success' ELSE state END, version = version + 1 WHERE tenant_id = $1 AND id = $2`, o.ID,
			int64(r.Amount), r.Units); err != nil {
			return err
		}
		if err := licences.ReturnUnits(tx, r.Units, o.ID, o.Number); err != nil {
			return err
		}
	}
	return s.alarm(tx, alarm{Kind: alarmRefund, Order: o.Number, Provider: a.Provider, Ref: a.Ref, Amount: r.Amount, Currency: r.Currency})
}

package orders

import (
	"time"

	"saldo/internal/licences"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// apply makes of a try to pay what the provider says of it. It may be called as often as anybody likes and in any order: money is counted
// once, and nothing that comes later takes it away. Asked is when the try was to be asked as the provider was called: whoever wants it to
// be
// asked again meanwhile is not overruled.
func (s *Service) apply(tx *db.Tx, id string, asked time.Time, status payments.Status) error {
	a, err := attemptOf(tx, id)
	if err != nil || a.settled() {
		return err
	}
	next := nextAsk(a.CreatedAt, tx.Now, status.State == payments.Pending)
	switch status.State {
	case payments.Paid:
		return s.paid(tx, &a, status)
	case payments.Failed:
		err = decide(tx, &a, failed, status.Reason, next)
	case payments.Expired:
		err = decide(tx, &a, expired, payments.TimedOut, next)
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE payment_attempts SET ask_at = $3 WHERE tenant_id = $1 AND id = $2 AND ask_at = $4`, id,
		next, asked)
	return err
}

// paid counts money. Of all tries of an order one wins, by the statement that makes the order a success; whatever else is paid goes back.
func (s *Service) paid(tx *db.Tx, a *attempt, status payments.Status) error {
	o, err := one(tx, a.OrderID)
	if err != nil {
		return err
	}
	if status.Amount != a.Amount || status.Currency != a.Currency || status.Key != "" && status.Key != a.ID ||
		status.Ref != "" && a.Ref != "" && status.Ref != a.Ref {
		return s.review(tx, a, &o, status)
	}
	won, err := tx.Exec(`UPDATE licence_orders SET state = 'success', reason = '', paid_at = $3, paid_attempt = $4, version = version + 1
		WHERE tenant_id = $1 AND id = $2 AND state IN ('started', 'failed', 'abandoned', 'review')`, o.ID, tx.Now, a.ID)
	if err != nil {
		return err
	}
	state := overpaid
	if won == 1 {
		state = paid
	}
	if err := count(tx, a, state, status); err != nil {
		return err
	}
	if won == 0 {
		return s.sendBack(tx, a, &o)
	}
	if err := licences.Buy(tx, o.Units, o.ID, o.Number); err != nil {
		return err
	}
	if err := audit.Record(tx, audit.Change{Action: "licences.paid", Kind: "licence_order", ID: o.ID, Before: map[string]any{"state": o.State},
		After: map[string]any{"number": o.Number, "units": o.Units, "gross": o.Gross, "provider": a.Provider, "try": a.N}}); err != nil {
		return err
	}
	if o.Gross == 0 {
		return nil // of nothing there is no invoice
	}
	return s.bill(tx, &o)
}

// bill writes the invoice of a paid order.
func (s *Service) bill(tx *db.Tx, o *orderRow) error {
	buyer, err := s.unsealed(tx, o.BuyerSealed)
	if err != nil {
		return err
	}
	return s.Invoices.Issue(tx, invoicing.Sale{Order: o.ID, Number: o.Number, Text: o.PackageNames[s.Invoices.Language()],
		Quantity: o.Quantity,
		NetPrice: o.NetPrice, Net: o.Net, VAT: o.VAT, VATRate: o.VATRate, ReverseCharge: o.ReverseCharge, Currency: o.Currency,
		Buyer: buyer.party(), Email: buyer.Email, Language: o.Language})
}

// count ends a try for good.
func count(tx *db.Tx, a *attempt, state attemptState, status payments.Status) error {
	_, err := tx.Exec(`UPDATE payment_attempts SET state = $3, reason = '', paid_amount = $4, paid_currency = $5, decided_at = $6, ask_at = ''
		WHERE tenant_id = $1 AND id = $2`, a.ID, string(state), int64(status.Amount), string(status.Currency), tx.Now)
	return err
}

// review keeps money that is not what was asked for, gives nothing for it and tells the operator.
func (s *Service) review(tx *db.Tx, a *attempt, o *orderRow, status payments.Status) error {
	if err := count(tx, a, inReview, status); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE licence_orders SET state = 'review', reason = '', version = version + 1 WHERE tenant_id = $1 AND id = $2
		AND state IN ('started', 'failed', 'abandoned')`, o.ID); err != nil {
		return err
	}
	if err := audit.Record(tx, audit.Change{Action: "licences.review", Kind: "licence_order", ID: o.ID, After: map[string]any{
		"number": o.Number, "asked": a.Amount, "paid": status.Amount, "currency": status.Currency}}); err != nil {
		return err
	}
	return s.alarm(tx, alarm{Kind: alarmReview, Order: o.Number, Provider: a.Provider, Ref: a.Ref, Amount: status.Amount,
		Currency: status.Currency})
}

// sendBack returns the money of an order that was paid before, and tells the operator.
func (s *Service) sendBack(tx *db.Tx, a *attempt, o *orderRow) error {
	if _, err := s.refund(tx, refundRow{Kind: refundOverpaid, OrderID: o.ID, AttemptID: a.ID, Amount: a.Amount,
		Currency: a.Currency}); err != nil {
		return err
	}
	return s.alarm(tx, alarm{Kind: alarmOverpaid, Order: o.Number, Provider: a.Provider, Ref: a.Ref, Amount: a.Amount, Currency: a.Currency})
}

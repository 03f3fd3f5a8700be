package invoicing

import (
	"context"
	"errors"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// Refund is money of an order that went back.
type Refund struct {
	ID, Order string
	Amount    money.Amount
	Reason    string
}

// Correct writes the correction of an invoice by money that went back. What is left keeps the rate of the invoice; its VAT is the share
// inside of it, and when nothing is left, of either nothing is. An order without an invoice needs no correction.
func (s *Service) Correct(tx *db.Tx, r Refund) error {
	invoice, err := one(tx, ` AND order_id = $2 AND kind = 'invoice'`, r.Order)
	if errors.Is(err, ErrNotFound) || s.Seller == nil {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := s.opened(tx, &invoice)
	if err != nil {
		return err
	}
	earlier, err := many(tx, ` AND order_id = $2 AND kind = 'correction' ORDER BY id`, r.Order)
	if err != nil {
		return err
	}
	for i := range earlier {
		before, err := s.opened(tx, &earlier[i])
		if err != nil {
			return err
		}
		if before.Left != nil {
			c.Line = *before.Left
		}
	}
	left := c.Line
	left.Quantity, left.Price = 0, 0
	gross := c.Line.gross() - r.Amount
	var share money.Exact
	share.Add(gross, int64(max(left.Rate, 0)), int64(100+max(left.Rate, 0)))
	if left.VAT, err = share.Round(); err != nil {
		return err
	}
	left.Net = gross - left.VAT
	c.Left, c.Reason, c.Corrects = nil, r.Reason, &corrected{invoice.Number, invoice.IssuedOn}
	if gross != 0 {
		c.Left = &left
	}
	day := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	doc := Document{ID: tx.NewID(), OrderID: r.Order, RefundID: r.ID, Kind: Correction, IssuedOn: day, Currency: invoice.Currency,
		Net: left.Net - c.Line.Net, VAT: left.VAT - c.Line.VAT, Gross: -r.Amount, IssuedAt: tx.Now}
	if invoice.AuthorityState == Waiting {
		doc.AuthorityState = Pending // it names the number that the office has not given yet
	}
	return s.issue(tx, &doc, &c, invoice.AuthorityNumber)
}

// SendKind is the job that hands a document to the office.
const SendKind = "licences.ksef"

// sendAttempts last about a week: an office may be closed for days.
const sendAttempts = 180

type sending struct{ Document string }

func enqueueSend(tx *db.Tx, id string) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Payload: sending{id}, Key: id, Attempts: sendAttempts})
}

// Send is the handler of SendKind.
func (s *Service) Send(ctx context.Context, run *jobs.Run) error {
	var p sending
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	if s.KSeFClient == nil {
		return jobs.Permanent(errors.New("SALDO_OPERATOR_KSEF_URL is not set"))
	}
	var doc Document
	var file []byte
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if doc, err = one(tx, ` AND id = $2`, p.Document); err != nil || doc.AuthorityState != Waiting {
			return err
		}
		file, _, err = s.File(tx, doc.ID)
		return err
	}); err != nil || doc.AuthorityState != Waiting {
		return err
	}
	receipt, err := s.KSeFClient.Send(ctx, file)
	if err != nil {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		state := Accepted
		if receipt.Number == "" {
			state = Refused
		}
		n, err := tx.Exec(`UPDATE licence_documents SET authority_state = $3, authority_number = $4, authority_reason = $5, authority_at = $6
			WHERE tenant_id = $1 AND id = $2 AND authority_state = 'waiting'`, doc.ID, string(state), receipt.Number, receipt.Refused, tx.Now)
		if err != nil {
			return err
		}
		if n == 1 {
			if err := audit.Record(tx, audit.Change{Action: "licences.office", Kind: "licence_document", ID: doc.ID,
				After: map[string]any{"state": state, "number": receipt.Number, "reason": receipt.Refused}}); err != nil {
				return err
			}
			if state == Refused {
				if err := s.Refused(tx, doc.Number); err != nil {
					return err
				}
			}
			if err := s.answered(tx, &doc, receipt.Number); err != nil {
				return err
			}
		}
		return run.Finish(tx)
	})
}

// answered makes the files of corrections that waited for the number of their invoice. Where the office refused the invoice they name
// none.
func (s *Service) answered(tx *db.Tx, invoice *Document, number string) error {
	if invoice.Kind != Invoice {
		return nil
	}
	waiting, err := many(tx, ` AND order_id = $2 AND kind = 'correction' AND authority_state = 'pending' ORDER BY id`, invoice.OrderID)
	if err != nil {
		return err
	}
	for i := range waiting {
		doc := &waiting[i]
		c, err := s.opened(tx, doc)
		if err != nil {
			return err
		}
		doc.AuthorityState = NotSent
		if err := s.write(tx, doc, &c, number); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE licence_documents SET file_sealed = $3, authority_state = $4 WHERE tenant_id = $1 AND id = $2`, doc.ID,
			doc.FileSealed, string(doc.AuthorityState)); err != nil {
			return err
		}
		if doc.AuthorityState == Waiting {
			if err := enqueueSend(tx, doc.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

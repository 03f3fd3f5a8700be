package billing

import (
	"context"
	"errors"

	"saldo/internal/billing/ksef"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// AuthorityState is what the office said of an invoice.
type AuthorityState string

// The states. Until one is accepted its PDF says OFFLINE.
const (
	NotSent  AuthorityState = "" // no gateway was set when it was issued, or it needs none
	Waiting  AuthorityState = "waiting"
	Accepted AuthorityState = "accepted"
	Refused  AuthorityState = "refused"

	Pending   AuthorityState = "pending"   // a correction: the corrected invoice has no answer yet
	Withdrawn AuthorityState = "withdrawn" // a correction of an invoice that was refused: there is nothing to correct
)

// SendKind is the job that hands an invoice to the office.
const SendKind = "billing.send"

// sendAttempts last about a week: an office may be closed for days.
const sendAttempts = 180

type sending struct {
	Document string `json:"document"`
}

// KSeFClient is the way to the office. An error says that the office said nothing: the same invoice is sent again later, and
// what the office has already is answered with the number it got.
type KSeFClient interface {
	Send(ctx context.Context, file []byte) (ksef.Receipt, error)
}

// sends says whether a document goes to the office: invoices of the Polish instance, where there is a gateway.
func (d *Service) sends(doc *Document) bool {
	return d.KSeFClient != nil && doc.Kind != Bill && d.Instance.Code == "pl"
}

// Send is the handler of SendKind. What was issued is sent, also when its settlement was revoked meanwhile: its correction follows when it
// has its number.
func (d *Service) Send(ctx context.Context, run *jobs.Run) error {
	var p sending
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	if d.KSeFClient == nil {
		return jobs.Permanent(errors.New("SALDO_KSEF_URL is not set"))
	}
	var doc Document
	var file []byte
	err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if doc, err = one(tx, ` AND b.id = $2`, p.Document); err != nil {
			return err
		}
		file, _, err = d.File(tx, p.Document)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return jobs.Permanent(err)
	}
	if err != nil || doc.AuthorityState != Waiting {
		return err
	}
	receipt, err := d.KSeFClient.Send(ctx, file)
	if err != nil {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		state := Accepted
		if receipt.Number == "" {
			state = Refused
		}
		n, err := tx.Exec(`UPDATE billing_documents SET authority_state = $3, authority_number = $4, authority_reason = $5, authority_at = $6
			WHERE tenant_id = $1 AND id = $2 AND authority_state = 'waiting'`,
			doc.ID, string(state), receipt.Number, receipt.Refused, tx.Now)
		if err != nil {
			return err
		}
		if n == 1 {
			if err := audit.Record(tx, audit.Change{Action: "billing.office", Kind: kindOfDocument, ID: doc.ID,
				After: map[string]any{"state": state, "number": receipt.Number, "reason": receipt.Refused}}); err != nil {
				return err
			}
			doc.AuthorityNumber = receipt.Number
			if err := d.answered(tx, &doc); err != nil {
				return err
			}
		}
		return run.Finish(tx)
	})
}

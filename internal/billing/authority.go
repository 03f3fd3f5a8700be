package billing

import (
	"errors"

	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// AuthorityState is what KSeF said of an invoice.
type AuthorityState string

// The states. Until one is accepted its PDF says OFFLINE.
const (
	NotSent  AuthorityState = "" // KSeF was off when it was issued, or it needs none
	Waiting  AuthorityState = "waiting"
	Accepted AuthorityState = "accepted"
	Refused  AuthorityState = "refused"

	Pending   AuthorityState = "pending"   // a correction: the corrected invoice has no answer yet
	Withdrawn AuthorityState = "withdrawn" // a correction of an invoice that was refused: there is nothing to correct
)

// SendKind is the job that takes to KSeF what waits. A partner has one at a time.
const SendKind = "ksef.send"

// EnqueueSend leaves that job, unless there is one.
func EnqueueSend(tx *db.Tx) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Key: "send", Attempts: 1000})
}

// sends says whether a document goes to KSeF: invoices of the Polish instance, where KSeF is on.
func (d *Service) sends(doc *Document) bool {
	return d.KSeF.API != "" && doc.Kind != Bill && d.Instance.Code == "pl"
}

// Outgoing is a document as it goes to KSeF, exactly as it was made, with the seller's number.
func (d *Service) Outgoing(tx *db.Tx, id string) (file []byte, seller official.NIP, err error) {
	doc, err := one(tx, ` AND b.id = $2`, id)
	if err != nil {
		return nil, "", err
	}
	c, err := d.opened(tx, doc.contentSealed)
	if err != nil {
		return nil, "", err
	}
	if file, err = d.Vault.Unseal(tx.Actor.Tenant, filePurpose, doc.fileSealed); err != nil {
		return nil, "", err
	}
	seller, err = official.ParseNIP(c.Seller.TaxID)
	return file, seller, err
}

// Answer is what KSeF says of a document: its number, or why it is refused.
type Answer struct{ Number, Refused string }

// Answered keeps KSeF's answer to an edition of a document, once: a second answer is an error. What was issued is sent, also when its
// settlement was revoked meanwhile: its correction follows when it has its number.
func (d *Service) Answered(tx *db.Tx, id string, edition int64, a Answer) error {
	doc, err := one(tx, ` AND b.id = $2`, id)
	if err != nil {
		return err
	}
	state := Accepted
	if a.Number == "" {
		state = Refused
	}
	n, err := tx.Exec(`UPDATE billing_documents SET authority_state = $3, authority_number = $4, authority_reason = $5, authority_at = $6
		WHERE tenant_id = $1 AND id = $2 AND authority_state = 'waiting' AND edition = $7`,
		id, string(state), a.Number, a.Refused, tx.Now, edition)
	if err != nil {
		return err
	}
	if n == 0 {
		return errAnswered
	}
	if err := audit.Record(tx, audit.Change{Action: "billing.office", Kind: kindOfDocument, ID: id,
		After: map[string]any{"state": state, "number": a.Number, "reason": a.Refused}}); err != nil {
		return err
	}
	doc.AuthorityNumber = a.Number
	return d.answered(tx, &doc)
}

// errAnswered is the error of a second answer.
var errAnswered = errors.New("billing: the document does not wait for an answer")

package billing

import (
	"encoding/json"
	"errors"
	"fmt"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/settlements"
)

var (
	// ErrNotRefused is the answer to sending again what KSeF did not refuse.
	ErrNotRefused = fault.Declare(fault.Conflict, "billing.not_refused")
	// ErrOtherTaxID is the answer to sending a refused invoice again under another tax id than its number was taken for.
	ErrOtherTaxID = fault.Declare(fault.Conflict, "billing.other_tax_id")
)

// CorrectRevoked gives every issued invoice of revoked settlements its correction, in the unit of work that revokes. An invoice that KSeF
// refused never
// took effect and needs none; the correction of one that KSeF has not answered for yet waits for its number.
func (d *Service) CorrectRevoked(tx *db.Tx, settlements []string) error {
	for _, id := range settlements {
		if err := dropDrafts(tx, id); err != nil {
			return err
		}
		invoice, err := one(tx, ` AND b.settlement_id = $2 AND b.kind = 'invoice'`, id)
		if errors.Is(err, ErrNotFound) || err == nil && !invoice.correctable() {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := d.correct(tx, &invoice); err != nil {
			return err
		}
	}
	return nil
}

// correctable says whether revoking its settlement issues a correction of it.
func (d *Document) correctable() bool {
	return d.Kind == Invoice && d.AuthorityState != Refused && d.CorrectedBy == ""
}

func (d *Service) correct(tx *db.Tx, invoice *Document) (doc Document, err error) {
	c, err := d.opened(tx, invoice.contentSealed)
	if err != nil {
		return doc, err
	}
	_, own, err := d.partner(tx)
	if err != nil {
		return doc, err
	}
	c.PayBy = ""
	c.Corrects = &corrected{invoice.Number, invoice.IssuedOn}
	c.Reason = i18n.Of(i18n.Language(d.Instance.Language), "billing:correctionReason", "number", fmt.Sprint(c.Settlement))
	doc = Document{ID: tx.NewID(), SettlementID: invoice.SettlementID, Kind: Correction,
		IssuedOn: calendar.DateOf(tx.Now, d.Instance.Location(), 0), Currency: invoice.Currency,
		Net: -invoice.Net, VAT: -invoice.VAT, Gross: -invoice.Gross, IssuedAt: tx.Now, IssuedBy: tx.Actor.Name, Corrects: invoice.ID,
		CorrectsNumber: invoice.Number}
	if err := d.number(tx, &doc, own.Code, c.Seller.TaxID); err != nil {
		return doc, err
	}
	var file []byte
	if invoice.AuthorityState == Waiting {
		doc.AuthorityState = Pending
	} else if file, err = d.file(&doc, &c, invoice.AuthorityNumber); err != nil {
		return doc, err
	}
	if err := d.keep(tx, &doc, &c, file); err != nil {
		return doc, err
	}
	return doc, audit.Record(tx, audit.Change{Action: "billing.correct", Kind: kindOfDocument, ID: doc.ID,
		After: map[string]any{"number": doc.Number, "corrects": invoice.Number, "gross": doc.Gross, "settlement": c.Settlement}})
}

// answered goes on with the correction that waited for the office's answer to an invoice.
func (d *Service) answered(tx *db.Tx, invoice *Document) error {
	doc, err := one(tx, ` AND b.corrects = $2 AND b.settlement_id = $3 AND b.authority_state = 'pending'`, invoice.ID, invoice.SettlementID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if invoice.AuthorityNumber == "" {
		_, err := tx.Exec(`UPDATE billing_documents SET authority_state = 'withdrawn', authority_at = $3 WHERE tenant_id = $1 AND id = $2
			AND authority_state = 'pending'`, doc.ID, tx.Now)
		return err
	}
	c, err := d.opened(tx, doc.contentSealed)
	if err != nil {
		return err
	}
	file, err := d.file(&doc, &c, invoice.AuthorityNumber)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE billing_documents SET authority_state = 'waiting', file_sealed = $3 WHERE tenant_id = $1 AND id = $2
		AND authority_state = 'pending'`,
		doc.ID, d.Vault.Seal(tx.Actor.Tenant, filePurpose, file)); err != nil {
		return err
	}
	return EnqueueSend(tx)
}

// Revoking are the documents that revoking a settlement would correct or cancel; of each Correctable says which.
func Revoking(tx *db.Tx, settlement string) (found []Document, err error) {
	all, err := DocumentsOf(tx, settlement)
	for _, doc := range all {
		if doc.CancelledAt.IsZero() && doc.Kind != Correction {
			found = append(found, doc)
		}
	}
	return found, err
}

// Correctable says whether revoking its settlement corrects the document; otherwise it is cancelled.
func (d *Document) Correctable() bool { return d.correctable() }

// SendAgain makes a refused document anew under its number, with what is written down now and what is typed, and sends it. What was
// refused is kept.
func (d *Service) SendAgain(tx *db.Tx, id string, typed Seller) (Document, error) {
	doc, err := one(tx, ` AND b.id = $2`, id)
	if err != nil {
		return doc, err
	}
	if doc.AuthorityState != Refused || !d.sends(&doc) {
		return doc, ErrNotRefused
	}
	before, err := d.opened(tx, doc.contentSealed)
	if err != nil {
		return doc, err
	}
	c, ksef := before, ""
	if doc.Kind == Correction {
		invoice, err := one(tx, ` AND b.id = $2`, doc.Corrects)
		if err != nil {
			return doc, err
		}
		ksef = invoice.AuthorityNumber
	} else if c, err = d.anew(tx, &doc, before.Seller.TaxID, typed); err != nil {
		return doc, err
	}
	file, err := d.file(&doc, &c, ksef)
	if err != nil {
		return doc, err
	}
	if _, err := tx.Exec(`INSERT INTO billing_editions (tenant_id, document_id, edition, content_sealed, file_sealed, reason, replaced_at,
		replaced_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		id, doc.Edition, doc.contentSealed, doc.fileSealed, doc.AuthorityReason, tx.Now, tx.Actor.Name); err != nil {
		return doc, err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return doc, err
	}
	if _, err := tx.Exec(`UPDATE billing_documents SET authority_state = 'waiting', authority_reason = '', authority_at = '', edition =
		edition + 1,
		content_sealed = $3, file_sealed = $4
		WHERE tenant_id = $1 AND id = $2 AND authority_state = 'refused'`, id, d.Vault.Seal(tx.Actor.Tenant, contentPurpose, text),
		d.Vault.Seal(tx.Actor.Tenant, filePurpose, file)); err != nil {
		return doc, err
	}
	if err := EnqueueSend(tx); err != nil {
		return doc, err
	}
	if err := audit.Record(tx, audit.Change{Action: "billing.sendAgain", Kind: kindOfDocument, ID: id,
		After: map[string]any{"number": doc.Number, "edition": doc.Edition + 1}}); err != nil {
		return doc, err
	}
	return one(tx, ` AND b.id = $2`, id)
}

// anew is what a refused invoice says when it is made again.
func (d *Service) anew(tx *db.Tx, doc *Document, taxID string, typed Seller) (c content, err error) {
	r, err := d.ready(tx, doc.SettlementID)
	if err != nil {
		return c, err
	}
	if reasons := r.missing(); len(reasons) > 0 {
		return c, reasons[0]
	}
	seller, err := d.seller(tx, &r, typed)
	if err != nil {
		return c, err
	}
	if seller.TaxID != taxID {
		return c, ErrOtherTaxID
	}
	return d.contentOf(&r, seller, doc.IssuedOn), nil
}

// uncorrected are invoices of revoked settlements that have no correction.
func uncorrected(documents []Document) (problems []settlements.Problem) {
	for i := range documents {
		if doc := &documents[i]; doc.correctable() && !doc.CancelledAt.IsZero() {
			problems = append(problems, settlements.Problem{What: "an issued invoice of a revoked settlement has a correction", ID: doc.ID,
				Says: doc.Number})
		}
	}
	return problems
}

package billing

import (
	"strings"
	"time"

	"saldo/internal/calendar"
	"saldo/internal/db"
	"saldo/internal/money"
)

// Document is a bill or an invoice as it was issued.
type Document struct {
	ID, SettlementID string
	Kind             Kind
	Number           string
	IssuedOn         calendar.Date
	Currency         money.Currency
	Net, VAT, Gross  money.Amount
	IssuedAt         time.Time
	IssuedBy         string
	CancelledAt      time.Time // its settlement was revoked then; zero: it stands
	OfficeState      OfficeState
	OfficeNumber     string
	OfficeReason     string

	series, contentSealed, fileSealed string
	place                             int64
}

// HasFile says whether machines can read it.
func (d *Document) HasFile() bool { return d.Kind == Invoice }

type documentRow struct {
	Document
	ContentSealed, FileSealed string
}

func many(tx *db.Tx, where string, args ...any) ([]Document, error) {
	rows, err := db.Select[documentRow](tx, `SELECT b.id, b.settlement_id, b.kind, b.number, b.issued_on, b.currency, b.net, b.vat, b.gross, b.issued_at, b.issued_by, s.revoked_at AS cancelled_at,
		b.office_state, b.office_number, b.office_reason, b.content_sealed, b.file_sealed
		FROM billing_documents b JOIN settlements s ON s.tenant_id = b.tenant_id AND s.id = b.settlement_id WHERE b.tenant_id = $1`+where+` ORDER BY b.id`, args...)
	list := make([]Document, len(rows))
	for i, r := range rows {
		list[i] = r.Document
		list[i].contentSealed, list[i].fileSealed = r.ContentSealed, r.FileSealed
	}
	return list, err
}

func one(tx *db.Tx, where string, args ...any) (Document, error) {
	found, err := many(tx, where, args...)
	if err != nil {
		return Document{}, err
	}
	if len(found) == 0 {
		return Document{}, ErrNotFound
	}
	return found[0], nil
}

// DocumentsOf are those of a settlement.
func DocumentsOf(tx *db.Tx, settlement string) ([]Document, error) {
	return many(tx, ` AND b.settlement_id = $2`, settlement)
}

// SettlementOf is the settlement that a document is of.
func SettlementOf(tx *db.Tx, id string) (string, error) {
	doc, err := one(tx, ` AND b.id = $2`, id)
	return doc.SettlementID, err
}

// Offer is what can be issued of a settlement, and what was.
type Offer struct {
	Documents []Document
	Kind      Kind
	Missing   []string // codes of faults that stand in the way; none: it can be issued, or was
	Seller    Seller   // as it would stand on the document
}

// Offered are the documents of a settlement, and what could be issued.
func (d *Desk) Offered(tx *db.Tx, id string) (o Offer, err error) {
	r, err := d.ready(tx, id)
	if err != nil {
		return o, err
	}
	if o.Documents, err = DocumentsOf(tx, id); err != nil {
		return o, err
	}
	o.Kind = r.kind
	if len(o.Documents) == 0 {
		for _, why := range r.missing() {
			o.Missing = append(o.Missing, why.Code)
		}
	}
	if o.Seller, err = d.sellerBefore(tx, r.driver.ID); err == nil && o.Seller.Name == "" {
		o.Seller.Name = r.driver.FirstName + " " + r.driver.LastName
	}
	return o, err
}

// File is the document as machines read it, exactly as it was made, with the name to save it under.
func (d *Desk) File(tx *db.Tx, id string) (content []byte, name string, err error) {
	doc, err := one(tx, ` AND b.id = $2`, id)
	if err != nil {
		return nil, "", err
	}
	if doc.fileSealed == "" {
		return nil, "", ErrNoFile
	}
	content, err = d.Vault.Unseal(tx.Actor.Tenant, filePurpose, doc.fileSealed)
	return content, doc.fileName("xml"), err
}

// fileName has the number without its bars.
func (d *Document) fileName(ending string) string {
	return strings.ReplaceAll(d.Number, "/", "-") + "." + ending
}

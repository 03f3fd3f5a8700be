package billing

import (
	"fmt"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// Document is a bill or an invoice as it was issued.
type Document struct {
	ID, SettlementID string
	SettlementNumber int64
	Period           calendar.Period
	DriverID         string
	FirstName        string
	LastName         string
	State            State
	Kind             Kind
	Number           string
	IssuedOn         calendar.Date
	Currency         money.Currency
	Net, VAT, Gross  money.Amount
	IssuedAt         time.Time
	IssuedBy         string
	CancelledAt      time.Time // its settlement was revoked then; zero: it stands, or is the correction
	Corrects         string    // id of the invoice that it corrects; empty: it is no correction
	CorrectsNumber   string
	CorrectedBy      string // number of its correction; empty: there is none
	Edition          int64  // how often it was made for the office
	AuthorityState   AuthorityState
	AuthorityNumber  string
	AuthorityReason  string

	series, contentSealed, fileSealed string
	place                             int64
}

// HasFile says whether machines can read it. A correction has none until the corrected invoice has its number.
func (d *Document) HasFile() bool { return d.fileSealed != "" }

// State is where a document stands.
type State string

// The states. A bill is issued or cancelled; an invoice that KSeF refused before its settlement was revoked is cancelled too, as it never
// took effect.
const (
	Issued       State = "issued"
	AtAuthority  State = "waiting" // on its way to KSeF, or waiting for the number of what it corrects
	InKSeF       State = "accepted"
	RefusedState State = "refused"
	CorrectedDoc State = "corrected"
	Cancelled    State = "cancelled"
)

// stateOf finds the state of document b with settlement s and correction k.
const stateOf = `CASE WHEN b.authority_state = 'withdrawn' THEN 'cancelled' WHEN k.id IS NOT NULL THEN 'corrected'
	WHEN b.kind <> 'correction' AND s.revoked_at <> '' THEN 'cancelled'
	WHEN b.authority_state IN ('pending', 'waiting') THEN 'waiting' WHEN b.authority_state = '' THEN 'issued' ELSE b.authority_state END`

// fromDocuments are documents b with settlement s, driver d, corrected invoice o and correction k.
const fromDocuments = ` FROM billing_documents b JOIN settlements s ON s.tenant_id = b.tenant_id AND s.id = b.settlement_id
	JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
	LEFT JOIN billing_documents o ON o.tenant_id = b.tenant_id AND o.id = b.corrects
	LEFT JOIN billing_documents k ON k.tenant_id = b.tenant_id AND k.settlement_id = b.settlement_id AND k.kind = 'correction'
	AND b.kind = 'invoice' AND k.authority_state <> 'withdrawn'
	WHERE b.tenant_id = $1`

type documentRow struct {
	Document
	ContentSealed, FileSealed string
}

func many(tx *db.Tx, where string, args ...any) ([]Document, error) {
	rows, err := db.Select[documentRow](tx, `SELECT b.id, b.settlement_id, s.number AS settlement_number, s.period, d.id AS driver_id,
		d.first_name, d.last_name, b.kind, b.number, b.issued_on, b.currency,
		b.net, b.vat, b.gross, b.issued_at, b.issued_by, CASE WHEN b.kind = 'correction' THEN '' ELSE s.revoked_at END AS cancelled_at,
		b.corrects, COALESCE(o.number, '') AS corrects_number, COALESCE(k.number, '') AS corrected_by, b.edition, `+stateOf+` AS state,
		b.authority_state, b.authority_number, b.authority_reason, b.content_sealed, b.file_sealed`+fromDocuments+where, args...)
	list := make([]Document, len(rows))
	for i, r := range rows {
		list[i] = r.Document
		list[i].contentSealed, list[i].fileSealed = r.ContentSealed, r.FileSealed
	}
	return list, err
}

func one(tx *db.Tx, where string, args ...any) (Document, error) {
	found, err := many(tx, where+` ORDER BY b.id`, args...)
	if err != nil {
		return Document{}, err
	}
	if len(found) == 0 {
		return Document{}, ErrNotFound
	}
	return found[0], nil
}

// DocumentsOf are those of a settlement.
func DocumentsOf(tx *db.Tx, id string) ([]Document, error) {
	return many(tx, ` AND b.settlement_id = $2 ORDER BY b.id`, id)
}

// UnpaidInvoices are the invoices of settlements that are not paid, by the settlement's id.
func UnpaidInvoices(tx *db.Tx) (map[string]settlements.Invoice, error) {
	rows, err := db.Select[struct {
		SettlementID, Number, KsefNumber string
		Refused                          bool
	}](tx, `SELECT b.settlement_id, b.number, b.authority_number AS ksef_number, b.authority_state = 'refused' AS refused
		FROM billing_documents b
		JOIN settlements s ON s.tenant_id = b.tenant_id AND s.id = b.settlement_id WHERE b.tenant_id = $1 AND b.kind = 'invoice'
		AND s.state = 'settled'`)
	found := make(map[string]settlements.Invoice, len(rows))
	for _, r := range rows {
		found[r.SettlementID] = settlements.Invoice{Number: r.Number, KSeFNumber: r.KsefNumber, Refused: r.Refused}
	}
	return found, err
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
	Draft     *Draft   // that waits for its driver, or was declined; nil: there is none
	Until     calendar.Date
	Seller    Seller // as it would stand on the document
}

// Offered are the documents of a settlement, and what could be issued.
func (d *Service) Offered(tx *db.Tx, id string) (o Offer, err error) {
	r, err := d.ready(tx, id)
	if err != nil {
		return o, err
	}
	if o.Documents, err = DocumentsOf(tx, id); err != nil {
		return o, err
	}
	o.Kind = r.kind
	if o.Draft, err = DraftOf(tx, id); err != nil {
		return o, err
	}
	if o.Draft != nil {
		o.Until = o.Draft.Until(d.Instance.Location())
	}
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
func (d *Service) File(tx *db.Tx, id string) (content []byte, name string, err error) {
	doc, err := one(tx, ` AND b.id = $2`, id)
	if err != nil {
		return nil, "", err
	}
	if doc.fileSealed == "" {
		return nil, "", ErrNoFile
	}
	content, err = d.Vault.Unseal(tx.Actor.Tenant, filePurpose, doc.fileSealed)
	return content, doc.FileName("xml"), err
}

// FileName has the number without its bars, and the settlement's: two drivers have bills of the same number. It names no person.
func (d *Document) FileName(ending string) string {
	return fmt.Sprintf("%s-%d.%s", strings.ReplaceAll(d.Number, "/", "-"), d.SettlementNumber, ending)
}

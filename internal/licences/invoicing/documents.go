package invoicing

import (
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "licences.no_document")
	// ErrNoFile is the answer to asking for the file of a correction that waits for the KSeF number of its invoice.
	ErrNoFile = fault.Declare(fault.Conflict, "licences.no_file_yet")
)

// Kind is what a document is.
type Kind string

// The kinds.
const (
	Invoice    Kind = "invoice"
	Correction Kind = "correction"
)

// AuthorityState is what KSeF said of a document.
type AuthorityState string

// The states.
const (
	NotSent  AuthorityState = ""
	Pending  AuthorityState = "pending" // a correction: its invoice has no answer yet
	Waiting  AuthorityState = "waiting"
	Accepted AuthorityState = "accepted"
	Refused  AuthorityState = "refused"
)

// Document is an invoice of the operator, or a correction of one, as it was issued.
type Document struct {
	ID, OrderID, RefundID string
	Kind                  Kind
	Series                string
	Place                 int64
	Number                string
	IssuedOn              calendar.Date
	Currency              money.Currency
	Net, VAT, Gross       money.Amount // of a correction below zero
	ContentSealed         string
	FileSealed            string
	AuthorityState        AuthorityState
	AuthorityNumber       string
	AuthorityReason       string
	AuthorityAt           time.Time
	IssuedAt              time.Time
}

// HasFile says whether machines can read it.
func (d *Document) HasFile() bool { return d.FileSealed != "" }

func many(tx *db.Tx, where string, args ...any) ([]Document, error) {
	return db.Select[Document](tx, `SELECT `+strings.Join(db.ColumnsOf[Document](), ", ")+` FROM licence_documents WHERE tenant_id = $1`+where,
		args...)
}

func one(tx *db.Tx, where string, args ...any) (Document, error) {
	found, err := many(tx, where+` ORDER BY id`, args...)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Document{}, err
	}
	return found[0], nil
}

// Of are the documents of orders, by order, oldest first.
func Of(tx *db.Tx, orders []string) (map[string][]Document, error) {
	all := map[string][]Document{}
	if len(orders) == 0 {
		return all, nil
	}
	in, args := db.Among(2, orders)
	found, err := many(tx, ` AND order_id`+in+` ORDER BY id`, args...)
	for _, d := range found {
		all[d.OrderID] = append(all[d.OrderID], d)
	}
	return all, err
}

// fileName is what a document is saved as. It names no person.
func (d *Document) fileName(ending string) string {
	return strings.ReplaceAll(d.Number, "/", "-") + "." + ending
}

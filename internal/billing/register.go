package billing

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// ErrTooMany is the answer to asking for more documents in one archive than it holds.
var ErrTooMany = fault.Declare(fault.Invalid, "billing.too_many")

// ArchiveMax is how many documents an archive holds.
const ArchiveMax = 500

// Filter chooses documents of the register; what is empty chooses all.
type Filter struct {
	From, To calendar.Date // days of issue
	Kind     Kind
	State    State
	Driver   string // also whoever was merged into them
	IDs      []string
}

// where is the condition of a filter, and its arguments from $2 on.
func (f Filter) where() (text string, args []any) {
	add := func(condition string, value any) {
		args = append(args, value)
		text += fmt.Sprintf(condition, len(args)+1)
	}
	if f.From != "" {
		add(` AND b.issued_on >= $%d`, string(f.From))
	}
	if f.To != "" {
		add(` AND b.issued_on <= $%d`, string(f.To))
	}
	if f.Kind != "" {
		add(` AND b.kind = $%d`, string(f.Kind))
	}
	if f.State != "" {
		add(` AND `+stateOf+` = $%d`, string(f.State))
	}
	if f.Driver != "" {
		add(` AND `+drivers.SameDriver("d", "$%[1]d"), f.Driver)
	}
	if len(f.IDs) > 0 {
		places := make([]string, len(f.IDs))
		for i, id := range f.IDs {
			args = append(args, id)
			places[i] = fmt.Sprintf("$%d", len(args)+1)
		}
		text += ` AND b.id IN (` + strings.Join(places, ", ") + `)`
	}
	return text, args
}

// Register is a page of issued documents, newest first, with the sums of all that the filter chooses. Corrections count below zero.
type Register struct {
	Items           []Document
	Drafts          []Draft // instead of documents, where the filter asks for a state of drafts
	Total           int64
	Waiting         int64 // drafts that are not issued, whatever the filter
	Net, VAT, Gross money.Amount
}

// Issuances lists issued documents.
func Issuances(tx *db.Tx, f Filter, page, size int64) (r Register, err error) {
	waiting, err := db.One[int64](tx, `SELECT COUNT(*)`+fromDrafts+` AND f.state IN ('waiting', 'approved', 'declined') AND s.revoked_at = ''`)
	if err != nil {
		return r, err
	}
	if f.State.ofDraft() {
		r, err = draftsOf(tx, f, page, size)
		r.Waiting = waiting
		return r, err
	}
	where, args := f.where()
	sums, err := db.One[struct {
		Total           int64
		Net, VAT, Gross money.Amount
	}](tx, `SELECT COUNT(*) AS total, CAST(COALESCE(SUM(b.net), 0) AS BIGINT) AS net, CAST(COALESCE(SUM(b.vat), 0) AS BIGINT) AS vat,
		CAST(COALESCE(SUM(b.gross), 0) AS BIGINT) AS gross`+fromDocuments+where, args...)
	if err != nil {
		return r, err
	}
	r = Register{Waiting: waiting, Total: sums.Total, Net: sums.Net, VAT: sums.VAT, Gross: sums.Gross}
	r.Items, err = many(tx, where+fmt.Sprintf(` ORDER BY b.issued_on DESC, b.id DESC LIMIT $%d OFFSET $%d`, len(args)+2, len(args)+3),
		append(args, size, (page-1)*size)...)
	return r, err
}

// draftsOf is a page of drafts in one state, newest first.
func draftsOf(tx *db.Tx, f Filter, page, size int64) (r Register, err error) {
	where, args := ` AND s.revoked_at = '' AND `+stateOfDraft+` = $2`, []any{string(f.State)}
	if f.Driver != "" {
		where, args = where+` AND `+drivers.SameDriver("d", "$3"), append(args, f.Driver)
	}
	sums, err := db.One[struct {
		Total           int64
		Net, VAT, Gross money.Amount
	}](tx, `SELECT COUNT(*) AS total, CAST(COALESCE(SUM(f.net), 0) AS BIGINT) AS net, CAST(COALESCE(SUM(f.vat), 0) AS BIGINT) AS vat,
		CAST(COALESCE(SUM(f.gross), 0) AS BIGINT) AS gross`+fromDrafts+where, args...)
	if err != nil {
		return r, err
	}
	r = Register{Total: sums.Total, Net: sums.Net, VAT: sums.VAT, Gross: sums.Gross}
	r.Drafts, err = drafts(tx, where+fmt.Sprintf(` ORDER BY f.id DESC LIMIT $%d OFFSET $%d`, len(args)+2, len(args)+3),
		append(args, size, (page-1)*size)...)
	return r, err
}

// Archive is a ZIP of documents: each as a PDF, invoices as XML too.
type Archive struct {
	LogoKey string // of the partner's picture among the files; empty: none

	documents []*PDFDocument
}

// Archive gathers the documents of a filter.
func (d *Service) Archive(tx *db.Tx, f Filter) (*Archive, error) {
	where, args := f.where()
	found, err := many(tx, where+fmt.Sprintf(` ORDER BY b.issued_on, b.id LIMIT $%d`, len(args)+2), append(args, ArchiveMax+1)...)
	if err != nil {
		return nil, err
	}
	switch {
	case len(found) == 0:
		return nil, ErrNotFound
	case len(found) > ArchiveMax:
		return nil, ErrTooMany.With("max", ArchiveMax)
	}
	a := &Archive{}
	for _, doc := range found {
		p, err := d.PDFDocument(tx, doc.ID)
		if err != nil {
			return nil, err
		}
		a.LogoKey = p.LogoKey
		a.documents = append(a.documents, p)
	}
	return a, nil
}

// Write makes the archive. Names are different whoever the documents are of, and the same archive has the same bytes.
func (a *Archive) Write(out io.Writer, logo []byte) error {
	z := zip.NewWriter(out)
	add := func(name string, at time.Time, content []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC().Truncate(2 * time.Second)})
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	}
	for _, p := range a.documents {
		content, err := p.PDF(logo)
		if err != nil {
			return err
		}
		if err := add(p.FileName(), p.doc.IssuedAt, content); err != nil {
			return err
		}
		if len(p.file) > 0 {
			if err := add(p.doc.FileName("xml"), p.doc.IssuedAt, p.file); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

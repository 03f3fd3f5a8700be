package purchases

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// ErrMatched is the answer to matching what somebody has matched otherwise.
var ErrMatched = fault.Declare(fault.Conflict, "purchases.matched")

// How an invoice of a driver was found for a purchase.
type How string

// The ways, the surest first.
const (
	ByNumber How = "number" // it names the number of KSeF
	ByCode   How = "code"   // the code in its picture has the sum of the file, or it is the file
	ByFields How = "fields" // seller, number and gross amount are the same
)

// Hows are all there are.
func Hows() []How { return []How{ByNumber, ByCode, ByFields} }

// Uploaded is an invoice of a driver beside a purchase.
type Uploaded struct {
	ID, DriverID        string
	FirstName, LastName string
	FileName            string
	State               invoices.State
	How                 How       // it is proposed; empty: it was matched
	MatchedBy           string    // by a person
	MatchedAt           time.Time //
}

// candidate is an invoice of a driver that backs nothing yet.
type candidate struct {
	Uploaded
	KsefNumber, IssuerTaxID, NumberKey, ContentHash string
	IssuedOn                                        calendar.Date
	Gross                                           money.Amount
}

const fromCandidates = ` FROM invoice_images i JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id
	WHERE i.tenant_id = $1 AND i.deleted_at = '' AND i.state <> 'rejected' AND NOT EXISTS (SELECT 1 FROM purchase_matches m
	WHERE m.tenant_id = i.tenant_id AND m.environment = $2 AND m.invoice_id = i.id) AND `

func (s *Service) candidates(tx *db.Tx, condition string, args ...any) ([]candidate, error) {
	return db.Select[candidate](tx, `SELECT i.id, `+drivers.CanonicalID("d")+` AS driver_id, d.first_name, d.last_name, i.file_name, i.state,
		'' AS how, '' AS matched_by, '' AS matched_at, i.ksef_number, i.issuer_tax_id, i.number_key, i.content_hash, i.issued_on, i.gross`+
		fromCandidates+condition+` ORDER BY i.uploaded_at, i.id`, append([]any{s.KSeF.Environment}, args...)...)
}

// propose finds invoices of drivers for purchases that back none. It keeps nothing: people decide.
func (s *Service) propose(tx *db.Tx, list []Listed) error {
	var numbers, sellers []string
	for _, p := range list {
		if p.Match == nil {
			numbers, sellers = append(numbers, p.KsefNumber), append(sellers, p.SellerTaxID)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	in, args := db.Among(3, numbers)
	found, err := s.candidates(tx, `i.ksef_number`+in, args...)
	if err != nil {
		return err
	}
	in, args = db.Among(3, sellers)
	more, err := s.candidates(tx, `i.issuer_tax_id`+in, args...)
	if err != nil {
		return err
	}
	found = append(found, more...)
	used := map[string]bool{}
	for _, how := range Hows() {
		for n := range list {
			p := &list[n]
			if p.Match != nil {
				continue
			}
			for _, c := range found {
				is, err := p.isOf(tx, how, &c)
				if err != nil {
					return err
				}
				if is && !used[c.ID] {
					c.How, used[c.ID] = how, true
					p.Match = &c.Uploaded
					break
				}
			}
		}
	}
	return nil
}

// isOf says whether a purchase and an invoice of a driver look like one and the same.
func (p *Listed) isOf(tx *db.Tx, how How, c *candidate) (bool, error) {
	switch how {
	case ByNumber:
		return c.KsefNumber == p.KsefNumber, nil
	case ByCode:
		if sum, err := hex.DecodeString(c.ContentHash); err == nil && base64.RawURLEncoding.EncodeToString(sum) == p.Sum {
			return true, nil
		}
		if c.IssuerTaxID != p.SellerTaxID || c.IssuedOn != "" && c.IssuedOn != p.IssuedOn {
			return false, nil
		}
		r, err := invoices.ReadingOf(tx, &invoices.Invoice{File: invoices.File{ContentHash: c.ContentHash}})
		return err == nil && r.Result.KSeFCode != "" && strings.TrimRight(path.Base(r.Result.KSeFCode), "=") == p.Sum, err
	}
	return p.Unread == "" && c.IssuerTaxID == p.SellerTaxID && c.NumberKey != "" && c.NumberKey == p.numberKey && c.Gross == p.Gross &&
		(c.KsefNumber == "" || c.KsefNumber == p.KsefNumber), nil
}

// match is one as it is kept.
type match struct {
	Environment, KsefNumber, InvoiceID string
	MatchedBy                          string
	MatchedAt                          time.Time
}

// live are matches whose invoice still counts.
const live = ` AND EXISTS (SELECT 1 FROM invoice_images i WHERE i.tenant_id = m.tenant_id AND i.id = m.invoice_id AND i.deleted_at = ''
	AND i.state <> 'rejected')`

// Match keeps that a fetched invoice backs an invoice of a driver. Each backs one: of two people at once the first is right.
func (s *Service) Match(tx *db.Tx, number, invoice string) error {
	if _, _, err := s.Of(tx, number); err != nil {
		return err
	}
	i, err := invoices.Of(tx, invoice, "")
	if err != nil {
		return err
	}
	if i.State == invoices.Rejected {
		return invoices.ErrState.With("state", string(i.State))
	}
	if _, err := tx.Exec(`DELETE FROM purchase_matches AS m WHERE m.tenant_id = $1 AND m.environment = $2
		AND (m.ksef_number = $3 OR m.invoice_id = $4) AND NOT (TRUE`+live+`)`, s.KSeF.Environment, number, invoice); err != nil {
		return err
	}
	n, err := db.InsertNew(tx, "purchase_matches", match{s.KSeF.Environment, number, invoice, tx.Actor.Name, tx.Now})
	if err != nil {
		return err
	}
	if n == 0 {
		same, err := db.One[int64](tx, `SELECT COUNT(*) FROM purchase_matches WHERE tenant_id = $1 AND environment = $2 AND ksef_number = $3
			AND invoice_id = $4`, s.KSeF.Environment, number, invoice)
		if err == nil && same == 0 {
			err = ErrMatched
		}
		return err
	}
	return audit.Record(tx, audit.Change{Action: "purchases.match", Kind: kindOfPurchase, ID: number,
		After: map[string]any{"invoice": invoice}})
}

// Unmatch takes a match back. Without one nothing happens.
func (s *Service) Unmatch(tx *db.Tx, number string) error {
	if _, _, err := s.Of(tx, number); err != nil {
		return err
	}
	was, err := db.Select[string](tx, `SELECT invoice_id FROM purchase_matches WHERE tenant_id = $1 AND environment = $2
		AND ksef_number = $3`, s.KSeF.Environment, number)
	if err != nil || len(was) == 0 {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM purchase_matches WHERE tenant_id = $1 AND environment = $2 AND ksef_number = $3`, s.KSeF.Environment,
		number); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "purchases.unmatch", Kind: kindOfPurchase, ID: number,
		Before: map[string]any{"invoice": was[0]}})
}

package contracts

import (
	"context"
	"errors"
	"strings"
	"time"

	"saldo/internal/contracts/template"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// FileOf is the newest file of a document: sealed, or as it is in the seconds before. That it was taken is noted first; further pages of
// what is being looked at are not noted again.
func (s *Service) FileOf(tx *db.Tx, who Person, id string, order int64, further bool) (d Document, err error) {
	c, _, err := s.Open(tx, who, id)
	if err != nil {
		return d, err
	}
	if !c.ErasedAt.IsZero() {
		return d, ErrErased
	}
	documents, err := DocumentsOf(tx, id)
	if err != nil {
		return d, err
	}
	for _, d := range documents {
		if d.Position == order && further {
			return d, nil
		}
		if d.Position == order {
			return d, note(tx, id, "downloaded", who.by(tx.Actor), map[string]any{"order": order, "edition": d.Edition,
				"sealed": d.SealedKey != ""})
		}
	}
	return d, ErrNotFound
}

// Content is the file of a document.
func (s *Service) Content(ctx context.Context, d Document) ([]byte, error) {
	if d.SealedKey != "" {
		return s.content(ctx, d.SealedKey, d.SealedHash)
	}
	return s.content(ctx, d.BlobKey, d.ContentHash)
}

// Verified is what anybody with the code of a document may know of it.
type Verified struct {
	Name, Language string
	State          State
	SignedAt       time.Time
	Signers        []string // initials
	Pages          int64
	Form           template.Form
	Files          []VerifiedFile
	Removed        bool
}

// VerifiedFile is a file that was given out, by its sum.
type VerifiedFile struct {
	Edition     int64
	ContentHash string
	SealedHash  string
	SealedAt    time.Time
}

// ByCode is a document by the code that is printed on it. The system acts, and codes that do not exist look like codes that are none.
func (s *Service) ByCode(tx *db.Tx, code string) (v Verified, err error) {
	type row struct {
		TenantID, ContractID string
		Position             int64
		Name, Language       string
		Form                 template.Form
		Pages                int64
		RemovedAt            time.Time
		State                State
		SignedAt             time.Time
		DataSealed           string
	}
	r, err := db.One[row](tx.Across(), `SELECT d.tenant_id, d.contract_id, d.position, d.name, d.language, d.form, d.pages, d.removed_at,
		c.state, c.signed_at, c.data_sealed FROM contract_documents d JOIN contracts c ON c.tenant_id = d.tenant_id AND c.id = d.contract_id
		WHERE d.verify_code = $1 AND c.state <> 'deleted'`, strings.ToLower(code))
	if errors.Is(err, db.ErrNone) {
		return v, ErrNotFound
	}
	if err != nil {
		return v, err
	}
	v = Verified{Name: r.Name, Language: r.Language, State: r.State, SignedAt: r.SignedAt, Pages: r.Pages, Form: r.Form,
		Removed: !r.RemovedAt.IsZero()}
	err = tx.As(access.ProgramFor(r.TenantID, "verify"), func() error {
		k, err := s.openKept(tx, r.DataSealed)
		if err != nil {
			return err
		}
		if r.DataSealed != erasedData {
			v.Signers = []string{template.Initials(k.Data.Personal.Name())}
		}
		partner, err := db.One[int64](tx, `SELECT COUNT(*) FROM contract_signatures WHERE tenant_id = $1 AND contract_id = $2
			AND role = 'partner'`,
			r.ContractID)
		if err != nil {
			return err
		}
		if partner > 0 && k.Partner.Name != "" {
			v.Signers = append(v.Signers, k.Partner.Name)
		}
		v.Files, err = db.Select[VerifiedFile](tx, `SELECT edition, content_hash, sealed_hash, sealed_at FROM contract_files WHERE tenant_id = $1
			AND contract_id = $2 AND position = $3 ORDER BY edition`, r.ContractID, r.Position)
		return err
	})
	return v, err
}

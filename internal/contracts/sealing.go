package contracts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"saldo/internal/contracts/chain"
	"saldo/internal/contracts/seal"
	"saldo/internal/contracts/sealkeys"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
)

const (
	// SealKind is the job that seals the files of a contract.
	SealKind = "contracts.seal"
	// EraseKind is the job that deletes the files of a contract that was deleted or erased.
	EraseKind = "contracts.erase"

	sealAttempts = 20
	// stampWait is how long a file waits for a time stamp before it is sealed without one.
	stampWait = 24 * time.Hour
	// fileMost is the largest file that is read back.
	fileMost = 32 << 20
)

type sealTicket struct {
	Contract string
	File     string // instead of a contract: a file that is deleted
}

// Seal seals the files of a contract that have no seal. A file is sealed in memory and kept, then a row names it: whenever the work is
// cut off, the file is sealed or it is not.
func (s *Service) Seal(ctx context.Context, job *jobs.Run) error {
	var t sealTicket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var open []contractFile
	var key seal.Key
	var authority []byte
	var partner partners.Partner
	if err := job.Write(ctx, func(tx *db.Tx) (err error) {
		if open, err = db.Select[contractFile](tx, `SELECT contract_id, position, edition, kind, blob_key, content_hash, file_size, sealed_key,
			sealed_hash, sealed_size, sealed_at, stamp, created_at FROM contract_files f WHERE f.tenant_id = $1 AND f.contract_id = $2
			AND f.kind = 'signed' AND f.sealed_key = '' AND EXISTS (SELECT 1 FROM contracts c WHERE c.tenant_id = f.tenant_id
			AND c.id = f.contract_id AND c.state <> 'deleted') ORDER BY f.position, f.edition`, t.Contract); err != nil || len(open) == 0 {
			return err
		}
		if partner, err = partners.Own(tx); err != nil {
			return err
		}
		key, authority, err = s.Keys().Of(tx, partner.Name)
		return err
	}); err != nil {
		return err
	}
	for _, f := range open {
		if err := s.sealOne(ctx, job, f, key, authority, partner.Name); err != nil {
			return err
		}
	}
	return nil
}

// sealedMark stands in the key of a sealed file between the key of the file that it was made of and the beginning of its sum.
const sealedMark = "-sealed-"

func (s *Service) sealOne(ctx context.Context, job *jobs.Run, f contractFile, key seal.Key, authority []byte, name string) error {
	content, err := s.content(ctx, f.BlobKey, f.ContentHash)
	if err != nil {
		return err
	}
	order := seal.Order{Key: key, Authority: authority, Name: name, Reason: i18n.Of(s.language(), "contract-pages:sealed"), At: s.DB.Now()}
	sealed, err := []byte(nil), error(nil)
	if f.Stamp = "none"; s.Stamps != "" {
		f.Stamp, order.Stamp = "done", s.Stamps
		if sealed, err = seal.Seal(content, order); err != nil {
			if s.DB.Now().Sub(f.CreatedAt) < stampWait && job.Attempts < job.MaxAttempts {
				return fmt.Errorf("contracts: the time stamp of %s: %w", s.Stamps, err)
			}
			f.Stamp, order.Stamp, sealed = "failed", "", nil
		}
	}
	if sealed == nil {
		if sealed, err = seal.Seal(content, order); err != nil {
			return err
		}
	}
	f.SealedKey, f.SealedHash, f.SealedSize = f.BlobKey+sealedMark+hashOf(sealed)[:12], hashOf(sealed), int64(len(sealed))
	if _, err := s.Blobs.Put(ctx, f.SealedKey, bytes.NewReader(sealed), f.SealedSize); err != nil {
		return err
	}
	return job.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(`UPDATE contract_files SET sealed_key = $5, sealed_hash = $6, sealed_size = $7, sealed_at = $8, stamp = $9
			WHERE tenant_id = $1 AND contract_id = $2 AND position = $3 AND edition = $4 AND sealed_key = ''`, f.ContractID, f.Position,
			f.Edition, f.SealedKey, f.SealedHash, f.SealedSize, tx.Now, f.Stamp)
		if err != nil || n == 0 {
			return err
		}
		by := Event{Role: "system", Who: SealKind}
		detail := map[string]any{"order": f.Position, "edition": f.Edition, "sum": f.SealedHash, "certificate": key.Fingerprint()}
		if err := note(tx, f.ContractID, "sealed", by, detail); err != nil || f.Stamp != "done" {
			return err
		}
		return note(tx, f.ContractID, "stamped", by, map[string]any{"order": f.Position, "edition": f.Edition})
	})
}

// content is a file from the store that is as it was put there.
func (s *Service) content(ctx context.Context, key, hash string) ([]byte, error) {
	content, err := blob.Whole(ctx, s.Blobs, key, fileMost)
	if err == nil && hashOf(content) != hash {
		err = errors.New("contracts: a file is not as it was kept")
	}
	return content, err
}

// Keys are what files are sealed with.
func (s *Service) Keys() sealkeys.Service {
	return sealkeys.Service{Vault: s.Vault, PublicURL: s.PublicURL}
}

// Erase deletes the files of a contract that was deleted or erased, or a PDF that was never used.
func (s *Service) Erase(ctx context.Context, job *jobs.Run) error {
	var t sealTicket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	if t.File != "" {
		return s.Blobs.Delete(ctx, t.File)
	}
	var keys []string
	if err := job.Read(ctx, func(tx *db.Tx) (err error) {
		keys, err = db.Select[string](tx, `SELECT f.blob_key FROM contract_files f JOIN contracts c ON c.tenant_id = f.tenant_id
			AND c.id = f.contract_id WHERE f.tenant_id = $1 AND f.contract_id = $2 AND (c.state = 'deleted' OR c.erased_at <> '')`, t.Contract)
		return err
	}); err != nil {
		return err
	}
	for _, key := range keys {
		err := s.Blobs.Delete(ctx, key)
		for sealed, failed := range s.Blobs.List(ctx, key+sealedMark) { // also one whose program ended before it wrote the row
			if err = errors.Join(err, failed); err == nil {
				err = s.Blobs.Delete(ctx, sealed)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Problem is something about the contracts of a partner that must never be.
type Problem struct{ Contract, What string }

// Verify checks every chain of events, every file and every seal of the partner in whose tenant the unit runs, and says how many files
// it read. The system acts.
func (s *Service) Verify(ctx context.Context, tx *db.Tx) (found []Problem, files int, err error) {
	known, err := sealkeys.Known(tx)
	if err != nil {
		return nil, 0, err
	}
	contracts, err := db.Select[string](tx, `SELECT id FROM contracts WHERE tenant_id = $1 AND erased_at = '' ORDER BY id`)
	if err != nil {
		return nil, 0, err
	}
	for _, id := range contracts {
		events, err := EventsOf(tx, id)
		if err != nil {
			return nil, files, err
		}
		if n := Broken(id, events); n > 0 || len(events) == 0 {
			found = append(found, Problem{id, fmt.Sprintf("event %d of its signing is not as it was written", max(n, 1))})
		}
		if missing, err := chain.Lost(tx, id, events); err != nil {
			return nil, files, err
		} else if missing != "" {
			found = append(found, Problem{id, missing})
		}
	}
	all, err := db.Select[contractFile](tx, `SELECT f.contract_id, f.position, f.edition, f.kind, f.blob_key, f.content_hash, f.file_size,
		f.sealed_key, f.sealed_hash, f.sealed_size, f.sealed_at, f.stamp, f.created_at FROM contract_files f JOIN contracts c
		ON c.tenant_id = f.tenant_id AND c.id = f.contract_id WHERE f.tenant_id = $1 AND c.state <> 'deleted' AND c.erased_at = ''
		ORDER BY f.contract_id, f.position, f.edition`)
	for _, f := range all {
		files++
		if what := s.wrongFile(ctx, f, known); what != "" {
			found = append(found, Problem{f.ContractID, fmt.Sprintf("document %d, file %d: %s", f.Position, f.Edition, what)})
		}
	}
	if err != nil {
		return found, files, err
	}
	wrong, read, err := s.PDFs().Wrong(ctx, tx)
	for _, what := range wrong {
		found = append(found, Problem{"", what})
	}
	return found, files + read, err
}

func (s *Service) wrongFile(ctx context.Context, f contractFile, known [][]byte) string {
	if _, err := s.content(ctx, f.BlobKey, f.ContentHash); err != nil {
		return err.Error()
	}
	if f.SealedKey == "" {
		return ""
	}
	content, err := s.content(ctx, f.SealedKey, f.SealedHash)
	if err != nil {
		return err.Error()
	}
	if _, err := seal.Check(content, known...); err != nil {
		return err.Error()
	}
	return ""
}

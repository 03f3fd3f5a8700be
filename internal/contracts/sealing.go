package contracts

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"saldo/internal/contracts/seal"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
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
	stampWait  = 24 * time.Hour
	keyPurpose = "seal key"
	renewAfter = 365 * 24 * time.Hour
	// fileMost is the largest file that is read back.
	fileMost = 32 << 20
)

type sealTicket struct{ Contract string }

type sealKey struct {
	ID, Name, Certificate, KeySealed string
	CreatedAt, RenewAt               time.Time
	Imported                         bool
	Chain                            string // base64, one certificate per line
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
		key, authority, err = s.keyOf(tx, partner.Name)
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
	f.SealedKey, f.SealedHash, f.SealedSize = f.BlobKey+"-sealed-"+hashOf(sealed)[:12], hashOf(sealed), int64(len(sealed))
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
func (s *Service) content(ctx context.Context, key, hash string) (content []byte, err error) {
	from, _, err := s.Blobs.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if content, err = io.ReadAll(io.LimitReader(from, fileMost)); err != nil {
		return nil, err
	}
	if hashOf(content) != hash {
		return nil, errors.New("contracts: a file is not as it was kept")
	}
	return content, nil
}

// keyOf is what a partner seals with: what it bought, as long as that holds, else its own of the instance's authority, made where there
// is none, it is old, or the partner has another name. The system acts.
func (s *Service) keyOf(tx *db.Tx, name string) (k seal.Key, authority []byte, err error) {
	root, err := s.authority(tx)
	if err != nil {
		return k, nil, err
	}
	stored, err := db.One[sealKey](tx, `SELECT id, name, certificate, key_sealed, created_at, renew_at, imported, chain FROM seal_keys
		WHERE tenant_id = $1 AND renew_at > $2 ORDER BY imported DESC, created_at DESC, id DESC LIMIT 1`, tx.Now)
	if err == nil && (stored.Imported || stored.Name == name) {
		if k, err = s.openKey(tx.Actor.Tenant, stored.Certificate, stored.KeySealed); err != nil {
			return k, nil, err
		}
		for line := range strings.Lines(stored.Chain) {
			der, err := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
			if err != nil {
				return k, nil, err
			}
			k.Chain = append(k.Chain, der)
		}
		return k, root.Certificate, nil
	}
	if err != nil && !errors.Is(err, db.ErrNone) {
		return k, nil, err
	}
	taxID, err := db.One[string](tx, `SELECT tax_id FROM partner_profiles WHERE tenant_id = $1`)
	if err != nil {
		return k, nil, err
	}
	if k, err = root.Issue(name, taxID, tx.Now); err != nil {
		return k, nil, err
	}
	certificate, sealed := s.closeKey(tx.Actor.Tenant, k)
	return k, root.Certificate, db.Insert(tx, "seal_keys", sealKey{ID: tx.NewID(), Name: name, Certificate: certificate, KeySealed: sealed,
		CreatedAt: tx.Now, RenewAt: tx.Now.Add(renewAfter)})
}

// ImportSeal takes a seal that the partner bought, from a PKCS #12 file: what is sealed from now on is sealed with it until its
// certificate ends. It says whose it is and until when it holds. The system acts.
func (s *Service) ImportSeal(tx *db.Tx, file []byte, password string) (name string, until time.Time, err error) {
	k, name, until, err := seal.Bought(file, password, tx.Now)
	if err != nil {
		return "", until, err
	}
	certificate, sealed := s.closeKey(tx.Actor.Tenant, k)
	known, err := db.Select[string](tx, `SELECT id FROM seal_keys WHERE tenant_id = $1 AND certificate = $2`, certificate)
	if err != nil || len(known) > 0 {
		return name, until, err // imported before
	}
	var chain strings.Builder
	for _, der := range k.Chain {
		chain.WriteString(base64.StdEncoding.EncodeToString(der) + "\n")
	}
	if err := db.Insert(tx, "seal_keys", sealKey{tx.NewID(), name, certificate, sealed, tx.Now, until, true, chain.String()}); err != nil {
		return "", until, err
	}
	return name, until, audit.Record(tx, audit.Change{Action: "contracts.import_seal", Kind: "seal", ID: k.Fingerprint(),
		After: map[string]any{"name": name, "until": until}})
}

type authorityRow struct{ Certificate, KeySealed string }

// authority is the instance's, made once.
func (s *Service) authority(tx *db.Tx) (k seal.Key, err error) {
	const read = `SELECT certificate, key_sealed FROM seal_authorities WHERE id = $1`
	row, err := db.One[authorityRow](tx.Across(), read, "1")
	if err == nil {
		return s.openKey("", row.Certificate, row.KeySealed)
	}
	if !errors.Is(err, db.ErrNone) {
		return k, err
	}
	if k, err = seal.NewAuthority("Saldo "+s.PublicURL, tx.Now); err != nil {
		return k, err
	}
	certificate, sealed := s.closeKey("", k)
	if _, err := tx.Across().Exec(`INSERT INTO seal_authorities (id, certificate, key_sealed, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT DO NOTHING`, "1", certificate, sealed, tx.Now); err != nil {
		return k, err
	}
	if row, err = db.One[authorityRow](tx.Across(), read, "1"); err != nil {
		return k, err
	}
	return s.openKey("", row.Certificate, row.KeySealed)
}

func (s *Service) closeKey(tenant string, k seal.Key) (certificate, sealed string) {
	return base64.StdEncoding.EncodeToString(k.Certificate), s.Vault.Seal(tenant, keyPurpose, k.Private)
}

func (s *Service) openKey(tenant, certificate, sealed string) (k seal.Key, err error) {
	if k.Certificate, err = base64.StdEncoding.DecodeString(certificate); err != nil {
		return k, err
	}
	k.Private, err = s.Vault.Unseal(tenant, keyPurpose, sealed)
	return k, err
}

// Erase deletes the files of a contract that was deleted or erased.
func (s *Service) Erase(ctx context.Context, job *jobs.Run) error {
	var t sealTicket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var keys []struct{ BlobKey, SealedKey string }
	if err := job.Read(ctx, func(tx *db.Tx) (err error) {
		keys, err = db.Select[struct{ BlobKey, SealedKey string }](tx, `SELECT f.blob_key, f.sealed_key FROM contract_files f JOIN contracts c
			ON c.tenant_id = f.tenant_id AND c.id = f.contract_id WHERE f.tenant_id = $1 AND f.contract_id = $2
			AND (c.state = 'deleted' OR c.erased_at <> '')`, t.Contract)
		return err
	}); err != nil {
		return err
	}
	for _, k := range keys {
		for _, key := range []string{k.BlobKey, k.SealedKey} {
			if key != "" {
				if err := s.Blobs.Delete(ctx, key); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Problem is something about the contracts of a partner that must never be.
type Problem struct{ Contract, What string }

// Verify checks every chain of events, every file and every seal of the partner in whose tenant the unit runs, and says how many files
// it read. The system acts.
func (s *Service) Verify(ctx context.Context, tx *db.Tx) (found []Problem, files int, err error) {
	root, err := db.One[authorityRow](tx.Across(), `SELECT certificate, key_sealed FROM seal_authorities WHERE id = $1`, "1")
	if err != nil && !errors.Is(err, db.ErrNone) {
		return nil, 0, err
	}
	authority, err := base64.StdEncoding.DecodeString(root.Certificate)
	if err != nil {
		return nil, 0, err
	}
	known := [][]byte{authority}
	bought, err := db.Select[string](tx, `SELECT certificate FROM seal_keys WHERE tenant_id = $1 AND imported`)
	if err != nil {
		return nil, 0, err
	}
	for _, text := range bought {
		der, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, 0, err
		}
		known = append(known, der)
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
		if missing, err := lost(tx, id, events); err != nil {
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
	return found, files, err
}

// lost says whether events are missing that must be there: those that the trail and the files tell of.
func lost(tx *db.Tx, id string, events []Event) (string, error) {
	trail, err := db.Select[string](tx, `SELECT after_state FROM audit_entries WHERE tenant_id = $1 AND object_kind = 'contract'
		AND object_id = $2 AND action = 'contracts.sign'`, id)
	if err != nil {
		return "", err
	}
	sums := map[string]bool{}
	seals := int64(0)
	for _, e := range events {
		sums[e.Sum] = true
		if e.Kind == "sealed" {
			seals++
		}
	}
	for _, line := range trail {
		var was struct {
			Sum string `json:"sum"`
		}
		if json.Unmarshal([]byte(line), &was) != nil || !sums[was.Sum] {
			return "events are missing that the trail names", nil
		}
	}
	sealed, err := db.One[int64](tx, `SELECT COUNT(*) FROM contract_files WHERE tenant_id = $1 AND contract_id = $2 AND sealed_key <> ''`, id)
	if err == nil && seals != sealed {
		return fmt.Sprintf("%d files are sealed and %d events tell of it", sealed, seals), nil
	}
	return "", err
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

// Package sealkeys keeps what partners seal their contracts with: an authority of the instance, certificates of partners under it, and
// seals that partners bought. Keys are sealed in the vault; old ones stay, because what they sealed is checked with them.
package sealkeys

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"saldo/internal/contracts/seal"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

const (
	keyPurpose = "seal key"
	renewAfter = 365 * 24 * time.Hour
)

// Service has what keys need besides the unit of work.
type Service struct {
	Vault     *vault.Vault
	PublicURL string // what the authority is named after
}

type keyRow struct {
	ID, Name, Certificate, KeySealed string
	CreatedAt, RenewAt               time.Time
	Imported                         bool
	Chain                            string // base64, one certificate per line
}

// Of is what a partner seals with: what it bought, as long as that holds, else its own of the instance's authority, made where there
// is none, it is old, or the partner has another name. The system acts.
func (s Service) Of(tx *db.Tx, name string) (k seal.Key, authority []byte, err error) {
	root, err := s.authority(tx)
	if err != nil {
		return k, nil, err
	}
	stored, err := db.One[keyRow](tx, `SELECT id, name, certificate, key_sealed, created_at, renew_at, imported, chain FROM seal_keys
		WHERE tenant_id = $1 AND renew_at > $2 ORDER BY imported DESC, created_at DESC, id DESC LIMIT 1`, tx.Now)
	if err == nil && (stored.Imported || stored.Name == name) {
		if k, err = s.open(tx.Actor.Tenant, stored.Certificate, stored.KeySealed); err != nil {
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
	certificate, sealed := s.close(tx.Actor.Tenant, k)
	return k, root.Certificate, db.Insert(tx, "seal_keys", keyRow{ID: tx.NewID(), Name: name, Certificate: certificate, KeySealed: sealed,
		CreatedAt: tx.Now, RenewAt: tx.Now.Add(renewAfter)})
}

// Import takes a seal that the partner bought, from a PKCS #12 file: what is sealed from now on is sealed with it until its
// certificate ends. It says whose it is and until when it holds. The system acts.
func (s Service) Import(tx *db.Tx, file []byte, password string) (name string, until time.Time, err error) {
	k, name, until, err := seal.Bought(file, password, tx.Now)
	if err != nil {
		return "", until, err
	}
	certificate, sealed := s.close(tx.Actor.Tenant, k)
	known, err := db.Select[string](tx, `SELECT id FROM seal_keys WHERE tenant_id = $1 AND certificate = $2`, certificate)
	if err != nil || len(known) > 0 {
		return name, until, err // imported before
	}
	var chain strings.Builder
	for _, der := range k.Chain {
		chain.WriteString(base64.StdEncoding.EncodeToString(der) + "\n")
	}
	if err := db.Insert(tx, "seal_keys", keyRow{tx.NewID(), name, certificate, sealed, tx.Now, until, true, chain.String()}); err != nil {
		return "", until, err
	}
	return name, until, audit.Record(tx, audit.Change{Action: "contracts.import_seal", Kind: "seal", ID: k.Fingerprint(),
		After: map[string]any{"name": name, "until": until}})
}

type authorityRow struct{ Certificate, KeySealed string }

// authority is the instance's, made once.
func (s Service) authority(tx *db.Tx) (k seal.Key, err error) {
	const read = `SELECT certificate, key_sealed FROM seal_authorities WHERE id = $1`
	row, err := db.One[authorityRow](tx.Across(), read, "1")
	if err == nil {
		return s.open("", row.Certificate, row.KeySealed)
	}
	if !errors.Is(err, db.ErrNone) {
		return k, err
	}
	if k, err = seal.NewAuthority("Saldo "+s.PublicURL, tx.Now); err != nil {
		return k, err
	}
	certificate, sealed := s.close("", k)
	if _, err := tx.Across().Exec(`INSERT INTO seal_authorities (id, certificate, key_sealed, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT DO NOTHING`, "1", certificate, sealed, tx.Now); err != nil {
		return k, err
	}
	if row, err = db.One[authorityRow](tx.Across(), read, "1"); err != nil {
		return k, err
	}
	return s.open("", row.Certificate, row.KeySealed)
}

func (s Service) close(tenant string, k seal.Key) (certificate, sealed string) {
	return base64.StdEncoding.EncodeToString(k.Certificate), s.Vault.Seal(tenant, keyPurpose, k.Private)
}

func (s Service) open(tenant, certificate, sealed string) (k seal.Key, err error) {
	if k.Certificate, err = base64.StdEncoding.DecodeString(certificate); err != nil {
		return k, err
	}
	k.Private, err = s.Vault.Unseal(tenant, keyPurpose, sealed)
	return k, err
}

// Known are the certificates by which the seals of the tenant are known: the authority's and those that were bought. The system acts.
func Known(tx *db.Tx) (known [][]byte, err error) {
	texts, err := db.Select[string](tx.Across(), `SELECT certificate FROM seal_authorities`)
	if err != nil {
		return nil, err
	}
	bought, err := db.Select[string](tx, `SELECT certificate FROM seal_keys WHERE tenant_id = $1 AND imported`)
	if err != nil {
		return nil, err
	}
	for _, text := range append(texts, bought...) {
		der, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		known = append(known, der)
	}
	return known, nil
}

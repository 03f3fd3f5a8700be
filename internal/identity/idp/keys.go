package idp

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/luikyv/go-oidc/pkg/goidc"

	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

const (
	keyPurpose = "signing key"
	keyLife    = 90 * 24 * time.Hour
	keyNotice  = time.Hour        // a key is published that long before it signs
	keyRest    = 15 * time.Minute // a key verifies that long after it signed last
	keysFresh  = time.Minute
)

var keyBits = 2048 // fewer in tests (export_test.go)

// keys are the signing keys, shared by all instances on one database. Each
// instance looks again once a minute, long before a new key signs.
type keys struct {
	db    *db.DB
	vault *vault.Vault

	mu     sync.Mutex
	pairs  []pair // the newest first
	readAt time.Time
}

type pair struct {
	id        string
	key       *rsa.PrivateKey
	activeAt  time.Time
	retiredAt time.Time
}

type keyRow struct {
	ID, Sealed          string
	ActiveAt, RetiredAt time.Time
}

// open makes the first key where there is none, and fails when the keys were
// sealed with another key than this program's.
func (k *keys) open(ctx context.Context) error {
	err := k.db.Write(ctx, program, func(tx *db.Tx) error {
		n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM idp_keys`)
		if err != nil || n > 0 {
			return err
		}
		return k.make(tx, tx.Now)
	})
	if err != nil {
		return err
	}
	_, err = k.current(ctx)
	return err
}

func (k *keys) make(tx *db.Tx, activeAt time.Time) error {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return err
	}
	sealed := k.vault.Seal("", keyPurpose, x509.MarshalPKCS1PrivateKey(key))
	_, err = tx.Across().Exec(`INSERT INTO idp_keys (id, sealed, created_at, active_at, retired_at) VALUES ($1, $2, $3, $4, '')`,
		tx.NewID(), sealed, tx.Now, activeAt)
	return err
}

// rotate makes the next key when the current one has served its time, retires
// the one before it and forgets those that verify nothing any more.
func (k *keys) rotate(tx *db.Tx) error {
	rows, err := db.Select[keyRow](tx.Across(), `SELECT id, sealed, active_at, retired_at FROM idp_keys WHERE retired_at = ''
		ORDER BY active_at DESC, id DESC`)
	if err != nil || len(rows) == 0 {
		return err
	}
	if newest := rows[0]; tx.Now.Sub(newest.ActiveAt) >= keyLife {
		return k.make(tx, tx.Now.Add(keyNotice))
	}
	for i, r := range rows {
		if i > 0 && !rows[i-1].ActiveAt.After(tx.Now) {
			if _, err := tx.Across().Exec(`UPDATE idp_keys SET retired_at = $2 WHERE id = $1`, r.ID, tx.Now); err != nil {
				return err
			}
		}
	}
	_, err = tx.Across().Exec(`DELETE FROM idp_keys WHERE retired_at <> '' AND retired_at < $1`, tx.Now.Add(-keyRest))
	return err
}

// current gives the keys, the newest first, as they stand in the database at
// most a minute ago.
func (k *keys) current(ctx context.Context) ([]pair, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db.Now().Sub(k.readAt) < keysFresh && len(k.pairs) > 0 {
		return k.pairs, nil
	}
	var pairs []pair
	err := k.db.Read(ctx, program, func(tx *db.Tx) error {
		pairs = nil
		rows, err := db.Select[keyRow](tx.Across(), `SELECT id, sealed, active_at, retired_at FROM idp_keys ORDER BY active_at DESC, id DESC`)
		for _, r := range rows {
			der, err := k.vault.Unseal("", keyPurpose, r.Sealed)
			if err != nil {
				return errors.New(
					"the key of this database is another one: set SALDO_KEY or SALDO_KEY_FILE to the key it was made with and start again")
			}
			key, err := x509.ParsePKCS1PrivateKey(der)
			if err != nil {
				return err
			}
			pairs = append(pairs, pair{r.ID, key, r.ActiveAt, r.RetiredAt})
		}
		return err
	})
	if err == nil {
		k.pairs, k.readAt = pairs, k.db.Now()
	}
	return pairs, err
}

// public finds the key that verifies the tokens of a key id.
func (k *keys) public(id string) (crypto.PublicKey, bool) {
	pairs, err := k.current(context.Background())
	if err != nil {
		return nil, false
	}
	for _, p := range pairs {
		if p.id == id {
			return p.key.Public(), true
		}
	}
	return nil, false
}

// set is the key set as the protocol library wants it: it signs with the first
// key, so the one that is active stands first.
func (k *keys) set(ctx context.Context) (goidc.JSONWebKeySet, error) {
	pairs, err := k.current(ctx)
	set := goidc.JSONWebKeySet{}
	var later []goidc.JSONWebKey
	for _, p := range pairs {
		key := jose.JSONWebKey{Key: p.key, KeyID: p.id, Algorithm: string(jose.RS256), Use: "sig"}
		if p.activeAt.After(k.db.Now()) {
			later = append(later, key)
			continue
		}
		set.Keys = append(set.Keys, key)
	}
	set.Keys = append(set.Keys, later...)
	return set, err
}

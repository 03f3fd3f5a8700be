// Package identity says who a request comes from: it verifies tokens and finds
// the member behind them.
package identity

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/vault"
)

const keyPurpose = "signing key"

// Keys sign and verify this instance's own tokens. All instances on one
// database share them.
type Keys struct {
	current string
	pairs   map[string]*ecdsa.PrivateKey
}

// OpenKeys loads the signing keys, making the first one where there is none.
func OpenKeys(ctx context.Context, d *db.DB, v *vault.Vault) (*Keys, error) {
	keys := &Keys{pairs: map[string]*ecdsa.PrivateKey{}}
	err := d.Write(ctx, access.Program("identity"), func(tx *db.Tx) error {
		type row struct{ ID, Sealed string }
		rows, err := db.Select[row](tx.Across(), `SELECT id, sealed FROM signing_keys ORDER BY id`)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			made, err := newKey(tx, v)
			if err != nil {
				return err
			}
			rows = append(rows, row(made))
		}
		for _, r := range rows {
			der, err := v.Unseal("", keyPurpose, r.Sealed)
			if err != nil {
				return errors.New("the key of this database is another one: set SALDO_KEY or SALDO_KEY_FILE to the key it was made with and start again")
			}
			pair, err := x509.ParseECPrivateKey(der)
			if err != nil {
				return err
			}
			keys.pairs[r.ID], keys.current = pair, r.ID
		}
		return nil
	})
	return keys, err
}

func newKey(tx *db.Tx, v *vault.Vault) (row struct{ ID, Sealed string }, err error) {
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return row, err
	}
	der, err := x509.MarshalECPrivateKey(pair)
	if err != nil {
		return row, err
	}
	row.ID = tx.NewID()
	row.Sealed = v.Seal("", keyPurpose, der)
	_, err = tx.Across().Exec(`INSERT INTO signing_keys (id, sealed, created_at) VALUES ($1, $2, $3)`, row.ID, row.Sealed, tx.Now)
	return row, err
}

// Public finds the key that verifies tokens of a key id.
func (k *Keys) Public(id string) (crypto.PublicKey, bool) {
	pair, ok := k.pairs[id]
	if !ok {
		return nil, false
	}
	return pair.Public(), true
}

// Sign makes an access token with the claims that every identity provider of
// Saldo gives.
func (k *Keys) Sign(c Claims, now time.Time, life time.Duration) (string, error) {
	c.RegisteredClaims = jwt.RegisteredClaims{
		Issuer: Embedded, Subject: c.Subject, Audience: jwt.ClaimStrings{Audience}, ID: uuid.NewString(),
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(life)),
	}
	c.Type, c.Client = "Bearer", Client
	token := jwt.NewWithClaims(jwt.SigningMethodES256, c)
	token.Header["kid"] = k.current
	return token.SignedString(k.pairs[k.current])
}

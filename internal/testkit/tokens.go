package testkit

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

// Mint makes access tokens with the embedded provider's own key, at the test's
// own time: what only somebody with the database and its key can do.
type Mint struct {
	Issuer string
	Clock  func() time.Time
	ID     string // of the key
	Key    *rsa.PrivateKey
}

// Vault opens the vault of a key file.
func Vault(t testing.TB, keyFile string) *vault.Vault {
	t.Helper()
	key, err := vault.LoadKey("", keyFile)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// signingKey is made once for all tests of a process: making one takes longer than most tests.
var signingKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// SigningKey gives a new database the key with which the embedded provider signs, so that the provider makes none.
func SigningKey(t testing.TB, place db.Settings, v *vault.Vault) {
	t.Helper()
	key, err := signingKey()
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(context.Background(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	Write(t, d, access.Program("test"), func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`INSERT INTO idp_keys (id, sealed, created_at, active_at, retired_at) VALUES ($1, $2, $3, $3, '')`,
			tx.NewID(), v.Seal("", "signing key", x509.MarshalPKCS1PrivateKey(key)), tx.Now)
		return err
	})
}

// NewMint takes the signing key out of a database.
func NewMint(t testing.TB, d *db.DB, v *vault.Vault, issuer string) *Mint {
	t.Helper()
	m := &Mint{Issuer: issuer, Clock: d.Now}
	var sealed string
	Read(t, d, access.Program("test"), func(tx *db.Tx) error {
		row, err := db.One[struct{ ID, Sealed string }](tx.Across(), `SELECT id, sealed FROM idp_keys ORDER BY active_at DESC`)
		m.ID, sealed = row.ID, row.Sealed
		return err
	})
	der, err := v.Unseal("", "signing key", sealed)
	if err != nil {
		t.Fatal(err)
	}
	if m.Key, err = x509.ParsePKCS1PrivateKey(der); err != nil {
		t.Fatal(err)
	}
	return m
}

// Token is a good access token of somebody in a role, with changes.
func (m *Mint) Token(t testing.TB, subject string, role access.Role, life time.Duration, changes map[string]any) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims(m.Claims(subject, role, life, changes)))
	token.Header["kid"] = m.ID
	text, err := token.SignedString(m.Key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Claims are those of a good token, with changes.
func (m *Mint) Claims(subject string, role access.Role, life time.Duration, changes map[string]any) map[string]any {
	now := m.Clock()
	claims := map[string]any{"iss": m.Issuer, "sub": subject, "aud": []string{"app-api", "account"}, "azp": "spa", "typ": "Bearer",
		"sid": "session of " + subject,
		"iat": now.Unix(), "exp": now.Add(life).Unix(), "auth_time": now.Unix(), "realm_access": map[string]any{"roles": []string{string(role)}}}
	maps.Copy(claims, changes)
	return claims
}

package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/fault"
)

// ErrSignIn is the answer to a sign-in code that is wrong or too old.
var ErrSignIn = fault.Declare(fault.Unauthenticated, "identity.sign_in_failed")

// Member is a user of an identity provider in a role of one partner.
type Member struct {
	TenantID, ID    string
	Issuer, Subject string
	Role            access.Role
	Name, Email     string
}

const memberColumns = `tenant_id, id, issuer, subject, role, name, email`

func memberOf(tx *db.Tx, issuer, subject string) (Member, error) {
	return db.One[Member](tx.Across(), `SELECT `+memberColumns+` FROM members WHERE issuer = $1 AND subject = $2`, issuer, subject)
}

// Self is the member who acts.
func Self(tx *db.Tx) (Member, error) {
	return db.One[Member](tx, `SELECT `+memberColumns+` FROM members WHERE tenant_id = $1 AND id = $2`, tx.Actor.ID)
}

// AddMember lets a user in.
func AddMember(tx *db.Tx, m Member) error {
	_, err := tx.Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		m.ID, m.Issuer, m.Subject, string(m.Role), m.Name, strings.ToLower(m.Email), tx.Now)
	return err
}

// ByEmail finds the members with an e-mail address, in any tenant.
func ByEmail(tx *db.Tx, email string) ([]Member, error) {
	return db.Select[Member](tx.Across(), `SELECT `+memberColumns+` FROM members WHERE email = $1 ORDER BY tenant_id, id`, strings.ToLower(email))
}

// NewLink makes a code that signs the member in until it expires. Only its sum
// is kept.
func NewLink(tx *db.Tx, m Member, life time.Duration) (code string, err error) {
	secret := make([]byte, 20)
	if _, err := rand.Read(secret); err != nil {
		return "", err
	}
	code = base32.StdEncoding.EncodeToString(secret)
	_, err = tx.Across().Exec(`INSERT INTO sign_in_links (sum, tenant_id, member_id, expires_at) VALUES ($1, $2, $3, $4)`,
		sumOf(code), m.TenantID, m.ID, tx.Now.Add(life))
	return code, err
}

// SignIn finds the member of a code. Unknown and expired codes look alike.
func SignIn(tx *db.Tx, code string) (Member, error) {
	m, err := db.One[Member](tx.Across(), `SELECT m.tenant_id, m.id, m.issuer, m.subject, m.role, m.name, m.email
		FROM sign_in_links l JOIN members m ON m.tenant_id = l.tenant_id AND m.id = l.member_id
		WHERE l.sum = $1 AND l.expires_at > $2`, sumOf(code), tx.Now)
	if errors.Is(err, db.ErrNone) {
		return m, ErrSignIn
	}
	return m, err
}

// SweepLinks forgets expired codes.
func SweepLinks(tx *db.Tx) error {
	_, err := tx.Across().Exec(`DELETE FROM sign_in_links WHERE expires_at < $1`, tx.Now)
	return err
}

func sumOf(code string) string {
	clean := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))
	sum := sha256.Sum256([]byte(clean))
	return hex.EncodeToString(sum[:])
}

// Claims are what a token says of the member.
func (m Member) Claims() Claims {
	var c Claims
	c.Subject = m.Subject
	c.Realm.Roles = []string{string(m.Role)}
	return c
}

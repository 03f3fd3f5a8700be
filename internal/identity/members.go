// Package identity says who a request comes from: it verifies tokens and finds
// the member behind them, whichever provider signs them in.
package identity

import (
	"strings"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// Member is a user of an identity provider in a role of one partner.
type Member struct {
	TenantID, ID    string
	Issuer, Subject string
	Role            access.Role
	Name, Email     string
	State           PersonState // of a partner's person; a driver is always active
}

const memberColumns = `tenant_id, id, issuer, subject, role, name, email, state`

// TenantOf is the partner that somebody is a member of, by who they are at their identity provider. Nobody's is db.ErrNone.
func TenantOf(tx *db.Tx, issuer, subject string) (string, error) {
	m, err := memberOf(tx, issuer, subject)
	return m.TenantID, err
}

func memberOf(tx *db.Tx, issuer, subject string) (Member, error) {
	return db.One[Member](tx.Across(), `SELECT `+memberColumns+` FROM members WHERE issuer = $1 AND subject = $2`, issuer, subject)
}

// Self is the member who acts.
func Self(tx *db.Tx) (Member, error) {
	return db.One[Member](tx, `SELECT `+memberColumns+` FROM members WHERE tenant_id = $1 AND id = $2`, tx.Actor.ID)
}

// AddMember lets a user in at once.
func AddMember(tx *db.Tx, m Member) error {
	_, err := tx.Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at, state_since)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
		m.ID, m.Issuer, m.Subject, string(m.Role), m.Name, strings.ToLower(m.Email), tx.Now)
	return err
}

// ByEmail finds the members with an e-mail address, in any tenant.
func ByEmail(tx *db.Tx, email string) ([]Member, error) {
	return db.Select[Member](tx.Across(), `SELECT `+memberColumns+
		` FROM members WHERE email = $1 AND state <> 'withdrawn' ORDER BY tenant_id, id`, strings.ToLower(email))
}

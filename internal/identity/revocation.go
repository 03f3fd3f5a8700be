package identity

import (
	"time"

	"saldo/internal/platform/db"
)

// AccessLife is how long an access token lives where nobody chose otherwise.
// LongestLife is what an operator may choose at a Keycloak: tokens that live
// longer are refused, and a revocation is remembered that long.
const (
	AccessLife  = 5 * time.Minute
	LongestLife = 24 * time.Hour
)

// RevokeSession makes every access token of a session worthless within a minute.
func RevokeSession(tx *db.Tx, session string) error { return revoke(tx, "sid:"+session) }

// RevokeUser makes every access token that a user was given so far worthless
// within a minute.
func RevokeUser(tx *db.Tx, issuer, subject string) error {
	return revoke(tx, userKey(issuer, subject))
}

func userKey(issuer, subject string) string { return "sub:" + subject + "@" + issuer }

func revoke(tx *db.Tx, id string) error {
	_, err := tx.Across().Exec(`INSERT INTO revocations (id, revoked_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE
		SET revoked_at = excluded.revoked_at`, id, tx.Now)
	return err
}

// revoked says whether the token was made before its session or its user was
// shut out.
func revoked(tx *db.Tx, provider string, c Claims) (bool, error) {
	at, err := db.Select[time.Time](tx.Across(), `SELECT revoked_at FROM revocations WHERE id IN ($1, $2)`, "sid:"+c.Session,
		userKey(provider, c.Subject))
	for _, r := range at {
		// tokens carry whole seconds
		if c.IssuedAt == nil || !c.IssuedAt.After(r.Truncate(time.Second)) {
			return true, err
		}
	}
	return false, err
}

// SweepRevocations forgets those whose tokens have all expired.
func SweepRevocations(tx *db.Tx) error {
	_, err := tx.Across().Exec(`DELETE FROM revocations WHERE revoked_at < $1`, tx.Now.Add(-LongestLife-2*leeway))
	return err
}

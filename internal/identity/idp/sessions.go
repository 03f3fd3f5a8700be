package idp

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"saldo/internal/identity"
	"saldo/internal/platform/db"
)

const (
	idle       = 30 * time.Minute // without a sign of life
	working    = 10 * time.Hour   // of a session in all
	fresh      = 5 * time.Minute  // a sign-in that still counts for changing a password
	codeLife   = time.Minute
	pageLife   = 30 * time.Minute // between opening a page and sending it
	renewAfter = time.Minute      // signs of life are written down at most that often

	// of a session on a device that somebody asked to be remembered on
	rememberedIdle = 14 * 24 * time.Hour
	remembered     = 30 * 24 * time.Hour
)

// session is one browser of one user.
type session struct {
	ID, UserID                    string
	SignedInAt, SeenAt, ExpiresAt time.Time
	EndedAt                       time.Time
}

func (s session) alive(now time.Time) bool {
	rest := idle
	if s.ExpiresAt.Sub(s.SignedInAt) > working {
		rest = rememberedIdle
	}
	return s.EndedAt.IsZero() && now.Before(s.ExpiresAt) && now.Sub(s.SeenAt) < rest
}

// secret makes 256 random bits as text.
func secret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails, as its documentation says
	return base64.RawURLEncoding.EncodeToString(raw)
}

func sumOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (p *Provider) cookieName() string {
	if p.settings.Secure {
		return "__Secure-SALDO_SESSION"
	}
	return "SALDO_SESSION"
}

// cookie is one of the provider's own: never seen by scripts, never sent
// outside its pages.
func (p *Provider) cookie(name, value string, age time.Duration) *http.Cookie {
	c := &http.Cookie{Name: name, Value: value, Path: p.path + "/", HttpOnly: true, Secure: p.settings.Secure, SameSite: http.SameSiteLaxMode}
	if age < 0 {
		c.MaxAge = -1
	} else {
		c.MaxAge = int(age.Seconds())
	}
	return c
}

const sessionColumns = `id, user_id, signed_in_at, seen_at, expires_at, ended_at`

// sessionOf finds the living session of a browser.
func (p *Provider) sessionOf(tx *db.Tx, r *http.Request) (session, bool, error) {
	c, err := r.Cookie(p.cookieName())
	if err != nil {
		return session{}, false, nil
	}
	s, err := db.One[session](tx.Across(), `SELECT `+sessionColumns+` FROM idp_sessions WHERE cookie_sum = $1`, sumOf(c.Value))
	if errors.Is(err, db.ErrNone) {
		return session{}, false, nil
	}
	return s, err == nil && s.alive(tx.Now), err
}

// begin starts a new session and ends the one the browser had: an id never
// survives a sign-in.
func (p *Provider) begin(tx *db.Tx, r *http.Request, userID string, life time.Duration) (s session, cookie string, err error) {
	if old, ok, err := p.sessionOf(tx, r); err != nil {
		return s, "", err
	} else if ok {
		if err := endSession(tx, old.ID); err != nil {
			return s, "", err
		}
	}
	cookie = secret()
	s = session{ID: tx.NewID(), UserID: userID, SignedInAt: tx.Now, SeenAt: tx.Now, ExpiresAt: tx.Now.Add(life)}
	_, err = tx.Across().Exec(`INSERT INTO idp_sessions (id, cookie_sum, user_id, signed_in_at, seen_at, expires_at, ended_at)
		VALUES ($1, $2, $3, $4, $4, $5, '')`,
		s.ID, sumOf(cookie), userID, tx.Now, s.ExpiresAt)
	if err == nil {
		err = record(tx, "signed in", userID, s.ID)
	}
	return s, cookie, err
}

// see writes down a sign of life.
func see(tx *db.Tx, s session) error {
	if tx.Now.Sub(s.SeenAt) < renewAfter {
		return nil
	}
	_, err := tx.Across().Exec(`UPDATE idp_sessions SET seen_at = $2 WHERE id = $1`, s.ID, tx.Now)
	return err
}

// endSession ends a session with all that was granted in it.
func endSession(tx *db.Tx, id string) error {
	if _, err := tx.Across().Exec(`UPDATE idp_sessions SET ended_at = $2 WHERE id = $1 AND ended_at = ''`, id, tx.Now); err != nil {
		return err
	}
	return identity.RevokeSession(tx, id)
}

// endSessions ends all sessions of a user but one.
func endSessions(tx *db.Tx, userID, but string) error {
	ids, err := db.Select[string](tx.Across(), `SELECT id FROM idp_sessions WHERE user_id = $1 AND ended_at = ''`, userID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if id == but {
			continue
		}
		if err := endSession(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// Sweep turns the keys and forgets what has served its time.
func (p *Provider) Sweep(tx *db.Tx) error {
	if err := p.keys.rotate(tx); err != nil {
		return err
	}
	for _, sweep := range []struct {
		text   string
		before time.Time
	}{
		{`DELETE FROM idp_sessions WHERE expires_at < $1 OR (ended_at <> '' AND ended_at < $1)`, tx.Now.Add(-24 * time.Hour)},
		{`DELETE FROM idp_sessions WHERE seen_at < $1`, tx.Now.Add(-24*time.Hour - rememberedIdle)},
		{`DELETE FROM idp_refresh_tokens WHERE expires_at < $1`, tx.Now},
		{`DELETE FROM idp_links WHERE expires_at < $1`, tx.Now},
		{`DELETE FROM idp_throttles WHERE blocked_until < $1 AND since_at < $1`, tx.Now.Add(-time.Hour)},
		{`DELETE FROM idp_events WHERE at < $1`, tx.Now.Add(-400 * 24 * time.Hour)},
		// a registration whose address nobody confirmed makes room for the address's owner
		{`DELETE FROM idp_users WHERE NOT verified AND password <> '' AND created_at < $1`, tx.Now.Add(-14 * 24 * time.Hour)},
	} {
		if _, err := tx.Across().Exec(sweep.text, sweep.before); err != nil {
			return err
		}
	}
	return nil
}

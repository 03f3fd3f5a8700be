package idp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/luikyv/go-oidc/pkg/goidc"

	"saldo/internal/platform/db"
)

// hurry is how long after its first use a refresh token is only refused: two
// tabs, or an answer lost on the way. Later it was stolen.
const hurry = 10 * time.Second

// Names in a grant's store. What stands under storeClaims is made at every
// loading and never stored.
const (
	storeSession  = "sid"
	storeSignedIn = "auth_time"
	storeClaims   = "claims"
)

// newRefreshToken is opaque to everybody, and has the two parts that
// keycloak-js wants to decode.
func newRefreshToken(context.Context) string {
	body, err := json.Marshal(map[string]string{"typ": "Refresh", "jti": secret()})
	if err != nil {
		panic(err) // a map of texts
	}
	return "rt." + base64.RawURLEncoding.EncodeToString(body)
}

// SaveGrant keeps a grant without its secrets. A refresh token is valid from
// the moment the code was traded.
func (p *Provider) SaveGrant(ctx context.Context, g *goidc.Grant) error {
	return p.db.Write(ctx, program, func(tx *db.Tx) error {
		if g.RevokedAt != 0 {
			return p.revokeGrant(tx, g.ID)
		}
		kept := *g
		kept.AuthCode, kept.RefreshToken = "", ""
		kept.Store = map[string]any{storeSession: g.Store[storeSession], storeSignedIn: g.Store[storeSignedIn]}
		data, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		n, err := tx.Across().Exec(`UPDATE idp_grants SET data = $2 WHERE id = $1`, g.ID, string(data))
		if err != nil {
			return err
		}
		if n == 0 {
			session, _ := g.Store[storeSession].(string)
			_, err = tx.Across().Exec(`INSERT INTO idp_grants (id, session_id, data, code_sum, code_expires_at, code_used_at, created_at, revoked_at)
				VALUES ($1, $2, $3, $4, $5, '', $6, '')`, g.ID, session, string(data), sumOf(g.AuthCode), tx.Now.Add(codeLife), tx.Now)
		}
		if err != nil || g.RefreshToken == "" || g.AuthCodeConsumedAt == 0 {
			return err
		}
		_, err = tx.Across().Exec(`INSERT INTO idp_refresh_tokens (sum, grant_id, issued_at, expires_at, used_at) VALUES ($1, $2, $3, $4, '')
			ON CONFLICT DO NOTHING`,
			sumOf(g.RefreshToken), g.ID, tx.Now, tx.Now.Add(idle))
		return err
	})
}

// revokeGrant ends a grant that was misused, and with it the browser session:
// whoever holds one of its secrets may hold others, and the owner signs in anew.
func (p *Provider) revokeGrant(tx *db.Tx, id string) error {
	n, err := tx.Across().Exec(`UPDATE idp_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at = ''`, id, tx.Now)
	if err != nil || n == 0 {
		return err
	}
	s, err := db.One[session](tx.Across(), `SELECT `+sessionColumns+` FROM idp_sessions WHERE id = (SELECT session_id FROM idp_grants
		WHERE id = $1)`, id)
	if errors.Is(err, db.ErrNone) {
		return nil // swept, and its tokens with it
	}
	if err != nil {
		return err
	}
	if err := endSession(tx, s.ID); err != nil {
		return err
	}
	return record(tx, "reused a token", s.UserID, s.ID)
}

// load gives a living grant with what tokens say of its user, or ErrNotFound.
func (p *Provider) load(tx *db.Tx, id string) (*goidc.Grant, session, error) {
	row, err := db.One[struct {
		Data, SessionID string
		RevokedAt       time.Time
	}](tx.Across(), `SELECT data, session_id, revoked_at FROM idp_grants WHERE id = $1`, id)
	if errors.Is(err, db.ErrNone) || (err == nil && !row.RevokedAt.IsZero()) {
		return nil, session{}, goidc.ErrNotFound
	}
	if err != nil {
		return nil, session{}, err
	}
	s, err := db.One[session](tx.Across(), `SELECT `+sessionColumns+` FROM idp_sessions WHERE id = $1`, row.SessionID)
	if errors.Is(err, db.ErrNone) || (err == nil && !s.alive(tx.Now)) {
		return nil, session{}, goidc.ErrNotFound
	}
	if err != nil {
		return nil, session{}, err
	}
	var g goidc.Grant
	if err := json.Unmarshal([]byte(row.Data), &g); err != nil {
		return nil, session{}, err
	}
	claims, err := p.claims(tx, s)
	if errors.Is(err, db.ErrNone) {
		return nil, session{}, goidc.ErrNotFound
	}
	if g.Store == nil {
		g.Store = map[string]any{}
	}
	g.RefreshTokenExpiresAt = 0 // decided here, by the table and the session
	g.Store[storeSession], g.Store[storeSignedIn], g.Store[storeClaims] = s.ID, s.SignedInAt.Unix(), claims
	return &g, s, err
}

// Grant gives a living grant.
func (p *Provider) Grant(ctx context.Context, id string) (g *goidc.Grant, err error) {
	err = p.db.Read(ctx, program, func(tx *db.Tx) error {
		g, _, err = p.load(tx, id)
		return err
	})
	return g, err
}

// GrantByAuthCode takes a code: the first to ask gets the grant, whatever
// becomes of the request; a second shows theft and ends the grant.
func (p *Provider) GrantByAuthCode(ctx context.Context, code string) (g *goidc.Grant, err error) {
	err = p.db.Write(ctx, program, func(tx *db.Tx) error {
		g = nil
		id, err := db.One[string](tx.Across(), `SELECT id FROM idp_grants WHERE code_sum = $1`, sumOf(code))
		if errors.Is(err, db.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		taken, err := tx.Across().Exec(`UPDATE idp_grants SET code_used_at = $2 WHERE id = $1 AND code_used_at = '' AND code_expires_at > $2`, id,
			tx.Now)
		if err != nil {
			return err
		}
		if taken == 0 {
			return p.revokeGrant(tx, id)
		}
		found, s, err := p.load(tx, id)
		if errors.Is(err, goidc.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		found.AuthCode, found.RefreshToken = code, newRefreshToken(ctx)
		g = found
		return see(tx, s)
	})
	return orNotFound(g, err)
}

// GrantByRefreshToken takes a refresh token: it works once.
func (p *Provider) GrantByRefreshToken(ctx context.Context, token string) (g *goidc.Grant, err error) {
	err = p.db.Write(ctx, program, func(tx *db.Tx) error {
		g = nil
		row, err := db.One[struct {
			GrantID           string
			UsedAt, ExpiresAt time.Time
		}](tx.Across(), `SELECT grant_id, used_at, expires_at FROM idp_refresh_tokens WHERE sum = $1`, sumOf(token))
		if errors.Is(err, db.ErrNone) || (err == nil && !tx.Now.Before(row.ExpiresAt)) {
			return nil
		}
		if err != nil {
			return err
		}
		if !row.UsedAt.IsZero() {
			if tx.Now.Sub(row.UsedAt) <= hurry {
				return nil
			}
			return p.revokeGrant(tx, row.GrantID)
		}
		if _, err := tx.Across().Exec(`UPDATE idp_refresh_tokens SET used_at = $2 WHERE sum = $1`, sumOf(token), tx.Now); err != nil {
			return err
		}
		found, s, err := p.load(tx, row.GrantID)
		if errors.Is(err, goidc.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		g = found
		return see(tx, s)
	})
	return orNotFound(g, err)
}

func orNotFound(g *goidc.Grant, err error) (*goidc.Grant, error) {
	if err == nil && g == nil {
		return nil, goidc.ErrNotFound
	}
	return g, err
}

// SaveSession keeps nothing: what is asked for travels sealed with the pages,
// so that nobody can fill the database before signing in, and any instance
// can go on with it.
func (p *Provider) SaveSession(context.Context, *goidc.AuthnSession) error { return nil }

const pagePurpose = "sign-in page"

// sealed is a request on its way through the pages.
func (p *Provider) sealed(as *goidc.AuthnSession) (string, error) {
	content, err := json.Marshal(as)
	return p.vault.Seal("", pagePurpose, content), err
}

// Session opens a request that came back from a page.
func (p *Provider) Session(_ context.Context, id string) (*goidc.AuthnSession, error) {
	content, err := p.vault.Unseal("", pagePurpose, id)
	if err != nil {
		return nil, goidc.ErrNotFound
	}
	var as goidc.AuthnSession
	return &as, json.Unmarshal(content, &as)
}

package identity

import (
	"errors"

	"github.com/golang-jwt/jwt/v5"

	"saldo/internal/platform/db"
)

// logoutEvent is what a logout token must say happened (OpenID Connect
// Back-Channel Logout 1.0, section 2.4).
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// Logout is a provider's word that a session, or every session of a user, has ended.
type Logout struct {
	id      string
	Session string // empty: every session of the user
	Subject string
}

type logoutClaims struct {
	jwt.RegisteredClaims
	Session string         `json:"sid"`
	Events  map[string]any `json:"events"`
	Nonce   any            `json:"nonce"`
}

// VerifyLogout checks a logout token as Verify checks an access token: it must
// be made for our client, lately, of the kind that only a logout token is.
func (v *Verifier) VerifyLogout(token string) (Logout, error) {
	var claims logoutClaims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"ES256", "RS256", "PS256"}), jwt.WithIssuer(v.Issuer), jwt.WithAudience(Client),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(v.Clock))
	parsed, err := parser.ParseWithClaims(token, &claims, v.keyOf)
	_, event := claims.Events[logoutEvent].(map[string]any)
	switch {
	case err != nil:
		return Logout{}, ErrToken.Because(err)
	case parsed.Header["typ"] != "logout+jwt" || !event || claims.Nonce != nil:
		return Logout{}, ErrToken.Because(errors.New("not a logout token"))
	case claims.ID == "" || claims.Session == "" && claims.Subject == "":
		return Logout{}, ErrToken.Because(errors.New("names no session and no user, or has no id"))
	case claims.IssuedAt == nil || v.Clock().Sub(claims.IssuedAt.Time) > AccessLife+leeway:
		return Logout{}, ErrToken.Because(errors.New("made too long ago"))
	}
	return Logout{claims.ID, claims.Session, claims.Subject}, nil
}

// End makes the access tokens of what has ended worthless, once for each logout
// token: a token that comes again is refused, else whoever kept one could sign
// a user out for as long as it lives.
func (l Logout) End(tx *db.Tx, provider string) error {
	// kept among the revocations and as long as they are: longer than VerifyLogout accepts the token
	n, err := tx.Across().Exec(`INSERT INTO revocations (id, revoked_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, "jti:"+l.id, tx.Now)
	switch {
	case err != nil:
		return err
	case n == 0:
		return ErrToken.Because(errors.New("came again"))
	case l.Session != "":
		return RevokeSession(tx, l.Session)
	}
	return RevokeUser(tx, provider, l.Subject)
}

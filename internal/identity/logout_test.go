package identity_test

import (
	"context"
	"crypto"
	"errors"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const issuer = "https://saldo.example/auth/realms/saldo"

// ended is a logout token that is accepted; each case spoils one thing.
func ended(now time.Time) jwt.MapClaims {
	return jwt.MapClaims{"iss": issuer, "aud": "spa", "sub": "u1", "sid": "s1", "jti": "j1", "typ": "Logout",
		"iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}}
}

func TestOnlyAnHonestLogoutTokenIsAccepted(t *testing.T) {
	clock := testkit.NewClock()
	key, stranger := newKey(t), newKey(t)
	v := &identity.Verifier{Issuer: issuer, Clock: clock.Now, Key: func(id string) (crypto.PublicKey, bool) { return key.Public(), id == "k1" }}
	sign := func(with any, typ string, spoil func(jwt.MapClaims)) string {
		claims := ended(clock.Now())
		if spoil != nil {
			spoil(claims)
		}
		token := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
		token.Header["kid"], token.Header["typ"] = "k1", typ
		text, err := token.SignedString(with)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	made := func(spoil func(jwt.MapClaims)) string { return sign(key, "logout+jwt", spoil) }
	set := func(name string, value any) func(jwt.MapClaims) { return func(c jwt.MapClaims) { c[name] = value } }
	drop := func(names ...string) func(jwt.MapClaims) {
		return func(c jwt.MapClaims) {
			for _, n := range names {
				delete(c, n)
			}
		}
	}
	at := func(d time.Duration) int64 { return clock.Now().Add(d).Unix() }
	for name, token := range map[string]string{
		"as Keycloak writes it": made(nil),
		"of a user alone":       made(drop("sid")),
		"of a session alone":    made(drop("sub")),
		"made five minutes ago": made(set("iat", at(-5*time.Minute))),
	} {
		if _, err := v.VerifyLogout(token); err != nil {
			t.Errorf("%s: refused: %v", name, err)
		}
	}
	for name, token := range map[string]string{
		"nothing":                 "",
		"signed by a stranger":    sign(stranger, "logout+jwt", nil),
		"typed as another token":  sign(key, "JWT", nil),
		"of another issuer":       made(set("iss", "https://evil.example")),
		"for another client":      made(set("aud", "app-api")),
		"for nobody":              made(drop("aud")),
		"without an event":        made(drop("events")),
		"of another event":        made(set("events", map[string]any{"http://schemas.openid.net/event/other": map[string]any{}})),
		"with an event of a text": made(set("events", map[string]any{"http://schemas.openid.net/event/backchannel-logout": "yes"})),
		"with a nonce":            made(set("nonce", "n")),
		"of nobody":               made(drop("sid", "sub")),
		"without an id":           made(drop("jti")),
		"without its making":      made(drop("iat")),
		"made six minutes ago":    made(set("iat", at(-6*time.Minute))),
		"of the future":           made(set("iat", at(time.Minute))),
		"expired":                 made(set("exp", at(-time.Minute))),
		"without an end":          made(drop("exp")),
		"an access token": sign(key, "JWT", func(c jwt.MapClaims) {
			clear(c)
			for k, v := range good(clock.Now()) {
				c[k] = v
			}
		}),
	} {
		if _, err := v.VerifyLogout(token); !errors.Is(err, identity.ErrToken) {
			t.Errorf("%s: accepted, or failed otherwise: %v", name, err)
		}
	}
	if _, err := v.Verify(made(set("aud", "app-api"))); !errors.Is(err, identity.ErrToken) {
		t.Errorf("a logout token lets in: %v", err)
	}
}

func TestALogoutTokenEndsWhatItNamesOnce(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			o := newOffice(t, engine, access.Driver)
			key := newKey(t)
			v := &identity.Verifier{Issuer: issuer, Provider: identity.Embedded, Clock: o.clock.Now, Key: func(string) (crypto.PublicKey, bool) { return key.Public(), true }}
			// end says what comes of a logout token with these claims.
			end := func(claims jwt.MapClaims) error {
				token := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
				token.Header["typ"] = "logout+jwt"
				text, err := token.SignedString(key)
				if err != nil {
					t.Fatal(err)
				}
				l, err := v.VerifyLogout(text)
				if err != nil {
					t.Fatal(err)
				}
				return o.db.Write(context.Background(), access.Program("identity"), func(tx *db.Tx) error { return l.End(tx, v.Provider) })
			}
			in := func(session string) error {
				_, err := o.authenticate(context.Background(), o.tokenOf(t, session, "u1", access.Driver, time.Minute))
				return err
			}
			if err := end(ended(o.clock.Now())); err != nil {
				t.Fatal(err)
			}
			if err := in("s1"); !errors.Is(err, identity.ErrToken) {
				t.Errorf("the ended session is still in: %v", err)
			}
			if err := in("s2"); err != nil {
				t.Errorf("another session of the same user is out: %v", err)
			}
			all := ended(o.clock.Now())
			delete(all, "sid")
			all["jti"] = "j2"
			if err := end(all); err != nil {
				t.Fatal(err)
			}
			if err := in("s2"); !errors.Is(err, identity.ErrToken) {
				t.Errorf("the user is still in: %v", err)
			}
			o.clock.Pass(2 * time.Second)
			if err := in("s3"); err != nil {
				t.Errorf("who signed in anew is out: %v", err)
			}
			if err := end(all); !errors.Is(err, identity.ErrToken) {
				t.Errorf("the same logout token again: %v", err)
			}
			if err := in("s3"); err != nil {
				t.Errorf("a repeated logout token put somebody out: %v", err)
			}
		})
	}
}

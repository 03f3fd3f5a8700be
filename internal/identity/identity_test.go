package identity_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// good is a token that is accepted; each case spoils one thing.
func good(now time.Time) jwt.MapClaims {
	return jwt.MapClaims{"iss": "https://saldo.example/auth/realms/saldo", "aud": []string{"app-api", "account"}, "azp": "spa", "typ": "Bearer", "sub": "u1",
		"iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(), "realm_access": map[string]any{"roles": []string{"partner"}}}
}

func TestOnlyAnHonestTokenIsAccepted(t *testing.T) {
	clock := testkit.NewClock()
	key, stranger := newKey(t), newKey(t)
	v := &identity.Verifier{Issuer: "https://saldo.example/auth/realms/saldo", Clock: clock.Now, Key: func(id string) (crypto.PublicKey, bool) {
		return key.Public(), id == "k1"
	}}
	sign := func(method jwt.SigningMethod, with any, kid string, header string, spoil func(jwt.MapClaims)) string {
		claims := good(clock.Now())
		if spoil != nil {
			spoil(claims)
		}
		token := jwt.NewWithClaims(method, claims)
		token.Header["kid"] = kid
		if header != "" {
			token.Header["typ"] = header
		}
		text, err := token.SignedString(with)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	es := func(header string, spoil func(jwt.MapClaims)) string {
		return sign(jwt.SigningMethodES256, key, "k1", header, spoil)
	}
	set := func(name string, value any) func(jwt.MapClaims) { return func(c jwt.MapClaims) { c[name] = value } }
	drop := func(name string) func(jwt.MapClaims) { return func(c jwt.MapClaims) { delete(c, name) } }
	at := func(d time.Duration) int64 { return clock.Now().Add(d).Unix() }
	for name, token := range map[string]string{
		"as Keycloak writes it":           es("", nil),
		"typed by its header alone":       es("at+jwt", drop("typ")),
		"expired 20 seconds ago":          es("", set("exp", at(-20*time.Second))),
		"issued 20 seconds in the future": es("", set("iat", at(20*time.Second))),
	} {
		t.Run(name, func(t *testing.T) {
			if claims, err := v.Verify(token); err != nil || claims.Subject != "u1" || claims.Realm.Roles[0] != "partner" {
				t.Errorf("refused: %v", err)
			}
		})
	}
	public := key.PublicKey
	point, err := public.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"nothing":                   "",
		"not a token":               "a.b.c",
		"unsigned":                  sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "k1", "", nil),
		"HMAC with the public key":  sign(jwt.SigningMethodHS256, point, "k1", "", nil),
		"signed by a stranger":      sign(jwt.SigningMethodES256, stranger, "k1", "", nil),
		"of an unknown key":         sign(jwt.SigningMethodES256, key, "k2", "", nil),
		"of another issuer":         es("", set("iss", "https://evil.example")),
		"for another audience":      es("", set("aud", "somebody")),
		"for nobody":                es("", drop("aud")),
		"for another client":        es("", set("azp", "evil")),
		"an ID token":               es("", set("typ", "ID")),
		"a refresh token":           es("", set("typ", "Refresh")),
		"a logout token":            es("", set("typ", "Logout")),
		"without a type":            es("", drop("typ")),
		"expired":                   es("", set("exp", at(-31*time.Second))),
		"without an end":            es("", drop("exp")),
		"of the future":             es("", set("iat", at(31*time.Second))),
		"not valid yet":             es("", set("nbf", at(31*time.Second))),
		"without a subject":         es("", drop("sub")),
		"changed after it was made": tampered(es("", nil)),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := v.Verify(token); !errors.Is(err, identity.ErrToken) {
				t.Errorf("accepted, or failed otherwise: %v", err)
			}
		})
	}
}

func tampered(token string) string {
	parts := strings.Split(token, ".")
	return parts[0] + "." + parts[1][:len(parts[1])-2] + "xx." + parts[2]
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// office is one member of one partner and the way in.
type office struct {
	db           *db.DB
	key          *ecdsa.PrivateKey
	clock        *testkit.Clock
	member       identity.Member
	authenticate func(context.Context, string) (access.Actor, error)
}

var north = access.ProgramFor("north", "test")

func newOffice(t *testing.T, engine string, role access.Role) office {
	t.Helper()
	o := office{clock: testkit.NewClock(), member: identity.Member{ID: "m1", Issuer: identity.Embedded, Subject: "u1", Role: role, Name: "Anna", Email: "a@x.example"}}
	s := testkit.Settings(t, engine)
	s.Clock = o.clock.Now
	o.db = testkit.Open(t, s)
	o.key = newKey(t)
	testkit.Write(t, o.db, north, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO partners (tenant_id, code, name, color, logo, demo, created_at)
			VALUES ($1, 'n', 'N', '#000000', '', FALSE, '')`); err != nil {
			return err
		}
		return identity.AddMember(tx, o.member)
	})
	o.authenticate = identity.Authenticate(o.db, &identity.Verifier{Issuer: identity.Embedded, Provider: identity.Embedded, Key: func(string) (crypto.PublicKey, bool) { return o.key.Public(), true }, Clock: o.db.Now})
	return o
}

func (o office) token(t *testing.T, subject string, role access.Role, life time.Duration) string {
	t.Helper()
	return o.tokenOf(t, "a session", subject, role, life)
}

func (o office) tokenOf(t *testing.T, session, subject string, role access.Role, life time.Duration) string {
	t.Helper()
	claims := good(o.clock.Now())
	claims["sid"] = session
	claims["iss"], claims["sub"], claims["exp"] = identity.Embedded, subject, o.clock.Now().Add(life).Unix()
	claims["realm_access"] = map[string]any{"roles": []string{string(role)}}
	token, err := jwt.NewWithClaims(jwt.SigningMethodES256, claims).SignedString(o.key)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestAMemberWhoIsShutOutIsOutWithinAMinute(t *testing.T) {
	o := newOffice(t, "sqlite", access.Partner)
	token := o.token(t, "u1", access.Partner, 10*time.Minute)
	for range 2 { // the second time from memory
		if actor, err := o.authenticate(context.Background(), token); err != nil || actor.ID != "m1" {
			t.Fatalf("%+v %v", actor, err)
		}
	}
	testkit.Write(t, o.db, north, func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM members WHERE tenant_id = $1`)
		return err
	})
	o.clock.Pass(time.Minute)
	if actor, err := o.authenticate(context.Background(), token); !errors.Is(err, identity.ErrStranger) {
		t.Errorf("still in: %+v %v", actor, err)
	}
}

func TestATokenKeptInMemoryStillExpires(t *testing.T) {
	o := newOffice(t, "sqlite", access.Partner)
	token := o.token(t, "u1", access.Partner, 10*time.Second)
	o.clock.Pass(39 * time.Second) // one second of the leeway left
	if _, err := o.authenticate(context.Background(), token); err != nil {
		t.Fatal(err)
	}
	o.clock.Pass(2 * time.Second)
	if actor, err := o.authenticate(context.Background(), token); !errors.Is(err, identity.ErrToken) {
		t.Errorf("an expired token still gives %+v %v", actor, err)
	}
}

func TestARoleMustBeHeldByTheTokenAndByTheMember(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			o := newOffice(t, engine, access.Driver)
			as := func(subject, role string) (access.Actor, error) {
				return o.authenticate(context.Background(), o.token(t, subject, access.Role(role), time.Minute))
			}
			if actor, err := as("u1", "driver"); err != nil || actor.Tenant != "north" || actor.Role != access.Driver || actor.ID != "m1" {
				t.Errorf("%+v %v", actor, err)
			}
			if actor, err := as("u2", "driver"); err != nil || actor.Tenant != "" || actor.Person == "" || actor.Role != access.Driver {
				t.Errorf("a driver without a partner: %+v %v", actor, err)
			}
			for _, c := range [][2]string{{"u1", "partner"}, {"u2", "partner"}, {"u1", "system"}} {
				if actor, err := as(c[0], c[1]); !errors.Is(err, identity.ErrStranger) {
					t.Errorf("%v came in as %+v: %v", c, actor, err)
				}
			}
		})
	}
}

func TestAnEndedSessionStaysEndedAsLongAsItsTokensLive(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			o := newOffice(t, engine, access.Partner)
			token := o.tokenOf(t, "s1", "u1", access.Partner, identity.LongestLife)
			if _, err := o.authenticate(context.Background(), token); err != nil {
				t.Fatal(err)
			}
			testkit.Write(t, o.db, access.Program("test"), func(tx *db.Tx) error { return identity.RevokeSession(tx, "s1") })
			for _, passed := range []time.Duration{time.Minute, 10 * time.Minute, 23 * time.Hour} {
				o.clock.Pass(passed)
				testkit.Write(t, o.db, access.Program("test"), identity.SweepRevocations)
				if actor, err := o.authenticate(context.Background(), token); !errors.Is(err, identity.ErrToken) {
					t.Errorf("after %v: %+v %v", passed, actor, err)
				}
			}
		})
	}
}

package identity

import (
	"context"
	"crypto"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/fault"
)

// ErrToken is the answer to a token that proves nothing, whatever is wrong with it.
var ErrToken = fault.Declare(fault.Unauthenticated, "identity.token_refused")

// Issuer is who signs this instance's own tokens. Audience is who tokens must
// be made for; Client is who may ask for them.
const (
	Issuer   = "urn:saldo"
	Audience = "app-api"
	Client   = "spa"
)

const leeway = 30 * time.Second

// Claims are what Saldo reads from an access token, as Keycloak writes them.
type Claims struct {
	jwt.RegisteredClaims
	Type   string `json:"typ"`
	Client string `json:"azp"`
	Realm  struct {
		Roles []string `json:"roles"`
	} `json:"realm_access"`
}

// Verifier accepts the tokens of one issuer.
type Verifier struct {
	Issuer string
	Key    func(id string) (crypto.PublicKey, bool)
	Clock  func() time.Time
}

// Verify checks signature, algorithm, issuer, audience, client, type and
// times. Every failure is ErrToken; the reason is only for the log.
func (v *Verifier) Verify(token string) (Claims, error) {
	var claims Claims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"ES256", "RS256", "PS256"}), jwt.WithIssuer(v.Issuer), jwt.WithAudience(Audience),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(v.Clock))
	parsed, err := parser.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) {
		id, _ := t.Header["kid"].(string)
		if key, ok := v.Key(id); ok {
			return key, nil
		}
		return nil, errors.New("unknown key")
	})
	switch {
	case err != nil:
		return Claims{}, ErrToken.Because(err)
	case claims.Subject == "":
		return Claims{}, ErrToken.Because(errors.New("no subject"))
	case claims.Client != Client:
		return Claims{}, ErrToken.Because(errors.New("made for another client"))
	case claims.Type != "Bearer" && !(claims.Type == "" && parsed.Header["typ"] == "at+jwt"):
		return Claims{}, ErrToken.Because(errors.New("not an access token"))
	}
	return claims, nil
}

// Authenticate makes the step of the request from token to actor. The role
// must be held both in the token and by the member. What was found for a token
// is believed for half a minute, so a member who is shut out is out by then.
func Authenticate(d *db.DB, v *Verifier) func(context.Context, string) (access.Actor, error) {
	known := &cache{}
	return func(ctx context.Context, token string) (access.Actor, error) {
		sum := sha256.Sum256([]byte(token))
		if actor, ok := known.find(sum, v.Clock()); ok {
			return actor, nil
		}
		claims, err := v.Verify(token)
		if err != nil {
			return access.Actor{}, err
		}
		actor, err := actorOf(ctx, d, claims)
		if err == nil {
			until := v.Clock().Add(believed)
			if end := claims.ExpiresAt.Add(leeway); end.Before(until) {
				until = end
			}
			known.keep(sum, actor, until)
		}
		return actor, err
	}
}

func actorOf(ctx context.Context, d *db.DB, claims Claims) (actor access.Actor, err error) {
	err = d.Read(ctx, access.Program("identity"), func(tx *db.Tx) error {
		m, err := memberOf(tx, claims.Issuer, claims.Subject)
		if errors.Is(err, db.ErrNone) || (err == nil && !slices.Contains(claims.Realm.Roles, string(m.Role))) {
			return ErrToken.Because(errors.New("nobody we know in this role"))
		}
		actor = access.Actor{Role: m.Role, Tenant: m.TenantID, ID: m.ID, Name: m.Name}
		return err
	})
	return actor, err
}

const (
	believed = 30 * time.Second
	cached   = 4096
)

// cache holds who tokens belong to, by the tokens' sums.
type cache struct {
	mu     sync.Mutex
	actors map[[sha256.Size]byte]belief
}

type belief struct {
	actor access.Actor
	until time.Time
}

func (c *cache) find(sum [sha256.Size]byte, now time.Time) (access.Actor, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.actors[sum]
	return b.actor, ok && now.Before(b.until)
}

func (c *cache) keep(sum [sha256.Size]byte, actor access.Actor, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.actors == nil {
		c.actors = map[[sha256.Size]byte]belief{}
	}
	for old := range c.actors { // in no order: whoever it hits is only asked for again
		if len(c.actors) < cached {
			break
		}
		delete(c.actors, old)
	}
	c.actors[sum] = belief{actor, until}
}

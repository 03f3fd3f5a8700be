package identity

import (
	"cmp"
	"context"
	"crypto"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

// ErrToken is the answer to a token that proves nothing, whatever is wrong with it.
var ErrToken = fault.Declare(fault.Unauthenticated, "identity.token_refused")

// ErrStranger is the answer to somebody whose token is good and who is neither
// a partner's person nor a driver.
var ErrStranger = fault.Declare(fault.Forbidden, "identity.stranger")

// Embedded is the name under which users of the embedded provider are known.
// It outlives a change of the public address, which its issuer does not.
const Embedded = "urn:saldo"

// Audience is who tokens must be made for; Client is who may ask for them.
const (
	Audience = "app-api"
	Client   = "spa"
)

const leeway = 30 * time.Second

// Claims are what Saldo reads from an access token, as Keycloak writes them.
type Claims struct {
	jwt.RegisteredClaims
	Type          string `json:"typ"`
	Client        string `json:"azp"`
	Session       string `json:"sid"`
	SignedInAt    int64  `json:"auth_time"`
	Email         string `json:"email"`
	Verified      bool   `json:"email_verified"`
	FirstName     string `json:"given_name"`
	LastName      string `json:"family_name"`
	PartnerCode   string `json:"partner_code"`
	ReferenceID   string `json:"reference_id"`
	ReferenceLink string `json:"reference_link"`
	Realm         struct {
		Roles []string `json:"roles"`
	} `json:"realm_access"`
}

func (c Claims) role() access.Role {
	for _, role := range []access.Role{access.Partner, access.Driver} { // Keycloak makes everybody a driver too
		if slices.Contains(c.Realm.Roles, string(role)) {
			return role
		}
	}
	return ""
}

func (c Claims) name() string { return strings.TrimSpace(c.FirstName + " " + c.LastName) }

func (c Claims) proof(provider string) access.Proof {
	p := access.Proof{Issuer: provider, Subject: c.Subject, Email: c.Email, Verified: c.Verified, FirstName: c.FirstName, LastName: c.LastName,
		ReferenceID: c.ReferenceID, ReferenceLink: c.ReferenceLink}
	if c.SignedInAt > 0 {
		p.SignedInAt = time.Unix(c.SignedInAt, 0)
	}
	return p
}

// PersonOf is the tenant of what belongs to one driver alone.
func PersonOf(provider, subject string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(provider+"\n"+subject)).String()
}

// Verifier accepts the tokens of one issuer.
type Verifier struct {
	Issuer   string
	Provider string // the name under which its users are known
	Key      func(id string) (crypto.PublicKey, bool)
	Clock    func() time.Time
}

// Verify checks signature, algorithm, issuer, audience, client, type and
// times. Every failure is ErrToken; the reason is only for the log. A token
// that lives longer than revocations are remembered would come back to life.
func (v *Verifier) Verify(token string) (Claims, error) {
	var claims Claims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"ES256", "RS256", "PS256"}), jwt.WithIssuer(v.Issuer), jwt.WithAudience(Audience),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(v.Clock))
	parsed, err := parser.ParseWithClaims(token, &claims, v.keyOf)
	switch {
	case err != nil:
		return Claims{}, ErrToken.Because(err)
	case claims.Subject == "":
		return Claims{}, ErrToken.Because(errors.New("no subject"))
	case claims.IssuedAt == nil || claims.ExpiresAt.Sub(claims.IssuedAt.Time) > LongestLife:
		return Claims{}, ErrToken.Because(errors.New("made at no time, or for longer than a day"))
	case claims.SignedInAt > v.Clock().Add(leeway).Unix(): // it would stay fresh for ever
		return Claims{}, ErrToken.Because(errors.New("signed in in the future"))
	case claims.Client != Client:
		return Claims{}, ErrToken.Because(errors.New("made for another client"))
	case claims.Type != "Bearer" && !(claims.Type == "" && parsed.Header["typ"] == "at+jwt"):
		return Claims{}, ErrToken.Because(errors.New("not an access token"))
	}
	return claims, nil
}

func (v *Verifier) keyOf(t *jwt.Token) (any, error) {
	id, _ := t.Header["kid"].(string)
	if key, ok := v.Key(id); ok {
		return key, nil
	}
	return nil, errors.New("unknown key")
}

// Authenticate makes the step of the request from token to actor. A partner's
// person who was found for a token is believed for half a minute, so whoever is
// shut out is out by then. A driver is looked up every time: the partner they
// have just chosen must be theirs at once.
func Authenticate(d *db.DB, v *Verifier) func(context.Context, string) (access.Actor, error) {
	known := &cache{}
	return func(ctx context.Context, token string) (access.Actor, error) {
		sum := sha256.Sum256([]byte(token))
		b, ok := known.find(sum, v.Clock())
		if ok && b.actor.Role == access.Partner {
			return b.actor, nil
		}
		claims := b.claims
		if !ok {
			var err error
			if claims, err = v.Verify(token); err != nil {
				return access.Actor{}, err
			}
		}
		actor, err := actorOf(ctx, d, v.Provider, claims)
		if err == nil {
			until := v.Clock().Add(believed)
			if end := claims.ExpiresAt.Add(leeway); end.Before(until) {
				until = end
			}
			known.keep(sum, belief{actor, claims, until})
		}
		return actor, err
	}
}

func actorOf(ctx context.Context, d *db.DB, provider string, claims Claims) (actor access.Actor, err error) {
	role := claims.role()
	var invited *Member
	err = d.Read(ctx, access.Program("identity"), func(tx *db.Tx) error {
		if out, err := revoked(tx, provider, claims); out || err != nil {
			return cmp.Or(err, error(ErrToken.Because(errors.New("revoked"))))
		}
		actor = access.Actor{Role: role, Name: claims.name(), Proof: claims.proof(provider)}
		if role == access.Driver {
			actor.Person = PersonOf(provider, claims.Subject)
			actor.ID = actor.Person
		}
		m, err := memberOf(tx, provider, claims.Subject)
		switch {
		case err == nil && m.Role == role && m.State == Invited:
			invited = &m
			return nil
		case err == nil && m.Role == role && m.State == Active:
			actor.Tenant, actor.ID, actor.Name = m.TenantID, m.ID, m.Name
			return nil
		case errors.Is(err, db.ErrNone) && role == access.Driver:
			return nil
		case err != nil && !errors.Is(err, db.ErrNone):
			return err
		}
		return ErrStranger
	})
	if err == nil && invited != nil {
		return firstVisit(ctx, d, actor, *invited)
	}
	if errors.Is(err, ErrStranger) && role == access.Partner && claims.PartnerCode != "" {
		return join(ctx, d, provider, claims)
	}
	return actor, err
}

// firstVisit lets in an invited person, whose invitation is used up by it.
func firstVisit(ctx context.Context, d *db.DB, actor access.Actor, m Member) (access.Actor, error) {
	err := d.Write(ctx, access.ProgramFor(m.TenantID, "identity"), func(tx *db.Tx) error {
		if in, err := arrive(tx, m); err != nil || in {
			return err
		}
		// somebody was faster: another request of the same person, or whoever withdrew the invitation
		if now, err := PersonByID(tx, m.ID); err != nil || now.State != Active {
			return cmp.Or(err, error(ErrStranger))
		}
		return nil
	})
	actor.Tenant, actor.ID, actor.Name = m.TenantID, m.ID, m.Name
	return actor, err
}

// join lets in a partner's person whom an operator made at the identity
// provider, with the partner's code, on their first visit.
func join(ctx context.Context, d *db.DB, provider string, claims Claims) (actor access.Actor, err error) {
	err = d.Write(ctx, access.Program("identity"), func(tx *db.Tx) error {
		tenant, err := db.One[string](tx.Across(), `SELECT tenant_id FROM partners WHERE code = $1`, claims.PartnerCode)
		if errors.Is(err, db.ErrNone) {
			return ErrStranger
		}
		if err != nil {
			return err
		}
		id := tx.NewID()
		n, err := tx.Across().Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at, state_since)
			VALUES ($1, $2, $3, $4, 'partner', $5, $6, $7, $7) ON CONFLICT DO NOTHING`,
			tenant, id, provider, claims.Subject, cmp.Or(claims.name(), claims.Email), strings.ToLower(claims.Email), tx.Now)
		if err == nil && n == 0 {
			return ErrStranger
		}
		actor = access.Actor{Role: access.Partner, Tenant: tenant, ID: id, Name: claims.name(), Proof: claims.proof(provider)}
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
	mu      sync.Mutex
	beliefs map[[sha256.Size]byte]belief
}

type belief struct {
	actor  access.Actor
	claims Claims
	until  time.Time
}

func (c *cache) find(sum [sha256.Size]byte, now time.Time) (belief, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.beliefs[sum]
	if !ok || !now.Before(b.until) {
		return belief{}, false
	}
	return b, true
}

func (c *cache) keep(sum [sha256.Size]byte, b belief) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.beliefs == nil {
		c.beliefs = map[[sha256.Size]byte]belief{}
	}
	for old := range c.beliefs { // in no order: whoever it hits is only asked for again
		if len(c.beliefs) < cached {
			break
		}
		delete(c.beliefs, old)
	}
	c.beliefs[sum] = b
}

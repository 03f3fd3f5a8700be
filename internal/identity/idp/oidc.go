package idp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/luikyv/go-oidc/pkg/goidc"
	"github.com/luikyv/go-oidc/pkg/provider"

	"saldo/internal/identity"
	"saldo/internal/platform/db"
)

const connect = "/protocol/openid-connect"

// protocol wires the OpenID Connect library: the code flow with PKCE for one
// public client, refresh tokens that turn at each use, and nothing else.
func (p *Provider) protocol() (http.Handler, error) {
	app := p.settings.PublicURL + "/app/"
	client := &goidc.Client{ID: identity.Client, ClientMeta: goidc.ClientMeta{
		Name: "Saldo", RedirectURIs: []string{app, app + "silent-check-sso.html"}, PostLogoutRedirectURIs: []string{app},
		GrantTypes:       []goidc.GrantType{goidc.GrantAuthorizationCode, goidc.GrantRefreshToken},
		ResponseTypes:    []goidc.ResponseType{goidc.ResponseTypeCode},
		ScopeIDs:         "openid profile email offline_access",
		TokenAuthnMethod: goidc.AuthnMethodNone, TokenRevocationAuthnMethod: goidc.AuthnMethodNone,
	}}
	op, err := provider.New(
		provider.Config{Issuer: p.issuer, Manager: p, JWKS: p.keys.set, IDTokenAlgs: []goidc.SignatureAlgorithm{goidc.SigAlgRS256}},
		provider.WithAuthorizeEndpoint(connect+"/auth"), provider.WithTokenEndpoint(connect+"/token"),
		provider.WithJWKSEndpoint(connect+"/certs"), provider.WithUserInfoEndpoint(connect+"/userinfo"),
		provider.WithNoneAuthn(), provider.WithStaticClients(client), provider.WithLocalhostRedirectURIs(),
		provider.WithScopes(goidc.ScopeOpenID, goidc.ScopeProfile, goidc.ScopeEmail, goidc.ScopeOfflineAccess),
		provider.WithAuthCodeGrant(provider.AuthCodeGrantConfig{Manager: p, ResponseTypes: []goidc.ResponseType{goidc.ResponseTypeCode}},
			provider.WithPKCE([]goidc.CodeChallengeMethod{goidc.CodeChallengeMethodSHA256}, provider.WithPKCERequired()),
			provider.WithIssuerResponseParameter(), provider.WithAuthCodeLifetime(int(codeLife.Seconds())),
			provider.WithAuthCodeFunc(func(context.Context) string { return secret() }),
			provider.WithAuthPolicies(goidc.NewPolicy("browser", p.arrive, p.pass))),
		provider.WithAuthSessionLifetime(int(pageLife.Seconds())),
		provider.WithRefreshTokenGrant(p, provider.WithRefreshTokenRotation(), provider.WithRefreshTokenLifetime(int(idle.Seconds())),
			provider.WithRefreshTokenFunc(newRefreshToken),
			provider.WithRefreshTokenShouldIssue(func(context.Context, *goidc.Client, *goidc.Grant) bool { return true })),
		provider.WithTokenOptions(func(context.Context, *goidc.Grant, *goidc.Client) goidc.TokenOptions {
			return goidc.NewJWTTokenOptions(goidc.SigAlgRS256, int(identity.AccessLife.Seconds()))
		}),
		provider.WithIDTokenLifetime(int(identity.AccessLife.Seconds())),
		provider.WithTokenClaims(p.accessClaims), provider.WithIDTokenClaims(p.idClaims), provider.WithUserInfoClaims(userClaims),
		provider.WithTokenRevocation(func(context.Context, *goidc.Client) bool { return true },
			provider.WithTokenRevocationEndpoint(connect+"/revoke")),
		provider.WithErrorRenderer(p.refuse),
		provider.WithErrorHandler(func(_ context.Context, err error) {
			p.settings.Log.Debug("a sign-in request was refused", "error", err)
		}),
		provider.WithJTIConsumer(func(context.Context, string) error { return errors.New("no client signs anything here") }),
	)
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	return op.Handler(), nil
}

// discovery serves the description of the realm where clients look for it,
// with the end of sessions that is served beside the library.
func (p *Provider) discovery(protocol http.Handler) (http.HandlerFunc, error) {
	ask, err := http.NewRequest(http.MethodGet, p.settings.PublicURL+"/.well-known/openid-configuration"+p.path, nil)
	if err != nil {
		return nil, err
	}
	answer := &written{head: http.Header{}}
	protocol.ServeHTTP(answer, ask)
	var described map[string]any
	if err := json.Unmarshal(answer.Bytes(), &described); err != nil {
		return nil, fmt.Errorf("identity provider: its description: %w", err)
	}
	described["end_session_endpoint"] = p.issuer + connect + "/logout"
	content, err := json.Marshal(described)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(content)
	}, err
}

// written keeps an answer that is meant for nobody outside.
type written struct {
	bytes.Buffer
	head http.Header
}

func (w *written) Header() http.Header { return w.head }
func (w *written) WriteHeader(int)     {}

// claims are what tokens say of the user of a session, as Keycloak says it. A
// user who was shut out is db.ErrNone.
func (p *Provider) claims(tx *db.Tx, s session) (map[string]any, error) {
	u, err := userByID(tx, s.UserID)
	if err == nil && !u.Enabled {
		err = db.ErrNone
	}
	if err != nil {
		return nil, err
	}
	roles, err := rolesOf(tx, u.ID)
	if err != nil {
		return nil, err
	}
	attributes, err := attributesOf(tx, u.ID)
	if err != nil {
		return nil, err
	}
	roles = append(roles, "default-roles-"+p.settings.Realm, "offline_access", "uma_authorization")
	claims := map[string]any{"email": u.Email, "email_verified": u.Verified, "preferred_username": u.Email, "name": u.name(),
		"given_name": u.FirstName, "family_name": u.LastName, "realm_access": map[string]any{"roles": roles}}
	for _, name := range []string{identity.PartnerCode, identity.ReferenceID, identity.ReferenceLink} {
		if attributes[name] != "" {
			claims[name] = attributes[name]
		}
	}
	return claims, nil
}

func userClaims(_ context.Context, g *goidc.Grant) map[string]any {
	claims, _ := g.Store[storeClaims].(map[string]any)
	return maps.Clone(claims)
}

func (p *Provider) accessClaims(ctx context.Context, _ *goidc.Token, g *goidc.Grant) map[string]any {
	claims := map[string]any{"aud": []string{identity.Audience, "account"}, "azp": g.ClientID, "typ": "Bearer", "acr": "1",
		"sid": g.Store[storeSession], "auth_time": whole(g.Store[storeSignedIn]), "allowed-origins": []string{p.settings.PublicURL}}
	maps.Copy(claims, userClaims(ctx, g))
	return claims
}

func (p *Provider) idClaims(ctx context.Context, g *goidc.Grant) map[string]any {
	claims := map[string]any{"azp": g.ClientID, "typ": "ID", "acr": "1", "sid": g.Store[storeSession],
		"auth_time": whole(g.Store[storeSignedIn])}
	maps.Copy(claims, userClaims(ctx, g))
	return claims
}

// whole undoes what JSON does to numbers.
func whole(v any) int64 {
	switch n := v.(type) {
	case float64:
		return int64(n)
	case int64:
		return n
	}
	return 0
}

// refuse shows a request that cannot be answered by going back to the client.
func (p *Provider) refuse(w http.ResponseWriter, r *http.Request, err error) error {
	status := http.StatusBadRequest
	var reply goidc.Error
	if !errors.As(err, &reply) {
		status = http.StatusInternalServerError
		p.settings.Log.Error("the identity provider failed", "error", err)
	}
	p.show(w, r, status, page{Name: "message", Title: "idp:refused.title", Text: "idp:refused.text", Again: true})
	return nil
}

// returning carries what is added to the way back to the client.
type returning struct{ params url.Values }

type returningKey struct{}

func returningOf(ctx context.Context) *returning {
	r, _ := ctx.Value(returningKey{}).(*returning)
	if r == nil {
		r = &returning{}
	}
	if r.params == nil {
		r.params = url.Values{}
	}
	return r
}

// dressed adds to redirects what Keycloak adds and the library does not know:
// session_state and the outcome of an action.
func (p *Provider) dressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		back := &returning{params: url.Values{}}
		next.ServeHTTP(&dresser{w, back}, r.WithContext(context.WithValue(r.Context(), returningKey{}, back)))
	})
}

type dresser struct {
	http.ResponseWriter
	back *returning
}

func (d *dresser) WriteHeader(status int) {
	if location := d.Header().Get("Location"); location != "" && len(d.back.params) > 0 {
		if at, err := url.Parse(location); err == nil {
			if at.Fragment != "" {
				d.Header().Set("Location", location+"&"+d.back.params.Encode())
			} else {
				sign := "?"
				if strings.Contains(location, "?") {
					sign = "&"
				}
				d.Header().Set("Location", location+sign+d.back.params.Encode())
			}
		}
	}
	d.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (d *dresser) Unwrap() http.ResponseWriter { return d.ResponseWriter }

// registrations is the way in for people who have no account yet.
func (p *Provider) registrations(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r2 := r.Clone(context.WithValue(r.Context(), registeringKey{}, true))
		r2.URL.Path = p.path + connect + "/auth"
		next.ServeHTTP(w, r2)
	}
}

type registeringKey struct{}

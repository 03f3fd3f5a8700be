package keycloak_test

import (
	"context"
	"crypto"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/identity"
	"saldo/internal/identity/keycloak"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

const issuer = public + "/auth/realms/saldo"

func TestKeycloakSaysThatASessionHasEnded(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		_, key := rsaKey(t, "k1", "sig")
		v := &identity.Verifier{Issuer: issuer, Provider: issuer, Clock: d.Now, Key: func(id string) (crypto.PublicKey, bool) { return key.Public(), id == "k1" }}
		r := web.NewRouter(web.Settings{DB: d, Log: quiet, Metrics: prometheus.NewRegistry()})
		keycloak.BackchannelLogout(r, d, v, quiet)
		saldo := r.Handler()
		sign := func(typ string, claims jwt.MapClaims) string {
			claims["iss"], claims["iat"], claims["exp"] = issuer, d.Now().Unix(), d.Now().Add(time.Minute).Unix()
			token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
			token.Header["kid"], token.Header["typ"] = "k1", typ
			text, err := token.SignedString(key)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		logout := func(jti string) string {
			return sign("logout+jwt", jwt.MapClaims{"aud": "spa", "sub": "u1", "sid": "s1", "jti": jti,
				"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}})
		}
		post := func(form url.Values) *httptest.ResponseRecorder {
			rq := httptest.NewRequest(http.MethodPost, "/api/oidc/backchannel-logout", strings.NewReader(form.Encode()))
			rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			saldo.ServeHTTP(w, rq)
			if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Connection") != "close" {
				t.Errorf("answer or connection may be kept: %v", w.Header())
			}
			return w
		}
		access := sign("JWT", jwt.MapClaims{"aud": "app-api", "azp": "spa", "typ": "Bearer", "sub": "u1", "sid": "s1", "realm_access": map[string]any{"roles": []string{"driver"}}})
		authenticate := identity.Authenticate(d, v)
		if _, err := authenticate(context.Background(), access); err != nil {
			t.Fatal(err)
		}
		for name, form := range map[string]url.Values{
			"nothing":         {},
			"no token":        {"logout_token": {"a.b.c"}},
			"an access token": {"logout_token": {access}},
		} {
			if w := post(form); w.Code != http.StatusBadRequest {
				t.Errorf("%s: %d", name, w.Code)
			}
		}
		long := url.Values{"logout_token": {logout("j0")}, "more": {strings.Repeat("x", 65<<10)}}
		if w := post(long); w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("more than is allowed: %d", w.Code)
		}
		if _, err := authenticate(context.Background(), access); err != nil {
			t.Fatalf("put out by a bad logout token: %v", err)
		}
		if w := post(url.Values{"logout_token": {logout("j1")}}); w.Code != http.StatusOK {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if _, err := authenticate(context.Background(), access); !errors.Is(err, identity.ErrToken) {
			t.Errorf("still in: %v", err)
		}
		if w := post(url.Values{"logout_token": {logout("j1")}}); w.Code != http.StatusBadRequest {
			t.Errorf("the same again: %d", w.Code)
		}
	})
}

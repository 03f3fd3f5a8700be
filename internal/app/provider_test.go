package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"saldo/internal/identity"
	"saldo/internal/platform/config"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// program opens the program with settings over the defaults.
func program(t *testing.T, set map[string]string) *App {
	t.Helper()
	folder := testkit.Settings(t, "sqlite").Folder // migrated already
	s, err := config.Read(func(name string) (string, bool) {
		if name == "SALDO_DATA" {
			return folder, true
		}
		v, ok := set[name]
		return v, ok
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := vault.CreateKeyFile(KeyFile(s)); err != nil {
		t.Fatal(err)
	}
	a, err := Open(context.Background(), s, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// way is the way into the program.
func (a *App) way(t *testing.T) func(method, path string) *httptest.ResponseRecorder {
	t.Helper()
	r, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	return func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r.Handler().ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w
	}
}

func TestSaldoStartsWithoutItsKeycloakAndSaysThatItWaits(t *testing.T) {
	certs := `{"keys":[{"kid":"k1","kty":"RSA","use":"sig","alg":"RS256","e":"AQAB","n":"` + strings.Repeat("u7vM", 85) + `uw"}]}`
	keycloak := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		if rq.URL.Path == "/auth/realms/saldo/protocol/openid-connect/certs" {
			_, _ = w.Write([]byte(certs))
		}
	}))
	t.Cleanup(keycloak.Close)
	a := program(t, map[string]string{"SALDO_IDP_UPSTREAM": keycloak.URL, "SALDO_IDP_ADMIN_CLIENT_SECRET": "s"})
	ask := a.way(t)
	if w := ask(http.MethodGet, "/healthz"); w.Code != http.StatusOK {
		t.Errorf("dead: %d", w.Code)
	}
	if w := ask(http.MethodGet, "/readyz"); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "Keycloak") {
		t.Errorf("ready without keys: %d %s", w.Code, w.Body)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); a.provider.run(ctx) }()
	testkit.Eventually(t, "the keys of Keycloak", a.provider.ready)
	cancel()
	<-ended
	if w := ask(http.MethodGet, "/readyz"); w.Code != http.StatusOK {
		t.Errorf("not ready with keys: %d %s", w.Code, w.Body)
	}
}

func TestTheIdentityProviderIsWhatTheSettingsSay(t *testing.T) {
	for name, c := range map[string]struct {
		set              map[string]string
		issuer, provider string
		shows, hears     bool
	}{
		"none": {nil, "http://localhost:8080/auth/realms/saldo", identity.Embedded, true, false},
		"a Keycloak behind Saldo": {map[string]string{"SALDO_IDP_UPSTREAM": "http://127.0.0.1:1", "SALDO_IDP_ADMIN_CLIENT_SECRET": "s"},
			"http://localhost:8080/auth/realms/saldo", "http://localhost:8080/auth/realms/saldo", true, true},
		"a Keycloak elsewhere": {map[string]string{"SALDO_OIDC_ISSUER": "http://127.0.0.1:1/realms/saldo", "SALDO_IDP_ADMIN_CLIENT_SECRET": "s"},
			"http://127.0.0.1:1/realms/saldo", "http://127.0.0.1:1/realms/saldo", false, true},
	} {
		a := program(t, c.set)
		if v := a.provider.verifier; v.Issuer != c.issuer || v.Provider != c.provider {
			t.Errorf("%s: %s known as %s", name, v.Issuer, v.Provider)
		}
		ask := a.way(t)
		for path, want := range map[string]bool{"GET /auth/realms/saldo/account/": c.shows, "POST /api/oidc/backchannel-logout": c.hears} {
			method, address, _ := strings.Cut(path, " ")
			w := ask(method, address)
			if got := w.Code != http.StatusNotFound; got != want {
				t.Errorf("%s: %s answers %d", name, path, w.Code)
			}
		}
	}
}

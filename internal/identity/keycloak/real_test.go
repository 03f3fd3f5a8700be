//go:build keycloak

package keycloak_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"saldo/internal/identity/keycloak"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

func TestARealKeycloakManagesPeople(t *testing.T) {
	testkit.AdminContract(t, func(t *testing.T) testkit.Provider {
		k := testkit.NewKeycloak(t)
		upstream, err := url.Parse(k.URL)
		if err != nil {
			t.Fatal(err)
		}
		at, err := url.Parse(k.Public)
		if err != nil {
			t.Fatal(err)
		}
		mux := http.NewServeMux()
		mux.Handle("/auth/", keycloak.Proxy(upstream, at, "saldo", i18n.Polish, quiet))
		// as BackchannelLogout, so that Keycloak does not try the next test's server on this one's connection
		mux.HandleFunc("POST /api/oidc/backchannel-logout", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
		k.Serve(mux)
		return testkit.Provider{
			Admin:  keycloak.NewClient(keycloak.Realm{Base: k.URL + "/auth", Name: "saldo", ClientID: "app-backend", ClientSecret: k.Secret}, time.Now),
			Public: k.Public,
			Mails:  k.Mails.Taken,
			Live:   k.Sessions,
			SignIn: func(id, email string) {
				const password = "correct horse battery"
				if k.Sessions(id) == 0 {
					k.SetPassword(id, password)
				}
				testkit.Login(t, k.Public, "saldo", email, password)
			},
		}
	})
}

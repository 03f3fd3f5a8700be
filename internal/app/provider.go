package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"saldo/internal/identity"
	"saldo/internal/identity/idp"
	"saldo/internal/identity/keycloak"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
)

// provider is where people sign in, as the rest of the program sees it.
type provider struct {
	verifier *identity.Verifier
	admin    identity.Admin
	embedded *idp.Provider         // nil when people sign in at a Keycloak
	routes   func(*web.Router)     // adds its pages and what it hears
	ready    func() bool           // whether tokens can be verified yet
	run      func(context.Context) // keeps it fresh while the program serves; ends with ctx
}

// openProvider chooses by the settings: a Keycloak, or the embedded provider.
func openProvider(ctx context.Context, s config.Settings, d *db.DB, v *vault.Vault, o *mail.Queue, log *slog.Logger) (provider, error) {
	if s.Identity.Keycloak() {
		return openKeycloak(s, d, log)
	}
	return openEmbedded(ctx, s, d, v, o, log)
}

// openEmbedded makes people known to Saldo itself. They keep their name when
// the public address changes.
func openEmbedded(ctx context.Context, s config.Settings, d *db.DB, v *vault.Vault, o *mail.Queue, log *slog.Logger) (provider, error) {
	own, err := idp.Open(ctx, idp.Settings{DB: d, Vault: v, Mails: o, Log: log, PublicURL: s.PublicURL, Realm: s.Identity.Realm,
		Secure:   s.Secure(),
		Language: i18n.Language(s.Instance.Language), Currency: s.Instance.Currency.Sign(), Proxies: s.Proxies})
	if err != nil {
		return provider{}, err
	}
	return provider{
		verifier: &identity.Verifier{Issuer: own.Issuer(), Provider: identity.Embedded, Key: own.Public, Clock: d.Now},
		admin:    own, embedded: own,
		routes: func(r *web.Router) { r.Handle("/auth/", own.Handler()) },
		ready:  func() bool { return true },
		run:    func(context.Context) {},
	}, nil
}

// openKeycloak asks Keycloak nothing yet, so that the order of starting does not matter.
func openKeycloak(s config.Settings, d *db.DB, log *slog.Logger) (provider, error) {
	public, err := url.Parse(s.PublicURL)
	if err != nil {
		return provider{}, fmt.Errorf("SALDO_PUBLIC_URL: %w", err)
	}
	realm := keycloak.Realm{Name: s.Identity.Realm, ClientID: s.Identity.ClientID, ClientSecret: s.Identity.ClientSecret,
		Base: strings.TrimSuffix(s.Identity.External, "/realms/"+s.Identity.Realm)}
	var p provider
	var pages http.Handler // nil: at an address of its own
	if s.Identity.Upstream != "" {
		upstream, err := url.Parse(s.Identity.Upstream)
		if err != nil {
			return provider{}, fmt.Errorf("SALDO_IDP_UPSTREAM: %w", err)
		}
		realm.Base = s.Identity.Upstream + "/auth"
		pages = keycloak.Proxy(upstream, public, realm.Name, i18n.Language(s.Instance.Language), log)
	}
	keys := keycloak.NewKeys(realm, log)
	p.verifier = &identity.Verifier{Issuer: s.Issuer(), Provider: s.Issuer(), Key: keys.Public, Clock: d.Now}
	p.admin = keycloak.NewClient(realm, d.Now)
	p.routes = func(r *web.Router) {
		if pages != nil {
			r.Handle("/auth/", pages)
		}
		keycloak.BackchannelLogout(r, d, p.verifier, log)
	}
	p.ready, p.run = keys.Ready, keys.Run
	return p, nil
}

// waits answers /readyz until tokens can be verified; from then on next does.
func (p provider) waits(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		if p.ready() {
			next.ServeHTTP(w, rq)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "Keycloak has not given its keys yet", http.StatusServiceUnavailable)
	})
}

// Package idp is the identity provider inside the program: it speaks OpenID
// Connect at Keycloak's addresses and with Keycloak's claims, so that a real
// Keycloak can take its place.
package idp

import (
	"context"
	"crypto"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
)

// Settings are what the provider needs.
type Settings struct {
	DB        *db.DB
	Vault     *vault.Vault
	Mails     *mail.Queue
	Log       *slog.Logger
	PublicURL string
	Realm     string
	Secure    bool           // the public address is https
	Language  i18n.Language  // of people who have not chosen one
	Currency  string         // the sign beside the sample amount
	Proxies   []netip.Prefix // whose word on a visitor's address is believed
}

// Provider signs people in.
type Provider struct {
	settings Settings
	db       *db.DB
	vault    *vault.Vault
	mails    *mail.Queue
	keys     *keys
	hasher   *hasher
	pages    *pages
	issuer   string // where the realm is reached
	path     string // the same without the host
	handler  http.Handler
}

// Open makes the provider of a realm, with its first signing key where there is none.
func Open(ctx context.Context, s Settings) (*Provider, error) {
	p := &Provider{settings: s, db: s.DB, vault: s.Vault, mails: s.Mails, path: "/auth/realms/" + s.Realm}
	p.issuer = s.PublicURL + p.path
	p.keys, p.hasher = &keys{db: s.DB, vault: s.Vault}, newHasher()
	var err error
	if p.pages, err = readPages(); err != nil {
		return nil, err
	}
	if err := p.keys.open(ctx); err != nil {
		return nil, err
	}
	p.handler, err = p.routes()
	return p, err
}

// Issuer is the address that tokens name as their maker.
func (p *Provider) Issuer() string { return p.issuer }

// Public finds the key that verifies the tokens of a key id.
func (p *Provider) Public(id string) (crypto.PublicKey, bool) { return p.keys.public(id) }

// Handler serves everything under /auth/. Forms of other sites must be refused
// before it, as the router does.
func (p *Provider) Handler() http.Handler { return p.handler }

// strict is the policy of pages that ask for passwords: no frame, nothing from
// elsewhere, and of scripts only the one whose hash is added to it.
const strict = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'"

const bodyLimit = 64 << 10

func (p *Provider) routes() (http.Handler, error) {
	protocol, err := p.protocol()
	if err != nil {
		return nil, err
	}
	discovery, err := p.discovery(protocol)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	at := func(path string, h http.HandlerFunc) { mux.HandleFunc(p.path+path, h) }
	mux.Handle(p.path+connect+"/", p.plainly(p.dressed(http.StripPrefix(p.path, protocol))))
	at("/.well-known/openid-configuration", discovery)
	at(connect+"/registrations", p.registrations(p.dressed(http.StripPrefix(p.path, protocol))))
	at(connect+"/logout", p.logout)
	at(connect+"/3p-cookies/step1.html", thirdParty)
	at(connect+"/3p-cookies/step1.js", thirdPartyScript)
	at("/login-actions/reset-credentials", p.forgotten)
	at("/login-actions/action-token", p.mailed)
	at("/account/password", redirectTo(p.settings.PublicURL+"/app/?action=UPDATE_PASSWORD"))
	at("/account", redirectTo(p.settings.PublicURL+"/app/"))
	at("/account/", redirectTo(p.settings.PublicURL+"/app/"))
	mux.HandleFunc("GET /auth/resources/saldo/style.css", p.style)
	mux.HandleFunc("GET /auth/resources/saldo/{file}", font)
	mux.HandleFunc("/auth/", func(w http.ResponseWriter, r *http.Request) {
		p.show(w, r, http.StatusNotFound, page{Name: "message", Title: "idp:unknown.title", Text: "idp:unknown.text"})
	})
	forms := web.Forms(mux, bodyLimit, 30*time.Second)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", p.pages.policy)
		h.Set("Cache-Control", "no-store")
		// not no-referrer: with it older browsers send forms without saying where from, and those are refused
		h.Set("Referrer-Policy", "same-origin")
		forms.ServeHTTP(w, r)
	}), nil
}

// plainly refuses answers as signed tokens (JARM): no client of ours asks for
// them, and the library promises what it was not told how to sign.
func (p *Provider) plainly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.FormValue("response_mode") {
		case "", "query", "fragment", "form_post":
			next.ServeHTTP(w, r)
		default:
			p.show(w, r, http.StatusBadRequest, page{Name: "message", Title: "idp:refused.title", Text: "idp:refused.text", Again: true})
		}
	})
}

func redirectTo(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, address, http.StatusSeeOther) }
}

// keycloak-js asks in a frame whether cookies work there. They do: the frame
// is of the same site.
func thirdParty(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; frame-ancestors 'self'")
	w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(`<!doctype html><title>Saldo</title><script src="step1.js"></script>`))
}

func thirdPartyScript(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write([]byte(`parent.postMessage("supported", location.origin);`))
}

// visitor is the address somebody comes from.
func (p *Provider) visitor(r *http.Request) string { return web.Visitor(r, p.settings.Proxies) }

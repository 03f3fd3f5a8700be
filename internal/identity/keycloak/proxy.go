package keycloak

import (
	"context"
	"encoding/json"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"time"

	"saldo/internal/platform/i18n"
)

const (
	proxyPatience  = time.Minute
	proxyBodyLimit = 1 << 20
)

// plainPath is what passes: letters that mean the same to every server on the
// way. Nothing escaped, no backslash, no semicolon: with those a path can be
// one thing to Saldo and another to Keycloak.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~@+,=:-]+)+/?$`)

// Proxy shows the pages of one realm under /auth/, at Saldo's own address.
// Nothing else of Keycloak can be reached: no administration, no health, no
// other realm. Where people are and how they came is what Saldo knows, never
// what a request claims.
func Proxy(upstream, public *url.URL, realm string, language i18n.Language, log *slog.Logger) http.Handler {
	own := []string{"/auth/realms/" + realm + "/", "/auth/resources/"}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		Transport: &http.Transport{
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			ResponseHeaderTimeout: proxyPatience,
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   32,
			DisableCompression:    true, // what Keycloak packed stays packed
		},
		Rewrite: func(rq *httputil.ProxyRequest) {
			rq.SetURL(upstream)
			for name := range rq.Out.Header {
				if strings.HasPrefix(name, "X-Forwarded-") || name == "Forwarded" || name == "X-Real-Ip" {
					rq.Out.Header.Del(name)
				}
			}
			if ip, _, err := net.SplitHostPort(rq.In.RemoteAddr); err == nil {
				rq.Out.Header.Set("X-Forwarded-For", ip)
			}
			rq.Out.Header.Set("X-Forwarded-Proto", public.Scheme)
			rq.Out.Header.Set("X-Forwarded-Host", public.Host)
		},
		ErrorHandler: func(w http.ResponseWriter, rq *http.Request, err error) {
			if rq.Context().Err() == context.Canceled {
				return // nobody waits for an answer
			}
			log.Warn("Keycloak does not answer: start it, or correct SALDO_IDP_UPSTREAM", "error", err)
			away(w, rq, language)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		path := rq.URL.EscapedPath()
		if !plainPath.MatchString(path) || strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../") ||
			!strings.HasPrefix(path, own[0]) && !strings.HasPrefix(path, own[1]) {
			http.NotFound(w, rq)
			return
		}
		// Keycloak's pages bring their own rules; two sets at once would be the sum of what both forbid
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy",
			"Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Strict-Transport-Security"} {
			w.Header().Del(name)
		}
		ctx, cancel := context.WithTimeout(rq.Context(), proxyPatience)
		defer cancel()
		rq = rq.WithContext(ctx)
		rq.Body = http.MaxBytesReader(w, rq.Body, proxyBodyLimit)
		proxy.ServeHTTP(w, rq)
	})
}

var awayPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="{{.Language}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.Title}}</title></head>
<body><h1>{{.Title}}</h1><p>{{.Text}}</p><p><a href="">{{.Again}}</a></p></body></html>
`))

// away answers while Keycloak does not: a page to people, the form of OAuth's
// errors to programs.
func away(w http.ResponseWriter, rq *http.Request, language i18n.Language) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", "5")
	h.Set("X-Content-Type-Options", "nosniff")
	if !strings.Contains(rq.Header.Get("Accept"), "text/html") {
		h.Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadGateway)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "temporarily_unavailable"}) // a client that left does not read it
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	language = languageOr(rq, language)
	h.Set("Content-Language", string(language))
	w.WriteHeader(http.StatusBadGateway)
	_ = awayPage.Execute(w, map[string]any{"Language": language, "Title": i18n.Of(language, "idp:away.title"),
		"Text": i18n.Of(language, "idp:away.text"), "Again": i18n.Of(language, "idp:away.again")})
}

// languageOr is the language a person asked for: on this page, earlier at Keycloak,
// or in the browser's settings, whose order is taken as it stands.
func languageOr(rq *http.Request, otherwise i18n.Language) i18n.Language {
	query := rq.URL.Query()
	asked := query.Get("kc_locale") + " " + query.Get("ui_locales")
	if cookie, err := rq.Cookie("KEYCLOAK_LOCALE"); err == nil {
		asked += " " + cookie.Value
	}
	if language, ok := i18n.Preferred(asked + "," + rq.Header.Get("Accept-Language")); ok {
		return language
	}
	return otherwise
}

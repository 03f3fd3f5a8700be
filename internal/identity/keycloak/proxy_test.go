package keycloak_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/identity/keycloak"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

// behind serves Saldo, all the way from its first handler, before a server that stands for Keycloak.
func behind(t *testing.T, upstream http.Handler) (saldo, keycloakServer *httptest.Server) {
	t.Helper()
	keycloakServer = httptest.NewServer(upstream)
	t.Cleanup(keycloakServer.Close)
	to, err := url.Parse(keycloakServer.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := web.NewRouter(web.Settings{DB: testkit.Open(t, testkit.Settings(t, "sqlite")), Log: quiet, Metrics: prometheus.NewRegistry(), Secure: true})
	r.Handle("/auth/", keycloak.Proxy(to, &url.URL{Scheme: "https", Host: "saldo.example"}, "saldo", i18n.Polish, quiet))
	saldo = httptest.NewServer(r.Handler())
	t.Cleanup(saldo.Close)
	return saldo, keycloakServer
}

// raw asks with a path exactly as it is written.
func raw(t *testing.T, s *httptest.Server, path string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestOnlyThePagesOfTheRealmAreShown(t *testing.T) {
	var seen []string
	saldo, _ := behind(t, http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) { seen = append(seen, rq.RequestURI) }))
	for _, path := range []string{
		"/auth/realms/saldo/protocol/openid-connect/auth?client_id=spa&redirect_uri=https%3A%2F%2Fsaldo.example%2Fapp%2F",
		"/auth/realms/saldo/login-actions/action-token?key=a.b.c",
		"/auth/realms/saldo/.well-known/openid-configuration",
		"/auth/resources/4vqkq/common/keycloak/vendor/@patternfly/react.js",
		"/auth/realms/saldo/account/",
	} {
		seen = nil
		if answer := raw(t, saldo, path); answer.StatusCode != 200 || len(seen) != 1 || seen[0] != path {
			t.Errorf("%s: %d, Keycloak saw %v", path, answer.StatusCode, seen)
		}
	}
	for _, path := range []string{
		"/auth/", "/auth/admin/", "/auth/admin/realms/saldo/users", "/auth/metrics", "/auth/health", "/auth/health/ready", "/auth/realms/",
		"/auth/realms/saldo", "/auth/realms/master/protocol/openid-connect/token", "/auth/realms/saldo2/account/", "/auth/realms/SALDO/account/",
		"/auth/realms/saldo/../master/account/", "/auth/realms/saldo/..", "/auth/realms/saldo/..;/master/", "/auth/realms/saldo/;/../../master/",
		"/auth/realms/saldo/%2e%2e/master/", "/auth/realms/saldo/.%2E/master/", "/auth/realms/saldo/..%2fmaster/", "/auth/realms/saldo%2f..%2fmaster/",
		"/auth/realms/saldo/%252e%252e/master/", `/auth/realms/saldo/..\master/`, "/auth/realms/saldo/..%5cmaster/", "/auth/realms/saldo//admin",
		"/auth/realms//saldo/account", "/auth//admin/", "/auth/resources/../admin/", "/auth/resources/%2e%2e/admin/", "/auth/resources/./admin",
		"/auth/realms/saldo/%00", "/auth/realms/saldo/a%0d%0ab", "/auth/realms/saldo/ł", "/AUTH/realms/saldo/account/",
	} {
		seen = nil
		// the router answers some of them with the address that would be right, which is refused then
		answer := raw(t, saldo, path)
		if answer.StatusCode == 200 || answer.StatusCode >= 500 || len(seen) != 0 {
			t.Errorf("%s: %d, Keycloak saw %v", path, answer.StatusCode, seen)
		}
	}
}

func TestKeycloakHearsWherePeopleAreFromSaldoAlone(t *testing.T) {
	var heard http.Header
	saldo, _ := behind(t, http.HandlerFunc(func(_ http.ResponseWriter, rq *http.Request) { heard = rq.Header.Clone() }))
	rq, err := http.NewRequestWithContext(context.Background(), http.MethodGet, saldo.URL+"/auth/realms/saldo/account/", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher", "X-Forwarded-Port": "666",
		"X-Forwarded-Prefix": "/evil", "X-Forwarded-Server": "evil", "Forwarded": "for=203.0.113.9;host=evil.example", "X-Real-Ip": "203.0.113.9",
		"Connection": "X-Mine", "X-Mine": "hop", "Cookie": "AUTH_SESSION_ID=1", "Accept-Language": "uk"} {
		rq.Header.Set(name, value)
	}
	if _, err := saldo.Client().Do(rq); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "saldo.example", "X-Forwarded-Proto": "https", "X-Forwarded-Port": "",
		"X-Forwarded-Prefix": "", "X-Forwarded-Server": "", "Forwarded": "", "X-Real-Ip": "", "X-Mine": "", "Cookie": "AUTH_SESSION_ID=1", "Accept-Language": "uk"} {
		if got := strings.Join(heard.Values(name), " | "); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

func TestKeycloaksPagesKeepTheirOwnRules(t *testing.T) {
	const own = "frame-src 'self'; frame-ancestors 'self'; object-src 'none';"
	saldo, _ := behind(t, http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		if strings.HasSuffix(rq.URL.Path, "/auth") {
			w.Header().Set("Content-Security-Policy", own)
			w.Header().Set("X-Frame-Options", "SAMEORIGIN")
			w.Header().Add("Set-Cookie", "AUTH_SESSION_ID=1; Path=/auth/realms/saldo/; HttpOnly")
			w.Header().Add("Set-Cookie", "KC_RESTART=2; Path=/auth/realms/saldo/; HttpOnly")
		}
	}))
	page := raw(t, saldo, "/auth/realms/saldo/protocol/openid-connect/auth")
	for name, want := range map[string][]string{"Content-Security-Policy": {own}, "X-Frame-Options": {"SAMEORIGIN"}, "Cross-Origin-Opener-Policy": nil} {
		if got := page.Header.Values(name); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if len(page.Cookies()) != 2 {
		t.Errorf("%v", page.Cookies())
	}
	// a page that Keycloak lets the application frame
	if framed := raw(t, saldo, "/auth/realms/saldo/protocol/openid-connect/3p-cookies/step1.html"); framed.Header.Get("X-Frame-Options") != "" || framed.Header.Get("Content-Security-Policy") != "" {
		t.Errorf("%v", framed.Header)
	}
}

func TestAnAnswerPassesWhileItIsStillWritten(t *testing.T) {
	read := make(chan struct{})
	saldo, _ := behind(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "first\n")
		_ = http.NewResponseController(w).Flush()
		<-read
		_, _ = io.WriteString(w, "last\n")
	}))
	answer, err := saldo.Client().Get(saldo.URL + "/auth/realms/saldo/account/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	if line, err := lines.ReadString('\n'); err != nil || line != "first\n" {
		t.Fatalf("%q %v", line, err)
	}
	close(read)
	if line, err := lines.ReadString('\n'); err != nil || line != "last\n" {
		t.Fatalf("%q %v", line, err)
	}
}

func TestKeycloakDown_IsReportedInThePersonsLanguage(t *testing.T) {
	saldo, down := behind(t, http.NotFoundHandler())
	down.Close()
	for _, c := range []struct {
		name, path, accept, language, cookie string
		says                                 string
	}{
		{"by the browser", "auth", "text/html", "de-AT,de;q=0.9,en;q=0.8", "", i18n.Of(i18n.German, "idp:away.title")},
		{"by the application", "auth?ui_locales=uk", "text/html", "de", "", i18n.Of(i18n.Ukrainian, "idp:away.title")},
		{"by an earlier choice", "auth", "text/html", "de", "ru", i18n.Of(i18n.Russian, "idp:away.title")},
		{"of a language Saldo has not", "auth", "text/html", "fr", "", i18n.Of(i18n.Polish, "idp:away.title")},
		{"to a program", "token", "application/json", "de", "", `{"error":"temporarily_unavailable"}`},
	} {
		rq, err := http.NewRequestWithContext(context.Background(), http.MethodGet, saldo.URL+"/auth/realms/saldo/protocol/openid-connect/"+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		rq.Header.Set("Accept", c.accept)
		rq.Header.Set("Accept-Language", c.language)
		if c.cookie != "" {
			rq.AddCookie(&http.Cookie{Name: "KEYCLOAK_LOCALE", Value: c.cookie})
		}
		answer, err := saldo.Client().Do(rq)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusBadGateway || !strings.Contains(string(text), c.says) || answer.Header.Get("Cache-Control") != "no-store" ||
			strings.Contains(string(text), strings.TrimPrefix(down.URL, "http://")) {
			t.Errorf("%s: %d %s %v", c.name, answer.StatusCode, text, err)
		}
	}
}

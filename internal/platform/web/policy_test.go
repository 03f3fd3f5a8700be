package web_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/platform/web"
)

func TestContentPolicy_AllowsOnlyTheConfiguredIdentityProvider(t *testing.T) {
	policy := func(signIn string) string {
		r := web.NewRouter(web.Settings{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), SignIn: signIn})
		w := httptest.NewRecorder()
		r.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/app/", nil))
		return w.Header().Get("Content-Security-Policy")
	}
	own, wider := policy(""), policy("https://sso.example.com")
	if strings.Contains(own, "http") || strings.Contains(own, "frame-src") {
		t.Errorf("without one: %s", own)
	}
	if !strings.Contains(wider, "; connect-src 'self' https://sso.example.com; ") || !strings.HasSuffix(wider, "; frame-src 'self' https://sso.example.com") ||
		strings.Count(wider, "https://sso.example.com") != 2 || !strings.Contains(wider, "; script-src 'self'; ") {
		t.Errorf("with one: %s", wider)
	}
}

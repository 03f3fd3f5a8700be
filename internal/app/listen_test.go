package app

import (
	"strings"
	"testing"

	"saldo/internal/platform/config"
)

func TestFreePort_TellsPeopleTheAddress(t *testing.T) {
	for addr, c := range map[string]struct {
		configured bool
		listens    bool
		public     string // how it begins
	}{
		"localhost:0":    {false, true, "http://localhost:"},
		"127.0.0.1:0":    {true, true, "https://saldo.example.com"},
		"localhost:8080": {false, false, "https://saldo.example.com"},
	} {
		s := config.Settings{Addr: addr, PublicURL: "https://saldo.example.com"}
		l, err := FreePort(t.Context(), &s, c.configured)
		if err != nil {
			t.Fatal(err)
		}
		if (l != nil) != c.listens || !strings.HasPrefix(s.PublicURL, c.public) || strings.HasSuffix(s.Addr, ":0") {
			t.Errorf("%s: %v %+v", addr, l, s)
		}
		if l == nil {
			continue
		}
		if _, port, _ := strings.Cut(l.Addr().String(), ":"); !strings.HasSuffix(s.Addr, ":"+port) || !c.configured && !strings.HasSuffix(s.PublicURL, ":"+port) {
			t.Errorf("%s: it listens on %s and says %s, %s", addr, l.Addr(), s.Addr, s.PublicURL)
		}
		l.Close()
	}
}

package app

import (
	"strings"
	"testing"

	"saldo/internal/platform/config"
)

func TestListen_TellsPeopleTheAddress(t *testing.T) {
	for addr, c := range map[string]struct {
		configured bool
		public     string // how it begins
	}{
		"localhost:0": {false, "http://localhost:"},
		"127.0.0.1:0": {true, "https://saldo.example.com"},
	} {
		s := config.Settings{Addr: addr, PublicURL: "https://saldo.example.com"}
		l, err := Listen(t.Context(), &s, c.configured)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(s.PublicURL, c.public) || strings.HasSuffix(s.Addr, ":0") {
			t.Errorf("%s: %+v", addr, s)
		}
		_, port, _ := strings.Cut(l.Addr().String(), ":")
		if !strings.HasSuffix(s.Addr, ":"+port) || !c.configured && !strings.HasSuffix(s.PublicURL, ":"+port) {
			t.Errorf("%s: it listens on %s and says %s, %s", addr, l.Addr(), s.Addr, s.PublicURL)
		}
		same := s
		if _, err := Listen(t.Context(), &same, c.configured); err == nil || !strings.Contains(err.Error(), "taken by another program") || same.Addr != s.Addr {
			t.Errorf("%s: again: %v %+v", addr, err, same)
		}
		l.Close()
		again, err := Listen(t.Context(), &same, c.configured)
		if err != nil || same.Addr != s.Addr || same.PublicURL != s.PublicURL {
			t.Errorf("%s: after it: %v %+v", addr, err, same)
			continue
		}
		again.Close()
	}
}

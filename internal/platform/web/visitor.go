package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Visitor is the address somebody comes from: the connection's, or what a
// trusted proxy says.
func Visitor(r *http.Request, proxies []netip.Prefix) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	peer, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	for _, trusted := range proxies {
		if !trusted.Contains(peer.Unmap()) {
			continue
		}
		forwarded := r.Header.Values("X-Forwarded-For")
		if len(forwarded) == 0 {
			break
		}
		hops := strings.Split(forwarded[len(forwarded)-1], ",")
		if last, err := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1])); err == nil {
			return last.String()
		}
	}
	return peer.String()
}

// misses counts, by route and address, requests of this minute that found
// nothing. Whoever guesses too often waits; whoever finds what they ask for
// never does, however many share their address. It is this process's alone: it
// saves work, secrets are too long to be guessed.
type misses struct {
	mu     sync.Mutex
	minute int64
	counts map[string]int
}

func (m *misses) at(now time.Time) map[string]int {
	if minute := now.Unix() / 60; m.counts == nil || m.minute != minute {
		m.minute, m.counts = minute, map[string]int{}
	}
	return m.counts
}

func (m *misses) over(who string, maximum int, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(now)[who] >= maximum
}

func (m *misses) add(who string, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at(now)[who]++
}

package push

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"saldo/internal/platform/outbound"
)

// patience is how long a push service may take.
const patience = 5 * time.Second

// isEndpoint says whether an address may be one of a push service. It is given by whoever is signed in, so it is also checked
// where it leads at the moment of connecting.
func isEndpoint(address string) bool {
	u, err := url.Parse(address)
	if err != nil || len(address) > 1000 || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return false
	}
	if port := u.Port(); port != "" && port != "443" {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return false // push services have names
	}
	return strings.Contains(host, ".") && !strings.HasSuffix(host, ".localhost") && !strings.HasSuffix(host, ".local") &&
		!strings.HasSuffix(host, ".internal")
}

// isPublic says whether a push service may answer there.
func isPublic(to netip.AddrPort) bool { return to.Port() == 443 && outbound.Public(to) }

// newClient connects to allowed addresses only.
func newClient(allowed func(netip.AddrPort) bool, trust *tls.Config) *http.Client {
	return outbound.Client(allowed, trust, patience)
}

package push

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
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

// reserved are networks that are not public though netip does not say so.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}

func isPublic(address netip.AddrPort) bool {
	a := address.Addr().Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || address.Port() != 443 || (a.Is4() && a == netip.AddrFrom4([4]byte{255, 255, 255, 255})) {
		return false
	}
	for _, network := range reserved {
		if network.Contains(a) {
			return false
		}
	}
	return true
}

var errPrivate = errors.New("push: the address does not lead to a public network")

// newClient connects to allowed addresses only, checked after the name was resolved, and follows no redirection. It uses no
// proxy: behind one the check would see the proxy's address.
func newClient(allowed func(netip.AddrPort) bool, trust *tls.Config) *http.Client {
	dialer := &net.Dialer{Timeout: patience, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(to) {
			return errPrivate
		}
		return nil
	}}
	return &http.Client{
		Timeout: patience,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSClientConfig: trust, TLSHandshakeTimeout: patience,
			ForceAttemptHTTP2: true, MaxIdleConns: 20, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 1 << 16},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

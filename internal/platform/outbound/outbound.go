// Package outbound connects to addresses that users give: no address leads into the network that the program itself stands in.
package outbound

import (
	"context"
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

// reserved are networks that are not public though netip does not say so.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("255.255.255.255/32"),
}

// IsPublic says whether an address is one of the public network.
func IsPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, network := range reserved {
		if network.Contains(a) {
			return false
		}
	}
	return true
}

// Public allows every port of the public network.
func Public(to netip.AddrPort) bool { return IsPublic(to.Addr()) }

// ErrPrivate is the error of a connection that is not allowed.
var ErrPrivate = errors.New("outbound: the address does not lead to a public network")

// Dialer connects to allowed addresses only. What a name stands for is checked at the moment of connecting: a name that leads elsewhere
// a moment later gains nothing.
func Dialer(allowed func(netip.AddrPort) bool, within time.Duration) *net.Dialer {
	return &net.Dialer{Timeout: within, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(to) {
			return ErrPrivate
		}
		return nil
	}}
}

// Transport connects to allowed addresses only. It uses no proxy: behind one the check would see the proxy's address.
func Transport(allowed func(netip.AddrPort) bool, trust *tls.Config, within time.Duration) *http.Transport {
	return &http.Transport{DialContext: Dialer(allowed, within).DialContext, TLSClientConfig: trust, TLSHandshakeTimeout: within,
		ForceAttemptHTTP2: true, MaxIdleConns: 20, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 1 << 16,
		DisableCompression: true}
}

// Client uses such a transport and follows no redirection: it carries credentials, and content that would get lost.
func Client(allowed func(netip.AddrPort) bool, trust *tls.Config, within time.Duration) *http.Client {
	return &http.Client{Timeout: within, Transport: Transport(allowed, trust, min(within, 10*time.Second)),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// ErrAddress is the error of an address that cannot be one of a service.
var ErrAddress = errors.New("outbound: this is no https address without user, query and fragment")

// Address reads the address of a service that a user typed.
func Address(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || len(text) > 1000 || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery ||
		u.Fragment != "" || u.Opaque != "" || strings.ContainsAny(text, "\r\n\x00") {
		return nil, ErrAddress // the parser's own error quotes the address
	}
	return u, nil
}

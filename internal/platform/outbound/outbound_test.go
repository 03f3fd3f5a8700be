package outbound_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"saldo/internal/platform/outbound"
)

func TestIsPublic(t *testing.T) {
	for address, public := range map[string]bool{
		"8.8.8.8": true, "2a00:1450:4001::1": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false, "198.18.0.1": false, "::1": false, "::": false, "fe80::1": false,
		"fe80::1%eth0": false, "fd00::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false,
		"2002:7f00:1::": false,
	} {
		if got := outbound.IsPublic(netip.MustParseAddr(address)); got != public {
			t.Errorf("%s: %v", address, got)
		}
	}
}

func TestClient_ReachesNoPrivateAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a private address was reached") }))
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	client := outbound.Client(outbound.Public, nil, 5*time.Second)
	for _, host := range []string{"127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		answer, err := client.Get("http://" + host + ":" + port)
		if err == nil {
			_ = answer.Body.Close()
			t.Errorf("%s was reached", host)
		}
	}
}

// names answers for a name first with a public address, then with the program's own.
func names(t *testing.T) (server string) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		var buffer [1500]byte
		for asked := 0; ; {
			n, from, err := conn.ReadFrom(buffer[:])
			if err != nil {
				return
			}
			var question dnsmessage.Message
			if question.Unpack(buffer[:n]) != nil || len(question.Questions) != 1 {
				continue
			}
			q := question.Questions[0]
			answer := dnsmessage.Message{Header: dnsmessage.Header{ID: question.ID, Response: true, Authoritative: true}, Questions: question.Questions}
			if q.Type == dnsmessage.TypeA {
				address := [4]byte{127, 0, 0, 1}
				if asked++; asked == 1 {
					address = [4]byte{8, 8, 8, 8}
				}
				answer.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET},
					Body: &dnsmessage.AResource{A: address}}}
			}
			packed, err := answer.Pack()
			if err == nil {
				_, _ = conn.WriteTo(packed, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

func TestDialer_ChecksWhatANameStandsForWhenItConnects(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a private address was reached") }))
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	at := names(t)
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, at)
	}}
	// Whoever looks first and connects later is shown a public address.
	seen, err := resolver.LookupNetIP(t.Context(), "ip4", "changes.example.")
	if err != nil || len(seen) != 1 || !outbound.IsPublic(seen[0]) {
		t.Fatal(seen, err)
	}
	dialer := outbound.Dialer(outbound.Public, 5*time.Second)
	dialer.Resolver = resolver
	conn, err := dialer.DialContext(t.Context(), "tcp", net.JoinHostPort("changes.example.", port))
	if !errors.Is(err, outbound.ErrPrivate) {
		t.Error(err)
	}
	if err == nil {
		_ = conn.Close()
	}
}

func TestClient_FollowsNoRedirection(t *testing.T) {
	var other bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			other = true
		}
		http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	answer, err := outbound.Client(func(netip.AddrPort) bool { return true }, nil, 5*time.Second).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if other || answer.StatusCode != http.StatusTemporaryRedirect {
		t.Error(other, answer.StatusCode)
	}
}

func TestAddress(t *testing.T) {
	for _, good := range []string{"https://cloud.example/remote.php/dav/files/anna/", " https://s3.example:9000/files "} {
		if _, err := outbound.Address(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "cloud.example", "http://cloud.example/", "https://", "https:///x", "https://anna:hunter2@cloud.example/",
		"https://cloud.example/?a=b", "https://cloud.example/#x", "file:///etc/passwd", "https://cloud.example/\r\nX: y", "https:cloud"} {
		if _, err := outbound.Address(bad); err == nil {
			t.Errorf("%q is an address", bad)
		}
	}
}

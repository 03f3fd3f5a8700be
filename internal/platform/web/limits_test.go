package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/web"
)

// Nobody works for a client that has left.
func TestWork_EndsWhenItsClientIsGone(t *testing.T) {
	r := bare(t)
	begun, ended := make(chan struct{}), make(chan error, 1)
	web.Plain(r, web.Route{Method: "GET", Path: "/api/long", Name: "long", Permission: access.TagsRead, Timeout: 20 * time.Second},
		func(ctx context.Context, _ web.Call, _ *struct{}) (web.None, error) {
			close(begun)
			<-ctx.Done()
			ended <- ctx.Err()
			return web.None{}, ctx.Err()
		})
	s := httptest.NewServer(r.Handler())
	t.Cleanup(s.Close)
	ctx, leave := context.WithCancel(context.Background())
	rq, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/api/long", nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer anna")
	go func() { <-begun; leave() }()
	if resp, err := http.DefaultClient.Do(rq); err == nil {
		resp.Body.Close()
		t.Fatal("answered", resp.StatusCode)
	}
	if why := <-ended; !errors.Is(why, context.Canceled) {
		t.Errorf("it went on until %v", why)
	}
}

// timed keeps the times that a connection is given.
type timed struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (w *timed) SetReadDeadline(at time.Time) error  { w.read = at; return nil }
func (w *timed) SetWriteDeadline(at time.Time) error { w.write = at; return nil }

// Whatever is asked for, the request has a time to arrive and its answer a time to leave.
func TestEveryRequest_HasATimeToArriveAndToBeAnswered(t *testing.T) {
	r := bare(t)
	r.Handle("/beside/", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	web.Plain(r, web.Route{Method: "POST", Path: "/api/short", Name: "short", Permission: access.TagsWrite, Timeout: 2 * time.Second},
		func(context.Context, web.Call, *struct{ RawBody []byte }) (web.None, error) { return web.None{}, nil })
	for path, maximum := range map[string]struct{ read, write time.Duration }{
		"/beside/":   {30 * time.Second, 5 * time.Minute},
		"/api/none":  {30 * time.Second, 5 * time.Minute},
		"/api/short": {2 * time.Second, 7 * time.Second},
	} {
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		rq := httptest.NewRequest("POST", path, strings.NewReader("x"))
		rq.Header.Set("Authorization", "Bearer anna")
		rq.Header.Set(key, "k")
		r.Handler().ServeHTTP(w, rq)
		now := time.Now()
		for what, c := range map[string]struct {
			at      time.Time
			maximum time.Duration
		}{"arrive": {w.read, maximum.read}, "be answered": {w.write, maximum.write}} {
			if c.at.IsZero() || c.at.After(now.Add(c.maximum)) {
				t.Errorf("%s has until %v to %s, at most %v are right", path, c.at, what, c.maximum)
			}
		}
	}
}

// The word of a proxy on an address counts where the proxy is trusted, and of several addresses the one that it saw itself.
func TestVisitor_IsWhoATrustedProxySaw(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct {
		from      string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:1", nil, "192.0.2.1"},
		{"192.0.2.1:1", []string{"203.0.113.9"}, "192.0.2.1"},
		{"[2001:db8::1]:1", []string{"203.0.113.9"}, "2001:db8::1"},
		{"10.0.0.1:1", nil, "10.0.0.1"},
		{"10.0.0.1:1", []string{"203.0.113.9"}, "203.0.113.9"},
		{"[::ffff:10.0.0.1]:1", []string{"203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.1:1", []string{"198.51.100.7, 203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.1:1", []string{"198.51.100.7", "203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.1:1", []string{"nonsense"}, "10.0.0.1"},
	} {
		rq := httptest.NewRequest("GET", "/", nil)
		rq.RemoteAddr, rq.Header["X-Forwarded-For"] = c.from, c.forwarded
		if got := web.Visitor(rq, proxies); got != c.want {
			t.Errorf("%s says %q: %s instead of %s", c.from, c.forwarded, got, c.want)
		}
	}
}

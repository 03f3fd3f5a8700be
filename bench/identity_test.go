//go:build bench

package bench

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// Ours: a handler that answers "ok" to whoever shows a good token. Anchor: the
// same handler without asking. The partner's person is remembered for half a
// minute, a driver's partner is looked up each time, and the last line verifies
// every token from its signature on.
func TestVerifiedRequests(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ok := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "ok") }
	anchor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { ok(w) }))
	defer anchor.Close()
	for _, engine := range testkit.Engines {
		d := testkit.Open(t, testkit.Settings(t, engine))
		found(t, d)
		testkit.Write(t, d, north, func(tx *db.Tx) error {
			for subject, role := range map[string]access.Role{"anna": access.Partner, "oleh": access.Driver} {
				if err := identity.AddMember(tx, identity.Member{ID: subject, Issuer: identity.Embedded, Subject: subject, Role: role, Name: subject, Email: subject + "@x.example"}); err != nil {
					return err
				}
			}
			return nil
		})
		verifier := &identity.Verifier{Issuer: "https://saldo.example", Provider: identity.Embedded, Clock: time.Now,
			Key: func(string) (crypto.PublicKey, bool) { return key.Public(), true }}
		mint := &testkit.Mint{Issuer: verifier.Issuer, Clock: time.Now, ID: "k", Key: key}
		guarded := func(authenticate func(context.Context, string) (access.Actor, error)) *httptest.Server {
			return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
				if _, err := authenticate(rq.Context(), strings.TrimPrefix(rq.Header.Get("Authorization"), "Bearer ")); err != nil {
					http.Error(w, err.Error(), http.StatusUnauthorized)
					return
				}
				ok(w)
			}))
		}
		remembered := identity.Authenticate(d, verifier)
		ours := guarded(remembered)
		anna, oleh := mint.Token(t, "anna", access.Partner, time.Hour, nil), mint.Token(t, "oleh", access.Driver, time.Hour, nil)
		compare(t, "requests/s with a remembered token, "+engine+"; anchor: bare net/http", "/s",
			func() float64 { return rate(t, ours.URL, anna) }, func() float64 { return rate(t, anchor.URL, anna) })
		compare(t, "requests/s of a driver, "+engine+"; anchor: bare net/http", "/s",
			func() float64 { return rate(t, ours.URL, oleh) }, func() float64 { return rate(t, anchor.URL, oleh) })
		ours.Close()
		forgetful := guarded(func(c context.Context, token string) (access.Actor, error) {
			return identity.Authenticate(d, verifier)(c, token)
		})
		compare(t, "requests/s, every token verified anew, "+engine+"; anchor: bare net/http", "/s",
			func() float64 { return rate(t, forgetful.URL, anna) }, func() float64 { return rate(t, anchor.URL, anna) })
		forgetful.Close()

		hit := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				if _, err := remembered(ctx, anna); err != nil {
					b.Fatal(err)
				}
			}
		})
		fmt.Printf("| one remembered token, in the process, %s | %d ns, %d allocations | | | |\n", engine, hit.NsPerOp(), hit.AllocsPerOp())
	}
}

package keycloak_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"saldo/internal/identity/keycloak"
	"saldo/internal/testkit"
)

var quiet = slog.New(slog.DiscardHandler)

// certs shows the keys of a realm as Keycloak does and counts who looks.
type certs struct {
	*httptest.Server
	looks atomic.Int64
	mu    sync.Mutex
	keys  []map[string]string
	down  bool
}

func newCerts(t *testing.T) *certs {
	t.Helper()
	c := &certs{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		c.looks.Add(1)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.down || rq.URL.Path != "/auth/realms/saldo/protocol/openid-connect/certs" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": c.keys})
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *certs) set(keys ...map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys, c.down = keys, len(keys) == 0
}

func (c *certs) open() *keycloak.Keys {
	return keycloak.NewKeys(keycloak.Realm{Base: c.URL + "/auth", Name: "saldo"}, quiet)
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func rsaKey(t *testing.T, id, use string) (map[string]string, *rsa.PrivateKey) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"kid": id, "kty": "RSA", "use": use, "n": b64(key.N.Bytes()), "e": b64(big.NewInt(int64(key.E)).Bytes())}, key
}

func ecKey(t *testing.T, id string) (map[string]string, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"kid": id, "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "x": b64(point[1:33]), "y": b64(point[33:])}, key
}

func TestTheKeysOfARealmAreKnown(t *testing.T) {
	c := newCerts(t)
	first, one := rsaKey(t, "k1", "sig")
	second, two := ecKey(t, "k2")
	forSealing, _ := rsaKey(t, "k3", "enc")
	c.set(first, second, forSealing,
		map[string]string{"kid": "k4", "kty": "oct", "use": "sig", "k": b64([]byte("a secret that is shared by two"))},
		map[string]string{"kid": "k5", "kty": "of the future", "use": "sig"})
	keys := c.open()
	if keys.Ready() {
		t.Error("ready before Keycloak was asked")
	}
	if got, ok := keys.Public("k1"); !ok || !one.PublicKey.Equal(got) {
		t.Errorf("RSA: %v", got)
	}
	if got, ok := keys.Public("k2"); !ok || !two.PublicKey.Equal(got) {
		t.Errorf("EC: %v", got)
	}
	if c.looks.Load() != 1 || !keys.Ready() {
		t.Errorf("%d looks for two keys", c.looks.Load())
	}
	for _, id := range []string{"k3", "k4", "k5", ""} {
		if got, ok := keys.Public(id); ok {
			t.Errorf("%q signs: %v", id, got)
		}
	}
}

func TestInventedKeyIDsCauseTwoFetchesAtMost(t *testing.T) {
	c := newCerts(t)
	first, _ := rsaKey(t, "k1", "sig")
	c.set(first)
	keys := c.open()
	keys.Public("k1")
	c.looks.Store(0)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if _, ok := keys.Public("invented-" + strconv.Itoa(i)); ok {
				t.Error("an invented key is known")
			}
			if _, ok := keys.Public("k1"); !ok {
				t.Error("the good key is not known any more")
			}
		})
	}
	wg.Wait()
	if n := c.looks.Load(); n > 2 {
		t.Errorf("%d fetches", n)
	}
}

func TestNewKey_IsPickedUpAtOnce(t *testing.T) {
	c := newCerts(t)
	old, _ := rsaKey(t, "k1", "sig")
	c.set(old)
	keys := c.open()
	keys.Public("k1")
	next, _ := rsaKey(t, "k2", "sig")
	c.set(next)
	c.looks.Store(0)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if _, ok := keys.Public("k2"); !ok {
				t.Error("the new key is not known")
			}
		})
	}
	wg.Wait()
	if c.looks.Load() != 1 {
		t.Errorf("%d fetches", c.looks.Load())
	}
	if _, ok := keys.Public("k1"); ok {
		t.Error("the key that was withdrawn is still known")
	}
}

func TestSaldoStartsBeforeKeycloakAndKeepsTheKeysThroughAnOutage(t *testing.T) {
	c := newCerts(t)
	c.set()
	keys := c.open()
	if _, ok := keys.Public("k1"); ok || keys.Ready() {
		t.Error("a key without Keycloak")
	}
	first, one := rsaKey(t, "k1", "sig")
	c.set(first)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); keys.Run(ctx) }()
	testkit.Eventually(t, "Keycloak's keys are known", keys.Ready)
	cancel()
	<-ended
	c.set()
	keys.Public("k2") // asks in vain
	var got crypto.PublicKey
	if got, _ = keys.Public("k1"); !one.PublicKey.Equal(got) {
		t.Errorf("lost with Keycloak: %v", got)
	}
}

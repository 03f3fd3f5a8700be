package keycloak

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/MicahParks/jwkset"
	"golang.org/x/time/rate"
)

const (
	keysRefreshed = 10 * time.Minute
	keysRetried   = 5 * time.Second // until the first answer
	keysPatience  = 3 * time.Second
)

// Keys are the keys with which a realm signs. They are fetched when they are
// needed, so Saldo starts before Keycloak does.
//
// Anybody can send a token with an invented key id. However many come, they
// cause two fetches at once and one in ten seconds after that, and who is over
// the limit is answered at once. A good token that comes while a fetch is under
// way waits for it: a new key of the realm costs nobody their session.
type Keys struct {
	url   string
	http  *http.Client
	log   *slog.Logger
	known atomic.Pointer[map[string]crypto.PublicKey]

	mu      sync.Mutex // one fetch at a time
	unknown *rate.Limiter
}

// NewKeys knows no key yet.
func NewKeys(r Realm, log *slog.Logger) *Keys {
	return &Keys{url: r.openid("certs"), http: &http.Client{Timeout: keysPatience}, log: log,
		unknown: rate.NewLimiter(rate.Every(10*time.Second), 2)}
}

// Public finds the key that verifies tokens of a key id.
func (k *Keys) Public(id string) (crypto.PublicKey, bool) {
	if key, ok := k.find(id); ok {
		return key, true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.find(id); ok { // fetched while we waited
		return key, true
	}
	if !k.unknown.Allow() {
		return nil, false
	}
	if err := k.fetch(context.Background()); err != nil {
		k.log.Warn("the keys of Keycloak could not be fetched", "error", err)
	}
	return k.find(id)
}

func (k *Keys) find(id string) (crypto.PublicKey, bool) {
	known := k.known.Load()
	if known == nil {
		return nil, false
	}
	key, ok := (*known)[id]
	return key, ok
}

// Ready says whether Keycloak has ever given its keys: until then nobody can be let in.
func (k *Keys) Ready() bool { return k.known.Load() != nil }

// Run keeps the keys fresh until ctx ends: a key that the realm withdrew is
// forgotten within ten minutes.
func (k *Keys) Run(ctx context.Context) {
	for reported := false; ctx.Err() == nil; {
		k.mu.Lock()
		err := k.fetch(ctx)
		k.mu.Unlock()
		pause := keysRefreshed
		if !k.Ready() {
			pause = keysRetried
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !reported:
			k.log.Warn("the keys of Keycloak could not be fetched; trying again until they are", "error", err)
		case err == nil && reported:
			k.log.Info("Keycloak gave its keys")
		}
		reported = err != nil
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// fetch replaces all keys, or none.
func (k *Keys) fetch(ctx context.Context) error {
	rq, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, nil)
	if err != nil {
		return err
	}
	answer, err := k.http.Do(rq)
	if err != nil {
		return unreachable(k.url, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d: is SALDO_IDP_REALM the realm's name?", k.url, answer.StatusCode)
	}
	var set jwkset.JWKSMarshal
	if err := json.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(&set); err != nil {
		return unreachable(k.url, err)
	}
	keys := map[string]crypto.PublicKey{}
	for _, m := range set.Keys {
		if m.USE != "" && m.USE != jwkset.UseSig {
			continue // Keycloak has one for encryption too
		}
		key, err := jwkset.NewJWKFromMarshal(m, jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{})
		if err != nil {
			k.log.Warn("a key of Keycloak is of no kind that Saldo knows", "key", m.KID, "error", err)
			continue
		}
		switch public := key.Key().(type) {
		case *rsa.PublicKey, *ecdsa.PublicKey: // never a shared secret
			keys[m.KID] = public
		}
	}
	if len(keys) == 0 {
		return errors.New("the realm has no key that signs")
	}
	k.known.Store(&keys)
	return nil
}

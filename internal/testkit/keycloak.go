//go:build keycloak

package testkit

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// Keycloak is the real one that scripts/with-keycloak started.
type Keycloak struct {
	URL, Public, Secret string
	Mails               *SMTP
	t                   *testing.T
}

// NewKeycloak finds it and starts its mail server, which ends with the test.
func NewKeycloak(t *testing.T) *Keycloak {
	t.Helper()
	k := &Keycloak{URL: os.Getenv("KEYCLOAK_TEST_URL"), Public: os.Getenv("KEYCLOAK_TEST_PUBLIC"), Secret: os.Getenv("KEYCLOAK_TEST_SECRET"),
		t: t}
	if k.URL == "" {
		t.Fatal("KEYCLOAK_TEST_URL is not set: run make test-keycloak")
	}
	k.Mails = NewSMTPAt(t, os.Getenv("KEYCLOAK_TEST_SMTP"))
	return k
}

// Serve lets a handler answer at the address under which Keycloak shows itself, until the test ends.
func (k *Keycloak) Serve(h http.Handler) {
	k.t.Helper()
	l, err := net.Listen("tcp", strings.TrimPrefix(k.Public, "http://"))
	if err != nil {
		k.t.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // ends with Close
	k.t.Cleanup(func() { _ = server.Close() })
}

// SetPassword does by REST what a person does through the mailed link.
func (k *Keycloak) SetPassword(id, password string) {
	k.t.Helper()
	k.ask(http.MethodPut, "/users/"+id+"/reset-password", map[string]any{"type": "password", "value": password, "temporary": false}, nil)
}

// Sessions counts the live sessions of a user.
func (k *Keycloak) Sessions(id string) int {
	k.t.Helper()
	var live []any
	k.ask(http.MethodGet, "/users/"+id+"/sessions", nil, &live)
	return len(live)
}

func (k *Keycloak) ask(method, path string, in, out any) {
	k.t.Helper()
	answer, err := http.PostForm(k.URL+"/auth/realms/saldo/protocol/openid-connect/token",
		url.Values{"grant_type": {"client_credentials"}, "client_id": {"app-backend"}, "client_secret": {k.Secret}})
	if err != nil {
		k.t.Fatal(err)
	}
	var tokens Tokens
	if err := json.Unmarshal([]byte(Text(k.t, answer)), &tokens); err != nil {
		k.t.Fatal(err)
	}
	body, err := json.Marshal(in)
	if err != nil {
		k.t.Fatal(err)
	}
	rq, err := http.NewRequest(method, k.URL+"/auth/admin/realms/saldo"+path, bytes.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+tokens.Access)
	rq.Header.Set("Content-Type", "application/json")
	if answer, err = http.DefaultClient.Do(rq); err != nil {
		k.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode > 299 {
		k.t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, text, err)
	}
	if out != nil {
		if err := json.Unmarshal(text, out); err != nil {
			k.t.Fatal(err)
		}
	}
}

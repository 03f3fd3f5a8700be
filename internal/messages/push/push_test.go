package push

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/outbound"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// browser is the other end of a subscription: it opens what it is sent, by RFC 8291 and without the library that sealed it.
type browser struct {
	key      *ecdh.PrivateKey
	auth     []byte
	endpoint string
}

func newBrowser(t *testing.T, name string) browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return browser{key, auth, "https://example.com/push/" + name}
}

func (b browser) subscription() Subscription {
	return Subscription{Endpoint: b.endpoint, P256dh: base64.RawURLEncoding.EncodeToString(b.key.PublicKey().Bytes()),
		Auth: base64.RawURLEncoding.EncodeToString(b.auth), Device: "Pixel 9, Chrome"}
}

func (b browser) open(record []byte) ([]byte, error) {
	if len(record) < 21+65 {
		return nil, errors.New("too short")
	}
	salt, size, length := record[:16], binary.BigEndian.Uint32(record[16:20]), int(record[20])
	if length != 65 || len(record) > int(size) {
		return nil, fmt.Errorf("a key of %d and a record of %d in %d", length, len(record), size)
	}
	raw, sealed := record[21:21+length], record[21+length:]
	sender, err := ecdh.P256().NewPublicKey(raw)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(b.key.PublicKey().Bytes()) + string(raw)
	ikm, err := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	if err != nil {
		return nil, err
	}
	content, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(content)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return nil, err
	}
	plain := bytes.TrimRight(padded, "\x00")
	if len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.New("no delimiter of the last record")
	}
	return plain[:len(plain)-1], nil
}

// pushServer is a push service: it keeps what it accepted, and answers some addresses in another way.
type pushServer struct {
	*httptest.Server
	mu       sync.Mutex
	answers  map[string]int // by path; otherwise 201
	accepted map[string][][]byte
	headers  []http.Header
}

func newPushServer(t *testing.T) *pushServer {
	p := &pushServer{answers: map[string]int{}, accepted: map[string][][]byte{}}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.headers = append(p.headers, r.Header.Clone())
		switch status := p.answers[r.URL.Path]; {
		case status == -1:
			panic(http.ErrAbortHandler)
		case status == http.StatusTemporaryRedirect:
			w.Header().Set("Location", "https://example.com/push/elsewhere")
			w.WriteHeader(status)
		case status != 0:
			w.WriteHeader(status)
		default:
			p.accepted[r.URL.Path] = append(p.accepted[r.URL.Path], body)
			w.WriteHeader(http.StatusCreated)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// service sends to the push server, wherever an address leads.
func (p *pushServer) service(t *testing.T, d *db.DB) *Service {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	s := New(d, v, "https://saldo.example")
	transport := p.Client().Transport.(*http.Transport).Clone()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, p.Listener.Addr().String())
	}
	s.http.Transport = transport
	return s
}

func driver(id string) access.Actor {
	return access.Actor{Role: access.Driver, ID: id, Person: id, Tenant: id}
}

func subscribe(t *testing.T, d *db.DB, s *Service, who string, given Subscription) {
	t.Helper()
	testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error { return s.Subscribe(tx, driver(who), given) })
}

func devices(t *testing.T, d *db.DB, who string) (found []Device) {
	t.Helper()
	testkit.Read(t, d, driver(who), func(tx *db.Tx) (err error) {
		found, err = Devices(tx)
		return err
	})
	return found
}

var someNote = Note{Title: "Nowe rozliczenie", Topic: "Tydzień 46", Path: "/app/driver/board"}

func TestSend_OpensInTheBrowser(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		p := newPushServer(t)
		s := p.service(t, d)
		phone, laptop := newBrowser(t, "phone"), newBrowser(t, "laptop")
		subscribe(t, d, s, "anna", phone.subscription())
		subscribe(t, d, s, "anna", laptop.subscription())
		subscribe(t, d, s, "jan", newBrowser(t, "other").subscription())
		tally, err := s.Send(t.Context(), "anna", someNote)
		if err != nil || tally != (Tally{Sent: 2}) {
			t.Fatalf("%+v %v", tally, err)
		}
		for name, b := range map[string]browser{"/push/phone": phone, "/push/laptop": laptop} {
			if len(p.accepted[name]) != 1 {
				t.Fatalf("%s got %d", name, len(p.accepted[name]))
			}
			plain, err := b.open(p.accepted[name][0])
			var got Note
			if err != nil || json.Unmarshal(plain, &got) != nil || got != someNote {
				t.Errorf("%s: %s %v", name, plain, err)
			}
		}
		if len(p.accepted["/push/other"]) != 0 {
			t.Error("another driver was told")
		}
		public, err := s.PublicKey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		checkVAPID(t, p.headers[0], public)
	})
}

// checkVAPID verifies the token of RFC 8292 with the key that browsers subscribe with.
func checkVAPID(t *testing.T, h http.Header, public string) {
	t.Helper()
	rest, ok := strings.CutPrefix(h.Get("Authorization"), "vapid t=")
	token, key, found := strings.Cut(rest, ", k=")
	parts := strings.Split(token, ".")
	if !ok || !found || key != public || len(parts) != 3 {
		t.Fatalf("authorization %s", h.Get("Authorization"))
	}
	point, err := base64.RawURLEncoding.DecodeString(public)
	if err != nil || len(point) != 65 {
		t.Fatal(err)
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	verifier, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	if !ecdsa.Verify(verifier, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Error("the signature is not of the key")
	}
	raw, _ := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(raw, &claims); err != nil || claims.Aud != "https://example.com" || claims.Sub != "https://saldo.example" ||
		claims.Exp > time.Now().Add(24*time.Hour).Unix() {
		t.Errorf("claims %s", raw)
	}
	if h.Get("Content-Encoding") != "aes128gcm" || h.Get("Ttl") != "86400" {
		t.Errorf("headers %v", h)
	}
}

func TestKeys_AreMadeOnceAndSealed(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := newPushServer(t).service(t, d)
		keys := make([]string, 8)
		var wg sync.WaitGroup
		for i := range keys {
			wg.Go(func() {
				key, err := s.PublicKey(t.Context())
				if err != nil {
					t.Error(err)
				}
				keys[i] = key
			})
		}
		wg.Wait()
		for _, key := range keys {
			if key != keys[0] || len(key) != 87 {
				t.Errorf("keys %v", keys)
			}
		}
		_, private, err := s.keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
			sealed, err := db.One[string](tx.Across(), `SELECT sealed FROM push_keys`)
			if strings.Contains(sealed, private) || !strings.HasPrefix(sealed, "v1.") {
				t.Error("the private key is not sealed")
			}
			return err
		})
	})
}

func TestSubscribe_KeepsNothingReadable(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := newPushServer(t).service(t, d)
		b := newBrowser(t, "secret-address")
		subscribe(t, d, s, "anna", b.subscription())
		testkit.Read(t, d, driver("anna"), func(tx *db.Tx) error {
			row, err := db.One[struct{ EndpointHash, Sealed string }](tx,
				`SELECT endpoint_hash, sealed FROM push_subscriptions WHERE tenant_id = $1`)
			for _, secret := range []string{"secret-address", "example.com", b.subscription().Auth, b.subscription().P256dh} {
				if strings.Contains(row.Sealed+row.EndpointHash, secret) {
					t.Errorf("%s can be read", secret)
				}
			}
			return err
		})
	})
}

// The same browser again, by the same driver or by another one, is one subscription of whoever came last.
func TestSubscribe_AgainAndByAnother(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := newPushServer(t).service(t, d)
		b := newBrowser(t, "shared")
		subscribe(t, d, s, "anna", b.subscription())
		again := b.subscription()
		again.Device = "Another name"
		subscribe(t, d, s, "anna", again)
		if found := devices(t, d, "anna"); len(found) != 1 || found[0].Device != "Another name" || found[0].ID != HashOf(b.endpoint) {
			t.Errorf("%+v", found)
		}
		subscribe(t, d, s, "jan", b.subscription())
		if a, j := devices(t, d, "anna"), devices(t, d, "jan"); len(a) != 0 || len(j) != 1 {
			t.Errorf("%v %v", a, j)
		}
		// Nobody removes a device of somebody else.
		testkit.Write(t, d, driver("anna"), func(tx *db.Tx) error { return Unsubscribe(tx, HashOf(b.endpoint)) })
		if found := devices(t, d, "jan"); len(found) != 1 {
			t.Error("removed by another driver")
		}
		for range 2 {
			testkit.Write(t, d, driver("jan"), func(tx *db.Tx) error { return Unsubscribe(tx, HashOf(b.endpoint)) })
		}
		if found := devices(t, d, "jan"); len(found) != 0 {
			t.Error("still there")
		}
	})
}

func TestSubscribe_TenDevicesAtMost(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			clock := testkit.NewClock()
			place := testkit.Settings(t, engine)
			place.Clock = clock.Now
			d := testkit.Open(t, place)
			p := newPushServer(t)
			s := p.service(t, d)
			subscribe(t, d, s, "anna", newBrowser(t, "0").subscription())
			for i := 1; i < MostDevices; i++ {
				clock.Pass(time.Minute)
				subscribe(t, d, s, "anna", newBrowser(t, fmt.Sprint(i)).subscription())
			}
			// The oldest is told again, so another one is the one to forget.
			clock.Pass(time.Hour)
			p.answers["/push/1"] = 500
			if tally, err := s.Send(t.Context(), "anna", someNote); err != nil || tally != (Tally{Sent: 9, Failed: 1}) {
				t.Fatalf("%+v %v", tally, err)
			}
			clock.Pass(time.Minute)
			subscribe(t, d, s, "anna", newBrowser(t, "new").subscription())
			found := devices(t, d, "anna")
			if len(found) != MostDevices || found[0].ID != HashOf("https://example.com/push/new") {
				t.Errorf("%d devices", len(found))
			}
			for _, f := range found {
				if f.ID == HashOf("https://example.com/push/1") {
					t.Error("the device that was told longest ago is still there")
				}
			}
		})
	}
}

func TestSend_ForgetsWhoIsGoneAndCountsFailures(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		p := newPushServer(t)
		s := p.service(t, d)
		p.answers = map[string]int{"/push/404": 404, "/push/410": 410, "/push/500": 500, "/push/429": 429, "/push/403": 403,
			"/push/redirect": 307, "/push/broken": -1}
		for path := range p.answers {
			subscribe(t, d, s, "anna", newBrowser(t, strings.TrimPrefix(path, "/push/")).subscription())
		}
		subscribe(t, d, s, "anna", newBrowser(t, "ok").subscription())
		for i, want := range []Tally{{Sent: 1, Forgotten: 2, Failed: 5}, {Sent: 1, Failed: 5}} {
			tally, err := s.Send(t.Context(), "anna", someNote)
			if err != nil || tally != want {
				t.Errorf("%d: %+v %v", i, tally, err)
			}
		}
		if len(p.accepted["/push/elsewhere"]) != 0 {
			t.Error("a redirection was followed")
		}
		failures := func() (all map[string]int64) {
			all = map[string]int64{}
			testkit.Read(t, d, driver("anna"), func(tx *db.Tx) error {
				rows, err := db.Select[struct {
					EndpointHash string
					Failures     int64
				}](tx, `SELECT endpoint_hash, failures FROM push_subscriptions WHERE tenant_id = $1`)
				for _, r := range rows {
					all[r.EndpointHash] = r.Failures
				}
				return err
			})
			return all
		}
		if f := failures(); len(f) != 6 || f[HashOf("https://example.com/push/500")] != 2 || f[HashOf("https://example.com/push/ok")] != 0 {
			t.Errorf("%v", f)
		}
		p.mu.Lock()
		p.answers = map[string]int{}
		p.mu.Unlock()
		tally, err := s.Send(t.Context(), "anna", someNote)
		if err != nil || tally.Sent != 6 || failures()[HashOf("https://example.com/push/500")] != 0 {
			t.Errorf("%+v %v", tally, err)
		}
	})
}

func TestSend_NobodyToTell(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		if tally, err := newPushServer(t).service(t, d).Send(t.Context(), "anna", someNote); err != nil || tally != (Tally{}) {
			t.Errorf("%+v %v", tally, err)
		}
	})
}

func TestNote_NeverHoldsAnAmount(t *testing.T) {
	for _, text := range []string{"Wypłata 1 234,56 zł", "Wypłata 1\u00a0234,56\u00a0zł dziś", "Masz 12zł",
		"12 ZŁOTYCH", "50 gr", "100 PLN", "PLN 100", "€ 5", "5€",
		"$20", "EUR: 20", "Виплата 500 грн", "500 гривень", "1 000 руб.", "Auszahlung 1.234,56 EUR", "1'000 CHF", "£3"} {
		payload, err := Note{Title: text, Topic: text, Path: "/app/"}.payload()
		var got Note
		if err != nil || json.Unmarshal(payload, &got) != nil || HasAmount(string(payload)) || got.Topic != "" || got.Title != "Saldo" {
			t.Errorf("%q: %s %v", text, payload, err)
		}
	}
	for _, text := range []string{"Tydzień 46", "Rozliczenie do 12 grudnia", "9–15 listopada 2026", "Faktura FV/12/2026",
		"Nowy regulamin", "Gruzja 2",
		"Rozliczenie 12.10", "3 euroregiony"} {
		payload, err := Note{Title: "a", Topic: text, Path: "/app/"}.payload()
		var got Note
		if err != nil || json.Unmarshal(payload, &got) != nil || got.Topic != text {
			t.Errorf("%q: %s %v", text, payload, err)
		}
	}
}

func TestNote_IsShortAndLeadsInside(t *testing.T) {
	payload, err := Note{Title: strings.Repeat("ż", 80), Topic: "a\nb\u0000", Path: "/app/driver/board"}.payload()
	var got Note
	if err != nil || json.Unmarshal(payload, &got) != nil || len([]rune(got.Title)) > 60 || strings.Contains(got.Topic, "\n") {
		t.Errorf("%s %v", payload, err)
	}
	for _, path := range []string{"", "app", "https://evil.example", "//evil.example", "/app?x=1", "/app/../x", "/\\evil", "javascript:a"} {
		if _, err := (Note{Title: "a", Path: path}).payload(); err == nil {
			t.Errorf("path %q", path)
		}
	}
}

func TestSubscribe_RefusesWhatNoBrowserGives(t *testing.T) {
	good := newBrowser(t, "a").subscription()
	for name, change := range map[string]func(*Subscription){
		"http":              func(s *Subscription) { s.Endpoint = "http://example.com/a" },
		"no address":        func(s *Subscription) { s.Endpoint = "" },
		"user":              func(s *Subscription) { s.Endpoint = "https://a@example.com/a" },
		"port":              func(s *Subscription) { s.Endpoint = "https://example.com:8443/a" },
		"fragment":          func(s *Subscription) { s.Endpoint = "https://example.com/a#b" },
		"loopback":          func(s *Subscription) { s.Endpoint = "https://127.0.0.1/a" },
		"loopback of IPv6":  func(s *Subscription) { s.Endpoint = "https://[::1]/a" },
		"public number":     func(s *Subscription) { s.Endpoint = "https://8.8.8.8/a" },
		"localhost":         func(s *Subscription) { s.Endpoint = "https://localhost/a" },
		"below localhost":   func(s *Subscription) { s.Endpoint = "https://a.localhost/a" },
		"name in a cluster": func(s *Subscription) { s.Endpoint = "https://metadata.google.internal/a" },
		"too long":          func(s *Subscription) { s.Endpoint = "https://example.com/" + strings.Repeat("a", 1000) },
		"no key":            func(s *Subscription) { s.P256dh = "" },
		"key off the curve": func(s *Subscription) {
			s.P256dh = base64.RawURLEncoding.EncodeToString(append([]byte{4}, make([]byte, 64)...))
		},
		"short secret": func(s *Subscription) { s.Auth = "AAAA" },
		"no base64":    func(s *Subscription) { s.Auth = "???" },
		"long device":  func(s *Subscription) { s.Device = strings.Repeat("a", 101) },
	} {
		s := good
		change(&s)
		var f *fault.Fault
		if _, err := s.checked(); !errors.As(err, &f) || f.Code != ErrInvalid.Code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := good.checked(); err != nil {
		t.Error(err)
	}
	if u, _ := url.Parse(good.Endpoint); u.Host != "example.com" {
		t.Error(u)
	}
}

func TestClient_ConnectsToPublicAddressesOnly(t *testing.T) {
	for address, public := range map[string]bool{
		"8.8.8.8:443": true, "[2a00:1450:4001::1]:443": true,
		"8.8.8.8:80": false, "8.8.8.8:5432": false, "127.0.0.1:443": false, "10.1.2.3:443": false, "172.16.0.1:443": false,
		"192.168.1.1:443":     false,
		"169.254.169.254:443": false, "100.64.0.1:443": false, "0.0.0.0:443": false, "255.255.255.255:443": false, "224.0.0.1:443": false,
		"198.18.0.1:443": false, "[::1]:443": false, "[::]:443": false, "[fe80::1]:443": false, "[fd00::1]:443": false,
		"[::ffff:127.0.0.1]:443": false, "[::ffff:8.8.8.8]:443": true, "[64:ff9b::7f00:1]:443": false, "[2002:7f00:1::]:443": false,
	} {
		if got := isPublic(netip.MustParseAddrPort(address)); got != public {
			t.Errorf("%s: %v", address, got)
		}
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a private address was reached") }))
	t.Cleanup(server.Close)
	trust := server.Client().Transport.(*http.Transport).TLSClientConfig
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	onlyNumbers := func(a netip.AddrPort) bool { return isPublic(netip.AddrPortFrom(a.Addr(), 443)) } // whatever the port
	// A name is checked by what it resolves to.
	for _, host := range []string{"127.0.0.1", "localhost"} {
		response, err := newClient(onlyNumbers, &tls.Config{RootCAs: trust.RootCAs}).Get("https://" + host + ":" + port)
		if !errors.Is(err, outbound.ErrPrivate) {
			t.Errorf("%s: %v", host, err)
		}
		if err == nil {
			_ = response.Body.Close()
		}
	}
}

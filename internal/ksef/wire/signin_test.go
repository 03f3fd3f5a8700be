package wire

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"testing"
	"time"

	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/testkit/ksefd"
)

func TestSignIn_WithASignature(t *testing.T) {
	s, c := environment(t)
	s.Steps = 3
	with := seal(t, fleet)
	with.Addresses = []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("127.0.0.1")}
	tokens, err := c.SignIn(ctx, fleet, with)
	good(t, err)
	if got := tokens.AccessUntil.Sub(s.Now()); got < 10*time.Minute || got > 20*time.Minute || tokens.RefreshUntil.Sub(s.Now()) < 6*24*time.Hour {
		t.Errorf("%+v", tokens)
	}
	of := c.As(tokens)
	rights, err := of.Rights(ctx)
	if err != nil || !slices.Contains(rights, "InvoiceWrite") {
		t.Error(rights, err)
	}
	s.Advance(20 * time.Minute)
	if _, err := of.Rights(ctx); KindOf(err) != SignIn || answered(t, err).HTTP != 401 {
		t.Error(err)
	}
	if tokens, err = c.Refresh(ctx, tokens); err != nil {
		t.Fatal(err)
	}
	if _, err := c.As(tokens).Rights(ctx); err != nil {
		t.Error(err)
	}
	s.Advance(8 * 24 * time.Hour)
	if _, err := c.Refresh(ctx, tokens); KindOf(err) != SignIn {
		t.Error(err)
	}
}

func TestSignIn_WithAToken(t *testing.T) {
	s, c := environment(t)
	s.Token(string(fleet), "20261119-EC-0123456789")
	keys := new(Keyring)
	with := Token{Text: "20261119-EC-0123456789", Addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}}
	tokens, err := keys.SignIn(ctx, c, s.Now(), fleet, with)
	good(t, err)
	if _, err := c.As(tokens).EnrolData(ctx); KindOf(err) != People || !Has(err, 25001) {
		t.Error(err)
	}
	s.Rotate()
	if _, err := keys.SignIn(ctx, c, s.Now(), fleet, with); err != nil {
		t.Error(err)
	}
	with.Text = "another"
	if _, err := keys.SignIn(ctx, c, s.Now(), fleet, with); KindOf(err) != People || !Has(err, 450) {
		t.Error(err)
	}
}

func TestSignIn_AsAnother(t *testing.T) {
	s, c := environment(t)
	if _, err := c.SignIn(ctx, driver, seal(t, fleet)); KindOf(err) != People || !Has(err, 415) {
		t.Error(err)
	}
	for code, want := range map[int]Kind{415: People, 425: SignIn, 450: People, 460: People, 470: People, 480: People, 500: Again, 550: Again} {
		s.End("auth", code)
		if _, err := c.SignIn(ctx, fleet, seal(t, fleet)); KindOf(err) != want || !Has(err, code) {
			t.Errorf("%d: %v", code, err)
		}
	}
	s.Steps = 1000
	if _, err := c.SignIn(ctx, fleet, seal(t, fleet)); KindOf(err) != Again {
		t.Error(err)
	}
	broken := errors.New("broken")
	c.Pause = nil
	if _, err := c.SignIn(ctx, fleet, refusing{broken}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type refusing struct{ err error }

func (r refusing) Prove(Challenge, official.NIP) (Proof, error) { return Proof{}, r.err }

func TestSignIn_ByAForgedOrLateRequest(t *testing.T) {
	s, c := environment(t)
	with := seal(t, fleet)
	answer := func(change func([]byte) []byte) error {
		ch, err := c.Challenge(ctx)
		good(t, err)
		proof, err := with.Prove(ch, fleet)
		good(t, err)
		_, err = c.SignInSigned(ctx, change(proof.Signed))
		return err
	}
	same := func(file []byte) []byte { return file }
	if err := answer(same); err != nil {
		t.Error(err)
	}
	for code, change := range map[int]func([]byte) []byte{
		9105:  func(f []byte) []byte { return bytes.Replace(f, []byte(fleet), []byte(driver), 1) },
		21001: func([]byte) []byte { return []byte("<Request/>") },
		9102: func(f []byte) []byte {
			return []byte(`<AuthTokenRequest xmlns="http://ksef.mf.gov.pl/auth/token/2.0"/>`)
		},
		21111: func(f []byte) []byte { s.Advance(11 * time.Minute); return f },
	} {
		if err := answer(change); !Has(err, code) {
			t.Errorf("%d: %v", code, err)
		}
	}
	var used []byte
	good(t, answer(func(f []byte) []byte { used = f; return f }))
	if _, err := c.SignInSigned(ctx, used); !Has(err, 21111) || KindOf(err) != SignIn {
		t.Error(err)
	}
}

// A sign-in is redeemed once. Where its answer is lost, the next one begins at the beginning.
func TestSignIn_IsRedeemedOnce(t *testing.T) {
	s, c := environment(t)
	s.Script(ksefd.Fault{On: "POST /auth/token/redeem", Cut: true})
	_, err := c.SignIn(ctx, fleet, seal(t, fleet))
	if answered(t, err).HTTP != 0 || KindOf(err) != Again {
		t.Error(err)
	}
	seen := s.Calls()
	if seen[0] != "POST /auth/challenge" || len(seen) != 4 || seen[3] != "POST /auth/token/redeem" {
		t.Errorf("%q", seen)
	}
	if _, err := c.SignIn(ctx, fleet, seal(t, fleet)); err != nil {
		t.Error(err)
	}
	ch, err := c.Challenge(ctx)
	good(t, err)
	proof, err := seal(t, fleet).Prove(ch, fleet)
	good(t, err)
	var in begun
	good(t, c.call(ctx, request{method: http.MethodPost, path: "/auth/xades-signature", public: true, raw: proof.Signed}, &in))
	redeem := request{method: http.MethodPost, path: "/auth/token/redeem", token: in.Token.Token}
	good(t, c.call(ctx, redeem, nil))
	if err := c.call(ctx, redeem, nil); !Has(err, 21301) || KindOf(err) != SignIn {
		t.Error(err)
	}
}

func TestKeyring_RepeatsOnceWhereTheKeyWasChanged(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	keys := new(Keyring)
	open := func(e ksef.Envelope) error { _, _, err := of.OpenOnline(ctx, e); return err }
	good(t, keys.Seal(ctx, of, s.Now(), open))
	s.Calls()
	good(t, keys.Seal(ctx, of, s.Now(), open))
	if seen := s.Calls(); len(seen) != 1 {
		t.Errorf("%q", seen)
	}
	s.Rotate()
	good(t, keys.Seal(ctx, of, s.Now(), open))
	const fetch, opening = "GET /security/public-key-certificates", "POST /sessions/online"
	if seen := s.Calls(); !slices.Equal(seen, []string{opening, fetch, opening}) {
		t.Errorf("%q", seen)
	}
	s.Script(ksefd.Fault{On: opening, Status: 400, Codes: []int{21470}}, ksefd.Fault{On: opening, Status: 400, Codes: []int{21470}})
	if err := keys.Seal(ctx, of, s.Now(), open); KindOf(err) != Keys {
		t.Error(err)
	}
	if seen := s.Calls(); !slices.Equal(seen, []string{opening, fetch, opening}) {
		t.Errorf("%q", seen)
	}
	all, err := c.Keys(ctx)
	good(t, err)
	k, ok := newest(all, s.Now(), func(k Key) bool { return k.ForFiles })
	if !ok || slices.ContainsFunc(all, func(one Key) bool { return one.ForFiles && one.From.After(k.From) }) || len(all) != 3 {
		t.Errorf("%+v", k)
	}
	if _, ok := newest(all, s.Now().AddDate(2, 0, 0), func(Key) bool { return true }); ok {
		t.Error("a key that has expired is taken")
	}
	if err := new(Keyring).Seal(ctx, c, s.Now().AddDate(2, 0, 0), open); KindOf(err) != Again {
		t.Error(err)
	}
}

// enrol gets a certificate for a new key.
func enrol(t *testing.T, of Client, p Purpose) *ksef.Certificate {
	t.Helper()
	if left, err := of.MayEnrol(ctx); err != nil || left == 0 {
		t.Fatal(left, err)
	}
	owner, err := of.EnrolData(ctx)
	good(t, err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	good(t, err)
	csr, err := owner.Request(key)
	good(t, err)
	reference, err := of.Enrol(ctx, "Saldo "+string(p), p, csr)
	good(t, err)
	state, serial, err := of.Enrolment(ctx, reference)
	good(t, errors.Join(err, state.Err(OfEnrolment)))
	made, err := of.Retrieve(ctx, serial)
	good(t, err)
	c := &ksef.Certificate{Certificate: made, Key: key}
	if c.Serial() != serial {
		t.Errorf("%s, not %s", c.Serial(), serial)
	}
	return c
}

func TestEnrol_MakesCertificatesThatSignIn(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	first := enrol(t, of, ToSignIn)
	tokens, err := c.SignIn(ctx, fleet, Signature{Certificate: first})
	good(t, err)
	next := enrol(t, c.As(tokens), ToSignIn) // a certificate of KSeF gets its successor
	if _, err := c.SignIn(ctx, fleet, Signature{Certificate: next}); err != nil {
		t.Error(err)
	}
	offline := enrol(t, of, ToGoAhead)
	if _, err := c.SignIn(ctx, fleet, Signature{Certificate: offline}); KindOf(err) != People || !Has(err, 460) {
		t.Error(err)
	}
	issued, more, err := of.Certificates(ctx, "", 0)
	if err != nil || more || len(issued) != 3 || issued[2].Purpose != ToGoAhead || issued[0].Serial != first.Serial() || issued[0].Until.Before(s.Now().AddDate(1, 11, 0)) {
		t.Errorf("%+v %v %v", issued, more, err)
	}
	for _, code := range []int{400, 500} {
		s.End("certificate", code)
		owner, err := of.EnrolData(ctx)
		good(t, err)
		csr, err := owner.Request(first.Key)
		good(t, err)
		reference, err := of.Enrol(ctx, "Saldo", ToSignIn, csr)
		good(t, err)
		if state, serial, err := of.Enrolment(ctx, reference); err != nil || !Has(state.Err(OfEnrolment), code) || serial != "" {
			t.Error(state, serial, err)
		}
	}
	owner, err := of.EnrolData(ctx)
	good(t, err)
	owner.Organization = "Another"
	csr, err := owner.Request(first.Key)
	good(t, err)
	if _, err := of.Enrol(ctx, "Saldo", ToSignIn, csr); !Has(err, 25003) {
		t.Error(err)
	}
	if _, err := of.Enrol(ctx, "Saldo", ToSignIn, []byte("no request")); !Has(err, 25004) {
		t.Error(err)
	}
	if _, err := of.Retrieve(ctx, "0000000000000000"); KindOf(err) != Again {
		t.Error(err)
	}
}

func TestSignIn_IsForItsAddressesAlone(t *testing.T) {
	s, c := environment(t)
	elsewhere := []netip.Addr{netip.MustParseAddr("192.0.2.1")}
	with := seal(t, fleet)
	with.Addresses = elsewhere
	signed, err := c.SignIn(ctx, fleet, with)
	good(t, err)
	s.Token(string(fleet), "20261119-EC-0123456789")
	byToken, err := new(Keyring).SignIn(ctx, c, s.Now(), fleet, Token{Text: "20261119-EC-0123456789", Addresses: elsewhere})
	good(t, err)
	for _, tokens := range []Tokens{signed, byToken} {
		if _, err := c.As(tokens).Rights(ctx); KindOf(err) != People || answered(t, err).Reason != "ip-not-allowed" {
			t.Error(err)
		}
	}
}

func TestSignIn_AsAPersonWhoseCompanyItIs(t *testing.T) {
	_, c := environment(t)
	certificate, key := ksefd.Person(t, "44051401359")
	with := Signature{Certificate: &ksef.Certificate{Certificate: certificate, Key: key}}
	if _, err := c.SignIn(ctx, other, with); KindOf(err) != People || !Has(err, 415) {
		t.Error(err)
	}
	good(t, c.call(ctx, request{method: http.MethodPost, path: "/testdata/person", public: true, body: map[string]any{"nip": other,
		"pesel": "44051401359", "isBailiff": false, "description": "Kierowca"}}, nil))
	tokens, err := c.SignIn(ctx, other, with)
	good(t, err)
	owner, err := c.As(tokens).EnrolData(ctx)
	if err != nil || owner.SerialNumber != "PNOPL-44051401359" || owner.Organization != "" {
		t.Error(err)
	}
	enrol(t, c.As(tokens), ToSignIn)
}

func TestKeyring_IsForMany(t *testing.T) {
	s, c := environment(t)
	of := signedIn(t, c, fleet)
	s.Calls()
	keys, at := new(Keyring), s.Now()
	failed := make(chan error)
	for range 8 {
		go func() {
			failed <- keys.Seal(ctx, of, at, func(e ksef.Envelope) error { _, _, err := of.OpenOnline(ctx, e); return err })
		}()
	}
	for range 8 {
		good(t, <-failed)
	}
	if seen := s.Calls(); len(seen) != 9 { // the keys are fetched once
		t.Errorf("%q", seen)
	}
}

func TestPause_EndsWithWhoeverWaits(t *testing.T) {
	if err := (Client{}).pause(ctx, time.Nanosecond); err != nil {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := (Client{}).pause(gone, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

package wire

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
)

// Challenge is what whoever signs in has to answer within ten minutes.
type Challenge struct {
	ID     string    `json:"challenge"`
	At     time.Time `json:"timestamp"`
	Millis int64     `json:"timestampMs"`
}

// Proof answers a challenge: a signed request, or a sealed token.
type Proof struct {
	Signed       []byte
	Token, KeyID string
	Addresses    []netip.Addr // from which the tokens may be used; in the signed request where there is one
}

// Credential proves who signs in.
type Credential interface {
	Prove(c Challenge, as official.NIP) (Proof, error)
}

// Signature signs in with a certificate.
type Signature struct {
	*ksef.Certificate
	ByFingerprint bool
	Addresses     []netip.Addr
}

// Prove signs the request. KSeF's own time stands in it: a clock that is wrong does not keep anybody out.
func (s Signature) Prove(c Challenge, as official.NIP) (Proof, error) {
	signed, err := ksef.Request{Challenge: c.ID, NIP: as, ByFingerprint: s.ByFingerprint, Addresses: s.Addresses}.Signed(s.Certificate, c.At)
	return Proof{Signed: signed}, err
}

// Token signs in with a token of KSeF.
type Token struct {
	Text      string
	Key       ksef.PublicKey
	Addresses []netip.Addr
}

// Prove seals the token.
func (t Token) Prove(c Challenge, _ official.NIP) (Proof, error) {
	sealed, err := ksef.SealToken(t.Key, t.Text, c.Millis)
	return Proof{Token: sealed, KeyID: t.Key.ID, Addresses: t.Addresses}, err
}

// Tokens are what one has who has signed in.
type Tokens struct {
	Access, Refresh           string
	AccessUntil, RefreshUntil time.Time
}

// String is for logs: it leaves out what lets in.
func (t Tokens) String() string {
	return "tokens of KSeF until " + t.RefreshUntil.UTC().Format(time.RFC3339)
}

type (
	token struct {
		Token      string    `json:"token"`
		ValidUntil time.Time `json:"validUntil"`
	}
	begun struct {
		Reference string `json:"referenceNumber"`
		Token     token  `json:"authenticationToken"`
	}
	tokenSignIn struct {
		Challenge string     `json:"challenge"`
		Context   identifier `json:"contextIdentifier"`
		Token     string     `json:"encryptedToken"`
		KeyID     string     `json:"publicKeyId,omitempty"`
		Policy    *policy    `json:"authorizationPolicy,omitempty"`
	}
	policy struct {
		Allowed struct {
			Addresses []string `json:"ip4Addresses"`
		} `json:"allowedIps"`
	}
	identifier struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	}
	stated struct {
		Status Status `json:"status"`
	}
	redeemed struct {
		Access  token `json:"accessToken"`
		Refresh token `json:"refreshToken"`
	}
	refreshed struct {
		Access token `json:"accessToken"`
	}
)

// groupPublic are calls that are counted by address alone.
const groupPublic = "public"

// Challenge asks for one, for a person to sign.
func (c Client) Challenge(ctx context.Context) (ch Challenge, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/auth/challenge", group: groupPublic, public: true}, &ch)
	return ch, given(err, ch.ID)
}

// SignIn signs in as a company. It is never half done: where an answer is lost, the next try begins with another challenge.
func (c Client) SignIn(ctx context.Context, as official.NIP, with Credential) (Tokens, error) {
	ch, err := c.Challenge(ctx)
	if err != nil {
		return Tokens{}, err
	}
	proof, err := with.Prove(ch, as)
	if err != nil {
		return Tokens{}, err
	}
	if proof.Signed != nil {
		return c.SignInSigned(ctx, proof.Signed)
	}
	in := tokenSignIn{Challenge: ch.ID, Context: identifier{"Nip", string(as)}, Token: proof.Token, KeyID: proof.KeyID}
	if len(proof.Addresses) > 0 {
		in.Policy = &policy{}
		for _, a := range proof.Addresses {
			in.Policy.Allowed.Addresses = append(in.Policy.Allowed.Addresses, a.Unmap().String())
		}
	}
	return c.begin(ctx, request{method: http.MethodPost, path: "/auth/ksef-token", group: groupPublic, public: true, body: in})
}

// SignInSigned signs in with a request that is signed already, as by a person.
func (c Client) SignInSigned(ctx context.Context, signed []byte) (Tokens, error) {
	return c.begin(ctx, request{method: http.MethodPost, path: "/auth/xades-signature", group: groupPublic, public: true, raw: signed})
}

// signInPauses are those between two questions whether a sign-in is through.
var signInPauses = []time.Duration{0, 500 * time.Millisecond, time.Second, 2 * time.Second, 2 * time.Second, 5 * time.Second,
	10 * time.Second,
	10 * time.Second, 20 * time.Second, 30 * time.Second}

func (c Client) begin(ctx context.Context, r request) (Tokens, error) {
	var in begun
	err := c.call(ctx, r, &in)
	if err = given(err, in.Reference, in.Token.Token); err != nil {
		return Tokens{}, err
	}
	var now stated
	for _, wait := range signInPauses {
		if wait > 0 {
			if err := c.pause(ctx, wait); err != nil {
				return Tokens{}, err
			}
		}
		ask := request{method: http.MethodGet, path: "/auth/" + url.PathEscape(in.Reference), group: groupPublic, token: in.Token.Token}
		if err := c.call(ctx, ask, &now); err != nil {
			return Tokens{}, err
		}
		if !now.Status.Running(OfSignIn) {
			break
		}
	}
	if now.Status.Running(OfSignIn) {
		return Tokens{}, &Said{Thing: OfSignIn, HTTP: http.StatusOK, Codes: []int{550}}
	}
	if err := now.Status.Err(OfSignIn); err != nil {
		return Tokens{}, err
	}
	var got redeemed
	err = c.call(ctx, request{method: http.MethodPost, path: "/auth/token/redeem", group: groupPublic, token: in.Token.Token}, &got)
	if err = given(err, got.Access.Token, got.Refresh.Token); err != nil {
		return Tokens{}, err
	}
	return Tokens{got.Access.Token, got.Refresh.Token, got.Access.ValidUntil, got.Refresh.ValidUntil}, nil
}

// Refresh gets a new access token. The other one stays.
func (c Client) Refresh(ctx context.Context, t Tokens) (Tokens, error) {
	var got refreshed
	err := c.call(ctx, request{method: http.MethodPost, path: "/auth/token/refresh", group: groupPublic, token: t.Refresh}, &got)
	if err = given(err, got.Access.Token); err != nil {
		return t, err
	}
	t.Access, t.AccessUntil = got.Access.Token, got.Access.ValidUntil
	return t, nil
}

// SignOut ends what SignIn began.
func (c Client) SignOut(ctx context.Context) error {
	return c.call(ctx, request{method: http.MethodDelete, path: "/auth/sessions/current", group: "other"}, nil)
}

// Key is a public key of KSeF.
type Key struct {
	ksef.PublicKey
	ForFiles, ForTokens bool
	From, Until         time.Time
}

type publicKey struct {
	Certificate []byte    `json:"certificate"`
	ID          string    `json:"publicKeyId"`
	From        time.Time `json:"validFrom"`
	Until       time.Time `json:"validTo"`
	Usage       []string  `json:"usage"`
}

// Keys are those of KSeF. Certificates that it cannot use are left out.
func (c Client) Keys(ctx context.Context) (keys []Key, err error) {
	var got []publicKey
	if err := c.call(ctx, request{method: http.MethodGet, path: "/security/public-key-certificates", group: groupPublic, public: true},
		&got); err != nil {
		return nil, err
	}
	for _, one := range got {
		certificate, err := x509.ParseCertificate(one.Certificate)
		if err != nil {
			continue
		}
		if key, is := certificate.PublicKey.(*rsa.PublicKey); is && key.N.BitLen() >= 2048 {
			keys = append(keys, Key{ksef.PublicKey{ID: one.ID, Key: key}, slices.Contains(one.Usage, "SymmetricKeyEncryption"),
				slices.Contains(one.Usage, "KsefTokenEncryption"), one.From, one.Until})
		}
	}
	return keys, nil
}

// newest is the key that is valid and began last.
func newest(keys []Key, at time.Time, fits func(Key) bool) (found Key, ok bool) {
	for _, k := range keys {
		if fits(k) && !at.Before(k.From) && at.Before(k.Until) && (!ok || k.From.After(found.From)) {
			found, ok = k, true
		}
	}
	return found, ok
}

// Keyring keeps KSeF's keys until it changes them. It may be used by many at once.
type Keyring struct {
	mu   sync.Mutex
	keys []Key
}

// Seal calls with an envelope for KSeF; if KSeF has changed its key, once more with another envelope for the new one.
func (r *Keyring) Seal(ctx context.Context, c Client, at time.Time, call func(ksef.Envelope) error) error {
	return r.use(ctx, c, at, func(k Key) bool { return k.ForFiles }, func(key ksef.PublicKey) error {
		e, err := ksef.NewEnvelope(key)
		if err != nil {
			return err
		}
		return call(e)
	})
}

// SignIn signs in with a token of KSeF, also where KSeF has changed its key.
func (r *Keyring) SignIn(ctx context.Context, c Client, at time.Time, as official.NIP, t Token) (got Tokens, err error) {
	err = r.use(ctx, c, at, func(k Key) bool { return k.ForTokens }, func(key ksef.PublicKey) error {
		t.Key = key
		got, err = c.SignIn(ctx, as, t)
		return err
	})
	return got, err
}

func (r *Keyring) use(ctx context.Context, c Client, at time.Time, fits func(Key) bool, call func(ksef.PublicKey) error) error {
	key, err := r.key(ctx, c, at, fits, "")
	if err != nil {
		return err
	}
	if err = call(key); KindOf(err) != Keys {
		return err
	}
	if key, err = r.key(ctx, c, at, fits, key.ID); err != nil {
		return err
	}
	return call(key)
}

// key is the newest key, fetched where there is none but the one that KSeF does not know any more.
func (r *Keyring) key(ctx context.Context, c Client, at time.Time, fits func(Key) bool, not string) (ksef.PublicKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k, ok := newest(r.keys, at, fits); ok && k.ID != not {
		return k.PublicKey, nil
	}
	keys, err := c.Keys(ctx)
	if err != nil {
		return ksef.PublicKey{}, err
	}
	r.keys = keys
	k, ok := newest(keys, at, fits)
	if !ok {
		return ksef.PublicKey{}, &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
	}
	return k.PublicKey, nil
}

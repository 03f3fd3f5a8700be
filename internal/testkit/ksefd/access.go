package ksefd

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/testkit/ksefd/xades"
)

var ofAccess = map[string]func(*call) reply{
	"POST /auth/challenge": (*call).challenge, "POST /auth/xades-signature": (*call).signed, "POST /auth/ksef-token": (*call).byToken,
	"GET /auth/{referenceNumber}": (*call).authStatus, "POST /auth/token/redeem": (*call).redeem, "POST /auth/token/refresh": (*call).refresh,
	"DELETE /auth/sessions/current": (*call).signOut, "GET /security/public-key-certificates": (*call).publicKeys,
	"POST /testdata/person": (*call).person,
}

// key is one of KSeF's own.
type key struct {
	*rsa.PrivateKey
	id         string
	raw        []byte
	from, till time.Time
}

// Making keys takes long: all servers have the same.
var madeKeys = [2]func() (*rsa.PrivateKey, error){
	sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }),
	sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }),
}

func newKey(t testing.TB, now time.Time, n int) *key {
	t.Helper()
	private, err := madeKeys[n%2]()
	if err != nil {
		t.Fatal(err)
	}
	k := &key{PrivateKey: private, from: now.Add(-time.Hour).Truncate(time.Second), till: now.AddDate(1, 0, 0).Truncate(time.Second)}
	template := &x509.Certificate{SerialNumber: big.NewInt(int64(n + 1)), Subject: pkix.Name{CommonName: "KSeF"}, NotBefore: k.from,
		NotAfter: k.till}
	if k.raw, err = x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private); err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	k.id = hash(append(public, byte(n)))
	return k
}

// Rotate gives KSeF another key and forgets the one before.
func (s *Server) Rotate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counter++
	s.keys = []*key{newKey(s.t, s.now(), s.counter)}
}

func (c *call) publicKeys() reply {
	list := []object{}
	for _, k := range c.keys {
		for _, use := range []string{"SymmetricKeyEncryption", "KsefTokenEncryption"} { // as in the real one, a certificate for each
			list = append(list, object{"certificate": k.raw, "certificateId": hash(k.raw), "publicKeyId": k.id, "validFrom": stamp(k.from),
				"validTo": stamp(k.till), "usage": []string{use}})
		}
		former := k.from.AddDate(-1, 0, 0) // one that is valid and older is not to be taken
		list = append(list, object{"certificate": k.raw, "certificateId": hash(k.raw), "publicKeyId": hash([]byte("former")),
			"validFrom": stamp(former), "validTo": stamp(k.till), "usage": []string{"SymmetricKeyEncryption", "KsefTokenEncryption"}})
	}
	return ok(list)
}

var (
	errKey    = errors.New("the key is unknown")
	errSealed = errors.New("it cannot be decrypted")
)

// opened decrypts what was sealed with a public key.
func (s *Server) opened(sealed []byte, id string) ([]byte, error) {
	for _, k := range s.keys {
		if id != "" && id != k.id {
			continue
		}
		plain, err := rsa.DecryptOAEP(sha256.New(), nil, k.PrivateKey, sealed, nil)
		if err != nil {
			return nil, errSealed
		}
		return plain, nil
	}
	return nil, errKey
}

// encryption is the key of a session or export.
type encryption struct {
	EncryptedSymmetricKey []byte
	InitializationVector  []byte
	PublicKeyID           string `json:"publicKeyId"`
	key                   []byte
}

func (e *encryption) open(s *Server) (err error) {
	if e.key, err = s.opened(e.EncryptedSymmetricKey, e.PublicKeyID); err == nil && (len(e.key) != 32 || len(e.InitializationVector) != 16) {
		err = errSealed
	}
	return err
}

func (e *encryption) decrypt(content []byte) ([]byte, error) {
	block, err := aes.NewCipher(e.key)
	if err != nil || len(content) == 0 || len(content)%16 != 0 {
		return nil, errSealed
	}
	plain := make([]byte, len(content))
	cipher.NewCBCDecrypter(block, e.InitializationVector).CryptBlocks(plain, content)
	pad := plain[len(plain)-1]
	if pad == 0 || pad > 16 {
		return nil, errSealed
	}
	for _, b := range plain[len(plain)-int(pad):] {
		if b != pad {
			return nil, errSealed
		}
	}
	return plain[:len(plain)-int(pad)], nil
}

func (e *encryption) encrypt(plain []byte) []byte {
	block, err := aes.NewCipher(e.key)
	if err != nil {
		panic(err)
	}
	pad := 16 - len(plain)%16
	content := slices.Clone(plain)
	for range pad {
		content = append(content, byte(pad))
	}
	cipher.NewCBCEncrypter(block, e.InitializationVector).CryptBlocks(content, content)
	return content
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// login is somebody who signs in, or has.
type login struct {
	reference, nip, method      string
	certificate                 *x509.Certificate // nil: by a token
	code, steps                 int
	temporary, access, renewing string
	accessTill, till            time.Time
	former                      map[string]time.Time // access tokens that were not the last, until when
	began                       time.Time
	redeemed, gone              bool
	rights                      []string
	addresses                   []string // from which alone the tokens may be used; empty: all
}

// rightsOfOwners are those of a company in its own context.
var rightsOfOwners = []string{"InvoiceWrite", "InvoiceRead", "CredentialsManage", "CredentialsRead", "SubunitManage", "Introspection",
	"CollectiveIdentifierManage"}

// Restrict leaves rights to those who sign in as a company.
func (s *Server) Restrict(nip string, rights ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rights[nip] = rights
}

// Token makes a KSeF token known.
func (s *Server) Token(nip, token string) { s.mu.Lock(); defer s.mu.Unlock(); s.tokens[token] = nip }

func (c *call) challenge() reply {
	id := c.id("CR")
	c.challenges[id] = c.now()
	return ok(object{"challenge": id, "timestamp": stamp(c.now()), "timestampMs": c.now().UnixMilli(), "clientIp": clientIP})
}

// challenged takes a challenge, which can be answered once and for ten minutes.
func (c *call) challenged(id string) (time.Time, bool) {
	at, known := c.challenges[id]
	delete(c.challenges, id)
	return at, known && c.now().Sub(at) < 10*time.Minute
}

func (c *call) signed() reply {
	var in struct {
		XMLName   xml.Name `xml:"AuthTokenRequest"`
		Challenge string
		NIP       string   `xml:"ContextIdentifier>Nip"`
		Addresses []string `xml:"AuthorizationPolicy>AllowedIps>Ip4Address"`
	}
	if xml.Unmarshal(c.body, &in) != nil || !strings.HasPrefix(in.XMLName.Space, "http://ksef.mf.gov.pl/auth/token/2.") {
		return c.bad(21001)
	}
	if !strings.Contains(string(c.body), "<ds:Signature ") {
		return c.bad(9102)
	}
	certificate, err := xades.Check(c.body)
	if err == nil && !c.crossed && xades.HasXMLSec1() { // once for each server: starting it takes longer than all else here
		var good bool
		c.crossed = true
		if good, err = xades.WithXMLSec1(c.t.TempDir(), c.body); err == nil && !good {
			err = errors.New("xmlsec1 refuses the signature")
		}
	}
	if err != nil {
		return c.bad(9105)
	}
	if _, right := c.challenged(in.Challenge); !right {
		return c.bad(21111)
	}
	l := &login{nip: in.NIP, method: "QualifiedSeal", certificate: certificate, addresses: in.Addresses, code: c.ending("auth")}
	if own := c.issued(certificate); own != nil {
		l.method = "InternalCertificate"
		if own.kind == "Offline" || c.now().After(certificate.NotAfter) {
			l.code = 460
		}
	}
	if l.code == 200 && !c.belongs(certificate, in.NIP) {
		l.code = 415
	}
	return c.begin(l)
}

// belongs says whether the owner of a certificate is the company, by its number or by the person's.
func (s *Server) belongs(certificate *x509.Certificate, nip string) bool {
	for _, one := range certificate.Subject.Names {
		text, _ := one.Value.(string)
		switch {
		case text == "VATPL-"+nip, text == "TINPL-"+nip:
			return true
		case strings.HasPrefix(text, "PNOPL-"):
			return s.people[strings.TrimPrefix(text, "PNOPL-")] == nip
		}
	}
	return false
}

func (c *call) byToken() reply {
	in := read[struct {
		Challenge         string
		ContextIdentifier struct{ Type, Value string }
		EncryptedToken    []byte
		PublicKeyID       string `json:"publicKeyId"`

		AuthorizationPolicy struct {
			AllowedIPs struct{ IP4Addresses []string }
		}
	}](c)
	plain, err := c.opened(in.EncryptedToken, in.PublicKeyID)
	if errors.Is(err, errKey) {
		return c.bad(21470)
	}
	at, right := c.challenged(in.Challenge)
	if !right {
		return c.bad(21111)
	}
	l := &login{nip: in.ContextIdentifier.Value, method: "Token", code: c.ending("auth"),
		addresses: in.AuthorizationPolicy.AllowedIPs.IP4Addresses}
	token, millis, _ := strings.Cut(string(plain), "|")
	if err != nil || millis != strconv.FormatInt(at.UnixMilli(), 10) || c.tokens[token] != l.nip || c.tokens[token] == "" {
		l.code = 450
	}
	return c.begin(l)
}

func (c *call) begin(l *login) reply {
	l.reference, l.temporary, l.began, l.till, l.steps = c.id("AU"), c.jwt(), c.now(), c.now().Add(time.Hour), c.Steps
	l.rights = rightsOfOwners
	if some, restricted := c.rights[l.nip]; restricted {
		l.rights = some
	}
	c.logins[l.reference] = l
	return reply{status: http.StatusAccepted, value: object{"referenceNumber": l.reference,
		"authenticationToken": object{"token": l.temporary, "validUntil": stamp(l.till)}}}
}

func (s *Server) jwt() string {
	random := make([]byte, 24)
	_, _ = rand.Read(random)
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString(random) + ".x"
}

// bearing finds whose token it is. Temporary ones only serve signing in, renewing ones only renewing.
func (c *call) bearing(token string) *login {
	if token == "" {
		return nil
	}
	for _, l := range c.logins {
		switch {
		case l.gone && token != l.temporary:
		case token == l.temporary:
			if strings.HasPrefix(c.op.Name, "GET /auth/") || c.op.Name == "POST /auth/token/redeem" {
				return l
			}
		case token == l.renewing:
			if c.op.Name == "POST /auth/token/refresh" && c.now().Before(l.till) {
				return l
			}
		case l.lets(token):
			if c.now().Before(l.until(token)) && !strings.HasPrefix(c.op.Name, "POST /auth/token/") && !strings.HasPrefix(c.op.Name, "GET /auth/") {
				return l
			}
		}
	}
	return nil
}

// lets says whether a token is one to call with, if it has not ended.
func (l *login) lets(token string) bool { return token == l.access || !l.former[token].IsZero() }

func (l *login) until(token string) time.Time {
	if token == l.access {
		return l.accessTill
	}
	return l.former[token]
}

func (c *call) authStatus() reply {
	l := c.logins[c.path["referenceNumber"]]
	if l == nil || l != c.who {
		return c.bad(21304)
	}
	if c.now().Sub(l.began) > 7*24*time.Hour {
		return c.problem(http.StatusGone, nil)
	}
	code := l.code
	if l.steps > 0 {
		l.steps--
		code = 100
	}
	return ok(object{"startDate": stamp(l.began), "authenticationMethod": l.method, "status": status(code), "isTokenRedeemed": l.redeemed,
		"authenticationMethodInfo": object{"category": "XadesSignature", "code": "xades", "displayName": "Podpis"}})
}

func (c *call) redeem() reply {
	l := c.who
	if l.redeemed || l.steps > 0 || l.code != 200 {
		return c.bad(21301)
	}
	l.redeemed, l.access, l.renewing = true, c.jwt(), c.jwt()
	l.accessTill, l.till = c.now().Add(15*time.Minute), c.now().Add(7*24*time.Hour)
	return ok(object{"accessToken": object{"token": l.access, "validUntil": stamp(l.accessTill)},
		"refreshToken": object{"token": l.renewing, "validUntil": stamp(l.till)}})
}

func (c *call) refresh() reply {
	if c.who.former == nil {
		c.who.former = map[string]time.Time{}
	}
	c.who.former[c.who.access] = c.who.accessTill
	c.who.access, c.who.accessTill = c.jwt(), c.now().Add(15*time.Minute)
	return ok(object{"accessToken": object{"token": c.who.access, "validUntil": stamp(c.who.accessTill)}})
}

func (c *call) signOut() reply {
	c.who.gone = true
	return reply{status: http.StatusNoContent}
}

func (c *call) person() reply {
	in := read[struct{ NIP, PESEL string }](c)
	if c.people[in.PESEL] != "" {
		return c.bad(30001)
	}
	c.people[in.PESEL] = in.NIP
	return reply{status: http.StatusOK}
}

// Package seal closes PDFs so that every later change is found: a signature of the instance's own authority over the whole file. It says
// that the file is as it was when it was sealed and by which partner, nothing about the people who signed what it shows. It is no
// qualified seal.
package seal

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"time"

	"github.com/digitorus/pdf"
	"github.com/digitorus/pdfsign/sign"
	"github.com/digitorus/pkcs7"

	"saldo/internal/kernel/validate"
)

// How long certificates hold. A partner's is renewed before it ends; files that were sealed with an old one stay sealed.
const (
	AuthorityYears = 30
	PartnerYears   = 2
)

// Key is a certificate with its key, both as DER.
type Key struct {
	Certificate, Private []byte
	Chain                [][]byte // certificates above one that was bought; empty: the instance's authority issued it
}

// Fingerprint is what people compare certificates by.
func (k Key) Fingerprint() string {
	sum := sha256.Sum256(k.Certificate)
	return hex.EncodeToString(sum[:])
}

var documentSigning = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 36} // RFC 9336

// NewAuthority makes the authority of an instance, under which the certificates of partners are.
func NewAuthority(name string, now time.Time) (Key, error) {
	return issue(&x509.Certificate{Subject: pkix.Name{CommonName: validate.Cut(name, 64), Organization: []string{"Saldo"}},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(AuthorityYears, 0, 0), IsCA: true, BasicConstraintsValid: true,
		MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign}, nil)
}

// Issue makes the certificate of a partner: its name, and its tax id as the organisation.
func (k Key) Issue(name, taxID string, now time.Time) (Key, error) {
	subject := pkix.Name{CommonName: validate.Cut(name, 64)}
	if taxID != "" {
		subject.Organization = []string{validate.Cut(taxID, 64)}
	}
	return issue(&x509.Certificate{Subject: subject, NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(PartnerYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment, BasicConstraintsValid: true,
		UnknownExtKeyUsage: []asn1.ObjectIdentifier{documentSigning}}, &k)
}

// issue signs a certificate: by an authority, or by itself.
func issue(c *x509.Certificate, by *Key) (k Key, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return k, err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 126)); err != nil {
		return k, err
	}
	parent, signer := c, crypto.Signer(private)
	if by != nil {
		if parent, signer, err = by.open(); err != nil {
			return k, err
		}
	}
	if k.Certificate, err = x509.CreateCertificate(rand.Reader, c, parent, &private.PublicKey, signer); err != nil {
		return k, err
	}
	k.Private, err = x509.MarshalPKCS8PrivateKey(private)
	return k, err
}

func (k Key) open() (*x509.Certificate, crypto.Signer, error) {
	certificate, err := x509.ParseCertificate(k.Certificate)
	if err != nil {
		return nil, nil, err
	}
	read, err := x509.ParsePKCS8PrivateKey(k.Private)
	if err != nil {
		return nil, nil, err
	}
	private, ok := read.(crypto.Signer)
	if !ok {
		return nil, nil, errors.New("seal: the key is of another kind")
	}
	return certificate, private, nil
}

// Order is what is sealed, and how.
type Order struct {
	Key       Key
	Authority []byte // certificate that issued the key's, as DER
	Name      string // who seals
	Reason    string
	At        time.Time
	Stamp     string        // address of a time stamping authority (RFC 3161); empty: none
	Wait      time.Duration // for its answer; zero: 30 seconds
}

// ErrStampLate is the answer to a time stamping authority that does not answer in time.
var ErrStampLate = errors.New("the time stamping authority does not answer")

// Seal gives the file with its seal. It works in memory: whatever goes wrong, there is no half of a file. An authority that does not
// answer is not waited for: what asks it knows no limit, and goes on alone until the connection ends.
func Seal(content []byte, o Order) (sealed []byte, err error) {
	if o.Stamp == "" {
		return sealNow(content, o)
	}
	type result struct {
		sealed []byte
		err    error
	}
	done := make(chan result, 1)
	go func() {
		sealed, err := sealNow(content, o)
		done <- result{sealed, err}
	}()
	select {
	case r := <-done:
		return r.sealed, r.err
	case <-time.After(cmp.Or(o.Wait, 30*time.Second)):
		return nil, ErrStampLate
	}
}

func sealNow(content []byte, o Order) (sealed []byte, err error) {
	defer func() {
		if wrong := recover(); wrong != nil { // the reader of others stops so at files that it does not understand
			sealed, err = nil, fmt.Errorf("seal: the file cannot be read: %v", wrong)
		}
	}()
	certificate, private, err := o.Key.open()
	if err != nil {
		return nil, err
	}
	chain, known := []*x509.Certificate{certificate}, o.Authority
	above := o.Key.Chain
	if o.Key.bought(o.Authority) {
		known = o.Key.Certificate
	} else {
		above = [][]byte{o.Authority}
	}
	for _, der := range above {
		one, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, err
		}
		chain = append(chain, one)
	}
	reader, err := pdf.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	var out bytes.Buffer
	err = sign.Sign(bytes.NewReader(content), &out, reader, int64(len(content)), sign.SignData{
		Signature: sign.SignDataSignature{CertType: sign.CertificationSignature, DocMDPPerm: sign.DoNotAllowAnyChangesPerms,
			Info: sign.SignDataSignatureInfo{Name: o.Name, Reason: o.Reason, Date: o.At}},
		Signer: private, DigestAlgorithm: crypto.SHA256, Certificate: certificate,
		CertificateChains: [][]*x509.Certificate{chain}, TSA: sign.TSA{URL: o.Stamp}})
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	if _, err := Check(out.Bytes(), known); err != nil {
		return nil, fmt.Errorf("seal: the new seal does not hold: %w", err)
	}
	return out.Bytes(), nil
}

// Sealed is what a seal says.
type Sealed struct {
	Certificate []byte // of who sealed it, as DER
	Name        string
	Stamped     bool
}

// The ways in which a seal does not hold.
var (
	ErrNone     = errors.New("the file has no seal")
	ErrPart     = errors.New("the seal does not cover the whole file")
	ErrChanged  = errors.New("the file was changed after it was sealed")
	ErrStranger = errors.New("the seal is not one of this instance")
)

var (
	byteRange  = regexp.MustCompile(`/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]`)
	oidStamped = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 14}
)

// Check says who sealed a file, or why its seal does not hold. The seal must cover every byte but itself, and its certificate must be one
// of those given or issued by one of them.
func Check(content []byte, known ...[]byte) (s Sealed, err error) {
	found := byteRange.FindAllSubmatch(content, -1)
	if len(found) == 0 {
		return s, ErrNone
	}
	var at [4]int
	for i := range at {
		if at[i], err = strconv.Atoi(string(found[len(found)-1][i+1])); err != nil {
			return s, ErrPart
		}
	}
	from, to := at[1], at[2] // the gap with the seal itself
	if at[0] != 0 || from < 1 || to <= from+2 || to > len(content) || to+at[3] != len(content) || content[from] != '<' ||
		content[to-1] != '>' {
		return s, ErrPart
	}
	signature := make([]byte, hex.DecodedLen(to-from-2))
	if _, err := hex.Decode(signature, content[from+1:to-1]); err != nil {
		return s, fmt.Errorf("%w: %w", ErrChanged, err)
	}
	var whole asn1.RawValue
	rest, err := asn1.Unmarshal(signature, &whole)
	if err != nil || len(bytes.Trim(rest, "\x00")) > 0 {
		return s, ErrChanged
	}
	message, err := pkcs7.Parse(whole.FullBytes)
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrChanged, err)
	}
	message.Content = append(bytes.Clone(content[:from]), content[to:]...)
	if err := message.Verify(); err != nil {
		return s, fmt.Errorf("%w: %w", ErrChanged, err)
	}
	signer := message.GetOnlySigner()
	if signer == nil {
		return s, ErrStranger
	}
	for _, der := range known {
		authority, err := x509.ParseCertificate(der)
		if err == nil && (bytes.Equal(signer.Raw, der) || signer.CheckSignatureFrom(authority) == nil) {
			s = Sealed{Certificate: signer.Raw, Name: signer.Subject.CommonName}
			for _, a := range message.Signers[0].UnauthenticatedAttributes {
				s.Stamped = s.Stamped || a.Type.Equal(oidStamped)
			}
			return s, nil
		}
	}
	return s, ErrStranger
}

package ksef

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
)

// InvoiceLink is what the code on a printed invoice leads to: whoever holds the printout finds the file by its hash.
func (e Env) InvoiceLink(seller official.NIP, issuedOn calendar.Date, file []byte) string {
	day := strings.Split(string(issuedOn), "-")
	return e.Codes + "/invoice/" + string(seller) + "/" + day[2] + "-" + day[1] + "-" + day[0] + "/" + codeSum(file)
}

// rsaLeast is the length of the shortest RSA key that KSeF takes.
const rsaLeast = 2048

// ErrKey is the answer to a key that KSeF does not know how to use: it takes EC P-256 and RSA.
var ErrKey = errors.New("ksef: this key cannot sign")

// CertificateLink is what the second code on an invoice leads to that was issued while KSeF was not reached: it shows that the
// invoice comes from the owner of an Offline certificate. The signature is over the link without its scheme; the same file gives the
// same link.
func (e Env) CertificateLink(context, seller official.NIP, file []byte, serial string, key crypto.Signer) (string, error) {
	text := strings.Join([]string{strings.TrimPrefix(e.Codes, "https://"), "certificate", "Nip", string(context), string(seller), serial,
		codeSum(file)}, "/")
	digest := sha256.Sum256([]byte(text))
	var signature []byte
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		if k.Curve != elliptic.P256() {
			return "", ErrKey
		}
		der, err := k.Sign(nil, digest[:], crypto.SHA256) // deterministic (RFC 6979)
		if err != nil {
			return "", err
		}
		if signature, err = bothNumbers(der, 32); err != nil {
			return "", err
		}
	case *rsa.PrivateKey:
		if k.N.BitLen() < rsaLeast {
			return "", ErrKey
		}
		der, err := x509.MarshalPKCS8PrivateKey(k)
		if err != nil {
			return "", err
		}
		mac := hmac.New(sha256.New, der)
		mac.Write(digest[:])
		if signature, err = rsa.SignPSS(salt(mac.Sum(nil)), k, crypto.SHA256, digest[:], &rsa.PSSOptions{SaltLength: sha256.Size}); err != nil {
			return "", err
		}
	default:
		return "", ErrKey
	}
	return "https://" + text + "/" + base64.RawURLEncoding.EncodeToString(signature), nil
}

// salt gives the same bytes for the same text: it need not be secret.
type salt []byte

func (s salt) Read(into []byte) (int, error) {
	if len(into) == 0 {
		return 0, io.ErrShortBuffer
	}
	for i := range into {
		into[i] = s[i%len(s)]
	}
	return len(into), nil
}

func codeSum(file []byte) string {
	sum := sha256.Sum256(file)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Certificate is a certificate with its key. Its key stays where it is.
type Certificate struct {
	*x509.Certificate
	Key crypto.Signer
}

// Serial is its number as the code of an invoice has it: 16 hexadecimal digits.
func (c *Certificate) Serial() string { return fmt.Sprintf("%016X", c.SerialNumber) }

// sign signs the SHA-256 of something: ECDSA as both its numbers one after another, RSA by PKCS #1.
func (c *Certificate) sign(sum []byte) ([]byte, error) {
	signature, err := c.Key.Sign(rand.Reader, sum, crypto.SHA256)
	if key, curve := c.Key.Public().(*ecdsa.PublicKey); curve && err == nil {
		return bothNumbers(signature, (key.Curve.Params().BitSize+7)/8)
	}
	return signature, err
}

package seal

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

// The reasons why a file with a seal that was bought is not taken.
var (
	ErrPassword = errors.New("the password does not open the file")
	ErrEnded    = errors.New("the certificate does not hold today")
	ErrPurpose  = errors.New("the certificate may not be used to sign")
	ErrKeyKind  = errors.New("the key is neither RSA of at least 2048 bits nor an elliptic curve")
)

// Bought reads a certificate with its key from a PKCS #12 file, and says whose it is and until when it holds.
func Bought(file []byte, password string, now time.Time) (k Key, name string, until time.Time, err error) {
	private, certificate, above, err := pkcs12.DecodeChain(file, password)
	if errors.Is(err, pkcs12.ErrIncorrectPassword) {
		return k, "", until, ErrPassword
	}
	if err != nil {
		return k, "", until, fmt.Errorf("this is no PKCS #12 file with one key: %w", err)
	}
	if now.Before(certificate.NotBefore) || !now.Before(certificate.NotAfter) {
		return k, "", until, fmt.Errorf("%w: %s to %s", ErrEnded, certificate.NotBefore.Format(time.DateOnly),
			certificate.NotAfter.Format(time.DateOnly))
	}
	const signs = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	if certificate.IsCA || certificate.KeyUsage != 0 && certificate.KeyUsage&signs == 0 {
		return k, "", until, ErrPurpose
	}
	switch own := private.(type) {
	case *rsa.PrivateKey:
		if own.N.BitLen() < 2048 {
			return k, "", until, ErrKeyKind
		}
	case *ecdsa.PrivateKey:
	default:
		return k, "", until, ErrKeyKind
	}
	type comparable interface{ Equal(crypto.PublicKey) bool }
	if public, ok := certificate.PublicKey.(comparable); !ok || !public.Equal(private.(crypto.Signer).Public()) {
		return k, "", until, errors.New("the key does not belong to the certificate")
	}
	k.Certificate = certificate.Raw
	if k.Private, err = x509.MarshalPKCS8PrivateKey(private); err != nil {
		return k, "", until, err
	}
	for _, c := range above {
		k.Chain = append(k.Chain, c.Raw)
	}
	return k, certificate.Subject.CommonName, certificate.NotAfter, nil
}

// bought says whether the certificate was issued by others than the instance's authority.
func (k Key) bought(authority []byte) bool {
	own, err := x509.ParseCertificate(k.Certificate)
	if err != nil {
		return false
	}
	by, err := x509.ParseCertificate(authority)
	return err != nil || own.CheckSignatureFrom(by) != nil
}

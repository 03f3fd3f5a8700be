package seal_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"

	"saldo/internal/contracts/seal"
)

// bought is a PKCS #12 file as it is sold, with the certificate of its issuer.
func bought(t testing.TB, private crypto.Signer, change func(*x509.Certificate), encoder *pkcs12.Encoder) []byte {
	t.Helper()
	issuerKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	issue := func(c, parent *x509.Certificate, public crypto.PublicKey) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, c, parent, public, issuerKey)
		if err != nil {
			t.Fatal(err)
		}
		made, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Urząd certyfikacji"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(9, 0, 0)}
	authority := issue(root, root, &issuerKey.PublicKey)
	c := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "Flota Żółta sp. z o.o."}, NotBefore: now.AddDate(0, -1, 0),
		NotAfter: now.AddDate(2, 0, 0), KeyUsage: x509.KeyUsageContentCommitment}
	if change != nil {
		change(c)
	}
	file, err := encoder.Encode(private, issue(c, authority, private.Public()), []*x509.Certificate{authority}, "hasło 1")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func rsaKey(t testing.TB, bits int) crypto.Signer {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

// A seal that was bought seals as the instance's does, and is taken only by whoever knows it.
func TestBoughtSeals_Seal(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	for name, private := range map[string]crypto.Signer{"RSA": rsaKey(t, 2048), "P-384": curve} {
		for _, encoder := range []*pkcs12.Encoder{pkcs12.LegacyDES, pkcs12.Modern} {
			k, whose, until, err := seal.Bought(bought(t, private, nil, encoder), "hasło 1", now)
			if err != nil || whose != "Flota Żółta sp. z o.o." || !until.Equal(now.AddDate(2, 0, 0)) || len(k.Chain) != 1 {
				t.Fatalf("%s: %q until %s, %d above, %v", name, whose, until, len(k.Chain), err)
			}
			sealed, err := seal.Seal(document(t, 0, "Anna"), seal.Order{Key: k, Authority: f.authority.Certificate, Name: whose, At: now})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if says := pdfsig(t, sealed); !strings.Contains(says, "Signature is Valid") || !strings.Contains(says, "Total document signed") {
				t.Errorf("%s: %s", name, says)
			}
			if s, err := seal.Check(sealed, f.authority.Certificate, k.Certificate); err != nil || s.Name != whose {
				t.Errorf("%s: %+v, %v", name, s, err)
			}
			if _, err := seal.Check(sealed, f.authority.Certificate); !errors.Is(err, seal.ErrStranger) {
				t.Errorf("%s is taken by whoever does not know it: %v", name, err)
			}
		}
	}
}

func TestBoughtSeals_AreRefused(t *testing.T) {
	good := rsaKey(t, 2048)
	for what, c := range map[string]struct {
		file     []byte
		password string
		want     error
	}{
		"another password": {bought(t, good, nil, pkcs12.Modern), "hasło 2", seal.ErrPassword},
		"no such file":     {[]byte("%PDF-1.7"), "hasło 1", nil},
		"ended": {bought(t, good, func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Hour) }, pkcs12.Modern), "hasło 1",
			seal.ErrEnded},
		"not yet": {bought(t, good, func(c *x509.Certificate) { c.NotBefore = now.Add(time.Hour) }, pkcs12.Modern), "hasło 1",
			seal.ErrEnded},
		"for servers": {bought(t, good, func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }, pkcs12.Modern), "hasło 1",
			seal.ErrPurpose},
		"an authority": {bought(t, good, func(c *x509.Certificate) { c.IsCA, c.BasicConstraintsValid = true, true }, pkcs12.Modern),
			"hasło 1", seal.ErrPurpose},
		"a short key": {bought(t, rsaKey(t, 1024), nil, pkcs12.Modern), "hasło 1", seal.ErrKeyKind},
	} {
		if _, _, _, err := seal.Bought(c.file, c.password, now); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

package testkit

import (
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// Certificate is a certificate that a key signs for itself, and that key, both as PEM.
func Certificate(t testing.TB, key crypto.Signer, usage x509.KeyUsage) (certificate, private string) {
	t.Helper()
	template := &x509.Certificate{SerialNumber: new(big.Int).SetUint64(0x01F20A5D352AE590), Subject: pkix.Name{CommonName: "Flota"},
		KeyUsage: usage, NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

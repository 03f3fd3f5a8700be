package testkit

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/digitorus/timestamp"
	"software.sslmate.com/src/go-pkcs12"
)

// Stamps is a time stamping authority (RFC 3161) that can be broken.
type Stamps struct {
	*httptest.Server
	Broken atomic.Bool // it answers with an error
	Slow   atomic.Bool // it takes a while
}

// NewStamps starts one.
func NewStamps(t testing.TB) *Stamps {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}}) // time stamping, alone and critical
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "Time stamps"}, NotBefore: time.Now().AddDate(-1, 0, 0),
		NotAfter: time.Now().AddDate(20, 0, 0), KeyUsage: x509.KeyUsageDigitalSignature, BasicConstraintsValid: true,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s := &Stamps{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		request, err2 := timestamp.ParseRequest(asked)
		if s.Broken.Load() || err != nil || err2 != nil {
			http.Error(w, "closed", http.StatusServiceUnavailable)
			return
		}
		answer := timestamp.Timestamp{HashAlgorithm: request.HashAlgorithm, HashedMessage: request.HashedMessage, Time: time.Now(),
			Nonce: request.Nonce, Policy: asn1.ObjectIdentifier{1, 2, 3, 4, 1}, Ordering: true, AddTSACertificate: request.Certificates}
		content, err := answer.CreateResponseWithOpts(certificate, private, crypto.SHA256)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if s.Slow.Load() {
			time.Sleep(20 * time.Millisecond)
		}
		w.Header().Set("Content-Type", "application/timestamp-reply")
		_, _ = w.Write(content)
	}))
	t.Cleanup(s.Close)
	return s
}

// SealPassword opens what BoughtSeal makes.
const SealPassword = "hasło 1"

// BoughtSeal is a PKCS #12 file with a seal as it is sold.
func BoughtSeal(t testing.TB, name string, from, until time.Time) []byte {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(9), Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: until,
		KeyUsage: x509.KeyUsageContentCommitment}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	file, err := pkcs12.Modern.Encode(private, certificate, nil, SealPassword)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

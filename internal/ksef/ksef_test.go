package ksef

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

var day = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

// certificate is one of a company whose name has all that is hard to write.
func certificate(t *testing.T, key crypto.Signer) *Certificate {
	t.Helper()
	oid := func(numbers ...int) asn1.ObjectIdentifier { return numbers }
	name := pkix.Name{Country: []string{"PL"}, Organization: []string{`Łódź "Taxi" & Syn <sp. z o.o.>, Oddział`}, CommonName: "Saldo",
		ExtraNames: []pkix.AttributeTypeAndValue{{Type: oid(2, 5, 4, 97), Value: "VATPL-5260250274"}}}
	template := &x509.Certificate{SerialNumber: big.NewInt(0x01A2B3C4D5E6F7), Subject: name, NotBefore: day.AddDate(0, 0, -1), NotAfter: day.AddDate(2, 0, 0)}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return &Certificate{parsed, key}
}

func keys(t *testing.T) map[string]crypto.Signer {
	t.Helper()
	one, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	two, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{"RSA": one, "P-256": two}
}

func TestInvoiceLink(t *testing.T) {
	if got := Production.InvoiceLink("5260250274", "2026-11-16", []byte("x")); got !=
		"https://qr.ksef.mf.gov.pl/invoice/5260250274/16-11-2026/LXEWQrcmsEQBYnyp-6wy9chTD7GQPMTbAiWHF5IaSIE" {
		t.Error(got)
	}
	if got := Test.InvoiceLink("5260250274", "2026-11-16", []byte("x")); !strings.HasPrefix(got, "https://qr-test.ksef.mf.gov.pl/invoice/") {
		t.Error(got)
	}
}

func TestCertificateLink_IsSignedByTheCertificate(t *testing.T) {
	for kind, key := range keys(t) {
		c := certificate(t, key)
		link, err := Demo.CertificateLink("5260250274", "1132191233", []byte("x"), c.Serial(), key)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Demo.CertificateLink("5260250274", "1132191233", []byte("x"), c.Serial(), key); err != nil || again != link {
			t.Errorf("%s: the same file leads to %s, %v", kind, again, err)
		}
		at := strings.LastIndexByte(link, '/')
		signature, err := base64.RawURLEncoding.DecodeString(link[at+1:])
		if err != nil {
			t.Fatal(err)
		}
		text := strings.TrimPrefix(link[:at], "https://")
		if !strings.HasPrefix(text, "qr-demo.ksef.mf.gov.pl/certificate/Nip/5260250274/1132191233/0001A2B3C4D5E6F7/") {
			t.Error(text)
		}
		sum := sha256.Sum256([]byte(text))
		switch public := c.PublicKey.(type) {
		case *rsa.PublicKey:
			if err := rsa.VerifyPSS(public, crypto.SHA256, sum[:], signature, &rsa.PSSOptions{SaltLength: 32}); err != nil {
				t.Error(kind, err)
			}
		case *ecdsa.PublicKey:
			if r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]); len(signature) != 64 || !ecdsa.Verify(public, sum[:], r, s) {
				t.Error(kind, len(signature))
			}
		}
	}
}

// The shapes that the documentation of KSeF shows for a test certificate of its own.
func TestCertificateLink_IsWhatTheDocumentationShows(t *testing.T) {
	link, err := Test.CertificateLink("1111111111", "1111111111", []byte("x"), "01F20A5D352AE590", keys(t)["P-256"])
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^https://qr-test\.ksef\.mf\.gov\.pl/certificate/Nip/1111111111/1111111111/01F20A5D352AE590/[A-Za-z0-9_-]{43}/[A-Za-z0-9_-]{86}$`)
	if !form.MatchString(link) {
		t.Error(link)
	}
}

// TestCertificateLink_HasNumbersOfFullLength has so many files that numbers of a signature begin with zeros.
func TestCertificateLink_HasNumbersOfFullLength(t *testing.T) {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	zeros := 0
	for n := range 1000 {
		link, err := Test.CertificateLink("1111111111", "1111111111", fmt.Append(nil, n), "01F20A5D352AE590", key)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.LastIndexByte(link, '/')
		signature, err := base64.RawURLEncoding.DecodeString(link[at+1:])
		if err != nil || len(signature) != 64 {
			t.Fatal(len(signature), err)
		}
		sum := sha256.Sum256([]byte(strings.TrimPrefix(link[:at], "https://")))
		if !ecdsa.Verify(&key.PublicKey, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
			t.Fatal(link)
		}
		if signature[0] == 0 || signature[32] == 0 {
			zeros++
		}
	}
	if zeros == 0 {
		t.Error("no number begins with zeros")
	}
}

func TestCertificateLink_RefusesOtherKeys(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	short := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 1023), E: 65537}}
	for name, key := range map[string]crypto.Signer{"P-384": curve, "Ed25519": edwards, "RSA of 1024 bits": short} {
		if link, err := Test.CertificateLink("1111111111", "1111111111", nil, "01F20A5D352AE590", key); err != ErrKey || link != "" {
			t.Errorf("%s: %s %v", name, link, err)
		}
	}
}

func envelope(t *testing.T, key *rsa.PrivateKey) Envelope {
	t.Helper()
	e, err := NewEnvelope(PublicKey{"the id of the key", &key.PublicKey})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEnvelope_OpensWhatItSealed(t *testing.T) {
	key := keys(t)["RSA"].(*rsa.PrivateKey)
	e := envelope(t, key)
	sealed, err := base64.StdEncoding.DecodeString(e.Sealed)
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := rsa.DecryptOAEP(sha256.New(), nil, key, sealed, nil); err != nil || !bytes.Equal(opened, e.Key) {
		t.Errorf("the key of the session: %v", err)
	}
	for _, size := range append([]int{1 << 20}, numbersTo(64)...) {
		file := bytes.Repeat([]byte{0xB3}, size)
		s, err := e.Seal(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Content) != size-size%16+16 || s.PlainSize != size || s.PlainHash != Hash(file) || s.Hash != Hash(s.Content) {
			t.Errorf("%d bytes: %d %s", size, len(s.Content), s.Hash)
		}
		if opened, err := e.Unseal(s.Content); err != nil || !bytes.Equal(opened, file) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if opened, err := opened(e, iotest.OneByteReader(bytes.NewReader(s.Content))); err != nil || !bytes.Equal(opened, file) {
			t.Errorf("%d bytes while they come: %v", size, err)
		}
	}
	whole, _ := e.Seal([]byte("<Faktura/>"))
	other := envelope(t, key)
	if opened, err := other.Unseal(whole.Content); err == nil && string(opened) == "<Faktura/>" {
		t.Error("another key opens it")
	}
	for _, broken := range [][]byte{nil, whole.Content[1:], {}} {
		if _, err := e.Unseal(broken); err == nil {
			t.Errorf("%d bytes are opened", len(broken))
		}
		if _, err := opened(e, bytes.NewReader(broken)); err == nil {
			t.Errorf("%d bytes are opened while they come", len(broken))
		}
	}
	if _, err := opened(e, io.MultiReader(bytes.NewReader(whole.Content), iotest.ErrReader(errGone))); !errors.Is(err, errGone) {
		t.Error(err)
	}
	if bytes.Equal(e.Key, other.Key) || bytes.Equal(e.IV, other.IV) {
		t.Error("two sessions have one key")
	}
}

var errGone = errors.New("gone")

func opened(e Envelope, sealed io.Reader) ([]byte, error) {
	from, err := e.Unsealed(sealed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}

func numbersTo(most int) (all []int) {
	for n := range most + 1 {
		all = append(all, n)
	}
	return all
}

func TestSealToken(t *testing.T) {
	key := keys(t)["RSA"].(*rsa.PrivateKey)
	sealed, err := SealToken(PublicKey{Key: &key.PublicKey}, "20261119-EC-0123", 1_700_000_000_123)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := rsa.DecryptOAEP(sha256.New(), nil, key, raw, nil); err != nil || string(opened) != "20261119-EC-0123|1700000000123" {
		t.Errorf("%s %v", opened, err)
	}
}

func TestPack_IsOneArchiveInSealedParts(t *testing.T) {
	e := envelope(t, keys(t)["RSA"].(*rsa.PrivateKey))
	invoices := make([][]byte, 1_000)
	for n := range invoices {
		invoices[n] = fmt.Appendf(nil, "<Faktura>%d %x</Faktura>", n, sha256.Sum256([]byte{byte(n), byte(n >> 8)}))
	}
	p, err := e.pack(invoices, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Parts) < 3 {
		t.Errorf("%d parts", len(p.Parts))
	}
	var whole []byte
	for _, part := range p.Parts {
		opened, err := e.Unseal(part.Content)
		if err != nil || len(opened) > 10_000 {
			t.Fatal(len(opened), err)
		}
		whole = append(whole, opened...)
	}
	if Hash(whole) != p.Hash || int64(len(whole)) != p.Size {
		t.Error("the parts are not the whole")
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(unzipped)
	for n, want := range invoices {
		if _, err := files.Next(); err != nil {
			t.Fatal(n, err)
		}
		if got, err := io.ReadAll(files); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d: %s %v", n, got, err)
		}
	}
	if _, err := files.Next(); err != io.EOF {
		t.Error(err)
	}
	again, err := e.pack(invoices, 10_000)
	if err != nil || again.Hash != p.Hash {
		t.Errorf("packed again: %s %v", again.Hash, err)
	}
	for _, wrong := range [][][]byte{nil, make([][]byte, BatchMost+1), {make([]byte, InvoiceMost+1)}} {
		if _, err := e.Pack(wrong); err == nil {
			t.Errorf("%d invoices are packed", len(wrong))
		}
	}
	if _, err := e.pack(invoices, 500); err == nil {
		t.Error("more than 50 parts are packed")
	}
}

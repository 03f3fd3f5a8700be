package billing_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"saldo/internal/billing"
	"saldo/internal/ksef"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// TestTheSecondCode_IsSignedByTheCertificate checks the signature with the public key, for both kinds of keys that KSeF knows.
func TestTheSecondCode_IsSignedByTheCertificate(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []crypto.Signer{ec, rs} {
		c, err := billing.ParseCertificate(testkit.Certificate(t, key, x509.KeyUsageContentCommitment))
		if err != nil {
			t.Fatal(err)
		}
		link, err := ksef.Production.CertificateLink("5213017228", "5260250274", []byte("x"), c.Serial, c.Key)
		if err != nil {
			t.Fatal(err)
		}
		const want = "https://qr.ksef.mf.gov.pl/certificate/Nip/5213017228/5260250274/01F20A5D352AE590/LXEWQrcmsEQBYnyp-6wy9chTD7GQPMTbAiWHF5IaSIE/"
		parts, ok := strings.CutPrefix(link, want)
		if !ok {
			t.Fatal(link)
		}
		signature, err := base64.RawURLEncoding.DecodeString(parts)
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256([]byte(strings.TrimSuffix(strings.TrimPrefix(want, "https://"), "/")))
		switch public := key.Public().(type) {
		case *ecdsa.PublicKey:
			if len(signature) != 64 || !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
				t.Error("the EC signature does not hold")
			}
		case *rsa.PublicKey:
			if err := rsa.VerifyPSS(public, crypto.SHA256, digest[:], signature, &rsa.PSSOptions{SaltLength: 32}); err != nil {
				t.Error(err)
			}
		}
		if again, _ := ksef.Production.CertificateLink("5213017228", "5260250274", []byte("x"), c.Serial, c.Key); again != link {
			t.Error("the same file has another link")
		}
		if _, err := billing.ParseCertificate(testkit.Certificate(t, key, x509.KeyUsageDigitalSignature)); err == nil {
			t.Error("a certificate of type Authentication signs no codes")
		}
	}
	certificate, _ := testkit.Certificate(t, ec, x509.KeyUsageContentCommitment)
	_, other := testkit.Certificate(t, rs, x509.KeyUsageContentCommitment)
	for _, wrong := range [][2]string{{certificate, other}, {certificate, ""}, {"", other}, {other, certificate}} {
		if _, err := billing.ParseCertificate(wrong[0], wrong[1]); err == nil {
			t.Error("taken")
		}
	}
}

// TestAnOfflineInvoice_HasTwoCodes until KSeF accepts it; without a certificate it has one, and the register is told.
func TestAnOfflineInvoice_HasTwoCodes(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		o := newAuthority(billing.Answer{Number: ksefNumber})
		w.at(t)
		id := w.settled(t, w.details("pl"))
		doc := w.issue(t, id, company)
		codes := func() (links []string, uncertified int64) {
			t.Helper()
			testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
				p, err := w.PDFDocument(tx, doc.ID)
				if err != nil {
					return err
				}
				links = p.Codes()
				uncertified, err = w.Uncertified(tx)
				return err
			})
			return links, uncertified
		}
		if links, missing := codes(); len(links) != 1 || missing != 1 || strings.Contains(w.printed(t, "offline-one", doc.ID), "CERTYFIKAT") {
			t.Error(links, missing)
		}
		certificate, private := testkit.Certificate(t, key, x509.KeyUsageContentCommitment)
		w.write(t, func(tx *db.Tx) error { return w.SetCertificate(tx, certificate, private) })
		links, missing := codes()
		if len(links) != 2 || missing != 0 {
			t.Fatal(links, missing)
		}
		sum := sha256.Sum256(w.file(t, doc.ID))
		hash := base64.RawURLEncoding.EncodeToString(sum[:])
		if !strings.HasSuffix(links[0], "/"+hash) || !strings.HasPrefix(links[1], "https://qr.ksef.mf.gov.pl/certificate/Nip/5213017228/5260250274/01F20A5D352AE590/"+hash+"/") {
			t.Error(links)
		}
		mustSay(t, w.printed(t, "offline-two", doc.ID), "OFFLINE", "CERTYFIKAT")
		w.work(t, o)
		testkit.Eventually(t, "it is accepted", func() bool { return w.document(t, id).AuthorityState == billing.Accepted })
		if links, missing := codes(); len(links) != 1 || missing != 0 {
			t.Error(links, missing)
		}
		text := w.printed(t, "online", doc.ID)
		mustSay(t, text, ksefNumber)
		if strings.Contains(text, "OFFLINE") || strings.Contains(text, "CERTYFIKAT") {
			t.Error(text)
		}
	})
}

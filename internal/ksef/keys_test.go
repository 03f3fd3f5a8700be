package ksef

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os/exec"
	"testing"
	"time"
)

// certificateFor is one for a key.
func certificateFor(t *testing.T, key crypto.Signer) []byte {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Flota"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// Keys come as another program encrypts them.
func TestPrivateKey_FromOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not here: apt-get install openssl")
	}
	for name, key := range keys(t) {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		certificate := certificateFor(t, key)
		for variant, with := range [][]string{{"-v2", "aes-256-cbc"}, {"-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"},
			{"-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA512"}, {"-v2", "aes-256-cbc", "-iter", "20000", "-outform", "DER"}} {
			c := exec.Command("openssl", append([]string{"pkcs8", "-topk8", "-inform", "DER", "-passout", "pass:Zażółć 7"}, with...)...)
			c.Stdin = bytes.NewReader(der)
			file, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			got, err := Certified(certificate, file, "Zażółć 7")
			if err != nil {
				t.Errorf("%s %v: %v", name, with, err)
				continue
			}
			if again, err := got.PKCS8(); err != nil || !bytes.Equal(again, der) {
				t.Errorf("%s %v: another key, %v", name, with, err)
			}
			for _, wrong := range []string{"", "Zażółć 8"} {
				if _, err := PrivateKey(file, wrong); !errors.Is(err, ErrPassword) {
					t.Errorf("%s %v: %v", name, with, err)
				}
			}
			for n := range 40 * (1 - min(variant, 1)) { // cut and spoilt files
				_, _ = PrivateKey(file[:len(file)*n/40], "Zażółć 7")
				spoilt := bytes.Clone(file)
				spoilt[len(spoilt)*n/40] ^= 0x41
				_, _ = PrivateKey(spoilt, "Zażółć 7")
			}
		}
	}
}

func TestCertified_RefusesWhatIsNotKSeFs(t *testing.T) {
	all := keys(t)
	p256, rsa2048 := all["P-256"], all["RSA"]
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	file := func(key crypto.Signer) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	}
	armoured := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificateFor(t, p256)})
	for name, c := range map[string]struct {
		certificate, key []byte
		want             error
	}{
		"good":               {armoured, file(p256), nil},
		"another key":        {armoured, file(rsa2048), ErrOtherKey},
		"P-384":              {certificateFor(t, p384), file(p384), ErrKey},
		"short":              {certificateFor(t, short), file(short), ErrKey},
		"no certificate":     {[]byte("%PDF-1.7"), file(p256), ErrUnreadable},
		"no key":             {armoured, []byte("%PDF-1.7"), ErrUnreadable},
		"nothing":            {nil, nil, ErrUnreadable},
		"certificate as key": {armoured, armoured, ErrUnreadable},
	} {
		if _, err := Certified(c.certificate, c.key, ""); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

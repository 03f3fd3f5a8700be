package ksef

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Another program opens what is sealed here, and seals what is opened here.
func TestEnvelope_WithOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not here: apt-get install openssl")
	}
	run := func(in []byte, args ...string) []byte {
		t.Helper()
		c := exec.Command("openssl", args...)
		c.Stdin = bytes.NewReader(in)
		var complaint bytes.Buffer
		c.Stderr = &complaint
		out, err := c.Output()
		if err != nil {
			t.Fatalf("openssl %s: %v\n%s", args[0], err, complaint.String())
		}
		return out
	}
	key := keys(t)["RSA"].(*rsa.PrivateKey)
	e := envelope(t, key)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	sealed, err := base64.StdEncoding.DecodeString(e.Sealed)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(sealed, "pkeyutl", "-decrypt", "-inkey", path, "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256",
		"-pkeyopt", "rsa_mgf1_md:sha256"); !bytes.Equal(got, e.Key) {
		t.Errorf("the key is %d bytes of something else", len(got))
	}
	cipher := []string{"enc", "-aes-256-cbc", "-K", hex.EncodeToString(e.Key), "-iv", hex.EncodeToString(e.IV)}
	for _, size := range []int{0, 1, 15, 16, 17, 3000} {
		file := bytes.Repeat([]byte{0xB3}, size)
		s, err := e.Seal(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := run(s.Content, append(cipher, "-d")...); !bytes.Equal(got, file) {
			t.Errorf("%d bytes: openssl opens %d", size, len(got))
		}
		if got, err := e.Unseal(run(file, cipher...)); err != nil || !bytes.Equal(got, file) {
			t.Errorf("%d bytes: %d are opened, %v", size, len(got), err)
		}
	}
}

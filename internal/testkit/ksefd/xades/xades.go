// Package xades checks signed requests as KSeF does, for tests.
package xades

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Check is an error unless the signature of a signed request is good: both digests, that of the certificate, and the signature over
// them. The request must be written as Saldo writes it: nothing is brought into the canonical form here.
func Check(file []byte) (*x509.Certificate, error) {
	text := string(file)
	part := func(from, to string) string {
		_, after, _ := strings.Cut(text, from)
		inside, _, _ := strings.Cut(after, to)
		return inside
	}
	hash := func(content string) string {
		sum := sha256.Sum256([]byte(content))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	signature := "<ds:Signature " + part("<ds:Signature ", "</ds:Signature>") + "</ds:Signature>"
	info := "<ds:SignedInfo " + part("<ds:SignedInfo ", "</ds:SignedInfo>") + "</ds:SignedInfo>"
	properties := "<xades:SignedProperties " + part("<xades:SignedProperties ", "</xades:SignedProperties>") + "</xades:SignedProperties>"
	digests := strings.Split(info, "<ds:DigestValue>")
	if len(digests) != 3 || !strings.HasPrefix(digests[1], hash(strings.Replace(text, signature, "", 1))+"<") {
		return nil, errors.New("the request was changed")
	}
	if !strings.HasPrefix(digests[2], hash(properties)+"<") || !strings.Contains(info, `URI="#properties"`) {
		return nil, errors.New("the properties were changed")
	}
	raw, err := base64.StdEncoding.DecodeString(part("<ds:X509Certificate>", "<"))
	if err != nil {
		return nil, err
	}
	c, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(properties, ">"+hash(string(raw))+"<") {
		return nil, errors.New("another certificate was signed")
	}
	value, err := base64.StdEncoding.DecodeString(part("<ds:SignatureValue>", "<"))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(info))
	switch key := c.PublicKey.(type) {
	case *rsa.PublicKey:
		return c, rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], value)
	case *ecdsa.PublicKey:
		if len(value) == 64 && ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(value[:32]), new(big.Int).SetBytes(value[32:])) {
			return c, nil
		}
	}
	return nil, errors.New("the signature is wrong")
}

// HasXMLSec1 says whether xmlsec1 is installed.
func HasXMLSec1() bool {
	_, err := exec.LookPath("xmlsec1")
	return err == nil
}

// WithXMLSec1 says whether xmlsec1 finds the signature of a request good. A file of this name is left in the folder.
func WithXMLSec1(folder string, file []byte) (bool, error) {
	path := filepath.Join(folder, "request.xml")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		return false, err
	}
	return exec.Command("xmlsec1", "--verify", "--insecure", "--id-attr:Id", "SignedProperties", "--enabled-key-data", "x509",
		path).Run() == nil, nil
}

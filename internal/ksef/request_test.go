package ksef

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"math/big"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const challenge = "20261119-CR-20F5EE4000-DA48AE4124-46"

var request = Request{Challenge: challenge, NIP: "5260250274", Addresses: []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("::ffff:192.0.2.2")}}

// checked is an error unless the signature of a signed request is good: both digests, that of the certificate, and the signature over them.
func checked(file []byte) error {
	text := string(file)
	part := func(from, to string) string {
		_, after, _ := strings.Cut(text, from)
		inside, _, _ := strings.Cut(after, to)
		return inside
	}
	signature := "<ds:Signature " + part("<ds:Signature ", "</ds:Signature>") + "</ds:Signature>"
	info := "<ds:SignedInfo " + part("<ds:SignedInfo ", "</ds:SignedInfo>") + "</ds:SignedInfo>"
	properties := "<xades:SignedProperties " + part("<xades:SignedProperties ", "</xades:SignedProperties>") + "</xades:SignedProperties>"
	digests := strings.Split(info, "<ds:DigestValue>")
	if len(digests) != 3 || !strings.HasPrefix(digests[1], Hash([]byte(strings.Replace(text, signature, "", 1)))+"<") {
		return errors.New("the request was changed")
	}
	if !strings.HasPrefix(digests[2], Hash([]byte(properties))+"<") || !strings.Contains(info, `URI="#properties"`) {
		return errors.New("the properties were changed")
	}
	raw, err := base64.StdEncoding.DecodeString(part("<ds:X509Certificate>", "<"))
	if err != nil {
		return err
	}
	c, err := x509.ParseCertificate(raw)
	if err != nil {
		return err
	}
	if !strings.Contains(properties, ">"+Hash(raw)+"<") {
		return errors.New("another certificate was signed")
	}
	value, err := base64.StdEncoding.DecodeString(part("<ds:SignatureValue>", "<"))
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(info))
	switch key := c.PublicKey.(type) {
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], value)
	case *ecdsa.PublicKey:
		if len(value) == 64 && ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(value[:32]), new(big.Int).SetBytes(value[32:])) {
			return nil
		}
	}
	return errors.New("the signature is wrong")
}

// forged calls a check with a signed request changed in many ways.
func forged(t *testing.T, file []byte, check func(changed []byte, how string)) {
	t.Helper()
	for _, change := range [][2]string{
		{challenge, strings.Replace(challenge, "20F5", "20F6", 1)}, {"<Nip>5260250274", "<Nip>1132191233"},
		{"certificateSubject", "certificateFingerprint"}, {"192.0.2.1", "192.0.2.9"}, {"2026-11-19T12", "2027-11-19T12"},
		{"<AuthorizationPolicy>", "<AuthorizationPolicy> "}, {"VATPL-5260250274", "VATPL-1132191233"},
		{"<Challenge>", "<Challenge></Challenge><Challenge>"}, {"460367961908983", "460367961908984"}, {`Id="properties"`, `Id="property"`},
	} {
		changed := bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(changed, file) {
			t.Errorf("there is no %s", change[0])
		}
		check(changed, change[1]+" in place of "+change[0])
	}
}

func TestSigned_HoldsUntilItIsChanged(t *testing.T) {
	for kind, key := range keys(t) {
		file, err := request.Signed(certificate(t, key), day)
		if err != nil {
			t.Fatal(err)
		}
		if err := checked(file); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		forged(t, file, func(changed []byte, how string) {
			if checked(changed) == nil {
				t.Errorf("%s: with %s it holds", kind, how)
			}
		})
	}
}

// The canonical form is written, not computed: another program computes it.
func TestSigned_WithXMLSec1(t *testing.T) {
	if _, err := exec.LookPath("xmlsec1"); err != nil {
		t.Skip("xmlsec1 is not here: apt-get install xmlsec1")
	}
	holds := func(file []byte) bool {
		path := filepath.Join(t.TempDir(), "request.xml")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		return exec.Command("xmlsec1", "--verify", "--insecure", "--id-attr:Id", "SignedProperties", "--enabled-key-data", "x509", path).Run() == nil
	}
	for kind, key := range keys(t) {
		file, err := request.Signed(certificate(t, key), day)
		if err != nil {
			t.Fatal(err)
		}
		if !holds(file) {
			t.Errorf("%s: the signature does not hold\n%s", kind, file)
		}
		forged(t, file, func(changed []byte, how string) {
			if holds(changed) {
				t.Errorf("%s: with %s it holds", kind, how)
			}
		})
	}
}

func TestSigned_IsTheRequest(t *testing.T) {
	c := certificate(t, keys(t)["P-256"])
	file, err := request.Signed(c, day)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		XMLName   xml.Name `xml:"http://ksef.mf.gov.pl/auth/token/2.0 AuthTokenRequest"`
		Challenge string
		Nip       string   `xml:"ContextIdentifier>Nip"`
		Subject   string   `xml:"SubjectIdentifierType"`
		Addresses []string `xml:"AuthorizationPolicy>AllowedIps>Ip4Address"`
		Issuer    string   `xml:"Signature>Object>QualifyingProperties>SignedProperties>SignedSignatureProperties>SigningCertificate>Cert>IssuerSerial>X509IssuerName"`
		Serial    string   `xml:"Signature>Object>QualifyingProperties>SignedProperties>SignedSignatureProperties>SigningCertificate>Cert>IssuerSerial>X509SerialNumber"`
	}
	if err := xml.Unmarshal(file, &read); err != nil {
		t.Fatal(err)
	}
	if read.Challenge != challenge || read.Nip != "5260250274" || read.Subject != "certificateSubject" || strings.Join(read.Addresses, " ") != "192.0.2.1 192.0.2.2" {
		t.Errorf("%+v", read)
	}
	if want := `OID.2.5.4.97=VATPL-5260250274, CN=Saldo, O="Łódź ""Taxi"" & Syn <sp. z o.o.>, Oddział", C=PL`; read.Issuer != want {
		t.Errorf("%s\n%s", read.Issuer, want)
	}
	if read.Serial != "460367961908983" {
		t.Error(read.Serial)
	}
	unsigned, err := request.Unsigned()
	if err != nil || bytes.Contains(unsigned, []byte("Signature")) || xml.Unmarshal(unsigned, &read) != nil || read.Challenge != challenge {
		t.Errorf("%s %v", unsigned, err)
	}
	for _, wrong := range []Request{{}, {Challenge: challenge, NIP: "5260250275"}, {Challenge: "short", NIP: "5260250274"},
		{Challenge: challenge, NIP: "5260250274", Addresses: []netip.Addr{netip.MustParseAddr("2001:db8::1")}},
		{Challenge: challenge, NIP: "5260250274", Addresses: make([]netip.Addr, 11)}} {
		if _, err := wrong.Signed(c, day); err == nil {
			t.Errorf("%+v is signed", wrong)
		}
	}
}

func TestIssuerName(t *testing.T) {
	oid := func(numbers ...int) asn1.ObjectIdentifier { return numbers }
	for want, names := range map[string]pkix.RDNSequence{
		"C=PL": {{{Type: oid(2, 5, 4, 6), Value: "PL"}}},
		`SERIALNUMBER=PNOPL-80010112345, G=Jan, SN="O=Hara", C=PL`: {{{Type: oid(2, 5, 4, 6), Value: "PL"}}, {{Type: oid(2, 5, 4, 4), Value: "O=Hara"}},
			{{Type: oid(2, 5, 4, 42), Value: "Jan"}}, {{Type: oid(2, 5, 4, 5), Value: "PNOPL-80010112345"}}},
		`OU=A + OID.1.2.3.4=" b ", O=""`: {{{Type: oid(2, 5, 4, 10), Value: ""}}, {{Type: oid(2, 5, 4, 11), Value: "A"}, {Type: oid(1, 2, 3, 4), Value: " b "}}},
	} {
		raw, err := asn1.Marshal(names)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := issuerName(raw); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
	if _, err := issuerName([]byte("no name")); err == nil {
		t.Error("what is no name is read")
	}
}

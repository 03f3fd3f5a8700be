package ksef

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/xml"
	"net/netip"
	"strings"
	"testing"

	check "saldo/internal/testkit/ksefd/xades"
)

const challenge = "20261119-CR-20F5EE4000-DA48AE4124-46"

var request = Request{Challenge: challenge, NIP: "5260250274", Addresses: []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("::ffff:192.0.2.2")}}

// forged calls a check with a signed request changed in many ways.
func forged(t *testing.T, file []byte, each func(changed []byte, how string)) {
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
		each(changed, change[1]+" in place of "+change[0])
	}
}

func TestSigned_HoldsUntilItIsChanged(t *testing.T) {
	for kind, key := range keys(t) {
		file, err := request.Signed(certificate(t, key), day)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := check.Check(file); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		forged(t, file, func(changed []byte, how string) {
			if _, err := check.Check(changed); err == nil {
				t.Errorf("%s: with %s it holds", kind, how)
			}
		})
	}
}

// The canonical form is written, not computed: another program computes it.
func TestSigned_WithXMLSec1(t *testing.T) {
	if !check.HasXMLSec1() {
		t.Skip("xmlsec1 is not here: apt-get install xmlsec1")
	}
	holds := func(file []byte) bool {
		good, err := check.WithXMLSec1(t.TempDir(), file)
		if err != nil {
			t.Fatal(err)
		}
		return good
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

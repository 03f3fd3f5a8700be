package ksef

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"
	"time"

	"saldo/internal/kernel/official"
)

// Request asks KSeF to let somebody in as a company.
type Request struct {
	Challenge string
	NIP       official.NIP
	// ByFingerprint lets in whom the certificate's fingerprint was given rights, not whom it names.
	ByFingerprint bool
	// Addresses from which the tokens may be used; empty: all.
	Addresses []netip.Addr
}

const (
	openTag    = `<AuthTokenRequest xmlns="http://ksef.mf.gov.pl/auth/token/2.0">`
	shutTag    = `</AuthTokenRequest>`
	signatures = "http://www.w3.org/2000/09/xmldsig#"
	xades      = "http://uri.etsi.org/01903/v1.3.2#"
	canonical  = "http://www.w3.org/2001/10/xml-exc-c14n#"
	digest     = "http://www.w3.org/2001/04/xmlenc#sha256"
	byRSA      = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
	byECDSA    = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
)

// body is the request without its outermost element.
func (r Request) body() (string, error) {
	if len(r.Challenge) != 36 || len(r.Addresses) > 10 {
		return "", errors.New("ksef: the request to sign in is not as KSeF takes it")
	}
	if _, err := official.ParseNIP(string(r.NIP)); err != nil {
		return "", err
	}
	subject := "certificateSubject"
	if r.ByFingerprint {
		subject = "certificateFingerprint"
	}
	body := element("Challenge", escaped(r.Challenge)) + element("ContextIdentifier", element("Nip", string(r.NIP))) +
		element("SubjectIdentifierType", subject)
	var addresses strings.Builder
	for _, a := range r.Addresses {
		if !a.Unmap().Is4() {
			return "", fmt.Errorf("ksef: %s is no IPv4 address", a)
		}
		addresses.WriteString(element("Ip4Address", a.Unmap().String()))
	}
	if len(r.Addresses) > 0 {
		body += element("AuthorizationPolicy", element("AllowedIps", addresses.String()))
	}
	return body, nil
}

func element(name, content string) string { return "<" + name + ">" + content + "</" + name + ">" }

// Unsigned is the request for a person to sign, with a trusted profile or a qualified signature.
func (r Request) Unsigned() ([]byte, error) {
	body, err := r.body()
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + openTag + body + shutTag), err
}

// Signed is the request with an enveloped signature as XAdES baseline B has it.
func (r Request) Signed(c *Certificate, at time.Time) ([]byte, error) {
	body, err := r.body()
	if err != nil {
		return nil, err
	}
	method := byRSA
	switch c.Key.Public().(type) {
	case *ecdsa.PublicKey:
		method = byECDSA
	case *rsa.PublicKey:
	default:
		return nil, ErrKey
	}
	issuer, err := issuerName(c.RawIssuer)
	if err != nil {
		return nil, err
	}
	// What the signature's references name stands here as the exclusive canonical form has it: elements are never empty tags, and each
	// outermost element of a part declares the namespaces that it uses.
	properties := `<xades:SignedProperties xmlns:xades="` + xades + `" Id="properties"><xades:SignedSignatureProperties>` +
		`<xades:SigningTime>` + at.UTC().Format("2006-01-02T15:04:05Z") + `</xades:SigningTime>` +
		`<xades:SigningCertificate><xades:Cert><xades:CertDigest>` + digestOf(Hash(c.Raw), true) + `</xades:CertDigest><xades:IssuerSerial>` +
		`<ds:X509IssuerName xmlns:ds="` + signatures + `">` + escaped(issuer) + `</ds:X509IssuerName>` +
		`<ds:X509SerialNumber xmlns:ds="` + signatures + `">` + c.SerialNumber.String() + `</ds:X509SerialNumber>` +
		`</xades:IssuerSerial></xades:Cert></xades:SigningCertificate></xades:SignedSignatureProperties></xades:SignedProperties>`
	signed := `<ds:SignedInfo xmlns:ds="` + signatures + `">` +
		`<ds:CanonicalizationMethod Algorithm="` + canonical + `"></ds:CanonicalizationMethod>` +
		`<ds:SignatureMethod Algorithm="` + method + `"></ds:SignatureMethod>` +
		`<ds:Reference Id="request" URI=""><ds:Transforms><ds:Transform Algorithm="` + signatures + `enveloped-signature"></ds:Transform>` +
		`<ds:Transform Algorithm="` + canonical + `"></ds:Transform></ds:Transforms>` + digestOf(Hash([]byte(openTag+body+shutTag)), false) +
		`</ds:Reference><ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#properties"><ds:Transforms>` +
		`<ds:Transform Algorithm="` + canonical + `"></ds:Transform></ds:Transforms>` + digestOf(Hash([]byte(properties)), false) +
		`</ds:Reference></ds:SignedInfo>`
	sum := sha256.Sum256([]byte(signed))
	signature, err := c.sign(sum[:])
	if err != nil {
		return nil, err
	}
	return []byte(openTag + body + `<ds:Signature xmlns:ds="` + signatures + `" Id="signature">` + signed +
		`<ds:SignatureValue>` + base64.StdEncoding.EncodeToString(signature) + `</ds:SignatureValue>` +
		`<ds:KeyInfo><ds:X509Data><ds:X509Certificate>` + base64.StdEncoding.EncodeToString(c.Raw) +
		`</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object><xades:QualifyingProperties xmlns:xades="` + xades +
		`" Target="#signature">` + properties + `</xades:QualifyingProperties></ds:Object></ds:Signature>` + shutTag), nil
}

func digestOf(hash string, declares bool) string {
	space := ""
	if declares {
		space = ` xmlns:ds="` + signatures + `"`
	}
	return `<ds:DigestMethod` + space + ` Algorithm="` + digest + `"></ds:DigestMethod>` +
		`<ds:DigestValue` + space + `>` + hash + `</ds:DigestValue>`
}

// escaped is text as the canonical form has it.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;").Replace(text)
}

// bothNumbers are those of an ECDSA signature, each as long as the curve's.
func bothNumbers(der []byte, size int) ([]byte, error) {
	var pair struct{ R, S *big.Int }
	if rest, err := asn1.Unmarshal(der, &pair); err != nil || len(rest) > 0 {
		return nil, errors.New("ksef: the key gave no signature")
	}
	out := make([]byte, 2*size)
	pair.R.FillBytes(out[:size])
	pair.S.FillBytes(out[size:])
	return out, nil
}

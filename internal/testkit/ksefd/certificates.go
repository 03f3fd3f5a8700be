package ksefd

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"testing"
	"time"
)

var ofCertificates = map[string]func(*call) reply{
	"GET /certificates/limits": (*call).certificateLimits, "GET /certificates/enrollments/data": (*call).enrolData,
	"POST /certificates/enrollments": (*call).enrol, "GET /certificates/enrollments/{referenceNumber}": (*call).enrolment,
	"POST /certificates/retrieve": (*call).retrieve, "POST /certificates/query": (*call).queryCertificates,
}

// mostCertificates are those that a company may have at once.
const mostCertificates = 100

// certificate is one of KSeF's.
type certificate struct {
	*x509.Certificate
	nip, name, kind string
	asked           time.Time
}

func (c *certificate) serial() string { return fmt.Sprintf("%016X", c.SerialNumber) }

func (c *certificate) status(now time.Time) string {
	if now.After(c.NotAfter) {
		return "Expired"
	}
	return "Active"
}

// issued is the certificate of KSeF that another one is; nil: it is none.
func (s *Server) issued(given *x509.Certificate) *certificate {
	for _, one := range s.certificates {
		if one.Equal(given) {
			return one
		}
	}
	return nil
}

func (c *call) active() (n int) {
	for _, one := range c.certificates {
		if one.nip == c.who.nip && one.status(c.now()) == "Active" {
			n++
		}
	}
	return n
}

func (c *call) certificateLimits() reply {
	left := mostCertificates - c.active()
	return ok(object{"canRequest": left > 0, "enrollment": object{"limit": 300, "remaining": 300 - c.active()},
		"certificate": object{"limit": mostCertificates, "remaining": left}})
}

var dataNames = map[string]string{"2.5.4.3": "commonName", "2.5.4.6": "countryName", "2.5.4.42": "givenName", "2.5.4.4": "surname",
	"2.5.4.5": "serialNumber", "2.5.4.45": "uniqueIdentifier", "2.5.4.10": "organizationName", "2.5.4.97": "organizationIdentifier"}

// dataOf is what a certificate says of its owner.
func dataOf(names []pkix.AttributeTypeAndValue) object {
	out := object{}
	for _, one := range names {
		if name := dataNames[one.Type.String()]; name != "" {
			out[name] = one.Value
		}
	}
	return out
}

func (c *call) enrolData() reply {
	if c.who.certificate == nil {
		return c.bad(25001)
	}
	return ok(dataOf(c.who.certificate.Subject.Names))
}

func (c *call) enrol() reply {
	in := read[struct {
		CertificateName, CertificateType string
		CSR                              []byte `json:"csr"`
		ValidFrom                        *time.Time
	}](c)
	if c.who.certificate == nil {
		return c.bad(25002)
	}
	request, err := x509.ParseCertificateRequest(in.CSR)
	if err != nil || request.CheckSignature() != nil {
		return c.bad(25004)
	}
	if fmt.Sprint(dataOf(request.Subject.Names)) != fmt.Sprint(dataOf(c.who.certificate.Subject.Names)) {
		return c.bad(25003)
	}
	switch k := request.PublicKey.(type) {
	case *ecdsa.PublicKey:
		if k.Curve != elliptic.P256() {
			return c.bad(25010)
		}
	case *rsa.PublicKey:
		if k.N.BitLen() != 2048 {
			return c.bad(25010)
		}
	default:
		return c.bad(25010)
	}
	if c.active() >= mostCertificates {
		return c.bad(25007)
	}
	from := c.now()
	if in.ValidFrom != nil {
		from = *in.ValidFrom
	}
	o := &operation{nip: c.who.nip, code: c.ending("certificate"), steps: c.Steps, began: c.now()}
	if o.code == 200 {
		c.counter++
		template := &x509.Certificate{SerialNumber: big.NewInt(0x01A2000000000000 + int64(c.counter)), RawSubject: request.RawSubject,
			NotBefore: from, NotAfter: from.AddDate(2, 0, 0), KeyUsage: x509.KeyUsageDigitalSignature}
		if in.CertificateType == "Offline" {
			template.KeyUsage = x509.KeyUsageContentCommitment
		}
		raw, err := c.keys[0].issue(template, request.PublicKey)
		if err != nil {
			panic(err)
		}
		one := &certificate{raw, c.who.nip, in.CertificateName, in.CertificateType, c.now()}
		c.certificates, o.serial = append(c.certificates, one), one.serial()
	}
	id := c.id("CE")
	c.operations[id] = o
	return reply{status: http.StatusAccepted, value: object{"referenceNumber": id, "timestamp": stamp(c.now())}}
}

func (k *key) issue(template *x509.Certificate, public crypto.PublicKey) (*x509.Certificate, error) {
	template.NotBefore, template.NotAfter = template.NotBefore.Truncate(time.Second), template.NotAfter.Truncate(time.Second)
	parent := &x509.Certificate{Subject: pkix.Name{CommonName: "CCK KSeF", Country: []string{"PL"}}}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, public, k.PrivateKey)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(raw)
}

func (c *call) enrolment() reply {
	o := c.operations[c.path["referenceNumber"]]
	if o == nil || o.nip != c.who.nip {
		return c.bad(25005)
	}
	out := object{"requestDate": stamp(o.began)}
	code := o.now()
	if out["status"] = status(code); code == 200 {
		out["certificateSerialNumber"] = o.serial
	}
	return ok(out)
}

func (c *call) retrieve() reply {
	in := read[struct{ CertificateSerialNumbers []string }](c)
	list := []object{}
	for _, one := range c.certificates {
		if one.nip == c.who.nip && slices.Contains(in.CertificateSerialNumbers, one.serial()) {
			list = append(list, object{"certificate": one.Raw, "certificateName": one.name, "certificateSerialNumber": one.serial(),
				"certificateType": one.kind})
		}
	}
	return ok(object{"certificates": list})
}

func (c *call) queryCertificates() reply {
	in := read[struct {
		CertificateSerialNumber, Name, Type, Status string
		ExpiresAfter                                *time.Time
	}](c)
	var all []*certificate
	for _, one := range c.certificates {
		switch {
		case one.nip != c.who.nip, in.CertificateSerialNumber != "" && in.CertificateSerialNumber != one.serial(), in.Name != "" &&
			in.Name != one.name,
			in.Type != "" && in.Type != one.kind, in.Status != "" && in.Status != one.status(c.now()),
			in.ExpiresAfter != nil && !one.NotAfter.After(*in.ExpiresAfter):
			continue
		}
		all = append(all, one)
	}
	part, more := page(c, all)
	list := []object{}
	for _, one := range part {
		list = append(list, object{"certificateSerialNumber": one.serial(), "name": one.name, "type": one.kind,
			"commonName": one.Subject.CommonName,
			"status":     one.status(c.now()), "subjectIdentifier": object{"type": "Nip", "value": one.nip}, "validFrom": stamp(one.NotBefore),
			"validTo": stamp(one.NotAfter), "requestDate": stamp(one.asked)})
	}
	return ok(object{"certificates": list, "hasMore": more})
}

// Seal makes a key and a certificate of a company that names itself, as the environment for tests takes it.
func Seal(t testing.TB, nip, company string) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	return selfSigned(t, pkix.Name{Country: []string{"PL"}, Organization: []string{company}, CommonName: company,
		ExtraNames: []pkix.AttributeTypeAndValue{{Type: asn1.ObjectIdentifier{2, 5, 4, 97}, Value: "VATPL-" + nip}}})
}

// Person makes a key and a certificate of a person.
func Person(t testing.TB, pesel string) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	return selfSigned(t, pkix.Name{Country: []string{"PL"}, SerialNumber: "PNOPL-" + pesel, CommonName: "Jan Kowalski"})
}

func selfSigned(t testing.TB, name pkix.Name) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: name, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().AddDate(2, 0, 0)}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	parsed, parseErr := x509.ParseCertificate(raw)
	if err = errors.Join(err, parseErr); err != nil {
		t.Fatal(err)
	}
	return parsed, private
}

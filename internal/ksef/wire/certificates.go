package wire

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"net/http"
	"net/url"
	"time"
)

// Purpose is what a certificate of KSeF is for.
type Purpose string

// The purposes.
const (
	ToSignIn  Purpose = "Authentication"
	ToGoAhead Purpose = "Offline" // signs codes of invoices that are sent later
)

type (
	certificateLimits struct {
		May         bool       `json:"canRequest"`
		Enrolments  limitCount `json:"enrollment"`
		Certificate limitCount `json:"certificate"`
	}
	limitCount struct {
		Left int `json:"remaining"`
	}
	enrolRequest struct {
		Name    string     `json:"certificateName"`
		Purpose Purpose    `json:"certificateType"`
		CSR     []byte     `json:"csr"`
		From    *time.Time `json:"validFrom,omitempty"`
	}
	enrolmentAnswer struct {
		Status Status `json:"status"`
		Serial string `json:"certificateSerialNumber"`
	}
	retrieveRequest struct {
		Serials []string `json:"certificateSerialNumbers"`
	}
	retrieveAnswer struct {
		Certificates []struct {
			Certificate []byte  `json:"certificate"`
			Serial      string  `json:"certificateSerialNumber"`
			Purpose     Purpose `json:"certificateType"`
		} `json:"certificates"`
	}
	certificatesRequest struct {
		Status string `json:"status"`
		Name   string `json:"name,omitempty"`
	}
	certificatesAnswer struct {
		Certificates []Issued `json:"certificates"`
		More         bool     `json:"hasMore"`
	}
)

// MayEnrol says whether KSeF takes another request for a certificate, and how many.
func (c Client) MayEnrol(ctx context.Context) (left int, err error) {
	var got certificateLimits
	err = c.call(ctx, request{method: http.MethodGet, path: "/certificates/limits", group: "other"}, &got)
	if !got.May {
		return 0, err
	}
	return min(got.Enrolments.Left, got.Certificate.Left), err
}

// Owner is what a certificate has to say of its owner, which must not be changed.
type Owner struct {
	CommonName             string `json:"commonName"`
	Country                string `json:"countryName"`
	GivenName              string `json:"givenName"`
	Surname                string `json:"surname"`
	SerialNumber           string `json:"serialNumber"`
	UniqueIdentifier       string `json:"uniqueIdentifier"`
	Organization           string `json:"organizationName"`
	OrganizationIdentifier string `json:"organizationIdentifier"`
}

// EnrolData asks who the certificate is for. Only who has signed in with a signature is told.
func (c Client) EnrolData(ctx context.Context) (o Owner, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/certificates/enrollments/data", group: "other"}, &o)
	return o, err
}

// Request is what asks for a certificate for the key.
func (o Owner) Request(key crypto.Signer) ([]byte, error) {
	var names pkix.RDNSequence
	for _, one := range []struct {
		oid  []int
		text string
	}{{[]int{2, 5, 4, 6}, o.Country}, {[]int{2, 5, 4, 10}, o.Organization}, {[]int{2, 5, 4, 97}, o.OrganizationIdentifier},
		{[]int{2, 5, 4, 42}, o.GivenName}, {[]int{2, 5, 4, 4}, o.Surname}, {[]int{2, 5, 4, 5}, o.SerialNumber},
		{[]int{2, 5, 4, 45}, o.UniqueIdentifier}, {[]int{2, 5, 4, 3}, o.CommonName}} {
		if one.text != "" {
			names = append(names, pkix.RelativeDistinguishedNameSET{{Type: asn1.ObjectIdentifier(one.oid), Value: one.text}})
		}
	}
	raw, err := asn1.Marshal(names)
	if err != nil {
		return nil, err
	}
	return x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{RawSubject: raw}, key)
}

// Enrol asks for a certificate. Its name is for people; letters, digits, spaces, - and _ only.
func (c Client) Enrol(ctx context.Context, name string, p Purpose, csr []byte) (reference string, err error) {
	return c.reference(ctx, request{method: http.MethodPost, path: "/certificates/enrollments", group: "other",
		body: enrolRequest{Name: name, Purpose: p, CSR: csr}})
}

// Enrolment says how far KSeF is with a certificate, and its serial number once it is there.
func (c Client) Enrolment(ctx context.Context, reference string) (s Status, serial string, err error) {
	var got enrolmentAnswer
	err = c.call(ctx, request{method: http.MethodGet, path: at("certificates", "enrollments", reference), group: "other"}, &got)
	return got.Status, got.Serial, err
}

// Retrieve fetches a certificate.
func (c Client) Retrieve(ctx context.Context, serial string) (*x509.Certificate, error) {
	var got retrieveAnswer
	err := c.call(ctx, request{method: http.MethodPost, path: "/certificates/retrieve", group: "other",
		body: retrieveRequest{[]string{serial}}}, &got)
	if err != nil {
		return nil, err
	}
	for _, one := range got.Certificates {
		if one.Serial != serial {
			continue
		}
		if certificate, err := x509.ParseCertificate(one.Certificate); err == nil {
			return certificate, nil
		}
	}
	return nil, &Said{HTTP: http.StatusOK, Reason: reasonUnreadable}
}

// Issued is a certificate that KSeF has.
type Issued struct {
	Serial  string    `json:"certificateSerialNumber"`
	Purpose Purpose   `json:"type"`
	Until   time.Time `json:"validTo"`
}

// Certificates are those of whoever is signed in that can be used, of one name or of all (empty), fifty to a page from 0 on.
func (c Client) Certificates(ctx context.Context, name string, page int) (issued []Issued, more bool, err error) {
	query := paged(page)
	query.Set("pageSize", "50")
	var got certificatesAnswer
	err = c.call(ctx, request{method: http.MethodPost, path: "/certificates/query", group: "other", query: url.Values(query),
		body: certificatesRequest{"Active", name}}, &got)
	return got.Certificates, got.More, err
}

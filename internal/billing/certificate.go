package billing

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Certificate is the partner's of KSeF's type Offline, with its key. It signs the second code of an invoice that KSeF does not have yet.
type Certificate struct {
	Subject, Serial    string // whom it names, without numbers; 16 hexadecimal digits
	ValidFrom, ValidTo time.Time
	Key                crypto.Signer
	KeyDER             []byte // PKCS#8
}

// ErrCertificate is the answer to what is no certificate of type Offline, or not with its key.
var ErrCertificate = fault.Declare(fault.Invalid, "billing.certificate")

// ParseCertificate reads a certificate and its key, both as PEM; the key is not encrypted. KSeF knows EC P-256 and RSA of 2048 bits or
// more.
func ParseCertificate(certificate, key string) (c Certificate, err error) {
	block, _ := pem.Decode([]byte(certificate))
	keyBlock, _ := pem.Decode([]byte(key))
	if block == nil || keyBlock == nil {
		return c, ErrCertificate
	}
	x, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return c, ErrCertificate
	}
	var parsed any
	if parsed, err = x509.ParsePKCS8PrivateKey(keyBlock.Bytes); err != nil {
		if parsed, err = x509.ParseECPrivateKey(keyBlock.Bytes); err != nil {
			return c, ErrCertificate
		}
	}
	signer, fits := parsed.(crypto.Signer)
	if !fits || x.KeyUsage&x509.KeyUsageContentCommitment == 0 { // that of type Authentication may not sign codes
		return c, ErrCertificate
	}
	switch k := signer.(type) {
	case *ecdsa.PrivateKey:
		fits = k.Curve == elliptic.P256() && k.PublicKey.Equal(x.PublicKey)
	case *rsa.PrivateKey:
		fits = k.N.BitLen() >= 2048 && k.PublicKey.Equal(x.PublicKey)
	default:
		fits = false
	}
	if !fits || x.SerialNumber.BitLen() > 64 {
		return c, ErrCertificate
	}
	der, err := x509.MarshalPKCS8PrivateKey(signer)
	// the whole name may have a person's PESEL
	subject := cmp.Or(x.Subject.CommonName, strings.Join(x.Subject.Organization, " "))
	return Certificate{subject, fmt.Sprintf("%016X", x.SerialNumber), x.NotBefore, x.NotAfter, signer, der}, err
}

// certificatePurpose is what keys of certificates are sealed for.
const certificatePurpose = "ksef offline key"

// Certified is what is written down of the partner's certificate. The key never leaves.
type Certified struct {
	Subject, Serial    string
	ValidFrom, ValidTo calendar.Date
	AddedAt            time.Time
	AddedBy            string
}

// CertificateOf is the partner's; nil: there is none.
func CertificateOf(tx *db.Tx) (*Certified, error) {
	found, err := db.Select[Certified](tx, `SELECT subject, serial, valid_from, valid_to, added_at, added_by FROM billing_certificates
		WHERE tenant_id = $1`)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// SetCertificate keeps the partner's certificate in the place of the one before.
func (d *Service) SetCertificate(tx *db.Tx, certificate, key string) error {
	c, err := ParseCertificate(certificate, key)
	if err != nil {
		return err
	}
	from, to := calendar.DateOf(c.ValidFrom, d.Instance.Location(), 0), calendar.DateOf(c.ValidTo, d.Instance.Location(), 0)
	if to < calendar.DateOf(tx.Now, d.Instance.Location(), 0) {
		return ErrCertificate
	}
	if _, err := tx.Exec(`INSERT INTO billing_certificates (tenant_id, subject, serial, valid_from, valid_to, key_sealed, added_at, added_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (tenant_id) DO UPDATE SET subject = excluded.subject, serial = excluded.serial, valid_from = excluded.valid_from, valid_to =
		excluded.valid_to,
		key_sealed = excluded.key_sealed, added_at = excluded.added_at, added_by = excluded.added_by`,
		c.Subject, c.Serial, string(from), string(to), d.Vault.Seal(tx.Actor.Tenant, certificatePurpose, c.KeyDER), tx.Now,
		tx.Actor.Name); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "billing.certificate", Kind: "billing_certificate", ID: c.Serial,
		After: map[string]any{"subject": c.Subject, "validTo": to}})
}

// offline says whether a document is an invoice that KSeF may still accept: its PDF says OFFLINE.
func (d *Service) offline(doc *Document) bool {
	return d.Instance.Code == "pl" && doc.HasFile() && (doc.AuthorityState == NotSent || doc.AuthorityState == Waiting)
}

// secondLink is what the second code of an offline invoice leads to; empty: no certificate held on its day.
func (d *Service) secondLink(tx *db.Tx, doc *Document, c *content, file []byte) (string, error) {
	held, err := db.Select[struct{ Serial, KeySealed string }](tx, `SELECT serial, key_sealed FROM billing_certificates WHERE tenant_id = $1
		AND valid_from <= $2 AND valid_to >= $2`, string(doc.IssuedOn))
	if err != nil || len(held) == 0 || !d.offline(doc) {
		return "", err
	}
	der, err := d.Vault.Unseal(tx.Actor.Tenant, certificatePurpose, held[0].KeySealed)
	if err != nil {
		return "", err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return "", err
	}
	signer, _ := key.(crypto.Signer)
	buyer, err := official.ParseNIP(c.Buyer.TaxID)
	if err != nil {
		return "", err
	}
	seller, err := official.ParseNIP(c.Seller.TaxID)
	if err != nil {
		return "", err
	}
	return d.codes().CertificateLink(buyer, seller, file, held[0].Serial, signer)
}

// Uncertified is how many offline invoices have no second code, as no certificate held on their day.
func (d *Service) Uncertified(tx *db.Tx) (int64, error) {
	if d.Instance.Code != "pl" {
		return 0, nil
	}
	return db.One[int64](tx, `SELECT COUNT(*) FROM billing_documents b WHERE b.tenant_id = $1 AND b.file_sealed <> ''
		AND b.authority_state IN ('', 'waiting')
		AND NOT EXISTS (SELECT 1 FROM billing_certificates c WHERE c.tenant_id = b.tenant_id AND c.valid_from <= b.issued_on
		AND c.valid_to >= b.issued_on)`)
}

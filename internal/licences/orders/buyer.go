package orders

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/licences/invoicing"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
)

// Buyer is whoever an invoice is for. It names a person where a fleet is one, so it is sealed wherever it is kept.
type Buyer struct {
	Name            string `json:"name"`
	TaxID           string `json:"taxId"`
	Street          string `json:"street"`
	HouseNumber     string `json:"houseNumber"`
	ApartmentNumber string `json:"apartmentNumber"`
	PostCode        string `json:"postCode"`
	City            string `json:"city"`
	Country         string `json:"country"`
	Email           string `json:"email"`
}

// buyerPurpose is what buyers are sealed for.
const buyerPurpose = "licence buyer"

// Limits of what is typed, in characters.
const (
	buyerNameMax = 150
	partMax      = 100
	houseMax     = 20
)

var foreignPostCode = regexp.MustCompile(`^[0-9A-Z][0-9A-Z -]{1,10}[0-9A-Z]$`)

// party is the buyer as invoices name them.
func (b *Buyer) party() invoicing.Party {
	street := b.Street + " " + b.HouseNumber
	if b.ApartmentNumber != "" {
		street += "/" + b.ApartmentNumber
	}
	return invoicing.Party{Name: b.Name, TaxID: b.TaxID, Street: street, Place: b.PostCode + " " + b.City, Country: b.Country}
}

// checkedBuyer is the buyer in canonical form, or a fault that names every wrong field. Only companies of the European Union can buy: of
// others nobody here knows how they are taxed.
func (s *Service) checkedBuyer(b Buyer) (Buyer, error) {
	f := validate.New(ErrInvalid)
	b.Name = f.Text("buyer.name", b.Name, buyerNameMax, true)
	b.Street = f.Text("buyer.street", b.Street, partMax, true)
	b.HouseNumber = f.Text("buyer.houseNumber", b.HouseNumber, houseMax, true)
	b.ApartmentNumber = f.Text("buyer.apartmentNumber", b.ApartmentNumber, houseMax, false)
	b.City = f.Text("buyer.city", b.City, partMax, true)
	b.Country = strings.ToUpper(strings.TrimSpace(b.Country))
	b.Email = validate.Number(f, "buyer.email", b.Email, true, official.ParseEmail)
	if official.VATPrefix(b.Country) == "" {
		f.Wrong("buyer.country", fault.NotOneOf)
		return b, f.Err()
	}
	b.TaxID = validate.Number(f, "buyer.taxId", b.TaxID, true, func(text string) (string, error) { return s.taxID(text, b.Country) })
	b.PostCode = validate.Number(f, "buyer.postCode", b.PostCode, true, func(text string) (string, error) {
		if b.Country == "PL" || b.Country == "DE" {
			code, err := official.ParsePostCode(text, b.Country)
			return string(code), err
		}
		if text = strings.ToUpper(validate.Line(text)); !foreignPostCode.MatchString(text) {
			return "", official.ErrForm
		}
		return text, nil
	})
	return b, f.Err()
}

// taxID reads the number of a company: at home as its office gives it, abroad that for trade within the European Union.
func (s *Service) taxID(text, country string) (string, error) {
	if country == s.country() {
		return official.ParseTaxID(text, country)
	}
	return official.ParseVATID(text, country)
}

// country of the instance and of the operator, as official numbers name it.
func (s *Service) country() string { return strings.ToUpper(s.Instance.Code) }

// Remembered is who bought last, else what the partner's profile says.
func (s *Service) Remembered(tx *db.Tx) (b Buyer, err error) {
	sealed, err := db.One[string](tx, `SELECT sealed FROM licence_buyers WHERE tenant_id = $1`)
	if err == nil {
		return s.unsealed(tx, sealed)
	}
	if !errors.Is(err, db.ErrNone) {
		return b, err
	}
	p, err := partners.OwnProfile(tx, s.Vault)
	if err != nil {
		return b, err
	}
	b = Buyer{p.Name, p.TaxID, p.Address.Street, p.Address.HouseNumber, p.Address.ApartmentNumber, p.Address.PostCode, p.Address.City,
		p.Address.Country, p.Email}
	if b.Country == "" {
		b.Country = s.country()
	}
	return b, nil
}

func (s *Service) remember(tx *db.Tx, sealed string) error {
	_, err := tx.Exec(`INSERT INTO licence_buyers (tenant_id, sealed, saved_at) VALUES ($1, $2, $3)
		ON CONFLICT (tenant_id) DO UPDATE SET sealed = excluded.sealed, saved_at = excluded.saved_at`, sealed, tx.Now)
	return err
}

func (s *Service) seal(tx *db.Tx, b Buyer) (string, error) {
	content, err := json.Marshal(b)
	if err != nil {
		return "", err
	}
	return s.Vault.Seal(tx.Actor.Tenant, buyerPurpose, content), nil
}

func (s *Service) unsealed(tx *db.Tx, sealed string) (b Buyer, err error) {
	content, err := s.Vault.Unseal(tx.Actor.Tenant, buyerPurpose, sealed)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(content, &b)
}

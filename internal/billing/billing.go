// Package billing makes PDFs and XML files for drivers and tax authorities: the statement of a settlement, the bill to a civil
// contract and the self-billed invoice of a driver's company, with their numbers. It decides about no amount: every one is a
// figure that the settlement kept.
package billing

import (
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
	"saldo/internal/settlements"
)

// Service issues documents.
type Service struct {
	Instance    config.Instance
	Vault       *vault.Vault
	Settlements *settlements.Service
	KSeF        ksef.Env // that invoices go to; without an address none are sent
}

// codes is where printed codes lead to.
func (d *Service) codes() ksef.Env {
	if d.KSeF.API == "" {
		return ksef.Production
	}
	return d.KSeF
}

// Party is whoever stands on a document.
type Party struct {
	Name   string `json:"name"`
	TaxID  string `json:"taxId"`
	Street string `json:"street"`
	Place  string `json:"place"` // post code and town
}

// country of the instance, as official numbers name it.
func (d *Service) country() string { return strings.ToUpper(d.Instance.Code) }

// partner is who settles, as a document names them, with the key of their logo and their colour.
func (d *Service) partner(tx *db.Tx) (p Party, own partners.Partner, err error) {
	if own, err = partners.Own(tx); err != nil {
		return p, own, err
	}
	profile, err := partners.OwnProfile(tx, d.Vault)
	if err != nil {
		return p, own, err
	}
	a := profile.Address
	street := strings.TrimSpace(a.Street + " " + a.HouseNumber)
	if a.ApartmentNumber != "" {
		street += "/" + a.ApartmentNumber
	}
	return Party{own.Name, profile.TaxID, street, strings.TrimSpace(a.PostCode + " " + a.City)}, own, nil
}

// driverOf is who was settled, as they are stored now; a merged driver is read as the canonical one.
func (d *Service) driverOf(tx *db.Tx, s *settlements.Settlement) (drivers.Driver, error) {
	return drivers.Get(tx, d.Vault, s.CanonicalDriver())
}

// languageOf is what a driver reads.
func (d *Service) languageOf(driver drivers.Driver) i18n.Language {
	return i18n.ParseOr(driver.SummaryLanguage, i18n.Language(d.Instance.Language))
}

// masked leaves so much of a number that its owner knows it.
func masked(number string) string {
	const kept = 4
	if len(number) <= kept {
		return number
	}
	return "••• " + number[len(number)-kept:]
}

// Masked is a number for whoever has a link.
func Masked(number string) string { return masked(number) }

func maskedAccount(a official.Account) string {
	if a == "" {
		return ""
	}
	return a.Country() + masked(string(a))
}

// shownTaxID is a tax id as people write it.
func (d *Service) shownTaxID(id string) string {
	if nip, err := official.ParseNIP(id); err == nil && d.Instance.Code == "pl" {
		return nip.Display()
	}
	return id
}

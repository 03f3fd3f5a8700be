package settlements

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// Driver is one as settling asks for them.
type Driver struct {
	ID, FirstName, LastName string
	SearchKey               string
	SchemaNumber            int64 // 0: the partner's default schema
	SettlementFrequency     int64 // their own choice in weeks; 0: none
	IBANSum, TaxID          string
	IBANChangedAt           time.Time
	SettledOn               calendar.Date // last day that is settled; empty: none
	AccountID               string
	Blocked                 bool
	SmallBusiness           bool // no VAT on their invoices
}

const driverColumns = `id, first_name, last_name, search_key, schema_number, settlement_frequency, iban_sum, tax_id, iban_changed_at,
	settled_on, account_id, blocked, small_business`

// book is what all drivers of a partner are settled by.
type book struct {
	rules         map[int64]*versionedRules
	standard      int64
	weeks         int
	mayChoose     bool
	commission    money.Rate
	describedOnly bool
	instance      config.Instance
	kept          map[termsKey]snapshot.KeptTerms
}

type versionedRules struct {
	rules.Rules
	version engine.SchemaVersion
}

func (d *Service) book(tx *db.Tx) (*book, error) {
	p, err := db.One[struct {
		SettlementFrequency    int
		DriversChooseFrequency bool
		Commission             money.Rate
		ProvisionCharge        partners.Charge
	}](tx, `SELECT settlement_frequency, drivers_choose_frequency, commission, provision_charge FROM partner_profiles WHERE tenant_id = $1`)
	if err != nil {
		return nil, err
	}
	b := &book{rules: map[int64]*versionedRules{}, weeks: p.SettlementFrequency, mayChoose: p.DriversChooseFrequency, commission: p.Commission,
		describedOnly: p.ProvisionCharge != partners.ChargeAlways, instance: d.Instance, kept: map[termsKey]snapshot.KeptTerms{}}
	schemas, err := db.Select[struct {
		Number, Version int64
		IsDefault       bool
		Rules           string
	}](tx, `SELECT s.number, v.version, s.is_default, v.rules FROM schemas s
		JOIN schema_versions v ON v.tenant_id = s.tenant_id AND v.schema_number = s.number AND v.version = s.current_version
		WHERE s.tenant_id = $1 AND s.deleted_at = ''`)
	if err != nil {
		return nil, err
	}
	for _, s := range schemas {
		r := &versionedRules{rules.Default(), engine.SchemaVersion{Number: s.Number, Version: s.Version}}
		if err := json.Unmarshal([]byte(s.Rules), &r.Rules); err != nil {
			return nil, err
		}
		b.rules[s.Number] = r
		if s.IsDefault {
			b.standard = s.Number
		}
	}
	if b.rules[b.standard] == nil {
		return nil, fmt.Errorf("settlement: no default schema")
	}
	return b, nil
}

func (b *book) rulesOf(driver *Driver) *versionedRules {
	if r := b.rules[driver.SchemaNumber]; r != nil {
		return r
	}
	return b.rules[b.standard]
}

// terms are what a driver is settled by. VAT is that of a period and is added
// by the engine. Who has no schema of their own is only told of where there is
// a choice of several.
func (b *book) terms(driver *Driver) engine.Terms {
	r := b.rulesOf(driver)
	return engine.Terms{Rules: r.Rules, Schema: r.version, Weeks: engine.Frequency(b.weeks, int(driver.SettlementFrequency), b.mayChoose),
		Commission: b.commission, DescribedOnly: b.describedOnly,
		SmallBusiness: driver.SmallBusiness,
		Missing: engine.Missing{Account: driver.IBANSum == "", TaxID: driver.TaxID == "" && r.ContractType != rules.CivilContract,
			Schema: driver.SchemaNumber == 0 && len(b.rules) > 1}}
}

// TermsOf are what drivers are settled by now, by their ids.
func (d *Service) TermsOf(tx *db.Tx, ids []string) (map[string]engine.Terms, error) {
	b, err := d.book(tx)
	if err != nil {
		return nil, err
	}
	terms := make(map[string]engine.Terms, len(ids))
	for some := range slices.Chunk(ids, many) {
		in, args := db.Filled(2, some)
		found, err := db.Select[Driver](tx, `SELECT `+driverColumns+` FROM drivers WHERE tenant_id = $1 AND id`+in, args...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			terms[found[i].ID] = b.terms(&found[i])
		}
	}
	return terms, nil
}

func (b *book) vatOn(day calendar.Date) engine.VAT {
	v := b.instance.VATOn(day)
	return engine.VAT{Standard: v.Standard, Reduced: v.Reduced}
}

type termsKey struct {
	schema engine.SchemaVersion
	weeks  int
	vat    engine.VAT
	small  bool
}

// keptTerms are the terms of a settlement as they are kept.
func (b *book) keptTerms(s *engine.Settlement) (snapshot.KeptTerms, error) {
	key := termsKey{s.Schema, s.Weeks, b.vatOn(s.Last), s.SmallBusiness}
	if t, ok := b.kept[key]; ok {
		return t, nil
	}
	t, err := snapshot.Keep(snapshot.Terms{Rules: b.rules[s.Schema.Number].Rules, Schema: s.Schema, Weeks: s.Weeks, VAT: key.vat,
		Commission: b.commission, DescribedOnly: b.describedOnly, SmallBusiness: s.SmallBusiness})
	if err == nil {
		b.kept[key] = t
	}
	return t, err
}

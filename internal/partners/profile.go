package partners

import (
	"encoding/json"
	"reflect"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
)

var (
	// ErrProfileInvalid names the fields of a profile that cannot be kept.
	ErrProfileInvalid = fault.Declare(fault.Invalid, "partner.invalid")
	// ErrProfileChanged is the answer to a change of something that somebody else changed meanwhile.
	ErrProfileChanged = fault.Declare(fault.Conflict, "partner.changed")
)

// accountPurpose is what the account for transfers is sealed for.
const accountPurpose = "partner account"

// Charge says when the provision for an invoice is taken.
type Charge string

const (
	ChargeAlways        Charge = "always"
	ChargeWhenDescribed Charge = "when_described" // only for invoices that the partner described
)

// Address is where a partner is registered.
type Address struct {
	Street, HouseNumber, ApartmentNumber string
	City, PostCode, Country              string
}

// Profile is everything that a partner sets for itself. Version is that of the
// profile it was read from; a change of another version is refused.
type Profile struct {
	Version                int64
	Name, Color            string
	Email, Phone           string
	WWW, TaxID             string
	Cities, Services       []string
	Commission             money.Rate
	ProvisionCharge        Charge
	DriversDescribe        bool
	SettlementFrequency    int64 // weeks: 1, 2 or 4
	DriversChooseFrequency bool
	Address                Address
	Account                official.Account // for transfers; empty: none
	Notes, Referral        string
}

// profileRow is a profile as it is stored.
type profileRow struct {
	Version                int64
	Name, Color            string
	Email, Phone           string
	WWW, TaxID             string
	Cities, Services       string
	Commission             int64
	ProvisionCharge        string
	DriversDescribe        bool
	SettlementFrequency    int64
	DriversChooseFrequency bool
	Address
	AccountSealed   string
	Notes, Referral string
}

// foundProfile makes the empty profile of a new partner: drivers may do
// everything, and are settled every week until they choose otherwise.
func foundProfile(tx *db.Tx) error {
	_, err := tx.Exec(`INSERT INTO partner_profiles (tenant_id, version, email, phone, www, tax_id, cities, services, commission,
		provision_charge,
		drivers_describe, settlement_frequency, drivers_choose_frequency, street, house_number, apartment_number, city, post_code, country,
		account_sealed, notes, referral, functions_version, function1, function2, function3, function4, updated_at)
		VALUES ($1, 1, '', '', '', '', '[]', '[]', 0, 'always', TRUE, 1, TRUE, '', '', '', '', '', '', '', '', '', 1, TRUE, TRUE, TRUE, TRUE, $2)`, tx.Now)
	return err
}

// OwnProfile is the profile of the partner in whose tenant the unit of work runs.
func OwnProfile(tx *db.Tx, v *vault.Vault) (Profile, error) {
	r, err := db.One[profileRow](tx, `SELECT f.version, p.name, p.color, f.email, f.phone, f.www, f.tax_id, f.cities, f.services, f.commission,
		f.provision_charge, f.drivers_describe, f.settlement_frequency, f.drivers_choose_frequency, f.street, f.house_number, f.apartment_number,
		f.city, f.post_code, f.country, f.account_sealed, f.notes, f.referral
		FROM partner_profiles f JOIN partners p ON p.tenant_id = f.tenant_id WHERE f.tenant_id = $1`)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Version: r.Version, Name: r.Name, Color: r.Color, Email: r.Email, Phone: r.Phone, WWW: r.WWW, TaxID: r.TaxID,
		Commission: money.Rate(r.Commission), ProvisionCharge: Charge(r.ProvisionCharge), DriversDescribe: r.DriversDescribe,
		SettlementFrequency: r.SettlementFrequency, DriversChooseFrequency: r.DriversChooseFrequency, Address: r.Address,
		Notes: r.Notes, Referral: r.Referral}
	if err := json.Unmarshal([]byte(r.Cities), &p.Cities); err != nil {
		return Profile{}, err
	}
	if err := json.Unmarshal([]byte(r.Services), &p.Services); err != nil {
		return Profile{}, err
	}
	if r.AccountSealed != "" {
		account, err := v.Unseal(tx.Actor.Tenant, accountPurpose, r.AccountSealed)
		if err != nil {
			return Profile{}, err
		}
		p.Account = official.Account(account)
	}
	return p, nil
}

// SaveProfile replaces the partner's profile, if it is still the version that
// the change was made from. Country is that of the instance; its rules hold
// for tax ids and for phone numbers without a country. Another account needs a
// sign-in of the last minutes. Saving what is there already leaves no trace.
func SaveProfile(tx *db.Tx, v *vault.Vault, country string, p Profile) error {
	before, err := OwnProfile(tx, v)
	if err != nil {
		return err
	}
	if before.Version != p.Version {
		return ErrProfileChanged
	}
	if p, err = checked(p, country); err != nil {
		return err
	}
	if reflect.DeepEqual(before, p) {
		return nil
	}
	if p.Account != before.Account {
		if err := web.FreshLogin(tx.Actor, tx.Now); err != nil {
			return err
		}
	}
	cities, err := json.Marshal(p.Cities)
	if err != nil {
		return err
	}
	services, err := json.Marshal(p.Services)
	if err != nil {
		return err
	}
	var sealed string
	if p.Account != "" {
		sealed = v.Seal(tx.Actor.Tenant, accountPurpose, []byte(p.Account))
	}
	if _, err := tx.Exec(`UPDATE partners SET name = $2, color = $3 WHERE tenant_id = $1`, p.Name, p.Color); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE partner_profiles SET version = version + 1, email = $2, phone = $3, www = $4, tax_id = $5, cities = $6,
		services = $7,
		commission = $8, provision_charge = $9, drivers_describe = $10, settlement_frequency = $11, drivers_choose_frequency = $12, street = $13,
		house_number = $14, apartment_number = $15, city = $16, post_code = $17, country = $18, account_sealed = $19, notes = $20, referral = $21,
		updated_at = $22 WHERE tenant_id = $1`,
		p.Email, p.Phone, p.WWW, p.TaxID, string(cities), string(services), int64(p.Commission), string(p.ProvisionCharge), p.DriversDescribe,
		p.SettlementFrequency, p.DriversChooseFrequency, p.Address.Street, p.Address.HouseNumber, p.Address.ApartmentNumber, p.Address.City,
		p.Address.PostCode, p.Address.Country, sealed, p.Notes, p.Referral, tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "partners.save", Kind: "partner", ID: tx.Actor.Tenant, Before: auditView(before, before),
		After: auditView(p, before)})
}

// auditView is the profile as the trail may keep it: of the account only its country
// and last four digits, and that it is another one where these are the same.
func auditView(p, before Profile) Profile {
	covered := func(a official.Account) official.Account {
		if a == "" {
			return ""
		}
		return a[:2] + "…" + a[len(a)-4:]
	}
	another := p.Account != before.Account && covered(p.Account) == covered(before.Account)
	if p.Account = covered(p.Account); another {
		p.Account += " (another)"
	}
	return p
}

// Frequency is how often drivers are settled unless they chose otherwise, and
// whether they may choose.
type Frequency struct {
	SettlementFrequency    int64 // weeks
	DriversChooseFrequency bool
}

// OwnFrequency is the partner's frequency of settlements.
func OwnFrequency(tx *db.Tx) (Frequency, error) {
	return db.One[Frequency](tx, `SELECT settlement_frequency, drivers_choose_frequency FROM partner_profiles WHERE tenant_id = $1`)
}

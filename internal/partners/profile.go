package partners

import (
	"reflect"
	"strings"
	"time"

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

// profileColumns are what a profile is in its table.
type profileColumns struct {
	Version                int64
	Email, Phone           string
	WWW, TaxID             string
	Cities, Services       []string
	Commission             money.Rate
	ProvisionCharge        Charge
	DriversDescribe        bool
	SettlementFrequency    int64
	DriversChooseFrequency bool
	Address
	AccountSealed   string
	Notes, Referral string
	UpdatedAt       time.Time
}

type newProfile struct {
	profileColumns
	FunctionsVersion                           int64
	Function1, Function2, Function3, Function4 bool
}

// profileRow is a profile with what stands in the row of the partner.
type profileRow struct {
	profileColumns
	Name, Color string
}

// foundProfile makes the empty profile of a new partner: drivers may do
// everything, and are settled every week until they choose otherwise.
func foundProfile(tx *db.Tx) error {
	return db.Insert(tx, "partner_profiles", newProfile{
		profileColumns: profileColumns{Version: 1, ProvisionCharge: ChargeAlways, DriversDescribe: true,
			SettlementFrequency: 1, DriversChooseFrequency: true, UpdatedAt: tx.Now},
		FunctionsVersion: 1, Function1: true, Function2: true, Function3: true, Function4: true})
}

// OwnProfile is the profile of the partner in whose tenant the unit of work runs.
func OwnProfile(tx *db.Tx, v *vault.Vault) (Profile, error) {
	r, err := db.One[profileRow](tx, `SELECT f.`+strings.Join(db.ColumnsOf[profileColumns](), ", f.")+`, p.name, p.color
		FROM partner_profiles f JOIN partners p ON p.tenant_id = f.tenant_id WHERE f.tenant_id = $1`)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Version: r.Version, Name: r.Name, Color: r.Color, Email: r.Email, Phone: r.Phone, WWW: r.WWW, TaxID: r.TaxID,
		Cities: r.Cities, Services: r.Services,
		Commission: r.Commission, ProvisionCharge: r.ProvisionCharge, DriversDescribe: r.DriversDescribe,
		SettlementFrequency: r.SettlementFrequency, DriversChooseFrequency: r.DriversChooseFrequency, Address: r.Address,
		Notes: r.Notes, Referral: r.Referral}
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
	var sealed string
	if p.Account != "" {
		sealed = v.Seal(tx.Actor.Tenant, accountPurpose, []byte(p.Account))
	}
	if _, err := tx.Exec(`UPDATE partners SET name = $2, color = $3 WHERE tenant_id = $1`, p.Name, p.Color); err != nil {
		return err
	}
	if _, err := db.Update(tx, "partner_profiles", profileColumns{p.Version + 1, p.Email, p.Phone, p.WWW, p.TaxID, p.Cities,
		p.Services, p.Commission, p.ProvisionCharge, p.DriversDescribe, p.SettlementFrequency, p.DriversChooseFrequency, p.Address, sealed,
		p.Notes, p.Referral, tx.Now}, "version = $2", p.Version); err != nil {
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

// Provision is what a partner keeps of the VAT that invoices give back, and who describes invoices.
type Provision struct {
	Commission      money.Rate
	ProvisionCharge Charge
	DriversDescribe bool
}

// OwnProvision is the partner's provision.
func OwnProvision(tx *db.Tx) (Provision, error) {
	return db.One[Provision](tx, `SELECT commission, provision_charge, drivers_describe FROM partner_profiles WHERE tenant_id = $1`)
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

// Package accounts keeps what drivers say of themselves, the partner they choose, and how their profile is linked with a driver of it.
package accounts

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

var (
	// ErrNoAccount is the answer to a driver who has not filled in anything yet.
	ErrNoAccount = fault.Declare(fault.NotFound, "accounts.none")
	// ErrNotYours is the answer to linking somebody else's user.
	ErrNotYours   = fault.Declare(fault.NotFound, "accounts.not_found")
	ErrExists     = fault.Declare(fault.Conflict, "accounts.exists")
	ErrChanged    = fault.Declare(fault.Conflict, "accounts.changed")
	ErrIncomplete = fault.Declare(fault.Conflict, "accounts.incomplete")
	ErrInvalid    = fault.Declare(fault.Invalid, "accounts.invalid")
)

// Account is what a driver says of themselves, once for all partners. It lives
// in a tenant of its own: the driver.
type Account struct {
	TenantID, Issuer, Subject  string
	Details                    Details
	PeselSealed                string
	SettlementFrequency        int64
	ReferenceID, ReferenceLink string
	PartnerID                  string // the chosen partner; empty: none
	Version                    int64
	CompletedAt                time.Time // zero: nothing filled in yet
}

// Completed says whether the driver has filled in who they are.
func (a Account) Completed() bool { return !a.CompletedAt.IsZero() }

const peselPurpose = "pesel"

// Pesel is the driver's PESEL with all but its end hidden; empty without one.
func (a Account) Pesel(v *vault.Vault) (string, error) {
	if a.PeselSealed == "" {
		return "", nil
	}
	pesel, err := v.Unseal(a.TenantID, peselPurpose, a.PeselSealed)
	if err != nil {
		return "", err
	}
	return "•••••••" + string(pesel[len(pesel)-4:]), nil
}

const detailColumns = `first_name, last_name, email, phone, cities, tax_id, newsletter, car_status, activity,
	street, house_number, apartment_number, city, post_code, country, summary_language, bailiff`

// Own is the account of the driver who acts alone.
func Own(tx *db.Tx) (a Account, err error) {
	const open = ` FROM driver_accounts WHERE tenant_id = $1 AND deleted_at = ''`
	a, err = db.One[Account](tx, `SELECT tenant_id, issuer, subject, pesel_sealed, settlement_frequency, reference_id, reference_link,
		partner_id, version, completed_at`+open)
	if errors.Is(err, db.ErrNone) {
		return a, ErrNoAccount
	}
	if err != nil {
		return a, err
	}
	a.Details, err = db.One[Details](tx, `SELECT `+detailColumns+open)
	return a, err
}

// Reference is who brought a driver. It is remembered, and never a right.
type Reference struct{ ID, Link string }

// LinkAccount makes the account of the user who acts, with nothing filled in,
// and remembers who brought them, once. Nobody links anybody else.
func LinkAccount(tx *db.Tx, subject string, cookies Reference) error {
	if subject != tx.Actor.Proof.Subject {
		return ErrNotYours
	}
	a, err := ensureAccount(tx)
	if err != nil {
		return err
	}
	claims := Reference{tx.Actor.Proof.ReferenceID, tx.Actor.Proof.ReferenceLink}
	id := cmp.Or(a.ReferenceID, claims.id(), cookies.id())
	link := cmp.Or(a.ReferenceLink, claims.link(), cookies.link())
	if id == a.ReferenceID && link == a.ReferenceLink {
		return nil
	}
	_, err = tx.Exec(`UPDATE driver_accounts SET reference_id = $2, reference_link = $3, updated_at = $4 WHERE tenant_id = $1`, id, link,
		tx.Now)
	return err
}

// ensureAccount finds the account of the driver who acts, or makes one with
// what the identity provider knows.
func ensureAccount(tx *db.Tx) (Account, error) {
	a, err := Own(tx)
	if !errors.Is(err, ErrNoAccount) {
		return a, err
	}
	p := tx.Actor.Proof
	// whoever comes back after closing their account starts anew
	if _, err := tx.Exec(`DELETE FROM driver_accounts WHERE tenant_id = $1`); err != nil {
		return a, err
	}
	_, err = tx.Exec(`INSERT INTO driver_accounts (tenant_id, issuer, subject, email, first_name, last_name, phone, cities, tax_id,
		newsletter, car_status, activity,
		street, house_number, apartment_number, city, post_code, country, pesel_sealed, settlement_frequency, summary_language, bailiff,
		reference_id, reference_link, partner_id, version, completed_at, created_at, updated_at, deleted_at)
		VALUES ($1, $2, $3, $4, $5, $6, '', '[]', '', FALSE, '', 'unknown', '', '', '', '', '', '', '', 0, '', FALSE, '', '', '', 0, '', $7, $7,
		'')`,
		p.Issuer, p.Subject, p.Email, validate.Cut(p.FirstName, NameMax), validate.Cut(p.LastName, NameMax), tx.Now)
	if err != nil {
		return a, err
	}
	return Own(tx)
}

// Open fills in the account of the driver who acts, for the first time.
func Open(tx *db.Tx, v *vault.Vault, country string, d Details) error {
	d, err := d.checked(country)
	if err != nil {
		return err
	}
	a, err := ensureAccount(tx)
	if err != nil {
		return err
	}
	if a.Completed() {
		return ErrExists
	}
	if err := store(tx, v, a, d); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE driver_accounts SET completed_at = $2 WHERE tenant_id = $1`, tx.Now); err != nil {
		return err
	}
	// The trail of an account names fields and never what is in them: it outlives the account.
	return audit.Record(tx, audit.Change{Action: "accounts.open", Kind: "account", ID: a.TenantID})
}

// Save changes a driver's account, and what their partner sees of it.
// It refuses when the account is no longer the version that was edited. The
// system acts; who is the driver.
func Save(tx *db.Tx, who access.Actor, v *vault.Vault, country string, d Details, version int64) error {
	d, err := d.checked(country)
	if err != nil {
		return err
	}
	var a Account
	var changed []string
	err = tx.As(who.AsDriver(), func() error {
		if a, err = Own(tx); err != nil {
			return err
		}
		switch changed = a.Details.changes(d); {
		case !a.Completed():
			return ErrIncomplete
		case a.Version != version:
			return ErrChanged
		case len(changed) == 0:
			return nil
		}
		if err := store(tx, v, a, d); err != nil {
			return err
		}
		return audit.Record(tx, audit.Change{Action: "accounts.save", Kind: "account", ID: a.TenantID, After: changed})
	})
	shared := slices.ContainsFunc(changed, func(field string) bool { return slices.Contains(sharedFields, field) })
	if err != nil || a.PartnerID == "" || !shared {
		return err
	}
	return tx.As(who.In(a.PartnerID), func() error { return shareContact(tx, who, d) })
}

// sharedFields are what the chosen partner sees.
var sharedFields = []string{"firstName", "lastName", "email", "phone"}

// shareContact shows the partner in whose tenant it runs what a driver is
// called and where they can be reached now.
func shareContact(tx *db.Tx, who access.Actor, d Details) error {
	profiles, err := db.Select[string](tx, `UPDATE driver_profiles
		SET first_name = $3, last_name = $4, email = $5, phone = $6, updated_at = $7,
		search_key = $8, email_confirmed = $9 WHERE tenant_id = $1 AND account_id = $2 AND left_at = '' RETURNING id`,
		who.Person, d.FirstName, d.LastName, d.Email, d.Phone, tx.Now, profileKey(d), confirmed(who, d.Email))
	if err != nil {
		return err
	}
	for _, id := range profiles {
		if err := audit.Record(tx, audit.Change{Action: "driver_profiles.contact", Kind: drivers.ProfileKind, ID: id}); err != nil {
			return err
		}
	}
	return identity.RenameMember(tx, who.Person, d.fullName(), d.Email)
}

func store(tx *db.Tx, v *vault.Vault, a Account, d Details) error {
	cities, err := json.Marshal(d.Cities)
	if err != nil {
		return err
	}
	sealed := a.PeselSealed
	switch {
	case d.Pesel == nil:
	case *d.Pesel == "":
		sealed = ""
	default:
		sealed = v.Seal(a.TenantID, peselPurpose, []byte(*d.Pesel))
	}
	n, err := tx.Exec(`UPDATE driver_accounts SET first_name = $2, last_name = $3, email = $4, phone = $5, cities = $6, tax_id = $7,
		newsletter = $8,
		car_status = $9, activity = $10, street = $11, house_number = $12, apartment_number = $13, city = $14, post_code = $15, country = $16,
		summary_language = $17, bailiff = $18, pesel_sealed = $19, updated_at = $20, version = version + 1 WHERE tenant_id = $1`,
		d.FirstName, d.LastName, d.Email, d.Phone, string(cities), d.TaxID, d.Newsletter, d.CarStatus, d.Activity, d.Street, d.HouseNumber,
		d.ApartmentNumber, d.City, d.PostCode, d.Country, d.SummaryLanguage, d.Bailiff, sealed, tx.Now)
	if err == nil && n != 1 {
		return fmt.Errorf("accounts: %d accounts of one driver", n)
	}
	return err
}

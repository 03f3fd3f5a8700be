// Package accounts keeps what drivers say of themselves, the partner they choose, and how their profile is linked with a driver of it.
package accounts

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
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

var detailColumns = strings.Join(db.ColumnsOf[Details](), ", ")

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

// newAccount is an account in which nothing is filled in yet.
type newAccount struct {
	Issuer, Subject string
	Details
	PeselSealed, ReferenceID, ReferenceLink, PartnerID, CompletedAt, DeletedAt string
	SettlementFrequency, Version                                               int64
	CreatedAt, UpdatedAt                                                       time.Time
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
	err = db.Insert(tx, "driver_accounts", newAccount{Issuer: p.Issuer, Subject: p.Subject,
		Details: Details{Email: p.Email, FirstName: validate.Cut(p.FirstName, NameMax), LastName: validate.Cut(p.LastName, NameMax),
			Activity: "unknown"},
		CreatedAt: tx.Now, UpdatedAt: tx.Now})
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
	sealed := a.PeselSealed
	switch {
	case d.Pesel == nil:
	case *d.Pesel == "":
		sealed = ""
	default:
		sealed = v.Seal(a.TenantID, peselPurpose, []byte(*d.Pesel))
	}
	type filled struct {
		Details
		PeselSealed string
		Version     int64
		UpdatedAt   time.Time
	}
	n, err := db.Update(tx, "driver_accounts", filled{d, sealed, a.Version + 1, tx.Now}, "version = $2", a.Version)
	if err == nil && n != 1 {
		return fmt.Errorf("accounts: %d accounts of one driver", n)
	}
	return err
}

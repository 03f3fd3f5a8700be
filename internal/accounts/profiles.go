package accounts

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// ErrProfileNotFound is the answer to a profile that is not there, or whose driver has left.
var ErrProfileNotFound = fault.Declare(fault.NotFound, "driver_profiles.not_found")

// Profile is what a partner sees of a driver who chose it.
type Profile struct {
	ID, AccountID       string
	State               string // new, linked, blocked
	FirstName, LastName string
	Email, Phone        string
	EmailConfirmed      bool // the identity provider knows the address to be theirs
	ConsentedAt         time.Time
	LinkedAt, LeftAt    time.Time
	UpdatedAt           time.Time
}

const profileColumns = `id, account_id, state, first_name, last_name, email, phone, email_confirmed, consented_at, linked_at, left_at,
	updated_at`

func (p Profile) key() string {
	return drivers.Details{FirstName: p.FirstName, LastName: p.LastName, Email: p.Email, Phone: p.Phone}.SearchKey()
}

// profileKey is where a profile is found by and sorted by.
func profileKey(d Details) string {
	return Profile{FirstName: d.FirstName, LastName: d.LastName, Email: d.Email, Phone: d.Phone}.key()
}

func profileOf(tx *db.Tx, id string) (Profile, error) {
	p, err := db.One[Profile](tx, `SELECT `+profileColumns+` FROM driver_profiles WHERE tenant_id = $1 AND id = $2 AND email <> ''`, id)
	if errors.Is(err, db.ErrNone) {
		return p, ErrProfileNotFound
	}
	return p, err
}

// KeyProfiles gives a search key to the profiles of drivers who chose a partner
// before there was one. The system acts.
func KeyProfiles(tx *db.Tx) error {
	old, err := db.Select[struct {
		TenantID string
		Profile
	}](tx.Across(), `SELECT tenant_id, `+profileColumns+` FROM driver_profiles WHERE search_key = '' AND email <> ''`)
	if err != nil {
		return err
	}
	for _, p := range old {
		if _, err := tx.Across().Exec(`UPDATE driver_profiles SET search_key = $3 WHERE tenant_id = $1 AND id = $2`, p.TenantID, p.ID,
			p.key()); err != nil {
			return err
		}
	}
	return nil
}

// Why a driver and a profile may be the same person, the strongest first.
const (
	SameEmail = "email"
	SamePhone = "phone"
	SameName  = "name"
)

// Proposal is one of the partner's drivers who may be the person of a profile.
type Proposal struct {
	ID                  string
	FirstName, LastName string
	Email, Phone        string
	Version             int64
	Blocked             bool
	AccountID           string   // of whoever they are linked with; empty: nobody
	Evidence            []string // what is equal
}

// evidence is what a driver and a profile have in common.
func evidence(d Proposal, p Profile) (equal []string) {
	if p.Email != "" && d.Email == p.Email {
		equal = append(equal, SameEmail)
	}
	if p.Phone != "" && d.Phone == p.Phone {
		equal = append(equal, SamePhone)
	}
	if i18n.Fold(d.LastName+" "+d.FirstName) == i18n.Fold(p.LastName+" "+p.FirstName) {
		equal = append(equal, SameName)
	}
	return equal
}

// stronger sorts by the first thing in common: e-mail, then phone, then name.
func stronger(a, b []string) int {
	rank := map[string]int{SameEmail: 0, SamePhone: 1, SameName: 2}
	if by := rank[a[0]] - rank[b[0]]; by != 0 {
		return by
	}
	return len(b) - len(a)
}

// mayBe is the condition of rows that may be one of these people, and its
// arguments after the first ones.
func mayBe(people []Profile, first int) (where string, args []any) {
	mark := func(value string) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", first+len(args)-1)
	}
	var emails, phones, names []string
	for _, p := range people {
		if p.Email != "" {
			emails = append(emails, mark(p.Email))
		}
		if p.Phone != "" {
			phones = append(phones, mark(p.Phone))
		}
		names = append(names, `search_key LIKE `+mark(db.Literal(i18n.Fold(p.LastName+" "+p.FirstName))+"%")+` ESCAPE '!'`)
	}
	either := names
	if len(emails) > 0 {
		either = append(either, `email IN (`+strings.Join(emails, ", ")+`)`)
	}
	if len(phones) > 0 {
		either = append(either, `phone IN (`+strings.Join(phones, ", ")+`)`)
	}
	return `(` + strings.Join(either, " OR ") + `)`, args
}

// ExpectAccount remembers whose account the activation of a driver leads to.
// It is no link: only a driver who chooses the partner can be linked.
func ExpectAccount(tx *db.Tx, driver, account string) error {
	_, err := tx.Exec(`UPDATE drivers SET activated_account = $3 WHERE tenant_id = $1 AND id = $2`, driver, account)
	return err
}

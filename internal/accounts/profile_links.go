package accounts

import (
	"errors"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	// ErrProfileChanged is the answer to a link that was decided over what the driver has changed since.
	ErrProfileChanged = fault.Declare(fault.Conflict, "driver_profiles.changed")
	ErrProfileLinked  = fault.Declare(fault.Conflict, "driver_profiles.linked")
	ErrProfileBlocked = fault.Declare(fault.Conflict, "driver_profiles.blocked")
	ErrDriverLinked   = fault.Declare(fault.Conflict, "driver_profiles.driver_linked")
	ErrDriverBlocked  = fault.Declare(fault.Conflict, "driver_profiles.driver_blocked")
	ErrLinkInvalid    = fault.Declare(fault.Invalid, "driver_profiles.link_invalid")
)

// What a driver says of themselves and the partner may take over when it links.
const (
	TakeName  = "name"
	TakeEmail = "email"
	TakePhone = "phone"
)

// Link is a partner's decision that a profile is one of its drivers.
type Link struct {
	DriverID  string    // empty: a new driver is made from the profile
	Version   int64     // of the driver that was shown
	ProfileAt time.Time // when what was shown of the profile was last changed
	Take      []string  // what of the profile replaces what the partner wrote
}

// LinkProfile ties a profile to one of the partner's drivers, or to a new one.
// A driver has at most one account and an account at most one driver of a
// partner, however many link at the same moment. Of what the partner wrote only
// that is replaced which it took, as it was shown.
func LinkProfile(tx *db.Tx, b drivers.Service, id string, l Link) (driver string, err error) {
	p, err := profileOf(tx, id)
	if err != nil {
		return "", err
	}
	if err := p.linkable(); err != nil {
		return "", err
	}
	if !p.UpdatedAt.Equal(l.ProfileAt) {
		return "", ErrProfileChanged
	}
	for _, part := range l.Take {
		if !slices.Contains([]string{TakeName, TakeEmail, TakePhone}, part) {
			return "", ErrLinkInvalid.Field("take", fault.NotOneOf)
		}
	}
	if l.DriverID == "" {
		if len(l.Take) > 0 {
			return "", ErrLinkInvalid.Field("take", fault.NotOneOf)
		}
		// no activation: they have an account
		driver, err = b.WriteDown(tx, drivers.Details{FirstName: p.FirstName, LastName: p.LastName, Email: p.Email, Phone: p.Phone})
		if err != nil {
			return "", err
		}
		return driver, link(tx, p, driver)
	}
	if len(l.Take) > 0 {
		if err := take(tx, b, p, l); err != nil {
			return "", err
		}
	}
	return l.DriverID, link(tx, p, l.DriverID)
}

// take replaces what the partner wrote by what it chose of the profile.
func take(tx *db.Tx, b drivers.Service, p Profile, l Link) error {
	d, err := drivers.Get(tx, b.Vault, l.DriverID)
	if err != nil {
		return err
	}
	details := d.Details
	for _, part := range l.Take {
		switch part {
		case TakeName:
			details.FirstName, details.LastName = p.FirstName, p.LastName
		case TakeEmail:
			details.Email = p.Email
		case TakePhone:
			details.Phone = p.Phone
		}
	}
	return b.Save(tx, l.DriverID, details, l.Version)
}

func (p Profile) linkable() error {
	switch {
	case !p.LeftAt.IsZero():
		return ErrProfileNotFound
	case p.State == profileBlocked:
		return ErrProfileBlocked
	case p.State == profileLinked:
		return ErrProfileLinked
	}
	return nil
}

// link ties a profile to a driver in one guarded statement.
func link(tx *db.Tx, p Profile, driver string) error {
	n, err := tx.Exec(`UPDATE drivers SET account_id = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2 AND merged_into = ''
		AND account_id = '' AND NOT blocked
		AND NOT EXISTS (SELECT 1 FROM drivers o WHERE o.tenant_id = $1 AND o.account_id = $3)
		AND EXISTS (SELECT 1 FROM driver_profiles p WHERE p.tenant_id = $1 AND p.account_id = $3 AND p.state = 'new' AND p.left_at = '')`, driver,
		p.AccountID, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		return whyUnlinkable(tx, driver)
	}
	if _, err := tx.Exec(`UPDATE drivers SET settlement_frequency = p.settlement_frequency FROM driver_profiles p
		WHERE drivers.tenant_id = $1 AND drivers.id = $2 AND p.tenant_id = $1 AND p.id = $3 AND p.settlement_frequency <> 0`, driver,
		p.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE driver_profiles SET state = 'linked', linked_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, p.ID,
		tx.Now); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE driver_documents SET erase_at = '', version = version + 1 WHERE tenant_id = $1 AND erase_at <> ''
		AND erased_at = '' AND state IN ('waiting', 'accepted') AND driver_id`+drivers.Those("$2"), driver); err != nil {
		return err
	}
	return tied(tx, p.ID, driver, true)
}

func whyUnlinkable(tx *db.Tx, driver string) error {
	d, err := db.One[struct {
		AccountID string
		Blocked   bool
	}](tx, `SELECT account_id, blocked FROM drivers WHERE tenant_id = $1 AND id = $2 AND merged_into = ''`, driver)
	switch {
	case errors.Is(err, db.ErrNone):
		return drivers.ErrNotFound
	case err != nil:
		return err
	case d.AccountID != "":
		return ErrDriverLinked
	case d.Blocked:
		return ErrDriverBlocked
	}
	return ErrProfileLinked
}

// tied writes into both trails that a profile and a driver belong together, or
// no longer do. Neither line names anybody.
func tied(tx *db.Tx, profile, driver string, linked bool) error {
	verb := map[bool]string{true: "link", false: "unlink"}[linked]
	flags := func(on bool) map[string]bool { return map[string]bool{"linked": on} }
	if err := audit.Record(tx, audit.Change{Action: "driver_profiles." + verb, Kind: drivers.ProfileKind, ID: profile,
		Before: map[string]any{"linked": !linked}, After: map[string]any{"linked": linked, "driver": driver}}); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers." + verb, Kind: drivers.AuditKind, ID: driver, Before: flags(!linked),
		After: flags(linked)})
}

// unlink takes an account from the driver of the tenant that it is linked with.
// What the partner wrote down stays; a profile that was linked is new again.
func unlink(tx *db.Tx, account string) (done bool, err error) {
	if account == "" {
		return false, nil
	}
	drivers, err := db.Select[string](tx, `UPDATE drivers SET account_id = '', updated_at = $3 WHERE tenant_id = $1 AND account_id = $2
		RETURNING id`, account, tx.Now)
	if err != nil {
		return false, err
	}
	profiles, err := db.Select[string](tx, `UPDATE driver_profiles
		SET state = CASE WHEN state = 'linked' THEN 'new' ELSE state END, linked_at = '', updated_at = $3
		WHERE tenant_id = $1 AND account_id = $2 AND linked_at <> '' RETURNING id`, account, tx.Now)
	if err != nil {
		return false, err
	}
	if len(drivers) == 0 || len(profiles) == 0 {
		return false, nil
	}
	return true, tied(tx, profiles[0], drivers[0], false) // an account has one of each
}

// linkedDriver is the driver that an account is linked with; empty: none.
func linkedDriver(tx *db.Tx, account string) (string, error) {
	ids, err := db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND account_id = $2 AND account_id <> ''`, account)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0], nil
}

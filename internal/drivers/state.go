package drivers

import (
	"fmt"
	"slices"

	"saldo/internal/identity"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

var (
	ErrIdentityTaken  = fault.Declare(fault.Conflict, "drivers.identity_taken")
	ErrActivationSent = fault.Declare(fault.Conflict, "drivers.activation_sent")
	ErrNoEmail        = fault.Declare(fault.Conflict, "drivers.no_email")
)

// Limits of what describes one driver.
const (
	identityMax   = 100
	IdentitiesMax = 50
)

// Identity is what a provider knows a driver by: an id, a card, a phone.
type Identity struct {
	Provider string `json:"provider"`
	Value    string `json:"value"`
}

// Block shuts a driver out of settlements, or lets them in again; their
// linked profile follows.
func Block(tx *db.Tx, id string, blocked bool) error {
	if err := flag(tx, id, "blocked", blocked, map[bool]string{true: "drivers.block", false: "drivers.unblock"}[blocked]); err != nil {
		return err
	}
	account, err := db.One[string](tx, `SELECT account_id FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
	if err != nil {
		return err
	}
	return BlockProfile(tx, account, blocked)
}

// Activate says whether somebody drives for the partner now.
func Activate(tx *db.Tx, id string, active bool) error {
	return flag(tx, id, "active", active, map[bool]string{true: "drivers.activate", false: "drivers.deactivate"}[active])
}

// Verify says that the partner has checked who a driver is, or takes that
// back. It is a mark for the partner and holds whether or not there is an account.
func Verify(tx *db.Tx, id string, verified bool) error {
	at, action := "", "drivers.unverify"
	if verified {
		at, action = db.Instant(tx.Now), "drivers.verify"
	}
	n, err := tx.Exec(`UPDATE drivers SET verified_at = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2 AND merged_into = ''
		AND (verified_at = '') <> ($3 = '')`, id, at, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		return Exists(tx, id)
	}
	return audit.Record(tx, audit.Change{Action: action, Kind: AuditKind, ID: id, Before: map[string]bool{"verified": !verified},
		After: map[string]bool{"verified": verified}})
}

// flag sets one flag of a driver. It leaves the version alone, because nobody
// who edits the details meanwhile would undo it.
func flag(tx *db.Tx, id, column string, value bool, action string) error {
	n, err := tx.Exec(`UPDATE drivers SET `+column+` = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2 AND merged_into = '' AND `+column+
		` <> $3`, id, value, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		return Exists(tx, id)
	}
	return audit.Record(tx, audit.Change{Action: action, Kind: AuditKind, ID: id, Before: map[string]bool{column: !value},
		After: map[string]bool{column: value}})
}

func Exists(tx *db.Tx, id string) error {
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND id = $2 AND merged_into = ''`, id)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}

// SendActivation leaves the job that mails a driver the link to their own
// account; once for each driver, whoever asks and however often, and within the
// quota of the partner: many drivers may have one address.
func (b Service) SendActivation(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE drivers SET activation_sent_at = $3, updated_at = $3
		WHERE tenant_id = $1 AND id = $2 AND merged_into = '' AND email <> '' AND activation_sent_at = ''`, id, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		if err := Exists(tx, id); err != nil {
			return err
		}
		sent, err := db.One[string](tx, `SELECT activation_sent_at FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
		if err == nil && sent == "" {
			return ErrNoEmail.Field("email", fault.Required)
		}
		if err == nil {
			return ErrActivationSent
		}
		return err
	}
	email, err := db.One[string](tx, `SELECT email FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
	if err != nil {
		return err
	}
	if err := b.Post.Reserve(tx, email); err != nil {
		return err
	}
	if err := identity.Activate(tx, id); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.activation", Kind: AuditKind, ID: id})
}

// RefuseActivation notes that no link was mailed, because the address is that
// of a partner's person. Once it is corrected, a link can be sent.
func RefuseActivation(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE drivers SET activation_sent_at = '', updated_at = $3 WHERE tenant_id = $1 AND id = $2
		AND activation_sent_at <> ''`, id, tx.Now)
	if err != nil || n == 0 {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.activation_refused", Kind: AuditKind, ID: id})
}

// SetIdentities replaces what providers know a driver by, if the driver is
// still the version that the change was made from. What another driver has is
// refused: earnings must find one person.
func SetIdentities(tx *db.Tx, v *vault.Vault, id string, identities []Identity, version int64) error {
	before, err := Get(tx, v, id)
	if err != nil {
		return err
	}
	if before.Version != version {
		return ErrChanged
	}
	if identities, err = checkedIdentities(identities); err != nil {
		return err
	}
	if sameIdentities(before.Identities, identities) {
		return nil
	}
	if _, err := tx.Exec(`DELETE FROM driver_identities WHERE tenant_id = $1 AND driver_id = $2`, id); err != nil {
		return err
	}
	for i, one := range identities {
		n, err := tx.Exec(`INSERT INTO driver_identities (tenant_id, driver_id, provider, value, created_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT DO NOTHING`,
			id, one.Provider, one.Value, tx.Now)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrIdentityTaken.With("provider", one.Provider).Field(fmt.Sprintf("identities[%d].value", i), fault.Duplicate)
		}
	}
	if _, err := tx.Exec(`UPDATE drivers SET version = version + 1, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, id,
		tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.identities", Kind: AuditKind, ID: id,
		Before: map[string]any{"identities": spelled(before.Identities)}, After: map[string]any{"identities": spelled(identities)}})
}

func checkedIdentities(typed []Identity) ([]Identity, error) {
	c := validate.New(ErrInvalid)
	if len(typed) > IdentitiesMax {
		c.Wrong("identities", fault.TooLong, "max", fmt.Sprint(IdentitiesMax))
		return nil, c.Err()
	}
	kept := make([]Identity, len(typed))
	for i, t := range typed {
		value := fmt.Sprintf("identities[%d].value", i)
		if _, known := kinds.ProviderOf(t.Provider); !known {
			c.Wrong(fmt.Sprintf("identities[%d].provider", i), fault.NotOneOf)
		}
		kept[i] = Identity{t.Provider, c.Text(value, t.Value, identityMax, true)}
		if kept[i].Value != "" && slices.Contains(kept[:i], kept[i]) {
			c.Wrong(value, fault.Duplicate)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return kept, nil
}

func sameIdentities(a, b []Identity) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(i Identity) bool { return !slices.Contains(b, i) })
}

func spelled(identities []Identity) []string {
	words := make([]string, len(identities))
	for i, one := range identities {
		words[i] = one.Provider + " " + one.Value
	}
	slices.Sort(words)
	return words
}

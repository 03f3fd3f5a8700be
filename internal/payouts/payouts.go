// Package payouts pays drivers: it gathers settlements into batches, each of which is one file for a bank or one list of
// cash, and remembers by value the data of each bank file.
package payouts

import (
	"errors"
	"slices"

	"saldo/internal/kernel/fault"
	"saldo/internal/payouts/bankfile"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/settlements"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "payouts.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "payouts.invalid")
	// ErrSettingsChanged is the answer to a change of something that somebody else changed meanwhile.
	ErrSettingsChanged = fault.Declare(fault.Conflict, "payouts.settings_changed")
	// ErrChanged is the answer to making a batch of something other than what was shown. Nothing is made.
	ErrChanged = fault.Declare(fault.Conflict, "payouts.changed")
	// ErrNothing is the answer to making a batch of which everything is left out.
	ErrNothing = fault.Declare(fault.Conflict, "payouts.nothing")
	// ErrPayer is the answer to making a file while the partner's own account or tax id is missing.
	ErrPayer     = fault.Declare(fault.Conflict, "payouts.payer")
	ErrCancelled = fault.Declare(fault.Conflict, "payouts.cancelled")
	// ErrNotReleased is the answer to using a batch that waits for a second person.
	ErrNotReleased = fault.Declare(fault.Conflict, "payouts.not_released")
	ErrReleased    = fault.Declare(fault.Conflict, "payouts.released")
	// ErrSamePerson is the answer to releasing one's own batch where a second person must.
	ErrSamePerson = fault.Declare(fault.Conflict, "payouts.same_person")
	// ErrPaid is the answer to cancelling a batch of which something is paid.
	ErrPaid   = fault.Declare(fault.Conflict, "payouts.paid")
	ErrNoFile = fault.Declare(fault.Conflict, "payouts.no_file")
	// ErrUnpayable is the answer to releasing a batch of which something may not be paid any more.
	ErrUnpayable = fault.Declare(fault.Conflict, "payouts.unpayable")
	// ErrNotInBatch is the answer to taking a settlement out of a batch that does not have it.
	ErrNotInBatch = fault.Declare(fault.Conflict, "payouts.not_in_batch")
	// ErrNothingReturned is the answer to taking a settlement out of a batch while nothing of it came back.
	ErrNothingReturned = fault.Declare(fault.Conflict, "payouts.nothing_returned")
)

const (
	kindOfBatch    = "payout_batch"
	kindOfSettings = "payout_settings"
	payerPurpose   = "payout payer"
	payeePurpose   = "payout payee"
)

// Service pays drivers.
type Service struct {
	Instance    config.Instance
	Vault       *vault.Vault
	Settlements *settlements.Service
	// Invoices gives the invoices of settlements that are not paid, by the settlement's id; nil: none are issued.
	Invoices func(tx *db.Tx) (map[string]settlements.Invoice, error)
}

// Settings are how a partner pays.
type Settings struct {
	Profile        string // of the bank; empty: none was chosen yet
	ForeignProfile string // for accounts abroad; empty: they are left out
	SecondPerson   bool   // a batch is made by one and released by another
	Version        int64  // 0: nothing was set yet
}

// SettingsOf are those of the partner. One who has set nothing has the file
// of its country that any bank may take.
func (d *Service) SettingsOf(tx *db.Tx) (Settings, error) {
	s, err := db.One[Settings](tx, `SELECT profile, foreign_profile, second_person, version FROM payout_settings WHERE tenant_id = $1`)
	if errors.Is(err, db.ErrNone) {
		return Settings{Profile: map[string]string{"pl": "elixir", "de": "sepa"}[d.Instance.Code]}, nil
	}
	return s, err
}

// Profiles are those whose files hold money of the instance.
func (d *Service) Profiles() []bankfile.Profile {
	return slices.DeleteFunc(bankfile.Profiles(), func(p bankfile.Profile) bool { return !d.holds(p) })
}

func (d *Service) profile(key string) (bankfile.Profile, bool) {
	p, known := bankfile.Of(key)
	return p, known && d.holds(p)
}

// holds says whether files of a bank hold money of the instance.
func (d *Service) holds(p bankfile.Profile) bool {
	if d.Instance.Code == "de" && p.Standard == bankfile.Pain03 { // German banks take it no more
		return false
	}
	return p.Currency == "" || p.Currency == d.Instance.Currency
}

// SaveSettings replaces them, if they are still the version that the change
// was made from.
func (d *Service) SaveSettings(tx *db.Tx, s Settings) error {
	before, err := d.SettingsOf(tx)
	if err != nil {
		return err
	}
	if before.Version != s.Version {
		return ErrSettingsChanged
	}
	invalid := ErrInvalid
	if _, ok := d.profile(s.Profile); !ok {
		invalid = invalid.Field("profile", fault.WrongFormat)
	}
	if p, ok := d.profile(s.ForeignProfile); s.ForeignProfile != "" && (!ok || !p.Foreign()) {
		invalid = invalid.Field("foreignProfile", fault.WrongFormat)
	}
	if len(invalid.Fields) > 0 {
		return invalid
	}
	if before == s {
		return nil
	}
	if err := changesTwoPerson(tx, before, s); err != nil {
		return err
	}
	n, err := tx.Exec(`INSERT INTO payout_settings (tenant_id, profile, foreign_profile, second_person, version, updated_at)
		VALUES ($1, $2, $3, $4, 1, $5)
		ON CONFLICT (tenant_id) DO UPDATE SET profile = excluded.profile, foreign_profile = excluded.foreign_profile, second_person =
		excluded.second_person,
		version = payout_settings.version + 1, updated_at = excluded.updated_at WHERE payout_settings.version = $6`, s.Profile, s.ForeignProfile,
		s.SecondPerson, tx.Now, s.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrSettingsChanged
	}
	auditView := func(s Settings) map[string]any {
		return map[string]any{"profile": s.Profile, "foreignProfile": s.ForeignProfile, "secondPerson": s.SecondPerson}
	}
	return audit.Record(tx, audit.Change{Action: "payouts.settings", Kind: kindOfSettings, ID: tx.Actor.Tenant, Before: auditView(before),
		After: auditView(s)})
}

package accounts

import (
	"errors"
	"slices"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/schemas"
)

var (
	ErrFrequency      = fault.Declare(fault.Invalid, "accounts.frequency_invalid")
	ErrFrequencyFixed = fault.Declare(fault.Conflict, "accounts.frequency_fixed")
)

// Frequency is how often a driver is settled.
type Frequency struct {
	Weeks     int64 // what holds
	Chosen    bool  // by the driver
	Partner   int64 // what the partner has for whoever does not choose
	MayChoose bool
}

// FrequencyOf is how often a driver is settled by their partner. The system acts.
func FrequencyOf(tx *db.Tx, who access.Actor) (f Frequency, err error) {
	a, err := accountOf(tx, who)
	if err != nil {
		return f, err
	}
	if a.PartnerID == "" {
		return f, ErrNoPartner
	}
	err = tx.As(who.In(a.PartnerID), func() error {
		own, err := partners.OwnFrequency(tx)
		if err != nil {
			return err
		}
		f = Frequency{Weeks: own.SettlementFrequency, Partner: own.SettlementFrequency, MayChoose: own.DriversChooseFrequency}
		chosen, err := db.One[int64](tx, `SELECT settlement_frequency FROM drivers WHERE tenant_id = $1 AND account_id = $2 AND account_id <> ''`,
			who.Person)
		if errors.Is(err, db.ErrNone) {
			chosen, err = a.SettlementFrequency, nil
		}
		// what was chosen is forgotten by nobody, but holds only while the partner lets drivers choose
		if f.MayChoose && chosen != 0 {
			f.Weeks, f.Chosen = chosen, true
		}
		return err
	})
	return f, err
}

// SetFrequency chooses how often the driver is settled. The system acts.
func SetFrequency(tx *db.Tx, who access.Actor, weeks int64) error {
	if !slices.Contains(schemas.Frequencies, weeks) {
		return ErrFrequency.Field("frequency", fault.NotOneOf)
	}
	f, err := FrequencyOf(tx, who)
	if err != nil {
		return err
	}
	if !f.MayChoose {
		return ErrFrequencyFixed
	}
	a, err := accountOf(tx, who)
	if err != nil {
		return err
	}
	// what the partner settles by; whoever is not linked yet brings it along when they are
	if err := tx.As(who.In(a.PartnerID), func() error {
		if _, err := tx.Exec(`UPDATE driver_profiles SET settlement_frequency = $3 WHERE tenant_id = $1 AND account_id = $2`, who.Person,
			weeks); err != nil {
			return err
		}
		ids, err := db.Select[string](tx, `UPDATE drivers SET settlement_frequency = $3, version = version + 1, updated_at = $4
			WHERE tenant_id = $1 AND account_id = $2 AND account_id <> '' AND settlement_frequency <> $3 RETURNING id`, who.Person, weeks, tx.Now)
		if err != nil || len(ids) == 0 {
			return err
		}
		return audit.Record(tx, audit.Change{Action: "drivers.frequency", Kind: drivers.AuditKind, ID: ids[0], Before: f.Weeks, After: weeks})
	}); err != nil {
		return err
	}
	return tx.As(who.AsDriver(), func() error {
		n, err := tx.Exec(`UPDATE driver_accounts SET settlement_frequency = $2, updated_at = $3 WHERE tenant_id = $1
			AND settlement_frequency <> $2`, weeks, tx.Now)
		if err != nil || n == 0 {
			return err
		}
		return audit.Record(tx, audit.Change{Action: "accounts.frequency", Kind: "account", ID: who.Person, Before: f.Weeks, After: weeks})
	})
}

// ChosenPartner is the partner that a driver has chosen; empty: none. The system acts.
func ChosenPartner(tx *db.Tx, who access.Actor) (string, error) {
	a, err := accountOf(tx, who)
	return a.PartnerID, err
}

// OwnDriver is the driver of the chosen partner whom an account is linked with,
// in the partner's tenant. The system acts.
func OwnDriver(tx *db.Tx, who access.Actor) (partner, driver string, err error) {
	a, err := accountOf(tx, who)
	if err != nil {
		return "", "", err
	}
	if a.PartnerID == "" {
		return "", "", ErrNoPartner
	}
	err = tx.As(who.In(a.PartnerID), func() error { driver, err = linkedDriver(tx, who.Person); return err })
	return a.PartnerID, driver, err
}

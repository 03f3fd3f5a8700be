package accounts

import (
	"errors"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

var (
	ErrNoPartner       = fault.Declare(fault.NotFound, "accounts.no_partner")
	ErrPartnerNotFound = fault.Declare(fault.NotFound, "accounts.partner_not_found")
	ErrBlocked         = fault.Declare(fault.Conflict, "accounts.blocked")
	ErrConsent         = fault.Declare(fault.Invalid, "accounts.consent_needed")
)

// The states of a driver in the eyes of a partner.
const (
	profileNew     = "new"
	profileLinked  = "linked"
	profileBlocked = "blocked"
)

// ConsentText is what a driver agrees to when choosing a partner, in the words
// that are shown to them and kept.
func ConsentText(language i18n.Language, partner string) string {
	return i18n.Of(language, "consents:partner", "partner", partner)
}

// Consent is a driver's word that a partner may have their name, e-mail
// address and phone number.
type Consent struct {
	Given    bool
	Language i18n.Language // in which it was shown
}

func (c Consent) checked() error {
	if !c.Given {
		return ErrConsent.Field("consentToSendContactDetails", fault.Required)
	}
	return nil
}

// Bond is what binds a driver to the partner they chose.
type Bond struct {
	Partner   partners.Partner
	Linked    bool    // the partner has accepted them
	Blocked   bool    // the partner keeps them out; of it they see the name alone, to leave it by
	Functions []int64 // the numbers of what they see, of 1 to 4
}

// BondOf is the bond of an account with a chosen partner. The system acts.
func BondOf(tx *db.Tx, who access.Actor, a Account) (b Bond, err error) {
	b.Functions = []int64{}
	if a.PartnerID == "" {
		return b, ErrNoPartner
	}
	err = tx.As(who.In(a.PartnerID), func() error {
		if b.Partner, err = partners.Own(tx); err != nil {
			return err
		}
		state, err := db.One[string](tx, `SELECT state FROM driver_profiles WHERE tenant_id = $1 AND account_id = $2`, who.Person)
		if b.Blocked = state == profileBlocked; err != nil || b.Blocked {
			return err
		}
		b.Linked = state == profileLinked
		f, err := partners.OwnDriverFunctions(tx)
		for i, on := range []bool{f.Function1, f.Function2, f.Function3, f.Function4} {
			if on {
				b.Functions = append(b.Functions, int64(i+1))
			}
		}
		return err
	})
	return b, err
}

// accountOf is the account of a driver, in a unit of work of the system.
func accountOf(tx *db.Tx, who access.Actor) (a Account, err error) {
	err = tx.As(who.AsDriver(), func() error { a, err = Own(tx); return err })
	return a, err
}

// ChoosePartner moves a driver to a partner and shows it their name, e-mail
// address and phone number, to which the driver must consent. Whoever the
// partner has blocked stays where they are. The system acts.
func ChoosePartner(tx *db.Tx, who access.Actor, partner string, c Consent) error {
	if err := c.checked(); err != nil {
		return err
	}
	a, err := accountOf(tx, who)
	switch {
	case err != nil:
		return err
	case !a.Completed():
		return ErrIncomplete
	case partner == "":
		return ErrPartnerNotFound
	case a.PartnerID == partner:
		return nil
	case a.PartnerID != "":
		if err := leave(tx, who, a); err != nil {
			return err
		}
	}
	if err := tx.As(who.In(partner), func() error { return enter(tx, who, a.Details, c.Language) }); err != nil {
		return err
	}
	if err := identity.JoinDriver(tx, who.In(partner), a.Details.fullName(), a.Details.Email); err != nil {
		return err
	}
	return chosen(tx, who, partner)
}

// enter makes the profile of a driver in the partner's tenant, or opens it
// again for one who comes back.
func enter(tx *db.Tx, who access.Actor, d Details, language i18n.Language) error {
	p, err := partners.Own(tx)
	if errors.Is(err, db.ErrNone) {
		return ErrPartnerNotFound
	}
	if err != nil {
		return err
	}
	ids, err := db.Select[string](tx, `INSERT INTO driver_profiles (tenant_id, id, account_id, state, first_name, last_name, email, phone,
		consented_at, consent_text, left_at, created_at, updated_at, search_key, email_confirmed, linked_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', $9, $9, $12, $13, '')
		ON CONFLICT (tenant_id, account_id) DO UPDATE SET state = excluded.state, first_name = excluded.first_name, last_name =
		excluded.last_name,
		email = excluded.email, phone = excluded.phone, consented_at = excluded.consented_at, consent_text = excluded.consent_text, left_at = '',
		updated_at = excluded.updated_at, search_key = excluded.search_key, email_confirmed = excluded.email_confirmed
		WHERE driver_profiles.state <> $11 RETURNING id`,
		tx.NewID(), who.Person, profileNew, d.FirstName, d.LastName, d.Email, d.Phone, tx.Now, ConsentText(language, p.Name), profileBlocked,
		profileKey(d), confirmed(who, d.Email))
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return ErrBlocked
	}
	return audit.Record(tx, audit.Change{Action: "driver_profiles.enter", Kind: drivers.ProfileKind, ID: ids[0]})
}

// confirmed says whether the identity provider knows an address to be the
// driver's. They may type any other into their account.
func confirmed(who access.Actor, email string) bool {
	return who.Proof.Verified && email != "" && strings.EqualFold(who.Proof.Email, email)
}

// leave closes the profile of a driver in the tenant of the partner they
// leave, and unlinks it. What the partner wrote down stays; nothing new comes.
func leave(tx *db.Tx, who access.Actor, a Account) error {
	return tx.As(who.In(a.PartnerID), func() error {
		if err := eraseDocuments(tx, who.Person, tx.Now.Add(documentsKept)); err != nil {
			return err
		}
		if _, err := unlink(tx, who.Person); err != nil {
			return err
		}
		ids, err := db.Select[string](tx, `UPDATE driver_profiles SET left_at = $3, updated_at = $3, settlement_frequency = 0
			WHERE tenant_id = $1 AND account_id = $2 AND left_at = '' RETURNING id`,
			who.Person, tx.Now)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := audit.Record(tx, audit.Change{Action: "driver_profiles.leave", Kind: drivers.ProfileKind, ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// chosen writes the driver's own side down. How often they were settled was
// agreed with the partner before, so it is forgotten.
func chosen(tx *db.Tx, who access.Actor, partner string) error {
	return tx.As(who.AsDriver(), func() error {
		if _, err := tx.Exec(`UPDATE driver_accounts SET partner_id = $2, settlement_frequency = 0, updated_at = $3 WHERE tenant_id = $1`,
			partner, tx.Now); err != nil {
			return err
		}
		return audit.Record(tx, audit.Change{Action: "accounts.choose", Kind: "account", ID: who.Person, After: partner})
	})
}

// LeavePartner takes a driver away from their partner. The system acts.
func LeavePartner(tx *db.Tx, who access.Actor) error {
	a, err := accountOf(tx, who)
	if err != nil {
		return err
	}
	if a.PartnerID == "" {
		return ErrNoPartner
	}
	if err := leave(tx, who, a); err != nil {
		return err
	}
	if err := identity.LeaveDriver(tx, who); err != nil {
		return err
	}
	return chosen(tx, who, "")
}

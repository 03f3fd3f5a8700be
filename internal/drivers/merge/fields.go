package merge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

// sealPurpose is what the state of two merged drivers is sealed for.
const sealPurpose = "driver merge"

// side is all of a driver that a merge may change.
type side struct {
	drivers.Details
	standing
	// OldBailiff is how states named it that were sealed before the trail and they used the same names.
	OldBailiff bool `json:"bailiff,omitempty" db:"-"`

	ID         string `json:"-"`
	MergedInto string `json:"-"`
	IBANSealed string `json:"-"`
	Version    int64  `json:"-"`
}

// standing is what holds of a driver besides what the partner wrote down.
type standing struct {
	IBANChangedAt    string `json:"ibanChangedAt"`
	Active           bool   `json:"active"`
	Blocked          bool   `json:"blocked"`
	AccountID        string `json:"accountId"`
	VerifiedAt       string `json:"verifiedAt"`
	ActivationSentAt string `json:"activationSentAt"`
	ActivatedAccount string `json:"activatedAccount"`
	SettledOn        string `json:"settledOn"`
}

// state is what brings two merged drivers back.
type state struct {
	Before     side               `json:"before"` // the kept one
	After      side               `json:"after"`
	AccountID  string             `json:"accountId"` // the account link that the other one gave away
	Identities []drivers.Identity `json:"identities"`
	Tags       []string           `json:"tags"`      // that the kept one got
	Followers  []string           `json:"followers"` // who had been merged into the other one before
}

var columns = strings.Join(db.ColumnsOf[side](), ", ")

// sideOf reads a driver, whether or not it was merged into another.
func sideOf(tx *db.Tx, v *vault.Vault, id string) (side, error) {
	s, err := db.One[side](tx, `SELECT `+columns+` FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return s, drivers.ErrNotFound
	}
	if err != nil || s.IBANSealed == "" {
		return s, err
	}
	iban, err := v.Unseal(tx.Actor.Tenant, drivers.IBANPurpose, s.IBANSealed)
	s.IBAN = official.Account(iban)
	return s, err
}

// write stores a side over the version it was made from. The account link of
// another driver must be free by now.
func write(tx *db.Tx, b drivers.Service, s side) error {
	type merged struct {
		drivers.Stored
		standing
	}
	n, err := db.Update(tx, "drivers", merged{b.Stored(tx, s.Details, s.Version+1), s.standing},
		"id = $2 AND version = $3 AND merged_into = ''", s.ID, s.Version)
	if err == nil && n == 0 {
		return drivers.ErrChanged
	}
	return err
}

func (s side) name() string { return s.FirstName + " " + s.LastName }

// mergeField is one thing of a driver that a merge decides.
type mergeField struct {
	name   string
	chosen bool // the partner says whose stays; otherwise takes does
	fill   bool // where the kept one has none, the other's is proposed
	takes  func(kept, other *side) bool
	same   func(a, b *side) bool
	none   func(*side) bool
	copy   func(to, from *side)
	shown  func(*side) string
}

// kept and other are what can be chosen of a field.
const (
	keptSide  = "kept"
	otherSide = "other"
)

func fieldOf[T comparable](name string, at func(*side) *T) mergeField {
	var zero T
	return mergeField{name: name,
		same: func(a, b *side) bool { return *at(a) == *at(b) },
		none: func(s *side) bool { return *at(s) == zero },
		copy: func(to, from *side) { *at(to) = *at(from) },
		shown: func(s *side) string {
			if *at(s) == zero {
				return ""
			}
			return fmt.Sprint(*at(s))
		}}
}

func (f mergeField) byChoice(fill bool) mergeField {
	f.chosen, f.fill = true, fill
	return f
}

// taking makes a field follow the other driver where the condition holds.
func (f mergeField) taking(when func(kept, other *side) bool) mergeField {
	f.takes = when
	return f
}

// mergeFields is the whole rule of what stays. A schema or a frequency that is
// the partner's own is a decision too, so it is not filled from the other. Of
// two flags the stricter stays; somebody who drives as one of the two drives.
var mergeFields = []mergeField{
	fieldOf("firstName", func(s *side) *string { return &s.FirstName }).byChoice(true),
	fieldOf("lastName", func(s *side) *string { return &s.LastName }).byChoice(true),
	fieldOf("email", func(s *side) *string { return &s.Email }).byChoice(true),
	fieldOf("phone", func(s *side) *string { return &s.Phone }).byChoice(true),
	accountField().byChoice(true),
	fieldOf("passportName", func(s *side) *string { return &s.PassportName }).byChoice(true),
	fieldOf("taxId", func(s *side) *string { return &s.TaxID }).byChoice(true),
	fieldOf("smallBusiness", func(s *side) *bool { return &s.SmallBusiness }).byChoice(false),
	fieldOf("schemaNumber", func(s *side) *int64 { return &s.SchemaNumber }).byChoice(false),
	fieldOf("contractNumber", func(s *side) *string { return &s.ContractNumber }).byChoice(true),
	fieldOf("summaryLanguage", func(s *side) *string { return &s.SummaryLanguage }).byChoice(true),
	fieldOf("settlementFrequency", func(s *side) *int64 { return &s.SettlementFrequency }).byChoice(false),
	fieldOf("bailiffSeizure", func(s *side) *bool { return &s.Bailiff }).taking(func(_, other *side) bool { return other.Bailiff }),
	fieldOf("blocked", func(s *side) *bool { return &s.Blocked }).taking(func(_, other *side) bool { return other.Blocked }),
	fieldOf("active", func(s *side) *bool { return &s.Active }).taking(func(_, other *side) bool { return other.Active }),
	linkField().taking(func(kept, other *side) bool { return kept.AccountID == "" && other.AccountID != "" }),
	activationField().taking(func(kept, _ *side) bool { return kept.ActivationSentAt == "" }),
	fieldOf("settledOn", func(s *side) *string { return &s.SettledOn }).taking(
		func(kept, other *side) bool { return other.SettledOn > kept.SettledOn }),
}

// accountField is an account with whose it is: neither stays without the other.
func accountField() mergeField {
	f := fieldOf("iban", func(s *side) *official.Account { return &s.IBAN })
	f.same = func(a, b *side) bool { return a.IBAN == b.IBAN && a.AccountHolder == b.AccountHolder }
	f.copy = func(to, from *side) {
		to.IBAN, to.AccountHolder, to.IBANChangedAt = from.IBAN, from.AccountHolder, from.IBANChangedAt
	}
	f.shown = func(s *side) string { return drivers.MaskIBAN(s.IBAN) }
	return f
}

// activationField is the one mail of a driver, with whom it reached.
func activationField() mergeField {
	f := fieldOf("activationSent", func(s *side) *string { return &s.ActivationSentAt })
	f.copy = func(to, from *side) {
		to.ActivationSentAt, to.ActivatedAccount = from.ActivationSentAt, from.ActivatedAccount
	}
	return f
}

// linkField is the account of the driver's own, with when it was confirmed.
func linkField() mergeField {
	f := fieldOf("linked", func(s *side) *string { return &s.AccountID })
	f.copy = func(to, from *side) { to.AccountID, to.VerifiedAt = from.AccountID, from.VerifiedAt }
	f.shown = func(s *side) string {
		if s.AccountID == "" {
			return ""
		}
		return "true"
	}
	return f
}

// proposed says whose value stays unless the partner chooses otherwise.
func (f mergeField) proposed(kept, other *side) string {
	if f.fill && f.none(kept) && !f.none(other) {
		return otherSide
	}
	return keptSide
}

// union is the kept driver after the merge.
func union(tx *db.Tx, kept, other side, choices map[string]string) (side, error) {
	wrong, after := drivers.ErrInvalid, kept
	known := map[string]bool{}
	for _, f := range mergeFields {
		if !f.chosen {
			if f.takes(&kept, &other) {
				f.copy(&after, &other)
			}
			continue
		}
		known[f.name] = true
		choice := cmp.Or(choices[f.name], f.proposed(&kept, &other))
		if choice == otherSide {
			f.copy(&after, &other)
		} else if choice != keptSide {
			wrong = wrong.Field("choices."+f.name, fault.NotOneOf)
		}
	}
	for name := range choices {
		if !known[name] {
			wrong = wrong.Field("choices."+name, fault.Unknown)
		}
	}
	if len(wrong.Fields) > 0 {
		return after, wrong
	}
	if after.IBAN == kept.IBAN {
		after.IBANChangedAt = kept.IBANChangedAt
	} else {
		after.IBANChangedAt = db.Instant(tx.Now)
	}
	return after, nil
}

func sealState(tx *db.Tx, b drivers.Service, s state) (string, error) {
	plain, err := json.Marshal(s)
	return b.Vault.Seal(tx.Actor.Tenant, sealPurpose, plain), err
}

func openState(tx *db.Tx, b drivers.Service, sealed string) (s state, err error) {
	plain, err := b.Vault.Unseal(tx.Actor.Tenant, sealPurpose, sealed)
	if err != nil {
		return s, err
	}
	err = json.Unmarshal(plain, &s)
	for _, one := range []*side{&s.Before, &s.After} {
		one.Bailiff, one.OldBailiff = one.Bailiff || one.OldBailiff, false
	}
	return s, err
}

// tellOfMerge mails a driver whose money goes to another account now, where
// they were reached before.
func tellOfMerge(tx *db.Tx, b drivers.Service, s side) error {
	return b.MailAccountChanged(tx, drivers.Driver{ID: s.ID, Details: s.Details})
}

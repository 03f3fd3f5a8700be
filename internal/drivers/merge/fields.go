package merge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

// sealPurpose is what the state of two merged drivers is sealed for.
const sealPurpose = "driver merge"

// side is all of a driver that a merge may change, as it is stored.
type side struct {
	FirstName           string `json:"firstName"`
	LastName            string `json:"lastName"`
	Email               string `json:"email"`
	Phone               string `json:"phone"`
	IBAN                string `json:"iban"`
	IBANChangedAt       string `json:"ibanChangedAt"`
	AccountHolder       string `json:"accountHolder"`
	PassportName        string `json:"passportName"`
	TaxID               string `json:"taxId"`
	SmallBusiness       bool   `json:"smallBusiness"`
	SchemaNumber        int64  `json:"schemaNumber"`
	ContractNumber      string `json:"contractNumber"`
	SummaryLanguage     string `json:"summaryLanguage"`
	SettlementFrequency int64  `json:"settlementFrequency"`
	Bailiff             bool   `json:"bailiff"`
	Active              bool   `json:"active"`
	Blocked             bool   `json:"blocked"`
	AccountID           string `json:"accountId"`
	VerifiedAt          string `json:"verifiedAt"`
	ActivationSentAt    string `json:"activationSentAt"`
	ActivatedAccount    string `json:"activatedAccount"`
	SettledOn           string `json:"settledOn"`

	ID         string `json:"-"`
	MergedInto string `json:"-"`
	IBANSealed string `json:"-"`
	Version    int64  `json:"-"`
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

// sideOf reads a driver, whether or not it was merged into another.
func sideOf(tx *db.Tx, v *vault.Vault, id string) (side, error) {
	s, err := db.One[side](tx, `SELECT id, first_name, last_name, email, phone, iban_sealed, iban_changed_at, account_holder,
		passport_name, tax_id, small_business, schema_number, contract_number,
		summary_language, settlement_frequency, bailiff, active, blocked, account_id, verified_at, activation_sent_at, activated_account,
		settled_on, merged_into, version
		FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return s, drivers.ErrNotFound
	}
	if err != nil || s.IBANSealed == "" {
		return s, err
	}
	iban, err := v.Unseal(tx.Actor.Tenant, drivers.IBANPurpose, s.IBANSealed)
	s.IBAN = string(iban)
	return s, err
}

// write stores a side over the version it was made from. The account link of
// another driver must be free by now.
func write(tx *db.Tx, b drivers.Service, s side) error {
	sealed, sum := b.SealIBAN(tx, official.Account(s.IBAN))
	n, err := tx.Exec(`UPDATE drivers SET first_name = $3, last_name = $4, search_key = $5, email = $6, phone = $7,
		iban_sealed = CASE WHEN iban_sum = $9 THEN iban_sealed ELSE $8 END, iban_sum = $9, iban_changed_at = $10, account_holder = $11, tax_id =
		$12, schema_number = $13,
		contract_number = $14, summary_language = $15, settlement_frequency = $16, bailiff = $17, active = $18, blocked = $19, account_id = $20,
		verified_at = $21,
		activation_sent_at = $22, activated_account = $23, settled_on = $24, updated_at = $25, passport_name = $27, small_business = $28, version
		= version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $26 AND merged_into = ''`,
		s.ID, s.FirstName, s.LastName, s.details().SearchKey(), s.Email, s.Phone, sealed, sum, s.IBANChangedAt, s.AccountHolder, s.TaxID,
		s.SchemaNumber,
		s.ContractNumber, s.SummaryLanguage, s.SettlementFrequency, s.Bailiff, s.Active, s.Blocked, s.AccountID, s.VerifiedAt,
		s.ActivationSentAt, s.ActivatedAccount, s.SettledOn, tx.Now, s.Version, s.PassportName, s.SmallBusiness)
	if err == nil && n == 0 {
		return drivers.ErrChanged
	}
	return err
}

func (s side) details() drivers.Details {
	return drivers.Details{FirstName: s.FirstName, LastName: s.LastName, Email: s.Email, Phone: s.Phone, IBAN: official.Account(s.IBAN),
		AccountHolder: s.AccountHolder, PassportName: s.PassportName,
		TaxID: s.TaxID, SmallBusiness: s.SmallBusiness, ContractNumber: s.ContractNumber, Bailiff: s.Bailiff, SummaryLanguage: s.SummaryLanguage,
		SettlementFrequency: s.SettlementFrequency, SchemaNumber: s.SchemaNumber}
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
	f := fieldOf("iban", func(s *side) *string { return &s.IBAN })
	f.same = func(a, b *side) bool { return a.IBAN == b.IBAN && a.AccountHolder == b.AccountHolder }
	f.copy = func(to, from *side) {
		to.IBAN, to.AccountHolder, to.IBANChangedAt = from.IBAN, from.AccountHolder, from.IBANChangedAt
	}
	f.shown = func(s *side) string { return drivers.MaskIBAN(official.Account(s.IBAN)) }
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
	return s, json.Unmarshal(plain, &s)
}

// tellOfMerge mails a driver whose money goes to another account now, where
// they were reached before.
func tellOfMerge(tx *db.Tx, b drivers.Service, s side) error {
	return b.MailAccountChanged(tx, drivers.Driver{ID: s.ID, Details: s.details()})
}

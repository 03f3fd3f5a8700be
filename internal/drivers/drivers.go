// Package drivers is a partner's drivers and what describes them.
package drivers

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
	"saldo/internal/schemas"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "drivers.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "drivers.invalid")
	// ErrChanged is the answer to a change of something that somebody else changed meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "drivers.changed")
)

// Limits of what a partner types of a driver.
const (
	nameMax     = 150
	contractMax = 50
)

// IBANPurpose is what drivers' accounts are sealed for.
const IBANPurpose = "driver account"

// Details are what a partner writes down of a driver.
type Details struct {
	FirstName, LastName string
	Email, Phone        string
	IBAN                official.Account // empty: none
	AccountHolder       string           // empty: the driver
	PassportName        string           // in Latin letters; empty: not given
	TaxID               string
	SmallBusiness       bool // Kleinunternehmer: no VAT on their invoices; German instance alone
	ContractNumber      string
	Bailiff             bool
	SummaryLanguage     string // empty: the partner's
	SettlementFrequency int64  // weeks; 0: as the partner has it
	SchemaNumber        int64  // 0: the partner's default
}

// Driver is a person who drives for a partner, as the partner sees them.
type Driver struct {
	ID string
	Details
	Active, Blocked  bool
	AccountID        string // the driver account it is linked with; empty: none
	VerifiedAt       time.Time
	ActivationSentAt time.Time
	IBANChangedAt    time.Time // zero: it is the first
	SettledOn        string    // day of the last settlement; empty: never
	Version          int64
	CreatedAt        time.Time
	Identities       []Identity
	Tags             []Tag
}

// row is a driver as stored.
type row struct {
	Driver
	IBANSealed string
}

const columns = `id, first_name, last_name, email, phone, iban_sealed, iban_changed_at, account_holder, passport_name, tax_id,
	small_business, schema_number, contract_number, bailiff,
	summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at, settled_on, version, created_at`

func (r row) open(tx *db.Tx, v *vault.Vault) (Driver, error) {
	r.Identities, r.Tags = []Identity{}, []Tag{}
	if r.IBANSealed == "" {
		return r.Driver, nil
	}
	iban, err := v.Unseal(tx.Actor.Tenant, IBANPurpose, r.IBANSealed)
	r.IBAN = official.Account(iban)
	return r.Driver, err
}

// Get is one driver of the partner, whole.
func Get(tx *db.Tx, v *vault.Vault, id string) (Driver, error) {
	row, err := db.One[row](tx, `SELECT `+columns+` FROM drivers WHERE tenant_id = $1 AND id = $2 AND merged_into = ''`, id)
	if errors.Is(err, db.ErrNone) {
		return Driver{}, ErrNotFound
	}
	if err != nil {
		return Driver{}, err
	}
	d, err := row.open(tx, v)
	if err != nil {
		return Driver{}, err
	}
	one := []Driver{d}
	err = describe(tx, one)
	return one[0], err
}

// Service is what the rules of drivers need besides the unit of work.
type Service struct {
	Vault    *vault.Vault
	Post     *mail.Queue
	Country  string        // of the instance, as official numbers name it
	Language i18n.Language // of the instance, for drivers who have none
}

// Add writes a new driver down. One with an account needs a sign-in of
// the last minutes; one with an e-mail address is sent an activation.
func (b Service) Add(tx *db.Tx, d Details) (id string, err error) {
	if strings.TrimSpace(string(d.IBAN)) != "" {
		if err := web.FreshLogin(tx.Actor, tx.Now); err != nil {
			return "", err
		}
	}
	if id, err = b.WriteDown(tx, d); err != nil || strings.TrimSpace(d.Email) == "" {
		return id, err
	}
	return id, b.SendActivation(tx, id)
}

// WriteDown adds a driver and sends no mail: what a file or a profile brings is no request to invite.
func (b Service) WriteDown(tx *db.Tx, d Details) (id string, err error) {
	if d, err = d.checked(tx, b.Country); err != nil {
		return "", err
	}
	id = tx.NewID()
	sealed, sum := b.SealIBAN(tx, d.IBAN)
	if _, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum,
		account_holder, tax_id,
		contract_number, bailiff, summary_language, settlement_frequency, created_at, updated_at, iban_changed_at, schema_number, active,
		blocked, account_id,
		verified_at, activation_sent_at, settled_on, merged_into, version, passport_name, small_business)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, '', $17, TRUE, FALSE, '', '', '', '', '', 1, $18,
		$19)`,
		id, d.FirstName, d.LastName, d.SearchKey(), d.Email, d.Phone, sealed, sum, d.AccountHolder, d.TaxID, d.ContractNumber, d.Bailiff,
		d.SummaryLanguage, d.SettlementFrequency, tx.Now, d.SchemaNumber, d.PassportName, d.SmallBusiness); err != nil {
		return "", err
	}
	return id, audit.Record(tx, audit.Change{Action: "drivers.add", Kind: AuditKind, ID: id, After: d.AuditView(Details{})})
}

// Save replaces what is written down of a driver, if it is still the
// version that the change was made from. Another account needs a sign-in of
// the last minutes, and the driver is told at the address they had before.
// Saving what is there already leaves no trace.
func (b Service) Save(tx *db.Tx, id string, d Details, version int64) error {
	before, err := Get(tx, b.Vault, id)
	if err != nil {
		return err
	}
	if before.Version != version {
		return ErrChanged
	}
	if d, err = d.checked(tx, b.Country); err != nil {
		return err
	}
	if d == before.Details {
		return nil
	}
	if d.IBAN != before.IBAN {
		if err := b.moveMoney(tx, before); err != nil {
			return err
		}
	}
	sealed, sum := b.SealIBAN(tx, d.IBAN)
	if _, err := tx.Exec(`UPDATE drivers SET first_name = $3, last_name = $4, search_key = $5, email = $6, phone = $7,
		iban_sealed = CASE WHEN iban_sum = $9 THEN iban_sealed ELSE $8 END, iban_sum = $9, account_holder = $10, tax_id = $11,
		contract_number = $12, bailiff = $13, summary_language = $14, settlement_frequency = $15, updated_at = $16, schema_number = $17,
		passport_name = $18, small_business = $19,
		version = version + 1
		WHERE tenant_id = $1 AND id = $2`,
		id, d.FirstName, d.LastName, d.SearchKey(), d.Email, d.Phone, sealed, sum, d.AccountHolder, d.TaxID, d.ContractNumber, d.Bailiff,
		d.SummaryLanguage, d.SettlementFrequency, tx.Now, d.SchemaNumber, d.PassportName, d.SmallBusiness); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.save", Kind: AuditKind, ID: id,
		Before: before.AuditView(before.Details), After: d.AuditView(before.Details)})
}

func (b Service) SealIBAN(tx *db.Tx, iban official.Account) (sealed, sum string) {
	if iban == "" {
		return "", ""
	}
	return b.Vault.Seal(tx.Actor.Tenant, IBANPurpose, []byte(iban)), b.Vault.Fingerprint(tx.Actor.Tenant, IBANPurpose, []byte(iban))
}

// moveMoney lets only somebody who has just signed in send a driver's money
// elsewhere, marks when, and tells the driver where they were reached so far:
// whoever takes over a partner's screen cannot do it in silence.
func (b Service) moveMoney(tx *db.Tx, before Driver) error {
	if err := web.FreshLogin(tx.Actor, tx.Now); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE drivers SET iban_changed_at = $3 WHERE tenant_id = $1 AND id = $2`, before.ID, tx.Now); err != nil {
		return err
	}
	return b.MailAccountChanged(tx, before)
}

// checked gives the details in their one form, or a fault that names every
// wrong field as the request does. A schema is looked up in the unit that
// writes it: one that goes at the same moment cannot be chosen.
// notInPassports says whether a sign stands in no name that a passport writes in Latin letters.
func notInPassports(r rune) bool {
	return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || unicode.Is(unicode.Latin, r) || strings.ContainsRune(" -'.", r))
}

func (d Details) checked(tx *db.Tx, country string) (Details, error) {
	c := validate.New(ErrInvalid)
	d.FirstName = c.Text("firstName", d.FirstName, nameMax, true)
	d.LastName = c.Text("lastName", d.LastName, nameMax, true)
	d.Email = validate.Number(c, "email", d.Email, false, official.ParseEmail)
	d.Phone = validate.Number(c, "phone", d.Phone, false, func(t string) (official.Phone, error) { return official.ParsePhone(t, country) })
	d.IBAN = official.Account(validate.Number(c, "iban", string(d.IBAN), false, official.ParseAccount))
	d.AccountHolder = c.Text("accountHolder", d.AccountHolder, nameMax, false)
	d.PassportName = c.Text("passportName", d.PassportName, 2*nameMax, false)
	if strings.ContainsFunc(d.PassportName, notInPassports) {
		c.Wrong("passportName", fault.WrongFormat)
	}
	d.TaxID = c.TaxID("taxId", d.TaxID, country)
	if d.SmallBusiness && country != "DE" {
		c.Wrong("smallBusiness", fault.NotOneOf)
	}
	d.ContractNumber = c.Text("contractNumber", d.ContractNumber, contractMax, false)
	if _, ok := i18n.Parse(cmp.Or(d.SummaryLanguage, string(i18n.Default))); !ok {
		c.Wrong("summaryLanguage", fault.NotOneOf)
	}
	if d.SettlementFrequency != 0 && !slices.Contains(schemas.Frequencies, d.SettlementFrequency) {
		c.Wrong("settlementFrequency", fault.NotOneOf)
	}
	if d.SchemaNumber != 0 {
		_, err := schemas.Get(tx, d.SchemaNumber)
		switch {
		case errors.Is(err, schemas.ErrNotFound):
			c.Wrong("schemaNumber", fault.NotOneOf)
		case err != nil:
			return d, err
		}
	}
	if err := c.Err(); err != nil {
		return d, err
	}
	return d, nil
}

// SearchKey is where a driver is found by and sorted by.
func (d Details) SearchKey() string {
	return i18n.Fold(strings.Join([]string{d.LastName, d.FirstName, d.Email, d.Phone, d.ContractNumber, d.TaxID}, " "))
}

func (d Details) FullName() string { return d.FirstName + " " + d.LastName }

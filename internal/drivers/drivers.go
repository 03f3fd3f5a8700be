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

// Details are what a partner writes down of a driver: the fields of the form, of the contract, of the trail and of the table.
type Details struct {
	FirstName           string           `json:"firstName" doc:"1 to 150 characters"`
	LastName            string           `json:"lastName" doc:"1 to 150 characters"`
	Email               string           `json:"email" required:"false"`
	Phone               string           `json:"phone" required:"false"`
	IBAN                official.Account `json:"iban" db:"-" required:"false" doc:"empty: none; another one needs a new sign-in"`
	AccountHolder       string           `json:"accountHolder" required:"false" doc:"empty: the driver"`
	PassportName        string           `json:"passportName" required:"false" doc:"in Latin letters; empty: not given"`
	TaxID               string           `json:"taxId" required:"false" doc:"NIP; on the German instance USt-IdNr or Steuer-ID"`
	SmallBusiness       bool             `json:"smallBusiness" required:"false" doc:"Kleinunternehmer (§ 19 UStG); German instance only"`
	ContractNumber      string           `json:"contractNumber" required:"false"`
	Bailiff             bool             `json:"bailiffSeizure" required:"false"`
	SummaryLanguage     string           `json:"summaryLanguage" required:"false" doc:"one of five; empty: that of the instance"`
	SettlementFrequency int64            `json:"settlementFrequency" required:"false" doc:"weeks: 1, 2 or 4; 0: as the partner has it"`
	SchemaNumber        int64            `json:"schemaNumber" required:"false" doc:"one of the partner's; 0: its default"`
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
	Identities       []Identity `db:"-"`
	Tags             []Tag      `db:"-"`
}

// row is a driver as stored.
type row struct {
	Driver
	IBANSealed string
}

var columns = strings.Join(db.ColumnsOf[row](), ", ")

// Stored is what a driver's details are in the table.
type Stored struct {
	Details
	SearchKey, IBANSealed, IBANSum string
	Version                        int64
	UpdatedAt                      time.Time
}

// Stored seals the account and makes a version of the details ready to be written.
func (b Service) Stored(tx *db.Tx, d Details, version int64) Stored {
	s := Stored{Details: d, SearchKey: d.SearchKey(), Version: version, UpdatedAt: tx.Now}
	if d.IBAN != "" {
		s.IBANSealed = b.Vault.Seal(tx.Actor.Tenant, IBANPurpose, []byte(d.IBAN))
		s.IBANSum = b.Vault.Fingerprint(tx.Actor.Tenant, IBANPurpose, []byte(d.IBAN))
	}
	return s
}

// newDriver is the first version of a driver in the table.
type newDriver struct {
	ID string
	Stored
	CreatedAt                                                                     time.Time
	Active, Blocked                                                               bool
	IBANChangedAt, AccountID, VerifiedAt, ActivationSentAt, SettledOn, MergedInto string
}

func (b Service) newDriver(tx *db.Tx, id string, d Details) newDriver {
	return newDriver{ID: id, Stored: b.Stored(tx, d, 1), CreatedAt: tx.Now, Active: true}
}

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
	if err := db.Insert(tx, "drivers", b.newDriver(tx, id, d)); err != nil {
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
	if _, err := db.Update(tx, "drivers", b.Stored(tx, d, before.Version+1), "id = $2", id); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.save", Kind: AuditKind, ID: id,
		Before: before.AuditView(before.Details), After: d.AuditView(before.Details)})
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

// notInPassports says whether a sign stands in no name that a passport writes in Latin letters.
func notInPassports(r rune) bool {
	return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || unicode.Is(unicode.Latin, r) || strings.ContainsRune(" -'.", r))
}

// checked gives the details in their one form, or a fault that names every
// wrong field as the request does. A schema is looked up in the unit that
// writes it: one that goes at the same moment cannot be chosen.
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

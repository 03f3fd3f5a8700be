// Package contracts keeps the contract documents of drivers: texts that partners write, what is filled in, and what was signed. One act
// signs all documents of a contract. What was shown is what is signed, and what was signed never changes: it is countersigned, withdrawn,
// replaced or ended. How it was signed is kept as a chain of events, and files are sealed.
package contracts

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"saldo/internal/contracts/answers"
	"saldo/internal/contracts/pdfs"
	"saldo/internal/contracts/template"
	"saldo/internal/drivers"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
)

var (
	ErrNotFound = pdfs.ErrNotFound
	ErrInvalid  = fault.Declare(fault.Invalid, "contracts.invalid")
	// ErrChanged is the answer to a change of something that somebody else changed meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "contracts.changed")
	// ErrState is the answer to what the state of a contract does not allow.
	ErrState = fault.Declare(fault.Conflict, "contracts.state")
	// ErrText is the answer to a text that cannot be made into pages; its fields name the places.
	ErrText = fault.Declare(fault.Invalid, "contracts.text")
	// ErrDocumentChanged is the answer to signing documents that are not those that were shown.
	ErrDocumentChanged = fault.Declare(fault.Conflict, "contracts.document_changed")
	// ErrNotRead is the answer to signing documents that were not opened.
	ErrNotRead = fault.Declare(fault.Conflict, "contracts.not_read")
	// ErrSignature is the answer to a signature that is none.
	ErrSignature = fault.Declare(fault.Invalid, "contracts.signature_empty")
	// ErrConsent is the answer to signing without the declarations.
	ErrConsent = fault.Declare(fault.Invalid, "contracts.consent")
	// ErrWritten is the answer to signing on the screen what the law wants signed by hand.
	ErrWritten = fault.Declare(fault.Conflict, "contracts.written_form")
	// ErrNoDocuments is the answer to a contract that no text is for.
	ErrNoDocuments = fault.Declare(fault.Conflict, "contracts.no_documents")
	// ErrErased is the answer to whoever asks for the files of a contract that was erased years after its end.
	ErrErased = fault.Declare(fault.NotFound, "contracts.erased")
	// ErrFile is the answer to a scan that is no PDF or picture, or too large.
	ErrFile = fault.Declare(fault.Unsupported, "contracts.file_type")
	// ErrFileTooLarge is the answer to a scan over the limit.
	ErrFileTooLarge = fault.Declare(fault.TooLarge, "contracts.file_too_large")
)

// State is where a contract stands.
type State string

// The states.
const (
	SignedByDriver State = "signed_by_driver"
	Printed        State = "printed"       // something of it is signed by hand, and waits for that
	ScanUploaded   State = "scan_uploaded" // the partner has to look at what was signed by hand
	Active         State = "active"
	Ended          State = "ended"
	Withdrawn      State = "withdrawn"
	Replaced       State = "replaced"
	Deleted        State = "deleted"
)

// States lists them in the order of a contract's life.
var States = []State{SignedByDriver, Printed, ScanUploaded, Active, Ended, Withdrawn, Replaced, Deleted}

// Data are what the documents of a contract are filled with.
type Data = answers.Answers

// Side is the driver or the partner.
type Side = template.Side

// Service has what contracts need besides the unit of work.
type Service struct {
	DB        *db.DB
	Blobs     blob.Store
	Vault     *vault.Vault
	Instance  config.Instance
	PublicURL string
	Stamps    string // address of a time stamping authority; empty: none
	Drivers   drivers.Service
	Reader    *files.Reader // of partners' PDFs
}

// Person is who acts.
type Person struct {
	Side    Side
	driver  string // of a driver: theirs alone
	Address string // where they come from
	Agent   string // what they use
}

// ID is the driver who acts; empty: the partner does.
func (p Person) ID() string { return p.driver }

// OfPartner is a person of the partner.
func OfPartner() Person { return Person{Side: template.Partner} }

// OfDriver is a driver.
func OfDriver(id string) Person { return Person{Side: template.Driver, driver: id} }

// From adds where a person comes from and what they use.
func (p Person) From(address, agent string) Person {
	p.Address, p.Agent = address, agent
	return p
}

const (
	dataPurpose      = "contract data"
	signaturePurpose = "contract signature"
	kindOfContract   = "contract"
)

func (s *Service) country() string { return strings.ToUpper(s.Instance.Code) }

func (s *Service) language() i18n.Language { return i18n.Language(s.Instance.Language) }

func (s *Service) today(now time.Time) calendar.Date {
	return calendar.DateOf(now, s.Instance.Location(), 0)
}

func (s *Service) sealData(tx *db.Tx, d Data) (string, error) {
	plain, err := json.Marshal(d)
	return s.Vault.Seal(tx.Actor.Tenant, dataPurpose, plain), err
}

func (s *Service) openData(tx *db.Tx, sealed string) (d Data, err error) {
	plain, err := s.Vault.Unseal(tx.Actor.Tenant, dataPurpose, sealed)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(plain, &d)
}

// driverOf is the driver that a person acts for: a driver for themselves, a partner for one of its own.
func driverOf(tx *db.Tx, who Person, asked string) (string, error) {
	if who.Side == template.Driver {
		return who.driver, nil
	}
	id, err := db.One[string](tx, `SELECT `+drivers.CanonicalID("d")+` FROM drivers d WHERE d.tenant_id = $1 AND d.id = $2`, asked)
	if errors.Is(err, db.ErrNone) {
		err = drivers.ErrNotFound
	}
	return id, err
}

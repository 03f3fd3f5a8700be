// Package documents keeps the documents that drivers have to show, such as a driving licence: uploaded by the driver or the partner,
// accepted or rejected by the partner, valid to a day, of which the driver is reminded. Pictures are drawn anew before they are kept, and
// erased when nobody needs them any more.
package documents

import (
	"errors"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "documents.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "documents.invalid")
	// ErrChanged is the answer to a change of a document or a type that somebody else changed meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "documents.changed")
	// ErrState is the answer to what the state of a document does not allow.
	ErrState = fault.Declare(fault.Conflict, "documents.state")
	// ErrErased is the answer to whoever asks for pictures that were erased.
	ErrErased = fault.Declare(fault.NotFound, "documents.erased")
	// ErrTooMany is the answer to more than a person may upload in an hour, and to more types than a partner may have.
	ErrTooMany = fault.Declare(fault.TooMany, "documents.too_many")
	// ErrTypes is the answer to more types than a partner may have.
	ErrTypes = fault.Declare(fault.Conflict, "documents.types")
)

// The answers to files that are not taken.
var (
	ErrFileType      = fault.Declare(fault.Unsupported, "documents.file_type")
	ErrFileTooLarge  = fault.Declare(fault.TooLarge, "documents.file_too_large")
	ErrFilePages     = fault.Declare(fault.Invalid, "documents.file_pages")
	ErrFilePixels    = fault.Declare(fault.Invalid, "documents.file_pixels")
	ErrFileEncrypted = fault.Declare(fault.Invalid, "documents.file_encrypted")
	ErrFileBroken    = fault.Declare(fault.Invalid, "documents.file_broken")
)

var fileFaults = files.Faults{files.UnknownType: ErrFileType, files.TooLarge: ErrFileTooLarge, files.TooManyPages: ErrFilePages,
	files.TooManyPixels: ErrFilePixels, files.Encrypted: ErrFileEncrypted, files.Broken: ErrFileBroken}

// State is where a document stands.
type State string

// The states of a document, and those that only a list knows.
const (
	Waiting  State = "waiting" // the partner has to look at it
	Accepted State = "accepted"
	Rejected State = "rejected"
	Replaced State = "replaced" // by another that was uploaded or accepted later

	Missing  State = "missing"  // there is none
	Expiring State = "expiring" // accepted, and its last day is near
	Expired  State = "expired"  // accepted, and its last day is over
)

// Standings are the states as lists have them, the most urgent first.
var Standings = []State{Missing, Expired, Rejected, Waiting, Expiring, Accepted}

// Side is the driver or the partner.
type Side string

// The sides.
const (
	ByDriver  Side = "driver"
	ByPartner Side = "partner"
)

const (
	kindOfDocument = "driver_document"
	kindOfType     = "document_type"
	numberPurpose  = "driver document number"
	// NoteMax is the longest text to a driver.
	NoteMax = 1000
	// erasedAfter is how long pictures stay that nobody needs.
	erasedAfter = 30 * 24 * time.Hour
	// soon is how many days before its last one a document counts as expiring.
	soon = 30
)

// Service has what pictures are kept and drawn with.
type Service struct {
	DB       *db.DB
	Blobs    blob.Store
	Vault    *vault.Vault
	Instance config.Instance
	Reader   *files.Reader
}

// Person is who acts: the partner, or one driver with what is their own.
type Person struct {
	Side   Side
	driver string
}

// Partner is the partner's people.
var Partner = Person{Side: ByPartner}

// Driver is one driver.
func Driver(id string) Person { return Person{ByDriver, id} }

// Document is a document of a driver or of their vehicle.
type Document struct {
	ID, DriverID, TypeID string
	Vehicle              string // registration; empty: a document of the driver
	NumberSealed         string
	ValidTo              calendar.Date // empty: without an end
	State                State
	UploadedBy           Side
	Note                 string // why it was rejected
	EnteredAt            time.Time
	DecidedAt            time.Time
	DecidedBy            string
	EraseAt              time.Time
	KeptFor              string
	ErasedAt             time.Time
	Version              int64
}

// Image is one side of a document.
type Image struct {
	ID, DocumentID  string
	Side            string // front or back
	FileType        string
	FileSize, Pages int64
	ContentHash     string
	BlobKey         string
}

var (
	columns      = strings.Join(db.ColumnsOf[Document](), ", i.")
	imageColumns = strings.Join(db.ColumnsOf[Image](), ", ")
)

// Of is a document. A driver finds their own and those of whoever was merged into them.
func Of(tx *db.Tx, who Person, id string) (Document, error) {
	condition, args := ``, []any{id}
	if who.Side == ByDriver {
		condition, args = ` AND i.driver_id`+drivers.Those("$3"), append(args, who.driver)
	}
	d, err := db.One[Document](tx, `SELECT i.`+columns+` FROM driver_documents i WHERE i.tenant_id = $1 AND i.id = $2`+condition, args...)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return d, err
}

// ImagesOf are the sides of documents.
func ImagesOf(tx *db.Tx, documents ...string) ([]Image, error) {
	var all []Image
	for len(documents) > 0 {
		some := documents[:min(len(documents), db.Most)]
		documents = documents[len(some):]
		in, args := db.Filled(2, some)
		found, err := db.Select[Image](tx, `SELECT `+imageColumns+` FROM driver_document_images WHERE tenant_id = $1 AND document_id`+in+`
			ORDER BY document_id, CASE WHEN side = 'front' THEN 0 ELSE 1 END`, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// store writes a document over the version that it was read at.
func (d *Document) store(tx *db.Tx) error {
	was := d.Version
	d.Version = was + 1
	n, err := db.Update(tx, "driver_documents", *d, "id = $2 AND version = $3", d.ID, was)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	return err
}

// view is a document as the trail keeps it: without its number.
func (d *Document) view() map[string]any {
	return map[string]any{"driver": d.DriverID, "type": d.TypeID, "vehicle": d.Vehicle, "validTo": d.ValidTo, "state": d.State}
}

// Number is what stands on a document.
func (s *Service) Number(tx *db.Tx, d *Document) (string, error) {
	if d.NumberSealed == "" {
		return "", nil
	}
	number, err := s.Vault.Unseal(tx.Actor.Tenant, numberPurpose, d.NumberSealed)
	return string(number), err
}

// Today is the day in the zone of the instance.
func (s *Service) Today(tx *db.Tx) calendar.Date {
	return calendar.DateOf(tx.Now, s.Instance.Location(), 0)
}

// Standing is the state of a document on a day.
func (d *Document) Standing(today calendar.Date) State {
	switch {
	case d.State != Accepted || d.ValidTo == "":
		return d.State
	case d.ValidTo < today:
		return Expired
	case d.ValidTo.DaysSince(today) <= soon:
		return Expiring
	}
	return Accepted
}

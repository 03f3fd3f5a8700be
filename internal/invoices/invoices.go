// Package invoices keeps the cost invoices of drivers, from the upload to the settlement that gives the VAT back: uploaded, described
// by the driver or the partner, verified and approved by the partner, or rejected with a reason. What is read from a file by the program
// fills a form and decides nothing.
package invoices

import (
	"errors"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/invoices/checks"
	"saldo/internal/invoices/files"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "invoices.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "invoices.invalid")
	// ErrChanged is the answer to a change of an invoice that somebody else changed meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "invoices.changed")
	// ErrState is the answer to what the state of an invoice does not allow.
	ErrState = fault.Declare(fault.Conflict, "invoices.state")
	// ErrSettled is the answer to a change of an invoice that a settlement has taken.
	ErrSettled = fault.Declare(fault.Conflict, "invoices.settled")
	// ErrNotDriver is the answer to a driver who describes where the partner does that.
	ErrNotDriver = fault.Declare(fault.Forbidden, "invoices.partner_describes")
	// ErrOff is the answer to a driver whose partner does not take invoices.
	ErrOff = fault.Declare(fault.Forbidden, "invoices.off")
	// ErrConfirm is the answer to approving what should be looked at first.
	ErrConfirm = fault.Declare(fault.Conflict, "invoices.confirm")

	// The three ways in which an invoice repeats another.
	ErrSameNumber = fault.Declare(fault.Conflict, "invoices.same_number")
	ErrSameAmount = fault.Declare(fault.Conflict, "invoices.same_amount")
	ErrSameFile   = fault.Declare(fault.Conflict, "invoices.same_file")

	// ErrTooMany is the answer to more than a person may upload or have read in an hour.
	ErrTooMany = fault.Declare(fault.TooMany, "invoices.too_many")
)

// The answers to files that are not taken.
var (
	ErrFileType      = fault.Declare(fault.Unsupported, "invoices.file_type")
	ErrFileTooLarge  = fault.Declare(fault.TooLarge, "invoices.file_too_large")
	ErrFilePages     = fault.Declare(fault.Invalid, "invoices.file_pages")
	ErrFilePixels    = fault.Declare(fault.Invalid, "invoices.file_pixels")
	ErrFileEncrypted = fault.Declare(fault.Invalid, "invoices.file_encrypted")
	ErrFileBroken    = fault.Declare(fault.Invalid, "invoices.file_broken")
)

// fileFaults are the answers by the codes of refusals.
var fileFaults = files.Faults{files.UnknownType: ErrFileType, files.TooLarge: ErrFileTooLarge, files.TooManyPages: ErrFilePages,
	files.TooManyPixels: ErrFilePixels, files.Encrypted: ErrFileEncrypted, files.Broken: ErrFileBroken}

// State is where an invoice stands.
type State string

// The states.
const (
	Uploaded   State = "uploaded"    // it is being read
	ToDescribe State = "to_describe" // somebody has to say what it is
	ToVerify   State = "to_verify"   // the partner has to look at what the driver said
	Approved   State = "approved"    // the next settlement takes it
	Rejected   State = "rejected"
)

// States lists them in the order of an invoice's life.
var States = []State{Uploaded, ToDescribe, ToVerify, Approved, Rejected}

// Side is the driver or the partner.
type Side string

// The sides.
const (
	ByDriver  Side = "driver"
	ByPartner Side = "partner"
)

// Reason is why an invoice was rejected.
type Reason string

// Reasons lists why invoices are rejected.
var Reasons = []Reason{"unreadable", "not_ours", "duplicate", "not_allowed", "wrong_data", "too_old", "other"}

// Categories lists what invoices are for.
var Categories = []string{"", "fuel", "repair", "lease", "phone", "wash", "parking", "insurance", "other"}

const (
	kindOfInvoice = "invoice"
	// FeedbackMax is the longest text to a driver.
	FeedbackMax = 1000
)

// Service has what files are kept and read with.
type Service struct {
	DB       *db.DB
	Blobs    blob.Store
	Instance config.Instance
	Reader   *files.Reader
	Longest  time.Duration // that reading one file may take; zero: a minute
}

// File is the current file of an invoice.
type File struct {
	FileVersion        int64
	FileName, FileType string
	FileSize           int64
	ContentHash        string
	Pages              int64
}

// Details are what an invoice says.
type Details = checks.Details

// Finding is something about an invoice that a person should know.
type Finding = checks.Finding

// Invoice is a driver's invoice.
type Invoice struct {
	ID, DriverID string
	State        State
	WaitsFor     Side // who has to describe it; empty: nobody
	UploadedBy   Side
	DescribedBy  Side           // who last changed what the provision depends on; empty: nobody yet
	Source       reading.Source // of what was read; empty: it is not read yet
	checks.Details
	File
	NumberKey             string
	Touched               []string // fields that a person typed; no reading changes them
	Accepted              []string // findings that the partner confirmed
	Feedback              string
	RejectReason          Reason
	TwinOf                string
	SettlementID          string
	Version               int64
	UploadedAt, ChangedAt time.Time
	DecidedAt             time.Time
	DecidedBy             string
	DeletedAt             time.Time
}

var columns = strings.Join(db.ColumnsOf[Invoice](), ", i.")

// Of is an invoice that is there. A driver finds their own and those of whoever was merged into them.
func Of(tx *db.Tx, id, driver string) (Invoice, error) {
	condition, args := ``, []any{id}
	if driver != "" {
		condition, args = ` AND i.driver_id`+drivers.Those("$3"), append(args, driver)
	}
	i, err := db.One[Invoice](tx, `SELECT i.`+columns+` FROM invoice_images i WHERE i.tenant_id = $1 AND i.id = $2
		AND i.deleted_at = ''`+condition, args...)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return i, err
}

// store writes an invoice over the version that it was read at.
func (i *Invoice) store(tx *db.Tx) error {
	was := i.Version
	i.Version, i.ChangedAt, i.NumberKey = was+1, tx.Now, checks.NumberKey(i.Number)
	n, err := db.Update(tx, "invoice_images", *i, "id = $2 AND version = $3 AND settlement_id = ''", i.ID, was)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	return err
}

// changeable says why nothing of an invoice can be changed, or nil.
func (i *Invoice) changeable(version int64) error {
	switch {
	case i.SettlementID != "":
		return ErrSettled
	case i.Version != version:
		return ErrChanged
	}
	return nil
}

func (d *Service) today(tx *db.Tx) calendar.Date {
	return calendar.DateOf(tx.Now, d.Instance.Location(), 0)
}

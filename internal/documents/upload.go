package documents

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"

	"saldo/internal/drivers"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
)

// Limits of uploads.
const (
	FileMax      = files.PDFMost
	keptWidth    = 2400 // of a picture that is kept
	driverHourly = 60
	partnersMost = 1200 // in an hour, by all people of a partner
)

// The sides of a document.
const (
	Front = "front"
	Back  = "back"
)

// Received are checked files that are in the store, and no row names them yet.
type Received struct {
	ID     string // of the document that they may become
	Images []Image
}

// Receive checks a file and keeps it as one side of a document, outside every unit of work. A picture is drawn anew: what a camera wrote
// beside it, such as the place, is gone. Where no row names it in the end, Drop deletes it again.
func (s *Service) Receive(ctx context.Context, tenant, side string, content io.Reader, r *Received) error {
	data, err := io.ReadAll(io.LimitReader(content, FileMax+1))
	if err != nil {
		return err
	}
	if len(data) > FileMax {
		return ErrFileTooLarge
	}
	info, err := files.Check(data)
	if err == nil && info.Type == files.XML {
		return ErrFileType
	}
	if err == nil && info.Type != files.PDF {
		data, info.Type, err = s.Reader.Preview(ctx, data, 1, keptWidth)
	}
	if err != nil {
		return fileFaults.Of(err)
	}
	if r.ID == "" {
		r.ID = uuid.Must(uuid.NewV7()).String()
	}
	sum := sha256.Sum256(data)
	i := Image{ID: uuid.Must(uuid.NewV7()).String(), DocumentID: r.ID, Side: side, FileType: info.Type, FileSize: int64(len(data)),
		Pages: int64(info.Pages), ContentHash: hex.EncodeToString(sum[:])}
	i.BlobKey = path.Join(tenant, "documents", i.ID)
	r.Images = append(r.Images, i)
	_, err = s.Blobs.Put(ctx, i.BlobKey, bytes.NewReader(data), i.FileSize)
	return err
}

// Drop deletes files that no row names.
func (s *Service) Drop(ctx context.Context, r Received) {
	for _, i := range r.Images {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), i.BlobKey)
	}
}

// Details are what a person says about a document.
type Details struct {
	TypeID, Vehicle string
	Number          string
	ValidTo         calendar.Date
	NoEnd           bool // it is valid without an end
}

// normal brings details into their one form.
func (d Details) normal(f *validate.Form, t *Type) Details {
	d.Vehicle = strings.ToUpper(strings.ReplaceAll(f.Text("vehicle", d.Vehicle, 15, t.Subject == ForVehicle), " ", ""))
	if t.Subject != ForVehicle {
		d.Vehicle = ""
	}
	d.Number = f.Text("number", d.Number, 40, false)
	switch {
	case d.NoEnd || !t.Expires && d.ValidTo == "":
		d.ValidTo = ""
	case d.ValidTo == "":
		f.Wrong("validTo", fault.Required)
	default:
		if _, err := calendar.ParseDate(string(d.ValidTo)); err != nil {
			f.Wrong("validTo", fault.WrongFormat)
		}
	}
	return d
}

// Add makes a document of files. What a driver uploads waits for the partner and takes the place of what waited before; what a partner
// uploads is accepted.
func (s *Service) Add(tx *db.Tx, who Person, driver string, details Details, r Received) (d Document, err error) {
	if who.Side == ByDriver {
		driver = who.driver
	} else if driver, err = db.One[string](tx, `SELECT `+drivers.CanonicalID("d")+` FROM drivers d WHERE d.tenant_id = $1 AND d.id = $2`,
		driver); errors.Is(err, db.ErrNone) {
		return d, drivers.ErrNotFound
	}
	if err != nil {
		return d, err
	}
	t, err := s.typeOf(tx, details.TypeID)
	if errors.Is(err, ErrNotFound) || err == nil && !t.Active {
		return d, ErrInvalid.Field("type", fault.NotOneOf)
	}
	if err != nil {
		return d, err
	}
	f := validate.New(ErrInvalid)
	details = details.normal(f, &t)
	if details.ValidTo != "" && details.ValidTo < s.Today(tx) {
		f.Wrong("validTo", fault.TooSmall)
	}
	if len(r.Images) == 0 {
		f.Wrong(Front, fault.Required)
	} else if t.Sides == 2 && len(r.Images) == 1 && r.Images[0].FileType != files.PDF {
		f.Wrong(Back, fault.Required)
	}
	if err := f.Err(); err != nil {
		return d, err
	}
	if err := within(tx, who); err != nil {
		return d, err
	}
	d = Document{ID: r.ID, DriverID: driver, TypeID: t.ID, Vehicle: details.Vehicle, ValidTo: details.ValidTo, State: Waiting,
		UploadedBy: who.Side, EnteredAt: tx.Now, Version: 1, NumberSealed: s.sealed(tx, details.Number)}
	earlier := []State{Waiting}
	if who.Side == ByPartner {
		d.State, d.DecidedAt, d.DecidedBy = Accepted, tx.Now, tx.Actor.Name
		earlier = append(earlier, Accepted)
	}
	if err := replace(tx, &d, earlier); err != nil {
		return d, err
	}
	if err := db.Insert(tx, "driver_documents", d); err != nil {
		if db.Unique(err) {
			err = ErrChanged // somebody uploaded at the same moment
		}
		return d, err
	}
	for _, i := range r.Images {
		if err := db.Insert(tx, "driver_document_images", i); err != nil {
			return d, err
		}
	}
	if err := d.done(tx); err != nil {
		return d, err
	}
	return d, audit.Record(tx, audit.Change{Action: "documents.upload", Kind: kindOfDocument, ID: d.ID, After: d.view()})
}

// Known is the document with the id that a phone gave it, whatever became of it since.
func Known(tx *db.Tx, who Person, id string) (d Document, there bool, err error) {
	d, err = Of(tx, who, id)
	if !errors.Is(err, ErrNotFound) {
		return d, err == nil, err
	}
	if _, err = Of(tx, Partner, id); errors.Is(err, ErrNotFound) {
		return d, false, nil
	} else if err == nil {
		err = ErrInvalid.Field("id", fault.Duplicate)
	}
	return d, false, err
}

func (s *Service) sealed(tx *db.Tx, number string) string {
	if number == "" {
		return ""
	}
	return s.Vault.Seal(tx.Actor.Tenant, numberPurpose, []byte(number))
}

// replace takes what stood in the place of a document out of it; its pictures go later. What came from a driver who was merged stays, so
// that it is there when the merge is undone; lists have the newest.
func replace(tx *db.Tx, d *Document, states []State) error {
	in, args := db.Among(7, states)
	_, err := tx.Exec(`UPDATE driver_documents SET state = 'replaced', erase_at = $6, version = version + 1 WHERE tenant_id = $1
		AND driver_id = $2 AND type_id = $3 AND vehicle = $4 AND id <> $5 AND state`+in,
		append([]any{d.DriverID, d.TypeID, d.Vehicle, d.ID, tx.Now.Add(erasedAfter)}, args...)...)
	return err
}

// within refuses more than a person may upload in an hour.
func within(tx *db.Tx, who Person) error {
	query, args, most := ``, []any{tx.Now.Add(-time.Hour), string(who.Side)}, partnersMost
	if who.Side == ByDriver {
		query, args, most = ` AND driver_id = $4`, append(args, who.driver), driverHourly
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM driver_documents WHERE tenant_id = $1 AND entered_at > $2 AND uploaded_by = $3`+query,
		args...)
	if err == nil && n >= int64(most) {
		err = ErrTooMany.With("max", most).After(10 * time.Minute)
	}
	return err
}

// Content is a side of a document from the store.
func (s *Service) Content(ctx context.Context, key string) ([]byte, error) {
	return blob.Whole(ctx, s.Blobs, key, FileMax)
}

package invoices

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"time"

	"github.com/google/uuid"

	"saldo/internal/drivers"
	"saldo/internal/invoices/checks"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
)

// Limits of uploads.
const (
	FileMax      = 10 << 20
	driverHourly = 60
	partnersMost = 1200 // in an hour, by all people of a partner
)

// Received is a file that was checked and is in the store, and no row names it yet.
type Received struct {
	File
	ID      string // of the invoice that it may become
	BlobKey string
}

// Receive checks a file and keeps it, outside every unit of work. Where no row names it in the end, Drop deletes it again.
func (d *Service) Receive(ctx context.Context, tenant, name string, content io.Reader) (r Received, err error) {
	data, err := io.ReadAll(io.LimitReader(content, FileMax+1))
	if err != nil {
		return r, err
	}
	if len(data) > FileMax {
		return r, ErrFileTooLarge
	}
	info, err := files.Check(data)
	if err != nil {
		return r, FileFault(err)
	}
	sum := sha256.Sum256(data)
	r.ID = uuid.Must(uuid.NewV7()).String()
	r.File = File{FileVersion: 1, FileName: validate.FileName(name), FileType: info.Type, FileSize: int64(len(data)),
		ContentHash: hex.EncodeToString(sum[:]), Pages: int64(info.Pages)}
	r.BlobKey = path.Join(tenant, "invoices", r.ID)
	_, err = d.Blobs.Put(ctx, r.BlobKey, bytes.NewReader(data), int64(len(data)))
	return r, err
}

// Drop deletes a file that no row names.
func (d *Service) Drop(ctx context.Context, r Received) {
	if r.BlobKey != "" {
		_ = d.Blobs.Delete(context.WithoutCancel(ctx), r.BlobKey)
	}
}

// Add makes an invoice of a file for a driver. With all fields it is described at once; without them it is read, and waits for whoever
// describes. The same file is one invoice.
func (d *Service) Add(tx *db.Tx, who Person, driver string, r Received, form *Form) (i Invoice, err error) {
	if who.Side == ByDriver {
		if err := taken(tx); err != nil {
			return i, err
		}
		driver = who.driver
	} else if driver, err = canonical(tx, driver); errors.Is(err, db.ErrNone) {
		return i, drivers.ErrNotFound
	} else if err != nil {
		return i, err
	}
	if err := within(tx, who); err != nil {
		return i, err
	}
	i = Invoice{ID: r.ID, DriverID: driver, State: Uploaded, UploadedBy: who.Side, File: r.File, Touched: []string{}, Accepted: []string{},
		Version: 1, UploadedAt: tx.Now, ChangedAt: tx.Now}
	i.Currency = d.Instance.Currency
	if err := unlikeOthers(tx, &i); err != nil {
		return i, err
	}
	if form != nil {
		if err := d.typed(tx, &i, who, *form); err != nil {
			return i, err
		}
	} else if err := i.await(tx, who.Side); err != nil {
		return i, err
	}
	known, err := d.read(tx, &i, r.BlobKey)
	if err != nil {
		return i, err
	}
	if known != nil {
		d.fill(&i, known)
	}
	i.NumberKey = checks.NumberKey(i.Number)
	if err := db.Insert(tx, "invoice_images", i); err != nil {
		if db.Unique(err) {
			err = ErrChanged // somebody saved the same at the same moment: asked again, the answer says what
		}
		return i, err
	}
	if err := i.keepFile(tx, who, r.BlobKey); err != nil {
		return i, err
	}
	return i, audit.Record(tx, audit.Change{Action: "invoices.upload", Kind: kindOfInvoice, ID: i.ID, After: i.view()})
}

// Known says whether an invoice with the id that a phone gave it is there. One that was taken away since is answered as the file that it
// was: what comes late brings nothing back.
func Known(tx *db.Tx, who Person, id string) (bool, error) {
	there, err := db.One[struct{ DeletedAt time.Time }](tx, `SELECT deleted_at FROM invoice_images WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}
	if err == nil && !there.DeletedAt.IsZero() {
		return false, ErrSameFile.With("other", id)
	}
	if err == nil {
		if _, err = Of(tx, id, who.driver); errors.Is(err, ErrNotFound) {
			err = ErrInvalid.Field("id", fault.Duplicate)
		}
	}
	return err == nil, err
}

// typed takes the fields that came with a file: complete they describe the invoice, else they are kept as a draft.
func (d *Service) typed(tx *db.Tx, i *Invoice, who Person, form Form) (err error) {
	f := validate.New(ErrInvalid)
	details := form.Details.Normal(f, d.country(), Categories)
	if err := f.Err(); err != nil {
		return err
	}
	if details.Currency == "" {
		details.Currency = d.Instance.Currency
	}
	if i.Touched, err = d.typedOf(tx, i, Form{details, form.Typed}, differing(&i.Details, &details)); err != nil {
		return err
	}
	i.Details = details
	if err := i.await(tx, who.Side); err != nil {
		return err
	}
	complete := validate.New(ErrInvalid)
	if details.Complete(complete); complete.Err() != nil || who.Side == ByDriver && i.WaitsFor != ByDriver {
		return nil
	}
	found, err := d.findings(tx, i)
	if err != nil {
		return err
	}
	if refused, is := checks.Refused(found); is {
		return refusal(refused)
	}
	i.State, i.WaitsFor, i.DescribedBy = ToVerify, "", who.Side
	return nil
}

// unlikeOthers refuses a file that an invoice has already.
func unlikeOthers(tx *db.Tx, i *Invoice) error {
	other, err := one(tx, `SELECT id FROM invoice_images WHERE tenant_id = $1 AND content_hash = $2 AND id <> $3 AND state <> 'rejected'
		AND deleted_at = ''`, i.ContentHash, i.ID)
	if err == nil && other != "" {
		err = ErrSameFile.With("other", other)
	}
	return err
}

// within refuses more than a person may upload in an hour.
func within(tx *db.Tx, who Person) error {
	query, args, most := ``, []any{tx.Now.Add(-time.Hour), string(who.Side)}, partnersMost
	if who.Side == ByDriver {
		query, args, most = ` AND driver_id = $4`, append(args, who.driver), driverHourly
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM invoice_images WHERE tenant_id = $1 AND uploaded_at > $2 AND uploaded_by = $3`+query,
		args...)
	if err == nil && n >= int64(most) {
		err = ErrTooMany.With("max", most).After(10 * time.Minute)
	}
	return err
}

// newFile is a version of the file of an invoice.
type newFile struct {
	InvoiceID          string
	Version            int64
	FileName, FileType string
	FileSize           int64
	ContentHash        string
	Pages              int64
	BlobKey            string
	UploadedBy         Side
	UploadedAt         time.Time
}

func (i *Invoice) keepFile(tx *db.Tx, who Person, key string) error {
	return db.Insert(tx, "invoice_files", newFile{i.ID, i.FileVersion, i.FileName, i.FileType, i.FileSize, i.ContentHash, i.Pages, key,
		who.Side, tx.Now})
}

// Replace gives an invoice a better file: the old one is kept, the new one is read, and what nobody typed is read anew.
func (d *Service) Replace(tx *db.Tx, who Person, id string, version int64, r Received) (i Invoice, err error) {
	if i, err = Of(tx, id, who.driver); err != nil {
		return i, err
	}
	if err := i.changeable(version); err != nil {
		return i, err
	}
	if i.State == Approved || who.Side == ByDriver && i.State == ToVerify {
		return i, ErrState.With("state", string(i.State))
	}
	before := i.view()
	last := i.FileVersion
	if i.File = r.File; r.ContentHash != "" {
		i.FileVersion = last + 1
	}
	i.State, i.Source, i.RejectReason = Uploaded, "", ""
	if err := unlikeOthers(tx, &i); err != nil {
		return i, err
	}
	if err := i.await(tx, i.UploadedBy); err != nil {
		return i, err
	}
	i.keepTyped(d.Instance.Currency)
	known, err := d.read(tx, &i, r.BlobKey)
	if err != nil {
		return i, err
	}
	if known != nil {
		d.fill(&i, known)
	}
	if err := i.store(tx); err != nil {
		return i, err
	}
	if err := i.keepFile(tx, who, r.BlobKey); err != nil {
		return i, err
	}
	return i, audit.Record(tx, audit.Change{Action: "invoices.replace", Kind: kindOfInvoice, ID: i.ID, Before: before, After: i.view()})
}

// BlobOf is where the current file of an invoice is.
func BlobOf(tx *db.Tx, i *Invoice) (string, error) {
	key, err := db.One[string](tx, `SELECT blob_key FROM invoice_files WHERE tenant_id = $1 AND invoice_id = $2 AND version = $3`, i.ID,
		i.FileVersion)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return key, err
}

// Content is a file from the store.
func (d *Service) Content(ctx context.Context, key string) ([]byte, error) {
	return blob.Whole(ctx, d.Blobs, key, FileMax)
}

// FileFault is the answer to what a file was refused for while it was drawn or read; other errors stay as they are.
func FileFault(err error) error { return fileFaults.Of(err) }

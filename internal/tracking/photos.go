package tracking

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

	"saldo/internal/invoices/files"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// SweepKind is the job that deletes the files of photos that are gone.
const SweepKind = "tracking.sweep"

// The limits of photos.
const (
	PhotoMax   = files.PictureMost
	PixelsMost = 25_000_000
	keptWidth  = 1600
)

var photoFaults = files.Faults{files.UnknownType: ErrPhotoType, files.TooLarge: ErrPhotoTooLarge, files.TooManyPixels: ErrPhotoPixels,
	files.Broken: ErrPhotoBroken}

// The sides of an entry that a photo shows.
const (
	OfPayment = "payment" // of a trip
	OfStart   = "start"   // the mileage when working time starts, and when it ends
	OfEnd     = "end"
)

// Photo is a photo of an entry.
type Photo struct {
	ID, DriverID string
	Kind         Kind
	EntryID      string
	Side         string
	FileType     string
	FileSize     int64
	ReceivedHash string
	BlobKey      string
	AddedAt      time.Time
	GoneAt       time.Time // its file is deleted next; zero: it is there
}

// Receive checks a photo and keeps it, outside every unit of work. It is drawn anew: what a camera wrote beside it, such as the place, is
// gone. Where no row names it in the end, Drop deletes it again.
func (s *Service) Receive(ctx context.Context, tenant string, content io.Reader) (p Photo, err error) {
	data, err := io.ReadAll(io.LimitReader(content, PhotoMax+1))
	if err != nil {
		return p, err
	}
	if len(data) > PhotoMax {
		return p, ErrPhotoTooLarge
	}
	info, err := files.Check(data)
	switch {
	case err != nil:
		return p, photoFaults.Of(err)
	case info.Type == files.PDF || info.Type == files.XML:
		return p, ErrPhotoType
	case info.Pixels > PixelsMost:
		return p, ErrPhotoPixels
	}
	sum := sha256.Sum256(data)
	if data, info.Type, err = s.Reader.Preview(ctx, data, 1, keptWidth); err != nil {
		return p, photoFaults.Of(err)
	}
	p = Photo{ID: uuid.Must(uuid.NewV7()).String(), FileType: info.Type, FileSize: int64(len(data)),
		ReceivedHash: hex.EncodeToString(sum[:])}
	p.BlobKey = path.Join(tenant, "tracking", p.ID)
	_, err = s.Blobs.Put(ctx, p.BlobKey, bytes.NewReader(data), p.FileSize)
	return p, err
}

// Drop deletes a photo that no row names.
func (s *Service) Drop(ctx context.Context, p Photo) {
	if p.BlobKey != "" {
		_ = s.Blobs.Delete(context.WithoutCancel(ctx), p.BlobKey)
	}
}

// of is the entry that a photo belongs to, and whether it may be replaced: not that of a settled trip.
func (k Kind) of(tx *db.Tx, who Person, id string) (driver string, fixed bool, err error) {
	var stamp *Stamp
	if k == OfTrip {
		t, err := TripOf(tx, who, id)
		if err != nil {
			return "", false, err
		}
		stamp, fixed = &t.Stamp, t.SettlementID != ""
	} else {
		t, err := TimeOf(tx, who, id)
		if err != nil {
			return "", false, err
		}
		stamp = &t.Stamp
	}
	if stamp.Deleted() {
		return "", false, ErrNotFound
	}
	return stamp.DriverID, fixed, nil
}

// AddPhoto gives an entry its photo, in the place of the one before. The same photo again changes nothing. A settled trip that has none
// takes one: the phone sends photos after entries, and a settlement may come between.
func AddPhoto(tx *db.Tx, who Person, kind Kind, entry, side string, p Photo) (_ Photo, same bool, err error) {
	if err := Allowed(tx, who, kind); err != nil {
		return p, false, err
	}
	driver, fixed, err := kind.of(tx, who, entry)
	if err != nil {
		return p, false, err
	}
	before, err := photoOf(tx, kind, entry, side)
	switch {
	case err == nil && before.ReceivedHash == p.ReceivedHash:
		return before, true, nil
	case err == nil && fixed:
		return before, false, ErrSettled
	case err == nil:
		err = gone(tx, before.ID)
	case errors.Is(err, ErrNotFound):
		err = nil
	}
	if err != nil {
		return p, false, err
	}
	p.DriverID, p.Kind, p.EntryID, p.Side, p.AddedAt = driver, kind, entry, side, tx.Now
	if n, err := db.InsertNew(tx, "tracking_photos", p); err != nil || n == 0 {
		if err == nil {
			err = ErrChanged // another came at the same moment
		}
		return p, false, err
	}
	return p, false, audit.Record(tx, audit.Change{Action: tableOf(kind) + ".photo", Kind: kind.auditKind(), ID: entry})
}

// RemovePhoto takes a photo of an entry away. Gone already, nothing happens.
func RemovePhoto(tx *db.Tx, who Person, kind Kind, entry, side string) error {
	if err := Allowed(tx, who, kind); err != nil {
		return err
	}
	_, fixed, err := kind.of(tx, who, entry)
	if err != nil {
		return err
	}
	before, err := photoOf(tx, kind, entry, side)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case fixed:
		return ErrSettled
	}
	if err := gone(tx, before.ID); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: tableOf(kind) + ".removePhoto", Kind: kind.auditKind(), ID: entry})
}

func gone(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE tracking_photos SET gone_at = $3 WHERE tenant_id = $1 AND id = $2 AND gone_at = ''`, id, tx.Now)
	return err
}

func photoOf(tx *db.Tx, kind Kind, entry, side string) (Photo, error) {
	p, err := db.One[Photo](tx, `SELECT `+photoColumns+` FROM tracking_photos WHERE tenant_id = $1 AND kind = $2 AND entry_id = $3
		AND side = $4 AND gone_at = ''`, string(kind), entry, side)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return p, err
}

// PhotoOf is the photo of an entry that a person may see.
func PhotoOf(tx *db.Tx, who Person, kind Kind, entry, side string) (Photo, error) {
	if _, _, err := kind.of(tx, who, entry); err != nil {
		return Photo{}, err
	}
	return photoOf(tx, kind, entry, side)
}

// Content is a photo from the store.
func (s *Service) Content(ctx context.Context, p Photo) ([]byte, error) {
	return blob.Whole(ctx, s.Blobs, p.BlobKey, p.FileSize)
}

// sweptAtOnce is how many files one run deletes; the next one comes within an hour.
const sweptAtOnce = 500

// keptDeleted is how long the photos of a deleted entry stay, for whoever wants it back.
const keptDeleted = 30 * 24 * time.Hour

// Sweep deletes the files of photos that are gone, or whose entry was deleted a month ago, and then their rows.
func (s *Service) Sweep(ctx context.Context, run *jobs.Run) error {
	if err := run.Write(ctx, func(tx *db.Tx) error {
		for kind, table := range map[Kind]string{OfTrip: "trips", OfTime: "time_entries"} {
			if _, err := tx.Across().Exec(`UPDATE tracking_photos SET gone_at = $1 WHERE gone_at = '' AND kind = $2
				AND (tenant_id, entry_id) IN (SELECT tenant_id, id FROM `+table+` WHERE deleted_at <> '' AND deleted_at < $3)`, tx.Now,
				string(kind), tx.Now.Add(-keptDeleted)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	type file struct{ TenantID, ID, BlobKey string }
	var all []file
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		all, err = db.Select[file](tx.Across(), `SELECT tenant_id, id, blob_key FROM tracking_photos WHERE gone_at <> '' ORDER BY gone_at
			LIMIT $1`, sweptAtOnce)
		return err
	}); err != nil {
		return err
	}
	for _, f := range all {
		if err := s.Blobs.Delete(ctx, f.BlobKey); err != nil {
			return err
		}
		if err := run.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`DELETE FROM tracking_photos WHERE tenant_id = $1 AND id = $2 AND gone_at <> ''`, f.TenantID, f.ID)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

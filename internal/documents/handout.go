package documents

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/spreadsheet"
)

// Draw draws a page of a side as a picture of at most that width.
func (s *Service) Draw(ctx context.Context, content []byte, page, width int) (picture []byte, mediaType string, err error) {
	picture, mediaType, err = s.Reader.Preview(ctx, content, page, width)
	return picture, mediaType, fileFaults.Of(err)
}

// Packed is a file of an archive.
type Packed struct {
	Name    string // letters of ASCII only
	BlobKey string
	At      time.Time
}

// ToPack are the files of a document, or of all current documents of a driver, and leaves in the trail that they were taken.
func (s *Service) ToPack(tx *db.Tx, id string) ([]Packed, error) {
	var all []Document
	one, err := Of(tx, Partner, id)
	driver := one.DriverID
	switch {
	case err == nil && !one.ErasedAt.IsZero():
		return nil, ErrErased
	case err == nil:
		all = []Document{one}
	case errors.Is(err, ErrNotFound):
		driver = id
		slots, err := s.OfDriver(tx, id)
		if err != nil {
			return nil, err
		}
		for _, slot := range slots {
			for _, d := range []*Document{slot.Current, slot.Waiting} {
				if d != nil && d.ErasedAt.IsZero() {
					all = append(all, *d)
				}
			}
		}
	default:
		return nil, err
	}
	whose, err := drivers.Named(tx, driver)
	if err != nil {
		return nil, ErrNotFound
	}
	ids := make([]string, len(all))
	for i, d := range all {
		ids[i] = d.ID
	}
	images, err := ImagesOf(tx, ids...)
	if err != nil {
		return nil, err
	}
	var packed []Packed
	taken := map[string]int{}
	for i := range all {
		d := &all[i]
		t, err := s.typeOf(tx, d.TypeID)
		if err != nil {
			return nil, err
		}
		if err := Looked(tx, "documents.take", d.ID); err != nil {
			return nil, err
		}
		for _, image := range images {
			if image.DocumentID != d.ID {
				continue
			}
			ending := ".jpg"
			if image.FileType == files.PDF {
				ending = ".pdf"
			}
			name := strings.Join(nonEmpty(plain(whose.LastName), plain(t.Named(i18n.English)), plain(d.Vehicle), string(d.ValidTo), image.Side), "_")
			if taken[name]++; taken[name] > 1 {
				name += fmt.Sprint("_", taken[name])
			}
			packed = append(packed, Packed{name + ending, image.BlobKey, d.EnteredAt})
		}
	}
	return packed, nil
}

func nonEmpty(parts ...string) (kept []string) {
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// plain is a text for a file's name: small letters of ASCII, digits and dashes.
func plain(text string) string {
	var b strings.Builder
	for _, r := range i18n.Fold(official.Romanised(text)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// Pack writes files into an archive. Pictures are compressed already and are stored as they are.
func (s *Service) Pack(ctx context.Context, to io.Writer, packed []Packed) error {
	archive := zip.NewWriter(to)
	for _, p := range packed {
		from, _, err := s.Blobs.Get(ctx, p.BlobKey)
		if err != nil {
			return err
		}
		into, err := archive.CreateHeader(&zip.FileHeader{Name: p.Name, Method: zip.Store, Modified: p.At})
		if err == nil {
			_, err = io.Copy(into, from)
		}
		if err = errors.Join(err, from.Close()); err != nil {
			return err
		}
	}
	return archive.Close()
}

// Export is the expiry board as a file, in somebody's words. It has no numbers of documents.
type Export struct {
	Within   int
	Language i18n.Language
	Zone     *time.Location
}

// Heads are the heads of the columns.
func (e Export) Heads() []string {
	heads := []string{}
	for _, key := range []string{"driver-fields:lastName", "driver-fields:firstName", "exports:documents.document",
		"exports:documents.vehicle", "exports:documents.validTo", "exports:documents.days", "exports:documents.reminded"} {
		heads = append(heads, i18n.Of(e.Language, key))
	}
	return heads
}

// Name is the name of the sheet.
func (e Export) Name() string { return i18n.Of(e.Language, "exports:documents.name") }

// FileName is what the file is saved as.
func (e Export) FileName(now time.Time, format spreadsheet.Format) string {
	return fmt.Sprintf("%s-%s.%s", plain(e.Name()), calendar.DateOf(now, e.Zone, 0), format)
}

// Write writes all rows.
func (e Export) Write(tx *db.Tx, s *Service, to spreadsheet.Sheet) error {
	due, err := s.Expiring(tx, e.Within)
	if err != nil {
		return err
	}
	for i := range due {
		d := &due[i]
		until, days, reminded := "", "", ""
		if d.Group != "missing" {
			until, days = string(d.Slot.Current.ValidTo), fmt.Sprint(d.Days)
		}
		if !d.Reminded.IsZero() {
			reminded = string(calendar.DateOf(d.Reminded, e.Zone, 0))
		}
		if err := to.Row(spreadsheet.Texts([]string{d.LastName, d.FirstName, d.Slot.Type.Named(e.Language), d.Slot.Vehicle, until, days,
			reminded})); err != nil {
			return err
		}
	}
	return nil
}

// Record leaves in the trail that the file was handed out.
func (e Export) Record(tx *db.Tx) error {
	return audit.Record(tx, audit.Change{Action: "documents.export", Kind: kindOfType, ID: "all", After: map[string]any{"within": e.Within}})
}

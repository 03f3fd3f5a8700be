package deliveries

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"saldo/internal/connections"
	"saldo/internal/pack"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/reports/dedicated"
)

// errGone is the error of a file that nobody should have any more.
var errGone = errors.New("deliveries: what the file is made of holds no longer")

// politely makes a file when no other is being made. While people send requests it then waits: as long as it
// worked, and for the pace.
func (s *Service) politely(ctx context.Context, run *jobs.Run, it item) (f drive.File, err error) {
	s.making.Lock()
	defer s.making.Unlock()
	start := time.Now()
	if f, err = s.made(ctx, run, it); err != nil {
		return f, err
	}
	people := false
	err = run.Read(ctx, func(tx *db.Tx) error { people = tx.HasInteractiveLoad(); return nil })
	if people {
		select {
		case <-time.After(min(max(time.Since(start), pace-time.Since(start)), pauseLongest)):
		case <-ctx.Done():
		}
	}
	return f, err
}

// pauseLongest is what a file waits for people at most: on a machine that is busy with something else, no pause helps them.
const pauseLongest = 50 * time.Millisecond

// pace is how long a file takes at least while people send requests: a thousand are there within a minute all the same.
const pace = 40 * time.Millisecond

// made is a file, without its path.
func (s *Service) made(ctx context.Context, run *jobs.Run, it item) (drive.File, error) {
	switch it.Sort {
	case connections.Packs:
		return s.packed(ctx, run, it.Object)
	case connections.Reports:
		return s.reported(ctx, run, it.Object)
	case connections.Statements, connections.Invoices:
	}
	id, _, _ := strings.Cut(it.Object, "/")
	var content []byte
	if it.Sort == connections.Invoices && it.Part == "xml" {
		err := run.Read(ctx, func(tx *db.Tx) (err error) { content, _, err = s.Billing.File(tx, id); return err })
		return whole(content, "application/xml"), err
	}
	var document pages
	var logo string
	if err := run.Read(ctx, func(tx *db.Tx) error {
		if it.Sort == connections.Invoices {
			p, err := s.Billing.PDFDocument(tx, id)
			if err == nil {
				document, logo = p, p.LogoKey
			}
			return err
		}
		p, err := s.Billing.Statement(tx, id)
		if err == nil && p.Revoked() {
			err = errGone
		}
		if err == nil {
			document, logo = p, p.LogoKey
		}
		return err
	}); err != nil {
		return drive.File{}, err
	}
	picture, err := partners.KeptLogo(ctx, s.Blobs, logo)
	if err == nil {
		content, err = document.PDF(picture)
	}
	return whole(content, "application/pdf"), err
}

// pages are a document that can be printed.
type pages interface {
	PDF(logo []byte) ([]byte, error)
}

// whole is a file whose content is at hand.
func whole(content []byte, kind string) drive.File {
	return drive.File{Size: int64(len(content)), Sum: sha256.Sum256(content), Type: kind,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

// packed is a pack as it is kept: too large to be held in memory.
func (s *Service) packed(ctx context.Context, run *jobs.Run, id string) (f drive.File, err error) {
	var p pack.Pack
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { p, err = pack.Of(tx, id); return err }); err != nil {
		return f, err
	}
	sum, err := hex.DecodeString(p.Sum)
	if err != nil || len(sum) != sha256.Size {
		return f, fmt.Errorf("deliveries: pack %s has no sum", id)
	}
	return drive.File{Size: p.Bytes, Sum: [sha256.Size]byte(sum), Type: "application/zip", Open: func() (io.ReadCloser, error) {
		content, _, err := s.Blobs.Get(ctx, p.Key(run.TenantID))
		return content, err
	}}, nil
}

// reported is the report of a slot.
func (s *Service) reported(ctx context.Context, run *jobs.Run, object string) (f drive.File, err error) {
	schedule, at, _ := strings.Cut(object, "@")
	slot, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return f, err
	}
	content, format, err := s.Reports.MakeSlot(ctx, run, schedule, slot)
	if errors.Is(err, dedicated.ErrScheduleUnknown) {
		return f, errGone
	}
	kind := "application/pdf"
	if format != dedicated.PDF {
		kind = spreadsheet.Format(format).MediaType()
	}
	return whole(content, kind), err
}

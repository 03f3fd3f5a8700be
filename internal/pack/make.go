package pack

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/calendar"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// errChanged is the error of a month in which something changed while its pack was made: it is made again.
var errChanged = errors.New("pack: the month changed while its pack was made")

// run is the handler of MakeKind.
func (s *Service) run(ctx context.Context, run *jobs.Run) error {
	var id string
	if err := run.Into(&id); err != nil {
		return jobs.Permanent(err)
	}
	m := making{Service: s, run: run}
	if err := run.Read(ctx, func(tx *db.Tx) error { return m.begin(tx, id) }); errors.Is(err, ErrNotFound) || err == nil && m.State != Making {
		return nil
	} else if err != nil {
		return err
	}
	if m.former.Version > 0 {
		before, err := s.contentsOf(ctx, run.TenantID, &m.former)
		if err != nil {
			return err
		}
		m.differences = differences(before.Entries, m.contents.Entries)
		m.Changes = Changes{int64(len(m.differences)), m.differences[:min(listed, len(m.differences))], m.former.Figures}
	}
	file, err := os.CreateTemp("", "saldo-pack-*")
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := os.Remove(file.Name()); err != nil { // it is gone with its last use
		return err
	}
	if err := m.write(ctx, file); err != nil {
		return err
	}
	return m.keep(ctx, file)
}

// making is a pack on its way.
type making struct {
	*Service
	Pack
	run         *jobs.Run
	former      Pack // the version before; version 0: there is none
	contents    contents
	documents   []document
	partner     partners.Partner
	tables      []table
	differences []Change
	first, last calendar.Date

	archive *zip.Writer
	sums    bytes.Buffer
}

// document is one whose pages are still to be made.
type document struct {
	id, name string // of its file, without the ending
	file     bool   // machines can read it too
}

// table is a small file that is ready.
type table struct {
	name    string
	content []byte
}

// begin reads all of the month but the pages of its documents, at one moment.
func (m *making) begin(tx *db.Tx, id string) (err error) {
	if m.Pack, err = Of(tx, id); err != nil || m.State != Making {
		return err
	}
	if m.first, m.last, err = days(m.Month); err != nil {
		return err
	}
	former, err := db.Select[Pack](tx, query+` AND month = $2 AND version = $3 AND state = 'ready'`, m.Month, m.Version-1)
	if err != nil {
		return err
	}
	if len(former) > 0 {
		m.former = former[0]
	}
	if m.partner, err = partners.Own(tx); err != nil {
		return err
	}
	if m.contents, err = gather(tx, m.Month); err != nil {
		return err
	}
	m.Figures, m.Fingerprint = m.contents.Figures, m.contents.fingerprint()
	return m.tablesOf(tx)
}

// write makes the file: the same bytes for the same month and version. Names are in the order of their letters, and all times are the end
// of the month.
func (m *making) write(ctx context.Context, to io.Writer) error {
	m.archive = zip.NewWriter(to)
	if m.former.Version > 0 {
		content, err := m.changesTable()
		if err != nil {
			return err
		}
		m.tables = append(m.tables, table{"changes.csv", content})
	}
	m.tables = append(m.tables, table{"contents.txt", m.page()})
	slices.SortFunc(m.tables, func(a, b table) int { return cmp.Compare(a.name, b.name) })
	at, _ := slices.BinarySearchFunc(m.tables, folder, func(t table, name string) int { return cmp.Compare(t.name, name) })
	for _, t := range m.tables[:at] {
		if err := m.add(t.name, t.content); err != nil {
			return err
		}
	}
	if err := m.pages(ctx); err != nil {
		return err
	}
	for _, t := range m.tables[at:] {
		if err := m.add(t.name, t.content); err != nil {
			return err
		}
	}
	if err := m.add("sums.sha256", m.sums.Bytes()); err != nil {
		return err
	}
	return m.archive.Close()
}

func (m *making) add(name string, content []byte) error {
	end, err := time.Parse(time.DateOnly, string(m.last))
	if err != nil {
		return err
	}
	w, err := m.archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: end})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	fmt.Fprintf(&m.sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	m.Files++
	_, err = w.Write(content)
	return err
}

// folder is where the documents are.
const folder = "documents/"

// together is how many documents are read in one unit of work.
const together = 16

// pages makes the pages of the documents, few at a time, and says how far it is.
func (m *making) pages(ctx context.Context) error {
	slices.SortFunc(m.documents, func(a, b document) int { return cmp.Compare(a.name, b.name) })
	var logo []byte
	for done := 0; done < len(m.documents); done += together {
		some := m.documents[done:min(done+together, len(m.documents))]
		printed := make([]*billing.PDFDocument, len(some))
		files := make([][]byte, len(some))
		if err := m.run.Read(ctx, func(tx *db.Tx) (err error) {
			for i, d := range some {
				if printed[i], err = m.Billing.PDFDocument(tx, d.id); err != nil {
					return err
				}
				if d.file {
					if files[i], _, err = m.Billing.File(tx, d.id); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			return err
		}
		if done == 0 {
			var err error
			if logo, err = partners.KeptLogo(ctx, m.Blobs, printed[0].LogoKey); err != nil {
				return err
			}
		}
		for i, p := range printed {
			content, err := p.PDF(logo)
			if err != nil {
				return err
			}
			if err := m.add(folder+some[i].name+".pdf", content); err != nil {
				return err
			}
			if len(files[i]) == 0 {
				continue
			}
			if err := m.add(folder+some[i].name+".xml", files[i]); err != nil {
				return err
			}
		}
		if err := m.run.Progress(ctx, int64(done+len(some)), int64(len(m.documents))); err != nil {
			return err
		}
	}
	return nil
}

// keep stores the file, and what the month held beside it, and then says that it is there: unless something changed meanwhile.
func (m *making) keep(ctx context.Context, file *os.File) (err error) {
	if m.Bytes, err = file.Seek(0, io.SeekCurrent); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	tenant := m.run.TenantID
	if m.Sum, err = m.Blobs.Put(ctx, m.Key(tenant), file, m.Bytes); err != nil {
		return err
	}
	text := db.JSON(m.contents)
	if _, err := m.Blobs.Put(ctx, m.contentsKey(tenant), strings.NewReader(text), int64(len(text))); err != nil {
		return err
	}
	return m.run.Write(ctx, func(tx *db.Tx) error {
		now, err := gather(tx, m.Month)
		if err != nil {
			return err
		}
		if now.fingerprint() != m.Fingerprint {
			return errChanged
		}
		if m.former.Version > 0 && m.former.Fingerprint == m.Fingerprint { // what changed is as it was
			_, err = tx.Exec(`DELETE FROM accountant_packs WHERE tenant_id = $1 AND id = $2 AND state = 'making'`, m.ID)
		} else {
			_, err = tx.Exec(`UPDATE accountant_packs SET state = 'ready', fingerprint = $3, figures = $4, changes = $5, sum = $6, bytes = $7,
				files = $8, made_at = $9 WHERE tenant_id = $1 AND id = $2 AND state = 'making'`, m.ID, m.Fingerprint, m.Figures.Stored(),
				m.Changes.Stored(), m.Sum, m.Bytes, m.Files, tx.Now)
		}
		if err != nil {
			return err
		}
		return m.run.Finish(tx)
	})
}

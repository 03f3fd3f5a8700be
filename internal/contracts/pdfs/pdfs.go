// Package pdfs keeps the PDFs of partners that contract documents are made of: what is printed of them, and nothing else.
package pdfs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"saldo/internal/contracts/template"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/pdf"
)

// The limits of a partner's PDF.
const (
	Max   = files.PDFMost
	Pages = 40

	// most is how many PDFs a partner may have, used or not.
	most = 500
	// A PDF can be used for the first time for a day after it was uploaded. A day later it goes, if nothing uses it.
	usableFor = 24 * time.Hour
	keptFor   = 2 * usableFor
	lineMost  = 120_000 // bytes of what its pages say

	contentMost = 32 << 20
	sweptAtOnce = 200
)

var (
	// ErrRefused is the answer to a PDF that cannot be written on: encrypted, with a program, broken, or none.
	ErrRefused = fault.Declare(fault.Unsupported, "contracts.pdf_refused")
	// ErrLimits is the answer to a PDF that is too large, has too many pages, or is one more than a partner may have.
	ErrLimits = fault.Declare(fault.TooLarge, "contracts.pdf_limits")
	// ErrNotFound is the answer to using what is none of the partner's, or a PDF that was uploaded long ago and never used.
	ErrNotFound = fault.Declare(fault.NotFound, "contracts.not_found")
)

// Service has what PDFs are read and kept with.
type Service struct {
	Blobs  blob.Store
	Reader *files.Reader
}

// SheetSize is the size of a page in millimetres, as it is shown.
type SheetSize struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Sizes are those of all pages. They are kept as JSON.
type Sizes []SheetSize

// Scan reads them back.
func (s *Sizes) Scan(value any) error { return db.ScanJSON(value, s) }

// File is a partner's PDF. It never changes.
type File struct {
	ID          string
	Name        string
	BlobKey     string
	ContentHash string
	FileSize    int64
	Pages       Sizes
	Fields      template.Placements // that its form fields propose; names that are no placeholders are those of the form
	Lines       template.PageLines
	CreatedAt   time.Time
	CreatedBy   string
}

// Boxes are the sizes of its pages as placements are checked with.
func (f *File) Boxes() [][2]float64 {
	all := make([][2]float64, len(f.Pages))
	for i, p := range f.Pages {
		all[i] = [2]float64{p.Width, p.Height}
	}
	return all
}

// Received is a PDF that was read and is in the store, and no row names it yet.
type Received struct{ file File }

// Receive reads a PDF and keeps its pages, outside of a unit of work. What is kept is what is printed of it: no programs, forms,
// links or notes.
func (s Service) Receive(ctx context.Context, tenant, id, name string, from io.Reader) (g Received, err error) {
	content, err := io.ReadAll(io.LimitReader(from, Max+1))
	if err != nil {
		return g, err
	}
	read, err := s.Reader.Sheets(ctx, content, Pages)
	if err != nil {
		return g, refused(err)
	}
	sizes := make([][2]float64, len(read.Pages))
	for i, p := range read.Pages {
		sizes[i] = [2]float64{p.Width, p.Height}
	}
	sheets, err := pdf.TakeSheets(read.Content, sizes)
	if err != nil {
		return g, ErrRefused.With("why", files.Broken).Because(err)
	}
	kept := sheets.Bytes()
	g.file = File{ID: id, Name: fileName(name), ContentHash: hashOf(kept), FileSize: int64(len(kept)), Fields: template.Placements{},
		Pages: Sizes{}, Lines: template.PageLines{}, BlobKey: path.Join(tenant, "contracts", "templates", id)}
	g.file.describe(read.Pages, sheets)
	_, err = s.Blobs.Put(ctx, g.file.BlobKey, bytes.NewReader(kept), g.file.FileSize)
	return g, err
}

// Sum is that of its pages.
func (g Received) Sum() string { return g.file.ContentHash }

// fileName is the end of what a browser calls a file.
func fileName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	return validate.Cut(strings.ToValidUTF8(name, ""), 120)
}

// refused is the answer to what a PDF was refused for.
func refused(err error) error {
	var why files.Refused
	switch {
	case !errors.As(err, &why):
		return err
	case why.Code == files.TooLarge || why.Code == files.TooManyPages:
		return ErrLimits.Because(err)
	}
	return ErrRefused.With("why", why.Code).Because(err)
}

// describe writes down sizes, words and what the fields of a form propose.
func (f *File) describe(pages []files.Sheet, sheets *pdf.Sheets) {
	left := lineMost
	for n, p := range pages {
		wide, high := sheets.Size(n)
		tenth := func(mm float64) float64 { return template.Placement{X: mm}.Rounded().X }
		f.Pages = append(f.Pages, SheetSize{tenth(wide), tenth(high)})
		lines := []template.Line{}
		for _, l := range p.Lines {
			if left -= len(l.Text) + 40; left > 0 {
				lines = append(lines, template.Line{X: tenth(l.X * wide), Y: tenth(l.Y * high), W: tenth(l.W * wide), Text: l.Text})
			}
		}
		f.Lines = append(f.Lines, lines)
		for _, of := range p.Fields {
			at := template.Placement{Name: of.Name, Kind: of.Kind, Page: n + 1, X: of.Box.X0 * wide, Y: of.Box.Y0 * high,
				W: (of.Box.X1 - of.Box.X0) * wide, H: (of.Box.Y1 - of.Box.Y0) * high}.Rounded()
			at.Name = template.Proposed(at.Kind, at.Name)
			known := at
			if known.Name == "" { // its place is proposed, and people say what stands there
				known.Name = map[string]string{template.PlacedText: template.Names[0], template.PlacedCheck: template.Boxes[0],
					template.PlacedSignature: string(template.Driver)}[at.Kind]
			}
			if known.Wrong(f.Boxes()) == "" && len(f.Fields) < template.PlacementsMost {
				f.Fields = append(f.Fields, at)
			}
		}
	}
}

// Add writes down a PDF that was received.
func Add(tx *db.Tx, g Received) (File, error) {
	f := g.file
	f.CreatedAt, f.CreatedBy = tx.Now, tx.Actor.Name
	n, err := tx.Exec(`INSERT INTO template_files (tenant_id, id, name, blob_key, content_hash, file_size, pages, fields, lines, created_at,
		created_by) SELECT $1, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS BIGINT),
		CAST($7 AS TEXT), CAST($8 AS TEXT), CAST($9 AS TEXT), CAST($10 AS TEXT), CAST($11 AS TEXT)
		WHERE (SELECT COUNT(*) FROM template_files WHERE tenant_id = $1) < CAST($12 AS BIGINT)`, f.ID, f.Name, f.BlobKey, f.ContentHash,
		f.FileSize, db.JSON(f.Pages), db.JSON(f.Fields), db.JSON(f.Lines), db.Instant(f.CreatedAt), f.CreatedBy, int64(most))
	if err != nil {
		return f, err
	}
	if n == 0 {
		return f, ErrLimits
	}
	return f, audit.Record(tx, audit.Change{Action: "contracts.pdf_add", Kind: "template_file", ID: f.ID,
		After: map[string]any{"name": f.Name, "pages": len(f.Pages), "sum": f.ContentHash}})
}

// Drop deletes a PDF that no row names.
func (s Service) Drop(ctx context.Context, g Received) {
	_ = s.Blobs.Delete(context.WithoutCancel(ctx), g.file.BlobKey)
}

const fileColumns = `f.id, f.name, f.blob_key, f.content_hash, f.file_size, f.pages, f.fields, f.lines, f.created_at, f.created_by`

// ByID is one of the partner's PDFs.
func ByID(tx *db.Tx, id string) (File, error) {
	f, err := db.One[File](tx, `SELECT `+fileColumns+` FROM template_files f WHERE f.tenant_id = $1 AND f.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return f, err
}

// Content is what is kept of a PDF.
func (s Service) Content(ctx context.Context, f *File) ([]byte, error) {
	content, err := blob.Whole(ctx, s.Blobs, f.BlobKey, contentMost)
	if err == nil && hashOf(content) != f.ContentHash {
		err = errors.New("contracts: a PDF is not as it was kept")
	}
	return content, err
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Base is a PDF as pages are made of it.
func (s Service) Base(ctx context.Context, f *File) (*template.Base, error) {
	content, err := s.Content(ctx, f)
	if err != nil {
		return nil, err
	}
	sheets, err := pdf.ReadSheets(content)
	return &template.Base{Sheets: sheets, Lines: f.Lines}, err
}

// Usable refuses a PDF that nothing used within a day: it may be deleted soon.
func (f *File) Usable(tx *db.Tx) error {
	if tx.Now.Sub(f.CreatedAt) <= usableFor {
		return nil
	}
	used, err := db.One[int64](tx, `SELECT COUNT(*) FROM template_versions WHERE tenant_id = $1 AND file_id = $2`, f.ID)
	if err == nil && used == 0 {
		err = ErrNotFound
	}
	return err
}

// OfContract are the PDFs that the documents of a contract were made of.
func OfContract(tx *db.Tx, contract string) ([]File, error) {
	return db.Select[File](tx, `SELECT `+fileColumns+` FROM template_files f WHERE f.tenant_id = $1 AND f.id IN
		(SELECT d.file_id FROM contract_documents d WHERE d.tenant_id = $1 AND d.contract_id = $2 AND d.removed_at = '')`, contract)
}

// DeleteUnused deletes the rows of PDFs that nobody needs, some at a time, and says where the files are: no text in force is made of them
// for two days, and no contract that is not erased.
func DeleteUnused(tx *db.Tx) (keys []string, err error) {
	type row struct{ TenantID, ID, BlobKey string }
	unused, err := db.Select[row](tx.Across(), `SELECT f.tenant_id, f.id, f.blob_key FROM template_files f WHERE f.created_at < $1
		AND NOT EXISTS (SELECT 1 FROM template_versions v JOIN document_templates t ON t.tenant_id = v.tenant_id AND t.id = v.template_id
			WHERE v.tenant_id = f.tenant_id AND v.file_id = f.id
			AND (t.deleted_at = '' AND t.version = v.version OR t.changed_at >= $1 OR t.deleted_at >= $1))
		AND NOT EXISTS (SELECT 1 FROM contract_documents d JOIN contracts c ON c.tenant_id = d.tenant_id AND c.id = d.contract_id
			WHERE d.tenant_id = f.tenant_id AND d.file_id = f.id AND c.erased_at = '' AND c.state <> 'deleted')
		ORDER BY f.created_at LIMIT $2`,
		tx.Now.Add(-keptFor), sweptAtOnce)
	if err != nil {
		return nil, err
	}
	for _, f := range unused {
		if _, err := tx.Across().Exec(`DELETE FROM template_files WHERE tenant_id = $1 AND id = $2`, f.TenantID, f.ID); err != nil {
			return nil, err
		}
		keys = append(keys, f.BlobKey)
	}
	return keys, nil
}

// Wrong names PDFs that are not as they were kept, and says how many there are.
func (s Service) Wrong(ctx context.Context, tx *db.Tx) (found []string, files int, err error) {
	all, err := db.Select[File](tx, `SELECT `+fileColumns+` FROM template_files f WHERE f.tenant_id = $1 ORDER BY f.id`)
	for i := range all {
		if _, err := s.Content(ctx, &all[i]); err != nil {
			found = append(found, fmt.Sprintf("the PDF %s of a template: %s", all[i].ID, err))
		}
	}
	return found, len(all), err
}

package imports

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
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/vault"
)

// Limits of an upload.
const (
	FileMax  = 256 << 20
	AtOnce   = 2 << 20 // what is read while the person waits; larger files are read in a job
	cityMax  = 100
	daysMost = 366 // of a span that is chosen
)

// The kinds of jobs.
const (
	AnalyzeKind = "imports.analyze"
	ConfirmKind = "imports.confirm"
)

const importKind = "import"

// Checked is the order in its one form, or a fault that names every wrong field.
func (o Order) Checked() (Order, error) {
	wrong := ErrInvalid
	if _, known := kinds.ProviderOf(o.Chosen); o.Chosen != "" && !known {
		wrong = wrong.Field("provider", fault.NotOneOf)
	}
	o.City = strings.Join(strings.Fields(norm.NFC.String(o.City)), " ")
	if utf8.RuneCountInString(o.City) > cityMax || strings.ContainsFunc(o.City, unicode.IsControl) {
		wrong = wrong.Field("city", fault.TooLong, "max", fmt.Sprint(cityMax))
	}
	for _, span := range []struct {
		name     string
		from, to *calendar.Date
	}{{"dates", &o.DatesFrom, &o.DatesTo}, {"bonus", &o.BonusFrom, &o.BonusTo}} {
		for _, end := range []struct {
			name string
			day  calendar.Date
		}{{span.name + "From", *span.from}, {span.name + "To", *span.to}} {
			_, err := calendar.ParseDate(string(end.day))
			if end.day != "" && (err != nil || end.day < statement.FirstDay || end.day > statement.LastDay) {
				wrong = wrong.Field(end.name, fault.WrongFormat)
			}
		}
		if len(wrong.Fields) > 0 {
			continue
		}
		switch {
		case *span.from == "":
			*span.from = *span.to
		case *span.to == "":
			*span.to = *span.from
		case *span.to < *span.from:
			wrong = wrong.Field(span.name+"To", fault.TooSmall, "min", string(*span.from))
		case span.to.DaysSince(*span.from) >= daysMost:
			wrong = wrong.Field(span.name+"To", fault.TooBig, "max", string(span.from.AddDays(daysMost-1)))
		}
	}
	if len(wrong.Fields) > 0 {
		return o, wrong
	}
	return o, nil
}

// blobKey is where the content of an upload is kept.
func blobKey(tenant, id string) string { return path.Join(tenant, "imports", id) }

// Upload is a file that arrives, from whatever source, and what is said about it.
type Upload struct {
	Name    string
	Content io.Reader // is read once
	Size    int64     // -1: not known
	Source  string    // connection that it was fetched by; empty: a person uploads it
	Order   Order
	// Once is for sources that may send a file twice: it accepts the import in this unit of work, or names the import that the file was
	// accepted as before. Nil: every file is accepted.
	Once func(tx *db.Tx, i Import, accept func() error) (id string, err error)
}

// Uploaded is a file that was accepted, what it was recognised as, and what there is to answer before it can be confirmed.
type Uploaded struct {
	Import
	Preview *pipeline.Preview // nil: it is read in a job, or there is nothing to show
	Refused *fault.Fault      // why it failed; nil: it did not
}

// Upload keeps a file, analyzes a small one at once and leaves a job for a large one. The content is in the store before a row names
// it, and outside every unit of work. Where no row names it in the end it is deleted again; after an error that leaves this open it is
// kept.
func (d *Service) Upload(ctx context.Context, who access.Actor, u Upload) (up Uploaded, err error) {
	up.FileName, up.Source, up.ID = validate.FileName(u.Name), u.Source, uuid.Must(uuid.NewV7()).String()
	if up.Order, err = u.Order.Checked(); err != nil {
		return up, err
	}
	up.BlobKey = blobKey(who.Tenant, up.ID)
	content := &intake{source: u.Content, most: FileMax, keep: AtOnce}
	if u.Size > FileMax {
		return up, errTooLarge
	}
	if up.ContentHash, err = d.Blobs.Put(ctx, up.BlobKey, content, u.Size); err != nil {
		return up, err
	}
	up.Size = content.size
	accepted := ""
	if up, err = d.recognise(ctx, who, up, bytes.NewReader(content.start)); err == nil {
		err = d.DB.Write(ctx, who, func(tx *db.Tx) (err error) {
			accepted = up.ID
			if u.Once == nil {
				return d.accept(tx, up)
			}
			accepted, err = u.Once(tx, up.Import, func() error { return d.accept(tx, up) })
			return err
		})
	}
	refused := new(fault.Fault)
	if accepted != up.ID && (err == nil || errors.As(err, &refused)) {
		_ = d.Blobs.Delete(context.WithoutCancel(ctx), up.BlobKey) // certainly no row names it
	}
	return up, err
}

// errTooLarge is the answer to a file of more than FileMax bytes.
var errTooLarge = pipeline.ErrTooLarge.With("part", "").With("line", "")

// intake reads a content up to a size, and keeps its start.
type intake struct {
	source io.Reader
	most   int64
	keep   int64
	size   int64
	start  []byte // the whole of a content that is no longer than keep
}

// Read refuses what is longer than it may be.
func (in *intake) Read(p []byte) (int, error) {
	n, err := in.source.Read(p)
	if in.start = append(in.start, p[:min(int64(n), max(0, in.keep-in.size))]...); in.size+int64(n) > in.most {
		return 0, errTooLarge
	}
	in.size += int64(n)
	return n, err
}

// recognise analyzes an upload whose content is in the store already. A small
// file is analyzed at once; a large one is left to the job. It writes nothing.
func (d *Service) recognise(ctx context.Context, who access.Actor, up Uploaded, content io.ReaderAt) (Uploaded, error) {
	err := d.DB.Read(ctx, who, func(tx *db.Tx) (err error) {
		up.Status, up.Preview, up.Refused = Analyzing, nil, nil
		if up.DuplicateOf, err = twinOf(tx, up.Import); err != nil {
			return err
		}
		if up.DuplicateOf != "" && !up.AllowDuplicates {
			up.Status = Duplicated
			return nil
		}
		if up.Size > AtOnce {
			return nil
		}
		mappings, err := mappingsFor(tx, up.Import)
		if err != nil {
			return err
		}
		recognised, found, err := d.pipeline().Analyze(ctx, tx, up.file(content, mappings), nil)
		if refused := new(fault.Fault); errors.As(err, &refused) {
			up.fail(refused)
			up.Refused = refused
			if len(found.Parts) > 0 {
				up.Preview = &found
				up.Encoding, up.Delimiter = found.Parts[0].Encoding, found.Parts[0].Delimiter
			}
			return nil
		}
		if err != nil {
			return err
		}
		up.analyzed(recognised, found)
		up.Preview = &found
		return nil
	})
	return up, err
}

// analyzed takes what reading the file came to.
func (i *Import) analyzed(as pipeline.Recognised, preview pipeline.Preview) {
	i.Recognised, i.Counts, i.Totals, i.Status = as, preview.Counts, preview.Totals, InPreview
}

// file is the import as it is read.
func (i Import) file(content io.ReaderAt, mappings []pipeline.Mapping) pipeline.File {
	return pipeline.File{ImportID: i.ID, Name: i.FileName, Content: content, Size: i.Size, Chosen: i.Chosen,
		Dates: statement.Span{From: i.DatesFrom, To: i.DatesTo}, Bonus: statement.Span{From: i.BonusFrom, To: i.BonusTo},
		MergeByName: i.MergeByName, DuplicateOf: i.DuplicateOf, Mappings: mappings, Recognised: i.Recognised}
}

func (d *Service) pipeline() pipeline.Pipeline {
	return pipeline.Pipeline{Instance: d.Instance, Layouts: d.Layouts}
}

func (i *Import) fail(f *fault.Fault) {
	i.Status, i.Fault, i.FaultParams = Failed, f.Code, f.Params
}

// twinOf is the import that brought the same content and stands; empty: none. One that was kept as detail has booked nothing.
func twinOf(tx *db.Tx, i Import) (string, error) {
	found, err := db.Select[string](tx, `SELECT id FROM imports WHERE tenant_id = $1 AND content_hash = $2 AND id <> $3 AND status = 'success'
		AND booked_as <> 'detail' ORDER BY id LIMIT 1`, i.ContentHash, i.ID)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// accept writes down what was recognised, and leaves a job where the file is
// still to be read.
func (d *Service) accept(tx *db.Tx, i Uploaded) error {
	stored := ""
	if i.Preview != nil {
		stored = db.JSON(i.Preview)
	}
	if _, err := tx.Exec(`INSERT INTO imports (tenant_id, id, provider, chosen, kind, status, file_name, blob_key, content_hash, size,
		encoding,
		delimiter, period_from, period_to, period_source, city,
		dates_from, dates_to, bonus_from, bonus_to, allow_duplicates, merge_by_name, duplicate_of, booked_as, counts, totals, preview, fault,
		fault_params, uploaded_at, uploaded_by,
		confirmed_at, confirmed_by, finished_at, removed_at, removed_by, source)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, '', $24, $25, $26, $27,
		$28, $29, $30, '', '', '', '', '', $31)`,
		i.ID, i.provider(), i.Chosen, i.Kind, string(i.Status), i.FileName, i.BlobKey, i.ContentHash, i.Size, i.Encoding, i.Delimiter,
		string(i.PeriodFrom), string(i.PeriodTo), i.PeriodSource, i.City,
		string(i.DatesFrom), string(i.DatesTo), string(i.BonusFrom), string(i.BonusTo), i.AllowDuplicates, i.MergeByName, i.DuplicateOf,
		db.JSON(i.Counts), db.JSON(i.Totals),
		stored, i.Fault, db.JSON(i.FaultParams), tx.Now, tx.Actor.Name, i.Source); err != nil {
		return err
	}
	if i.Status == Analyzing {
		if err := jobs.Enqueue(tx, jobs.Order{Kind: AnalyzeKind, Key: i.ID, Payload: ticket{i.ID}}); err != nil {
			return err
		}
	}
	return audit.Record(tx, audit.Change{Action: "imports.upload", Kind: importKind, ID: i.ID,
		After: map[string]any{"file": i.FileName, "contentHash": i.ContentHash, "status": i.Status}})
}

// provider is what was recognised, or else what was chosen.
func (i Import) provider() string {
	if i.Provider == "" {
		return i.Chosen
	}
	return i.Provider
}

// ticket is the payload of both jobs.
type ticket struct {
	ID string `json:"id"`
}

// localFile is an uploaded content at hand.
type localFile struct {
	io.ReaderAt
	size int64
	file io.Closer // nil: somebody else's
	far  int64     // how far it was read
}

// ReadAt notes how far the file was read.
func (l *localFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := l.ReaderAt.ReadAt(p, at)
	l.far = max(l.far, at+int64(n))
	return n, err
}

// Close lets go of the file.
func (l *localFile) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Original opens the file as it was uploaded, and tells its size.
func (d *Service) Original(ctx context.Context, i Import) (content io.ReadCloser, size int64, err error) {
	if i.BlobKey == "" {
		return nil, 0, ErrFileGone
	}
	return d.Blobs.Get(ctx, i.BlobKey)
}

// fetch opens the stored content of an import to be read anywhere, and refuses
// what is not what was uploaded.
func (d *Service) fetch(ctx context.Context, i Import) (*localFile, error) {
	if i.BlobKey == "" {
		return nil, ErrFileGone
	}
	file, err := d.Blobs.Fetch(ctx, i.BlobKey)
	if err != nil {
		return nil, changed(err)
	}
	sum := sha256.New()
	_, err = io.Copy(sum, io.NewSectionReader(file, 0, file.Size))
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != i.ContentHash {
		err = ErrFileChanged
	}
	if err != nil {
		return nil, changed(errors.Join(err, file.Close()))
	}
	return &localFile{ReaderAt: file, size: file.Size, file: file}, nil
}

// changed calls damage at rest what it is to the person.
func changed(err error) error {
	if errors.Is(err, vault.ErrFileDamaged) {
		return ErrFileChanged.Because(err)
	}
	return err
}

// Analyze is the job that reads a large file and makes its preview.
func (d *Service) Analyze(ctx context.Context, run *jobs.Run) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var i Import
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { i, err = Of(tx, t.ID); return err }); err != nil {
		return err
	}
	if i.Status != Analyzing {
		return nil
	}
	recognised, preview, err := d.analyzeStored(ctx, run, i)
	analyzed := i
	refused := new(fault.Fault)
	switch {
	case errors.As(err, &refused):
		analyzed.fail(refused)
		if len(preview.Parts) > 0 {
			analyzed.Encoding, analyzed.Delimiter = preview.Parts[0].Encoding, preview.Parts[0].Delimiter
		}
	case err != nil && run.Attempts >= run.MaxAttempts:
		analyzed.fail(ErrJobFailed)
	case err != nil:
		return err
	default:
		analyzed.analyzed(recognised, preview)
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		stored := ""
		if len(preview.Parts) > 0 {
			stored = db.JSON(preview)
		}
		// who cancelled it meanwhile wins
		if _, err := tx.Exec(`UPDATE imports SET provider = $3, kind = $4, status = $5, encoding = $6, delimiter = $7, period_from = $8,
			period_to = $9, period_source = $10, counts = $11,
			totals = $12, preview = $13, fault = $14, fault_params = $15 WHERE tenant_id = $1 AND id = $2 AND status = 'analyzing'
			AND readings = $16`, i.ID,
			analyzed.provider(), analyzed.Kind, string(analyzed.Status),
			analyzed.Encoding, analyzed.Delimiter, string(analyzed.PeriodFrom), string(analyzed.PeriodTo), analyzed.PeriodSource,
			db.JSON(analyzed.Counts),
			db.JSON(analyzed.Totals), stored,
			analyzed.Fault, db.JSON(analyzed.FaultParams), i.Readings); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}

func (d *Service) analyzeStored(ctx context.Context, run *jobs.Run, i Import) (as pipeline.Recognised, preview pipeline.Preview,
	err error) {
	file, err := d.fetch(ctx, i)
	if err != nil {
		return as, preview, err
	}
	defer file.Close()
	if err := run.Progress(ctx, 0, 0); err != nil {
		return as, preview, err
	}
	read := d.track(i.ID)
	defer d.paces.Delete(i.ID)
	err = run.Read(ctx, func(tx *db.Tx) error {
		mappings, err := mappingsFor(tx, i)
		if err != nil {
			return err
		}
		as, preview, err = d.pipeline().Analyze(ctx, tx, i.file(file, mappings), func(rows int64) {
			read.done.Store(rows)
			read.total.Store(max(rows, rows*file.size/max(1, file.far))) // if the rest is like what was read
		})
		return err
	})
	return as, preview, err
}

// Refused writes the rows of a file that were not imported, with their reasons, as a sheet that can be corrected and uploaded.
func (d *Service) Refused(ctx context.Context, who access.Actor, id string, format spreadsheet.Format, language i18n.Language,
	to io.Writer) error {
	var i Import
	if err := d.DB.Read(ctx, who, func(tx *db.Tx) (err error) { i, err = Of(tx, id); return err }); err != nil {
		return err
	}
	file, err := d.fetch(ctx, i)
	if err != nil {
		return err
	}
	defer file.Close()
	return d.DB.Read(ctx, who, func(tx *db.Tx) error {
		mappings, err := mappingsFor(tx, i)
		if err != nil {
			return err
		}
		return d.pipeline().WriteRefused(ctx, tx, i.file(file, mappings), format, language, to)
	})
}

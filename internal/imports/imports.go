// Package imports brings providers' files to transactions: upload, preview,
// confirm, log, removal and described layouts. A file is imported whole or not at all, and no row of it twice.
package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"saldo/internal/imports/counts"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "imports.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "imports.invalid")
	// ErrNotReady is the answer to confirming what is still being read.
	ErrNotReady = fault.Declare(fault.Conflict, "imports.not_ready")
	// ErrOver is the answer to confirming or cancelling what has ended.
	ErrOver = fault.Declare(fault.Conflict, "imports.over")
	// ErrDuplicated is the answer to confirming the content of another import.
	ErrDuplicated = fault.Declare(fault.Conflict, "imports.duplicated")
	// ErrNothingToBook is the answer to confirming a file of which nothing would be booked.
	ErrNothingToBook = fault.Declare(fault.Conflict, "imports.nothing_to_book")
	// ErrNotImported is the answer to removing what has brought nothing.
	ErrNotImported = fault.Declare(fault.Conflict, "imports.not_imported")
	// ErrFileChanged is the answer to a stored file that is not what was uploaded.
	ErrFileChanged = fault.Declare(fault.Conflict, "imports.file_changed")
	// ErrReadAgain is the answer to confirming what was read once more since the person saw it.
	ErrReadAgain = fault.Declare(fault.Conflict, "imports.read_meanwhile")
	// ErrJobFailed is why an import failed whose job failed every time.
	ErrJobFailed = fault.Declare(fault.Internal, "imports.gave_up")
)

// Status is where an import stands.
type Status string

// The statuses. Analyzing is separate from the preview since there is nothing to
// confirm yet.
const (
	Analyzing  Status = "analyzing" // being read, in a job
	InPreview  Status = "preview"
	Running    Status = "running" // confirmed, being written
	Success    Status = "success"
	Failed     Status = "failed"
	Duplicated Status = "duplicated"
	Removing   Status = "removing" // a job takes its rows back; it counts as removed
	Removed    Status = "removed"
	Cancelled  Status = "cancelled"
)

// Statuses lists all of them, for the contract.
func Statuses() []Status {
	return []Status{Analyzing, InPreview, Running, Success, Failed, Duplicated, Removing, Removed, Cancelled}
}

// Service imports files.
type Service struct {
	DB       *db.DB
	Blobs    blob.Store
	Instance config.Instance
	Layouts  []statement.Layout

	// paces are how far open units of work are, which nobody can see from
	// outside; import id → *pace
	paces sync.Map
	// stops end the open units of work of this process; tenant and import id → context.CancelFunc
	stops sync.Map
}

// Order is what a person says about a file.
type Order struct {
	Chosen             string // provider; empty: as recognised
	City               string
	DatesFrom, DatesTo calendar.Date // for rows without a date
	BonusFrom, BonusTo calendar.Date // for bonuses without a date
	AllowDuplicates    bool
	MergeByName        bool
}

// Import is an uploaded file and what became of it.
type Import struct {
	ID                   string
	Status               Status
	FileName             string
	Source               string // connection that it was fetched by; empty: a person uploaded it
	BlobKey, ContentHash string
	Size                 int64
	pipeline.Recognised
	Order
	DuplicateOf string
	BookedAs    string
	Restated    string
	Counts      counts.Counts
	Totals      counts.Totals
	Fault       string
	FaultParams Params
	UploadedAt  time.Time
	UploadedBy  string
	ConfirmedAt time.Time
	ConfirmedBy string
	FinishedAt  time.Time
	RemovedAt   time.Time
	RemovedBy   string
	Readings    int64 // how often it was read
}

// Params are what the text of a fault shows.
type Params map[string]string

// Scan reads the parameters back.
func (p *Params) Scan(value any) error { return db.ScanJSON(value, p) }

const importColumns = `id, provider, chosen, kind, CASE WHEN removing THEN 'removing' ELSE status END AS status, file_name, source,
	blob_key, content_hash, size, encoding, delimiter, period_from, period_to, period_source, city, dates_from, dates_to,
	bonus_from, bonus_to, allow_duplicates, merge_by_name, duplicate_of, booked_as, restated, counts, totals, fault, fault_params, uploaded_at,
	uploaded_by, confirmed_at,
	confirmed_by, finished_at, removed_at, removed_by, readings`

// Of finds one import.
func Of(tx *db.Tx, id string) (Import, error) {
	i, err := db.One[Import](tx, `SELECT `+importColumns+` FROM imports WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return i, ErrNotFound
	}
	return i, err
}

// PreviewOf is what was shown of an import before it was confirmed.
func PreviewOf(tx *db.Tx, id string) (s pipeline.Preview, err error) {
	text, err := db.One[string](tx, `SELECT preview FROM imports WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return s, ErrNotFound
	}
	if err != nil || text == "" {
		return s, err
	}
	return s, json.Unmarshal([]byte(text), &s)
}

// Progress is how far a job is, in rows.
type Progress struct {
	State       jobs.State
	Done, Total int64
}

// ProgressOf says how far the job of an import is; nil: it has none.
func (d *Service) ProgressOf(tx *db.Tx, i Import) (*Progress, error) {
	kind, has := map[Status]string{Analyzing: AnalyzeKind, Running: ConfirmKind, Removing: RemoveKind}[i.Status]
	if !has {
		return nil, nil
	}
	job, err := jobs.Latest(tx, kind, i.ID)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}
	p := &Progress{job.State, job.Done, job.Total}
	if open, ok := d.paces.Load(i.ID); ok {
		open := open.(*pace)
		p.Done, p.Total = max(p.Done, open.done.Load()), max(p.Total, open.total.Load())
	}
	return p, err
}

// Filter says which imports are wanted. What is empty filters nothing.
type Filter struct {
	Status, Provider string
	After            string // Next of the page before
	Limit            int
}

// Find are the newest imports whose file name holds a text.
func Find(tx *db.Tx, text string, limit int64) ([]Import, error) {
	return db.Select[Import](tx, `SELECT `+importColumns+` FROM imports WHERE tenant_id = $1 AND LOWER(file_name) LIKE $2 ESCAPE '!'
		ORDER BY id DESC LIMIT $3`, "%"+db.Literal(strings.ToLower(text))+"%", limit)
}

// NamesOf are the names of the files of imports.
func NamesOf(tx *db.Tx, ids []string) (map[string]string, error) {
	names := map[string]string{}
	for some := range slices.Chunk(ids, 200) {
		in, args := db.Among(2, some)
		found, err := db.Select[struct{ ID, FileName string }](tx, `SELECT id, file_name FROM imports WHERE tenant_id = $1 AND id`+in, args...)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			names[f.ID] = f.FileName
		}
	}
	return names, nil
}

// ToConfirm is how many files were read and neither confirmed nor discarded.
func ToConfirm(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM imports WHERE tenant_id = $1 AND status = 'preview' AND NOT removing`)
}

// Page is a page of imports, newest first.
type Page struct {
	Imports []Import
	Next    string // empty: it is the last
}

// All lists imports.
func All(tx *db.Tx, f Filter) (p Page, err error) {
	where, args := []string{"tenant_id = $1"}, []any{}
	for _, c := range []struct{ condition, value string }{{"CASE WHEN removing THEN 'removing' ELSE status END = $%d", f.Status},
		{"provider = $%d", f.Provider}, {"id < $%d", f.After}} {
		if c.value != "" {
			args = append(args, c.value)
			where = append(where, fmt.Sprintf(c.condition, len(args)+1))
		}
	}
	p.Imports, err = db.Select[Import](tx, fmt.Sprintf(`SELECT %s FROM imports WHERE %s ORDER BY id DESC LIMIT %d`, importColumns,
		strings.Join(where, " AND "), f.Limit+1), args...)
	if len(p.Imports) > f.Limit {
		p.Imports = p.Imports[:f.Limit]
		p.Next = p.Imports[f.Limit-1].ID
	}
	return p, err
}

package invoices

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/invoices/checks"
	"saldo/internal/invoices/files"
	"saldo/internal/invoices/reading"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

const (
	// ReadKind is the job that reads a file.
	ReadKind = "invoices.read"
	// SweepKind is the job that forgets what was read for forms that nobody sent.
	SweepKind = "invoices.sweep"

	// readingFor is how long reading one file may take.
	readingFor = 60 * time.Second
	// ReadingKept is how long what was read of a file is used again.
	ReadingKept = 24 * time.Hour
	// readingsHourly is how many files a person may have read for forms in an hour.
	readingsHourly = 20
)

// The states of a reading.
const (
	Waiting = "waiting"
	Done    = "done"
)

// Reading is what was read from a file.
type Reading struct {
	ID, DriverID, ContentHash, BlobKey string
	Temporary                          bool
	State                              string
	Engine                             string
	TookMs                             int64
	Result                             reading.Result
	CreatedAt, DoneAt                  time.Time
}

type storedReading struct {
	ID, DriverID, ContentHash, BlobKey string
	Temporary                          bool
	State                              string
	Source                             reading.Source
	Engine                             string
	TookMs                             int64
	Result                             string
	CreatedAt, DoneAt                  time.Time
}

const readingColumns = `id, driver_id, content_hash, blob_key, temporary, state, source, engine, took_ms, result, created_at, done_at`

func readings(tx *db.Tx, condition string, args ...any) (Reading, error) {
	s, err := db.One[storedReading](tx, `SELECT `+readingColumns+` FROM invoice_readings WHERE tenant_id = $1 AND `+condition, args...)
	if err != nil {
		return Reading{}, err
	}
	r := Reading{ID: s.ID, DriverID: s.DriverID, ContentHash: s.ContentHash, BlobKey: s.BlobKey, Temporary: s.Temporary, State: s.State,
		Engine: s.Engine, TookMs: s.TookMs, CreatedAt: s.CreatedAt, DoneAt: s.DoneAt}
	if s.State == Done {
		err = json.Unmarshal([]byte(s.Result), &r.Result)
	}
	return r, err
}

// readingOf is the newest reading of a file, or an empty one.
func readingOf(tx *db.Tx, sum string) (Reading, error) {
	r, err := readings(tx, `content_hash = $2 ORDER BY created_at DESC, id DESC LIMIT 1`, sum)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}
	return r, err
}

type ticket struct{ Reading string }

// read leaves the job that reads an invoice's file, unless the file was read of late: then it gives what was found.
func (d *Service) read(tx *db.Tx, i *Invoice, key string) (*Reading, error) {
	known, err := readingOf(tx, i.ContentHash)
	if err != nil {
		return nil, err
	}
	switch {
	case known.State == Waiting:
		return nil, nil
	case known.State == Done && tx.Now.Sub(known.DoneAt) < ReadingKept:
		return &known, nil
	}
	return nil, order(tx, storedReading{ID: tx.NewID(), DriverID: i.DriverID, ContentHash: i.ContentHash, BlobKey: key, State: Waiting,
		CreatedAt: tx.Now})
}

func order(tx *db.Tx, r storedReading) error {
	if err := db.Insert(tx, "invoice_readings", r); err != nil {
		return err
	}
	return jobs.Enqueue(tx, jobs.Order{Kind: ReadKind, Key: r.ID, Payload: ticket{r.ID}, Attempts: 3})
}

// ReadForForm has a file read for a form that is not sent yet. A file that was read of late is not read again.
func (d *Service) ReadForForm(tx *db.Tx, who Person, r Received) (Reading, error) {
	if who.Side == ByDriver {
		if err := taken(tx); err != nil {
			return Reading{}, err
		}
	}
	known, err := readingOf(tx, r.ContentHash)
	if err != nil || known.State == Waiting || known.State == Done && tx.Now.Sub(known.DoneAt) < ReadingKept {
		return known, err
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM invoice_readings WHERE tenant_id = $1 AND temporary AND driver_id = $2
		AND created_at > $3`, who.driver, tx.Now.Add(-time.Hour))
	most := readingsHourly
	if who.Side == ByPartner {
		most = partnersMost
	}
	if err == nil && n >= int64(most) {
		err = ErrTooMany.With("max", most).After(10 * time.Minute)
	}
	if err != nil {
		return Reading{}, err
	}
	one := storedReading{ID: tx.NewID(), DriverID: who.driver, ContentHash: r.ContentHash, BlobKey: r.BlobKey, Temporary: true, State: Waiting,
		CreatedAt: tx.Now}
	return Reading{ID: one.ID, State: Waiting, BlobKey: r.BlobKey}, order(tx, one)
}

// ReadingByID is a reading that a person asked for.
func ReadingByID(tx *db.Tx, who Person, id string) (Reading, error) {
	r, err := readings(tx, `id = $2`, id)
	if errors.Is(err, db.ErrNone) || err == nil && who.Side == ByDriver && r.DriverID != who.driver {
		return Reading{}, ErrNotFound
	}
	return r, err
}

// DriverNamed is a driver by name.
type DriverNamed struct{ ID, FirstName, LastName string }

// DriverOf is the driver whose vehicle a file names: the one who drives it by contract today, else that of the newest approved invoice
// with that plate. Nil: no plate was read, or nobody's is known. It is a proposal, since vehicles change hands.
func (d *Service) DriverOf(tx *db.Tx, r *Reading) (*DriverNamed, error) {
	plate, _ := r.Result.Field(reading.Registration)
	if checks.Plate(plate.Value) == "" {
		return nil, nil
	}
	by, err := drivers.DriversOf(tx, checks.Plate(plate.Value), d.today(tx))
	if err != nil {
		return nil, err
	}
	if len(by) == 1 {
		one, err := db.One[DriverNamed](tx, `SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND id = $2`, by[0])
		return &one, err
	}
	found, err := db.Select[DriverNamed](tx, `SELECT c.id, c.first_name, c.last_name FROM invoice_images i
		JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id
		JOIN drivers c ON c.tenant_id = d.tenant_id AND c.id = `+drivers.CanonicalID("d")+`
		WHERE i.tenant_id = $1 AND i.registration = $2 AND i.state = 'approved' AND i.deleted_at = ''
		ORDER BY i.issued_on DESC, i.id DESC LIMIT 1`, checks.Plate(plate.Value))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// ReadingOf is what was read from the current file of an invoice; an empty one: nothing yet.
func ReadingOf(tx *db.Tx, i *Invoice) (Reading, error) { return readingOf(tx, i.ContentHash) }

// Read reads a file and fills the forms of invoices that have it, as far as nobody has typed. However it ends, the file stays.
func (d *Service) Read(ctx context.Context, job *jobs.Run) error {
	var t ticket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var r Reading
	var hints reading.Hints
	err := job.Read(ctx, func(tx *db.Tx) (err error) {
		if r, err = readings(tx, `id = $2`, t.Reading); err == nil && r.State == Waiting {
			hints, err = d.hints(tx, r.DriverID)
		}
		return err
	})
	if errors.Is(err, db.ErrNone) || err == nil && r.State == Done {
		return nil
	}
	if err != nil {
		return err
	}
	content, err := d.Content(ctx, r.BlobKey)
	if err != nil {
		return err
	}
	began := d.DB.Now()
	limited, cancel := context.WithTimeout(ctx, cmp.Or(d.Longest, readingFor))
	r.Result, err = d.Reader.Read(limited, content, hints)
	cancel()
	var refused files.Refused
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	if err != nil {
		r.Result = reading.Result{Source: reading.None}
	}
	r.TookMs = d.DB.Now().Sub(began).Milliseconds()
	return job.Write(ctx, func(tx *db.Tx) error {
		if err := d.finish(tx, &r); err != nil {
			return err
		}
		return job.Finish(tx)
	})
}

// OnReadFailure lets a person type what could not be read.
func (d *Service) OnReadFailure(tx *db.Tx, job *jobs.Run, _ error) error {
	var t ticket
	if err := job.Into(&t); err != nil {
		return nil // it names no reading, and so nobody waits for it
	}
	r, err := readings(tx, `id = $2`, t.Reading)
	if errors.Is(err, db.ErrNone) || err == nil && r.State == Done {
		return nil
	}
	if err != nil {
		return err
	}
	r.Result = reading.Result{Source: reading.None}
	return d.finish(tx, &r)
}

// finish writes down what was read and fills the invoices that wait for it.
func (d *Service) finish(tx *db.Tx, r *Reading) error {
	if _, err := tx.Exec(`UPDATE invoice_readings SET state = 'done', source = $3, engine = $4, took_ms = $5, result = $6, done_at = $7
		WHERE tenant_id = $1 AND id = $2`, r.ID, string(r.Result.Source), r.Result.Engine, r.TookMs, db.JSON(r.Result), tx.Now); err != nil {
		return err
	}
	waiting, err := db.Select[Invoice](tx, `SELECT i.`+columns+` FROM invoice_images i WHERE i.tenant_id = $1 AND i.content_hash = $2
		AND i.state IN ('uploaded', 'to_describe', 'to_verify') AND i.source = '' AND i.deleted_at = ''`, r.ContentHash)
	if err != nil {
		return err
	}
	for n := range waiting {
		i := &waiting[n]
		d.fill(i, r)
		if err := i.store(tx); err != nil {
			return err
		}
	}
	return nil
}

// fill puts what was read into the fields that nobody has typed (mayFill). What is not sure enough stays a hint beside the form, and what
// somebody has described already stays as it is.
func (d *Service) fill(i *Invoice, r *Reading) {
	i.Source = r.Result.Source
	if i.Source == "" {
		i.Source = reading.None
	}
	if n := r.Result.Pages; n > 0 {
		i.Pages = int64(n)
	}
	if i.State != Uploaded && i.State != ToDescribe {
		return
	}
	for _, f := range r.Result.Fields {
		if f.Sure < reading.LookFrom || !i.mayFill(f.Name) {
			continue
		}
		next, ok := withText(i.Details, f.Name, f.Value)
		form := validate.New(ErrInvalid)
		if next = next.Normal(form, d.country(), Categories); ok && form.Err() == nil {
			i.Details = next
		}
	}
	i.State = ToDescribe
}

// withText is the details with a field as reading writes it.
func withText(d Details, name, text string) (Details, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch at := fieldAt(&d, name).(type) {
	case *string:
		*at = text
	case *calendar.Date:
		*at = calendar.Date(text)
	case *money.Currency:
		*at = money.Currency(text)
		return d, len(text) == 3
	case *money.Amount:
		*at = money.Amount(n)
		return d, err == nil
	case *int64:
		*at = n
		return d, err == nil
	default:
		return d, false
	}
	return d, true
}

// noteCorrections keeps what a person made of what was read, by which the confidence is measured: no value, no invoice, no driver.
func noteCorrections(tx *db.Tx, i *Invoice) error {
	if i.State != ToVerify && i.State != Approved {
		return nil
	}
	r, err := readingOf(tx, i.ContentHash)
	if err != nil || r.State != Done || len(r.Result.Fields) == 0 {
		return err
	}
	_, err = tx.Insert("invoice_corrections", db.Columns("id, field, source, engine, sure, kept, created_at"), func(yield func([]any) bool) {
		for _, f := range r.Result.Fields {
			read, ok := withText(Details{}, f.Name, f.Value)
			if !ok {
				continue
			}
			read = read.Normal(validate.New(ErrInvalid), "", Categories)
			if !yield([]any{tx.NewID(), f.Name, string(f.Source), r.Engine, int64(f.Sure * 1000), same(&read, &i.Details, f.Name),
				db.Instant(tx.Now)}) {
				return
			}
		}
	})
	return err
}

// Sweep forgets what was read for forms that nobody sent within a day, and the files of all forms. What was read of a file that an
// invoice has is kept with the invoice.
func (d *Service) Sweep(ctx context.Context, job *jobs.Run) error {
	for {
		var old []oldReading
		if err := job.Read(ctx, func(tx *db.Tx) (err error) {
			old, err = db.Select[oldReading](tx.Across(), `SELECT r.tenant_id, r.id, r.blob_key, CASE WHEN EXISTS (SELECT 1 FROM invoice_files f
				WHERE f.tenant_id = r.tenant_id AND f.content_hash = r.content_hash) THEN 1 ELSE 0 END AS used FROM invoice_readings r
				WHERE r.temporary AND r.created_at < $1 ORDER BY r.created_at LIMIT 200`, tx.Now.Add(-ReadingKept))
			return err
		}); err != nil || len(old) == 0 {
			return err
		}
		for _, r := range old { // the file first: what is left half done is found again
			if err := d.Blobs.Delete(ctx, r.BlobKey); err != nil {
				return err
			}
		}
		if err := job.Write(ctx, func(tx *db.Tx) error {
			for _, r := range old {
				query := `DELETE FROM invoice_readings WHERE tenant_id = $1 AND id = $2`
				if r.Used == 1 {
					query = `UPDATE invoice_readings SET temporary = FALSE, blob_key = '' WHERE tenant_id = $1 AND id = $2`
				}
				if _, err := tx.Across().Exec(query, r.TenantID, r.ID); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
}

type oldReading struct {
	TenantID, ID, BlobKey string
	Used                  int64
}

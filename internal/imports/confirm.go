package imports

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"saldo/internal/imports/pipeline"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// What a person says about money that another file has brought too.
const (
	AsMoney  = "money"
	AsDetail = "detail" // kept and shown, books nothing
)

// ConfirmOptions is what a person says on confirming.
type ConfirmOptions struct {
	BookedAs string // money that another file has brought in another form
	Restated string // weeks that stand already
	Reading  int64  // that the person has seen; 0: whichever
}

// Confirm lets a previewed file be imported, in a job. A second confirmation
// joins the first. Money that another file has brought in another form needs a
// word on what to do with it, and so do weeks that stand already and that the
// file says anew.
func (d *Service) Confirm(tx *db.Tx, id string, options ConfirmOptions) (Status, error) {
	i, err := Of(tx, id)
	if err != nil {
		return "", err
	}
	switch i.Status {
	case Running, Success:
		return i.Status, nil
	case Analyzing:
		return "", ErrNotReady
	case Duplicated:
		return "", ErrDuplicated.With("import", i.DuplicateOf)
	case InPreview:
	default:
		return "", ErrOver
	}
	if options.Reading != 0 && options.Reading != i.Readings {
		return "", ErrReadAgain
	}
	preview, err := PreviewOf(tx, id)
	if err != nil {
		return "", err
	}
	if err := options.answer(preview); err != nil {
		return "", err
	}
	n, err := tx.Exec(`UPDATE imports SET status = 'running', booked_as = $3, restated = $4, confirmed_at = $5, confirmed_by = $6
		WHERE tenant_id = $1 AND id = $2 AND status = 'preview' AND readings = $7`,
		id, options.BookedAs, options.Restated, tx.Now, tx.Actor.Name, i.Readings)
	if err != nil || n == 0 {
		return Running, err
	}
	if err := jobs.Enqueue(tx, jobs.Order{Kind: ConfirmKind, Key: id, Payload: ticket{id}}); err != nil {
		return "", err
	}
	return Running, audit.Record(tx, audit.Change{Action: "imports.confirm", Kind: importKind, ID: id,
		After: map[string]string{"bookedAs": options.BookedAs, "restated": options.Restated}})
}

// answer says which question of a preview is open, or answered so that the file cannot be booked; nil: it can be confirmed.
func (o ConfirmOptions) answer(preview pipeline.Preview) error {
	same := slices.IndexFunc(preview.Warnings, func(w pipeline.Warning) bool { return w.Code == pipeline.WarnSameMoney })
	switch c := preview.Changes; {
	case !preview.Counts.Transactions.Bookable():
		return ErrNothingToBook
	case same >= 0 && o.BookedAs == "":
		return pipeline.ErrSameMoney.With("import", preview.Warnings[same].ImportID)
	case c.Count > 0 && o.Restated == "" && o.BookedAs != AsDetail:
		return pipeline.ErrRestated.With("count", c.Count)
	case c.Partly > 0 && o.Restated == pipeline.Replace && o.BookedAs != AsDetail:
		return pipeline.ErrPartlyCovered.With("count", c.Partly)
	}
	return nil
}

// Cancel ends what is not written yet. Of a file that is being written nothing
// is left.
func Cancel(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE imports SET status = 'cancelled', finished_at = $3 WHERE tenant_id = $1 AND id = $2
		AND status IN ('analyzing', 'preview', 'running')`, id, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		if _, err := Of(tx, id); err != nil {
			return err
		}
		return ErrOver
	}
	return audit.Record(tx, audit.Change{Action: "imports.cancel", Kind: importKind, ID: id})
}

// Stop ends the unit of work that writes an import in this process, so that
// who cancels it need not wait for its end: SQLite has one writer. The job
// comes again and finds it cancelled, or writes it after all.
func (d *Service) Stop(tenant, id string) {
	if stop, ok := d.stops.Load(tenant + "/" + id); ok {
		stop.(context.CancelFunc)()
	}
}

// errStopped tells that somebody cancelled the import.
var errStopped = errors.New("imports: it was cancelled")

// pace is how far an open unit of work is, in rows.
type pace struct{ done, total atomic.Int64 }

// track shows to others in this process how far an open unit of work is.
func (d *Service) track(id string) *pace {
	p := new(pace)
	d.paces.Store(id, p)
	return p
}

// Import is the job that writes a confirmed file: in one unit of work, whole
// or not at all, and never twice.
func (d *Service) Import(ctx context.Context, run *jobs.Run) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var i Import
	var preview pipeline.Preview
	err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if i, err = Of(tx, t.ID); err != nil {
			return err
		}
		preview, err = PreviewOf(tx, t.ID)
		return err
	})
	if err != nil || i.Status != Running {
		return err
	}
	err = d.importStored(ctx, run, i, preview)
	refused := new(fault.Fault)
	switch {
	case err == nil || errors.Is(err, errStopped):
		return nil
	case errors.Is(err, ErrDuplicated):
		return d.end(ctx, run, i.ID, Duplicated, nil)
	case errors.As(err, &refused):
		return d.end(ctx, run, i.ID, Failed, refused)
	case run.Attempts >= run.MaxAttempts && !errors.Is(err, jobs.ErrLost) && ctx.Err() == nil:
		return errors.Join(err, d.end(ctx, run, i.ID, Failed, ErrJobFailed))
	}
	return err
}

// OnFailure is called when a job of AnalyzeKind or ConfirmKind has failed for good: a file that the workers of
// all tries died of has failed.
func OnFailure(tx *db.Tx, run *jobs.Run, _ error) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return nil // it names no file, and so none waits for it
	}
	i := Import{}
	i.fail(ErrJobFailed)
	n, err := tx.Exec(`UPDATE imports SET status = $3, fault = $4, fault_params = $5, finished_at = $6 WHERE tenant_id = $1 AND id = $2
		AND status IN ('analyzing', 'running')`,
		t.ID, string(i.Status), i.Fault, db.JSON(i.FaultParams), tx.Now)
	if err != nil || n == 0 {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "imports.fail", Kind: importKind, ID: t.ID,
		After: map[string]any{"status": i.Status, "fault": i.Fault}})
}

// end writes down why nothing was imported.
func (d *Service) end(ctx context.Context, run *jobs.Run, id string, status Status, why *fault.Fault) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		i := Import{}
		if why != nil {
			i.fail(why)
		}
		if _, err := tx.Exec(`UPDATE imports SET status = $3, fault = $4, fault_params = $5, finished_at = $6 WHERE tenant_id = $1 AND id = $2
			AND status = 'running'`,
			id, string(status), i.Fault, db.JSON(i.FaultParams), tx.Now); err != nil {
			return err
		}
		if err := audit.Record(tx, audit.Change{Action: "imports.fail", Kind: importKind, ID: id,
			After: map[string]any{"status": status, "fault": i.Fault}}); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}

func (d *Service) importStored(ctx context.Context, run *jobs.Run, i Import, preview pipeline.Preview) error {
	file, err := d.fetch(ctx, i)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := run.Progress(ctx, 0, preview.Counts.Transactions.All); err != nil {
		return err
	}
	if run.Attempts > 1 {
		preview.Standing = "" // whatever went wrong before, each row is asked for now
	}
	written := d.track(i.ID)
	defer d.paces.Delete(i.ID)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d.stops.Store(run.TenantID+"/"+i.ID, stop)
	defer d.stops.Delete(run.TenantID + "/" + i.ID)
	if err := run.Write(ctx, func(tx *db.Tx) error {
		written.done.Store(0)
		if err := d.write(ctx, tx, i.ID, preview, file, &written.done); err != nil {
			return err
		}
		return run.Finish(tx)
	}); err != nil {
		return err
	}
	if preview.Counts.Transactions.All > refreshedRows {
		// The job is done, so nothing holds its context any more: a statement under it would be cut off. This only saves time.
		_ = d.DB.Refresh(context.WithoutCancel(ctx), "transactions")
	}
	return nil
}

// refreshedRows is how many rows of a file are many for the database.
const refreshedRows = 2000

// write is the unit of work of a file.
func (d *Service) write(ctx context.Context, tx *db.Tx, id string, preview pipeline.Preview, file *localFile, written *atomic.Int64) error {
	i, err := Of(tx, id)
	if err != nil {
		return err
	}
	if i.Status != Running {
		return errStopped
	}
	if i.DuplicateOf, err = twinOf(tx, i); err != nil {
		return err
	}
	if i.DuplicateOf != "" && !i.AllowDuplicates {
		return ErrDuplicated.With("import", i.DuplicateOf)
	}
	booked := pipeline.Booked{Counts: preview.Counts, Totals: preview.Totals}
	if i.BookedAs == AsDetail {
		c := &booked.Counts.Transactions
		c.Existing, c.New, c.Unassigned, c.Ignored, c.Fleet = c.All-c.Failed, 0, 0, 0, 0
	} else if booked, err = d.pipeline().Book(ctx, tx, i.file(file, preview.Mappings),
		pipeline.BookOptions{Preview: preview, BookedAs: i.BookedAs, Restated: i.Restated}, written); err != nil {
		return err
	}
	if !booked.Counts.Transactions.Bookable() {
		return ErrNothingToBook
	}
	n, err := tx.Exec(`UPDATE imports SET status = 'success', duplicate_of = $3, counts = $4, totals = $5, finished_at = $6,
		booked_order = (SELECT 1 + MAX(o.booked_order) FROM imports o WHERE o.tenant_id = $1) WHERE tenant_id = $1 AND id = $2
		AND status = 'running'`,
		id, i.DuplicateOf, db.JSON(booked.Counts), db.JSON(booked.Totals), tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		return errStopped
	}
	if err := replace(tx, i, booked); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "imports.import", Kind: importKind, ID: id, After: booked.Counts.Transactions})
}

package imports

import (
	"context"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// SweepKind is the job that forgets what nobody came back for.
const SweepKind = "imports.sweep"

// How long what was not imported is kept.
const (
	previewsKept = 7 * 24 * time.Hour
	filesKept    = 30 * 24 * time.Hour
	sweptAtOnce  = 100 // imports in one unit of work
)

// ErrFileGone is the answer to asking for an original that is no longer kept.
var ErrFileGone = fault.Declare(fault.NotFound, "imports.file_gone")

// left is an import that has served its time.
type left struct{ TenantID, ID, BlobKey string }

// Sweep cancels previews that nobody confirmed and deletes the files of
// uploads that brought nothing. Their rows stay: the log says what was there.
func (d *Service) Sweep(ctx context.Context, run *jobs.Run) error {
	for {
		n, err := d.cancelForgotten(ctx, run)
		if err != nil {
			return err
		}
		if n < sweptAtOnce {
			break
		}
	}
	for {
		n, err := d.deleteUnneeded(ctx, run)
		if err != nil {
			return err
		}
		if n < sweptAtOnce {
			return nil
		}
	}
}

func (d *Service) cancelForgotten(ctx context.Context, run *jobs.Run) (n int, err error) {
	err = run.Write(ctx, func(tx *db.Tx) error {
		before := tx.Now.Add(-previewsKept)
		forgotten, err := db.Select[left](tx.Across(), `SELECT tenant_id, id, blob_key FROM imports WHERE status = 'preview' AND uploaded_at < $1
			ORDER BY tenant_id, id LIMIT $2`, before, sweptAtOnce)
		n = len(forgotten)
		if err != nil {
			return err
		}
		return forEach(tx, forgotten, func(i left) error {
			_, err := tx.Exec(`UPDATE imports SET status = 'cancelled', finished_at = $3 WHERE tenant_id = $1 AND id = $2 AND status = 'preview'`,
				i.ID, tx.Now)
			if err != nil {
				return err
			}
			return audit.Record(tx, audit.Change{Action: "imports.cancel", Kind: importKind, ID: i.ID,
				After: map[string]string{"notConfirmedSince": before.Format(time.DateOnly)}})
		})
	})
	return n, err
}

// deleteUnneeded deletes blobs before the rows say so: a worker that dies in
// between leaves work for the next, and no blob that nobody names.
func (d *Service) deleteUnneeded(ctx context.Context, run *jobs.Run) (n int, err error) {
	var unneeded []left
	err = run.Read(ctx, func(tx *db.Tx) (err error) {
		unneeded, err = db.Select[left](tx.Across(), `SELECT tenant_id, id, blob_key FROM imports
			WHERE status IN ('failed', 'cancelled', 'duplicated') AND blob_key <> ''
			AND CASE WHEN finished_at = '' THEN uploaded_at ELSE finished_at END < $1 ORDER BY tenant_id, id LIMIT $2`, tx.Now.Add(-filesKept),
			sweptAtOnce)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, i := range unneeded {
		if err := d.Blobs.Delete(ctx, i.BlobKey); err != nil {
			return 0, err
		}
	}
	return len(unneeded), run.Write(ctx, func(tx *db.Tx) error {
		return forEach(tx, unneeded, func(i left) error {
			if _, err := tx.Exec(`UPDATE imports SET blob_key = '' WHERE tenant_id = $1 AND id = $2`, i.ID); err != nil {
				return err
			}
			return audit.Record(tx, audit.Change{Action: "imports.delete_file", Kind: importKind, ID: i.ID})
		})
	})
}

// forEach acts for the partner of each import.
func forEach(tx *db.Tx, all []left, do func(left) error) error {
	for _, i := range all {
		if err := tx.As(access.ProgramFor(i.TenantID, SweepKind), func() error { return do(i) }); err != nil {
			return err
		}
	}
	return nil
}

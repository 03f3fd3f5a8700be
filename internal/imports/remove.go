package imports

import (
	"context"
	"maps"
	"slices"

	"saldo/internal/fuel/details"
	"saldo/internal/imports/counts"
	"saldo/internal/imports/pipeline"
	"saldo/internal/imports/unmatched"
	"saldo/internal/ledger"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// RemoveKind is the job that takes the rows of a large file back.
const RemoveKind = "imports.remove"

// How many rows are taken back while the person waits, and how many in one unit of work of the job.
const (
	RemovedAtOnce = 2000
	removedInStep = 2000
)

// Remove takes back all that an import brought: after it everything is as the files say that still stand. A row that another of
// them contains becomes that one's, and what this one replaced comes back. What is settled and in no other file refuses it. Of a large
// file only the import is marked, and a job does the rest: from that moment it counts nowhere, and nobody is settled until the job has
// ended. It tells which blobs of evidence nobody needs any more.
func Remove(tx *db.Tx, id string) (evidence []string, err error) {
	i, err := Of(tx, id)
	if err != nil {
		return nil, err
	}
	if i.Status == Removing { // its job may have given up
		return nil, jobs.Enqueue(tx, jobs.Order{Kind: RemoveKind, Key: id, Payload: ticket{id}})
	}
	if i.Status != Success {
		return nil, ErrNotImported
	}
	if err := ledger.CanBeRemoved(tx, id); err != nil {
		return nil, err
	}
	n, err := tx.Exec(`UPDATE imports SET status = 'removed', removing = TRUE, removed_at = $3, removed_by = $4 WHERE tenant_id = $1
		AND id = $2 AND status = 'success'`, id, tx.Now, tx.Actor.Name)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, ErrNotImported
	}
	if err := details.Remove(tx, id); err != nil {
		return nil, err
	}
	c := i.Counts.Transactions
	if c.All-c.Failed > RemovedAtOnce {
		if err := jobs.Enqueue(tx, jobs.Order{Kind: RemoveKind, Key: id, Payload: ticket{id}}); err != nil {
			return nil, err
		}
		return nil, audit.Record(tx, audit.Change{Action: "imports.remove", Kind: importKind, ID: id,
			Before: map[string]int64{"rows": c.All - c.Failed}})
	}
	var removed int64
	for {
		done, err := releaseSome(tx, id, RemovedAtOnce)
		if err != nil {
			return nil, err
		}
		evidence, removed = append(evidence, done.Evidence...), removed+done.Removed
		if done.Done {
			break
		}
	}
	if err := finishRemoval(tx, id); err != nil {
		return nil, err
	}
	return evidence, audit.Record(tx, audit.Change{Action: "imports.remove", Kind: importKind, ID: id,
		Before: map[string]int64{"rows": removed}})
}

// TakeBack is the job that takes the rows of a large file back, some in each unit of work. Killed, it goes on where it was.
func (d *Service) TakeBack(ctx context.Context, run *jobs.Run) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var i Import
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { i, err = Of(tx, t.ID); return err }); err != nil {
		return err
	}
	c := i.Counts.Transactions
	total := c.All - c.Failed
	for taken := int64(0); i.Status == Removing; {
		var done ledger.Released
		if err := run.Write(ctx, func(tx *db.Tx) (err error) {
			if i, err = Of(tx, t.ID); err != nil || i.Status != Removing {
				return err
			}
			if done, err = releaseSome(tx, t.ID, removedInStep); err != nil || !done.Done {
				return err
			}
			if err := finishRemoval(tx, t.ID); err != nil {
				return err
			}
			i.Status = Removed
			return run.Finish(tx)
		}); err != nil {
			return err
		}
		for _, key := range done.Evidence {
			_ = d.Blobs.Delete(ctx, key) // one that stays behind costs its bytes and nothing else
		}
		if taken += done.Rows; i.Status == Removing {
			if err := run.Progress(ctx, min(taken, total), total); err != nil {
				return err
			}
		}
	}
	return nil
}

// RemovalGoesOn says whether rows of a large file are being taken back: what is pending is half of something until then.
func RemovalGoesOn(tx *db.Tx) (bool, error) {
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM imports WHERE tenant_id = $1 AND removing = TRUE`)
	return n > 0, err
}

// releaseSome takes some rows back and lets the files that have them now say so.
func releaseSome(tx *db.Tx, id string, rows int) (ledger.Released, error) {
	done, err := ledger.Release(tx, id, rows)
	if err != nil {
		return done, err
	}
	for _, heir := range slices.Sorted(maps.Keys(done.Heirs)) {
		if err := inherit(tx, heir, done.Heirs[heir]); err != nil {
			return done, err
		}
	}
	return done, nil
}

// finishRemoval brings back what the import replaced, and forgets whom only its rows named.
func finishRemoval(tx *db.Tx, id string) error {
	if _, err := tx.Exec(`UPDATE imports SET removing = FALSE WHERE tenant_id = $1 AND id = $2`, id); err != nil {
		return err
	}
	if err := Reconcile(tx); err != nil {
		return err
	}
	// whom only this file named, and nobody decided about, is not asked about any more
	return unmatched.Forget(tx)
}

// replace takes the force of rows that an import says anew, and counts again what it and the others have.
func replace(tx *db.Tx, i Import, booked pipeline.Booked) error {
	rows := booked.Replaced
	if err := ledger.ReplaceRows(tx, i.ID, rows); err != nil {
		return err
	}
	if booked.Joined {
		if err := recount(tx, i.ID); err != nil {
			return err
		}
	}
	if err := Reconcile(tx); err != nil {
		return err
	}
	if len(rows) == 0 {
		return nil
	}
	return audit.Record(tx, audit.Change{Action: "imports.replace", Kind: importKind, ID: i.ID,
		After: map[string]any{"restated": i.Restated, "rows": len(rows)}})
}

// Reconcile brings every row where it belongs by what the standing files say, and counts again what each of them has.
func Reconcile(tx *db.Tx) error {
	changed, err := ledger.Reconcile(tx)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		if err := recount(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// inherit adds rows that came over to what an import says it brought.
func inherit(tx *db.Tx, id string, rows []ledger.HandedOver) error {
	i, err := Of(tx, id)
	if err != nil {
		return err
	}
	for _, r := range rows {
		for n := range i.Totals {
			if i.Totals[n].Type == r.Type {
				i.Totals[n].NewCount++
				i.Totals[n].NewSum += r.Amount
				break
			}
		}
	}
	if _, err := tx.Exec(`UPDATE imports SET totals = $3 WHERE tenant_id = $1 AND id = $2`, id, db.JSON(i.Totals)); err != nil {
		return err
	}
	return recount(tx, id)
}

// recount says anew what became of the rows of an import.
func recount(tx *db.Tx, id string) error {
	i, err := Of(tx, id)
	if err != nil || i.Status != Success || i.BookedAs == AsDetail {
		return err
	}
	now, err := db.One[counts.Rows](tx, `SELECT (SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND import_id = $2 AND import_id <> ''
		AND row_key <> '') AS new,
		(SELECT COUNT(*) FROM unmatched_rows r WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.identity_id = '') AS fleet,
		(SELECT COUNT(*) FROM unmatched_rows r JOIN unmatched_drivers w ON w.tenant_id = r.tenant_id AND w.id = r.identity_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND w.state = 'ignored') AS ignored,
		(SELECT COUNT(*) FROM unmatched_rows r JOIN unmatched_drivers w ON w.tenant_id = r.tenant_id AND w.id = r.identity_id
		WHERE r.tenant_id = $1 AND r.import_id = $2 AND w.state <> 'ignored') AS unassigned,
		(SELECT COUNT(*) FROM replaced_rows r WHERE r.tenant_id = $1 AND r.import_id = $2) AS replaced`, id)
	if err != nil {
		return err
	}
	c := i.Counts.Transactions
	now.Failed = c.Failed
	now.Existing = max(0, c.All-c.Failed-now.New-now.Fleet-now.Ignored-now.Unassigned-now.Replaced)
	now.Add()
	if now == c {
		return nil
	}
	i.Counts.Transactions = now
	_, err = tx.Exec(`UPDATE imports SET counts = $3 WHERE tenant_id = $1 AND id = $2`, id, db.JSON(i.Counts))
	return err
}

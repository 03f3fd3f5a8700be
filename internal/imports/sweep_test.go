package imports_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// sweep lets the job run once.
func (w *fixture) sweep(t *testing.T) {
	t.Helper()
	program := access.Program("test")
	testkit.Write(t, w.db, program, func(tx *db.Tx) error {
		return jobs.Enqueue(tx, jobs.Order{Kind: imports.SweepKind, Key: "sweep"})
	})
	testkit.Eventually(t, "it is swept", func() bool {
		var n int64
		testkit.Read(t, w.db, program, func(tx *db.Tx) (err error) {
			n, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE kind = $1 AND state <> 'done'`, imports.SweepKind)
			return err
		})
		return n == 0
	})
}

// original says whether the file of an import can still be had.
func (w *fixture) original(t *testing.T, id string) bool {
	t.Helper()
	i := w.one(t, id)
	content, _, err := w.Original(ctx, i)
	if errors.Is(err, imports.ErrFileGone) {
		if _, _, err := w.Blobs.Get(ctx, imports.BlobKey("north", id)); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("the file of %s is said to be gone: %v", id, err)
		}
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return content.Close() == nil
}

func TestUnconfirmedImport_IsCancelledAndItsFileDeletedInTime(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		const day = 24 * time.Hour
		booked := w.bring(t, "a.csv", generated(1, 10), imports.Order{})
		forgotten := w.upload(t, "b.csv", generated(2, 10), imports.Order{})
		failed := w.upload(t, "c.csv", "nothing", imports.Order{})
		twin := w.upload(t, "d.csv", generated(1, 10), imports.Order{})
		given := w.upload(t, "e.csv", generated(3, 10), imports.Order{})
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return imports.Cancel(tx, given.ID) })
		same(t, "before", fmt.Sprint(booked.Status, forgotten.Status, failed.Status, twin.Status), "successpreviewfailedduplicated")

		w.clock.Pass(7*day - time.Minute)
		w.sweep(t)
		same(t, "after almost a week", w.one(t, forgotten.ID).Status, imports.InPreview)
		w.clock.Pass(2 * time.Minute)
		w.sweep(t)
		same(t, "after a week", w.one(t, forgotten.ID).Status, imports.Cancelled)
		same(t, "in the trail", w.count(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'imports.cancel' AND actor_role = 'system'`), 1)
		refusedWith(t, w.change(func(tx *db.Tx) error { _, err := w.Confirm(tx, forgotten.ID, imports.ConfirmOptions{}); return err }), imports.ErrOver)

		files := func() string {
			return fmt.Sprint(w.original(t, booked.ID), w.original(t, forgotten.ID), w.original(t, failed.ID), w.original(t, twin.ID), w.original(t, given.ID))
		}
		w.clock.Pass(23*day - 2*time.Minute)
		w.sweep(t)
		same(t, "files after almost thirty days", files(), "true true true true true")
		w.clock.Pass(2 * time.Minute)
		w.sweep(t)
		same(t, "files after thirty days", files(), "true true false false false") // the forgotten one was cancelled a week later
		w.clock.Pass(8 * day)
		w.sweep(t)
		w.sweep(t)
		same(t, "files a week later", files(), "true false false false false")
		same(t, "in the trail", w.count(t, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'imports.delete_file'`), 4)
		same(t, "the log", w.count(t, `SELECT COUNT(*) FROM imports WHERE tenant_id = $1`), 5)
		same(t, "booked", len(w.booked(t))+len(w.waiting(t)), 10)
		refusedWith(t, w.Refused(ctx, anna, failed.ID, "csv", "en", nil), imports.ErrFileGone)
	})
}

func TestSweepingReachesEveryPartnerHoweverMuchThereIs(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		testkit.Write(t, w.db, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 10)
		})
		ben := access.Actor{Role: access.Partner, Tenant: "south", ID: "ben", Name: "Ben"}
		for _, who := range []access.Actor{anna, ben} {
			testkit.Write(t, w.db, who, func(tx *db.Tx) error {
				for n := range 130 {
					id := fmt.Sprintf("%s-%03d", who.Tenant, n)
					if err := w.Accept(tx, imports.Import{ID: id, Status: imports.InPreview, FileName: "x", BlobKey: imports.BlobKey(who.Tenant, id)}); err != nil {
						return err
					}
				}
				return nil
			})
		}
		w.clock.Pass(8 * 24 * time.Hour)
		w.sweep(t)
		w.clock.Pass(31 * 24 * time.Hour)
		w.sweep(t)
		for _, who := range []access.Actor{anna, ben} {
			testkit.Read(t, w.db, who, func(tx *db.Tx) error {
				n, err := db.One[int64](tx, `SELECT COUNT(*) FROM imports WHERE tenant_id = $1 AND status = 'cancelled' AND blob_key = ''`)
				same(t, who.Name, n, 130)
				return err
			})
		}
	})
}

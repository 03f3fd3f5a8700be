package documents_test

import (
	"testing"
	"time"

	"saldo/internal/documents"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// A document that is kept for a reason outlives its time. When the reason is taken back, the next run erases it; what is erased cannot be
// kept any more.
func TestKeep_HoldsUntilItIsTakenBack(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		d := w.licence(t, documents.Partner, w.drivers[0], "2030-01-01")
		keep := func(version int64, reason string) {
			t.Helper()
			w.write(t, func(tx *db.Tx) (err error) { d, err = documents.Keep(tx, d.ID, version, reason); return err })
		}
		seen := d.Version
		keep(seen, "A fine is open.")
		keep(seen, "A fine is open.") // sent again
		w.refused(t, documents.ErrChanged, func(tx *db.Tx) error {
			_, err := documents.Keep(tx, d.ID, seen, "An insurance asks.") // by somebody who has not seen the first reason
			return err
		})
		w.write(t, func(tx *db.Tx) error { return w.Remove(tx, documents.Partner, d.ID, d.Version) })
		w.clock.Pass(400 * 24 * time.Hour)
		testkit.Work(t, w.db, documents.SweepKind, w.Sweep)
		if d = w.document(t, d.ID); !d.ErasedAt.IsZero() || d.KeptFor != "A fine is open." {
			t.Fatalf("kept for %q, erased %v", d.KeptFor, d.ErasedAt)
		}
		keep(d.Version, "")
		testkit.Work(t, w.db, documents.SweepKind, w.Sweep)
		if d = w.document(t, d.ID); d.ErasedAt.IsZero() {
			t.Error("it is not erased after the reason was taken back")
		}
		w.refused(t, documents.ErrErased, func(tx *db.Tx) error {
			_, err := documents.Keep(tx, d.ID, d.Version, "Too late.")
			return err
		})
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			trail, err := documents.Trail(tx, d.ID)
			reasons := []string{}
			for _, e := range trail {
				if e.Action == "documents.keep" {
					reasons = append(reasons, e.Reason)
				}
			}
			if len(reasons) != 2 || reasons[0] != "A fine is open." || reasons[1] != "" {
				t.Errorf("in the trail: %q", reasons)
			}
			return err
		})
	})
}

func (w *fixture) document(t *testing.T, id string) (d documents.Document) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { d, err = documents.Of(tx, documents.Partner, id); return err })
	return d
}

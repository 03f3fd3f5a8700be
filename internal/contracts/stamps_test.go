package contracts_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// stamps says how many files of a contract are sealed, and how many of them with a time stamp.
func (w *fixture) stamps(t testing.TB, id string) (sealed, stamped int) {
	t.Helper()
	for _, d := range w.documents(t, id) {
		if d.SealedKey != "" {
			sealed++
		}
		if d.Stamp == "done" {
			stamped++
		}
	}
	return sealed, stamped
}

// A file waits a day for its time stamp and is sealed without one then. What was sealed with one has it.
func TestSealing_WaitsADayForTheTimeStamp(t *testing.T) {
	w := newFixture(t, testkit.Engines[0], "pl")
	authority := testkit.NewStamps(t)
	w.Stamps = authority.URL
	first := w.signed(t)
	w.sealed(t, first.ID)
	if sealed, stamped := w.stamps(t, first.ID); sealed != 4 || stamped != 4 {
		t.Errorf("%d sealed, %d stamped", sealed, stamped)
	}
	authority.Broken.Store(true)
	w.clock.Pass(time.Hour)
	second := w.signed(t)
	tried := func() (n int64) {
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
			n, err = db.One[int64](tx, `SELECT COALESCE(MAX(attempts), 0) FROM jobs WHERE tenant_id = $1 AND state = 'waiting' AND kind = 'contracts.seal'`)
			return err
		})
		return n
	}
	w.work(t, func() bool { return tried() > 0 })
	if sealed, _ := w.stamps(t, second.ID); sealed != 0 {
		t.Errorf("%d files are sealed while the stamp is waited for", sealed)
	}
	w.clock.Pass(25 * time.Hour)
	w.sealed(t, second.ID)
	if sealed, stamped := w.stamps(t, second.ID); sealed != 4 || stamped != 0 {
		t.Errorf("%d sealed, %d stamped after a day", sealed, stamped)
	}
	for _, d := range w.documents(t, second.ID) {
		if content, err := w.Content(ctx, d); d.Stamp != "failed" || err != nil || len(content) == 0 {
			t.Errorf("document %d: %q, %d bytes, %v", d.Position, d.Stamp, len(content), err)
		}
	}
	if found := w.problems(t); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// A seal that was bought is used from when it is imported until its certificate ends; what was sealed before stays as it is.
func TestImportedSeals_AreUsedUntilTheyEnd(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		file := testkit.BoughtSeal(t, "Wrzos Mobility sp. z o.o.", w.clock.Now().AddDate(0, 0, -1), w.clock.Now().AddDate(2, 0, 0))
		before := w.signed(t)
		w.sealed(t, before.ID)
		for range 2 { // again is the same
			testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error {
				name, _, err := w.Keys().Import(tx, file, testkit.SealPassword)
				if name != "Wrzos Mobility sp. z o.o." {
					t.Errorf("imported: %q", name)
				}
				return err
			})
		}
		w.clock.Pass(time.Hour)
		with := w.signed(t)
		w.sealed(t, with.ID)
		testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error { // its certificate ends
			_, err := tx.Exec(`UPDATE seal_keys SET renew_at = $2 WHERE tenant_id = $1 AND imported`, tx.Now)
			return err
		})
		w.clock.Pass(time.Hour)
		after := w.signed(t)
		w.sealed(t, after.ID)
		for id, bought := range map[string]bool{before.ID: false, with.ID: true, after.ID: false} {
			content, err := w.Content(ctx, w.documents(t, id)[0])
			if err != nil {
				t.Fatal(err)
			}
			if got := bytes.Contains(content, []byte("sp. z o.o.")) || bytes.Contains(content, []byte("73702e207a206f2e6f2e")); got != bought {
				t.Errorf("sealed with what was bought: %v, not %v", got, bought)
			}
		}
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM seal_keys WHERE tenant_id = $1 AND imported`)
			if n != 1 {
				t.Errorf("%d imported seals", n)
			}
			return err
		})
	})
}

// A countersignature that was prepared before the files were sealed is prepared again.
func TestCountersigning_WhileFilesAreSealed(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.signed(t)
		g, err := w.PrepareCountersign(ctx, func(do func(*db.Tx, contracts.Person) error) error {
			return w.db.Read(ctx, w.clerk, func(tx *db.Tx) error { return do(tx, w.boss()) })
		}, c.ID, contracts.Countersign{Version: c.Version})
		if err != nil {
			t.Fatal(err)
		}
		w.sealed(t, c.ID)
		if err := w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { _, err := w.CountersignNow(tx, w.boss(), g); return err }); !errors.Is(err, contracts.ErrMeanwhile) {
			t.Fatalf("countersigned although events came: %v", err)
		}
		w.DropCountersign(ctx, g)
		if c, err = w.countersign(t, c); err != nil || c.State != contracts.Active {
			t.Errorf("%+v, %v", c, err)
		}
		w.sealed(t, c.ID)
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
	})
}

package contracts_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// active is a contract that holds.
func (w *fixture) active(t testing.TB, d contracts.Data, replaces string) contracts.Contract {
	t.Helper()
	sub := w.submission(t, d, 0)
	sub.Replaces = replaces
	c, err := w.sign(t, w.driver(), w.self(), sub)
	if err == nil {
		c, err = w.countersign(t, c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// holds are the contracts by which a driver has a vehicle or lets invoices be written, today.
func (w *fixture) holds(t testing.TB, table, condition string) (found []string) {
	t.Helper()
	testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
		found, err = db.Select[string](tx, `SELECT contract_id FROM `+table+` WHERE tenant_id = $1 AND `+condition+` ORDER BY contract_id`)
		return err
	})
	return found
}

func TestWhatWasAgreedOn_IsUsedUntilItEnds(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		d := polish()
		d.Contract.Kinds = []string{"b2b", "vehicle_entrusted"}
		d.Contract.Company.Name, d.Contract.Company.TaxID = "Żak Transport", "5260250274"
		first := w.active(t, d, "")
		if got := w.holds(t, "billing_contracts", "ended_on = ''"); !slices.Equal(got, []string{first.ID}) {
			t.Errorf("agreements on invoices: %v", got)
		}
		plates := func() (all []string) {
			testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) { all, err = drivers.DriversOf(tx, "EL12345", "2026-11-20"); return err })
			return all
		}
		if !slices.Equal(plates(), w.drivers[:1]) {
			t.Errorf("the vehicle is driven by %v", plates())
		}
		w.clock.Pass(time.Hour)
		second := w.active(t, d, first.ID)
		if got := w.holds(t, "billing_contracts", "ended_on = ''"); !slices.Equal(got, []string{second.ID}) {
			t.Errorf("agreements after it was replaced: %v", got)
		}
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
			second, err = w.End(tx, w.boss(), second.ID, "Wypowiedzenie", second.Version)
			return err
		})
		if got := w.holds(t, "billing_contracts", "ended_on = ''"); len(got) > 0 {
			t.Errorf("agreements after the end: %v", got)
		}
		if len(plates()) > 0 {
			t.Errorf("after the end the vehicle is driven by %v", plates())
		}
	})
}

// A driver who was merged into another keeps the contracts, and what they brought is found through the other.
func TestContracts_OfAMergedDriver(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		c := w.active(t, polish(), "")
		w.sealed(t, c.ID)
		other := contracts.OfDriver(w.drivers[1])
		read := func(who contracts.Person) (n int) {
			testkit.Read(t, w.db, w.driver(), func(tx *db.Tx) error {
				all, _, err := w.Of(tx, who, "")
				n = len(all)
				return err
			})
			return n
		}
		if read(other) != 0 {
			t.Error("a driver sees the contracts of another")
		}
		merged := ""
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
			o := merge.Order{Kept: w.drivers[1], Other: w.drivers[0], Choices: map[string]string{"firstName": "other", "lastName": "other", "email": "other"}}
			for id, to := range map[string]*int64{o.Kept: &o.KeptVersion, o.Other: &o.OtherVersion} {
				if *to, err = db.One[int64](tx, `SELECT version FROM drivers WHERE tenant_id = $1 AND id = $2`, id); err != nil {
					return err
				}
			}
			merged, err = merge.Drivers(tx, w.Drivers, o)
			return err
		})
		if read(other) != 1 {
			t.Error("whom the driver was merged into does not see the contract")
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			plates, err := drivers.VehiclesOf(tx, w.drivers[1])
			if !slices.Equal(plates, []string{"EL12345"}) {
				t.Errorf("vehicles: %v", plates)
			}
			return err
		})
		// what was signed is countersigned, ended and found by the driver who stands for both
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) { c, err = w.End(tx, w.boss(), c.ID, "Koniec", c.Version); return err })
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { return merge.Undo(tx, w.Drivers, merged) })
		if read(other) != 0 || read(w.self()) != 1 {
			t.Errorf("after undoing: %d and %d", read(other), read(w.self()))
		}
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
	})
}

// sweep runs the job once.
func (w *fixture) sweep(t testing.TB) {
	t.Helper()
	testkit.Write(t, w.db, access.Program("test"), func(tx *db.Tx) error {
		return jobs.Enqueue(tx, jobs.Order{Kind: contracts.SweepKind, Key: "sweep"})
	})
	w.work(t, func() bool {
		open := int64(1)
		testkit.Read(t, w.db, access.Program("test"), func(tx *db.Tx) (err error) {
			open, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state IN ('waiting', 'running')
				AND kind IN ('contracts.sweep', 'contracts.erase')`)
			return err
		})
		return open == 0
	})
}

func (w *fixture) state(t testing.TB, id string) (state contracts.State, erased bool) {
	t.Helper()
	testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
		c, _, err := w.Open(tx, w.boss(), id)
		state, erased = c.State, !c.ErasedAt.IsZero()
		return err
	})
	return state, erased
}

// A contract ends after its last day, is kept for years, and then everything personal of it goes.
func TestContracts_EndAndAreErased(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		rent := polish()
		rent.Contract.Kinds, rent.Contract.To = []string{"rent_from_driver"}, "2026-12-31"
		short := w.active(t, rent, "")
		w.clock.Pass(time.Hour)
		long := w.active(t, polish(), "")
		w.sealed(t, short.ID)
		w.sealed(t, long.ID)
		var key string // of a sealed file whose program ended before it wrote the row
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) (err error) {
			key, err = db.One[string](tx, `SELECT blob_key FROM contract_files WHERE tenant_id = $1 AND contract_id = $2 AND position = 1
				AND sealed_key <> '' LIMIT 1`, short.ID)
			return err
		})
		if _, err := w.Blobs.Put(ctx, key+"-sealed-0123456789ab", strings.NewReader("sealed before"), -1); err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, w.db, w.driver(), func(tx *db.Tx) error { _, err := w.SaveDraft(tx, w.self(), "", 1, polish(), 0); return err })

		to := func(day string) {
			at, err := time.ParseInLocation(time.DateOnly, day, w.Instance.Location())
			if err != nil {
				t.Fatal(err)
			}
			w.clock.Pass(at.Add(9 * time.Hour).Sub(w.clock.Now()))
			w.sweep(t)
		}
		to("2026-12-31")
		if s, _ := w.state(t, short.ID); s != contracts.Active {
			t.Errorf("on its last day it is %s", s)
		}
		to("2027-01-01")
		if s, _ := w.state(t, short.ID); s != contracts.Ended {
			t.Errorf("after its last day it is %s", s)
		}
		if s, _ := w.state(t, long.ID); s != contracts.Active {
			t.Errorf("one without a last day is %s", s)
		}
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { _, err := w.End(tx, w.boss(), long.ID, "Koniec", 2); return err })
		to("2027-09-01")
		testkit.Read(t, w.db, w.driver(), func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM contract_drafts WHERE tenant_id = $1`)
			if n != 0 {
				t.Error("a form that nobody touched is kept")
			}
			return err
		})
		to("2032-12-31")
		if _, erased := w.state(t, short.ID); erased || len(w.stored(t, short.ID)) == 0 {
			t.Error("erased too early")
		}
		to("2033-01-01")
		w.work(t, func() bool { return len(w.stored(t, short.ID)) == 0 })
		if s, erased := w.state(t, short.ID); !erased || s != contracts.Ended {
			t.Errorf("five years later it is %s, erased: %v", s, erased)
		}
		if _, erased := w.state(t, long.ID); erased || len(w.stored(t, long.ID)) == 0 {
			t.Error("what insurance depends on is kept ten years")
		}
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error {
			left, err := db.One[int64](tx, `SELECT (SELECT COUNT(*) FROM signing_events WHERE tenant_id = $1 AND contract_id = $2)
				+ (SELECT COUNT(*) FROM contract_signatures WHERE tenant_id = $1 AND contract_id = $2 AND signature_sealed <> '')`, short.ID)
			if left != 0 {
				t.Errorf("%d events and signatures are left", left)
			}
			return err
		})
		err := w.db.Write(ctx, w.clerk, func(tx *db.Tx) error { _, err := w.FileOf(tx, w.boss(), short.ID, 1, false); return err })
		isFault(t, err, contracts.ErrErased, "the file of an erased one")
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
		to("2038-01-01")
		w.work(t, func() bool { return len(w.stored(t, long.ID)) == 0 })
		w.sweep(t) // again: nothing is left to do
	})
}

package contracts_test

import (
	"testing"
	"time"

	"saldo/internal/contracts"
	"saldo/internal/contracts/template"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// A PDF that a text was replaced by, or of a text that was taken away, goes after two days. What a contract was made of stays, so that it
// can be countersigned, until the contract is erased.
func TestPDFs_GoWithTheLastTextAndContract(t *testing.T) {
	each(t, "pl", func(t *testing.T, w *fixture) {
		made, first := w.onlyPDF(t, template.Simple)
		c := w.signed(t)
		next := func() (id string) {
			t.Helper()
			w.clock.Pass(time.Second)
			file := w.uploaded(t, ownPDF())
			made.FileID = file.ID
			testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) (err error) { made, err = w.SaveTemplate(tx, made); return err })
			return file.ID
		}
		pass := func(days int, want map[string]bool) {
			t.Helper()
			w.clock.Pass(time.Duration(days)*24*time.Hour + time.Minute)
			w.sweep(t)
			for id, there := range want {
				if (len(w.stored(t, id)) == 1) != there {
					t.Errorf("after %d days %s is stored: %v", days, id, w.stored(t, id))
				}
			}
		}
		second := next()
		third := next()
		pass(1, map[string]bool{first.ID: true, second: true, third: true})
		pass(1, map[string]bool{first.ID: true, second: false, third: true})
		testkit.Read(t, w.db, w.clerk, func(tx *db.Tx) error { // the history of the text stays
			all, err := contracts.VersionsOf(tx, made.ID)
			if len(all) != 3 || all[1].FileID != second {
				t.Errorf("%+v", all)
			}
			return err
		})
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { return w.RemoveTemplate(tx, made.ID) })
		pass(1, map[string]bool{first.ID: true, third: true})
		pass(1, map[string]bool{first.ID: true, third: false})
		c, err := w.countersign(t, c)
		if err != nil || c.State != contracts.Active {
			t.Fatalf("%+v, %v", c, err)
		}
		w.sealed(t, c.ID)
		if found := w.problems(t); len(found) > 0 {
			t.Errorf("%v", found)
		}
		testkit.Write(t, w.db, w.clerk, func(tx *db.Tx) error { _, err := w.End(tx, w.boss(), c.ID, "Koniec", c.Version); return err })
		pass(4*365, map[string]bool{first.ID: true})
		pass(8*365, nil)
		pass(3, map[string]bool{first.ID: false})
		if _, erased := w.state(t, c.ID); !erased {
			t.Error("the contract is not erased")
		}
	})
}

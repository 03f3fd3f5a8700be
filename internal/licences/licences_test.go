package licences_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/licences"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var north = access.ProgramFor("north", "test")

func each(t *testing.T, units int64, test func(t *testing.T, d *db.DB, clock *testkit.Clock)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s, clock := testkit.Settings(t, engine), testkit.NewClock()
			s.Clock = clock.Now
			d := testkit.Open(t, s)
			testkit.Write(t, d, north, func(tx *db.Tx) error {
				return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, units)
			})
			test(t, d, clock)
		})
	}
}

func holds(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Read(t, d, north, func(tx *db.Tx) error {
		problems, err := licences.Verify(tx)
		for _, p := range problems {
			t.Error(p)
		}
		return err
	})
}

// TestUse_TheLastUnitIsUsedOnce has forty goroutines that use, give back and get units at once.
func TestUse_TheLastUnitIsUsedOnce(t *testing.T) {
	each(t, 10, func(t *testing.T, d *db.DB, _ *testkit.Clock) {
		var taken atomic.Int64
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if err := d.Write(context.Background(), north, func(tx *db.Tx) error {
					ok, err := licences.Use(tx, 1+int64(i%2))
					if err == nil && !ok {
						return licences.ErrUsedUp
					}
					return err
				}); err == nil {
					taken.Add(1 + int64(i%2))
				} else if !errors.Is(err, licences.ErrUsedUp) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		testkit.Read(t, d, north, func(tx *db.Tx) error {
			b, err := licences.Of(tx)
			if b.Used != taken.Load() || b.Used < 9 || b.Used > 10 {
				t.Errorf("%+v, %d were taken", b, taken.Load())
			}
			return err
		})
		holds(t, d)
	})
}

func TestEntries_AddUpToTheBalance(t *testing.T) {
	each(t, 10, func(t *testing.T, d *db.DB, _ *testkit.Clock) {
		steps := []func(tx *db.Tx) error{
			func(tx *db.Tx) error { return licences.Grant(tx, 90, "first order") },
			func(tx *db.Tx) error { return licences.Buy(tx, 100, "o1", "L/NORTH/1") },
			func(tx *db.Tx) error { _, err := licences.Use(tx, 10_000); return err }, // not taken, no entry
			func(tx *db.Tx) error { _, err := licences.UseUpTo(tx, 150); return err },
			func(tx *db.Tx) error { return licences.GiveBack(tx, 30) },
			func(tx *db.Tx) error {
				if taken, err := licences.TakeBack(tx, 81, "o1", "L/NORTH/1"); taken {
					t.Error("used units were taken back")
				} else if err != nil {
					return err
				}
				taken, err := licences.TakeBack(tx, 80, "o1", "L/NORTH/1")
				if !taken {
					t.Error("unused units were not taken back")
				}
				return err
			},
			func(tx *db.Tx) error { return licences.ReturnUnits(tx, 5, "o1", "L/NORTH/1") },
		}
		for _, step := range steps {
			testkit.Write(t, d, north, step)
			holds(t, d)
		}
		err := d.Write(context.Background(), north, func(tx *db.Tx) error { return licences.Buy(tx, 100, "o1", "L/NORTH/1") })
		if !db.Unique(err) {
			t.Errorf("units of an order were given twice: %v", err)
		}
		testkit.Read(t, d, north, func(tx *db.Tx) error {
			b, err := licences.Of(tx)
			n, err2 := db.One[int64](tx, `SELECT COUNT(*) FROM licence_entries WHERE tenant_id = $1`)
			if b.Granted != 125 || b.Used != 120 || b.Left() != 5 || n != 7 {
				t.Errorf("%+v with %d entries", b, n)
			}
			return errors.Join(err, err2)
		})
		for _, text := range []string{`UPDATE licence_entries SET units = 1 WHERE tenant_id = $1`} {
			err := d.Write(context.Background(), north, func(tx *db.Tx) error { _, err := tx.Exec(text); return err })
			if !db.Guarded(err) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

// TestVerify_FindsWhatDoesNotAddUp plants what could only be written around the package.
func TestVerify_FindsWhatDoesNotAddUp(t *testing.T) {
	each(t, 10, func(t *testing.T, d *db.DB, _ *testkit.Clock) {
		for i, text := range []string{
			`UPDATE licence_balances SET granted = granted + 1 WHERE tenant_id = $1`, `UPDATE licence_balances SET used = used + 1 WHERE tenant_id = $1`,
			`INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by) VALUES ($1, 'planted', 'grant', 5, '', '', '', '')`,
		} {
			errNo := errors.New("undone")
			err := d.Write(context.Background(), north, func(tx *db.Tx) error {
				if _, err := tx.Exec(text); err != nil {
					return err
				}
				problems, err := licences.Verify(tx)
				if len(problems) != 1 {
					t.Errorf("%d: %v", i, problems)
				}
				return errors.Join(err, errNo)
			})
			if !errors.Is(err, errNo) {
				t.Error(err)
			}
		}
	})
}

// TestNotes_EachIsToldOnceUntilThereAreMore counts notes through a life.
func TestNotes_EachIsToldOnceUntilThereAreMore(t *testing.T) {
	each(t, 100, func(t *testing.T, d *db.DB, _ *testkit.Clock) {
		newest := func() (text string) {
			testkit.Read(t, d, north, func(tx *db.Tx) error {
				n, err := licences.NewestNote(tx)
				all, err2 := db.One[int64](tx, `SELECT COUNT(*) FROM licence_notes WHERE tenant_id = $1`)
				if text = fmt.Sprint("none ", all); n != nil {
					text = fmt.Sprint(n.Kind, " ", n.UnitsLeft, " ", all)
				}
				return errors.Join(err, err2)
			})
			return text
		}
		for _, step := range []struct {
			what string
			do   func(tx *db.Tx) error
			want string
		}{
			{"79 used", func(tx *db.Tx) error { _, err := licences.Use(tx, 79); return err }, "none 0"},
			{"80 used", func(tx *db.Tx) error { _, err := licences.Use(tx, 1); return err }, "low 20 1"},
			{"82 used", func(tx *db.Tx) error { _, err := licences.Use(tx, 2); return err }, "low 20 1"},
			{"10 given back and used again", func(tx *db.Tx) error {
				err := licences.GiveBack(tx, 10)
				_, err2 := licences.Use(tx, 10)
				return errors.Join(err, err2)
			}, "low 20 1"},
			{"all used", func(tx *db.Tx) error { _, err := licences.Use(tx, 18); return err }, "empty 0 2"},
			{"one given back and used", func(tx *db.Tx) error {
				err := licences.GiveBack(tx, 1)
				_, err2 := licences.Use(tx, 1)
				return errors.Join(err, err2)
			}, "empty 0 2"},
			{"topped up", func(tx *db.Tx) error { return licences.Buy(tx, 10, "o", "L/1") }, "none 2"},
			{"8 of them used", func(tx *db.Tx) error { _, err := licences.Use(tx, 8); return err }, "low 2 3"},
			{"all at once", func(tx *db.Tx) error {
				err := licences.Grant(tx, 98, "more")
				_, err2 := licences.Use(tx, 100)
				return errors.Join(err, err2)
			}, "empty 0 4"},
		} {
			testkit.Write(t, d, north, step.do)
			if got := newest(); got != step.want {
				t.Errorf("%s: %s, not %s", step.what, got, step.want)
			}
		}
		holds(t, d)
	})
}

func TestWeeklyUse_IsThatOfTheLastEightWeeks(t *testing.T) {
	each(t, 10_000, func(t *testing.T, d *db.DB, clock *testkit.Clock) {
		weekly := func() (n int64) {
			testkit.Read(t, d, north, func(tx *db.Tx) (err error) { n, err = licences.WeeklyUse(tx); return err })
			return n
		}
		if got := weekly(); got != 0 {
			t.Error(got)
		}
		for week := range 10 {
			testkit.Write(t, d, north, func(tx *db.Tx) error { _, err := licences.Use(tx, 70); return err })
			if got := weekly(); got != 70 {
				t.Errorf("week %d: %d", week, got)
			}
			clock.Pass(7 * 24 * 3600e9)
		}
		clock.Pass(60 * 24 * 3600e9)
		if got := weekly(); got != 0 {
			t.Errorf("after two months without any: %d", got)
		}
	})
}

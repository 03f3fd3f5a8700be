package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var (
	ctx   = context.Background()
	north = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna"}
	south = access.Actor{Role: access.Partner, Tenant: "south", ID: "bernd"}
)

// found makes the two partners whose rows must never meet.
func found(t *testing.T, d *db.DB) {
	t.Helper()
	for _, who := range []access.Actor{north, south} {
		testkit.Write(t, d, who, func(tx *db.Tx) error {
			if _, err := tx.Exec(`INSERT INTO partners (tenant_id, code, name, color, logo, demo, created_at)
				VALUES ($1, $2, $3, '#0B5D68', '', FALSE, $4)`, who.Tenant, who.Tenant, tx.Now); err != nil {
				return err
			}
			_, err := tx.Exec(`INSERT INTO licence_balances (tenant_id, granted, used, full_units) VALUES ($1, 10, 0, 10)`)
			return err
		})
	}
}

func addTag(tx *db.Tx, name string) error {
	_, err := tx.Exec(`INSERT INTO tags (tenant_id, id, name, search_key, created_at) VALUES ($1, $2, $3, $3, $4)`, tx.NewID(), name, tx.Now)
	return err
}

func count(t *testing.T, d *db.DB, who access.Actor, text string) (n int64) {
	t.Helper()
	testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx, text)
		return err
	})
	return n
}

func panics(t *testing.T, fn func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	fn()
}

func TestTenantsCannotSeeEachOther(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		testkit.Write(t, d, north, func(tx *db.Tx) error { return addTag(tx, "night") })
		if n := count(t, d, south, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`); n != 0 {
			t.Errorf("south sees %d tags of north", n)
		}
		if n := count(t, d, north, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`); n != 1 {
			t.Errorf("north sees %d of its own tags, want 1", n)
		}
	})
}

func TestAQueryWithoutItsTenantPanics(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	for _, text := range []string{
		`SELECT COUNT(*) FROM tags`,
		`SELECT COUNT(*) FROM tags WHERE id = $1`,
		`SELECT COUNT(*) FROM tags WHERE tenant_id = $2`,
		`SELECT COUNT(*) FROM tags WHERE tenant_id <> $1`,
		`SELECT COUNT(*) FROM tags WHERE tenant_id = $10`,
		`UPDATE tags SET name = ''`,
		`DELETE FROM tags`,
		`INSERT INTO tags (id, tenant_id) VALUES ($1, $2)`,
		`INSERT INTO tags (tenant_id, id) VALUES ($2, $1)`,
		`INSERT INTO tags (tenant_id, id) SELECT tenant_id, id FROM tags WHERE tenant_id = $1`,
	} {
		t.Run(text, func(t *testing.T) {
			panics(t, func() {
				_ = d.Write(ctx, north, func(tx *db.Tx) error {
					_, err := tx.Exec(text)
					return err
				})
			})
		})
	}
}

func TestOnlyTheSystemActsAcrossTenants(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	for _, role := range []access.Role{access.Partner, access.Driver, access.Anonymous} {
		panics(t, func() {
			_ = d.Read(ctx, access.Actor{Role: role, Tenant: "north"}, func(tx *db.Tx) error { tx.Across(); return nil })
		})
	}
	panics(t, func() { // the system outside any tenant has none to query
		_ = d.Read(ctx, access.Program("test"), func(tx *db.Tx) error {
			_, err := db.Select[string](tx, `SELECT id FROM tags WHERE tenant_id = $1`)
			return err
		})
	})
}

func TestAPanicInAUnitLeavesNothingBehind(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		panics(t, func() {
			_ = d.Write(ctx, north, func(tx *db.Tx) error {
				if err := addTag(tx, "half"); err != nil {
					return err
				}
				panic("in the middle")
			})
		})
		if n := count(t, d, north, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`); n != 0 {
			t.Errorf("%d tags of a unit that panicked", n)
		}
		testkit.Write(t, d, north, func(tx *db.Tx) error { return addTag(tx, "whole") }) // the connection is free again
	})
}

func TestAUnitCannotBeUsedWhenItIsOver(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	var kept *db.Tx
	testkit.Write(t, d, north, func(tx *db.Tx) error { kept = tx; return nil })
	panics(t, func() { _, _ = kept.Exec(`DELETE FROM tags WHERE tenant_id = $1`) })
}

func TestAReadOnlyUnitCannotWrite(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		if err := d.Read(ctx, north, func(tx *db.Tx) error { return addTag(tx, "sneaky") }); err == nil {
			t.Error("a read-only unit wrote a row")
		}
	})
}

func TestAReadOnlyUnitSeesOneSnapshot(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		testkit.Read(t, d, north, func(tx *db.Tx) error {
			const text = `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`
			before, err := db.One[int64](tx, text)
			if err != nil {
				return err
			}
			testkit.Write(t, d, north, func(tx *db.Tx) error { return addTag(tx, "late") })
			after, err := db.One[int64](tx, text)
			if before != 0 || after != 0 {
				t.Errorf("the snapshot moved from %d to %d", before, after)
			}
			return err
		})
	})
}

// The naive spender reads the balance, thinks, and writes it back. Only serial
// units make that right, and they must on both engines.
func TestTwentyParallelSpendersSpendOneBalanceOnce(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		var spent, refused atomic.Int64
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				err := d.Write(ctx, north, func(tx *db.Tx) error {
					used, err := db.One[int64](tx, `SELECT used FROM licence_balances WHERE tenant_id = $1`)
					if err != nil {
						return err
					}
					if used != 0 {
						return errors.New("spent")
					}
					time.Sleep(2 * time.Millisecond)
					_, err = tx.Exec(`UPDATE licence_balances SET used = $2 WHERE tenant_id = $1`, used+10)
					return err
				})
				switch {
				case err == nil:
					spent.Add(1)
				case err.Error() == "spent":
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if spent.Load() != 1 || refused.Load() != 19 {
			t.Errorf("spent %d times, refused %d times; want 1 and 19", spent.Load(), refused.Load())
		}
		if n := count(t, d, north, `SELECT used FROM licence_balances WHERE tenant_id = $1`); n != 10 {
			t.Errorf("usage is %d, want 10", n)
		}
	})
}

func TestARowOfAnotherTenantCannotBeReferredTo(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		testkit.Write(t, d, north, func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at) VALUES ($1, 'anna', 'i', 's', 'partner', 'Anna', 'a@x', '')`)
			return err
		})
		testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`CREATE TABLE things (tenant_id TEXT NOT NULL, member_id TEXT NOT NULL, FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id))`)
			return err
		})
		// twice, so that on SQLite a second connection would show that it too keeps foreign keys
		for range 2 {
			err := d.Write(ctx, access.Program("test"), func(tx *db.Tx) error {
				_, err := tx.Across().Exec(`INSERT INTO things (tenant_id, member_id) VALUES ('south', 'anna')`)
				return err
			})
			if !db.Dangling(err) {
				t.Errorf("a thing of south refers to a member of north: %v", err)
			}
		}
	})
}

func TestTheUsageCannotPassTheLimit(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		err := d.Write(ctx, north, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE licence_balances SET used = 11 WHERE tenant_id = $1`)
			return err
		})
		if err == nil {
			t.Error("11 of 10 settlements used")
		}
	})
}

func TestBulkInsertAddsEveryRowOnce(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		const name = `Łódź d'Or'); -- ?, $1`
		at := time.Date(2026, 3, 9, 4, 0, 0, 123000, time.UTC)
		for _, n := range []int{0, 1, 199, 200, 201, 1000, 2001} {
			testkit.Write(t, d, north, func(tx *db.Tx) error {
				if _, err := tx.Exec(`DELETE FROM tags WHERE tenant_id = $1`); err != nil {
					return err
				}
				added, err := tx.Insert("tags", []string{"id", "name", "search_key", "created_at"}, func(yield func([]any) bool) {
					row := make([]any, 4)
					for i := range n {
						row[0], row[1], row[2], row[3] = fmt.Sprint(i), name, fmt.Sprint(i), at
						if !yield(row) {
							return
						}
					}
				})
				if added != int64(n) {
					t.Errorf("%d rows added, want %d", added, n)
				}
				return err
			})
			if got := count(t, d, north, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`); got != int64(n) {
				t.Errorf("%d rows there, want %d", got, n)
			}
		}
		testkit.Read(t, d, north, func(tx *db.Tx) error {
			got, err := db.One[struct {
				Name      string
				CreatedAt time.Time
			}](tx, `SELECT name, created_at FROM tags WHERE tenant_id = $1 LIMIT 1`)
			if got.Name != name || !got.CreatedAt.Equal(at) {
				t.Errorf("read back %v", got)
			}
			return err
		})
	})
}

func TestAFailedBulkInsertLeavesNothing(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		err := d.Write(ctx, north, func(tx *db.Tx) error {
			_, err := tx.Insert("tags", []string{"id", "name", "search_key", "created_at"}, func(yield func([]any) bool) {
				for i := range 500 {
					if !yield([]any{fmt.Sprint(i % 450), "x", fmt.Sprint(i), ""}) {
						return
					}
				}
			})
			return err
		})
		if !db.Unique(err) {
			t.Errorf("450 ids for 500 rows: %v", err)
		}
		err = d.Write(ctx, north, func(tx *db.Tx) error {
			_, _ = tx.Insert("tags", []string{"id", "name", "search_key", "created_at"}, slices.Values([][]any{{"one", "x", "", ""}, {"one", "x", "", ""}}))
			return nil
		})
		if !db.Unique(err) {
			t.Errorf("a unit whose insert failed went on: %v", err)
		}
		if n := count(t, d, north, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1`); n != 0 {
			t.Errorf("%d rows of a failed insert", n)
		}
	})
}

func TestTransaction_WithoutADriverIsRefused(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		for range 2 { // the connection of a refused unit is as good as before
			err := d.Write(ctx, north, func(tx *db.Tx) error {
				_, err := ledger.AddMany(tx, "", slices.Values([]*ledger.Transaction{{ID: tx.NewID(), DriverID: "nobody", Provider: "UBER", Type: "TRIP", OccurredOn: "2026-11-02", Currency: "PLN", Source: "import"}}))
				return err
			})
			if !db.Dangling(err) {
				t.Error(err)
			}
		}
		if n := count(t, d, north, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1`); n != 0 {
			t.Errorf("%d transactions of nobody", n)
		}
	})
}

func TestAWrongTypeIsRefusedOnBothEngines(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		err := d.Write(ctx, north, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE licence_balances SET granted = $2 WHERE tenant_id = $1`, "many")
			return err
		})
		if err == nil {
			t.Error("a word went into a number")
		}
	})
}

func TestTheOrderOfStoredInstantsIsThatOfTime(t *testing.T) {
	early := time.Date(2026, 10, 25, 2, 30, 0, 0, time.FixedZone("summer", 2*3600))
	late := time.Date(2026, 10, 25, 2, 30, 0, 1000, time.FixedZone("winter", 3600))
	if a, b := db.Instant(early), db.Instant(late); !(a < b) || len(a) != len(b) {
		t.Errorf("%s is not before %s", a, b)
	}
	if db.Instant(time.Time{}) != "" {
		t.Error("no instant is stored as something")
	}
}

// The databases of the tests on PostgreSQL are Polish ones, where "Ł" stands beside "l" and signs count for little.
func TestTextsAreOrderedByBytesOnBothEngines(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			d := testkit.Open(t, testkit.Empty(t, engine))
			found(t, d)
			testkit.Write(t, d, north, func(tx *db.Tx) error {
				for _, name := range []string{"a-b", "ab", "aB", "Ł", "l", "_", "Z", "a b", "9"} {
					if err := addTag(tx, name); err != nil {
						return err
					}
				}
				return nil
			})
			testkit.Read(t, d, north, func(tx *db.Tx) error {
				names, err := db.Select[string](tx, `SELECT name FROM tags WHERE tenant_id = $1 ORDER BY name`)
				if got := strings.Join(names, "|"); got != "9|Z|_|a b|a-b|aB|ab|l|Ł" {
					t.Error(got)
				}
				return err
			})
		})
	}
}

func TestSeveralInstancesMayStartAtOnce(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := testkit.Empty(t, engine)
			var all sync.WaitGroup
			for range 12 {
				all.Go(func() {
					d, err := db.Open(ctx, s)
					if err != nil {
						t.Error(err)
						return
					}
					if err := d.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if t.Failed() {
				return
			}
			d := testkit.Open(t, s)
			testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
				n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM migrations WHERE name = '0001_ground'`)
				if n != 1 {
					t.Errorf("the first upgrade was applied %d times", n)
				}
				return err
			})
		})
	}
}

func TestADatabaseOfANewerVersionIsRefused(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := testkit.Empty(t, engine)
			d := testkit.Open(t, s)
			testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error {
				_, err := tx.Across().Exec(`INSERT INTO migrations (name, sum, applied_at) VALUES ('9999_future', '', '')`)
				return err
			})
			_, err := db.Open(ctx, s)
			if err == nil || !strings.Contains(err.Error(), "newer Saldo") {
				t.Errorf("opened a newer database: %v", err)
			}
		})
	}
}

func TestWhatStopsTheStartSaysWhatToDo(t *testing.T) {
	readonly := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(readonly, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, db.File), []byte(strings.Repeat("not a database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		settings db.Settings
		says     string
	}{
		"another kind of database":   {db.Settings{URL: "mysql://root@localhost/saldo"}, "must be empty"},
		"no server there":            {db.Settings{URL: "postgres://saldo:secret-word@127.0.0.1:1/saldo"}, "does not answer"},
		"an address without meaning": {db.Settings{URL: "postgres://saldo:secret-word@127.0.0.1:99999/saldo"}, "SALDO_DATABASE_URL"},
		"a file where the folder is": {db.Settings{Folder: readonly}, "SALDO_DATA"},
		"somebody else's saldo.db":   {db.Settings{Folder: other}, "move it away"},
		"a folder nobody can make":   {db.Settings{Folder: "/proc/saldo/data"}, "SALDO_DATA"},
		"a folder nobody can write":  {db.Settings{Folder: "/proc"}, "SALDO_DATA"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.Open(ctx, c.settings)
			if err == nil {
				t.Fatal("it opened")
			}
			if text := err.Error(); !strings.Contains(text, c.says) || strings.Contains(text, "secret-word") || strings.Contains(text, "\n") {
				t.Errorf("it says: %s", text)
			}
		})
	}
}

func TestAWaiterIsWokenOnlyByWhatIsCommitted(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	_ = d.Write(ctx, north, func(tx *db.Tx) error { tx.Notify("bell"); return errors.New("no") })
	select {
	case <-d.Notified("bell"):
		t.Error("woken by a unit that was rolled back")
	default:
	}
	testkit.Write(t, d, north, func(tx *db.Tx) error { tx.Notify("bell"); tx.Notify("bell"); return nil })
	select {
	case <-d.Notified("bell"):
	default:
		t.Error("not woken")
	}
}

func TestTheDatabaseIsItsOwnersAlone(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, db.File)
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(file, 0o644), os.Chmod(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	d := testkit.Open(t, db.Settings{Folder: folder})
	testkit.Write(t, d, access.Program("test"), func(*db.Tx) error { return nil })
	for path, want := range map[string]os.FileMode{folder: 0o700, file: 0o600, file + "-wal": 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has %o", filepath.Base(path), info.Mode().Perm())
		}
	}
}

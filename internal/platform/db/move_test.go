package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// content is every row of some tables as text, the same on both engines.
func content(t *testing.T, d *db.DB) (all []string) {
	t.Helper()
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
		type partner struct {
			TenantID, Name string
			Demo           bool
			Granted        int64
		}
		partners, err := db.Select[partner](tx.Across(), `SELECT p.tenant_id, p.name, p.demo, b.granted FROM partners p
			JOIN licence_balances b ON b.tenant_id = p.tenant_id ORDER BY p.tenant_id`)
		if err != nil {
			return err
		}
		tags, err := db.Select[struct{ TenantID, ID, Name, CreatedAt string }](tx.Across(), `SELECT tenant_id, id, name, created_at FROM tags ORDER BY tenant_id, id`)
		all = append(strings.Split(fmt.Sprint(partners), "{"), strings.Split(fmt.Sprint(tags), "{")...)
		return err
	})
	return all
}

func TestMovingToPostgreSQLTakesEverythingAlong(t *testing.T) {
	from, to := testkit.Open(t, testkit.Empty(t, "sqlite")), testkit.Open(t, testkit.Settings(t, "postgres"))
	found(t, from)
	for _, who := range []access.Actor{north, south} {
		testkit.Write(t, from, who, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE partners SET demo = TRUE WHERE tenant_id = $1`); err != nil {
				return err
			}
			for i := range 450 {
				if err := addTag(tx, fmt.Sprint("Łódź ", i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	moved, err := db.Move(ctx, from, to, false)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(moved, db.Moved{Table: "tags", Rows: 900}) || !slices.Contains(moved, db.Moved{Table: "partners", Rows: 2}) {
		t.Errorf("moved %v", moved)
	}
	if a, b := content(t, from), content(t, to); !slices.Equal(a, b) {
		t.Error("the two databases differ")
	}
	if _, err := db.Move(ctx, from, to, false); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("moved into a database with rows: %v", err)
	}
	if _, err := db.Move(ctx, to, from, false); err == nil {
		t.Error("moved backwards")
	}
}

func TestTextsThatPostgreSQLCannotHoldAreNamedBeforeAnythingIsMoved(t *testing.T) {
	from, to := testkit.Open(t, testkit.Empty(t, "sqlite")), testkit.Open(t, testkit.Settings(t, "postgres"))
	found(t, from)
	bad := []string{"A\x00", "\x00", "Łód\xc5", "\xff\xfe", "ok\x00\xff"}
	ids := make([]string, len(bad))
	testkit.Write(t, from, north, func(tx *db.Tx) error {
		for i, name := range append(bad, "Łódź", "") {
			id := tx.NewID()
			if i < len(bad) {
				ids[i] = id
			}
			// as former versions stored them: nothing looked at texts on their way
			if _, err := tx.Exec(`INSERT INTO tags (tenant_id, id, name, search_key, created_at) VALUES ($1, $2, $3, $4, $5)`, id, name, fmt.Sprint(i), tx.Now); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`UPDATE partners SET name = $2 WHERE tenant_id = $1`, "North\x00")
		return err
	})
	for _, move := range []func() error{
		func() error { return db.Movable(ctx, from) },
		func() error { _, err := db.Move(ctx, from, to, false); return err },
	} {
		var unclean *db.UncleanError
		if err := move(); !errors.As(err, &unclean) || unclean.Count != len(bad)+1 || !strings.Contains(err.Error(), "nothing was copied") {
			t.Fatalf("it gives %v", err)
		}
		for _, id := range ids {
			if !slices.Contains(unclean.Texts, db.Unclean{Table: "tags", Column: "name", Row: fmt.Sprintf("tenant_id=%q id=%q", "north", id)}) {
				t.Errorf("%s is not among %v", id, unclean.Texts)
			}
		}
		if !slices.Contains(unclean.Texts, db.Unclean{Table: "partners", Column: "name", Row: `tenant_id="north"`}) {
			t.Errorf("the partner is not among %v", unclean.Texts)
		}
		if rows := content(t, to); slices.ContainsFunc(rows, func(r string) bool { return strings.Contains(r, "north") }) {
			t.Errorf("rows were copied: %v", rows)
		}
	}
	before := content(t, from)
	moved, err := db.Move(ctx, from, to, true)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(moved, db.Moved{Table: "tags", Rows: 7, Mended: 5}) || !slices.Contains(moved, db.Moved{Table: "partners", Rows: 2, Mended: 1}) {
		t.Errorf("moved %v", moved)
	}
	testkit.Read(t, to, north, func(tx *db.Tx) error {
		names, err := db.Select[string](tx, `SELECT name FROM tags WHERE tenant_id = $1 ORDER BY search_key`)
		if want := []string{"A", "", "Łód\uFFFD", "\uFFFD", "ok\uFFFD", "Łódź", ""}; !slices.Equal(names, want) {
			t.Errorf("%q instead of %q", names, want)
		}
		return err
	})
	if after := content(t, from); !slices.Equal(before, after) {
		t.Error("the source was changed")
	}
}

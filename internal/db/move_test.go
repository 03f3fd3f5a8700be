package db_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/testkit"
)

// content is every row of some tables as text, the same on both engines.
func content(t *testing.T, d *db.DB) (all []string) {
	t.Helper()
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) error {
		type partner struct {
			TenantID, Name  string
			Demo            bool
			SettlementLimit int64
		}
		partners, err := db.Select[partner](tx.Across(), `SELECT tenant_id, name, demo, settlement_limit FROM partners ORDER BY tenant_id`)
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
	moved, err := db.Move(ctx, from, to)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(moved, db.Moved{Table: "tags", Rows: 900}) || !slices.Contains(moved, db.Moved{Table: "partners", Rows: 2}) {
		t.Errorf("moved %v", moved)
	}
	if a, b := content(t, from), content(t, to); !slices.Equal(a, b) {
		t.Error("the two databases differ")
	}
	if _, err := db.Move(ctx, from, to); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("moved into a database with rows: %v", err)
	}
	if _, err := db.Move(ctx, to, from); err == nil {
		t.Error("moved backwards")
	}
}

package db_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

type text string

type tagged struct {
	Name string
	Note string `db:"-"`
}

type stored struct {
	ID string
	tagged
	IBANSealed text
	TaxID      string
	CreatedAt  time.Time
	Count      int64
	Active     bool
	hidden     string
}

func TestColumnsOf_FollowsTheFields(t *testing.T) {
	_ = stored{}.hidden
	want := "id name iban_sealed tax_id created_at count active"
	if got := strings.Join(db.ColumnsOf[stored](), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestInsert_KeepsListsOfTexts(t *testing.T) {
	type key struct {
		ActorID, Key, RequestSum string
		Answer                   []text
		CreatedAt                time.Time
	}
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		if err := d.Write(ctx, north, func(tx *db.Tx) error {
			for i, list := range [][]text{nil, {}, {"a", `"b",`, "Łódź"}} {
				if err := db.Insert(tx, "idempotency_keys", key{Key: fmt.Sprint(i), Answer: list}); err != nil {
					return err
				}
				got, err := db.One[[]text](tx, `SELECT answer FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`, fmt.Sprint(i))
				if err != nil || got == nil || !slices.Equal(got, list) {
					t.Errorf("%q became %q, %v", list, got, err)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestInsertAndUpdate_WriteEveryField(t *testing.T) {
	type key struct {
		ActorID, Key, RequestSum, Answer string
		CreatedAt                        time.Time
	}
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		at := d.Now()
		in := func(who access.Actor, fn func(*db.Tx) error) {
			if err := d.Write(ctx, who, fn); err != nil {
				t.Fatal(err)
			}
		}
		read := func(tx *db.Tx) []key {
			found, err := db.Select[key](tx, `SELECT `+strings.Join(db.ColumnsOf[key](), ", ")+` FROM idempotency_keys WHERE tenant_id = $1 ORDER BY key`)
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		rows := []key{{"a", "1", "s", "x", at}, {"a", "2", "s", "", time.Time{}}, {"a", "3", "t", "'\"", at}}
		in(north, func(tx *db.Tx) error {
			if err := db.Insert(tx, "idempotency_keys", rows[0]); err != nil {
				return err
			}
			n, err := db.InsertAll(tx, "idempotency_keys", slices.Values(rows[1:]))
			if err == nil && n != 2 {
				t.Errorf("%d rows", n)
			}
			if got := read(tx); !slices.Equal(got, rows) {
				t.Errorf("%v", got)
			}
			type change struct{ RequestSum, Answer string }
			if n, err := db.Update(tx, "idempotency_keys", change{"u", "y"}, "request_sum = $2 AND key <> $3", "s", "1"); err != nil || n != 1 {
				t.Errorf("%d %v", n, err)
			}
			rows[1].RequestSum, rows[1].Answer = "u", "y"
			if got := read(tx); !slices.Equal(got, rows) {
				t.Errorf("%v", got)
			}
			return err
		})
		in(south, func(tx *db.Tx) error {
			if got := read(tx); len(got) != 0 {
				t.Errorf("another tenant has %v", got)
			}
			if n, err := db.Update(tx, "idempotency_keys", struct{ Answer string }{"z"}, "key <> ''"); err != nil || n != 0 {
				t.Errorf("%d rows of another tenant, %v", n, err)
			}
			return nil
		})
	})
}

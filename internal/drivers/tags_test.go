package drivers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var anna = testkit.Anna

func TestTheTrailSaysWhoMadeAndWhoRemovedATag(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		var tag drivers.Tag
		testkit.Write(t, d, anna, func(tx *db.Tx) (err error) { tag, err = drivers.AddTag(tx, "Nocna zmiana"); return err })
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return drivers.RemoveTag(tx, tag.ID) })
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			trail, err := audit.Of(tx, "tag", tag.ID)
			if err != nil {
				return err
			}
			if len(trail) != 2 || trail[0].Action != "tags.add" || trail[1].Action != "tags.remove" || trail[0].ActorName != "Anna Mazurek" ||
				trail[0].BeforeState != "null" || !strings.Contains(trail[1].BeforeState, "Nocna zmiana") || trail[1].AfterState != "null" {
				t.Errorf("the trail: %+v", trail)
			}
			return nil
		})
	})
}

func TestARefusedTagLeavesNoTrail(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		testkit.Write(t, d, anna, func(tx *db.Tx) error { _, err := drivers.AddTag(tx, "Nocna"); return err })
		err := d.Write(context.Background(), anna, func(tx *db.Tx) error { _, err := drivers.AddTag(tx, "NOCNA"); return err })
		if !errors.Is(err, drivers.ErrTagNameTaken) {
			t.Errorf("the same name: %v", err)
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1 AND action = 'tags.add'`)
			if n != 1 {
				t.Errorf("%d lines for one tag", n)
			}
			return err
		})
	})
}

// Counting and then inserting is right only in serial units.
func TestParallelClerksCannotPassTheLimitOfTags(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			_, err := tx.Insert("tags", []string{"id", "name", "search_key", "created_at"}, func(yield func([]any) bool) {
				for i := range drivers.TagsMax - 3 {
					if !yield([]any{fmt.Sprint(i), fmt.Sprint(i), fmt.Sprint(i), tx.Now}) {
						return
					}
				}
			})
			return err
		})
		var made, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				err := d.Write(context.Background(), anna, func(tx *db.Tx) error { _, err := drivers.AddTag(tx, fmt.Sprint("late ", i)); return err })
				switch {
				case err == nil:
					made.Add(1)
				case errors.Is(err, drivers.ErrTooManyTags):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if made.Load() != 3 || refused.Load() != 9 {
			t.Errorf("made %d, refused %d; want 3 and 9", made.Load(), refused.Load())
		}
	})
}

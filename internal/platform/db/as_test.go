package db_test

import (
	"errors"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestAUnitHandedToTwoTenantsHappensInBothOrInNeither(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		found(t, d)
		both := func(end error) error {
			return d.Write(ctx, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				for _, who := range []access.Actor{north, south} {
					if err := tx.As(who, func() error { return addTag(tx, "shared") }); err != nil {
						return err
					}
				}
				if tx.Actor.Role != access.System {
					t.Errorf("the unit stayed with %v", tx.Actor)
				}
				return end
			})
		}
		tags := func(who access.Actor) int64 {
			return count(t, d, who, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1 AND name = 'shared'`)
		}
		if err := both(errors.New("half way")); err == nil || tags(north) != 0 || tags(south) != 0 {
			t.Errorf("after a failure: %v, %d and %d", err, tags(north), tags(south))
		}
		if err := both(nil); err != nil || tags(north) != 1 || tags(south) != 1 {
			t.Errorf("after success: %v, %d and %d", err, tags(north), tags(south))
		}
	})
}

func TestOnlyTheSystemActsAsAnotherActor(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	panics(t, func() {
		_ = d.Read(ctx, access.Actor{Role: access.Driver, Tenant: "south"}, func(tx *db.Tx) error { return tx.As(north, func() error { return nil }) })
	})
}

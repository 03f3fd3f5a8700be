package partners_test

import (
	"fmt"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestFeatures_AreOneAuditedSwitchForEachPartner(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		operator := access.ProgramFor(anna.Tenant, "operator")
		set := func(f partners.Feature, on bool) error {
			return w.db.Write(ctx, operator, func(tx *db.Tx) error { return partners.SetFeature(tx, f, on) })
		}
		of := func(who access.Actor) (list []partners.Feature) {
			testkit.Read(t, w.db, who, func(tx *db.Tx) (err error) { list, err = partners.FeaturesOf(tx); return err })
			return list
		}
		if len(of(anna)) != 0 {
			t.Fatalf("a new partner has %v", of(anna))
		}
		for range 2 { // the second time changes nothing
			for _, f := range []partners.Feature{partners.LogisticsMenu, partners.Fuel} {
				if err := set(f, true); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := fmt.Sprint(of(anna)); got != "[fuel logistics_menu]" {
			t.Error(got)
		}
		if len(of(bernd)) != 0 {
			t.Errorf("another partner has %v", of(bernd))
		}
		for range 2 {
			if err := set(partners.Fuel, false); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprint(of(anna)); got != "[logistics_menu]" {
			t.Error(got)
		}
		if lines := w.trail(t, anna, "partners.set_feature"); len(lines) != 3 {
			t.Errorf("%d changes are in the trail", len(lines))
		}
		if err := set("stats", true); err == nil {
			t.Error("a feature that is none was taken")
		}
	})
}

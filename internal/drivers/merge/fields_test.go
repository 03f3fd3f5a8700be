package merge

import (
	"slices"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// Every field of a driver has a rule in merging: whose stays can be chosen, or follows from both.
func TestEveryField_HasARuleInMerging(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		one, two := testkit.TwoDrivers(t, 2)
		kept := side{Details: one, ID: "kept"}
		other := side{Details: two, ID: "other", standing: standing{Active: true, Blocked: true, AccountID: "a", VerifiedAt: "v",
			ActivationSentAt: "s", ActivatedAccount: "w", SettledOn: "2026-11-15", IBANChangedAt: "c"}}
		choices := func(whose string) map[string]string {
			all := map[string]string{}
			for _, f := range mergeFields {
				if f.chosen {
					all[f.name] = whose
				}
			}
			return all
		}
		after, err := union(tx, kept, other, choices(otherSide))
		want := other.standing
		want.IBANChangedAt = db.Instant(tx.Now) // the account is another one from now on
		if err != nil || after.Details != two || after.standing != want {
			t.Errorf("all of the other: %+v, want %+v and %+v (%v)", after, two, want, err)
		}
		one.Bailiff = true // the stricter of two flags stays
		after, err = union(tx, kept, other, choices(keptSide))
		if err != nil || after.Details != one {
			t.Errorf("all of the kept: %+v, want %+v (%v)", after.Details, one, err)
		}
		return nil
	})
}

// A column that a later migration adds to drivers is merged, or is named here.
func TestEveryColumn_OfDriversIsMerged(t *testing.T) {
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	known := append(db.ColumnsOf[struct {
		drivers.Stored
		standing
	}](), "tenant_id", "id", "merged_into", "created_at")
	for _, column := range testkit.Columns(t, d, "drivers") {
		if !slices.Contains(known, column) {
			t.Errorf("merging does not know drivers.%s", column)
		}
	}
}

func TestOpenState_ReadsTheNamesOfBefore(t *testing.T) {
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	d := testkit.Open(t, testkit.Empty(t, "sqlite"))
	testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		sealed := v.Seal("north", sealPurpose, []byte(`{"before":{"firstName":"Jan","bailiff":true},"after":{"bailiffSeizure":true}}`))
		s, err := openState(tx, drivers.Service{Vault: v}, sealed)
		if err != nil || s.Before.FirstName != "Jan" || !s.Before.Bailiff || !s.After.Bailiff {
			t.Errorf("%+v %v", s, err)
		}
		return nil
	})
}

package accounts_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"saldo/internal/accounts"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

var anna = testkit.Anna

var oleh = func() access.Actor {
	id := identity.PersonOf(identity.Embedded, "oleh")
	return access.Actor{Role: access.Driver, Person: id, ID: id, Name: "Oleh Babiak", Proof: access.Proof{Issuer: identity.Embedded, Subject: "oleh"}}
}()

var consent = accounts.Consent{Given: true, Language: i18n.English}

// driven makes north and south, and Oleh's account.
func driven(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Found(t, d)
	testkit.Write(t, d, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
		return partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 0)
	})
	testkit.Write(t, d, oleh.AsDriver(), func(tx *db.Tx) error { return accounts.Open(tx, nil, "PL", details()) })
}

func details() accounts.Details {
	return accounts.Details{FirstName: "Oleh", LastName: "Babiak", Email: "oleh@example.com", Phone: "+48601234567", Cities: []string{"Warszawa"}}
}

// both runs a unit of the system for Oleh.
func both(d *db.DB, fn func(*db.Tx) error) error {
	return d.Write(context.Background(), access.ProgramFor(oleh.Person, "accounts"), fn)
}

func choose(d *db.DB, partner string) error {
	return both(d, func(tx *db.Tx) error { return accounts.ChoosePartner(tx, oleh, partner, consent) })
}

// where says which partners have Oleh: by membership and by profile, and which he has chosen.
func where(t *testing.T, d *db.DB) string {
	t.Helper()
	var members, profiles []string
	var chosen string
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) {
		if members, err = db.Select[string](tx.Across(), `SELECT tenant_id FROM members WHERE id = $1 ORDER BY tenant_id`, oleh.Person); err != nil {
			return err
		}
		if profiles, err = db.Select[string](tx.Across(), `SELECT tenant_id FROM driver_profiles WHERE account_id = $1 AND left_at = '' ORDER BY tenant_id`, oleh.Person); err != nil {
			return err
		}
		chosen, err = db.One[string](tx.Across(), `SELECT partner_id FROM driver_accounts WHERE tenant_id = $1`, oleh.Person)
		return err
	})
	return strings.Join(members, ",") + "/" + strings.Join(profiles, ",") + "/" + chosen
}

func TestADriverIsWithOnePartnerOnBothSides(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		for _, step := range []struct {
			partner, want string
		}{{"north", "north/north/north"}, {"north", "north/north/north"}, {"south", "south/south/south"}, {"north", "north/north/north"}} {
			if err := choose(d, step.partner); err != nil || where(t, d) != step.want {
				t.Errorf("after choosing %s: %v, %s", step.partner, err, where(t, d))
			}
		}
		if err := both(d, func(tx *db.Tx) error { return accounts.LeavePartner(tx, oleh) }); err != nil || where(t, d) != "//" {
			t.Errorf("after leaving: %v, %s", err, where(t, d))
		}
		if err := both(d, func(tx *db.Tx) error { return accounts.LeavePartner(tx, oleh) }); !errors.Is(err, accounts.ErrNoPartner) {
			t.Errorf("left twice: %v", err)
		}
	})
}

func TestAChoiceThatFailsHalfWayLeavesBothSidesAsTheyWere(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		late := errors.New("the last step failed")
		err := both(d, func(tx *db.Tx) error {
			if err := accounts.ChoosePartner(tx, oleh, "north", consent); err != nil {
				return err
			}
			return late
		})
		if !errors.Is(err, late) || where(t, d) != "//" {
			t.Errorf("%v, %s", err, where(t, d))
		}
		if err := choose(d, "south"); err != nil {
			t.Fatal(err)
		}
		if err := choose(d, "north"); err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, d, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE driver_profiles SET state = 'blocked' WHERE tenant_id = $1`)
			return err
		})
		// north was left already when south refuses
		if err := choose(d, "south"); !errors.Is(err, accounts.ErrBlocked) || where(t, d) != "north/north/north" {
			t.Errorf("%v, %s", err, where(t, d))
		}
	})
}

func TestChoicesAtTheSameMomentEndWithOnePartner(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if err := choose(d, []string{"north", "south"}[i%2]); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if at := where(t, d); at != "north/north/north" && at != "south/south/south" {
			t.Error(at)
		}
	})
}

func TestDriver_IsSharedWithAPartnerOnlyAfterConsent(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		err := both(d, func(tx *db.Tx) error {
			return accounts.ChoosePartner(tx, oleh, "north", accounts.Consent{Language: i18n.English})
		})
		if !errors.Is(err, accounts.ErrConsent) || where(t, d) != "//" {
			t.Errorf("%v, %s", err, where(t, d))
		}
	})
}

func TestTheTrailOfAChoiceNamesTheDriverInThePartnersTenant(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		if err := choose(d, "north"); err != nil {
			t.Fatal(err)
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			id, err := db.One[string](tx, `SELECT id FROM driver_profiles WHERE tenant_id = $1`)
			if err != nil {
				return err
			}
			trail, err := audit.Of(tx, "driver_profile", id)
			if len(trail) != 1 || trail[0].ActorName != "Oleh Babiak" || trail[0].ActorRole != "driver" || trail[0].Action != "driver_profiles.enter" {
				t.Errorf("%+v", trail)
			}
			return err
		})
	})
}

func TestAPartnerThatWasLeftSeesNoLaterChanges(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		for _, partner := range []string{"north", "south"} {
			if err := choose(d, partner); err != nil {
				t.Fatal(err)
			}
		}
		moved := details()
		moved.Phone = "+48602345678"
		if err := both(d, func(tx *db.Tx) error { return accounts.Save(tx, oleh, nil, "PL", moved, 1) }); err != nil {
			t.Fatal(err)
		}
		for tenant, want := range map[string]string{"north": "+48601234567", "south": "+48602345678"} {
			testkit.Read(t, d, access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
				phone, err := db.One[string](tx, `SELECT phone FROM driver_profiles WHERE tenant_id = $1`)
				if phone != want {
					t.Errorf("%s has %s", tenant, phone)
				}
				return err
			})
		}
	})
}

func TestSavingWhatIsThereAlreadyChangesNothing(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		for range 2 {
			if err := both(d, func(tx *db.Tx) error { return accounts.Save(tx, oleh, nil, "PL", details(), 1) }); err != nil {
				t.Fatal(err)
			}
		}
		testkit.Read(t, d, oleh.AsDriver(), func(tx *db.Tx) error {
			a, err := accounts.Own(tx)
			if a.Version != 1 {
				t.Errorf("version %d", a.Version)
			}
			return err
		})
	})
}

func TestAPeselIsReadBackOnlyAtItsEnd(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		v, err := vault.Open(testkit.Key)
		if err != nil {
			t.Fatal(err)
		}
		pesel := "440514 01359"
		with := details()
		with.Pesel = &pesel
		if err := both(d, func(tx *db.Tx) error { return accounts.Save(tx, oleh, v, "PL", with, 1) }); err != nil {
			t.Fatal(err)
		}
		testkit.Read(t, d, oleh.AsDriver(), func(tx *db.Tx) error {
			a, err := accounts.Own(tx)
			if err != nil {
				return err
			}
			shown, err := a.Pesel(v)
			if shown != "•••••••1359" || strings.Contains(a.PeselSealed, "44051401359") {
				t.Errorf("%q %q", shown, a.PeselSealed)
			}
			return err
		})
	})
}

func TestTheTaxIdOfEachCountryIsUnderstood(t *testing.T) {
	d := testkit.Open(t, testkit.Settings(t, "sqlite"))
	driven(t, d)
	for _, c := range []struct {
		country, typed, kept string
	}{{"PL", "PL 526-025-02-74", "5260250274"}, {"PL", "DE136695976", ""}, {"DE", "136695976", "DE136695976"}, {"DE", "36 574 261 809", "36574261809"}, {"DE", "5260250274", ""}, {"DE", "", ""}} {
		a := details()
		a.TaxID = c.typed
		var kept string
		err := both(d, func(tx *db.Tx) error {
			if err := tx.As(oleh.AsDriver(), func() error {
				_, err := tx.Exec(`UPDATE driver_accounts SET version = 1, tax_id = '' WHERE tenant_id = $1`)
				return err
			}); err != nil {
				return err
			}
			if err := accounts.Save(tx, oleh, nil, c.country, a, 1); err != nil {
				return err
			}
			return tx.As(oleh.AsDriver(), func() error { own, err := accounts.Own(tx); kept = own.Details.TaxID; return err })
		})
		if wrong := c.kept == "" && c.typed != ""; wrong != errors.Is(err, accounts.ErrInvalid) || kept != c.kept {
			t.Errorf("%+v: %q %v", c, kept, err)
		}
	}
}

func TestWhoeverComesBackAfterClosingStartsAnew(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		driven(t, d)
		if err := choose(d, "north"); err != nil {
			t.Fatal(err)
		}
		if err := both(d, func(tx *db.Tx) error { return accounts.Close(tx, oleh) }); err != nil || where(t, d) != "//" {
			t.Fatalf("%v %s", err, where(t, d))
		}
		testkit.Write(t, d, oleh.AsDriver(), func(tx *db.Tx) error {
			if _, err := accounts.Own(tx); !errors.Is(err, accounts.ErrNoAccount) {
				t.Errorf("%v", err)
			}
			return accounts.Open(tx, nil, "PL", details())
		})
		if err := choose(d, "north"); err != nil || where(t, d) != "north/north/north" {
			t.Errorf("%v %s", err, where(t, d))
		}
	})
}

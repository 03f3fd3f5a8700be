package app

import (
	"context"
	"path/filepath"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/invoices"
	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/partners"
	"saldo/internal/payouts"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/timeline"
)

func TestAPopulatedFleetGoesOnWhereItStoppedAndHasItsTransactionsOnce(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := vault.CreateKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	for code, size := range map[string]int{"pl": 360, "de": 120} {
		instance, err := config.InstanceOf(code)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Each(t, func(t *testing.T, d *db.DB) {
			north := access.ProgramFor("north", "test")
			testkit.Write(t, d, north, func(tx *db.Tx) error {
				return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0)
			})
			a := &App{db: d, vault: testkit.Vault(t, keyFile), settings: config.Settings{Instance: instance}}
			for _, upTo := range []int{7, size, size, 3} {
				if err := a.Populate(context.Background(), "north", upTo, func(int) {}); err != nil {
					t.Fatal(err)
				}
			}
			testkit.Read(t, d, north, func(tx *db.Tx) error {
				page, err := drivers.List(tx, a.vault, drivers.Filter{Size: 100})
				if err != nil {
					return err
				}
				if c := page.Counts; c.Everyone != int64(size) || c.WithoutIBAN != int64(size/12) || c.WithoutTaxID < int64(size/10) || c.WithoutTaxID > int64(size/4) {
					t.Errorf("counts are %+v", c)
				}
				for _, driver := range page.Drivers {
					rows, err := ledger.List(tx, ledger.Filter{DriverID: driver.ID})
					if err != nil {
						return err
					}
					if rows.Count != 100 || len(driver.Identities) < 2 {
						t.Errorf("%s has %d transactions and is known as %v", driver.ContractNumber, rows.Count, driver.Identities)
					}
				}
				return nil
			})
		})
	}
}

// Whatever became of a settlement, the last step of its timeline is its state and the next one says why it is not further.
func TestDemoFleet_TimelinesEndWhereSettlementsStand(t *testing.T) {
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := vault.CreateKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		clerk := access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
		fleet := demoPartner{Partner: partners.Partner{TenantID: "north"}, people: demo[0].people}
		testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 1000)
		})
		v := testkit.Vault(t, keyFile)
		settled := &settlements.Service{Instance: instance, Imports: &imports.Service{DB: d, Instance: instance}}
		a := &App{db: d, vault: v, settings: config.Settings{Instance: instance}, settlements: settled,
			payouts: &payouts.Service{Instance: instance, Vault: v, Settlements: settled}}
		blobs, err := blob.Open("", t.TempDir(), v)
		if err != nil {
			t.Fatal(err)
		}
		a.invoices = &invoices.Service{DB: d, Blobs: blobs, Instance: instance}
		if err := a.Populate(t.Context(), "north", 30, func(int) {}); err != nil {
			t.Fatal(err)
		}
		if err := a.demoSettled(t.Context(), fleet, 30); err != nil {
			t.Fatal(err)
		}
		lines := timeline.Service{Settlements: settled, Payouts: a.payouts}
		check := func(what string) (reasons map[timeline.Reason]int) {
			reasons = map[timeline.Reason]int{}
			testkit.Read(t, d, clerk, func(tx *db.Tx) error {
				page, err := settlements.List(tx, settlements.Filter{Page: 1, Size: 10_000})
				for i := range page.Items {
					line, err := lines.Of(tx, page.Items[i].ID)
					if err != nil {
						return err
					}
					if wrong := line.Contradicts(&page.Items[i]); wrong != "" {
						t.Errorf("%s, number %d: %s: %+v", what, page.Items[i].Number, wrong, line.Steps)
					}
					reasons[line.Steps[len(line.Steps)-1].Reason]++
				}
				return err
			})
			return reasons
		}
		if found := check("settled"); found[timeline.Reason(payouts.PayerIncomplete)] == 0 {
			t.Errorf("the partner has no account, and why nobody is paid is %v", found)
		}
		testkit.Write(t, d, clerk, func(tx *db.Tx) error {
			p, err := partners.OwnProfile(tx, v)
			if err != nil {
				return err
			}
			p.TaxID, p.Account, p.Address = demo[0].profile.TaxID, demo[0].profile.Account, demo[0].profile.Address
			tx.Actor.Proof.SignedInAt = tx.Now
			return partners.SaveProfile(tx, v, "PL", p)
		})
		check("with an account")
		request := payouts.PayoutRequest{Profile: "elixir"}
		testkit.Write(t, d, clerk, func(tx *db.Tx) error {
			p, err := a.payouts.Plan(tx, request)
			if err != nil {
				return err
			}
			_, err = a.payouts.Make(tx, request, p.Token)
			return err
		})
		if found := check("in a batch"); found[timeline.AtBank] == 0 {
			t.Errorf("why nobody is paid is %v", found)
		}
		testkit.Write(t, d, clerk, func(tx *db.Tx) error { return payouts.Cancel(tx, 1, "wrong") })
		check("cancelled")
	})
}

package app

import (
	"context"
	"path/filepath"
	"testing"

	"saldo/internal/fleet"
	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

func TestAPopulatedFleetGoesOnWhereItStoppedAndHasItsTransactionsOnce(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := vault.CreateKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"pl", "de"} {
		instance, err := config.InstanceOf(code)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Each(t, func(t *testing.T, d *db.DB) {
			north := access.ProgramFor("north", "test")
			testkit.Write(t, d, north, func(tx *db.Tx) error {
				return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"})
			})
			a := &App{db: d, vault: testkit.Vault(t, keyFile), settings: config.Settings{Instance: instance}}
			for _, upTo := range []int{7, 600, 600, 3} {
				if err := a.Populate(context.Background(), "north", upTo, func(int) {}); err != nil {
					t.Fatal(err)
				}
			}
			testkit.Read(t, d, north, func(tx *db.Tx) error {
				page, err := fleet.Drivers(tx, a.vault, fleet.DriverFilter{Size: 100})
				if err != nil {
					return err
				}
				if c := page.Counts; c.Everyone != 600 || c.WithoutIBAN != 50 || c.WithoutTaxID < 60 || c.WithoutTaxID > 150 {
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

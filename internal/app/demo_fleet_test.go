package app

import (
	"context"
	"path/filepath"
	"testing"

	"saldo/internal/drivers"
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
	for code, size := range map[string]int{"pl": 600, "de": 120} {
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

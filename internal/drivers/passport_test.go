package drivers_test

import (
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

func TestPassportName_GoesBeforeTheNameInTransfers(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		var id string
		testkit.Write(t, d, anna, func(tx *db.Tx) (err error) {
			id, err = b.WriteDown(tx, drivers.Details{FirstName: "Юлія", LastName: "Яценко", PassportName: " Julia  Yacenko "})
			return err
		})
		holder := func() (name string) {
			testkit.Read(t, d, anna, func(tx *db.Tx) error {
				payees, err := drivers.Payees(tx, b.Vault, []string{id, id})
				name = payees[id].Holder
				return err
			})
			return name
		}
		if got := holder(); got != "Julia Yacenko" {
			t.Error(got)
		}
		save := func(details drivers.Details) error {
			return d.Write(t.Context(), anna, func(tx *db.Tx) error {
				before, err := drivers.Get(tx, b.Vault, id)
				if err != nil {
					return err
				}
				return b.Save(tx, id, details, before.Version)
			})
		}
		if err := save(drivers.Details{FirstName: "Юлія", LastName: "Яценко", PassportName: "Юлія"}); err == nil {
			t.Error("a passport has Latin letters too")
		} else if f, ok := err.(*fault.Fault); !ok || f.Code != drivers.ErrInvalid.Code {
			t.Error(err)
		}
		if err := save(drivers.Details{FirstName: "Юлія", LastName: "Яценко"}); err != nil || holder() != "Юлія Яценко" {
			t.Error(err, holder())
		}
	})
}

func bookOf(t *testing.T) drivers.Service {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	return drivers.Service{Vault: v, Post: mail.NewQueue(v, nil, mail.Address{Address: "saldo@example.com"}), Country: "PL", Language: "pl"}
}

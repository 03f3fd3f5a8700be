package drivers_test

import (
	"errors"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

func TestChangedBankAccount_IsMailedToTheFormerAddress(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		keyFile := t.TempDir() + "/key"
		if err := vault.CreateKeyFile(keyFile); err != nil {
			t.Fatal(err)
		}
		v := testkit.Vault(t, keyFile)
		post := mail.NewQueue(v, nil, mail.Address{Address: "saldo@example.com"})
		book := drivers.Service{Vault: v, Post: post, Country: "PL", Language: "pl"}
		testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0)
		})
		partner := access.Actor{Role: access.Partner, Tenant: "north", ID: "anna"}
		testkit.Write(t, d, partner, func(tx *db.Tx) error {
			tx.Actor.Proof.SignedInAt = tx.Now
			before := drivers.Details{FirstName: "Oleh", LastName: "Babiak", Email: "old@example.com", SummaryLanguage: "de", IBAN: "PL61109010140000071219812874"}
			id, err := book.Add(tx, before)
			if err != nil {
				return err
			}
			after := before
			after.Email, after.IBAN = "new@example.com", "DE89370400440532013000"
			tx.Actor.Proof.SignedInAt = tx.Now.Add(-5*time.Minute - time.Second)
			if err := book.Save(tx, id, after, 1); !errors.Is(err, web.ErrFreshLogin) {
				t.Errorf("a sign-in of five minutes ago changed an account: %v", err)
			}
			tx.Actor.Proof.SignedInAt = tx.Now.Add(-5 * time.Minute)
			if err := book.Save(tx, id, after, 1); err != nil {
				return err
			}
			mails, err := post.Mails(tx, 10)
			if len(mails) != 1 || mails[0].To.Address != "old@example.com" || mails[0].Subject != "Das Konto für Ihre Auszahlungen wurde geändert" {
				t.Errorf("%+v", mails)
			}
			return err
		})
	})
}

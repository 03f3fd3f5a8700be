package app

import (
	"strings"

	"saldo/internal/accounts"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// demoDriver fills in the account of a driver of the demo, who has chosen the
// partner in whose tenant the system acts.
func demoDriver(tx *db.Tx, m identity.Member) error {
	first, last, _ := strings.Cut(m.Name, " ")
	who := access.Actor{Role: access.Driver, Person: m.ID, ID: m.ID, Name: m.Name,
		Proof: access.Proof{Issuer: m.Issuer, Subject: m.Subject, Email: m.Email, Verified: true}}
	err := tx.As(who.AsDriver(), func() error {
		return accounts.Open(tx, nil, "PL", accounts.Details{FirstName: first, LastName: last, Email: m.Email, Phone: "+48601234567",
			Cities: []string{"Warszawa"}, CarStatus: "own", Activity: "with_partner", SummaryLanguage: string(i18n.Ukrainian)})
	})
	if err != nil {
		return err
	}
	return accounts.ChoosePartner(tx, who, tx.Actor.Tenant, accounts.Consent{Given: true, Language: i18n.Default})
}

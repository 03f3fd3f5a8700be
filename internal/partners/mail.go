package partners

import (
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
)

// MailBrand is in whose name and colours the partner, in whose tenant the unit of work runs, writes mails. Answers reach the address of
// its profile.
func MailBrand(tx *db.Tx) (mail.Brand, error) {
	p, err := Own(tx)
	if err != nil {
		return mail.Brand{}, err
	}
	card, err := OwnCard(tx)
	b := mail.Brand{Name: p.Name, Color: p.Color, ReplyTo: card.Email}
	if p.Logo != "" {
		b.Logo = "/identification/" + p.Code + "/logo"
	}
	return b, err
}

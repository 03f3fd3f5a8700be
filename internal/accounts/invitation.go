package accounts

import (
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

var (
	ErrInvitedAlready  = fault.Declare(fault.Conflict, "accounts.invited_already")
	ErrTooManyInvites  = fault.Declare(fault.Conflict, "accounts.too_many_invites")
	ErrInviteIncorrect = fault.Declare(fault.Invalid, "accounts.invite_invalid")
)

// InvitesMax is how many partners a driver may invite within a day: Saldo
// sends mail for people, not for senders of mail.
const InvitesMax = 5

// invitations is the tenant in which mails to partners who are not here are
// counted, and invitedPerHour how many an address gets of them.
const (
	invitations    = "invitations"
	invitedPerHour = 6
)

const partnerNameMax = 150

// Invitation asks a partner that is not here to come.
type Invitation struct {
	Name, Email string
	Consent     Consent
}

// InvitePartner mails an invitation with the driver's name, e-mail address and
// phone number, to which the driver must consent; one a day to an address. The
// system acts; link leads the partner to what Saldo is. A company reads the language
// of the instance's country, whatever language the driver speaks.
func InvitePartner(tx *db.Tx, who access.Actor, post *mail.Queue, link string, language i18n.Language, i Invitation) error {
	if err := i.Consent.checked(); err != nil {
		return err
	}
	i, err := i.checked()
	if err != nil {
		return err
	}
	// the same address whichever driver asks: each of many could send a few
	if err := tx.As(access.ProgramFor(invitations, "accounts"),
		func() error { return post.ReserveAddress(tx, i.Email, invitedPerHour) }); err != nil {
		return err
	}
	return tx.As(who.AsDriver(), func() error {
		a, err := Own(tx)
		if err != nil {
			return err
		}
		if !a.Completed() {
			return ErrIncomplete
		}
		if err := mayInvite(tx, i.Email); err != nil {
			return err
		}
		d := a.Details
		say := func(key string, params ...any) string { return i18n.Of(language, key, params...) }
		body := say("mail:invite.body", "partner", i.Name, "driver", d.fullName(), "phone", official.Phone(d.Phone).Display(), "email", d.Email,
			"link", link)
		if _, err := tx.Exec(`INSERT INTO partner_invitations (tenant_id, id, partner_name, email, message, sent_at)
			VALUES ($1, $2, $3, $4, $5, $6)`,
			tx.NewID(), i.Name, i.Email, body, tx.Now); err != nil {
			return err
		}
		_, err = post.Enqueue(tx, mail.Message{To: mail.Address{Name: i.Name, Address: i.Email},
			Brand:   mail.Brand{ReplyTo: d.Email},
			Actions: []mail.Action{{Address: link, Label: say("mail:invite.open")}},
			Subject: say("mail:invite.subject", "driver", d.fullName()),
			Text:    body, Language: string(language), Counted: true})
		return err
	})
}

func (i Invitation) checked() (Invitation, error) {
	c := validate.New(ErrInviteIncorrect)
	i.Name = c.Text("partnerName", i.Name, partnerNameMax, true)
	i.Email = validate.Number(c, "partnerEmail", i.Email, true, official.ParseEmail)
	if err := c.Err(); err != nil {
		return i, err
	}
	return i, nil
}

func mayInvite(tx *db.Tx, email string) error {
	today, err := db.Select[string](tx, `SELECT email FROM partner_invitations WHERE tenant_id = $1 AND sent_at > $2`,
		tx.Now.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	for _, to := range today {
		if to == email {
			return ErrInvitedAlready.Field("partnerEmail", fault.Duplicate)
		}
	}
	if len(today) >= InvitesMax {
		return ErrTooManyInvites.With("max", InvitesMax)
	}
	return nil
}

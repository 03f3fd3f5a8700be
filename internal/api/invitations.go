package api

import (
	"context"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (s Settings) invitationsRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: post, Path: "/api/direct-messages/reference-link", Name: "invite-drivers", Mails: true,
		Permission: access.MessagesOpen,
		Summary:    "Mail people a link by which they come as drivers; the answer is the same whether somebody has an account"}, s.inviteDrivers)
	web.Driver(r, web.Route{Method: post, Path: "/api/direct-messages/register-new-driver", Name: "ask-partner", Mails: true,
		Permission: access.AccountWrite,
		Summary:    "Remind the chosen partner by mail, once a day, that the driver waits to be accepted"}, s.askPartner)
}

// DriverInvitation names whom to invite.
type DriverInvitation struct {
	Mails    []string `json:"mails" nullable:"false" minItems:"1" maxItems:"50"`
	Language Language `json:"language,omitempty" doc:"of the mail; none: that of the instance"`
}

func (s Settings) inviteDrivers(ctx context.Context, c web.Call, in *struct{ Body DriverInvitation }) (web.None, error) {
	sum, err := web.Sum("invite-drivers", in)
	if err != nil {
		return web.None{}, err
	}
	r := accounts.Referral{Addresses: in.Body.Mails, Language: s.languageOr(in.Body.Language)}
	invite := func(tx *db.Tx) error { return accounts.InviteDrivers(tx, s.Vault, s.Mails, s.PublicURL, r) }
	return web.None{}, s.byRole(ctx, c, sum, func(tx *db.Tx) error {
		r.Code = c.Actor.Tenant
		return invite(tx)
	}, func(tx *db.Tx, driver string) error {
		name, err := drivers.Named(tx, driver)
		if err != nil {
			return err
		}
		r.By, r.Code = name.FirstName, c.Actor.Person
		return invite(tx)
	})
}

func (s Settings) askPartner(tx *db.Tx, who access.Actor, in *struct {
	Partner string `query:"partnerUUID" required:"true" maxLength:"64"`
}) (web.None, error) {
	return web.None{}, accounts.AskPartner(tx, who, s.Mails, s.PublicURL, i18n.Language(s.Instance.Language), in.Partner)
}

package app

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
)

// wayIn is where somebody goes who has set a password: the application, and which partner it is about.
type wayIn func(partnerCode string) string

// wayIn follows the identity provider. Keycloak takes one exact address and no other.
func (a *App) wayIn() wayIn {
	app := a.settings.PublicURL + "/app/"
	if a.provider.embedded == nil {
		return func(string) string { return app }
	}
	return func(code string) string { return app + "?partner=" + url.QueryEscape(code) }
}

// activate handles identity.ActivateKind: it makes sure of the driver's user
// and has the identity provider mail the link. Who is written to is read now,
// so that a corrected address counts. Whoever lost their address or was merged
// meanwhile is left alone, and so is a partner's person. Whose account it will be is kept, so that the partner
// sees who has registered.
func activate(admin identity.Admin, v *vault.Vault, provider string, redirect wayIn, language string) jobs.Handler {
	return func(ctx context.Context, run *jobs.Run) error {
		var order identity.Activated
		if err := run.Into(&order); err != nil || order.Driver == "" {
			return jobs.Permanent(errors.Join(err, errors.New("the order names no driver")))
		}
		if admin == nil {
			return errors.New("there is no identity provider that could be asked")
		}
		var d drivers.Driver
		var partner partners.Partner
		err := run.Read(ctx, func(tx *db.Tx) (err error) {
			if d, err = drivers.Get(tx, v, order.Driver); err == nil {
				partner, err = partners.Own(tx)
			}
			return err
		})
		if errors.Is(err, drivers.ErrNotFound) || err == nil && d.Email == "" {
			return nil
		}
		if err != nil {
			return err
		}
		id, _, err := admin.EnsureUser(ctx, identity.NewUser{Email: d.Email, FirstName: d.FirstName, LastName: d.LastName,
			Language: cmp.Or(d.SummaryLanguage, language), Role: access.Driver})
		if errors.Is(err, identity.ErrTaken) {
			return run.Write(ctx, func(tx *db.Tx) error { return drivers.RefuseActivation(tx, order.Driver) })
		}
		if err != nil {
			return err
		}
		account := identity.PersonOf(provider, id)
		if err := run.Write(ctx, func(tx *db.Tx) error { return accounts.ExpectAccount(tx, order.Driver, account) }); err != nil {
			return err
		}
		return admin.SendActivation(ctx, id, redirect(partner.Code), activationLife)
	}
}

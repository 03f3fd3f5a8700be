package app

import (
	"cmp"
	"context"
	"errors"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
)

// activate handles identity.ActivateKind: it makes sure of the driver's user
// and has the identity provider mail the link. Who is written to is read now,
// so that a corrected address counts. Whoever lost their address or was merged
// meanwhile is left alone, and so is a partner's person. Whose account it will be is kept, so that the partner
// sees who has registered.
func activate(admin identity.Admin, v *vault.Vault, provider, redirect, language string) jobs.Handler {
	return func(ctx context.Context, run *jobs.Run) error {
		var order identity.Activated
		if err := run.Into(&order); err != nil || order.Driver == "" {
			return jobs.Permanent(errors.Join(err, errors.New("the order names no driver")))
		}
		if admin == nil {
			return errors.New("there is no identity provider that could be asked")
		}
		var d drivers.Driver
		err := run.Read(ctx, func(tx *db.Tx) (err error) { d, err = drivers.Get(tx, v, order.Driver); return err })
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
		return admin.SendActivation(ctx, id, redirect, activationLife)
	}
}

package app

import (
	"context"
	"errors"

	"saldo/internal/identity"
	"saldo/internal/platform/jobs"
)

// forget handles identity.ForgetKind: it ends every session of a user and
// deletes them at the identity provider. A repeat finds them gone already.
func forget(admin identity.Admin) jobs.Handler {
	return func(ctx context.Context, run *jobs.Run) error {
		var user identity.Forgotten
		if err := run.Into(&user); err != nil || user.Subject == "" {
			return jobs.Permanent(errors.Join(err, errors.New("the order names no user")))
		}
		if admin == nil {
			return errors.New("there is no identity provider that could be asked")
		}
		if err := admin.LogoutAll(ctx, user.Subject); err != nil && !errors.Is(err, identity.ErrNoUser) {
			return err
		}
		return admin.Delete(ctx, user.Subject)
	}
}

package keycloak

import (
	"context"
	"errors"
	"log/slog"
	"net/url"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

// BackchannelLogout is where Keycloak says that a session has ended (OpenID
// Connect Back-Channel Logout 1.0): its access tokens are worthless from then
// on. A token that proves nothing is answered 400, as the standard asks.
func BackchannelLogout(r *web.Router, d *db.DB, v *identity.Verifier, log *slog.Logger) {
	web.Webhook(r, web.Hook{Path: "/api/oidc/backchannel-logout", Limit: 64 << 10}, func(ctx context.Context, m web.Message) error {
		form, err := url.ParseQuery(string(m.Body))
		if err != nil {
			return web.ErrMalformed.Because(err)
		}
		ended, err := v.VerifyLogout(form.Get("logout_token"))
		if err == nil {
			err = d.Write(ctx, access.Program("identity"), func(tx *db.Tx) error { return ended.End(tx, v.Provider) })
		}
		if errors.Is(err, identity.ErrToken) {
			log.Warn("a logout token was refused", "error", err)
			return web.ErrMalformed.Because(err)
		}
		return err
	})
}

package keycloak

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// BackchannelLogout is where Keycloak says that a session has ended (OpenID
// Connect Back-Channel Logout 1.0): its access tokens are worthless from then
// on. It answers 200 when it is done, 400 to a token that proves nothing, and
// what Keycloak takes for a failure when the database does not answer.
func BackchannelLogout(d *db.DB, v *identity.Verifier, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		// Keycloak says it once: on a kept connection that has ended meanwhile, as by our restart, its word would be lost
		w.Header().Set("Connection", "close")
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(10 * time.Second)) // not every writer has one
		rq.Body = http.MaxBytesReader(w, rq.Body, 64<<10)
		ended, err := v.VerifyLogout(rq.PostFormValue("logout_token"))
		if err == nil {
			err = d.Write(rq.Context(), access.Program("identity"), func(tx *db.Tx) error { return ended.End(tx, v.Provider) })
		}
		switch {
		case errors.Is(err, identity.ErrToken):
			log.Warn("a logout token was refused", "error", err)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_request"}` + "\n")) // a client that left does not read it
		case err != nil:
			log.Error("a logout could not be recorded", "error", err)
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		default:
			w.WriteHeader(http.StatusOK)
		}
	})
}

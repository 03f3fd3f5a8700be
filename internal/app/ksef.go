package app

import (
	"strings"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/platform/outbound"
)

// ksefWithin is how long one call of KSeF may take.
const ksefWithin = 30 * time.Second

// signingIn is how partners sign in at KSeF, where the operator has turned it on.
func (a *App) signingIn() *login.Service {
	s := a.settings
	env := map[string]ksef.Env{"test": ksef.Test, "demo": ksef.Demo, "production": ksef.Production}[s.KSeF]
	if s.KSeFAPI != nil {
		env.API = strings.TrimSuffix(s.KSeFAPI.String(), "/")
	}
	return &login.Service{DB: a.db, Vault: a.vault, Environment: s.KSeF, Env: env,
		HTTP: outbound.Client(a.connections.Allowed, a.connections.Trust, ksefWithin)}
}

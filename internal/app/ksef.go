package app

import (
	"strings"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/availability"
	"saldo/internal/ksef/login"
	"saldo/internal/platform/outbound"
)

// ksefWithin is how long one call of KSeF may take.
const ksefWithin = 30 * time.Second

// ksefEnv is where KSeF is. Whether a KSeF elsewhere works is announced by nobody.
func (a *App) ksefEnv() ksef.Env {
	s := a.settings
	env := map[string]ksef.Env{"test": ksef.Test, "demo": ksef.Demo, "production": ksef.Production}[s.KSeF]
	if s.KSeFAPI != nil {
		env.API, env.Lighthouse = strings.TrimSuffix(s.KSeFAPI.String(), "/"), ""
	}
	return env
}

// signingIn is how partners sign in at KSeF, where the operator has turned it on.
func (a *App) signingIn() *login.Service {
	return &login.Service{DB: a.db, Vault: a.vault, Environment: a.settings.KSeF, Env: a.ksefEnv(),
		HTTP: outbound.Client(a.connections.Allowed, a.connections.Trust, ksefWithin)}
}

// announced is whether KSeF works, as it says itself.
func (a *App) announced() *availability.Service {
	return &availability.Service{DB: a.db, Environment: a.settings.KSeF, Env: a.ksefEnv(), Log: a.log,
		HTTP: outbound.Client(a.connections.Allowed, a.connections.Trust, ksefWithin)}
}

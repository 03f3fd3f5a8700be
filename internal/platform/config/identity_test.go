package config

import (
	"strings"
	"testing"
)

func TestOneSettingChoosesTheIdentityProvider(t *testing.T) {
	for _, c := range []struct {
		name     string
		set      []string
		keycloak bool
		issuer   string
		origin   string
	}{
		{"nothing", nil, false, "http://localhost:8080/auth/realms/saldo", ""},
		{"a public address", []string{"SALDO_PUBLIC_URL", "https://saldo.example.com/"}, false, "https://saldo.example.com/auth/realms/saldo", ""},
		{"a Keycloak behind Saldo", []string{"SALDO_IDP_UPSTREAM", "http://keycloak:8080/", "SALDO_IDP_ADMIN_CLIENT_SECRET", "s"}, true,
			"http://localhost:8080/auth/realms/saldo", ""},
		{"another realm", []string{"SALDO_IDP_UPSTREAM", "https://10.0.0.7", "SALDO_IDP_REALM", "fleet_2", "SALDO_IDP_ADMIN_CLIENT_SECRET", "s"}, true,
			"http://localhost:8080/auth/realms/fleet_2", ""},
		{"a Keycloak of its own", []string{"SALDO_OIDC_ISSUER", "https://sso.example.com/realms/saldo", "SALDO_IDP_ADMIN_CLIENT_SECRET", "s"}, true,
			"https://sso.example.com/realms/saldo", "https://sso.example.com"},
	} {
		s, err := Read(environment(c.set...))
		if err != nil || s.Identity.Keycloak() != c.keycloak || s.Issuer() != c.issuer || s.Identity.Elsewhere() != c.origin {
			t.Errorf("%s: %v, Keycloak %v, issuer %s", c.name, err, s.Identity.Keycloak(), s.Issuer())
		}
	}
}

func TestAnIdentityProviderThatCannotWorkStopsTheStart(t *testing.T) {
	const upstream, issuer, realm, secret = "SALDO_IDP_UPSTREAM", "SALDO_OIDC_ISSUER", "SALDO_IDP_REALM", "SALDO_IDP_ADMIN_CLIENT_SECRET"
	for says, set := range map[string][]string{
		upstream + ` is "keycloak:8080"`:              {upstream, "keycloak:8080", secret, "s"},
		upstream + ` is "http://k/auth"`:              {upstream, "http://k/auth", secret, "s"},
		upstream + ` is "…@k"`:                        {upstream, "http://admin:hunter2@k", secret, "s"},
		upstream + ` is "ftp://k"`:                    {upstream, "ftp://k", secret, "s"},
		issuer + ` is "https://sso.example.com"`:      {issuer, "https://sso.example.com", secret, "s"},
		issuer + ` is "https://s/realms/demo"`:        {issuer, "https://s/realms/demo", secret, "s"},
		realm + ` is "master"`:                        {realm, "master"},
		realm + ` is "a/b"`:                           {realm, "a/b"},
		upstream + " and " + issuer + " are both set": {upstream, "http://k", issuer, "https://s/realms/saldo", secret, "s"},
		secret + " is not set":                        {upstream, "http://k"},
		secret + " is set and no Keycloak is":         {secret, "s"},
	} {
		if _, err := Read(environment(set...)); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v: %v", set, err)
		}
	}
}

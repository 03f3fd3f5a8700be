package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Identity says where people sign in. Without an upstream and an issuer it is
// the embedded provider.
type Identity struct {
	Upstream               string // address of a Keycloak that Saldo shows under /auth/
	External               string // issuer of a Keycloak that people reach by its own address
	Realm                  string
	ClientID, ClientSecret string // of the service account that manages people
}

// Keycloak says whether people sign in at a Keycloak.
func (i Identity) Keycloak() bool { return i.Upstream != "" || i.External != "" }

// Elsewhere is the origin of a Keycloak that people reach by its own address.
func (i Identity) Elsewhere() string {
	u, err := url.Parse(i.External)
	if err != nil || i.External == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// AuthURL is where browsers find the provider: at Saldo itself, or elsewhere.
func (i Identity) AuthURL() string {
	if i.External == "" {
		return "/auth"
	}
	return strings.TrimSuffix(i.External, "/realms/"+i.Realm)
}

// Issuer is what tokens name as their maker.
func (s Settings) Issuer() string {
	if s.Identity.External != "" {
		return s.Identity.External
	}
	return s.PublicURL + "/auth/realms/" + s.Identity.Realm
}

// realmName keeps a realm out of need of escaping wherever its name stands in an address.
var realmName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func identityOf(values map[string]string) (Identity, error) {
	i := Identity{
		Upstream: strings.TrimSuffix(values["SALDO_IDP_UPSTREAM"], "/"), External: strings.TrimSuffix(values["SALDO_OIDC_ISSUER"], "/"),
		Realm: values["SALDO_IDP_REALM"], ClientID: values["SALDO_IDP_ADMIN_CLIENT_ID"], ClientSecret: values["SALDO_IDP_ADMIN_CLIENT_SECRET"],
	}
	if !realmName.MatchString(i.Realm) || i.Realm == "master" {
		return i,
			fmt.Errorf("SALDO_IDP_REALM is %q: write the name of Saldo's own realm in letters, digits, - and _; master is for Keycloak's operators",
				i.Realm)
	}
	if u, err := url.Parse(i.Upstream); i.Upstream != "" && (err != nil || !address(u) || u.Path != "") {
		return i, fmt.Errorf("SALDO_IDP_UPSTREAM is %q: write it as http://keycloak:8080, without a path", shown(i.Upstream))
	}
	if u, err := url.Parse(i.External); i.External != "" && (err != nil || !address(u) || !strings.HasSuffix(u.Path, "/realms/"+i.Realm)) {
		return i, fmt.Errorf("SALDO_OIDC_ISSUER is %q: write it as https://sso.example.com/realms/%s, with the realm of SALDO_IDP_REALM",
			shown(i.External), i.Realm)
	}
	switch {
	case i.Upstream != "" && i.External != "":
		return i,
			errors.New(
				"SALDO_IDP_UPSTREAM and SALDO_OIDC_ISSUER are both set: " +
					"set the first if Saldo shows Keycloak's pages, the second if people reach Keycloak by its own address")
	case i.Keycloak() && i.ClientSecret == "":
		return i, fmt.Errorf("SALDO_IDP_ADMIN_CLIENT_SECRET is not set: write the secret of Keycloak's client %s", i.ClientID)
	case !i.Keycloak() && i.ClientSecret != "":
		return i, errors.New("SALDO_IDP_ADMIN_CLIENT_SECRET is set and no Keycloak is: set SALDO_IDP_UPSTREAM, or SALDO_OIDC_ISSUER, or neither")
	}
	return i, nil
}

func address(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// shown is a wrong address as an error may repeat it: without a password.
func shown(wrong string) string {
	if at := strings.LastIndex(wrong, "@"); at >= 0 {
		return "…" + wrong[at:]
	}
	return wrong
}

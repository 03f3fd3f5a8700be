package keycloak_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"saldo/internal/identity"
	"saldo/internal/platform/i18n"
	"saldo/internal/testkit"
)

// TestTheRealmThatIsShippedFitsSaldo looks at what can be seen without a
// Keycloak; make test-keycloak imports the file.
func TestTheRealmThatIsShippedFitsSaldo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "deploy", "keycloak", "saldo-realm.json"))
	if err != nil {
		t.Fatal(err)
	}
	var realm struct {
		Realm               string
		SupportedLocales    []string
		AccessTokenLifespan int
		RevokeRefreshToken  bool
		DefaultRoles        []string
		Roles               struct{ Realm []struct{ Name string } }
		Components          map[string][]struct{ Config map[string][]string }
		Clients             []struct {
			ClientID     string
			Secret       *string
			PublicClient bool
			RedirectURIs []string
			WebOrigins   []string
			Attributes   map[string]string

			DirectAccessGrantsEnabled, ImplicitFlowEnabled, ServiceAccountsEnabled bool

			ProtocolMappers []struct{ Config map[string]string }
		}
		Users []struct {
			Username    string
			Credentials []any
			ClientRoles map[string][]string
		}
	}
	if err := json.Unmarshal(text, &realm); err != nil {
		t.Fatal(err)
	}
	var languages []string
	for _, l := range i18n.Languages {
		languages = append(languages, string(l))
	}
	if realm.Realm != "saldo" || !slices.Equal(realm.SupportedLocales, languages) || !realm.RevokeRefreshToken ||
		realm.AccessTokenLifespan != int(identity.AccessLife.Seconds()) || !slices.Equal(realm.DefaultRoles, []string{"driver"}) || len(realm.Roles.Realm) != 2 {
		t.Errorf("%s %v, tokens for %d s, roles %v", realm.Realm, realm.SupportedLocales, realm.AccessTokenLifespan, realm.Roles)
	}
	// a secret or password that is shipped is known to everybody; Keycloak makes a random secret where there is none
	if len(realm.Users) != 1 || realm.Users[0].Username != "service-account-app-backend" || len(realm.Users[0].Credentials) != 0 {
		t.Errorf("people are shipped: %+v", realm.Users)
	}
	const address = "${SALDO_PUBLIC_URL:http://localhost:8080}"
	for _, c := range realm.Clients {
		if c.Secret != nil || c.DirectAccessGrantsEnabled || c.ImplicitFlowEnabled || c.PublicClient == c.ServiceAccountsEnabled {
			t.Errorf("%s: %+v", c.ClientID, c)
		}
		if c.ClientID != identity.Client {
			continue
		}
		var mapped []string
		for _, m := range c.ProtocolMappers {
			mapped = append(mapped, m.Config["included.custom.audience"]+m.Config["claim.name"])
		}
		if !slices.Equal(c.RedirectURIs, []string{address + "/app/", address + "/app/silent-check-sso.html"}) || !slices.Equal(c.WebOrigins, []string{address}) ||
			c.Attributes["post.logout.redirect.uris"] != address+"/app/" || c.Attributes["backchannel.logout.url"] != address+"/api/oidc/backchannel-logout" ||
			c.Attributes["pkce.code.challenge.method"] != "S256" ||
			!slices.Equal(mapped, []string{identity.Audience, identity.PartnerCode, identity.ReferenceID, identity.ReferenceLink}) {
			t.Errorf("%+v %v", c, mapped)
		}
	}
	profile := realm.Components["org.keycloak.userprofile.UserProfileProvider"][0].Config["kc.user.profile.config"][0]
	var declared struct {
		Attributes []struct {
			Name        string
			Permissions struct{ View, Edit []string }
		}
	}
	if err := json.Unmarshal([]byte(profile), &declared); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{identity.PartnerCode, identity.ReferenceID, identity.ReferenceLink} {
		found := false
		for _, a := range declared.Attributes {
			if a.Name == name {
				found = true
				if strings.Join(a.Permissions.Edit, " ") != "admin" {
					t.Errorf("%s may be changed by %v: it lets people in", name, a.Permissions.Edit)
				}
			}
		}
		if !found {
			t.Errorf("%s is not declared", name)
		}
	}
}

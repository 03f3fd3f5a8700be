package keycloak_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/identity/keycloak"
	"saldo/internal/kernel/access"
	"saldo/internal/testkit"
)

func (f *fake) realm() keycloak.Realm {
	return keycloak.Realm{Base: f.URL + "/auth", Name: "saldo", ClientID: "app-backend", ClientSecret: secret}
}

func TestKeycloakManagesPeople(t *testing.T) {
	testkit.AdminContract(t, func(t *testing.T) testkit.Provider {
		f := newFake(t)
		return testkit.Provider{
			Admin: keycloak.NewClient(f.realm(), time.Now), Public: public,
			Mails:  func() []testkit.Taken { f.mu.Lock(); defer f.mu.Unlock(); return f.mails },
			SignIn: func(id, _ string) { f.mu.Lock(); defer f.mu.Unlock(); f.sessions[id]++ },
			Live:   func(id string) int { f.mu.Lock(); defer f.mu.Unlock(); return f.sessions[id] },
		}
	})
}

func TestATokenIsFetchedOnceAndAgainBeforeItEnds(t *testing.T) {
	f, clock := newFake(t), testkit.NewClock()
	c := keycloak.NewClient(f.realm(), clock.Now)
	ask := func() {
		t.Helper()
		if err := c.Delete(context.Background(), "u1"); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	clock.Pass(269 * time.Second)
	if ask(); f.tokens != 1 {
		t.Errorf("%d tokens within the life of one", f.tokens)
	}
	clock.Pass(time.Second)
	if ask(); f.tokens != 2 {
		t.Errorf("%d tokens half a minute before the end of the first", f.tokens)
	}
	f.forget() // Keycloak was started anew
	if ask(); f.tokens != 3 {
		t.Errorf("%d tokens after Keycloak forgot the second", f.tokens)
	}
}

func TestARoleThatSomebodyElseIsJustGivingIsGiven(t *testing.T) {
	f := newFake(t)
	f.raced = true
	if _, created, err := keycloak.NewClient(f.realm(), time.Now).EnsureUser(context.Background(), identity.NewUser{Email: "a@saldo.example", Role: access.Partner}); err != nil || !created {
		t.Errorf("%v %v", created, err)
	}
}

// Keycloak makes everybody a driver by a default role, so what FindByEmail says does not show a role that was added.
func TestEnsureUser_GivesAPartnersPersonNoRole(t *testing.T) {
	f := newFake(t)
	c := keycloak.NewClient(f.realm(), time.Now)
	id, _, err := c.EnsureUser(context.Background(), identity.NewUser{Email: "a@saldo.example", Role: access.Partner})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.EnsureUser(context.Background(), identity.NewUser{Email: "a@saldo.example", Role: access.Driver}); !errors.Is(err, identity.ErrTaken) {
		t.Errorf("%v", err)
	}
	if !slices.Equal(f.roles[id], []string{"partner"}) {
		t.Errorf("%v", f.roles[id])
	}
}

func TestKeycloak_MissingSettingsAreNamed(t *testing.T) {
	ctx := context.Background()
	find := func(f *fake, spoil func(*keycloak.Realm)) error {
		r := f.realm()
		if spoil != nil {
			spoil(&r)
		}
		_, err := keycloak.NewClient(r, time.Now).FindByEmail(ctx, "a@saldo.example")
		return err
	}
	gone := newFake(t)
	gone.Close()
	lesser := newFake(t)
	lesser.mayNot = true
	silent := newFake(t)
	silent.mailless = true
	c := keycloak.NewClient(silent.realm(), time.Now)
	id, _, err := c.EnsureUser(ctx, identity.NewUser{Email: "a@saldo.example", Role: access.Driver})
	if err != nil {
		t.Fatal(err)
	}
	_, _, roleless := c.EnsureUser(ctx, identity.NewUser{Email: "a@saldo.example", Role: "pilot"})
	_, _, addressless := c.EnsureUser(ctx, identity.NewUser{Email: "nobody", Role: access.Driver})
	for _, answer := range []struct {
		name, says string
		err        error
	}{
		{"a wrong secret", "SALDO_IDP_ADMIN_CLIENT_SECRET", find(newFake(t), func(r *keycloak.Realm) { r.ClientSecret = "x" })},
		{"a wrong realm", "SALDO_IDP_REALM", find(newFake(t), func(r *keycloak.Realm) { r.Name = "other" })},
		{"no Keycloak", "SALDO_IDP_UPSTREAM", find(gone, nil)},
		{"a lesser service account", "manage-users", find(lesser, nil)},
		{"no mail server", "mail server of the realm", c.SendActivation(ctx, id, public+"/app/", time.Hour)},
		{"a redirect elsewhere", "Invalid redirect uri", c.SendActivation(ctx, id, "https://evil.example/", time.Hour)},
		{"an attribute nobody declared", "user profile", c.SetAttributes(ctx, id, map[string]string{"shoe_size": "44"})},
		{"a role nobody declared", `no role "pilot"`, roleless},
		{"no address", "error-invalid-email", addressless},
	} {
		if answer.err == nil || !strings.Contains(answer.err.Error(), answer.says) || strings.Contains(answer.err.Error(), secret) {
			t.Errorf("%s: %v", answer.name, answer.err)
		}
	}
}

//go:build keycloak

package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/testkit"
)

const password = "correct horse battery"

// house is the whole program with a real Keycloak behind it, at the address that Keycloak was told.
type house struct {
	*App
	keycloak *testkit.Keycloak
	t        *testing.T
}

func newHouse(t *testing.T) house {
	t.Helper()
	k := testkit.NewKeycloak(t)
	a := program(t, map[string]string{"SALDO_PUBLIC_URL": k.Public, "SALDO_IDP_UPSTREAM": k.URL, "SALDO_IDP_ADMIN_CLIENT_SECRET": k.Secret})
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	k.Serve(router.Handler())
	return house{a, k, t}
}

// person is somebody whom Keycloak lets in by password.
func (h house) person(u identity.NewUser) (id, email string) {
	h.t.Helper()
	u.Email = testkit.NewAddress()
	id, _, err := h.provider.admin.EnsureUser(context.Background(), u)
	if err != nil {
		h.t.Fatal(err)
	}
	h.keycloak.SetPassword(id, password)
	return id, u.Email
}

// refused says whether Saldo lets nobody in by this token.
func (h house) refused(token string) bool {
	h.t.Helper()
	_, err := identity.Authenticate(h.db, h.provider.verifier)(context.Background(), token)
	if err != nil && !errors.Is(err, identity.ErrToken) {
		h.t.Fatal(err)
	}
	return err != nil
}

// session asks Saldo who a token belongs to.
func (h house) session(token string) (status int, body map[string]any) {
	h.t.Helper()
	rq, err := http.NewRequest(http.MethodGet, h.keycloak.Public+"/api/session", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		h.t.Fatal(err)
	}
	return answer.StatusCode, body
}

func TestADriverSignsInAtARealKeycloakAndOut(t *testing.T) {
	h := newHouse(t)
	id, email := h.person(identity.NewUser{FirstName: "Dora", LastName: "Driver", Role: access.Driver, Attributes: map[string]string{identity.ReferenceID: "r-77"}})
	browser := testkit.NewBrowser(t, h.keycloak.Public, "saldo")
	tokens := browser.Login(t, email, password)

	reply := testkit.Payload(t, tokens.Access)
	claims, err := h.provider.verifier.Verify(tokens.Access)
	if err != nil {
		t.Fatal(err)
	}
	if claims.Subject != id || claims.Session == "" || claims.Email != email || claims.FirstName != "Dora" || claims.LastName != "Driver" || claims.ReferenceID != "r-77" ||
		claims.PartnerCode != "" || claims.Verified || !slices.Contains(claims.Realm.Roles, "driver") || slices.Contains(claims.Realm.Roles, "partner") ||
		time.Since(time.Unix(claims.SignedInAt, 0)) > time.Minute || claims.ExpiresAt.Sub(claims.IssuedAt.Time) != identity.AccessLife {
		t.Errorf("%+v", claims)
	}
	for name, token := range map[string]string{"ID": tokens.ID, "refresh": tokens.Refresh} {
		if _, err := h.provider.verifier.Verify(token); err == nil {
			t.Errorf("the %s token lets in", name)
		}
	}
	if h.refused(tokens.Access) {
		t.Error("the access token does not let in")
	}

	status, next := browser.Refresh(t, tokens.Refresh)
	if status != http.StatusOK || next.Refresh == tokens.Refresh || testkit.Payload(t, next.Access)["sid"] != reply["sid"] {
		t.Fatalf("refresh: %d", status)
	}
	browser.Logout(t, next)
	testkit.Eventually(t, "Keycloak's word that the session ended", func() bool { return h.refused(next.Access) })
	if status, _ := browser.Refresh(t, next.Refresh); status != http.StatusBadRequest {
		t.Errorf("a refresh after signing out: %d", status)
	}
	if again := browser.Login(t, email, password); again.Access == "" {
		t.Error("not let in again")
	}
}

func TestARefreshTokenServesOnce(t *testing.T) {
	h := newHouse(t)
	_, email := h.person(identity.NewUser{FirstName: "Dora", LastName: "Driver", Role: access.Driver})
	browser := testkit.NewBrowser(t, h.keycloak.Public, "saldo")
	first := browser.Login(t, email, password)
	if status, second := browser.Refresh(t, first.Refresh); status != http.StatusOK || second.Refresh == first.Refresh {
		t.Fatal(status)
	}
	if status, _ := browser.Refresh(t, first.Refresh); status != http.StatusBadRequest {
		t.Errorf("the same again: %d", status)
	}
}

func TestThePartnersCodeLetsTheirPersonIn(t *testing.T) {
	h := newHouse(t)
	if _, err := h.AddPartner(context.Background(), "north", "North", "Anna", "anna@saldo.example"); err != nil {
		t.Fatal(err)
	}
	_, email := h.person(identity.NewUser{FirstName: "Paula", LastName: "Partner", Role: access.Partner, Attributes: map[string]string{identity.PartnerCode: "north"}})
	tokens := testkit.Login(t, h.keycloak.Public, "saldo", email, password)
	status, body := h.session(tokens.Access)
	if partner, _ := body["partner"].(map[string]any); status != http.StatusOK || partner["name"] != "North" {
		t.Errorf("%d %v", status, body)
	}
	_, stranger := h.person(identity.NewUser{FirstName: "Eve", LastName: "Evil", Role: access.Partner})
	tokens = testkit.Login(t, h.keycloak.Public, "saldo", stranger, password)
	if status, body := h.session(tokens.Access); status != http.StatusForbidden {
		t.Errorf("without a code: %d %v", status, body)
	}
}

func TestWhoEndsASessionAtKeycloakEndsItInSaldo(t *testing.T) {
	h := newHouse(t)
	for name, end := range map[string]func(context.Context, string) error{"LogoutAll": h.provider.admin.LogoutAll, "Delete": h.provider.admin.Delete} {
		id, email := h.person(identity.NewUser{FirstName: "Dora", LastName: "Driver", Role: access.Driver})
		tokens := testkit.Login(t, h.keycloak.Public, "saldo", email, password)
		if h.refused(tokens.Access) {
			t.Fatal("not let in")
		}
		if err := end(context.Background(), id); err != nil {
			t.Fatal(err)
		}
		testkit.Eventually(t, "Keycloak's word after "+name+" that the session ended", func() bool { return h.refused(tokens.Access) })
	}
}

// setPassword follows a mailed link to its end and says what its first page shows.
func (h house) setPassword(link, password string) string {
	h.t.Helper()
	browser := testkit.NewBrowser(h.t, h.keycloak.Public, "saldo")
	text := testkit.Text(h.t, browser.Open(h.t, link))
	// a page to click through first, so that whoever reads mails for viruses does not use the link up
	at := strings.Index(text, "action-token?key=")
	if at < 0 {
		h.t.Fatalf("%s", text)
	}
	start := strings.LastIndex(text[:at], `"`) + 1
	end := start + strings.Index(text[start:], `"`)
	form := testkit.FormOf(h.t, browser.Open(h.t, strings.ReplaceAll(text[start:end], "&amp;", "&")), "kc-passwd-update-form")
	form.Fields.Set("password-new", password)
	form.Fields.Set("password-confirm", password)
	done := browser.Submit(h.t, form)
	_, _ = io.Copy(io.Discard, done.Body)
	done.Body.Close()
	return text
}

func TestTheMailedLinkSetsAPasswordAndProvesTheAddress(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	u := identity.NewUser{Email: testkit.NewAddress(), FirstName: "Nina", LastName: "Neu", Language: "de", Role: access.Driver}
	id, _, err := h.provider.admin.EnsureUser(ctx, u)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.provider.admin.SendActivation(ctx, id, h.keycloak.Public+"/app/", 72*time.Hour); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the mail", func() bool { return len(h.keycloak.Mails.Taken()) > 0 })
	mail := h.keycloak.Mails.Taken()[0]
	if text := h.setPassword(testkit.Links(t, mail.Data)[0], password); !strings.Contains(text, `lang="de"`) {
		t.Errorf("%s", text)
	}
	if found, err := h.provider.admin.FindByEmail(ctx, u.Email); err != nil || !found.Verified {
		t.Errorf("%+v %v", found, err)
	}
	claims, err := h.provider.verifier.Verify(testkit.Login(t, h.keycloak.Public, "saldo", u.Email, password).Access)
	if err != nil || !claims.Verified {
		t.Errorf("%+v %v", claims, err)
	}
}

func TestOnlyOurApplicationIsSentCodes(t *testing.T) {
	h := newHouse(t)
	browser := testkit.NewBrowser(t, h.keycloak.Public, "saldo")
	for _, elsewhere := range []string{"https://evil.example/", h.keycloak.Public + "/", h.keycloak.Public + "/app", h.keycloak.Public + "/app/x", h.keycloak.Public + "/app/?x=1",
		h.keycloak.Public + "/app/../", strings.Replace(h.keycloak.Public, "localhost", "127.0.0.1", 1) + "/app/"} {
		if answer := browser.Authorize(t, testkit.NewAsk(), url.Values{"redirect_uri": {elsewhere}}); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", elsewhere, answer.StatusCode)
		}
	}
	for name, spoiled := range map[string]url.Values{"no challenge": {"code_challenge": nil, "code_challenge_method": nil}, "a plain challenge": {"code_challenge_method": {"plain"}}} {
		answer := browser.Authorize(t, testkit.NewAsk(), spoiled)
		if back := answer.Header.Get("Location"); !strings.Contains(back, "error=invalid_request") {
			t.Errorf("%s: %d %s", name, answer.StatusCode, back)
		}
	}
	silent := browser.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}, "redirect_uri": {h.keycloak.Public + "/app/silent-check-sso.html"}})
	if back := silent.Header.Get("Location"); !strings.Contains(back, "error=login_required") {
		t.Errorf("silently: %d %s", silent.StatusCode, back)
	}
	for _, language := range []string{"pl", "en", "de", "uk", "ru"} {
		if text := testkit.Text(t, browser.Authorize(t, testkit.NewAsk(), url.Values{"ui_locales": {language}})); !strings.Contains(text, `lang="`+language+`"`) {
			t.Errorf("the page does not speak %s", language)
		}
	}
}

// staffed is the house with people of an office.
func (h house) staffed() *staffed {
	s := &staffed{App: h.App, t: h.t, public: h.keycloak.Public}
	s.mails = func(to string) (mails []string) {
		for _, m := range h.keycloak.Mails.Taken() {
			if m.To == to {
				mails = append(mails, m.Data)
			}
		}
		return mails
	}
	s.set = func(link, password string) { h.setPassword(link, password) }
	s.open("n" + strings.ToLower(rand.Text()))
	return s.works()
}

func TestPeopleOfAPartner_AreAddedAndRemovedAtARealKeycloak(t *testing.T) {
	newHouse(t).staffed().comesAndGoes()
}

func TestAWithdrawnInvitationIsDeadAtARealKeycloak(t *testing.T) { newHouse(t).staffed().isWithdrawn() }

func TestAnInvitationLeavesADriverAloneAtARealKeycloak(t *testing.T) {
	newHouse(t).staffed().isSomebodyElses()
}

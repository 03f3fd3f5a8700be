package idp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// register sends the registration form.
func register(t *testing.T, h *house, b *testkit.Browser, email, secret string, change url.Values) *http.Response {
	t.Helper()
	form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/protocol/openid-connect/registrations?"+ask(h)), "kc-register-form")
	form.Fields = url.Values{"firstName": {"Oleh"}, "lastName": {"Babiak"}, "email": {email}, "password": {secret}, "password-confirm": {secret}}
	for name, value := range change {
		form.Fields[name] = value
	}
	return b.Submit(t, form)
}

func TestSomebodyRegistersConfirmsTheAddressAndIsADriver(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		email, b := testkit.NewAddress(), h.browser()
		b.SetCookie(t, "reference_id", "R-77")
		shows(t, register(t, h, b, email, password, nil), 200, "Sprawdź pocztę")
		shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, password), 400, "Logowanie nie powiodło się")
		link := h.linkTo(email, 1)
		form := testkit.FormOf(t, b.Open(t, link), "kc-verify-form")
		form.Fields.Set("password", "not the password")
		shows(t, b.Submit(t, form), 400, "To nie jest hasło podane przy rejestracji")
		form.Fields.Set("password", password)
		answer := b.Submit(t, form)
		testkit.Text(t, answer)
		if answer.Header.Get("Location") != h.url+"/app/?lang=pl" {
			t.Fatalf("%d %s", answer.StatusCode, answer.Header.Get("Location"))
		}
		next := testkit.NewAsk()
		claims, err := h.verify(b.Trade(t, next, b.Authorize(t, next, url.Values{"prompt": {"none"}})).Access)
		if err != nil || claims.Realm.Roles[0] != "driver" || len(claims.Realm.Roles) != 4 || !claims.Verified || claims.ReferenceID != "R-77" || claims.FirstName != "Oleh" {
			t.Errorf("%+v %v", claims, err)
		}
		shows(t, b.Open(t, link), 400, "Ten link już nie działa")
	})
}

func TestRegistration_DoesNotRevealWhoHasAnAccount(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, known := h.person(access.Partner)
		b := h.browser()
		first := shows(t, register(t, h, b, known, password, nil), 200, "Sprawdź pocztę")
		fresh := testkit.NewAddress()
		second := shows(t, register(t, h, b, fresh, password, nil), 200, "Sprawdź pocztę")
		// the links to other languages hold the request, sealed anew each time
		plain := func(page, address string) string {
			return regexp.MustCompile(`(href|action)="[^"]*"`).ReplaceAllString(strings.ReplaceAll(page, address, ""), "")
		}
		if plain(first, known) != plain(second, fresh) {
			t.Errorf("the answers differ:\n%s\n%s", first, second)
		}
		if mail := h.mailTo(known, 1); !strings.Contains(mail, "konto") {
			t.Errorf("the owner was not told: %s", mail)
		}
		testkit.Login(t, h.url, realm, known, password) // nothing of theirs changed
	})
}

// Whoever registers a stranger's address must not get in when the stranger
// opens the link, and the stranger's own registration counts.
func TestARegisteredAddressOpensOnlyToWhoKnowsThePasswordAndGotTheMail(t *testing.T) {
	h := open(t, testkit.Engine)
	email := testkit.NewAddress()
	shows(t, register(t, h, h.browser(), email, "the attacker's password", nil), 200, "Sprawdź pocztę")
	old := h.linkTo(email, 1)
	shows(t, register(t, h, h.browser(), email, password, nil), 200, "Sprawdź pocztę")
	b := h.browser()
	shows(t, b.Open(t, old), 400, "Ten link już nie działa")
	form := testkit.FormOf(t, b.Open(t, h.linkTo(email, 2)), "kc-verify-form")
	form.Fields.Set("password", "the attacker's password")
	shows(t, b.Submit(t, form), 400, "To nie jest hasło")
	form.Fields.Set("password", password)
	testkit.Text(t, b.Submit(t, form))
	shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, "the attacker's password"), 400, "Logowanie nie powiodło się")
	h.browser().Login(t, email, password)
}

func TestWeakPasswordsAndWrongFieldsAreNamed(t *testing.T) {
	h := open(t, testkit.Engine)
	b := h.browser()
	for name, c := range map[string]struct {
		change url.Values
		want   string
	}{
		"short":        {url.Values{"password": {"short"}}, "co najmniej 10 znaków"},
		"long":         {url.Values{"password": {strings.Repeat("ab c", 40)}}, "najwyżej 128 znaków"},
		"common":       {url.Values{"password": {"password2026!"}}, "na listach znanych haseł"},
		"keyboard":     {url.Values{"password": {"1q2w3e4r5t"}}, "na listach znanych haseł"},
		"one letter":   {url.Values{"password": {"aaaaaaaaaaaa"}}, "na listach znanych haseł"},
		"personal":     {url.Values{"email": {"oleh.babiak@saldo.example"}, "password": {"oleh.babiak1"}}, "nie może składać się"},
		"repeated":     {url.Values{"password-confirm": {"another one here"}}, "Hasła się różnią"},
		"no name":      {url.Values{"firstName": {" "}}, "Wypełnij to pole"},
		"a long name":  {url.Values{"lastName": {strings.Repeat("ż", 51)}}, "najwyżej 50 znaków"},
		"no address":   {url.Values{"email": {"nobody"}}, "To nie jest adres e-mail"},
		"no password":  {url.Values{"password": {""}}, "co najmniej 10 znaków"},
		"script in it": {url.Values{"firstName": {`<script>alert(1)</script>`}, "email": {"x"}}, "&lt;script&gt;"},
	} {
		change := c.change
		if p := change.Get("password"); p != "" && change.Get("password-confirm") == "" {
			change.Set("password-confirm", p)
		}
		t.Run(name, func(t *testing.T) {
			shows(t, register(t, h, b, testkit.NewAddress(), password, change), 400, c.want)
		})
	}
}

func TestAForgottenPasswordIsSetThroughAMailedLinkOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		before := h.browser()
		tokens := before.Login(t, email, password)
		b := h.browser()
		send := func(to string) string {
			form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/login-actions/reset-credentials"), "kc-reset-password-form")
			form.Fields.Set("username", to)
			return shows(t, b.Submit(t, form), 200, "Sprawdź pocztę")
		}
		unknown := testkit.NewAddress()
		if strings.ReplaceAll(send(email), email, "") != strings.ReplaceAll(send(unknown), unknown, "") {
			t.Error("the answers differ")
		}
		link := h.linkTo(email, 1)
		testkit.Text(t, b.Open(t, link)) // a program that looks through mail opens it first
		form := testkit.FormOf(t, b.Open(t, link), "kc-passwd-update-form")
		const chosen = "another horse battery"
		form.Fields.Set("password-new", chosen)
		form.Fields.Set("password-confirm", chosen)
		shows(t, b.Submit(t, form), 200, "Hasło ustawione")
		shows(t, b.Submit(t, form), 400, "Ten link już nie działa")
		shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, password), 400, "Logowanie nie powiodło się")
		h.browser().Login(t, email, chosen)
		if status, _ := before.Refresh(t, tokens.Refresh); status != 400 {
			t.Errorf("the old session lives: %d", status)
		}
		if mail := h.mailTo(email, 2); !strings.Contains(mail, "Subject:") {
			t.Error("nobody was told of the change")
		}
		send(email)
		late := h.linkTo(email, 3)
		h.passing.Pass(16 * time.Minute)
		shows(t, b.Open(t, late), 400, "Ten link już nie działa")
	})
}

func TestANewerLinkTakesThePlaceOfAnOlder(t *testing.T) {
	h := open(t, testkit.Engine)
	id, _, err := h.idp.EnsureUser(context.Background(), identity.NewUser{Email: testkit.NewAddress(), Role: access.Partner})
	if err != nil {
		t.Fatal(err)
	}
	first, err := h.idp.Activation(context.Background(), id, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.idp.Activation(context.Background(), id, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	shows(t, h.browser().Open(t, first), 400, "Ten link już nie działa")
	shows(t, h.browser().Open(t, second), 200, "kc-passwd-update-form")
}

func TestThePasswordIsChangedByItsOwnerOnly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b, other := h.browser(), h.browser()
		elsewhere := other.Login(t, email, password)
		b.Login(t, email, password)
		action := url.Values{"kc_action": {"UPDATE_PASSWORD"}}

		form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), action), "kc-passwd-update-form")
		form.Fields.Set("cancel-aia", "true")
		if values := back(t, b.Submit(t, form)); values.Get("kc_action_status") != "cancelled" || values.Get("kc_action") != "UPDATE_PASSWORD" || values.Get("code") == "" {
			t.Errorf("%v", values)
		}
		const chosen = "another horse battery"
		fill := func(current, fresh string) testkit.Form {
			form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), action), "kc-passwd-update-form")
			form.Fields = url.Values{"password": {current}, "password-new": {fresh}, "password-confirm": {fresh}, "logout-sessions": {"on"}}
			return form
		}
		shows(t, b.Submit(t, fill("wrong wrong wrong", chosen)), 400, "To nie jest Twoje obecne hasło")
		shows(t, b.Submit(t, fill(password, password)), 400, "takie samo")
		if values := back(t, b.Submit(t, fill(password, chosen))); values.Get("kc_action_status") != "success" || values.Get("code") == "" {
			t.Errorf("%v", values)
		}
		if status, _ := other.Refresh(t, elsewhere.Refresh); status != 400 {
			t.Errorf("the other device is still in: %d", status)
		}
		h.mailTo(email, 1)
		h.browser().Login(t, email, chosen)

		// an old sign-in is not enough
		h.passing.Pass(6 * time.Minute)
		text := shows(t, b.Authorize(t, testkit.NewAsk(), action), 200, "kc-form-login")
		if !strings.Contains(text, "zaloguj się jeszcze raz") {
			t.Error("not told why")
		}
	})
}

func TestSomebodyShutOutCannotSignIn(t *testing.T) {
	h := open(t, testkit.Engine)
	id, email := h.person(access.Driver)
	b := h.browser()
	tokens := b.Login(t, email, password)
	testkit.Write(t, h.db, access.Program("test"), func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`UPDATE idp_users SET enabled = FALSE WHERE id = $1`, id)
		return err
	})
	shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, password), 400, "Logowanie nie powiodło się")
	if status, _ := b.Refresh(t, tokens.Refresh); status != 400 {
		t.Errorf("%d", status)
	}
}

func TestPagesSpeakTheVisitorsLanguage(t *testing.T) {
	h := open(t, testkit.Engine)
	b := h.browser()
	for language, want := range map[string]string{"pl": "Zaloguj się", "en": "Sign in", "de": "Anmelden", "uk": "Увійти", "ru": "Войти"} {
		text := shows(t, b.Authorize(t, testkit.NewAsk(), url.Values{"ui_locales": {language}}), 200, want)
		if !strings.Contains(text, `<html lang="`+language+`">`) {
			t.Errorf("%s: the page does not say so", language)
		}
	}
	answer := b.Authorize(t, testkit.NewAsk(), nil) // the choice is kept
	if testkit.Text(t, answer); answer.Header.Get("Content-Language") == "" {
		t.Error("no language")
	}
}

func TestNoPageKeepsASecretInTheDatabase(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	tokens := h.browser().Login(t, email, password)
	testkit.Read(t, h.db, access.Program("test"), func(tx *db.Tx) error {
		for table, column := range map[string]string{"idp_grants": "data || code_sum", "idp_refresh_tokens": "sum", "idp_sessions": "cookie_sum", "idp_users": "password"} {
			all, err := db.Select[string](tx.Across(), `SELECT `+column+` FROM `+table)
			if err != nil {
				return err
			}
			for _, row := range all {
				if strings.Contains(row, tokens.Refresh) || strings.Contains(row, tokens.Access) || strings.Contains(row, password) || strings.Contains(row, `"refresh_token":"`) {
					t.Errorf("%s holds a secret: %s", table, row)
				}
			}
		}
		return nil
	})
}

// Somebody registers the address of a partner's person before the operator
// makes that person: neither their password nor a second registration gets
// hold of what the operator gave.
func TestARegistrationBeforehandGetsNothingOfAPartner(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		email := testkit.NewAddress()
		shows(t, register(t, h, h.browser(), email, "the attacker's password", nil), 200, "Sprawdź pocztę")
		early := h.linkTo(email, 1)
		id, created, err := h.idp.EnsureUser(context.Background(), identity.NewUser{Email: email, Role: access.Partner})
		if err != nil || created {
			t.Fatalf("%v %v", created, err)
		}
		form := testkit.FormOf(t, h.browser().Open(t, early), "kc-verify-form")
		form.Fields.Set("password", "the attacker's password")
		shows(t, h.browser().Submit(t, form), 400, "To nie jest hasło")
		shows(t, register(t, h, h.browser(), email, "the attacker's password", nil), 200, "Sprawdź pocztę")
		if u, err := h.idp.FindByEmail(context.Background(), email); err != nil || u.ID != id {
			t.Fatalf("the person was replaced: %+v %v", u, err)
		}
		b := h.browser()
		set := testkit.FormOf(t, b.Open(t, h.linkTo(email, 2)), "kc-passwd-update-form")
		set.Fields.Set("password-new", password)
		set.Fields.Set("password-confirm", password)
		shows(t, b.Submit(t, set), 200, "Hasło ustawione")
		h.browser().Login(t, email, password)
	})
}

// Strangers can have so many mails sent to an address in an hour and no more, and a refusal tells nobody whether it is known.
func TestPasswordReset_HasAQuotaThatIsTheSameForUnknownAddresses(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.passing.Pass(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour))) // the quota is that of an hour
		_, known := h.person(access.Driver)
		unknown, b := testkit.NewAddress(), h.browser()
		send := func(to string) (status int, retry, text string) {
			form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/login-actions/reset-credentials"), "kc-reset-password-form")
			form.Fields.Set("username", to)
			answer := b.Submit(t, form)
			text = strings.ReplaceAll(testkit.Text(t, answer), to, "")
			return answer.StatusCode, answer.Header.Get("Retry-After"), text
		}
		statuses := ""
		for _, pause := range []time.Duration{0, 0, 0, 31 * time.Minute, 0, 0, 5 * time.Minute} {
			h.passing.Pass(pause)
			status, retry, text := send(known)
			statuses += fmt.Sprint(status, retry, " ")
			if s, r, other := send(unknown); s != status || r != retry || other != text {
				t.Errorf("known: %d %s, unknown: %d %s", status, retry, s, r)
			}
		}
		if statuses != "200 200 200 200 200 200 4291440 " {
			t.Error(statuses)
		}
	})
}

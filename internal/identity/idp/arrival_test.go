package idp_test

import (
	"context"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// partner makes one whose link people come by.
func (h *house) partner(code, name string) {
	h.t.Helper()
	testkit.Write(h.t, h.db, access.ProgramFor("tenant-"+code, "test"), func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: code, Name: name, Color: "#7A4BE0"}, 0); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE partner_profiles SET email = $2 WHERE tenant_id = $1`, "biuro@"+code+".example")
		return err
	})
}

// anotherLanguage is the address of the same page in a language.
func anotherLanguage(t *testing.T, page, language string) string {
	t.Helper()
	for link := range strings.SplitSeq(page, `<a href="`) {
		if address, rest, _ := strings.Cut(link, `"`); strings.HasPrefix(rest, ` hreflang="`+language+`"`) {
			return strings.ReplaceAll(address, "&amp;", "&")
		}
	}
	t.Fatalf("no link to %s in %s", language, page)
	return ""
}

func TestTheLanguageChosenWhileSigningInGoesOnInTheApplication(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b := h.browser()
		page := testkit.Text(t, b.Authorize(t, testkit.NewAsk(), url.Values{"ui_locales": {"pl"}}))
		form := testkit.FormOf(t, b.Open(t, h.url+anotherLanguage(t, page, "uk")), "kc-form-login")
		form.Fields.Set("username", email)
		form.Fields.Set("password", "a wrong password")
		form = testkit.FormOf(t, b.Submit(t, form), "kc-form-login") // also after a mistake
		form.Fields.Set("username", email)
		form.Fields.Set("password", password)
		if values := back(t, b.Submit(t, form)); values.Get("lang") != "uk" || values.Get("code") == "" {
			t.Errorf("%v", values)
		}
		// whoever is in already has chosen nothing now: what the application speaks stands
		if values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})); values.Get("lang") != "" || values.Get("code") == "" {
			t.Errorf("%v", values)
		}
	})
}

// Somebody comes by a partner's link, registers in Ukrainian and opens the mail on another device.
func TestALanguageAndAPartnersLinkSurviveRegistrationAndMail(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.partner("wrzos", "Wrzos Mobility")
		email, b := testkit.NewAddress(), h.browser()
		b.SetCookie(t, "partner_code", "wrzos")
		testkit.Text(t, b.Authorize(t, testkit.NewAsk(), url.Values{"ui_locales": {"uk"}}))
		shows(t, register(t, h, b, email, password, nil), 200, "Wrzos Mobility")
		mail := h.mailTo(email, 1)
		m, err := netmail.ReadMessage(strings.NewReader(mail))
		if err != nil {
			t.Fatal(err)
		}
		from, err := m.Header.AddressList("From")
		if err != nil || from[0].Name != "Wrzos Mobility" || m.Header.Get("Reply-To") != "<biuro@wrzos.example>" ||
			!strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative") || m.Header.Get("Content-Language") != "uk" {
			t.Errorf("%v %v", m.Header, err)
		}
		if _, host, _ := strings.Cut(h.url, "://"); strings.Contains(testkit.PlainText(t, mail), "\n"+host) {
			t.Errorf("named after a host: %s", mail)
		}
		phone := h.browser()
		form := testkit.FormOf(t, phone.Open(t, h.linkTo(email, 1)), "kc-verify-form")
		text := shows(t, phone.Open(t, h.linkTo(email, 1)), 200, `<html lang="uk">`)
		if !strings.Contains(text, "Wrzos Mobility") || !strings.Contains(text, "color=7A4BE0") {
			t.Error("not in the partner's colours")
		}
		form.Fields.Set("password", password)
		answer := phone.Submit(t, form)
		testkit.Text(t, answer)
		if at := answer.Header.Get("Location"); at != h.url+"/app/?lang=uk&partner=wrzos" {
			t.Errorf("%d %s", answer.StatusCode, at)
		}
	})
}

func TestMailsWithoutAPartnerAreNamedAfterTheInstance(t *testing.T) {
	h := open(t, testkit.Engine)
	email := testkit.NewAddress()
	shows(t, register(t, h, h.browser(), email, password, nil), 200, "Sprawdź pocztę")
	text := testkit.PlainText(t, h.mailTo(email, 1))
	if !strings.HasSuffix(strings.TrimSpace(text), "Saldo") {
		t.Errorf("%s", text)
	}
}

func TestAPartnersDriverIsInvitedInThePartnersName(t *testing.T) {
	h := open(t, testkit.Engine)
	h.partner("wrzos", "Wrzos Mobility")
	email := testkit.NewAddress()
	id, _, err := h.idp.EnsureUser(context.Background(), identity.NewUser{Email: email, Language: "de", Role: access.Driver})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.idp.SendActivation(context.Background(), id, h.url+"/app/?partner=wrzos", time.Hour); err != nil {
		t.Fatal(err)
	}
	b := h.browser()
	set := testkit.FormOf(t, b.Open(t, h.linkTo(email, 1)), "kc-passwd-update-form")
	set.Fields.Set("password-new", password)
	set.Fields.Set("password-confirm", password)
	shows(t, b.Submit(t, set), 200, "/app/?lang=de&amp;partner=wrzos")
	if mail := h.mailTo(email, 1); !strings.Contains(mail, "Wrzos Mobility") {
		t.Errorf("%s", mail)
	}
}

func TestTheMailOfARegistrationIsSentAgainAndTheAddressCorrected(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		wrong, b := testkit.NewAddress(), h.browser()
		form := testkit.FormOf(t, register(t, h, b, wrong, password, nil), "kc-resend-form")
		form.Fields = url.Values{"again": {"true"}}
		first := h.linkTo(wrong, 1)
		text := shows(t, b.Submit(t, form), 200, "Wysłaliśmy wiadomość jeszcze raz")
		if !strings.Contains(text, wrong) {
			t.Error("the address is not shown")
		}
		second := h.linkTo(wrong, 2)
		shows(t, h.browser().Open(t, first), 400, "Ten link już nie działa")
		shows(t, h.browser().Open(t, second), 200, "kc-verify-form")

		// as often as strangers may have mails sent, and no more
		shows(t, b.Submit(t, form), 200, "Wysłaliśmy wiadomość jeszcze raz")
		shows(t, b.Submit(t, form), 429, "Za dużo prób")

		form.Fields = url.Values{"edit": {"true"}}
		back := testkit.FormOf(t, b.Submit(t, form), "kc-register-form")
		if back.Fields.Get("email") != wrong || back.Fields.Get("firstName") != "Oleh" || back.Fields.Get("password") != "" {
			t.Errorf("%v", back.Fields)
		}
		right := testkit.NewAddress()
		back.Fields.Set("email", right)
		back.Fields.Set("password", password)
		back.Fields.Set("password-confirm", password)
		shows(t, b.Submit(t, back), 200, right)
		h.linkTo(right, 1)
	})
}

// Asking again for the mail of an address that has an account tells no more than asking the first time.
func TestAskingAgainDoesNotRevealWhoHasAnAccount(t *testing.T) {
	h := open(t, testkit.Engine)
	_, known := h.person(access.Partner)
	for _, email := range []string{known, testkit.NewAddress()} {
		b := h.browser()
		form := testkit.FormOf(t, register(t, h, b, email, password, nil), "kc-resend-form")
		form.Fields = url.Values{"again": {"true"}}
		shows(t, b.Submit(t, form), 200, "Wysłaliśmy wiadomość jeszcze raz")
		h.mailTo(email, 2)
	}
}

func TestTheLinkToANewPasswordIsSentAgainAndTheAddressCorrected(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	b := h.browser()
	form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/login-actions/reset-credentials"), "kc-reset-password-form")
	form.Fields.Set("username", email)
	again := testkit.FormOf(t, b.Submit(t, form), "kc-resend-form")
	if again.Fields.Get("username") != email {
		t.Fatalf("%v", again.Fields)
	}
	again.Fields.Set("again", "true")
	shows(t, b.Submit(t, again), 200, "Wysłaliśmy wiadomość jeszcze raz")
	h.linkTo(email, 2)
	shows(t, b.Submit(t, again), 200, "Wysłaliśmy wiadomość jeszcze raz")
	shows(t, b.Submit(t, again), 429, "Za dużo prób")
	again.Fields.Del("again")
	again.Fields.Set("edit", "true")
	if back := testkit.FormOf(t, b.Submit(t, again), "kc-reset-password-form"); back.Fields.Get("username") != email {
		t.Errorf("%v", back.Fields)
	}
}

func TestARememberedDeviceStaysSignedInForWeeksAndOthersDoNot(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		silent := url.Values{"prompt": {"none"}}
		in := func(b *testkit.Browser) bool {
			return back(t, b.Authorize(t, testkit.NewAsk(), silent)).Get("code") != ""
		}
		enter := func(remember bool) *testkit.Browser {
			b := h.browser()
			form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
			form.Fields = url.Values{"username": {email}, "password": {password}}
			if remember {
				form.Fields.Set("rememberMe", "on")
			}
			back(t, b.Submit(t, form))
			return b
		}
		kept, plain := enter(true), enter(false)
		var seen []string
		note := func() { seen = append(seen, fmt.Sprint(in(kept), in(plain))) }
		note()
		h.passing.Pass(40 * time.Minute)
		note()
		h.passing.Pass(13 * 24 * time.Hour)
		testkit.Write(t, h.db, access.Program("sweep"), h.idp.Sweep)
		note()
		h.passing.Pass(13 * 24 * time.Hour)
		note()
		h.passing.Pass(13 * 24 * time.Hour) // a month in all
		note()
		if got := strings.Join(seen, ", "); got != "true true, true false, true false, true false, false false" {
			t.Error(got)
		}
		// and what needs a fresh sign-in asks for the password there too
		kept = enter(true)
		h.passing.Pass(6 * time.Minute)
		shows(t, kept.Authorize(t, testkit.NewAsk(), url.Values{"kc_action": {"UPDATE_PASSWORD"}}), 200, "kc-form-login")
	})
}

package idp_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestTheRealmDescribesItselfAsKeycloakDoes(t *testing.T) {
	h := open(t, testkit.Engine)
	var reply map[string]any
	text := shows(t, h.browser().Open(t, h.url+"/auth/realms/saldo/.well-known/openid-configuration"), 200, "issuer")
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		t.Fatal(err)
	}
	at := h.url + "/auth/realms/saldo"
	for name, want := range map[string]any{
		"issuer": at, "authorization_endpoint": at + "/protocol/openid-connect/auth", "token_endpoint": at + "/protocol/openid-connect/token",
		"jwks_uri": at + "/protocol/openid-connect/certs", "userinfo_endpoint": at + "/protocol/openid-connect/userinfo",
		"end_session_endpoint": at + "/protocol/openid-connect/logout", "revocation_endpoint": at + "/protocol/openid-connect/revoke",
	} {
		if reply[name] != want {
			t.Errorf("%s is %v, want %v", name, reply[name], want)
		}
	}
	for name, want := range map[string]string{"response_types_supported": "[code]", "code_challenge_methods_supported": "[S256]",
		"grant_types_supported": "[authorization_code refresh_token]", "id_token_signing_alg_values_supported": "[RS256]"} {
		if fmt.Sprint(reply[name]) != want {
			t.Errorf("%s is %v, want %s", name, reply[name], want)
		}
	}
}

func TestSigningInGivesTokensWithKeycloaksClaims(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		id, email := h.person(access.Partner)
		tokens := h.browser().Login(t, strings.ToUpper(email), password)
		claims, err := h.verify(tokens.Access)
		if err != nil {
			t.Fatal(err)
		}
		if claims.Subject != id || claims.Email != email || claims.FirstName != "Anna" || claims.PartnerCode != "wrzos" || claims.Session == "" || !claims.Verified ||
			time.Since(time.Unix(claims.SignedInAt, 0)) > time.Minute {
			t.Errorf("%+v", claims)
		}
		reply := testkit.Payload(t, tokens.Access)
		if fmt.Sprint(reply["aud"]) != "[app-api account]" || reply["typ"] != "Bearer" || reply["azp"] != "spa" ||
			fmt.Sprint(reply["realm_access"]) != "map[roles:[partner default-roles-saldo offline_access uma_authorization]]" {
			t.Errorf("%v", reply)
		}
		if own := testkit.Payload(t, tokens.ID); own["typ"] != "ID" || own["aud"] != "spa" || own["sid"] != claims.Session || own["name"] != "Anna Mazurek" {
			t.Errorf("%v", own)
		}
		if _, err := h.verify(tokens.ID); err == nil {
			t.Error("an ID token passes for an access token")
		}
	})
}

// refused sends a request for a code that must not get one.
func refused(t *testing.T, h *house, change url.Values) *http.Response {
	t.Helper()
	return h.browser().Authorize(t, testkit.NewAsk(), change)
}

func TestOnlyTheOneExactAddressGetsAnAnswer(t *testing.T) {
	h := open(t, testkit.Engine)
	for _, wrong := range []string{h.url + "/app", h.url + "/app/x", h.url + "/app/?a=b", h.url + "/app/#x", h.url + "/app%2F", h.url + "/app/../app/",
		strings.Replace(h.url, "127.0.0.1", "localhost", 1) + "/app/", strings.Replace(h.url, "http://", "https://", 1) + "/app/", "https://evil.example/app/", "//evil.example", "javascript:alert(1)"} {
		answer := refused(t, h, url.Values{"redirect_uri": {wrong}})
		if answer.Header.Get("Location") != "" {
			t.Errorf("%q: sent to %s", wrong, answer.Header.Get("Location"))
		}
		shows(t, answer, 400, "Nie można dokończyć logowania")
	}
}

func TestACodeIsGivenOnlyForAChallengeWithS256(t *testing.T) {
	h := open(t, testkit.Engine)
	for name, change := range map[string]url.Values{
		"none":           {"code_challenge": {""}, "code_challenge_method": {""}},
		"plain":          {"code_challenge_method": {"plain"}},
		"a token":        {"response_type": {"token"}},
		"an id_token":    {"response_type": {"id_token"}},
		"both":           {"response_type": {"code id_token"}},
		"not OpenID":     {"prompt": {"none"}},
		"unknown client": {"client_id": {"other"}},
	} {
		answer := refused(t, h, change)
		text := testkit.Text(t, answer)
		if name == "unknown client" {
			if answer.StatusCode != 400 {
				t.Errorf("%s: %d %s", name, answer.StatusCode, text)
			}
			continue
		}
		if at := answer.Header.Get("Location"); !strings.Contains(at, "error=") || strings.Contains(at, "code=") {
			t.Errorf("%s: %d %s", name, answer.StatusCode, at)
		}
	}
}

func TestAWrongVerifierBurnsTheCode(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b, ask := h.browser(), testkit.NewAsk()
		code := back(t, login(t, b, ask, nil, email, password)).Get("code")
		trade := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {h.url + "/app/"}, "code_verifier": {testkit.NewAsk().Verifier}}
		if status, _, text := b.Token(t, trade); status != 400 || !strings.Contains(text, "invalid_grant") {
			t.Errorf("%d %s", status, text)
		}
		trade.Set("code_verifier", ask.Verifier)
		if status, _, text := b.Token(t, trade); status != 400 {
			t.Errorf("a burnt code was traded: %d %s", status, text)
		}
	})
}

func TestACodeIsTradedOnceAndASecondTryEndsWhatTheFirstGot(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b, ask := h.browser(), testkit.NewAsk()
		code := back(t, login(t, b, ask, nil, email, password)).Get("code")
		trade := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {h.url + "/app/"}, "code_verifier": {ask.Verifier}}
		status, tokens, text := b.Token(t, trade)
		if status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		if status, _, _ := b.Token(t, trade); status != 400 {
			t.Errorf("traded twice: %d", status)
		}
		if status, _ := b.Refresh(t, tokens.Refresh); status != 400 {
			t.Errorf("the tokens of a stolen code still work: %d", status)
		}
		if values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})); values.Get("error") != "login_required" {
			t.Errorf("the browser is still signed in: %v", values)
		}
	})
}

func TestOfTwentyTradesOfOneCodeAtMostOneSucceeds(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b, ask := h.browser(), testkit.NewAsk()
		code := back(t, login(t, b, ask, nil, email, password)).Get("code")
		if n := together(20, func() bool {
			status, _, _ := b.Token(t, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {h.url + "/app/"}, "code_verifier": {ask.Verifier}})
			return status == 200
		}); n > 1 {
			t.Errorf("%d succeeded", n)
		}
	})
}

func together(n int, do func() bool) (succeeded int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for range n {
		all.Go(func() {
			if do() {
				mu.Lock()
				defer mu.Unlock()
				succeeded++
			}
		})
	}
	all.Wait()
	return succeeded
}

func TestARefreshTokenTurnsAtEachUseAndItsReplayEndsTheFamily(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b := h.browser()
		first := b.Login(t, email, password)
		status, second := b.Refresh(t, first.Refresh)
		if status != 200 || second.Refresh == first.Refresh || second.Refresh == "" {
			t.Fatalf("%d %+v", status, second)
		}
		if _, err := h.verify(second.Access); err != nil {
			t.Error(err)
		}
		// within seconds: another tab, or an answer that was lost
		if status, _ := b.Refresh(t, first.Refresh); status != 400 {
			t.Errorf("an old token works: %d", status)
		}
		status, third := b.Refresh(t, second.Refresh)
		if status != 200 {
			t.Fatalf("the hurry of two tabs ended the session: %d", status)
		}
		h.passing.Pass(11 * time.Second)
		if status, _ := b.Refresh(t, first.Refresh); status != 400 {
			t.Errorf("a stolen token works: %d", status)
		}
		if status, _ := b.Refresh(t, third.Refresh); status != 400 {
			t.Errorf("the family outlived the theft: %d", status)
		}
		if values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})); values.Get("error") != "login_required" {
			t.Errorf("the browser is still signed in: %v", values)
		}
	})
}

func TestRefreshTokenReuse_LeavesOtherSessionsOfTheSameUserAlone(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b, other := h.browser(), h.browser()
		first, elsewhere := b.Login(t, email, password), other.Login(t, email, password)
		if status, _ := b.Refresh(t, first.Refresh); status != 200 {
			t.Fatal(status)
		}
		h.passing.Pass(11 * time.Second)
		if status, _ := b.Refresh(t, first.Refresh); status != 400 {
			t.Errorf("a stolen token works: %d", status)
		}
		if status, _ := other.Refresh(t, elsewhere.Refresh); status != 200 {
			t.Errorf("another device was signed out: %d", status)
		}
		h.browser().Login(t, email, password) // and the owner comes back in
		testkit.Read(t, h.db, access.Program("test"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM idp_events WHERE kind = 'reused a token'`)
			if n != 1 {
				t.Errorf("%d events name the reuse", n)
			}
			return err
		})
	})
}

func TestOfTwentyRefreshesOneSucceedsAndStaysAlive(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b := h.browser()
		tokens := b.Login(t, email, password)
		var mu sync.Mutex
		var winner testkit.Tokens
		if n := together(20, func() bool {
			status, next := b.Refresh(t, tokens.Refresh)
			if status == 200 {
				mu.Lock()
				defer mu.Unlock()
				winner = next
			}
			return status == 200
		}); n != 1 {
			t.Fatalf("%d succeeded", n)
		}
		if status, _ := b.Refresh(t, winner.Refresh); status != 200 {
			t.Errorf("the winner is dead: %d", status)
		}
	})
}

func TestWhoeverIsSignedInPassesAndIsAskedOnlyWhenMoreIsWanted(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b := h.browser()
		if values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})); values.Get("error") != "login_required" || values.Get("iss") == "" {
			t.Errorf("a stranger: %v", values)
		}
		b.Login(t, email, password)
		for _, more := range []url.Values{nil, {"prompt": {"none"}}, {"max_age": {"3600"}}} {
			ask := testkit.NewAsk()
			b.Trade(t, ask, b.Authorize(t, ask, more))
		}
		values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"response_mode": {"fragment"}}))
		if values.Get("code") == "" || values.Get("iss") != h.idp.Issuer() || values.Get("session_state") == "" {
			t.Errorf("%v", values)
		}
		for name, more := range map[string]url.Values{"login": {"prompt": {"login"}}, "max_age": {"max_age": {"0"}}} {
			text := shows(t, b.Authorize(t, testkit.NewAsk(), more), 200, "zaloguj się jeszcze raz")
			if !strings.Contains(text, email) {
				t.Errorf("%s: the address must be typed again", name)
			}
		}
		shows(t, b.Open(t, h.url+"/auth/realms/saldo/protocol/openid-connect/registrations?"+ask(h)), 200, "kc-register-form")
		h.passing.Pass(31 * time.Minute)
		if values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})); values.Get("error") != "login_required" {
			t.Errorf("an idle session lives: %v", values)
		}
	})
}

func ask(h *house) string {
	return url.Values{"client_id": {"spa"}, "redirect_uri": {h.url + "/app/"}, "response_type": {"code"}, "scope": {"openid"}, "state": {"s"}, "nonce": {"n"},
		"code_challenge_method": {"S256"}, "code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}}.Encode()
}

func TestASessionEndsAfterAWorkingDayHoweverBusy(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	b := h.browser()
	tokens := b.Login(t, email, password)
	for range 44 {
		h.passing.Pass(14 * time.Minute)
		if status, next := b.Refresh(t, tokens.Refresh); status == 200 {
			tokens = next
			continue
		}
		break
	}
	if values := back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})); values.Get("error") != "login_required" {
		t.Errorf("%v", values)
	}
}

// The attacker starts a request and lets the victim sign in on it: the code
// must not reach the attacker, nor the victim finish it.
func TestARequestBelongsToTheBrowserThatMadeIt(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	attacker, victim := h.browser(), h.browser()
	form := testkit.FormOf(t, attacker.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
	form.Fields.Set("username", email)
	form.Fields.Set("password", password)
	shows(t, victim.Submit(t, form), 400, "Zacznij logowanie od nowa")
	victim.Login(t, email, password)
	shows(t, victim.Open(t, form.Action), 400, "Zacznij logowanie od nowa")
	shows(t, attacker.Open(t, form.Action), 200, "kc-form-login")
}

func TestAFormOfAnotherSiteIsRefused(t *testing.T) {
	h := open(t, testkit.Engine)
	_, email := h.person(access.Driver)
	b := h.browser()
	form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
	rq, err := http.NewRequest(http.MethodPost, form.Action, strings.NewReader(url.Values{"username": {email}, "password": {password}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rq.Header.Set("Origin", "https://evil.example")
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 403 {
		t.Errorf("%d", answer.StatusCode)
	}
}

func TestPagesCarryTheStrictPolicyAndAreNotKept(t *testing.T) {
	h := open(t, testkit.Engine)
	answer := h.browser().Authorize(t, testkit.NewAsk(), nil)
	text := testkit.Text(t, answer)
	if p := answer.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || !strings.Contains(p, "frame-ancestors 'none'") ||
		strings.Count(p, "script-src 'sha256-") != 1 || strings.Contains(p, "script-src 'self'") || !strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("%v", answer.Header)
	}
	script, rest, _ := strings.Cut(text, "</script>")
	_, script, _ = strings.Cut(script, "<script>")
	sum := sha256.Sum256([]byte(script)) // the one script that there is, and nothing else
	if strings.Contains(rest, "<script") || !strings.Contains(answer.Header.Get("Content-Security-Policy"), base64.StdEncoding.EncodeToString(sum[:])) ||
		strings.Contains(text, "style=") {
		t.Error("the page needs what its policy forbids")
	}
	for _, c := range answer.Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/auth/realms/saldo/" {
			t.Errorf("cookie %+v", c)
		}
	}
}

func TestFailuresMakePeopleWaitAndNeverForGood(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		for _, who := range []string{email, testkit.NewAddress()} { // an unknown address looks the same
			for i := range 10 {
				shows(t, login(t, h.browser(), testkit.NewAsk(), nil, who, "wrong wrong wrong"), 400, "Logowanie nie powiodło się")
				if i == 4 {
					h.passing.Pass(2 * time.Minute) // by address of the visitor, thirty a minute
				}
			}
			shows(t, login(t, h.browser(), testkit.NewAsk(), nil, who, password), 429, "Za dużo prób")
			h.passing.Pass(2 * time.Minute)
		}
		// the way through a mail stays open
		b := h.browser()
		form := testkit.FormOf(t, b.Open(t, h.url+"/auth/realms/saldo/login-actions/reset-credentials"), "kc-reset-password-form")
		form.Fields.Set("username", email)
		shows(t, b.Submit(t, form), 200, "Sprawdź pocztę")
		h.browser().Login(t, email, password)
		shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, "wrong wrong wrong"), 400, "Logowanie nie powiodło się")
	})
}

func TestAnAnswerAsASignedTokenIsRefusedPlainly(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		for _, mode := range []string{"jwt", "query.jwt", "fragment.jwt", "form_post.jwt", "nonsense"} {
			answer := h.browser().Authorize(t, testkit.NewAsk(), url.Values{"response_mode": {mode}})
			answer.Body.Close()
			if answer.StatusCode != 400 {
				t.Errorf("%s answers %d", mode, answer.StatusCode)
			}
		}
	})
}

// An attempt is counted before its password is looked at: guessing at the same
// moment gains nothing over guessing in a row.
func TestGuesses_AtTheSameMomentAreNoMoreThanInARow(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		_, other := h.person(access.Driver)
		type attempt struct {
			*testkit.Browser
			testkit.Form
		}
		var all []attempt
		for range 60 {
			b := h.browser()
			form := testkit.FormOf(t, b.Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
			form.Fields.Set("username", email)
			form.Fields.Set("password", "wrong wrong wrong")
			all = append(all, attempt{b, form})
		}
		var together sync.WaitGroup
		var mu sync.Mutex
		answers := map[int]int{}
		for _, one := range all {
			together.Go(func() {
				answer := one.Submit(t, one.Form)
				answer.Body.Close()
				mu.Lock()
				defer mu.Unlock()
				answers[answer.StatusCode]++
				if answer.StatusCode == 503 && answer.Header.Get("Retry-After") == "" {
					t.Error("busy without saying until when")
				}
			})
		}
		together.Wait()
		if answers[400] == 0 || answers[400] > 10 || answers[400]+answers[429]+answers[503] != len(all) {
			t.Errorf("60 guesses at the same moment: %v", answers)
		}
		shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, password), 429, "Za dużo prób")
		h.passing.Pass(2 * time.Minute)
		h.browser().Login(t, other, password)
		h.passing.Pass(15 * time.Minute)
		h.browser().Login(t, email, password)
		shows(t, login(t, h.browser(), testkit.NewAsk(), nil, email, "wrong wrong wrong"), 400, "Logowanie nie powiodło się")
	})
}

func TestLogoutNeedsTheIDTokenOrAConfirmation(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		_, other := h.person(access.Driver)
		foreign := h.browser().Login(t, other, password)
		at := h.url + "/auth/realms/saldo/protocol/openid-connect/logout"
		b := h.browser()
		tokens := b.Login(t, email, password)
		in := func() bool {
			return back(t, b.Authorize(t, testkit.NewAsk(), url.Values{"prompt": {"none"}})).Get("code") != ""
		}
		for name, hint := range map[string]string{"none": "", "somebody else's": foreign.ID, "an access token": tokens.Access, "nonsense": "x.y.z"} {
			shows(t, b.Open(t, at+"?"+url.Values{"id_token_hint": {hint}, "post_logout_redirect_uri": {h.url + "/app/"}}.Encode()), 200, "kc-logout-form")
			if !in() {
				t.Fatalf("%s: signed out without a word", name)
			}
		}
		shows(t, b.Open(t, at+"?post_logout_redirect_uri=https://evil.example/"), 400, "Nie można")
		if !in() {
			t.Fatal("signed out by a request with a foreign address")
		}
		h.passing.Pass(10 * time.Minute) // the token has expired and still tells who it is
		b.Logout(t, tokens)
		if in() {
			t.Error("still in")
		}
		if status, _ := b.Refresh(t, tokens.Refresh); status != 400 {
			t.Errorf("the refresh token lives: %d", status)
		}
		b.Login(t, email, password)
		form := testkit.FormOf(t, b.Open(t, at), "kc-logout-form")
		form.Fields.Set("confirmLogout", "true")
		shows(t, b.Submit(t, form), 200, "Wylogowano")
		if in() {
			t.Error("still in after confirming")
		}
	})
}

func TestAnEndedSessionsTokensAreWorthlessWithinAMinute(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		authenticate := identity.Authenticate(h.db, &identity.Verifier{Issuer: h.idp.Issuer(), Provider: identity.Embedded, Key: h.idp.Public, Clock: h.passing.Now})
		b, elsewhere := h.browser(), h.browser()
		tokens, others := b.Login(t, email, password), elsewhere.Login(t, email, password)
		if _, err := authenticate(context.Background(), tokens.Access); err != nil {
			t.Fatal(err)
		}
		b.Logout(t, tokens)
		h.passing.Pass(time.Minute)
		if _, err := authenticate(context.Background(), tokens.Access); err == nil {
			t.Error("the token outlived its session")
		}
		if _, err := authenticate(context.Background(), others.Access); err != nil {
			t.Errorf("another device was signed out: %v", err)
		}
		user, err := h.idp.FindByEmail(context.Background(), email)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.idp.Delete(context.Background(), user.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := authenticate(context.Background(), others.Access); err == nil {
			t.Error("the token of somebody forgotten works")
		}
		if status, _ := elsewhere.Refresh(t, others.Refresh); status != 400 {
			t.Errorf("%d", status)
		}
	})
}

func TestARestartKeepsSessionsAndKeys(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		b := h.browser()
		tokens := b.Login(t, email, password)
		form := testkit.FormOf(t, h.browser().Authorize(t, testkit.NewAsk(), nil), "kc-form-login")
		h.restart()
		if _, err := h.verify(tokens.Access); err != nil {
			t.Errorf("the token: %v", err)
		}
		next := testkit.NewAsk()
		b.Trade(t, next, b.Authorize(t, next, url.Values{"prompt": {"none"}}))
		if status, _ := b.Refresh(t, tokens.Refresh); status != 200 {
			t.Errorf("the refresh token: %d", status)
		}
		if answer := b.Open(t, form.Action); answer.StatusCode != 400 { // known, and another browser's
			t.Errorf("a page opened before: %d", answer.StatusCode)
		}
	})
}

func TestKeysTurnWithoutAnybodyNoticing(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		_, email := h.person(access.Driver)
		sweep := func() {
			testkit.Write(t, h.db, access.Program("test"), func(tx *db.Tx) error { return h.idp.Sweep(tx) })
			h.passing.Pass(2 * time.Minute) // every instance has looked again
		}
		kid := func() any { return testkit.Head(t, h.browser().Login(t, email, password).Access)["kid"] }
		first := kid()
		sweep()
		if kid() != first {
			t.Fatal("a young key was replaced")
		}
		testkit.Write(t, h.db, access.Program("test"), func(tx *db.Tx) error {
			_, err := tx.Across().Exec(`UPDATE idp_keys SET active_at = $1`, tx.Now.Add(-91*24*time.Hour))
			return err
		})
		sweep()
		if kid() != first {
			t.Error("the next key signs before anybody can know it")
		}
		h.passing.Pass(time.Hour)
		second := kid()
		if second == first {
			t.Fatal("the key did not turn")
		}
		sweep()
		if _, ok := h.idp.Public(fmt.Sprint(first)); !ok {
			t.Error("the old key is gone while its tokens live")
		}
		h.passing.Pass(20 * time.Minute)
		sweep()
		if _, ok := h.idp.Public(fmt.Sprint(first)); ok {
			t.Error("the old key is kept for ever")
		}
	})
}

package idp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"saldo/internal/identity"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// ResetKind is the job that mails the link to a new password, if the address
// has an account. The page leaves it for every address: nobody learns from how
// long it takes whether one is known.
const ResetKind = "idp.reset"

const resetPurpose = "password reset"

// resetOrder is the order of that job. Orders are kept in the clear.
type resetOrder struct {
	Sealed     string `json:"sealed"`               // the address
	Registered bool   `json:"registered,omitempty"` // not a new password, but the mail of a registration again
	Partner    string `json:"partner,omitempty"`    // code of the one through whose link they came
}

// order leaves that job.
func (p *Provider) order(tx *db.Tx, email string, o resetOrder) error {
	o.Sealed = p.vault.Seal("", resetPurpose, []byte(email))
	return jobs.Enqueue(tx, jobs.Order{Kind: ResetKind, Payload: o})
}

// SendReset is the handler of ResetKind.
func (p *Provider) SendReset(ctx context.Context, run *jobs.Run) error {
	var order resetOrder
	if err := run.Into(&order); err != nil {
		return jobs.Permanent(err)
	}
	email, err := p.vault.Unseal("", resetPurpose, order.Sealed)
	if err != nil {
		return jobs.Permanent(err)
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		u, err := userByEmail(tx, string(email))
		if errors.Is(err, db.ErrNone) || (err == nil && !u.Enabled) {
			return run.Finish(tx)
		}
		if err != nil {
			return err
		}
		if order.Registered {
			if err := p.remind(tx, u, order.Partner); err != nil {
				return err
			}
			return run.Finish(tx)
		}
		if err := record(tx, "asked for a new password", u.ID, ""); err != nil {
			return err
		}
		link, err := p.newLink(tx, u, reset, "", resetLife)
		if err != nil {
			return err
		}
		if err := p.write(tx, u, "", "mail:reset", link); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}

// forgotten is the page that has a link to a new password mailed. It says the
// same whether or not the address has an account.
func (p *Provider) forgotten(w http.ResponseWriter, r *http.Request) {
	ask := page{Name: "forgotten", Base: p.path + "/login-actions/reset-credentials",
		Values: map[string]string{"username": r.URL.Query().Get("login_hint")}}
	if r.Method != http.MethodPost {
		p.show(w, r, http.StatusOK, ask)
		return
	}
	email := folded(r.PostFormValue("username"))
	ask.Values["username"] = email
	if r.PostFormValue("edit") != "" {
		p.show(w, r, http.StatusOK, ask)
		return
	}
	sent := page{Name: "message", Title: "idp:sent.title", Text: "idp:sent.text", Address: email, Base: ask.Base, Resend: ask.Base,
		Values: ask.Values, Back: true}
	if r.PostFormValue("again") != "" {
		ask, sent.Notice = sent, "idp:mailed.sent"
	}
	if _, err := official.ParseEmail(email); err != nil {
		ask.Wrong = map[string]string{"username": "idp:field.email"}
		p.show(w, r, http.StatusBadRequest, ask)
		return
	}
	var wait time.Duration
	err := p.db.Write(r.Context(), program, func(tx *db.Tx) (err error) {
		if wait, err = p.mayMail(tx, r, email); err != nil || wait > 0 {
			return err
		}
		return p.order(tx, email, resetOrder{})
	})
	switch {
	case err != nil:
		p.broken(w, r, err)
	case wait > 0:
		ask.Problem, ask.Wait = "idp:login.wait", wait
		p.show(w, r, http.StatusTooManyRequests, ask)
	default:
		p.show(w, r, http.StatusOK, sent)
	}
}

// broken answers when the provider itself failed.
func (p *Provider) broken(w http.ResponseWriter, r *http.Request, err error) {
	p.settings.Log.Error("the identity provider failed", "error", err)
	p.show(w, r, http.StatusInternalServerError, page{Name: "message", Title: "idp:broken.title", Text: "idp:broken.text", Back: true})
}

// mailed serves mailed links. Opening one only shows a page: programs that
// look through mail open links too. Sending the page spends it.
func (p *Provider) mailed(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("key")
	var l link
	var ok bool
	var u user
	err := p.db.Read(r.Context(), program, func(tx *db.Tx) (err error) {
		if l, ok, err = linkOf(tx, key); err != nil || !ok {
			return err
		}
		u, err = userByID(tx, l.UserID)
		return err
	})
	if err != nil {
		p.broken(w, r, err)
		return
	}
	if !ok {
		p.show(w, r, http.StatusBadRequest, page{Name: "message", Title: "idp:dead.title", Text: "idp:dead.text", Forgotten: true, Back: true})
		return
	}
	ask := page{Name: "set", Base: p.path + "/login-actions/action-token?key=" + url.QueryEscape(key), Address: u.Email, Mailed: l.Redirect}
	if l.Purpose == verify {
		ask.Name = "verify"
	}
	if r.Method != http.MethodPost {
		p.show(w, r, http.StatusOK, ask)
		return
	}
	if l.Purpose == verify {
		p.confirm(w, r, key, u, ask)
		return
	}
	again, hash, err := p.newPassword(r, u, false)
	if err != nil {
		p.broken(w, r, err)
		return
	}
	if hash == "" {
		ask.Wrong, ask.Problem, ask.Wait = again.Wrong, again.Problem, again.Wait
		p.show(w, r, http.StatusBadRequest, ask)
		return
	}
	err = p.db.Write(r.Context(), program, func(tx *db.Tx) error {
		if ok, err = use(tx, key); err != nil || !ok {
			return err
		}
		if err := setPassword(tx, u.ID, hash, true); err != nil {
			return err
		}
		if err := p.clear(tx, byAccount, u.Email); err != nil {
			return err
		}
		if err := endSessions(tx, u.ID, ""); err != nil {
			return err
		}
		if err := record(tx, "set the password", u.ID, ""); err != nil {
			return err
		}
		if u.Password == "" {
			return nil
		}
		return p.write(tx, u, "", "mail:changed", "")
	})
	switch {
	case err != nil:
		p.broken(w, r, err)
	case !ok:
		p.show(w, r, http.StatusBadRequest, page{Name: "message", Title: "idp:dead.title", Text: "idp:dead.text", Forgotten: true, Back: true})
	default:
		p.show(w, r, http.StatusOK, page{Name: "message", Title: "idp:set.done.title", Text: "idp:set.done.text", Back: true, Mailed: l.Redirect})
	}
}

// confirm opens a registered account to whoever got the mail and knows the
// password: somebody who registered another's address gets nowhere, and the
// address's owner does not open a stranger's account by a click.
func (p *Provider) confirm(w http.ResponseWriter, r *http.Request, key string, u user, ask page) {
	right, wait, err := p.knows(r, u)
	switch {
	case errors.Is(err, errBusy):
		ask.Problem = busy
		w.Header().Set("Retry-After", "5")
		p.show(w, r, http.StatusServiceUnavailable, ask)
		return
	case err != nil:
		p.broken(w, r, err)
		return
	case wait > 0:
		ask.Problem, ask.Wait = "idp:login.wait", wait
		p.show(w, r, http.StatusTooManyRequests, ask)
		return
	case !right:
		ask.Wrong = map[string]string{"password": "idp:field.registered"}
		p.show(w, r, http.StatusBadRequest, ask)
		return
	}
	var ok bool
	var cookie string
	err = p.db.Write(r.Context(), program, func(tx *db.Tx) (err error) {
		if ok, err = use(tx, key); err != nil || !ok {
			return err
		}
		if _, err := tx.Across().Exec(`UPDATE idp_users SET verified = TRUE WHERE id = $1`, u.ID); err != nil {
			return err
		}
		_, cookie, err = p.begin(tx, r, u.ID, working)
		return err
	})
	switch {
	case err != nil:
		p.broken(w, r, err)
	case !ok:
		p.show(w, r, http.StatusBadRequest, page{Name: "message", Title: "idp:dead.title", Text: "idp:dead.text", Back: true})
	default:
		http.SetCookie(w, p.cookie(p.cookieName(), cookie, working))
		http.Redirect(w, r, p.appIn(p.languageOf(w, r), ask.Mailed), http.StatusSeeOther)
	}
}

// logout ends the session of the browser. Whoever shows an ID token of that
// session's user, however old, is believed; everybody else is asked.
func (p *Provider) logout(w http.ResponseWriter, r *http.Request) {
	back := r.FormValue("post_logout_redirect_uri")
	app := p.settings.PublicURL + "/app/"
	if back != "" && back != app {
		p.show(w, r, http.StatusBadRequest, page{Name: "message", Title: "idp:refused.title", Text: "idp:refused.text", Again: true})
		return
	}
	s, in, err := p.seen(r)
	if err != nil {
		p.broken(w, r, err)
		return
	}
	subject, client := p.hint(r.FormValue("id_token_hint"))
	sure := subject != "" && client == identity.Client && (!in || subject == s.UserID)
	if in && !sure && r.Method == http.MethodPost && r.PostFormValue("confirmLogout") != "" {
		sure = true
	}
	if in && !sure {
		p.show(w, r, http.StatusOK, page{Name: "logout", Base: p.path + connect + "/logout", Values: map[string]string{
			"post_logout_redirect_uri": back, "state": r.FormValue("state")}})
		return
	}
	if in {
		err := p.db.Write(r.Context(), program, func(tx *db.Tx) error {
			if err := endSession(tx, s.ID); err != nil {
				return err
			}
			return record(tx, "signed out", s.UserID, s.ID)
		})
		if err != nil {
			p.broken(w, r, err)
			return
		}
	}
	http.SetCookie(w, p.cookie(p.cookieName(), "", -1))
	if back == "" {
		p.show(w, r, http.StatusOK, page{Name: "message", Title: "idp:out.title", Text: "idp:out.text", Back: true})
		return
	}
	if state := r.FormValue("state"); state != "" {
		back += "?state=" + url.QueryEscape(state)
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// hint reads an ID token of this provider, also an expired one: people sign
// out after lunch.
func (p *Provider) hint(token string) (subject, client string) {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil || len(parsed.Headers) != 1 {
		return "", ""
	}
	key, ok := p.Public(parsed.Headers[0].KeyID)
	if !ok {
		return "", ""
	}
	var claims struct {
		jwt.Claims
		Type string `json:"typ"`
	}
	if err := parsed.Claims(key, &claims); err != nil || claims.Issuer != p.issuer || claims.Type != "ID" ||
		!slices.Contains(claims.Audience, identity.Client) {
		return "", ""
	}
	return claims.Subject, identity.Client
}

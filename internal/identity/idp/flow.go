package idp

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"time"

	"github.com/luikyv/go-oidc/pkg/goidc"

	"saldo/internal/platform/db"
)

// Names in the store of a request that travels with the pages.
const (
	storeBinding = "binding" // sum of the cookie of the browser that asked
	storeAction  = "action"  // what the user came to do besides signing in
	storePage    = "page"    // the page they are on
	storePerson  = "person"  // who registered
)

const updatePassword = "UPDATE_PASSWORD"

// arrive notes what a new request asks for.
func (p *Provider) arrive(r *http.Request, as *goidc.AuthnSession, _ *goidc.Client) bool {
	as.GrantedScopes = as.Scopes
	as.Store = map[string]any{storePage: "login"}
	if r.URL.Query().Get("kc_action") == updatePassword {
		as.Store[storeAction] = updatePassword
	}
	if registering, _ := r.Context().Value(registeringKey{}).(bool); registering || as.Prompt == "create" {
		as.Store[storePage] = "register"
	}
	return true
}

// pass decides what a request meets next: a page, or the way back.
func (p *Provider) pass(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession, _ *goidc.Client) (goidc.Status, error) {
	if r.PathValue("callback") == "" {
		return p.first(w, r, as)
	}
	if !p.bound(r, as) {
		// somebody else's request: whoever started it must not profit
		p.show(w, r, http.StatusBadRequest, page{Name: "message", Title: "idp:browser.title", Text: "idp:browser.text", Again: true})
		return goidc.StatusPending, nil
	}
	step := r.PathValue("callback_path")
	if r.Method != http.MethodPost {
		if step == "login" || step == "register" {
			as.Store[storePage] = step
		}
		return p.ask(w, r, as, page{})
	}
	switch step {
	case "login":
		return p.login(w, r, as)
	case "register":
		return p.register(w, r, as)
	case "registered":
		return p.registered(w, r, as)
	case "password":
		return p.changePassword(w, r, as)
	}
	return p.ask(w, r, as, page{})
}

func bindingName(sum string) string { return "AUTH_" + sum[:16] }

// bind ties the request to the browser that made it: without this a stranger
// could finish a request that they had started for a victim.
func (p *Provider) bind(w http.ResponseWriter, as *goidc.AuthnSession) {
	key := secret()
	sum := sumOf(key)
	as.Store[storeBinding] = sum
	http.SetCookie(w, p.cookie(bindingName(sum), key, pageLife))
}

func (p *Provider) bound(r *http.Request, as *goidc.AuthnSession) bool {
	sum, _ := as.Store[storeBinding].(string)
	if len(sum) < 16 {
		return false
	}
	c, err := r.Cookie(bindingName(sum))
	return err == nil && subtle.ConstantTimeCompare([]byte(sumOf(c.Value)), []byte(sum)) == 1
}

// first is the first look at a request: whoever is signed in goes straight
// through, unless more is asked.
func (p *Provider) first(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession) (goidc.Status, error) {
	s, in, err := p.seen(r)
	if err != nil {
		return goidc.StatusFailure, err
	}
	old := in && as.MaxAuthnAgeSecs != nil && p.db.Now().Sub(s.SignedInAt) >= time.Duration(*as.MaxAuthnAgeSecs)*time.Second
	acting := as.Store[storeAction] != nil
	if in && !old && as.Prompt != goidc.PromptTypeLogin && as.Store[storePage] != "register" && !acting {
		return p.through(r, as, s)
	}
	if as.Prompt == goidc.PromptTypeNone {
		return goidc.StatusFailure, goidc.NewError(goidc.ErrorCodeLoginRequired, "nobody is signed in")
	}
	p.bind(w, as)
	if acting && in && p.db.Now().Sub(s.SignedInAt) < fresh {
		as.Store[storePage] = "password"
	}
	pg := page{Values: map[string]string{"username": as.LoginHint}}
	if in && (old || acting || as.Prompt == goidc.PromptTypeLogin) {
		pg.Notice = "idp:login.again"
		if u, err := p.userOf(r.Context(), s.UserID); err == nil && pg.Values["username"] == "" {
			pg.Values["username"] = u.Email
		}
	}
	return p.ask(w, r, as, pg)
}

// seen finds the session of the browser and notes its sign of life.
func (p *Provider) seen(r *http.Request) (s session, in bool, err error) {
	err = p.db.Read(r.Context(), program, func(tx *db.Tx) error {
		s, in, err = p.sessionOf(tx, r)
		return err
	})
	if err == nil && in && p.db.Now().Sub(s.SeenAt) >= renewAfter {
		err = p.db.Write(r.Context(), program, func(tx *db.Tx) error { return see(tx, s) })
	}
	return s, in, err
}

func (p *Provider) userOf(ctx context.Context, id string) (u user, err error) {
	err = p.db.Read(ctx, program, func(tx *db.Tx) error {
		u, err = userByID(tx, id)
		return err
	})
	return u, err
}

// through lets a session back to the client.
func (p *Provider) through(r *http.Request, as *goidc.AuthnSession, s session) (goidc.Status, error) {
	as.Subject = s.UserID
	as.Store = map[string]any{storeSession: s.ID, storeSignedIn: s.SignedInAt.Unix()}
	returningOf(r.Context()).params.Set("session_state", s.ID)
	return goidc.StatusSuccess, nil
}

// ask shows the page a request is on.
func (p *Provider) ask(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession, pg page) (goidc.Status, error) {
	sealed, err := p.sealed(as)
	if err != nil {
		return goidc.StatusFailure, err
	}
	pg.Name, _ = as.Store[storePage].(string)
	pg.Base = p.path + connect + "/auth/" + sealed
	if pg.Name == "registered" {
		pg.Name, pg.Title, pg.Text, pg.Address = "message", "idp:registered.title", "idp:registered.text", personIn(as)["email"]
		pg.Resend = pg.Base + "/registered"
	}
	status := http.StatusOK
	switch {
	case pg.Problem == busy:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "5")
	case pg.Wait > 0:
		status = http.StatusTooManyRequests
	case pg.Problem != "" || len(pg.Wrong) > 0:
		status = http.StatusBadRequest
	}
	p.show(w, r, status, pg)
	return goidc.StatusPending, nil
}

// wrongLogin is what every failed sign-in is told, whatever was wrong.
const wrongLogin = "idp:login.failed"

// busy is what people are told while more passwords wait to be checked than can be.
const busy = "idp:login.busy"

func (p *Provider) login(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession) (goidc.Status, error) {
	email, password := folded(r.PostFormValue("username")), r.PostFormValue("password")
	as.Store[storePage] = "login"
	again := page{Values: map[string]string{"username": email, "rememberMe": r.PostFormValue("rememberMe")}}
	s, cookie, wait, err := p.signIn(r, email, password)
	switch {
	case errors.Is(err, errBusy) || errors.Is(err, db.ErrContended):
		again.Problem = busy
		return p.ask(w, r, as, again)
	case err != nil && !errors.Is(err, errWrong):
		return goidc.StatusFailure, err
	case wait > 0:
		again.Problem, again.Wait = "idp:login.wait", wait
		return p.ask(w, r, as, again)
	case err != nil:
		again.Problem = wrongLogin
		return p.ask(w, r, as, again)
	}
	http.SetCookie(w, p.cookie(p.cookieName(), cookie, lifeAsked(r)))
	if as.Store[storeAction] == updatePassword {
		as.Store[storePage] = "password"
		return p.ask(w, r, as, page{})
	}
	p.unbind(w, as)
	// the application goes on in the language of the page
	returningOf(r.Context()).params.Set("lang", string(p.languageOf(w, r)))
	return p.through(r, as, s)
}

// lifeAsked is how long a session lasts that begins with this form. Whatever
// needs a fresh sign-in asks for the password all the same.
func lifeAsked(r *http.Request) time.Duration {
	if r.PostFormValue("rememberMe") != "" {
		return remembered
	}
	return working
}

func (p *Provider) unbind(w http.ResponseWriter, as *goidc.AuthnSession) {
	if sum, _ := as.Store[storeBinding].(string); len(sum) >= 16 {
		http.SetCookie(w, p.cookie(bindingName(sum), "", -1))
	}
}

var errWrong = errors.New("idp: wrong address or password")

// signIn checks a password and begins a session. Unknown addresses, wrong
// passwords, unconfirmed addresses and users shut out take as long and look
// the same.
func (p *Provider) signIn(r *http.Request, email, password string) (s session, cookie string, wait time.Duration, err error) {
	ctx, visitor := r.Context(), p.visitor(r)
	var u user
	var suspect bool
	// most of many guesses end here: what is read holds up nobody who writes
	err = p.db.Read(ctx, program, func(tx *db.Tx) (err error) { wait, err = p.blocked(tx, email, visitor); return err })
	if err != nil || wait > 0 {
		return s, "", wait, err
	}
	err = p.db.Write(ctx, program, func(tx *db.Tx) (err error) {
		if wait, suspect, err = p.reserve(tx, email, visitor); err != nil || wait > 0 {
			return err
		}
		u, err = userByEmail(tx, email)
		if errors.Is(err, db.ErrNone) {
			u, err = user{}, nil
		}
		return err
	})
	if err != nil || wait > 0 {
		return s, "", wait, err
	}
	right, stale, err := p.hasher.check(ctx, u.Password, password, suspect)
	if err != nil {
		return s, "", 0, err
	}
	right = right && u.Enabled && u.Verified
	var anew string
	if right && stale {
		if anew, err = p.hasher.make(ctx, password); err != nil {
			return s, "", 0, err
		}
	}
	err = p.db.Write(ctx, program, func(tx *db.Tx) error {
		if !right {
			return p.recordFailure(tx, u.ID, email)
		}
		if err := p.right(tx, email, visitor); err != nil {
			return err
		}
		if anew != "" {
			if _, err := tx.Across().Exec(`UPDATE idp_users SET password = $2 WHERE id = $1 AND password = $3`, u.ID, anew, u.Password); err != nil {
				return err
			}
		}
		s, cookie, err = p.begin(tx, r, u.ID, lifeAsked(r))
		return err
	})
	if err == nil && !right {
		err = errWrong
	}
	return s, cookie, 0, err
}

// changePassword is the action that a signed-in user came for.
func (p *Provider) changePassword(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession) (goidc.Status, error) {
	s, in, err := p.seen(r)
	if err != nil {
		return goidc.StatusFailure, err
	}
	if !in || p.db.Now().Sub(s.SignedInAt) >= 2*fresh {
		as.Store[storePage] = "login"
		return p.ask(w, r, as, page{Notice: "idp:login.again"})
	}
	as.Store[storePage] = "password"
	back := returningOf(r.Context()).params
	back.Set("kc_action", updatePassword)
	if r.PostFormValue("cancel-aia") != "" {
		back.Set("kc_action_status", "cancelled")
		p.unbind(w, as)
		return p.through(r, as, s)
	}
	u, err := p.userOf(r.Context(), s.UserID)
	if err != nil {
		return goidc.StatusFailure, err
	}
	again, hash, err := p.newPassword(r, u, true)
	if err != nil {
		return goidc.StatusFailure, err
	}
	if hash == "" {
		clear(back)
		return p.ask(w, r, as, again)
	}
	err = p.db.Write(r.Context(), program, func(tx *db.Tx) error {
		if err := setPassword(tx, u.ID, hash, false); err != nil {
			return err
		}
		if r.PostFormValue("logout-sessions") != "" {
			if err := endSessions(tx, u.ID, s.ID); err != nil {
				return err
			}
		}
		if err := record(tx, "changed the password", u.ID, s.ID); err != nil {
			return err
		}
		return p.write(tx, u, "", "mail:changed", "")
	})
	if err != nil {
		return goidc.StatusFailure, err
	}
	back.Set("kc_action_status", "success")
	p.unbind(w, as)
	return p.through(r, as, s)
}

// knows says whether the form's password is the user's. Wrong ones count as failed sign-ins.
func (p *Provider) knows(r *http.Request, u user) (right bool, wait time.Duration, err error) {
	visitor := p.visitor(r)
	var suspect bool
	err = p.db.Write(r.Context(), program, func(tx *db.Tx) (err error) {
		wait, suspect, err = p.reserve(tx, u.Email, visitor)
		return err
	})
	if err != nil || wait > 0 {
		return false, wait, err
	}
	if right, _, err = p.hasher.check(r.Context(), u.Password, r.PostFormValue("password"), suspect); err != nil || !right {
		return false, 0, err
	}
	return true, 0, p.db.Write(r.Context(), program, func(tx *db.Tx) error { return p.right(tx, u.Email, visitor) })
}

// newPassword reads and checks a new password; an empty hash says that the
// page must be shown again. Wrong current passwords count as failed sign-ins.
func (p *Provider) newPassword(r *http.Request, u user, current bool) (again page, hash string, err error) {
	again.Wrong = map[string]string{}
	chosen := r.PostFormValue("password-new")
	if current {
		right, wait, err := p.knows(r, u)
		switch {
		case errors.Is(err, errBusy):
			again.Problem = busy
			return again, "", nil
		case err != nil:
			return again, "", err
		case wait > 0:
			again.Problem, again.Wait = "idp:login.wait", wait
			return again, "", nil
		case !right:
			again.Wrong["password"] = "idp:field.current"
			return again, "", nil
		}
	}
	same := false
	if current {
		same = chosen == r.PostFormValue("password")
	}
	switch weak := weakness(chosen, u.Email, u.FirstName, u.LastName); {
	case weak != "":
		again.Wrong["password-new"] = weak
	case same:
		again.Wrong["password-new"] = "idp:password.same"
	case chosen != r.PostFormValue("password-confirm"):
		again.Wrong["password-confirm"] = "idp:field.repeat"
	default:
		hash, err = p.hasher.make(r.Context(), chosen)
	}
	return again, hash, err
}

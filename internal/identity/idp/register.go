package idp

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/luikyv/go-oidc/pkg/goidc"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
)

const longestName = 50

// register makes an account that its mailed link opens. What is shown is the
// same whether or not the address has an account already.
func (p *Provider) register(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession) (goidc.Status, error) {
	as.Store[storePage] = "register"
	value := func(name string) string { return strings.Join(strings.Fields(r.PostFormValue(name)), " ") }
	first, last, email := value("firstName"), value("lastName"), folded(r.PostFormValue("email"))
	password := r.PostFormValue("password")
	again := page{Values: map[string]string{"firstName": first, "lastName": last, "email": email}, Wrong: map[string]string{}}
	for name, v := range map[string]string{"firstName": first, "lastName": last} {
		switch {
		case v == "":
			again.Wrong[name] = "idp:field.required"
		case len([]rune(v)) > longestName:
			again.Wrong[name] = "idp:field.long"
		}
	}
	if _, err := official.ParseEmail(email); err != nil {
		again.Wrong["email"] = "idp:field.email"
	}
	if weak := weakness(password, email, first, last); weak != "" {
		again.Wrong["password"] = weak
	} else if password != r.PostFormValue("password-confirm") {
		again.Wrong["password-confirm"] = "idp:field.repeat"
	}
	if len(again.Wrong) > 0 {
		return p.ask(w, r, as, again)
	}
	hash, err := p.hasher.make(r.Context(), password)
	if err != nil {
		return goidc.StatusFailure, err
	}
	u := user{Email: email, FirstName: first, LastName: last, Password: hash, Language: string(p.languageOf(w, r))}
	wait, err := p.enrol(r, u)
	if err != nil {
		return goidc.StatusFailure, err
	}
	if wait > 0 {
		again.Problem, again.Wait = "idp:login.wait", wait
		return p.ask(w, r, as, again)
	}
	as.Store[storePage] = "registered"
	as.Store[storePerson] = map[string]any{"firstName": first, "lastName": last, "email": email}
	return p.ask(w, r, as, page{})
}

// registered is what can be done while somebody waits for the mail of their
// registration: have it sent again, or go back and correct what they wrote. The
// address is the one that the request carries, sealed; no form names another.
func (p *Provider) registered(w http.ResponseWriter, r *http.Request, as *goidc.AuthnSession) (goidc.Status, error) {
	person := personIn(as)
	if person["email"] == "" || r.PostFormValue("edit") != "" {
		as.Store[storePage] = "register"
		return p.ask(w, r, as, page{Values: person})
	}
	var wait time.Duration
	err := p.db.Write(r.Context(), program, func(tx *db.Tx) (err error) {
		if wait, err = p.mayMail(tx, r, person["email"]); err != nil || wait > 0 {
			return err
		}
		return p.order(tx, person["email"], resetOrder{Registered: true, Partner: partnerCode(r)})
	})
	switch {
	case err != nil:
		return goidc.StatusFailure, err
	case wait > 0:
		return p.ask(w, r, as, page{Problem: "idp:login.wait", Wait: wait})
	}
	return p.ask(w, r, as, page{Notice: "idp:mailed.sent"})
}

// personIn is who registered in this request, by the names of the form's fields.
func personIn(as *goidc.AuthnSession) map[string]string {
	kept, _ := as.Store[storePerson].(map[string]any)
	person := map[string]string{}
	for name, value := range kept {
		person[name], _ = value.(string)
	}
	return person
}

// enrol writes a new account down, or writes to the owner of the old one.
func (p *Provider) enrol(r *http.Request, u user) (wait time.Duration, err error) {
	err = p.db.Write(r.Context(), program, func(tx *db.Tx) error {
		if wait, err = p.mayMail(tx, r, u.Email); err != nil || wait > 0 {
			return err
		}
		known, err := userByEmail(tx, u.Email)
		switch {
		case err == nil && (known.Verified || known.Password == ""):
			return p.remind(tx, known, partnerCode(r))
		case err == nil:
			// nobody confirmed the earlier registration: the newest one counts
			if _, err := tx.Across().Exec(`DELETE FROM idp_users WHERE id = $1`, known.ID); err != nil {
				return err
			}
		case !errors.Is(err, db.ErrNone):
			return err
		}
		u.ID = tx.NewID()
		if err := addUser(tx, u); err != nil {
			return err
		}
		if err := addRole(tx, u.ID, access.Driver); err != nil {
			return err
		}
		if err := setAttributes(tx, u.ID, referral(r)); err != nil {
			return err
		}
		if err := record(tx, "registered", u.ID, ""); err != nil {
			return err
		}
		return p.remind(tx, u, partnerCode(r))
	})
	return wait, err
}

// remind mails whoever registered what opens their account.
func (p *Provider) remind(tx *db.Tx, u user, partner string) error {
	if u.Verified {
		return p.write(tx, u, "", "mail:known", "")
	}
	for_, key := verify, "mail:verify"
	if u.Password == "" {
		// made by an operator or a partner and not opened yet: the activation link is the way in
		for_, key = activate, "mail:activate"
	}
	link, err := p.newLink(tx, u, for_, partner, activateLife)
	if err != nil {
		return err
	}
	return p.write(tx, u, partner, key, link)
}

// mailsPerHour is how many mails strangers can have sent to one address.
const mailsPerHour = 6

// mayMail keeps strangers from flooding a mailbox or the mail server. It counts
// alike whether or not the address is known.
func (p *Provider) mayMail(tx *db.Tx, r *http.Request, email string) (time.Duration, error) {
	for _, l := range []struct {
		limit
		who string
	}{{mailsTo, email}, {mailsFrom, p.visitor(r)}} {
		if wait, err := p.wait(tx, l.limit, l.who); err != nil || wait > 0 {
			return wait, err
		}
		if _, err := p.count(tx, l.limit, l.who); err != nil {
			return 0, err
		}
	}
	err := p.mails.ReserveAddress(tx, email, mailsPerHour)
	var full *fault.Fault
	if errors.As(err, &full) {
		return full.Retry, nil
	}
	return 0, err
}

// referral reads who brought a visitor from the cookies of the same site.
func referral(r *http.Request) map[string]string {
	found := map[string]string{}
	if c, err := r.Cookie(identity.ReferenceID); err == nil && plainWord(c.Value) {
		found[identity.ReferenceID] = c.Value
	}
	if c, err := r.Cookie(identity.ReferenceLink); err == nil && len(c.Value) <= 255 && strings.HasPrefix(c.Value, "https://") {
		found[identity.ReferenceLink] = c.Value
	}
	return found
}

func plainWord(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

package idp

import (
	"cmp"
	"errors"
	"net/url"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

// purpose is what a mailed link is for.
type purpose string

const (
	reset    purpose = "reset"
	activate purpose = "activate"
	verify   purpose = "verify"
)

const (
	resetLife    = 15 * time.Minute
	activateLife = 72 * time.Hour
)

// newLink makes a link that works once. It takes the place of an older one for
// the same purpose. Its host comes from the settings, never from a request. Its
// page speaks the language of the mail, in whatever browser it is opened, and
// leads on to where partner, if there is one, is chosen.
func (p *Provider) newLink(tx *db.Tx, u user, for_ purpose, partner string, life time.Duration) (string, error) {
	key := secret()
	_, err := tx.Across().Exec(`INSERT INTO idp_links (user_id, purpose, sum, redirect, expires_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id, purpose) DO UPDATE SET sum = excluded.sum, redirect = excluded.redirect, expires_at = excluded.expires_at`,
		u.ID, string(for_), sumOf(key), partner, tx.Now.Add(life))
	return p.issuer + "/login-actions/action-token?key=" + url.QueryEscape(key) + "&kc_locale=" + string(u.language(p.settings.Language)), err
}

// link is a mailed link that still works.
type link struct {
	UserID    string
	Purpose   purpose
	Redirect  string // code of the partner through whose link they came; empty: none
	ExpiresAt time.Time
}

// linkOf finds a link by its key; unknown and expired ones look alike.
func linkOf(tx *db.Tx, key string) (link, bool, error) {
	l, err := db.One[link](tx.Across(), `SELECT user_id, purpose, redirect, expires_at FROM idp_links WHERE sum = $1`, sumOf(key))
	if errors.Is(err, db.ErrNone) {
		return l, false, nil
	}
	return l, err == nil && tx.Now.Before(l.ExpiresAt), err
}

// use spends a link; false when somebody was faster.
func use(tx *db.Tx, key string) (bool, error) {
	n, err := tx.Across().Exec(`DELETE FROM idp_links WHERE sum = $1 AND expires_at > $2`, sumOf(key), tx.Now)
	return n == 1, err
}

// mailSpace is the tenant of the provider's mails.
const mailSpace = "identity"

// program acts for the provider: its tables know no tenants, its mails are its own.
var program = access.ProgramFor(mailSpace, "idp")

// write posts a mail to a user in their language and in the name of their
// partner, or of the one through whose link they came. The text and its subject
// are named by key; link, if there is one, is what the mail is for. Whatever a
// stranger can have mailed was counted by mayMail, what a partner can by the
// partner's quota; that a password was changed is told in any case.
func (p *Provider) write(tx *db.Tx, u user, partner, key, link string) error {
	brand, err := p.brandOf(tx, u, partner)
	if err != nil {
		return err
	}
	language := u.language(p.settings.Language)
	values := []any{"instance", cmp.Or(brand.Name, p.mails.Name())}
	m := mail.Message{To: mail.Address{Name: u.name(), Address: u.Email}, Brand: brand, Language: string(language), Counted: true,
		Subject: i18n.Of(language, key+".subject")}
	if link != "" {
		values = append(values, "link", link)
		m.Actions = []mail.Action{{Address: link, Label: i18n.Of(language, key+".open")}}
	}
	m.Text = i18n.Of(language, key+".body", values...)
	_, err = p.mails.Enqueue(tx, m)
	return err
}

// brandOf is in whose name a mail to a user is written. None is the instance's.
func (p *Provider) brandOf(tx *db.Tx, u user, code string) (b mail.Brand, err error) {
	tenant, err := identity.TenantOf(tx, identity.Embedded, u.ID)
	if errors.Is(err, db.ErrNone) && code != "" {
		var named partners.Partner
		named, err = partners.ByCode(tx, code)
		tenant = named.TenantID
	}
	if errors.Is(err, db.ErrNone) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	err = tx.As(access.ProgramFor(tenant, "idp"), func() error { b, err = partners.MailBrand(tx); return err })
	return b, err
}

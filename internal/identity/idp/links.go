package idp

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"saldo/internal/kernel/access"
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
// the same purpose. Its host comes from the settings, never from a request.
func (p *Provider) newLink(tx *db.Tx, userID string, for_ purpose, redirect string, life time.Duration) (string, error) {
	key := secret()
	_, err := tx.Across().Exec(`INSERT INTO idp_links (user_id, purpose, sum, redirect, expires_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id, purpose) DO UPDATE SET sum = excluded.sum, redirect = excluded.redirect, expires_at = excluded.expires_at`,
		userID, string(for_), sumOf(key), redirect, tx.Now.Add(life))
	return p.issuer + "/login-actions/action-token?key=" + url.QueryEscape(key), err
}

// link is a mailed link that still works.
type link struct {
	UserID    string
	Purpose   purpose
	Redirect  string
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

// write posts a mail to a user in their language. The text and its subject are
// named by key; what is put into the text comes in pairs. Whatever a stranger
// can have mailed was counted by mayMail, what a partner can by the partner's
// quota; that a password was changed is told in any case.
func (p *Provider) write(tx *db.Tx, u user, or i18n.Language, key string, params ...string) error {
	language := u.language(or)
	_, host, _ := strings.Cut(p.settings.PublicURL, "://")
	values := []any{"instance", host}
	for _, v := range params {
		values = append(values, v)
	}
	_, err := p.mails.Enqueue(tx, mail.Message{To: mail.Address{Name: u.name(), Address: u.Email}, Language: string(language), Counted: true,
		Subject: i18n.Of(language, key+".subject"), Text: i18n.Of(language, key+".body", values...)})
	return err
}

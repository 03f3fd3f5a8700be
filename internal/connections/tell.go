package connections

import (
	"errors"

	"saldo/internal/identity"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

// tell writes to whoever connected a service that it stopped; who is no longer in the office is told nothing.
func (s *Service) tell(tx *db.Tx, c *Connection) error {
	p, err := identity.PersonByID(tx, c.MadeBy)
	if errors.Is(err, identity.ErrPersonNotFound) {
		return nil
	}
	if err != nil || p.State != identity.Active || p.Email == "" {
		return err
	}
	partner, err := partners.Own(tx)
	if err != nil {
		return err
	}
	language := i18n.Language(p.Language)
	if p.Language == "" {
		language = i18n.Language(s.Instance.Language)
	}
	link := s.PublicURL + "/app/profile#services"
	_, err = s.Mails.Enqueue(tx, mail.Message{To: mail.Address{Name: p.Name, Address: p.Email},
		Subject: i18n.Of(language, "connections:mailSubject", "service", i18n.Of(language, "connections:kind."+string(c.Kind))),
		Text: i18n.Of(language, "connections:mailBody", "name", p.Name, "partner", partner.Name,
			"service", i18n.Of(language, "connections:kind."+string(c.Kind)),
			"why", why(language, c), "link", link),
		Actions:  []mail.Action{{Address: link, Label: i18n.Of(language, "connections:mailOpen")}},
		Language: string(language), Counted: true})
	return err
}

// CountFailing is how many connections of the partner do not work.
func CountFailing(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM service_connections WHERE tenant_id = $1 AND state IN ('failing', 'stopped')`)
}

// why says what stopped a connection.
func why(language i18n.Language, c *Connection) string {
	if c.Kind == Google && c.Reason == drive.Denied { // there is no password to mend
		return i18n.Of(language, "connections:whyGoogle")
	}
	return i18n.Of(language, "connections:why."+string(c.Reason))
}

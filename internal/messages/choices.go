package messages

import (
	"errors"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// ErrLink is the answer to an address for unsubscribing that nobody was sent.
var ErrLink = errors.New("messages: no such address for unsubscribing")

// Choices are how a driver wants to be told by a partner, beside the board, on which everything stands.
type Choices struct {
	NoteMails    bool          // mails of what the program tells
	NotePush     bool          // devices learn of what the program tells
	MessageMails bool          // mails of messages that the partner writes
	Language     i18n.Language // of mails and notifications; empty: that of the driver's card
}

// usual are the choices of whoever made none. Mails of notes are asked for: summaries of settlements are mailed anyway.
var usual = Choices{NotePush: true, MessageMails: true}

const choiceColumns = `note_mails, note_push, message_mails, language`

// ChoicesOf are a driver's choices. Whoever of two merged drivers wanted no mails of messages gets none; else their own are first.
func ChoicesOf(tx *db.Tx, driver string) (Choices, error) {
	found, err := db.Select[Choices](tx, `SELECT `+choiceColumns+` FROM note_choices WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2")+
		` ORDER BY CASE WHEN driver_id = $2 THEN 0 ELSE 1 END, changed_at DESC, driver_id`, driver)
	if err != nil || len(found) == 0 {
		return usual, err
	}
	for _, other := range found[1:] {
		found[0].MessageMails = found[0].MessageMails && other.MessageMails
	}
	return found[0], nil
}

// ChoiceChange is what a driver chooses anew; what is nil stays.
type ChoiceChange struct {
	NoteMails, NotePush, MessageMails *bool
	Language                          *i18n.Language
}

// Choose changes how a driver is told. It holds for everything that has not been sent yet.
func Choose(tx *db.Tx, driver string, change ChoiceChange) error {
	before, err := ChoicesOf(tx, driver)
	if err != nil {
		return err
	}
	c := before
	for to, given := range map[*bool]*bool{&c.NoteMails: change.NoteMails, &c.NotePush: change.NotePush,
		&c.MessageMails: change.MessageMails} {
		if given != nil {
			*to = *given
		}
	}
	if change.Language != nil {
		c.Language = *change.Language
	}
	if c == before {
		return nil
	}
	if _, err := tx.Exec(`INSERT INTO note_choices (tenant_id, driver_id, `+choiceColumns+`, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (tenant_id, driver_id) DO UPDATE SET note_mails = excluded.note_mails, note_push = excluded.note_push,
		message_mails = excluded.message_mails, language = excluded.language, changed_at = excluded.changed_at`,
		driver, c.NoteMails, c.NotePush, c.MessageMails, string(c.Language), tx.Now); err != nil {
		return err
	}
	// what whoever was merged had chosen before counts no longer
	if _, err := tx.Exec(`UPDATE note_choices SET message_mails = $3 WHERE tenant_id = $1 AND driver_id`+drivers.Those("$2"), driver,
		c.MessageMails); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "messages.choose", Kind: drivers.AuditKind, ID: driver, Before: before, After: c})
}

// chosen gives candidates what they chose.
func chosen(tx *db.Tx, all []candidate) error {
	if len(all) == 0 {
		return nil
	}
	condition, args := "", []any{}
	if len(all) <= chunk {
		ids := make([]string, len(all))
		for i := range all {
			ids[i] = all[i].ID
		}
		condition, args = db.Among(2, ids)
		condition = ` AND ` + drivers.CanonicalID("d") + condition
	}
	found, err := db.Select[struct {
		ID           string
		MessageMails bool
		Language     string
	}](tx, `SELECT `+drivers.CanonicalID("d")+` AS id, c.message_mails, c.language FROM note_choices c
		JOIN drivers d ON d.tenant_id = c.tenant_id AND d.id = c.driver_id WHERE c.tenant_id = $1`+condition+`
		ORDER BY CASE WHEN d.merged_into = '' THEN 1 ELSE 0 END, c.changed_at, d.id`, args...)
	if err != nil || len(found) == 0 {
		return err
	}
	at := make(map[string]*candidate, len(all))
	for i := range all {
		at[all[i].ID] = &all[i]
	}
	for _, f := range found {
		if c := at[f.ID]; c != nil {
			c.NoMails = c.NoMails || !f.MessageMails
			if f.Language != "" {
				c.SummaryLanguage = f.Language
			}
		}
	}
	return nil
}

const unsubscribing = "messages.unsubscribe"

// unsubscribeAddress is where a driver stops the mails of messages of the partner in whose tenant the unit of work runs, without signing
// in. It ends with what only this instance can make; who the driver is cannot be read from it.
func (s *Service) unsubscribeAddress(tx *db.Tx, driver string, language i18n.Language) string {
	return s.PublicURL + "/unsubscribe/" + s.Vault.Seal("", unsubscribing, []byte(tx.Actor.Tenant+"\n"+driver)) + "?lang=" + string(language)
}

// Subscriber is who such an address is about.
type Subscriber struct{ Tenant, Driver string }

// Subscriber reads the end of an address.
func (s *Service) Subscriber(token string) (Subscriber, error) {
	plain, err := s.Vault.Unseal("", unsubscribing, token)
	tenant, driver, ok := strings.Cut(string(plain), "\n")
	if err != nil || !ok {
		return Subscriber{}, ErrLink
	}
	return Subscriber{tenant, driver}, nil
}

// Actor is who acts for whoever opens the address.
func (s Subscriber) Actor() access.Actor { return access.ProgramFor(s.Tenant, "unsubscribing") }

// Choices are those of the subscriber, with the driver who they are now.
func (s Subscriber) Choices(tx *db.Tx) (driver string, c Choices, err error) {
	driver, err = db.One[string](tx, `SELECT `+drivers.CanonicalID("d")+` FROM drivers d WHERE d.tenant_id = $1 AND d.id = $2`, s.Driver)
	if errors.Is(err, db.ErrNone) {
		return "", c, ErrLink
	}
	if err != nil {
		return "", c, err
	}
	c, err = ChoicesOf(tx, driver)
	return driver, c, err
}

// Unsubscribe stops the mails of messages, once or again.
func (s Subscriber) Unsubscribe(tx *db.Tx) error {
	driver, _, err := s.Choices(tx)
	if err != nil {
		return err
	}
	no := false
	return Choose(tx, driver, ChoiceChange{MessageMails: &no})
}

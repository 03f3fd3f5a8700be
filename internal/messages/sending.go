package messages

import (
	"context"
	"errors"
	"html"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/messages/markdown"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
)

// SendKind is the job that sends a message.
const SendKind = "messages.send"

// batch is how many drivers one unit of work of a job tells. With 100 another write waited up to 0.6 s on SQLite, with 30 less than 0.3 s.
const batch = 30

type ticket struct{ Message string }

// Send goes on with a message from where it is, however often it was interrupted.
func (s *Service) Send(ctx context.Context, job *jobs.Run) error {
	var t ticket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	for going := true; going; {
		if err := job.Write(ctx, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE messages SET state = 'running' WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`,
				t.Message); err != nil {
				return err
			}
			m, err := Of(tx, t.Message)
			if err != nil {
				return err
			}
			if m.State == Running {
				tx.Actor.Name = m.CreatedBy
				err = s.advance(tx, &m, batch)
			}
			going = m.State == Running
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// advance tells the next drivers. Whoever was blocked or left meanwhile is left out; whoever was merged gets it as the driver they are
// now, once. What was withdrawn goes to nobody else.
func (s *Service) advance(tx *db.Tx, m *Message, size int) error {
	if !m.WithdrawnAt.IsZero() {
		return s.proceed(tx, m, 0, size)
	}
	next, err := db.Select[struct {
		Place    int64
		DriverID string // whoever they are now
		Ordered  string // the driver to whom it was ordered
	}](tx, `SELECT r.place, r.driver_id AS ordered, `+drivers.CanonicalID("d")+` AS driver_id FROM message_recipients r
		JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id
		WHERE r.tenant_id = $1 AND r.message_id = $2 AND r.place > $3 AND r.refusal = '' ORDER BY r.place LIMIT $4`, m.ID, m.Place, size)
	if err != nil {
		return err
	}
	ids := make([]string, len(next))
	for i := range next {
		ids[i] = next[i].DriverID
	}
	found, err := named(tx, ids)
	if err == nil {
		err = s.settled(tx, m.Period, found)
	}
	if err != nil {
		return err
	}
	telling, err := s.telling(tx, m)
	if err != nil {
		return err
	}
	channels := make([]Channel, len(m.Channels))
	for i, c := range m.Channels {
		channels[i] = Channel(c)
	}
	var leftOut []string
	for _, one := range next {
		m.Place = one.Place
		at := slices.IndexFunc(found, func(c candidate) bool { return c.ID == one.DriverID })
		if refusal := found[at].refusal(channels); refusal != "" {
			if _, err := tx.Exec(`UPDATE message_recipients SET refusal = $4 WHERE tenant_id = $1 AND message_id = $2 AND place = $3`, m.ID,
				one.Place, string(refusal)); err != nil {
				return err
			}
			m.Recipients--
			m.LeftOut++
			leftOut = append(leftOut, one.Ordered)
			continue
		}
		if err := telling.tell(tx, &found[at], one.Ordered); err != nil {
			return err
		}
	}
	for _, driver := range leftOut {
		if _, err := taken(tx, `DELETE FROM message_sms WHERE tenant_id = $1 AND message_id = $2 AND driver_id = $3 AND state = 'reserved'
			RETURNING month, parts`, m.ID, driver); err != nil {
			return err
		}
	}
	return s.proceed(tx, m, len(next), size)
}

// proceed keeps how far a message is.
func (s *Service) proceed(tx *db.Tx, m *Message, told, size int) error {
	if told < size {
		m.State, m.FinishedAt = Done, tx.Now
	}
	_, err := tx.Exec(`UPDATE messages SET state = $3, place = $4, recipients = $5, left_out = $6, finished_at = $7 WHERE tenant_id = $1
		AND id = $2`, m.ID, string(m.State), m.Place, m.Recipients, m.LeftOut, m.FinishedAt)
	return err
}

// telling is a message with what its mails need.
type telling struct {
	*Service
	*Message
	texts []Text
	brand mail.Brand
	sms   bool // the partner has them on
}

func (s *Service) telling(tx *db.Tx, m *Message) (t telling, err error) {
	t = telling{Service: s, Message: m}
	if t.texts, err = Translations(tx, m.ID); err != nil {
		return t, err
	}
	t.texts = append(t.texts, Text{m.Language, m.Topic, m.Content})
	if t.brand, err = partners.MailBrand(tx); err != nil {
		return t, err
	}
	settings, err := smsSettings(tx)
	t.sms = settings.on()
	return t, err
}

func (t telling) tell(tx *db.Tx, c *candidate, ordered string) error {
	if t.Has(Board) {
		id := tx.NewID()
		n, err := tx.Exec(`INSERT INTO notes (tenant_id, id, driver_id, message_id, kind, object_id, params, pinned, placed_at, read_at,
			confirmed_at, hidden_at)
			VALUES ($1, $2, $3, $4, 'message', '', $5, $6, $7, '', '', '') ON CONFLICT DO NOTHING`, id, c.ID, t.ID, c.figuresJSON(), t.Pinned,
			tx.Now)
		if err != nil {
			return err
		}
		if n == 1 {
			if err := remind(tx, OfMessage, c.ID, id); err != nil {
				return err
			}
		}
	}
	if t.Has(Mail) {
		if err := t.write(tx, c); err != nil {
			return err
		}
	}
	if t.Has(SMS) {
		return t.release(tx, t.ID, ordered, t.sms, c.Phone != "")
	}
	return nil
}

// write enqueues the mail of a driver, or keeps why there is none.
func (t telling) write(tx *db.Tx, c *candidate) error {
	var id string
	var refusal Refusal
	switch {
	case c.Email == "":
		refusal = NoAddress
	case c.NoMails:
		refusal = NoMails
	default:
		var err error
		id, err = t.Mails.Enqueue(tx, t.mail(tx, c))
		switch {
		case errors.Is(err, mail.ErrDayQuota) || errors.Is(err, mail.ErrAddressQuota):
			refusal = OverQuota
		case err != nil:
			return err
		case id == "":
			return nil // somebody merged into the same driver was told before
		}
	}
	_, err := tx.Exec(`INSERT INTO message_mails (tenant_id, message_id, driver_id, mail_id, refusal) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (tenant_id, message_id, driver_id) DO UPDATE SET mail_id = excluded.mail_id, refusal = excluded.refusal
		WHERE message_mails.mail_id = ''`, t.ID, c.ID, id, string(refusal))
	return err
}

func (t telling) mail(tx *db.Tx, c *candidate) mail.Message {
	language := t.languageOf(c)
	text := textFor(t.texts, language, t.Language)
	known := t.values(c, t.brand.Name, text.Language)
	content := markdown.Fill(markdown.Parse(text.Content), known)
	link, stop := t.PublicURL+"/app/driver/board", t.unsubscribeAddress(tx, c.ID, text.Language)
	why := i18n.Of(text.Language, "mail:message.stop", "partner", t.brand.Name)
	return mail.Message{
		To:       mail.Address{Name: c.FirstName + " " + c.LastName, Address: c.Email},
		Brand:    t.brand,
		Subject:  markdown.FillText(text.Topic, known),
		Text:     markdown.Text(content) + "\n\n" + link + "\n\n" + why + " " + stop,
		Content:  markdown.HTML(content) + `<p><small><a href="` + stop + `">` + html.EscapeString(why) + "</a></small></p>\n",
		Actions:  []mail.Action{{Address: link, Label: i18n.Of(text.Language, "mail:message.open")}},
		Language: string(text.Language),
		Key:      "message|" + t.ID + "|" + c.ID,
		// what somebody wrote; what the program tells of money has no such header
		Unsubscribe: stop,
	}
}

// values are what placeholders in a text stand for.
func (s *Service) values(c *candidate, partner string, language i18n.Language) map[string]string {
	known := (&Note{Params: c.figures()}).Values(language, s.Instance.Currency)
	known["first_name"], known["partner"] = c.FirstName, partner
	return known
}

// languageOf is the driver's own, else that of the instance.
func (s *Service) languageOf(c *candidate) i18n.Language {
	return i18n.ParseOr(c.SummaryLanguage, i18n.Language(s.Instance.Language))
}

// textFor is the text in a language, else in the one in which it was written.
func textFor(texts []Text, language, written i18n.Language) Text {
	for _, wanted := range []i18n.Language{language, written} {
		if at := slices.IndexFunc(texts, func(t Text) bool { return t.Language == wanted }); at >= 0 {
			return texts[at]
		}
	}
	return Text{}
}

// Retry gives the failed mails and SMS of a message new tries, or those of one driver: each stays the same mail. Where none was written
// for want of an address or a quota, it is written now. It says how many are tried again.
func (s *Service) Retry(tx *db.Tx, id, driver string) (tried int64, err error) {
	m, err := Of(tx, id)
	if err != nil {
		return 0, err
	}
	failed, err := db.Select[struct{ DriverID, MailID string }](tx, `SELECT x.driver_id, x.mail_id FROM message_mails x
		LEFT JOIN mails l ON l.tenant_id = x.tenant_id AND l.id = x.mail_id
		WHERE x.tenant_id = $1 AND x.message_id = $2 AND (x.refusal <> '' OR l.state = 'failed') AND ($3 = '' OR x.driver_id = $3)
		ORDER BY x.driver_id`, id, driver)
	if err != nil {
		return 0, err
	}
	telling, err := s.telling(tx, &m)
	if err != nil {
		return 0, err
	}
	for _, f := range failed {
		one, err := named(tx, []string{f.DriverID})
		if err == nil {
			err = s.settled(tx, m.Period, one)
		}
		if err != nil {
			return 0, err
		}
		if len(one) == 0 || one[0].refusal([]Channel{Mail}) != "" {
			continue // merged, blocked, without an address or a settlement
		}
		had := true
		if f.MailID == "" {
			err = telling.write(tx, &one[0])
		} else {
			had, err = mail.Retry(tx, f.MailID)
		}
		if err != nil {
			return 0, err
		}
		if had {
			tried++
		}
	}
	texts, err := s.retrySMS(tx, &m, driver)
	if err != nil && !(errors.Is(err, ErrSMSOff) && tried > 0) {
		return 0, err
	}
	if tried += texts; tried == 0 {
		return 0, ErrNoneFailed
	}
	return tried, audit.Record(tx, audit.Change{Action: "messages.retry", Kind: kindOfMessage, ID: id, After: map[string]any{"count": tried}})
}

// kept is how long notes and messages are kept.
const kept = 3 * 366 * 24 * time.Hour

// Sweep forgets what is older than it has to be kept.
func Sweep(tx *db.Tx) error {
	before := db.Instant(tx.Now.Add(-kept))
	for _, text := range []string{
		`DELETE FROM notes WHERE placed_at < $1`,
		`DELETE FROM message_mails WHERE EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = message_mails.tenant_id
			AND m.id = message_mails.message_id AND m.created_at < $1)`,
		`DELETE FROM message_sms WHERE EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = message_sms.tenant_id
			AND m.id = message_sms.message_id AND m.created_at < $1)`,
		`DELETE FROM message_recipients WHERE EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = message_recipients.tenant_id
			AND m.id = message_recipients.message_id AND m.created_at < $1)`,
		`DELETE FROM message_texts WHERE EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = message_texts.tenant_id
			AND m.id = message_texts.message_id AND m.created_at < $1)`,
		`DELETE FROM messages WHERE created_at < $1`,
		`DELETE FROM message_templates WHERE EXISTS (SELECT 1 FROM message_templates n WHERE n.tenant_id = message_templates.tenant_id
			AND n.kind = message_templates.kind AND n.language = message_templates.language AND n.version > message_templates.version
			AND n.since < $1)`,
	} {
		if _, err := tx.Across().Exec(text, before); err != nil {
			return err
		}
	}
	return nil
}

package messages

import (
	"context"
	"errors"
	"html"

	"saldo/internal/drivers"
	"saldo/internal/messages/markdown"
	"saldo/internal/messages/push"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
)

// PushKind is the job that tells a driver's devices of a note, and that mails a note of the program to whoever asked for it.
const PushKind = "messages.push"

type reminder struct{ Note string }

// remind leaves a job that tells a driver of a note, where they have devices or asked for mails of notes.
func remind(tx *db.Tx, kind Kind, driver, note string) error {
	wanted, err := db.Select[string](tx, `SELECT k.id FROM drivers d
		JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		WHERE d.tenant_id = $1 AND d.id = $2 AND k.account_id <> '' AND NOT k.blocked
		AND (EXISTS (SELECT 1 FROM push_subscriptions p WHERE p.tenant_id = k.account_id)
		OR $4 OR $3 <> 'message' AND EXISTS (SELECT 1 FROM note_choices c WHERE c.tenant_id = $1 AND c.note_mails AND c.driver_id`+
		drivers.Those("k.id")+`))`, driver, string(kind), kind.mails(usual))
	if err != nil || len(wanted) == 0 {
		return err
	}
	return jobs.Enqueue(tx, jobs.Order{Kind: PushKind, Key: note, Payload: reminder{note}, Attempts: 2})
}

// Remind tells a driver of a note that is still new to them, as they have chosen by now: their devices what it is about, not what it says;
// a mail everything.
func (s *Service) Remind(ctx context.Context, job *jobs.Run) error {
	var r reminder
	if err := job.Into(&r); err != nil {
		return jobs.Permanent(err)
	}
	var account string
	var note push.Note
	err := job.Write(ctx, func(tx *db.Tx) (err error) {
		account, note, err = s.remindOf(tx, r.Note)
		return err
	})
	if errors.Is(err, db.ErrNone) {
		return nil // it was read, deleted or taken back
	}
	if err != nil || account == "" {
		return err
	}
	_, err = s.Push.Send(ctx, account, note)
	return err
}

// remindOf writes the mail of a note, where the driver wants one, and gives what their devices are to be told; no account: nothing.
func (s *Service) remindOf(tx *db.Tx, id string) (account string, note push.Note, err error) {
	driver, err := db.One[string](tx, `SELECT k.id FROM notes n JOIN drivers d ON d.tenant_id = n.tenant_id AND d.id = n.driver_id
		JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		WHERE n.tenant_id = $1 AND n.id = $2 AND n.read_at = '' AND n.hidden_at = '' AND k.account_id <> '' AND NOT k.blocked`, id)
	if err != nil {
		return "", note, err
	}
	found, err := named(tx, []string{driver})
	if err != nil {
		return "", note, err
	}
	to := &found[0]
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return "", note, err
	}
	n, err := NoteOf(tx, to.ID, id, s.languageOf(to))
	if err != nil {
		return "", note, err
	}
	known := n.Values(s.languageOf(to), s.Instance.Currency)
	known["first_name"], known["partner"] = to.FirstName, brand.Name
	topic := markdown.FillText(n.Text.Topic, known)
	note = push.Note{Title: brand.Name, Topic: topic, Path: "/app/driver/board"}
	if n.Kind == OfMessage {
		return to.AccountID, note, nil // its mail is that of the message
	}
	choices, err := ChoicesOf(tx, to.ID)
	if err != nil {
		return "", note, err
	}
	if n.Kind.mails(choices) && to.Email != "" {
		m := s.noteMail(tx, to, &n, choices, known)
		m.Subject, m.Brand = topic, brand
		if _, err := s.Mails.Enqueue(tx, m); err != nil && !errors.Is(err, mail.ErrDayQuota) && !errors.Is(err, mail.ErrAddressQuota) {
			return "", note, err
		}
	}
	if choices.NotePush {
		account = to.AccountID
	}
	return account, note, nil
}

// noteMail is a note of the program as a mail. What is told again is mailed again. Reminders come without being asked for, and name the
// address that stops them.
func (s *Service) noteMail(tx *db.Tx, to *candidate, n *Note, c Choices, known map[string]string) mail.Message {
	content := markdown.Fill(markdown.Parse(n.Text.Content), known)
	link, change, stop := s.PublicURL+"/app/driver/board", s.PublicURL+"/app/driver/profile", ""
	why := i18n.Of(n.Text.Language, "mail:note.why")
	if !c.NoteMails {
		stop = s.unsubscribeAddress(tx, to.ID, n.Text.Language)
		change, why = stop, i18n.Of(n.Text.Language, "mail:message.stop", "partner", known["partner"])
	}
	return mail.Message{
		To:       mail.Address{Name: to.FirstName + " " + to.LastName, Address: to.Email},
		Text:     markdown.Text(content) + "\n\n" + link + "\n\n" + why + " " + change,
		Content:  markdown.HTML(content) + `<p><small><a href="` + change + `">` + html.EscapeString(why) + "</a></small></p>\n",
		Actions:  []mail.Action{{Address: link, Label: i18n.Of(n.Text.Language, "mail:message.open")}},
		Language: string(n.Text.Language), Key: "note|" + n.ID + "|" + db.Instant(n.PlacedAt), Unsubscribe: stop,
	}
}

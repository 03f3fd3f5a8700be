package messages

import (
	"context"
	"errors"
	"maps"

	"saldo/internal/drivers"
	"saldo/internal/messages/markdown"
	"saldo/internal/messages/push"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// PushKind is the job that tells a driver's devices of a note.
const PushKind = "messages.push"

type reminder struct{ Note string }

// remind leaves a job that tells the devices of a driver of a note, where there are any.
func remind(tx *db.Tx, driver, note string) error {
	subscribed, err := db.Select[string](tx, `SELECT k.id FROM drivers d
		JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		WHERE d.tenant_id = $1 AND d.id = $2 AND k.account_id <> '' AND NOT k.blocked
		AND EXISTS (SELECT 1 FROM push_subscriptions p WHERE p.tenant_id = k.account_id)`, driver)
	if err != nil || len(subscribed) == 0 {
		return err
	}
	return jobs.Enqueue(tx, jobs.Order{Kind: PushKind, Key: note, Payload: reminder{note}, Attempts: 2})
}

// Remind tells the devices of a driver of a note that is still new to them: what it is about, not what it says.
func (s *Service) Remind(ctx context.Context, job *jobs.Run) error {
	var r reminder
	if err := job.Into(&r); err != nil {
		return jobs.Permanent(err)
	}
	var account string
	var note push.Note
	err := job.Read(ctx, func(tx *db.Tx) (err error) {
		account, note, err = s.reminderOf(tx, r.Note)
		return err
	})
	if errors.Is(err, db.ErrNone) {
		return nil // it was read, deleted or taken back
	}
	if err != nil {
		return err
	}
	_, err = s.Push.Send(ctx, account, note)
	return err
}

func (s *Service) reminderOf(tx *db.Tx, id string) (account string, note push.Note, err error) {
	to, err := db.One[candidate](tx, `SELECT k.id, k.first_name, k.last_name, k.email, k.account_id, k.summary_language, k.blocked, k.active
		FROM notes n JOIN drivers d ON d.tenant_id = n.tenant_id AND d.id = n.driver_id
		JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		WHERE n.tenant_id = $1 AND n.id = $2 AND n.read_at = '' AND n.hidden_at = '' AND k.account_id <> '' AND NOT k.blocked`, id)
	if err != nil {
		return "", note, err
	}
	p, err := partners.Own(tx)
	if err != nil {
		return "", note, err
	}
	n, err := NoteOf(tx, to.ID, id, s.languageOf(&to))
	if err != nil {
		return "", note, err
	}
	known := n.Values(s.languageOf(&to), s.Instance.Currency)
	maps.Copy(known, values(&to, p.Name))
	topic := markdown.FillText(n.Text.Topic, known)
	return to.AccountID, push.Note{Title: p.Name, Topic: topic, Path: "/app/driver/board"}, nil
}

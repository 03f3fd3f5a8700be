package feeds

import (
	"context"
	"errors"

	"saldo/internal/connections"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mailbox"
)

// What became of a message.
const (
	mailTaken   = "taken"   // its files are stored
	mailNothing = "nothing" // it has no file that may hold rows
	mailRefused = "refused"
)

// mailsMost is how many new messages are read in one fetch; the next fetch goes on.
const mailsMost = 500

// mails takes the files of unread messages. A message is marked as read once all its files are stored: whatever is interrupted, none is
// lost, and one that comes again brings nothing twice.
func (s *Service) mails(ctx context.Context, run *jobs.Run, o connections.Open) (all fetched, err error) {
	box, err := s.Connections.Mailbox(ctx, o)
	if err != nil {
		return all, err
	}
	defer box.Close()
	unread, err := box.Unread()
	if err != nil {
		return all, err
	}
	var known []struct{ Place, State string }
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		known, err = db.Select[struct{ Place, State string }](tx, `SELECT place, state FROM fetched_mails WHERE tenant_id = $1
			AND connection_id = $2`, o.ID)
		return err
	}); err != nil {
		return all, err
	}
	states := map[string]string{}
	for _, one := range known {
		states[one.Place] = one.State
	}
	looked := 0
	for _, number := range unread {
		state := states[box.Place(number)]
		if state == "" {
			if looked++; looked > mailsMost {
				break
			}
			if state, err = s.mail(ctx, run, o, box, number, &all); err != nil || state == "" {
				return all, err
			}
		}
		if state == mailTaken {
			if err := box.MarkRead(number); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// mail reads one message, uploads its files and remembers it. Of a connection that was removed meanwhile it keeps nothing.
func (s *Service) mail(ctx context.Context, run *jobs.Run, o connections.Open, box *mailbox.Box, number uint32, all *fetched) (string,
	error) {
	message, err := box.Read(number)
	state := mailNothing
	switch {
	case errors.Is(err, mailbox.ErrRefused):
		state = mailRefused
	case err != nil:
		return "", err
	}
	for _, attached := range message.Files {
		got, err := s.upload(ctx, run.TenantID, o, file{name: attached.Name, content: attached.Content})
		refused := new(fault.Fault)
		switch {
		case errors.As(err, &refused):
			state = mailRefused
			continue
		case err != nil || got.removed:
			return "", err
		}
		all.rows, all.fresh, all.files = all.rows+got.rows, all.fresh+got.fresh, append(all.files, got.files...)
		if state == mailNothing {
			state = mailTaken
		}
	}
	return state, run.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO fetched_mails (tenant_id, connection_id, place, message_id, state, at) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT DO NOTHING`, o.ID, box.Place(number), message.ID, state, tx.Now)
		return err
	})
}

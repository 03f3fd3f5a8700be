package sending

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

const (
	batchFrom = 10    // invoices go together from so many on: single ones are limited to 180 an hour
	batchMost = 2_000 // of one session: all of them are in memory
)

// uploadWithin is how long a part of a batch may take.
const uploadWithin = 10 * time.Minute

// The kinds of sessions.
const (
	online = "online"
	batch  = "batch"
)

// item is an invoice that goes in a session.
type item struct {
	DocumentID string
	Edition    int64
	Sum        string

	file []byte
}

// session is one as it is kept.
type session struct {
	ID, Kind, Reference, State string

	items []item
	now   time.Time
}

// send takes to KSeF what waits: a few invoices one by one, many together. It ends when nothing waits.
func (s *Service) send(ctx context.Context, run *jobs.Run) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	c, err := s.Login.Client(ctx, access.ProgramFor(run.TenantID, "ksef"))
	if err == nil {
		err = s.sendAll(ctx, run, c)
	}
	if err == nil || mine(err) {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if err := abandon(tx); err != nil {
			return err
		}
		if err := s.collect(tx); err != nil {
			return err
		}
		if why := heldBy(err); why != "" {
			if err := hold(tx, why); err != nil {
				return err
			}
			open, err := unfinished(tx)
			if err != nil || len(open) == 0 {
				return errors.Join(err, run.Finish(tx))
			}
		}
		next, wait := s.again(t, c, err)
		s.Log.Warn("sending to KSeF goes on later", "partner", run.TenantID, "seconds", int(wait.Seconds()), "error", err)
		return reschedule(tx, run, "send", next, wait)
	})
}

func (s *Service) sendAll(ctx context.Context, run *jobs.Run, c wire.Client) error {
	if err := s.finishOthers(ctx, run, c); err != nil {
		return err
	}
	for {
		next, err := s.begin(ctx, run)
		if err != nil || next == nil {
			return err
		}
		if next.Kind == batch {
			err = s.sendBatch(ctx, run, c, next)
		} else {
			err = s.sendOnline(ctx, run, c, next)
		}
		if err != nil {
			return err
		}
	}
}

// begin writes down what goes in the next session. nil: nothing waits, and the job is done in the same unit, so that what is issued later
// finds no job that would not see it.
func (s *Service) begin(ctx context.Context, run *jobs.Run) (next *session, err error) {
	err = run.Write(ctx, func(tx *db.Tx) (err error) {
		next = nil
		if err := s.collect(tx); err != nil {
			return err
		}
		if err := release(tx, NoAccess, AccessExpired, Blocked); err != nil {
			return err
		}
		if err := s.holdUngranted(tx); err != nil {
			return err
		}
		items, err := db.Select[item](tx, `SELECT document_id, edition, sum FROM ksef_sendings WHERE tenant_id = $1 AND state = 'waiting'
			AND session_id = '' AND next_at <= $2 ORDER BY document_id LIMIT $3`, tx.Now, batchMost)
		if err != nil {
			return err
		}
		if len(items) == 0 {
			return s.rest(tx, run)
		}
		for n := range items {
			if items[n].file, _, err = s.Billing.Outgoing(tx, items[n].DocumentID); err != nil {
				return err
			}
			if ksef.Hash(items[n].file) != items[n].Sum {
				return fmt.Errorf("ksef: the file of %s is not what was to be sent", items[n].DocumentID)
			}
		}
		next = &session{ID: tx.NewID(), Kind: online, State: "opening", items: items, now: tx.Now}
		if len(items) >= batchFrom {
			next.Kind = batch
		}
		if _, err := tx.Exec(`INSERT INTO ksef_sessions (tenant_id, id, environment, kind, reference, state, begun_at, closed_at)
			VALUES ($1, $2, $3, $4, '', 'opening', $5, '')`, next.ID, s.Login.Environment, next.Kind, tx.Now); err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE ksef_sendings SET session_id = $2, tries = tries + 1 WHERE tenant_id = $1 AND state = 'waiting'
			AND session_id = '' AND next_at <= $3 AND document_id <= $4`, next.ID, tx.Now, items[len(items)-1].DocumentID)
		return err
	})
	return next, err
}

// rest ends the job where nothing can be sent now; what waits for its time gets a job at that time.
func (s *Service) rest(tx *db.Tx, run *jobs.Run) error {
	later, err := db.One[time.Time](tx, `SELECT next_at FROM ksef_sendings WHERE tenant_id = $1 AND state = 'waiting' AND session_id = ''
		ORDER BY next_at LIMIT 1`)
	if errors.Is(err, db.ErrNone) {
		return run.Finish(tx)
	}
	if err != nil {
		return err
	}
	return reschedule(tx, run, "send", ticket{}, later.Sub(tx.Now))
}

func (s *Service) sendOnline(ctx context.Context, run *jobs.Run, c wire.Client, x *session) error {
	var sealed ksef.Envelope
	if err := s.keys.Seal(ctx, c, x.now, func(e ksef.Envelope) (err error) {
		sealed = e
		x.Reference, _, err = c.OpenOnline(ctx, e)
		return err
	}); err != nil {
		return err
	}
	if err := run.Write(ctx, func(tx *db.Tx) error { return x.opened(tx) }); err != nil {
		return err
	}
	tried, failure := 0, error(nil)
	for _, i := range x.items {
		one, err := sealed.Seal(i.file)
		if err != nil {
			return err
		}
		reference, err := c.Send(ctx, x.Reference, one, false, "")
		tried++
		if err == nil {
			if err := run.Write(ctx, func(tx *db.Tx) error { return sent(tx, i, reference) }); err != nil {
				return err
			}
			continue
		}
		var said *wire.Said
		if errors.As(err, &said) && said.HTTP == 400 && said.Kind() == wire.Refused {
			if err := run.Write(ctx, func(tx *db.Tx) error { return s.refusedAtOnce(tx, i, said) }); err != nil {
				return err
			}
			continue
		}
		if failure = err; errors.As(err, &said) && said.HTTP >= 400 && said.HTTP < 500 {
			tried-- // KSeF has not taken it
		}
		break
	}
	if err := run.Write(ctx, func(tx *db.Tx) error {
		for _, i := range x.items[tried:] {
			if err := detach(tx, i); err != nil {
				return err
			}
		}
		return x.goOn(tx, "closing")
	}); err != nil {
		return err
	}
	if failure != nil {
		return failure // the next job closes the session
	}
	return s.close(ctx, run, c, x)
}

func (s *Service) sendBatch(ctx context.Context, run *jobs.Run, c wire.Client, x *session) error {
	files := make([][]byte, len(x.items))
	for n := range x.items {
		files[n] = x.items[n].file
	}
	var packed ksef.Package
	var uploads []wire.Upload
	if err := s.keys.Seal(ctx, c, x.now, func(e ksef.Envelope) (err error) {
		if packed, err = e.Pack(files); err != nil {
			return err
		}
		x.Reference, uploads, err = c.OpenBatch(ctx, e, packed, false)
		return err
	}); err != nil {
		return err
	}
	if err := run.Write(ctx, func(tx *db.Tx) error { return x.opened(tx) }); err != nil {
		return err
	}
	for _, u := range uploads {
		limited, stop := context.WithTimeout(ctx, uploadWithin)
		err := c.Put(limited, u, bytes.NewReader(packed.Parts[u.Ordinal-1].Content))
		stop()
		if err != nil {
			return err
		}
	}
	if err := run.Write(ctx, func(tx *db.Tx) error { return x.goOn(tx, "closing") }); err != nil {
		return err
	}
	return s.close(ctx, run, c, x)
}

// close closes a session, once or again, and leaves the job that asks what became of it. In a closed session nothing arrives any more.
func (s *Service) close(ctx context.Context, run *jobs.Run, c wire.Client, x *session) (err error) {
	if x.Kind == batch {
		err = c.CloseBatch(ctx, x.Reference)
	} else {
		err = c.Close(ctx, x.Reference)
	}
	gone := wire.Has(err, 21173) || x.Kind == batch && (wire.Has(err, 21205) || wire.Has(err, 21157) || wire.Has(err, 21208))
	if err != nil && !gone && !wire.Has(err, 21180) { // 21180: it is closed
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if gone {
			return x.lose(tx)
		}
		if err := x.goOn(tx, "closed"); err != nil {
			return err
		}
		if x.Kind == batch {
			if _, err := tx.Exec(`UPDATE ksef_sendings SET state = 'sent', since = $3 WHERE tenant_id = $1 AND session_id = $2
				AND state = 'waiting'`, x.ID, tx.Now); err != nil {
				return err
			}
		}
		return jobs.Enqueue(tx, jobs.Order{Kind: AskKind, Key: x.ID, Payload: ticket{Session: x.ID}, At: tx.Now.Add(pauses[0]),
			Attempts: attempts})
	})
}

// finishOthers closes sessions that another job left behind, and forgets those in which KSeF has nothing.
func (s *Service) finishOthers(ctx context.Context, run *jobs.Run, c wire.Client) error {
	var open []session
	if err := run.Write(ctx, func(tx *db.Tx) (err error) {
		if err = abandon(tx); err != nil {
			return err
		}
		if open, err = unfinished(tx); err != nil {
			return err
		}
		for n := range open {
			if open[n].State == "open" {
				if err := open[n].goOn(tx, "closing"); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for n := range open {
		if err := s.close(ctx, run, c, &open[n]); err != nil {
			return err
		}
	}
	return nil
}

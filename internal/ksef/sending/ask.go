package sending

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/ksef"
	"saldo/internal/ksef/numbers"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// atOnce is how many answers are kept in one unit of work.
const atOnce = 100

// upoTries is how often the confirmation is asked for before numbers are kept without it.
const upoTries = 8

// receipt is a confirmation as it is kept.
type receipt struct {
	key, sum string
	content  []byte
}

// found is what KSeF says of an invoice.
type found struct {
	item
	said     wire.Sent
	listed   bool
	number   string    // accepted under it; empty: it is not
	acquired time.Time // of a number of this session
	upo      []receipt
}

// ask brings what became of a session: numbers and confirmations, or why there are none.
func (s *Service) ask(ctx context.Context, run *jobs.Run) error {
	var t ticket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	c, err := s.Login.Client(ctx, access.ProgramFor(run.TenantID, "ksef"))
	if err == nil {
		err = s.askOne(ctx, run, c, t)
	}
	if err == nil || mine(err) {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		next, wait := s.again(t, c, err)
		if heldBy(err) != "" {
			wait = retryHeld
		}
		return reschedule(tx, run, t.Session, next, wait)
	})
}

func (s *Service) askOne(ctx context.Context, run *jobs.Run, c wire.Client, t ticket) error {
	var x session
	var items []item
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if x, err = db.One[session](tx, `SELECT id, kind, reference, state FROM ksef_sessions WHERE tenant_id = $1 AND id = $2`,
			t.Session); err != nil {
			return err
		}
		items, err = db.Select[item](tx, `SELECT document_id, edition, sum FROM ksef_sendings WHERE tenant_id = $1 AND session_id = $2
			AND state IN ('waiting', 'sent') ORDER BY document_id, edition`, x.ID)
		return err
	}); err != nil {
		return err
	}
	if x.State != "closed" {
		return run.Write(ctx, run.Finish)
	}
	thing := wire.OfOnline
	if x.Kind == batch {
		thing = wire.OfBatch
	}
	now, err := c.Session(ctx, x.Reference)
	if wire.Has(err, 21173) { // KSeF knows nothing of it
		return s.lost(ctx, run, &x)
	}
	if err != nil {
		return err
	}
	if now.Running(thing) || now.Code == 100 {
		return s.notYet(ctx, run, t)
	}
	if now.Code != 200 && now.Code != 445 { // 445: none of the invoices is good
		s.Log.Error("KSeF gives back a session", "partner", run.TenantID, "kind", x.Kind, "code", now.Code)
		return s.lost(ctx, run, &x)
	}
	upos, err := s.upos(ctx, c, run.TenantID, x.Reference, now.UPO)
	if err != nil && t.Tries < upoTries {
		return err
	}
	all, later, err := s.compare(ctx, c, run.TenantID, &x, items, upos)
	if err != nil {
		return err
	}
	return s.keep(ctx, run, t, &x, all, later)
}

func (s *Service) notYet(ctx context.Context, run *jobs.Run, t ticket) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		t.Tries++
		return reschedule(tx, run, t.Session, t, pauseOf(t.Tries))
	})
}

// lost lets the invoices of a session be sent in another one, after a pause.
func (s *Service) lost(ctx context.Context, run *jobs.Run, x *session) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		tries, err := db.One[int64](tx, `SELECT COALESCE(MAX(tries), 0) FROM ksef_sendings WHERE tenant_id = $1 AND session_id = $2`, x.ID)
		if err != nil {
			return err
		}
		at := tx.Now.Add(pauseAfter(tries))
		if _, err := tx.Exec(`UPDATE ksef_sendings SET next_at = $3, state = 'waiting', session_id = '', reference = '', since = $4
			WHERE tenant_id = $1 AND session_id = $2 AND state IN ('waiting', 'sent')`, x.ID, at, tx.Now); err != nil {
			return err
		}
		if err := x.goOn(tx, "lost"); err != nil {
			return err
		}
		return errors.Join(sendAt(tx, at), run.Finish(tx))
	})
}

// pauseAfter is how long an invoice that KSeF gave back so often is not sent.
func pauseAfter(tries int64) time.Duration { return min(time.Minute*time.Duration(tries), time.Hour) }

func sendAt(tx *db.Tx, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: billing.SendKind, Key: "send", At: at, Attempts: attempts})
}

// upos fetches the confirmations of a session and keeps them.
func (s *Service) upos(ctx context.Context, c wire.Client, tenant, session string, addresses []string) (all []receipt, err error) {
	for n, address := range addresses {
		r := receipt{key: fmt.Sprintf("%s/ksef/upo/%s-%d.xml", tenant, session, n+1)}
		if r.content, err = c.UPO(ctx, address); err != nil {
			return nil, err
		}
		sum := sha256.Sum256(r.content)
		r.sum = hex.EncodeToString(sum[:])
		if _, err := s.Blobs.Put(ctx, r.key, bytes.NewReader(r.content), int64(len(r.content))); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// compare finds the invoices in the list of the session, by their sums. Later is why some could not be compared yet; the others are there.
func (s *Service) compare(ctx context.Context, c wire.Client, tenant string, x *session, items []item, upos []receipt) (all []found, later,
	err error) {
	before := map[string][]receipt{}
	listed := map[string]wire.Sent{}
	for next, first := "", true; first || next != ""; first = false {
		var page []wire.Sent
		if page, next, err = c.Invoices(ctx, x.Reference, next); err != nil {
			return nil, nil, err
		}
		for _, one := range page {
			listed[one.Hash] = one
		}
	}
	for _, i := range items {
		f := found{item: i, upo: upos}
		f.said, f.listed = listed[i.Sum]
		switch {
		case f.listed && f.said.Status.Code == 200:
			if !numbers.IsInvoice(f.said.KSeF) {
				return nil, nil, &wire.Said{HTTP: 200, Reason: "unreadable"}
			}
			f.number, f.acquired = f.said.KSeF, f.said.Acquired
		case f.listed && f.said.Status.Code == 440:
			if f.number, f.upo, later = s.adopt(ctx, c, tenant, i, f.said.Status.Extensions, before); later != nil {
				if mine(later) {
					return nil, nil, later
				}
				return all, later, nil
			}
		default:
		}
		all = append(all, f)
	}
	return all, nil, nil
}

// adopt is the number that KSeF gave to the same invoice before; empty: what it has is another file. The confirmations are those of the
// session before, each fetched once.
func (s *Service) adopt(ctx context.Context, c wire.Client, tenant string, i item, known map[string]string,
	fetched map[string][]receipt) (number string, upos []receipt, err error) {
	if number = known["originalKsefNumber"]; !numbers.IsInvoice(number) {
		return "", nil, nil
	}
	file, err := c.File(ctx, number)
	switch {
	case wire.KindOf(err) == wire.Refused, wire.KindOf(err) == wire.People: // it is not shown to the partner
		return "", nil, nil
	case err != nil:
		return "", nil, err
	case ksef.Hash(file) != i.Sum:
		return "", nil, nil
	}
	before := known["originalSessionReferenceNumber"]
	if upos, is := fetched[before]; is || before == "" {
		return number, upos, nil
	}
	if session, err := c.Session(ctx, before); err == nil {
		fetched[before], err = s.upos(ctx, c, tenant, before, session.UPO)
		return number, fetched[before], err
	} else if wire.KindOf(err) != wire.Refused && wire.KindOf(err) != wire.People && !wire.Has(err, 21173) {
		return "", nil, err
	}
	return number, nil, nil
}

// keep writes down what KSeF said. Number, confirmation and state of an invoice are kept together.
func (s *Service) keep(ctx context.Context, run *jobs.Run, t ticket, x *session, all []found, later error) error {
	pending := false
	for part := range slices.Chunk(all, atOnce) {
		if err := run.Write(ctx, func(tx *db.Tx) error {
			for _, f := range part {
				running, err := s.answer(tx, &f)
				if err != nil {
					return err
				}
				pending = pending || running
			}
			return nil
		}); err != nil {
			return err
		}
	}
	if later != nil {
		return later
	}
	if pending {
		return s.notYet(ctx, run, t)
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		next, err := db.Select[time.Time](tx, `SELECT next_at FROM ksef_sendings WHERE tenant_id = $1 AND state = 'waiting' AND session_id = ''
			ORDER BY next_at LIMIT 1`)
		if err != nil {
			return err
		}
		if len(next) > 0 {
			if err := sendAt(tx, next[0]); err != nil {
				return err
			}
		}
		return errors.Join(x.goOn(tx, "done"), run.Finish(tx))
	})
}

// answer keeps what KSeF said of one invoice, and says whether it is not through with it.
func (s *Service) answer(tx *db.Tx, f *found) (running bool, err error) {
	now, err := db.One[struct {
		State State
		Tries int64
	}](tx, `SELECT state, tries FROM ksef_sendings WHERE tenant_id = $1 AND document_id = $2 AND edition = $3`, f.DocumentID, f.Edition)
	if err != nil || now.State != Waiting && now.State != Sent {
		return false, err
	}
	code := f.said.Status.Code
	if !f.listed {
		return false, waitAgain(tx, f.item, 0, pauseAfter(now.Tries-1))
	}
	if now.State == Waiting { // its answer was lost
		if err := sent(tx, f.item, f.said.Reference); err != nil {
			return false, err
		}
	}
	switch {
	case f.number != "":
		return false, s.accept(tx, f)
	case f.said.Status.Running(wire.OfInvoice):
		return true, nil
	case code == 410:
		if err := s.readGrants(tx); err != nil {
			return false, err
		}
		return false, holdOne(tx, f.item, code, NoGrant)
	case code == 405, code == 500, code == 550:
		return false, waitAgain(tx, f.item, code, pauseAfter(now.Tries))
	}
	return false, s.refuse(tx, f.item, code, append([]string{f.said.Status.Description}, f.said.Status.Details...))
}

// accept keeps a number with its confirmation.
func (s *Service) accept(tx *db.Tx, f *found) error {
	upo := receipt{}
	for _, one := range f.upo {
		if bytes.Contains(one.content, []byte(f.number)) {
			upo = one
		}
	}
	mode := ""
	if f.said.Status.Code == 200 {
		mode = f.said.Mode
	}
	if _, err := tx.Exec(`INSERT INTO ksef_receipts (tenant_id, document_id, edition, environment, number, acquired_at, mode, upo_key, upo_sum)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, f.DocumentID, f.Edition, s.Login.Environment, f.number, f.acquired, mode, upo.key,
		upo.sum); err != nil {
		return err
	}
	if err := one(tx.Exec(`UPDATE ksef_sendings SET state = 'accepted', reference = $4, code = $5, since = $6 WHERE tenant_id = $1
		AND document_id = $2 AND edition = $3 AND state = 'sent'`, f.DocumentID, f.Edition, f.said.Reference, f.said.Status.Code,
		tx.Now)); err != nil {
		return err
	}
	return s.Billing.Answered(tx, f.DocumentID, f.Edition, billing.Answer{Number: f.number})
}

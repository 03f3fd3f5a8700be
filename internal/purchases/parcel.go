package purchases

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// triesMost is how often a package is asked for before it is given up for another.
const triesMost = 40

// pollAfter is when to ask whether a package is ready.
func pollAfter(tries int64) time.Duration {
	waits := []time.Duration{5, 15, 30, 60, 120}
	return waits[min(int(tries), len(waits)-1)] * time.Second
}

// parcel takes a package in, once KSeF has made it.
func (s *Service) parcel(ctx context.Context, run *jobs.Run) error {
	var id string
	if err := run.Into(&id); err != nil {
		return jobs.Permanent(err)
	}
	var x export
	var e ksef.Envelope
	err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if x, err = db.One[export](tx, `SELECT `+exportColumns+` FROM ksef_exports WHERE tenant_id = $1 AND id = $2 AND state = 'running'
			AND environment = $3`, id, s.KSeF.Environment); err != nil {
			return err
		}
		secret, err := s.Vault.Unseal(run.TenantID, forExport+x.ID, x.KeySealed)
		if err != nil {
			return err
		}
		var k kept
		err = json.Unmarshal(secret, &k)
		e.Key, e.IV = k.Key, k.IV
		return err
	})
	if errors.Is(err, db.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	client, err := s.KSeF.Client(ctx, s.actor(run.TenantID))
	if err != nil {
		return s.held(ctx, run, &x, client, err)
	}
	p, err := client.Exported(ctx, x.Reference)
	switch {
	case gone(err):
		return s.lost(ctx, run, &x)
	case err != nil:
		return s.held(ctx, run, &x, client, err)
	case p.Running(wire.OfExport):
		return s.again(ctx, run, &x, pollAfter(x.Tries))
	case p.Err(wire.OfExport) != nil:
		err := p.Err(wire.OfExport)
		if kind := wire.KindOf(err); kind == wire.Again || kind == wire.Keys {
			return s.lost(ctx, run, &x)
		}
		return s.held(ctx, run, &x, client, err)
	}
	t, err := s.take(ctx, run, client, &x, e, &p)
	var broken *damage
	switch {
	case errors.As(err, &broken):
		if s.Log != nil {
			s.Log.Warn("a package of KSeF is not what it should be", "partner", run.TenantID, "why", broken.why)
		}
		return s.lost(ctx, run, &x)
	case wire.KindOf(err) != "":
		return s.held(ctx, run, &x, client, err)
	case err != nil:
		return err
	}
	if x.Role == Buyer {
		if err := s.check(ctx, run); err != nil {
			return err
		}
	}
	return s.done(ctx, run, &x, &p, t)
}

// gone says whether KSeF does not know an export any more.
func gone(err error) bool {
	var answer *wire.Said
	return errors.As(err, &answer) && (answer.HTTP == http.StatusGone || answer.HTTP == http.StatusNotFound || wire.Has(err, 21175))
}

// held is for what stands in the way of a package.
func (s *Service) held(ctx context.Context, run *jobs.Run, x *export, c wire.Client, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	o := s.outcomeOf(c, err)
	switch {
	case o.own:
		return err
	case o.empty:
		return s.close(ctx, run, x, nothing, o, false)
	case o.problem == Refused:
		return s.close(ctx, run, x, lost, o, false)
	case o.problem == Away:
		o.again = min(time.Duration(1<<min(x.Tries, 4))*time.Minute, least)
	case o.again == 0: // a person has to do something first: the next slot asks again
		return run.Write(ctx, func(tx *db.Tx) error { return errors.Join(s.note(tx, x.cursor(), o), run.Finish(tx)) })
	}
	if o.problem != "" {
		if err := run.Write(ctx, func(tx *db.Tx) error { return s.note(tx, x.cursor(), o) }); err != nil {
			return err
		}
	}
	return s.again(ctx, run, x, o.again)
}

func (x *export) cursor() *cursor {
	return &cursor{Environment: x.Environment, NIP: x.NIP, Role: x.Role}
}

// again ends the job and leaves another for the same package.
func (s *Service) again(ctx context.Context, run *jobs.Run, x *export, after time.Duration) error {
	if x.Tries >= triesMost {
		return s.lost(ctx, run, x)
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE ksef_exports SET tries = tries + 1 WHERE tenant_id = $1 AND id = $2`, x.ID); err != nil {
			return err
		}
		return errors.Join(run.Finish(tx), orderParcel(tx, x.ID, tx.Now.Add(after)))
	})
}

// lost leaves another export from the same time on.
func (s *Service) lost(ctx context.Context, run *jobs.Run, x *export) error {
	return s.close(ctx, run, x, lost, outcome{problem: Away}, true)
}

// close ends an export that brought nothing.
func (s *Service) close(ctx context.Context, run *jobs.Run, x *export, state string, o outcome, anew bool) error {
	return run.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE ksef_exports SET state = $3, key_sealed = '', changed_at = $4 WHERE tenant_id = $1 AND id = $2
			AND state = 'running'`, x.ID, state, tx.Now); err != nil {
			return err
		}
		if err := errors.Join(s.note(tx, x.cursor(), o), run.Finish(tx)); err != nil || !anew {
			return err
		}
		return order(tx, x.Role, x.AskedAt.Add(least))
	})
}

// done moves on to what comes after a package that was taken in.
func (s *Service) done(ctx context.Context, run *jobs.Run, x *export, p *wire.Parcel, t taking) error {
	next, more := p.Next, p.More
	if next.IsZero() {
		next = t.last
	}
	if !x.ToAt.IsZero() {
		if !more && (next.IsZero() || next.After(x.ToAt)) {
			next = x.ToAt
		}
		more = true // up to today
	}
	if next.Before(x.FromAt) {
		next = x.FromAt
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(`UPDATE ksef_exports SET state = 'done', key_sealed = '', found = $3, fresh = $4, next_from = $5, changed_at = $6
			WHERE tenant_id = $1 AND id = $2 AND state = 'running'`, x.ID, t.found, t.fresh, next, tx.Now)
		if err != nil || n == 0 {
			return errors.Join(err, run.Finish(tx))
		}
		set := `from_at = $5, problem = ''`
		args := []any{x.Environment, x.NIP, string(x.Role), next}
		if !more {
			set, args = set+`, done_at = $6`, append(args, tx.Now)
		}
		if _, err := tx.Exec(`UPDATE ksef_fetches SET `+set+` WHERE tenant_id = $1 AND environment = $2 AND nip = $3 AND role = $4`,
			args...); err != nil {
			return err
		}
		if err := run.Finish(tx); err != nil || !more {
			return err
		}
		return order(tx, x.Role, x.AskedAt.Add(least))
	})
}

package purchases

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

const (
	// least is how long KSeF is left alone between two exports of a role.
	least = 15 * time.Minute
	// firstDays is how far the first fetch goes back, and mostDays how much one export covers: KSeF takes three months.
	firstDays = 84
	mostDays  = 88

	forExport = "ksef export " // what keys are sealed for, with the id of the export
)

// The states of an export.
const (
	asked   = "asked" // KSeF is asked, or was and did not answer
	running = "running"
	taken   = "done"
	nothing = "nothing" // there was nothing new
	lost    = "lost"    // KSeF does not have it any more, or not whole: there will be another from the same time on
)

// export is a package as it is kept.
type export struct {
	ID, Environment, NIP string
	Role                 Role
	FromAt, ToAt         time.Time
	Reference, KeySealed string
	State                string
	Tries, Found, Fresh  int64
	NextFrom             time.Time
	AskedAt, ChangedAt   time.Time
}

const exportColumns = `id, environment, nip, role, from_at, to_at, reference, key_sealed, state, tries, found, fresh, next_from, asked_at,
	changed_at`

// look leaves the jobs of partners whose time it is.
func (s *Service) look(ctx context.Context, _ *jobs.Run) error {
	if s.KSeF.Environment == "" {
		return nil
	}
	var tenants []string
	if err := s.DB.Read(ctx, access.Program("purchases"), func(tx *db.Tx) (err error) {
		tenants, err = db.Select[string](tx.Across(), `SELECT tenant_id FROM ksef_access WHERE environment = $1
			AND state IN ('working', 'away') ORDER BY tenant_id`, s.KSeF.Environment)
		return err
	}); err != nil {
		return err
	}
	var failed error // of one partner holds up no other
	for _, tenant := range tenants {
		failed = errors.Join(failed, s.DB.Write(ctx, s.actor(tenant), s.begin))
	}
	return failed
}

// begin leaves the jobs of an hour and of a night: one of each, whoever looks at the same moment.
func (s *Service) begin(tx *db.Tx) error {
	a, err := s.KSeF.Of(tx)
	if errors.Is(err, login.ErrNone) || err == nil && !fetchable(a.State) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, role := range []Role{Buyer, Third} {
		n, err := tx.Exec(`INSERT INTO ksef_fetches (tenant_id, environment, nip, role, from_at, slot, asked_at, done_at, problem)
			VALUES ($1, $2, $3, $4, $5, $6, '', '', '') ON CONFLICT (tenant_id, environment, nip, role) DO UPDATE SET slot = excluded.slot
			WHERE ksef_fetches.slot < excluded.slot`, s.KSeF.Environment, string(a.NIP), string(role),
			tx.Now.AddDate(0, 0, -firstDays), s.slot(tx.Now, tx.Actor.Tenant, role))
		if err != nil {
			return err
		}
		if n > 0 {
			if err := order(tx, role, time.Time{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func order(tx *db.Tx, r Role, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: FetchKind, Payload: r, Key: string(r), At: at})
}

func orderParcel(tx *db.Tx, id string, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: ParcelKind, Payload: id, Key: id, At: at})
}

// plan is what a fetch has to do.
type plan struct {
	cursor
	open *export // that was begun
	now  time.Time
}

// planned is the plan of a role; nil: there is nothing to do.
func (s *Service) planned(tx *db.Tx, r Role) (*plan, error) {
	a, err := s.KSeF.Of(tx)
	if errors.Is(err, login.ErrNone) || err == nil && !fetchable(a.State) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &plan{now: tx.Now}
	if p.cursor, err = s.cursor(tx, string(a.NIP), r); errors.Is(err, db.ErrNone) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	open, err := db.Select[export](tx, `SELECT `+exportColumns+` FROM ksef_exports WHERE tenant_id = $1 AND environment = $2 AND nip = $3
		AND role = $4 AND state IN ('asked', 'running')`, p.Environment, p.NIP, string(r))
	if err == nil && len(open) > 0 {
		p.open = &open[0]
	}
	return p, err
}

// fetch asks KSeF for what is new. That it is asked is written down before.
func (s *Service) fetch(ctx context.Context, run *jobs.Run) error {
	var role Role
	if err := run.Into(&role); err != nil || subjects[role] == "" {
		return jobs.Permanent(errors.Join(err, errors.New("purchases: no such role")))
	}
	var p *plan
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { p, err = s.planned(tx, role); return err }); err != nil || p == nil {
		return err
	}
	if p.open != nil && p.open.State == running {
		return run.Write(ctx, func(tx *db.Tx) error { return errors.Join(run.Finish(tx), orderParcel(tx, p.open.ID, tx.Now)) })
	}
	if at := p.AskedAt.Add(least); p.now.Before(at) {
		return s.later(ctx, run, role, at)
	}
	client, err := s.KSeF.Client(ctx, s.actor(run.TenantID))
	if err != nil {
		return s.failed(ctx, run, p, client, err)
	}
	var id, reference string
	err = s.keys.Seal(ctx, client, p.now, func(e ksef.Envelope) error {
		var r wire.Range
		if err := run.Write(ctx, func(tx *db.Tx) (err error) { id, r, err = s.intend(tx, role, e); return err }); err != nil {
			return err
		}
		var err error
		reference, err = client.Export(ctx, e, r)
		return err
	})
	if err != nil {
		return s.failed(ctx, run, p, client, err)
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(`UPDATE ksef_exports SET reference = $3, state = 'running', tries = 0, changed_at = $4 WHERE tenant_id = $1 AND id = $2
			AND state = 'asked'`, id, reference, tx.Now)
		if err != nil || n == 0 {
			return errors.Join(err, run.Finish(tx))
		}
		return errors.Join(run.Finish(tx), orderParcel(tx, id, tx.Now.Add(pollAfter(0))))
	})
}

// errOther is for a company that has changed since the fetch began.
var errOther = errors.New("purchases: the partner signs in for another company now")

// kept is an envelope as it is sealed.
type kept struct{ Key, IV []byte }

// intend writes down what KSeF is about to be asked.
func (s *Service) intend(tx *db.Tx, role Role, e ksef.Envelope) (id string, r wire.Range, err error) {
	p, err := s.planned(tx, role)
	if err != nil {
		return "", r, err
	}
	if p == nil || p.open != nil && p.open.State != asked {
		return "", r, errOther
	}
	x := export{ID: tx.NewID(), Environment: p.Environment, NIP: p.NIP, Role: role, FromAt: p.FromAt, State: asked}
	if most := p.FromAt.AddDate(0, 0, mostDays); most.Before(tx.Now) {
		x.ToAt = most
	}
	if p.open != nil {
		x = *p.open
	}
	x.Tries, x.AskedAt, x.ChangedAt = x.Tries+1, tx.Now, tx.Now
	secret, err := json.Marshal(kept{e.Key, e.IV})
	if err != nil {
		return "", r, err
	}
	x.KeySealed = s.Vault.Seal(tx.Actor.Tenant, forExport+x.ID, secret)
	if p.open == nil {
		err = db.Insert(tx, "ksef_exports", x)
	} else {
		_, err = db.Update(tx, "ksef_exports", x, "id = $2", x.ID)
	}
	if err == nil {
		_, err = tx.Exec(`UPDATE ksef_fetches SET asked_at = $5 WHERE tenant_id = $1 AND environment = $2 AND nip = $3 AND role = $4`,
			x.Environment, x.NIP, string(role), tx.Now)
	}
	return x.ID, wire.Range{Role: subjects[role], From: x.FromAt, To: x.ToAt}, err
}

// later ends the job and leaves one for then: nobody waits.
func (s *Service) later(ctx context.Context, run *jobs.Run, r Role, at time.Time) error {
	return run.Write(ctx, func(tx *db.Tx) error { return errors.Join(run.Finish(tx), order(tx, r, at)) })
}

// outcome is what is done about an error.
type outcome struct {
	problem Problem
	again   time.Duration // 0: with the next slot
	empty   bool          // there is nothing new
	own     bool          // it is none of KSeF's
}

// soon is when something is tried again that KSeF does not name a time for.
const soon = time.Minute

func (s *Service) outcomeOf(c wire.Client, err error) outcome {
	var known *fault.Fault
	var said *wire.Said
	switch {
	case errors.Is(err, errOther):
		return outcome{again: soon}
	case errors.As(err, &said):
		switch said.Kind() {
		case wire.Later:
			if wire.Has(err, 21183) || wire.Has(err, 420) {
				return outcome{empty: true}
			}
			return outcome{again: max(said.After, soon)}
		case wire.SignIn:
			s.KSeF.Drop(c)
			return outcome{again: soon}
		case wire.People:
			return outcome{problem: Denied}
		case wire.Refused:
			return outcome{problem: Refused}
		}
		return outcome{problem: Away, again: least}
	case errors.As(err, &known) && known.Retry > 0:
		return outcome{again: known.Retry}
	case errors.As(err, &known):
		return outcome{again: least} // how signing in fares is said where it is set up; what is not fetchable any more ends there
	}
	return outcome{own: true}
}

// failed keeps what stands in the way of asking.
func (s *Service) failed(ctx context.Context, run *jobs.Run, p *plan, c wire.Client, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	o := s.outcomeOf(c, err)
	if o.own {
		return err
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if o.empty || o.problem == Refused {
			state := map[bool]string{true: nothing, false: lost}[o.empty]
			if _, err := tx.Exec(`UPDATE ksef_exports SET state = $6, key_sealed = '', changed_at = $7 WHERE tenant_id = $1 AND environment = $2
				AND nip = $3 AND role = $4 AND state = $5`, p.Environment, p.NIP, string(p.Role), asked, state, tx.Now); err != nil {
				return err
			}
		}
		if err := s.note(tx, &p.cursor, o); err != nil {
			return err
		}
		if err := run.Finish(tx); err != nil || o.again == 0 {
			return err
		}
		return order(tx, p.Role, tx.Now.Add(o.again))
	})
}

// note keeps how it went.
func (s *Service) note(tx *db.Tx, c *cursor, o outcome) error {
	if o.problem != "" && s.Log != nil {
		s.Log.Warn("invoices cannot be fetched from KSeF", "partner", tx.Actor.Tenant, "role", string(c.Role), "problem", string(o.problem))
	}
	if o.problem == "" && !o.empty {
		return nil
	}
	set := `problem = $5`
	args := []any{c.Environment, c.NIP, string(c.Role), string(o.problem)}
	if o.empty {
		set, args = set+`, done_at = $6`, append(args, tx.Now)
	}
	_, err := tx.Exec(`UPDATE ksef_fetches SET `+set+` WHERE tenant_id = $1 AND environment = $2 AND nip = $3 AND role = $4`, args...)
	return err
}

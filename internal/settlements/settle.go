package settlements

import (
	"context"

	"saldo/internal/imports"
	"saldo/internal/kernel/money"
	"saldo/internal/licences"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/settlements/engine"
)

// batch is how many drivers one unit of work of a job settles. Nothing of one driver depends on another in it.
const batch = many

// Settle goes on with a run from where it is, however often it was interrupted.
func (d *Service) Settle(ctx context.Context, job *jobs.Run) error {
	var t ticket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var r Run
	var changed map[int64]changedTo
	err := job.Read(ctx, func(tx *db.Tx) (err error) {
		if r, err = RunOf(tx, t.Run); err != nil || r.State != RunRunning || r.Place >= 0 {
			return err
		}
		changed, err = d.changedSince(tx, &r)
		return err
	})
	if err != nil {
		return err
	}
	if r.State == RunRunning && r.Place < 0 {
		if err := job.Write(ctx, func(tx *db.Tx) (err error) {
			if r, err = RunOf(tx, t.Run); err != nil {
				return err
			}
			return r.begin(tx, changed)
		}); err != nil {
			return err
		}
	}
	for r.State == RunRunning {
		if err := job.Write(ctx, func(tx *db.Tx) (err error) {
			if r, err = RunOf(tx, t.Run); err != nil || r.State != RunRunning {
				return err
			}
			return d.advance(tx, &r, nil)
		}); err != nil {
			return err
		}
	}
	return nil
}

// changedSince finds who is not as a run showed them. Where the audit trail has nothing new nobody is computed: that is left to the
// unit that settles them, which leaves out whoever changed after all, and no one else.
func (d *Service) changedSince(tx *db.Tx, r *Run) (map[int64]changedTo, error) {
	trail, err := db.One[string](tx, `SELECT trail FROM settlement_runs WHERE tenant_id = $1 AND id = $2`, r.ID)
	if err != nil {
		return nil, err
	}
	if same, err := audit.OnlyOf(tx, trail, kindOfRun, r.ID); err != nil || same && trail != "" {
		return nil, err
	}
	_, changed, err := d.check(tx, r, all)
	return changed, err
}

// computed is what drivers have pending, read in the unit that uses it.
type computed struct {
	*book
	chains []*chain
}

func (d *Service) compute(tx *db.Tx, r *Run, whose []string) (*computed, error) {
	b, err := d.book(tx)
	if err != nil {
		return nil, err
	}
	chains, err := d.chains(tx, b, r.Period, whose)
	return &computed{b, chains}, err
}

// check computes the drivers of a run, and finds those whose figures are not what was shown, by their places.
func (d *Service) check(tx *db.Tx, r *Run, whose []string) (p *computed, changed map[int64]changedTo, err error) {
	if p, err = d.compute(tx, r, whose); err != nil {
		return p, nil, err
	}
	now, blocked := make(map[string]*engine.Settlement, len(p.chains)), map[string]bool{}
	for _, c := range p.chains {
		if c.failed != nil {
			now[c.ID] = new(engine.Settlement) // nothing that was shown
		} else if at := c.at(r.Period); at >= 0 {
			now[c.ID] = &c.periods[at]
		}
		blocked[c.ID] = c.Blocked
	}
	changed = map[int64]changedTo{}
	shown, err := db.Select[struct {
		Place                 int64
		DriverID, Fingerprint string
	}](tx, `SELECT place, driver_id, fingerprint FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2 AND refusal = ''`, r.ID)
	for _, one := range shown {
		switch s := now[one.DriverID]; {
		case s == nil:
			changed[one.Place] = changedTo{gone: true}
		case blocked[one.DriverID]:
			changed[one.Place] = changedTo{blocked: true, due: s.Figures[engine.Due]}
		case fingerprint(s) != one.Fingerprint:
			changed[one.Place] = changedTo{due: s.Figures[engine.Due]}
		}
	}
	return p, changed, err
}

// begin ends a run where anything is not as it was shown, or where the licence has too few units; else it reserves them.
func (r *Run) begin(tx *db.Tx, changed map[int64]changedTo) (err error) {
	if len(changed) > 0 {
		if err := r.noteChanged(tx, changed); err != nil {
			return err
		}
		return r.end(tx, RunChanged, 0)
	}
	r.Reserved = r.Drivers
	if r.Partial {
		if r.Reserved, err = licences.UseUpTo(tx, r.Drivers); err != nil {
			return err
		}
	} else if taken, err := licences.Use(tx, r.Drivers); err != nil || !taken {
		if err != nil {
			return err
		}
		left, err := licences.Left(tx)
		if err != nil {
			return err
		}
		return r.end(tx, RunShort, r.Drivers-left)
	}
	if r.Reserved == 0 {
		return r.end(tx, RunShort, r.Drivers)
	}
	r.Place = 0
	if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'refused' WHERE tenant_id = $1 AND run_id = $2 AND refusal <> ''`,
		r.ID); err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE settlement_runs SET place = 0, reserved = $3 WHERE tenant_id = $1 AND id = $2`, r.ID, r.Reserved)
	return err
}

func (r *Run) end(tx *db.Tx, state RunState, missing int64) error {
	r.State, r.Missing, r.FinishedAt = state, missing, tx.Now
	_, err := tx.Exec(`UPDATE settlement_runs SET state = $3, missing = $4, finished_at = $5, reserved = 0 WHERE tenant_id = $1 AND id = $2`,
		r.ID, string(state), missing, tx.Now)
	return err
}

// noRemoval refuses to settle half of a file.
func noRemoval(tx *db.Tx) error {
	going, err := imports.RemovalGoesOn(tx)
	if err == nil && going {
		return ErrRemoving
	}
	return err
}

// advance settles the next drivers of a run and ends it after the last. They are computed anew, unless this unit has.
func (d *Service) advance(tx *db.Tx, r *Run, known *computed) error {
	if err := noRemoval(tx); err != nil {
		return err // the job comes again
	}
	next, err := db.Select[struct {
		Place                 int64
		DriverID, Fingerprint string
	}](tx, `SELECT place, driver_id, fingerprint FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2 AND place > $3
		AND place <= $4
		ORDER BY place LIMIT $5`,
		r.ID, r.Place, r.Drivers, min(batch, r.Reserved))
	if err != nil {
		return err
	}
	if len(next) == 0 {
		if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'limit' WHERE tenant_id = $1 AND run_id = $2 AND place > $3
			AND refusal = ''`, r.ID, r.Place); err != nil {
			return err
		}
		if err := licences.GiveBack(tx, r.Reserved); err != nil {
			return err
		}
		return r.end(tx, RunDone, 0)
	}
	whose := make([]string, len(next))
	for i, one := range next {
		whose[i] = one.DriverID
	}
	from := r.Place
	r.Place = next[len(next)-1].Place
	if known == nil {
		if known, err = d.compute(tx, r, whose); err != nil {
			return err
		}
	}
	byDriver := make(map[string]*chain, len(known.chains))
	for _, c := range known.chains {
		byDriver[c.ID] = c
	}
	w := writing{tx: tx, book: known.book, run: r}
	outcomes := map[int64]changedTo{}
	for _, one := range next {
		c := byDriver[one.DriverID]
		at := -1
		if c != nil {
			at = c.at(r.Period)
		}
		switch {
		case c != nil && c.failed != nil:
			outcomes[one.Place] = changedTo{failed: c.failed}
		case at < 0:
			outcomes[one.Place] = changedTo{gone: true}
		case c.Blocked:
			outcomes[one.Place] = changedTo{blocked: true, due: c.periods[at].Figures[engine.Due]}
		case fingerprint(&c.periods[at]) != one.Fingerprint || c.periods[at].Refusal() != "":
			outcomes[one.Place] = changedTo{due: c.periods[at].Figures[engine.Due]}
		default:
			if err := w.add(c, at); err != nil {
				return err
			}
		}
	}
	if err := w.write(); err != nil {
		return err
	}
	return r.note(tx, from, outcomes, w.counted, w.payout)
}

// changedTo is what is due of a driver now, if he has anything to settle still and it can be computed.
type changedTo struct {
	due     money.Amount
	gone    bool
	blocked bool // since it was shown
	failed  error
}

// outcome is what became of the driver, and why.
func (c changedTo) outcome() (outcome, reason string) {
	switch {
	case c.failed != nil:
		text := []rune(c.failed.Error())
		return "failed", string(text[:min(len(text), 500)])
	case c.gone:
		return "changed", "gone"
	case c.blocked:
		return "changed", string(Blocked)
	}
	return "changed", ""
}

func (r *Run) noteChanged(tx *db.Tx, changed map[int64]changedTo) error {
	for place, c := range changed {
		outcome, reason := c.outcome()
		if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = $4, due_now = $5, reason = $6 WHERE tenant_id = $1 AND run_id = $2
			AND place = $3`,
			r.ID, place, outcome, int64(c.due), reason); err != nil {
			return err
		}
	}
	return nil
}

// note writes down how far a run is and what became of its drivers since.
func (r *Run) note(tx *db.Tx, from int64, changed map[int64]changedTo, settled int64, payout money.Amount) error {
	if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'settled' WHERE tenant_id = $1 AND run_id = $2 AND place > $3
		AND place <= $4`, r.ID, from, r.Place); err != nil {
		return err
	}
	if err := r.noteChanged(tx, changed); err != nil {
		return err
	}
	r.Reserved, r.Settled, r.SettledPayout = r.Reserved-settled, r.Settled+settled, r.SettledPayout+payout
	_, err := tx.Exec(`UPDATE settlement_runs SET place = $3, reserved = $4, settled = $5, settled_payout = $6 WHERE tenant_id = $1
		AND id = $2`,
		r.ID, r.Place, r.Reserved, r.Settled, int64(r.SettledPayout))
	return err
}

package settlements

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"saldo/internal/drivers"
	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/tracking"
)

// Explained is a settlement with everything behind it.
type Explained struct {
	Driver   *Driver
	Settled  *Settlement // nil: it is pending
	Computed *engine.Settlement
	Terms    snapshot.Terms
	Schema   string
	Warnings []engine.Warning
	Refusal  engine.Refusal // why what is pending cannot be settled; empty: it can
	Carries  []Carry
	Absorbed []calendar.Period
	Rows     []ledger.Transaction     // what the explanations name, by day
	Origins  map[string]ledger.Origin // of those rows, by their ids
	Invoices []invoices.Brief         // what the explanations name besides
	Trips    []tracking.Trip          // the same
	Last     *Settlement              // of the period before; nil: none
	Revoked  *Settlement              // of the same period, the newest that was revoked; nil: none
}

// ExplainPending explains what a driver has pending in a period.
func (d *Service) ExplainPending(tx *db.Tx, driver string, period calendar.Period) (e Explained, err error) {
	found, err := d.pending(tx, period, []string{driver})
	if err != nil {
		return e, err
	}
	if len(found) == 0 {
		return e, ErrNotFound
	}
	p := &found[0]
	if p.failed != nil {
		return e, p.failed
	}
	b, err := d.book(tx)
	if err != nil {
		return e, err
	}
	t, err := b.keptTerms(p.Settlement)
	if err != nil {
		return e, err
	}
	if e.Terms, err = snapshot.ParseTerms(t.Text); err != nil {
		return e, err
	}
	e.Driver, e.Computed, e.Schema, e.Warnings, e.Refusal = p.Driver, p.Settlement, p.Schema, p.Warnings, p.Refusal()
	return e, e.around(tx, driver, period, p.Weeks)
}

// Explain explains a settled settlement from exactly what it took. A figure
// that does not come out as it was kept is an error: nothing is shown that is
// not true.
func (d *Service) Explain(tx *db.Tx, id string) (e Explained, err error) {
	if e, err = ExplainFigures(tx, id); err != nil {
		return e, err
	}
	return e, e.around(tx, e.Settled.DriverID, e.Settled.Period, int(e.Settled.Weeks))
}

// ExplainFigures is Explain without what the explanations name, and without the settlements to compare with: a page that shows none of
// it reads no row twice.
func ExplainFigures(tx *db.Tx, id string) (e Explained, err error) {
	s, err := Of(tx, id)
	if err != nil {
		return e, err
	}
	e.Settled = &s
	driver, err := db.One[Driver](tx, `SELECT `+driverColumns+` FROM drivers WHERE tenant_id = $1 AND id = $2`, s.DriverID)
	if err != nil {
		return e, err
	}
	e.Driver = &driver
	text, err := db.One[string](tx, `SELECT terms FROM settlement_terms WHERE tenant_id = $1 AND id = $2`, s.TermsID)
	if err != nil {
		return e, err
	}
	if e.Terms, err = snapshot.ParseTerms(text); err != nil {
		return e, err
	}
	e.Schema = e.Terms.Rules.Name
	if s.State != Revoked { // what a revoked one took is free again
		computed, err := again(tx, &s, &e.Terms)
		if err != nil {
			return e, err
		}
		e.Computed = &computed
	}
	if e.Carries, err = CarriesOf(tx, id); err != nil {
		return e, err
	}
	closed, err := absorbedBy(tx, id)
	if err != nil {
		return e, err
	}
	for _, a := range closed {
		e.Absorbed = append(e.Absorbed, a.Period)
	}
	return e, nil
}

// Lines are the steps from the start balance to what is due.
func (e *Explained) Lines(cash engine.CashLines) ([]engine.Line, error) {
	if e.Settled == nil {
		return engine.Lines(&e.Computed.Figures, e.Computed.Apps, &e.Terms.Rules, cash)
	}
	figures, err := e.Settled.KeptFigures()
	if err != nil {
		return nil, err
	}
	kept, err := e.Settled.KeptApps()
	if err != nil {
		return nil, err
	}
	return engine.Lines(&figures, snapshot.EngineApps(kept), &e.Terms.Rules, cash)
}

// ErrNotAsKept tells that a settlement does not come out as it was kept.
var ErrNotAsKept = errors.New("a settlement does not come out as it was kept")

// again computes a settlement once more from what it took, and compares.
func again(tx *db.Tx, s *Settlement, t *snapshot.Terms) (engine.Settlement, error) {
	inputs, err := inputsOf(tx, []Settlement{*s})
	if err != nil {
		return engine.Settlement{}, err
	}
	return s.from(inputs[0], t)
}

// from computes a settlement from its input, and compares.
func (s *Settlement) from(in engine.Input, t *snapshot.Terms) (engine.Settlement, error) {
	in.Terms = t.Engine()
	computed, err := engine.Compute(in)
	if err != nil {
		return computed, err
	}
	kept, err := s.KeptFigures()
	if err != nil {
		return computed, err
	}
	for _, f := range engine.AllFigures() {
		if computed.Figures[f] != kept[f] {
			return computed, fmt.Errorf("%w: %s of number %d is %d, kept was %d", ErrNotAsKept, f, s.Number, computed.Figures[f], kept[f])
		}
	}
	return computed, nil
}

// inputsOf are what settlements were made of, besides their terms: what they
// took, what of their weeks was settled before, and what was carried in. They
// are a hundred at most.
func inputsOf(tx *db.Tx, list []Settlement) ([]engine.Input, error) {
	inputs, place, ids, own := make([]engine.Input, len(list)), map[string]int{}, make([]string, len(list)), make([]base, len(list))
	for i, s := range list {
		place[s.ID], ids[i] = i, s.ID
		own[i] = base{ID: s.ID, Period: s.Period, Weeks: int(s.Weeks), FirstOn: s.FirstOn, LastOn: s.LastOn, Figures: s.Figures}
	}
	taken, err := settledOf(tx, own)
	if err != nil {
		return nil, err
	}
	in, args := db.Filled(2, ids)
	bases, err := db.Select[base](tx, `SELECT `+baseColumns+`, b.settlement_id AS standing FROM settlement_bases b
		JOIN settlements s ON s.tenant_id = b.tenant_id AND s.id = b.base_id
		WHERE b.tenant_id = $1 AND b.settlement_id `+in+``, args...)
	if err != nil {
		return nil, err
	}
	// sorted here: for an ORDER BY SQLite would read the settlements of the whole fleet
	slices.SortFunc(bases, func(a, b base) int { return cmp.Compare(a.Number, b.Number) })
	before, err := settledOf(tx, bases)
	if err != nil {
		return nil, err
	}
	for i, b := range bases {
		of := &inputs[place[b.Standing]]
		of.Before = append(of.Before, before[i])
	}
	given, err := invoices.TakenBy(tx, ids)
	if err != nil {
		return nil, err
	}
	for i, s := range list {
		inputs[i].Invoices = given[s.ID]
		inputs[i].Period, inputs[i].CarryIn, inputs[i].Transactions = s.Period, s.CarryIn, taken[i].Transactions
		inputs[i].Trips = taken[i].Trips
		inputs[i].First, inputs[i].Last = s.FirstOn, s.LastOn
		if s.CarryIn == 0 {
			continue
		}
		into := s.ID
		if s.AbsorbedInto != "" {
			into = s.AbsorbedInto
		}
		closed, err := absorbedBy(tx, into)
		if err != nil {
			return nil, err
		}
		for _, a := range closed {
			if a.Period < s.Period {
				inputs[i].CarriedFrom = append(inputs[i].CarriedFrom, a.Period)
			}
		}
	}
	return inputs, nil
}

// around adds the rows that are named and the settlements to compare with.
func (e *Explained) around(tx *db.Tx, driver string, period calendar.Period, weeks int) error {
	if e.Computed != nil {
		ids, named, driven := []string{}, map[string]bool{}, map[string]bool{}
		for _, one := range e.Computed.Explanations() {
			for _, p := range one.Parts {
				for _, r := range p.Rows {
					if r.Kind == engine.OfTransaction {
						ids = append(ids, r.ID)
					} else if r.Kind == engine.OfInvoice {
						named[r.ID] = true
					} else {
						driven[r.ID] = true // a trip, or its cash
					}
				}
			}
		}
		var err error
		if e.Invoices, err = invoices.Briefs(tx, slices.Sorted(maps.Keys(named))); err != nil {
			return err
		}
		if e.Trips, err = tracking.TripsNamed(tx, slices.Sorted(maps.Keys(driven))); err != nil {
			return err
		}
		if e.Rows, err = ledger.ByIDs(tx, driver, e.Computed.First, e.Computed.Last, ids); err != nil {
			return err
		}
		if e.Origins, err = ledger.Origins(tx, e.Rows); err != nil {
			return err
		}
	}
	// The days lead to the driver's few: asked for a period or for the newest, SQLite reads those of all drivers.
	last := previous(period, weeks)
	near, err := db.Select[Settlement](tx, settlementQuery+` AND s.driver_id`+drivers.Those("$2")+` AND s.last_on BETWEEN $3 AND $4`,
		driver, string(last.Monday()), string(latest(period)))
	if err != nil {
		return err
	}
	slices.SortFunc(near, func(a, b Settlement) int { return cmp.Compare(a.Number, b.Number) })
	for i := range near {
		switch s := &near[i]; {
		case s.Period == last && s.State != Revoked && s.AbsorbedInto == "":
			e.Last = s
		case s.Period == period && s.State == Revoked && (e.Settled == nil || s.Number < e.Settled.Number):
			e.Revoked = s
		}
	}
	return nil
}

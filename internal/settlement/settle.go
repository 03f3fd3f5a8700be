package settlement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"saldo/internal/audit"
	"saldo/internal/calendar"
	"saldo/internal/db"
	"saldo/internal/fleet"
	"saldo/internal/jobs"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/money"
	"saldo/internal/settlement/engine"
)

// batch is how many drivers one unit of work of a job settles. Nothing of one
// driver depends on another in it: whoever cannot be computed fails alone.
const batch = many

// Settle goes on with a run from where it is, however often it was interrupted.
func (d *Desk) Settle(ctx context.Context, job *jobs.Run) error {
	var t ticket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var r Run
	var changed map[string]*money.Amount
	err := job.Read(ctx, func(tx *db.Tx) (err error) {
		if r, err = RunOf(tx, t.Run); err != nil || r.State != RunRunning || r.Place >= 0 {
			return err
		}
		changed, err = d.changes(tx, &r, all)
		return err
	})
	if err != nil {
		return err
	}
	if r.State == RunRunning && r.Place < 0 {
		if changed == nil {
			changed = map[string]*money.Amount{}
		}
		if err := job.Write(ctx, func(tx *db.Tx) (err error) {
			if r, err = RunOf(tx, t.Run); err != nil {
				return err
			}
			return d.begin(tx, &r, changed)
		}); err != nil {
			return err
		}
	}
	size := batch
	for r.State == RunRunning {
		err := job.Write(ctx, func(tx *db.Tx) (err error) {
			if r, err = RunOf(tx, t.Run); err != nil || r.State != RunRunning {
				return err
			}
			return d.advance(tx, &r, size)
		})
		var uncomputed *uncomputed
		switch {
		case errors.As(err, &uncomputed) && size > 1:
			size = 1 // find out whose it is
		case err != nil:
			return err
		default:
			size = batch
		}
	}
	return nil
}

// changes are the drivers of a run whose figures are not what was shown, with
// what is due now; nil: nothing is.
func (d *Desk) changes(tx *db.Tx, r *Run, whose []string) (map[string]*money.Amount, error) {
	b, err := d.book(tx)
	if err != nil {
		return nil, err
	}
	chains, err := d.chains(tx, b, r.Period, whose)
	if err != nil {
		return nil, err
	}
	now := make(map[string]*engine.Settlement, len(chains))
	for _, c := range chains {
		if at := c.at(r.Period); at >= 0 {
			now[c.ID] = &c.periods[at]
		}
	}
	changed := map[string]*money.Amount{}
	shown, err := db.Select[struct{ DriverID, Shown string }](tx, `SELECT driver_id, shown FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2 AND refusal = ''`, r.ID)
	for _, one := range shown {
		switch s := now[one.DriverID]; {
		case s == nil:
			changed[one.DriverID] = nil
		case shownAs(s) != one.Shown:
			due := s.Figures[engine.Due]
			changed[one.DriverID] = &due
		}
	}
	return changed, err
}

// begin ends a run where anything is not as it was shown, or where the licence
// has too few units; else it reserves them, so that no other run can use them.
func (d *Desk) begin(tx *db.Tx, r *Run, changed map[string]*money.Amount) (err error) {
	if changed == nil {
		whose, err := db.Select[string](tx, `SELECT driver_id FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2 AND refusal = '' ORDER BY place`, r.ID)
		if err != nil {
			return err
		}
		if changed, err = d.changes(tx, r, whose); err != nil {
			return err
		}
	}
	if len(changed) > 0 {
		for driver, due := range changed {
			now := money.Amount(0)
			if due != nil {
				now = *due
			}
			if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'changed', due_now = $4, reason = $5 WHERE tenant_id = $1 AND run_id = $2 AND driver_id = $3`,
				r.ID, driver, int64(now), map[bool]string{true: "gone"}[due == nil]); err != nil {
				return err
			}
		}
		return r.end(tx, RunChanged, 0)
	}
	r.Reserved = r.Drivers
	if r.AsManyAsFit {
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
	if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'refused' WHERE tenant_id = $1 AND run_id = $2 AND refusal <> ''`, r.ID); err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE settlement_runs SET place = 0, reserved = $3 WHERE tenant_id = $1 AND id = $2`, r.ID, r.Reserved)
	return err
}

func (r *Run) end(tx *db.Tx, state RunState, missing int64) error {
	r.State, r.Missing, r.FinishedAt = state, missing, tx.Now
	_, err := tx.Exec(`UPDATE settlement_runs SET state = $3, missing = $4, finished_at = $5, reserved = 0 WHERE tenant_id = $1 AND id = $2`, r.ID, string(state), missing, tx.Now)
	return err
}

// advance settles the next drivers of a run and ends it after the last.
func (d *Desk) advance(tx *db.Tx, r *Run, size int) error {
	next, err := db.Select[struct {
		Place           int64
		DriverID, Shown string
	}](tx, `SELECT place, driver_id, shown FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2 AND place > $3 AND place <= $4 ORDER BY place LIMIT $5`,
		r.ID, r.Place, r.Drivers, min(int64(size), r.Reserved))
	if err != nil {
		return err
	}
	if len(next) == 0 {
		if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'limit' WHERE tenant_id = $1 AND run_id = $2 AND place > $3 AND refusal = ''`, r.ID, r.Place); err != nil {
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
	b, err := d.book(tx)
	if err != nil {
		return err
	}
	from := r.Place
	r.Place = next[len(next)-1].Place
	chains, err := d.chains(tx, b, r.Period, whose)
	if wrong := new(uncomputed); errors.As(err, &wrong) && len(next) == 1 {
		return r.failed(tx, next[0].Place, err)
	}
	if err != nil {
		return err
	}
	byDriver := make(map[string]*chain, len(chains))
	for _, c := range chains {
		byDriver[c.ID] = c
	}
	w := writing{tx: tx, book: b, run: r}
	outcomes := map[int64]changedTo{}
	for _, one := range next {
		c := byDriver[one.DriverID]
		at := -1
		if c != nil {
			at = c.at(r.Period)
		}
		switch {
		case at < 0:
			outcomes[one.Place] = changedTo{gone: true}
		case shownAs(&c.periods[at]) != one.Shown || c.periods[at].Refusal() != "":
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

type changedTo struct {
	due  money.Amount
	gone bool
}

// note writes down how far a run is and what became of its drivers since.
func (r *Run) note(tx *db.Tx, from int64, changed map[int64]changedTo, settled int64, payout money.Amount) error {
	if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'settled' WHERE tenant_id = $1 AND run_id = $2 AND place > $3 AND place <= $4`, r.ID, from, r.Place); err != nil {
		return err
	}
	for place, c := range changed {
		if _, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'changed', due_now = $4, reason = $5 WHERE tenant_id = $1 AND run_id = $2 AND place = $3`,
			r.ID, place, int64(c.due), map[bool]string{true: "gone"}[c.gone]); err != nil {
			return err
		}
	}
	r.Reserved, r.Settled, r.SettledPayout = r.Reserved-settled, r.Settled+settled, r.SettledPayout+payout
	_, err := tx.Exec(`UPDATE settlement_runs SET place = $3, reserved = $4, settled = $5, settled_payout = $6 WHERE tenant_id = $1 AND id = $2`,
		r.ID, r.Place, r.Reserved, r.Settled, int64(r.SettledPayout))
	return err
}

func (r *Run) failed(tx *db.Tx, place int64, why error) error {
	if err := r.note(tx, place-1, nil, 0, 0); err != nil {
		return err
	}
	text := []rune(why.Error())
	_, err := tx.Exec(`UPDATE settlement_run_drivers SET outcome = 'failed', reason = $4 WHERE tenant_id = $1 AND run_id = $2 AND place = $3`, r.ID, place, string(text[:min(len(text), 500)]))
	return err
}

// writing gathers the settlements of one unit of work and writes them together.
type writing struct {
	tx      *db.Tx
	book    *book
	run     *Run
	terms   map[string]string
	rows    []*kept
	carries []carry
	taken   int64
	counted int64
	payout  money.Amount
}

// kept is a settlement as it is about to be stored.
type kept struct {
	id, driver, absorbedInto, terms string
	ordinal, taken                  int64
	carryIn                         money.Amount
	s                               *engine.Settlement
	bases                           []string
	figures, apps, transfers        string
}

type carry struct {
	engine.Carry
	id, settlement, driver, transaction string
}

// add settles a chain's period with the older negative ones that it absorbs.
func (w *writing) add(c *chain, at int) error {
	closing, err := engine.Close(c.periods, at)
	if err != nil {
		return err
	}
	id := w.tx.NewID()
	for _, place := range closing.Absorbed {
		if err := w.keep(c, place, w.tx.NewID(), id); err != nil {
			return err
		}
	}
	if err := w.keep(c, at, id, ""); err != nil {
		return err
	}
	for _, one := range closing.Carries {
		made := carry{Carry: one, id: w.tx.NewID(), settlement: id, driver: c.ID}
		if !closing.Waits {
			made.transaction = w.tx.NewID()
		}
		w.carries = append(w.carries, made)
	}
	w.counted++
	w.payout, err = w.payout.Add(c.periods[at].Figures[engine.Payout])
	return err
}

func (w *writing) keep(c *chain, at int, id, absorbedInto string) (err error) {
	s := &c.periods[at]
	if err := s.Explained(); err != nil {
		return err
	}
	k := &kept{id: id, driver: c.ID, absorbedInto: absorbedInto, s: s, taken: int64(len(s.Takes()))}
	if len(s.CarriedFrom) > 0 {
		k.carryIn = c.periods[at-1].Figures[engine.Due]
	}
	k.bases, k.ordinal = c.basesOf(s)
	t, err := w.book.storedTerms(s)
	if err != nil {
		return err
	}
	if w.terms == nil {
		w.terms = map[string]string{}
	}
	k.terms, w.terms[t.id] = t.id, t.text
	if k.figures, err = figuresText(&s.Figures); err != nil {
		return err
	}
	if k.apps, err = appsText(s.Apps); err != nil {
		return err
	}
	if k.transfers, err = transfersText(s.Transfers); err != nil {
		return err
	}
	w.rows, w.taken = append(w.rows, k), w.taken+k.taken
	return nil
}

func (w *writing) write() error {
	if len(w.rows) == 0 {
		return nil
	}
	tx := w.tx
	for id, text := range w.terms {
		if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, id, text); err != nil {
			return err
		}
	}
	last, err := db.One[int64](tx, `INSERT INTO settlement_numbers (tenant_id, last) VALUES ($1, $2)
		ON CONFLICT (tenant_id) DO UPDATE SET last = settlement_numbers.last + excluded.last RETURNING last`, len(w.rows))
	if err != nil {
		return err
	}
	first := last - int64(len(w.rows)) + 1
	if err := w.insert(first); err != nil {
		return err
	}
	taken, err := tx.Exec(`UPDATE transactions SET settlement_id = s.id FROM settlements s
		WHERE transactions.tenant_id = $1 AND s.tenant_id = $1 AND s.number BETWEEN $2 AND $3 AND transactions.driver_id = s.driver_id AND transactions.occurred_on BETWEEN s.first_on AND s.last_on
		AND transactions.settlement_id = '' AND transactions.deleted_at = '' AND transactions.type <> '`+ledger.Unknown+`'`, first, last)
	if err != nil {
		return err
	}
	if taken != w.taken {
		return fmt.Errorf("settlement: %d transactions were taken, not %d", taken, w.taken)
	}
	if _, err := tx.Exec(`UPDATE drivers SET settled_on = s.last_on FROM settlements s
		WHERE drivers.tenant_id = $1 AND s.tenant_id = $1 AND s.number BETWEEN $2 AND $3 AND s.absorbed_into = '' AND drivers.id = s.driver_id AND drivers.settled_on < s.last_on`, first, last); err != nil {
		return err
	}
	return w.insertCarries()
}

func (w *writing) insert(first int64) error {
	tx, shared := w.tx, ""
	if w.run.Share {
		shared = db.Instant(tx.Now)
	}
	_, err := tx.Insert("settlements", []string{"id", "number", "driver_id", "period", "ordinal", "weeks", "first_on", "last_on", "absorbed_into", "terms_id", "transactions", "carry_in",
		"revenue", "cash_collected", "fee", "due", "payout", "next_period_transfer", "tax_excess", "figures", "apps", "transfers",
		"run_id", "state", "currency", "settled_at", "settled_by", "shared_at", "paid_on", "paid_at", "paid_by", "revoked_at", "revoked_by", "revoke_reason"}, func(yield func([]any) bool) {
		for i, k := range w.rows {
			f := &k.s.Figures
			if !yield([]any{k.id, first + int64(i), k.driver, string(k.s.Period), k.ordinal, int64(k.s.Weeks), string(k.s.First), string(k.s.Last), k.absorbedInto, k.terms, k.taken, int64(k.carryIn),
				int64(f[engine.Revenue]), int64(f[engine.CashCollected]), int64(f[engine.Fee]), int64(f[engine.Due]), int64(f[engine.Payout]), int64(f[engine.NextPeriodTransfer]), int64(f[engine.TaxExcess]), k.figures, k.apps, k.transfers,
				w.run.ID, string(Settled), string(w.book.instance.Currency), tx.Now, w.run.StartedBy, shared, "", "", "", "", "", ""}) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if supplementary := slices.ContainsFunc(w.rows, func(k *kept) bool { return len(k.bases) > 0 }); !supplementary {
		return w.record(first)
	}
	if _, err := tx.Insert("settlement_bases", []string{"settlement_id", "base_id"}, func(yield func([]any) bool) {
		for _, k := range w.rows {
			for _, base := range k.bases {
				if !yield([]any{k.id, base}) {
					return
				}
			}
		}
	}); err != nil {
		return err
	}
	return w.record(first)
}

// record writes the settlements into the trail.
func (w *writing) record(first int64) error {
	return audit.RecordAll(w.tx, func(yield func(audit.Change) bool) {
		for i, k := range w.rows {
			if !yield(audit.Change{Action: "settlements.settle", Kind: kindOfSettlement, ID: k.id, After: map[string]any{"number": first + int64(i), "period": k.s.Period, "payout": k.s.Figures[engine.Payout]}}) {
				return
			}
		}
	})
}

func (w *writing) insertCarries() error {
	if len(w.carries) == 0 {
		return nil
	}
	tx := w.tx
	_, err := tx.Insert("settlement_carries", []string{"id", "settlement_id", "driver_id", "type", "amount", "occurred_on", "from_period", "transaction_id", "carried_at", "carried_by"},
		func(yield func([]any) bool) {
			for _, c := range w.carries {
				at, by := "", ""
				if c.transaction != "" {
					at, by = db.Instant(tx.Now), w.run.StartedBy
				}
				if !yield([]any{c.id, c.settlement, c.driver, c.Type, int64(c.Amount), string(c.On), string(c.From), c.transaction, at, by}) {
					return
				}
			}
		})
	if err != nil {
		return err
	}
	_, err = fleet.RecordTransactions(tx, "", func(yield func(*fleet.Transaction) bool) {
		for _, c := range w.carries {
			if c.transaction != "" && !yield(carried(c.transaction, c.driver, c.Type, c.Amount, c.On, c.From, w.book.instance.Currency)) {
				return
			}
		}
	})
	return err
}

// carried is what a settlement leaves, as a transaction of the next period.
func carried(id, driver, typ string, amount money.Amount, on calendar.Date, from calendar.Period, currency money.Currency) *fleet.Transaction {
	return &fleet.Transaction{ID: id, DriverID: driver, Provider: "INTERNAL", Type: typ, Amount: amount, Currency: currency, OccurredOn: on, Source: "carry", ExternalID: string(from)}
}

// App is what a settlement kept of one app.
type App struct {
	Provider      string       `json:"provider"`
	Income        money.Amount `json:"income"`
	Bonus         money.Amount `json:"bonus"`
	Tips          money.Amount `json:"tips"`
	CashCollected money.Amount `json:"cashCollected"`
	Fee           money.Amount `json:"fee"`
	WorkingDays   int          `json:"workingDays"`
}

func appsOf(apps []engine.App) []App {
	list := make([]App, len(apps))
	for i, a := range apps {
		list[i] = App{a.Provider, a.Income, a.Bonus, a.Tips, a.CashCollected, a.Fees, a.WorkingDays}
	}
	return list
}

func appsText(apps []engine.App) (string, error) {
	text, err := json.Marshal(appsOf(apps))
	return string(text), err
}

// Transfer is a part of the payout as a settlement kept it.
type Transfer struct {
	Purpose engine.Purpose `json:"purpose"`
	Amount  money.Amount   `json:"amount"`
	VAT     money.Amount   `json:"vat"`
	NameVAT bool           `json:"nameVat"`
}

func transfersOf(transfers []engine.Transfer) []Transfer {
	list := make([]Transfer, len(transfers))
	for i, t := range transfers {
		list[i] = Transfer{t.Purpose, t.Amount, t.VAT, t.NameVAT}
	}
	return list
}

func transfersText(transfers []engine.Transfer) (string, error) {
	text, err := json.Marshal(transfersOf(transfers))
	return string(text), err
}

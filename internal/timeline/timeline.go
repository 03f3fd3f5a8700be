package timeline

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
)

// Service reads timelines.
type Service struct {
	Settlements *settlements.Service
	Payouts     *payouts.Service
}

// Timeline is where the money of a settlement is.
type Timeline struct {
	Steps   []Step
	Account string // the end of the account that is or would be paid; empty: none
	Usual   int    // weekday on which the partner usually pays, Monday is 1; 0: nobody knows
}

// digits is how much of an account is shown.
const digits = 4

func end(a official.Account) string { return string(a[max(0, len(a)-digits):]) }

// Of is the timeline of a settlement.
func (d *Service) Of(tx *db.Tx, id string) (t Timeline, err error) {
	s, err := settlements.Of(tx, id)
	if err != nil {
		return t, err
	}
	return d.of(tx, &s)
}

func (d *Service) of(tx *db.Tx, s *settlements.Settlement) (t Timeline, err error) {
	f := Facts{Settlement: s, Today: d.today(tx)}
	if f.ShownAt, err = shownAt(tx, s.ID); err != nil {
		return t, err
	}
	if err := f.imported(tx, s.DriverID, s.FirstOn, s.LastOn, s.ID); err != nil {
		return t, err
	}
	sent, err := summaries.Standings(tx, []string{s.ID})
	if err != nil {
		return t, err
	}
	if m, ok := sent[s.ID]; ok {
		f.Mailed, f.Mail, f.MailAt = true, m.State, m.At
	}
	if f.Attempts, err = d.Payouts.AttemptsOf(tx, s.ID); err != nil {
		return t, err
	}
	if s.State == settlements.Settled && s.Payout > 0 {
		if s.Batch == 0 {
			if f.Hindrance, err = d.Payouts.HindranceOf(tx, s); err != nil {
				return t, err
			}
		}
		if f.Usual, err = d.usual(tx); err != nil {
			return t, err
		}
	}
	t = Timeline{Steps: Steps(&f), Usual: f.Usual}
	if s.Payout > 0 && s.State != settlements.Revoked {
		t.Account, err = d.account(tx, s, f.Attempts)
	}
	return t, err
}

// account is the end of the account that a settlement is or would be paid to.
func (d *Service) account(tx *db.Tx, s *settlements.Settlement, attempts []payouts.Attempt) (string, error) {
	for _, a := range attempts {
		if a.Here {
			return end(a.Account), nil
		}
	}
	if s.State == settlements.Paid { // outside of every batch: nobody knows to which
		return "", nil
	}
	account, err := drivers.AccountOf(tx, d.Payouts.Vault, s.CanonicalDriver())
	return end(account), err
}

// imported adds the last file that brought rows to a driver's days; of a settlement only those that it took.
func (f *Facts) imported(tx *db.Tx, driver string, first, last calendar.Date, settlement string) error {
	ids, err := ledger.ImportsOf(tx, driver, first, last, settlement)
	if err != nil {
		return err
	}
	for _, id := range ids {
		i, err := imports.Of(tx, id)
		if err != nil {
			return err
		}
		if i.FinishedAt.After(f.ImportedAt) {
			f.File, f.ImportedAt = i.FileName, i.FinishedAt
		}
	}
	return nil
}

func (d *Service) today(tx *db.Tx) calendar.Date {
	return calendar.DateOf(tx.Now, d.Settlements.Instance.Location(), 0)
}

// usualDays is how far back days of payment are looked at.
const usualDays = 26 * 7

func (d *Service) usual(tx *db.Tx) (int, error) {
	days, err := paydays(tx, d.today(tx).AddDays(-usualDays))
	return usual(days), err
}

// Payday is a day on which settlements of one period were paid.
type Payday struct {
	LastOn, PaidOn calendar.Date // LastOn: of the period
	Count          int64
}

// paydays are the days of payment from a day on.
func paydays(tx *db.Tx, from calendar.Date) ([]Payday, error) {
	return db.Select[Payday](tx, `SELECT last_on, paid_on, COUNT(*) AS count FROM settlements WHERE tenant_id = $1 AND state = 'paid'
		AND paid_on >= $2 GROUP BY last_on, paid_on`, string(from))
}

// shownAt is when the figures of a settlement were shown to whoever settled it; zero: nobody knows.
func shownAt(tx *db.Tx, id string) (time.Time, error) {
	at, err := db.One[time.Time](tx, `SELECT r.created_at FROM settlements s JOIN settlement_runs r ON r.tenant_id = s.tenant_id
		AND r.id = s.run_id WHERE s.tenant_id = $1 AND s.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}
	return at, err
}

// settledTo is the last day of a driver that is settled; empty: none is.
func settledTo(tx *db.Tx, driver string) (calendar.Date, error) {
	day, err := db.One[calendar.Date](tx, `SELECT settled_on FROM drivers WHERE tenant_id = $1 AND id = $2`, driver)
	if errors.Is(err, db.ErrNone) {
		err = settlements.ErrNotFound
	}
	return day, err
}

// OfPending is the timeline of a driver's period that is not settled.
func (d *Service) OfPending(tx *db.Tx, driver string, period calendar.Period) (t Timeline, err error) {
	if _, err := settledTo(tx, driver); err != nil { // whoever is not there waits for nothing
		return t, err
	}
	first := period.Monday()
	f := Facts{Today: d.today(tx), Pending: &PendingFacts{Last: first.AddDays(6)}}
	p := f.Pending
	e, err := d.Settlements.ExplainPending(tx, driver, period)
	switch {
	case errors.Is(err, settlements.ErrNotFound):
		p.Nothing = true
	case err != nil:
		return t, err
	default:
		first, p.Last, p.Refusal = e.Computed.First, e.Computed.Last, e.Refusal
	}
	missing, err := d.Settlements.Imports.MissingFiles(tx, period)
	if err != nil {
		return t, err
	}
	for _, m := range missing {
		p.Missing = append(p.Missing, m.Provider)
	}
	if p.Units, err = licences.Left(tx); err != nil {
		return t, err
	}
	if err := f.imported(tx, driver, first, p.Last, ""); err != nil {
		return t, err
	}
	if f.Usual, err = d.usual(tx); err != nil {
		return t, err
	}
	return Timeline{Steps: Steps(&f), Usual: f.Usual}, nil
}

// Next is what a driver gets next.
type Next struct {
	Settlement  *settlements.Settlement // nil: it is not settled
	First, Last calendar.Date
	Timeline
}

// sharedMost is among how many of the newest settlements the next one to be paid is looked for.
const sharedMost = 60

// NextOf is the oldest settlement that a driver may see and that is to be paid, else the last week that has ended, unless it is settled.
func (d *Service) NextOf(tx *db.Tx, driver string) (n Next, err error) {
	shared, err := settlements.SharedWith(tx, driver, "", sharedMost)
	if err != nil {
		return n, err
	}
	for _, s := range slices.Backward(shared) {
		if s.State != settlements.Settled || s.Payout <= 0 || s.AbsorbedInto != "" {
			continue
		}
		n = Next{Settlement: &s, First: s.FirstOn, Last: s.LastOn}
		n.Timeline, err = d.of(tx, &s)
		return n, err
	}
	week := calendar.Recent(d.today(tx), 2)[1]
	settled, err := settledTo(tx, driver)
	if err != nil {
		return n, err
	}
	n.First, n.Last = week.Monday(), week.Monday().AddDays(6)
	if settled >= n.Last { // the running one is next
		week = week.Next()
		n.First, n.Last = week.Monday(), week.Monday().AddDays(6)
	}
	n.Timeline, err = d.OfPending(tx, driver, week)
	return n, err
}

// Contradicts says how a timeline differs from its settlement; empty: it does not. The last step that is reached is the settlement's state,
// and the next one waits for what the settlement's batch waits for.
func (t Timeline) Contradicts(s *settlements.Settlement) string {
	var last, next Step
	for _, one := range t.Steps {
		if one.Done {
			last = one
		} else {
			next = one
		}
	}
	state := map[Code]settlements.State{Paid: settlements.Paid, Revoked: settlements.Revoked}[last.Code]
	if state == "" {
		state = settlements.Settled
	}
	inBatch := last.Code == Batched || last.Code == Released || last.Code == Returned && next.Reason == ReturnedInPart
	switch {
	case state != s.State:
		return "its last step is " + string(last.Code)
	case s.State == settlements.Settled && (s.Batch > 0) != inBatch:
		return "it is in batch " + strconv.FormatInt(s.Batch, 10)
	case s.State == settlements.Settled && s.Payout > 0 && (next.Code != Paid || next.Reason == ""):
		return "nobody is told why it is not paid"
	case s.State == settlements.Settled && s.Payout == 0 && last.Code != Carried && next.Code != Carried:
		return "nobody is told what becomes of it"
	}
	return ""
}

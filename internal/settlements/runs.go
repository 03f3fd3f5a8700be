package settlements

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"saldo/internal/imports"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/settlements/engine"
)

// RunState is where a run stands.
type RunState string

// The states of a run.
const (
	RunPreview RunState = "preview" // shown, nothing is written
	RunRunning RunState = "running"
	RunDone    RunState = "done"
	RunChanged RunState = "changed" // something was not as it was shown: nothing was settled
	RunShort   RunState = "short"   // the licence has too few units: nothing was settled
)

// Outcome is what became of one driver of a run.
type Outcome string

// The outcomes; empty: not attempted.
const (
	OutcomeSettled Outcome = "settled"
	OutcomeRefused Outcome = "refused" // as it was shown
	OutcomeChanged Outcome = "changed" // since it was shown
	OutcomeLimit   Outcome = "limit"   // no unit of the licence was left
	OutcomeFailed  Outcome = "failed"
)

// SettleKind is the job that goes on with a run.
const SettleKind = "settlements.settle"

// atOnce is how many drivers are settled in the unit of work that asks for it.
const atOnce = 50

// Run is a request to settle, from what was shown before it to what became of it.
type Run struct {
	ID                   string
	Period               calendar.Period
	State                RunState
	Share, Partial       bool
	Drivers              int64        // who can be settled
	Payout               money.Amount // theirs
	Refused              int64        // who cannot
	Place                int64        // how far it is; -1: not begun
	Reserved             int64
	Settled              int64
	SettledPayout        money.Amount
	Missing              int64
	CreatedAt, StartedAt time.Time
	StartedBy            string
	FinishedAt           time.Time
}

var runColumns = strings.Join(db.ColumnsOf[Run](), ", ")

// newRun is a run as it is first stored: a dry run.
type newRun struct {
	Run
	Preview, CreatedBy string
	Trail              string // the newest entry of the audit trail
}

// RunOf is one of the partner's runs.
func RunOf(tx *db.Tx, id string) (Run, error) {
	r, err := db.One[Run](tx, `SELECT `+runColumns+` FROM settlement_runs WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrRunNotFound
	}
	return r, err
}

// RunDriver is one driver of a run.
type RunDriver struct {
	Place                         int64
	DriverID, FirstName, LastName string
	Due, Payout, DueNow           money.Amount
	Refusal                       engine.Refusal
	Outcome                       Outcome
	Reason                        string
	fingerprint                   string
}

// Check is something that should be looked at, and with whom.
type Check struct {
	Code    engine.WarningCode
	Count   int64
	Amount  money.Amount
	Drivers []string // the first
}

// RefusalGroup is why some are left pending.
type RefusalGroup struct {
	Refusal engine.Refusal
	Count   int64
	Amount  money.Amount
	Drivers []string
}

// PreviewDetails is what a person sees of a dry run besides the counts.
type PreviewDetails struct {
	Refusals     []RefusalGroup
	Checks       []Check
	MissingFiles []imports.MissingFile
	Unfinished   int64         // drivers whose period had not ended
	EndsOn       calendar.Date // last day of these; empty: all periods had ended
}

// PreviewOf is what was shown of a run.
func PreviewOf(tx *db.Tx, id string) (s PreviewDetails, err error) {
	text, err := db.One[string](tx, `SELECT preview FROM settlement_runs WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return s, ErrRunNotFound
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &s)
	}
	return s, err
}

// Preview is a dry run: what settling would do, and what to look at before.
type Preview struct {
	Run
	PreviewDetails
	drivers []RunDriver
	trail   string
}

// Selection says whom to settle: these drivers, or whom the filter chooses; of an earlier run only whom it did not settle.
type Selection struct {
	Filter  PendingFilter
	Drivers []string // empty: all of the filter
	Again   string   // a run
}

// namedMax is how many drivers a reason or check names.
const namedMax = 5

// Preview computes what a selection would do. It writes nothing; Keep does, so that it can be started.
func (d *Service) Preview(tx *db.Tx, w Selection) (p Preview, err error) {
	if w.Again != "" {
		former, err := RunOf(tx, w.Again)
		if err != nil {
			return p, err
		}
		w.Filter.Period = former.Period
		if w.Drivers, err = db.Select[string](tx, `SELECT driver_id FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2
			AND outcome <> 'settled'`, w.Again); err != nil {
			return p, err
		}
		if len(w.Drivers) == 0 {
			return p, ErrNothing
		}
	}
	if p.trail, err = audit.Newest(tx); err != nil {
		return p, err
	}
	found, err := d.pending(tx, w.Filter.Period, w.Drivers)
	if err != nil {
		return p, err
	}
	if found, err = w.Filter.chosen(tx, found); err != nil {
		return p, err
	}
	if len(found) == 0 {
		return p, ErrNothing
	}
	if p.MissingFiles, err = d.Imports.MissingFiles(tx, w.Filter.Period); err != nil {
		return p, err
	}
	return p, p.add(tx, w.Filter.Period, d.today(tx), found)
}

func (p *Preview) add(tx *db.Tx, period calendar.Period, today calendar.Date, found []Pending) (err error) {
	p.Run = Run{ID: tx.NewID(), Period: period, State: RunPreview, Place: -1, CreatedAt: tx.Now}
	slices.SortStableFunc(found, func(a, b Pending) int {
		// whom to settle first where units are few; then by name, as people read it
		return cmp.Or(cmp.Compare(b.Figures[engine.Due], a.Figures[engine.Due]), cmp.Compare(a.Driver.SearchKey, b.Driver.SearchKey),
			cmp.Compare(a.Driver.ID, b.Driver.ID))
	})
	refused := []RunDriver{}
	for i := range found {
		f := &found[i]
		one := RunDriver{DriverID: f.Driver.ID, Due: f.Figures[engine.Due], Payout: f.Figures[engine.Payout], Refusal: f.Refusal(),
			fingerprint: fingerprint(f.Settlement)}
		if one.Refusal != "" {
			refused = append(refused, one)
			p.refuse(one)
			continue
		}
		if f.Last >= today {
			p.Unfinished, p.EndsOn = p.Unfinished+1, max(p.EndsOn, f.Last)
		}
		one.Place = int64(len(p.drivers) + 1)
		p.drivers = append(p.drivers, one)
		if p.Payout, err = p.Payout.Add(one.Payout); err != nil {
			return err
		}
		for _, w := range f.Warnings {
			p.warn(w, f.Driver.ID)
		}
	}
	p.Drivers, p.Refused = int64(len(p.drivers)), int64(len(refused))
	for i := range refused {
		refused[i].Place = p.Drivers + int64(i) + 1
	}
	p.drivers = append(p.drivers, refused...)
	return nil
}

func (p *Preview) refuse(one RunDriver) {
	i := slices.IndexFunc(p.Refusals, func(g RefusalGroup) bool { return g.Refusal == one.Refusal })
	if i < 0 {
		i, p.Refusals = len(p.Refusals), append(p.Refusals, RefusalGroup{Refusal: one.Refusal})
	}
	g := &p.Refusals[i]
	g.Count++
	g.Amount += one.Due
	if len(g.Drivers) < namedMax {
		g.Drivers = append(g.Drivers, one.DriverID)
	}
}

func (p *Preview) warn(w engine.Warning, driver string) {
	i := slices.IndexFunc(p.Checks, func(c Check) bool { return c.Code == w.Code })
	if i < 0 {
		i, p.Checks = len(p.Checks), append(p.Checks, Check{Code: w.Code})
	}
	c := &p.Checks[i]
	c.Count++
	c.Amount += w.Amount
	if len(c.Drivers) < namedMax {
		c.Drivers = append(c.Drivers, driver)
	}
}

// fingerprint is the sum of everything that a person sees of a settlement: figures,
// transfers, what it carries, and the rules it is made by.
func fingerprint(s *engine.Settlement) string {
	text := make([]byte, 0, 512)
	number := func(n int64) { text = binary.AppendVarint(text, n) }
	for _, f := range engine.AllFigures() {
		number(int64(s.Figures[f]))
	}
	number(s.Schema.Number)
	number(s.Schema.Version)
	number(int64(s.Weeks))
	for _, t := range s.Transfers {
		text = append(text, t.Purpose...)
		number(int64(t.Amount))
	}
	for _, p := range s.CarriedFrom {
		text = append(text, p...)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// Keep writes a dry run down, so that exactly it can be started.
func (p *Preview) Keep(tx *db.Tx) error {
	shown, err := json.Marshal(p.PreviewDetails)
	if err != nil {
		return err
	}
	if err := db.Insert(tx, "settlement_runs", newRun{Run: Run{ID: p.ID, Period: p.Period, State: RunPreview, Drivers: p.Drivers,
		Payout: p.Payout, Refused: p.Refused, Place: -1, CreatedAt: tx.Now}, Preview: string(shown), CreatedBy: tx.Actor.Name,
		Trail: p.trail}); err != nil {
		return err
	}
	_, err = tx.Insert("settlement_run_drivers",
		[]string{"run_id", "place", "driver_id", "due", "payout", "fingerprint", "refusal", "outcome", "reason", "due_now"},
		func(yield func([]any) bool) {
			for i := range p.drivers {
				one := &p.drivers[i]
				if !yield([]any{p.ID, one.Place, one.DriverID, int64(one.Due), int64(one.Payout), one.fingerprint, string(one.Refusal), "", "",
					int64(0)}) {
					return
				}
			}
		})
	return err
}

// StartOptions say how to settle what a dry run showed.
type StartOptions struct {
	Share      bool // the drivers see it at once
	Partial    bool // with too few units of the licence settle the largest
	Unfinished bool // also before the period has ended: a person was told its last day
}

// Start settles whom a dry run showed, a few at once, more in a job. Who
// starts it again joins it; one that was short of units begins again.
func (d *Service) Start(tx *db.Tx, id string, o StartOptions) (Run, error) {
	r, err := RunOf(tx, id)
	if err != nil || r.State != RunPreview && r.State != RunShort {
		return r, err
	}
	shown, err := PreviewOf(tx, id)
	if err != nil {
		return r, err
	}
	if err := noRemoval(tx); err != nil {
		return r, err
	}
	if r.Drivers == 0 {
		return r, shown.nobody()
	}
	if shown.EndsOn >= d.today(tx) && !o.Unfinished {
		return r, ErrUnfinished.With("lastDay", string(shown.EndsOn)).With("drivers", shown.Unfinished)
	}
	if _, err := tx.Exec(`UPDATE settlement_runs SET state = 'running', share = $3, partial = $4, started_at = $5, started_by = $6,
		missing = 0, finished_at = ''
		WHERE tenant_id = $1 AND id = $2 AND state IN ('preview', 'short')`, id, o.Share, o.Partial, tx.Now, tx.Actor.Name); err != nil {
		return r, err
	}
	if err := audit.Record(tx, audit.Change{Action: "settlements.run", Kind: kindOfRun, ID: id,
		After: map[string]any{"period": r.Period, "drivers": r.Drivers, "payout": r.Payout}}); err != nil {
		return r, err
	}
	if r, err = RunOf(tx, id); err != nil {
		return r, err
	}
	if r.Drivers > atOnce {
		return r, jobs.Enqueue(tx, jobs.Order{Kind: SettleKind, Key: id, Payload: ticket{id}, Attempts: 1000})
	}
	return d.settleAtOnce(tx, r)
}

// settleAtOnce checks and settles a run in one unit, which computes its drivers once.
func (d *Service) settleAtOnce(tx *db.Tx, r Run) (Run, error) {
	whose, err := db.Select[string](tx, `SELECT driver_id FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2 AND refusal = ''
		ORDER BY place`, r.ID)
	if err != nil {
		return r, err
	}
	drivers, changed, err := d.check(tx, &r, whose)
	if err == nil {
		err = r.begin(tx, changed)
	}
	for err == nil && r.State == RunRunning {
		err = d.advance(tx, &r, drivers)
	}
	return r, err
}

// nobody says why there is nobody to settle.
func (s *PreviewDetails) nobody() error {
	has := func(refusal engine.Refusal) bool {
		return slices.ContainsFunc(s.Refusals, func(g RefusalGroup) bool { return g.Refusal == refusal })
	}
	switch {
	case has(engine.Negative):
		return ErrNegative
	case has(Blocked):
		return ErrBlocked
	}
	return ErrNothing
}

type ticket struct{ Run string }

// Outcomes are the drivers of a run whom it did not settle, with why, the first
// so many: those who changed or failed before those of whom nothing is new.
func Outcomes(tx *db.Tx, id string, limit int) ([]RunDriver, error) {
	return db.Select[RunDriver](tx, `SELECT r.place, r.driver_id, d.first_name, d.last_name, r.due, r.payout, r.refusal, r.outcome, r.reason,
		r.due_now
		FROM settlement_run_drivers r JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id
		WHERE r.tenant_id = $1 AND r.run_id = $2 AND r.outcome <> 'settled'
		ORDER BY CASE r.outcome WHEN 'changed' THEN 0 WHEN 'failed' THEN 1 WHEN 'limit' THEN 2 WHEN 'refused' THEN 3
		ELSE 4 END, r.place LIMIT $3`, id, limit)
}

// OutcomeCount says how many drivers of a run became what.
type OutcomeCount struct {
	Outcome Outcome
	Reason  string
	Count   int64
	Due     money.Amount
}

// OutcomeCounts are exact: they add up to all drivers of the run.
func OutcomeCounts(tx *db.Tx, id string) ([]OutcomeCount, error) {
	return db.Select[OutcomeCount](tx, `SELECT outcome, CASE WHEN outcome = 'refused' OR outcome = '' THEN refusal ELSE '' END AS reason,
		COUNT(*) AS count, CAST(SUM(due) AS BIGINT) AS due
		FROM settlement_run_drivers WHERE tenant_id = $1 AND run_id = $2
		GROUP BY outcome, CASE WHEN outcome = 'refused' OR outcome = '' THEN refusal ELSE '' END ORDER BY outcome, reason`, id)
}

// Sweep forgets dry runs that nobody started.
func SweepRuns(tx *db.Tx, before time.Time) error {
	at := db.Instant(before)
	if _, err := tx.Across().Exec(`DELETE FROM settlement_run_drivers WHERE EXISTS (SELECT 1 FROM settlement_runs r
		WHERE r.tenant_id = settlement_run_drivers.tenant_id
		AND r.id = settlement_run_drivers.run_id AND r.state = 'preview' AND r.created_at < $1)`, at); err != nil {
		return err
	}
	_, err := tx.Across().Exec(`DELETE FROM settlement_runs WHERE state = 'preview' AND created_at < $1`, at)
	return err
}

package api

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"saldo/internal/calendar"
	"saldo/internal/db"
	"saldo/internal/fault"
	"saldo/internal/money"
	"saldo/internal/settlement"
	"saldo/internal/settlement/engine"
	"saldo/internal/web"
)

// SettlementPeriod is a week that can be settled.
type SettlementPeriod struct {
	Code    string `json:"code" doc:"such as 2026-W45"`
	FirstOn string `json:"firstOn"`
	LastOn  string `json:"lastOn"`
}

// SettlementPeriods are the weeks, newest first.
type SettlementPeriods struct {
	Periods []SettlementPeriod `json:"periods" nullable:"false" doc:"newest first, the running week first; screens begin with the second"`
}

func (s Settings) settlementPeriods(tx *db.Tx, _ *nothing) (out SettlementPeriods, err error) {
	found, err := s.Settlements.Periods(tx)
	out.Periods = make([]SettlementPeriod, len(found))
	for i, p := range found {
		out.Periods[i] = SettlementPeriod{string(p.Code), string(p.First), string(p.Last)}
	}
	return out, err
}

// SettlementApp is what a settlement shows of one app.
type SettlementApp struct {
	Provider      string       `json:"provider"`
	Income        money.Amount `json:"income"`
	Bonus         money.Amount `json:"bonus"`
	Tips          money.Amount `json:"tips"`
	CashCollected money.Amount `json:"cashCollected"`
	Fee           money.Amount `json:"fee"`
	WorkingDays   int          `json:"workingDays"`
}

// SettlementWarning is something to look at before money moves.
type SettlementWarning struct {
	Code   string       `json:"code" enum:"unknown_rows,no_account,no_tax_id,no_schema,differs,account_changed,same_account"`
	Count  int          `json:"count"`
	Amount money.Amount `json:"amount"`
}

func warningsOf(found []engine.Warning) []SettlementWarning {
	list := make([]SettlementWarning, len(found))
	for i, w := range found {
		list[i] = SettlementWarning{string(w.Code), w.Count, w.Amount}
	}
	return list
}

// PendingSettlement is one driver's period as it would be settled now.
// Revenue - cash - fees - costs + previous = due.
type PendingSettlement struct {
	DriverID      string              `json:"driverId"`
	FirstName     string              `json:"firstName"`
	LastName      string              `json:"lastName"`
	SchemaNumber  int64               `json:"schemaNumber"`
	SchemaName    string              `json:"schemaName"`
	FirstOn       string              `json:"firstOn"`
	LastOn        string              `json:"lastOn"`
	Weeks         int                 `json:"weeks"`
	Supplementary bool                `json:"supplementary" doc:"something of the period is settled already"`
	Before        int                 `json:"before" doc:"older negative periods that it carries"`
	Apps          []SettlementApp     `json:"apps" nullable:"false"`
	Revenue       money.Amount        `json:"revenue"`
	Cash          money.Amount        `json:"cash" doc:"that the driver has already"`
	Fees          money.Amount        `json:"fees" doc:"the partner's charges for settling"`
	Costs         money.Amount        `json:"costs" doc:"everything else between revenue and due"`
	Previous      money.Amount        `json:"previous" doc:"from periods before"`
	Due           money.Amount        `json:"due"`
	Payout        money.Amount        `json:"payout"`
	LastPayout    *money.Amount       `json:"lastPayout" doc:"of the period before; null: there was none"`
	Refusal       string              `json:"refusal" enum:",negative,nothing_to_settle" doc:"why it cannot be settled; empty: it can"`
	Warnings      []SettlementWarning `json:"warnings" nullable:"false"`
}

// PendingTotals are those of the whole filter, as an equation: revenue - cash
// - fees - costs + previous = due.
type PendingTotals struct {
	Drivers    int64        `json:"drivers"`
	Settleable int64        `json:"settleable"`
	Warned     int64        `json:"warned" doc:"with a warning or a refusal"`
	Revenue    money.Amount `json:"revenue"`
	Cash       money.Amount `json:"cash"`
	Fees       money.Amount `json:"fees"`
	Costs      money.Amount `json:"costs"`
	Previous   money.Amount `json:"previous"`
	Due        money.Amount `json:"due"`
	Payout     money.Amount `json:"payout" doc:"of those that can be settled"`
	Providers  []string     `json:"providers" nullable:"false"`
}

// PendingSettlements is a page of what is pending in a period.
type PendingSettlements struct {
	Items  []PendingSettlement `json:"items" nullable:"false"`
	Totals PendingTotals       `json:"totals"`
	All    int64               `json:"all" doc:"drivers with something pending, without the filter"`
}

// pendingQuery is how a list of pending settlements is asked for.
type pendingQuery struct {
	Period     string `query:"period" required:"true" maxLength:"8"`
	Query      string `query:"query" maxLength:"200"`
	Tag        string `query:"tag" maxLength:"64"`
	Schema     int64  `query:"schema" minimum:"0"`
	Least      string `query:"least" maxLength:"20" doc:"of what is due, minor units; empty: no bound"`
	Most       string `query:"most" maxLength:"20"`
	Warning    string `query:"warning" maxLength:"40" doc:"a code of a warning or refusal; any: with some"`
	Sort       string `query:"sort" enum:"name,payout,revenue" default:"name"`
	Descending bool   `query:"descending"`
	Page       int64  `query:"page" minimum:"1" default:"1"`
	Size       int64  `query:"size" minimum:"1" maximum:"200" default:"50"`
}

func (q *pendingQuery) filter() (f settlement.PendingFilter, err error) {
	f = settlement.PendingFilter{Query: q.Query, Tag: q.Tag, Schema: q.Schema, Warning: q.Warning, Sort: q.Sort, Descending: q.Descending, Page: q.Page, Size: q.Size}
	if f.Period, err = period(q.Period); err != nil {
		return f, err
	}
	if f.Least, err = boundOf("least", q.Least); err != nil {
		return f, err
	}
	f.Most, err = boundOf("most", q.Most)
	return f, err
}

func period(code string) (calendar.Period, error) {
	p, err := calendar.ParsePeriod(code)
	if err != nil {
		return "", settlement.ErrPeriod.Field("period", fault.WrongFormat)
	}
	return p, nil
}

func boundOf(field, text string) (*money.Amount, error) {
	if text == "" {
		return nil, nil
	}
	var n int64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
		return nil, settlement.ErrInvalid.Field(field, fault.WrongFormat)
	}
	a := money.Amount(n)
	return &a, nil
}

func (s Settings) pendingSettlements(tx *db.Tx, in *pendingQuery) (out PendingSettlements, err error) {
	f, err := in.filter()
	if err != nil {
		return out, err
	}
	page, err := s.Settlements.PendingPage(tx, f)
	if err != nil {
		return out, err
	}
	t := page.Totals
	out = PendingSettlements{Items: make([]PendingSettlement, len(page.Items)), All: page.All,
		Totals: PendingTotals{t.Drivers, t.Settleable, t.Warned, t.Revenue, t.Cash, t.Fees, t.Costs, t.Previous, t.Due, t.Payout, t.Providers}}
	for i := range page.Items {
		out.Items[i] = pendingOf(&page.Items[i])
	}
	return out, nil
}

// PayablePending is a driver who could be settled.
type PayablePending struct {
	DriverID string       `json:"driverId"`
	Payout   money.Amount `json:"payout"`
}

// PayablePendings are all of a filter who could be settled.
type PayablePendings struct {
	Items []PayablePending `json:"items" nullable:"false"`
}

func (s Settings) payablePending(tx *db.Tx, in *pendingQuery) (out PayablePendings, err error) {
	out.Items = []PayablePending{}
	f, err := in.filter()
	if err != nil {
		return out, err
	}
	f.Page, f.Size = 1, math.MaxInt32
	page, err := s.Settlements.PendingPage(tx, f)
	for i := range page.Items {
		if p := &page.Items[i]; p.Refusal() == "" {
			out.Items = append(out.Items, PayablePending{p.Driver.ID, p.Figures[engine.Payout]})
		}
	}
	return out, err
}

func pendingOf(p *settlement.Pending) PendingSettlement {
	f := &p.Figures
	one := PendingSettlement{DriverID: p.Driver.ID, FirstName: p.Driver.FirstName, LastName: p.Driver.LastName, SchemaNumber: p.Settlement.Schema.Number, SchemaName: p.Schema,
		FirstOn: string(p.First), LastOn: string(p.Last), Weeks: p.Weeks, Supplementary: p.Supplementary, Before: p.Before, Apps: make([]SettlementApp, len(p.Apps)),
		Revenue: f[engine.Revenue], Cash: f[engine.CashDeducted], Fees: p.Fees(), Costs: p.Costs(), Previous: f[engine.PreviousPeriod], Due: f[engine.Due], Payout: f[engine.Payout],
		LastPayout: p.LastPaid, Refusal: string(p.Refusal()), Warnings: warningsOf(p.Warnings)}
	for i, a := range p.Apps {
		one.Apps[i] = SettlementApp{a.Provider, a.Income, a.Bonus, a.Tips, a.CashCollected, a.Fees, a.WorkingDays}
	}
	return one
}

// SettlementWish says whom to settle.
type SettlementWish struct {
	Period  string   `json:"period,omitempty" maxLength:"8"`
	Drivers []string `json:"drivers,omitempty" maxItems:"20000" doc:"empty: all of the filter"`
	Query   string   `json:"query,omitempty" maxLength:"200"`
	Tag     string   `json:"tag,omitempty" maxLength:"64"`
	Schema  int64    `json:"schema,omitempty" minimum:"0"`
	Least   string   `json:"least,omitempty" maxLength:"20"`
	Most    string   `json:"most,omitempty" maxLength:"20"`
	Warning string   `json:"warning,omitempty" maxLength:"40"`
	Again   string   `json:"again,omitempty" maxLength:"64" doc:"a run: whom it did not settle"`
}

// previewRun computes a dry run and keeps it. Computing needs no lock on what it reads.
func (s Settings) previewRun(ctx context.Context, c web.Call, in *struct{ Body SettlementWish }) (out Made, err error) {
	sum, err := web.Sum("preview-settlement-run", in)
	if err != nil {
		return out, err
	}
	b := &in.Body
	w := settlement.Wish{Drivers: b.Drivers, Again: b.Again}
	if b.Again == "" {
		q := pendingQuery{Period: b.Period, Query: b.Query, Tag: b.Tag, Schema: b.Schema, Least: b.Least, Most: b.Most, Warning: b.Warning}
		if w.Filter, err = q.filter(); err != nil {
			return out, err
		}
	}
	var p settlement.Preview
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) { p, err = s.Settlements.Preview(tx, w); return err }); err != nil {
		return out, err
	}
	err = s.DB.Write(ctx, c.Actor, func(tx *db.Tx) (err error) {
		out, _, err = web.Once(tx, c.Key, sum, func() (Made, error) { return Made{p.ID}, p.Keep(tx) })
		return err
	})
	return out, err
}

// SettlementCheck is a reason or a warning, with the first drivers it is about.
type SettlementCheck struct {
	Code    string        `json:"code"`
	Count   int64         `json:"count"`
	Amount  money.Amount  `json:"amount"`
	Drivers []NamedDriver `json:"drivers" nullable:"false" doc:"the first five"`
}

// NamedDriver is a driver as a list names them.
type NamedDriver struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// MissingFile is a provider whose file of the week is missing or covers only a part of it.
type MissingFile struct {
	Provider string `json:"provider"`
	State    string `json:"state" enum:"missing,partial"`
}

// RunOutcome counts the drivers of a run.
type RunOutcome struct {
	Outcome string       `json:"outcome" enum:",settled,refused,changed,limit,failed" doc:"empty: not attempted"`
	Reason  string       `json:"reason" enum:",negative,nothing_to_settle"`
	Count   int64        `json:"count"`
	Due     money.Amount `json:"due" doc:"as it was shown"`
}

// RunDriver is a driver whom a run did not settle.
type RunDriver struct {
	ID        string       `json:"id"`
	FirstName string       `json:"firstName"`
	LastName  string       `json:"lastName"`
	Due       money.Amount `json:"due" doc:"as it was shown"`
	DueNow    money.Amount `json:"dueNow" doc:"of one that changed"`
	Gone      bool         `json:"gone" doc:"nothing of theirs is pending any more"`
	Refusal   string       `json:"refusal" enum:",negative,nothing_to_settle"`
	Outcome   string       `json:"outcome" enum:",settled,refused,changed,limit,failed"`
	Reason    string       `json:"reason" doc:"of one that failed"`
}

// SettlementRun is a dry run, and what became of it once it was started.
type SettlementRun struct {
	ID            string            `json:"id"`
	Period        string            `json:"period"`
	State         string            `json:"state" enum:"preview,running,done,changed,short"`
	Drivers       int64             `json:"drivers" doc:"who can be settled"`
	Payout        money.Amount      `json:"payout" doc:"theirs"`
	Refused       int64             `json:"refused" doc:"who cannot"`
	Refusals      []SettlementCheck `json:"refusals" nullable:"false"`
	Checks        []SettlementCheck `json:"checks" nullable:"false"`
	MissingFiles  []MissingFile     `json:"missingFiles" nullable:"false"`
	Limit         int64             `json:"limit" doc:"units of the licence"`
	Left          int64             `json:"left" doc:"units that are left now"`
	Missing       int64             `json:"missing" doc:"units, of a run that was short of them"`
	Share         bool              `json:"share"`
	Place         int64             `json:"place" doc:"how far it is, of drivers"`
	Settled       int64             `json:"settled"`
	SettledPayout money.Amount      `json:"settledPayout"`
	Outcomes      []RunOutcome      `json:"outcomes" nullable:"false" doc:"they add up to drivers and refused"`
	NotSettled    []RunDriver       `json:"notSettled" nullable:"false" doc:"the first hundred"`
	StartedAt     *time.Time        `json:"startedAt"`
	FinishedAt    *time.Time        `json:"finishedAt"`
}

const notSettledShown = 100

func settlementRun(tx *db.Tx, in *named) (out SettlementRun, err error) {
	r, err := settlement.RunOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	shown, err := settlement.ShownOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	own, err := limits(tx, nil)
	if err != nil {
		return out, err
	}
	out = SettlementRun{ID: r.ID, Period: string(r.Period), State: string(r.State), Drivers: r.Drivers, Payout: r.Payout, Refused: r.Refused, Limit: own.Limit, Left: own.Remaining, Missing: r.Missing,
		Share: r.Share, Place: max(0, r.Place), Settled: r.Settled, SettledPayout: r.SettledPayout, StartedAt: instantOf(r.StartedAt), FinishedAt: instantOf(r.FinishedAt),
		Refusals: []SettlementCheck{}, Checks: []SettlementCheck{}, MissingFiles: []MissingFile{}, Outcomes: []RunOutcome{}, NotSettled: []RunDriver{}}
	names, err := namesOf(tx, shown)
	if err != nil {
		return out, err
	}
	for _, g := range shown.Refusals {
		out.Refusals = append(out.Refusals, SettlementCheck{string(g.Refusal), g.Count, g.Amount, names(g.Drivers)})
	}
	for _, c := range shown.Checks {
		out.Checks = append(out.Checks, SettlementCheck{string(c.Code), c.Count, c.Amount, names(c.Drivers)})
	}
	for _, m := range shown.MissingFiles {
		out.MissingFiles = append(out.MissingFiles, MissingFile(m))
	}
	if r.State == settlement.RunPreview {
		return out, nil
	}
	counts, err := settlement.OutcomeCounts(tx, in.ID)
	if err != nil {
		return out, err
	}
	for _, c := range counts {
		out.Outcomes = append(out.Outcomes, RunOutcome{string(c.Outcome), c.Reason, c.Count, c.Due})
	}
	left, err := settlement.Outcomes(tx, in.ID, notSettledShown)
	for _, d := range left {
		one := RunDriver{ID: d.DriverID, FirstName: d.FirstName, LastName: d.LastName, Due: d.Due, DueNow: d.DueNow, Gone: d.Reason == "gone", Refusal: string(d.Refusal), Outcome: string(d.Outcome)}
		if d.Outcome == settlement.OutcomeFailed {
			one.Reason = d.Reason
		}
		out.NotSettled = append(out.NotSettled, one)
	}
	return out, err
}

// namesOf reads the names of everybody whom a dry run names.
func namesOf(tx *db.Tx, shown settlement.Shown) (func(ids []string) []NamedDriver, error) {
	wanted := []string{}
	for _, g := range shown.Refusals {
		wanted = append(wanted, g.Drivers...)
	}
	for _, c := range shown.Checks {
		wanted = append(wanted, c.Drivers...)
	}
	known := map[string]NamedDriver{}
	for _, id := range wanted {
		if _, ok := known[id]; ok {
			continue
		}
		d, err := db.One[NamedDriver](tx, `SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return nil, err
		}
		known[id] = d
	}
	return func(ids []string) []NamedDriver {
		list := make([]NamedDriver, len(ids))
		for i, id := range ids {
			list[i] = known[id]
		}
		return list
	}, nil
}

// SettlementStart says how to settle what a dry run showed.
type SettlementStart struct {
	Share       bool `json:"share" doc:"the drivers see it at once"`
	AsManyAsFit bool `json:"asManyAsFit,omitempty" doc:"with too few units left settle the largest"`
}

// RunStarted is where a run stands right after it was started.
type RunStarted struct {
	State string `json:"state" enum:"preview,running,done,changed,short"`
}

func (s Settings) startRun(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body SettlementStart
}) (RunStarted, error) {
	r, err := s.Settlements.Start(tx, in.ID, in.Body.Share, in.Body.AsManyAsFit)
	return RunStarted{string(r.State)}, err
}

// SettledSettlement is a settled one in a list.
type SettledSettlement struct {
	ID             string          `json:"id"`
	Number         int64           `json:"number"`
	DriverID       string          `json:"driverId" doc:"who stands for them now, where they were merged"`
	FirstName      string          `json:"firstName"`
	LastName       string          `json:"lastName"`
	Period         string          `json:"period"`
	FirstOn        string          `json:"firstOn"`
	LastOn         string          `json:"lastOn"`
	Weeks          int64           `json:"weeks"`
	Supplementary  bool            `json:"supplementary"`
	State          string          `json:"state" enum:"settled,paid,revoked"`
	AbsorbedInto   string          `json:"absorbedInto" doc:"the settlement that took its debt over; empty: none"`
	AbsorbedPeriod string          `json:"absorbedPeriod"`
	Apps           []SettlementApp `json:"apps" nullable:"false"`
	Revenue        money.Amount    `json:"revenue"`
	CashCollected  money.Amount    `json:"cashCollected"`
	Due            money.Amount    `json:"due"`
	Payout         money.Amount    `json:"payout"`
	Next           money.Amount    `json:"next" doc:"left for the next period"`
	NotCarried     int64           `json:"notCarried" doc:"amounts that wait to be carried"`
	SettledAt      time.Time       `json:"settledAt"`
	SettledBy      string          `json:"settledBy"`
	SharedAt       *time.Time      `json:"sharedAt" doc:"null: the driver does not see it"`
	PaidOn         string          `json:"paidOn"`
	RevokedAt      *time.Time      `json:"revokedAt"`
	RevokedBy      string          `json:"revokedBy"`
	RevokeReason   string          `json:"revokeReason"`
}

func settledOf(s *settlement.Settlement) (SettledSettlement, error) {
	one := SettledSettlement{ID: s.ID, Number: s.Number, DriverID: s.DriverID, FirstName: s.FirstName, LastName: s.LastName, Period: string(s.Period), FirstOn: string(s.FirstOn), LastOn: string(s.LastOn),
		Weeks: s.Weeks, Supplementary: s.Ordinal > 0, State: string(s.State), AbsorbedInto: s.AbsorbedInto, AbsorbedPeriod: string(s.AbsorbedPeriod), Revenue: s.Revenue,
		CashCollected: s.CashCollected, Due: s.Due, Payout: s.Payout, Next: s.NextPeriodTransfer, NotCarried: s.NotCarried, SettledAt: s.SettledAt, SettledBy: s.SettledBy,
		SharedAt: instantOf(s.SharedAt), PaidOn: string(s.PaidOn), RevokedAt: instantOf(s.RevokedAt), RevokedBy: s.RevokedBy, RevokeReason: s.RevokeReason}
	if s.StandsFor != "" {
		one.DriverID = s.StandsFor
	}
	apps, err := s.KeptApps()
	one.Apps = make([]SettlementApp, len(apps))
	for i, a := range apps {
		one.Apps[i] = SettlementApp(a)
	}
	return one, err
}

// SettledTotals are those of the whole filter.
type SettledTotals struct {
	Count         int64        `json:"count"`
	Revenue       money.Amount `json:"revenue"`
	CashCollected money.Amount `json:"cashCollected"`
	Due           money.Amount `json:"due"`
	Payout        money.Amount `json:"payout"`
	NotCarried    int64        `json:"notCarried" doc:"settlements with amounts that wait to be carried"`
}

// SettledSettlements is a page of what is settled.
type SettledSettlements struct {
	Items  []SettledSettlement `json:"items" nullable:"false"`
	Totals SettledTotals       `json:"totals"`
}

func settledSettlements(tx *db.Tx, in *struct {
	State      string `query:"state" enum:",settled,paid,revoked"`
	Period     string `query:"period" maxLength:"8" doc:"empty: all"`
	DriverID   string `query:"driver" maxLength:"64"`
	Run        string `query:"run" maxLength:"64"`
	Query      string `query:"query" maxLength:"200"`
	Tag        string `query:"tag" maxLength:"64"`
	Sort       string `query:"sort" enum:"number,name,payout,revenue" default:"number"`
	Descending bool   `query:"descending"`
	Page       int64  `query:"page" minimum:"1" default:"1"`
	Size       int64  `query:"size" minimum:"1" maximum:"200" default:"50"`
}) (out SettledSettlements, err error) {
	f := settlement.Filter{State: settlement.State(in.State), DriverID: in.DriverID, RunID: in.Run, Query: in.Query, Tag: in.Tag, Sort: in.Sort, Descending: in.Descending, Page: in.Page, Size: in.Size}
	if in.Period != "" {
		if f.Period, err = period(in.Period); err != nil {
			return out, err
		}
	}
	page, err := settlement.List(tx, f)
	if err != nil {
		return out, err
	}
	out = SettledSettlements{make([]SettledSettlement, len(page.Items)), SettledTotals(page.Sums)}
	for i := range page.Items {
		if out.Items[i], err = settledOf(&page.Items[i]); err != nil {
			return out, err
		}
	}
	return out, nil
}

// SettlementOutcome is what became of one settlement of a bulk action.
type SettlementOutcome struct {
	ID     string            `json:"id"`
	Fault  web.FaultCode     `json:"fault,omitempty" doc:"why it was refused; absent: it was done"`
	Params map[string]string `json:"params,omitempty"`
}

// SettlementOutcomes are exact: one for each id, in the order of the request.
type SettlementOutcomes struct {
	Outcomes []SettlementOutcome `json:"outcomes" nullable:"false"`
	Done     int64               `json:"done"`
}

// SettlementIDs are settlements to do something with.
type SettlementIDs struct {
	IDs []string `json:"ids" minItems:"1" maxItems:"200"`
}

// oneByOne does something with each settlement. Refusals are answers; anything
// else undoes all of it.
func oneByOne(ids []string, do func(id string) error) (out SettlementOutcomes, err error) {
	out.Outcomes = []SettlementOutcome{}
	for _, id := range ids {
		one := SettlementOutcome{ID: id}
		refusal := new(fault.Fault)
		switch err := do(id); {
		case errors.As(err, &refusal) && refusal.Kind != fault.Invalid:
			one.Fault, one.Params = web.FaultCode(refusal.Code), map[string]string{}
			for name, value := range refusal.Params {
				one.Params[name] = fmt.Sprint(value)
			}
		case err != nil:
			return out, err
		default:
			out.Done++
		}
		out.Outcomes = append(out.Outcomes, one)
	}
	return out, nil
}

func (s Settings) paySettlements(tx *db.Tx, in *struct {
	Body struct {
		SettlementIDs
		PaidOn string `json:"paidOn" maxLength:"10"`
	}
}) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return s.Settlements.MarkPaid(tx, id, calendar.Date(in.Body.PaidOn)) })
}

func unpaySettlements(tx *db.Tx, in *struct{ Body SettlementIDs }) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return settlement.Unmark(tx, id) })
}

func (s Settings) revokeSettlements(tx *db.Tx, in *struct {
	Body struct {
		SettlementIDs
		Reason string `json:"reason" maxLength:"2000"`
	}
}) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return s.Settlements.Revoke(tx, id, in.Body.Reason) })
}

func (s Settings) carrySettlements(tx *db.Tx, in *struct{ Body SettlementIDs }) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return s.Settlements.CarryOver(tx, id) })
}

func shareSettlements(tx *db.Tx, in *struct{ Body SettlementIDs }) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return settlement.Share(tx, id) })
}

// SettlementCarry is an amount that a settlement left for the next period.
type SettlementCarry struct {
	Type       string       `json:"type"`
	Amount     money.Amount `json:"amount"`
	FromPeriod string       `json:"fromPeriod"`
	OccurredOn string       `json:"occurredOn"`
	Carried    bool         `json:"carried" doc:"it is in the next period; else it waits"`
}

func carriesOf(found []settlement.Carry) []SettlementCarry {
	list := make([]SettlementCarry, len(found))
	for i, c := range found {
		list[i] = SettlementCarry{c.Type, c.Amount, string(c.FromPeriod), string(c.OccurredOn), c.TransactionID != ""}
	}
	return list
}

// SettlementUndoing is what revoking takes back.
type SettlementUndoing struct {
	Settlement   SettledSettlement `json:"settlement"`
	Transactions int64             `json:"transactions" doc:"that are unsettled again"`
	Absorbed     []string          `json:"absorbed" nullable:"false" doc:"periods that are open again"`
	Carries      []SettlementCarry `json:"carries" nullable:"false" doc:"that are deleted"`
	Units        int64             `json:"units" doc:"of the licence that are given back"`
	Refusal      web.FaultCode     `json:"refusal,omitempty" doc:"why it cannot be revoked; absent: it can"`
	Params       map[string]string `json:"params,omitempty"`
}

func settlementUndoing(tx *db.Tx, in *named) (out SettlementUndoing, err error) {
	u, err := settlement.UndoingOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	out = SettlementUndoing{Transactions: u.Transactions, Absorbed: []string{}, Carries: carriesOf(u.Carries), Units: 1}
	for _, p := range u.Absorbed {
		out.Absorbed = append(out.Absorbed, string(p))
	}
	if refusal := new(fault.Fault); errors.As(u.Refusal, &refusal) {
		out.Refusal, out.Params = web.FaultCode(refusal.Code), map[string]string{}
		for name, value := range refusal.Params {
			out.Params[name] = fmt.Sprint(value)
		}
	}
	out.Settlement, err = settledOf(&u.Settlement)
	return out, err
}

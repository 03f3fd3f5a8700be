package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
)

func (s Settings) settlementRunsRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: post, Path: "/api/settlement-runs", Name: "preview-settlement-run",
		Permission: access.SettlementsWrite, Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "A dry run: what settling would do; nothing is settled"}, s.previewRun)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-runs/{id}", Name: "settlement-run", Permission: access.SettlementsRead,
		Summary: "A dry run with its reasons and checks, and what became of it once it was started"}, settlementRun)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-runs/{id}/start", Name: "start-settlement-run",
		Permission: access.SettlementsWrite, Status: http.StatusAccepted, Timeout: time.Minute,
		Summary: "Settle exactly what a dry run showed; a second start joins the first"}, s.startRun)
}

// SettlementSelection says whom to settle.
type SettlementSelection struct {
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
func (s Settings) previewRun(ctx context.Context, c web.Call, in *struct{ Body SettlementSelection }) (out Made, err error) {
	sum, err := web.Sum("preview-settlement-run", in)
	if err != nil {
		return out, err
	}
	b := &in.Body
	w := settlements.Selection{Drivers: b.Drivers, Again: b.Again}
	if b.Again == "" {
		q := pendingQuery{Period: b.Period, Query: b.Query, Tag: b.Tag, Schema: b.Schema, Least: b.Least, Most: b.Most, Warning: b.Warning}
		if w.Filter, err = q.filter(); err != nil {
			return out, err
		}
	}
	var p settlements.Preview
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
	Reason  string       `json:"reason" enum:",negative,nothing_to_settle,uncomputed,blocked"`
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
	Blocked   bool         `json:"blocked" doc:"since it was shown"`
	Refusal   string       `json:"refusal" enum:",negative,nothing_to_settle,uncomputed,blocked"`
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
	Missing       int64             `json:"missing" doc:"units that the licence lacks, or at its start lacked"`
	Unfinished    int64             `json:"unfinished" doc:"drivers whose period has not ended"`
	EndsOn        string            `json:"endsOn" doc:"last day of these; empty: all periods have ended"`
	Share         bool              `json:"share"`
	Place         int64             `json:"place" doc:"how far it is, of drivers"`
	Settled       int64             `json:"settled"`
	SettledPayout money.Amount      `json:"settledPayout"`
	Outcomes      []RunOutcome      `json:"outcomes" nullable:"false" doc:"they add up to drivers and refused"`
	NotSettled    []RunDriver       `json:"notSettled" nullable:"false" doc:"the first hundred"`
	StartedAt     *time.Time        `json:"startedAt"`
	FinishedAt    *time.Time        `json:"finishedAt"`
}

const notSettledMax = 100

func settlementRun(tx *db.Tx, in *named) (out SettlementRun, err error) {
	r, err := settlements.RunOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	shown, err := settlements.PreviewOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	own, err := limits(tx, nil)
	if err != nil {
		return out, err
	}
	out = SettlementRun{ID: r.ID, Period: string(r.Period), State: string(r.State), Drivers: r.Drivers, Payout: r.Payout, Refused: r.Refused,
		Limit: own.Limit, Left: own.Remaining, Missing: r.Missing,
		Share: r.Share, Place: max(0, r.Place), Settled: r.Settled, SettledPayout: r.SettledPayout, StartedAt: instantOf(r.StartedAt),
		FinishedAt: instantOf(r.FinishedAt),
		Refusals:   []SettlementCheck{}, Checks: []SettlementCheck{}, MissingFiles: []MissingFile{}, Outcomes: []RunOutcome{},
		NotSettled: []RunDriver{}}
	if out.Unfinished, out.EndsOn = shown.Unfinished, string(shown.EndsOn); r.State == settlements.RunPreview {
		out.Missing = max(0, r.Drivers-own.Remaining)
	}
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
	if r.State == settlements.RunPreview {
		return out, nil
	}
	counts, err := settlements.OutcomeCounts(tx, in.ID)
	if err != nil {
		return out, err
	}
	for _, c := range counts {
		out.Outcomes = append(out.Outcomes, RunOutcome{string(c.Outcome), c.Reason, c.Count, c.Due})
	}
	left, err := settlements.Outcomes(tx, in.ID, notSettledMax)
	for _, d := range left {
		one := RunDriver{ID: d.DriverID, FirstName: d.FirstName, LastName: d.LastName, Due: d.Due, DueNow: d.DueNow, Gone: d.Reason == "gone",
			Blocked: d.Reason == string(settlements.Blocked), Refusal: string(d.Refusal), Outcome: string(d.Outcome)}
		if d.Outcome == settlements.OutcomeFailed {
			one.Reason = d.Reason
		}
		out.NotSettled = append(out.NotSettled, one)
	}
	return out, err
}

// namesOf reads the names of everybody whom a dry run names.
func namesOf(tx *db.Tx, shown settlements.PreviewDetails) (func(ids []string) []NamedDriver, error) {
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
	Share      bool `json:"share" doc:"the drivers see it at once"`
	Partial    bool `json:"partial,omitempty" doc:"with too few units left settle the largest"`
	Unfinished bool `json:"unfinished,omitempty" doc:"also before the period has ended: the person was told its last day"`
}

// RunStarted is where a run stands right after it was started.
type RunStarted struct {
	State string `json:"state" enum:"preview,running,done,changed,short"`
}

func (s Settings) startRun(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body SettlementStart
}) (RunStarted, error) {
	r, err := s.Settlements.Start(tx, in.ID,
		settlements.StartOptions{Share: in.Body.Share, Partial: in.Body.Partial, Unfinished: in.Body.Unfinished})
	return RunStarted{string(r.State)}, err
}

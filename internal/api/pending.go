package api

import (
	"fmt"
	"math"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

func (s Settings) pendingRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/periods", Name: "settlement-periods", Permission: access.SettlementsRead,
		Summary: "The weeks that can be settled, newest first"}, s.settlementPeriods)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/pending", Name: "pending-settlements",
		Permission: access.SettlementsRead, Timeout: time.Minute,
		Summary: "A page of what is pending in a period, computed now, with the totals of the filter"}, s.pendingSettlements)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/pending/payable", Name: "payable-pending",
		Permission: access.SettlementsRead, Timeout: time.Minute,
		Summary: "Who of a filter could be settled, with what each would be paid"}, s.payablePending)
}

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
type SettlementApp snapshot.App

func appsOf(found []snapshot.App) []SettlementApp {
	list := make([]SettlementApp, len(found))
	for i, a := range found {
		list[i] = SettlementApp(a)
	}
	return list
}

// WarningCode names a warning; the contract lists all of them.
type WarningCode string

// Schema lists the codes.
func (WarningCode) Schema(huma.Registry) *huma.Schema {
	return oneOf("unknown_rows", "no_account", "no_tax_id", "no_schema", "differs", "account_changed", "same_account", "documents",
		"minimum_rate")
}

// SettlementWarning is something to look at before money moves.
type SettlementWarning struct {
	Code   WarningCode  `json:"code"`
	Count  int          `json:"count"`
	Amount money.Amount `json:"amount"`
}

func warningsOf(found []engine.Warning) []SettlementWarning {
	list := make([]SettlementWarning, len(found))
	for i, w := range found {
		list[i] = SettlementWarning{WarningCode(w.Code), w.Count, w.Amount}
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
	Refusal       string              `json:"refusal" enum:",negative,nothing_to_settle,uncomputed,blocked" doc:"empty: it can be settled"`
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
	Page       int64  `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size       int64  `query:"size" minimum:"1" maximum:"200" default:"50"`
}

func (q *pendingQuery) filter() (f settlements.PendingFilter, err error) {
	f = settlements.PendingFilter{Query: q.Query, Tag: q.Tag, Schema: q.Schema, Warning: q.Warning, Sort: q.Sort, Descending: q.Descending,
		Page: q.Page, Size: q.Size}
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
		return "", settlements.ErrPeriod.Field("period", fault.WrongFormat)
	}
	return p, nil
}

func boundOf(field, text string) (*money.Amount, error) {
	if text == "" {
		return nil, nil
	}
	var n int64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
		return nil, settlements.ErrInvalid.Field(field, fault.WrongFormat)
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

func pendingOf(p *settlements.Pending) PendingSettlement {
	f := &p.Figures
	return PendingSettlement{DriverID: p.Driver.ID, FirstName: p.Driver.FirstName, LastName: p.Driver.LastName,
		SchemaNumber: p.Settlement.Schema.Number, SchemaName: p.Schema,
		FirstOn: string(p.First), LastOn: string(p.Last), Weeks: p.Weeks, Supplementary: p.Supplementary, Before: p.Before,
		Apps:    appsOf(snapshot.Apps(p.Apps)),
		Revenue: f[engine.Revenue], Cash: f[engine.CashDeducted], Fees: f.Fees(), Costs: f.Costs(), Previous: f[engine.PreviousPeriod],
		Due: f[engine.Due], Payout: f[engine.Payout],
		LastPayout: p.LastPaid, Refusal: string(p.Refusal()), Warnings: warningsOf(p.Warnings)}
}

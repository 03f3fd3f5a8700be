package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/platform/spreadsheet"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
	settlementexport "saldo/internal/settlements/export"
)

func (s Settings) settlementsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/settlements", Name: "settlements", Permission: access.SettlementsRead,
		Summary: "A page of what is settled, paid or revoked, with the totals of the filter"}, settledSettlements)
	web.Plain(r, web.Route{Method: get, Path: "/api/settlements/export", Name: "export-settlements",
		Permission: access.SettlementsRead, Timeout: 2 * time.Minute,
		Summary: "All settlements of a filter as a file, every figure in its own column"}, s.exportSettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/pay", Name: "pay-settlements",
		Permission: access.SettlementsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Mark settlements as paid on a day"}, s.paySettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/unpay", Name: "unpay-settlements",
		Permission: access.SettlementsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Take back that settlements were paid"}, unpaySettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/revoke", Name: "revoke-settlements",
		Permission: access.SettlementsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Take settlements back, with a reason"}, s.revokeSettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/carry", Name: "carry-settlements",
		Permission: access.SettlementsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Write what settlements left into the next period, where it is not done by itself"}, s.carrySettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/share", Name: "share-settlements",
		Permission: access.SettlementsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Let the drivers see settlements"}, shareSettlements)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}/undoing", Name: "settlement-undoing",
		Permission: access.SettlementsRead,
		Summary:    "What revoking a settlement takes back"}, settlementUndoing)
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
	NotCarried     int64           `json:"notCarriedCount" doc:"how many amounts wait to be carried"`
	SettledAt      time.Time       `json:"settledAt"`
	SettledBy      string          `json:"settledBy"`
	SharedAt       *time.Time      `json:"sharedAt" doc:"null: the driver does not see it"`
	PaidOn         string          `json:"paidOn"`
	RevokedAt      *time.Time      `json:"revokedAt"`
	RevokedBy      string          `json:"revokedBy"`
	RevokeReason   string          `json:"revokeReason"`
	Batch          int64           `json:"batch" doc:"number of the batch that pays it; 0: none"`
	Bill           *SettlementBill `json:"bill" doc:"the newest that was sent, in the partner's list; null: none"`
	Hindrance      string          `json:"hindrance" enum:",blocked,bailiff,no_account" doc:"why the driver cannot be paid, in lists"`
}

func settledOf(s *settlements.Settlement) (SettledSettlement, error) {
	one := SettledSettlement{ID: s.ID, Number: s.Number, DriverID: s.CanonicalDriver(), FirstName: s.FirstName, LastName: s.LastName,
		Period: string(s.Period), FirstOn: string(s.FirstOn), LastOn: string(s.LastOn),
		Weeks: s.Weeks, Supplementary: s.Ordinal > 0, State: string(s.State), AbsorbedInto: s.AbsorbedInto,
		AbsorbedPeriod: string(s.AbsorbedPeriod), Revenue: s.Revenue,
		CashCollected: s.CashCollected, Due: s.Due, Payout: s.Payout, Next: s.NextPeriodTransfer, NotCarried: s.NotCarried,
		SettledAt: s.SettledAt, SettledBy: s.SettledBy,
		SharedAt: instantOf(s.SharedAt), PaidOn: string(s.PaidOn), RevokedAt: instantOf(s.RevokedAt), RevokedBy: s.RevokedBy,
		RevokeReason: s.RevokeReason, Batch: s.Batch}
	apps, err := s.KeptApps()
	one.Apps = appsOf(apps)
	return one, err
}

// SettledTotals are those of the whole filter.
type SettledTotals struct {
	Count         int64        `json:"count"`
	Revoked       int64        `json:"revoked" doc:"how many of these were revoked; they are in no sum"`
	Revenue       money.Amount `json:"revenue"`
	CashCollected money.Amount `json:"cashCollected"`
	Due           money.Amount `json:"due"`
	Payout        money.Amount `json:"payout"`
	NotCarried    int64        `json:"notCarriedCount" doc:"how many settlements have amounts that wait to be carried"`
}

// SettledSettlements is a page of what is settled.
type SettledSettlements struct {
	Items  []SettledSettlement `json:"items" nullable:"false"`
	Totals SettledTotals       `json:"totals"`
}

// SettledQuery chooses what is settled.
type SettledQuery struct {
	State      string `query:"state" enum:",settled,paid,revoked"`
	Since      string `query:"since" maxLength:"8" doc:"first of several periods, with the last in period"`
	Period     string `query:"period" maxLength:"8" doc:"empty: all"`
	DriverID   string `query:"driver" maxLength:"64"`
	Run        string `query:"run" maxLength:"64"`
	Query      string `query:"query" maxLength:"200"`
	Tag        string `query:"tag" maxLength:"64"`
	Sort       string `query:"sort" enum:"number,name,payout,revenue" default:"number"`
	Descending bool   `query:"descending"`
}

func (q SettledQuery) filter() (f settlements.Filter, err error) {
	f = settlements.Filter{State: settlements.State(q.State), DriverID: q.DriverID, RunID: q.Run, Query: q.Query, Tag: q.Tag, Sort: q.Sort,
		Descending: q.Descending}
	if q.Period != "" {
		f.Period, err = period(q.Period)
	}
	if q.Since != "" && err == nil {
		f.Since, err = period(q.Since)
	}
	return f, err
}

func settledSettlements(tx *db.Tx, in *struct {
	SettledQuery
	Page int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int64 `query:"size" minimum:"1" maximum:"200" default:"50"`
}) (out SettledSettlements, err error) {
	f, err := in.filter()
	if err != nil {
		return out, err
	}
	f.Page, f.Size = in.Page, in.Size
	page, err := settlements.List(tx, f)
	if err != nil {
		return out, err
	}
	out = SettledSettlements{make([]SettledSettlement, len(page.Items)), SettledTotals(page.Sums)}
	for i := range page.Items {
		if out.Items[i], err = settledOf(&page.Items[i]); err != nil {
			return out, err
		}
	}
	if err := addHindrances(tx, out.Items); err != nil {
		return out, err
	}
	return out, addBills(tx, out.Items)
}

// addHindrances says of what is to be paid and in no batch why it cannot be.
func addHindrances(tx *db.Tx, items []SettledSettlement) error {
	open, ids := func(one *SettledSettlement) bool {
		return one.State == string(settlements.Settled) && one.Batch == 0 && one.Payout > 0
	}, []string{}
	for i := range items {
		if open(&items[i]) {
			ids = append(ids, items[i].DriverID)
		}
	}
	found, err := payouts.Hindrances(tx, ids)
	for i := range items {
		if open(&items[i]) {
			items[i].Hindrance = string(found[items[i].DriverID])
		}
	}
	return err
}

// exportSettlements hands out all settlements of a filter as a file.
func (s Settings) exportSettlements(ctx context.Context, c web.Call, in *struct {
	SettledQuery
	Format   string   `query:"format" enum:"csv,xlsx" default:"csv"`
	Language Language `query:"lang"`
}) (func(huma.Context), error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	format := spreadsheet.Format(in.Format)
	e := settlementexport.File{Filter: f, Language: s.wordsOf(in.Language), Zone: s.Instance.Location()}
	var count int64
	return s.serveExport(ctx, c, export{mediaType: format.MediaType(),
		write:  func(tx *db.Tx, to io.Writer) (err error) { count, err = e.Write(tx, format, to); return err },
		record: func(tx *db.Tx) (string, error) { return e.FileName(tx.Now, format), e.Record(tx, format, count) }})
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
			one.Fault, one.Params = shownFault(refusal)
		case err != nil:
			return out, err
		default:
			out.Done++
		}
		out.Outcomes = append(out.Outcomes, one)
	}
	return out, nil
}

// shownFault is a fault inside an answer.
func shownFault(f *fault.Fault) (web.FaultCode, map[string]string) {
	params := map[string]string{}
	for name, value := range f.Params {
		params[name] = fmt.Sprint(value)
	}
	return web.FaultCode(f.Code), params
}

func (s Settings) paySettlements(tx *db.Tx, in *struct {
	Body struct {
		SettlementIDs
		PaidOn string `json:"paidOn" maxLength:"10"`
	}
}) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return s.Settlements.MarkPaid(tx, id, 0, calendar.Date(in.Body.PaidOn)) })
}

func unpaySettlements(tx *db.Tx, in *struct{ Body SettlementIDs }) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error { return settlements.Unmark(tx, id) })
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
	return oneByOne(in.Body.IDs, func(id string) error { return settlements.Share(tx, id) })
}

// SettlementCarry is an amount that a settlement left for the next period.
type SettlementCarry struct {
	Type       string       `json:"type"`
	Amount     money.Amount `json:"amount"`
	FromPeriod string       `json:"fromPeriod"`
	OccurredOn string       `json:"occurredOn"`
	Carried    bool         `json:"carried" doc:"it is in the next period; else it waits"`
}

func carriesOf(found []settlements.Carry) []SettlementCarry {
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
	Documents    []RevokedDocument `json:"documents" nullable:"false" doc:"that get a correction, or are cancelled"`
	Refusal      web.FaultCode     `json:"refusal,omitempty" doc:"why it cannot be revoked; absent: it can"`
	Params       map[string]string `json:"params,omitempty"`
}

// RevokedDocument is a document of a settlement that would be revoked.
type RevokedDocument struct {
	Kind      string       `json:"kind" enum:"bill,invoice"`
	Number    string       `json:"number"`
	Gross     money.Amount `json:"gross"`
	Corrected bool         `json:"corrected" doc:"a correcting invoice is issued; otherwise it is cancelled"`
}

func settlementUndoing(tx *db.Tx, in *named) (out SettlementUndoing, err error) {
	u, err := settlements.UndoingOf(tx, in.ID)
	if err != nil {
		return out, err
	}
	out = SettlementUndoing{Transactions: u.Transactions, Absorbed: []string{}, Carries: carriesOf(u.Carries), Units: 1,
		Documents: []RevokedDocument{}}
	documents, err := billing.Revoking(tx, in.ID)
	if err != nil {
		return out, err
	}
	for _, d := range documents {
		out.Documents = append(out.Documents, RevokedDocument{string(d.Kind), d.Number, d.Gross, d.Correctable()})
	}
	for _, p := range u.Absorbed {
		out.Absorbed = append(out.Absorbed, string(p))
	}
	if refusal := new(fault.Fault); errors.As(u.Refusal, &refusal) {
		out.Refusal, out.Params = shownFault(refusal)
	}
	out.Settlement, err = settledOf(&u.Settlement)
	return out, err
}

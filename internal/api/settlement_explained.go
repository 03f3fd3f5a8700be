package api

import (
	"context"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/accounts"
	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/simulation"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/summaries"
	"saldo/internal/tracking"
)

func (s Settings) settlementExplainedRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}", Name: "settlement", Permission: access.SettlementsRead,
		Summary: "A settlement explained from exactly what it took"}, s.oneSettlement)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/pending-settlement", Name: "pending-settlement",
		Permission: access.SettlementsRead,
		Summary:    "What a driver has pending in a period, explained"}, s.pendingSettlement)
	web.Plain(r, web.Route{Method: post, Path: "/api/settlement-schemas/simulate", Name: "simulate-schema",
		Permission: access.SchemasRead, Timeout: time.Minute,
		Summary: "What rules would have made of the last complete period; nothing is saved"}, s.simulateSchema)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements", Name: "driver-settlements",
		Permission: access.AccountRead,
		Summary:    "The driver's own settlements that the partner has shared"}, s.driverSettlements)
	web.Driver(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements/{id}", Name: "driver-settlement",
		Permission: access.AccountRead,
		Summary:    "One of them, explained"}, s.driverSettlement)
}

// ExplainedRow is a transaction that an explanation names, with where it came from.
type ExplainedRow struct {
	ID           string       `json:"id"`
	Provider     string       `json:"provider"`
	Type         string       `json:"type"`
	Amount       money.Amount `json:"amount"`
	OccurredOn   string       `json:"occurredOn"`
	SpanFrom     string       `json:"spanFrom" doc:"of a row that sums up days; else empty"`
	SpanTo       string       `json:"spanTo"`
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	Source       string       `json:"source" enum:"hand,import,trip,carry"`
	ImportID     string       `json:"importId" doc:"of the file, told to the partner; empty: none"`
	SourceFile   string       `json:"sourceFile"`
	SourceRow    int64        `json:"sourceRow" doc:"0: none"`
	SourceColumn string       `json:"sourceColumn"`
	ExternalID   string       `json:"externalId" doc:"what the provider calls it; of a carry-over the period it is from"`
	EnteredBy    string       `json:"enteredBy" doc:"who entered it by hand, told to the partner; else empty"`
	EnteredAt    *time.Time   `json:"enteredAt" doc:"when it was entered by hand; else null"`

	Corrects *CorrectedRow `json:"corrects,omitempty" doc:"what a file says anew: this one is the difference; absent: nothing"`
}

// CorrectedRow is a settled row that a later file says anew.
type CorrectedRow struct {
	ID         string       `json:"id"`
	Amount     money.Amount `json:"amount"`
	ImportID   string       `json:"importId" doc:"of the file that brought it, told to the partner; empty: none"`
	SourceFile string       `json:"sourceFile"`
	SourceRow  int64        `json:"sourceRow" doc:"0: none"`
}

func explainedRow(t ledger.Transaction, origin ledger.Origin) ExplainedRow {
	row := ExplainedRow{ID: t.ID, Provider: t.Provider, Type: t.Type, Amount: t.Amount, OccurredOn: string(t.OccurredOn),
		SpanFrom: string(t.SpanFrom), SpanTo: string(t.SpanTo), Name: t.Name, Description: t.Description, Source: t.Source, ImportID: t.ImportID,
		SourceFile: t.SourceFile, SourceRow: t.SourceRow, SourceColumn: t.SourceColumn, ExternalID: t.ExternalID, EnteredBy: origin.EnteredBy}
	if t.ByHand() {
		row.EnteredAt = instantOf(t.CreatedAt)
	}
	if c := origin.Corrected; c != nil {
		row.Corrects = &CorrectedRow{c.ID, c.Amount, c.ImportID, c.SourceFile, c.SourceRow}
	}
	return row
}

// explainedTrip is a trip as a row: where it went is what it is called. A trip in cash is named twice by explanations, as fare and as cash.
func explainedTrip(t *tracking.Trip) ExplainedRow {
	name := t.StartPlace
	if t.EndPlace != "" {
		name += " – " + t.EndPlace
	}
	return ExplainedRow{ID: t.ID, Provider: "INTERNAL", Type: "TRIP", Amount: t.Amount, OccurredOn: string(t.OccurredOn), Name: name,
		Description: strings.Trim(t.StartAt+"–"+t.EndAt, "–"), Source: "trip", EnteredAt: instantOf(t.ReceivedAt)}
}

// forDriver leaves out of the rows what is the partner's alone: who entered them, and the ids of files, which drivers cannot open.
func forDriver(rows []ExplainedRow) {
	for i := range rows {
		rows[i].ImportID, rows[i].EnteredBy = "", ""
		if rows[i].Corrects != nil {
			rows[i].Corrects.ImportID = ""
		}
	}
}

// SettlementTransfer is a part of the payout.
type SettlementTransfer struct {
	Purpose string       `json:"purpose" enum:"DEDUCTION_COST,ORDER_CONTRACT,LEASE_CONTRACT,INVOICE"`
	Amount  money.Amount `json:"amount"`
	VAT     money.Amount `json:"vat"`
	NameVAT bool         `json:"nameVat" doc:"the title names it"`
}

// ComparedSettlement is another settlement to compare with.
type ComparedSettlement struct {
	_            struct{}                `nullable:"true"`
	ID           string                  `json:"id"`
	Number       int64                   `json:"number"`
	Period       string                  `json:"period"`
	FirstOn      string                  `json:"firstOn"`
	LastOn       string                  `json:"lastOn"`
	Figures      map[string]money.Amount `json:"figures" doc:"all of them, also those of zero"`
	RevokeReason string                  `json:"revokeReason"`
}

// LineName is the figure that a line is called after.
type LineName string

// Schema lists the figures.
func (LineName) Schema(huma.Registry) *huma.Schema {
	names := make([]string, len(engine.LineNames))
	for i, f := range engine.LineNames {
		names[i] = f.String()
	}
	return oneOf(names...)
}

// SettlementLine is one step of the way from the start balance to what is due.
type SettlementLine struct {
	Group    engine.Group      `json:"group" enum:"start,earnings,cash,deductions,credits"`
	Name     LineName          `json:"name" doc:"the figure it is called after"`
	Provider string            `json:"provider,omitempty" doc:"the app, of a line that each app has"`
	Terms    []engine.LineTerm `json:"terms" nullable:"false" doc:"they add up to the amount; zeros are left out unless it is the only one"`
	Amount   money.Amount      `json:"amount"`
	Balance  money.Amount      `json:"balance" doc:"after this line; after the last one what is due"`
}

// ExplainedSettlement is a driver's period with everything behind it.
type ExplainedSettlement struct {
	DriverID      string                  `json:"driverId"`
	FirstName     string                  `json:"firstName"`
	LastName      string                  `json:"lastName"`
	Settled       *SettledSettlement      `json:"settled" doc:"null: it is pending"`
	Period        string                  `json:"period"`
	FirstOn       string                  `json:"firstOn"`
	LastOn        string                  `json:"lastOn"`
	Weeks         int                     `json:"weeks"`
	Supplementary bool                    `json:"supplementary"`
	Refusal       string                  `json:"refusal" enum:",negative,nothing_to_settle,uncomputed,blocked"`
	Figures       map[string]money.Amount `json:"figures" doc:"all of them, also those of zero"`
	Apps          []SettlementApp         `json:"apps" nullable:"false"`
	Transfers     []SettlementTransfer    `json:"transfers" nullable:"false"`
	Lines         []SettlementLine        `json:"lines" nullable:"false" doc:"the steps from the start balance to what is due"`
	Explanations  []engine.Explanation    `json:"explanations" nullable:"false" doc:"of every figure; none of a revoked settlement"`
	Rows          []ExplainedRow          `json:"rows" nullable:"false" doc:"the transactions that explanations name"`
	Invoices      []ExplainedInvoice      `json:"invoices" nullable:"false" doc:"the driver's invoices that explanations name"`
	Warnings      []SettlementWarning     `json:"warnings" nullable:"false"`
	Carries       []SettlementCarry       `json:"carries" nullable:"false"`
	Absorbed      []string                `json:"absorbed" nullable:"false" doc:"older periods whose debt it took over"`
	SchemaName    string                  `json:"schemaName"`
	SchemaNumber  int64                   `json:"schemaNumber"`
	SchemaVersion int64                   `json:"schemaVersion"`
	Rules         rules.Rules             `json:"rules" doc:"as they were"`
	Last          *ComparedSettlement     `json:"last" doc:"of the period before; absent: none"`
	Revoked       *ComparedSettlement     `json:"revoked" doc:"the revoked one that this stands for; absent: none"`
	LinkUntil     *time.Time              `json:"linkUntil" doc:"until when a mailed link opens it, for its driver; null: none does"`
	Documents     []DriverDocument        `json:"documents" nullable:"false" doc:"bills and invoices, told to its driver"`
	Draft         *DriverDraft            `json:"draft,omitempty" doc:"the invoice that its driver is asked to approve; absent: none"`
}

// TransformSchema says that there may be no settled one: huma says it of a shape everywhere or nowhere.
func (ExplainedSettlement) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	settled := s.Properties["settled"]
	s.Properties["settled"] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: settled.Ref}, {Type: "null"}}, Description: settled.Description}
	return s
}

// ExplainedInvoice is an invoice of the driver whose VAT comes back.
type ExplainedInvoice struct {
	ID          string       `json:"id"`
	Number      string       `json:"number"`
	IssuerName  string       `json:"issuerName"`
	IssueDate   string       `json:"issueDate"`
	SaleDate    string       `json:"saleDate" doc:"empty: as issued"`
	Gross       money.Amount `json:"gross"`
	VAT         money.Amount `json:"vat" doc:"that can come back"`
	DescribedBy string       `json:"describedBy" enum:"driver,partner"`
}

// DriverDocument is a bill or an invoice as its driver sees it.
type DriverDocument struct {
	ID       string       `json:"id"`
	Kind     string       `json:"kind" enum:"bill,invoice,correction"`
	Number   string       `json:"number"`
	IssuedOn string       `json:"issuedOn"`
	Gross    money.Amount `json:"gross"`
	HasFile  bool         `json:"hasFile" doc:"machines can read it"`
}

func (s Settings) oneSettlement(tx *db.Tx, in *named) (ExplainedSettlement, error) {
	e, err := s.Settlements.Explain(tx, in.ID)
	if err != nil {
		return ExplainedSettlement{}, err
	}
	return explainedOf(&e, engine.CashByApp)
}

func (s Settings) pendingSettlement(tx *db.Tx, in *struct {
	ID     string `path:"id" maxLength:"64"`
	Period string `query:"period" required:"true" maxLength:"8"`
}) (ExplainedSettlement, error) {
	p, err := period(in.Period)
	if err != nil {
		return ExplainedSettlement{}, err
	}
	e, err := s.Settlements.ExplainPending(tx, in.ID, p)
	if err != nil {
		return ExplainedSettlement{}, err
	}
	return explainedOf(&e, engine.CashByApp)
}

func comparedOf(s *settlements.Settlement) (*ComparedSettlement, error) {
	if s == nil {
		return nil, nil
	}
	f, err := s.KeptFigures()
	return &ComparedSettlement{ID: s.ID, Number: s.Number, Period: string(s.Period), FirstOn: string(s.FirstOn), LastOn: string(s.LastOn),
		Figures: snapshot.Named(&f), RevokeReason: s.RevokeReason}, err
}

// explainedOf is what a screen shows of a settlement. A driver's lists their cash as one line.
func explainedOf(e *settlements.Explained, cash engine.CashLines) (out ExplainedSettlement, err error) {
	out = ExplainedSettlement{DriverID: e.Driver.ID, FirstName: e.Driver.FirstName, LastName: e.Driver.LastName,
		Warnings: warningsOf(e.Warnings), Carries: carriesOf(e.Carries),
		Explanations: []engine.Explanation{}, Rows: []ExplainedRow{}, Invoices: []ExplainedInvoice{}, Absorbed: []string{},
		Apps:      []SettlementApp{},
		Transfers: []SettlementTransfer{}, Documents: []DriverDocument{},
		SchemaName: e.Schema, SchemaNumber: e.Terms.Schema.Number, SchemaVersion: e.Terms.Schema.Version, Rules: e.Terms.Rules}
	lines, err := e.Lines(cash)
	if err != nil {
		return out, err
	}
	for _, l := range lines {
		out.Lines = append(out.Lines, SettlementLine{l.Group, LineName(l.Name), l.Provider, l.Terms, l.Amount, l.Balance})
	}
	for _, p := range e.Absorbed {
		out.Absorbed = append(out.Absorbed, string(p))
	}
	if s := e.Settled; s != nil {
		settled, err := settledOf(s)
		if err != nil {
			return out, err
		}
		out.Settled, out.DriverID, out.Apps = &settled, settled.DriverID, settled.Apps
		out.Period, out.FirstOn, out.LastOn, out.Weeks, out.Supplementary = string(s.Period), string(s.FirstOn), string(s.LastOn), int(s.Weeks),
			s.Ordinal > 0
		f, err := s.KeptFigures()
		if err != nil {
			return out, err
		}
		out.Figures = snapshot.Named(&f)
		transfers, err := s.KeptTransfers()
		if err != nil {
			return out, err
		}
		for _, t := range transfers {
			out.Transfers = append(out.Transfers, SettlementTransfer{string(t.Purpose), t.Amount, t.VAT, t.NameVAT})
		}
	}
	if c := e.Computed; c != nil {
		out.compute(c, e.Settled == nil)
		out.Refusal = string(e.Refusal)
		for _, r := range e.Rows {
			out.Rows = append(out.Rows, explainedRow(r, e.Origins[r.ID]))
		}
		for i := range e.Trips {
			out.Rows = append(out.Rows, explainedTrip(&e.Trips[i]))
		}
		for _, v := range e.Invoices {
			out.Invoices = append(out.Invoices, ExplainedInvoice{v.ID, v.Number, v.IssuerName, string(v.IssuedOn), string(v.SoldOn), v.Gross,
				v.VATStandard + v.VATReduced, string(v.DescribedBy)})
		}
	}
	if out.Last, err = comparedOf(e.Last); err != nil {
		return out, err
	}
	out.Revoked, err = comparedOf(e.Revoked)
	return out, err
}

// compute adds what the engine says; of a pending one all of it.
func (out *ExplainedSettlement) compute(c *engine.Settlement, pending bool) {
	out.Explanations = c.Explanations()
	if !pending {
		return
	}
	out.Period, out.FirstOn, out.LastOn, out.Weeks, out.Supplementary = string(c.Period), string(c.First), string(c.Last), c.Weeks,
		c.Supplementary
	out.Figures = snapshot.Named(&c.Figures)
	out.Apps = appsOf(snapshot.Apps(c.Apps))
	for _, t := range c.Transfers {
		out.Transfers = append(out.Transfers, SettlementTransfer{string(t.Purpose), t.Amount, t.VAT, t.NameVAT})
	}
	for _, p := range c.CarriedFrom {
		out.Absorbed = append(out.Absorbed, string(p))
	}
}

// DriverSettlements is what a driver sees, newest first.
type DriverSettlements struct {
	Items []SettledSettlement `json:"items" nullable:"false"`
	More  bool                `json:"more" doc:"there are older ones"`
}

// driverSettlementsMost is how many of their settlements a driver gets at once.
const driverSettlementsMost = 200

func (s Settings) driverSettlements(tx *db.Tx, who access.Actor, in *struct {
	From string `query:"from" maxLength:"10" doc:"a day: only periods that end on it or later"`
	Last int64  `query:"last" minimum:"0" maximum:"200" doc:"only the newest so many; 0: 200"`
}) (out DriverSettlements, err error) {
	out.Items = []SettledSettlement{}
	if in.From != "" && !calendar.Date(in.From).Exists() {
		return out, settlements.ErrInvalid.Field("from", fault.WrongFormat)
	}
	last := in.Last
	if last == 0 {
		last = driverSettlementsMost
	}
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil || driver == "" {
		return out, err
	}
	err = tx.As(who.In(partner), func() error {
		found, err := settlements.SharedWith(tx, driver, calendar.Date(in.From), last+1)
		if out.More = int64(len(found)) > last; out.More {
			found = found[:last]
		}
		for i := range found {
			one, err := settledOf(&found[i])
			if err != nil {
				return err
			}
			out.Items = append(out.Items, one)
		}
		return err
	})
	return out, err
}

func (s Settings) driverSettlement(tx *db.Tx, who access.Actor, in *named) (out ExplainedSettlement, err error) {
	err = shared(tx, who, in.ID, func() error {
		e, err := s.Settlements.Explain(tx, in.ID)
		if err != nil {
			return err
		}
		out, err = explainedOf(&e, engine.CashAsOne)
		forDriver(out.Rows)
		if out.Revoked != nil {
			out.Revoked.RevokeReason = "" // the partner's own words; what changed is the driver's to see
		}
		if err != nil {
			return err
		}
		until, err := summaries.LinkUntil(tx, in.ID)
		if err != nil {
			return err
		}
		out.LinkUntil = instantOf(until)
		documents, err := billing.DocumentsOf(tx, in.ID)
		for _, d := range documents {
			out.Documents = append(out.Documents, DriverDocument{d.ID, string(d.Kind), d.Number, string(d.IssuedOn), d.Gross, d.HasFile()})
		}
		if err == nil {
			out.Draft, err = s.driverDraft(tx, in.ID)
		}
		return err
	})
	return out, err
}

// shared does something with a settlement that was shared with the driver who asks, in the partner's tenant.
func shared(tx *db.Tx, who access.Actor, id string, do func() error) error {
	return sharedBy(tx, who, func() (string, error) { return id, nil }, do)
}

func sharedBy(tx *db.Tx, who access.Actor, of func() (settlement string, err error), do func() error) error {
	partner, driver, err := accounts.OwnDriver(tx, who)
	if err != nil {
		return err
	}
	if driver == "" {
		return settlements.ErrNotFound
	}
	return tx.As(who.In(partner), func() error {
		id, err := of()
		if err != nil {
			return err
		}
		if err := settlements.IsShared(tx, id, driver); err != nil {
			return err
		}
		return do()
	})
}

// SchemaSimulation asks what rules would make of the last complete period.
type SchemaSimulation struct {
	SchemaNumber int64  `json:"schemaNumber" minimum:"0" doc:"whose drivers; 0: of a schema that is not saved yet, with a driver"`
	DriverID     string `json:"driverId,omitempty" maxLength:"64" doc:"only this driver"`
	rules.Rules
}

// SimulatedDriver is what a simulation says of one driver.
type SimulatedDriver struct {
	ID        string       `json:"id"`
	FirstName string       `json:"firstName"`
	LastName  string       `json:"lastName"`
	Before    money.Amount `json:"before" doc:"due by the rules that hold"`
	After     money.Amount `json:"after" doc:"due by these"`
}

// SchemaSimulated is what rules would have made of the last complete period.
type SchemaSimulated struct {
	Period  string            `json:"period"`
	Drivers int64             `json:"drivers" doc:"with something in the period"`
	Before  money.Amount      `json:"before"`
	After   money.Amount      `json:"after"`
	Changed int64             `json:"changed" doc:"drivers for whom it differs"`
	Items   []SimulatedDriver `json:"items" nullable:"false" doc:"the largest differences, a hundred at most"`
}

func (s Settings) simulateSchema(ctx context.Context, c web.Call, in *struct{ Body SchemaSimulation }) (out SchemaSimulated, err error) {
	err = s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
		rules, err := schemas.CheckedRules(in.Body.Rules)
		if err != nil {
			return err
		}
		found, err := simulation.Of(tx, s.Settlements, rules, in.Body.SchemaNumber, in.Body.DriverID)
		out = SchemaSimulated{string(found.Period), found.Drivers, found.Before, found.After, found.ChangedCount,
			make([]SimulatedDriver, len(found.Changed))}
		for i, one := range found.Changed {
			out.Items[i] = SimulatedDriver{one.DriverID, one.FirstName, one.LastName, one.Before, one.After}
		}
		return err
	})
	return out, err
}

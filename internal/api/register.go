package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) registerRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/billing-documents", Name: "document-register", Permission: access.SettlementsRead,
		Summary: "A page of issued bills, invoices and corrections, with the sums of the filter"}, s.documentRegister)
	web.Plain(r, web.Route{Method: get, Path: "/api/billing-documents/archive", Name: "document-archive",
		Permission: access.SettlementsRead, Timeout: 2 * time.Minute,
		Summary: "Issued documents of a filter as a ZIP: PDF, and XML of invoices"}, s.documentArchive)
	web.Write(r, web.Route{Method: post, Path: "/api/billing-documents", Name: "issue-documents",
		Permission: access.SettlementsWrite, Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Issue the documents of many settlements, each on its own"}, s.issueDocuments)
	web.Write(r, web.Route{Method: post, Path: "/api/billing-documents/{id}/send-again", Name: "send-document-again",
		Permission: access.SettlementsWrite, Status: http.StatusOK,
		Summary: "Put a document right that KSeF refused, and send it again under its number"}, s.sendDocumentAgain)
}

// AskedState is the state of the documents that are asked for.
type AskedState string

// Schema lists the states.
func (AskedState) Schema(huma.Registry) *huma.Schema {
	return oneOf(append([]string{""}, documentStates...)...)
}

// DocumentFilter chooses issued documents.
type DocumentFilter struct {
	From   string     `query:"from" maxLength:"10" doc:"first day of issue"`
	To     string     `query:"to" maxLength:"10" doc:"last day of issue"`
	Kind   string     `query:"kind" enum:",bill,invoice,correction"`
	State  AskedState `query:"state" doc:"of the last four: drafts instead of documents; empty: all documents"`
	Driver string     `query:"driver" maxLength:"64"`
	IDs    []string   `query:"ids" maxItems:"200" doc:"only these"`
}

func (f DocumentFilter) filter() billing.Filter {
	return billing.Filter{From: calendar.Date(f.From), To: calendar.Date(f.To), Kind: billing.Kind(f.Kind), State: billing.State(f.State),
		Driver: f.Driver, IDs: f.IDs}
}

// RegisteredDocument is an issued document with whose it is.
type RegisteredDocument struct {
	BillingDocument
	SettlementID     string `json:"settlementId"`
	SettlementNumber int64  `json:"settlementNumber"`
	Period           string `json:"period"`
	DriverID         string `json:"driverId"`
	FirstName        string `json:"firstName"`
	LastName         string `json:"lastName"`
}

// DocumentRegister is a page of issued documents, with the sums of the filter.
type DocumentRegister struct {
	Items []RegisteredDocument `json:"items" nullable:"false"`
	Total int64                `json:"total"`
	Net   money.Amount         `json:"net" doc:"of all that the filter chooses; corrections count below zero"`
	VAT   money.Amount         `json:"vat"`
	Gross money.Amount         `json:"gross"`

	Uncertified int64 `json:"uncertified" doc:"invoices without the second code of KSeF, as there is no certificate"`

	Awaiting int64 `json:"awaiting" doc:"drafts that are not issued, whatever the filter"`
}

func (s Settings) documentRegister(tx *db.Tx, in *struct {
	DocumentFilter
	Page int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int64 `query:"size" minimum:"1" maximum:"200" default:"50"`
}) (out DocumentRegister, err error) {
	r, err := billing.Issuances(tx, in.filter(), in.Page, in.Size)
	if err != nil {
		return out, err
	}
	uncertified, err := s.Billing.Uncertified(tx)
	if err != nil {
		return out, err
	}
	out = DocumentRegister{make([]RegisteredDocument, len(r.Items)), r.Total, r.Net, r.VAT, r.Gross, uncertified, r.Waiting}
	at, err := s.standings(tx, r.Items)
	if err != nil {
		return out, err
	}
	for i := range r.Items {
		d := &r.Items[i]
		out.Items[i] = RegisteredDocument{documentOf(d, at[d.ID]), d.SettlementID, d.SettlementNumber, string(d.Period), d.DriverID, d.FirstName,
			d.LastName}
	}
	for i := range r.Drafts {
		out.Items = append(out.Items, registeredDraft(&r.Drafts[i], s.Instance))
	}
	return out, nil
}

// registeredDraft is a draft among documents: it has no number, its day is that on which it was made, and its reason is the driver's.
func registeredDraft(d *billing.Draft, in config.Instance) RegisteredDocument {
	return RegisteredDocument{BillingDocument{ID: d.ID, Kind: string(billing.Invoice), State: DocumentState(d.State),
		IssuedOn: string(calendar.DateOf(d.MadeAt, in.Location(), 0)),
		Net:      d.Net, VAT: d.VAT, Gross: d.Gross, IssuedBy: d.MadeBy, AuthorityReason: d.Reason}, d.SettlementID, d.SettlementNumber,
		string(d.Period),
		d.DriverID, d.FirstName, d.LastName}
}

func (s Settings) documentArchive(ctx context.Context, c web.Call, in *DocumentFilter) (func(huma.Context), error) {
	var archive *billing.Archive
	var made time.Time
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) (err error) {
		made = tx.Now
		archive, err = s.Billing.Archive(tx, in.filter())
		return err
	}); err != nil {
		return nil, err
	}
	logo, err := s.logoUnder(ctx, archive.LogoKey)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	if err := archive.Write(&content, logo); err != nil {
		return nil, err
	}
	return saved("application/zip", fmt.Sprintf("saldo-%s.zip", made.Format("2006-01-02")), content.Bytes()), nil
}

// IssueOutcomes is what became of issuing many.
type IssueOutcomes struct {
	SettlementOutcomes
	Awaiting int64 `json:"awaiting" doc:"how many were not issued, as their drivers have to approve them first"`
}

// issueDocuments issues the documents of settlements, each on its own: whoever lacks something is named and the others go on.
func (s Settings) issueDocuments(tx *db.Tx, in *struct{ Body SettlementIDs }) (out IssueOutcomes, err error) {
	out.SettlementOutcomes, err = oneByOne(in.Body.IDs, func(id string) error {
		doc, err := s.Billing.Issue(tx, id, billing.Seller{})
		if errors.Is(err, billing.ErrInvalid) { // nobody typed an address, and no document before has one
			return billing.ErrNoAddress
		}
		if err == nil && doc.ID == "" {
			out.Awaiting++
			return billing.ErrAwaitsApproval
		}
		return err
	})
	return out, err
}

func (s Settings) sendDocumentAgain(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body BillingSeller
}) (IssuedDocument, error) {
	d, err := s.Billing.SendAgain(tx, in.ID, billing.Seller(in.Body))
	return IssuedDocument{d.ID, d.Number, string(d.State)}, err
}

package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/billing"
	"saldo/internal/calendar"
	"saldo/internal/db"
	"saldo/internal/money"
	"saldo/internal/web"
)

// DocumentFilter chooses issued documents.
type DocumentFilter struct {
	From   string   `query:"from" maxLength:"10" doc:"first day of issue"`
	To     string   `query:"to" maxLength:"10" doc:"last day of issue"`
	Kind   string   `query:"kind" enum:",bill,invoice,correction"`
	State  string   `query:"state" enum:",issued,waiting,accepted,refused,corrected,cancelled"`
	Driver string   `query:"driver" maxLength:"64"`
	IDs    []string `query:"ids" maxItems:"200" doc:"only these"`
}

func (f DocumentFilter) filter() billing.Filter {
	return billing.Filter{From: calendar.Date(f.From), To: calendar.Date(f.To), Kind: billing.Kind(f.Kind), State: billing.State(f.State), Driver: f.Driver, IDs: f.IDs}
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
}

func documentRegister(tx *db.Tx, in *struct {
	DocumentFilter
	Page int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int64 `query:"size" minimum:"1" maximum:"200" default:"50"`
}) (out DocumentRegister, err error) {
	r, err := billing.Issuances(tx, in.filter(), in.Page, in.Size)
	if err != nil {
		return out, err
	}
	out = DocumentRegister{make([]RegisteredDocument, len(r.Items)), r.Total, r.Net, r.VAT, r.Gross}
	for i := range r.Items {
		d := &r.Items[i]
		out.Items[i] = RegisteredDocument{documentOf(d), d.SettlementID, d.SettlementNumber, string(d.Period), d.DriverID, d.FirstName, d.LastName}
	}
	return out, nil
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

// issueDocuments issues the documents of settlements, each on its own: whoever lacks something is named and the others go on.
func (s Settings) issueDocuments(tx *db.Tx, in *struct{ Body SettlementIDs }) (SettlementOutcomes, error) {
	return oneByOne(in.Body.IDs, func(id string) error {
		_, err := s.Billing.Issue(tx, id, billing.Seller{})
		if errors.Is(err, billing.ErrInvalid) { // nobody typed an address, and no document before has one
			return billing.ErrNoAddress
		}
		return err
	})
}

func (s Settings) sendDocumentAgain(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body BillingSeller
}) (IssuedDocument, error) {
	d, err := s.Billing.SendAgain(tx, in.ID, billing.Seller(in.Body))
	return IssuedDocument{d.ID, d.Number}, err
}

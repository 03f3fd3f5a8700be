package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/purchases"
)

func (s Settings) purchasesRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/purchases", Name: "purchases", Permission: access.InvoicesDecide,
		Summary: "Invoices from KSeF"}, s.purchases)
	web.Plain(r, web.Route{Method: get, Path: "/api/purchases/{id}", Name: "purchase-file", Permission: access.InvoicesDecide,
		Timeout: time.Minute, Summary: "Its XML"}, s.purchaseFile)
	web.Write(r, web.Route{Method: post, Path: "/api/purchases/{id}", Name: "decide-purchase", Permission: access.InvoicesDecide,
		Summary: "Say what it backs"}, s.decidePurchase)
}

// Purchase is an invoice that KSeF has for the partner.
type Purchase struct {
	ID       string         `json:"id"`
	Number   string         `json:"number"`
	Seller   string         `json:"seller"`
	IssuedOn string         `json:"issuedOn"`
	Gross    money.Amount   `json:"gross"`
	Currency money.Currency `json:"currency"` // empty: the file was not read
	Strange  bool           `json:"strange"`
	Match    *PurchaseMatch `json:"match,omitempty" doc:"absent: none is like it"`
}

// PurchaseMatch is the invoice of a driver that it backs, or could.
type PurchaseMatch struct {
	Invoice   string `json:"invoice"`
	Driver    string `json:"driver"`
	How       string `json:"how" enum:",number,code,fields" doc:"it was proposed; empty: a person matched it"`
	MatchedBy string `json:"matchedBy"`
}

// PurchasePage is a page of them, and how fetching fares.
type PurchasePage struct {
	Items   []Purchase `json:"items" nullable:"false"`
	Count   int64      `json:"count"`
	LastAt  *time.Time `json:"lastAt,omitempty"`
	NextAt  *time.Time `json:"nextAt,omitempty"`
	Problem string     `json:"problem"`
}

func (s Settings) purchases(tx *db.Tx, in *struct {
	Show  string `query:"show"`
	Query string `query:"q" maxLength:"100"`
	Page  int64  `query:"page" minimum:"1" maximum:"100000" default:"1"`
}) (out PurchasePage, err error) {
	state, err := s.Purchases.StateOf(tx)
	if err != nil {
		return out, err
	}
	out.LastAt, out.NextAt, out.Problem = instantOf(state.LastAt), instantOf(state.NextAt), string(state.Problem)
	list, count, err := s.Purchases.List(tx, purchases.Filter{Show: purchases.Show(in.Show), Query: in.Query, Page: in.Page})
	out.Count, out.Items = count, make([]Purchase, len(list))
	for n := range list {
		p := &list[n]
		one := Purchase{ID: p.KsefNumber, Number: p.Number, Seller: p.SellerName, IssuedOn: string(p.IssuedOn), Gross: p.Gross,
			Currency: p.Currency, Strange: p.Checked == purchases.Strange}
		if m := p.Match; m != nil {
			one.Match = &PurchaseMatch{m.ID, m.FirstName + " " + m.LastName, string(m.How), m.MatchedBy}
		}
		out.Items[n] = one
	}
	return out, err
}

func (s Settings) purchaseFile(ctx context.Context, c web.Call, in *named) (func(huma.Context), error) {
	var key, number string
	var on calendar.Date
	if err := s.DB.Read(ctx, c.Actor, func(tx *db.Tx) error {
		p, at, err := s.Purchases.Of(tx, in.ID)
		key, number, on = at, p.KsefNumber, p.IssuedOn
		return err
	}); err != nil {
		return nil, err
	}
	content, size, err := kept(s.Blobs.Get(ctx, key))
	if err != nil {
		return nil, err
	}
	return download(content, size, "application/xml", string(on)+"-"+number+".xml"), nil
}

// decidePurchase keeps which invoice of a driver it backs, none where there is no id, or that it is right though Saldo did not issue it.
func (s Settings) decidePurchase(tx *db.Tx, in *struct {
	ID      string `path:"id" maxLength:"64"`
	Invoice string `query:"invoice" maxLength:"64"`
	Known   bool   `query:"known"`
}) (web.None, error) {
	switch {
	case in.Known:
		return web.None{}, s.Purchases.Know(tx, in.ID)
	case in.Invoice == "":
		return web.None{}, s.Purchases.Unmatch(tx, in.ID)
	}
	return web.None{}, s.Purchases.Match(tx, in.ID, in.Invoice)
}

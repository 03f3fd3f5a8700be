package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/licences"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/orders"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/web"
)

func (s Settings) licencesRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/licences", Name: "licence", Permission: access.LimitsRead,
		Summary: "Units of the partner's licence, how fast they are used, and what its people are told of them"}, licence)
	web.Write(r, web.Route{Method: post, Path: "/api/licences/seen", Name: "see-licence-note", Permission: access.LicencesWrite,
		Summary: "Mark as seen what is told of the units"}, seeLicenceNote)
	web.Read(r, web.Route{Method: get, Path: "/api/licences/packages", Name: "licence-packages", Permission: access.LicencesRead,
		Summary: "What can be bought today, how it can be paid, and who bought last"}, s.licencePackages)
	web.Write(r, web.Route{Method: post, Path: "/api/licences/orders/quote", Name: "quote-licence", Permission: access.LicencesWrite,
		Status: http.StatusOK, Summary: "What an order would cost"}, s.quoteLicence)
	web.Write(r, web.Route{Method: post, Path: "/api/licences/orders", Name: "order-licence", Permission: access.LicencesWrite,
		Status: http.StatusCreated, Summary: "Order pieces of a package at the price that was shown; paying is the next call"}, s.orderLicence)
	web.Read(r, web.Route{Method: get, Path: "/api/licences/orders", Name: "licence-orders", Permission: access.LicencesRead,
		Summary: "A page of orders, newest first, with the sums of the filter"}, s.licenceOrders)
	web.Read(r, web.Route{Method: get, Path: "/api/licences/orders/{id}", Name: "licence-order", Permission: access.LicencesRead,
		Summary: "An order, for the page that people come back to from paying: what is stored, never what the address says"}, s.licenceOrder)
	if s.Licences != nil { // without it the routes are registered for the contract alone
		s.paymentEvents(r)
	}
	paying := func(name, path, about string, h func(context.Context, web.Call, *payingInput) (LicencePaying, error)) {
		web.Plain(r, web.Route{Method: post, Path: "/api/licences/orders/{id}/" + path, Name: name, Permission: access.LicencesWrite,
			Status: http.StatusAccepted, Timeout: time.Minute, Summary: about}, h)
	}
	paying("pay-licence-order", "pay", "Where the order can be paid", s.payLicenceOrder)
	paying("retry-licence-order", "retry", "Pay anew, after the payment before was made impossible", s.retryLicenceOrder)
	paying("cancel-licence-order", "cancel", "Make the payment impossible and abandon the order; what was paid is paid", s.cancelLicenceOrder)
}

// eventMost is how many bytes an event of a payment provider has.
const eventMost = 64 << 10

// paymentEvents are the addresses that payment providers post to. They want to read 200, and post again otherwise.
func (s Settings) paymentEvents(r *web.Router) {
	for _, provider := range s.Licences.Providers {
		web.Webhook(r, web.Hook{Path: "/api/payments/" + provider + "/events", Limit: eventMost}, func(ctx context.Context, m web.Message) error {
			return s.Licences.Receive(ctx, provider, m.Header, m.Body)
		})
	}
}

// Licence is the units of a partner.
type Licence struct {
	Limits
	WeeklyUse int64        `json:"weeklyUse" doc:"units of a week, over the last eight; 0: none were used"`
	WeeksLeft *int64       `json:"weeksLeft" doc:"whole weeks that what is left lasts; null: nobody knows"`
	Note      *LicenceNote `json:"note" doc:"null: there are enough"`
}

// LicenceNote tells that units run out, until there are more.
type LicenceNote struct {
	_    struct{}  `nullable:"true"`
	Kind string    `json:"kind" enum:"low,empty"`
	Left int64     `json:"left" doc:"when it was told"`
	At   time.Time `json:"at"`
	Seen bool      `json:"seen"`
}

func licence(tx *db.Tx, _ *nothing) (out Licence, err error) {
	if out.Limits, err = limits(tx, nil); err != nil {
		return out, err
	}
	if out.WeeklyUse, err = licences.WeeklyUse(tx); err != nil {
		return out, err
	}
	if out.WeeklyUse > 0 {
		out.WeeksLeft = new(out.Remaining / out.WeeklyUse)
	}
	note, err := licences.NewestNote(tx)
	if note != nil {
		out.Note = &LicenceNote{Kind: string(note.Kind), Left: note.UnitsLeft, At: note.ToldAt, Seen: !note.SeenAt.IsZero()}
	}
	return out, err
}

func seeLicenceNote(tx *db.Tx, _ *nothing) (web.None, error) {
	return web.None{}, licences.SeeNotes(tx)
}

// LicencePackage is what a partner can buy some pieces of.
type LicencePackage struct {
	Code        string            `json:"code"`
	Names       map[string]string `json:"names" doc:"by language"`
	Units       int64             `json:"units" doc:"settlements of one piece"`
	MinQuantity int64             `json:"minQuantity"`
	MaxQuantity int64             `json:"maxQuantity"`
	NetPrice    money.Amount      `json:"netPrice" doc:"of one piece"`
	VATRate     money.Rate        `json:"vatRate" doc:"basis points"`
}

// LicencePackages is what can be bought.
type LicencePackages struct {
	Closed    string           `json:"closed" enum:",no_provider,no_seller" doc:"why nothing can be bought; empty: it can"`
	Providers []string         `json:"providers" nullable:"false" doc:"ways to pay; the first is the usual one"`
	Packages  []LicencePackage `json:"packages" nullable:"false"`
	Buyer     LicenceBuyer     `json:"buyer" doc:"who bought last, or what the profile says"`
}

// LicenceBuyer is whoever the invoice is for.
type LicenceBuyer struct {
	Name            string `json:"name" maxLength:"200"`
	TaxID           string `json:"taxId" maxLength:"30" doc:"in another country of the EU: the number for trade within it"`
	Street          string `json:"street" maxLength:"200"`
	HouseNumber     string `json:"houseNumber" maxLength:"40"`
	ApartmentNumber string `json:"apartmentNumber" maxLength:"40"`
	PostCode        string `json:"postCode" maxLength:"20"`
	City            string `json:"city" maxLength:"200"`
	Country         string `json:"country" maxLength:"2" doc:"of the EU, as DE"`
	Email           string `json:"email" maxLength:"254" doc:"that the invoice is mailed to"`
}

func (s Settings) licencePackages(tx *db.Tx, _ *nothing) (out LicencePackages, err error) {
	list, err := s.Licences.Packages(tx)
	if err != nil {
		return out, err
	}
	buyer, err := s.Licences.Remembered(tx)
	out = LicencePackages{s.Licences.Closed(), append([]string{}, s.Licences.Providers...), make([]LicencePackage, len(list)),
		LicenceBuyer(buyer)}
	for i, p := range list {
		out.Packages[i] = LicencePackage{p.Code, packageNames(p.Names), p.Units, p.MinQuantity, p.MaxQuantity, p.NetPrice, p.VATRate}
	}
	return out, err
}

// packageNames are the names of a package by language, as JSON has them.
func packageNames(names map[i18n.Language]string) map[string]string {
	out := make(map[string]string, len(names))
	for language, name := range names {
		out[string(language)] = name
	}
	return out
}

// LicenceSelection is what to order.
type LicenceSelection struct {
	Package  string `json:"package" maxLength:"40" doc:"code"`
	Quantity int64  `json:"quantity" minimum:"1" maximum:"1000000"`
}

// LicenceQuote is what an order costs.
type LicenceQuote struct {
	Units         int64        `json:"units"`
	Net           money.Amount `json:"net"`
	VATRate       money.Rate   `json:"vatRate" doc:"basis points; 0 where the buyer owes the VAT"`
	VAT           money.Amount `json:"vat"`
	Gross         money.Amount `json:"gross"`
	ReverseCharge bool         `json:"reverseCharge" doc:"the buyer is in another country of the EU and owes the VAT there"`
	Weeks         *int64       `json:"weeks" doc:"how long what is left and what is bought lasts; null: nobody knows"`
}

func (s Settings) quoteLicence(tx *db.Tx, in *struct {
	Body struct {
		LicenceSelection
		Country string `json:"country,omitempty" maxLength:"2" doc:"of the buyer; none: that of the instance"`
	}
}) (LicenceQuote, error) {
	q, err := s.Licences.Quote(tx, in.Body.Package, in.Body.Quantity, in.Body.Country)
	out := LicenceQuote{Units: q.Units, Net: q.Net, VATRate: q.VATRate, VAT: q.VAT, Gross: q.Gross, ReverseCharge: q.ReverseCharge}
	if q.WeeklyUse > 0 {
		out.Weeks = &q.Weeks
	}
	return out, err
}

// LicenceOrdered is an order that was just made.
type LicenceOrdered struct {
	ID     string       `json:"id"`
	Number string       `json:"number"`
	Gross  money.Amount `json:"gross"`
}

func (s Settings) orderLicence(tx *db.Tx, in *struct {
	Body struct {
		LicenceSelection
		Buyer    LicenceBuyer `json:"buyer"`
		Expects  money.Amount `json:"expectsGross" doc:"as the quote said; another price now refuses the order"`
		Language Language     `json:"language" doc:"of the mail with the invoice"`
	}
}) (LicenceOrdered, error) {
	o, err := s.Licences.Place(tx, orders.Wanted{Package: in.Body.Package, Quantity: in.Body.Quantity, Buyer: orders.Buyer(in.Body.Buyer),
		Expects: in.Body.Expects, Language: i18n.Language(in.Body.Language)})
	return LicenceOrdered{o.ID, o.Number, o.Gross}, err
}

// LicenceOrderState is where an order stands.
type LicenceOrderState string

// Schema lists the states.
func (LicenceOrderState) Schema(huma.Registry) *huma.Schema {
	names := make([]string, len(orders.States))
	for i, state := range orders.States {
		names[i] = string(state)
	}
	return oneOf(names...)
}

// LicenceReason is why a payment failed.
type LicenceReason string

// Schema lists the reasons; empty: none.
func (LicenceReason) Schema(huma.Registry) *huma.Schema {
	names := []string{""}
	for _, reason := range orders.Reasons {
		names = append(names, string(reason))
	}
	return oneOf(names...)
}

// LicenceDocument is an invoice of an order or a correction of it.
type LicenceDocument struct {
	ID        string       `json:"id"`
	Kind      string       `json:"kind" enum:"invoice,correction"`
	Number    string       `json:"number"`
	IssuedOn  string       `json:"issuedOn"`
	Gross     money.Amount `json:"gross" doc:"of a correction below zero"`
	HasXML    bool         `json:"hasXml"`
	Authority string       `json:"authority" enum:",pending,waiting,accepted,refused" doc:"what KSeF said"`
}

// LicenceOrder is an order.
type LicenceOrder struct {
	ID            string            `json:"id"`
	Number        string            `json:"number"`
	PackageNames  map[string]string `json:"packageNames" doc:"by language, as they were ordered"`
	Quantity      int64             `json:"quantity"`
	Units         int64             `json:"units"`
	NetPrice      money.Amount      `json:"netPrice" doc:"of one piece"`
	VATRate       money.Rate        `json:"vatRate"`
	ReverseCharge bool              `json:"reverseCharge"`
	Net           money.Amount      `json:"net"`
	VAT           money.Amount      `json:"vat"`
	Gross         money.Amount      `json:"gross"`
	State         LicenceOrderState `json:"state"`
	Reason        LicenceReason     `json:"reason" doc:"why it failed; empty: it did not"`
	Provider      string            `json:"provider" doc:"of the last try; empty: there was none"`
	URL           string            `json:"url" doc:"where it can be paid now; empty: nowhere"`
	CreatedAt     time.Time         `json:"createdAt"`
	CreatedBy     string            `json:"createdBy"`
	PaidAt        *time.Time        `json:"paidAt"`
	Refunded      money.Amount      `json:"refunded" doc:"money that went back or is on its way"`
	RefundedUnits int64             `json:"refundedUnits"`
	Documents     []LicenceDocument `json:"documents" nullable:"false"`
}

func licenceOrderOf(o *orders.Order, documents []invoicing.Document) LicenceOrder {
	out := LicenceOrder{o.ID, o.Number, packageNames(o.PackageNames), o.Quantity, o.Units, o.NetPrice, o.VATRate, o.ReverseCharge, o.Net,
		o.VAT,
		o.Gross,
		LicenceOrderState(o.State), LicenceReason(o.Reason), o.Provider, o.URL, o.CreatedAt, o.CreatedBy, instantOf(o.PaidAt), o.Refunded,
		o.RefundedUnits, make([]LicenceDocument, len(documents))}
	for i, d := range documents {
		out.Documents[i] = LicenceDocument{d.ID, string(d.Kind), d.Number, string(d.IssuedOn), d.Gross, d.HasFile(), string(d.AuthorityState)}
	}
	return out
}

// LicenceFilter chooses orders.
type LicenceFilter struct {
	From  string              `query:"from" maxLength:"10" doc:"first day of ordering"`
	To    string              `query:"to" maxLength:"10" doc:"last day of ordering"`
	State []LicenceOrderState `query:"state,explode" maxItems:"7" doc:"any of these; none: all"`
}

func (f LicenceFilter) filter() orders.Filter {
	out := orders.Filter{From: calendar.Date(f.From), To: calendar.Date(f.To)}
	for _, state := range f.State {
		out.States = append(out.States, orders.State(state))
	}
	return out
}

// LicenceHistory is a page of orders with the sums of the filter.
type LicenceHistory struct {
	Items    []LicenceOrder `json:"items" nullable:"false"`
	Total    int64          `json:"total"`
	Units    int64          `json:"units" doc:"bought and not taken back"`
	Net      money.Amount   `json:"net" doc:"of what was paid"`
	VAT      money.Amount   `json:"vat"`
	Gross    money.Amount   `json:"gross"`
	Refunded money.Amount   `json:"refunded"`
}

func (s Settings) licenceOrders(tx *db.Tx, in *struct {
	LicenceFilter
	Page int64 `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int64 `query:"size" minimum:"1" maximum:"200" default:"50"`
}) (out LicenceHistory, err error) {
	h, err := s.Licences.History(tx, in.filter(), in.Page, in.Size)
	if err != nil {
		return out, err
	}
	ids := make([]string, len(h.Items))
	for i := range h.Items {
		ids[i] = h.Items[i].ID
	}
	documents, err := invoicing.Of(tx, ids)
	out = LicenceHistory{make([]LicenceOrder, len(h.Items)), h.Total, h.Units, h.Net, h.VAT, h.Gross, h.Refunded}
	for i := range h.Items {
		out.Items[i] = licenceOrderOf(&h.Items[i], documents[h.Items[i].ID])
	}
	return out, err
}

// LicenceOrderDetails is an order with its buyer.
type LicenceOrderDetails struct {
	LicenceOrder
	Buyer LicenceBuyer `json:"buyer"`
}

func (s Settings) licenceOrder(tx *db.Tx, in *named) (out LicenceOrderDetails, err error) {
	o, buyer, err := s.Licences.Get(tx, in.ID)
	if err != nil {
		return out, err
	}
	documents, err := invoicing.Of(tx, []string{o.ID})
	return LicenceOrderDetails{licenceOrderOf(&o, documents[o.ID]), LicenceBuyer(buyer)}, err
}

// LicencePaying is where an order can be paid.
type LicencePaying struct {
	State       LicenceOrderState `json:"state"`
	RedirectURL string            `json:"redirectUrl" doc:"where to pay; empty: ask for the order until it is there, or nothing is to pay"`
}

type payingInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Provider string `json:"provider,omitempty" maxLength:"40" doc:"a way to pay; none: the usual one"`
	}
}

func (s Settings) payLicenceOrder(ctx context.Context, c web.Call, in *payingInput) (LicencePaying, error) {
	p, err := s.Licences.Pay(ctx, c.Actor, c.Key, in.ID, in.Body.Provider)
	return LicencePaying{LicenceOrderState(p.State), p.URL}, err
}

func (s Settings) retryLicenceOrder(ctx context.Context, c web.Call, in *payingInput) (LicencePaying, error) {
	p, err := s.Licences.Retry(ctx, c.Actor, c.Key, in.ID, in.Body.Provider)
	return LicencePaying{LicenceOrderState(p.State), p.URL}, err
}

func (s Settings) cancelLicenceOrder(ctx context.Context, c web.Call, in *payingInput) (LicencePaying, error) {
	p, err := s.Licences.Cancel(ctx, c.Actor, c.Key, in.ID)
	return LicencePaying{LicenceOrderState(p.State), p.URL}, err
}

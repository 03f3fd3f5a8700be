package api

import (
	"context"

	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/settlements/returns"
)

// InvoiceTotals are what the invoices of a filter are together; rejected ones bring nothing.
type InvoiceTotals struct {
	Count     int64        `json:"count"`
	Gross     money.Amount `json:"gross"`
	VAT       money.Amount `json:"vat"`
	VATReturn money.Amount `json:"vatReturn"`
	Provision money.Amount `json:"provision"`
}

// InvoicePage is a page of invoices.
type InvoicePage struct {
	Items    []InvoiceImage         `json:"items" nullable:"false"`
	Totals   InvoiceTotals          `json:"totals"`
	Counts   map[InvoiceState]int64 `json:"counts" doc:"how many there are in each state, whatever the filter"`
	PageSize int64                  `json:"pageSize"`
}

func (s Settings) invoiceList(ctx context.Context, c web.Call, in *struct {
	PartnerID    string       `query:"partnerUUID" maxLength:"64" doc:"the partner's own; another is not found"`
	ApprovedOnly bool         `query:"approvedOnly"`
	RejectedOnly bool         `query:"rejectedOnly"`
	From         string       `query:"from" maxLength:"10" doc:"first day of issue"`
	To           string       `query:"to" maxLength:"10"`
	State        InvoiceState `query:"state" doc:"none: any"`
	DriverID     string       `query:"driverUUID" maxLength:"64"`
	WaitsFor     string       `query:"waitsFor" enum:"driver,partner"`
	Settled      string       `query:"settled" enum:"open,taken" doc:"whether a settlement has taken it"`
	Query        string       `query:"q" maxLength:"100" doc:"words of driver, issuer, number"`
	Sort         string       `query:"sort" enum:"uploaded,issued,gross,driver" default:"uploaded"`
	Descending   bool         `query:"desc"`
	Page         int64        `query:"page" minimum:"1" maximum:"100000" default:"1"`
}) (out InvoicePage, err error) {
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) error {
		if in.PartnerID != "" && in.PartnerID != tx.Actor.Tenant {
			return invoices.ErrNotFound
		}
		f := invoices.Filter{Driver: in.DriverID, WaitsFor: invoices.Side(in.WaitsFor), From: calendar.Date(in.From), To: calendar.Date(in.To),
			Query: in.Query, Settled: in.Settled, Sort: in.Sort, Desc: in.Descending, Page: in.Page}
		if who.Side == invoices.ByDriver {
			f.Driver = who.ID()
		}
		switch {
		case in.State != "":
			f.States = []invoices.State{invoices.State(in.State)}
		case in.ApprovedOnly:
			f.States = []invoices.State{invoices.Approved}
		case in.RejectedOnly:
			f.States = []invoices.State{invoices.Rejected}
		}
		out, err = s.invoicePage(tx, who, f)
		return err
	})
	return out, err
}

func (s Settings) invoicePage(tx *db.Tx, who invoices.Person, f invoices.Filter) (out InvoicePage, err error) {
	items, sum, err := invoices.List(tx, f)
	if err != nil {
		return out, err
	}
	asked, err := invoices.AskedFor(tx, f)
	if err != nil {
		return out, err
	}
	for i := range items {
		if items[i].State == invoices.Rejected {
			asked = append(asked, items[i].Asked())
		}
	}
	brings, err := returns.Of(tx, s.Settlements, asked)
	if err != nil {
		return out, err
	}
	out = InvoicePage{Items: make([]InvoiceImage, len(items)), Totals: InvoiceTotals{Count: sum.Count, Gross: sum.Gross, VAT: sum.VAT},
		Counts: map[InvoiceState]int64{}, PageSize: invoices.PageMax}
	for i := range items {
		out.Items[i] = invoiceImage(&items[i], brings[items[i].ID])
		if items[i].State == invoices.Rejected {
			delete(brings, items[i].ID)
		}
	}
	for _, b := range brings {
		if out.Totals.VATReturn, err = out.Totals.VATReturn.Add(b.VATReturn); err != nil {
			return out, err
		}
		if out.Totals.Provision, err = out.Totals.Provision.Add(b.Provision); err != nil {
			return out, err
		}
	}
	counts, err := invoices.CountAll(tx, who.ID())
	for state, n := range counts {
		out.Counts[InvoiceState(state)] = n
	}
	return out, err
}

// InvoiceProvision is what invoices that are approved will bring.
type InvoiceProvision struct {
	CommissionBp    money.Rate        `json:"commissionBp"`
	Charge          string            `json:"charge" enum:"always,when_described"`
	DriversDescribe bool              `json:"driversDescribe"`
	PerInvoice      []InvoiceReturned `json:"perInvoice" nullable:"false"`
}

// InvoiceReturned is what one invoice will bring.
type InvoiceReturned struct {
	ID        string       `json:"id"`
	VATReturn money.Amount `json:"vatReturn"`
	Provision money.Amount `json:"provision"`
	Charged   bool         `json:"charged" doc:"whether a provision is taken"`
	Why       string       `json:"why" doc:"why nothing comes back; empty: something does"`
}

func (s Settings) invoiceProvision(ctx context.Context, c web.Call, _ *nothing) (out InvoiceProvision, err error) {
	err = s.as(ctx, c, func(tx *db.Tx, who invoices.Person) error {
		p, err := partners.OwnProvision(tx)
		if err != nil {
			return err
		}
		out = InvoiceProvision{p.Commission, string(p.ProvisionCharge), p.DriversDescribe, []InvoiceReturned{}}
		asked, err := invoices.AskedFor(tx, invoices.Filter{Driver: who.ID(), States: []invoices.State{invoices.Approved}, Settled: "open"})
		if err != nil {
			return err
		}
		brings, err := returns.Of(tx, s.Settlements, asked)
		for i := range asked {
			b := brings[asked[i].ID]
			out.PerInvoice = append(out.PerInvoice, InvoiceReturned{asked[i].ID, b.VATReturn, b.Provision, b.Provision != 0, string(b.Why)})
		}
		return err
	})
	return out, err
}

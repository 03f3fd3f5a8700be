package app

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"saldo/internal/invoices"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/pdf"
)

// demoInvoice is a cost invoice that somebody wrote to the partner.
type demoInvoice struct {
	number, issuer, taxID, plate, what string
	on                                 calendar.Date
	net                                money.Amount
	mileage                            int
	category                           string
}

// demoInvoices has two drivers send invoices: one waits for the driver who can sign in, one is described and waits for the partner, and
// one is read and waits to be described. None is approved, so the figures of the demo are those of its files.
func (a *App) demoInvoices(ctx context.Context, clerk access.Actor, p demoPartner) error {
	var senders []string
	if err := a.db.Read(ctx, clerk, func(tx *db.Tx) (err error) {
		senders, err = db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = '' AND active AND NOT blocked
			ORDER BY CASE WHEN account_id = '' THEN 1 ELSE 0 END, contract_number LIMIT 2`)
		return err
	}); err != nil || len(senders) < 2 {
		return err
	}
	today := calendar.DateOf(a.db.Now(), a.settings.Instance.Location(), 0)
	made := []demoInvoice{
		{"118/11/2026", "Zielona Stacja", "4269910234", "WX48121", "fuel", today.AddDays(-3), 187_40, 84_310, "fuel"},
		{"2026-771", "Auto Serwis Nowak", "1132191233", "WX48121", "service", today.AddDays(-6), 420_00, 83_900, "repair"},
		{"MY/0093", "Myjnia Wolska", "7010000005", "WX30077", "wash", today.AddDays(-2), 48_00, 0, "wash"},
	}
	if a.settings.Instance.Code == "de" {
		for i, c := range []struct{ issuer, taxID, plate string }{{"Grüne Tankstelle", "DE136695976", "B-MR 4812"},
			{"Autohaus Neumann", "DE811907980", "B-MR 4812"}, {"Waschpark Nord", "DE129273398", "B-KL 3007"}} {
			made[i].issuer, made[i].taxID, made[i].plate = c.issuer, c.taxID, c.plate
		}
	}
	for i, one := range made {
		driver := senders[i%2]
		r, err := a.invoices.Receive(ctx, p.TenantID, strings.ReplaceAll(one.number, "/", "-")+".pdf", bytes.NewReader(a.demoPaper(p, one)))
		if err != nil {
			return err
		}
		var form *invoices.Form
		if i == 1 {
			d := one.details(a.demoVAT(one))
			d.BuyerTaxID = p.profile.TaxID
			form = &invoices.Form{Details: d}
		}
		who := invoices.Driver(driver)
		if i == 2 {
			who = invoices.Partner // for a driver who cannot sign in
		}
		if err := a.db.Write(ctx, clerk, func(tx *db.Tx) error {
			_, err := a.invoices.Add(tx, who, driver, r, form)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) demoVAT(one demoInvoice) money.Amount {
	vat, err := money.Share(one.net, a.settings.Instance.VATOn(one.on).Standard)
	if err != nil {
		panic(err) // the amounts are ours
	}
	return vat
}

func (one *demoInvoice) details(vat money.Amount) invoices.Details {
	return invoices.Details{Number: one.number, IssuedOn: one.on, SoldOn: one.on, IssuerTaxID: one.taxID, IssuerName: one.issuer, Net: one.net,
		VATStandard: vat, Gross: one.net + vat, Registration: one.plate, Mileage: int64(one.mileage), Category: one.category}
}

// demoPaper is the invoice as a PDF that a small company would send.
func (a *App) demoPaper(p demoPartner, one demoInvoice) []byte {
	language := i18n.Language(a.settings.Instance.Language)
	text := func(key string) string { return i18n.Of(language, key) }
	vat := a.demoVAT(one)
	amount := func(m money.Amount) string { return i18n.Amount(language, m) }
	d := pdf.New(pdf.Heading{Title: text("demo:invoice") + " " + one.number, Author: one.issuer, Language: string(language), At: a.db.Now()})
	small, bold := pdf.Style{Size: 10}, pdf.Style{Size: 10, Bold: true}
	d.Paragraph(pdf.Style{Size: 18, Bold: true, Head: 1}, text("demo:invoice")+" "+one.number)
	d.Paragraph(small, text("demo:issued")+": "+i18n.Day(language, one.on))
	d.Paragraph(small, text("demo:sold")+": "+i18n.Day(language, one.on))
	d.Paragraph(bold, text("demo:seller"))
	d.Paragraph(small, one.issuer+", "+text("demo:taxId")+": "+one.taxID)
	d.Paragraph(bold, text("demo:buyer"))
	d.Paragraph(small, p.Name+", "+text("demo:taxId")+": "+p.profile.TaxID)
	d.Paragraph(small, text("demo:plate")+": "+one.plate)
	if one.mileage > 0 {
		d.Paragraph(small, fmt.Sprintf("%s: %d km", text("demo:mileage"), one.mileage))
	}
	d.Paragraph(bold, text("demo:item_"+one.what))
	d.Paragraph(small, text("demo:net")+": "+amount(one.net))
	d.Paragraph(small, fmt.Sprintf("%s %d%%: %s", text("demo:vat"), a.settings.Instance.VATOn(one.on).Standard/100, amount(vat)))
	d.Paragraph(pdf.Style{Size: 13, Bold: true}, text("demo:total")+": "+amount(one.net+vat)+" "+a.settings.Instance.Currency.Sign())
	return d.Bytes()
}

package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/invoicing/connector"
	"saldo/internal/licences/orders"
	"saldo/internal/licences/payments"
	"saldo/internal/licences/payments/sandbox"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/reports/dedicated"
)

// selling puts together how licences are sold: packages, ways to pay, invoices and the jobs of all three.
func (a *App) selling() error {
	s := a.settings
	var err error
	if a.packages, err = orders.ReadPackages(s.Payments.Packages, s.Instance); err != nil {
		return err
	}
	invoices := &invoicing.Service{Instance: s.Instance, Vault: a.vault, Mails: a.mails}
	if invoices.Seller, err = invoicing.SellerOf(s.Operator, s.Instance); err != nil {
		return err
	}
	if s.KSeFURL != "" {
		invoices.KSeFClient = connector.Client{URL: s.KSeFURL, HTTP: &http.Client{Timeout: time.Minute}}
	}
	a.licences = &orders.Service{DB: a.db, Vault: a.vault, Instance: s.Instance, Mails: a.mails, Log: a.log, PublicURL: s.PublicURL,
		Gateways: map[string]payments.Gateway{}, Providers: s.Payments.Providers, Invoices: invoices}
	invoices.Refused = a.licences.TellRefused
	for _, provider := range s.Payments.Providers {
		if a.licences.Gateways[provider], err = a.gateway(provider); err != nil {
			return err
		}
	}
	a.queue.Handle(orders.AskKind, a.licences.AskOne)
	a.queue.Handle(orders.SweepKind, a.licences.Sweep)
	a.queue.Handle(orders.CompareKind, a.licences.Compare)
	a.queue.Handle(orders.EventKind, a.licences.OnEvent)
	a.queue.Handle(orders.RefundKind, a.licences.GiveMoneyBack)
	a.queue.Handle(orders.AlarmKind, a.licences.Tell)
	a.queue.Handle(invoicing.SendKind, invoices.Send)
	if len(s.Payments.Providers) > 0 {
		a.queue.Every(time.Minute, orders.SweepKind, jobs.Order{Kind: orders.SweepKind, Key: "sweep"})
		a.queue.Every(24*time.Hour, orders.CompareKind, jobs.Order{Kind: orders.CompareKind, Key: "compare"})
	}
	return nil
}

// Offer makes the packages of the settings those that are sold. Only whoever serves does it: a command may run with other settings.
func (a *App) Offer(ctx context.Context) error {
	return a.db.Write(ctx, access.Program("licences"), func(tx *db.Tx) error { return orders.Offer(tx, a.packages) })
}

// gateway is the way to a payment provider. Its errors name no key.
func (a *App) gateway(provider string) (payments.Gateway, error) {
	p := a.settings.Payments
	switch provider {
	case config.Stripe:
		g, err := payments.NewStripe(payments.StripeSettings{Address: payments.StripeAddress, Key: p.StripeKey,
			EventSecrets: p.StripeEventSecrets,
			Live:         !p.Test})
		if err != nil {
			err = fmt.Errorf("SALDO_STRIPE_KEY: %w", err)
		}
		return g, err
	case config.Przelewy24:
		address := payments.Przelewy24Address
		if p.Test {
			address = payments.Przelewy24Sandbox
		}
		return payments.NewPrzelewy24(payments.Przelewy24Settings{Address: address, Merchant: p.P24Merchant, Shop: p.P24Shop, Key: p.P24Key,
			CRC: p.P24CRC, Clock: a.db.Now})
	}
	box, err := sandbox.New(sandbox.Settings{DB: a.db, PublicURL: a.settings.PublicURL, Name: a.mails.Name(),
		Secret: a.vault.Fingerprint("", "payment sandbox", nil), Language: i18n.Language(a.settings.Instance.Language)})
	if err != nil {
		return nil, err
	}
	a.sandbox = box
	a.queue.Handle(sandbox.EventKind, box.Post)
	return box, nil
}

// attach makes the file of a mail, by whoever wrote the mail.
func (a *App) attach(ctx context.Context, run *jobs.Run, of string) (*mail.Attachment, error) {
	if invoicing.Attaches(of) {
		return a.licences.Invoices.Attach(ctx, run, of)
	}
	if dedicated.Attaches(of) {
		return a.reports.Attach(ctx, run, of)
	}
	return a.summaries.Attach(ctx, run, of)
}

// Orders lists the orders of licences of all partners, newest first.
func (a *App) Orders(ctx context.Context, each func(orders.Listed)) error {
	return a.db.Read(ctx, access.Program("operator"), func(tx *db.Tx) error { return orders.List(tx, each) })
}

// Reconcile compares every payment that may still change with what its provider says.
func (a *App) Reconcile(ctx context.Context) (orders.Reconciled, error) {
	if len(a.licences.Providers) == 0 {
		return orders.Reconciled{}, errors.New("SALDO_PAYMENTS is empty: there is no provider to ask")
	}
	return a.licences.Reconcile(ctx)
}

// RefundOrder begins to give money of an order back. The running program, or the next start, carries it out.
func (a *App) RefundOrder(ctx context.Context, number string, amount money.Amount, all bool, units int64, whole bool,
	why string) (orders.Refunding, error) {
	return a.licences.Refund(ctx, orders.Return{Order: number, Amount: amount, All: all, Units: units, Whole: whole, Note: why})
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"saldo/internal/app"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/orders"
	"saldo/internal/platform/config"
)

var errLicences = errors.New("usage: saldo licences list, saldo licences reconcile, or saldo licences refund NUMBER AMOUNT UNITS REASON, " +
	"where the amount is as 123.45 or all, and the units are a number or all")

// licences is what the operator does with orders.
func licences(ctx context.Context, s config.Settings, args []string) error {
	do := map[string]func(context.Context, *app.App, []string) error{"list": listOrders, "reconcile": reconcile, "refund": refund}[args[0]]
	if do == nil || (args[0] == "refund") != (len(args) == 5) {
		return errLicences
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	return do(ctx, a, args[1:])
}

func listOrders(ctx context.Context, a *app.App, _ []string) error {
	return a.Orders(ctx, func(o orders.Listed) {
		fmt.Printf("%-20s %s  %-10s %10s %s", o.Number, o.CreatedAt.Format(time.DateOnly), o.State, o.Gross, o.Currency)
		if o.Refunded > 0 {
			fmt.Printf(", %s refunded", o.Refunded)
		}
		fmt.Printf(", %d units, %s, %s %s\n", o.Units, cmp.Or(o.Invoice, "no invoice"), cmp.Or(o.Provider, "not paid"), o.Ref)
	})
}

func reconcile(ctx context.Context, a *app.App, _ []string) error {
	r, err := a.Reconcile(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d payments were asked about\n", r.Asked)
	if r.Billed > 0 {
		fmt.Printf("%d invoices that were missing were issued\n", r.Billed)
	}
	for _, u := range r.Unknown {
		fmt.Printf("paid at %s and unknown here: %s, %s %s on %s\n", u.Provider, u.Ref, u.Amount, u.Currency, u.At.Format(time.DateOnly))
	}
	for _, provider := range r.Failed {
		fmt.Printf("%s gave no list: try again later\n", provider)
	}
	if len(r.Unknown)+len(r.Failed) > 0 {
		return errors.New("not everything is known here: see docs/operate/licences.md")
	}
	return nil
}

func refund(ctx context.Context, a *app.App, args []string) error {
	var amount money.Amount
	var units int64
	var err error
	if args[1] != "all" {
		if amount, err = money.Parse(args[1], money.DotDecimal); err != nil || amount <= 0 {
			return fmt.Errorf("%q is no amount: write it as 123.45, or all", args[1])
		}
	}
	if args[2] != "all" {
		if units, err = strconv.ParseInt(args[2], 10, 64); err != nil || units < 0 {
			return fmt.Errorf("%q is no number of units: write 0, a number or all", args[2])
		}
	}
	done, err := a.RefundOrder(ctx, args[0], amount, args[1] == "all", units, args[2] == "all", args[3])
	if err != nil {
		return err
	}
	fmt.Printf("%s %s of %s go back, and %d units; %d are left\n", done.Amount, done.Currency, args[0], done.Units, done.Left)
	return nil
}

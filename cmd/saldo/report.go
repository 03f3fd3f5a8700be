package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"saldo/internal/platform/config"
	"saldo/internal/platform/i18n"
	"saldo/internal/reports/dedicated"
)

var errReport = errors.New("usage: saldo report list, saldo report check FILE, or saldo report add FILE")

// report is what the operator does with reports.
func report(ctx context.Context, s config.Settings, args []string) error {
	if args[0] == "list" && len(args) == 1 {
		return listReports(ctx, s)
	}
	if args[0] != "check" && args[0] != "add" || len(args) != 2 {
		return errReport
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	f, d, err := dedicated.ParseFile(text)
	if err != nil {
		return fmt.Errorf("%s: %w", args[1], err)
	}
	if args[0] == "check" {
		fmt.Printf("%s: %s, for every %s of %s\n", f.Code, d.TitleIn(i18n.Language(s.Instance.Language)), f.Audience, whose(f.Partners))
		return nil
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	version, err := a.PublishReport(ctx, f)
	if err != nil {
		return err
	}
	fmt.Printf("%s: version %d\n", f.Code, version)
	return nil
}

func whose(partners []string) string { return cmp.Or(strings.Join(partners, ", "), "all partners") }

func listReports(ctx context.Context, s config.Settings) error {
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	list, err := a.Reports(ctx)
	for _, r := range list {
		state := map[bool]string{true: "on", false: "off"}[r.Enabled]
		if r.Place != "" {
			state = "not understood at " + r.Place
		}
		owner := "operator, " + whose(r.Partners)
		if r.TenantID != "" {
			owner = r.TenantID
		}
		fmt.Printf("%-30s %-8s version %d, %s (%s)\n", r.Code, r.Audience, r.Version, state, owner)
	}
	return err
}

package app

import (
	"context"
	"errors"
	"io/fs"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/fleet"
	"saldo/internal/identity"
	"saldo/internal/tenancy"
	"saldo/internal/texts"
)

// Login is a way into the demo.
type Login struct {
	Name, Partner string
	Role          access.Role
	Code          string
}

type demoPartner struct {
	tenancy.Partner
	members []identity.Member
	tags    []string
}

// demo is a small invented world: two fleets of different colour and size.
var demo = []demoPartner{
	{
		Partner: tenancy.Partner{TenantID: "01900000-0000-7000-8000-000000000001", Code: "demo", Name: "Drogowiec Flota", Color: ownColor, Demo: true, SettlementLimit: 840},
		members: []identity.Member{
			{ID: "01900000-0000-7000-8000-0000000000a1", Subject: "demo-anna", Role: access.Partner, Name: "Anna Mazurek", Email: "anna@drogowiec.example"},
			{ID: identity.PersonOf(identity.Embedded, "demo-oleh"), Subject: "demo-oleh", Role: access.Driver, Name: "Oleh Babiak", Email: "oleh@drogowiec.example"},
		},
		tags: []string{"B2B", "Elektryczne", "Kraków", "Nocna zmiana", "Nowi w listopadzie", "Studenci", "Warszawa", "Wynajem auta"},
	},
	{
		Partner: tenancy.Partner{TenantID: "01900000-0000-7000-8000-000000000002", Code: "wrzos", Name: "Wrzos Mobility", Color: "#7A4DDE", Demo: true, SettlementLimit: 60},
		members: []identity.Member{
			{ID: "01900000-0000-7000-8000-0000000000b1", Subject: "demo-marek", Role: access.Partner, Name: "Marek Wrzosek", Email: "marek@wrzos.example"},
		},
	},
}

// Demo makes the demo fleets where they are missing and a new way in for each
// of their people.
func (a *App) Demo(ctx context.Context) (logins []Login, err error) {
	if err := a.demoTerms(ctx); err != nil {
		return nil, err
	}
	for _, p := range demo {
		err := a.db.Write(ctx, access.ProgramFor(p.TenantID, "demo"), func(tx *db.Tx) error {
			if _, err := tenancy.Own(tx); !errors.Is(err, db.ErrNone) {
				return err
			}
			if err := tenancy.Found(tx, p.Partner); err != nil {
				return err
			}
			for _, m := range p.members {
				m.Issuer = identity.Embedded
				let := identity.AddMember
				if m.Role == access.Driver {
					let = demoDriver
				}
				if err := let(tx, m); err != nil {
					return err
				}
			}
			if err := tenancy.AcceptTerms(tx, ""); err != nil {
				return err
			}
			for _, name := range p.tags {
				if _, err := fleet.AddTag(tx, name); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, m := range p.members {
			m.TenantID = p.TenantID
			code, err := a.Link(ctx, m, linkLife)
			if err != nil {
				return nil, err
			}
			logins = append(logins, Login{m.Name, p.Name, m.Role, code})
		}
	}
	return logins, nil
}

// demoTerms publishes the terms of the demo where no terms are.
func (a *App) demoTerms(ctx context.Context) error {
	folder, err := fs.Sub(demoTerms, "terms")
	if err != nil {
		return err
	}
	in, err := readTerms(folder)
	if err != nil {
		return err
	}
	return a.db.Write(ctx, access.ProgramFor(demo[0].TenantID, "demo"), func(tx *db.Tx) error {
		if _, err := tenancy.NewestTerms(tx, texts.Default); !errors.Is(err, tenancy.ErrNoTerms) {
			return err
		}
		return tenancy.PublishTerms(tx, demoTermsVersion, in)
	})
}

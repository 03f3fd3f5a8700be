package app

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Login is a way into the demo.
type Login struct {
	Name, Partner   string
	Role            access.Role
	Email, Password string
}

type demoPartner struct {
	partners.Partner
	units   int64 // of its licence
	profile partners.Profile
	people  []demoPerson
	tags    []string
}

// filledIn is the profile over what a new partner has.
func (p demoPartner) filledIn() partners.Profile {
	f := p.profile
	f.Version, f.Name, f.Color = 1, p.Name, p.Color
	f.ProvisionCharge, f.SettlementFrequency = partners.ChargeAlways, 1
	f.DriversDescribe, f.DriversChooseFrequency = true, true
	return f
}

type demoPerson struct {
	first, last, email string
	role               access.Role
}

// demo is a small invented world: two fleets of different colour and size.
var demo = []demoPartner{
	{
		Partner: partners.Partner{TenantID: "01900000-0000-7000-8000-000000000001", Code: "demo", Name: "Drogowiec Flota", Color: ownColor,
			Demo: true},
		units: 840,
		people: []demoPerson{
			{"Anna", "Mazurek", "anna@drogowiec.example", access.Partner},
			{"Oleh", "Babiak", "oleh@drogowiec.example", access.Driver},
		},
		profile: partners.Profile{Email: "biuro@drogowiec.example", Phone: "+48221234567", WWW: "https://drogowiec.example", TaxID: "5260250274",
			Cities: []string{"Warszawa", "Łódź"}, Services: []string{"Przewóz osób", "Dostawy"}, Commission: 500,
			Account: "PL61109010140000071219812874",
			Address: partners.Address{Street: "Towarowa", HouseNumber: "7", City: "Warszawa", PostCode: "00-839", Country: "PL"}},
		tags: []string{"B2B", "Elektryczne", "Kraków", "Nocna zmiana", "Nowi w listopadzie", "Studenci", "Warszawa", "Wynajem auta"},
	},
	{
		Partner: partners.Partner{TenantID: "01900000-0000-7000-8000-000000000002", Code: "wrzos", Name: "Wrzos Mobility", Color: "#7A4DDE",
			Demo: true},
		units:   60,
		people:  []demoPerson{{"Marek", "Wrzosek", "marek@wrzos.example", access.Partner}},
		profile: partners.Profile{Email: "kontakt@wrzos.example", Phone: "+48717654321", Cities: []string{"Wrocław"}},
	},
}

// Demo makes the demo fleets where they are missing, the first with at least
// so many drivers. Their people all have one password, which is this database's
// own and stays the same.
func (a *App) Demo(ctx context.Context, drivers int, progress func(made int)) (logins []Login, err error) {
	if a.provider.embedded == nil {
		return nil,
			errors.New(
				"the demo has people of its own: leave SALDO_IDP_UPSTREAM and SALDO_OIDC_ISSUER empty, or use saldo serve and saldo add-partner")
	}
	if err := a.demoTerms(ctx); err != nil {
		return nil, err
	}
	for _, p := range demo {
		missing, err := a.demoFleet(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, person := range p.people {
			if missing {
				if err := a.demoPerson(ctx, p, person); err != nil {
					return nil, err
				}
			}
			logins = append(logins, Login{person.first + " " + person.last, p.Name, person.role, person.email, a.demoPassword()})
		}
	}
	if err := a.Populate(ctx, demo[0].TenantID, drivers, progress); err != nil {
		return nil, err
	}
	return logins, a.demoSettled(ctx, demo[0], drivers)
}

// demoPassword is made of the database's key: nobody else's demo has it.
func (a *App) demoPassword() string {
	sum := a.vault.Fingerprint("", "demo", nil)
	return "demo-" + strings.ToLower(strings.NewReplacer("_", "x", "-", "y").Replace(sum[len(sum)-12:]))
}

func (a *App) demoFleet(ctx context.Context, p demoPartner) (missing bool, err error) {
	err = a.db.Write(ctx, access.ProgramFor(p.TenantID, "demo"), func(tx *db.Tx) error {
		missing = false
		if _, err := partners.Own(tx); !errors.Is(err, db.ErrNone) {
			return err
		}
		missing = true
		if err := partners.Found(tx, p.Partner, p.units); err != nil {
			return err
		}
		if a.settings.Instance.Code == "pl" { // the invented numbers are Polish
			if err := partners.SaveProfile(tx, a.vault, "PL", p.filledIn()); err != nil {
				return err
			}
		}
		if err := partners.AcceptTerms(tx, ""); err != nil {
			return err
		}
		for _, name := range p.tags {
			if _, err := drivers.AddTag(tx, name); err != nil {
				return err
			}
		}
		return nil
	})
	return missing, err
}

func (a *App) demoPerson(ctx context.Context, p demoPartner, person demoPerson) error {
	id, _, err := a.provider.embedded.EnsureUser(ctx,
		identity.NewUser{Email: person.email, FirstName: person.first, LastName: person.last, Language: a.settings.Instance.Language,
			Role: person.role})
	if err != nil {
		return err
	}
	if err := a.provider.embedded.SetPassword(ctx, id, a.demoPassword()); err != nil {
		return err
	}
	return a.db.Write(ctx, access.ProgramFor(p.TenantID, "demo"), func(tx *db.Tx) error {
		m := identity.Member{ID: tx.NewID(), Issuer: identity.Embedded, Subject: id, Role: person.role, Name: person.first + " " + person.last,
			Email: person.email}
		if person.role == access.Driver {
			m.ID = identity.PersonOf(identity.Embedded, id)
			return demoDriver(tx, m)
		}
		return identity.AddMember(tx, m)
	})
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
		if _, err := partners.NewestTerms(tx, i18n.Default); !errors.Is(err, partners.ErrNoTerms) {
			return err
		}
		return partners.PublishTerms(tx, demoTermsVersion, in)
	})
}

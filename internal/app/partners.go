package app

import (
	"context"
	"time"

	"github.com/google/uuid"

	"saldo/internal/access"
	"saldo/internal/db"
	"saldo/internal/identity"
	"saldo/internal/tenancy"
)

// linkLife is how long a first sign-in link works.
const linkLife = 24 * time.Hour

// ownColor is the colour of a partner that has none of its own.
const ownColor = "#0B5D68"

// AddPartner makes a partner with its first person and gives the code that
// signs this person in within a day.
func (a *App) AddPartner(ctx context.Context, code, name, person, email string) (link string, err error) {
	tenant := uuid.Must(uuid.NewV7()).String()
	m := identity.Member{TenantID: tenant, Issuer: identity.Embedded, Role: access.Partner, Name: person, Email: email}
	err = a.db.Write(ctx, access.ProgramFor(tenant, "operator"), func(tx *db.Tx) error {
		m.ID = tx.NewID()
		m.Subject = m.ID
		if err := tenancy.Found(tx, tenancy.Partner{Code: code, Name: name, Color: ownColor}); err != nil {
			return err
		}
		return identity.AddMember(tx, m)
	})
	if err != nil {
		return "", err
	}
	return a.Link(ctx, m, linkLife)
}

// Link makes a sign-in code for a member.
func (a *App) Link(ctx context.Context, m identity.Member, life time.Duration) (code string, err error) {
	err = a.db.Write(ctx, access.Program("identity"), func(tx *db.Tx) error {
		code, err = identity.NewLink(tx, m, life)
		return err
	})
	return code, err
}

package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"saldo/internal/access"
	"saldo/internal/colour"
	"saldo/internal/db"
	"saldo/internal/identity"
	"saldo/internal/tenancy"
)

// activationLife is how long a first link works.
const activationLife = 72 * time.Hour

// ownColor is the colour of a partner that has none of its own.
const ownColor = colour.Petrol

// AddPartner makes a partner with its first person and gives the link with
// which this person sets a password.
func (a *App) AddPartner(ctx context.Context, code, name, person, email string) (link string, err error) {
	tenant := uuid.Must(uuid.NewV7()).String()
	first, last, _ := strings.Cut(person, " ")
	// a code that is taken must not leave a user behind
	if err := a.db.Write(ctx, access.ProgramFor(tenant, "operator"), func(tx *db.Tx) error {
		return tenancy.Found(tx, tenancy.Partner{Code: code, Name: name, Color: ownColor})
	}); err != nil {
		return "", err
	}
	id, _, err := a.idp.EnsureUser(ctx, identity.NewUser{Email: email, FirstName: first, LastName: last, Language: a.settings.Instance.Language,
		Role: access.Partner, Attributes: map[string]string{identity.PartnerCode: code}})
	if err != nil {
		return "", err
	}
	err = a.db.Write(ctx, access.ProgramFor(tenant, "operator"), func(tx *db.Tx) error {
		return identity.AddMember(tx, identity.Member{ID: tx.NewID(), Issuer: identity.Embedded, Subject: id, Role: access.Partner, Name: person, Email: email})
	})
	if err != nil {
		return "", err
	}
	return a.idp.Activation(ctx, id, activationLife)
}

// Activation makes a link with which a person sets a new password.
func (a *App) Activation(ctx context.Context, email string) (link string, err error) {
	u, err := a.idp.FindByEmail(ctx, email)
	if errors.Is(err, identity.ErrNoUser) {
		return "", errors.New("nobody has this address: check its spelling")
	}
	if err != nil {
		return "", err
	}
	return a.idp.Activation(ctx, u.ID, activationLife)
}

package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/colour"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
)

// activationLife is how long a first link works.
const activationLife = 72 * time.Hour

// ownColor is the colour of a partner that has none of its own.
const ownColor = colour.Petrol

// AddPartner makes a partner with its first person, who sets a password through
// a link: the one given back, or, where people sign in at a Keycloak, the one
// that Keycloak mails.
func (a *App) AddPartner(ctx context.Context, code, name, person, email string) (link string, err error) {
	tenant := uuid.Must(uuid.NewV7()).String()
	// first, so that a code that is taken leaves nobody behind
	err = a.db.Write(ctx, access.ProgramFor(tenant, "operator"), func(tx *db.Tx) error {
		return partners.Found(tx, partners.Partner{Code: code, Name: name, Color: ownColor}, 0)
	})
	if err != nil {
		return "", err
	}
	first, last, _ := strings.Cut(person, " ")
	id, _, err := a.provider.admin.EnsureUser(ctx,
		identity.NewUser{Email: email, FirstName: first, LastName: last, Language: a.settings.Instance.Language,
			Role: access.Partner, Attributes: map[string]string{identity.PartnerCode: code}})
	if err != nil {
		return "", err
	}
	err = a.db.Write(ctx, access.ProgramFor(tenant, "operator"), func(tx *db.Tx) error {
		return identity.AddMember(tx, identity.Member{ID: tx.NewID(), Issuer: a.provider.verifier.Provider, Subject: id, Role: access.Partner,
			Name: person, Email: email})
	})
	if err != nil {
		return "", err
	}
	return a.activation(ctx, id)
}

// Activation gives a person a link with which they set a new password, or has
// Keycloak mail it.
func (a *App) Activation(ctx context.Context, email string) (link string, err error) {
	u, err := a.provider.admin.FindByEmail(ctx, email)
	if errors.Is(err, identity.ErrNoUser) {
		return "", errors.New("nobody has this address: check its spelling")
	}
	if err != nil {
		return "", err
	}
	return a.activation(ctx, u.ID)
}

func (a *App) activation(ctx context.Context, id string) (link string, err error) {
	if own := a.provider.embedded; own != nil {
		return own.Activation(ctx, id, activationLife)
	}
	return "(mailed)", a.provider.admin.SendActivation(ctx, id, a.settings.PublicURL+"/app/", activationLife)
}

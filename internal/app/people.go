package app

import (
	"cmp"
	"context"
	"errors"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// people handles identity.PersonKind: it makes the identity provider agree with
// where a person of an office stands now. Every step may be asked again.
type people struct {
	admin              identity.Admin
	provider, language string
	redirect           wayIn
}

func (h people) handle(ctx context.Context, run *jobs.Run) error {
	var order identity.PersonOrder
	if err := run.Into(&order); err != nil || order.Person == "" {
		return jobs.Permanent(errors.Join(err, errors.New("the order names no person")))
	}
	if h.admin == nil {
		return errors.New("there is no identity provider that could be asked")
	}
	var p identity.Person
	err := run.Read(ctx, func(tx *db.Tx) (err error) { p, err = identity.PersonByID(tx, order.Person); return err })
	if errors.Is(err, identity.ErrPersonNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	switch p.State {
	case identity.Invited:
		return h.invite(ctx, run, p)
	case identity.Withdrawn:
		return h.forget(ctx, p)
	case identity.Blocked:
		return h.signOut(ctx, run, p)
	}
	return nil
}

// invite makes a user for the invitation and has the link mailed. An address
// that is somebody else's is left alone, and the invitation says so.
func (h people) invite(ctx context.Context, run *jobs.Run, p identity.Person) error {
	taken, err := h.taken(ctx, run, p)
	if err != nil {
		return err
	}
	if taken {
		return run.Write(ctx, func(tx *db.Tx) error { return identity.NoteProblem(tx, p.ID, identity.AddressTaken) })
	}
	id, err := h.user(ctx, p)
	if err != nil {
		return err
	}
	var ours bool
	err = run.Write(ctx, func(tx *db.Tx) (err error) { ours, err = identity.ClaimUser(tx, p.ID, h.provider, id); return err })
	if err != nil {
		return err
	}
	if !ours { // withdrawn meanwhile, or accepted
		err := run.Read(ctx, func(tx *db.Tx) (err error) { p, err = identity.PersonByID(tx, p.ID); return err })
		if err != nil || p.State != identity.Withdrawn {
			return err
		}
		return h.forget(ctx, p)
	}
	var partner partners.Partner
	if err := run.Read(ctx, func(tx *db.Tx) (err error) { partner, err = partners.Own(tx); return err }); err != nil {
		return err
	}
	return h.admin.SendActivation(ctx, id, h.redirect(partner.Code), activationLife)
}

// taken says whether the address has a user that this invitation did not make.
// One that a withdrawn invitation of the same partner has left is deleted first.
func (h people) taken(ctx context.Context, run *jobs.Run, p identity.Person) (bool, error) {
	u, err := h.admin.FindByEmail(ctx, p.Email)
	if errors.Is(err, identity.ErrNoUser) {
		return false, nil
	}
	mark := u.Attributes[identity.ReferenceID]
	if err != nil || mark == p.Reference() {
		return false, err
	}
	var left bool
	err = run.Read(ctx, func(tx *db.Tx) (err error) { left, err = identity.ByWithdrawn(tx, mark); return err })
	if err != nil || !left {
		return true, err
	}
	return false, h.admin.Delete(ctx, u.ID)
}

func (h people) user(ctx context.Context, p identity.Person) (id string, err error) {
	u := identity.NewUser{Email: p.Email, FirstName: p.FirstName, LastName: p.LastName, Language: cmp.Or(p.Language, h.language),
		Role:       access.Partner,
		Attributes: map[string]string{identity.ReferenceID: p.Reference()}, Fresh: true}
	id, _, err = h.admin.EnsureUser(ctx, u)
	if !errors.Is(err, identity.ErrTaken) {
		return id, err
	}
	found, err := h.admin.FindByEmail(ctx, p.Email)
	if err != nil {
		return "", err
	}
	if found.Attributes[identity.ReferenceID] != p.Reference() {
		return "", identity.ErrTaken // somebody registered just now: the next try says so
	}
	u.Fresh = false // a former try made the user, and may have ended before it gave the role
	id, _, err = h.admin.EnsureUser(ctx, u)
	return id, err
}

// forget deletes the user that a withdrawn invitation made, and with it the link.
func (h people) forget(ctx context.Context, p identity.Person) error {
	u, err := h.admin.FindByEmail(ctx, p.Email)
	if errors.Is(err, identity.ErrNoUser) || err == nil && u.Attributes[identity.ReferenceID] != p.Reference() {
		return nil
	}
	if err != nil {
		return err
	}
	return h.admin.Delete(ctx, u.ID)
}

// signOut ends the sessions of a blocked person. Their tokens end first, so
// that none of them works should the person be let in again.
func (h people) signOut(ctx context.Context, run *jobs.Run, p identity.Person) error {
	if p.Issuer != h.provider {
		return nil // of a provider that is no longer asked
	}
	if err := run.Write(ctx, func(tx *db.Tx) error { return identity.RevokeUser(tx, p.Issuer, p.Subject) }); err != nil {
		return err
	}
	if err := h.admin.LogoutAll(ctx, p.Subject); !errors.Is(err, identity.ErrNoUser) {
		return err
	}
	return nil
}

package identity

import (
	"errors"
	"strings"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// JoinDriver makes a driver a member of the partner in whose tenant who acts,
// and of no other.
func JoinDriver(tx *db.Tx, who access.Actor, name, email string) error {
	if err := LeaveDriver(tx, who); err != nil {
		return err
	}
	return tx.As(who, func() error {
		return AddMember(tx, Member{ID: who.Person, Issuer: who.Proof.Issuer, Subject: who.Proof.Subject, Role: access.Driver, Name: name,
			Email: email})
	})
}

// LeaveDriver ends a driver's membership, wherever it is.
func LeaveDriver(tx *db.Tx, who access.Actor) error {
	m, err := memberOf(tx, who.Proof.Issuer, who.Proof.Subject)
	switch {
	case errors.Is(err, db.ErrNone):
		return nil
	case err != nil:
		return err
	case m.Role != access.Driver:
		return errors.New("identity: only drivers leave")
	}
	_, err = tx.Across().Exec(`DELETE FROM members WHERE tenant_id = $1 AND id = $2`, m.TenantID, m.ID)
	return err
}

// RenameMember changes what a member is called and written to.
func RenameMember(tx *db.Tx, id, name, email string) error {
	_, err := tx.Exec(`UPDATE members SET name = $3, email = $4 WHERE tenant_id = $1 AND id = $2`, id, name, strings.ToLower(email))
	return err
}

// ForgetKind is the kind of the job that deletes a user at the identity provider.
const ForgetKind = "identity.forget"

// Forgotten is the order of that job.
type Forgotten struct {
	Subject string `json:"subject"`
}

// ForgetUser shuts a user out at once and leaves the job that deletes them at
// the identity provider.
func ForgetUser(tx *db.Tx, issuer, subject string) error {
	if err := RevokeUser(tx, issuer, subject); err != nil {
		return err
	}
	return jobs.Enqueue(tx, jobs.Order{Kind: ForgetKind, Payload: Forgotten{subject}, Key: subject})
}

// ActivateKind is the kind of the job that gives a partner's driver a user at
// the identity provider and mails them the link to it.
const ActivateKind = "identity.activate"

// Activated is the order of that job. It names the driver and nothing of them:
// orders are kept in the clear.
type Activated struct {
	Driver string `json:"driver"`
}

// Activate leaves that job.
func Activate(tx *db.Tx, driver string) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: ActivateKind, Payload: Activated{driver}, Key: driver})
}

package identity

import (
	"context"
	"errors"
	"time"

	"saldo/internal/kernel/access"
)

// ErrNoUser is the answer of an Admin that is asked for somebody it does not know.
var ErrNoUser = errors.New("identity: no such user")

// ErrTaken is the answer of an Admin that shall make somebody new for an address that somebody has, or a driver of a partner's person.
var ErrTaken = errors.New("identity: the address is somebody's already")

// User is somebody an identity provider knows.
type User struct {
	ID                  string // the subject of their tokens
	Email               string
	FirstName, LastName string
	Verified, Enabled   bool
	Roles               []access.Role
	Attributes          map[string]string
}

// NewUser is somebody an identity provider shall know.
type NewUser struct {
	Email               string
	FirstName, LastName string
	Language            string
	Role                access.Role
	Attributes          map[string]string
	Fresh               bool // an address that somebody has is refused with ErrTaken, and they get nothing
}

// Attributes of a user that reach the tokens under the same names.
const (
	PartnerCode   = "partner_code" // set by operators only: it lets a partner's people in
	ReferenceID   = "reference_id"
	ReferenceLink = "reference_link"
)

// Admin is what Saldo asks of any identity provider. Everything may be asked
// again after a failure. Whoever takes an id answers ErrNoUser to one it does
// not know, but for Delete. testkit.AdminContract is what every Admin must show.
type Admin interface {
	// FindByEmail finds a user, or ErrNoUser. The case of the address does not matter.
	FindByEmail(ctx context.Context, email string) (User, error)
	// EnsureUser makes a user without a password, or finds the one with the
	// address and makes sure of the role. It never changes a name, nor the
	// password of somebody whose address is proven. A partner's person does not
	// become a driver: whoever adds drivers may type anybody's address. They are
	// left alone, and the answer is ErrTaken.
	EnsureUser(ctx context.Context, u NewUser) (id string, created bool, err error)
	// SendActivation mails a link with which the user sets a password; doing so
	// proves the address.
	SendActivation(ctx context.Context, id, redirect string, life time.Duration) error
	// SetAttributes replaces the named attributes and leaves the others; an
	// empty value removes one.
	SetAttributes(ctx context.Context, id string, attributes map[string]string) error
	// LogoutAll ends every session of the user.
	LogoutAll(ctx context.Context, id string) error
	// Delete forgets the user. Somebody unknown is already forgotten.
	Delete(ctx context.Context, id string) error
}

package idp

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// user is somebody the provider knows.
type user struct {
	ID, Email           string
	Verified            bool
	FirstName, LastName string
	Language, Password  string
	Enabled             bool
	PasswordChangedAt   time.Time
}

func (u user) name() string { return strings.TrimSpace(u.FirstName + " " + u.LastName) }

// language is the one the user chose, or the one they are talked to in now.
func (u user) language(or i18n.Language) i18n.Language {
	if l, ok := i18n.Parse(u.Language); ok {
		return l
	}
	return or
}

const userColumns = `id, email, verified, first_name, last_name, language, password, enabled, password_changed_at`

// folded is an address as it is stored and looked for.
func folded(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func userByEmail(tx *db.Tx, email string) (user, error) {
	return db.One[user](tx.Across(), `SELECT `+userColumns+` FROM idp_users WHERE email = $1`, folded(email))
}

func userByID(tx *db.Tx, id string) (user, error) {
	return db.One[user](tx.Across(), `SELECT `+userColumns+` FROM idp_users WHERE id = $1`, id)
}

func rolesOf(tx *db.Tx, id string) ([]string, error) {
	return db.Select[string](tx.Across(), `SELECT role FROM idp_roles WHERE user_id = $1 ORDER BY role`, id)
}

func attributesOf(tx *db.Tx, id string) (map[string]string, error) {
	rows, err := db.Select[struct{ Name, Value string }](tx.Across(), `SELECT name, value FROM idp_attributes WHERE user_id = $1`, id)
	found := map[string]string{}
	for _, r := range rows {
		found[r.Name] = r.Value
	}
	return found, err
}

func addUser(tx *db.Tx, u user) error {
	_, err := tx.Across().Exec(`INSERT INTO idp_users (id, email, verified, first_name, last_name, language, password, password_changed_at,
		enabled, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, TRUE, $8)`, u.ID, folded(u.Email), u.Verified, u.FirstName, u.LastName, u.Language, u.Password,
		tx.Now)
	return err
}

func addRole(tx *db.Tx, id string, role access.Role) error {
	_, err := tx.Across().Exec(`INSERT INTO idp_roles (user_id, role) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, string(role))
	return err
}

func setAttributes(tx *db.Tx, id string, attributes map[string]string) error {
	for name, value := range attributes {
		if _, err := tx.Across().Exec(`DELETE FROM idp_attributes WHERE user_id = $1 AND name = $2`, id, name); err != nil {
			return err
		}
		if value == "" {
			continue
		}
		if _, err := tx.Across().Exec(`INSERT INTO idp_attributes (user_id, name, value) VALUES ($1, $2, $3)`, id, name, value); err != nil {
			return err
		}
	}
	return nil
}

// setPassword stores a hash. The address counts as proven when the password
// was set through a mailed link.
func setPassword(tx *db.Tx, id, hash string, proven bool) error {
	_, err := tx.Across().Exec(`UPDATE idp_users SET password = $2, password_changed_at = $3, verified = (verified OR $4) WHERE id = $1`, id,
		hash, tx.Now, proven)
	return err
}

// record keeps what happened to a user.
func record(tx *db.Tx, kind, userID, sessionID string) error {
	_, err := tx.Across().Exec(`INSERT INTO idp_events (id, at, kind, user_id, session_id) VALUES ($1, $2, $3, $4, $5)`, tx.NewID(), tx.Now,
		kind, userID, sessionID)
	return err
}

// recordFailure keeps that a sign-in failed. For an unknown address it takes the
// same statement and leaves one of a few rows that are written over: guesses
// leave no trail that grows with them.
func (p *Provider) recordFailure(tx *db.Tx, userID, email string) error {
	id := tx.NewID()
	if userID == "" {
		sum := sumOf(p.throttleID(byAccount, email))
		id = "unknown-" + sum[:2]
	}
	_, err := tx.Across().Exec(`INSERT INTO idp_events (id, at, kind, user_id, session_id) VALUES ($1, $2, 'failed to sign in', $3, '')
		ON CONFLICT (id) DO UPDATE SET at = excluded.at`, id, tx.Now, userID)
	return err
}

// The provider is an identity.Admin for the program it is part of; it offers
// nothing of this to the network.
var _ identity.Admin = (*Provider)(nil)

// FindByEmail finds a user by their address.
func (p *Provider) FindByEmail(ctx context.Context, email string) (found identity.User, err error) {
	err = p.db.Read(ctx, program, func(tx *db.Tx) error {
		u, err := userByEmail(tx, email)
		if errors.Is(err, db.ErrNone) {
			return identity.ErrNoUser
		}
		if err != nil {
			return err
		}
		found = identity.User{ID: u.ID, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, Verified: u.Verified, Enabled: u.Enabled}
		roles, err := rolesOf(tx, u.ID)
		if err != nil {
			return err
		}
		for _, r := range roles {
			found.Roles = append(found.Roles, access.Role(r))
		}
		found.Attributes, err = attributesOf(tx, u.ID)
		return err
	})
	return found, err
}

// EnsureUser makes a user without a password, or finds the one with the address.
func (p *Provider) EnsureUser(ctx context.Context, n identity.NewUser) (id string, created bool, err error) {
	err = p.db.Write(ctx, program, func(tx *db.Tx) error {
		id, created, err = ensure(tx, n)
		return err
	})
	return id, created, err
}

func ensure(tx *db.Tx, n identity.NewUser) (id string, created bool, err error) {
	u, err := userByEmail(tx, n.Email)
	if err == nil && n.Fresh {
		return "", false, identity.ErrTaken
	}
	if errors.Is(err, db.ErrNone) {
		u = user{ID: tx.NewID(), Email: n.Email, FirstName: n.FirstName, LastName: n.LastName, Language: n.Language}
		created = true
		if err = addUser(tx, u); err == nil {
			err = setAttributes(tx, u.ID, n.Attributes)
		}
	}
	if err != nil {
		return "", false, err
	}
	if n.Role == access.Driver && !created {
		if roles, err := rolesOf(tx, u.ID); err != nil || slices.Contains(roles, string(access.Partner)) {
			return "", false, cmp.Or(err, identity.ErrTaken)
		}
	}
	if !u.Verified && u.Password != "" {
		// somebody registered the address and never proved it: whoever they are, their password must not open what is given here
		if err := setPassword(tx, u.ID, "", false); err != nil {
			return "", false, err
		}
	}
	return u.ID, created, addRole(tx, u.ID, n.Role)
}

// known runs a change of a user who must exist.
func (p *Provider) known(ctx context.Context, id string, change func(*db.Tx, user) error) error {
	return p.db.Write(ctx, program, func(tx *db.Tx) error {
		u, err := userByID(tx, id)
		if errors.Is(err, db.ErrNone) {
			return identity.ErrNoUser
		}
		if err != nil {
			return err
		}
		return change(tx, u)
	})
}

// SendActivation mails a link with which the user sets a password, in the name of the partner that the redirect names.
func (p *Provider) SendActivation(ctx context.Context, id, redirect string, life time.Duration) error {
	return p.known(ctx, id, func(tx *db.Tx, u user) error {
		code := ""
		if at, err := url.Parse(redirect); err == nil {
			code = at.Query().Get("partner")
		}
		link, err := p.newLink(tx, u, activate, code, life)
		if err != nil {
			return err
		}
		return p.write(tx, u, code, "mail:activate", link)
	})
}

// Activation makes the link of SendActivation for an operator to hand over.
func (p *Provider) Activation(ctx context.Context, id string, life time.Duration) (link string, err error) {
	err = p.known(ctx, id, func(tx *db.Tx, u user) error {
		link, err = p.newLink(tx, u, activate, "", life)
		return err
	})
	return link, err
}

// SetAttributes replaces the named attributes and leaves the others.
func (p *Provider) SetAttributes(ctx context.Context, id string, attributes map[string]string) error {
	return p.known(ctx, id, func(tx *db.Tx, u user) error { return setAttributes(tx, u.ID, attributes) })
}

// LogoutAll ends every session of the user.
func (p *Provider) LogoutAll(ctx context.Context, id string) error {
	return p.known(ctx, id, func(tx *db.Tx, u user) error { return endSessions(tx, u.ID, "") })
}

// Delete forgets the user with everything they had.
func (p *Provider) Delete(ctx context.Context, id string) error {
	err := p.known(ctx, id, func(tx *db.Tx, u user) error {
		if err := endSessions(tx, u.ID, ""); err != nil {
			return err
		}
		if err := record(tx, "deleted", u.ID, ""); err != nil {
			return err
		}
		_, err := tx.Across().Exec(`DELETE FROM idp_users WHERE id = $1`, u.ID)
		return err
	})
	if errors.Is(err, identity.ErrNoUser) {
		return nil
	}
	return err
}

// SetPassword gives a user a password without a mail, for the demo.
func (p *Provider) SetPassword(ctx context.Context, id, password string) error {
	hash, err := p.hasher.make(ctx, password)
	if err != nil {
		return err
	}
	return p.known(ctx, id, func(tx *db.Tx, u user) error { return setPassword(tx, u.ID, hash, true) })
}

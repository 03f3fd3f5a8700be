package identity

import (
	"cmp"
	"errors"
	"strings"
	"time"
	"unicode"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
)

var (
	ErrPersonNotFound = fault.Declare(fault.NotFound, "people.not_found")
	ErrPersonInvalid  = fault.Declare(fault.Invalid, "people.invalid")
	// ErrInvited is the answer to inviting somebody whose invitation is still open.
	ErrInvited = fault.Declare(fault.Conflict, "people.invited_already")
	// ErrMember is the answer to inviting somebody who is a person of this office, also a blocked one.
	ErrMember = fault.Declare(fault.Conflict, "people.member_already")
	// ErrAddressTaken is the answer to inviting an address that has another account, whoever's and wherever.
	ErrAddressTaken = fault.Declare(fault.Conflict, "people.address_taken")
	// ErrTooManyPeople is the answer to inviting more people than an office or a day may have.
	ErrTooManyPeople = fault.Declare(fault.Conflict, "people.too_many")
	// ErrSentLately is the answer to sending an invitation again too soon or too often.
	ErrSentLately = fault.Declare(fault.Conflict, "people.sent_lately")
	// ErrPersonState is the answer to a step that is not the next one of this person: somebody else was faster.
	ErrPersonState = fault.Declare(fault.Conflict, "people.changed")
	ErrSelf        = fault.Declare(fault.Conflict, "people.self")
	// ErrTwoNeeded is the answer to blocking a person without whom no two are left to release batches.
	ErrTwoNeeded = fault.Declare(fault.Conflict, "people.two_needed")
)

// Limits of an office.
const (
	peopleMax     = 50 // with open invitations and blocked people
	invitedPerDay = 20
	sendingsMax   = 10 // of one invitation
	sendingRest   = time.Minute
	nameMax       = 100
)

// PersonState is where a person of an office stands.
type PersonState string

const (
	Invited   PersonState = "invited"
	Active    PersonState = "active"
	Blocked   PersonState = "blocked"
	Withdrawn PersonState = "withdrawn" // an invitation that was taken back; no list shows it
)

// Problem is why the mail of an invitation did not go out.
type Problem string

const (
	AddressTaken Problem = "taken"  // the identity provider knows the address as somebody else's
	Unsent       Problem = "unsent" // the identity provider could not be reached, or could not mail
)

// Person is somebody of a partner's office.
type Person struct {
	ID, Name            string
	FirstName, LastName string // of an invitation; empty for whom an operator let in
	Email, Language     string
	Issuer, Subject     string // empty until the identity provider knows an invited person
	State               PersonState
	StateSince          time.Time
	Problem             Problem
}

// reference marks the user that an identity provider makes for an invitation.
func reference(id string) string { return "invitation-" + id }

// Reference is the user's attribute ReferenceID by which the invitation knows the user it has made.
func (p Person) Reference() string { return reference(p.ID) }

const personColumns = `id, name, first_name, last_name, email, language, issuer, CASE WHEN issuer = '' THEN '' ELSE subject END AS subject,
	state, state_since, problem`

// People are the people of the partner's office, by name.
func People(tx *db.Tx) ([]Person, error) {
	return db.Select[Person](tx, `SELECT `+personColumns+` FROM members WHERE tenant_id = $1 AND role = 'partner' AND state <> 'withdrawn'
		ORDER BY name, id`)
}

// PersonByID is one of them, also after the invitation was withdrawn.
func PersonByID(tx *db.Tx, id string) (Person, error) {
	p, err := db.One[Person](tx, `SELECT `+personColumns+` FROM members WHERE tenant_id = $1 AND id = $2 AND role = 'partner'`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrPersonNotFound
	}
	return p, err
}

const countActive = `(SELECT COUNT(*) FROM members a WHERE a.tenant_id = $1 AND a.role = 'partner' AND a.state = 'active')`

// ActivePeople is how many people of the office can sign in.
func ActivePeople(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM members WHERE tenant_id = $1 AND role = 'partner' AND state = 'active'`)
}

// Invitation is somebody who shall become a person of the office.
type Invitation struct {
	FirstName, LastName, Email string
	Language                   i18n.Language
}

func (in Invitation) checked() (Invitation, error) {
	invalid := ErrPersonInvalid
	for name, text := range map[string]*string{"firstName": &in.FirstName, "lastName": &in.LastName} {
		*text = strings.Join(strings.Fields(*text), " ")
		switch {
		case *text == "":
			invalid = invalid.Field(name, fault.Required)
		case len([]rune(*text)) > nameMax:
			invalid = invalid.Field(name, fault.TooLong)
		case strings.ContainsFunc(*text, unicode.IsControl):
			invalid = invalid.Field(name, fault.WrongFormat)
		}
	}
	email, err := official.ParseEmail(in.Email)
	switch {
	case strings.TrimSpace(in.Email) == "":
		invalid = invalid.Field("email", fault.Required)
	case err != nil:
		invalid = invalid.Field("email", fault.WrongFormat)
	}
	in.Email = strings.ToLower(string(email))
	if len(invalid.Fields) > 0 {
		return in, invalid
	}
	return in, nil
}

// Invite writes an invitation of the partner in whose tenant who acts down, and
// leaves the job that gives the person a user and mails the link. It runs in a
// unit of the system, since an address has one account in all tenants: one
// statement holds that and the limits. others say whether an address is in use
// elsewhere, by a driver of the tenant above all.
func Invite(tx *db.Tx, who access.Actor, in Invitation, others ...func(tx *db.Tx, tenant, email string) (bool, error)) (id string,
	err error) {
	if in, err = in.checked(); err != nil {
		return "", err
	}
	for _, taken := range others {
		if is, err := taken(tx, who.Tenant, in.Email); err != nil || is {
			return "", cmp.Or(err, error(ErrAddressTaken))
		}
	}
	id = tx.NewID()
	name := in.FirstName + " " + in.LastName
	n, err := tx.Across().Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at, state, state_since,
		first_name, last_name,
		language, invited_at, sent_at, sendings, problem)
		SELECT $1, $2, '', $3, 'partner', $4, $5, $6, 'invited', $6, $7, $8, $9, $6, $6, 1, ''
		WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.email = $5 AND m.state <> 'withdrawn')
		AND (SELECT COUNT(*) FROM members m WHERE m.tenant_id = $1 AND m.role = 'partner' AND m.state <> 'withdrawn') < $10
		AND (SELECT COUNT(*) FROM members m WHERE m.tenant_id = $1 AND m.role = 'partner' AND m.invited_at > $11) < $12`,
		who.Tenant, id, reference(id), name, in.Email, tx.Now, in.FirstName, in.LastName, string(in.Language), int64(peopleMax),
		tx.Now.Add(-24*time.Hour), int64(invitedPerDay))
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", whyNotInvited(tx, who.Tenant, in.Email)
	}
	return id, tx.As(who, func() error {
		return personStep(tx, id, "people.invite", nil, map[string]any{"name": name, "email": in.Email, "language": in.Language})
	})
}

func whyNotInvited(tx *db.Tx, tenant, email string) error {
	known, err := db.Select[struct {
		TenantID string
		Role     access.Role
		State    PersonState
	}](tx.Across(), `SELECT tenant_id, role, state FROM members WHERE email = $1 AND state <> 'withdrawn'`, email)
	if err != nil {
		return err
	}
	why := ErrTooManyPeople.With("people", peopleMax).With("perDay", invitedPerDay)
	for _, m := range known {
		switch {
		case m.TenantID != tenant || m.Role != access.Partner:
			why = ErrAddressTaken
		case m.State == Invited:
			return ErrInvited.With("email", email)
		default:
			return ErrMember.With("email", email)
		}
	}
	return why
}

// personStep writes a step of a person on the trail and leaves the job that
// tells the identity provider.
func personStep(tx *db.Tx, id, action string, before, after any) error {
	if err := audit.Record(tx, audit.Change{Action: action, Kind: "person", ID: id, Before: before, After: after}); err != nil {
		return err
	}
	// without a key: an order that comes while another of the same person runs must not be lost
	return jobs.Enqueue(tx, jobs.Order{Kind: PersonKind, Payload: PersonOrder{id}})
}

// moved is what a step answers when its guarded statement changed nothing.
func moved(tx *db.Tx, id string) error {
	if _, err := PersonByID(tx, id); err != nil {
		return err
	}
	return ErrPersonState
}

// Resend has the invitation mailed again with a new link; the older one ends.
func Resend(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE members SET sent_at = $3, sendings = sendings + 1, problem = '' WHERE tenant_id = $1 AND id = $2
		AND role = 'partner' AND state = 'invited'
		AND sent_at <= $4 AND sendings < $5`, id, tx.Now, tx.Now.Add(-sendingRest), int64(sendingsMax))
	if err != nil {
		return err
	}
	if n == 0 {
		p, err := PersonByID(tx, id)
		switch {
		case err != nil:
			return err
		case p.State == Invited:
			return ErrSentLately
		}
		return ErrPersonState
	}
	return personStep(tx, id, "people.resend", nil, nil)
}

// Withdraw takes an open invitation back: whoever has its link is not let in
// from now on, and the user that was made for it is deleted.
func Withdraw(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE members SET state = 'withdrawn', state_since = $3, problem = '' WHERE tenant_id = $1 AND id = $2
		AND role = 'partner' AND state = 'invited'`, id, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		return moved(tx, id)
	}
	return personStep(tx, id, "people.withdraw", map[string]any{"state": Invited}, map[string]any{"state": Withdrawn})
}

const actorActive = `EXISTS (SELECT 1 FROM members o WHERE o.tenant_id = $1 AND o.id = $3 AND o.state = 'active')`

// BlockPerson shuts a person out, unless fewer than keep people would be left.
// Nobody shuts themselves out, and whoever was shut out a moment ago shuts out
// nobody: of two who do it to each other one stays.
func BlockPerson(tx *db.Tx, id string, keep int64) error {
	if id == tx.Actor.ID {
		return ErrSelf
	}
	n, err := tx.Exec(`UPDATE members SET state = 'blocked', state_since = $4 WHERE tenant_id = $1 AND id = $2 AND id <> $3
		AND role = 'partner' AND state = 'active'
		AND `+actorActive+` AND `+countActive+` > $5`, id, tx.Actor.ID, tx.Now, keep)
	if err != nil {
		return err
	}
	p, err := PersonByID(tx, id)
	if err != nil {
		return err
	}
	if n == 0 {
		if err := ActsStill(tx); err != nil {
			return err
		}
		if p.State != Active {
			return ErrPersonState
		}
		return ErrTwoNeeded
	}
	return personStep(tx, id, "people.block", map[string]any{"state": Active}, map[string]any{"state": Blocked})
}

// ActsStill refuses whoever has lost their access while their token is still believed.
func ActsStill(tx *db.Tx) error {
	self, err := PersonByID(tx, tx.Actor.ID)
	if errors.Is(err, ErrPersonNotFound) || err == nil && self.State != Active {
		return ErrStranger
	}
	return err
}

// UnblockPerson lets a person in again. They sign in anew.
func UnblockPerson(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE members SET state = 'active', state_since = $4 WHERE tenant_id = $1 AND id = $2 AND role = 'partner'
		AND state = 'blocked'
		AND `+actorActive, id, tx.Actor.ID, tx.Now)
	if err != nil {
		return err
	}
	if n == 0 {
		if err := ActsStill(tx); err != nil {
			return err
		}
		return moved(tx, id)
	}
	return personStep(tx, id, "people.unblock", map[string]any{"state": Blocked}, map[string]any{"state": Active})
}

// PersonKind is the kind of the job that tells the identity provider where a
// person stands: a user and a mail for an invitation, no user for a withdrawn
// one, no session for a blocked person.
const PersonKind = "identity.person"

// PersonOrder is the order of that job. It names nothing of the person: orders
// are kept in the clear.
type PersonOrder struct {
	Person string `json:"person"`
}

// ClaimUser notes which user an invitation made; false when it was withdrawn meanwhile.
func ClaimUser(tx *db.Tx, id, provider, subject string) (bool, error) {
	n, err := tx.Exec(`UPDATE members SET issuer = $3, subject = $4, problem = '' WHERE tenant_id = $1 AND id = $2 AND state = 'invited'`, id,
		provider, subject)
	return n == 1, err
}

// NoteProblem says on the invitation why its mail did not go out.
func NoteProblem(tx *db.Tx, id string, why Problem) error {
	_, err := tx.Exec(`UPDATE members SET problem = $3 WHERE tenant_id = $1 AND id = $2 AND state = 'invited'`, id, string(why))
	return err
}

// OnPersonFailure is called when a job of PersonKind has failed for good.
func OnPersonFailure(tx *db.Tx, run *jobs.Run, _ error) error {
	var order PersonOrder
	if run.Into(&order) != nil {
		return nil // it names nobody, and so nobody waits for it
	}
	return NoteProblem(tx, order.Person, Unsent)
}

// ByWithdrawn says whether a user with this reference was made for an
// invitation of the partner that was withdrawn.
func ByWithdrawn(tx *db.Tx, mark string) (bool, error) {
	id, ok := strings.CutPrefix(mark, reference(""))
	if !ok {
		return false, nil
	}
	p, err := PersonByID(tx, id)
	if errors.Is(err, ErrPersonNotFound) {
		return false, nil
	}
	return err == nil && p.State == Withdrawn, err
}

// arrive makes an invited person active on their first visit; false when the
// invitation was withdrawn meanwhile.
func arrive(tx *db.Tx, m Member) (bool, error) {
	n, err := tx.Exec(`UPDATE members SET state = 'active', state_since = $3, problem = '' WHERE tenant_id = $1 AND id = $2
		AND state = 'invited'`, m.ID, tx.Now)
	if err != nil || n == 0 {
		return false, err
	}
	person := access.Actor{Role: access.Partner, Tenant: m.TenantID, ID: m.ID, Name: m.Name}
	return true, tx.As(person, func() error {
		return audit.Record(tx, audit.Change{Action: "people.activate", Kind: "person", ID: m.ID,
			Before: map[string]any{"state": Invited}, After: map[string]any{"state": Active}})
	})
}

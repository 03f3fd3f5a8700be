package unmatched

import (
	"errors"
	"slices"
	"strconv"

	"saldo/internal/drivers"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/fault"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
)

// ErrIdentitiesInvalid is the answer to a list that cannot be worked off.
var ErrIdentitiesInvalid = fault.Declare(fault.Invalid, "imports.identities_invalid")

// IdentitiesMax is how many identities are decided about at once.
const IdentitiesMax = 500

// What can become of one of many identities.
const (
	ManyCreated   = "created"
	ManyAssigned  = "assigned"
	ManyUndone    = "undone"
	ManyNoName    = "no_name"       // no file says what they are called
	ManyRefused   = "refused"       // as the file has them, nobody can be written down: half a name, a wrong address
	ManyKnown     = "same_identity" // a driver is known by one of the keys by now
	ManyEmail     = "same_email"    // as a driver has
	ManyPhone     = "same_phone"
	ManyName      = "same_name"
	ManyDecided   = "decided" // by somebody else meanwhile
	ManyUndecided = "undecided"
	ManySettled   = "settled" // rows of it are in settlements
	ManyNotFound  = "not_found"
	ManyNoDriver  = "driver_not_found"
)

// ManyOutcomes lists what can become of one, for the contract.
func ManyOutcomes() []string {
	return []string{ManyCreated, ManyAssigned, ManyUndone, ManyNoName, ManyRefused, ManyKnown, ManyEmail, ManyPhone, ManyName,
		ManyDecided, ManyUndecided,
		ManySettled, ManyNotFound, ManyNoDriver}
}

// IdentityOutcome is what became of one of many. It names nobody: answers are kept.
type IdentityOutcome struct {
	ID, Outcome string // of a person: the first of the ids asked for
	DriverID    string // who was made, who it was given to, or who has the same already; empty: nobody, or several
	Rows        int64  // that followed
}

// Decision is what is decided about one person.
type Decision struct {
	IDs      []string // of the identities that are this person
	Name              // of the driver to be made; empty: as the files say
	DriverID string   // to be given to
}

// CreateMany writes a new driver down for each person of a list who has a
// name. Whoever looks like a driver of the partner, or like another one of the
// list, is left to a person: nobody is written down twice. It says of each
// what became of it.
func (d Service) CreateMany(tx *db.Tx, people []Decision) ([]IdentityOutcome, error) {
	ppl, err := LoadMatcher(tx, d.Drivers.Country, true)
	if err != nil {
		return nil, err
	}
	return eachPerson(tx, people, func(wanted Decision, identities []Identity) (o IdentityOutcome, err error) {
		if !slices.ContainsFunc(identities, func(i Identity) bool { return i.FullName() != "" }) && wanted.First+wanted.Last == "" {
			return IdentityOutcome{Outcome: ManyNoName}, nil
		}
		for _, i := range identities {
			if word, driver := ppl.taken(i); word != "" {
				return IdentityOutcome{Outcome: word, DriverID: driver}, nil
			}
		}
		// it refuses before it writes, so the others can go on
		o.DriverID, err = d.writeDown(tx, identities, NewDriver{Name: wanted.Name})
		if errors.Is(err, drivers.ErrInvalid) {
			return IdentityOutcome{Outcome: ManyRefused}, nil
		}
		if err != nil {
			return o, err
		}
		o.Outcome = ManyCreated
		o.Rows, err = d.AssignAll(tx, wanted.IDs, o.DriverID)
		for _, i := range identities {
			ppl.learn(i, o.DriverID)
		}
		return o, err
	})
}

// AssignMany gives people to drivers, each whole or not at all, and says of each what became of it.
func (d Service) AssignMany(tx *db.Tx, people []Decision) ([]IdentityOutcome, error) {
	return eachPerson(tx, people, func(wanted Decision, _ []Identity) (o IdentityOutcome, err error) {
		if _, err := drivers.Get(tx, d.Drivers.Vault, wanted.DriverID); errors.Is(err, drivers.ErrNotFound) {
			return IdentityOutcome{Outcome: ManyNoDriver}, nil
		} else if err != nil {
			return o, err
		}
		rows, err := d.AssignAll(tx, wanted.IDs, wanted.DriverID)
		return IdentityOutcome{Outcome: ManyAssigned, DriverID: wanted.DriverID, Rows: rows}, err
	})
}

// eachPerson does something to each person whose identities all wait.
func eachPerson(tx *db.Tx, people []Decision, do func(Decision, []Identity) (IdentityOutcome, error)) ([]IdentityOutcome, error) {
	ids := []string{}
	for _, p := range people {
		if len(p.IDs) == 0 {
			return nil, ErrIdentitiesInvalid.Field("people", fault.Required)
		}
		ids = append(ids, p.IDs...)
	}
	if err := checked(ids); err != nil {
		return nil, err
	}
	outcomes := make([]IdentityOutcome, len(people))
	for n, wanted := range people {
		identities, err := undecided(tx, wanted.IDs)
		o := IdentityOutcome{}
		switch {
		case errors.Is(err, ErrIdentityNotFound):
			o.Outcome, err = ManyNotFound, nil
		case errors.Is(err, ErrDecided):
			o.Outcome, err = ManyDecided, nil
		case err == nil:
			o, err = do(wanted, identities)
		}
		if err != nil {
			return nil, err
		}
		o.ID = wanted.IDs[0]
		outcomes[n] = o
	}
	return outcomes, nil
}

// checked refuses a list that is empty, too long, or names somebody twice.
func checked(ids []string) error {
	switch {
	case len(ids) == 0:
		return ErrIdentitiesInvalid.Field("ids", fault.Required)
	case len(ids) > IdentitiesMax:
		return ErrIdentitiesInvalid.Field("ids", fault.TooLong, "max", strconv.Itoa(IdentitiesMax))
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			return ErrIdentitiesInvalid.Field("ids", fault.Duplicate)
		}
		seen[id] = true
	}
	return nil
}

// UndoMany takes the decisions about many back, each as Undo does.
func (d Service) UndoMany(tx *db.Tx, ids []string) ([]IdentityOutcome, error) {
	return many(tx, ids, func(i Identity) (o IdentityOutcome, err error) {
		rows, err := d.Undo(tx, i.ID)
		switch {
		case errors.Is(err, ErrUndecided):
			return IdentityOutcome{Outcome: ManyUndecided}, nil
		case errors.Is(err, ledger.ErrInSettlements): // it looks before it changes anything
			return IdentityOutcome{Outcome: ManySettled, DriverID: i.DriverID}, nil
		}
		return IdentityOutcome{Outcome: ManyUndone, DriverID: i.DriverID, Rows: rows}, err
	})
}

func many(tx *db.Tx, ids []string, do func(Identity) (IdentityOutcome, error)) ([]IdentityOutcome, error) {
	if err := checked(ids); err != nil {
		return nil, err
	}
	outcomes := make([]IdentityOutcome, len(ids))
	for n, id := range ids {
		o := IdentityOutcome{Outcome: ManyNotFound}
		i, err := IdentityOf(tx, id)
		if err == nil {
			o, err = do(i)
		}
		if err != nil && !errors.Is(err, ErrIdentityNotFound) {
			return nil, err
		}
		o.ID = id
		outcomes[n] = o
	}
	return outcomes, nil
}

// taken says by what somebody looks like a driver who is there, and which; of several, none is named.
func (p *Matcher) taken(i Identity) (word, driver string) {
	for _, k := range i.Keys {
		value := p.spelled(k)
		if id, ok := p.known[i.Provider+"\x00"+k.Kind+"\x00"+value]; ok {
			return ManyKnown, id
		}
		if id, ok := p.emails[value]; ok && k.Kind == statement.ByEmail {
			return ManyEmail, id
		}
		if id, ok := p.phones[value]; ok && k.Kind == statement.ByPhone {
			return ManyPhone, id
		}
	}
	if id, ok := p.words[nameKey(i.FullName())]; ok {
		return ManyName, id
	}
	return "", ""
}

// learn makes a driver who was just written down known to what follows.
func (p *Matcher) learn(i Identity, driver string) {
	for _, k := range i.Keys {
		value := p.spelled(k)
		switch k.Kind {
		case statement.ByEmail:
			only(p.emails, value, driver)
		case statement.ByPhone:
			only(p.phones, value, driver)
		}
	}
	only(p.words, nameKey(i.FullName()), driver)
}

package accounts

import (
	"errors"
	"strconv"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

// ErrProfilesInvalid is the answer to a list that cannot be worked off.
var ErrProfilesInvalid = fault.Declare(fault.Invalid, "driver_profiles.invalid")

// ProfilesBulkMax is how many people are linked or blocked at once.
const ProfilesBulkMax = 500

// What can become of one of many.
const (
	DoneLinked        = "linked"
	DoneUnlinked      = "unlinked"
	DoneBlocked       = "blocked"
	DoneUnblocked     = "unblocked"
	AlreadyLinked     = "already_linked"
	AlreadyBlocked    = "already_blocked" // nothing else is done to whoever is kept out
	NotLinked         = "not_linked"
	NotBlocked        = "not_blocked"
	NoMatch           = "no_match"            // nobody with this e-mail address on the other side
	SeveralMatch      = "several_matches"     // more than one
	EmailNotConfirmed = "email_not_confirmed" // the driver typed the address, nobody proved it
	TakenByOther      = "driver_linked"       // the only match is linked with somebody else
	DriverKeptOut     = "driver_blocked"      // the only match is blocked
	HasLeft           = "left"                // has gone from the partner since
	NotFound          = "not_found"
)

// PersonOutcome is what became of one of many. It names nobody: answers are kept.
type PersonOutcome struct {
	ID, Outcome         string
	ProfileID, DriverID string // where they are known
}

// somebody is a profile, a driver, or both: what an id of a list stands for.
type somebody struct {
	profile *Profile
	driver  *Proposal
}

func (s somebody) outcome(id, word string) PersonOutcome {
	o := PersonOutcome{ID: id, Outcome: word}
	if s.profile != nil {
		o.ProfileID = s.profile.ID
	}
	if s.driver != nil {
		o.DriverID = s.driver.ID
	}
	return o
}

// find is whom an id of the partner's lists stands for: the profile and, where
// it is linked, its driver. Neither: nobody of this partner.
func find(tx *db.Tx, id string) (s somebody, err error) {
	p, err := profileOf(tx, id)
	if err == nil {
		s.profile = &p
		s.driver, err = driverWhere(tx, `account_id = $2 AND account_id <> ''`, p.AccountID)
		return s, err
	}
	if !errors.Is(err, ErrProfileNotFound) {
		return s, err
	}
	if s.driver, err = driverWhere(tx, `id = $2`, id); err != nil || s.driver == nil || s.driver.AccountID == "" {
		return s, err
	}
	found, err := db.Select[Profile](tx, `SELECT `+profileColumns+` FROM driver_profiles WHERE tenant_id = $1 AND account_id = $2`,
		s.driver.AccountID)
	if len(found) > 0 {
		s.profile = &found[0]
	}
	return s, err
}

func driverWhere(tx *db.Tx, where string, arg any) (*Proposal, error) {
	found, err := db.Select[Proposal](tx, `SELECT id, first_name, last_name, email, phone, version, blocked, account_id FROM drivers
		WHERE tenant_id = $1 AND merged_into = '' AND `+where, arg)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// each works off a list and says of everybody what became of them; nobody is
// left out in silence.
func each(tx *db.Tx, ids []string, do func(somebody) (somebody, string, error)) ([]PersonOutcome, error) {
	switch {
	case len(ids) == 0:
		return nil, ErrProfilesInvalid.Field("ids", fault.Required)
	case len(ids) > ProfilesBulkMax:
		return nil, ErrProfilesInvalid.Field("ids", fault.TooLong, "max", strconv.Itoa(ProfilesBulkMax))
	}
	seen := map[string]bool{}
	outcomes := make([]PersonOutcome, len(ids))
	for i, id := range ids {
		if seen[id] {
			return nil, ErrProfilesInvalid.Field("ids", fault.Duplicate)
		}
		seen[id] = true
		s, err := find(tx, id)
		if err != nil {
			return nil, err
		}
		word := NotFound
		if s.profile != nil || s.driver != nil {
			if s, word, err = do(s); err != nil {
				return nil, err
			}
		}
		outcomes[i] = s.outcome(id, word)
	}
	return outcomes, nil
}

// LinkProfiles ties everybody of a list to the one driver, or the one profile,
// with the same e-mail address. An address counts only when the identity
// provider knows it to be the driver's: typing somebody else's opens nothing.
func LinkProfiles(tx *db.Tx, ids []string) ([]PersonOutcome, error) {
	return each(tx, ids, func(s somebody) (somebody, string, error) {
		if word := s.unready(); word != "" {
			return s, word, nil
		}
		email := ""
		if s.profile != nil {
			email = s.profile.Email
		} else {
			email = s.driver.Email
		}
		p, word, err := onlyProfile(tx, email)
		if err != nil || word != "" {
			return s, word, err
		}
		d, word, err := onlyDriver(tx, email)
		if err != nil || word != "" {
			return somebody{s.profile, d}, word, err
		}
		return somebody{p, d}, DoneLinked, link(tx, *p, d.ID)
	})
}

// unready says why somebody is not linked, before anybody is looked for.
func (s somebody) unready() string {
	p := s.profile
	switch {
	case p != nil && p.State == profileBlocked, s.driver != nil && s.driver.Blocked:
		return AlreadyBlocked
	case s.driver != nil && s.driver.AccountID != "":
		return AlreadyLinked
	case p != nil && !p.LeftAt.IsZero():
		return HasLeft
	case p != nil && !p.EmailConfirmed:
		return EmailNotConfirmed
	case p == nil && s.driver.Email == "":
		return NoMatch
	}
	return ""
}

func onlyProfile(tx *db.Tx, email string) (*Profile, string, error) {
	found, err := db.Select[Profile](tx, `SELECT `+profileColumns+
		` FROM driver_profiles WHERE tenant_id = $1 AND email = $2 AND state = 'new' AND left_at = ''`, email)
	switch {
	case err != nil:
		return nil, "", err
	case len(found) == 0:
		return nil, NoMatch, nil
	case len(found) > 1:
		return nil, SeveralMatch, nil
	case !found[0].EmailConfirmed:
		return nil, EmailNotConfirmed, nil
	}
	return &found[0], "", nil
}

func onlyDriver(tx *db.Tx, email string) (*Proposal, string, error) {
	found, err := db.Select[Proposal](tx, `SELECT id, first_name, last_name, email, phone, version, blocked, account_id FROM drivers
		WHERE tenant_id = $1 AND merged_into = '' AND email = $2`, email)
	switch {
	case err != nil:
		return nil, "", err
	case len(found) == 0:
		return nil, NoMatch, nil
	case len(found) > 1:
		return nil, SeveralMatch, nil
	case found[0].AccountID != "":
		return &found[0], TakenByOther, nil
	case found[0].Blocked:
		return &found[0], DriverKeptOut, nil
	}
	return &found[0], "", nil
}

// UnlinkProfiles undoes links; nothing else is lost.
func UnlinkProfiles(tx *db.Tx, ids []string) ([]PersonOutcome, error) {
	return each(tx, ids, func(s somebody) (somebody, string, error) {
		switch {
		case s.driver == nil || s.driver.AccountID == "":
			return s, NotLinked, nil
		case s.driver.Blocked:
			return s, AlreadyBlocked, nil
		}
		_, err := unlink(tx, s.driver.AccountID)
		return s, DoneUnlinked, err
	})
}

// BlockProfiles keeps everybody of a list out, or lets them in again.
func BlockProfiles(tx *db.Tx, ids []string, blocked bool) ([]PersonOutcome, error) {
	done, same := DoneBlocked, AlreadyBlocked
	if !blocked {
		done, same = DoneUnblocked, NotBlocked
	}
	return each(tx, ids, func(s somebody) (somebody, string, error) {
		if s.out() == blocked {
			return s, same, nil
		}
		if s.driver != nil {
			return s, done, drivers.Block(tx, s.driver.ID, blocked)
		}
		return s, done, drivers.BlockProfile(tx, s.profile.AccountID, blocked)
	})
}

func (s somebody) out() bool {
	return s.driver != nil && s.driver.Blocked || s.profile != nil && s.profile.State == profileBlocked
}

package accounts

import (
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
)

// ProfileView is a profile beside the drivers that it may be.
type ProfileView struct {
	Profile
	DriverID  string // the one it is linked with; empty: none
	Proposals []Proposal
}

// ProfileBeside is one profile with the partner's drivers it may be, the
// likeliest first.
func ProfileBeside(tx *db.Tx, id string) (v ProfileView, err error) {
	if v.Profile, err = profileOf(tx, id); err != nil {
		return v, err
	}
	if v.DriverID, err = linkedDriver(tx, v.AccountID); err != nil {
		return v, err
	}
	drivers, err := similar(tx, []Profile{v.Profile})
	v.Proposals = proposals(drivers, v.Profile)
	return v, err
}

// Candidate is somebody who chose the partner and may be a driver of it.
type Candidate struct {
	Profile
	Evidence []string
}

// DriverBond is how a driver stands to an account of their own.
type DriverBond struct {
	Linked           *Profile // nil: with none
	Candidates       []Candidate
	VerifiedAt       time.Time // zero: not confirmed
	ActivationSentAt time.Time // zero: not sent
	Registered       bool      // has made an account since
}

// BondOfDriver is how a driver of the partner stands to an account of their
// own. The system acts, in the partner's tenant.
func BondOfDriver(tx *db.Tx, id string) (b DriverBond, err error) {
	if err := drivers.Exists(tx, id); err != nil {
		return b, err
	}
	rows, err := db.Select[ProfileRow](tx, driverRows+` AND d.id = $2`, id)
	if err != nil || len(rows) == 0 {
		return b, err
	}
	if err := register(tx, rows); err != nil {
		return b, err
	}
	r := rows[0]
	b = DriverBond{Candidates: []Candidate{}, VerifiedAt: r.VerifiedAt, ActivationSentAt: r.ActivationSentAt, Registered: r.Registered}
	if r.ProfileID != "" {
		p, err := profileOf(tx, r.ProfileID)
		b.Linked = &p
		return b, err
	}
	d := Proposal{ID: id, FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, Phone: r.Phone}
	where, args := mayBe([]Profile{{FirstName: d.FirstName, LastName: d.LastName, Email: d.Email, Phone: d.Phone}}, 2)
	found, err := db.Select[Profile](tx, `SELECT `+profileColumns+
		` FROM driver_profiles WHERE tenant_id = $1 AND state = 'new' AND left_at = '' AND `+where, args...)
	for _, p := range found {
		if equal := evidence(d, p); len(equal) > 0 {
			b.Candidates = append(b.Candidates, Candidate{p, equal})
		}
	}
	slices.SortStableFunc(b.Candidates, func(a, c Candidate) int { return stronger(a.Evidence, c.Evidence) })
	return b, err
}

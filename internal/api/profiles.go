package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/accounts"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) profilesRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/drivers/{id}/account", Name: "driver-bond", Permission: access.DriversRead,
		Summary: "How a driver stands to an account of their own"}, forPartner(s, driverBond))
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/verify", Name: "verify-driver", Permission: access.DriversWrite,
		Summary: "Say that it was checked who a driver is"}, verifyDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/unverify", Name: "unverify-driver", Permission: access.DriversWrite,
		Summary: "Take that back"}, unverifyDriver)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-profiles", Name: "driver-profiles", Permission: access.DriversRead,
		Summary: "A page of drivers by what became of their accounts: mailed an activation, chose the partner, kept out"},
		forPartner(s, driverProfiles))
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/link", Name: "link-profiles", Permission: access.DriversWrite,
		Summary: "Link many, each with the only one of the same confirmed e-mail address"}, linkProfiles)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/unlink", Name: "unlink-profiles", Permission: access.DriversWrite,
		Summary: "Undo the links of many"}, unlinkProfiles)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/block", Name: "block-profiles", Permission: access.DriversWrite,
		Summary: "Keep many out"}, blockProfiles)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/unblock", Name: "unblock-profiles", Permission: access.DriversWrite,
		Summary: "Let many in again"}, unblockProfiles)
	web.Read(r, web.Route{Method: get, Path: "/api/driver-profiles/{id}", Name: "driver-profile", Permission: access.DriversRead,
		Summary: "One profile beside the drivers that it may be"}, driverProfile)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/{id}/link", Name: "link-profile", Permission: access.DriversWrite,
		Summary: "Link a profile with one of the partner's drivers, or with a new one"}, s.linkProfile)
}

// forPartner reads in the partner's tenant as the system, which alone may look
// up whether somebody has registered.
func forPartner[In, Out any](s Settings, h func(*db.Tx, *In) (Out, error)) func(context.Context, web.Call, *In) (Out, error) {
	return func(ctx context.Context, c web.Call, in *In) (out Out, err error) {
		err = s.DB.Read(ctx, access.ProgramFor(c.Actor.Tenant, "profiles"), func(tx *db.Tx) error {
			out, err = h(tx, in)
			return err
		})
		return out, err
	}
}

// ProposedDriver is one of the partner's drivers who may be the person of a profile.
type ProposedDriver struct {
	ID        string   `json:"id"`
	FirstName string   `json:"firstName"`
	LastName  string   `json:"lastName"`
	Email     string   `json:"email"`
	Phone     string   `json:"phone"`
	Version   int64    `json:"version"`
	Blocked   bool     `json:"blocked"`
	Linked    bool     `json:"linked" doc:"with somebody already"`
	Evidence  []string `json:"evidence" nullable:"false" enum:"email,phone,name" doc:"what is equal, the strongest first"`
}

func proposed(all []accounts.Proposal) []ProposedDriver {
	out := make([]ProposedDriver, len(all))
	for i, p := range all {
		out[i] = ProposedDriver{p.ID, p.FirstName, p.LastName, p.Email, p.Phone, p.Version, p.Blocked, p.AccountID != "", p.Evidence}
	}
	return out
}

// instant is an instant that may be missing.
func instant(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// DriverProfileRow is one person on a tab of driver profiles.
type DriverProfileRow struct {
	ID               string           `json:"id" doc:"what linking and blocking of many takes"`
	ProfileID        string           `json:"profileId" doc:"empty: chose nobody here"`
	DriverID         string           `json:"driverId" doc:"empty: not one of the partner's drivers yet"`
	FirstName        string           `json:"firstName"`
	LastName         string           `json:"lastName"`
	Email            string           `json:"email"`
	Phone            string           `json:"phone"`
	EmailConfirmed   bool             `json:"emailConfirmed" doc:"the identity provider knows the address to be theirs"`
	State            string           `json:"state" enum:",new,linked,blocked" doc:"of the profile; empty: there is none"`
	Blocked          bool             `json:"blocked"`
	Verified         bool             `json:"verified"`
	Registered       bool             `json:"registered"`
	ActivationSentAt *time.Time       `json:"activationSentAt" doc:"null: not sent"`
	ChosenAt         *time.Time       `json:"chosenAt" doc:"null: chose nobody here"`
	LinkedAt         *time.Time       `json:"linkedAt" doc:"null: not linked"`
	Proposals        []ProposedDriver `json:"proposals" nullable:"false" doc:"on the tab of new ones: who they may be, the likeliest first"`
}

// DriverProfileCounts say how many the search leaves on each tab.
type DriverProfileCounts struct {
	Email   int64 `json:"email"`
	New     int64 `json:"new"`
	Blocked int64 `json:"blocked"`
}

// DriverProfileList is one page of driver profiles.
type DriverProfileList struct {
	Profiles []DriverProfileRow  `json:"profiles" nullable:"false"`
	Total    int64               `json:"total" doc:"of the whole filter"`
	Counts   DriverProfileCounts `json:"counts"`
}

func driverProfiles(tx *db.Tx, in *struct {
	Tab    string `query:"tab" enum:"email,new,blocked" default:"new"`
	Query  string `query:"q" maxLength:"100" doc:"words of the name, e-mail or phone"`
	Linked string `query:"linked" enum:",yes,no" doc:"only on the tab of e-mails"`
	Page   int64  `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size   int64  `query:"size" minimum:"1" maximum:"100" default:"50"`
}) (out DriverProfileList, err error) {
	p, err := accounts.Profiles(tx, accounts.ProfileFilter{Tab: in.Tab, Query: in.Query, Linked: in.Linked, Page: in.Page, Size: in.Size})
	out = DriverProfileList{Profiles: make([]DriverProfileRow, len(p.Rows)), Total: p.Total, Counts: DriverProfileCounts(p.Counts)}
	for i, r := range p.Rows {
		out.Profiles[i] = DriverProfileRow{ID: r.ID, ProfileID: r.ProfileID, DriverID: r.DriverID, FirstName: r.FirstName, LastName: r.LastName,
			Email: r.Email,
			Phone: r.Phone, EmailConfirmed: r.EmailConfirmed, State: r.State, Blocked: r.Blocked || r.State == "blocked",
			Verified:   !r.VerifiedAt.IsZero(),
			Registered: r.Registered, ActivationSentAt: instant(r.ActivationSentAt), ChosenAt: instant(r.ChosenAt), LinkedAt: instant(r.LinkedAt),
			Proposals: proposed(r.Proposals)}
	}
	return out, err
}

// ProfilePerson is what a driver says of themselves to the partner they chose.
type ProfilePerson struct {
	ID             string     `json:"id"`
	State          string     `json:"state" enum:"new,linked,blocked"`
	FirstName      string     `json:"firstName"`
	LastName       string     `json:"lastName"`
	Email          string     `json:"email"`
	EmailConfirmed bool       `json:"emailConfirmed"`
	Phone          string     `json:"phone"`
	ChosenAt       time.Time  `json:"chosenAt"`
	LinkedAt       *time.Time `json:"linkedAt" doc:"null: not linked"`
	UpdatedAt      time.Time  `json:"updatedAt" doc:"what a link was decided over"`
}

func personOf(p accounts.Profile) ProfilePerson {
	return ProfilePerson{p.ID, p.State, p.FirstName, p.LastName, p.Email, p.EmailConfirmed, p.Phone, p.ConsentedAt, instant(p.LinkedAt),
		p.UpdatedAt}
}

// DriverProfile is one profile beside the drivers that it may be.
type DriverProfile struct {
	ProfilePerson
	DriverID  string           `json:"driverId" doc:"the one it is linked with; empty: none"`
	Proposals []ProposedDriver `json:"proposals" nullable:"false"`
}

func driverProfile(tx *db.Tx, in *named) (DriverProfile, error) {
	v, err := accounts.ProfileBeside(tx, in.ID)
	return DriverProfile{personOf(v.Profile), v.DriverID, proposed(v.Proposals)}, err
}

// ProfileLink is a decision that a profile is one of the partner's drivers.
type ProfileLink struct {
	DriverID  string    `json:"driverId" required:"false" maxLength:"64" doc:"empty: a new driver is made from the profile"`
	Version   int64     `json:"version" required:"false" doc:"of the driver that was shown; needed to take something"`
	ProfileAt time.Time `json:"profileAt" doc:"updatedAt of the profile that was shown"`
	Take      []string  `json:"take" required:"false" maxItems:"3" doc:"name, email, phone: what replaces what the partner wrote"`
}

// Tied is the driver that a profile was linked with.
type Tied struct {
	DriverID string `json:"driverId"`
}

func (s Settings) linkProfile(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ProfileLink
}) (Tied, error) {
	driver, err := accounts.LinkProfile(tx, s.driverBook(), in.ID,
		accounts.Link{DriverID: in.Body.DriverID, Version: in.Body.Version, ProfileAt: in.Body.ProfileAt, Take: in.Body.Take})
	return Tied{driver}, err
}

// People are many, by the ids of the lists of profiles.
type People struct {
	IDs []string `json:"ids" nullable:"false" maxItems:"500" doc:"of profiles or of drivers"`
}

type manyPeople struct{ Body People }

// ProfileOutcome is what became of one of many profiles.
type ProfileOutcome string

// Schema lists the outcomes.
func (ProfileOutcome) Schema(huma.Registry) *huma.Schema {
	return oneOf("linked", "unlinked", "blocked", "unblocked", "already_linked", "already_blocked", "not_linked", "not_blocked", "no_match",
		"several_matches", "email_not_confirmed", "driver_linked", "driver_blocked", "left", "not_found")
}

// PersonOutcome is what became of one of many.
type PersonOutcome struct {
	ID        string         `json:"id"`
	Outcome   ProfileOutcome `json:"outcome"`
	ProfileID string         `json:"profileId" doc:"empty: unknown"`
	DriverID  string         `json:"driverId" doc:"empty: unknown"`
}

// PeopleOutcomes say of everybody what became of them, in the order asked for.
type PeopleOutcomes struct {
	Outcomes []PersonOutcome `json:"outcomes" nullable:"false"`
}

func peopleOutcomes(outcomes []accounts.PersonOutcome, err error) (PeopleOutcomes, error) {
	out := PeopleOutcomes{Outcomes: make([]PersonOutcome, len(outcomes))}
	for i, o := range outcomes {
		out.Outcomes[i] = PersonOutcome{o.ID, ProfileOutcome(o.Outcome), o.ProfileID, o.DriverID}
	}
	return out, err
}

func linkProfiles(tx *db.Tx, in *manyPeople) (PeopleOutcomes, error) {
	return peopleOutcomes(accounts.LinkProfiles(tx, in.Body.IDs))
}

func unlinkProfiles(tx *db.Tx, in *manyPeople) (PeopleOutcomes, error) {
	return peopleOutcomes(accounts.UnlinkProfiles(tx, in.Body.IDs))
}

func blockProfiles(tx *db.Tx, in *manyPeople) (PeopleOutcomes, error) {
	return peopleOutcomes(accounts.BlockProfiles(tx, in.Body.IDs, true))
}

func unblockProfiles(tx *db.Tx, in *manyPeople) (PeopleOutcomes, error) {
	return peopleOutcomes(accounts.BlockProfiles(tx, in.Body.IDs, false))
}

// ProfileCandidate is somebody who chose the partner and may be a driver of it.
type ProfileCandidate struct {
	ProfilePerson
	Evidence []string `json:"evidence" nullable:"false" enum:"email,phone,name"`
}

// DriverBond is how a driver stands to an account of their own.
type DriverBond struct {
	Linked           *ProfilePerson     `json:"linked,omitempty" doc:"absent: with none"`
	Candidates       []ProfileCandidate `json:"candidates" nullable:"false" doc:"when linked with none: who may be this driver"`
	VerifiedAt       *time.Time         `json:"verifiedAt" doc:"null: not confirmed"`
	ActivationSentAt *time.Time         `json:"activationSentAt" doc:"null: not sent"`
	Registered       bool               `json:"registered"`
}

func driverBond(tx *db.Tx, in *named) (DriverBond, error) {
	b, err := accounts.BondOfDriver(tx, in.ID)
	out := DriverBond{Candidates: make([]ProfileCandidate, len(b.Candidates)), VerifiedAt: instant(b.VerifiedAt),
		ActivationSentAt: instant(b.ActivationSentAt),
		Registered:       b.Registered}
	if b.Linked != nil {
		linked := personOf(*b.Linked)
		out.Linked = &linked
	}
	for i, c := range b.Candidates {
		out.Candidates[i] = ProfileCandidate{personOf(c.Profile), c.Evidence}
	}
	return out, err
}

func verifyDriver(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.Verify(tx, in.ID, true)
}

func unverifyDriver(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, drivers.Verify(tx, in.ID, false)
}

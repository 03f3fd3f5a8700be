package api

import (
	"context"
	"net/http"
	"time"

	"saldo/internal/accounts"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) peopleRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/partners/people", Name: "people", Permission: access.PartnerRead,
		Summary: "The people of the partner's office: who is invited, who can sign in, who is blocked"}, people)
	web.Plain(r, web.Route{Method: post, Path: "/api/partners/people", Name: "invite-person", Fresh: true, Mails: true,
		Permission: access.PartnerWrite, Status: http.StatusCreated,
		Summary: "Invite somebody to the partner's office; they are mailed a link"}, s.invitePerson)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/resend", Name: "resend-invitation", Mails: true,
		Permission: access.PartnerWrite,
		Summary:    "Mail an invitation again with a new link"}, s.resendInvitation)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/withdraw", Name: "withdraw-invitation",
		Permission: access.PartnerWrite,
		Summary:    "Take an invitation back; its link ends"}, withdrawInvitation)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/block", Name: "block-person", Permission: access.PartnerWrite,
		Summary: "Take a person's access away; nobody their own, and two stay while batches need two"}, s.blockPerson)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/unblock", Name: "unblock-person", Fresh: true,
		Permission: access.PartnerWrite,
		Summary:    "Give a person their access back"}, unblockPerson)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-settings/two-person", Name: "two-person", Permission: access.PayoutsRead,
		Summary: "Whether a second person releases batches, and who asked to turn it off"}, s.twoPerson)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/turn-on", Name: "turn-on-two-person", Fresh: true,
		Permission: access.PayoutsWrite,
		Summary:    "Have a second person release every batch; needs two active people"}, s.turnOnTwoPerson)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests", Name: "request-two-person-off", Fresh: true,
		Permission: access.PayoutsWrite, Status: http.StatusCreated,
		Summary: "Ask to turn it off; it stays on until another person confirms"}, s.requestTwoPersonOff)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests/{id}/confirm", Name: "confirm-two-person-off",
		Fresh: true, Permission: access.PayoutsWrite,
		Summary: "Turn it off, as another person asked"}, s.confirmTwoPersonOff)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests/{id}/reject", Name: "reject-two-person-off",
		Permission: access.PayoutsWrite,
		Summary:    "Keep it on, although another person asked to turn it off"}, rejectTwoPersonOff)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests/{id}/withdraw", Name: "withdraw-two-person-off",
		Permission: access.PayoutsWrite,
		Summary:    "Take one's own request back"}, withdrawTwoPersonOff)
}

// OfficePerson is somebody of a partner's office.
type OfficePerson struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Email   string    `json:"email"`
	State   string    `json:"state" enum:"invited,active,blocked"`
	Since   time.Time `json:"since" doc:"when they came to this state"`
	Problem string    `json:"problem" enum:",taken,unsent" doc:"why the invitation was not mailed; taken: the address has another account"`
	You     bool      `json:"you" doc:"who asks"`
}

// OfficePeople are the people of a partner's office.
type OfficePeople struct {
	People []OfficePerson `json:"people" nullable:"false"`
	Active int64          `json:"active" doc:"how many can sign in"`
}

func people(tx *db.Tx, _ *nothing) (out OfficePeople, err error) {
	all, err := identity.People(tx)
	out.People = make([]OfficePerson, len(all))
	for n, p := range all {
		out.People[n] = OfficePerson{p.ID, p.Name, p.Email, string(p.State), p.StateSince, string(p.Problem), p.ID == tx.Actor.ID}
		if p.State == identity.Active {
			out.Active++
		}
	}
	return out, err
}

// PersonInvitation is somebody who shall become a person of the office.
type PersonInvitation struct {
	FirstName string   `json:"firstName" maxLength:"500"`
	LastName  string   `json:"lastName" maxLength:"500"`
	Email     string   `json:"email" maxLength:"500"`
	Language  Language `json:"language" required:"false" doc:"of the mail; empty: that of the instance"`
}

// invitePerson runs in a unit of the system: an address has one account in all tenants.
func (s Settings) invitePerson(ctx context.Context, c web.Call, in *struct{ Body PersonInvitation }) (out Made, err error) {
	sum, err := web.Sum("invite-person", in)
	if err != nil {
		return out, err
	}
	return out, s.DB.Write(ctx, access.ProgramFor(c.Actor.Tenant, "people"), func(tx *db.Tx) error {
		out, _, err = web.Once(tx, c.Key, sum, func() (made Made, err error) {
			made.ID, err = identity.Invite(tx, c.Actor, identity.Invitation{FirstName: in.Body.FirstName, LastName: in.Body.LastName,
				Email: in.Body.Email, Language: s.languageOr(in.Body.Language)}, accounts.AddressOfDriver)
			if err != nil {
				return made, err
			}
			return made, tx.As(c.Actor, func() error { return s.Mails.Reserve(tx, in.Body.Email) })
		})
		return err
	})
}

func (s Settings) resendInvitation(tx *db.Tx, in *named) (web.None, error) {
	if err := identity.Resend(tx, in.ID); err != nil {
		return web.None{}, err
	}
	p, err := identity.PersonByID(tx, in.ID)
	if err != nil {
		return web.None{}, err
	}
	return web.None{}, s.Mails.Reserve(tx, p.Email)
}

func withdrawInvitation(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, identity.Withdraw(tx, in.ID)
}

func (s Settings) blockPerson(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, s.Payouts.BlockPerson(tx, in.ID)
}

func unblockPerson(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, identity.UnblockPerson(tx, in.ID)
}

// TwoPerson is whether batches are released by a second person.
type TwoPerson struct {
	On      bool              `json:"on"`
	Active  int64             `json:"active" doc:"how many people of the office can sign in; turning on needs two"`
	Request *TwoPersonRequest `json:"request,omitempty" doc:"to turn it off; absent: none is open"`
}

// TwoPersonRequest is an open request to turn two-person release off.
type TwoPersonRequest struct {
	ID          string    `json:"id"`
	RequestedAt time.Time `json:"requestedAt"`
	RequestedBy string    `json:"requestedBy"`
	You         bool      `json:"you" doc:"who asks is who requested: they withdraw, others confirm or reject"`
}

func (s Settings) twoPerson(tx *db.Tx, _ *nothing) (out TwoPerson, err error) {
	found, err := s.Payouts.SettingsOf(tx)
	if err != nil {
		return out, err
	}
	if out.Active, err = identity.ActivePeople(tx); err != nil {
		return out, err
	}
	out.On = found.SecondPerson
	r, err := payouts.PendingOff(tx)
	if err != nil || r == nil {
		return out, err
	}
	out.Request = &TwoPersonRequest{r.ID, r.RequestedAt, r.RequestedBy, r.RequestedByID == tx.Actor.ID}
	return out, nil
}

func (s Settings) turnOnTwoPerson(tx *db.Tx, _ *nothing) (web.None, error) {
	return web.None{}, s.Payouts.TurnOnTwoPerson(tx)
}

func (s Settings) requestTwoPersonOff(tx *db.Tx, _ *nothing) (out Made, err error) {
	out.ID, err = s.Payouts.RequestOff(tx)
	return out, err
}

func (s Settings) confirmTwoPersonOff(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, s.Payouts.ConfirmOff(tx, in.ID)
}

func rejectTwoPersonOff(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, payouts.RejectOff(tx, in.ID)
}

func withdrawTwoPersonOff(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, payouts.WithdrawOff(tx, in.ID)
}

package api_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const (
	peoplePath    = "/api/partners/people"
	twoPersonPath = "/api/payout-settings/two-person"
)

var (
	firstOfNorth  = access.Actor{Role: access.Partner, Tenant: "north", ID: "north-partner", Name: canary + "north partner"}
	secondOfNorth = access.Actor{Role: access.Partner, Tenant: "north", ID: "north-second", Name: canary + "north second"}
)

// into is must that reads the answer.
func (w *world) into(t *testing.T, want int, who, method, path string, body, out any) {
	t.Helper()
	if status, text := w.call(t, who, method, path, body, out); status != want {
		t.Errorf("%s %s as %s: %d %s, want %d", method, path, who, status, text, want)
	}
}

// refused posts what must be refused with a fault.
func (w *world) refused(t *testing.T, want int, code, who, path string, body any) {
	t.Helper()
	if text := w.must(t, want, who, "POST", path, body); !strings.Contains(text, `"`+code+`"`) {
		t.Errorf("%s as %s: %s, not %s", path, who, text, code)
	}
}

// colleague adds an active person to north's office, with a token.
func (w *world) colleague(t *testing.T, id string) string {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if _, err := identity.PersonByID(tx, id); !errors.Is(err, identity.ErrPersonNotFound) {
			return err
		}
		return identity.AddMember(tx, identity.Member{ID: id, Issuer: identity.Embedded, Subject: id, Role: access.Partner, Name: canary + "north " + id, Email: id + "@north.example"})
	})
	w.tokens[id] = w.mint.Token(t, id, access.Partner, time.Hour, map[string]any{"auth_time": w.clock.Now().Unix()})
	return id
}

// newColleague is one whom nobody has seen yet.
func (w *world) newColleague(t *testing.T) string {
	t.Helper()
	return w.colleague(t, fmt.Sprint("colleague-", w.keys.Add(1)))
}

func (w *world) invitation() map[string]any {
	return map[string]any{"firstName": "Ewa", "lastName": "Lis", "email": fmt.Sprintf("ewa%d@invited.example", w.keys.Add(1)), "language": "uk"}
}

// invited is an invitation of north that may be mailed again.
func (w *world) invited(t *testing.T) (id string) {
	t.Helper()
	var made struct{ ID string }
	w.into(t, 201, "partner", "POST", peoplePath, w.invitation(), &made)
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE members SET sent_at = '', invited_at = '' WHERE tenant_id = $1 AND id = $2`, made.ID)
		return err
	})
	return made.ID
}

func (w *world) blockedColleague(t *testing.T) string {
	t.Helper()
	id := w.newColleague(t)
	w.must(t, 204, "partner", "POST", peoplePath+"/"+id+"/block", nil)
	return id
}

// twoPersonOn has a second person release north's batches.
func (w *world) twoPersonOn(t *testing.T) any {
	t.Helper()
	w.colleague(t, secondOfNorth.ID)
	w.must(t, 204, "partner", "POST", twoPersonPath+"/turn-on", nil)
	return nil
}

// offRequest is an open request of somebody to turn it off.
func (w *world) offRequest(t *testing.T, who access.Actor) (id string) {
	t.Helper()
	w.twoPersonOn(t)
	testkit.Write(t, w.app.DB(), who, func(tx *db.Tx) error {
		r, err := payouts.PendingOff(tx)
		if err != nil || r != nil {
			id = r.ID
			return err
		}
		id, err = (&payouts.Service{}).RequestOff(tx)
		return err
	})
	return id
}

// twoPersonOff takes two people.
func (w *world) twoPersonOff(t *testing.T) {
	t.Helper()
	var now struct {
		On      bool
		Request *struct{ ID string }
	}
	if w.into(t, 200, "partner", "GET", twoPersonPath, nil, &now); !now.On {
		return
	}
	if now.Request != nil {
		who := firstOfNorth
		testkit.Write(t, w.app.DB(), who, func(tx *db.Tx) error {
			r, err := payouts.PendingOff(tx)
			if err == nil && r.RequestedByID == secondOfNorth.ID {
				return payouts.RejectOff(tx, r.ID)
			}
			return errors.Join(err, payouts.WithdrawOff(tx, r.ID))
		})
	}
	id := w.offRequest(t, firstOfNorth)
	testkit.Write(t, w.app.DB(), secondOfNorth, func(tx *db.Tx) error { return (&payouts.Service{}).ConfirmOff(tx, id) })
}

func TestPeopleOfTheOffice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		type person struct {
			ID, Name, Email, State, Problem string
			You                             bool
		}
		list := func() (all []person) {
			t.Helper()
			var out struct {
				People []person
				Active int64
			}
			w.into(t, 200, "partner", "GET", peoplePath, nil, &out)
			return out.People
		}
		if all := list(); len(all) != 1 || !all[0].You || all[0].State != "active" {
			t.Fatalf("%+v", all)
		}
		ewa := w.invitation()
		var made struct{ ID string }
		w.into(t, 201, "partner", "POST", peoplePath, ewa, &made)
		w.refused(t, 409, "people.invited_already", "partner", peoplePath, ewa)
		w.refused(t, 409, "people.address_taken", "other", peoplePath, ewa)
		w.refused(t, 422, "people.invalid", "partner", peoplePath, with(ewa, "email", "nobody"))
		w.addDriver(t, "partner", with(driverOf("Driver"), "email", "jan@driver.example"))
		w.refused(t, 409, "people.address_taken", "partner", peoplePath, with(ewa, "email", "JAN@driver.example"))
		w.refused(t, 409, "people.address_taken", "partner", peoplePath, with(ewa, "email", "driver@"+canary+"north.example"))
		w.refused(t, 409, "people.sent_lately", "partner", peoplePath+"/"+made.ID+"/resend", nil)
		w.must(t, 204, "partner", "POST", peoplePath+"/"+made.ID+"/withdraw", nil)
		w.refused(t, 409, "people.changed", "partner", peoplePath+"/"+made.ID+"/resend", nil)
		w.refused(t, 409, "people.self", "partner", peoplePath+"/north-partner/block", nil)
		w.refused(t, 409, "payouts.one_person", "partner", twoPersonPath+"/turn-on", nil)
		if len(list()) != 1 {
			t.Errorf("%+v", list())
		}
	})
}

func TestABlockedPersonIsOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.newColleague(t)
		w.must(t, 200, id, "GET", peoplePath, nil)
		w.must(t, 204, "partner", "POST", peoplePath+"/"+id+"/block", nil)
		w.refused(t, 403, "identity.stranger", id, peoplePath+"/north-partner/block", nil) // at once, though the token is believed for a moment
		w.clock.Pass(31 * time.Second)
		if status, text := w.call(t, id, "GET", peoplePath, nil, nil); status != 403 {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestOnePersonCannotTurnTwoPersonReleaseOff(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := w.colleague(t, secondOfNorth.ID)
		w.must(t, 204, "partner", "POST", twoPersonPath+"/turn-on", nil)
		w.refused(t, 409, "people.two_needed", "partner", peoplePath+"/"+second+"/block", nil)
		var settings map[string]any
		w.into(t, 200, "partner", "GET", "/api/payout-settings", nil, &settings)
		status, text := w.call(t, "partner", "PUT", "/api/payout-settings", map[string]any{"profile": "elixir", "foreignProfile": "", "secondPerson": false, "version": settings["version"]}, nil)
		if status != 409 {
			t.Errorf("%d %s", status, text)
		}
		var made struct{ ID string }
		w.into(t, 201, "partner", "POST", twoPersonPath+"/requests", nil, &made)
		request := twoPersonPath + "/requests/" + made.ID
		w.refused(t, 409, "payouts.own_request", "partner", request+"/confirm", nil)
		w.tokens["again"] = w.mint.Token(t, principals["partner"].Subject, access.Partner, time.Hour, map[string]any{"sid": "another session"})
		w.refused(t, 409, "payouts.own_request", "again", request+"/confirm", nil)
		w.refused(t, 404, "payouts.request_not_found", "other", request+"/confirm", nil)
		var seen struct {
			On      bool
			Request struct {
				RequestedBy string
				You         bool
			}
		}
		w.into(t, 200, second, "GET", twoPersonPath, nil, &seen)
		if !seen.On || seen.Request.You || seen.Request.RequestedBy != canary+"north partner" {
			t.Errorf("%+v", seen)
		}
		w.must(t, 204, second, "POST", request+"/confirm", nil)
		w.into(t, 200, second, "GET", twoPersonPath, nil, &seen)
		if seen.On {
			t.Error("it is still on")
		}
	})
}

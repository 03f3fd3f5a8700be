package payouts_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/payouts"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var olek = access.Actor{Role: access.Partner, Tenant: "north", ID: "olek", Name: "Olek"}

func (w *fixture) as(who access.Actor, fn func(tx *db.Tx) error) error {
	return w.db.Write(ctx, who, fn)
}

func (w *fixture) join(t testing.TB, who access.Actor) {
	t.Helper()
	testkit.Write(t, w.db, access.ProgramFor(who.Tenant, "test"), func(tx *db.Tx) error { return addPerson(tx, who) })
}

func (w *fixture) isOn(t testing.TB) (on bool) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		s, err := w.SettingsOf(tx)
		on = s.SecondPerson
		return err
	})
	return on
}

// asked turns two-person release on and has Anna ask to turn it off.
func (w *fixture) asked(t testing.TB) (request string) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { return w.TurnOnTwoPerson(tx) })
	w.write(t, func(tx *db.Tx) (err error) { request, err = w.RequestOff(tx); return err })
	return request
}

func (w *fixture) confirm(who access.Actor, request string) error {
	return w.as(who, func(tx *db.Tx) error { return w.ConfirmOff(tx, request) })
}

func want(t testing.TB, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Fatalf("%v, not %v", err, wanted)
	}
}

func TestTwoPerson_OnNeedsTwoActivePeople(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.write(t, func(tx *db.Tx) error { return w.BlockPerson(tx, ewa.ID) })
		w.refused(t, payouts.ErrOnePerson, func(tx *db.Tx) error { return w.TurnOnTwoPerson(tx) })
		w.refused(t, payouts.ErrOnePerson, func(tx *db.Tx) error {
			return w.SaveSettings(tx, payouts.Settings{Profile: "pko", SecondPerson: true})
		})
		testkit.Write(t, w.db, access.ProgramFor("north", "test"), func(tx *db.Tx) error { // somebody invited is nobody yet
			_, err := identity.Invite(tx, anna, identity.Invitation{FirstName: "Olek", LastName: "Lis", Email: "olek@north.example"})
			return err
		})
		w.refused(t, payouts.ErrOnePerson, func(tx *db.Tx) error { return w.TurnOnTwoPerson(tx) })
		w.write(t, func(tx *db.Tx) error { return identity.UnblockPerson(tx, ewa.ID) })
		w.write(t, func(tx *db.Tx) error { return w.TurnOnTwoPerson(tx) })
		if !w.isOn(t) {
			t.Error("it is off")
		}
	})
}

func TestTwoPerson_OffTakesTwo(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.refused(t, payouts.ErrTwoPersonOff, func(tx *db.Tx) error { _, err := w.RequestOff(tx); return err })
		request := w.asked(t)
		w.refused(t, payouts.ErrOffAlone, func(tx *db.Tx) error {
			s, err := w.SettingsOf(tx)
			s.SecondPerson = false
			return errors.Join(err, w.SaveSettings(tx, s))
		})
		want(t, w.confirm(anna, request), payouts.ErrOwnRequest)
		again := anna
		again.Name = "Anna on her phone" // the same person in another session
		want(t, w.confirm(again, request), payouts.ErrOwnRequest)
		w.refused(t, payouts.ErrOwnRequest, func(tx *db.Tx) error { return payouts.RejectOff(tx, request) })
		w.refused(t, payouts.ErrRequestPending, func(tx *db.Tx) error { _, err := w.RequestOff(tx); return err })
		want(t, w.as(ewa, func(tx *db.Tx) error { return payouts.WithdrawOff(tx, request) }), payouts.ErrNotYourRequest)
		want(t, w.confirm(ewa, "nothing"), payouts.ErrRequestNotFound)
		if !w.isOn(t) {
			t.Fatal("it is off before a second person confirmed")
		}
		want(t, w.confirm(ewa, request), nil)
		want(t, w.confirm(ewa, request), payouts.ErrRequestDecided)
		if w.isOn(t) {
			t.Error("it is still on")
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			trail, err := audit.Of(tx, "two_person_request", request)
			if len(trail) != 2 || trail[0].ActorName != "Anna" || trail[1].Action != "payouts.off_confirmed" || trail[1].ActorName != "Ewa" {
				t.Errorf("%+v", trail)
			}
			return err
		})
	})
}

// Not even a statement of its own turns it off without a confirmed request.
func TestTwoPerson_TheDatabaseRefusesToTurnItOff(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		request := w.asked(t)
		for _, statement := range []string{
			`UPDATE payout_settings SET second_person = FALSE, updated_at = $2 WHERE tenant_id = $1 AND '' <> $3`,
			`DELETE FROM payout_settings WHERE tenant_id = $1 AND '' <> $2 AND '' <> $3`,
			`UPDATE two_person_requests SET state = 'confirmed', decided_at = $2, decided_by_id = requested_by_id WHERE tenant_id = $1 AND id = $3`,
			`DELETE FROM two_person_requests WHERE tenant_id = $1 AND '' <> $2 AND id = $3`,
		} {
			if err := w.as(ewa, func(tx *db.Tx) error { _, err := tx.Exec(statement, tx.Now, request); return err }); err == nil {
				t.Error("done: ", statement)
			}
		}
	})
}

func TestTwoPerson_ARequestIsRejectedOrWithdrawnAndAskedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		first := w.asked(t)
		w.write(t, func(tx *db.Tx) error { return payouts.WithdrawOff(tx, first) })
		want(t, w.confirm(ewa, first), payouts.ErrRequestDecided)
		second := w.asked(t)
		want(t, w.as(ewa, func(tx *db.Tx) error { return payouts.RejectOff(tx, second) }), nil)
		w.refused(t, payouts.ErrRequestDecided, func(tx *db.Tx) error { return payouts.WithdrawOff(tx, second) })
		if !w.isOn(t) {
			t.Fatal("off after a rejection")
		}
		want(t, w.confirm(ewa, w.asked(t)), nil)
		if w.isOn(t) {
			t.Error("it is still on")
		}
	})
}

func TestTwoPerson_WhoDecidesAtTheSameMoment(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.join(t, olek)
		for range 5 {
			request := w.asked(t)
			acts := []func() error{
				func() error { return w.confirm(ewa, request) },
				func() error { return w.confirm(olek, request) },
				func() error {
					return w.as(anna, func(tx *db.Tx) error { return payouts.WithdrawOff(tx, request) })
				},
			}
			answers := make([]error, len(acts))
			var all sync.WaitGroup
			for n, act := range acts {
				all.Go(func() { answers[n] = act() })
			}
			all.Wait()
			done := 0
			for _, err := range answers {
				if err == nil {
					done++
				} else {
					want(t, err, payouts.ErrRequestDecided)
				}
			}
			if done != 1 || w.isOn(t) != (answers[2] == nil) {
				t.Fatalf("%d decided, on: %v, %v", done, w.isOn(t), answers)
			}
		}
	})
}

func TestTwoPerson_WhatABlockedPersonAskedForLapses(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.join(t, olek)
		request := w.asked(t)
		want(t, w.as(ewa, func(tx *db.Tx) error { return w.BlockPerson(tx, anna.ID) }), nil)
		want(t, w.confirm(ewa, request), payouts.ErrRequestDecided)
		want(t, w.as(ewa, func(tx *db.Tx) error { return identity.UnblockPerson(tx, anna.ID) }), nil)
		want(t, w.confirm(ewa, request), payouts.ErrRequestDecided) // it does not come back with her
		if !w.isOn(t) {
			t.Error("it is off")
		}
		next := w.asked(t)
		want(t, w.as(anna, func(tx *db.Tx) error { return w.BlockPerson(tx, olek.ID) }), nil)
		want(t, w.confirm(olek, next), identity.ErrStranger) // whose token is believed for a moment
		want(t, w.as(olek, func(tx *db.Tx) error { _, err := w.RequestOff(tx); return err }), identity.ErrStranger)
	})
}

func TestTwoPerson_TwoPeopleStayWhileItIsOn(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.write(t, func(tx *db.Tx) error { return w.TurnOnTwoPerson(tx) })
		w.refused(t, identity.ErrTwoNeeded, func(tx *db.Tx) error { return w.BlockPerson(tx, ewa.ID) })
		w.join(t, olek)
		w.write(t, func(tx *db.Tx) error { return w.BlockPerson(tx, ewa.ID) })
		w.refused(t, identity.ErrTwoNeeded, func(tx *db.Tx) error { return w.BlockPerson(tx, olek.ID) })
	})
}

func TestBlockPerson_OfTwoWhoBlockEachOtherOneStays(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		for range 5 {
			var answers [2]error
			var all sync.WaitGroup
			all.Go(func() { answers[0] = w.as(anna, func(tx *db.Tx) error { return w.BlockPerson(tx, ewa.ID) }) })
			all.Go(func() { answers[1] = w.as(ewa, func(tx *db.Tx) error { return w.BlockPerson(tx, anna.ID) }) })
			all.Wait()
			stays, gone := anna, ewa
			if answers[0] != nil {
				stays, gone = ewa, anna
				slices.Reverse(answers[:])
			}
			want(t, answers[0], nil)
			want(t, answers[1], identity.ErrStranger)
			want(t, w.as(stays, func(tx *db.Tx) error { return w.BlockPerson(tx, stays.ID) }), identity.ErrSelf)
			want(t, w.as(gone, func(tx *db.Tx) error { return identity.UnblockPerson(tx, gone.ID) }), identity.ErrStranger)
			want(t, w.as(stays, func(tx *db.Tx) error { return identity.UnblockPerson(tx, gone.ID) }), nil)
		}
	})
}

func TestTwoPerson_EachPartnerHasItsOwn(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		request := w.asked(t)
		south := access.Actor{Role: access.Partner, Tenant: "south", ID: "sara", Name: "Sara"}
		testkit.Write(t, w.db, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 0)
		})
		w.join(t, south)
		want(t, w.confirm(south, request), payouts.ErrRequestNotFound)
		want(t, w.as(south, func(tx *db.Tx) error { return w.BlockPerson(tx, ewa.ID) }), identity.ErrPersonNotFound)
		want(t, w.as(south, func(tx *db.Tx) error { return w.TurnOnTwoPerson(tx) }), payouts.ErrOnePerson)
	})
}

package identity_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

var anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "m1", Name: "Anna"}

func eachOffice(t *testing.T, test func(t *testing.T, o office)) {
	t.Helper()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) { test(t, newOffice(t, engine, access.Partner)) })
	}
}

func (o office) invite(who access.Actor, email string) (id string, err error) {
	err = o.db.Write(context.Background(), access.ProgramFor(who.Tenant, "test"), func(tx *db.Tx) error {
		id, err = identity.Invite(tx, who, identity.Invitation{FirstName: "Ewa", LastName: "Lis", Email: email, Language: "uk"})
		return err
	})
	return id, err
}

func (o office) as(who access.Actor, fn func(*db.Tx) error) error {
	return o.db.Write(context.Background(), who, fn)
}

// claimed invites somebody for whom the identity provider then makes a user.
func (o office) claimed(t *testing.T, subject string) (id string) {
	t.Helper()
	id, err := o.invite(anna, subject+"@x.example")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, o.db, north, func(tx *db.Tx) error {
		ours, err := identity.ClaimUser(tx, id, identity.Embedded, subject)
		if !ours {
			t.Error("not claimed")
		}
		return err
	})
	return id
}

func (o office) person(t *testing.T, id string) (p identity.Person) {
	t.Helper()
	testkit.Read(t, o.db, anna, func(tx *db.Tx) (err error) { p, err = identity.PersonByID(tx, id); return err })
	return p
}

func (o office) people(t *testing.T) (people []identity.Person) {
	t.Helper()
	testkit.Read(t, o.db, anna, func(tx *db.Tx) (err error) { people, err = identity.People(tx); return err })
	return people
}

func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%v, not %v", err, want)
	}
}

// south founds another partner with a person of its own.
func (o office) south(t *testing.T) access.Actor {
	t.Helper()
	testkit.Write(t, o.db, access.ProgramFor("south", "test"), func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO partners (tenant_id, code, name, color, logo, demo, created_at)
			VALUES ($1, 's', 'S', '#000000', '', FALSE, '')`); err != nil {
			return err
		}
		return identity.AddMember(tx, identity.Member{ID: "s1", Issuer: identity.Embedded, Subject: "us", Role: access.Partner, Name: "Sara", Email: "sara@s.example"})
	})
	return access.Actor{Role: access.Partner, Tenant: "south", ID: "s1", Name: "Sara"}
}

func TestInvite_AnAddressHasOneAccount(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		sara := o.south(t)
		testkit.Write(t, o.db, north, func(tx *db.Tx) error {
			return identity.AddMember(tx, identity.Member{ID: "d1", Issuer: identity.Embedded, Subject: "ud", Role: access.Driver, Name: "Dan", Email: "dan@x.example"})
		})
		id, err := o.invite(anna, "  Ewa@X.example ")
		wants(t, err, nil)
		for email, want := range map[string]error{"ewa@x.example": identity.ErrInvited, "A@x.example": identity.ErrMember, "dan@x.example": identity.ErrAddressTaken,
			"sara@s.example": identity.ErrAddressTaken} {
			_, err := o.invite(anna, email)
			wants(t, err, want)
		}
		var refused *fault.Fault
		if _, err := o.invite(sara, "EWA@x.example"); !errors.As(err, &refused) || !errors.Is(err, identity.ErrAddressTaken) || len(refused.Params) != 0 {
			t.Errorf("another partner is told %+v", refused)
		}
		if people := o.people(t); len(people) != 2 || people[1].ID != id || people[1].Name != "Ewa Lis" || people[1].Email != "ewa@x.example" || people[1].State != identity.Invited {
			t.Errorf("%+v", people)
		}
		testkit.Read(t, o.db, anna, func(tx *db.Tx) error {
			trail, err := audit.Of(tx, "person", id)
			if len(trail) != 1 || trail[0].Action != "people.invite" || trail[0].ActorName != "Anna" {
				t.Errorf("%+v", trail)
			}
			return err
		})
	})
}

func TestInvite_TwoAtTheSameMomentMakeOneAccount(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		sara := o.south(t)
		answers := make([]error, 6)
		var all sync.WaitGroup
		for n := range answers {
			who := []access.Actor{anna, sara}[n%2]
			all.Go(func() { _, answers[n] = o.invite(who, "ewa@x.example") })
		}
		all.Wait()
		done := 0
		for _, err := range answers {
			if err == nil {
				done++
			} else if !errors.Is(err, identity.ErrInvited) && !errors.Is(err, identity.ErrAddressTaken) {
				t.Error(err)
			}
		}
		if done != 1 {
			t.Errorf("%d invitations", done)
		}
	})
}

func TestInvite_RefusesAnIncompletePerson(t *testing.T) {
	o := newOffice(t, "sqlite", access.Partner)
	for _, in := range []identity.Invitation{{LastName: "Lis", Email: "ewa@x.example"}, {FirstName: "Ewa", LastName: " ", Email: "ewa@x.example"},
		{FirstName: "Ewa", LastName: "Lis"}, {FirstName: "Ewa", LastName: "Lis", Email: "ewa"}, {FirstName: "E\x00wa", LastName: "Lis", Email: "ewa@x.example"}} {
		err := o.as(north, func(tx *db.Tx) error { _, err := identity.Invite(tx, anna, in); return err })
		wants(t, err, identity.ErrPersonInvalid)
	}
}

func TestInvite_HoldsTheLimits(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		for n := range 20 {
			id, err := o.invite(anna, fmt.Sprintf("p%d@x.example", n))
			wants(t, err, nil)
			if n < 5 { // taken back, and counted all the same: their mails went out
				wants(t, o.as(anna, func(tx *db.Tx) error { return identity.Withdraw(tx, id) }), nil)
			}
		}
		_, err := o.invite(anna, "more@x.example")
		wants(t, err, identity.ErrTooManyPeople)
		for day := range 2 {
			o.clock.Pass(25 * time.Hour)
			for n := range 17 {
				_, err := o.invite(anna, fmt.Sprintf("q%d-%d@x.example", day, n))
				wants(t, err, nil)
			}
		}
		_, err = o.invite(anna, "more@x.example")
		wants(t, err, identity.ErrTooManyPeople)
		if n := len(o.people(t)); n != 50 {
			t.Errorf("%d people", n)
		}
	})
}

func TestResend_RestsAMinute(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		id := o.claimed(t, "u2")
		resend := func() error { return o.as(anna, func(tx *db.Tx) error { return identity.Resend(tx, id) }) }
		wants(t, resend(), identity.ErrSentLately)
		for range 9 {
			o.clock.Pass(time.Minute)
			wants(t, resend(), nil)
		}
		o.clock.Pass(time.Hour)
		wants(t, resend(), identity.ErrSentLately)
		sara := o.south(t)
		wants(t, o.as(sara, func(tx *db.Tx) error { return identity.Resend(tx, id) }), identity.ErrPersonNotFound)
		wants(t, o.as(sara, func(tx *db.Tx) error { return identity.Withdraw(tx, id) }), identity.ErrPersonNotFound)
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.Withdraw(tx, id) }), nil)
		wants(t, resend(), identity.ErrPersonState)
	})
}

func TestInvited_ArrivesOnTheFirstVisit(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		id := o.claimed(t, "u2")
		for range 2 {
			actor, err := o.authenticate(context.Background(), o.token(t, "u2", access.Partner, time.Minute))
			if err != nil || actor.ID != id || actor.Tenant != "north" || actor.Role != access.Partner || actor.Name != "Ewa Lis" {
				t.Fatalf("%+v %v", actor, err)
			}
			o.clock.Pass(time.Second)
		}
		if p := o.person(t, id); p.State != identity.Active {
			t.Errorf("%+v", p)
		}
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.Withdraw(tx, id) }), identity.ErrPersonState)
		testkit.Read(t, o.db, anna, func(tx *db.Tx) error {
			trail, err := audit.Of(tx, "person", id)
			if len(trail) != 2 || trail[1].Action != "people.activate" || trail[1].ActorID != id {
				t.Errorf("%+v", trail)
			}
			return err
		})
	})
}

func TestWithdrawn_IsNotLetIn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		id := o.claimed(t, "u2")
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.Withdraw(tx, id) }), nil)
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.Withdraw(tx, id) }), identity.ErrPersonState)
		_, err := o.authenticate(context.Background(), o.token(t, "u2", access.Partner, time.Minute))
		wants(t, err, identity.ErrStranger)
		if people := o.people(t); len(people) != 1 {
			t.Errorf("%+v", people)
		}
		next, err := o.invite(anna, "u2@x.example") // the address is free again
		if wants(t, err, nil); next == id {
			t.Error("the same invitation")
		}
	})
}

func TestBlocked_IsOutUntilUnblocked(t *testing.T) {
	eachOffice(t, func(t *testing.T, o office) {
		id := o.claimed(t, "u2")
		in := func() error {
			_, err := o.authenticate(context.Background(), o.token(t, "u2", access.Partner, time.Minute))
			return err
		}
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.BlockPerson(tx, id, 1) }), identity.ErrPersonState) // only invited
		wants(t, in(), nil)
		token := o.token(t, "u2", access.Partner, 10*time.Minute)
		if _, err := o.authenticate(context.Background(), token); err != nil {
			t.Fatal(err)
		}
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.BlockPerson(tx, id, 1) }), nil)
		o.clock.Pass(30 * time.Second)
		_, err := o.authenticate(context.Background(), token)
		wants(t, err, identity.ErrStranger)
		wants(t, in(), identity.ErrStranger)
		if states := o.states(t); !slices.Equal(states, []identity.PersonState{identity.Active, identity.Blocked}) {
			t.Errorf("%v", states)
		}
		_, err = o.invite(anna, "u2@x.example")
		wants(t, err, identity.ErrMember)
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.UnblockPerson(tx, id) }), nil)
		wants(t, o.as(anna, func(tx *db.Tx) error { return identity.UnblockPerson(tx, id) }), identity.ErrPersonState)
		wants(t, in(), nil)
	})
}

func (o office) states(t *testing.T) (states []identity.PersonState) {
	t.Helper()
	for _, p := range o.people(t) {
		states = append(states, p.State)
	}
	return states
}

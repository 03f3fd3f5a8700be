package imports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"saldo/internal/imports"
	"saldo/internal/imports/unmatched"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// people are those who wait, as "First Last: providers; suggested driver by what", in the order of names.
func (w *fixture) people(t testing.TB) (lines []string, all map[string]unmatched.Person) {
	t.Helper()
	var page unmatched.People
	testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { page, err = w.unmatched.PeopleOf(tx, "", 100); return err })
	all = map[string]unmatched.Person{}
	for _, p := range page.People {
		of := []string{}
		for _, i := range p.Identities {
			of = append(of, i.Provider)
		}
		slices.Sort(of)
		line := fmt.Sprintf("%s %s: %s", p.First, p.Last, strings.Join(of, " "))
		if s := p.Suggested; s != nil {
			line += "; " + s.Driver.First + " " + s.Driver.Last + " by " + strings.Join(s.By, " ")
			if s.Certain {
				line += ", certain"
			}
		}
		lines = append(lines, line)
		all[p.First+" "+p.Last] = p
	}
	slices.Sort(lines)
	return lines, all
}

func idsOf(p unmatched.Person) (ids []string) {
	for _, i := range p.Identities {
		ids = append(ids, i.ID)
	}
	return ids
}

var (
	boltFile = small("BOLT", "earnings", "bolt", nil)
	uberFile = small("UBER", "weekly", "uber", nil)
)

// file is rows of one provider: each person;id;card;email;phone.
func file(mark string, people ...string) string {
	text := smallHead + mark + "\n"
	for _, p := range people {
		text += p + ";;2026-11-02;;;TRIP;1;\n"
	}
	return text
}

func TestPeople_OnePersonAcrossFilesAndProviders(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.bring(t, "b.csv", file("bolt", "JAN KOWALSKI;b-1;;jan@example.com;+48500000101", "Ahmed Safa, Beng;b-2;;;+48500000102", "Iryna Kovalchuk;b-3;;;+48500000103",
			"Ewa Lis;b-4;;;+48500000104", "Piotr Nowak;b-5;;office@example.com;", "Anna Nowak;b-6;;office@example.com;", "Tomasz Maj;b-7;;;+48500000107"), imports.Order{Chosen: "BOLT"})
		w.bring(t, "u.csv", file("uber", "Kowalski Jan;u-1;;;", "ahmed safa beng;u-2;;;", "Iryna K;u-3;;;500 000 103", // by phone
			"Ewa Lis;u-4;;;+48500999104",                                                               // another number: perhaps somebody else
			"Piotr Nowak;u-5;;;", "Adam Maj;u-6;;;", "Adam Maj;u-7;;;"), imports.Order{Chosen: "UBER"}) // two of one name
		lines, all := w.people(t)
		same(t, "people", lines, []string{"Adam Maj: UBER", "Adam Maj: UBER", "Ahmed Safa Beng: BOLT UBER", "Anna Nowak: BOLT", "Ewa Lis: BOLT", "Ewa Lis: UBER",
			"Iryna Kovalchuk: BOLT UBER", "Jan Kowalski: BOLT UBER", "Piotr Nowak: BOLT UBER", "Tomasz Maj: BOLT"})
		jan := all["Jan Kowalski"]
		same(t, "of both files", fmt.Sprint(jan.Rows, jan.Sum, jan.Email, jan.Phone), fmt.Sprint(2, money.Amount(200), "jan@example.com", "+48500000101"))
	}, boltFile, uberFile)
}

func TestPeople_TheDriverWhomTheyProbablyAreWithTheEvidence(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.bring(t, "b.csv", file("bolt", "Jan Kowalski;b-1;;jan@example.com;+48500000101", "Ewa Lis;b-2;;;", "Iwo Kos;b-3;;iwo@example.com;+48500000103", "Olga Wilk;b-4;;olga@example.com;",
			"Nowak Adam;b-5;;;"), imports.Order{Chosen: "BOLT"})
		w.bring(t, "u.csv", file("uber", "KOWALSKI JAN;u-1;;;"), imports.Order{Chosen: "UBER"})
		w.driver(t, "Jan", "Kowalski", "", "+48500000101")
		w.driver(t, "Ewa", "Lis", "ewa@example.com", "")
		w.driver(t, "Ida", "Kos", "iwo@example.com", "")
		w.driver(t, "Iwo", "Kot", "", "+48500000103") // two drivers share something with one person
		w.driver(t, "Biuro", "Floty", "olga@example.com", "")
		w.driver(t, "Adam", "Nowak", "", "")
		w.driver(t, "Adam", "Nowak", "", "") // two of one name: nobody is suggested
		lines, _ := w.people(t)
		same(t, "people", lines, []string{"Adam Nowak: BOLT", "Ewa Lis: BOLT; Ewa Lis by name", "Iwo Kos: BOLT; Ida Kos by email", "Jan Kowalski: BOLT UBER; Jan Kowalski by phone name, certain",
			"Olga Wilk: BOLT; Biuro Floty by email"})
	}, boltFile, uberFile)
}

// Creating, taking it back, doing it again, and somebody else deciding meanwhile: nobody is made twice and no row is lost.
func TestPeople_CreatedTogetherTakenBackAndGivenAgain(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		w.bring(t, "b.csv", file("bolt", "JAN KOWALSKI;b-1;;jan@example.com;+48500000101", "Ewa Lis;b-2;;;nonsense"), imports.Order{Chosen: "BOLT"})
		w.bring(t, "u.csv", file("uber", "Kowalski Jan;u-1;;;"), imports.Order{Chosen: "UBER"})
		_, all := w.people(t)
		wanted := []unmatched.Decision{{IDs: idsOf(all["Jan Kowalski"]), Name: all["Jan Kowalski"].Name}, {IDs: idsOf(all["Ewa Lis"])}}
		decide := func(do func(*db.Tx, []unmatched.Decision) ([]unmatched.IdentityOutcome, error), people ...unmatched.Decision) (said []string) {
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error {
				outcomes, err := do(tx, people)
				said = nil
				for _, o := range outcomes {
					said = append(said, fmt.Sprint(o.Outcome, " ", o.Rows))
				}
				return err
			})
			return said
		}
		drivers := `SELECT first_name || ' ' || last_name || ' ' || email || ' ' || phone FROM drivers WHERE tenant_id = $1 ORDER BY last_name`
		stored := []string{"Ewa Lis  ", "Jan Kowalski jan@example.com +48500000101"}
		same(t, "created", decide(w.unmatched.CreateMany, wanted...), []string{"created 2", "created 1"})
		same(t, "drivers", w.lines(t, drivers), stored)
		same(t, "again", decide(w.unmatched.CreateMany, wanted...), []string{"decided 0", "decided 0"})
		same(t, "assigned meanwhile", decide(w.unmatched.AssignMany, unmatched.Decision{IDs: wanted[0].IDs, DriverID: "nobody"}), []string{"decided 0"})
		if lines, _ := w.people(t); len(lines) != 0 {
			t.Error(lines)
		}

		undo := func(ids []string) {
			testkit.Write(t, w.db, anna, func(tx *db.Tx) error { _, err := w.unmatched.UndoMany(tx, ids); return err })
		}
		undo(wanted[0].IDs)
		undo(wanted[1].IDs)
		lines, _ := w.people(t)
		same(t, "undone", lines, []string{"Ewa Lis: BOLT; Ewa Lis by name", "Jan Kowalski: BOLT UBER; Jan Kowalski by email phone name, certain"})
		same(t, "nobody twice", decide(w.unmatched.CreateMany, wanted...), []string{"same_name 0", "same_name 0"})
		jan := w.lines(t, `SELECT id FROM drivers WHERE tenant_id = $1 AND last_name = 'Kowalski'`)[0]
		same(t, "no such driver", decide(w.unmatched.AssignMany, unmatched.Decision{IDs: wanted[0].IDs, DriverID: "nobody"}), []string{"driver_not_found 0"})
		same(t, "given again", decide(w.unmatched.AssignMany, unmatched.Decision{IDs: wanted[0].IDs, DriverID: jan}), []string{"assigned 2"})
		same(t, "drivers again", w.lines(t, drivers), stored)

		// One identity of a person is decided by somebody else: the person is left whole to them.
		undo(wanted[0].IDs)
		testkit.Write(t, w.db, anna, func(tx *db.Tx) error { return unmatched.Ignore(tx, wanted[0].IDs[1]) })
		same(t, "partly decided", decide(w.unmatched.AssignMany, unmatched.Decision{IDs: wanted[0].IDs, DriverID: jan}), []string{"decided 0"})
		same(t, "nothing moved", w.count(t, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1`), int64(0))
		err := w.change(func(tx *db.Tx) error { return unmatched.IgnoreAll(tx, wanted[0].IDs) })
		refusedWith(t, err, unmatched.ErrDecided)
		same(t, "whole or not at all", w.lines(t, `SELECT state FROM unmatched_drivers WHERE tenant_id = $1 AND provider = 'UBER'`), []string{"waiting"})
	}, boltFile, uberFile)
}

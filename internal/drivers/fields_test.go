package drivers_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// Every field that a partner writes down is stored by each way in, read again, and in the trail with its change.
func TestEveryField_IsStoredAndInTheTrail(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		v, err := vault.Open(testkit.Key)
		if err != nil {
			t.Fatal(err)
		}
		book := drivers.Service{Vault: v, Post: mail.NewQueue(v, nil, mail.Address{Address: "saldo@example.com"}), Country: "DE", Language: "de"}
		testkit.Write(t, d, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0)
		})
		testkit.Write(t, d, access.Actor{Role: access.Partner, Tenant: "north", ID: "anna"}, func(tx *db.Tx) error {
			tx.Actor.Proof.SignedInAt = tx.Now
			r := rules.Default()
			r.Name = "second"
			schema, err := schemas.Add(tx, r)
			if err != nil {
				return err
			}
			one, other := testkit.TwoDrivers(t, schema.Number)
			stored := func(way, id string, want drivers.Details) {
				t.Helper()
				got, err := drivers.Get(tx, v, id)
				if err != nil || got.Details != want {
					t.Errorf("%s: %+v, want %+v (%v)", way, got.Details, want, err)
				}
			}
			id, err := book.WriteDown(tx, one)
			if err != nil {
				return err
			}
			stored("added", id, one)
			if err := book.Save(tx, id, other, 1); err != nil {
				return err
			}
			stored("saved", id, other)
			many, err := book.AddMany(tx, []drivers.NewDriver{{Details: one}, {Details: other}})
			if err != nil {
				return err
			}
			stored("one of many", many[0], one)
			stored("one of many", many[1], other)

			trail, err := audit.Of(tx, drivers.AuditKind, id)
			if err != nil {
				return err
			}
			var before, after map[string]any
			last := trail[len(trail)-1]
			if err := json.Unmarshal([]byte(last.BeforeState), &before); err != nil {
				return err
			}
			if err := json.Unmarshal([]byte(last.AfterState), &after); err != nil {
				return err
			}
			for _, f := range reflect.VisibleFields(reflect.TypeFor[drivers.Details]()) {
				name := f.Tag.Get("json")
				if was, is := before[name], after[name]; reflect.DeepEqual(was, is) {
					t.Errorf("the trail says nothing of %s: %v, %v", f.Name, was, is)
				}
			}
			return nil
		})
	})
}

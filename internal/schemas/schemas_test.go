package schemas_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

var anna = testkit.Anna

func rulesNamed(name string) rules.Rules {
	r := rules.Default()
	r.Name = name
	return r
}

func addSchema(t *testing.T, d *db.DB, r rules.Rules) (s schemas.Schema) {
	t.Helper()
	testkit.Write(t, d, anna, func(tx *db.Tx) (err error) { s, err = schemas.Add(tx, r); return err })
	return s
}

// attach adds a driver who is settled by a schema.
func attach(t *testing.T, d *db.DB, id string, number int64, mergedInto string) {
	t.Helper()
	testkit.Write(t, d, anna, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum, iban_changed_at, account_holder, tax_id,
			schema_number, contract_number, bailiff, summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at,
			settled_on, merged_into, version, created_at, updated_at)
			VALUES ($1, $2, 'Jan', $2, $2, '', '', '', '', '', '', '', $3, '', FALSE, '', 0, TRUE, FALSE, '', '', '', '', $4, 1, $5, $5)`, id, number, mergedInto, tx.Now)
		return err
	})
}

func refused(t *testing.T, d *db.DB, want error, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(context.Background(), anna, fn); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// defaults are the numbers of the partner's default schemas.
func defaults(t *testing.T, d *db.DB) (numbers []int64) {
	t.Helper()
	testkit.Read(t, d, anna, func(tx *db.Tx) (err error) {
		numbers, err = db.Select[int64](tx, `SELECT number FROM schemas WHERE tenant_id = $1 AND is_default`)
		return err
	})
	return numbers
}

func TestANewPartnerHasOneSchemaWhichIsTheDefault(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			list, err := schemas.List(tx)
			if len(list) != 1 || list[0].Number != 1 || list[0].Version != 1 || !list[0].IsDefault || !reflect.DeepEqual(list[0].Rules, rules.Default()) {
				t.Errorf("%+v", list)
			}
			return err
		})
	})
}

func TestAnEditMakesAVersionAndTheFormerStaysReadable(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		s := addSchema(t, d, rulesNamed("Kurierzy"))
		edited := s.Rules
		edited.SettlementCost = 5000
		save := func(version int64, r rules.Rules) error {
			return d.Write(context.Background(), anna, func(tx *db.Tx) error { _, err := schemas.Save(tx, s.Number, version, r); return err })
		}
		if err := errors.Join(save(1, edited), save(2, edited)); err != nil { // the second changes nothing
			t.Fatal(err)
		}
		if err := save(1, s.Rules); !errors.Is(err, schemas.ErrChanged) {
			t.Errorf("a stale edit: %v", err)
		}
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return schemas.Remove(tx, s.Number) })
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			for version, cost := range map[int64]int64{1: 0, 2: 5000} {
				v, err := schemas.At(tx, s.Number, version)
				if err != nil || int64(v.Rules.SettlementCost) != cost || v.CreatedBy != "Anna Mazurek" {
					t.Errorf("version %d: %+v, %v", version, v, err)
				}
			}
			if v, err := schemas.At(tx, s.Number, 3); !errors.Is(err, schemas.ErrNotFound) {
				t.Errorf("a version that never was: %+v, %v", v, err)
			}
			if gone, err := schemas.Get(tx, s.Number); !errors.Is(err, schemas.ErrNotFound) {
				t.Errorf("a deleted schema: %+v, %v", gone, err)
			}
			return nil
		})
		if again := addSchema(t, d, rulesNamed("Kurierzy")); again.Number != s.Number+1 {
			t.Errorf("the number %d was used again after %d", again.Number, s.Number)
		}
	})
}

func TestTheTrailOfASchemaShowsBeforeAndAfter(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		s := addSchema(t, d, rulesNamed("Kurierzy"))
		edited := s.Rules
		edited.SettlementCost = 5000
		testkit.Write(t, d, anna, func(tx *db.Tx) error { _, err := schemas.Save(tx, s.Number, 1, edited); return err })
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return schemas.SetDefault(tx, s.Number) })
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return schemas.SetDefault(tx, 1) })
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return schemas.Remove(tx, s.Number) })
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			trail, err := audit.Of(tx, "schema", fmt.Sprint(s.Number))
			var reported string
			for _, e := range trail {
				reported += e.Action + " "
			}
			if reported != "schemas.add schemas.save schemas.set_default schemas.remove " || !strings.Contains(trail[1].BeforeState, `"settlementCost":0`) ||
				!strings.Contains(trail[1].AfterState, `"settlementCost":5000`) || trail[2].BeforeState != `{"default":1}` || trail[3].AfterState != "null" {
				t.Errorf("%+v", trail)
			}
			return err
		})
	})
}

func TestNamesOfSchemasDifferByMoreThanCase(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		s := addSchema(t, d, rulesNamed("  Łódź   nocą "))
		if s.Rules.Name != "Łódź nocą" {
			t.Errorf("%q", s.Rules.Name)
		}
		add := func(name string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := schemas.Add(tx, rulesNamed(name)); return err }
		}
		refused(t, d, schemas.ErrNameTaken, add("ŁÓDŹ NOCĄ"))
		refused(t, d, schemas.ErrNameTaken, func(tx *db.Tx) error { _, err := schemas.Copy(tx, s.Number, "łódź nocą"); return err })
		refused(t, d, schemas.ErrNameTaken, func(tx *db.Tx) error { _, err := schemas.Save(tx, s.Number, 1, rulesNamed("STANDARD")); return err })
		refused(t, d, schemas.ErrInvalid, add(""))
		// its own name in another case is no other's
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			_, err := schemas.Save(tx, s.Number, 1, rulesNamed("ŁÓDŹ nocą"))
			return err
		})
	})
}

func TestASchemaWithDriversAndTheDefaultOneStay(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		s := addSchema(t, d, rulesNamed("Kurierzy"))
		remove := func(number int64) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { return schemas.Remove(tx, number) }
		}
		refused(t, d, schemas.ErrIsDefault, remove(1))
		refused(t, d, schemas.ErrNotFound, remove(99))
		for i := range schemas.AttachedShown + 3 {
			attach(t, d, fmt.Sprintf("d%03d", i), s.Number, "")
		}
		attach(t, d, "merged", s.Number, "d000")
		attach(t, d, "without", 0, "")
		refused(t, d, schemas.ErrAttached.With("drivers", 53), remove(s.Number))
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			first, all, err := schemas.Drivers(tx, s.Number)
			if len(first) != schemas.AttachedShown || all != 53 || first[0].ID != "d000" || err != nil {
				t.Errorf("%d of %d, %v", len(first), all, err)
			}
			first, all, err = schemas.Drivers(tx, 1)
			if len(first) != 1 || all != 1 || first[0].ID != "without" {
				t.Errorf("who has none of their own is settled by the default: %v of %d", first, all)
			}
			return err
		})
		// the default with drivers of its own stays for being the default, and they follow it by number
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return schemas.SetDefault(tx, s.Number) })
		testkit.Write(t, d, anna, remove(1))
	})
}

func TestOfManyWhoSetTheDefaultAtOnceOneDefaultIsLeft(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		var all sync.WaitGroup
		for i := range 4 {
			addSchema(t, d, rulesNamed(fmt.Sprint("Schema ", i)))
		}
		for i := range 32 {
			all.Go(func() {
				err := d.Write(context.Background(), anna, func(tx *db.Tx) error { return schemas.SetDefault(tx, int64(1+i%5)) })
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if left := defaults(t, d); len(left) != 1 {
			t.Errorf("defaults: %v", left)
		}
	})
}

func TestDeletingAndMakingDefaultAtOnceNeverLeavesADeletedDefault(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		for i := range 8 {
			s := addSchema(t, d, rulesNamed(fmt.Sprint("Schema ", i)))
			var all sync.WaitGroup
			var won atomic.Int64
			for _, act := range []func(*db.Tx, int64) error{schemas.SetDefault, schemas.Remove} {
				all.Go(func() {
					err := d.Write(context.Background(), anna, func(tx *db.Tx) error { return act(tx, s.Number) })
					if err == nil {
						won.Add(1)
					} else if !errors.Is(err, schemas.ErrNotFound) && !errors.Is(err, schemas.ErrIsDefault) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if left := defaults(t, d); len(left) != 1 || won.Load() != 1 {
				t.Errorf("defaults %v, %d done", left, won.Load())
			}
		}
	})
}

func TestSchemasMadeAtOnceHaveDifferentNumbers(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		var all sync.WaitGroup
		var same, made atomic.Int64
		for i := range 12 {
			all.Go(func() {
				// every name is tried twice
				err := d.Write(context.Background(), anna, func(tx *db.Tx) error {
					_, err := schemas.Add(tx, rulesNamed(fmt.Sprint("Schema ", i/2)))
					return err
				})
				switch {
				case err == nil:
					made.Add(1)
				case errors.Is(err, schemas.ErrNameTaken):
					same.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			highest, err := db.One[int64](tx, `SELECT MAX(number) FROM schemas WHERE tenant_id = $1`)
			if made.Load() != 6 || same.Load() != 6 || highest != 7 {
				t.Errorf("made %d, refused %d, highest number %d", made.Load(), same.Load(), highest)
			}
			return err
		})
	})
}

func TestAPartnersSchemasAreItsOwnThoughNumbersAreShared(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		s := addSchema(t, d, rulesNamed("Kurierzy"))
		south := access.Actor{Role: access.Partner, Tenant: "south", ID: "ben", Name: "Ben"}
		testkit.Write(t, d, south, func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, 0)
		})
		testkit.Read(t, d, south, func(tx *db.Tx) error {
			_, one := schemas.Get(tx, s.Number)
			_, at := schemas.At(tx, s.Number, 1)
			_, past := schemas.History(tx, s.Number)
			_, _, drivers := schemas.Drivers(tx, s.Number)
			for _, err := range []error{one, at, past, drivers} {
				if !errors.Is(err, schemas.ErrNotFound) {
					t.Errorf("%v", err)
				}
			}
			return nil
		})
	})
}

func TestADriverNeverGetsASchemaThatIsRemovedAtTheSameMoment(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		book := drivers.Service{Country: "PL", Language: "pl"}
		attached, removed := 0, 0
		for i := range 16 {
			s := addSchema(t, d, rulesNamed(fmt.Sprint("Schema ", i)))
			var driver string
			testkit.Write(t, d, anna, func(tx *db.Tx) (err error) {
				driver, err = book.Add(tx, drivers.Details{FirstName: "Jan", LastName: "Nowak"})
				return err
			})
			var all sync.WaitGroup
			var save, remove error
			all.Go(func() {
				save = d.Write(context.Background(), anna, func(tx *db.Tx) error {
					return book.Save(tx, driver, drivers.Details{FirstName: "Jan", LastName: "Nowak", SchemaNumber: s.Number}, 1)
				})
			})
			all.Go(func() {
				remove = d.Write(context.Background(), anna, func(tx *db.Tx) error { return schemas.Remove(tx, s.Number) })
			})
			all.Wait()
			switch {
			case save == nil && errors.Is(remove, schemas.ErrAttached):
				attached++
			case errors.Is(save, drivers.ErrInvalid) && remove == nil:
				removed++
			default:
				t.Errorf("attaching: %v, removing: %v", save, remove)
			}
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			lost, err := db.One[int64](tx, `SELECT COUNT(*) FROM drivers d JOIN schemas s ON s.tenant_id = d.tenant_id AND s.number = d.schema_number
				WHERE d.tenant_id = $1 AND s.deleted_at <> ''`)
			if lost != 0 || attached+removed != 16 {
				t.Errorf("%d drivers have a removed schema; %d attached, %d removed", lost, attached, removed)
			}
			return err
		})
	})
}

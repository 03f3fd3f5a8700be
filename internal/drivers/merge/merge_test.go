package merge_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/drivers/merge"
	"saldo/internal/kernel/fault"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// addSchema makes a schema of the partner.
func addSchema(t *testing.T, d *db.DB, name string) (s schemas.Schema) {
	t.Helper()
	r := rules.Default()
	r.Name = name
	testkit.Write(t, d, anna, func(tx *db.Tx) (err error) { s, err = schemas.Add(tx, r); return err })
	return s
}

func bookOf(t *testing.T) drivers.Service {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	return drivers.Service{Vault: v, Post: mail.NewQueue(v, nil, mail.Address{Address: "saldo@example.com"}), Country: "PL", Language: "pl"}
}

// merging does one thing with the drivers of north, as whoever just signed in.
func merging(d *db.DB, fn func(tx *db.Tx) error) error {
	who := anna
	who.Proof.SignedInAt = d.Now()
	return d.Write(context.Background(), who, fn)
}

func add(t *testing.T, d *db.DB, b drivers.Service, details drivers.Details, identities ...drivers.Identity) (id string) {
	t.Helper()
	if err := merging(d, func(tx *db.Tx) (err error) {
		if id, err = b.Add(tx, details); err != nil {
			return err
		}
		return drivers.SetIdentities(tx, b.Vault, id, identities, 1)
	}); err != nil {
		t.Fatal(err)
	}
	return id
}

// merge merges two drivers in the versions that stand.
func mergeTwo(d *db.DB, b drivers.Service, kept, other string, choices map[string]string) (id string, err error) {
	err = merging(d, func(tx *db.Tx) error {
		o := merge.Order{Kept: kept, Other: other, Choices: choices}
		for _, side := range []struct {
			id string
			to *int64
		}{{kept, &o.KeptVersion}, {other, &o.OtherVersion}} {
			if *side.to, err = db.One[int64](tx, `SELECT version FROM drivers WHERE tenant_id = $1 AND id = $2`, side.id); err != nil {
				return err
			}
		}
		id, err = merge.Drivers(tx, b, o)
		return err
	})
	return id, err
}

func mustMerge(t *testing.T, d *db.DB, b drivers.Service, kept, other string, choices map[string]string) string {
	t.Helper()
	id, err := mergeTwo(d, b, kept, other, choices)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func undo(d *db.DB, b drivers.Service, id string) error {
	return merging(d, func(tx *db.Tx) error { return merge.Undo(tx, b, id) })
}

// contents is every row of the partner's drivers and what is theirs. A version
// only grows, and a sealed account reads differently each time: its sum does not.
func contents(t *testing.T, d *db.DB) string {
	t.Helper()
	var all []string
	testkit.Read(t, d, anna, func(tx *db.Tx) error {
		for _, q := range []struct{ table, columns, order string }{
			{"drivers", "id, first_name, last_name, search_key, email, phone, iban_sum, iban_changed_at, account_holder, tax_id, schema_number, contract_number, bailiff, " +
				"summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at, settled_on, merged_into, created_at", "id"},
			{"driver_identities", "driver_id, provider, value, created_at", "provider, value"},
			{"driver_tags", "driver_id, tag_id", "driver_id, tag_id"},
			{"transactions", "id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name, description, search_key, payment, twin_id, " +
				"source, import_id, source_file, source_row, source_column, external_id, came_unknown, evidence, evidence_type, evidence_name, reason, settlement_id, version, " +
				"created_at, created_by, deleted_at", "id"},
		} {
			rows, err := db.Select[string](tx, `SELECT '`+q.table+` ' || `+strings.ReplaceAll(q.columns, ", ", ` || '|' || `)+` AS line FROM `+q.table+` WHERE tenant_id = $1 ORDER BY `+q.order)
			if err != nil {
				return err
			}
			all = append(all, rows...)
		}
		return nil
	})
	return strings.Join(all, "\n")
}

func TestMergeAndUndoLeaveEverythingAsItWas(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		kept := add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Babiak", Phone: "+48601234567", IBAN: "PL61109010140000071219812874"},
			drivers.Identity{Provider: "UBER", Value: "u-1"})
		other := add(t, d, b, drivers.Details{FirstName: "Ołeh", LastName: "Babiak", Email: "o@example.com", Phone: "+48602234567", IBAN: "DE89370400440532013000",
			AccountHolder: "Anna", TaxID: "5260250274", ContractNumber: "K/7", Bailiff: true, SummaryLanguage: "uk", SettlementFrequency: 2},
			drivers.Identity{Provider: "UBER", Value: "u-2"}, drivers.Identity{Provider: "BOLT", Value: "b-2"})
		schema := addSchema(t, d, "Kurierzy")
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			night, err := drivers.AddTag(tx, "night")
			day, err2 := drivers.AddTag(tx, "day")
			_, err3 := tx.Exec(`UPDATE drivers SET schema_number = $3, account_id = 'a1', verified_at = $4, settled_on = '2026-11-02', active = FALSE WHERE tenant_id = $1 AND id = $2`, other, schema.Number, tx.Now)
			return errors.Join(err, err2, err3, drivers.TagDriver(tx, kept, []string{day.ID}), drivers.TagDriver(tx, other, []string{day.ID, night.ID}),
				drivers.Block(tx, other, true))
		})
		testkit.Imported(t, d, kept, []any{"k1", "2026-11-02", "UBER", "TRIP", 1000, "a"})
		testkit.Imported(t, d, other, []any{"o1", "2026-11-02", "UBER", "TRIP", 2000, "a"}, []any{"o2", "2026-11-03", "UBER", "TRIP", 4000, "b"}, []any{"o3", "2026-11-03", "UBER", "TIP", 8000, "c"})
		testkit.Settled(t, d, "o1")
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE transactions SET deleted_at = $2 WHERE tenant_id = $1 AND id = 'o3'`, tx.Now)
			if err != nil {
				return err
			}
			return testkit.Recounted(tx)
		})
		before := contents(t, d)
		for _, choices := range []map[string]string{{"phone": "other", "iban": "other", "schemaNumber": "other", "settlementFrequency": "other", "firstName": "other"}, nil} {
			id := mustMerge(t, d, b, kept, other, choices)
			testkit.Read(t, d, anna, func(tx *db.Tx) error {
				m, err := drivers.Get(tx, b.Vault, kept)
				if err != nil {
					return err
				}
				if m.Email != "o@example.com" || m.TaxID != "5260250274" || !m.Bailiff || !m.Blocked || !m.Active || m.AccountID != "a1" || m.VerifiedAt.IsZero() ||
					len(m.Identities) != 3 || len(m.Tags) != 2 || (m.Phone == "+48602234567") != (choices != nil) || (m.AccountHolder == "Anna") != (choices != nil) ||
					(m.SchemaNumber == schema.Number) != (choices != nil) || (m.IBAN == "DE89370400440532013000") != (choices != nil) {
					t.Errorf("%+v", m)
				}
				// what was settled of the other is read as the kept one's; its row is as it was
				page, err := ledger.List(tx, ledger.Filter{DriverID: kept})
				if err != nil || page.Count != 3 || page.Sum != 7000 {
					t.Errorf("%+v %v", page, err)
				}
				owner, err := db.One[string](tx, `SELECT driver_id FROM transactions WHERE tenant_id = $1 AND id = 'o1'`)
				if owner != other {
					t.Errorf("a settled row went to %s", owner)
				}
				return err
			})
			if err := undo(d, b, id); err != nil {
				t.Fatal(err)
			}
			if after := contents(t, d); after != before {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
		}
	})
}

func TestWhatCameAfterAMergeStaysWithTheKeptDriver(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		kept, other := add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Kept"}), add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Other"},
			drivers.Identity{Provider: "UBER", Value: "u-1"}, drivers.Identity{Provider: "UBER", Value: "u-2"})
		testkit.Imported(t, d, other, []any{"o1", "2026-11-02", "UBER", "TRIP", 100, "a"})
		id := mustMerge(t, d, b, kept, other, nil)
		testkit.Imported(t, d, kept, []any{"new", "2026-11-09", "UBER", "TRIP", 200, "b"})
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			k, err := drivers.Get(tx, b.Vault, kept)
			if err != nil {
				return err
			}
			return drivers.SetIdentities(tx, b.Vault, kept, []drivers.Identity{{Provider: "UBER", Value: "u-2"}, {Provider: "UBER", Value: "u-3"}}, k.Version)
		})
		if err := undo(d, b, id); err != nil {
			t.Fatal(err)
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			k, err := drivers.Get(tx, b.Vault, kept)
			o, err2 := drivers.Get(tx, b.Vault, other)
			if fmt.Sprint(k.Identities, o.Identities) != "[{UBER u-3}] [{UBER u-2}]" {
				t.Errorf("%v and %v", k.Identities, o.Identities)
			}
			owners, err3 := db.Select[string](tx, `SELECT driver_id FROM transactions WHERE tenant_id = $1 ORDER BY id`)
			if !slices.Equal(owners, []string{kept, other}) {
				t.Errorf("%v", owners)
			}
			return errors.Join(err, err2, err3)
		})
	})
}

func TestAMergeIsNotUndoneOnceSomethingOfItIsSettled(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		kept, other := add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Kept"}), add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Other"})
		testkit.Imported(t, d, kept, []any{"k1", "2026-11-02", "UBER", "TRIP", 100, "a"})
		testkit.Imported(t, d, other, []any{"o1", "2026-11-02", "UBER", "TRIP", 100, "a"}, []any{"o2", "2026-11-02", "UBER", "TRIP", 100, "a"})
		testkit.Settled(t, d, "o2")
		id := mustMerge(t, d, b, kept, other, nil)
		refusal := func() (f *fault.Fault) {
			testkit.Read(t, d, anna, func(tx *db.Tx) error {
				merges, err := merge.List(tx, b, kept)
				f = merges[0].Refusal
				return err
			})
			return f
		}
		testkit.Settled(t, d, "k1") // the kept one's own
		if f := refusal(); f != nil {
			t.Errorf("%v", f)
		}
		testkit.Settled(t, d, "o1")
		before := contents(t, d)
		if err := undo(d, b, id); !errors.Is(err, merge.ErrSettled) || !errors.Is(refusal(), merge.ErrSettled) || contents(t, d) != before {
			t.Errorf("%v, %v", err, refusal())
		}
		// what is revoked is free, and what was the other's finds its way to the kept one
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			err := testkit.Unsettle(tx)
			return errors.Join(err, ledger.FollowMerge(tx, kept), ledger.FollowMerge(tx, other))
		})
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND driver_id = $2`, kept)
			if n != 3 {
				t.Errorf("%d of 3 with the kept one", n)
			}
			return err
		})
		if err := undo(d, b, id); err != nil {
			t.Error(err)
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND driver_id = $2`, other)
			if n != 2 {
				t.Errorf("%d of 2 came back", n)
			}
			return err
		})
	})
}

func TestMergesAreUndoneInReverseOrder(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		var ids []string
		for i := range 4 {
			ids = append(ids, add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: fmt.Sprint("Driver ", i)}, drivers.Identity{Provider: "UBER", Value: fmt.Sprint(i)}))
			testkit.Imported(t, d, ids[i], []any{fmt.Sprint("s", i), "2026-11-02", "UBER", "TRIP", 1, "a"}, []any{fmt.Sprint("u", i), "2026-11-02", "UBER", "TRIP", 1, "a"})
			testkit.Settled(t, d, fmt.Sprint("s", i))
		}
		before := contents(t, d)
		first := mustMerge(t, d, b, ids[1], ids[0], nil)
		second := mustMerge(t, d, b, ids[2], ids[1], nil)
		third := mustMerge(t, d, b, ids[2], ids[3], nil)
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			page, err := ledger.List(tx, ledger.Filter{DriverID: ids[2]})
			if page.Count != 8 {
				t.Errorf("%d of 8 transactions are read through three merges", page.Count)
			}
			return err
		})
		for _, early := range []string{first, second} {
			if err := undo(d, b, early); !errors.Is(err, merge.ErrFollowed) {
				t.Errorf("%v", err)
			}
		}
		for _, id := range []string{third, second, first} {
			if err := undo(d, b, id); err != nil {
				t.Error(err)
			}
		}
		if after := contents(t, d); after != before {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
	})
}

func TestASchemaDeletedMeanwhileDoesNotComeBack(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		s := addSchema(t, d, "Kurierzy")
		kept, other := add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Kept"}), add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Other"})
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET schema_number = $3 WHERE tenant_id = $1 AND id = $2`, other, s.Number)
			return err
		})
		id := mustMerge(t, d, b, kept, other, nil)
		testkit.Write(t, d, anna, func(tx *db.Tx) error { return schemas.Remove(tx, s.Number) })
		if err := undo(d, b, id); err != nil {
			t.Fatal(err)
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			o, err := drivers.Get(tx, b.Vault, other)
			if o.SchemaNumber != 0 {
				t.Errorf("settled by schema %d, which is deleted", o.SchemaNumber)
			}
			return err
		})
	})
}

func TestMoreIdentitiesThanCanBeEditedAreNotMerged(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		many := func(prefix string) (list []drivers.Identity) {
			for i := range 26 {
				list = append(list, drivers.Identity{Provider: "UBER", Value: fmt.Sprint(prefix, i)})
			}
			return list
		}
		kept, other := add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Kept"}, many("a")...), add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Other"}, many("b")...)
		before := contents(t, d)
		if _, err := mergeTwo(d, b, kept, other, nil); !errors.Is(err, merge.ErrIdentities) || contents(t, d) != before {
			t.Errorf("%v", err)
		}
	})
}

// Whatever is merged, undone, added, settled and revoked in whatever order: no
// amount and no identity is lost, nothing unsettled is with somebody who gave
// way, and undoing everything gives each transaction to whom it was added.
func TestNoSequenceOfMergesLosesAnything(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		b := bookOf(t)
		random := rand.New(rand.NewPCG(11, 2026))
		sequences := 200 * testkit.Soak()
		if d.Engine() == "postgres" {
			sequences /= 4 // the same statements, ten times slower; a soak makes up for it
		}
		added := map[string]string{} // transaction → to whom
		var sum int64
		for n := range sequences {
			var driverIDs, merges []string
			for i := range 4 {
				driverIDs = append(driverIDs, add(t, d, b, drivers.Details{FirstName: "Oleh", LastName: "Babiak"}, drivers.Identity{Provider: "UBER", Value: fmt.Sprint(n, " ", i)}))
			}
			for step := range 10 {
				one, two := driverIDs[random.IntN(4)], driverIDs[random.IntN(4)]
				var err error
				switch random.IntN(6) {
				case 0, 1:
					var id string
					if id, err = mergeTwo(d, b, one, two, nil); err == nil {
						merges = append(merges, id)
					}
				case 2:
					if len(merges) > 0 {
						err = undo(d, b, merges[random.IntN(len(merges))])
					}
				case 3, 4:
					var x ledger.Transaction
					err = merging(d, func(tx *db.Tx) (err error) {
						x, _, err = ledger.Add(tx, poland, one, ledger.Entry{Kind: ledger.KindInvoice, Amount: 1 << (step + 1), Payment: "card", OccurredOn: "2026-11-04", Name: "n"})
						return err
					})
					if err == nil {
						added[x.ID] = one
						sum += int64(x.Amount)
					}
				case 5:
					err = merging(d, func(tx *db.Tx) error {
						_, err := tx.Exec(`UPDATE transactions SET settlement_id = 's' WHERE tenant_id = $1 AND driver_id = $2 AND settlement_id = ''`, one)
						return err
					})
				}
				if f := (*fault.Fault)(nil); err != nil && !errors.As(err, &f) {
					t.Fatal(err)
				}
			}
			whole(t, d, sum, int64(4*(n+1)))
			if err := merging(d, func(tx *db.Tx) error {
				err := testkit.Unsettle(tx)
				for _, id := range driverIDs {
					err = errors.Join(err, ledger.FollowMerge(tx, id))
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			whole(t, d, sum, int64(4*(n+1)))
			for _, id := range slices.Backward(merges) {
				if err := undo(d, b, id); err != nil && !errors.Is(err, merge.ErrUndone) {
					t.Fatal(err)
				}
			}
		}
		testkit.Read(t, d, anna, func(tx *db.Tx) error {
			rows, err := db.Select[struct{ ID, DriverID string }](tx, `SELECT id, driver_id FROM transactions WHERE tenant_id = $1`)
			for _, r := range rows {
				if added[r.ID] != r.DriverID {
					t.Errorf("%s was added to %s and is with %s", r.ID, added[r.ID], r.DriverID)
				}
			}
			if len(rows) != len(added) || len(rows) < 100 {
				t.Errorf("%d rows of %d", len(rows), len(added))
			}
			return err
		})
	})
}

// whole checks what must hold of the partner at any moment.
func whole(t *testing.T, d *db.DB, sum, identities int64) {
	t.Helper()
	testkit.Read(t, d, anna, func(tx *db.Tx) error {
		got, err := db.One[int64](tx, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM transactions WHERE tenant_id = $1 AND deleted_at = ''`)
		known, err2 := db.One[int64](tx, `SELECT COUNT(*) FROM driver_identities i JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id AND d.merged_into = '' WHERE i.tenant_id = $1`)
		lost, err3 := db.One[int64](tx, `SELECT COUNT(*) FROM transactions t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id AND d.merged_into <> ''
			WHERE t.tenant_id = $1 AND t.settlement_id = ''`)
		nowhere, err4 := db.One[int64](tx, `SELECT COUNT(*) FROM drivers d JOIN drivers s ON s.tenant_id = d.tenant_id AND s.id = d.merged_into WHERE d.tenant_id = $1 AND s.merged_into <> ''`)
		if got != sum || known != identities || lost != 0 || nowhere != 0 {
			t.Fatalf("sum %d of %d, identities %d of %d, %d unsettled with nobody, %d drivers lead nowhere", got, sum, known, identities, lost, nowhere)
		}
		return errors.Join(err, err2, err3, err4)
	})
}

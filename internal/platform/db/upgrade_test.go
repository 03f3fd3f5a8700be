package db_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/testkit"
)

// Every earlier version's database, with rows in it, becomes what a fresh one
// is, and keeps its rows.
func TestADatabaseOfEveryEarlierVersionIsUpgraded(t *testing.T) {
	schema := func(t *testing.T, d *db.DB) (text string) {
		t.Helper()
		testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) { text, err = db.Schema(tx); return err })
		return text
	}
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			fresh := schema(t, testkit.Open(t, testkit.Empty(t, engine)))
			newest := db.Upgrades(engine) - 1
			for n := 1; n <= newest; n++ {
				// each in a longer run; here the first, the last, and some between, which go through all later upgrades as well
				if testkit.Soak() == 1 && n > 2 && n < newest-2 && n%20 != 0 {
					continue
				}
				s := testkit.Empty(t, engine)
				s.Clock = time.Now
				older, err := db.OpenOlder(ctx, s, n)
				if err != nil {
					t.Fatal(err)
				}
				if schema(t, older) == fresh {
					t.Errorf("upgrade %d changes nothing", n+1)
				}
				foundIn(t, older, engine, n)
				testkit.Write(t, older, north, func(tx *db.Tx) error {
					if _, err := tx.Exec(`INSERT INTO members (tenant_id, id, issuer, subject, role, name, email, created_at)
						VALUES ($1, 'm', 'urn:saldo', 's', 'partner', 'Anna', 'anna@x.example', '')`); err != nil {
						return err
					}
					return addTag(tx, "kept")
				})
				if err := older.Close(); err != nil {
					t.Fatal(err)
				}
				d := testkit.Open(t, s)
				if schema(t, d) != fresh {
					t.Errorf("a database of version %d differs from a fresh one after its upgrade", n)
				}
				if kept := count(t, d, north, `SELECT COUNT(*) FROM tags WHERE tenant_id = $1 AND name = 'kept'`); kept != 1 {
					t.Errorf("a row of version %d is there %d times", n, kept)
				}
				// whoever came in by a link can set a password
				var users int64
				testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) {
					users, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM idp_users u JOIN idp_roles r ON r.user_id = u.id
						WHERE u.id = 's' AND u.email = 'anna@x.example' AND r.role = 'partner'`)
					return err
				})
				if n < 3 && users != 1 {
					t.Errorf("a member of version %d is %d users", n, users)
				}
				if profiles := count(t, d, north, `SELECT COUNT(*) FROM partner_profiles WHERE tenant_id = $1`); n < 4 && profiles != 1 {
					t.Errorf("a partner of version %d has %d profiles", n, profiles)
				}
				if n < 8 {
					startsAsNewOnesDo(t, d)
				}
			}
		})
	}
}

// foundIn makes the two partners in a database of a former version.
func foundIn(t *testing.T, d *db.DB, engine string, upgrades int) {
	t.Helper()
	if upgrades > db.UpgradesBefore(engine, "0161_partners_without_units") {
		found(t, d)
		return
	}
	for _, who := range []access.Actor{north, south} {
		testkit.Write(t, d, who, func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO partners (tenant_id, code, name, color, logo, demo, settlement_limit, settlement_usage, created_at)
				VALUES ($1, $2, $3, '#0B5D68', '', FALSE, 10, 3, $4)`, who.Tenant, who.Tenant, tx.Now)
			return err
		})
	}
}

// TestUpgrade_MovesUnitsOfLicences has a partner from before units had rows: what was left is left, and entries say why.
func TestUpgrade_MovesUnitsOfLicences(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := testkit.Empty(t, engine)
			s.Clock = time.Now
			before := db.UpgradesBefore(engine, "0160_licence_units")
			older, err := db.OpenOlder(ctx, s, before)
			if err != nil {
				t.Fatal(err)
			}
			foundIn(t, older, engine, before)
			testkit.Write(t, older, north, func(tx *db.Tx) error {
				_, err := tx.Exec(`INSERT INTO licences (tenant_id, id, units, note, created_at, created_by) VALUES ($1, 'l', 4, 'paid', $2, 'Ola')`, tx.Now)
				return err
			})
			if err := older.Close(); err != nil {
				t.Fatal(err)
			}
			d := testkit.Open(t, s)
			for who, want := range map[access.Actor]string{north: "10 3 7: grant 4 paid Ola, grant 6  , use -3  , ", south: "10 3 7: grant 10  , use -3  , "} {
				testkit.Read(t, d, who, func(tx *db.Tx) error {
					b, err := db.One[struct{ Granted, Used, FullUnits int64 }](tx, `SELECT granted, used, full_units FROM licence_balances WHERE tenant_id = $1`)
					if err != nil {
						return err
					}
					entries, err := db.Select[struct {
						Kind            string
						Units           int64
						Note, CreatedBy string
					}](tx, `SELECT kind, units, note, created_by FROM licence_entries WHERE tenant_id = $1 ORDER BY kind, units`)
					got := fmt.Sprintf("%d %d %d: ", b.Granted, b.Used, b.FullUnits)
					for _, e := range entries {
						got += fmt.Sprintf("%s %d %s %s, ", e.Kind, e.Units, e.Note, e.CreatedBy)
					}
					if got != want {
						t.Errorf("%s: %q, not %q", who.Tenant, got, want)
					}
					return err
				})
			}
		})
	}
}

// startsAsNewOnesDo checks that a partner from before there were schemas has
// the one that a new partner gets; a rule that came later means there what it means in a new one.
func startsAsNewOnesDo(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Read(t, d, north, func(tx *db.Tx) error {
		stored, err := db.Select[string](tx, `SELECT v.rules FROM schemas s JOIN schema_versions v ON v.tenant_id = s.tenant_id
			AND v.schema_number = s.number AND v.version = s.current_version WHERE s.tenant_id = $1 AND s.is_default AND s.name_key = 'standard'`)
		if err != nil || len(stored) != 1 {
			t.Errorf("its schemas: %v", stored)
			return err
		}
		got := rules.Default()
		if err := json.Unmarshal([]byte(stored[0]), &got); err != nil || !reflect.DeepEqual(got, rules.Default()) {
			t.Errorf("its schema: %s, %v", stored[0], err)
		}
		return nil
	})
}

// What was stored under former names is found under the new ones.
func TestUpgrade_KeepsWhatWasStoredUnderFormerNames(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := testkit.Empty(t, engine)
			s.Clock = time.Now
			older, err := db.OpenOlder(ctx, s, db.UpgradesBefore(engine, "0101_plain_names"))
			if err != nil {
				t.Fatal(err)
			}
			foundIn(t, older, engine, db.UpgradesBefore(engine, "0101_plain_names"))
			testkit.Write(t, older, north, func(tx *db.Tx) error {
				_, err := tx.Exec(`INSERT INTO imports (tenant_id, id, provider, chosen, kind, status, file_name, blob_key, sum, size, encoding, delimiter,
					period_from, period_to, period_source, city, dates_from, dates_to, bonus_from, bonus_to, allow_duplicates, merge_by_name, duplicate_of,
					booked_as, counts, sums, preview, fault, fault_params, uploaded_at, uploaded_by, confirmed_at, confirmed_by, finished_at, removed_at, removed_by)
					VALUES ($1, 'i', 'BOLT', '', 'earnings', 'judging', 'a.csv', 'k', 'hash', 1, '', '', '', '', '', '', '', '', '', '', FALSE, FALSE, '', '',
					'{}', '{"TIP":5}', '{"sums":{"TIP":5},"doubts":[1],"troubles":[2],"instead":"trips","role":"instead","name":"\"sums\":"}', '', '{"instead":"x"}',
					'', '', '', '', '', '', '')`)
				return err
			})
			if err := older.Close(); err != nil {
				t.Fatal(err)
			}
			d := testkit.Open(t, s)
			testkit.Read(t, d, north, func(tx *db.Tx) error {
				i, err := db.One[struct{ ContentHash, Totals, Status, Preview, FaultParams string }](tx,
					`SELECT content_hash, totals, status, preview, fault_params FROM imports WHERE tenant_id = $1 AND id = 'i'`)
				if i.ContentHash != "hash" || i.Totals != `{"TIP":5}` || i.Status != "analyzing" || i.FaultParams != `{"suggestedReport":"x"}` ||
					i.Preview != `{"totals":{"TIP":5},"rowWarnings":[1],"rowErrors":[2],"suggestedReport":"trips","role":"wrong_report","name":"\"sums\":"}` {
					t.Errorf("%+v", i)
				}
				return err
			})
		})
	}
}

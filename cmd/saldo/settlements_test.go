package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const (
	killedDrivers = 300 // more than are settled at once, in three units of work
	killedPeriod  = "2026-W44"
)

// demoPartner is the program acting for the partner of the demo.
func demoPartner(t *testing.T, d *db.DB) access.Actor {
	t.Helper()
	var tenant string
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) {
		tenant, err = db.One[string](tx.Across(), `SELECT tenant_id FROM partners WHERE code = 'demo'`)
		return err
	})
	return access.ProgramFor(tenant, "test")
}

// settledNow is what stands of a fleet: each figure once.
type settledNow struct{ Live, Tagged, Usage, Reserved, Twice int64 }

func settledNowOf(t *testing.T, d *db.DB, who access.Actor) (n settledNow) {
	t.Helper()
	testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
		n, err = db.One[settledNow](tx, `SELECT (SELECT COUNT(*) FROM settlements WHERE tenant_id = $1 AND state <> 'revoked') AS live,
			(SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND settlement_id <> '') AS tagged, (SELECT used FROM licence_balances WHERE tenant_id = $1) AS usage,
			(SELECT CAST(COALESCE(SUM(reserved), 0) AS BIGINT) FROM settlement_runs WHERE tenant_id = $1) AS reserved,
			(SELECT COUNT(*) FROM (SELECT driver_id FROM settlements WHERE tenant_id = $1 AND state <> 'revoked' GROUP BY driver_id, period HAVING COUNT(*) > 1) AS x) AS twice`)
		return err
	})
	return n
}

// The process is killed anywhere between the start of a run and its end, and
// anywhere in revoking. The next process goes on by itself; in the end everybody
// is settled once, every row is in one settlement, and the program's own check
// finds nothing.
func TestKilledRun_SettlesEachDriverOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := append(place(t, engine), "SALDO_LOG_LEVEL=error")
			p := start(t, env...)
			token := p.token(t)
			d := databaseOf(t, engine, env)
			who := demoPartner(t, d)
			ids := writeFleet(t, d, who)
			points := testkit.Times(2, 5) // kills of a run, and as many of revoking
			whole, killed := 400*time.Millisecond, 0
			for round := range points {
				var made struct{ ID string }
				if status := p.call(t, token, "POST", "/api/settlement-runs", `{"period":"`+killedPeriod+`"}`, fmt.Sprint("preview-", round), &made); status != 201 {
					t.Fatalf("round %d: the dry run answers %d", round, status)
				}
				path, key := "/api/settlement-runs/"+made.ID, fmt.Sprint("start-", round)
				kill := func(call func()) {
					doomed := p.Process
					timer := time.AfterFunc(rand.N(whole), func() { _ = doomed.Kill() })
					call()
					_ = p.Wait()
					timer.Stop()
					killed++
					fallSilent(t, d)
					p = start(t, env...)
					token = p.token(t)
				}
				kill(func() { p.call(t, token, "POST", path+"/start", `{"share":true}`, key, nil) })
				p.call(t, token, "POST", path+"/start", `{"share":true}`, key, nil)
				var run struct {
					State   string
					Settled int64
				}
				testkit.Eventually(t, "the run ends by itself", func() bool {
					p.call(t, token, "GET", path, "", "", &run)
					return run.State != "running" && run.State != "preview"
				})
				if n := settledNowOf(t, d, who); run.State != "done" || run.Settled != killedDrivers || n != (settledNow{Live: killedDrivers, Tagged: 2 * killedDrivers, Usage: killedDrivers}) {
					t.Fatalf("round %d: %+v, %+v", round, run, n)
				}
				revoke(t, d, who, round, kill, func(body, key string) { p.call(t, token, "POST", "/api/settlements/revoke", body, key, nil) })
			}
			stop(t, p)
			verified(t, env)
			t.Logf("%d kills of %d drivers", killed, len(ids))
		})
	}
}

// revoke takes everything back, a hundred at a time, killed in between.
func revoke(t *testing.T, d *db.DB, who access.Actor, round int, kill func(func()), ask func(body, key string)) {
	t.Helper()
	for chunk := 0; ; chunk++ {
		var ids []string
		testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
			ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND state = 'settled' ORDER BY number DESC LIMIT 100`)
			return err
		})
		if len(ids) == 0 {
			break
		}
		body := `{"reason":"wrong file","ids":["` + strings.Join(ids, `","`) + `"]}`
		call := func() {
			ask(body, fmt.Sprint("revoke-", round, "-", chunk))
		}
		if chunk == 0 {
			kill(call)
			continue
		}
		call()
	}
	if n := settledNowOf(t, d, who); n != (settledNow{}) {
		t.Fatalf("round %d: %+v is left", round, n)
	}
}

// writeFleet gives the partner drivers with two rows each.
func writeFleet(t *testing.T, d *db.DB, who access.Actor) (ids []string) {
	t.Helper()
	testkit.Write(t, d, who, func(tx *db.Tx) error {
		ids = nil
		for n := range killedDrivers {
			id := fmt.Sprintf("killed-%04d", n)
			ids = append(ids, id)
			if _, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum, iban_changed_at, account_holder, tax_id, schema_number,
				contract_number, bailiff, summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at, settled_on, merged_into,
				version, created_at, updated_at) VALUES ($1, $2, 'Oleh', $2, $2, '', '', '', '', '', '', '', 0, '', FALSE, 'pl', 0, TRUE, FALSE, '', '', '', '', '', 1, $3, $3)`, id, tx.Now); err != nil {
				return err
			}
			for i, amount := range []int64{108_00 + int64(n), -1_00} {
				if _, err := tx.Exec(`INSERT INTO transactions (tenant_id, id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name, description,
					search_key, payment, twin_id, source, import_id, source_file, source_row, source_column, external_id, came_unknown, evidence, evidence_type, evidence_name,
					reason, settlement_id, version, created_at, created_by, updated_at, deleted_at)
					VALUES ($1, $2, $3, 'UBER', $4, $5, 'PLN', '', '2026-10-28', '', '', '', '', '', '', '', 'import', '', 'week.csv', 7, '', '', FALSE, '', '', '', '', '', 1, $6, '', $6, '')`,
					tx.NewID(), id, []string{"TRIP", "FEE"}[i], amount, tx.Now); err != nil {
					return err
				}
			}
		}
		return testkit.Recounted(tx)
	})
	return ids
}

// PostgreSQL goes away in the middle of a run and comes back: the run finishes by itself.
func TestARunOutlivesARestartOfPostgreSQL(t *testing.T) {
	t.Parallel()
	server, err := testkit.OwnPostgres(t)
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"SALDO_DATA=" + t.TempDir(), "SALDO_DATABASE_URL=" + server.Address, "SALDO_LOG_LEVEL=error"}
	p := start(t, env...)
	token := p.token(t)
	d := testkit.Open(t, db.Settings{URL: server.Address})
	who := demoPartner(t, d)
	writeFleet(t, d, who)
	var made struct{ ID string }
	if status := p.call(t, token, "POST", "/api/settlement-runs", `{"period":"`+killedPeriod+`"}`, "preview", &made); status != 201 {
		t.Fatalf("the dry run answers %d", status)
	}
	if status := p.call(t, token, "POST", "/api/settlement-runs/"+made.ID+"/start", `{"share":true}`, "start", nil); status != 202 {
		t.Fatalf("the start answers %d", status)
	}
	time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	var run struct {
		State   string
		Settled int64
	}
	for ended := time.Now().Add(3 * time.Minute); run.State != "done" && time.Now().Before(ended); time.Sleep(200 * time.Millisecond) {
		p.call(t, token, "GET", "/api/settlement-runs/"+made.ID, "", "", &run)
	}
	if n := settledNowOf(t, d, who); run.State != "done" || run.Settled != killedDrivers || n != (settledNow{Live: killedDrivers, Tagged: 2 * killedDrivers, Usage: killedDrivers}) {
		t.Errorf("%+v, %+v", run, n)
	}
	stop(t, p)
}

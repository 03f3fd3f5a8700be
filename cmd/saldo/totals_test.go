package main

import (
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/sums"
	"saldo/internal/testkit"
)

// TestTotals_WrongOnesAreFoundAndRepaired plants wrong sums: verify names each, repair makes them right and says so, and so does the job
// that a start leaves for the day.
func TestTotals_WrongOnesAreFoundAndRepaired(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := place(t, engine)
			run := func(fails bool, args ...string) string {
				t.Helper()
				out, err := program(t, env, args...).CombinedOutput()
				if (err != nil) != fails {
					t.Errorf("%v: %v %s", args, err, out)
				}
				return string(out)
			}
			p := start(t, env...)
			if err := p.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = p.Wait()
			d := databaseOf(t, engine, env)
			who := demoPartner(t, d)
			writeFleet(t, d, who)
			plant := func() {
				t.Helper()
				testkit.Write(t, d, who, func(tx *db.Tx) error {
					for _, text := range []string{
						`UPDATE day_totals SET amount = amount + 1 WHERE tenant_id = $1 AND type = 'TRIP'`,
						`DELETE FROM day_totals WHERE tenant_id = $1 AND type = 'FEE'`,
						`INSERT INTO day_totals (tenant_id, occurred_on, provider, type, amount, n) VALUES ($1, '2026-01-01', 'BOLT', 'TRIP', 5, 1)`,
						`INSERT INTO driver_weeks (tenant_id, driver_id, week, revenue, n) VALUES ($1, 'nobody', 2922, 0, 0)`,
						`UPDATE driver_weeks SET n = n + 1 WHERE tenant_id = $1 AND driver_id = 'killed-0007'`,
						`INSERT INTO settlement_weeks (tenant_id, period, n, revenue, fee, cash_deducted, partner_fees, tax_kept, costs,
							brought_forward, carried_forward, due, payout) VALUES ($1, '2026-W01', 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
					} {
						if _, err := tx.Exec(text); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if out := run(false, "verify"); !strings.Contains(out, "0 problems") {
				t.Error(out)
			}
			plant()
			for _, out := range []string{run(true, "verify"), run(false, "repair", "totals")} {
				for _, wrong := range []string{"day 2026-10-28 UBER TRIP", "day 2026-10-28 UBER FEE", "day 2026-01-01 BOLT TRIP",
					"driver nobody 2026-W01", "driver killed-0007 2026-W44", "sums of a week are those of its settlements: 2026-W01"} {
					if !strings.Contains(out, wrong) {
						t.Errorf("%q is not in %s", wrong, out)
					}
				}
			}
			if out := run(false, "verify"); !strings.Contains(out, "0 problems") {
				t.Error(out)
			}
			if out := run(false, "repair", "totals"); !strings.Contains(out, "0 sums") {
				t.Error(out)
			}
			run(true, "repair")
			run(true, "repair", "everything")

			plant()
			testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error { // as if it were another day
				_, err := tx.Across().Exec(`DELETE FROM slots WHERE schedule = 'program.totals'`)
				return err
			})
			p = start(t, env...)
			testkit.Eventually(t, "the sums are repaired", func() (done bool) {
				testkit.Read(t, d, who, func(tx *db.Tx) error {
					wrong, err := ledger.Differences(tx)
					if err != nil {
						return err
					}
					weeks, err := sums.Verify(tx, nil)
					done = len(wrong)+len(weeks) == 0
					return err
				})
				return done && strings.Contains(p.out.String(), "were repaired")
			})
		})
	}
}

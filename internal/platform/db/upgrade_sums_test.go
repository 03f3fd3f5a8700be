package db_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/settlements/sums"
	"saldo/internal/testkit"
)

// emptied makes a database what it was before the sums were kept.
func emptied(tx *db.Tx) error {
	for _, text := range []string{`DELETE FROM day_totals WHERE tenant_id = $1`, `DELETE FROM driver_weeks WHERE tenant_id = $1`,
		`DELETE FROM settlement_weeks WHERE tenant_id = $1`} {
		if _, err := tx.Exec(text); err != nil {
			return err
		}
	}
	return nil
}

// fillRows has a row of every type and provider on days around New Year, some deleted, and settlements with figures at random.
func fillRows(tx *db.Tx) error {
	random := rand.New(rand.NewPCG(20261119, 7))
	for _, id := range []string{"d1", "d2"} {
		if _, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum,
			iban_changed_at, account_holder, tax_id, schema_number, contract_number, bailiff, summary_language, settlement_frequency, active,
			blocked, account_id, verified_at, activation_sent_at, settled_on, merged_into, version, created_at, updated_at) VALUES ($1, $2,
			'Oleh', $2, $2, '', '', '', '', '', '', '', 0, '', FALSE, 'pl', 0, TRUE, FALSE, '', '', '', '', '', 1, $3, $3)`, id, tx.Now); err != nil {
			return err
		}
	}
	for _, typ := range kinds.Types() {
		for _, p := range kinds.Providers {
			for range 3 {
				on, gone := calendar.Date("2020-12-20").AddDays(random.IntN(400)), ""
				if random.IntN(5) == 0 {
					gone = db.Instant(tx.Now)
				}
				if _, err := tx.Exec(`INSERT INTO transactions (tenant_id, id, driver_id, provider, type, amount, currency, occurred_at,
					occurred_on, span_from, span_to, name, description, search_key, payment, twin_id, source, import_id, source_file, source_row,
					source_column, external_id, came_unknown, evidence, evidence_type, evidence_name, reason, settlement_id, version, created_at,
					created_by, updated_at, deleted_at) VALUES ($1, $2, $3, $4, $5, $6, 'PLN', '', $7, '', '', '', '', '', '', '', 'import', '',
					'', 0, '', '', FALSE, '', '', '', '', '', 1, $8, '', $8, $9)`, tx.NewID(), []string{"d1", "d2"}[random.IntN(2)], p.Code, typ.Name,
					random.IntN(100_000)-50_000, string(on), tx.Now, gone); err != nil {
					return err
				}
			}
		}
	}
	for n := range 60 {
		refused := ""
		if n%6 == 0 {
			refused = "then"
		}
		if _, err := tx.Exec(`INSERT INTO trips (tenant_id, id, driver_id, occurred_on, start_at, end_at, start_place, end_place, amount, payment,
			settlement_id, version, source, device, entered_at, clock_off, received_at, changed_at, refused_at, refuse_reason, deleted_at)
			VALUES ($1, $2, $3, $4, '', '', '', '', $5, $6, '', 1, 'web', '', '', 0, '', '', $7, $7, '')`, tx.NewID(),
			[]string{"d1", "d2"}[n%2], string(calendar.Date("2020-12-20").AddDays(random.IntN(20))), 1+random.IntN(10_000),
			[]string{"cash", "card"}[random.IntN(2)], refused); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, 'terms', '{}')`); err != nil {
		return err
	}
	for n := range 40 {
		var f engine.Figures
		for _, one := range engine.AllFigures() {
			if random.IntN(4) > 0 {
				f[one] = money.Amount(random.IntN(200_000) - 100_000)
			}
		}
		f[engine.Payout] = max(f[engine.Payout], -f[engine.Payout])
		f[engine.NextPeriodTransfer] = f[engine.Due] - f[engine.Payout]
		figures, err := json.Marshal(snapshot.Figures(&f))
		if err != nil {
			return err
		}
		state, revoked := "settled", ""
		if n%7 == 0 {
			state, revoked = "revoked", "then"
		}
		if _, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on,
			state, absorbed_into, terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer,
			tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by,
			revoke_reason) VALUES ($1, $2, $3, 'd1', '', $4, $3, 1, '', '', $5, '', 'terms', 'PLN', 0, 0, $6, $7, $8, $9, $10, $11, 0, $12, '[]',
			'[]', '', '', '', '', '', '', $13, '', '')`, fmt.Sprint("s", n), n+1, fmt.Sprintf("2021-W%02d", 1+n%5), state,
			int64(f[engine.Revenue]), int64(f[engine.CashCollected]), int64(f[engine.Fee]), int64(f[engine.Due]), int64(f[engine.Payout]),
			int64(f[engine.NextPeriodTransfer]), string(figures), revoked); err != nil {
			return err
		}
	}
	return nil
}

// right says what is not as the rows and figures say.
func right(t *testing.T, d *db.DB, want bool) {
	t.Helper()
	testkit.Read(t, d, testkit.Anna, func(tx *db.Tx) error {
		wrong, err := ledger.Differences(tx)
		if err != nil {
			return err
		}
		problems, err := sums.Verify(tx, nil)
		if want && len(wrong)+len(problems) > 0 {
			t.Errorf("%v %v", wrong, problems)
		}
		if !want && (len(wrong) == 0 || len(problems) == 0) {
			t.Errorf("nothing is found: %d, %d", len(wrong), len(problems))
		}
		return err
	})
}

// TestSums_AreFilledByTheUpgradeAndByMending fills a database of the version before; what the upgrade makes of it and what mending makes
// of nothing is the same.
func TestSums_AreFilledByTheUpgradeAndByMending(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			s := testkit.Empty(t, engine)
			s.Clock = time.Now
			older, err := db.OpenOlder(ctx, s, db.UpgradesBefore(engine, "0171_totals"))
			if err != nil {
				t.Fatal(err)
			}
			testkit.Found(t, older)
			testkit.Write(t, older, testkit.Anna, fillRows)
			if err := older.Close(); err != nil {
				t.Fatal(err)
			}
			d := testkit.Open(t, s)
			right(t, d, true)
			testkit.Write(t, d, testkit.Anna, emptied)
			right(t, d, false)
			testkit.Write(t, d, testkit.Anna, func(tx *db.Tx) error {
				if _, err := sums.Mend(tx); err != nil {
					return err
				}
				return testkit.Recounted(tx)
			})
			right(t, d, true)
		})
	}
}

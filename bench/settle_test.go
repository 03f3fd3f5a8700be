//go:build bench

package bench

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

const (
	settledDrivers = 10_000
	settledPeriod  = calendar.Period("2026-W45")
	rowsInPeriod   = 24 // of each driver: a statement's columns of three apps, fuel and costs
	clerkName      = "Anna"
)

var clerk = access.Actor{Role: access.Partner, Tenant: north.Tenant, ID: "anna", Name: clerkName}

// fullRules gives the partner's default schema every kind of charge.
func fullRules(tx *db.Tx) error {
	s, err := schemas.Get(tx, 1)
	if err != nil {
		return err
	}
	r := s.Rules
	maximum := money.Amount(150_00)
	r.SettlementCost, r.WeeklyContractCost, r.MonthlyContractCost, r.DailyFee, r.MaxFee2, r.MaxFee3 = 20_00, 50_00, 30_00, rules.DailyFee{Uber: 10_00, Bolt: 10_00, FreeNow: 8_00}, &maximum, &maximum
	r.AdditionalCosts, r.MinTransfer = []rules.AdditionalCost{{Name: "Terminal", Amount: 5_00}}, 10_00
	r.CostRates = []rules.CostRate{{Type: rules.Marginal, IncomeFrom: 1000_00, Rate: 500}}
	_, err = schemas.Save(tx, 1, s.Version, r)
	return err
}

// settledFleet is a fleet with full rules, so many rows of settled history and those of one open week.
func settledFleet(t *testing.T, h *house, history int) []string {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	testkit.Write(t, h.DB(), north, func(tx *db.Tx) (err error) {
		added := make([]drivers.NewDriver, settledDrivers)
		for i := range added {
			added[i] = drivers.NewDriver{Details: drivers.Details{FirstName: "Jan", LastName: fmt.Sprintf("Kowalski %05d", i), Phone: phone(i), SummaryLanguage: "pl"}}
		}
		if ids, err = (drivers.Service{Vault: v, Country: "PL"}).AddMany(tx, added); err != nil {
			return err
		}
		if err := licences.Grant(tx, 1_000_000, "bench"); err != nil {
			return err
		}
		return fullRules(tx)
	})
	book := func(first calendar.Date, rows int) {
		testkit.Write(t, h.DB(), north, func(tx *db.Tx) error {
			kinds := []struct {
				provider, typ string
				amount        money.Amount
			}{{"UBER", "TRIP", 310_00}, {"UBER", "CASH_COLLECTED", -80_00}, {"UBER", "FEE", -60_00}, {"BOLT", "TRIP", 240_00}, {"BOLT", "FEE", -50_00}, {"FREENOW", "TIP", 12_00}, {"ORLEN", "FUEL", -70_00}, {"PARTNER", "COST", -9_00}}
			_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
				for i := range rows {
					k := kinds[(i/settledDrivers)%len(kinds)]
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: ids[i%settledDrivers], Provider: k.provider, Type: k.typ, Amount: k.amount, Currency: "PLN",
						OccurredOn: first.AddDays(i / settledDrivers % 7), Source: "import", SourceFile: "week.csv", SourceRow: int64(i + 1)}) {
						return
					}
				}
			})
			return err
		})
	}
	if history > 0 {
		// a week after the other, as they come: what is open stays little
		for from := 0; from < history; from += 240_000 {
			book(calendar.Date("2025-01-06").AddDays(from/240_000*7), min(240_000, history-from))
			testkit.Write(t, h.DB(), north, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE transactions SET settlement_id = 'history' WHERE tenant_id = $1 AND settlement_id = ''`)
				return err
			})
			if h.database != "" {
				analysed(t, "postgres", pool(t, "postgres", h))
			}
		}
	}
	book(settledPeriod.Monday(), settledDrivers*rowsInPeriod)
	return ids
}

// analysed lets PostgreSQL know what is there, as its own daemon does after a while.
func analysed(t *testing.T, engine string, p *sql.DB) {
	t.Helper()
	if engine == "postgres" {
		if _, err := p.Exec("VACUUM ANALYZE"); err != nil {
			t.Fatal(err)
		}
	}
}

// writingPool is a pool that writes as safely as Saldo does and with as much cache.
func writingPool(t *testing.T, engine string, h *house) *sql.DB {
	t.Helper()
	p := pool(t, engine, h)
	if engine == "sqlite" {
		p.SetMaxOpenConns(1)
		for _, text := range []string{"PRAGMA busy_timeout = 60000", "PRAGMA synchronous = FULL", "PRAGMA cache_size = -65536"} {
			if _, err := p.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

func serviceOf(t *testing.T, h *house) *settlements.Service {
	t.Helper()
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	return &settlements.Service{Instance: instance, Imports: &imports.Service{DB: h.DB(), Instance: instance}}
}

const openRows = `tenant_id = $1 AND settlement_id = '' AND deleted_at = '' AND occurred_on BETWEEN '2026-11-02' AND '2026-11-08'`

// Ours: a dry run of a whole fleet is started and its job has ended. Anchor: two statements, the sums of everybody's rows into a table and a mark on the rows.
func TestSettle(t *testing.T) {
	for _, engine := range engines() {
		h := open(t, engine)
		settledFleet(t, h, importRows(t)-settledDrivers*rowsInPeriod)
		p := writingPool(t, engine, h)
		analysed(t, engine, p)
		for _, text := range []string{`CREATE TABLE floor (tenant_id TEXT, driver_id TEXT, provider TEXT, type TEXT, amount BIGINT, number BIGINT)`,
			`INSERT INTO settlement_terms (tenant_id, id, terms) SELECT tenant_id, 'floor', '{}' FROM partners`,
			`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state, absorbed_into, terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
				SELECT d.tenant_id, 'floor', -1, d.id, '', '', 0, 1, '', '', 'revoked', '', 'floor', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '[]', '[]', '', '', '', '', '', '', 'then', '', '' FROM drivers d WHERE d.tenant_id = 'north' ORDER BY d.id LIMIT 1`} {
			if _, err := p.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
		service := serviceOf(t, h)
		q := jobs.NewQueue(h.DB(), slog.New(slog.DiscardHandler))
		q.Poll = 10 * time.Millisecond
		q.Handle(settlements.SettleKind, service.Settle)
		running, cancel := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() { defer close(ended); q.Run(running, 2) }()
		var shown []float64
		compare(t, fmt.Sprintf("settling of %d drivers, %d rows, %d in the database, %s; anchor: sums and marks in two statements", settledDrivers, settledDrivers*rowsInPeriod, importRows(t), engine), "s", func() float64 {
			var preview settlements.Preview
			shown = append(shown, seconds(t, func() error {
				testkit.Read(t, h.DB(), clerk, func(tx *db.Tx) (err error) {
					preview, err = service.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: settledPeriod}})
					return err
				})
				testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) error { return preview.Keep(tx) })
				return nil
			}))
			if preview.Drivers != settledDrivers {
				t.Fatalf("%d drivers", preview.Drivers)
			}
			took := seconds(t, func() error {
				testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) error {
					_, err := service.Start(tx, preview.ID, settlements.StartOptions{Share: true})
					return err
				})
				for {
					var r settlements.Run
					testkit.Read(t, h.DB(), clerk, func(tx *db.Tx) (err error) { r, err = settlements.RunOf(tx, preview.ID); return err })
					switch {
					case r.State == settlements.RunDone && r.Settled == settledDrivers:
						return nil
					case r.State != settlements.RunRunning:
						return fmt.Errorf("%+v", r)
					}
					time.Sleep(100 * time.Millisecond) // one person watches, and is no interactive load
				}
			})
			unsettle(t, engine, p, `s.run_id <> ''`)
			return took
		}, func() float64 {
			took := seconds(t, func() error {
				tx, err := p.Begin()
				if err != nil {
					return err
				}
				if _, err := tx.Exec(`INSERT INTO floor SELECT tenant_id, driver_id, provider, type, SUM(amount), COUNT(*) FROM transactions WHERE `+openRows+` GROUP BY tenant_id, driver_id, provider, type`, north.Tenant); err != nil {
					return err
				}
				if _, err := tx.Exec(`UPDATE transactions SET settlement_id = 'floor' WHERE `+openRows, north.Tenant); err != nil {
					return err
				}
				return tx.Commit()
			})
			unsettle(t, engine, p, `s.id = 'floor'`)
			return took
		})
		fmt.Printf("| of it the dry run before, %s | %.4g s | | | |\n", engine, median(shown))
		cancel()
		<-ended
		p.Close()
		h.close(t)
	}
}

// unsettle makes the week open again, for the next round.
func unsettle(t *testing.T, engine string, p *sql.DB, which string) {
	t.Helper()
	for _, text := range []string{
		`UPDATE settlements SET state = 'revoked', revoked_at = 'then' WHERE state <> 'revoked'`, `DELETE FROM transactions WHERE source = 'carry'`, `DELETE FROM settlement_carries`,
		`UPDATE transactions SET settlement_id = '' WHERE settlement_id IN (SELECT s.id FROM settlements s WHERE ` + which + `)`,
		`UPDATE licence_balances SET used = 0`, `UPDATE drivers SET settled_on = ''`, `DELETE FROM floor`} {
		if _, err := p.Exec(text); err != nil {
			t.Fatal(text, err)
		}
	}
	if engine == "postgres" { // as its own daemon does after a while
		if _, err := p.Exec("VACUUM ANALYZE"); err != nil {
			t.Fatal(err)
		}
	}
}

// Ours: the first page of what is pending, everybody computed, over HTTP. Anchor: the bare sums of the period's rows.
func TestPendingPage(t *testing.T) {
	for _, engine := range engines() {
		var first float64
		for _, times := range []int{1, 2, 4} {
			history := times * (importRows(t) - settledDrivers*rowsInPeriod)
			h := open(t, engine)
			settledFleet(t, h, history)
			p := pool(t, engine, h)
			analysed(t, engine, p)
			var ours []float64
			compare(t, fmt.Sprintf("first page of %d pending, %d rows of history, %s; anchor: bare SQL sums", settledDrivers, history, engine), "s", func() float64 {
				took := seconds(t, func() error {
					return ask(h.Server.Client(), h.Server.URL+"/api/settlements/pending?period="+string(settledPeriod), h.token)
				})
				ours = append(ours, took)
				return took
			}, func() float64 {
				return seconds(t, func() error {
					rows, err := all(p, `SELECT driver_id, provider, type, CAST(SUM(amount) AS BIGINT), COUNT(*) FROM transactions WHERE `+openRows+` GROUP BY driver_id, provider, type`, north.Tenant)
					if err == nil && len(rows) != settledDrivers*8 {
						err = fmt.Errorf("%d sums", len(rows))
					}
					return err
				})
			})
			if first == 0 {
				first = median(ours)
			}
			fmt.Printf("| of it against the smallest history, %s | %.2f | | | |\n", engine, median(ours)/first)
			p.Close()
			h.close(t)
		}
	}
}

//go:build bench

package bench

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/licences"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/timeline"
)

const (
	timelineDrivers = 1_000
	timelineWeeks   = 200
	timelineAsked   = 300
)

// TestTimeline asks where the money is: of a settlement that waits, of one that was paid, of a week that is not settled, and what a driver
// is paid next, of drivers with four years of settlements among a thousand such. Absolute: the goal is 50 ms.
func TestTimeline(t *testing.T) {
	for _, engine := range engines() {
		h := open(t, engine)
		drivers := settledForYears(t, engine, h)
		analysed(t, engine, pool(t, engine, h))
		var waiting, paid []string
		testkit.Read(t, h.DB(), clerk, func(tx *db.Tx) (err error) {
			if waiting, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND state = 'settled' ORDER BY id LIMIT 100`); err != nil {
				return err
			}
			paid, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND state = 'paid' AND number % 1000 = 7 ORDER BY id LIMIT 100`)
			return err
		})
		if len(waiting) != 100 || len(paid) < 90 {
			t.Fatalf("%d wait, %d are paid", len(waiting), len(paid))
		}
		running := calendar.Recent(calendar.DateOf(time.Now(), time.UTC, 0), 1)[0]
		for what, path := range map[string]func(int) string{
			"a settlement that waits": func(i int) string { return "/api/settlements/" + waiting[i%len(waiting)] + "/timeline" },
			"a paid one":              func(i int) string { return "/api/settlements/" + paid[i%len(paid)] + "/timeline" },
			"the running week": func(i int) string {
				return fmt.Sprintf("/api/drivers/%s/pending-timeline?period=%s", drivers[i%len(drivers)], running)
			},
		} {
			reported(t, what+", over HTTP, "+engine, func(i int) error { return answered(h, path(i)) })
		}
		service := serviceOf(t, h)
		next := timeline.Service{Settlements: service, Payouts: &payouts.Service{Instance: service.Instance, Vault: testkit.Vault(t, h.keyFile), Settlements: service}}
		reported(t, "what a driver is paid next, "+engine, func(i int) error {
			return h.DB().Read(ctx, clerk, func(tx *db.Tx) error {
				_, err := next.NextOf(tx, drivers[i%len(drivers)])
				return err
			})
		})
		h.close(t)
	}
}

func answered(h *house, path string) error {
	rq, err := http.NewRequest("GET", h.URL+path, nil)
	if err != nil {
		return err
	}
	rq.Header.Set("Authorization", "Bearer "+h.token)
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 {
		return fmt.Errorf("%d %s %v", resp.StatusCode, text, err)
	}
	return nil
}

// reported prints the median and the 95th percentile of asking one after the other.
func reported(t *testing.T, what string, ask func(int) error) {
	t.Helper()
	took := make([]float64, timelineAsked)
	for i := range took {
		took[i] = 1000 * seconds(t, func() error { return ask(i) })
	}
	slices.Sort(took)
	fmt.Printf("| timeline: %s, %d drivers of %d weeks | %.1f ms, p95 %.1f ms | goal 50 ms | | |\n", what, timelineDrivers, timelineWeeks, took[len(took)/2], took[len(took)*95/100])
}

// settledForYears settles the last week of a fleet and gives everybody the same settlement for the weeks before it, paid on Wednesdays.
func settledForYears(t *testing.T, engine string, h *house) (drivers []string) {
	t.Helper()
	if err := h.Populate(ctx, north.Tenant, timelineDrivers, func(int) {}); err != nil {
		t.Fatal(err)
	}
	service, last := serviceOf(t, h), calendar.Recent(calendar.DateOf(time.Now(), time.UTC, 0), 2)[1]
	testkit.Write(t, h.DB(), north, func(tx *db.Tx) error { return licences.Grant(tx, 1_000_000, "bench") })
	testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) (err error) {
		drivers, err = db.Select[string](tx, `SELECT id FROM drivers WHERE tenant_id = $1 ORDER BY id`)
		return err
	})
	for part := range slices.Chunk(drivers, 50) {
		testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) error {
			p, err := service.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: last}, Drivers: part})
			if err == nil {
				err = p.Keep(tx)
			}
			if err == nil {
				_, err = service.Start(tx, p.ID, settlements.StartOptions{Share: true, Partial: true, Unfinished: true})
			}
			return err
		})
	}
	p := writingPool(t, engine, h)
	for n := 1; n < timelineWeeks; n++ {
		period := last
		for range n {
			period = period.Prev()
		}
		if _, err := p.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state, absorbed_into, terms_id, currency, transactions,
				carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
				SELECT tenant_id, id || CAST($2 AS TEXT), number + CAST($3 AS BIGINT), driver_id, run_id, CAST($4 AS TEXT), 0, 1, CAST($5 AS TEXT), CAST($6 AS TEXT), 'paid', '', terms_id, currency, transactions,
				carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at, CAST($7 AS TEXT), settled_at, settled_by, '', '', ''
				FROM settlements WHERE tenant_id = $1 AND period = $8 AND absorbed_into = ''`,
			north.Tenant, fmt.Sprint("-", n), int64(n*10_000), string(period), string(period.Monday()), string(period.Monday().AddDays(6)), string(period.Monday().AddDays(9)), string(last)); err != nil {
			t.Fatal(err)
		}
	}
	return drivers
}

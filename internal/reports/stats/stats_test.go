package stats_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/reports"
	"saldo/internal/reports/stats"
	"saldo/internal/settlements"
	"saldo/internal/settlements/sums"
	"saldo/internal/testkit"
)

const today = calendar.Date("2026-11-18") // a Wednesday

// fleet has two drivers, Jan and Ola.
type fleet struct {
	testkit.Fleet
	jan, ola string
	settled  int
}

func each(t *testing.T, test func(t *testing.T, f *fleet)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			f := &fleet{Fleet: testkit.NewFleet(t, engine)}
			f.write(t, func(tx *db.Tx) error {
				ids, err := drivers.Service{Vault: f.Vault, Country: "PL"}.AddMany(tx, []drivers.NewDriver{
					{Details: drivers.Details{FirstName: "Jan", LastName: "Nowak", SummaryLanguage: "pl"}},
					{Details: drivers.Details{FirstName: "Ola", LastName: "Lis", SummaryLanguage: "pl"}}})
				if err != nil {
					return err
				}
				f.jan, f.ola = ids[0], ids[1]
				_, err = tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, 'terms', '{}')`)
				return err
			})
			test(t, f)
		})
	}
}

func (f *fleet) write(t *testing.T, do func(tx *db.Tx) error) {
	t.Helper()
	testkit.Write(t, f.DB, testkit.Anna, do)
}

// row books revenue of a day by an app.
func (f *fleet) row(t *testing.T, driver, provider string, on calendar.Date, amount money.Amount) {
	t.Helper()
	f.write(t, func(tx *db.Tx) error {
		_, err := ledger.AddMany(tx, "", slices.Values([]*ledger.Transaction{{ID: tx.NewID(), DriverID: driver, Provider: provider, Type: "TRIP",
			Amount: amount, Currency: "PLN", OccurredOn: on, Source: "import"}}))
		return err
	})
}

// settle keeps a settlement of a week with a revenue of ten times its payout, a fifth of it fees and half of it cash.
func (f *fleet) settle(t *testing.T, driver string, week calendar.Period, payout money.Amount, shared bool) (id string) {
	t.Helper()
	f.settled++
	id = fmt.Sprint("s", f.settled)
	at := ""
	if shared {
		at = "2026-11-17T00:00:00.000000Z"
	}
	f.write(t, func(tx *db.Tx) error {
		revenue := int64(payout) * 10
		if _, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state,
			absorbed_into, terms_id, currency, transactions, carry_in, revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess,
			figures, apps, transfers, settled_at, settled_by, shared_at, paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
			VALUES ($1, $2, $3, $4, '', $5, 0, 1, $6, $7, 'settled', '', 'terms', 'PLN', 0, 0, $8, $9, $10, $11, $11, 0, 0, $12, '[]', '[]', '', '',
			$13, '', '', '', '', '', '')`, id, f.settled, driver, string(week), string(week.Monday()), string(week.Monday().AddDays(6)), revenue,
			revenue/2, revenue/5, int64(payout), fmt.Sprintf(`{"revenue":%d,"fee":%d,"due":%d,"payout":%d}`, revenue, revenue/5, payout, payout),
			at); err != nil {
			return err
		}
		_, err := sums.Mend(tx)
		return err
	})
	return id
}

func (f *fleet) driver(t *testing.T, id string) (d stats.DriverStatistics) {
	t.Helper()
	testkit.Read(t, f.DB, testkit.Anna, func(tx *db.Tx) (err error) {
		d, err = stats.OfDriver(tx, f.Instance, id, 4, today)
		return err
	})
	return d
}

func (f *fleet) whole(t *testing.T, from, to calendar.Date) (s stats.Fleet) {
	t.Helper()
	testkit.Read(t, f.DB, testkit.Anna, func(tx *db.Tx) error {
		span, err := stats.SpanOf(from, to, today)
		if err == nil {
			s, err = stats.OfFleet(tx, f.Instance, span, today)
		}
		return err
	})
	return s
}

func TestSpan_IsWholeWeeks(t *testing.T) {
	for _, c := range []struct{ from, to, wantFrom, wantTo calendar.Date }{
		{"", "", "2026-05-18", "2026-11-15"}, {"2026-11-18", "2026-11-18", "2026-11-16", "2026-11-22"},
		{"2025-12-31", "2026-01-01", "2025-12-29", "2026-01-04"}, {"2025-10-14", "2026-11-17", "2025-10-13", "2026-11-22"},
	} {
		if s, err := stats.SpanOf(c.from, c.to, today); err != nil || s.From != c.wantFrom || s.To != c.wantTo {
			t.Errorf("%+v: %+v %v", c, s, err)
		}
	}
	for _, c := range []struct {
		from, to calendar.Date
		want     error
	}{{"2026-11-18", "", reports.ErrDays}, {"yesterday", "2026-11-18", reports.ErrDays}, {"2026-11-18", "2026-11-17", reports.ErrReversed},
		{"2025-10-13", "2026-11-17", reports.ErrTooLong}} {
		if _, err := stats.SpanOf(c.from, c.to, today); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestFleet_IsComparedWithTheSpanBeforeAndTheYearBefore(t *testing.T) {
	each(t, func(t *testing.T, f *fleet) {
		if s := f.whole(t, "", ""); len(s.Weeks) != 26 || s.Equation != (stats.Equation{}) || len(s.Apps)+len(s.Top)+len(s.Cohorts)+len(s.Debts) != 0 {
			t.Errorf("nothing is %+v", s)
		}
		for week := range 2 {
			on := calendar.Date("2026-11-02").AddDays(7 * week)
			f.row(t, f.jan, "UBER", on, 300_00)
			f.row(t, f.ola, "BOLT", on.AddDays(6), 100_00)
			f.row(t, f.jan, "UBER", on.AddDays(-14), 200_00)               // the span before
			f.row(t, f.ola, "UBER", on.AddDays(-364), 10_00)               // the same weeks of the year before
			f.row(t, f.ola, "UBER", on.AddDays(-364-7+1), money.Amount(1)) // and one before
			f.row(t, f.jan, "ORLEN", on, money.Amount(-week))              // no revenue? a trip is, whoever brings it
			f.settle(t, f.jan, calendar.PeriodOf(on, 1), 50_00, true)      // revenue 500.00, fee 100.00
			f.settle(t, f.ola, calendar.PeriodOf(on.AddDays(-14), 1), 0, true)
		}
		s := f.whole(t, "2026-11-03", "2026-11-14")
		if s.From != "2026-11-02" || s.To != "2026-11-15" || s.Previous != (stats.Span{From: "2026-10-19", To: "2026-11-01"}) {
			t.Errorf("%+v", s.Span)
		}
		one, two := s.Weeks[0], s.Weeks[1]
		if one.Revenue != 400_00 || one.LastYear != 10_01 || two.LastYear != 10_00 || one.Payout != 50_00 || one.Active != 2 || one.Gone != 0 || one.Fresh != 0 {
			t.Errorf("%+v %+v", one, two)
		}
		// nothing is charged in these settlements: all that is not paid out is earned
		if e := s.Equation; e.Settlements != 2 || e.Revenue != 1000_00 || e.Fee != 200_00 || e.Left != 800_00 || e.Payouts != 100_00 || e.Earned != 800_00 {
			t.Errorf("%+v", e)
		}
		testkit.Read(t, f.DB, testkit.Anna, func(tx *db.Tx) error {
			rows, err := settlements.List(tx, settlements.Filter{Since: one.Week, Period: two.Week, Page: 1, Size: 10})
			if err == nil && (len(rows.Items) != 2 || rows.Sums.Revenue != s.Equation.Revenue || rows.Sums.Payout != s.Equation.Payouts) {
				t.Errorf("the settlements behind the figures are %+v", rows.Sums)
			}
			return err
		})
		if s.PreviousEquation.Settlements != 2 || s.PreviousEquation.Payouts != 0 {
			t.Errorf("%+v", s.PreviousEquation)
		}
		if len(s.Apps) < 2 || s.Apps[0].Provider != "UBER" || s.Apps[0].Revenue != 600_00 || s.Apps[0].Previous != 400_00 ||
			!slices.Equal(s.Apps[1].Weeks, []money.Amount{100_00, 100_00}) {
			t.Errorf("%+v", s.Apps)
		}
		if len(s.Top) != 2 || s.Top[0].ID != f.jan || s.Top[0].LastName != "Nowak" || *s.Top[0].Change != 5000 || s.Top[1].Change != nil {
			t.Errorf("%+v", s.Top)
		}
		if s.PayoutWeek != two.Week || len(s.PayoutBands) != 8 || s.PayoutBands[2].Drivers != 1 || s.PayoutBands[2].From != 50_00 {
			t.Errorf("%s %+v", s.PayoutWeek, s.PayoutBands)
		}
		last := s.Cohorts[len(s.Cohorts)-1]
		if last.Month != "2026-10" || last.Drivers != 1 || !slices.Equal(last.Active, []int64{1, 1, 1, 1}) {
			t.Errorf("%+v", s.Cohorts)
		}
	})
}

func TestDriver_SeesOwnSharedSettlementsOnceThereAreTwo(t *testing.T) {
	each(t, func(t *testing.T, f *fleet) {
		f.settle(t, f.ola, "2026-W45", 999_00, true)
		f.settle(t, f.ola, "2026-W44", 999_00, true)
		f.settle(t, f.jan, "2026-W45", 10_00, true)
		f.settle(t, f.jan, "2026-W46", 777_00, false) // not shared yet
		if d := f.driver(t, f.jan); d.SettledPeriods != 1 || len(d.Weeks) != 0 || d.Last != 0 || d.CashShare != nil {
			t.Errorf("of one period there is %+v", d)
		}
		f.settle(t, f.jan, "2026-W43", 21_00, true)
		d := f.driver(t, f.jan)
		if d.SettledPeriods != 2 || d.Last != 10_00 || d.Average4 != 15_50 || len(d.Weeks) != 4 || d.Weeks[0].Week != "2026-W43" ||
			d.Weeks[0].Payout != 21_00 || d.Weeks[3].Payout != 0 || d.Weeks[2].Revenue != 100_00 || d.Weeks[2].Cash != 50_00 || d.Weeks[2].Fees != 20_00 {
			t.Errorf("%+v", d)
		}
		if d.PerHour != nil || *d.CashShare != 5000 || *d.FeeShare != 2000 || d.BestWeekday != 0 {
			t.Errorf("%+v", d)
		}
		// ten hours in the week of the last payout, two of them refused
		f.write(t, func(tx *db.Tx) error {
			for n, refused := range []string{"", "2026-11-10T00:00:00.000000Z"} {
				if _, err := tx.Exec(`INSERT INTO time_entries (tenant_id, id, driver_id, started_at, ended_at, minutes, break_minutes, mileage_start,
					mileage_end, plate, note, version, source, device, entered_at, clock_off, received_at, changed_at, refused_at, refuse_reason,
					deleted_at) VALUES ($1, $2, $3, '2026-11-03T08:00', '2026-11-03T16:00', $4, 0, 0, 0, '', '', 1, 'web', '', '', 0, '', '', $5, $5,
					'')`, tx.NewID(), f.jan, 480-360*n, refused); err != nil {
					return err
				}
			}
			return nil
		})
		if d := f.driver(t, f.jan); d.Weeks[2].Minutes != 480 || d.PerHour == nil || *d.PerHour != 1_25 {
			t.Errorf("%+v", d)
		}
		// Friday is better than Monday, rows of more days than one and of others do not count
		f.row(t, f.jan, "UBER", "2026-11-02", 100_00)
		f.row(t, f.jan, "UBER", "2026-11-06", 101_00)
		f.row(t, f.ola, "UBER", "2026-11-03", 900_00)
		f.write(t, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE transactions SET settlement_id = CASE WHEN driver_id = $2 THEN 's3' ELSE 's1' END WHERE tenant_id = $1`, f.jan); err != nil {
				return err
			}
			_, err := ledger.AddMany(tx, "", slices.Values([]*ledger.Transaction{{ID: tx.NewID(), DriverID: f.jan, Provider: "UBER", Type: "TRIP",
				Amount: 5000_00, Currency: "PLN", OccurredOn: "2026-11-08", SpanFrom: "2026-11-02", SpanTo: "2026-11-08", Source: "import"}}))
			return err
		})
		if d := f.driver(t, f.jan); d.BestWeekday != 5 {
			t.Errorf("the best weekday is %d", d.BestWeekday)
		}
		// whoever was merged into the driver is the driver
		f.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET merged_into = $3 WHERE tenant_id = $1 AND id = $2`, f.ola, f.jan)
			return err
		})
		if d := f.driver(t, f.jan); d.SettledPeriods != 3 || d.Last != 1009_00 || d.BestWeekday != 2 {
			t.Errorf("%+v", d)
		}
		if s := f.whole(t, "2026-11-02", "2026-11-08"); len(s.Top) != 1 || s.Top[0].Revenue != 6101_00 || s.Weeks[0].Active != 1 || s.PayoutBands[7].Drivers+s.PayoutBands[6].Drivers+s.PayoutBands[5].Drivers != 1 {
			t.Errorf("%+v %+v", s.Top, s.PayoutBands)
		}
	})
}

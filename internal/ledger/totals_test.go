package ledger_test

import (
	"slices"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestWeekOf_FollowsTheCalendar(t *testing.T) {
	for on := calendar.Date("1969-11-01"); on < "2030-02-01"; on = on.AddDays(1 + len(on)%3*5) {
		if monday := ledger.WeekOf(on).Monday(); monday != calendar.PeriodOf(on, 1).Monday() {
			t.Fatalf("%s is of the week from %s", on, monday)
		}
	}
	if w := ledger.WeekOf("1970-01-01"); w != 0 {
		t.Errorf("the first week is %d", w)
	}
}

// TestTotals_OfVeryManyAreThoseOfTheRows brings more driver's weeks than are changed one by one: all new, then some of them and new ones, and all
// of them from nothing. What they come to is compared with the rows when the database is closed.
func TestTotals_OfVeryManyAreThoseOfTheRows(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		testkit.Found(t, d)
		ids := []string{"d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"}
		for _, id := range ids {
			driver(t, d, id)
		}
		years := func(from calendar.Date) {
			t.Helper()
			testkit.Write(t, d, anna, func(tx *db.Tx) error {
				all := []*ledger.Transaction{}
				for week := range 1300 {
					for n, id := range ids {
						all = append(all, &ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "UBER", Type: "TRIP", Amount: money.Amount(n + week),
							Currency: "PLN", OccurredOn: from.AddDays(7*week + n%7), Source: "import"})
					}
				}
				_, err := ledger.AddMany(tx, "", slices.Values(all))
				return err
			})
		}
		years("2000-01-03")
		years("2000-07-03")
		testkit.Write(t, d, anna, func(tx *db.Tx) error {
			for _, text := range []string{`DELETE FROM day_totals WHERE tenant_id = $1`, `DELETE FROM driver_weeks WHERE tenant_id = $1`} {
				if _, err := tx.Exec(text); err != nil {
					return err
				}
			}
			wrong, err := ledger.Mend(tx)
			if len(wrong) < 10_000 {
				t.Errorf("only %d sums were wrong", len(wrong))
			}
			return err
		})
	})
}

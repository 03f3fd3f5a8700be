package settlements_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/reports/stats"
	"saldo/internal/testkit"
)

// earned is what a row or a trip is of: whose, when, by which app, and what of it is revenue or cash.
type earned struct {
	driver        string
	on            calendar.Date
	provider      string
	revenue, cash money.Amount
	is            bool // revenue at all
}

// plainly is everything that statistics are made of, read row by row.
type plainly struct {
	rows    []earned
	settled []struct {
		DriverID, Figures string
		Period            calendar.Period
		AbsorbedInto      string
	}
	debts map[string]money.Amount
}

func (w *world) plainly(t *testing.T, tx *db.Tx) (p plainly) {
	t.Helper()
	merged := map[string]string{}
	kept := func(id string) string {
		if to := merged[id]; to != "" {
			return to
		}
		return id
	}
	read := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	drivers, err := db.Select[struct{ ID, MergedInto string }](tx, `SELECT id, merged_into FROM drivers WHERE tenant_id = $1`)
	read(err)
	for _, d := range drivers {
		merged[d.ID] = d.MergedInto
	}
	rows, err := db.Select[struct {
		DriverID, Provider, Type string
		OccurredOn               calendar.Date
		Amount                   money.Amount
	}](tx, `SELECT driver_id, provider, type, occurred_on, amount FROM transactions WHERE tenant_id = $1 AND deleted_at = ''`)
	read(err)
	for _, r := range rows {
		e := earned{driver: kept(r.DriverID), on: r.OccurredOn, provider: r.Provider}
		switch c := (ledger.Transaction{Type: r.Type, Provider: r.Provider, Amount: r.Amount}).Category(); c {
		case "income", "bonus", "tips":
			e.revenue, e.is = r.Amount, true
		case "cash":
			e.cash = -r.Amount
		}
		p.rows = append(p.rows, e)
	}
	trips, err := db.Select[struct {
		DriverID, Payment string
		OccurredOn        calendar.Date
		Amount            money.Amount
	}](tx, `SELECT driver_id, payment, occurred_on, amount FROM trips WHERE tenant_id = $1 AND deleted_at = '' AND refused_at = ''`)
	read(err)
	for _, r := range trips {
		e := earned{kept(r.DriverID), r.OccurredOn, "INTERNAL", r.Amount, 0, true}
		if r.Payment == "cash" {
			e.cash = r.Amount
		}
		p.rows = append(p.rows, e)
	}
	p.settled, err = db.Select[struct {
		DriverID, Figures string
		Period            calendar.Period
		AbsorbedInto      string
	}](tx, `SELECT driver_id, figures, period, absorbed_into FROM settlements WHERE tenant_id = $1 AND state <> 'revoked'`)
	read(err)
	for i := range p.settled {
		p.settled[i].DriverID = kept(p.settled[i].DriverID)
	}
	carried, err := db.Select[struct {
		DriverID string
		Amount   money.Amount
	}](tx, `SELECT c.driver_id, c.amount FROM settlement_carries c WHERE c.tenant_id = $1 AND c.type = 'PREV_PERIOD_TRANSFER' AND c.amount < 0
		AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.tenant_id = $1 AND t.id = c.transaction_id AND t.settlement_id <> '')`)
	read(err)
	p.debts = map[string]money.Amount{}
	for _, c := range carried {
		p.debts[kept(c.DriverID)] -= c.Amount
	}
	return p
}

// figures compares the statistics of some spans with what rows and settlements say one by one.
func (w *world) figures(t *testing.T) {
	t.Helper()
	testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
		p := w.plainly(t, tx)
		for range 6 {
			from := calendar.Date("2026-09-21").AddDays(w.random.IntN(60))
			span, err := stats.SpanOf(from, from.AddDays(w.random.IntN(70)), "2026-11-20")
			if err != nil {
				return err
			}
			f, err := stats.OfFleet(tx, w.Instance, span, "2026-11-20")
			if err != nil {
				return err
			}
			if wrong := p.differs(f); wrong != "" {
				t.Fatalf("%s to %s: %s", span.From, span.To, wrong)
			}
		}
		return nil
	})
}

// differs says what of the statistics is not what the rows say.
func (p plainly) differs(f stats.Fleet) string {
	first, active := map[string]calendar.Date{}, map[string]bool{} // by driver; by driver and Monday
	ofWeek, ofDriver := map[string]money.Amount{}, map[string]money.Amount{}
	weeks, cash, apps := map[calendar.Date]money.Amount{}, map[calendar.Date]money.Amount{}, map[string]money.Amount{}
	within := func(on calendar.Date) bool { return f.From <= on && on <= f.To }
	for _, r := range p.rows {
		monday := calendar.PeriodOf(r.on, 1).Monday()
		cash[monday] += r.cash
		if r.is {
			weeks[monday] += r.revenue
			ofWeek[r.driver+string(monday)] += r.revenue
			if within(r.on) {
				apps[r.provider] += r.revenue
				ofDriver[r.driver] += r.revenue
			}
		}
	}
	for key, sum := range ofWeek {
		driver, monday := key[:len(key)-10], calendar.Date(key[len(key)-10:])
		if active[key] = sum > 0; sum > 0 && (first[driver] == "" || monday < first[driver]) {
			first[driver] = monday
		}
	}
	drivers := map[string]bool{}
	for _, r := range p.rows {
		drivers[r.driver] = true
	}
	payouts := map[string]money.Amount{}
	var left, earned, paid, told money.Amount
	n := int64(0)
	for _, s := range p.settled {
		monday := s.Period.Monday()
		if !within(monday) {
			continue
		}
		var kept map[string]money.Amount
		if err := json.Unmarshal([]byte(s.Figures), &kept); err != nil {
			return err.Error()
		}
		n++
		left += kept["revenue"] - kept["fee"] - kept["cashDeducted"]
		earned += kept["revenue"] - kept["fee"] - kept["payoutBase"] + kept["settlementCost"] + kept["additionalSettlementCost"] + kept["rateCost"] +
			kept["provision"]
		paid += kept["payout"]
		if s.AbsorbedInto == "" && s.Period == f.PayoutWeek {
			payouts[s.DriverID] += kept["payout"]
		}
	}
	e := f.Equation
	if e.Settlements != n || e.Left != left || e.Earned != earned || e.Payouts != paid || e.Left != e.Revenue-e.Fee-e.Cash ||
		e.Left-e.Earned-e.Tax-e.Costs+e.BroughtForward-e.CarriedForward != e.Payouts {
		return fmt.Sprintf("%+v, not %d settlements, %s, %s, %s", e, n, left, earned, paid)
	}
	for _, week := range f.Weeks {
		at := week.From
		var is [3]int64
		for driver := range drivers {
			on := func(back int) bool { return active[driver+string(at.AddDays(-7*back))] }
			switch {
			case on(0) && first[driver] == at:
				is[0], is[1] = is[0]+1, is[1]+1
			case on(0):
				is[0]++
			case on(4) && !on(3) && !on(2) && !on(1):
				is[2]++
			}
		}
		if is != [3]int64{week.Active, week.Fresh, week.Gone} || week.Revenue != weeks[at] {
			return fmt.Sprintf("%+v, not %v of %s", week, is, weeks[at])
		}
		if share := week.CashShare; (share != nil) != (weeks[at] > 0) || share != nil && 2*max(*share*int64(weeks[at])-int64(cash[at])*10_000,
			int64(cash[at])*10_000-*share*int64(weeks[at])) > int64(weeks[at]) {
			return fmt.Sprintf("%s of cash in %s are %d", cash[at], weeks[at], *share)
		}
		told += week.Payout
	}
	if told != paid {
		return fmt.Sprintf("weeks pay %s, not %s", told, paid)
	}
	for _, app := range f.Apps {
		if apps[app.Provider] != app.Revenue {
			return fmt.Sprintf("%+v, not %s", app, apps[app.Provider])
		}
		delete(apps, app.Provider)
	}
	for provider, revenue := range apps {
		if revenue != 0 {
			return fmt.Sprintf("%s of %s are missing", revenue, provider)
		}
	}
	ranks := []money.Amount{}
	for _, sum := range ofDriver {
		if sum > 0 {
			ranks = append(ranks, sum)
		}
	}
	slices.Sort(ranks)
	for i, r := range f.Bottom {
		if r.Revenue != ranks[i] || ofDriver[r.ID] != r.Revenue || r.LastName == "" {
			return fmt.Sprintf("%+v, not %s", r, ranks[i])
		}
	}
	for i, r := range f.Top {
		if r.Revenue != ranks[len(ranks)-1-i] || ofDriver[r.ID] != r.Revenue {
			return fmt.Sprintf("%+v, not %s", r, ranks[len(ranks)-1-i])
		}
	}
	if len(f.Top)+len(f.Bottom) != min(20, len(ranks)) {
		return fmt.Sprintf("%d and %d of %d", len(f.Top), len(f.Bottom), len(ranks))
	}
	var banded, owed, owing money.Amount
	var in, debtors int64
	for _, b := range f.PayoutBands {
		banded, in = banded+b.Amount, in+b.Drivers
	}
	for _, amount := range payouts {
		banded -= amount
	}
	if banded != 0 || in != int64(len(payouts)) {
		return fmt.Sprintf("%+v of %d drivers", f.PayoutBands, len(payouts))
	}
	for _, b := range f.Debts {
		owed, debtors = owed+b.Amount, debtors+b.Drivers
	}
	for _, amount := range p.debts {
		owing += amount
	}
	if owed != owing || debtors != int64(len(p.debts)) {
		return fmt.Sprintf("%+v, not %s of %d", f.Debts, owing, len(p.debts))
	}
	for _, c := range f.Cohorts {
		began := []string{}
		for driver, monday := range first {
			if string(monday[:7]) == c.Month && monday <= f.To {
				began = append(began, driver)
			}
		}
		if int64(len(began)) != c.Drivers || len(c.Active) == 0 || c.Active[0] != c.Drivers {
			return fmt.Sprintf("%+v of %d", c, len(began))
		}
		for after, drove := range c.Active {
			for _, driver := range began {
				if active[driver+string(first[driver].AddDays(7*after))] {
					drove--
				}
			}
			if drove != 0 {
				return fmt.Sprintf("%+v: %d too many after %d weeks", c, drove, after)
			}
		}
	}
	return ""
}

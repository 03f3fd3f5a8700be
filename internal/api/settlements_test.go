package api_test

import (
	"fmt"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

// earner is a new driver of north who has earned something in 2026-W44, which ends periods of every frequency.
func (w *world) earner(t *testing.T) (id string) {
	t.Helper()
	id = w.silentDriver(t, "partner", canary+"north")
	w.earns(t, id, 10_800_00) // more than any rules of these tests take
	return id
}

func (w *world) earns(t *testing.T, driver string, amount money.Amount) {
	t.Helper()
	w.earnsOn(t, driver, "2026-10-28", amount)
}

func (w *world) earnsOn(t *testing.T, driver string, day calendar.Date, amount money.Amount) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := licences.Grant(tx, 1, "test"); err != nil {
			return err
		}
		_, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: "UBER", Type: "TRIP", Amount: amount, Currency: "PLN", OccurredOn: day, Source: "import", SourceFile: "week.csv", SourceRow: 7})
		})
		return err
	})
}

// shownRun is a dry run for drivers.
func (w *world) shownRun(t *testing.T, drivers ...string) string {
	t.Helper()
	var made struct{ ID string }
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": "2026-W44", "drivers": drivers}, &made); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return made.ID
}

// settled is a settlement of a new driver.
func (w *world) settled(t *testing.T) string {
	t.Helper()
	driver := w.earner(t)
	return w.settledOf(t, driver)
}

func (w *world) settledOf(t *testing.T, driver string) string {
	t.Helper()
	var started struct{ State string }
	if status, text := w.call(t, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, driver)+"/start", map[string]any{"share": true}, &started); status != 202 || started.State != "done" {
		t.Fatalf("%d %s", status, text)
	}
	var list settledList
	w.call(t, "partner", "GET", "/api/settlements?driver="+driver, nil, &list)
	return list.Items[0].ID
}

type settledList struct {
	Items []struct {
		ID, State, PaidOn, RevokeReason string
		Number                          int64
		Payout                          money.Amount
	}
	Totals struct {
		Count  int64
		Payout money.Amount
	}
}

func TestADriverIsSettledPaidAndRevokedOverHTTP(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		debtor := w.silentDriver(t, "partner", "Debtor")
		w.earns(t, debtor, -50_00)
		var periods struct {
			Periods []struct{ Code, FirstOn string }
		}
		w.call(t, "partner", "GET", "/api/settlements/periods", nil, &periods)
		if len(periods.Periods) < 12 || periods.Periods[0].Code != "2026-W46" || periods.Periods[1].Code != "2026-W45" || periods.Periods[1].FirstOn != "2026-11-02" {
			t.Fatalf("%+v", periods)
		}
		var pending struct {
			Items []struct {
				DriverID, Refusal string
				Due               money.Amount
			}
			Totals struct {
				Drivers, Settleable                               int64
				Revenue, Cash, Fees, Costs, Previous, Due, Payout money.Amount
			}
		}
		w.call(t, "partner", "GET", "/api/settlements/pending?period=2026-W44&sort=payout", nil, &pending)
		sums := pending.Totals
		if sums.Drivers != 2 || sums.Settleable != 1 || sums.Payout != 10_000_00 || sums.Due != 9_950_00 || sums.Revenue-sums.Cash-sums.Fees-sums.Costs+sums.Previous != sums.Due ||
			pending.Items[0].Refusal != "negative" {
			t.Fatalf("%+v", pending)
		}
		var payable struct {
			Items []struct {
				DriverID string
				Payout   money.Amount
			}
		}
		w.call(t, "partner", "GET", "/api/settlements/pending/payable?period=2026-W44", nil, &payable)
		if len(payable.Items) != 1 || payable.Items[0].DriverID != driver || payable.Items[0].Payout != 10_000_00 {
			t.Errorf("%+v", payable)
		}
		var run struct {
			State                           string
			Drivers, Refused, Settled, Left int64
			Payout                          money.Amount
			Refusals                        []struct {
				Code    string
				Drivers []struct{ LastName string }
			}
			Outcomes []struct {
				Outcome, Reason string
				Count           int64
			}
		}
		id := w.shownRun(t, driver, debtor)
		w.call(t, "partner", "GET", "/api/settlement-runs/"+id, nil, &run)
		if run.State != "preview" || run.Drivers != 1 || run.Refused != 1 || run.Payout != 10_000_00 || run.Refusals[0].Code != "negative" || run.Refusals[0].Drivers[0].LastName != "Debtor" {
			t.Fatalf("%+v", run)
		}
		w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+id+"/start", map[string]any{"share": false})
		w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+id+"/start", map[string]any{"share": false}) // joins
		w.call(t, "partner", "GET", "/api/settlement-runs/"+id, nil, &run)
		if run.State != "done" || run.Settled != 1 || fmt.Sprint(run.Outcomes) != "[{refused negative 1} {settled  1}]" {
			t.Fatalf("%+v", run)
		}
		var list settledList
		w.call(t, "partner", "GET", "/api/settlements?state=settled&period=2026-W44", nil, &list)
		if list.Totals.Count != 1 || list.Totals.Payout != 10_000_00 {
			t.Fatalf("%+v", list)
		}
		one := list.Items[0].ID
		act := func(action string, more ...any) string {
			var outcomes struct {
				Outcomes []struct{ ID, Fault string }
				Done     int64
			}
			body := with(map[string]any{"ids": []string{one, "nobody"}}, more...)
			if status, text := w.call(t, "partner", "POST", "/api/settlements/"+action, body, &outcomes); status != 200 {
				t.Fatalf("%s: %d %s", action, status, text)
			}
			return fmt.Sprint(outcomes.Done, " ", outcomes.Outcomes[0].Fault, " ", outcomes.Outcomes[1].Fault)
		}
		for _, step := range []struct{ got, want string }{
			{act("unpay"), "0 settlements.not_paid settlements.not_found"},
			{act("pay", "paidOn", "2026-11-15"), "1  settlements.not_found"},
			{act("revoke", "reason", "wrong file"), "0 settlements.paid settlements.not_found"},
			{act("unpay"), "1  settlements.not_found"},
			{act("share"), "1  settlements.not_found"},
			{act("carry"), "0 settlements.nothing_to_carry settlements.not_found"},
			{act("revoke", "reason", "wrong file"), "1  settlements.not_found"},
			{act("revoke", "reason", "wrong file"), "0 settlements.revoked settlements.not_found"},
		} {
			if step.got != step.want {
				t.Errorf("%q, not %q", step.got, step.want)
			}
		}
		if status, text := w.call(t, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{one}, "reason": "  "}, nil); status != 422 || !strings.Contains(text, `"reason"`) {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "GET", "/api/settlements/pending?period=2026-W54", nil, nil); status != 422 || !strings.Contains(text, "settlements.period_invalid") {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "POST", "/api/settlement-runs", map[string]any{"period": "2026-W40"}, nil); status != 409 || !strings.Contains(text, "settlements.nothing") {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, debtor)+"/start", map[string]any{"share": false}, nil); status != 409 || !strings.Contains(text, "settlements.negative") {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestEveryFigureOfASettlementOpensToItsRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		type explained struct {
			Figures      map[string]money.Amount
			Explanations []struct {
				Figure, Provider string
				Value            money.Amount
				Parts            []struct{ Rows []struct{ ID string } }
			}
			Rows []struct {
				ID, SourceFile string
				SourceRow      int64
			}
			Settled *struct{ State string }
			Revoked *struct {
				RevokeReason string
				Figures      map[string]money.Amount
			}
		}
		driver := w.earner(t)
		var pending, settled explained
		w.call(t, "partner", "GET", "/api/drivers/"+driver+"/pending-settlement?period=2026-W44", nil, &pending)
		if pending.Settled != nil || pending.Figures["due"] != 10_000_00 || len(pending.Rows) != 1 || pending.Rows[0].SourceFile != "week.csv" || pending.Rows[0].SourceRow != 7 {
			t.Fatalf("%+v", pending)
		}
		id := w.settledOf(t, driver)
		w.call(t, "partner", "GET", "/api/settlements/"+id, nil, &settled)
		if settled.Settled == nil || fmt.Sprint(settled.Explanations) != fmt.Sprint(pending.Explanations) || len(settled.Explanations) < 30 {
			t.Errorf("%+v", settled)
		}
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{id}, "reason": "wrong file"})
		w.call(t, "partner", "GET", "/api/drivers/"+driver+"/pending-settlement?period=2026-W44", nil, &pending)
		if pending.Revoked == nil || pending.Revoked.RevokeReason != "wrong file" || pending.Revoked.Figures["due"] != 10_000_00 {
			t.Errorf("%+v", pending.Revoked)
		}
	})
}

func TestADriverSeesOnlyTheirOwnSharedSettlements(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver, other := w.earner(t), w.earner(t)
		w.linked(t, driver)
		own, foreign := w.settledOf(t, driver), w.settledOf(t, other)
		var list settledList
		w.call(t, "driver", "GET", "/api/driver-accounts/settlements", nil, &list)
		if len(list.Items) != 1 || list.Items[0].ID != own || list.Items[0].Payout != 10_000_00 {
			t.Fatalf("%+v", list)
		}
		for query, n := range map[string]int{"?from=2026-11-02": 0, "?from=2026-11-01": 1, "?last=1": 1} {
			if w.call(t, "driver", "GET", "/api/driver-accounts/settlements"+query, nil, &list); len(list.Items) != n {
				t.Errorf("%s: %+v", query, list)
			}
		}
		w.must(t, 200, "driver", "GET", "/api/driver-accounts/settlements/"+own, nil)
		w.must(t, 404, "driver", "GET", "/api/driver-accounts/settlements/"+foreign, nil)
		w.must(t, 404, "stranger", "GET", "/api/driver-accounts/settlements/"+own, nil)
		w.must(t, 200, "partner", "POST", "/api/settlements/revoke", map[string]any{"ids": []string{own}, "reason": "wrong file"})
		w.must(t, 404, "driver", "GET", "/api/driver-accounts/settlements/"+own, nil)
	})
}

func TestASimulationSavesNothingAndSaysWhoGetsWhat(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one := w.earner(t)
		for _, driver := range []string{one, w.earner(t)} {
			w.earnsOn(t, driver, "2026-11-04", 10_800_00)
		}
		var reply struct {
			Period           string
			Drivers, Changed int64
			Before, After    money.Amount
			Items            []struct {
				ID            string
				Before, After money.Amount
			}
		}
		body := with(rulesOf("Standard"), "schemaNumber", 1, "settlementCost", 1000, "payoutRateBp", 10000)
		if status, text := w.call(t, "partner", "POST", "/api/settlement-schemas/simulate", body, &reply); status != 200 || reply.Period != "2026-W45" || reply.Drivers != 2 || reply.After >= reply.Before || reply.Changed != 2 {
			t.Fatalf("%d %s", status, text)
		}
		w.call(t, "partner", "POST", "/api/settlement-schemas/simulate", with(body, "driverId", one), &reply)
		if reply.Drivers != 1 || len(reply.Items) != 1 || reply.Items[0].ID != one {
			t.Errorf("%+v", reply)
		}
		if status, text := w.call(t, "partner", "POST", "/api/settlement-schemas/simulate", with(body, "payoutRateBp", 20000), nil); status != 422 || !strings.Contains(text, "payoutRateBp") {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestALateFileSaysWhomItWasSettledFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.settled(t)
		warnings := func(day string) string {
			var one struct {
				Preview struct {
					Warnings []struct {
						Code  string
						Count int64
					}
				}
			}
			w.call(t, "partner", "GET", "/api/imports/"+w.send(t, "partner", "late.csv", sheetOf(day+";person-"+day+";Jan;TRIP;1;x"), "provider", "PARTNER").ID, nil, &one)
			return fmt.Sprint(one.Preview.Warnings)
		}
		if got := warnings("2026-10-28"); !strings.Contains(got, "{period_settled 1}") {
			t.Errorf("%s", got)
		}
		if got := warnings("2026-11-15"); strings.Contains(got, "period_settled") {
			t.Errorf("%s", got)
		}
	})
}

func TestADriverIsSettledAsOftenAsTheyChose(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 204, "driver", "PUT", "/api/driver-accounts/settlement-frequency", map[string]any{"frequency": 2})
		profile := w.profileID(t, principals["driver"].Subject)
		var linked struct{ ID string }
		if status, text := w.call(t, "partner", "POST", "/api/driver-profiles/"+profile+"/link", w.linkOf(t, profile, ""), &linked); status != 201 && status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		frequency := func() (weeks int64) {
			testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
				weeks, err = db.One[int64](tx, `SELECT settlement_frequency FROM drivers WHERE tenant_id = $1 AND account_id <> ''`)
				return err
			})
			return weeks
		}
		if frequency() != 2 {
			t.Errorf("linked with %d weeks", frequency())
		}
		w.must(t, 204, "driver", "PUT", "/api/driver-accounts/settlement-frequency", map[string]any{"frequency": 4})
		var reply struct{ Frequency int64 }
		if w.call(t, "driver", "GET", "/api/driver-accounts/settlement-frequency", nil, &reply); frequency() != 4 || reply.Frequency != 4 {
			t.Errorf("%d weeks, told %d", frequency(), reply.Frequency)
		}
	})
}

func TestSettlementRun_SaysBeforeTheStartHowManyUnitsAreMissing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		drivers := []string{w.earner(t), w.earner(t), w.earner(t)}
		testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
			left, err := licences.Left(tx)
			if err == nil {
				_, err = licences.Use(tx, left-1)
			}
			return err
		})
		var run struct {
			State         string
			Missing, Left int64
		}
		id := w.shownRun(t, drivers...)
		if w.call(t, "partner", "GET", "/api/settlement-runs/"+id, nil, &run); run.State != "preview" || run.Left != 1 || run.Missing != 2 {
			t.Errorf("%+v", run)
		}
	})
}

func TestExplainedSettlement_HasEveryFigure(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.earner(t)
		var pending, settled struct{ Figures map[string]money.Amount }
		w.call(t, "partner", "GET", "/api/drivers/"+driver+"/pending-settlement?period=2026-W44", nil, &pending)
		id := w.settledOf(t, driver)
		w.call(t, "partner", "GET", "/api/settlements/"+id, nil, &settled)
		for _, figures := range []map[string]money.Amount{pending.Figures, settled.Figures} {
			for _, f := range engine.AllFigures() {
				if _, reply := figures[f.String()]; !reply {
					t.Errorf("%s is missing", f)
				}
			}
		}
	})
}

// The list of what is settled says why a driver cannot be paid, and stops saying it once that is put right.
func TestSettledList_SaysWhyADriverCannotBePaid(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := map[string]string{"": w.addDriver(t, "partner", with(driverOf("Fine"), "iban", polishIBAN)), "no_account": w.silentDriver(t, "partner", "Without"),
			"blocked": w.addDriver(t, "partner", with(driverOf("Blocked"), "iban", polishIBAN))}
		for _, id := range ids {
			w.earns(t, id, 1000_00)
			w.must(t, 202, "partner", "POST", "/api/settlement-runs/"+w.shownRun(t, id)+"/start", map[string]any{"share": true})
		}
		w.must(t, 204, "partner", "POST", driversPath+"/"+ids["blocked"]+"/block", nil)
		reasons := func() map[string]string {
			var list struct {
				Items []struct{ DriverID, Hindrance string }
			}
			w.call(t, "partner", "GET", "/api/settlements?state=settled", nil, &list)
			of := map[string]string{}
			for _, one := range list.Items {
				of[one.DriverID] = one.Hindrance
			}
			return of
		}
		for want, id := range ids {
			if got := reasons()[id]; got != want {
				t.Errorf("%q instead of %q", got, want)
			}
		}
		w.must(t, 204, "partner", "POST", driversPath+"/"+ids["blocked"]+"/unblock", nil)
		if got := reasons()[ids["blocked"]]; got != "" {
			t.Errorf("after unblocking: %q", got)
		}
	})
}

package settlements_test

import (
	"errors"
	"testing"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/testkit"
)

func (w *fixture) block(t testing.TB, driver string, blocked bool) {
	t.Helper()
	w.write(t, func(tx *db.Tx) error { return drivers.Block(tx, driver, blocked) })
}

func TestSettle_LeavesBlockedDriversOut(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh, ewa := w.driver(t, "Oleh"), w.driver(t, "Ewa")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.add(t, ewa, trip("2026-11-03", 216_00))
		w.block(t, oleh, true)

		all := w.preview(t, of(w45))
		if all.Drivers != 1 || all.Refused != 1 || all.Refusals[0].Refusal != settlements.Blocked || all.Refusals[0].Drivers[0] != oleh || all.Refusals[0].Amount != 100_00 {
			t.Fatalf("%+v", all.PreviewDetails)
		}
		one := w.preview(t, of(w45, oleh))
		w.refused(t, settlements.ErrBlocked, func(tx *db.Tx) error { _, err := w.Start(tx, one.ID, settlements.StartOptions{}); return err })
		if r := w.start(t, all.ID, false); r.State != settlements.RunDone || r.Settled != 1 || len(w.live(t, oleh)) != 0 {
			t.Fatalf("%+v", r)
		}
		var explained settlements.Explained
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { explained, err = w.ExplainPending(tx, oleh, w45); return err })
		if explained.Refusal != settlements.Blocked || explained.Computed.Figures[engine.Due] != 100_00 {
			t.Errorf("%s", explained.Refusal)
		}

		w.block(t, oleh, false)
		if r := w.settle(t, w45); r.Settled != 1 || r.SettledPayout != 100_00 {
			t.Errorf("after unblocking: %+v", r)
		}
	})
}

func TestSettle_StopsWhenADriverWasBlockedAfterTheDryRun(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh, ewa := w.driver(t, "Oleh"), w.driver(t, "Ewa")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.add(t, ewa, trip("2026-11-03", 216_00))
		p := w.preview(t, of(w45))
		w.block(t, oleh, true)
		if r := w.start(t, p.ID, false); r.State != settlements.RunChanged || r.Settled != 0 {
			t.Fatalf("%+v", r)
		}
		var left []settlements.RunDriver
		testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) { left, err = settlements.Outcomes(tx, p.ID, 10); return err })
		if len(left) != 2 || left[0].DriverID != oleh || left[0].Reason != string(settlements.Blocked) || left[0].DueNow != 100_00 {
			t.Errorf("%+v", left)
		}
	})
}

// The example of the rules: a trip of 3 November settled with weeks from Monday, then weeks from Sunday and another trip of that day.
func TestSettle_SettledDaysKeepTheirPeriod(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.rules(t, func(r *rules.Rules) {
			r.WeeklyContractCost, r.SettlementCost, r.DailyFee.Uber = 10_00, 7_00, 3_00
		})
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.settle(t, w45)
		if s := w.live(t, oleh)[0]; s.Payout != 80_00 {
			t.Fatalf("payout %s", s.Payout)
		}

		w.rules(t, func(r *rules.Rules) { r.WeekStartDay = 7 })
		w.add(t, oleh, trip("2026-11-03", 54_00), trip("2026-11-01", 54_00), trip("2026-11-10", 54_00))
		if r := w.settle(t, w44); r.Settled != 1 {
			t.Fatalf("%+v", r)
		}
		if r := w.settle(t, w45); r.Settled != 1 {
			t.Fatalf("%+v", r)
		}
		live := w.live(t, oleh)
		first, late := live[1], live[2]
		if first.Period != w44 || first.FirstOn != "2026-11-01" || first.LastOn != "2026-11-01" || first.Payout != 30_00 {
			t.Errorf("what is left of the week before: %s from %s to %s pays %s", first.Period, first.FirstOn, first.LastOn, first.Payout)
		}
		// both trips less VAT, and the daily fee of the one new day: nothing else again
		if late.Period != w45 || late.Ordinal != 1 || late.FirstOn != "2026-11-02" || late.LastOn != "2026-11-14" || late.Payout != 97_00 {
			t.Errorf("supplementary: %s from %s to %s pays %s", late.Period, late.FirstOn, late.LastOn, late.Payout)
		}
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error { _, err := w.Explain(tx, late.ID); return err })

		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, late.ID, "wrong") })
		w.rules(t, func(r *rules.Rules) { r.WeekStartDay = 1 })
		if r := w.settle(t, w45); r.SettledPayout != 50_00 { // of the settled day alone
			t.Errorf("%+v", r)
		}
		if r := w.settle(t, calendar.Period("2026-W46")); r.SettledPayout != 30_00 {
			t.Errorf("%+v", r)
		}
	})
}

func TestSettle_SupplementOfASettledWeekAfterTheFrequencyGrew(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.rules(t, func(r *rules.Rules) { r.WeeklyContractCost = 10_00 })
		w.add(t, oleh, trip("2026-11-03", 108_00)) // W45, which closes no period of two weeks
		w.settle(t, w45)
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE partner_profiles SET settlement_frequency = 2 WHERE tenant_id = $1`)
			return err
		})
		w.add(t, oleh, trip("2026-11-04", 54_00), trip("2026-11-12", 54_00))
		w46 := calendar.Period("2026-W46")
		// the new period of two weeks has a settled week inside it, with a late row that is not its own
		if r := w.settle(t, w46); r.SettledPayout != 40_00 {
			t.Errorf("%+v", r)
		}
		if r := w.settle(t, w45); r.SettledPayout != 50_00 {
			t.Errorf("%+v", r)
		}
		live := w.live(t, oleh)
		if live[1].Period != w46 || live[1].Weeks != 2 || live[2].Period != w45 || live[2].Weeks != 1 {
			t.Errorf("%+v", live)
		}
	})
}

func TestStart_AsksBeforeThePeriodHasEnded(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		var today calendar.Date
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			today = calendar.DateOf(tx.Now, w.Instance.Location(), 0)
			return nil
		})
		period := calendar.PeriodOf(today, 1)
		w.add(t, oleh, trip(today, 108_00))
		p := w.preview(t, of(period))
		if p.Unfinished != 1 || p.EndsOn != period.Monday().AddDays(6) {
			t.Fatalf("%d until %s", p.Unfinished, p.EndsOn)
		}
		err := w.db.Write(ctx, anna, func(tx *db.Tx) error { _, err := w.Start(tx, p.ID, settlements.StartOptions{}); return err })
		var refused *fault.Fault
		if !errors.As(err, &refused) || !errors.Is(err, settlements.ErrUnfinished) || refused.Params["lastDay"] != string(p.EndsOn) {
			t.Fatalf("%v", err)
		}
		if len(w.live(t, oleh)) != 0 {
			t.Fatal("it was settled")
		}
		var r settlements.Run
		w.write(t, func(tx *db.Tx) (err error) {
			r, err = w.Start(tx, p.ID, settlements.StartOptions{Unfinished: true})
			return err
		})
		if r.Settled != 1 {
			t.Errorf("%+v", r)
		}
	})
}

func TestStart_AShortRunGoesOnAsPartial(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh, ewa := w.driver(t, "Oleh"), w.driver(t, "Ewa")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.add(t, ewa, trip("2026-11-03", 216_00))
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE licence_balances SET granted = 1 WHERE tenant_id = $1`)
			return err
		})
		p := w.preview(t, of(w45))
		if r := w.start(t, p.ID, false); r.State != settlements.RunShort || r.Missing != 1 {
			t.Fatalf("%+v", r)
		}
		if r := w.start(t, p.ID, true); r.State != settlements.RunDone || r.Settled != 1 || r.SettledPayout != 200_00 || r.Missing != 0 {
			t.Fatalf("%+v", r)
		}
		if len(w.live(t, ewa)) != 1 || len(w.live(t, oleh)) != 0 {
			t.Error("not the largest")
		}
		if r := w.start(t, p.ID, true); r.State != settlements.RunDone || r.Settled != 1 { // once more: nothing
			t.Fatalf("%+v", r)
		}
	})
}

func TestList_SumsLeaveRevokedSettlementsOut(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh, ewa := w.driver(t, "Oleh"), w.driver(t, "Ewa")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		w.add(t, ewa, trip("2026-11-03", 216_00))
		w.settle(t, w45)
		w.write(t, func(tx *db.Tx) error { return w.Revoke(tx, w.live(t, oleh)[0].ID, "wrong") })
		testkit.Read(t, w.db, anna, func(tx *db.Tx) error {
			page, err := settlements.List(tx, settlements.Filter{Page: 1, Size: 10})
			s := page.Sums
			if s.Count != 2 || s.Revoked != 1 || s.Revenue != 216_00 || s.Due != 200_00 || s.Payout != 200_00 {
				t.Errorf("%+v", s)
			}
			return err
		})
	})
}

func TestStart_WaitsUntilALargeFileIsRemoved(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		oleh := w.driver(t, "Oleh")
		w.add(t, oleh, trip("2026-11-03", 108_00))
		p := w.preview(t, of(w45))
		removing := func(goesOn bool) {
			w.write(t, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE imports SET removing = $2 WHERE tenant_id = $1 AND id = 'large'`, goesOn)
				return err
			})
		}
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO imports (tenant_id, id, provider, chosen, kind, status, file_name, blob_key, content_hash, size, encoding,
				delimiter, period_from, period_to, period_source, city, dates_from, dates_to, bonus_from, bonus_to, allow_duplicates, merge_by_name,
				duplicate_of, booked_as, counts, totals, preview, fault, fault_params, uploaded_at, uploaded_by, confirmed_at, confirmed_by,
				finished_at, removed_at, removed_by) VALUES ($1, 'large', '', '', '', 'removed', 'large.csv', '', '', 0, '', '', '', '', '', '', '',
				'', '', '', FALSE, FALSE, '', '', '{}', '[]', '', '', '{}', $2, 'Anna', '', '', '', '', '')`, tx.Now)
			return err
		})
		removing(true)
		w.refused(t, settlements.ErrRemoving, func(tx *db.Tx) error { _, err := w.Start(tx, p.ID, settlements.StartOptions{}); return err })
		if len(w.live(t, oleh)) != 0 {
			t.Fatal("half of a file was settled")
		}
		removing(false)
		if r := w.start(t, p.ID, false); r.Settled != 1 {
			t.Errorf("%+v", r)
		}
	})
}

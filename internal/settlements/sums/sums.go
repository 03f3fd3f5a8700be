// Package sums keeps what settlements come to: some figures of each as columns, since their JSON cannot be added up alike on both engines,
// and what all of a week come to (settlement_weeks), so that nobody who asks about a year reads a hundred thousand settlements.
package sums

import (
	"cmp"
	"fmt"
	"slices"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/consistency"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// Kept are the figures that a settlement keeps as columns beside those that it had before. With them what is due is always revenue - fee -
// cash deducted - partner's fees - tax kept - costs + what was brought forward.
type Kept struct {
	CashDeducted   money.Amount
	PartnerFees    money.Amount // what the partner earns: charges, the share that is not paid out, the provision for invoices
	TaxKept        money.Amount // without that provision, which is part of the partner's fees
	Costs          money.Amount // contract, fuel and others less credits and what is given back of fuel
	BroughtForward money.Amount
}

// Of are those of a settlement.
func Of(f *engine.Figures) (k Kept, err error) {
	sum := func(plus, minus []engine.Figure) (total money.Amount) {
		for _, list := range []struct {
			of   []engine.Figure
			sign money.Amount
		}{{plus, 1}, {minus, -1}} {
			for _, figure := range list.of {
				if err == nil {
					total, err = total.Add(list.sign * f[figure])
				}
			}
		}
		return total
	}
	k = Kept{CashDeducted: f[engine.CashDeducted], BroughtForward: f[engine.PreviousPeriod],
		PartnerFees: sum([]engine.Figure{engine.Revenue, engine.SettlementCost, engine.AdditionalSettlementCost, engine.RateCost,
			engine.Provision}, []engine.Figure{engine.Fee, engine.PayoutBase}),
		TaxKept: sum([]engine.Figure{engine.TaxAfterOptimisation}, []engine.Figure{engine.Provision}),
		Costs: sum([]engine.Figure{engine.ContractCost, engine.FuelCost, engine.Costs},
			[]engine.Figure{engine.FuelRefund, engine.Credits})}
	return k, err
}

// Week is what the settlements of a week come to that are not revoked.
type Week struct {
	Period                              calendar.Period
	N                                   int64
	Revenue, Fee, CashDeducted          money.Amount
	PartnerFees, TaxKept, Costs         money.Amount
	BroughtForward, CarriedForward, Due money.Amount
	Payout                              money.Amount
}

// columns of a week.
const columns = `n, revenue, fee, cash_deducted, partner_fees, tax_kept, costs, brought_forward, carried_forward, due, payout`

// summed is what of a settlement is added up in each column of a week but the first.
var summed = []string{"revenue", "fee", "cash_deducted", "partner_fees", "tax_kept", "costs", "brought_forward", "next_period_transfer",
	"due", "payout"}

// change adds settlements of a condition to their weeks, or takes them off.
func change(tx *db.Tx, sign, condition string, args ...any) error {
	values, sets := `CAST(`+sign+`COUNT(*) AS BIGINT)`, ``
	for _, column := range summed {
		values += `, CAST(` + sign + `SUM(` + column + `) AS BIGINT)`
	}
	for i, column := range db.Columns(columns) {
		if i > 0 {
			sets += `, `
		}
		sets += column + ` = settlement_weeks.` + column + ` + excluded.` + column
	}
	_, err := tx.Exec(`INSERT INTO settlement_weeks (tenant_id, period, `+columns+`) SELECT $1, period, `+values+
		` FROM settlements WHERE tenant_id = $1 AND `+condition+` GROUP BY period ON CONFLICT (tenant_id, period) DO UPDATE SET `+sets, args...)
	return err
}

// Came adds settlements that were just stored, by their numbers.
func Came(tx *db.Tx, first, last int64) error {
	return change(tx, ``, `number BETWEEN $2 AND $3`, first, last)
}

// Went takes a settlement off that is revoked in this unit of work.
func Went(tx *db.Tx, id string) error {
	if err := change(tx, `-`, `id = $2`, id); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM settlement_weeks WHERE tenant_id = $1 AND n = 0 AND period = (SELECT period FROM settlements
		WHERE tenant_id = $1 AND id = $2)`, id)
	return err
}

// Weeks are those from the first to the last, in their order, that have settlements.
func Weeks(tx *db.Tx, first, last calendar.Period) ([]Week, error) {
	return db.Select[Week](tx, `SELECT period, `+columns+` FROM settlement_weeks WHERE tenant_id = $1 AND period BETWEEN $2 AND $3
		ORDER BY period`, string(first), string(last))
}

// stored is a settlement as its columns have it.
type stored struct {
	ID, Figures string
	Period      calendar.Period
	Kept
	Revenue, Fee, Due, Payout, NextPeriodTransfer money.Amount
}

// wrong is what differs from what the figures say.
type wrong struct {
	problems []consistency.Problem
	columns  map[string]Kept // of settlements, by id
	weeks    bool
}

// check compares the columns with the figures that the settlements kept, and the weeks with the settlements.
func check(tx *db.Tx) (w wrong, err error) {
	w.columns = map[string]Kept{}
	rows, read := map[calendar.Period]Week{}, 0
	if err := db.Each(tx, func(s *stored) error {
		if read++; read%1000 == 0 {
			tx.Yield()
		}
		figures, err := snapshot.ParseFigures(s.Figures)
		if err != nil {
			return err
		}
		should, err := Of(&figures)
		if err != nil {
			return fmt.Errorf("settlement %s: %w", s.ID, err)
		}
		if should != s.Kept {
			w.problems = append(w.problems, consistency.Problem{What: "columns of a settlement are its figures", ID: s.ID,
				Says: fmt.Sprintf("%v, the figures say %v", s.Kept, should)})
			w.columns[s.ID] = should
		}
		one := rows[s.Period]
		rows[s.Period] = Week{s.Period, one.N + 1, one.Revenue + s.Revenue, one.Fee + s.Fee, one.CashDeducted + should.CashDeducted,
			one.PartnerFees + should.PartnerFees, one.TaxKept + should.TaxKept, one.Costs + should.Costs,
			one.BroughtForward + should.BroughtForward, one.CarriedForward + s.NextPeriodTransfer, one.Due + s.Due, one.Payout + s.Payout}
		return nil
	}, `SELECT id, figures, period, cash_deducted, partner_fees, tax_kept, costs, brought_forward, revenue, fee, due, payout,
		next_period_transfer FROM settlements WHERE tenant_id = $1 AND state <> 'revoked'`); err != nil {
		return w, err
	}
	weeks, err := Weeks(tx, "", "9999-W53")
	if err != nil {
		return w, err
	}
	differ := func(period calendar.Period, is, should Week) {
		if is == should {
			return
		}
		w.weeks = true
		w.problems = append(w.problems, consistency.Problem{What: "sums of a week are those of its settlements", ID: string(period),
			Says: fmt.Sprintf("%+v, the settlements say %+v", is, should)})
	}
	for _, week := range weeks {
		differ(week.Period, week, rows[week.Period])
		delete(rows, week.Period)
	}
	for period, should := range rows {
		differ(period, Week{}, should)
	}
	slices.SortStableFunc(w.problems, func(a, b consistency.Problem) int { return cmp.Compare(a.What+a.ID, b.What+b.ID) })
	return w, nil
}

// Verify names what differs, after other problems.
func Verify(tx *db.Tx, problems []consistency.Problem) ([]consistency.Problem, error) {
	w, err := check(tx)
	return append(problems, w.problems...), err
}

// Mend makes columns and weeks what the figures say, and says what was wrong.
func Mend(tx *db.Tx) ([]consistency.Problem, error) {
	w, err := check(tx)
	if err != nil || len(w.problems) == 0 {
		return nil, err
	}
	for id, k := range w.columns {
		if _, err := db.Update(tx, "settlements", k, "id = $2", id); err != nil {
			return nil, err
		}
	}
	if w.weeks {
		if _, err := tx.Exec(`DELETE FROM settlement_weeks WHERE tenant_id = $1`); err != nil {
			return nil, err
		}
		if err := change(tx, ``, `state <> 'revoked'`); err != nil {
			return nil, err
		}
	}
	return w.problems, audit.Record(tx, audit.Change{Action: "settlements.mend_sums", Kind: "totals", ID: tx.Actor.Tenant,
		After: map[string]int{"sums": len(w.problems)}})
}

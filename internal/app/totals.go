package app

import (
	"context"
	"slices"

	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/settlements"
	"saldo/internal/settlements/sums"
)

// totalsKind is the job that compares sums with their rows, once a day.
const totalsKind = "program.totals"

// wrongTotals names which sums of transactions are not what their rows come to.
func wrongTotals(tx *db.Tx) (problems []settlements.Problem, err error) {
	found, err := ledger.Differences(tx)
	for _, one := range found {
		problems = append(problems, settlements.Problem{What: "sums are those of the rows", ID: one.Of, Says: one.String()})
	}
	return problems, err
}

// RepairTotals makes the sums of every partner what transactions and settlements come to, and says of each partner what was wrong.
// It looks on a snapshot first: where nothing is wrong nobody waits for it.
func (a *App) RepairTotals(ctx context.Context, each func(Verified)) error {
	var all []partners.Partner
	if err := a.db.Read(ctx, access.Program("totals"), func(tx *db.Tx) (err error) { all, err = partners.All(tx); return err }); err != nil {
		return err
	}
	for _, p := range all {
		v, who := Verified{Partner: p.Code}, access.ProgramFor(p.TenantID, "totals")
		if err := a.db.Read(ctx, who, func(tx *db.Tx) (err error) {
			if v.Problems, err = wrongTotals(tx); err == nil {
				v.Problems, err = sums.Verify(tx, v.Problems)
			}
			return err
		}); err != nil {
			return err
		}
		if len(v.Problems) > 0 {
			if err := a.db.Write(ctx, who, func(tx *db.Tx) (err error) {
				if v.Problems, err = wrongTotals(tx); err != nil {
					return err
				}
				if _, err = ledger.Mend(tx); err != nil {
					return err
				}
				kept, err := sums.Mend(tx)
				v.Problems = slices.Concat(v.Problems, kept)
				return err
			}); err != nil {
				return err
			}
		}
		each(v)
	}
	return nil
}

// checkTotals repairs sums that are wrong and says so in the log: they are kept with every change, so this is a mistake of the program.
func (a *App) checkTotals(ctx context.Context, run *jobs.Run) error {
	if err := a.RepairTotals(ctx, func(v Verified) {
		if len(v.Problems) > 0 {
			a.log.Error("sums were not those of their rows and were repaired", "partner", v.Partner, "sums", len(v.Problems),
				"first", v.Problems[0].String())
		}
	}); err != nil {
		return err
	}
	return run.Write(ctx, run.Finish)
}

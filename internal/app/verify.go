package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/ksef/sending"
	"saldo/internal/licences"
	"saldo/internal/licences/orders"
	"saldo/internal/partners"
	"saldo/internal/payouts"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// Verified is what the check of one partner's data found.
type Verified struct {
	Partner     string
	Settlements int64
	// ContractFiles is how many files of contracts were read and compared with their sums and seals.
	ContractFiles int
	Problems      []settlements.Problem
}

// Verify checks what must always hold of every partner's settlements and
// documents, each on one snapshot.
func (a *App) Verify(ctx context.Context, each func(Verified)) error {
	var all []partners.Partner
	err := a.db.Read(ctx, access.Program("verify"), func(tx *db.Tx) (err error) { all, err = partners.All(tx); return err })
	if err != nil {
		return err
	}
	for _, p := range all {
		v := Verified{Partner: p.Code}
		if err := a.db.Read(ctx, access.ProgramFor(p.TenantID, "verify"), func(tx *db.Tx) (err error) {
			if v.Settlements, err = db.One[int64](tx, `SELECT COUNT(*) FROM settlements WHERE tenant_id = $1`); err != nil {
				return err
			}
			if v.Problems, err = a.settlements.Verify(tx); err != nil {
				return err
			}
			totals, err := wrongTotals(tx)
			if err != nil {
				return err
			}
			v.Problems = append(v.Problems, totals...)
			batches, err := payouts.Verify(tx)
			if err != nil {
				return err
			}
			v.Problems = append(v.Problems, batches...)
			documents, err := a.billing.Verify(tx)
			if err != nil {
				return err
			}
			v.Problems = append(v.Problems, documents...)
			sent, err := sending.Verify(tx)
			if err != nil {
				return err
			}
			v.Problems = append(v.Problems, sent...)
			units, err := licences.Verify(tx)
			if err != nil {
				return err
			}
			sold, err := orders.Verify(tx)
			if err != nil {
				return err
			}
			for _, o := range sold {
				v.Problems = append(v.Problems, settlements.Problem{What: o.What, ID: o.ID, Says: o.Says})
			}
			for _, u := range units {
				v.Problems = append(v.Problems, settlements.Problem{What: u[0], ID: p.Code, Says: u[1]})
			}
			signed, files, err := a.contracts.Verify(ctx, tx)
			v.ContractFiles = files
			for _, p := range signed {
				v.Problems = append(v.Problems, settlements.Problem{What: "signed contracts stand", ID: p.Contract, Says: p.What})
			}
			return err
		}); err != nil {
			return err
		}
		each(v)
	}
	v := Verified{Partner: "(operator)"}
	if err := a.db.Read(ctx, access.Program("verify"), func(tx *db.Tx) error {
		numbers, err := orders.VerifyNumbers(tx)
		for _, n := range numbers {
			v.Problems = append(v.Problems, settlements.Problem{What: n.What, ID: n.ID, Says: n.Says})
		}
		return err
	}); err != nil {
		return err
	}
	if len(v.Problems) > 0 {
		each(v)
	}
	return nil
}

// Grant gives a partner more units of its licence and says how many are left.
func (a *App) Grant(ctx context.Context, code string, units int64, note string) (left int64, err error) {
	p, err := a.partner(ctx, code)
	if err != nil {
		return 0, err
	}
	err = a.db.Write(ctx, access.ProgramFor(p.TenantID, "operator"), func(tx *db.Tx) (err error) {
		if err := licences.Grant(tx, units, note); err != nil {
			return err
		}
		left, err = licences.Left(tx)
		return err
	})
	return left, err
}

// SetFeature switches a feature of a partner on or off.
func (a *App) SetFeature(ctx context.Context, code string, f partners.Feature, on bool) error {
	p, err := a.partner(ctx, code)
	if err != nil {
		return err
	}
	return a.db.Write(ctx, access.ProgramFor(p.TenantID, "operator"), func(tx *db.Tx) error { return partners.SetFeature(tx, f, on) })
}

// ImportSeal takes a seal that a partner bought, and says whose it is and until when it holds.
func (a *App) ImportSeal(ctx context.Context, code string, file []byte, password string) (name string, until time.Time, err error) {
	p, err := a.partner(ctx, code)
	if err != nil {
		return "", until, err
	}
	err = a.db.Write(ctx, access.ProgramFor(p.TenantID, "operator"), func(tx *db.Tx) (err error) {
		name, until, err = a.contracts.Keys().Import(tx, file, password)
		return err
	})
	return name, until, err
}

func (a *App) partner(ctx context.Context, code string) (p partners.Partner, err error) {
	err = a.db.Read(ctx, access.Program("operator"), func(tx *db.Tx) (err error) { p, err = partners.ByCode(tx, code); return err })
	if errors.Is(err, db.ErrNone) {
		err = fmt.Errorf("no partner has the code %q: check its spelling", code)
	}
	return p, err
}

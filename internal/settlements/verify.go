package settlements

import (
	"fmt"

	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/consistency"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
	"saldo/internal/settlements/sums"
)

// Problem is something in the data that must never be.
type Problem = consistency.Problem

// Verify checks every rule of a partner's settlements and names what is
// broken: nothing is lost, nothing counted twice, and each comes out of what
// it took exactly as it was kept.
func (d *Service) Verify(tx *db.Tx) (problems []Problem, err error) {
	if problems, err = consistency.Broken(tx); err != nil {
		return nil, err
	}
	if problems, err = d.verifyPending(tx, problems); err != nil {
		return nil, err
	}
	if problems, err = sums.Verify(tx, problems); err != nil {
		return nil, err
	}
	terms := map[string]*snapshot.Terms{}
	texts, err := db.Select[struct{ ID, Terms string }](tx, `SELECT id, terms FROM settlement_terms WHERE tenant_id = $1`)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		one, err := snapshot.ParseTerms(t.Terms)
		if err != nil {
			problems = append(problems, Problem{What: "terms can be read", ID: t.ID, Says: err.Error()})
			continue
		}
		terms[t.ID] = &one
	}
	for after := int64(0); ; {
		page, err := db.Select[Settlement](tx, settlementQuery+` AND s.number > $2 ORDER BY s.number LIMIT $3`, after, many)
		if err != nil || len(page) == 0 {
			return problems, err
		}
		after = page[len(page)-1].Number
		inputs, err := inputsOf(tx, page)
		if err != nil {
			return nil, err
		}
		for i := range page {
			problems = append(problems, page[i].verify(inputs[i], terms[page[i].TermsID])...)
		}
	}
}

// verifyPending names whose pending settlements cannot be computed.
func (d *Service) verifyPending(tx *db.Tx, problems []Problem) ([]Problem, error) {
	b, err := d.book(tx)
	if err != nil {
		return nil, err
	}
	chains, err := d.chains(tx, b, "", all)
	for _, c := range chains {
		if c.failed != nil {
			problems = append(problems, Problem{What: "what is pending can be computed", ID: c.ID, Says: c.failed.Error()})
		}
	}
	return problems, err
}

func (s *Settlement) verify(in engine.Input, t *snapshot.Terms) (problems []Problem) {
	name := fmt.Sprintf("number %d", s.Number)
	transfers, err := s.KeptTransfers()
	if err != nil {
		return []Problem{{What: "transfers can be read", ID: name, Says: err.Error()}}
	}
	var sum money.Amount
	for _, one := range transfers {
		sum += one.Amount
	}
	if sum != s.Payout {
		problems = append(problems, Problem{What: "transfers add up to the payout", ID: name, Says: sum.String()})
	}
	if s.State == Revoked || t == nil { // what it took is free again
		return problems
	}
	if _, err := s.from(in, t); err != nil {
		problems = append(problems, Problem{What: "a settlement comes out as it was kept", ID: name, Says: err.Error()})
	}
	return problems
}

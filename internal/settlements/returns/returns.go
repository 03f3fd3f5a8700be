// Package returns says what invoices bring their drivers: by the terms that hold now, or by those of the settlement that took them.
package returns

import (
	"maps"
	"slices"

	"saldo/internal/invoices"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
	"saldo/internal/settlements/snapshot"
)

// Of gives what each of the invoices brings, by their ids.
func Of(tx *db.Tx, s *settlements.Service, asked []invoices.Asked) (map[string]engine.Returned, error) {
	drivers, taken := map[string]bool{}, map[string]bool{}
	for i := range asked {
		if a := &asked[i]; a.SettlementID != "" {
			taken[a.SettlementID] = true
		} else {
			drivers[a.Canonical] = true
		}
	}
	now, err := s.TermsOf(tx, slices.Sorted(maps.Keys(drivers)))
	if err != nil {
		return nil, err
	}
	then, err := termsOf(tx, slices.Sorted(maps.Keys(taken)))
	if err != nil {
		return nil, err
	}
	found := make(map[string]engine.Returned, len(asked))
	for i := range asked {
		a := &asked[i]
		terms := now[a.Canonical]
		if a.SettlementID != "" {
			terms = then[a.SettlementID]
		}
		if found[a.ID], err = engine.ReturnOf(terms, a.Engine()); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// termsOf are the terms that settlements were made by.
func termsOf(tx *db.Tx, ids []string) (map[string]engine.Terms, error) {
	found, parsed := make(map[string]engine.Terms, len(ids)), map[string]engine.Terms{}
	for some := range slices.Chunk(ids, db.Most) {
		in, args := db.Filled(2, some)
		rows, err := db.Select[struct{ ID, TermsID, Terms string }](tx, `SELECT s.id, s.terms_id, t.terms FROM settlements s
			JOIN settlement_terms t ON t.tenant_id = s.tenant_id AND t.id = s.terms_id WHERE s.tenant_id = $1 AND s.id`+in, args...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if _, known := parsed[r.TermsID]; !known {
				t, err := snapshot.ParseTerms(r.Terms)
				if err != nil {
					return nil, err
				}
				parsed[r.TermsID] = t.Engine()
			}
			found[r.ID] = parsed[r.TermsID]
		}
	}
	return found, nil
}

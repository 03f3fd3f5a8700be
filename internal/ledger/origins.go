package ledger

import (
	"slices"

	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Origin says of a row what it does not say itself.
type Origin struct {
	EnteredBy string       // who entered it by hand, as they were called then; empty: a file or the program brought it
	Corrected *Transaction // the settled row that a file says anew, of which this one is the difference; nil: none
}

// Origins are where rows came from, by their ids. Rows that say it all themselves are not among them.
func Origins(tx *db.Tx, rows []Transaction) (map[string]Origin, error) {
	var entered, corrected []string
	for _, t := range rows {
		if t.ByHand() {
			entered = append(entered, t.enteredAs())
		}
		if t.Corrects != "" {
			corrected = append(corrected, t.Corrects)
		}
	}
	names, err := audit.Authors(tx, auditKind, actionAdd, entered)
	if err != nil {
		return nil, err
	}
	byID, err := some(tx, corrected)
	if err != nil {
		return nil, err
	}
	origins := map[string]Origin{}
	for _, t := range rows {
		o := Origin{Corrected: byID[t.Corrects]}
		if t.ByHand() {
			o.EnteredBy = names[t.enteredAs()]
		}
		if o != (Origin{}) {
			origins[t.ID] = o
		}
	}
	return origins, nil
}

// enteredAs is the id of what a person entered: cash follows what was paid by itself.
func (t Transaction) enteredAs() string {
	if t.isTwin() {
		return t.TwinID
	}
	return t.ID
}

// some are the transactions with the ids, whosever they are.
func some(tx *db.Tx, ids []string) (map[string]*Transaction, error) {
	byID := make(map[string]*Transaction, len(ids))
	for chunk := range slices.Chunk(ids, idsAtOnce) {
		in, args := db.Among(2, chunk)
		found, err := db.Select[Transaction](tx, `SELECT `+columns+` FROM transactions WHERE tenant_id = $1 AND id`+in, args...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			byID[found[i].ID] = &found[i]
		}
	}
	return byID, nil
}

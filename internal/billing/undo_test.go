package billing_test

import (
	"saldo/internal/db"
	"saldo/internal/settlement"
)

func unpaidAndRevoked(tx *db.Tx, w *desk, id string) error {
	if err := settlement.Unmark(tx, id); err != nil {
		return err
	}
	return w.Settlements.Revoke(tx, id, "wrong file")
}

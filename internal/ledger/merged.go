package ledger

import (
	"errors"

	"saldo/internal/platform/db"
)

// MoveUnsettled notes which transactions go over, and moves them. Deleted ones
// go too: somebody may bring them back.
func MoveUnsettled(tx *db.Tx, mergeID, from, to string) error {
	if _, err := tx.Exec(`INSERT INTO driver_merge_transactions (tenant_id, merge_id, transaction_id)
		SELECT $1, $2, id FROM transactions WHERE tenant_id = $1 AND driver_id = $3 AND settlement_id = '' ON CONFLICT DO NOTHING`, mergeID,
		from); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE transactions SET driver_id = $3, updated_at = $4 WHERE tenant_id = $1 AND driver_id = $2 AND settlement_id = ''`,
		from, to, tx.Now)
	return err
}

// FollowMerge gives what became unsettled of somebody who was merged to whoever
// stands for them, as the merge itself would have. Whatever frees settled
// transactions of a driver calls it, or they would be in nobody's settlement.
func FollowMerge(tx *db.Tx, driverID string) error {
	for {
		m, err := db.One[struct{ ID, KeptID string }](tx, `SELECT id, kept_id FROM driver_merges WHERE tenant_id = $1 AND merged_id = $2
			AND undone_at = ''`, driverID)
		if errors.Is(err, db.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := MoveUnsettled(tx, m.ID, driverID, m.KeptID); err != nil {
			return err
		}
		driverID = m.KeptID
	}
}

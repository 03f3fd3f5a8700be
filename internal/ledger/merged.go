package ledger

import (
	"errors"
	"slices"

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
	moved, err := sumsOf(tx, `driver_id = $2 AND settlement_id = ''`, from)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE transactions SET driver_id = $3, updated_at = $4 WHERE tenant_id = $1 AND driver_id = $2
		AND settlement_id = ''`, from, to, tx.Now); err != nil {
		return err
	}
	return movesTo(tx, moved, to)
}

// MoveBack gives the transactions that a merge moved back to whom they were of, as far as they are still the kept driver's.
func MoveBack(tx *db.Tx, mergeID, merged, kept string) error {
	// whose they are is asked in CASE: as a condition it made PostgreSQL look for every one of them among all of the driver's
	const noted = ` id IN (SELECT transaction_id FROM driver_merge_transactions WHERE tenant_id = $1 AND merge_id = $2)`
	moved, err := sumsOf(tx, noted, mergeID)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE transactions SET driver_id = CASE WHEN driver_id = $5 THEN $3 ELSE driver_id END, updated_at = $4
		WHERE tenant_id = $1 AND`+noted, mergeID, merged, tx.Now, kept); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM driver_merge_transactions WHERE tenant_id = $1 AND merge_id = $2`, mergeID); err != nil {
		return err
	}
	return movesTo(tx, slices.DeleteFunc(moved, func(g grouped) bool { return g.DriverID != kept }), merged)
}

// TakeBackCarried deletes the transactions that a settlement left for the driver's next period. None of them is settled.
func TakeBackCarried(tx *db.Tx, settlementID string) error {
	ids, err := db.Select[string](tx, `SELECT transaction_id FROM settlement_carries WHERE tenant_id = $1 AND settlement_id = $2
		AND transaction_id <> ''`, settlementID)
	if err != nil {
		return err
	}
	return recounted(tx, ids, func() error { return deleteRows(tx, ids) })
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

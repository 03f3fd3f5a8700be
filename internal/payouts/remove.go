package payouts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// standing is the condition that a transfer t of a batch b counts as money that
// the driver gets: the batch is live and nobody says that it came back.
const standing = `b.state <> 'cancelled'
	AND NOT EXISTS (SELECT 1 FROM payout_outcomes o WHERE o.tenant_id = t.tenant_id AND o.batch = t.batch AND o.place = t.place
	AND o.outcome = 'returned')
	AND NOT EXISTS (SELECT 1 FROM payout_removals x WHERE x.tenant_id = t.tenant_id AND x.batch = t.batch AND x.place = t.place
	AND x.returned)`

const standingTransfers = ` FROM payout_transfers t JOIN payout_batches b ON b.tenant_id = t.tenant_id AND b.number = t.batch
	WHERE t.tenant_id = $1 AND ` + standing

// paidBefore are the transfers that stand of settlements which are in no batch
// now, by settlement and purpose: parts of payouts whose other parts came back.
func paidBefore(tx *db.Tx) (map[string]map[string]money.Amount, error) {
	rows, err := db.Select[struct {
		SettlementID, Purpose string
		Amount                money.Amount
	}](tx, `SELECT t.settlement_id, t.purpose, t.amount`+standingTransfers+`
		AND EXISTS (SELECT 1 FROM payout_removals r WHERE r.tenant_id = t.tenant_id AND r.settlement_id = t.settlement_id)
		AND EXISTS (SELECT 1 FROM settlements s WHERE s.tenant_id = t.tenant_id AND s.id = t.settlement_id AND s.batch = 0)`)
	before := map[string]map[string]money.Amount{}
	for _, r := range rows {
		if before[r.SettlementID] == nil {
			before[r.SettlementID] = map[string]money.Amount{}
		}
		before[r.SettlementID][r.Purpose] += r.Amount
	}
	return before, err
}

// standingOf is how much of a settlement's payout its driver gets or got.
func standingOf(tx *db.Tx, settlementID string) (money.Amount, error) {
	return db.One[money.Amount](tx, `SELECT CAST(COALESCE(SUM(t.amount), 0) AS BIGINT)`+standingTransfers+` AND t.settlement_id = $2`,
		settlementID)
}

// Remove takes a settlement that is not paid in whole out of a released batch:
// what came back can be paid anew, what was paid stays paid. A person may say
// of further transfers that they came back, by their places.
func Remove(tx *db.Tx, number int64, settlementID string, returned []int64, reason string) error {
	if reason = strings.TrimSpace(reason); reason == "" {
		return ErrInvalid.Field("reason", fault.Required)
	} else if len([]rune(reason)) > ReasonMax {
		return ErrInvalid.Field("reason", fault.TooLong)
	}
	b, err := Of(tx, number)
	if err != nil {
		return err
	}
	switch b.State {
	case Cancelled:
		return ErrCancelled.With("number", number)
	case Proposed:
		return ErrNotReleased.With("number", number)
	}
	s, err := settlements.Of(tx, settlementID)
	if errors.Is(err, settlements.ErrNotFound) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	if s.State == settlements.Paid {
		return settlements.ErrPaid.With("number", s.Number)
	}
	if s.Batch != number {
		return ErrNotInBatch.With("number", number)
	}
	if err := removeTransfers(tx, number, settlementID, returned, reason); err != nil {
		return err
	}
	stands, err := standingOf(tx, settlementID)
	if err != nil {
		return err
	}
	if stands >= s.Payout {
		return ErrNothingReturned.With("number", s.Number)
	}
	if err := s.TellReturned(tx); err != nil {
		return err
	}
	if err := settlements.GiveBack(tx, settlementID); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "payouts.remove", Kind: kindOfBatch, ID: fmt.Sprint(number),
		After: map[string]any{"settlement": s.Number, "paid": stands, "toPay": s.Payout - stands}, Reason: reason})
}

func removeTransfers(tx *db.Tx, number int64, settlementID string, returned []int64, reason string) error {
	transfers, err := db.Select[struct {
		Place int64
		Back  bool
	}](tx, `SELECT t.place, EXISTS (SELECT 1 FROM payout_outcomes o WHERE o.tenant_id = t.tenant_id AND o.batch = t.batch
		AND o.place = t.place AND o.outcome = 'returned') AS back
		FROM payout_transfers t WHERE t.tenant_id = $1 AND t.batch = $2 AND t.settlement_id = $3 ORDER BY t.place`, number, settlementID)
	if err != nil {
		return err
	}
	for _, place := range returned {
		if !slices.ContainsFunc(transfers, func(t struct {
			Place int64
			Back  bool
		}) bool {
			return t.Place == place
		}) {
			return ErrInvalid.Field("returned", fault.WrongFormat)
		}
	}
	for _, t := range transfers {
		if _, err := tx.Exec(`INSERT INTO payout_removals (tenant_id, batch, place, settlement_id, returned, reason, removed_at, removed_by)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			number, t.Place, settlementID, t.Back || slices.Contains(returned, t.Place), reason, tx.Now, tx.Actor.Name); err != nil {
			return err
		}
	}
	return nil
}

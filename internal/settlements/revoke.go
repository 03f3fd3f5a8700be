package settlements

import (
	"saldo/internal/imports"
	"saldo/internal/invoices"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/sums"
	"saldo/internal/tracking"
)

// ReasonMax is how long a reason may be, in characters.
const ReasonMax = 500

// Undoing is what revoking a settlement takes back.
type Undoing struct {
	Settlement
	Absorbed []calendar.Period // periods that are open again
	Carries  []Carry           // that are deleted
	Refusal  error             // why it cannot be revoked; nil: it can
}

// UndoingOf shows what revoking would take back.
func UndoingOf(tx *db.Tx, id string) (u Undoing, err error) {
	if u.Settlement, err = Of(tx, id); err != nil {
		return u, err
	}
	closed, err := absorbedBy(tx, id)
	if err != nil {
		return u, err
	}
	for _, a := range closed {
		u.Absorbed = append(u.Absorbed, a.Period)
	}
	if u.Carries, err = CarriesOf(tx, id); err != nil {
		return u, err
	}
	u.Refusal, err = u.refusal(tx)
	return u, err
}

// refusal says why a settlement cannot be revoked: because of what it is, or
// because a later one builds on it, by what it carried or by what it charged.
func (s *Settlement) refusal(tx *db.Tx) (refusal, err error) {
	if s.State == Paid {
		return ErrPaid.With("number", s.Number), nil
	}
	if refusal := s.actable(); refusal != nil {
		return refusal, nil
	}
	if s.Batch > 0 {
		return ErrInBatch.With("batch", s.Batch), nil
	}
	later, err := db.Select[numbered](tx, `SELECT l.id, l.number FROM settlement_carries c JOIN transactions t ON t.tenant_id = c.tenant_id
		AND t.id = c.transaction_id
		JOIN settlements l ON l.tenant_id = t.tenant_id AND l.id = t.settlement_id WHERE c.tenant_id = $1 AND c.settlement_id = $2
		AND c.transaction_id <> '' ORDER BY l.number`, s.ID)
	if err != nil {
		return nil, err
	}
	if len(later) > 0 {
		return ErrCarried.With("settlement", later[0].ID).With("number", later[0].Number), nil
	}
	if later, err = db.Select[numbered](tx, `SELECT DISTINCT l.id, l.number FROM settlement_bases b
		JOIN settlements l ON l.tenant_id = b.tenant_id AND l.id = b.settlement_id
		WHERE b.tenant_id = $1 AND b.base_id IN (SELECT id FROM settlements WHERE tenant_id = $1 AND absorbed_into = $2 AND absorbed_into <> ''
		UNION ALL SELECT $2) AND l.state <> 'revoked' ORDER BY l.number`, s.ID); err != nil {
		return nil, err
	}
	if len(later) > 0 {
		return ErrCarried.With("settlement", later[0].ID).With("number", later[0].Number), nil
	}
	return nil, nil
}

type numbered struct {
	ID     string
	Number int64
}

// Revoke takes a settlement back: what it took is unsettled again, what it
// carried is deleted, what it absorbed is open, and its unit of the licence is
// given back. Its number is not used again.
func (d *Service) Revoke(tx *db.Tx, id, reason string) error {
	form := validate.New(ErrInvalid)
	if reason = form.Text("reason", reason, ReasonMax, true); form.Err() != nil {
		return form.Err()
	}
	u, err := UndoingOf(tx, id)
	if err != nil {
		return err
	}
	if u.Refusal != nil {
		return u.Refusal
	}
	closed, err := absorbedBy(tx, id)
	if err != nil {
		return err
	}
	ids := []string{}
	for _, one := range append(closed, absorbed{id, u.DriverID, u.Period, u.Weeks, u.FirstOn, u.LastOn}) {
		if err := free(tx, one, reason); err != nil {
			return err
		}
		ids = append(ids, one.ID)
	}
	if err := ledger.TakeBackCarried(tx, id); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM settlement_carries WHERE tenant_id = $1 AND settlement_id = $2`, id); err != nil {
		return err
	}
	if err := licences.GiveBack(tx, 1); err != nil {
		return err
	}
	if err := settledOn(tx, u.DriverID, u.MergedInto); err != nil {
		return err
	}
	if err := ledger.FollowMerge(tx, u.DriverID); err != nil {
		return err
	}
	// what a later file said anew could only be corrected while it was settled
	if err := imports.Reconcile(tx); err != nil {
		return err
	}
	if d.AfterRevoke != nil {
		if err := d.AfterRevoke(tx, ids); err != nil {
			return err
		}
	}
	return audit.Record(tx, audit.Change{Action: "settlements.revoke", Kind: kindOfSettlement, ID: id,
		Before: map[string]any{"number": u.Number, "period": u.Period, "payout": u.Payout}, Reason: reason})
}

// free revokes one settlement and lets go of what it took.
func free(tx *db.Tx, one absorbed, reason string) error {
	if err := sums.Went(tx, one.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE settlements SET state = 'revoked', revoked_at = $3, revoked_by = $4, revoke_reason = $5 WHERE tenant_id = $1
		AND id = $2`, one.ID, tx.Now, tx.Actor.Name, reason); err != nil {
		return err
	}
	if err := messages.TakeBack(tx, one.ID, messages.SettlementShared, messages.SettlementPaid, messages.PayoutReturned); err != nil {
		return err
	}
	if err := invoices.Free(tx, one.ID); err != nil {
		return err
	}
	if err := tracking.Free(tx, one.ID); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE transactions SET settlement_id = '' WHERE tenant_id = $1 AND driver_id = $2 AND occurred_on BETWEEN $3 AND $4
		AND settlement_id = $5`, one.DriverID, string(one.FirstOn), string(one.LastOn), one.ID)
	return err
}

// settledOn finds anew which day of a driver is the last settled one.
func settledOn(tx *db.Tx, ids ...string) error {
	for _, id := range ids {
		if id == "" {
			continue
		}
		if _, err := tx.Exec(`UPDATE drivers SET settled_on = COALESCE((SELECT MAX(s.last_on) FROM settlements s WHERE s.tenant_id = $1
			AND s.driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into = $2 AND merged_into <> '' UNION ALL SELECT $2)
			AND s.state <> 'revoked'), '') WHERE tenant_id = $1 AND id = $2`, id); err != nil {
			return err
		}
	}
	return nil
}

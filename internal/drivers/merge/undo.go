package merge

import (
	"errors"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/ledger"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "drivers.merge_not_found")
	ErrUndone   = fault.Declare(fault.Conflict, "drivers.merge_undone")
	// ErrSettled is the answer to undoing a merge of which something was settled since.
	ErrSettled = fault.Declare(fault.Conflict, "drivers.merge_settled")
	// ErrFollowed is the answer to undoing a merge before a later one of the same driver.
	ErrFollowed = fault.Declare(fault.Conflict, "drivers.merge_followed")
)

// Record is one merge that stands, as the kept driver shows it.
type Record struct {
	ID              string
	Other           drivers.Name
	At              time.Time
	By, Reason      string
	Transactions    int64        // how many moved
	Stays           []string     // fields that were changed by hand since and would stay so
	NeedsFreshLogin bool         // undoing it sends somebody's money to another account
	Refusal         *fault.Fault // why it cannot be undone; nil: it can
}

type row struct {
	ID, KeptID, MergedID          string
	KeptVersion                   int64
	MergedAt                      time.Time
	MergedBy, Reason, StateSealed string
	UndoneAt                      string
}

const mergeColumns = `id, kept_id, merged_id, kept_version, merged_at, merged_by, reason, state_sealed, undone_at`

// List are the merges of a driver that stand, newest first, each with
// whether it can be undone.
func List(tx *db.Tx, b drivers.Service, driverID string) ([]Record, error) {
	if err := drivers.Exists(tx, driverID); err != nil {
		return nil, err
	}
	rows, err := db.Select[row](tx, `SELECT `+mergeColumns+
		` FROM driver_merges WHERE tenant_id = $1 AND kept_id = $2 AND undone_at = '' ORDER BY kept_version DESC`, driverID)
	if err != nil {
		return nil, err
	}
	merges := make([]Record, len(rows))
	for i, r := range rows {
		if merges[i], err = mergeOf(tx, b, r); err != nil {
			return nil, err
		}
	}
	return merges, nil
}

func mergeOf(tx *db.Tx, b drivers.Service, r row) (m Record, err error) {
	m = Record{ID: r.ID, At: r.MergedAt, By: r.MergedBy, Reason: r.Reason}
	if m.Other, err = drivers.Named(tx, r.MergedID); err != nil {
		return m, err
	}
	if m.Transactions, err = db.One[int64](tx, `SELECT COUNT(*) FROM driver_merge_transactions WHERE tenant_id = $1 AND merge_id = $2`,
		r.ID); err != nil {
		return m, err
	}
	undone, err := back(tx, b, r)
	if err != nil {
		return m, err
	}
	m.Stays = undone.stays
	m.NeedsFreshLogin = undone.now.IBAN != undone.kept.IBAN || undone.other.IBAN != undone.now.IBAN
	if err = r.refusesUndo(tx); errors.As(err, &m.Refusal) {
		err = nil
	}
	return m, err
}

// refusesUndo says why a merge cannot be undone. Merges of one driver are
// undone in reverse order, and none once something that moved was settled.
func (r row) refusesUndo(tx *db.Tx) error {
	if r.UndoneAt != "" {
		return ErrUndone
	}
	later, err := db.One[int64](tx, `SELECT COUNT(*) FROM driver_merges WHERE tenant_id = $1 AND undone_at = ''
		AND (merged_id = $2 OR kept_id = $2 AND kept_version > $3)`,
		r.KeptID, r.KeptVersion)
	if err != nil {
		return err
	}
	if later > 0 {
		return ErrFollowed
	}
	settled, err := db.One[int64](tx, `SELECT COUNT(*) FROM driver_merge_transactions m JOIN transactions t ON t.tenant_id = m.tenant_id
		AND t.id = m.transaction_id
		WHERE m.tenant_id = $1 AND m.merge_id = $2 AND t.settlement_id <> ''`, r.ID)
	if err == nil && settled > 0 {
		return ErrSettled
	}
	return err
}

// way is the way back from a merge.
type way struct {
	state state
	now   side // the kept driver
	kept  side // what it will be
	other side // with the account link and the schema that it will have
	stays []string
}

// back is what undoing would leave: each field that is still as the merge made
// it becomes what it was before, and what somebody changed by hand since stays.
func back(tx *db.Tx, b drivers.Service, r row) (w way, err error) {
	if w.state, err = openState(tx, b, r.StateSealed); err != nil {
		return w, err
	}
	if w.now, err = sideOf(tx, b.Vault, r.KeptID); err != nil {
		return w, err
	}
	if w.other, err = sideOf(tx, b.Vault, r.MergedID); err != nil {
		return w, err
	}
	w.kept, w.stays = w.now, []string{}
	before, after := &w.state.Before, &w.state.After
	if before.SchemaNumber, err = currentSchema(tx, before.SchemaNumber, after.SchemaNumber); err != nil {
		return w, err
	}
	for _, f := range mergeFields {
		switch {
		case f.same(before, after):
		case f.same(&w.now, after):
			f.copy(&w.kept, before)
		default:
			w.stays = append(w.stays, f.name)
		}
	}
	if w.state.AccountID != "" && w.now.AccountID == w.state.AccountID {
		w.other.AccountID = w.state.AccountID // unless the account went elsewhere since
	}
	w.other.SchemaNumber, err = currentSchema(tx, w.other.SchemaNumber, 0)
	return w, err
}

// currentSchema is the schema, or another where it was deleted meanwhile:
// no merged driver keeps a schema from being deleted.
func currentSchema(tx *db.Tx, number, instead int64) (int64, error) {
	if number == 0 {
		return 0, nil
	}
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM schemas WHERE tenant_id = $1 AND number = $2 AND deleted_at = ''`, number)
	if err == nil && n == 0 {
		return instead, nil
	}
	return number, err
}

// Undo makes two drivers of one again: exactly the transactions and
// identities that moved go back, as far as they are still the kept one's, and
// what came since stays with the kept one.
func Undo(tx *db.Tx, b drivers.Service, id string) error {
	r, err := db.One[row](tx, `SELECT `+mergeColumns+` FROM driver_merges WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	if err := r.refusesUndo(tx); err != nil {
		return err
	}
	w, err := back(tx, b, r)
	if err != nil {
		return err
	}
	if err := redirect(tx, b, w.now, w.kept.IBAN, w.other, w.now.IBAN); err != nil {
		return err
	}
	n, err := tx.Exec(`UPDATE driver_merges SET undone_at = $3, undone_by = $4, state_sealed = '' WHERE tenant_id = $1 AND id = $2
		AND undone_at = ''`, id, tx.Now, tx.Actor.Name)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrUndone
	}
	if err := write(tx, b, w.kept); err != nil {
		return err
	}
	if err := giveBack(tx, r, w); err != nil {
		return err
	}
	for _, side := range []side{w.kept, w.other} {
		if err := drivers.BlockProfile(tx, side.AccountID, side.Blocked); err != nil {
			return err
		}
	}
	return recordBoth(tx,
		audit.Change{Action: "drivers.unmerge", ID: r.KeptID, Before: w.now.auditView(w.now, w.other.name()), After: w.kept.auditView(w.now, "")},
		audit.Change{Action: "drivers.unmerge_away", ID: r.MergedID, Before: map[string]string{"mergedInto": w.now.name()}})
}

// giveBack lets the other driver stand again, with what was theirs.
func giveBack(tx *db.Tx, r row, w way) error {
	if _, err := tx.Exec(`UPDATE drivers SET merged_into = '', account_id = $3, schema_number = $4, version = version + 1, updated_at = $5
		WHERE tenant_id = $1 AND id = $2`,
		r.MergedID, w.other.AccountID, w.other.SchemaNumber, tx.Now); err != nil {
		return err
	}
	for _, follower := range w.state.Followers {
		if _, err := tx.Exec(`UPDATE drivers SET merged_into = $3 WHERE tenant_id = $1 AND id = $2 AND merged_into = $4`, follower, r.MergedID,
			r.KeptID); err != nil {
			return err
		}
	}
	for _, i := range w.state.Identities {
		if _, err := tx.Exec(`UPDATE driver_identities SET driver_id = $5 WHERE tenant_id = $1 AND provider = $2 AND value = $3
			AND driver_id = $4`,
			i.Provider, i.Value, r.KeptID, r.MergedID); err != nil {
			return err
		}
	}
	for _, tag := range w.state.Tags {
		if _, err := tx.Exec(`DELETE FROM driver_tags WHERE tenant_id = $1 AND driver_id = $2 AND tag_id = $3`, r.KeptID, tag); err != nil {
			return err
		}
	}
	return ledger.MoveBack(tx, r.ID, r.MergedID, r.KeptID)
}

package messages_test

import (
	"testing"

	"saldo/internal/drivers/merge"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
)

// A deleted note comes back as it was, also after a merge, with all copies; again it is not there to restore.
func TestDeletingANote_IsUndone(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example", "c@drivers.example")
		board := []messages.Channel{messages.Board}
		m := w.commission(t, draft(board, ids...))
		hide := func(driver, note string) func(*db.Tx) error {
			return func(tx *db.Tx) error { return messages.Hide(tx, driver, note) }
		}
		restore := func(driver, note string) func(*db.Tx) error {
			return func(tx *db.Tx) error { return messages.Restore(tx, driver, note) }
		}
		note := w.board(t, ids[1])[0].ID
		w.refused(t, messages.ErrNotFound, restore(ids[1], note)) // is not deleted
		w.write(t, func(tx *db.Tx) error { return messages.Read(tx, ids[1], note) })
		w.write(t, hide(ids[1], note))
		w.refused(t, messages.ErrNotFound, restore(ids[2], note)) // somebody else's
		w.write(t, func(tx *db.Tx) error {
			_, err := merge.Drivers(tx, w.book, merge.Order{Kept: ids[0], Other: ids[1], KeptVersion: 1, OtherVersion: 1, Reason: "the same"})
			return err
		})
		if got := w.board(t, ids[0]); len(got) != 0 { // deleted in one copy is deleted
			t.Fatalf("%+v", got)
		}
		w.write(t, restore(ids[0], note))
		if got := w.board(t, ids[0]); len(got) != 1 || got[0].ReadAt.IsZero() {
			t.Errorf("%+v", got)
		}
		w.refused(t, messages.ErrNotFound, restore(ids[0], note))
		w.write(t, hide(ids[0], note))
		w.write(t, func(tx *db.Tx) error { return messages.Withdraw(tx, m.ID) })
		w.refused(t, messages.ErrNotFound, restore(ids[0], note))
	})
}

// What was revoked while its note was deleted does not come back; what happens again does.
func TestDeletingANote_IsNotUndoneWhereItHoldsNoLonger(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		driver := w.hired(t, "pl", "a@drivers.example")[0]
		w.tell(t, driver, "s1")
		note := w.board(t, driver)[0].ID
		w.write(t, func(tx *db.Tx) error { return messages.Hide(tx, driver, note) })
		w.write(t, func(tx *db.Tx) error { return messages.TakeBack(tx, "s1", messages.SettlementPaid) })
		w.refused(t, messages.ErrNotFound, func(tx *db.Tx) error { return messages.Restore(tx, driver, note) })
		w.tell(t, driver, "s1")
		w.write(t, func(tx *db.Tx) error { return messages.Hide(tx, driver, note) })
		w.write(t, func(tx *db.Tx) error { return messages.Restore(tx, driver, note) })
		if got := w.board(t, driver); len(got) != 1 {
			t.Errorf("%+v", got)
		}
	})
}

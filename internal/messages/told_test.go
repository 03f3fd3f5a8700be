package messages_test

import (
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/messages/push"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// The devices of a driver are told of a note once, where there are any, and not of one that was read meanwhile.
func TestNotes_AreToldToDevices(t *testing.T) {
	each(t, func(t *testing.T, w *fixture) {
		ids := w.hired(t, "pl", "a@drivers.example", "b@drivers.example")
		devices, err := vault.Open(testkit.Key)
		if err != nil {
			t.Fatal(err)
		}
		w.Push = push.New(w.db, devices, "saldo@fleet.example")
		account := access.Actor{Role: access.Driver, Person: "account-1", ID: "account-1"}
		// a push service that cannot be reached from here: what is counted is that it was tried
		key := "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
		testkit.Write(t, w.db, access.ProgramFor("account-1", "test"), func(tx *db.Tx) error {
			return w.Push.Subscribe(tx, account, push.Subscription{Endpoint: "https://push.invalid/1", P256dh: key, Auth: "tBHItJI5svbpez7KI4CCXg"})
		})
		w.write(t, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET account_id = 'account-1' WHERE tenant_id = $1 AND id = $2`, ids[0])
			return err
		})
		waiting := func() (n int64) {
			testkit.Read(t, w.db, anna, func(tx *db.Tx) (err error) {
				n, err = db.One[int64](tx, `SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND kind = 'messages.push' AND state = 'waiting'`)
				return err
			})
			return n
		}
		board := []messages.Channel{messages.Board}
		read := w.commission(t, draft(board, ids...))
		if waiting() != 1 {
			t.Fatalf("%d reminders", waiting())
		}
		for _, n := range w.board(t, ids[0]) {
			if n.MessageID == read.ID {
				w.write(t, func(tx *db.Tx) error { return messages.Read(tx, ids[0], n.ID) })
			}
		}
		w.write(t, func(tx *db.Tx) error {
			return messages.Tell(tx, messages.Notice{Kind: messages.SettlementPaid, DriverID: ids[0], ObjectID: "s1"})
		})
		w.work(t)
		testkit.Eventually(t, "every reminder is done", func() bool { return waiting() == 0 })
		testkit.Eventually(t, "one was tried", func() bool { return w.failures(t) == 1 })
		no := false
		w.choose(t, ids[0], messages.ChoiceChange{NotePush: &no}) // messages of the partner are not meant
		w.tell(t, ids[0], "s2")
		w.commission(t, draft(board, ids[0]))
		testkit.Eventually(t, "the message alone was tried", func() bool { return waiting() == 0 && w.failures(t) >= 2 && w.jobsDone(t) })
		if n := w.failures(t); n != 2 {
			t.Errorf("%d tries", n)
		}
	})
}

// failures are how often the device of account-1 was told in vain.
func (w *fixture) failures(t *testing.T) (n int64) {
	t.Helper()
	testkit.Read(t, w.db, access.ProgramFor("account-1", "test"), func(tx *db.Tx) (err error) {
		n, err = db.One[int64](tx, `SELECT failures FROM push_subscriptions WHERE tenant_id = $1`)
		return err
	})
	return n
}

//go:build bench

package bench

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"saldo/internal/messages"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/testkit"
)

const messageDrivers = 5_000

// TestMessages writes to five thousand drivers by board and mail: how long ordering and placing take, how long others wait meanwhile, and
// how long the unread notes of a driver with ten thousand take to count. Absolute: the goals are 1 s, 10 s, 300 ms and 2 ms.
func TestMessages(t *testing.T) {
	for _, engine := range engines() {
		h := open(t, engine)
		if err := h.Populate(ctx, north.Tenant, messageDrivers, func(int) {}); err != nil {
			t.Fatal(err)
		}
		instance, err := config.InstanceOf("pl")
		if err != nil {
			t.Fatal(err)
		}
		v, server := testkit.Vault(t, h.keyFile), testkit.NewSMTP(t)
		sender, err := mail.Open(server.URL(), "")
		if err != nil {
			t.Fatal(err)
		}
		service := &messages.Service{Instance: instance, Vault: v, PublicURL: "https://saldo.example",
			Mails: mail.NewQueue(v, sender, mail.Address{Name: "Saldo", Address: "saldo@fleet.example"})}
		testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE drivers SET email = 'd' || id || '@drivers.example' WHERE tenant_id = $1`)
			return err
		})
		var expects int64
		draft := messages.Draft{Text: messages.Text{Language: "pl", Topic: "Święto", Content: "Cześć {first_name}, w poniedziałek **nie** pracujemy."},
			Channels: []messages.Channel{messages.Board, messages.Mail}, To: messages.Audience{Everybody: true}}
		testkit.Read(t, h.DB(), clerk, func(tx *db.Tx) error {
			p, err := service.Preview(tx, draft)
			expects = p.Recipients
			return err
		})
		draft.Expects = expects
		var m messages.Message
		ordering := seconds(t, func() error {
			return h.DB().Write(ctx, clerk, func(tx *db.Tx) (err error) { m, err = service.Commission(tx, draft); return err })
		})
		testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE jobs SET run_at = $2 WHERE tenant_id = $1 AND kind = 'messages.send'`, tx.Now)
			return err
		})
		var longest time.Duration
		ended := make(chan struct{})
		var waiting sync.WaitGroup
		waiting.Go(func() { // somebody who writes meanwhile
			for {
				select {
				case <-ended:
					return
				case <-time.After(20 * time.Millisecond):
				}
				from := time.Now()
				if err := h.DB().Write(ctx, clerk, func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE drivers SET updated_at = $2 WHERE tenant_id = $1 AND id = (SELECT MIN(id) FROM drivers WHERE tenant_id = $1)`, tx.Now)
					return err
				}); err != nil {
					t.Error(err)
				}
				longest = max(longest, time.Since(from))
			}
		})
		q := jobs.NewQueue(h.DB(), slog.New(slog.DiscardHandler))
		q.Poll = 5 * time.Millisecond
		q.Handle(messages.SendKind, service.Send)
		running, cancel := context.WithCancel(ctx)
		var stopped sync.WaitGroup
		stopped.Go(func() { q.Run(running, 4) })
		placing := seconds(t, func() error {
			testkit.Eventually(t, "it is placed", func() (done bool) {
				testkit.Read(t, h.DB(), clerk, func(tx *db.Tx) error {
					one, err := messages.Of(tx, m.ID)
					done = one.State == messages.Done
					return err
				})
				return done
			})
			return nil
		})
		close(ended)
		waiting.Wait()
		cancel()
		stopped.Wait()
		var driver string
		testkit.Write(t, h.DB(), clerk, func(tx *db.Tx) (err error) {
			if driver, err = db.One[string](tx, `SELECT MIN(id) FROM drivers WHERE tenant_id = $1`); err != nil {
				return err
			}
			for n := range 10_000 {
				if err := messages.Tell(tx, messages.Notice{Kind: messages.SettlementPaid, DriverID: driver, ObjectID: fmt.Sprint(n)}); err != nil {
					return err
				}
			}
			return nil
		})
		const asked = 200
		counting := seconds(t, func() error {
			return h.DB().Read(ctx, clerk, func(tx *db.Tx) error {
				for range asked {
					if _, err := messages.Unread(tx, driver); err != nil {
						return err
					}
				}
				return nil
			})
		})
		fmt.Printf("| message to %d drivers, board and mail, %s: ordered, placed, longest wait of others | %.2f s, %.1f s, %d ms | goal 1 s, 10 s, 300 ms | | |\n", expects, engine, ordering, placing, longest.Milliseconds())
		fmt.Printf("| unread of 10,001 notes counted, %s | %.2f ms | goal 2 ms | | |\n", engine, 1000*counting/asked)
		h.close(t)
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"saldo/internal/app"
	"saldo/internal/drivers"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// A message goes to 150 drivers by board and mail while the process is killed again and again: in the end each has one note, and one mail
// under one Message-ID.
func TestKilledMessage_ReachesEachDriverOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			const people = 150
			server := testkit.NewSMTP(t)
			server.Slow(5 * time.Millisecond)
			env := append(place(t, engine), "SALDO_LOG_LEVEL=error", "SALDO_SMTP_URL="+server.URL())
			p := start(t, env...)
			token := p.token(t)
			d := databaseOf(t, engine, env)
			who := demoPartner(t, d)
			book := drivers.Service{Vault: testkit.Vault(t, app.KeyFile(config.Settings{Data: strings.TrimPrefix(env[0], "SALDO_DATA=")})), Country: "PL"}
			testkit.Write(t, d, who, func(tx *db.Tx) error {
				added := make([]drivers.NewDriver, people)
				for n := range added {
					added[n].Details = drivers.Details{FirstName: "Jan", LastName: fmt.Sprint("Kowalski ", n), Email: fmt.Sprintf("jan%d@mail.example", n)}
				}
				_, err := book.AddMany(tx, added)
				return err
			})
			body := fmt.Sprintf(`{"content":"Jutro święto","channel":["BOARD","EMAIL"],"sendToAll":true,"expects":%d}`, people)
			var message struct{ ID string }
			if status := p.call(t, token, "POST", "/api/direct-messages", body, "message", &message); status != 201 {
				t.Fatalf("it is answered %d", status)
			}
			// the time in which it can be cancelled is over
			testkit.Write(t, d, who, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE jobs SET run_at = $2 WHERE tenant_id = $1 AND kind = 'messages.send'`, tx.Now)
				return err
			})
			for range kills() / 2 {
				time.Sleep(rand.N(200 * time.Millisecond))
				_ = p.Process.Kill()
				_ = p.Wait()
				fallSilent(t, d)
				p = start(t, env...)
			}
			testkit.Eventually(t, "everybody is told", func() (done bool) {
				testkit.Read(t, d, who, func(tx *db.Tx) error {
					n, err := db.One[int64](tx, `SELECT COUNT(*) FROM message_mails x JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id
						WHERE x.tenant_id = $1 AND m.state = 'sent'`)
					done = n == people
					return err
				})
				return done
			})
			testkit.Read(t, d, who, func(tx *db.Tx) error {
				notes, err := db.One[struct{ Notes, Drivers int64 }](tx, `SELECT COUNT(*) AS notes, COUNT(DISTINCT driver_id) AS drivers FROM notes
					WHERE tenant_id = $1 AND message_id = $2`, message.ID)
				if notes.Notes != people || notes.Drivers != people {
					t.Errorf("%+v notes", notes)
				}
				return err
			})
			times, to := arrived(t, server)
			addresses := map[string]bool{}
			for _, address := range to {
				addresses[address] = true
			}
			if len(times) != people || len(addresses) != people {
				t.Errorf("%d mails to %d addresses", len(times), len(addresses))
			}
			stop(t, p)
		})
	}
}

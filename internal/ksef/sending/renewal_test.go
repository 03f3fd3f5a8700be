package sending_test

import (
	"log/slog"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/ksef/renewal"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// An invoice whose second code the certificate before has signed keeps that code: the certificate after it waits until KSeF has the invoice.
func TestACertificateForCodes_IsReplacedOnceNoInvoiceWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t)
		renews := &renewal.Service{DB: w.Fleet.DB, Vault: w.Fleet.Vault, Login: w.Login, Billing: w.Billing, Log: slog.New(slog.DiscardHandler)}
		t.Cleanup(testkit.RunJobs(t, w.Fleet.DB, func(q *jobs.Queue) { q.Lease = longer; renews.Handle(q) }))
		serial := func() (is string) {
			testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
				c, err := billing.CertificateOf(tx)
				if c != nil {
					is = c.Serial
				}
				return err
			})
			return is
		}
		look := func(days int) {
			for range days {
				w.pass(24 * time.Hour)
				testkit.Write(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
					return jobs.Enqueue(tx, jobs.Order{Kind: "ksef.renewals", Key: "sweep"})
				})
				testkit.Eventually(t, "jobs come to rest", func() (idle bool) {
					testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
						n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE kind LIKE 'ksef.renew%' AND (state = 'running'
							OR state = 'waiting' AND run_at <= $1)`, tx.Now)
						idle = n == 0
						return err
					})
					return idle
				})
			}
		}
		look(1)
		first := serial()
		if first == "" {
			t.Fatal("there is no certificate for codes")
		}
		testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE billing_certificates SET valid_to = $2 WHERE tenant_id = $1`, tx.Now.AddDate(0, 0, 30).Format(time.DateOnly))
			return err
		})
		w.grant(0, 1)
		w.issue(t, w.settled(t, 1)...)
		look(3)
		if is := serial(); is != first {
			t.Error("an invoice lost the code that its day had")
		}
		stop := w.work(t, w.Service)
		w.all(t, 1)
		stop()
		look(2)
		if is := serial(); is == first {
			t.Error("the certificate was not replaced")
		}
	})
}

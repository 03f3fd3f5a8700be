//go:build bench

package bench

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"saldo/internal/connections"
	"saldo/internal/deliveries"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/licences"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

const (
	delivered       = 1_000
	deliveredBeside = 2_000 // drivers of the partner whose requests are measured
)

var south = access.ProgramFor("south", "bench")

// added are new drivers.
func added(tx *db.Tx, v *vault.Vault, n int) ([]string, error) {
	list := make([]drivers.NewDriver, n)
	for i := range list {
		list[i].Details = drivers.Details{FirstName: "Łukasz", LastName: fmt.Sprintf("Kowalski %05d", i), Phone: phone(i), SummaryLanguage: "pl"}
	}
	return drivers.Service{Vault: v, Country: "PL"}.AddMany(tx, list)
}

// southSettled is a partner with a thousand shared settlements, and a drive that is not used yet.
func southSettled(t *testing.T, v *vault.Vault) func(tx *db.Tx) error {
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	return func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: "south", Name: "South", Color: "#0B5D68"}, delivered); err != nil {
			return err
		}
		if err := licences.Grant(tx, delivered, "bench"); err != nil {
			return err
		}
		ids, err := added(tx, v, delivered)
		if err != nil {
			return err
		}
		week := calendar.PeriodOf(calendar.DateOf(tx.Now, instance.Location(), 0), 1).Prev()
		if _, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for i, id := range ids {
				for _, r := range []struct {
					provider, kind string
					amount         money.Amount
				}{{"UBER", "TRIP", 1512_37}, {"UBER", "FEE", -378_09}, {"UBER", "CASH_COLLECTED", -410_20}, {"BOLT", "TRIP", 903_11}, {"ORLEN", "FUEL", -231_45}} {
					if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: r.provider, Type: r.kind,
						OccurredOn: week.Monday().AddDays(i % 7), Amount: r.amount, Currency: instance.Currency, Source: "import"}) {
						return
					}
				}
			}
		}); err != nil {
			return err
		}
		s := &settlements.Service{Instance: instance, Imports: &imports.Service{Instance: instance}}
		for from := 0; from < len(ids); from += 40 { // so many are settled at once
			p, err := s.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: week}, Drivers: ids[from:min(from+40, len(ids))]})
			if err != nil {
				return err
			}
			if err := p.Keep(tx); err != nil {
				return err
			}
			if _, err := s.Start(tx, p.ID, settlements.StartOptions{Share: true}); err != nil {
				return err
			}
		}
		id := tx.NewID()
		_, err = tx.Exec(`INSERT INTO service_connections (tenant_id, id, kind, version, public, sealed, state, reason, since, last_try_at,
				last_ok_at, failures, next_at, free, made_by, changed_at, deliver_from) VALUES ($1, $2, 'drive.webdav', 1, '{}', $3, 'stopped', '', $4, '',
				'', 0, '', -1, '', $4, '2020-01-01')`, id, v.Seal("south", "service "+id, []byte(testkit.DrivePassword)), tx.Now)
		return err
	}
}

// A thousand statements go to a WebDAV server on this machine; the goal is 60 s. Beside it another partner's pages are asked for. Anchor: the
// same pages before and after.
func TestDeliveries(t *testing.T) {
	for _, engine := range engines() {
		dav := testkit.NewWebDAV(t)
		dav.MakeFolder(t, "/files")
		ca := filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: dav.Certificate().Raw}), 0o600); err != nil {
			t.Fatal(err)
		}
		p := serveOver(t, engine, func(tx *db.Tx, v *vault.Vault) error { _, err := added(tx, v, deliveredBeside); return err }, "SALDO_SERVICES_PRIVATE=1", "SALDO_SERVICES_CA="+ca)
		d, err := db.Open(ctx, db.Settings{URL: p.database, Folder: p.folder})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, d, south, southSettled(t, testkit.Vault(t, filepath.Join(p.folder, "key-for-bench"))))
		pages := func(i int) string { return fmt.Sprintf("/api/drivers?size=50&page=%d", 1+i*7%40) }
		var quiet, busy []float64
		for range 3 {
			quiet = append(quiet, answers(t, p.url, p.token, pages)...)
		}
		start := time.Now()
		testkit.Write(t, d, south, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE service_connections SET state = 'working', public = $2 WHERE tenant_id = $1`,
				connections.Public{Address: dav.Address(), Account: "anna", Deliver: []connections.Delivery{connections.Statements}}.Stored()); err != nil {
				return err
			}
			return deliveries.Ask(tx, connections.WebDAV)
		})
		took := make(chan float64)
		go func() {
			for {
				var stored int64
				if err := d.Read(ctx, south, func(tx *db.Tx) (err error) {
					stored, err = db.One[int64](tx, `SELECT COUNT(*) FROM drive_items WHERE tenant_id = $1 AND state = 'stored'`)
					return err
				}); err != nil || stored == delivered || time.Since(start) > 5*time.Minute {
					took <- time.Since(start).Seconds()
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		}()
		var lasted float64
		for lasted == 0 {
			some := answers(t, p.url, p.token, pages)
			select {
			case lasted = <-took:
				if len(busy) == 0 {
					busy = some
				}
			default:
				busy = append(busy, some...)
			}
		}
		for range 3 {
			quiet = append(quiet, answers(t, p.url, p.token, pages)...)
		}
		if files := len(dav.Files(t, "/files")); files != delivered {
			t.Errorf("%d files are there", files)
		}
		a, b := quantile(busy, 50), quantile(quiet, 50)
		c, e := quantile(busy, 99), quantile(quiet, 99)
		fmt.Printf("| **%d statements to a WebDAV server**, %s: from the press until all are there | %.1f s | goal 60 s | | |\n", delivered, engine, lasted)
		fmt.Printf("| another partner's pages of 50 drivers meanwhile, %s, p50 and p99; anchor: before and after | %.1f ms, %.1f ms | %.1f ms, %.1f ms | %.2f, %.2f (goal ≤ 1.2) | |\n",
			engine, a, c, b, e, a/b, c/e)
		_ = d.Close()
		p.stop()
	}
}

// quantile is a percentile of values.
func quantile(values []float64, percent int) float64 {
	median(values) // sorts
	return values[min(len(values)-1, len(values)*percent/100)]
}

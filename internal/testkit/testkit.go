// Package testkit gives tests a fresh database of each engine, tenants and a clock.
package testkit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // databases are made and dropped through database/sql

	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
)

// Clock is a clock that tests set. It never moves by itself.
type Clock struct{ micros atomic.Int64 }

// NewClock starts on Sunday, 15 November 2026, 12:00 UTC.
func NewClock() *Clock {
	c := &Clock{}
	c.micros.Store(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

// Now is the instant that was set.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.micros.Load()).UTC() }

// Pass moves the clock on.
func (c *Clock) Pass(d time.Duration) { c.micros.Add(d.Microseconds()) }

// Key is a vault key for tests.
var Key = []byte("an invented key, 32 bytes long..")

// Engines are what every test of the database runs on: both, or the one that SALDO_TEST_ENGINE names.
var Engines = engines(os.Getenv("SALDO_TEST_ENGINE"))

// Engine is what a test runs on that does not depend on the engine: SQLite, or the one that SALDO_TEST_ENGINE names.
var Engine = Engines[0]

func engines(only string) []string {
	if only != "" {
		return []string{only}
	}
	return []string{"sqlite", "postgres"}
}

// Each runs a test on a fresh database of each engine.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range Engines {
		t.Run(engine, func(t *testing.T) { test(t, Open(t, Settings(t, engine))) })
	}
}

// Open opens a database and closes it after the test.
func Open(t testing.TB, s db.Settings) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		totalsStand(t, d)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// totalsStand says which sums of transactions a test left that are not those of its rows, whatever it did.
func totalsStand(t testing.TB, d *db.DB) {
	t.Helper()
	err := d.Read(context.Background(), access.Program("test"), func(tx *db.Tx) error {
		tenants, err := db.Select[string](tx.Across(), `SELECT tenant_id FROM partners`)
		if err != nil {
			return err
		}
		for _, tenant := range tenants {
			if err := tx.As(access.ProgramFor(tenant, "test"), func() error {
				wrong, err := ledger.Differences(tx)
				for _, w := range wrong[:min(len(wrong), 5)] {
					t.Errorf("%s: %s", tenant, w)
				}
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil { // of a database that the test stopped or broke
		t.Log(err)
	}
}

// Recounted makes the sums of transactions right after a test wrote rows without the ledger.
func Recounted(tx *db.Tx) error {
	_, err := ledger.Mend(tx)
	return err
}

// Settings name a new database of an engine with all migrations applied and
// nothing in it; several instances may open it.
func Settings(t testing.TB, engine string) db.Settings {
	t.Helper()
	if engine == "postgres" {
		template, err := postgresTemplate()
		if err != nil {
			t.Fatal(err)
		}
		return db.Settings{URL: database(t, " TEMPLATE "+template+" STRATEGY file_copy")}
	}
	files, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return db.Settings{Folder: folder}
}

// Listener listens on an address of this machine that nobody else has. It is handed to whoever shall answer there.
func Listener(t testing.TB) *net.TCPListener {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// Empty names a database to which no migration was applied.
func Empty(t testing.TB, engine string) db.Settings {
	t.Helper()
	if engine == "postgres" {
		return db.Settings{URL: database(t, emptyPolish)}
	}
	return db.Settings{Folder: t.TempDir()}
}

// Write runs a unit of work and fails the test on an error.
func Write(t testing.TB, d *db.DB, who access.Actor, fn func(*db.Tx) error) {
	t.Helper()
	if err := d.Write(context.Background(), who, fn); err != nil {
		t.Fatal(err)
	}
}

// Read runs a read-only unit and fails the test on an error.
func Read(t testing.TB, d *db.DB, who access.Actor, fn func(*db.Tx) error) {
	t.Helper()
	if err := d.Read(context.Background(), who, fn); err != nil {
		t.Fatal(err)
	}
}

// Eventually waits until other goroutines have made it so, half a minute at
// most; in a longer run as many times longer.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Duration(Soak()) * 2 * time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("never: " + what)
}

var (
	server = sync.OnceValues(startPostgres)
	number atomic.Int64
)

// emptyPolish makes a database Polish, as a fleet's own server may be: what
// Saldo says must not depend on it.
const emptyPolish = " TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'pl'"

// database makes a PostgreSQL database and drops it after the test.
func database(t testing.TB, kind string) string {
	t.Helper()
	address, err := server()
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("saldo_%d_%d_%d", os.Getpid(), time.Now().UnixNano()%1e9, number.Add(1))
	if _, err := admin.Exec("CREATE DATABASE " + name + kind); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	of, err := inServer(address, name)
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// Root is the root of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// root looks for it above the test: where the sources were built from is not known, as builds are the same in every folder.
func root() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil && dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	return "", errors.Join(err, errors.New("testkit: no go.mod above the test"))
}

// Compiled is where tests keep the compiled reader of PDFs, from run to run as the compiler of Go does: compiling it takes ten seconds.
func Compiled() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return "" // every process compiles for itself
	}
	return filepath.Join(folder, "saldo")
}

// KeepCompiled lets a program with this data folder use what Compiled keeps.
func KeepCompiled(t testing.TB, data string) {
	t.Helper()
	if Compiled() == "" {
		return
	}
	if err := errors.Join(os.MkdirAll(Compiled(), 0o700), os.Symlink(Compiled(), filepath.Join(data, "compiled"))); err != nil {
		t.Fatal(err)
	}
}

// Soak says how many times longer than in a plain run a test should go on:
// SALDO_SOAK, or 1.
func Soak() int {
	var times int
	if _, err := fmt.Sscan(os.Getenv("SALDO_SOAK"), &times); err != nil || times < 1 {
		return 1
	}
	return times
}

// Times is how often a test repeats something: a short count in a plain run, the full one as many times as Soak in a longer run.
func Times(short, full int) int {
	if Soak() > 1 {
		return full * Soak()
	}
	return short
}

// Unsettle frees every settled transaction of the tenant as revoking would: the
// settlements that tests only named stand there as revoked ones.
func Unsettle(tx *db.Tx) error {
	if _, err := tx.Exec(`INSERT INTO settlement_terms (tenant_id, id, terms) VALUES ($1, 'test', '{}') ON CONFLICT DO NOTHING`); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO settlements (tenant_id, id, number, driver_id, run_id, period, ordinal, weeks, first_on, last_on, state,
		absorbed_into, terms_id, currency, transactions, carry_in,
		revenue, cash_collected, fee, due, payout, next_period_transfer, tax_excess, figures, apps, transfers, settled_at, settled_by, shared_at,
		paid_on, paid_at, paid_by, revoked_at, revoked_by, revoke_reason)
		SELECT $1, t.settlement_id, -ROW_NUMBER() OVER (ORDER BY t.settlement_id) - (SELECT COUNT(*) FROM settlements
		WHERE tenant_id = $1), MIN(t.driver_id), '', '2026-W45', 0, 1, '', '', 'revoked', '', 'test', 'PLN', 0, 0,
		0, 0, 0, 0, 0, 0, 0, '{}', '[]', '[]', '', '', '', '', '', '', 'then', '', '' FROM transactions t WHERE t.tenant_id = $1
		AND t.settlement_id <> '' GROUP BY t.settlement_id ON CONFLICT DO NOTHING`); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE transactions SET settlement_id = '' WHERE tenant_id = $1`)
	return err
}

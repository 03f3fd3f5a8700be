package imports_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// After a large file PostgreSQL knows how many transactions there are, though the job is done long before it has counted: here nobody
// else tells it (autovacuum is off). SQLite keeps no statistics, as the plans of its statements were tested without.
func TestLargeImport_TellsTheDatabaseHowMuchThereIs(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t, engine)
			// the clock stands still, so nobody loses a job; how often its worker asks goes by this
			w.work(t, func(q *jobs.Queue) { q.Lease = 30 * time.Millisecond })
			w.driver(t, "Oleh", "Babiak", "oleh@example.com", "")
			const rows = 2001
			var file strings.Builder
			file.WriteString("date;driver_identifier;driver_name;type;amount;description\n")
			for n := range rows {
				fmt.Fprintf(&file, "2026-11-02;oleh@example.com;x;TRIP;%d,00;%d\n", 1+n%90, n)
			}
			hold, held := make(chan struct{}), make(chan struct{})
			if engine == "postgres" {
				locked := make(chan struct{})
				go func() {
					defer close(held)
					testkit.Write(t, w.db, access.Program("test"), func(tx *db.Tx) error {
						// rows are written beside it, and counting waits for it
						_, err := tx.Across().Exec(`LOCK TABLE transactions IN SHARE UPDATE EXCLUSIVE MODE`)
						close(locked)
						<-hold
						return err
					})
				}()
				<-locked
			}
			if i := w.bring(t, "many.csv", file.String(), imports.Order{}); i.Status != imports.Success {
				t.Fatalf("the file is %s %s", i.Status, i.Fault)
			}
			if engine == "sqlite" {
				if n := w.number(t, `SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'`); n != 0 {
					t.Errorf("SQLite keeps %d tables of statistics", n)
				}
				return
			}
			testkit.Eventually(t, "PostgreSQL waits with counting", func() bool {
				return w.number(t, `SELECT COUNT(*) FROM pg_locks WHERE relation = 'transactions'::regclass AND NOT granted`) == 1
			})
			time.Sleep(200 * time.Millisecond) // the worker has asked, and learned that the job is no longer its own
			close(hold)
			<-held
			testkit.Eventually(t, "PostgreSQL knows how many transactions there are", func() bool {
				return w.number(t, `SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE oid = 'transactions'::regclass`) == rows
			})
		})
	}
}

func (w *fixture) number(t *testing.T, text string) (n int64) {
	t.Helper()
	testkit.Read(t, w.db, access.Program("test"), func(tx *db.Tx) (err error) { n, err = db.One[int64](tx.Across(), text); return err })
	return n
}

package db_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const batch = 1000

// TestMain turns the test binary into a process that inserts batches until it
// is killed, where a test asks for one.
func TestMain(m *testing.M) {
	if place := os.Getenv("SALDO_CRASH_PLACE"); place != "" {
		insertForEver(place)
	}
	os.Exit(m.Run())
}

// insertForEver inserts one batch of rows for each unit of work and prints the
// batch's number once its unit is committed.
func insertForEver(place string) {
	s := db.Settings{Folder: place}
	if strings.HasPrefix(place, "postgres://") {
		s = db.Settings{URL: place}
	}
	d, err := db.Open(ctx, s)
	for n := 0; err == nil; n++ {
		err = d.Write(ctx, north, func(tx *db.Tx) error {
			_, err := tx.Insert("tags", []string{"id", "name", "search_key", "created_at"}, func(yield func([]any) bool) {
				for i := range batch {
					id := tx.NewID()
					if !yield([]any{id, fmt.Sprint(n), fmt.Sprint(n, "-", i, "-", id), tx.Now}) {
						return
					}
				}
			})
			return err
		})
		if err == nil {
			fmt.Println(n)
		}
	}
	fmt.Println("failed:", err)
	os.Exit(1)
}

// An acknowledged batch is there after kill -9, and no batch is there in part.
func TestKillingTheProcessDuringABulkInsertLosesNoAcknowledgedRow(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			for round := range 4 * testkit.Soak() {
				s := testkit.Empty(t, engine)
				d := testkit.Open(t, s)
				found(t, d)
				acknowledged := insertAndKill(t, s.Folder+s.URL, time.Duration(100+rand.IntN(400))*time.Millisecond)
				testkit.Read(t, d, north, func(tx *db.Tx) error {
					counts, err := db.Select[struct {
						Name string
						N    int64
					}](tx, `SELECT name, COUNT(*) AS n FROM tags WHERE tenant_id = $1 GROUP BY name`)
					there := map[string]bool{}
					for _, c := range counts {
						there[c.Name] = true
						if c.N != batch {
							t.Errorf("round %d: batch %s has %d of %d rows", round, c.Name, c.N, batch)
						}
					}
					for _, n := range acknowledged {
						if !there[n] {
							t.Errorf("round %d: batch %s was acknowledged and is gone", round, n)
						}
					}
					if len(counts) > len(acknowledged)+1 {
						t.Errorf("round %d: %d batches, %d acknowledged: more than one was under way", round, len(counts), len(acknowledged))
					}
					return err
				})
			}
		})
	}
}

func insertAndKill(t *testing.T, place string, after time.Duration) (acknowledged []string) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), "SALDO_CRASH_PLACE="+place)
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	first := true
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "failed") {
			t.Fatal(lines.Text())
		}
		acknowledged = append(acknowledged, lines.Text())
		if first { // it works: let it work for a while
			first = false
			time.AfterFunc(after, func() { _ = process.Process.Kill() })
		}
	}
	_ = process.Wait() // it was killed
	if len(acknowledged) == 0 {
		t.Fatal("nothing was acknowledged before the kill")
	}
	return acknowledged
}

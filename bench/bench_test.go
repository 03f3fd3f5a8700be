//go:build bench

// Package bench measures Saldo against anchors in the same run, interleaved,
// five rounds each, and prints medians. Nothing here passes or fails by time.
package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/app"
	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// rounds is how many there are; SALDO_BENCH_ROUNDS makes it another number.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("SALDO_BENCH_ROUNDS")); err == nil && n > 0 {
		return n
	}
	return 5
}

var (
	ctx   = context.Background()
	north = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
)

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// compare runs both sides in turn and prints the medians and their ratio.
func compare(t *testing.T, what, unit string, ours, anchor func() float64) {
	t.Helper()
	var a, b, ratio []float64
	for n := range rounds() {
		x, y := ours(), anchor()
		t.Logf("%s, round %d: %.4g against %.4g %s, %.2f", what, n+1, x, y, unit, x/y)
		a, b, ratio = append(a, x), append(b, y), append(ratio, x/y)
	}
	spread := slices.Max(b)/slices.Min(b) - 1
	fmt.Printf("| %s | %.4g %s | %.4g %s | %.2f | %.0f %% |\n", what, median(a), unit, median(b), unit, median(ratio), spread*100)
}

func seconds(t *testing.T, f func() error) float64 {
	t.Helper()
	at := time.Now()
	if err := f(); err != nil {
		t.Fatal(err)
	}
	return time.Since(at).Seconds()
}

func found(t *testing.T, d *db.DB) {
	t.Helper()
	testkit.Write(t, d, north, func(tx *db.Tx) error {
		return partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0)
	})
}

func TestMain(m *testing.M) {
	fmt.Println("| what | Saldo | anchor | ratio | spread of the anchor |\n|---|---|---|---|---|")
	os.Exit(m.Run())
}

const rows = 200_000

var columns = []string{"id", "name", "search_key", "created_at"}

func rowsOf(now time.Time) func(func([]any) bool) {
	return func(yield func([]any) bool) {
		row := make([]any, 4)
		for i := range rows {
			id := fmt.Sprintf("%08d-0000-7000-8000-000000000000", i)
			row[0], row[1], row[2], row[3] = id, "Kierowca nocny", id, now
			if !yield(row) {
				return
			}
		}
	}
}

// csv is the same rows as a file for the engines' own loaders.
func csv(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for row := range rowsOf(time.Now()) {
		if _, err := fmt.Fprintf(f, "north,%s,%s,%s,%s\n", row[0], row[1], row[2], db.Instant(row[3].(time.Time))); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Ours: rows made in Go, one unit of work, all keys and indexes. Anchor: the
// engine's own loader reading a ready file into the same table.
func TestBulkInsert(t *testing.T) {
	file := csv(t)
	load := map[string]func(s db.Settings) *exec.Cmd{
		"sqlite": func(s db.Settings) *exec.Cmd {
			c := exec.Command("sqlite3", filepath.Join(s.Folder, db.File))
			c.Stdin = strings.NewReader("PRAGMA synchronous=FULL;\nPRAGMA foreign_keys=ON;\nPRAGMA cache_size=-65536;\n.mode csv\n.import " + file + " tags\n")
			return c
		},
		"postgres": func(s db.Settings) *exec.Cmd {
			return exec.Command("psql", "-q", s.URL, "-c", `\copy tags (tenant_id, id, name, search_key, created_at) from '`+file+`' csv`)
		},
	}
	for _, engine := range testkit.Engines {
		fresh := func() (db.Settings, *db.DB) {
			s := testkit.Settings(t, engine)
			d := testkit.Open(t, s)
			found(t, d)
			return s, d
		}
		compare(t, fmt.Sprintf("bulk insert of %d rows, %s; anchor: its own loader", rows, engine), "s", func() float64 {
			_, d := fresh()
			return seconds(t, func() error {
				return d.Write(ctx, north, func(tx *db.Tx) error { _, err := tx.Insert("tags", columns, rowsOf(tx.Now)); return err })
			})
		}, func() float64 {
			s, _ := fresh()
			return seconds(t, func() error {
				out, err := load[engine](s).CombinedOutput()
				if err != nil {
					return fmt.Errorf("%w: %s", err, out)
				}
				return nil
			})
		})
	}
}

// house is the whole application over one database, with a partner's token.
type house struct {
	*app.App
	*httptest.Server
	token, other, folder, database, keyFile string
}

// open starts the application on an engine, with the fleet north and its person Anna, and the fleet west and its person Basia.
func open(t *testing.T, engine string) *house {
	t.Helper()
	place := testkit.Settings(t, engine)
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := vault.CreateKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{folder: t.TempDir(), database: place.URL, keyFile: keyFile}
	h.App, err = app.Open(ctx, config.Settings{Data: h.folder, DatabaseURL: place.URL, Instance: instance, PublicURL: "http://localhost",
		MailFrom: "saldo@localhost", KeyFile: keyFile, Identity: config.Identity{Realm: "saldo"}}, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	found(t, h.DB())
	member := identity.Member{ID: "anna", Issuer: identity.Embedded, Subject: "anna", Role: access.Partner, Name: "Anna", Email: "a@x.example"}
	testkit.Write(t, h.DB(), north, func(tx *db.Tx) error { return identity.AddMember(tx, member) })
	testkit.Write(t, h.DB(), access.ProgramFor("west", "bench"), func(tx *db.Tx) error {
		if err := partners.Found(tx, partners.Partner{Code: "west", Name: "West", Color: "#0B5D68"}, 0); err != nil {
			return err
		}
		return identity.AddMember(tx, identity.Member{ID: "basia", Issuer: identity.Embedded, Subject: "basia", Role: access.Partner, Name: "Basia", Email: "b@x.example"})
	})
	mint := testkit.NewMint(t, h.DB(), testkit.Vault(t, keyFile), "http://localhost/auth/realms/saldo")
	h.token = mint.Token(t, "anna", access.Partner, time.Hour, nil)
	h.other = mint.Token(t, "basia", access.Partner, time.Hour, nil)
	router, err := h.Router()
	if err != nil {
		t.Fatal(err)
	}
	h.Server = httptest.NewServer(router.Handler())
	return h
}

func (h *house) close(t *testing.T) {
	t.Helper()
	h.Server.Close()
	if err := h.App.Close(); err != nil {
		t.Fatal(err)
	}
}

// pool opens the same database with nothing of Saldo around it.
func pool(t *testing.T, engine string, h *house) *sql.DB {
	t.Helper()
	driver, source := "pgx", h.database
	if engine == "sqlite" {
		driver, source = "sqlite", "file:"+filepath.Join(h.folder, db.File)+"?_pragma=cache_size(-16384)"
	}
	p, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	p.SetMaxIdleConns(16)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// Ours: token, member, permission, tenant, snapshot, huma, JSON. Anchor: a
// bare handler with the same query and JSON.
func TestListRequest(t *testing.T) {
	for _, engine := range testkit.Engines {
		h := open(t, engine)
		testkit.Write(t, h.DB(), north, func(tx *db.Tx) error {
			for i := range 50 {
				if _, err := drivers.AddTag(tx, fmt.Sprint("Tag ", i)); err != nil {
					return err
				}
			}
			return nil
		})
		anchor := httptest.NewServer(bare(pool(t, engine, h)))
		compare(t, "requests/s, list of 50 tags, "+engine+"; anchor: bare handler, same query", "/s",
			func() float64 { return rate(t, h.URL+"/api/tags", h.token) }, func() float64 { return rate(t, anchor.URL, h.token) })
		anchor.Close()
		h.close(t)
	}
}

func bare(pool *sql.DB) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		found, err := pool.QueryContext(rq.Context(), `SELECT id, name, created_at FROM tags WHERE tenant_id = $1 ORDER BY search_key, id`, "north")
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		defer found.Close()
		var list struct {
			Tags []struct{ ID, Name, CreatedAt string } `json:"tags"`
		}
		for found.Next() {
			var tag struct{ ID, Name, CreatedAt string }
			if err := found.Scan(&tag.ID, &tag.Name, &tag.CreatedAt); err != nil {
				http.Error(w, err.Error(), 500)
				return
			}
			list.Tags = append(list.Tags, tag)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	})
}

// ask makes one request and reads the answer to its end.
func ask(client *http.Client, address, token string) error {
	rq, err := http.NewRequest("GET", address, nil)
	if err != nil {
		return err
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	resp, err := client.Do(rq)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// rate is how many requests eight clients get answered in a second.
func rate(t *testing.T, address, token string) float64 {
	t.Helper()
	const clients, each = 8, 250
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	took := seconds(t, func() error {
		var all sync.WaitGroup
		failed := make(chan error, clients)
		for range clients {
			all.Go(func() {
				for range each {
					err := ask(client, address, token)
					if err != nil {
						failed <- err
						return
					}
				}
			})
		}
		all.Wait()
		select {
		case err := <-failed:
			return err
		default:
			return nil
		}
	})
	return clients * each / took
}

// Ours: jobs through the queue, four workers. Anchor: one bare guarded UPDATE
// for each claim and one for each end, from four goroutines.
func TestJobs(t *testing.T) {
	const n = 2000
	for _, engine := range testkit.Engines {
		filled := func() *db.DB {
			d := testkit.Open(t, testkit.Settings(t, engine))
			testkit.Write(t, d, north, func(tx *db.Tx) error {
				for i := range n {
					if err := jobs.Enqueue(tx, jobs.Order{Kind: "count", Payload: i}); err != nil {
						return err
					}
				}
				return nil
			})
			return d
		}
		compare(t, "jobs/s, "+engine+"; anchor: two bare statements each", "/s", func() float64 {
			d := filled()
			q := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
			running, cancel := context.WithCancel(ctx)
			var mu sync.Mutex
			left := n
			q.Handle("count", func(context.Context, *jobs.Run) error {
				mu.Lock()
				defer mu.Unlock()
				if left--; left == 0 {
					cancel()
				}
				return nil
			})
			return n / seconds(t, func() error { q.Run(running, 4); return nil })
		}, func() float64 {
			d := filled()
			return n / seconds(t, func() error {
				var all sync.WaitGroup
				for range 4 {
					all.Go(func() {
						for {
							taken, err := claim(d)
							if err != nil {
								t.Error(err)
							}
							if err != nil || taken == 0 {
								return
							}
						}
					})
				}
				all.Wait()
				return nil
			})
		})
	}
}

func claim(d *db.DB) (taken int, err error) {
	who := access.Program("bench")
	var ids []string
	err = d.Claim(ctx, who, func(tx *db.Tx) (err error) {
		ids, err = db.Select[string](tx.Across(), `UPDATE jobs SET state = 'running' WHERE id IN
			(SELECT id FROM jobs WHERE state = 'waiting' ORDER BY run_at, id LIMIT 1 {skip_locked}) RETURNING id`)
		return err
	})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return len(ids), d.Claim(ctx, who, func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`UPDATE jobs SET state = 'done' WHERE id = $1`, ids[0])
		return err
	})
}

// The shipped binary over a database of a million rows: time until it is
// ready, memory at rest, size on disk. No anchor: the goals are absolute.
func TestColdStart(t *testing.T) {
	binary := filepath.Join(testkit.Root(t), "bin", "saldo")
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal("build it first: ", err)
	}
	folder := t.TempDir()
	d := testkit.Open(t, db.Settings{Folder: folder})
	found(t, d)
	testkit.Write(t, d, north, func(tx *db.Tx) error {
		_, err := tx.Insert("audit_entries", []string{"id", "at", "actor_role", "actor_id", "actor_name", "action", "object_kind", "object_id", "before_state", "after_state", "reason"},
			func(yield func([]any) bool) {
				for i := range 1_000_000 {
					if !yield([]any{fmt.Sprintf("%012d", i), tx.Now, "partner", "anna", "Anna", "tags.add", "tag", fmt.Sprint(i % 5000), "null", `{"name":"x"}`, ""}) {
						return
					}
				}
			})
		return err
	})
	var ready, memory []float64
	for range rounds() {
		r, m := startOnce(t, binary, folder)
		ready, memory = append(ready, r), append(memory, m)
	}
	fmt.Printf("| cold start with 1 M rows until ready | %.2f s | goal 2 s | | |\n", median(ready))
	fmt.Printf("| memory at rest after start | %.0f MB | goal 80 MB | | |\n", median(memory))
	fmt.Printf("| size of the binary | %.1f MB | goal 60 MB | | |\n", float64(info.Size())/1e6)
}

func startOnce(t *testing.T, binary, folder string) (ready, megabytes float64) {
	t.Helper()
	const address = "127.0.0.1:18080"
	p := exec.Command(binary, "demo", "--size", "none")
	p.Env = append(os.Environ(), "SALDO_DATA="+folder, "SALDO_ADDR="+address, "SALDO_PUBLIC_URL=http://"+address)
	at := time.Now()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Process.Kill(); _ = p.Wait() }()
	for time.Since(at) < 30*time.Second {
		if resp, err := http.Get("http://" + address + "/readyz"); err == nil {
			resp.Body.Close()
			ready = time.Since(at).Seconds()
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(2 * time.Second)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes float64
	for line := range strings.Lines(string(status)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %f kB", &kilobytes)
	}
	return ready, kilobytes / 1024
}

//go:build bench

package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// importRows is how many rows the large file, or the database, has; SALDO_BENCH_ROWS makes it another.
func importRows(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("SALDO_BENCH_ROWS"))
	if os.Getenv("SALDO_BENCH_ROWS") == "" {
		n, err = 1_000_000, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// engines are both, or the one that SALDO_BENCH_ENGINE names.
func engines() []string {
	if only := os.Getenv("SALDO_BENCH_ENGINE"); only != "" {
		return []string{only}
	}
	return testkit.Engines
}

// program is the shipped binary, running over a database with a fleet of 5,000 drivers.
type program struct {
	url, token, folder, database string
	other                        string // token of another partner's person
	process                      *exec.Cmd
}

const importDrivers = 5_000

func phone(i int) string { return fmt.Sprintf("+48601%06d", 100_000+i) }

// serve starts the binary over a new database, with a fleet whose drivers are known by their phones.
func serve(t *testing.T, engine string) *program {
	t.Helper()
	return serveOver(t, engine, func(tx *db.Tx, v *vault.Vault) error {
		added := make([]drivers.NewDriver, importDrivers)
		for i := range added {
			added[i] = drivers.NewDriver{Details: drivers.Details{FirstName: "Jan", LastName: fmt.Sprintf("Kowalski %04d", i), Phone: phone(i), SummaryLanguage: "pl"}}
		}
		_, err := drivers.Service{Vault: v, Country: "PL"}.AddMany(tx, added)
		return err
	})
}

// serveOver starts the binary over a new database with what was written there first, sealed by the binary's own key.
func serveOver(t *testing.T, engine string, write func(tx *db.Tx, v *vault.Vault) error, env ...string) *program {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	h := open(t, engine)
	keyFile := filepath.Join(h.folder, "key-for-bench")
	if err := os.Rename(h.keyFile, keyFile); err != nil {
		t.Fatal(err)
	}
	v := testkit.Vault(t, keyFile)
	testkit.Write(t, h.DB(), north, func(tx *db.Tx) error { return write(tx, v) })
	h.close(t)
	p := &program{url: "http://" + address, token: h.token, other: h.other, folder: h.folder, database: h.database}
	binary := filepath.Join(testkit.Root(t), "bin", "saldo")
	if other := os.Getenv("SALDO_BENCH_BINARY"); other != "" {
		binary = other
	}
	p.process = exec.Command(binary, "serve")
	p.process.Env = append(os.Environ(), "SALDO_DATA="+h.folder, "SALDO_DATABASE_URL="+h.database, "SALDO_KEY_FILE="+keyFile, "SALDO_ADDR="+address, "SALDO_PUBLIC_URL=http://localhost",
		"SALDO_INSTANCE=pl", "SALDO_LOG_LEVEL=error")
	p.process.Env = append(p.process.Env, env...)
	p.process.Stderr = os.Stderr
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if resp, err := http.Get(p.url + "/readyz"); err == nil {
			resp.Body.Close()
			return p
		}
		if time.Since(start) > 30*time.Second {
			t.Fatal("it did not start")
		}
	}
}

func (p *program) stop() {
	_ = p.process.Process.Kill()
	_ = p.process.Wait()
}

// peak is the most memory that the process had, in megabytes.
func (p *program) peak(t *testing.T) (megabytes float64) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		_, _ = fmt.Sscanf(line, "VmHWM: %f kB", &megabytes)
	}
	return megabytes / 1024
}

// call makes a request with a key of its own and reads the answer.
func (p *program) call(t *testing.T, method, path, kind string, body io.Reader, into any) {
	t.Helper()
	rq, err := http.NewRequest(method, p.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+p.token)
	if kind != "" {
		rq.Header.Set("Content-Type", kind)
		rq.Header.Set("Idempotency-Key", fmt.Sprintf("bench-%d", time.Now().UnixNano()))
	}
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %v %.500s", method, path, resp.StatusCode, err, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		t.Fatal(err)
	}
}

// upload sends a file and waits for its preview.
func (p *program) upload(t *testing.T, file, provider string) (id string) {
	t.Helper()
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() {
		err := form.WriteField("provider", provider)
		if err == nil {
			var part io.Writer
			if part, err = form.CreateFormFile("file", filepath.Base(file)); err == nil {
				var f *os.File
				if f, err = os.Open(file); err == nil {
					_, err = io.Copy(part, f)
					f.Close()
				}
			}
		}
		if err == nil {
			err = form.Close()
		}
		w.CloseWithError(err)
	}()
	var made struct{ ID string }
	p.call(t, "POST", "/api/imports", form.FormDataContentType(), r, &made)
	p.await(t, made.ID, "preview")
	return made.ID
}

func (p *program) await(t *testing.T, id, status string) {
	t.Helper()
	for {
		var one struct {
			Import struct{ Status, Fault string }
		}
		p.call(t, "GET", "/api/imports/"+id, "", nil, &one)
		switch one.Import.Status {
		case status:
			return
		case "analyzing", "running":
		default:
			t.Fatal(one.Import.Status, one.Import.Fault)
		}
		time.Sleep(250 * time.Millisecond) // as the screen does
	}
}

func (p *program) confirm(t *testing.T, id string) {
	t.Helper()
	var confirmed struct{ Status string }
	p.call(t, "POST", "/api/imports/"+id+"/confirm", "application/json", strings.NewReader("{}"), &confirmed)
	p.await(t, id, "success")
}

// template writes a file of Saldo's own layout, in order of days as programs write it, about 200 bytes a row.
func template(t *testing.T, rows int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "template.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, "date;driver_identifier;driver_name;app;type;amount;currency;payment_method;description;document_number")
	for i := range rows {
		fmt.Fprintf(w, "2026-09-%02d;%s;Jan Kowalski %04d;PARTNER;COST;-%d,%02d;PLN;card;Myjnia ręczna z odkurzaniem, ul. Marszałkowska 12 lok. %d, Warszawa, zlecenie nocne numer %d w tygodniu;FV/%d/09/2026\n",
			1+i*28/rows, phone(i%importDrivers), i%importDrivers, 1+i%90, i%100, i%400, i, i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Ours: a file over HTTP, read, its drivers and duplicates resolved, shown, confirmed and committed. Anchor: the engine's
// own loader reading the same rows, ready as they stand in the end, into the same table with the same indexes.
func TestImport(t *testing.T) {
	n := importRows(t)
	file := template(t, n)
	for _, engine := range engines() {
		var memory, shown []float64
		var p *program
		compare(t, fmt.Sprintf("import of %d rows over HTTP, %s; anchor: its own loader", n, engine), "s", func() float64 {
			p = serve(t, engine)
			defer p.stop()
			took := seconds(t, func() error {
				var id string
				shown = append(shown, seconds(t, func() error { id = p.upload(t, file, "PARTNER"); return nil }))
				p.confirm(t, id)
				return nil
			})
			memory = append(memory, p.peak(t))
			return took
		}, func() float64 {
			dump := filepath.Join(t.TempDir(), "rows.csv")
			p.run(t, engine, ".mode csv\n.output "+dump+"\nSELECT * FROM transactions;\n.output\nDELETE FROM transactions;\nVACUUM;\n", `\copy transactions to '`+dump+`' csv`, `TRUNCATE transactions`)
			defer os.Remove(dump)
			return seconds(t, func() error {
				p.run(t, engine, "PRAGMA synchronous=FULL;\nPRAGMA foreign_keys=ON;\nPRAGMA cache_size=-262144;\n.mode csv\n.import "+dump+" transactions\n", `\copy transactions from '`+dump+`' csv`)
				return nil
			})
		})
		fmt.Printf("| of it until the preview, %s | %.4g s | | | |\n", engine, median(shown))
		fmt.Printf("| most memory during it, %s | %.0f MB | goal 256 MB | | |\n", engine, median(memory))
	}
}

// run has the engine's own program do something with the database.
func (p *program) run(t *testing.T, engine, sqlite string, postgres ...string) {
	t.Helper()
	c := exec.Command("psql", "-q", p.database)
	for _, text := range postgres {
		c.Args = append(c.Args, "-c", text)
	}
	if engine == "sqlite" {
		c = exec.Command("sqlite3", filepath.Join(p.folder, db.File))
		c.Stdin = strings.NewReader(sqlite)
	}
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %.500s", err, out)
	}
}

// Ours: requests of other people while a large file is read and written. Anchor: the same requests before it.
func TestOthersDuringAnImport(t *testing.T) {
	file := template(t, importRows(t)/2)
	for _, engine := range engines() {
		p := serve(t, engine)
		pages := func(i int) string { return fmt.Sprintf("/api/drivers?size=50&page=%d", 1+i*7%100) }
		before := []float64{p99(t, p.url, p.token, pages), p99(t, p.url, p.token, pages), p99(t, p.url, p.token, pages)}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			p.confirm(t, p.upload(t, file, "PARTNER"))
		}()
		var during []float64
		for going := true; going; {
			during = append(during, p99(t, p.url, p.token, pages))
			select {
			case <-ended:
				going = false
			default:
			}
		}
		t.Logf("%s: before %.3v, during %.3v ms", engine, before, during)
		fmt.Printf("| p99 of a page of 50 drivers while %d rows are imported, %s; anchor: before | %.4g ms | %.4g ms | %.2f (goal ≤ 2) | |\n", importRows(t)/2, engine,
			median(during), median(before), median(during)/median(before))
		p.stop()
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// upload sends a file as a browser does, without holding it. It answers 0 when the process did not answer.
func (p *process) upload(t *testing.T, token, key, name string, content io.Reader) (status int, body string) {
	t.Helper()
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	go func() {
		part, err := form.CreateFormFile("file", name)
		if err == nil {
			_, err = io.Copy(part, content)
		}
		if err == nil {
			err = form.WriteField("provider", "PARTNER")
		}
		if err == nil {
			err = form.Close()
		}
		write.CloseWithError(err)
	}()
	defer read.Close()
	rq, err := http.NewRequest("POST", p.url+"/api/imports", read)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	rq.Header.Set("Idempotency-Key", key)
	rq.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// uploaded is an import as the program shows it.
type uploaded struct {
	Import struct {
		Status, Fault string
		Counts        struct {
			Transactions struct{ All, Failed int64 }
		}
	}
}

// analyzed waits until an import is no longer in one of the states.
func (p *process) analyzed(t *testing.T, token, id string, leaves ...string) (i uploaded) {
	t.Helper()
	testkit.Eventually(t, "the import ends", func() bool {
		i = uploaded{}
		if status := p.call(t, token, "GET", "/api/imports/"+id, "", "", &i); status != 200 {
			t.Fatalf("the import answers %d: %s", status, p.out)
		}
		for _, state := range leaves {
			if i.Import.Status == state {
				time.Sleep(10 * time.Millisecond)
				return false
			}
		}
		return true
	})
	return i
}

func made(t *testing.T, status int, body string) (id string) {
	t.Helper()
	var out struct{ ID string }
	if status != 201 || json.Unmarshal([]byte(body), &out) != nil {
		t.Fatalf("the upload answers %d %s", status, body)
	}
	return out.ID
}

const (
	killedRows  = 5000
	killedTwins = 10 // rows of a file that say the same as the row before them
)

// statement is a file of rows of a driver whom the partner knows and of people whom nobody knows, and its sum.
func statement(round int) (text string, sum int64) {
	var b strings.Builder
	b.WriteString("date;driver_identifier;driver_name;type;amount;description\n")
	for n := range killedRows {
		if n > 0 && n <= killedTwins {
			n = 0
		}
		who := "oleh@example.com"
		if n%2 == 1 {
			who = fmt.Sprint("ghost-", n%50)
		}
		fmt.Fprintf(&b, "2026-11-02;%s;x;TRIP;%d,%02d;r%d-%d\n", who, 1+n%90, n%100, round, n)
		sum += int64(1+n%90)*100 + int64(n%100)
	}
	return b.String(), sum
}

// kept is what stands of one import.
type kept struct{ Rows, Sum, Texts, Keys, Imported int64 }

func keptOf(t *testing.T, d *db.DB, id string) (k kept) {
	t.Helper()
	testkit.Read(t, d, access.Program("test"), func(tx *db.Tx) (err error) {
		k, err = db.One[kept](tx.Across(), `SELECT COUNT(*) AS rows, CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS sum, COUNT(DISTINCT description) AS texts, COUNT(DISTINCT row_key) AS keys,
			(SELECT COUNT(*) FROM audit_entries WHERE action = 'imports.import' AND object_id = $1) AS imported
			FROM (SELECT amount, description, row_key FROM transactions WHERE import_id = $1 UNION ALL SELECT amount, description, row_key FROM unmatched_rows WHERE import_id = $1) AS r`, id)
		return err
	})
	return k
}

// The process is killed anywhere between the confirmation of a file and its
// success. Right after that the file stands whole or not at all; the next
// process brings it to its end, and every row of it stands once.
func TestAKilledImportIsWholeOrAbsentAndThenWhole(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := append(place(t, engine), "SALDO_LOG_LEVEL=error")
			p := start(t, env...)
			token := p.token(t)
			if status := p.call(t, token, "POST", "/api/drivers", `{"firstName":"Oleh","lastName":"Babiak","email":"oleh@example.com"}`, "oleh", nil); status != 201 {
				t.Fatalf("the driver is answered with %d", status)
			}
			d := databaseOf(t, engine, env)
			bring := func(round int) (id, confirm string, want kept) {
				text, sum := statement(round)
				status, body := p.upload(t, token, fmt.Sprint("upload-", round), fmt.Sprint(round, ".csv"), strings.NewReader(text))
				id = made(t, status, body)
				if i := p.analyzed(t, token, id, "analyzing"); i.Import.Status != "preview" {
					t.Fatalf("%+v", i)
				}
				return id, "/api/imports/" + id + "/confirm", kept{killedRows, sum, killedRows - killedTwins, killedRows, 1}
			}
			finish := func(round int, id, confirm string, want kept) {
				// repeating the confirmation begins what was not begun, and joins what was
				if status := p.call(t, token, "POST", confirm, `{}`, fmt.Sprint("confirm-", round), nil); status != 202 {
					t.Fatalf("round %d: the confirmation answers %d", round, status)
				}
				if i := p.analyzed(t, token, id, "running"); i.Import.Status != "success" {
					t.Fatalf("round %d: %+v", round, i)
				}
				if k := keptOf(t, d, id); k != want {
					t.Fatalf("round %d: %+v instead of %+v", round, k, want)
				}
			}
			whole := time.Second // that an import takes, at most: longer ones were held up by something else
			for _, round := range []int{-1, 0} {
				id, confirm, want := bring(round)
				began := time.Now()
				finish(round, id, confirm, want)
				whole = min(whole, time.Since(began))
				// as PostgreSQL does within a minute by itself; until then it takes filled tables for empty ones
				testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error { _, err := tx.Across().Exec(`ANALYZE`); return err })
			}

			points := testkit.Times(3, 5)
			absent, round := 0, 0
			for within := whole; round < points || absent == 0 && round < 5*points; {
				round++
				id, confirm, want := bring(round)
				moment := rand.N(within)
				doomed := p.Process
				timer := time.AfterFunc(moment, func() { _ = doomed.Kill() })
				p.call(t, token, "POST", confirm, `{}`, fmt.Sprint("confirm-", round), nil) // may be cut off too
				_ = p.Wait()
				timer.Stop()
				found := keptOf(t, d, id)
				// the span of moments follows the time that an import takes, as fast as the machine is just now
				switch found {
				case kept{}:
					absent++
					within = within * 5 / 4
				case want:
					within = within * 4 / 5
				default:
					t.Errorf("round %d, killed after %s: %+v is neither whole nor nothing", round, moment, found)
				}
				fallSilent(t, d)
				p = start(t, env...)
				token = p.token(t)
				finish(round, id, confirm, want)
			}
			if absent == 0 {
				t.Error("no kill came before the end of an import")
			}
			t.Logf("%d kills within about %s: %d left nothing, %d the whole file", round, whole.Round(time.Millisecond), absent, round-absent)
			stop(t, p)
		})
	}
}

//go:build bench

package bench

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/testkit"
)

// The size at which lists are measured.
const fleetSize = 10_000

// Load: requests come at fixed moments whether or not earlier ones were answered, so that a slow answer delays the
// measuring of nobody else and waiting counts as slowness.
const (
	perSecond = 40
	lasting   = 6 * time.Second
)

// Ours: the list as the screen asks for it, at ten thousand drivers and a million transactions. Anchor: a bare net/http
// handler that runs the same statements and writes the same rows, without token, tenant, unit of work, sealing and types.
func TestListsAtTenThousandDrivers(t *testing.T) {
	for _, engine := range testkit.Engines {
		h := open(t, engine)
		if err := h.Populate(ctx, north.Tenant, fleetSize, func(int) {}); err != nil {
			t.Fatal(err)
		}
		p := pool(t, engine, h)
		if engine == "postgres" { // as its own vacuum would have by then
			if _, err := p.Exec(`ANALYZE`); err != nil {
				t.Fatal(err)
			}
		}
		ids := some(t, p)
		drivers, transactions := httptest.NewServer(bareDrivers(p)), httptest.NewServer(bareTransactions(p))
		pages := func(i int) string { return fmt.Sprintf("/api/drivers?size=50&page=%d", 1+i*7%200) }
		rows := func(i int) string { return "/api/transactions?driverUUID=" + ids[i%len(ids)] }
		same(t, h, drivers, pages, "drivers")
		same(t, h, transactions, rows, "transactions")
		compare(t, "p99 of the list of drivers, "+engine+"; anchor: bare handler, same SQL", "ms",
			func() float64 { return p99(t, h.URL, h.token, pages) }, func() float64 { return p99(t, drivers.URL, h.token, pages) })
		compare(t, "p99 of a driver's transactions, "+engine+"; anchor: bare handler, same SQL", "ms",
			func() float64 { return p99(t, h.URL, h.token, rows) }, func() float64 { return p99(t, transactions.URL, h.token, rows) })
		drivers.Close()
		transactions.Close()
		h.close(t)
	}
}

// some are the ids of drivers all over the fleet.
func some(t *testing.T, p *sql.DB) (ids []string) {
	t.Helper()
	found, err := all(p, `SELECT id FROM drivers WHERE tenant_id = $1 ORDER BY search_key, id LIMIT 500`, north.Tenant)
	if err != nil || len(found) != 500 {
		t.Fatal(len(found), err)
	}
	for _, row := range found {
		ids = append(ids, row[0].(string))
	}
	return ids
}

// same stops the run when the anchor does not answer with as many rows and the same total.
func same(t *testing.T, h *house, anchor *httptest.Server, path func(int) string, list string) {
	t.Helper()
	var ours map[string]json.RawMessage
	var theirs struct{ Rows, Total int64 }
	fetch(t, h.URL+path(3), h.token, &ours)
	fetch(t, anchor.URL+path(3), "", &theirs)
	var rows []json.RawMessage
	if err := json.Unmarshal(ours[list], &rows); err != nil {
		t.Fatal(err)
	}
	total := string(ours["total"]) + string(ours["count"])
	if int64(len(rows)) != theirs.Rows || total != fmt.Sprint(theirs.Total) || len(rows) != 50 {
		t.Fatalf("%s: %d rows of %s, the anchor has %d of %d", list, len(rows), total, theirs.Rows, theirs.Total)
	}
}

func fetch(t *testing.T, address, token string, into any) {
	t.Helper()
	rq, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil || resp.StatusCode != 200 {
		t.Fatal(resp.StatusCode, err)
	}
}

// p99 is the 99th percentile, in milliseconds, of answers to requests that come at their moments.
func p99(t *testing.T, address, token string, path func(int) string) float64 {
	t.Helper()
	took := answers(t, address, token, path)
	return took[len(took)*99/100]
}

// answers are how long they took, the shortest first.
func answers(t *testing.T, address, token string, path func(int) string) []float64 {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	n := int(lasting.Seconds() * perSecond)
	took, failed := make([]float64, n), make([]error, n)
	var all sync.WaitGroup
	start := time.Now()
	for i := range n {
		due := start.Add(time.Duration(i) * time.Second / perSecond)
		time.Sleep(time.Until(due))
		all.Go(func() {
			err := ask(client, address+path(i), token)
			took[i], failed[i] = time.Since(due).Seconds()*1000, err
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(took)
	return took
}

// all runs a statement and reads every row.
func all(p *sql.DB, text string, args ...any) (rows [][]any, err error) {
	found, err := p.Query(text, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	for found.Next() {
		row, into := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

// answer writes what a bare handler found, whole.
func answer(w http.ResponseWriter, rows [][]any, total int64, rest ...any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"rows": len(rows), "total": total, "list": rows, "rest": rest})
}

func bareDrivers(p *sql.DB) http.Handler {
	count := func(when string) string {
		return `CAST(COALESCE(SUM(CASE WHEN ` + when + ` THEN 1 ELSE 0 END), 0) AS BIGINT)`
	}
	counts := `SELECT COUNT(*) AS everyone, ` + count(`active`) + `, ` + count(`NOT active`) + `, ` + count(`blocked`) + `, ` + count(`iban_sealed = ''`) + `, ` +
		count(`tax_id = ''`) + `, ` + count(`schema_number = 0`) + `, ` + count(`TRUE`) + ` FROM drivers WHERE tenant_id = $1 AND merged_into = ''`
	const page = `SELECT id, first_name, last_name, email, phone, iban_sealed, iban_changed_at, account_holder, tax_id, schema_number, contract_number, bailiff,
		summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at, settled_on, version, created_at
		FROM drivers WHERE tenant_id = $1 AND merged_into = '' AND TRUE ORDER BY search_key, id LIMIT $2 OFFSET $3`
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		var number int64
		if _, err := fmt.Sscan(rq.URL.Query().Get("page"), &number); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		totals, err := all(p, counts, north.Tenant)
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		rows, err := all(p, page, north.Tenant, 50, (number-1)*50)
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		marks, args := make([]string, len(rows)), []any{north.Tenant}
		for i, row := range rows {
			marks[i] = fmt.Sprintf("$%d", i+2)
			args = append(args, row[0])
		}
		in := ` IN (` + strings.Join(marks, ", ") + `)`
		identities, err := all(p, `SELECT driver_id, provider, value FROM driver_identities WHERE tenant_id = $1 AND driver_id`+in+` ORDER BY driver_id, provider, value`, args...)
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		tags, err := all(p, `SELECT d.driver_id, t.id, t.name, t.created_at FROM driver_tags d JOIN tags t ON t.tenant_id = d.tenant_id AND t.id = d.tag_id
			WHERE d.tenant_id = $1 AND d.driver_id`+in+` ORDER BY d.driver_id, t.search_key, t.id`, args...)
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		answer(w, rows, totals[0][0].(int64), totals, identities, tags)
	})
}

func bareTransactions(p *sql.DB) http.Handler {
	const where = `tenant_id = $1 AND deleted_at = '' AND driver_id IN ($2)`
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		id := rq.URL.Query().Get("driverUUID")
		var found [][][]any
		for _, text := range []string{
			`SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND id = $2`,
			`SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND (id = $2 OR merged_into = $2 AND merged_into <> '') ORDER BY id`,
			`SELECT type, provider, CASE WHEN amount < 0 THEN 1 ELSE 0 END AS negative, COUNT(*) AS rows, CAST(SUM(amount) AS BIGINT) AS sum
				FROM transactions WHERE ` + where + ` GROUP BY type, provider, CASE WHEN amount < 0 THEN 1 ELSE 0 END`,
			`SELECT id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name, description, payment, twin_id,
				source, source_file, source_row, source_column, external_id, came_unknown, evidence, evidence_type, evidence_name, reason, settlement_id, version,
				created_at, deleted_at FROM transactions WHERE ` + where + ` ORDER BY occurred_on DESC, id DESC LIMIT 51`,
		} {
			rows, err := all(p, text, north.Tenant, id)
			if err != nil {
				http.Error(w, err.Error(), 500)
				return
			}
			found = append(found, rows)
		}
		var total int64
		for _, part := range found[2] {
			total += part[3].(int64)
		}
		answer(w, found[3][:min(50, len(found[3]))], total, found[:3])
	})
}

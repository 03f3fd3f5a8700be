package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// driverOf leaves a driver in a tenant, by the name of the tenant.
func (w *world) driverOf(t *testing.T, tenant string) (id string) {
	t.Helper()
	id = "driver-of-" + tenant
	testkit.Write(t, w.app.DB(), access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO drivers (tenant_id, id, first_name, last_name, search_key, email, phone, iban_sealed, iban_sum, iban_changed_at, account_holder, tax_id, schema_number,
			contract_number, bailiff, summary_language, settlement_frequency, active, blocked, account_id, verified_at, activation_sent_at, settled_on, merged_into,
			version, created_at, updated_at) VALUES ($1, $2, 'Oleh', $3, '', '', '', '', '', '', '', '', 0, '', FALSE, '', 0, TRUE, FALSE, '', '', '', '', '', 1, $4, $4)
			ON CONFLICT DO NOTHING`, id, canary+tenant, tx.Now)
		return err
	})
	return id
}

// row leaves a row of a file that nobody knew the type of.
func (w *world) row(t *testing.T, tenant, typ string) (id string) {
	t.Helper()
	driver := w.driverOf(t, tenant)
	testkit.Write(t, w.app.DB(), access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
		id = tx.NewID()
		_, err := tx.Exec(`INSERT INTO transactions (tenant_id, id, driver_id, provider, type, amount, currency, occurred_at, occurred_on, span_from, span_to, name, description,
			search_key, payment, twin_id, source, import_id, source_file, source_row, source_column, external_id, came_unknown, rule_layout, rule_label, evidence, evidence_type,
			evidence_name, reason, settlement_id, version, created_at, created_by, updated_at, deleted_at)
			VALUES ($1, $2, $3, 'UBER', $4, 1250, 'PLN', $5, '2026-11-04', '', '', '', $6, '', '', '', 'import', 'i1', 'week.csv', 7, 'Airport', 'x', $7,
			'payments', 'Airport', '', '', '', '', '', 1, $5, '', $5, '')`,
			id, driver, typ, tx.Now, canary+tenant, typ == "UNKNOWN")
		if err != nil {
			return err
		}
		return testkit.Recounted(tx)
	})
	return id
}

// remembered is a type that a person gave to a row of north's.
func (w *world) remembered(t *testing.T) (id string) {
	t.Helper()
	w.must(t, 200, "partner", "POST", "/api/transactions/retype", map[string]any{"type": "TRIP", "transactions": []map[string]any{{"id": w.row(t, "north", "UNKNOWN"), "version": 1}}})
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		all, err := ledger.RememberedTypes(tx)
		if len(all) == 1 {
			id = all[0].ID()
		}
		return err
	})
	return id
}

func (w *world) settle(t *testing.T, id string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE transactions SET settlement_id = 's1' WHERE tenant_id = $1 AND id = $2`, id)
		return err
	})
}

func newEntry(driver string, more ...any) map[string]any {
	return with(map[string]any{"driverUUID": driver, "kind": "cost", "amount": 5000, "payment": "cash", "occurredOn": "2026-11-04",
		"name": canary + "north", "reason": "Zdjęcie"}, more...)
}

func changed(version int64, more ...any) map[string]any {
	body := newEntry("")
	delete(body, "driverUUID")
	delete(body, "kind")
	return with(body, append([]any{"version", version}, more...)...)
}

type entered struct {
	Transaction struct {
		ID, TwinID, Type, Evidence string
		Amount, Version            int64
	}
	Warnings []string
}

func (w *world) enter(t *testing.T, more ...any) (out entered) {
	t.Helper()
	if status, text := w.call(t, "partner", "POST", "/api/transactions", newEntry(w.driverOf(t, "north"), more...), &out); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return out
}

var pdf = []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")

func (w *world) evidenced(t *testing.T) (id string) {
	t.Helper()
	id = w.enter(t).Transaction.ID
	w.must(t, 204, "partner", "PUT", "/api/transactions/"+id+"/evidence?fileName=a.pdf", pdf)
	return id
}

func (w *world) removed(t *testing.T) (id string) {
	t.Helper()
	id = w.enter(t).Transaction.ID
	w.must(t, 204, "partner", "DELETE", "/api/transactions/"+id+"?version=1", nil)
	return id
}

type transactionPage struct {
	Driver       struct{ LastName string }
	Transactions []struct {
		ID, Type, Category, Source, SourceFile, Evidence, TwinID, Kind string
		Amount, SourceRow, Version                                     int64
		Editable, Retypable                                            bool
	}
	Next       string
	Count, Sum int64
	Totals     []struct {
		Category   string
		Counted    bool
		Count, Sum int64
	}
}

func (w *world) book(t *testing.T, more string) (page transactionPage) {
	t.Helper()
	if status, text := w.call(t, "partner", "GET", "/api/transactions?driverUUID="+w.driverOf(t, "north")+more, nil, &page); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return page
}

func TestATransactionIsEnteredListedChangedDeletedAndBroughtBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.row(t, "north", "TRIP")
		one := w.enter(t).Transaction
		if one.Type != "COST" || one.Amount != -5000 || one.TwinID == "" {
			t.Errorf("%+v", one)
		}
		page := w.book(t, "&limit=2")
		if len(page.Transactions) != 2 || page.Next == "" || page.Count != 3 || page.Sum != 1250 || len(page.Totals) != 3 || page.Driver.LastName != canary+"north" {
			t.Errorf("%+v", page)
		}
		if rest := w.book(t, "&limit=2&after="+page.Next); len(rest.Transactions) != 1 || rest.Transactions[0].SourceFile != "week.csv" || rest.Transactions[0].SourceRow != 7 || rest.Transactions[0].Editable {
			t.Errorf("%+v", rest)
		}
		var out entered
		if status, text := w.call(t, "partner", "PUT", "/api/transactions/"+one.ID, changed(1, "amount", 700, "payment", "card", "occurredOn", "2030-01-01"), &out); status != 200 ||
			!slices.Equal(out.Warnings, []string{"future_date"}) || out.Transaction.Version != 2 {
			t.Errorf("%d %s", status, text)
		}
		if text := w.must(t, 409, "partner", "PUT", "/api/transactions/"+one.ID, changed(1)); !strings.Contains(text, "transactions.changed") {
			t.Error(text)
		}
		if text := w.must(t, 409, "partner", "DELETE", "/api/transactions/"+one.ID+"?version=1", nil); !strings.Contains(text, "transactions.changed") {
			t.Error(text)
		}
		if page := w.book(t, "&type=COST&from=2030-01-01&state=unsettled&provider=PARTNER"); page.Count != 1 || page.Sum != -700 || page.Transactions[0].Kind != "cost" {
			t.Errorf("%+v", page)
		}
		w.must(t, 204, "partner", "DELETE", "/api/transactions/"+one.ID+"?version=2", nil)
		if page := w.book(t, ""); page.Count != 1 {
			t.Errorf("%+v", page)
		}
		w.must(t, 204, "partner", "POST", "/api/transactions/"+one.ID+"/restore", nil)
		var h struct {
			Lines []struct {
				Who, Action, Reason string
				Changes             []struct{ Field, Before, After string }
			}
		}
		w.call(t, "partner", "GET", "/api/transactions/"+one.ID+"/history", nil, &h)
		if len(h.Lines) != 4 || fmt.Sprint(h.Lines[1].Changes) != "[{amount -5000 -700} {occurredOn 2026-11-04 2030-01-01} {payment cash card}]" || h.Lines[1].Reason != "Zdjęcie" {
			t.Errorf("%+v", h)
		}
	})
}

func TestEveryWrongPartOfATransactionIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.driverOf(t, "north")
		for _, c := range []struct {
			field string
			value any
		}{
			{"kind", "TRIP"}, {"kind", ""}, {"amount", 0}, {"amount", -1}, {"amount", 100_000_001}, {"amount", "5"}, {"amount", 5.5}, {"payment", "blik"}, {"payment", ""},
			{"occurredOn", "04.11.2026"}, {"occurredOn", "2026-02-30"}, {"occurredOn", ""}, {"name", ""}, {"name", strings.Repeat("a", 101)}, {"reason", ""},
			{"reason", strings.Repeat("a", 501)}, {"description", strings.Repeat("a", 501)}, {"driverUUID", ""},
		} {
			if text := w.must(t, 422, "partner", "POST", "/api/transactions", newEntry(driver, c.field, c.value)); !strings.Contains(text, `"name":"`+c.field+`"`) {
				t.Errorf("%s %v: %s", c.field, c.value, text)
			}
		}
		id := w.enter(t).Transaction.ID
		for _, field := range []string{"amount", "payment", "occurredOn", "name", "reason"} {
			body := changed(1, field, "")
			if field == "amount" {
				body[field] = 0
			}
			if text := w.must(t, 422, "partner", "PUT", "/api/transactions/"+id, body); !strings.Contains(text, `"name":"`+field+`"`) {
				t.Errorf("%s: %s", field, text)
			}
		}
		for _, query := range []string{"type=GIFT", "from=x", "to=2026-13-01", "state=paid", "limit=201", "after=x"} {
			name, _, _ := strings.Cut(query, "=")
			if text := w.must(t, 422, "partner", "GET", "/api/transactions?driverUUID="+driver+"&"+query, nil); !strings.Contains(text, name) {
				t.Errorf("%s: %s", query, text)
			}
		}
		if text := w.must(t, 422, "partner", "GET", "/api/transactions?driverUUID="+driver+"&sort=amount", nil); !strings.Contains(text, `"unknownParameters":"1"`) {
			t.Error(text)
		}
		w.must(t, 422, "partner", "GET", "/api/transactions", nil)
		if page := w.book(t, ""); page.Count != 2 {
			t.Errorf("%+v", page)
		}
	})
}

func TestNothingElseOfATransactionCanBeSet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver, id := w.driverOf(t, "north"), w.enter(t).Transaction.ID
		before := w.changes(t)
		for _, column := range w.columns(t, "transactions") {
			field := camel(column)
			if slices.Contains([]string{"amount", "payment", "occurredOn", "name", "description", "reason", "version"}, field) {
				continue
			}
			for path, body := range map[string]map[string]any{"POST /api/transactions": newEntry(driver, field, "x"), "PUT /api/transactions/" + id: changed(1, field, "x")} {
				method, path, _ := strings.Cut(path, " ")
				if text := w.must(t, 422, "partner", method, path, body); !strings.Contains(text, `"name":"`+field+`","code":"unknown"`) {
					t.Errorf("%s %s with %s: %s", method, path, field, text)
				}
			}
		}
		for _, field := range []string{"driverUUID", "kind", "settlementUUID", "editable"} {
			w.must(t, 422, "partner", "PUT", "/api/transactions/"+id, changed(1, field, "cost"))
		}
		if w.changes(t) != before {
			t.Error("something changed")
		}
	})
}

func TestAnotherPartnersIdsLeadNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine, theirs := w.row(t, "south", "UNKNOWN"), w.row(t, "north", "UNKNOWN")
		written, kept := w.enter(t).Transaction.ID, w.evidenced(t)
		before := w.changes(t)
		for path, body := range map[string]any{
			"GET /api/transactions?driverUUID=" + w.driverOf(t, "north"):    nil,
			"POST /api/transactions":                                        newEntry(w.driverOf(t, "north")),
			"PUT /api/transactions/" + written:                              changed(1),
			"DELETE /api/transactions/" + written + "?version=1":            nil,
			"POST /api/transactions/" + written + "/restore":                nil,
			"GET /api/transactions/" + written + "/history":                 nil,
			"PUT /api/transactions/" + written + "/evidence?fileName=a.pdf": pdf,
			"GET /api/transactions/" + kept + "/evidence":                   nil,
			"DELETE /api/transactions/" + kept + "/evidence":                nil,
			"POST /api/transactions/retype": map[string]any{"type": "TRIP", "transactions": []map[string]any{
				{"id": mine, "version": 1}, {"id": theirs, "version": 1}}},
		} {
			method, path, _ := strings.Cut(path, " ")
			if text := w.must(t, 404, "other", method, path, body); strings.Contains(text, canary+"north") {
				t.Error(text)
			}
		}
		if w.changes(t) != before {
			t.Error("something of north changed")
		}
		testkit.Read(t, w.app.DB(), access.ProgramFor("south", "test"), func(tx *db.Tx) error {
			if typ, err := db.One[string](tx, `SELECT type FROM transactions WHERE tenant_id = $1 AND id = $2`, mine); err != nil || typ != "UNKNOWN" {
				t.Errorf("a refused list changed its own part: %s %v", typ, err)
			}
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM remembered_types WHERE tenant_id = $1`)
			if n != 0 {
				t.Errorf("%d rules", n)
			}
			return err
		})
		if keys := w.blobs(t); len(keys) != 1 {
			t.Errorf("a refused upload left a file: %v", keys)
		}
	})
}

func TestManyRowsAreGivenATypeWithAnOutcomeEach(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good, stale, typed, settled := w.row(t, "north", "UNKNOWN"), w.row(t, "north", "UNKNOWN"), w.row(t, "north", "TRIP"), w.row(t, "north", "UNKNOWN")
		w.settle(t, settled)
		body := map[string]any{"type": "REFUND", "transactions": []map[string]any{{"id": good, "version": 1}, {"id": stale, "version": 2}, {"id": typed, "version": 1}, {"id": settled, "version": 1}}}
		var result struct {
			Outcomes []struct {
				ID, Code string
				Done     bool
			}
		}
		w.call(t, "partner", "POST", "/api/transactions/retype", body, &result)
		if got := fmt.Sprint(result.Outcomes); got != fmt.Sprintf("[{%s  true} {%s transactions.changed false} {%s transactions.not_unknown false} {%s transactions.settled false}]", good, stale, typed, settled) {
			t.Error(got)
		}
		for name, bad := range map[string]map[string]any{"type": with(body, "type", "GIFT"), "transactions": with(body, "transactions", []any{})} {
			if text := w.must(t, 422, "partner", "POST", "/api/transactions/retype", bad); !strings.Contains(text, `"name":"`+name+`"`) {
				t.Error(text)
			}
		}
	})
}

func TestEvidence_IsCheckedByItsContentAndServedAsADownload(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.enter(t).Transaction.ID
		at := "/api/transactions/" + id + "/evidence"
		for name, upload := range map[string][]byte{"a page": []byte("<html><script>alert(1)</script>"), "half a PDF": []byte("%PDF-1.7\n"), "a text": []byte("hello"),
			"a large picture": append(logo(t, 8, 8), make([]byte, 1<<20)...)} {
			if text := w.must(t, 422, "partner", "PUT", at+"?fileName=a.pdf", upload); !strings.Contains(text, "transactions.evidence_refused") {
				t.Errorf("%s: %s", name, text)
			}
		}
		large := slices.Concat([]byte("%PDF-1.7\n"), bytes.Repeat([]byte(" "), 10<<20-20), []byte("%%EOF\n"))
		w.must(t, 204, "partner", "PUT", at+"?fileName=large.pdf", large)
		w.must(t, 413, "partner", "PUT", at+"?fileName=large.pdf", slices.Concat(large, make([]byte, 100)))
		w.must(t, 204, "partner", "PUT", at+"?fileName=..%2Fmandat%22.exe", logo(t, 8, 8))
		if keys := w.blobs(t); len(keys) != 1 || !strings.HasPrefix(keys[0], "north/evidence/") {
			t.Errorf("files: %v", keys)
		}
		rq, _ := http.NewRequest("GET", w.URL+at, nil)
		rq.Header.Set("Authorization", "Bearer "+w.tokens["partner"])
		resp, err := http.DefaultClient.Do(rq)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if h := resp.Header; h.Get("Content-Type") != "image/png" || h.Get("Content-Disposition") != "attachment; filename=mandat.png" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%v", h)
		}
		if page := w.book(t, "&type=COST"); page.Transactions[0].Evidence != "mandat.png" {
			t.Errorf("%+v", page)
		}
		w.must(t, 204, "partner", "DELETE", at, nil)
		if text := w.must(t, 404, "partner", "GET", at, nil); !strings.Contains(text, "transactions.no_evidence") || len(w.blobs(t)) != 0 {
			t.Error(text, w.blobs(t))
		}
		w.settle(t, id)
		if text := w.must(t, 409, "partner", "PUT", at, pdf); !strings.Contains(text, "transactions.settled") || len(w.blobs(t)) != 0 {
			t.Error(text, w.blobs(t))
		}
	})
}

func TestARepeatedEntryIsBookedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.driverOf(t, "north")
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(driver))
		w.keys.Add(-1) // the same key once more
		w.must(t, 201, "partner", "POST", "/api/transactions", newEntry(driver))
		if page := w.book(t, ""); page.Count != 2 {
			t.Errorf("%+v", page)
		}
	})
}

package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/app"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
	"saldo/internal/testkit"
)

// world is the whole program over one database with two full tenants, north
// and south. Everything of a tenant carries its canary, so that a leak shows.
type world struct {
	*httptest.Server
	data   string // the data folder
	app    *app.App
	router *web.Router
	clock  *testkit.Clock
	tokens map[string]string // principal → access token
	mint   *testkit.Mint
	vault  *vault.Vault
	keys   atomic.Int64
	drive  *testkit.WebDAV // nil: nobody needed it
}

const canary = "canary-of-"

var principals = map[string]identity.Member{
	"partner": {TenantID: "north", ID: "north-partner", Subject: "np", Role: access.Partner},
	"driver":  {TenantID: "north", Subject: "nd", Role: access.Driver},
	"other":   {TenantID: "south", ID: "south-partner", Subject: "sp", Role: access.Partner},
	// another partner's driver, and one who has signed in and done nothing yet
	"stranger": {TenantID: "south", Subject: "sd", Role: access.Driver},
	"lone":     {Subject: "ld", Role: access.Driver},
}

// columns are the principals in the order of the matrix.
var columns = []string{"anonymous", "driver", "partner", "other", "stranger", "lone"}

func newWorld(t *testing.T, engine string) *world {
	t.Helper()
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	return newWorldOf(t, engine, instance)
}

func newWorldOf(t *testing.T, engine string, instance config.Instance, change ...func(*config.Settings)) *world {
	t.Helper()
	var err error
	place := testkit.Settings(t, engine)
	keyFile := t.TempDir() + "/key"
	if err := vault.CreateKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	data := place.Folder
	if data == "" {
		data = t.TempDir()
	}
	w := &world{data: data, clock: testkit.NewClock(), tokens: map[string]string{}, vault: testkit.Vault(t, keyFile)}
	place.Clock = w.clock.Now
	testkit.KeepCompiled(t, data)
	testkit.SigningKey(t, place, w.vault)
	settings := config.Settings{Data: w.data, DatabaseURL: place.URL, Instance: instance,
		PublicURL: "http://localhost", MailFrom: "saldo@localhost", KeyFile: keyFile, Identity: config.Identity{Realm: "saldo"},
		ServicesPrivate: true, ServicesTrust: testkit.LocalTrust(t)}.AsDemo()
	for _, one := range change {
		one(&settings)
	}
	w.app, err = app.Open(context.Background(), settings, slog.New(slog.DiscardHandler), w.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.app.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, tenant := range []string{"north", "south"} {
		testkit.Write(t, w.app.DB(), access.ProgramFor(tenant, "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: tenant, Name: canary + tenant, Color: "#0B5D68"}, 10)
		})
	}
	testkit.Write(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
		all := map[i18n.Language]partners.Text{}
		for _, l := range i18n.Languages {
			all[l] = partners.Text{Title: "Terms in " + string(l), Body: "One.\n\nTwo."}
		}
		return partners.PublishTerms(tx, "2026-11", all)
	})
	w.mint = testkit.NewMint(t, w.app.DB(), w.vault, "http://localhost/auth/realms/saldo")
	for name, m := range principals {
		m.Issuer, m.Name, m.Email = identity.Embedded, canary+m.TenantID+" "+name, name+"@"+canary+m.TenantID+".example"
		signedIn := w.clock.Now()
		if m.Role == access.Driver { // so that the matrix does not close their accounts
			signedIn = signedIn.Add(-time.Hour)
		}
		w.tokens[name] = w.mint.Token(t, m.Subject, m.Role, time.Hour, map[string]any{"auth_time": signedIn.Unix()})
		if m.Role == access.Driver {
			w.settleDriver(t, name)
		} else {
			testkit.Write(t, w.app.DB(), access.ProgramFor(m.TenantID, "test"), func(tx *db.Tx) error { return identity.AddMember(tx, m) })
		}
	}
	if err := w.app.Offer(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.router, err = w.app.Router(); err != nil {
		t.Fatal(err)
	}
	w.Server = httptest.NewServer(w.router.Handler())
	t.Cleanup(w.Server.Close)
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			test(t, newWorld(t, engine))
		})
	}
}

// call makes a request as a principal, with a fresh idempotency key, and reads
// the answer into out where there is one. Whatever is answered must be in the contract.
func (w *world) call(t *testing.T, who, method, path string, body, out any) (status int, text string) {
	t.Helper()
	status, text, _ = w.ask(t, who, method, path, body, fmt.Sprint("key-", w.keys.Add(1)))
	if out != nil && status < 300 {
		if err := json.Unmarshal([]byte(text), out); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return status, text
}

// ask is call with an idempotency key, and with the head of the answer.
func (w *world) ask(t *testing.T, who, method, path string, body any, key string) (status int, text string, header http.Header) {
	t.Helper()
	var content io.Reader
	mediaType := ""
	if upload, ok := body.(formed); ok {
		content, mediaType = bytes.NewReader(upload.content), upload.mediaType
	} else if raw, ok := body.([]byte); ok {
		content = bytes.NewReader(raw)
	} else if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(encoded)
	}
	rq, err := http.NewRequest(method, w.URL+path, content)
	if err != nil {
		t.Fatal(err)
	}
	if token := w.tokens[who]; token != "" {
		rq.Header.Set("Authorization", "Bearer "+token)
	}
	if mediaType != "" {
		rq.Header.Set("Content-Type", mediaType)
	}
	rq.Header.Set("Idempotency-Key", key)
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	asPromised(t, method, path, resp.StatusCode, resp.Header.Get("Content-Type"), string(answer))
	return resp.StatusCode, string(answer), resp.Header
}

func (w *world) addTag(t *testing.T, who, name string) (id string) {
	t.Helper()
	var tag struct{ ID string }
	if status, text := w.call(t, who, "POST", "/api/tags", map[string]string{"name": name}, &tag); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	return tag.ID
}

// failedJob leaves a failed job of north.
func (w *world) failedJob(t *testing.T) (id string) {
	t.Helper()
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		if err := jobs.Enqueue(tx, jobs.Order{Kind: canary + "north"}); err != nil {
			return err
		}
		var err error
		if id, err = db.One[string](tx, `SELECT id FROM jobs WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1`); err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE jobs SET state = 'failed' WHERE tenant_id = $1 AND id = $2`, id)
		return err
	})
	return id
}

// changes counts what north's rows look like, to show that a refused call did nothing.
func (w *world) changes(t *testing.T) (sum string) {
	t.Helper()
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		counts, err := db.One[string](tx, `SELECT (SELECT COUNT(*) FROM tags WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM schema_versions WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM audit_entries WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM members WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM driver_profiles WHERE tenant_id = $1 AND left_at = '') || ' ' ||
			(SELECT COUNT(*) FROM drivers WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM driver_merges WHERE tenant_id = $1 AND undone_at = '') || ' ' ||
			(SELECT COUNT(*) FROM dismissed_duplicates WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM jobs WHERE tenant_id = $1 AND state = 'failed') || ' ' ||
			(SELECT COUNT(*) FROM transactions WHERE tenant_id = $1 AND deleted_at = '') || ' ' ||
			(SELECT COUNT(*) FROM imports WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM import_mappings WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM settlements WHERE tenant_id = $1 AND state = 'settled') || ' ' ||
			(SELECT COUNT(*) FROM settlement_runs WHERE tenant_id = $1 AND state = 'preview') || ' ' ||
			(SELECT used || ' ' || granted FROM licence_balances WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM licence_orders WHERE tenant_id = $1 AND state = 'draft') || ' ' ||
			(SELECT COUNT(*) FROM payment_attempts WHERE tenant_id = $1 AND state = 'pending') || ' ' ||
			(SELECT COUNT(*) FROM licence_notes WHERE tenant_id = $1 AND seen_at = '') || ' ' ||
			(SELECT COUNT(*) FROM billing_documents WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM summaries WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM messages WHERE tenant_id = $1 AND state <> 'cancelled' AND withdrawn_at = '' AND NOT pinned) || ' ' ||
			(SELECT COUNT(*) FROM notes WHERE tenant_id = $1 AND hidden_at = '' AND read_at = '') || ' ' ||
			(SELECT COUNT(*) FROM thread_entries WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM invoice_images WHERE tenant_id = $1 AND state = 'to_verify' AND deleted_at = '' AND version = 1) || ' ' ||
			(SELECT COUNT(*) FROM invoice_readings WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM contracts WHERE tenant_id = $1 AND version = 1) || ' ' ||
			(SELECT COUNT(*) FROM document_templates WHERE tenant_id = $1 AND deleted_at = '' AND revision = 1) || ' ' ||
			(SELECT COUNT(*) FROM driver_documents WHERE tenant_id = $1 AND version = 1) || ' ' ||
			(SELECT COUNT(*) FROM document_types WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM trips WHERE tenant_id = $1 AND version = 1) || ' ' ||
			(SELECT COUNT(*) FROM time_entries WHERE tenant_id = $1 AND version = 1) || ' ' ||
			(SELECT COUNT(*) FROM tracking_photos WHERE tenant_id = $1 AND gone_at = '') || ' ' ||
			(SELECT COUNT(*) FROM report_definitions WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM report_schedules WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM summary_sendings WHERE tenant_id = $1 AND state = 'preview') || ' ' ||
			(SELECT COUNT(*) FROM unmatched_rows WHERE tenant_id = $1) || ' ' ||
			(SELECT COUNT(*) FROM unmatched_drivers WHERE tenant_id = $1 AND state = 'waiting')`)
		sum = counts
		return err
	})
	return sum
}

func readMatrix(t *testing.T) map[string]map[string]int {
	t.Helper()
	content, err := os.ReadFile("testdata/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	matrix := map[string]map[string]int{}
	for line := range strings.Lines(string(content)) {
		cells := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(cells) == 0 {
			continue
		}
		row := map[string]int{}
		for i, who := range columns {
			if row[who], err = strconv.Atoi(cells[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		matrix[cells[0]] = row
	}
	return matrix
}

func TestEveryRouteAnswersEveryRoleAsTheMatrixSays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		matrix := readMatrix(t)
		// what to send to an operation that needs something of north's
		bodies := map[string]func() any{
			"add-tag": func() any { return map[string]string{"name": fmt.Sprint("tag ", w.keys.Load())} },

			"save-partner":         func() any { return with(profileOf("Renamed"), "driversChooseFrequency", true) },
			"set-driver-functions": func() any { return map[string]any{"version": 1, "1": true, "2": true, "3": true, "4": false} },
			"set-logo":             func() any { return logo(t, 8, 8) },
			"open-driver-account":  func() any { return filledIn(canary + "lone") },
			"save-driver-account":  func() any { return with(filledIn(canary+"edit"), "version", 1) },
			"set-driver-frequency": func() any { return map[string]any{"frequency": 2} },
			"invite-partner":       func() any { return map[string]any{"partnerUuid": "south", "consentToSendContactDetails": true} },
			"subscribe-to-push":    func() any { return pushSubscription(fmt.Sprint(w.keys.Load())) },
			"add-schema":           func() any { return rulesOf(fmt.Sprint("schema ", w.keys.Load())) },
			"save-schema":          func() any { return with(rulesOf(fmt.Sprint("schema ", w.keys.Load())), "version", 1) },
			"copy-schema":          func() any { return map[string]any{"name": fmt.Sprint("copy ", w.keys.Load())} },
			"validate-pesel-body":  func() any { return map[string]string{"pesel": "44051401359"} },

			"add-driver":  func() any { return driverOf("Nowak") },
			"save-driver": func() any { return with(driverOf("Changed"), "version", 1) },
			"set-identities": func() any {
				return map[string]any{"version": 1, "identities": []any{map[string]string{"provider": "UBER", "value": fmt.Sprint(w.keys.Load())}}}
			},
			"link-profile": func() any { return w.linkOf(t, w.profileID(t, principals["driver"].Subject), "") },
			"tag-driver":   func() any { return map[string]any{"tags": []string{}} },
			"tag-drivers": func() any {
				return map[string]any{"driverIds": []string{w.driverOf(t, "north")}, "add": []string{w.addTag(t, "partner", fmt.Sprint("many ", w.keys.Load()))}}
			},
			"merge-drivers":     func() any { return mergeOf(w.addDriver(t, "partner", driverOf(canary+"north"))) },
			"dismiss-duplicate": func() any { return w.alike(t) },
			"propose-again": func() any {
				pair := w.alike(t)
				w.must(t, 204, "partner", "POST", driversPath+"/possible-duplicates/dismiss", pair)
				return pair
			},
			"add-import":                   func() any { return form(canary+"file.csv", w.freshSheet(), "provider", "PARTNER") },
			"confirm-import":               func() any { return map[string]any{} },
			"add-import-mapping":           func() any { return mappingOf(w.unknown(t)) },
			"try-import-mapping":           func() any { return without(mappingOf(w.unknown(t)), "name") },
			"save-import-mapping":          func() any { return with(without(mappingOf(""), "importId", "part", "headLine"), "version", 1) },
			"assign-unmatched-driver":      func() any { return map[string]any{"driverUUID": w.driverOf(t, "north")} },
			"create-from-unmatched-driver": func() any { return map[string]any{"firstName": "Jan", "lastName": canary + "north"} },
			"add-transaction":              func() any { return newEntry(w.driverOf(t, "north")) },
			"save-transaction":             func() any { return changed(1) },
			"set-evidence":                 func() any { return pdf },
			"retype-transactions": func() any {
				return map[string]any{"type": "TRIP", "transactions": []map[string]any{{"id": w.row(t, "north", "UNKNOWN"), "version": 1}}}
			},
		}
		bodies["preview-settlement-run"] = func() any { return map[string]any{"period": "2026-W44", "drivers": []string{w.earner(t)}} }
		bodies["start-settlement-run"] = func() any { return map[string]any{"share": true} }
		bodies["simulate-schema"] = func() any { return with(rulesOf("simulated"), "schemaNumber", 1) }
		for _, name := range []string{"pay-settlements", "unpay-settlements", "revoke-settlements", "carry-settlements", "share-settlements"} {
			bodies[name] = func() any {
				body := map[string]any{"ids": []string{w.settled(t)}}
				switch name {
				case "pay-settlements":
					body["paidOn"] = "2026-11-15"
				case "revoke-settlements":
					body["reason"] = "wrong file"
				}
				return body
			}
		}
		bodies["save-payout-settings"] = func() any {
			return map[string]any{"profile": "elixir", "foreignProfile": "", "secondPerson": false, "version": 0}
		}
		bodies["plan-payouts"] = func() any { return map[string]any{"profile": "elixir"} }
		bodies["make-payouts"] = func() any {
			body := map[string]any{"profile": "elixir", "settlements": []string{w.payable(t)}}
			return with(body, "token", w.planned(t, body).Token)
		}
		reply := func() map[string]any {
			return map[string]any{"name": "x.xml", "content": w.statement(t, false, w.transfersOf(t, w.batched(t, w.payable(t)))...)}
		}
		bodies["plan-bank-statement"] = func() any { return reply() }
		bodies["confirm-bank-statement"] = func() any {
			file := reply()
			var plan struct{ Token string }
			w.call(t, "partner", "POST", statementsPath+"/plan", file, &plan)
			return with(file, "token", plan.Token)
		}
		bodies["cancel-payouts"] = func() any { return map[string]any{"reason": "late"} }
		bodies["remove-from-payouts"] = func() any { return map[string]any{"reason": "came back", "returned": []int64{1}} }
		bodies["pay-payouts"] = func() any { return map[string]any{"paidOn": "2026-11-15"} }
		for _, name := range []string{"link-profiles", "unlink-profiles", "block-profiles", "unblock-profiles"} {
			bodies[name] = func() any { return map[string]any{"ids": []string{w.profileID(t, principals["driver"].Subject)}} }
		}
		bodies["undo-unmatched-drivers"] = func() any { return map[string]any{"ids": []string{w.stranger(t)}} }
		bodies["create-from-unmatched"] = func() any {
			return map[string]any{"people": []any{map[string]any{"ids": []string{w.stranger(t)}}}}
		}
		bodies["assign-unmatched-drivers"] = func() any {
			return map[string]any{"people": []any{map[string]any{"ids": []string{w.stranger(t)}, "driverUUID": w.driverOf(t, "north")}}}
		}
		queries := map[string]string{"merge-preview": "?with=" + w.addDriver(t, "partner", driverOf(canary+"north")), "transactions": "?driverUUID=" + w.driverOf(t, "north"), "remove-transaction": "?version=1",
			"search": "?q=now", "pending-settlements": "?period=2026-W44", "payable-pending": "?period=2026-W44", "pending-settlement": "?period=2026-W44", "pending-timeline": "?period=2026-W44", "payout-report": "?from=2026-11-01&to=2026-11-30",
			"unsubscribe-from-push": "?device=" + pushDevice("a")}
		ids := map[string]func() string{
			"undo-merge": func() string {
				return w.merge(t, w.addDriver(t, "partner", driverOf("Kept")), w.addDriver(t, "partner", driverOf("Other")))
			},
			"remove-tag": func() string { return w.addTag(t, "partner", fmt.Sprint(canary, "north ", w.keys.Load())) },
			"retry-job":  func() string { return w.failedJob(t) },
			// north's driver; whoever else tries finds nothing
			"link-driver-account": func() string { return principals["driver"].Subject },
			"save-transaction":    func() string { return w.enter(t).Transaction.ID },
			"remove-transaction":  func() string { return w.enter(t).Transaction.ID },
			"restore-transaction": func() string { return w.removed(t) },
			"transaction-history": func() string { return w.enter(t).Transaction.ID },
			"set-evidence":        func() string { return w.enter(t).Transaction.ID },
			"evidence":            func() string { return w.evidenced(t) },
			"remove-evidence":     func() string { return w.evidenced(t) },
		}
		for _, name := range []string{"driver", "save-driver", "block-driver", "unblock-driver", "activate-driver", "deactivate-driver", "send-activation",
			"set-identities", "tag-driver", "driver-history", "driver-place", "driver-bond", "verify-driver", "unverify-driver", "merge-preview", "merge-drivers", "driver-merges"} {
			ids[name] = func() string { return w.silentDriver(t, "partner", canary+"north") }
		}
		for _, name := range []string{"import", "confirm-import", "cancel-import", "import-file", "import-refused", "read-import-again"} {
			ids[name] = func() string { return w.sent(t) }
		}
		for _, name := range []string{"remove-import", "import-rows"} {
			ids[name] = func() string { return w.imported(t) }
		}
		for _, name := range []string{"assign-unmatched-driver", "create-from-unmatched-driver", "ignore-unmatched-driver"} {
			ids[name] = func() string { return w.stranger(t) }
		}
		for _, name := range []string{"save-import-mapping", "remove-import-mapping"} {
			ids[name] = func() string { return w.mapped(t) }
		}
		bodies["invite-person"] = func() any { return w.invitation() }
		bodies["request-two-person-off"] = func() any { return w.twoPersonOn(t) }
		bodies["turn-on-two-person"] = func() any { w.colleague(t, secondOfNorth.ID); return nil }
		for _, name := range []string{"resend-invitation", "withdraw-invitation"} {
			ids[name] = func() string { return w.invited(t) }
		}
		ids["block-person"], ids["unblock-person"] = func() string { return w.newColleague(t) }, func() string { return w.blockedColleague(t) }
		for _, name := range []string{"confirm-two-person-off", "reject-two-person-off"} {
			ids[name] = func() string { return w.offRequest(t, secondOfNorth) }
		}
		ids["withdraw-two-person-off"] = func() string { return w.offRequest(t, firstOfNorth) }
		ids["remove-remembered-type"] = func() string { return w.remembered(t) }
		ids["undo-unmatched-driver"] = func() string {
			id := w.stranger(t)
			w.must(t, 204, "partner", "POST", "/api/unmatched-drivers/"+id+"/ignore", nil)
			return id
		}
		for _, name := range []string{"driver-profile", "link-profile"} {
			ids[name] = func() string { return w.profileID(t, principals["driver"].Subject) }
		}
		for _, name := range []string{"settlement", "settlement-undoing", "settlement-place", "driver-settlement", "settlement-timeline", "driver-timeline", "settlement-statement", "driver-statement", "end-driver-links", "answer-draft"} {
			ids[name] = func() string { return w.settled(t) }
		}
		for _, name := range []string{"settlement-run", "start-settlement-run"} {
			ids[name] = func() string { return w.shownRun(t, w.earner(t)) }
		}
		for _, name := range []string{"billing-documents", "issue-document"} {
			ids[name] = func() string { return w.billable(t) }
		}
		for _, name := range []string{"billing-pdf", "billing-file", "driver-document", "driver-document-file", "send-document-again", "document-archive"} {
			ids[name] = func() string { return w.issued(t, w.billable(t)) }
		}
		bodies["issue-document"], bodies["send-document-again"] = func() any { return company }, func() any { return company }
		bodies["save-billing-certificate"] = func() any { return map[string]any{"certificate": "none", "key": "none"} }
		bodies["save-sms-settings"] = func() any { return smsAPISettings }
		bodies["save-billing-agreement"] = func() any { return map[string]any{"approval": "none"} }
		for _, name := range []string{"answer-draft", "answer-linked-draft"} {
			bodies[name] = func() any { return map[string]any{"draftId": "unknown", "approve": true} }
		}
		bodies["issue-documents"] = func() any { return map[string]any{"ids": []string{w.billable(t)}} }
		for _, name := range []string{"summary-sending", "start-summaries"} {
			ids[name] = func() string { return w.shownSending(t, w.settledWithAddress(t)) }
		}
		ids["cancel-summaries"] = func() string { return w.waitingSending(t) }
		for _, name := range []string{"summary", "retry-summary", "end-summary-link"} {
			ids[name] = func() string { return w.sentSummary(t) }
		}
		for _, name := range []string{"send-message", "preview-message"} {
			bodies[name] = func() any { return messageTo(w.silentDriver(t, "partner", canary+"north")) }
		}
		for _, name := range []string{"message", "message-recipients", "read-note", "confirm-note", "restore-note", "delete-message", "pin-message", "retry-message"} {
			ids[name] = func() string { return w.message(t) }
		}
		for _, name := range []string{"thread", "answer-question", "driver-question", "ask-more", "close-question"} {
			ids[name] = func() string { return w.thread(t) }
		}
		ids["ask-question"] = func() string { return w.settled(t) }
		bodies["answer-question"] = func() any { return map[string]any{"text": "Because.", "seen": 1} }
		for _, name := range []string{"ask-question", "ask-more"} {
			bodies[name] = func() any { return map[string]any{"text": "Why?"} }
		}
		for _, name := range []string{"invoice", "invoice-preview", "invoice-file", "describe-invoice", "delete-invoice", "invoice-feedback",
			"reject-invoice"} {
			ids[name] = func() string { return w.invoiced(t) }
		}
		ids["invoice-reading"] = func() string { return "00000000-0000-0000-0000-000000000001" }
		bodies["add-invoice"] = func() any { return form(canary+"north.png", w.pictured(), "data", asText(w.invoiceFields())) }
		bodies["add-invoice-for-driver"] = func() any {
			return form("a.png", w.pictured(), "driverUUID", w.driverOf(t, "north"), "data", asText(w.invoiceFields()))
		}
		bodies["read-invoice"] = func() any { return form("a.png", []byte("neither a picture nor a PDF")) }
		bodies["describe-invoice"] = func() any {
			return formOf("data", asText(map[string]any{"fields": w.invoiceFields(), "version": 1, "action": "save"}))
		}
		bodies["invoice-feedback"] = func() any { return map[string]any{"text": "Why?"} }
		bodies["reject-invoice"] = func() any { return map[string]any{"reason": "unreadable"} }
		bodies["approve-invoices"] = func() any { return map[string]any{"ids": []string{w.invoiced(t)}} }
		bodies["validate-invoice-number"] = func() any { return map[string]any{"number": "A/1", "issuerTaxId": "5260250274"} }
		bodies["verify-invoice-details"] = func() any { return map[string]any{"fields": w.invoiceFields()} }
		w.contractBodies(t, bodies, ids, queries)
		for _, name := range []string{"open-driver-document", "driver-documents-zip", "accept-driver-document", "reject-driver-document",
			"keep-driver-document", "remove-driver-document"} {
			ids[name] = func() string { id, _, _ := strings.Cut(w.shownDocument(t), " "); return id }
		}
		ids["driver-document-image"] = func() string { return w.shownDocument(t) }
		ids["documents-of-driver"] = func() string { return w.driverOf(t, "north") }
		ids["change-document-type"] = func() string { return "insurance" }
		for _, name := range []string{"driver-documents", "add-driver-document"} {
			queries[name] = "?driverUUID=" + w.driverOf(t, "north")
		}
		queries["remove-driver-document"] = "?version=1"
		bodies["add-driver-document"] = func() any { return documentForm(w.pictured(), "type", "identity_card", "validTo", "2030-01-01") }
		bodies["accept-driver-document"] = func() any { return map[string]any{"version": 1, "validTo": "2030-01-01"} }
		for _, name := range []string{"reject-driver-document", "keep-driver-document"} {
			bodies[name] = func() any { return map[string]any{"version": 1, "text": "Why?"} }
		}
		bodies["remind-documents"] = func() any {
			return map[string]any{"items": []any{map[string]any{"driverUUID": w.driverOf(t, "north"), "typeId": "driving_licence"}}}
		}
		for _, name := range []string{"add-document-type", "change-document-type"} {
			bodies[name] = func() any { return documentTypeForm(0) }
		}
		w.trackingBodies(t, bodies, ids, queries)
		w.licenceBodies(t, bodies, ids)
		w.serviceBodies(t, bodies, ids)
		w.fuelBodies(t, bodies, ids)
		ids["make-accountant-pack"], ids["accountant-pack"] = func() string { return "2026-01" }, func() string { return w.packed(t, "2026-02").ID }
		ids["purchase-file"] = func() string { return w.purchase(t, "") }
		ids["decide-purchase"] = ids["purchase-file"]
		w.reportBodies(t, bodies, ids, queries)
		bodies["invite-drivers"] = func() any { return map[string]any{"mails": []string{fmt.Sprintf("new%d@mail.example", w.keys.Load())}} }
		queries["ask-partner"] = "?partnerUUID=north"
		ids["cancel-message"] = func() string { return w.waitingMessage(t) }
		queries["pin-message"] = "?pinned=true"
		bodies["set-note-choices"] = func() any { return map[string]any{"noteMails": w.keys.Load()%2 == 0} }
		bodies["set-message-template"] = func() any { return templateOf(canary+"north", 0) }
		queries["reset-message-template"] = "?kind=settlement_paid&lang=pl&version=1"
		// links that nobody was sent
		for _, name := range []string{"driver-summary", "open-driver-summary", "linked-statement", "answer-linked-draft"} {
			ids[name] = func() string { return "" }
		}
		bodies["prepare-summaries"] = func() any { return map[string]any{"ids": []string{w.settledWithAddress(t)}} }
		for _, name := range []string{"pending-settlement", "pending-timeline"} {
			ids[name] = func() string { return w.earner(t) }
		}
		w.mapped(t)
		w.addTag(t, "partner", canary+"north")
		w.addSchema(t, "partner", canary+"north") // whose number other does not have
		freshSchema := func() string {
			return fmt.Sprint(w.addSchema(t, "partner", fmt.Sprint(canary, "north ", w.keys.Load())))
		}
		for _, route := range w.router.Routes() {
			row, ok := matrix[route.Name]
			if !ok {
				t.Errorf("%s has no row in the matrix", route.Name)
				continue
			}
			delete(matrix, route.Name)
			var body any
			var path, missing string
			used := true // what the request is about is made anew once somebody could do something with it
			for _, who := range []string{"anonymous", "driver", "stranger", "lone", "other", "partner"} {
				if make, ok := bodies[route.Name]; ok && used {
					body = make()
				}
				if route.Name == "save-payout-settings" { // other operations change them as well
					var settings struct{ Version int64 }
					w.call(t, who, "GET", route.Path, nil, &settings)
					body = with(body.(map[string]any), "version", settings.Version)
				}
				template := strings.NewReplacer("{contractId}", "{id}", "{code}", "{id}", "{order}", "1", "{side}", "start").Replace(route.Path + queries[route.Name])
				if used {
					path, missing = template, ""
					if strings.Contains(path, "{schemaNumber}") {
						missing = strings.ReplaceAll(template, "{schemaNumber}", "999999")
						path = strings.ReplaceAll(template, "{schemaNumber}", freshSchema())
					} else if strings.Contains(path, "{batchNumber}") {
						missing = strings.ReplaceAll(template, "{batchNumber}", "999999")
						path = strings.ReplaceAll(template, "{batchNumber}", fmt.Sprint(w.batched(t, w.payable(t))))
					} else if strings.Contains(path, "{kind}") {
						missing = strings.ReplaceAll(template, "{kind}", "drive.s3")
						path = strings.ReplaceAll(template, "{kind}", ids[route.Name]())
					} else if strings.Contains(path, "{") {
						id, image, _ := strings.Cut(ids[route.Name](), " ")
						template = strings.NewReplacer("{image}", image, "{card}", image, "{as}", "zip").Replace(template)
						missing = strings.ReplaceAll(template, "{id}", "00000000-0000-0000-0000-000000000000")
						path = strings.ReplaceAll(template, "{id}", id)
					}
				}
				before := w.changes(t)
				status, text := w.call(t, who, route.Method, path, body, nil)
				used = status < 400
				if status != row[who] {
					t.Errorf("%s as %s: %d %s, want %d", route.Name, who, status, text, row[who])
				}
				if status >= 400 && w.changes(t) != before {
					t.Errorf("%s as %s was refused and changed something", route.Name, who)
				}
				if route.Name == "partner-choices" { // the names of partners are for every driver; nothing else of them is
					text = strings.NewReplacer(`"name":"`+canary+"north", "", "aby "+canary+"north", "").Replace(text)
				}
				if who != "partner" && who != "driver" && strings.Contains(text, canary+"north") {
					t.Errorf("%s as %s shows a thing of north: %s", route.Name, who, text)
				}
				if strings.HasSuffix(route.Name, "-partner") && principals[who].Role == access.Driver {
					w.settleDriver(t, who) // back to where they were
				}
				if strings.Contains(route.Name, "two-person") {
					w.twoPersonOff(t)
					used = true
				}
				if row[who] == 404 && missing != "" {
					nowhere, absent := w.call(t, who, route.Method, missing, body, nil)
					if nowhere != 404 || shape(absent) != shape(text) {
						t.Errorf("%s as %s: not mine looks unlike not there: %s and %s", route.Name, who, text, absent)
					}
				}
			}
		}
		for name := range matrix {
			t.Errorf("the matrix has a row for %s, which is no route", name)
		}
	})
}

// shape is a problem without its request id.
func shape(problem string) string {
	var p map[string]any
	_ = json.Unmarshal([]byte(problem), &p)
	delete(p, "requestId")
	return fmt.Sprint(p)
}

func TestTagsCanBeMadeListedAndRemoved(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var list struct{ Tags []struct{ ID, Name string } }
		if w.call(t, "partner", "GET", "/api/tags", nil, &list); len(list.Tags) != 0 || list.Tags == nil {
			t.Fatalf("a new partner has %v", list.Tags)
		}
		w.addTag(t, "partner", "  Żoliborz   nocą ")
		night := w.addTag(t, "partner", "Łódź")
		w.addTag(t, "other", "Łódź") // another tenant's names are its own
		for _, same := range []string{"łódź", "ŁÓDŹ ", "Lo\u0301dz\u0301"} {
			status, text := w.call(t, "partner", "POST", "/api/tags", map[string]string{"name": same}, nil)
			if same != "Lo\u0301dz\u0301" && (status != 409 || !strings.Contains(text, "tags.name_taken") || !strings.Contains(text, `"name":"name"`)) {
				t.Errorf("%q: %d %s", same, status, text)
			}
			if same == "Lo\u0301dz\u0301" && status != 201 { // Lódź without the stroke is another word
				t.Errorf("%q: %d %s", same, status, text)
			}
		}
		if w.call(t, "partner", "GET", "/api/tags", nil, &list); len(list.Tags) != 3 || list.Tags[2].Name != "Żoliborz nocą" {
			t.Errorf("tags: %v", list.Tags)
		}
		if status, text := w.call(t, "partner", "DELETE", "/api/tags/"+night, nil, nil); status != 204 {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "DELETE", "/api/tags/"+night, nil, nil); status != 404 || !strings.Contains(text, "tags.not_found") {
			t.Errorf("removed twice: %d %s", status, text)
		}
		for _, bad := range []string{"", "   ", strings.Repeat("ż", 51)} {
			if status, text := w.call(t, "partner", "POST", "/api/tags", map[string]string{"name": bad}, nil); status != 422 || !strings.Contains(text, `"name":"name"`) {
				t.Errorf("%q: %d %s", bad, status, text)
			}
		}
		if status, text := w.call(t, "partner", "POST", "/api/tags", map[string]string{"name": strings.Repeat("ż", 50)}, nil); status != 201 {
			t.Errorf("fifty letters: %d %s", status, text)
		}
	})
}

func TestTermsAreShownInALanguageAndAcceptedAsShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var terms struct {
			Version, Title, AcceptedBy string
			Accepted                   bool
		}
		w.call(t, "partner", "GET", "/api/partners/terms?lang=uk", nil, &terms)
		if terms.Accepted || terms.Title != "Terms in uk" || terms.Version != "2026-11" {
			t.Errorf("%+v", terms)
		}
		if status, text := w.call(t, "partner", "GET", "/api/partners/terms?lang=fr", nil, nil); status != 422 {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "PUT", "/api/partners/terms/acceptNewTerms?version=2025-01", nil, nil); status != 409 || !strings.Contains(text, "terms.changed") {
			t.Errorf("%d %s", status, text)
		}
		if status, text := w.call(t, "partner", "PUT", "/api/partners/terms/acceptNewTerms?version=2026-11", nil, nil); status != 204 {
			t.Errorf("%d %s", status, text)
		}
		w.call(t, "partner", "GET", "/api/partners/terms", nil, &terms)
		if !terms.Accepted || !strings.Contains(terms.AcceptedBy, "partner") {
			t.Errorf("%+v", terms)
		}
	})
}

func TestATokenOpensTheSessionUntilItExpires(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var session struct {
			Role        string
			Permissions []string
			Partner     struct{ Code string }
		}
		if status, text := w.call(t, "partner", "GET", "/api/session", nil, &session); status != 200 || session.Partner.Code != "north" || session.Role != "partner" || len(session.Permissions) < 5 {
			t.Errorf("%d %s", status, text)
		}
		w.clock.Pass(61 * time.Minute)
		if status, _ := w.call(t, "partner", "GET", "/api/session", nil, nil); status != 401 {
			t.Errorf("an old token answers %d", status)
		}
	})
}

func TestTheContractIsTheCommittedOne(t *testing.T) {
	w := newWorld(t, "sqlite")
	contract, err := w.router.Contract()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(testkit.Root(t) + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(contract, committed) {
		t.Error("openapi.json is stale: run make contract")
	}
}

func TestAnUnknownPartnersLogoLooksLikeAMissingOne(t *testing.T) {
	w := newWorld(t, "sqlite")
	_, missing := w.call(t, "", "GET", "/identification/north/logo", nil, nil)
	status, unknown := w.call(t, "", "GET", "/identification/nobody/logo", nil, nil)
	if status != 200 || missing != unknown || !strings.HasPrefix(unknown, "<svg") {
		t.Errorf("%d: %s and %s", status, missing, unknown)
	}
}

func TestPartnerLogo_IsPublic(t *testing.T) {
	w := newWorld(t, "sqlite")
	store := w.files(t)
	const picture = "\x89PNG\r\n\x1a\n…"
	if _, err := store.Put(context.Background(), "north/logo", strings.NewReader(picture), -1); err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE partners SET logo = 'north/logo' WHERE tenant_id = $1`)
		return err
	})
	resp, err := http.Get(w.URL + "/identification/north/logo")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	shown, err := io.ReadAll(resp.Body)
	if err != nil || string(shown) != picture || resp.Header.Get("Content-Type") != "image/png" || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%q %v %v", shown, resp.Header, err)
	}
}

// The web application does not compile without these texts; this says so
// without building it.
func TestEveryFaultAndFieldCodeHasATextInFiveLanguages(t *testing.T) {
	if len(i18n.Languages) != 5 {
		t.Fatalf("languages: %v", i18n.Languages)
	}
	for _, code := range fault.Codes() {
		testkit.HasText(t, "faults:"+code)
	}
	for _, code := range fault.FieldCodes() {
		testkit.HasText(t, "fields:"+string(code))
	}
}

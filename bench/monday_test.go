//go:build bench

package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/licences"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// mondayDrivers have a hundred rows each in a file of a million.
func mondayDrivers(t *testing.T) int { return max(importRows(t)/100, 1) }

// mondayFleet can be settled, mailed, printed and paid: drivers with phones, addresses and accounts, full rules, a partner with an account of its own.
func mondayFleet(count int) func(tx *db.Tx, v *vault.Vault) error {
	return func(tx *db.Tx, v *vault.Vault) error {
		profile, err := partners.OwnProfile(tx, v)
		if err != nil {
			return err
		}
		profile.TaxID, profile.Account = "5260250274", testkit.Account(0)
		tx.Actor.Proof.SignedInAt = tx.Now
		if err := partners.SaveProfile(tx, v, "PL", profile); err != nil {
			return err
		}
		if err := licences.Grant(tx, int64(count), "bench"); err != nil {
			return err
		}
		if err := fullRules(tx); err != nil {
			return err
		}
		added := make([]drivers.NewDriver, count)
		for i := range added {
			added[i].Details = drivers.Details{FirstName: "Łukasz", LastName: fmt.Sprintf("Kowalski %05d", i), Phone: phone(i), Email: fmt.Sprintf("driver%05d@mail.example", i),
				IBAN: testkit.Account(i + 1), TaxID: "1132191233", SummaryLanguage: string(i18n.Languages[i%len(i18n.Languages)])}
		}
		_, err = drivers.Service{Vault: v, Country: "PL"}.AddMany(tx, added)
		return err
	}
}

// mondayFile is a week of the whole fleet in Saldo's own layout, in order of days, about 200 bytes a row, and the sum of its amounts.
func mondayFile(t *testing.T, rows, drivers int) (path string, sum int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "week.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, "date;driver_identifier;driver_name;app;type;amount;currency;payment_method;description;document_number")
	kinds := []struct {
		app, typ string
		amount   int64
	}{{"UBER", "TRIP", 61_00}, {"UBER", "CASH_COLLECTED", -20_00}, {"UBER", "FEE", -12_00}, {"BOLT", "TRIP", 54_00}, {"BOLT", "FEE", -11_00}, {"FREENOW", "TIP", 6_00}, {"ORLEN", "FUEL", -17_00}, {"PARTNER", "COST", -4_00}}
	for i := range rows {
		k := kinds[i/drivers%len(kinds)]
		amount, sign := k.amount+int64(i%90), ""
		sum += amount
		if amount < 0 {
			amount, sign = -amount, "-"
		}
		fmt.Fprintf(w, "2026-11-%02d;%s;Łukasz Kowalski %05d;%s;%s;%s%d,%02d;PLN;card;Kurs nocny z lotniska przez ul. Marszałkowską %d, Warszawa, zlecenie numer %d w tygodniu;DOK/%d/11/2026\n",
			2+i*7/rows, phone(i%drivers), i%drivers, k.app, k.typ, sign, amount/100, amount%100, i%400, i, i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path, sum
}

// The anchors: each prints the sum of the totals of every driver and type, in grosze.
const (
	pandasTotals = `
import sys, pandas
d = pandas.read_csv(sys.argv[1], sep=";", decimal=",")
print(round(d.groupby(["driver_identifier", "type"])["amount"].sum().sum() * 100))`
	plainTotals = `
import sys, csv
totals = {}
with open(sys.argv[1], encoding="utf-8", newline="") as f:
    for r in csv.DictReader(f, delimiter=";"):
        key = r["driver_identifier"], r["type"]
        totals[key] = totals.get(key, 0) + int(r["amount"].replace(",", ""))
print(sum(totals.values()))`
)

// totals is how long a script takes to add a file up with what SALDO_BENCH_PYTHON names, or python3: pandas where it is installed.
func totals(t *testing.T, file string, sum int64) (name string, took float64) {
	t.Helper()
	python := os.Getenv("SALDO_BENCH_PYTHON")
	if python == "" {
		python = "python3"
	}
	name, script := "pandas making only the totals", pandasTotals
	if exec.Command(python, "-c", "import pandas").Run() != nil {
		fmt.Println("pandas is not installed for", python, "- the anchor is plain Python, a hint only")
		name, script = "plain Python (csv and dict) making only the totals, as pandas is missing: a hint", plainTotals
	}
	took = seconds(t, func() error {
		out, err := exec.Command(python, "-c", script, file).CombinedOutput()
		if output := strings.TrimSpace(string(out)); err == nil && output != fmt.Sprint(sum) {
			err = fmt.Errorf("it says %s instead of %d", output, sum)
		}
		return err
	})
	return name, took
}

// A whole Monday over HTTP, to the end: the week's file in, everybody settled, everybody's bill mailed and taken by a mail server, every statement
// as a PDF, the file for the bank out, and paid by the bank's statement. Meanwhile another partner's people ask for pages. Anchors: the
// engine's own loader reading the same rows into the same table, and a script that only adds the same file up.
func TestMonday(t *testing.T) {
	rows, drivers := importRows(t), mondayDrivers(t)
	file, sum := mondayFile(t, rows, drivers)
	for _, engine := range engines() {
		server := testkit.NewSMTP(t)
		p := serveOver(t, engine, mondayFleet(drivers), "SALDO_SMTP_URL="+server.URL())
		p.besideMonday(t)
		pages := func(i int) string { return fmt.Sprintf("/api/drivers?size=50&page=%d", 1+i*7%20) }
		var quiet, during []float64
		for range 3 {
			quiet = append(quiet, answers(t, p.url, p.other, pages)...)
		}
		anchor, before := totals(t, file, sum)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					during = append(during, answers(t, p.url, p.other, pages)...)
				}
			}
		}()
		var stages []string
		var total, busy float64
		memory := 0.0
		stage := func(name string, do func()) {
			had := p.processor(t)
			p.forgetPeak(t)
			took := seconds(t, func() error { do(); return nil })
			used, most := p.processor(t)-had, p.peak(t)
			total, busy, memory = total+took, busy+used, max(memory, most)
			stages = append(stages, fmt.Sprintf("%s %.1f s (%.1f, %.0f MB)", name, took, used, most))
			t.Logf("%s: %s", engine, stages[len(stages)-1])
		}
		p.monday(t, file, drivers, stage, func() {
			for len(server.Taken()) < drivers {
				time.Sleep(100 * time.Millisecond)
			}
		})
		close(stop)
		<-stopped
		_, after := totals(t, file, sum)
		loader := p.loaded(t, engine)
		python := (before + after) / 2
		fmt.Printf("| whole Monday, %d drivers, %d rows, %s: %s; in brackets processor time of the program, %.1f s together, and its most memory; anchor: the engine's own loader | %.1f s | %.1f s | %.1f (goal ≤ 3) | |\n",
			drivers, rows, engine, strings.Join(stages, ", "), busy, total, loader, total/loader)
		fmt.Printf("| the same; anchor: %s | %.1f s | %.1f s | %.1f | %.0f %% |\n", anchor, total, python, total/python, (max(before, after)/min(before, after)-1)*100)
		fmt.Printf("| another partner's pages of 50 drivers meanwhile, %s, p50 and p99; anchor: before it | %.1f ms, %.1f ms | %.1f ms, %.1f ms | %.2f, %.2f (goal ≤ 1.5) | |\n", engine,
			quantile(during, 50), quantile(during, 99), quantile(quiet, 50), quantile(quiet, 99), quantile(during, 50)/quantile(quiet, 50), quantile(during, 99)/quantile(quiet, 99))
		fmt.Printf("| most memory during it, %s | %.0f MB | goal 256 MB | | |\n", engine, memory)
		p.stop()
	}
}

// besideMonday gives the other partner drivers to ask for.
func (p *program) besideMonday(t *testing.T) {
	t.Helper()
	d, err := db.Open(ctx, db.Settings{URL: p.database, Folder: p.folder})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	v := testkit.Vault(t, filepath.Join(p.folder, "key-for-bench"))
	testkit.Write(t, d, access.ProgramFor("west", "bench"), func(tx *db.Tx) error { _, err := added(tx, v, 1_000); return err })
}

// loaded is how long the engine's own loader takes for the transactions, as they stand now, into the same table.
func (p *program) loaded(t *testing.T, engine string) float64 {
	t.Helper()
	p.stop()
	dump := filepath.Join(t.TempDir(), "rows.csv")
	p.run(t, engine, ".mode csv\n.output "+dump+"\nSELECT * FROM transactions;\n.output\nDROP TRIGGER settled_transactions_stay;\nDELETE FROM transactions;\nVACUUM;\n", `\copy transactions to '`+dump+`' csv`,
		`TRUNCATE transactions`)
	return seconds(t, func() error {
		p.run(t, engine, "PRAGMA synchronous=FULL;\nPRAGMA foreign_keys=ON;\nPRAGMA cache_size=-262144;\n.mode csv\n.import "+dump+" transactions\n",
			`\copy transactions from '`+dump+`' csv`)
		return nil
	})
}

// processor is how many seconds of a core the process has used.
func (p *program) processor(t *testing.T) float64 {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ") // behind the name, from the third field on
	fields := strings.Fields(after)
	var ticks int
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return float64(ticks) / 100
}

// forgetPeak lets the most memory be counted from now on.
func (p *program) forgetPeak(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.process.Process.Pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// json makes a request with a body.
func (p *program) json(t *testing.T, path, body string, into any) {
	t.Helper()
	p.call(t, "POST", path, "application/json", strings.NewReader(body), into)
}

// poll asks every quarter of a second, as the screen does.
func (p *program) poll(t *testing.T, path string, into any, ended func() bool) {
	t.Helper()
	for {
		if p.call(t, "GET", path, "", nil, into); ended() {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
}

func (p *program) monday(t *testing.T, file string, drivers int, stage func(string, func()), mailed func()) {
	t.Helper()
	var upload string
	stage("file shown", func() { upload = p.upload(t, file, "PARTNER") })
	stage("imported", func() { p.confirm(t, upload) })
	var run struct {
		ID, State string
		Settled   int
	}
	stage("dry run", func() { p.json(t, "/api/settlement-runs", `{"period":"`+string(settledPeriod)+`"}`, &run) })
	stage("settled and shared", func() {
		path := "/api/settlement-runs/" + run.ID
		p.json(t, path+"/start", `{"share":true}`, &json.RawMessage{})
		p.poll(t, path, &run, func() bool { return run.State != "running" })
	})
	if run.State != "done" || run.Settled != drivers {
		t.Fatalf("%+v", run)
	}
	var sending struct {
		ID, State                string
		StartsAt, Now            time.Time
		Recipients, Queued, Sent int
	}
	stage("bills prepared", func() { p.json(t, "/api/summary-sendings", `{"state":"settled"}`, &sending) })
	path := "/api/summary-sendings/" + sending.ID
	p.json(t, path+"/start", `{}`, &sending)
	// the window in which it can be cancelled is nobody's work: it is not counted
	p.call(t, "GET", path, "", nil, &sending)
	time.Sleep(sending.StartsAt.Sub(sending.Now))
	stage("bills queued", func() {
		p.poll(t, path, &sending, func() bool { return sending.State == "done" })
	})
	if sending.Recipients != drivers {
		t.Fatalf("%+v", sending)
	}
	stage("bills mailed", mailed)
	stage("statements as PDF", func() { p.statementPDFs(t, drivers) })
	var transfers []byte
	stage("bank file", func() { transfers = p.pay(t, drivers) })
	stage("paid by the bank's statement", func() { p.confirmPaid(t, transfers, drivers) })
}

var transferOf = regexp.MustCompile(`(?s)<EndToEndId>([^<]+)</EndToEndId>.*?<InstdAmt Ccy="PLN">(\d+)\.(\d\d)<`)

// confirmPaid hands over a statement of the bank that says that every transfer of a file left.
func (p *program) confirmPaid(t *testing.T, transfers []byte, drivers int) {
	t.Helper()
	today := time.Now().Format(time.DateOnly)
	closing, entries := int64(1_000_000_000_00), new(strings.Builder)
	found := transferOf.FindAllSubmatch(transfers, -1)
	for _, one := range found {
		amount, err := strconv.ParseInt(string(one[2])+string(one[3]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		closing -= amount
		fmt.Fprintf(entries, `<Ntry><Amt Ccy="PLN">%s.%s</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>%s</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>%s</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
			one[2], one[3], today, one[1])
	}
	balance := func(code string, amount int64) string {
		return fmt.Sprintf(`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="PLN">%d.%02d</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>%s</Dt></Dt></Bal>`, code,
			amount/100, amount%100, today)
	}
	content := `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>` + string(testkit.Account(0)) +
		`</IBAN></Id></Acct>` + balance("OPBD", 1_000_000_000_00) + balance("CLBD", closing) + entries.String() + `</Stmt></BkToCstmrStmt></Document>`
	body := map[string]any{"name": "wyciag.xml", "content": []byte(content)}
	var plan struct{ Token string }
	p.json(t, "/api/bank-statements/plan", db.JSON(body), &plan)
	body["token"] = plan.Token
	var done struct{ Paid int }
	p.json(t, "/api/bank-statements", db.JSON(body), &done)
	if len(found) < drivers || done.Paid != len(found) {
		t.Fatalf("%d transfers, %d are paid", len(found), done.Paid)
	}
}

// statementPDFs fetches the statement of every settlement, with four clients.
func (p *program) statementPDFs(t *testing.T, drivers int) {
	t.Helper()
	const size, clients = 200, 4
	ids := make(chan string, drivers)
	for page := 1; ; page++ {
		var list struct{ Items []struct{ ID string } }
		p.call(t, "GET", fmt.Sprintf("/api/settlements?state=settled&sort=number&size=%d&page=%d", size, page), "", nil, &list)
		for _, s := range list.Items {
			ids <- s.ID
		}
		if len(list.Items) < size {
			break
		}
	}
	close(ids)
	var statementPDFs atomic.Int64
	var working sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	for range clients {
		working.Go(func() {
			for id := range ids {
				content, err := p.fetch(client, "/api/settlements/"+id+"/statement")
				if err != nil || !bytes.HasPrefix(content, []byte("%PDF")) {
					t.Errorf("%v %.100s", err, content)
					return
				}
				statementPDFs.Add(1)
			}
		})
	}
	working.Wait()
	if int(statementPDFs.Load()) != drivers {
		t.Fatalf("%d statements", statementPDFs.Load())
	}
}

// pay makes one batch of everything and fetches its file.
func (p *program) pay(t *testing.T, drivers int) []byte {
	t.Helper()
	var plan struct {
		Drafts   []struct{ Settlements, Transfers, Sum int64 }
		Excluded []struct{ Reason string }
		Token    string
	}
	p.json(t, "/api/payout-batches/plan", `{"profile":"pain03"}`, &plan)
	if len(plan.Drafts) != 1 || plan.Drafts[0].Settlements != int64(drivers) || len(plan.Excluded) > 0 {
		t.Fatalf("%.500v", plan)
	}
	var made struct{ Numbers []int64 }
	p.json(t, "/api/payout-batches", `{"profile":"pain03","token":"`+plan.Token+`"}`, &made)
	content, err := p.fetch(http.DefaultClient, fmt.Sprintf("/api/payout-batches/%d/file", made.Numbers[0]))
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	found := transferOf.FindAllSubmatch(content, -1)
	for _, one := range found {
		amount, err := strconv.ParseInt(string(one[2])+string(one[3]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += amount
	}
	if sum != plan.Drafts[0].Sum || int64(len(found)) != plan.Drafts[0].Transfers {
		t.Fatalf("the file pays %d in %d transfers; planned was %+v", sum, len(found), plan.Drafts[0])
	}
	return content
}

func (p *program) fetch(client *http.Client, path string) ([]byte, error) {
	rq, err := http.NewRequest("GET", p.url+path, nil)
	if err != nil {
		return nil, err
	}
	rq.Header.Set("Authorization", "Bearer "+p.token)
	resp, err := client.Do(rq)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != 200 {
		err = fmt.Errorf("%s: %d", path, resp.StatusCode)
	}
	return content, err
}

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/app"
	"saldo/internal/drivers"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger"
	"saldo/internal/payouts"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
)

var paidDrivers = min(200, testkit.Times(100, 200))

// kills is how often the process dies on each engine.
func kills() int {
	return testkit.Times(4, 10)
}

// settledFleet gives the partner of the demo drivers with accounts and addresses, settles them and gives the ids of their settlements.
func settledFleet(t *testing.T, p *process, token string, d *db.DB, env []string) (who access.Actor, ids []string) {
	t.Helper()
	who = demoPartner(t, d)
	book := drivers.Service{Vault: testkit.Vault(t, app.KeyFile(config.Settings{Data: strings.TrimPrefix(env[0], "SALDO_DATA=")})), Country: "PL"}
	testkit.Write(t, d, who, func(tx *db.Tx) error {
		added := make([]drivers.NewDriver, paidDrivers)
		for n := range added {
			added[n].Details = drivers.Details{FirstName: "Jan", LastName: fmt.Sprintf("Kowalski %04d", n), Email: fmt.Sprintf("jan%04d@mail.example", n),
				IBAN: testkit.Account(n), TaxID: "1132191233", SummaryLanguage: "pl"}
		}
		people, err := book.AddMany(tx, added)
		if err != nil {
			return err
		}
		_, err = ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for n, id := range people {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: id, Provider: "UBER", Type: "TRIP", Amount: 1080_00 + money.Amount(37*n), Currency: "PLN", OccurredOn: calendar.Date("2026-10-28"),
					Source: "import", SourceFile: "week.csv", SourceRow: int64(n + 2)}) {
					return
				}
			}
		})
		return err
	})
	var run struct{ ID, State string }
	if status := p.call(t, token, "POST", "/api/settlement-runs", `{"period":"`+killedPeriod+`"}`, "preview", &run); status != 201 {
		t.Fatalf("the dry run answers %d", status)
	}
	path := "/api/settlement-runs/" + run.ID
	if status := p.call(t, token, "POST", path+"/start", `{"share":true}`, "start", nil); status != 202 {
		t.Fatalf("the start answers %d", status)
	}
	testkit.Eventually(t, "everybody is settled", func() bool { p.call(t, token, "GET", path, "", "", &run); return run.State == "done" })
	testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
		ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 AND state = 'settled' AND payout > 0 ORDER BY number`)
		return err
	})
	if len(ids) != paidDrivers {
		t.Fatalf("%d are settled and get money", len(ids))
	}
	return who, ids
}

// standing is a batch as the database has it.
type standing struct {
	Number, Settlements, Sum, Paid int64
	State                          string
}

// cashier is what the program has acknowledged of all batches.
type cashier struct {
	mu              sync.Mutex
	made            map[int64]standing
	order           []int64
	cancelled, paid map[int64]int64
	unsure, untold  int // requests that nobody answered; batches of them that were made nevertheless
}

// much says whether everything has happened that the test is about.
func (c *cashier) much() bool {
	return len(c.made) > len(c.cancelled) && len(c.cancelled) > 0 && len(c.paid) > 0 && c.untold > 0
}

// intent is one thing that a client wants, under one key however often it asks.
type intent struct {
	path, body, key string
	batch           int64    // that it cancels or pays; 0: it makes one
	wants           standing // of the batch that it makes
}

// teller is a client that makes, cancels and pays batches.
type teller struct {
	name     int
	asked    int
	unsure   *intent // asked for, and nobody answered
	accounts *cashier
	ids      []string
}

// next is what the teller does next; nil: nobody answers. It plans a batch of some settlements, or takes any batch that there is.
func (c *teller) next(t *testing.T, p *process, token string) *intent {
	for {
		c.asked++
		i := &intent{path: "/api/payout-batches", key: fmt.Sprint("teller-", c.name, "-", c.asked)}
		c.accounts.mu.Lock()
		var paid int64
		for _, n := range c.accounts.paid {
			paid += n
		}
		order := c.accounts.order
		c.accounts.mu.Unlock()
		if dice := rand.IntN(10); dice < 5 && len(order) > 0 {
			i.batch = order[rand.IntN(len(order))]
			if dice > 0 {
				i.path, i.body = fmt.Sprint(i.path, "/", i.batch, "/cancel"), `{"reason":"another day"}`
				return i
			}
			if int(paid) < paidDrivers/2 { // or nothing would be left to pay
				i.path, i.body = fmt.Sprint(i.path, "/", i.batch, "/pay"), `{"paidOn":"`+time.Now().In(warsaw).Format(time.DateOnly)+`"}`
				return i
			}
			i.batch = 0
		}
		some := slices.Clone(c.ids)
		rand.Shuffle(len(some), func(a, b int) { some[a], some[b] = some[b], some[a] })
		request := `"profile":"elixir","settlements":["` + strings.Join(some[:8], `","`) + `"]`
		var plan struct {
			Drafts []standing
			Token  string
		}
		switch status := p.call(t, token, "POST", i.path+"/plan", "{"+request+"}", i.key+"-plan", &plan); {
		case status == 0:
			return nil
		case status != 200:
			t.Errorf("the plan answers %d", status)
			return nil
		case len(plan.Drafts) == 1:
			i.wants, i.body = plan.Drafts[0], `{`+request+`,"token":"`+plan.Token+`"}`
			return i
		}
	}
}

// work goes on until nobody answers, first with what nobody answered before.
func (c *teller) work(t *testing.T, p *process, token string) {
	for {
		if c.unsure == nil {
			c.unsure = c.next(t, p, token)
		}
		if c.unsure == nil || !c.ask(t, p, token, 0.05) {
			return
		}
	}
}

// ask asks for what the teller is unsure of and writes down what was acknowledged; it says whether an answer came. A process dies seldom between its commit
// and its answer: some answers get lost, as often as said.
func (c *teller) ask(t *testing.T, p *process, token string, lost float64) bool {
	i := c.unsure
	var answer struct {
		Numbers []int64
		Paid    int64
	}
	status := p.call(t, token, "POST", i.path, i.body, i.key, &answer)
	if status == 0 || rand.Float64() < lost {
		return false
	}
	c.unsure = nil
	c.accounts.mu.Lock()
	defer c.accounts.mu.Unlock()
	switch {
	case status == 409: // somebody else was faster: nothing happened
	case status == 201 && len(answer.Numbers) == 1:
		n := answer.Numbers[0]
		if _, there := c.accounts.made[n]; there {
			t.Errorf("batch %d was made twice", n)
		}
		c.accounts.made[n] = i.wants
		c.accounts.order = append(c.accounts.order, n)
	case status == 204 && i.batch > 0:
		c.accounts.cancelled[i.batch]++
	case status == 200 && i.batch > 0:
		c.accounts.paid[i.batch] += answer.Paid
	default:
		t.Errorf("%s answers %d %+v", i.path, status, answer)
	}
	return true
}

// check compares what stands with what was acknowledged. Before everybody has repeated what nobody answered, more may stand.
func (c *cashier) check(t *testing.T, d *db.DB, who access.Actor, whole bool) (batches []standing) {
	t.Helper()
	var twice []string
	var problems []settlements.Problem
	testkit.Read(t, d, who, func(tx *db.Tx) (err error) {
		if batches, err = db.Select[standing](tx, `SELECT b.number, b.settlements, b.sum, b.state, (SELECT COUNT(*) FROM settlements s WHERE s.tenant_id = b.tenant_id AND s.batch = b.number AND s.state = 'paid') AS paid
			FROM payout_batches b WHERE b.tenant_id = $1 ORDER BY b.number`); err != nil {
			return err
		}
		if twice, err = db.Select[string](tx, `SELECT t.settlement_id FROM payout_transfers t JOIN payout_batches b ON b.tenant_id = t.tenant_id AND b.number = t.batch
			WHERE t.tenant_id = $1 AND b.state <> 'cancelled' GROUP BY t.settlement_id HAVING COUNT(DISTINCT t.batch) > 1`); err != nil {
			return err
		}
		problems, err = payouts.Verify(tx)
		return err
	})
	if len(twice)+len(problems) > 0 {
		t.Errorf("in two live batches: %v; problems: %v", twice, problems)
	}
	known := 0
	for place, b := range batches {
		if b.Number != int64(place+1) {
			t.Errorf("batch %d is the %dth", b.Number, place+1)
		}
		made, there := c.made[b.Number]
		cancelled, paid := c.cancelled[b.Number], c.paid[b.Number]
		switch {
		case !there && whole:
			t.Errorf("nobody was told of batch %d", b.Number)
		case !there:
			c.untold++
			continue
		case made.Sum != b.Sum || made.Settlements != b.Settlements:
			t.Errorf("batch %d is %+v, planned as %+v", b.Number, b, made)
		case cancelled > 1 || paid > b.Settlements || cancelled > 0 && paid > 0:
			t.Errorf("batch %d was cancelled %d times and paid %d times", b.Number, cancelled, paid)
		case cancelled == 1 && b.State != "cancelled" || paid > b.Paid:
			t.Errorf("batch %d: %d cancelled, %d paid were acknowledged, and it is %+v", b.Number, cancelled, paid, b)
		case whole && (b.State == "cancelled" && cancelled == 0 || b.Paid != paid):
			t.Errorf("batch %d is %+v; acknowledged were %d cancelled, %d paid", b.Number, b, cancelled, paid)
		}
		known++
	}
	if known != len(c.made) {
		t.Errorf("%d batches were acknowledged, %d of them are there", len(c.made), known)
	}
	return batches
}

// Four clients make, cancel and pay batches while the process is killed. What was acknowledged is there at once; whoever got no answer asks again under the
// same key, and in the end every settlement is in at most one live batch, every batch was made once for somebody, and its file pays what it holds.
func TestKilledProcess_PaysNoDriverTwice(t *testing.T) {
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			env := append(place(t, engine), "SALDO_LOG_LEVEL=error")
			p := start(t, env...)
			token := p.token(t)
			d := databaseOf(t, engine, env)
			who, ids := settledFleet(t, p, token, d, env)
			accounts := &cashier{made: map[int64]standing{}, cancelled: map[int64]int64{}, paid: map[int64]int64{}}
			tellers := make([]*teller, 4)
			for n := range tellers {
				tellers[n] = &teller{name: n, accounts: accounts, ids: ids}
			}
			killed, within := 0, 250*time.Millisecond
			for ; killed < kills() || !accounts.much() && killed < 10*kills(); killed++ {
				if killed > kills() {
					within = within * 5 / 4 // the machine is slow just now
				}
				doomed := p.Process
				time.AfterFunc(20*time.Millisecond+rand.N(within), func() { _ = doomed.Kill() })
				var working sync.WaitGroup
				for _, c := range tellers {
					working.Go(func() { c.work(t, p, token) })
				}
				working.Wait()
				_ = p.Wait()
				for _, c := range tellers {
					if c.unsure != nil {
						accounts.unsure++
					}
				}
				accounts.check(t, d, who, false)
				p = start(t, env...)
				token = p.token(t)
			}
			for _, c := range tellers {
				if c.unsure != nil && !c.ask(t, p, token, 0) {
					t.Fatal("nobody answers")
				}
			}
			batches := accounts.check(t, d, who, true)
			for _, b := range batches {
				if b.State != "cancelled" {
					p.paysWhatItHolds(t, token, b)
				}
			}
			if !accounts.much() {
				t.Error("too little happened")
			}
			stop(t, p)
			verified(t, env)
			t.Logf("%d kills, %d requests without an answer, %d batches of them made; %d batches, %d of them cancelled, %d paid", killed, accounts.unsure, accounts.untold, len(batches),
				len(accounts.cancelled), len(accounts.paid))
		})
	}
}

// paysWhatItHolds downloads the file of a batch and adds its transfers up.
func (p *process) paysWhatItHolds(t *testing.T, token string, b standing) {
	t.Helper()
	path := fmt.Sprint("/api/payout-batches/", b.Number)
	var shown struct {
		Batch     struct{ ContentHash string }
		Transfers []struct{ SettlementID string }
	}
	if status := p.call(t, token, "GET", path, "", "", &shown); status != 200 {
		t.Fatalf("batch %d answers %d", b.Number, status)
	}
	rq, err := http.NewRequest("GET", p.url+path+"/file", nil)
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("the file of batch %d answers %d %v", b.Number, resp.StatusCode, err)
	}
	var sum, lines int64
	for line := range strings.Lines(string(content)) {
		amount, err := strconv.ParseInt(strings.Split(line, ",")[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += amount
		lines++
	}
	digest := sha256.Sum256(content)
	if sum != b.Sum || lines != int64(len(shown.Transfers)) || hex.EncodeToString(digest[:]) != shown.Batch.ContentHash {
		t.Errorf("the file of batch %d has %d transfers of %d together; it is %+v with %d", b.Number, lines, sum, b, len(shown.Transfers))
	}
}

// warsaw is where the instance's days are: a payment day is not before the settlement's.
var warsaw = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		panic(err)
	}
	return zone
}()

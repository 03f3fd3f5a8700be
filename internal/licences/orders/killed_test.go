package orders_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/orders"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
	"saldo/internal/testkit/payfake"
)

// TestMain turns the test binary into a process that sells until it is killed, where a test asks for one.
func TestMain(m *testing.M) {
	if place := os.Getenv("SALDO_SELL_PLACE"); place != "" {
		fmt.Println("ended:", sellForEver(place))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// sellForEver pays an order where one is named, and does every job that is due. What it asks of the provider and of the mail server goes
// to the test.
func sellForEver(place string) error {
	now, err := time.Parse(time.RFC3339, os.Getenv("SALDO_SELL_NOW"))
	if err != nil {
		return err
	}
	settings := db.Settings{Folder: place}
	if strings.HasPrefix(place, "postgres://") {
		settings = db.Settings{URL: place}
	}
	settings.Clock = func() time.Time { return now }
	d, err := db.Open(ctx, settings)
	if err != nil {
		return err
	}
	v, err := vault.Open(testkit.Key)
	if err != nil {
		return err
	}
	instance, err := config.InstanceOf("pl")
	if err != nil {
		return err
	}
	far := distant(os.Getenv("SALDO_SELL_URL"))
	seller, err := invoicing.SellerOf(config.Settings{Instance: instance}.AsDemo().Operator, instance)
	if err != nil {
		return err
	}
	s := &orders.Service{DB: d, Vault: v, Instance: instance, Log: quiet, PublicURL: "https://saldo.example",
		Mails:     mail.NewQueue(v, far, mail.Address{Address: "saldo@saldo.example"}),
		Providers: []string{os.Getenv("SALDO_SELL_PROVIDER")}, Gateways: map[string]payments.Gateway{os.Getenv("SALDO_SELL_PROVIDER"): far}}
	s.Invoices = &invoicing.Service{Instance: instance, Vault: v, Mails: s.Mails, Seller: seller, Refused: s.TellRefused}
	s.Mails.Attach(s.Invoices.Attach)
	if id := os.Getenv("SALDO_SELL_ORDER"); id != "" {
		p, err := s.Pay(ctx, anna, "killed", id, "")
		fmt.Println("paid:", p, err)
	}
	q := queue(s, quiet)
	q.Lease = 30 * time.Second
	q.Run(ctx, 2)
	return nil
}

// distant is a gateway and a mail server in the process of the test.
type distant string

type question struct {
	Payment  payments.Payment
	Ref, Key string
	Amount   money.Amount
	Currency money.Currency
	Mail     mail.Delivery
}

type answer struct {
	Started  payments.Started
	Status   payments.Status
	Refunded payments.Refunded
	Failure  *payments.Error
}

func (d distant) ask(what string, q question) (a answer, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	response, err := http.Post(string(d)+"/"+what, "application/json", bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		return a, err
	}
	if a.Failure != nil {
		return a, a.Failure
	}
	return a, nil
}

func (d distant) Start(_ context.Context, p payments.Payment) (payments.Started, error) {
	a, err := d.ask("start", question{Payment: p})
	return a.Started, err
}

func (d distant) State(_ context.Context, ref string) (payments.Status, error) {
	a, err := d.ask("state", question{Ref: ref})
	return a.Status, err
}

func (d distant) Expire(_ context.Context, ref string) error {
	_, err := d.ask("expire", question{Ref: ref})
	return err
}

func (d distant) Refund(_ context.Context, ref string, amount money.Amount, c money.Currency, key string) (payments.Refunded, error) {
	a, err := d.ask("refund", question{Ref: ref, Amount: amount, Currency: c, Key: key})
	return a.Refunded, err
}

func (distant) List(context.Context, time.Time, time.Time) ([]payments.Status, error) {
	return nil, nil
}

func (distant) Event(http.Header, []byte, time.Time) (payments.Event, error) {
	return payments.Event{}, payments.ErrForged
}

func (d distant) Send(_ context.Context, m mail.Delivery) error {
	_, err := d.ask("mail", question{Mail: m})
	return err
}

// relay carries out what the process asks, and stops at one place for ever.
type relay struct {
	w    *world
	stop string // "state before": the call is not carried out; "state after": it is, and nobody is told
	once sync.Once
	hung chan struct{}
}

func (r *relay) ServeHTTP(out http.ResponseWriter, rq *http.Request) {
	what := strings.TrimPrefix(rq.URL.Path, "/")
	var q question
	if err := json.NewDecoder(rq.Body).Decode(&q); err != nil {
		return
	}
	hang := func() {
		r.once.Do(func() { close(r.hung) })
		<-rq.Context().Done()
		panic(http.ErrAbortHandler)
	}
	if r.stop == what+" before" {
		hang()
	}
	var a answer
	var err error
	switch g := r.w.provider.Gateway(); what {
	case "start":
		a.Started, err = g.Start(ctx, q.Payment)
	case "state":
		a.Status, err = g.State(ctx, q.Ref)
	case "expire":
		err = g.Expire(ctx, q.Ref)
	case "refund":
		a.Refunded, err = g.Refund(ctx, q.Ref, q.Amount, q.Currency, q.Key)
	case "mail":
		err = r.w.mails.Send(ctx, q.Mail)
	}
	errors.As(err, &a.Failure)
	if r.stop == what+" after" {
		hang()
	}
	_ = json.NewEncoder(out).Encode(a)
}

// killed runs the process until it stands at a place, and kills it there. An order is paid by it; none: it does jobs.
func (w *world) killed(t *testing.T, at, order string) {
	t.Helper()
	r := &relay{w: w, stop: at, hung: make(chan struct{})}
	server := httptest.NewServer(r)
	defer server.Close()
	place := w.settings.Folder
	if w.settings.URL != "" {
		place = w.settings.URL
	}
	process := exec.Command(os.Args[0], "-test.run=^$")
	process.Env = append(os.Environ(), "SALDO_SELL_PLACE="+place, "SALDO_SELL_NOW="+w.clock.Now().Format(time.RFC3339),
		"SALDO_SELL_URL="+server.URL, "SALDO_SELL_PROVIDER="+w.Providers[0], "SALDO_SELL_ORDER="+order)
	var said strings.Builder
	process.Stdout, process.Stderr = &said, &said
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-r.hung:
	case <-time.After(2 * time.Minute):
		t.Errorf("%s was never reached: %s", at, said.String())
	}
	_ = process.Process.Kill()
	_ = process.Wait()
}

// steps are the places between the steps of a purchase: order, intent, payment at the provider, its answer here, money and event, question,
// units with number, mail; and those of a refund.
var steps = []string{"start before", "start after", "state before", "state after", "mail before", "mail after", "refund before", "refund after"}

// TestKilled_AfterOneReconciliationItIsAsTheProviderSays kills a process between any two steps.
func TestKilled_AfterOneReconciliationItIsAsTheProviderSays(t *testing.T) {
	t.Parallel()
	for i, step := range steps {
		for j, provider := range slices.Sorted(maps.Keys(payfake.New)) {
			for k, engine := range testkit.Engines {
				// all three in a longer run; here one provider for each step and engine
				if testkit.Soak() == 1 && (i+k)%3 != j {
					continue
				}
				t.Run(strings.ReplaceAll(step, " ", "_")+"/"+provider+"/"+engine, func(t *testing.T) {
					t.Parallel()
					killedAt(t, newWorld(t, "pl", engine, provider), step)
				})
			}
		}
	}
}

func killedAt(t *testing.T, w *world, step string) {
	o := w.place(t, wanted())
	if strings.HasPrefix(step, "start") {
		w.killed(t, step, o.ID)
		w.unpaid(t, o.ID, orders.Started)
	}
	// the person comes back, or waited: the same payment, once
	p, err := w.Pay(ctx, anna, w.key(), o.ID, "")
	if err != nil || p.URL == "" || w.provider.Payments() != 1 {
		t.Fatalf("%+v %v, %d payments", p, err, w.provider.Payments())
	}
	ref := w.ref(t, o.ID)
	w.provider.Pay(ref)
	if strings.HasPrefix(step, "state") || strings.HasPrefix(step, "mail") {
		for _, d := range w.provider.Deliveries() {
			if err := w.Receive(ctx, w.Providers[0], d.Header, d.Body); err != nil {
				t.Error(err)
			}
		}
		w.killed(t, step, "")
	} else {
		_ = w.provider.Deliveries() // lost
	}
	w.clock.Pass(3 * time.Minute)
	if _, err := w.Reconcile(ctx); err != nil {
		t.Fatal(err)
	}
	w.holds(t)
	if got := w.order(t, o.ID); got.State != orders.Success || w.left(t) != 100+wantedUnits || len(w.documents(t, o.ID)) != 1 {
		t.Errorf("after one reconciliation: %+v, %d units", got, w.left(t))
	}
	w.pass(t, time.Minute)
	if mails := w.mails.to(buyerMail); step == "mail after" && len(mails) == 2 { // as every mail whose answer is lost, with the same id
		if mails[0].ID != mails[1].ID {
			t.Error("two mails")
		}
		w.mails.sent = w.mails.sent[:1]
	}
	w.succeeded(t, o.ID)
	if !strings.HasPrefix(step, "refund") {
		return
	}
	if _, err := w.Refund(ctx, orders.Return{Order: o.Number, All: true, Whole: true, Note: "cancelled"}); err != nil {
		t.Fatal(err)
	}
	w.killed(t, step, "")
	w.provider.FinishRefunds()
	w.pass(t, 10*time.Minute, 3*time.Minute)
	w.provider.FinishRefunds()
	w.pass(t, 30*time.Minute)
	w.holds(t)
	if docs := w.documents(t, o.ID); w.provider.Refunded(ref) != o.Gross || w.left(t) != 100 || len(docs) != 2 || docs[1].Gross != -o.Gross {
		t.Errorf("%s went back, %d units, %+v", w.provider.Refunded(ref), w.left(t), docs)
	}
}

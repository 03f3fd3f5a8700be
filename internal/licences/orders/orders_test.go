package orders_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/licences"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/invoicing/connector"
	"saldo/internal/licences/orders"
	"saldo/internal/licences/payments"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
	"saldo/internal/testkit/payfake"
)

var (
	ctx   = context.Background()
	anna  = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna"}
	oleh  = access.Actor{Role: access.Partner, Tenant: "north", ID: "oleh", Name: "Oleh"}
	south = access.Actor{Role: access.Partner, Tenant: "south", ID: "sara", Name: "Sara"}
	north = access.ProgramFor("north", "test")
)

var quiet = slog.New(slog.DiscardHandler)

// world is a partner who buys, and a provider of tests.
type world struct {
	*orders.Service
	provider payfake.Provider
	clock    *testkit.Clock
	mails    *outbox
	log      *lines
	settings db.Settings
	keys     int
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// outbox takes mails.
type outbox struct {
	mu   sync.Mutex
	sent []mail.Delivery
}

func (o *outbox) Send(_ context.Context, m mail.Delivery) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent = append(o.sent, m)
	return nil
}

func (o *outbox) to(address string) (sent []mail.Delivery) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, m := range o.sent {
		if m.To.Address == address {
			sent = append(sent, m)
		}
	}
	return sent
}

const (
	operatorMail = "operator@saldo.example"
	buyerMail    = "tajna.anna@flota.example"
)

func newWorld(t *testing.T, country, engine, provider string) *world {
	t.Helper()
	w := &world{clock: testkit.NewClock(), mails: &outbox{}, log: &lines{}, settings: testkit.Settings(t, engine)}
	w.settings.Clock = w.clock.Now
	d := testkit.Open(t, w.settings)
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []access.Actor{anna, south} {
		testkit.Write(t, d, access.ProgramFor(who.Tenant, "test"), func(tx *db.Tx) error {
			return partners.Found(tx, partners.Partner{Code: who.Tenant, Name: "Fleet " + who.Tenant, Color: "#0B5D68"}, 100)
		})
	}
	w.provider = payfake.New[provider](t, d)
	w.Service = service(t, country, d, v, w.mails, w.log)
	w.Gateways, w.Providers = map[string]payments.Gateway{provider: w.provider.Gateway()}, []string{provider}
	return w
}

// service sells on a database.
func service(t testing.TB, country string, d *db.DB, v *vault.Vault, sender mail.Sender, log *lines) *orders.Service {
	t.Helper()
	instance, err := config.InstanceOf(country)
	if err != nil {
		t.Fatal(err)
	}
	operator := config.Settings{Instance: instance, Operator: config.Operator{Email: operatorMail}}.AsDemo().Operator
	seller, err := invoicing.SellerOf(operator, instance)
	if err != nil {
		t.Fatal(err)
	}
	s := &orders.Service{DB: d, Vault: v, Instance: instance, Log: slog.New(slog.NewTextHandler(log, nil)), PublicURL: "https://saldo.example",
		Mails: mail.NewQueue(v, sender, mail.Address{Name: "Saldo", Address: "saldo@saldo.example"})}
	s.Invoices = &invoicing.Service{Instance: instance, Vault: v, Mails: s.Mails, Seller: seller, Refused: s.TellRefused}
	s.Mails.Attach(s.Invoices.Attach)
	packages, err := orders.ReadPackages("", instance)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, d, access.Program("test"), func(tx *db.Tx) error { return orders.Offer(tx, packages) })
	return s
}

// each runs a test with every provider on every engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	for provider := range payfake.New {
		for _, engine := range testkit.Engines {
			t.Run(provider+"/"+engine, func(t *testing.T) {
				t.Parallel()
				test(t, newWorld(t, "pl", engine, provider))
			})
		}
	}
}

// eachEngine runs a test with the sandbox on every engine.
func eachEngine(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			test(t, newWorld(t, "pl", engine, "sandbox"))
		})
	}
}

func buyer() orders.Buyer {
	return orders.Buyer{Name: "Anna Tajna Przewozy", TaxID: "526-025-02-74", Street: "Sekretna", HouseNumber: "7", ApartmentNumber: "3",
		PostCode: "00-839", City: "Warszawa", Country: "PL", Email: buyerMail}
}

// wanted are two pieces of 100 units for 2 x 99.00 zł and 45.54 zł of VAT.
func wanted() orders.Wanted {
	return orders.Wanted{Package: "start", Quantity: 2, Buyer: buyer(), Expects: 243_54, Language: "de"}
}

const wantedUnits = 200

func (w *world) key() string {
	w.keys++
	return fmt.Sprint("key ", w.keys)
}

func (w *world) place(t testing.TB, what orders.Wanted) (o orders.Order) {
	t.Helper()
	testkit.Write(t, w.DB, anna, func(tx *db.Tx) (err error) { o, err = w.Place(tx, what); return err })
	return o
}

// begun is an order whose payment was begun, and the provider's id of it.
func (w *world) begun(t testing.TB) (o orders.Order, ref string) {
	t.Helper()
	o = w.place(t, wanted())
	p, err := w.Pay(ctx, anna, w.key(), o.ID, "")
	if err != nil || p.State != orders.Started || p.URL == "" {
		t.Fatalf("%+v %v", p, err)
	}
	return w.order(t, o.ID), w.ref(t, o.ID)
}

// ref is what the provider calls the last payment of an order.
func (w *world) ref(t testing.TB, id string) string {
	t.Helper()
	var key string
	testkit.Read(t, w.DB, north, func(tx *db.Tx) (err error) {
		key, err = db.One[string](tx, `SELECT id FROM payment_attempts WHERE tenant_id = $1 AND order_id = $2 ORDER BY n DESC LIMIT 1`, id)
		return err
	})
	return w.provider.Ref(key)
}

func (w *world) order(t testing.TB, id string) (o orders.Order) {
	t.Helper()
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) (err error) { o, _, err = w.Get(tx, id); return err })
	return o
}

func (w *world) left(t testing.TB) (left int64) {
	t.Helper()
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) (err error) { left, err = licences.Left(tx); return err })
	return left
}

func (w *world) documents(t testing.TB, id string) (all []invoicing.Document) {
	t.Helper()
	testkit.Read(t, w.DB, anna, func(tx *db.Tx) error {
		found, err := invoicing.Of(tx, []string{id})
		all = found[id]
		return err
	})
	return all
}

// deliver posts what the provider wants to tell, and does the work that follows.
func (w *world) deliver(t testing.TB) {
	t.Helper()
	for _, d := range w.provider.Deliveries() {
		if err := w.Receive(ctx, w.Providers[0], d.Header, d.Body); err != nil {
			t.Error(err)
		}
	}
	w.work(t)
}

// queue has every job of selling.
func queue(s *orders.Service, log *slog.Logger) *jobs.Queue {
	q := jobs.NewQueue(s.DB, log)
	q.Poll, q.Lease = 2*time.Millisecond, 10_000*time.Hour // tests pass days while nothing runs
	q.Handle(mail.SendKind, s.Mails.Deliver)
	q.Handle(orders.AskKind, s.AskOne)
	q.Handle(orders.SweepKind, s.Sweep)
	q.Handle(orders.CompareKind, s.Compare)
	q.Handle(orders.EventKind, s.OnEvent)
	q.Handle(orders.RefundKind, s.GiveMoneyBack)
	q.Handle(orders.AlarmKind, s.Tell)
	q.Handle(invoicing.SendKind, s.Invoices.Send)
	return q
}

// work does every job that is due.
func (w *world) work(t testing.TB) {
	t.Helper()
	q := queue(w.Service, w.Log)
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); q.Run(running, 4) }()
	defer func() { cancel(); <-ended }()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(2 * time.Millisecond) {
		var open int64
		testkit.Read(t, w.DB, access.Program("test"), func(tx *db.Tx) (err error) {
			open, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state = 'running' OR state = 'waiting' AND run_at <= $1`, tx.Now)
			return err
		})
		if open == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d jobs do not end: %s", open, w.log)
		}
	}
}

// pass lets time go by as it does: what is due in each minute is done.
func (w *world) pass(t testing.TB, d time.Duration, steps ...time.Duration) {
	t.Helper()
	for _, step := range append(steps, d) {
		w.clock.Pass(step)
		testkit.Write(t, w.DB, access.Program("test"), func(tx *db.Tx) error {
			return jobs.Enqueue(tx, jobs.Order{Kind: orders.SweepKind, Key: "sweep"})
		})
		w.work(t)
	}
}

// holds checks that nothing is broken, and that no name, address or key of a buyer is in the log or the trail.
func (w *world) holds(t testing.TB) {
	t.Helper()
	testkit.Read(t, w.DB, north, func(tx *db.Tx) error {
		problems, err := orders.Verify(tx)
		if err != nil {
			return err
		}
		units, err := licences.Verify(tx)
		if err != nil {
			return err
		}
		numbers, err := orders.VerifyNumbers(tx)
		for _, p := range append(problems, numbers...) {
			t.Error(p)
		}
		for _, p := range units {
			t.Error(p)
		}
		trail, err2 := db.Select[string](tx, `SELECT before_state || after_state || reason FROM audit_entries WHERE tenant_id = $1`)
		for _, text := range append(trail, w.log.String()) {
			for _, secret := range []string{"Tajna", "Sekretna", "5260250274", buyerMail, payfake.StripeKey, payfake.P24Key, payfake.SandboxSecret} {
				if strings.Contains(text, secret) {
					t.Errorf("%q is in %s", secret, text)
				}
			}
		}
		return errors.Join(err, err2)
	})
}

// succeeded checks that an order gave its units once, with one invoice that was mailed once.
func (w *world) succeeded(t testing.TB, id string) {
	t.Helper()
	w.holds(t)
	o := w.order(t, id)
	if o.State != orders.Success || o.PaidAt.IsZero() || o.URL != "" {
		t.Errorf("%+v", o)
	}
	if left := w.left(t); left != 100+wantedUnits {
		t.Errorf("%d units are left", left)
	}
	docs := w.documents(t, id)
	if len(docs) != 1 || docs[0].Number != "FL/2026/1" || docs[0].Gross != o.Gross || !docs[0].HasFile() {
		t.Errorf("%+v", docs)
	}
	sent := w.mails.to(buyerMail)
	if len(sent) != 1 || len(sent[0].Attachments) != 1 || !bytes.HasPrefix(sent[0].Attachments[0].Data, []byte("%PDF-1.7")) || !strings.Contains(sent[0].Subject, "FL/2026/1") {
		t.Errorf("%d mails: %+v", len(sent), sent)
	}
}

// unpaid checks that an order gave nothing.
func (w *world) unpaid(t testing.TB, id string, state orders.State) {
	t.Helper()
	w.holds(t)
	if o := w.order(t, id); o.State != state || !o.PaidAt.IsZero() {
		t.Errorf("%+v, not %s", o, state)
	}
	if left, docs := w.left(t), w.documents(t, id); left != 100 || len(docs) != 0 {
		t.Errorf("%d units, documents %+v", left, docs)
	}
}

// office takes invoices.
type office struct {
	mu    sync.Mutex
	files [][]byte
	say   func(n int) (connector.Receipt, error)
}

func (o *office) Send(_ context.Context, file []byte) (connector.Receipt, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, file)
	return o.say(len(o.files))
}

package purchases_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"saldo/internal/billing/einvoice"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/partners"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/purchases"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

const (
	fleet  = "5213017228"
	seller = "5260250274"
	other  = "1132191233"
	pesel  = "44051401359"
)

var anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}

type world struct {
	testkit.Fleet
	*purchases.Service
	ksef  *ksefd.Server
	log   bytes.Buffer
	mu    sync.Mutex
	alive atomic.Int64 // handlers that run
	key   []byte
	want  map[string]money.Amount // gross by number
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), ksef: ksefd.New(t), want: map[string]money.Amount{}}
	w.Clock.Pass(time.Until(w.Clock.Now()) * -1) // KSeF lives by the wall clock
	w.Service = w.process(t)
	w.profile(t, fleet)
	w.work(t, w.Service)
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

// Write keeps what is logged.
func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

// process is a further one beside the same database.
func (w *world) process(t *testing.T) *purchases.Service {
	t.Helper()
	d := testkit.Open(t, w.Settings)
	return &purchases.Service{Mails: mail.NewQueue(w.Fleet.Vault, nil, mail.Address{Address: "saldo@saldo.example"}),
		PublicURL: "https://saldo.example", DB: d, Blobs: w.Fleet.Blobs, Vault: w.Fleet.Vault, Instance: w.Fleet.Instance,
		Log: slog.New(slog.NewTextHandler(w, nil)), KSeF: &login.Service{DB: d, Vault: w.Fleet.Vault, Environment: "test", HTTP: w.ksef.Client(),
			Env: ksef.Env{API: ksefd.API, Codes: ksefd.Codes, Lighthouse: ksefd.Lighthouse}}}
}

// work does the jobs of a process until the test ends, but looks for nothing by itself.
func (w *world) work(t *testing.T, s *purchases.Service) (stop func()) {
	t.Helper()
	return testkit.RunJobs(t, s.DB, func(q *jobs.Queue) {
		q.Lease = 10 * time.Minute
		for kind, do := range purchases.Handlers(s) {
			q.Handle(kind, w.counted(do))
		}
	})
}

func (w *world) counted(do jobs.Handler) jobs.Handler {
	return func(ctx context.Context, run *jobs.Run) error {
		w.alive.Add(1)
		defer w.alive.Add(-1)
		return do(ctx, run)
	}
}

func (w *world) profile(t *testing.T, nip string) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		p, err := partners.OwnProfile(tx, w.Fleet.Vault)
		if err != nil {
			return err
		}
		p.TaxID = nip
		return partners.SaveProfile(tx, w.Fleet.Vault, "PL", p)
	})
}

// connect is what a person does.
func (w *world) connect(t *testing.T, nip string, version int64) {
	t.Helper()
	certificate, key := ksefd.Seal(t, nip, "Flota Północ")
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	w.key = der
	p, err := w.KSeF.Prepare(t.Context(), anna, login.Upload{Version: version, Certificate: certificate.Raw, Key: der})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return w.KSeF.Keep(tx, p) })
}

// pass lets time pass, here and at KSeF.
func (w *world) pass(d time.Duration) { w.Clock.Pass(d); w.ksef.Advance(d) }

// look is what the schedule does; a day later everything is due again.
func (w *world) look(t *testing.T) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
		return jobs.Enqueue(tx, jobs.Order{Kind: purchases.LookKind, Key: "look"})
	})
	w.settle(t)
}

func (w *world) day(t *testing.T) {
	t.Helper()
	w.pass(24 * time.Hour)
	w.look(t)
}

// settle lets time pass until no job is left. A handler that died is followed by another once its lease has ended.
func (w *world) settle(t *testing.T) {
	t.Helper()
	for quiet := 0; ; time.Sleep(2 * time.Millisecond) {
		var next []time.Time
		var now time.Time
		failed := int64(0)
		testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) (err error) {
			now = tx.Now
			if failed, err = db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE kind LIKE 'purchases.%' AND state = 'failed'`); err != nil {
				return err
			}
			next, err = db.Select[time.Time](tx.Across(), `SELECT CASE WHEN state = 'running' THEN lease_until ELSE run_at END AS at FROM jobs
				WHERE kind LIKE 'purchases.%' AND state IN ('waiting', 'running') ORDER BY at`)
			return err
		})
		switch {
		case failed > 0:
			t.Fatal("a job failed:", w.log.String())
		case len(next) == 0:
			return
		case w.alive.Load() > 0 || !next[0].After(now):
			quiet = 0
		default:
			if quiet++; quiet > 4 {
				quiet = 0
				w.pass(next[0].Sub(now) + time.Millisecond)
			}
		}
	}
}

// receive has another company send an invoice to one.
func (w *world) receive(t *testing.T, from, to, number string, net money.Amount) string {
	t.Helper()
	ksefNumber := w.ksef.Receive(w.file(t, from, to, number, net))
	if to == fleet {
		w.want[ksefNumber] = net + net*23/100
	}
	return ksefNumber
}

func (w *world) file(t *testing.T, from, to, number string, net money.Amount) []byte {
	t.Helper()
	today := calendar.Date(w.ksef.Now().Add(time.Hour).Format(time.DateOnly)) // near enough to Warsaw's
	file, err := einvoice.FA3(einvoice.Invoice{Number: number, IssuedOn: today, From: today, To: today, MadeAt: w.ksef.Now(), Currency: money.PLN,
		Seller: einvoice.Party{Name: "Warsztat „Żuraw” & Syn", TaxID: from, Street: "ul. Testowa 1", Place: "00-001 Warszawa", Country: "PL"},
		Buyer:  einvoice.Party{Name: "Flota Sp. z o.o.", TaxID: to, Street: "ul. Flotowa 2", Place: "00-002 Warszawa", Country: "PL"},
		Lines:  []einvoice.Line{{Text: "Naprawa", Net: net, VAT: net * 23 / 100, Rate: 23}}})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(file, []byte("<P_17>1</P_17>"), []byte("<P_17>2</P_17>"), 1)
}

func amount() money.Amount { return money.Amount(1 + rand.Int64N(5_000_00)) }

// all are the purchases by their numbers.
func (w *world) all(t *testing.T) map[string]purchases.Purchase {
	t.Helper()
	found := map[string]purchases.Purchase{}
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		list, err := db.Select[purchases.Purchase](tx, `SELECT `+strings.Join(db.ColumnsOf[purchases.Purchase](), ", ")+` FROM purchases
			WHERE tenant_id = $1`)
		for _, p := range list {
			found[p.KsefNumber] = p
		}
		return err
	})
	return found
}

// complete compares what is there with what was received: each once, to the grosz, with its file.
func (w *world) complete(t *testing.T) {
	t.Helper()
	found, files := w.all(t), w.ksef.Accepted()
	if len(found) != len(w.want) {
		t.Errorf("%d of %d invoices", len(found), len(w.want))
	}
	for number, gross := range w.want {
		p := found[number]
		if p.Gross != gross || p.Net+p.VAT != gross || p.Unread != "" || p.StoredAt.IsZero() || p.SellerName == "" {
			t.Errorf("%s: %+v instead of %s", number, p, gross)
			return
		}
	}
	checked := 0
	for number := range found {
		if checked++; checked > 50 {
			break
		}
		var key string
		testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { _, key, err = w.Of(tx, number); return err })
		if content, err := blob.Whole(t.Context(), w.Fleet.Blobs, key, 1<<20); err != nil || !bytes.Equal(content, files[number]) {
			t.Errorf("%s has another file", number)
		}
	}
}

func (w *world) state(t *testing.T) (s purchases.State) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) { s, err = w.StateOf(tx); return err })
	return s
}

// exports are their states in the order in which they were asked for.
func (w *world) exports(t *testing.T, r purchases.Role) string {
	t.Helper()
	var states []string
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) (err error) {
		states, err = db.Select[string](tx, `SELECT state FROM ksef_exports WHERE tenant_id = $1 AND role = $2 ORDER BY id`, string(r))
		return err
	})
	return strings.Join(states, " ")
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v instead of %v", what, got, want)
	}
}

func (w *world) receiveMany(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		w.receive(t, seller, fleet, fmt.Sprintf("FV/%d/%d", len(w.want), i), amount())
	}
}

// dying is a store that something is done at.
type dying struct {
	blob.Store
	die func()
}

func (d dying) Put(ctx context.Context, key string, content io.Reader, size int64) (string, error) {
	d.die()
	return d.Store.Put(ctx, key, content, size)
}

// peak is by how much the heap that is in use grows at most while something is done, looked at every few milliseconds.
func peak(do func()) (most uint64) {
	live := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before := live()
	ended := make(chan struct{})
	go func() { defer close(ended); do() }()
	for {
		select {
		case <-ended:
			return most
		case <-time.After(5 * time.Millisecond):
		}
		now := live()
		most = max(most, now-min(now, before))
	}
}

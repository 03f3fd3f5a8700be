package sending_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/drivers"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/official"
	"saldo/internal/ksef"
	"saldo/internal/ksef/availability"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/sending"
	"saldo/internal/ledger"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

const (
	fleet  = "5213017228"
	longer = 10_000 * time.Hour // a lease: tests pass hours while a job runs
)

// world is a partner whose invoices go to a KSeF beside it.
type world struct {
	testkit.Fleet
	*sending.Service
	ksef    *ksefd.Server
	drivers drivers.Service
	count   int
}

var env = ksef.Env{API: ksefd.API, Codes: ksefd.Codes, Lighthouse: ksefd.Lighthouse}

func newWorld(t *testing.T, engine string) *world {
	t.Helper()
	w := &world{Fleet: testkit.NewFleet(t, engine), ksef: ksefd.New(t)}
	w.Clock.Pass(-time.Until(w.Clock.Now())) // KSeF lives by the wall clock
	w.drivers = drivers.Service{Vault: w.Fleet.Vault, Country: "PL"}
	w.Service = w.process(w.Fleet.DB, w.ksef.Client())
	testkit.Write(t, w.Fleet.DB, access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		tx.Actor.Proof.SignedInAt = tx.Now
		s, err := schemas.Get(tx, 1)
		if err != nil {
			return err
		}
		s.Rules.ContractType, s.Rules.VATSplit, s.Rules.DepreciationRate = rules.B2BVAT, true, 1000
		if _, err := schemas.Save(tx, 1, s.Version, s.Rules); err != nil {
			return err
		}
		return partners.SaveProfile(tx, w.Fleet.Vault, "PL", partners.Profile{Version: 1, Name: "Północ Flota Sp. z o.o.", Color: "#0B5D68",
			ProvisionCharge: partners.ChargeAlways, SettlementFrequency: 1, TaxID: fleet,
			Address: partners.Address{Street: "Towarowa", HouseNumber: "7", City: "Warszawa", PostCode: "00-839", Country: "PL"}})
	})
	return w
}

// process is the program on a database, which reaches KSeF in a way of its own.
func (w *world) process(d *db.DB, reach *http.Client) *sending.Service {
	s := &settlements.Service{Instance: w.Instance, Imports: &imports.Service{DB: d, Instance: w.Instance}}
	b := &billing.Service{Instance: w.Instance, Vault: w.Fleet.Vault, Settlements: s, KSeF: env}
	s.AfterRevoke = b.CorrectRevoked
	return &sending.Service{DB: d, Vault: w.Fleet.Vault, Blobs: w.Fleet.Blobs, Billing: b, Log: slog.New(slog.DiscardHandler),
		Announced: &availability.Service{DB: d, Environment: "test", Env: env},
		Login:     &login.Service{DB: d, Vault: w.Fleet.Vault, Environment: "test", Env: env, HTTP: reach}}
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testkit.EachFleet(t, newWorld, func(t *testing.T, w *world) {
		test(t, w)
		w.verified(t)
	})
}

// verified is what must hold after each test.
func (w *world) verified(t *testing.T) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		of, err := w.Billing.Verify(tx)
		if err != nil {
			return err
		}
		sent, err := sending.Verify(tx)
		for _, p := range append(of, sent...) {
			t.Error(p)
		}
		return err
	})
}

// connect is a person who uploads a certificate.
func (w *world) connect(t *testing.T) {
	t.Helper()
	certificate, key := ksefd.Seal(t, fleet, "Flota Północ")
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Login.Prepare(t.Context(), testkit.Anna, login.Upload{Certificate: certificate.Raw, Key: private})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error { return w.Login.Keep(tx, p) })
}

// nip is the nth number that could be a company's.
func nip(n int) string {
	for k := 526_100_000 + 7*n; ; k++ {
		for digit := range 10 {
			if id, err := official.ParseNIP(fmt.Sprintf("%d%d", k, digit)); err == nil {
				return string(id)
			}
		}
	}
}

// settled has drivers with companies of their own, who let the partner issue invoices, settled for a week.
func (w *world) settled(t *testing.T, n int) (ids []string) {
	t.Helper()
	first := w.count
	w.count += n
	week := calendar.PeriodOf(calendar.DateOf(w.Clock.Now(), w.Instance.Location(), 0), 1).Prev()
	testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		people := make([]drivers.NewDriver, n)
		for k := range people {
			people[k].Details = drivers.Details{FirstName: "Oleg", LastName: fmt.Sprintf("Nowak %d", first+k), TaxID: nip(first + k), IBAN: testkit.Account(first + k + 1)}
		}
		made, err := w.drivers.AddMany(tx, people)
		if err != nil {
			return err
		}
		if _, err := ledger.AddMany(tx, "", func(yield func(*ledger.Transaction) bool) {
			for _, driver := range made {
				if !yield(&ledger.Transaction{ID: tx.NewID(), DriverID: driver, Provider: "UBER", Type: "TRIP", OccurredOn: week.Monday(), Amount: 1512_37, Currency: "PLN", Source: "import"}) {
					return
				}
			}
		}); err != nil {
			return err
		}
		p, err := w.Billing.Settlements.Preview(tx, settlements.Selection{Filter: settlements.PendingFilter{Period: week}, Drivers: made})
		if err != nil {
			return err
		}
		if err := p.Keep(tx); err != nil {
			return err
		}
		_, err = w.Billing.Settlements.Start(tx, p.ID, settlements.StartOptions{Share: true})
		return err
	})
	stop := testkit.RunJobs(t, w.Fleet.DB, func(q *jobs.Queue) { q.Lease = longer; q.Handle(settlements.SettleKind, w.Billing.Settlements.Settle) })
	defer stop()
	testkit.Eventually(t, "all are settled", func() bool {
		testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) {
			ids, err = db.Select[string](tx, `SELECT id FROM settlements WHERE tenant_id = $1 ORDER BY number`)
			return err
		})
		return len(ids) == w.count
	})
	return ids[first:]
}

// grant lets the partner issue invoices of the nth driver and those after.
func (w *world) grant(from, n int) {
	for k := range n {
		w.ksef.Grant(nip(from+k), fleet)
	}
}

func (w *world) issue(t *testing.T, settled ...string) (ids []string) {
	t.Helper()
	testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		ids = nil
		for _, id := range settled {
			doc, err := w.Billing.Issue(tx, id, billing.Seller{Street: "Polna 1", Place: "00-001 Warszawa"})
			if err != nil {
				return err
			}
			ids = append(ids, doc.ID)
		}
		return nil
	})
	return ids
}

// pass lets time pass, here and at KSeF.
func (w *world) pass(d time.Duration) { w.Clock.Pass(d); w.ksef.Advance(d) }

// jobsOf are the unfinished jobs, and when the next one is due.
func (w *world) jobsOf(t *testing.T) (waiting, running int64, next time.Time) {
	t.Helper()
	type row struct {
		State string
		RunAt time.Time
	}
	var rows []row
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) {
		rows, err = db.Select[row](tx, `SELECT state, run_at FROM jobs WHERE tenant_id = $1 AND state IN ('waiting', 'running') ORDER BY run_at DESC`)
		return err
	})
	for _, r := range rows {
		if r.State == "running" {
			running++
		} else {
			waiting, next = waiting+1, r.RunAt
		}
	}
	return waiting, running, next
}

// work runs the jobs until the test ends.
func (w *world) work(t *testing.T, s *sending.Service) (stop func()) {
	t.Helper()
	return testkit.RunJobs(t, s.DB, func(q *jobs.Queue) {
		q.Lease = longer
		s.Handle(q)
	})
}

// until lets jobs work, and time pass whenever none of them can.
func (w *world) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	testkit.Eventually(t, what, func() bool {
		if holds() {
			return true
		}
		if waiting, running, next := w.jobsOf(t); running == 0 {
			switch ahead := next.Sub(w.Clock.Now()); {
			case waiting == 0:
				w.pass(time.Minute) // somebody sweeps
			case ahead > 0:
				w.pass(ahead)
			}
		}
		return holds()
	})
}

// states counts the sendings by state and reason.
func (w *world) states(t *testing.T) string {
	t.Helper()
	var parts []string
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		rows, err := db.Select[struct {
			State, Reason string
			N             int64
		}](tx, `SELECT state, reason, COUNT(*) AS n FROM ksef_sendings WHERE tenant_id = $1 GROUP BY state, reason ORDER BY state, reason`)
		for _, r := range rows {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d %s %s", r.N, r.State, r.Reason)))
		}
		return err
	})
	return strings.Join(parts, ", ")
}

func (w *world) documents(t *testing.T, settlement string) (all []billing.Document) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) { all, err = billing.DocumentsOf(tx, settlement); return err })
	return all
}

// count is how many rows a statement counts.
func (w *world) counted(t *testing.T, text string) (n int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) { n, err = db.One[int64](tx, text); return err })
	return n
}

// all waits until so many invoices are accepted, and compares them with what KSeF has.
func (w *world) all(t *testing.T, n int) {
	t.Helper()
	w.until(t, "all are accepted", func() bool { return w.states(t) == fmt.Sprint(n, " accepted") })
	have := w.ksef.Accepted()
	if len(have) != n {
		t.Errorf("KSeF has %d invoices, not %d", len(have), n)
	}
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		rows, err := db.Select[struct{ DocumentID, Number, UpoKey string }](tx, `SELECT document_id, number, upo_key FROM ksef_receipts WHERE tenant_id = $1`)
		upos := map[string]string{}
		for _, r := range rows {
			file, _, err := w.Billing.Outgoing(tx, r.DocumentID)
			if err != nil || string(have[r.Number]) != string(file) {
				t.Errorf("KSeF has another file under %s: %v", r.Number, err)
			}
			if upos[r.UpoKey] == "" {
				content, _, err := w.Fleet.Blobs.Get(context.Background(), r.UpoKey)
				if err != nil {
					return err
				}
				read, err := io.ReadAll(content)
				_ = content.Close()
				if err != nil {
					return err
				}
				upos[r.UpoKey] = string(read)
			}
			if !strings.Contains(upos[r.UpoKey], r.Number) {
				t.Errorf("the confirmation does not name %s", r.Number)
			}
		}
		if len(rows) != n {
			t.Errorf("%d receipts", len(rows))
		}
		return err
	})
}

// stopper reaches KSeF until it is told to stop: as a process that dies before or after one of its calls.
type stopper struct {
	http.RoundTripper
	mu     sync.Mutex
	on     func(*http.Request) bool
	after  bool
	skip   int
	struck func() // called once
	dead   bool
}

func (s *stopper) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	strikes := !s.dead && s.on(r)
	if strikes && s.skip > 0 {
		s.skip--
		strikes = false
	}
	if strikes {
		s.dead = true
	}
	dead := s.dead
	s.mu.Unlock()
	if dead && !strikes || strikes && !s.after {
		if strikes {
			s.struck()
		}
		return nil, context.Canceled
	}
	answer, err := s.RoundTripper.RoundTrip(r)
	if strikes {
		if err == nil {
			_ = answer.Body.Close()
		}
		s.struck()
		return nil, context.Canceled
	}
	return answer, err
}

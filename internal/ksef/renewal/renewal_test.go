package renewal_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/renewal"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

const (
	fleet = "5213017228"
	pesel = "44051401359"
	day   = 24 * time.Hour
)

type world struct {
	testkit.Fleet
	*renewal.Service
	ksef *ksefd.Server
}

func newWorld(t *testing.T, engine string) *world {
	t.Helper()
	w := &world{Fleet: testkit.NewFleet(t, engine), ksef: ksefd.New(t)}
	w.Clock.Pass(-time.Until(w.Clock.Now())) // KSeF lives by the wall clock
	w.Service = w.process(w.Fleet.DB)
	testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		p, err := partners.OwnProfile(tx, w.Fleet.Vault)
		if err != nil {
			return err
		}
		p.TaxID = fleet
		return partners.SaveProfile(tx, w.Fleet.Vault, "PL", p)
	})
	return w
}

func (w *world) process(d *db.DB) *renewal.Service {
	env := ksef.Env{API: ksefd.API, Codes: ksefd.Codes, Lighthouse: ksefd.Lighthouse}
	return &renewal.Service{DB: d, Vault: w.Fleet.Vault, Log: slog.New(slog.DiscardHandler),
		Billing: &billing.Service{Instance: w.Instance, Vault: w.Fleet.Vault, KSeF: env},
		Login:   &login.Service{DB: d, Vault: w.Fleet.Vault, Environment: "test", Env: env, HTTP: w.ksef.Client()}}
}

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

// connect is a person who uploads a certificate that is valid for so many days more.
func (w *world) connect(t *testing.T, days int) (key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	until := w.Clock.Now().Add(time.Duration(days) * day)
	template := &x509.Certificate{SerialNumber: big.NewInt(0x01A2B3C4), NotBefore: until.AddDate(-2, 0, 0), NotAfter: until,
		Subject: pkix.Name{Country: []string{"PL"}, CommonName: "Flota Północ", ExtraNames: []pkix.AttributeTypeAndValue{
			{Type: asn1.ObjectIdentifier{2, 5, 4, 97}, Value: "VATPL-" + fleet}, {Type: asn1.ObjectIdentifier{2, 5, 4, 5}, Value: "PNOPL-" + pesel}}}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	if key, err = x509.MarshalPKCS8PrivateKey(private); err != nil {
		t.Fatal(err)
	}
	p, err := w.Login.Prepare(t.Context(), testkit.Anna, login.Upload{Version: w.access(t).Version, Certificate: certificate, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error { return w.Login.Keep(tx, p) })
	return key
}

func (w *world) access(t *testing.T) (a login.Access) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) {
		if a, err = w.Login.Of(tx); errors.Is(err, login.ErrNone) {
			err = nil
		}
		return err
	})
	return a
}

func (w *world) codes(t *testing.T) (c *billing.Certified) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) (err error) { c, err = billing.CertificateOf(tx); return err })
	return c
}

// problem is the code by which KSeF gave no certificate; -1: none.
func (w *world) problem(t *testing.T) (code int64) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
		since, given, err := w.Problem(tx)
		if code = given; since.IsZero() {
			code = -1
		}
		return err
	})
	return code
}

// pass lets time pass in steps, here and at KSeF, and the jobs of each step come to rest.
func (w *world) pass(t *testing.T, steps int, step time.Duration) {
	t.Helper()
	for range steps {
		w.Clock.Pass(step)
		w.ksef.Advance(step)
		testkit.Write(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
			return jobs.Enqueue(tx, jobs.Order{Kind: "ksef.renewals", Key: "sweep"})
		})
		w.rest(t)
	}
}

func (w *world) rest(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, "jobs come to rest", func() (idle bool) {
		testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM jobs WHERE state = 'running' OR state = 'waiting' AND run_at <= $1`, tx.Now)
			idle = n == 0
			return err
		})
		return idle
	})
}

func (w *world) work(t *testing.T, s *renewal.Service) {
	t.Helper()
	t.Cleanup(testkit.RunJobs(t, s.DB, func(q *jobs.Queue) {
		q.Lease = 10_000 * time.Hour // tests pass hours while a job runs
		s.Handle(q)
	}))
}

// asked is how many certificates KSeF was asked for since it was last looked.
func (w *world) asked() (n int) {
	for _, one := range w.ksef.Calls() {
		if one == "POST /certificates/enrollments" {
			n++
		}
	}
	return n
}

// works says whether the kept certificate lets the partner in.
func (w *world) works(t *testing.T) bool {
	t.Helper()
	if err := w.Login.Try(t.Context(), access.ProgramFor("north", "test")); err != nil {
		t.Fatal(err)
	}
	return w.access(t).State == login.Working
}

func TestCertificates_AreRenewedInTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		uploaded := w.connect(t, 70)
		w.work(t, w.Service)
		w.pass(t, 1, day)
		if a, c := w.access(t), w.codes(t); a.Version != 1 || c == nil || w.asked() != 1 {
			t.Fatalf("that for codes is asked for at once: %+v %+v", a, c)
		}
		w.pass(t, 8, day)
		if n := w.asked(); n != 0 || w.access(t).Version != 1 {
			t.Errorf("%d were asked for, with 61 days left", n)
		}
		before := w.codes(t).Serial
		w.pass(t, 2, day)
		a := w.access(t)
		if n := w.asked(); n != 1 || a.Version != 2 || a.Serial == "0000000001A2B3C4" || a.State != login.Working || a.ValidTo.Before(w.Clock.Now().AddDate(1, 11, 0)) {
			t.Errorf("%d were asked for: %+v", n, a)
		}
		w.pass(t, 5, 2*day)
		if n := w.asked(); n != 0 || !w.works(t) || w.problem(t) != -1 {
			t.Errorf("%d more were asked for", n)
		}
		// A certificate of KSeF's own asks for the one after it, and that for codes is replaced as well.
		w.pass(t, 8, 85*day)
		w.pass(t, 2, time.Hour) // both sign in: one of them waits
		if n := w.asked(); n != 2 || w.access(t).Version != 3 || w.codes(t).Serial == before || !w.works(t) {
			t.Errorf("%d: %+v", n, w.access(t))
		}
		if b := w.ksef.Breaches(); len(b) > 0 {
			t.Error(b)
		}
		w.nowhere(t, uploaded)
	})
}

// nowhere looks through what is kept for keys, tokens and numbers of people.
func (w *world) nowhere(t *testing.T, uploaded []byte) {
	t.Helper()
	var all bytes.Buffer
	for _, table := range []string{"ksef_access", "ksef_login", "ksef_renewals", "billing_certificates", "audit_entries", "jobs"} {
		testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
			return db.EachRow(tx, func(cells []any) error { fmt.Fprintf(&all, "%s %s\n", table, cells); return nil },
				`SELECT `+strings.Join(testkit.Columns(t, w.Fleet.DB, table), ", ")+` FROM `+table+` WHERE tenant_id = $1`)
		})
	}
	if !strings.Contains(all.String(), "ksef.connect") {
		t.Error("nothing was read")
	}
	for _, secret := range []string{string(uploaded), base64.StdEncoding.EncodeToString(uploaded), "PRIVATE KEY", "eyJ", pesel} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%.20q is there", secret)
		}
	}
}

// An answer that is lost, an error or a long wait at any call: KSeF issues one certificate for each purpose all the same.
func TestCertificates_AreAskedForOnceWhateverIsLost(t *testing.T) {
	for name, f := range map[string]ksefd.Fault{
		"limits":      {On: "GET /certificates/limits", Cut: true},
		"data":        {On: "GET /certificates/enrollments/data", Cut: true},
		"request":     {On: "POST /certificates/enrollments", Cut: true},
		"not taken":   {On: "POST /certificates/enrollments", Status: 500},
		"state":       {On: "GET /certificates/enrollments/{referenceNumber}", Cut: true},
		"certificate": {On: "POST /certificates/retrieve", Cut: true},
		"sign-in":     {On: "POST /auth/xades-signature", Cut: true},
		"too fast":    {On: "POST /certificates/enrollments", Status: 429, Retry: 50 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.connect(t, 20)
				w.ksef.Steps = 2 // KSeF takes its time
				w.ksef.Script(f)
				w.work(t, w.Service)
				w.work(t, w.process(testkit.Open(t, w.Settings))) // another instance
				w.pass(t, 14, 11*time.Minute)
				if a, c := w.access(t), w.codes(t); a.Version != 2 || c == nil || w.problem(t) != -1 || !w.works(t) {
					t.Errorf("%+v %+v", a, c)
				}
				if n := w.issued(t); n != 2 {
					t.Errorf("KSeF issued %d", n)
				}
				if b := w.ksef.Breaches(); len(b) > 0 {
					t.Error(b)
				}
			})
		})
	}
}

// issued is how many certificates KSeF has of the partner.
func (w *world) issued(t *testing.T) int {
	t.Helper()
	c, err := w.Login.Client(t.Context(), access.ProgramFor("north", "test"))
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := c.Certificates(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestCertificates_ThatKSeFRefusesAreAskedForADayLater(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 20)
		w.ksef.End("certificate", 400, 400)
		w.work(t, w.Service)
		w.pass(t, 20, time.Hour)
		if n := w.asked(); n != 2 || w.problem(t) != 400 || w.access(t).Version != 1 || w.access(t).State != login.Working || w.codes(t) != nil {
			t.Errorf("%d were asked for, %d", n, w.problem(t))
		}
		w.pass(t, 6, time.Hour)
		if n := w.asked(); n != 2 || w.problem(t) != -1 || w.access(t).Version != 2 || w.codes(t) == nil {
			t.Errorf("%d were asked for, %d", n, w.problem(t))
		}
	})
}

// What a person uploads meanwhile stays, and nothing is asked for any more.
func TestCertificates_OfAPersonWhoIsFasterStay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect(t, 20)
		w.ksef.Steps = 5
		w.work(t, w.Service)
		w.pass(t, 1, time.Second)
		w.connect(t, 400)
		w.pass(t, 20, 5*time.Minute)
		if a := w.access(t); a.Version != 2 || a.Serial != "0000000001A2B3C4" {
			t.Errorf("%+v", a)
		}
		testkit.Read(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error {
			left, err := db.One[int64](tx, `SELECT COUNT(*) FROM ksef_renewals WHERE tenant_id = $1`)
			if left != 0 {
				t.Errorf("%d requests are left", left)
			}
			return err
		})
		testkit.Write(t, w.Fleet.DB, testkit.Anna, func(tx *db.Tx) error { return w.Login.Remove(tx) })
		w.asked()
		w.pass(t, 3, day)
		if n := w.asked(); n != 0 {
			t.Errorf("%d are asked for by a partner who is gone", n)
		}
	})
}

package login_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/wire"
	"saldo/internal/partners"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
	"saldo/internal/testkit/ksefd/contract"
)

const (
	fleet = "5213017228"
	pesel = "44051401359"
)

var (
	anna = access.Actor{Role: access.Partner, Tenant: "north", ID: "anna", Name: "Anna Mazurek"}
	job  = access.ProgramFor("north", "test")
)

type world struct {
	testkit.Fleet
	*login.Service
	ksef *ksefd.Server
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), ksef: ksefd.New(t)}
	w.Clock.Pass(time.Until(w.Clock.Now()) * -1) // KSeF lives by the wall clock
	w.Service = w.process(t)
	w.profile(t, fleet)
	return w
}

// process is a further one beside the same database.
func (w *world) process(t *testing.T) *login.Service {
	t.Helper()
	return &login.Service{DB: testkit.Open(t, w.Settings), Vault: w.Fleet.Vault, Environment: "test", HTTP: w.ksef.Client(),
		Env: ksef.Env{API: ksefd.API, Codes: ksefd.Codes, Lighthouse: ksefd.Lighthouse}}
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

func each(t *testing.T, test func(t *testing.T, w *world)) { testkit.EachFleet(t, newWorld, test) }

// pass lets time pass, here and at KSeF.
func (w *world) pass(d time.Duration) { w.Clock.Pass(d); w.ksef.Advance(d) }

type made struct {
	usage x509.KeyUsage
	nip   string
	until time.Time
}

// upload makes a certificate of a company and what a person uploads of it.
func upload(t *testing.T, m made) login.Upload {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return login.Upload{Certificate: issued(t, key, m), Key: pkcs8(t, key)}
}

func issued(t *testing.T, key crypto.Signer, m made) []byte {
	t.Helper()
	if m.nip == "" {
		m.nip = fleet
	}
	if m.until.IsZero() {
		m.until = time.Now().AddDate(1, 0, 0)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(0x01A2B3C4), KeyUsage: m.usage, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: m.until,
		Subject: pkix.Name{Country: []string{"PL"}, CommonName: "Flota Północ", ExtraNames: []pkix.AttributeTypeAndValue{
			{Type: asn1.ObjectIdentifier{2, 5, 4, 97}, Value: "VATPL-" + m.nip}, {Type: asn1.ObjectIdentifier{2, 5, 4, 5}, Value: "PNOPL-" + pesel}}}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func pkcs8(t *testing.T, key crypto.Signer) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// save is what a person does.
func (w *world) save(t *testing.T, u login.Upload) error {
	t.Helper()
	p, err := w.Prepare(t.Context(), anna, u)
	if err != nil {
		return err
	}
	if err = w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.Keep(tx, p) }); err != nil {
		w.Discard(t.Context(), anna, p)
	}
	return err
}

func (w *world) connected(t *testing.T) login.Upload {
	t.Helper()
	u := upload(t, made{usage: x509.KeyUsageDigitalSignature})
	if err := w.save(t, u); err != nil {
		t.Fatal(err)
	}
	return u
}

func (w *world) shown(t *testing.T) (a login.Access) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
		var err error
		if a, err = w.Of(tx); errors.Is(err, login.ErrNone) {
			err = nil
		}
		return err
	})
	return a
}

// works asks KSeF something as a job of a process does.
func works(t *testing.T, s *login.Service) error {
	t.Helper()
	c, err := s.Client(t.Context(), job)
	if err == nil {
		_, err = c.Rights(t.Context())
	}
	return err
}

// signIns is how many were begun since it was last asked.
func (w *world) signIns() (n int) {
	for _, one := range w.ksef.Calls() {
		if one == "POST /auth/xades-signature" {
			n++
		}
	}
	return n
}

func is(err error, code string) bool {
	var f *fault.Fault
	return errors.As(err, &f) && f.Code == code
}

func TestAccess_IsTriedBeforeItIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		one, other := upload(t, made{}), upload(t, made{})
		signature := x509.KeyUsageDigitalSignature
		for name, c := range map[string]struct {
			u    login.Upload
			code string
			end  int // of signing in; 0: well
			asks bool
		}{
			"no certificate":     {login.Upload{Certificate: []byte("x"), Key: one.Key}, "ksef.unreadable", 0, false},
			"another key":        {login.Upload{Certificate: one.Certificate, Key: other.Key}, "ksef.mismatch", 0, false},
			"expired":            {upload(t, made{usage: signature, until: time.Now().Add(-time.Hour)}), "ksef.expired", 0, false},
			"offline":            {upload(t, made{usage: x509.KeyUsageContentCommitment}), "ksef.offline", 0, false},
			"for something else": {upload(t, made{usage: x509.KeyUsageKeyEncipherment}), "ksef.unsuitable", 0, false},
			"of another":         {upload(t, made{usage: signature, nip: "1132191233"}), "ksef.denied", 0, true},
			"415":                {upload(t, made{usage: signature}), "ksef.denied", 415, true},
			"450":                {upload(t, made{usage: signature}), "ksef.refused", 450, true},
			"460":                {upload(t, made{usage: signature}), "ksef.refused", 460, true},
			"480":                {upload(t, made{usage: signature}), "ksef.blocked", 480, true},
			"500":                {upload(t, made{usage: signature}), "ksef.away", 500, true},
		} {
			w.ksef.Calls()
			if c.end != 0 {
				w.ksef.End("auth", c.end)
			}
			if err := w.save(t, c.u); !is(err, c.code) || strings.Contains(fmt.Sprint(err), pesel) {
				t.Errorf("%s: %v", name, err)
			}
			if asked := len(w.ksef.Calls()) > 0; asked != c.asks {
				t.Errorf("%s: KSeF was asked: %v", name, asked)
			}
		}
		w.ksef.Script(ksefd.Fault{On: "POST /auth/challenge", Status: 500})
		if err := w.save(t, one); !is(err, "ksef.away") {
			t.Error(err)
		}
		w.ksef.Script(ksefd.Fault{On: "POST /auth/challenge", Status: 429, Retry: 50 * time.Minute})
		if err := w.save(t, one); !is(err, "ksef.wait") || retry(err) != 50*time.Minute {
			t.Error(err)
		}
		if a := w.shown(t); a.Version != 0 {
			t.Fatalf("%+v was kept", a)
		}
		w.connected(t)
		if a := w.shown(t); a.Version != 1 || a.State != login.Working || a.NIP != fleet || a.Serial != "0000000001A2B3C4" || a.Subject != "Flota Północ" {
			t.Errorf("%+v", a)
		}
		w.ksef.Calls()
		if err := works(t, w.Service); err != nil || w.signIns() != 0 {
			t.Error("signing in once is enough:", err)
		}
	})
}

// retryOf is how long the pace says to wait.
func retryOf(err error) time.Duration {
	var said *wire.Said
	if errors.As(err, &said) {
		return said.After
	}
	return 0
}

func retry(err error) time.Duration {
	var f *fault.Fault
	errors.As(err, &f)
	return f.Retry
}

// encrypted is an invented key as openssl saves it, with the password "Tajne 7".
const encrypted = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhgWpeaGMWOnAICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOi2B505EcjTZ2F1BeyMFcMEgZBk
ZRjdnfroXF2WvEckCiXit1xmF0BVS4HphrDA3y5kzVkLGfwaYvvwOo4jCZ5iz4t/
AZ0SbaxTN1F21IFyqWUYI5Lw15BzcdeXx915BrufjgJU7ak//6EHgMEtCH4mSlKi
e8wUKs2HxXm66ysGkMFkq6ZQzto34RzU+NivMwMZAbrZ7HArrBDbzxnpMnMp5mY=
-----END ENCRYPTED PRIVATE KEY-----
`

func TestAccess_WithAnEncryptedKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, err := ksef.PrivateKey([]byte(encrypted), "Tajne 7")
		if err != nil {
			t.Fatal(err)
		}
		u := login.Upload{Key: []byte(encrypted), Certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
			Bytes: issued(t, key, made{usage: x509.KeyUsageDigitalSignature})})}
		for _, wrong := range []string{"", "Tajne 8"} {
			u.Password = wrong
			if err := w.save(t, u); !is(err, "ksef.password") {
				t.Errorf("%q: %v", wrong, err)
			}
		}
		u.Password = "Tajne 7"
		if err := w.save(t, u); err != nil {
			t.Error(err)
		}
	})
}

func TestClient_RefreshesAndSignsInAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		w.ksef.Calls()
		for range 3 {
			if err := works(t, w.Service); err != nil {
				t.Fatal(err)
			}
		}
		if calls := w.ksef.Calls(); slices.Contains(calls, "POST /auth/xades-signature") || count(calls, "POST /auth/token/refresh") != 1 {
			t.Errorf("%v", calls)
		}
		w.pass(20 * time.Minute) // the access token has ended
		if err := works(t, w.Service); err != nil || w.signIns() != 0 {
			t.Error(err)
		}
		if err := works(t, w.process(t)); err != nil || w.signIns() != 0 {
			t.Error("a restart needs no sign-in:", err)
		}
		w.ksef.Script(ksefd.Fault{On: "POST /auth/token/refresh", Status: 401})
		w.pass(20 * time.Minute) // KSeF has forgotten the token
		if err := works(t, w.Service); err != nil || w.signIns() != 1 {
			t.Error(err)
		}
		w.pass(8 * 24 * time.Hour) // and this one has ended
		if err := works(t, w.Service); err != nil || w.signIns() != 1 {
			t.Error(err)
		}
	})
}

func count(all []string, one string) (n int) {
	for _, it := range all {
		if it == one {
			n++
		}
	}
	return n
}

// A token is redeemed once: where the answer is lost, signing in starts over.
func TestClient_ALostAnswerStartsOver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		w.pass(8 * 24 * time.Hour)
		w.ksef.Calls()
		w.ksef.Script(ksefd.Fault{On: "POST /auth/token/redeem", Cut: true})
		if err := works(t, w.Service); !is(err, "ksef.away") {
			t.Error(err)
		}
		if calls := w.ksef.Calls(); count(calls, "POST /auth/token/redeem") != 1 {
			t.Errorf("%v", calls)
		}
		if a := w.shown(t); a.State != login.Away {
			t.Errorf("%+v", a)
		}
		if err := works(t, w.Service); err != nil {
			t.Error(err)
		}
		if calls := w.ksef.Calls(); count(calls, "POST /auth/challenge") != 1 {
			t.Errorf("%v", calls)
		}
		if a := w.shown(t); a.State != login.Working {
			t.Errorf("%+v", a)
		}
	})
}

func TestClient_TwoInstancesSignInOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		all := []*login.Service{w.Service, w.process(t), w.process(t)}
		for round := range 3 {
			w.pass(8 * 24 * time.Hour)
			w.ksef.Calls()
			var group sync.WaitGroup
			for _, one := range append(all, all...) {
				group.Go(func() {
					_, err := one.Client(context.Background(), job)
					if err != nil && !is(err, "ksef.wait") {
						t.Error(err)
					}
				})
			}
			group.Wait()
			for _, one := range all {
				if err := works(t, one); err != nil {
					t.Error(err)
				}
			}
			if n := w.signIns(); n != 1 {
				t.Errorf("round %d: %d sign-ins", round, n)
			}
		}
	})
}

// A process that was killed while it signed in keeps others out for a while, not for good.
func TestClient_ALeaseEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		w.pass(8 * 24 * time.Hour)
		testkit.Write(t, w.Fleet.DB, job, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE ksef_login SET lease = 'gone', leased_until = $2 WHERE tenant_id = $1`, tx.Now.Add(time.Minute))
			return err
		})
		if err := works(t, w.Service); !is(err, "ksef.wait") || retry(err) <= 0 {
			t.Error(err)
		}
		w.pass(time.Minute)
		if err := works(t, w.Service); err != nil {
			t.Error(err)
		}
	})
}

func TestClient_StopsWhereAPersonMustAct(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.connected(t)
		w.pass(8 * 24 * time.Hour)
		w.ksef.End("auth", 460)
		for range 2 {
			if err := works(t, w.Service); !is(err, "ksef.refused") {
				t.Error(err)
			}
		}
		if n := w.signIns(); n > 2 { // that of the upload and the one that was refused
			t.Errorf("%d sign-ins", n)
		}
		if a := w.shown(t); a.State != login.Refused {
			t.Errorf("%+v", a)
		}
		if err := w.Try(t.Context(), anna); err != nil || w.shown(t).State != login.Working {
			t.Error(err)
		}
		w.profile(t, "1132191233")
		if err := works(t, w.Service); !is(err, "ksef.nip") || w.shown(t).State != login.OtherNIP {
			t.Error(err)
		}
		w.profile(t, fleet)
		if err := works(t, w.Service); err != nil {
			t.Error(err)
		}
		w.ksef.Script(ksefd.Fault{On: "POST /auth/challenge", Status: 500})
		if err := w.Try(t.Context(), anna); err != nil || w.shown(t).State != login.Away {
			t.Error(err)
		}
		if err := works(t, w.process(t)); err != nil || w.shown(t).State != login.Working { // the token is good still
			t.Error(err)
		}
		w.pass(400 * 24 * time.Hour)
		w.ksef.Calls()
		if err := works(t, w.Service); !is(err, "ksef.expired") || w.shown(t).State != login.Expired || len(w.ksef.Calls()) > 0 {
			t.Error(err)
		}
		if err := w.Try(t.Context(), anna); err != nil {
			t.Error(err)
		}
		u.Version = 1
		if err := w.save(t, u); !is(err, "ksef.expired") {
			t.Error(err)
		}
	})
}

// during does something while a process signs in.
func (w *world) during(t *testing.T, what func()) error {
	t.Helper()
	w.pass(8 * 24 * time.Hour)
	w.Service = w.process(t)
	w.HTTP = &http.Client{Transport: between{w.ksef.Client().Transport, sync.OnceFunc(what)}}
	return works(t, w.Service)
}

type between struct {
	http.RoundTripper
	what func()
}

func (b between) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/auth/token/redeem") {
		b.what()
	}
	return b.RoundTripper.RoundTrip(r)
}

func TestClient_ReplacedOrRemovedMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		another := upload(t, made{usage: x509.KeyUsageDigitalSignature})
		another.Version = 1
		other := w.process(t)
		if err := w.during(t, func() {
			p, err := other.Prepare(t.Context(), anna, another)
			if err != nil {
				t.Error(err)
			}
			testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return other.Keep(tx, p) })
		}); !errors.Is(err, login.ErrChanged) {
			t.Error(err)
		}
		if calls := w.ksef.Calls(); count(calls, "DELETE /auth/sessions/current") != 1 {
			t.Errorf("nobody signed out: %v", calls)
		}
		if a := w.shown(t); a.Version != 2 || a.State != login.Working {
			t.Errorf("%+v", a)
		}
		if err := works(t, w.Service); err != nil || w.signIns() != 0 {
			t.Error(err)
		}
		if err := w.save(t, another); !is(err, "ksef.changed") { // by somebody who has seen the first
			t.Error(err)
		}
		if err := w.during(t, func() {
			testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error { return other.Remove(tx) })
		}); !errors.Is(err, login.ErrChanged) {
			t.Error(err)
		}
		if err := works(t, w.Service); !is(err, "ksef.none") {
			t.Error(err)
		}
		if err := w.Try(t.Context(), anna); !is(err, "ksef.none") {
			t.Error(err)
		}
		if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.Remove(tx) }); !is(err, "ksef.none") {
			t.Error(err)
		}
	})
}

// Two people upload at once: one is kept, the other is signed out.
func TestAccess_UploadedByTwo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, err := w.Prepare(t.Context(), anna, upload(t, made{usage: x509.KeyUsageDigitalSignature}))
		if err != nil {
			t.Fatal(err)
		}
		w.connected(t)
		if err := w.Fleet.DB.Write(t.Context(), anna, func(tx *db.Tx) error { return w.Keep(tx, first) }); !is(err, "ksef.changed") {
			t.Error(err)
		}
	})
}

func TestPace_NoCallIsTooFast(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.ksef.Limited = true
		w.connected(t)
		sent, waits, services := 0, 0, []*login.Service{w.Service, w.process(t)}
		for sent < 130 { // more than an hour may have
			one := services[sent%2]
			if sent%25 == 0 {
				one = w.process(t) // a restart
			}
			c, err := one.Client(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			switch _, err := c.Rights(t.Context()); {
			case err == nil:
				sent++
			case retryOf(err) > 0:
				waits++
				w.pass(retryOf(err))
			default:
				t.Fatal(err)
			}
		}
		if waits < 12 {
			t.Errorf("%d waits", waits)
		}
		if n := w.ksef.TooMany(); n > 0 {
			t.Errorf("KSeF said %d times that it was too fast", n)
		}
		testkit.Write(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM ksef_calls WHERE tenant_id = $1 AND place = 'other'`)
			if n > 125 {
				t.Errorf("%d calls are kept", n)
			}
			return err
		})
	})
}

// The limits are those of the published contract.
func TestPace_KnowsTheLimits(t *testing.T) {
	for name, o := range contract.Published().Operations {
		group := o.Group()
		if o.Limits.PerHour == 0 {
			group = "public"
		}
		most, known := login.LimitsOf(group)
		if !known || most[0] > o.Limits.PerSecond || most[1] > o.Limits.PerMinute || most[2] > o.Limits.PerHour {
			t.Errorf("%s %s: %v, %+v", name, group, most, o.Limits)
		}
	}
}

// What KSeF forbids for a while is not asked, by any process.
func TestClient_WaitsAsKSeFSays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connected(t)
		w.pass(8 * 24 * time.Hour)
		w.ksef.Script(ksefd.Fault{On: "POST /auth/challenge", Status: 429, Retry: 50 * time.Minute})
		if err := works(t, w.Service); !is(err, "ksef.wait") || retry(err) != 50*time.Minute {
			t.Error(err)
		}
		w.ksef.Calls()
		if err := works(t, w.process(t)); !is(err, "ksef.wait") || retry(err) > 50*time.Minute || len(w.ksef.Calls()) > 0 {
			t.Error(err)
		}
		w.pass(51 * time.Minute)
		if err := works(t, w.Service); err != nil {
			t.Error(err)
		}
	})
}

func TestAccess_SecretsAreNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		u := w.connected(t)
		w.pass(8 * 24 * time.Hour)
		w.ksef.End("auth", 480)
		told := fmt.Sprint(works(t, w.Service))
		if err := w.Try(t.Context(), anna); err != nil {
			t.Fatal(err)
		}
		c, err := w.Client(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		secrets := []string{pesel, string(u.Key), base64.StdEncoding.EncodeToString(u.Key), base64.StdEncoding.EncodeToString(u.Certificate), c.Access, "eyJ"}
		var all bytes.Buffer
		all.WriteString(told)
		for _, table := range []string{"ksef_access", "ksef_login", "ksef_calls", "audit_entries"} {
			testkit.Read(t, w.Fleet.DB, anna, func(tx *db.Tx) error {
				return db.EachRow(tx, func(cells []any) error { fmt.Fprintf(&all, "%s %s\n", table, cells); return nil },
					`SELECT `+strings.Join(testkit.Columns(t, w.Fleet.DB, table), ", ")+` FROM `+table+` WHERE tenant_id = $1`)
			})
		}
		if !strings.Contains(all.String(), "ksef.stop") || !strings.Contains(all.String(), "Flota Północ") {
			t.Error("nothing was read")
		}
		for _, secret := range secrets {
			if strings.Contains(all.String(), secret) {
				t.Errorf("%.20q is there", secret)
			}
		}
	})
}

func TestService_Off(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.Environment = ""
	if _, err := w.Prepare(t.Context(), anna, login.Upload{}); !errors.Is(err, login.ErrOff) {
		t.Error(err)
	}
	if err := works(t, w.Service); !errors.Is(err, login.ErrOff) {
		t.Error(err)
	}
}

// Each environment has a certificate of its own.
func TestAccess_OfAnotherEnvironment(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	w.connected(t)
	w.Environment = "production"
	if a := w.shown(t); a.Version != 0 {
		t.Errorf("%+v", a)
	}
	if err := works(t, w.Service); !is(err, "ksef.none") {
		t.Error(err)
	}
}

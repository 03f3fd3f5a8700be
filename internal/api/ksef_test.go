package api_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

const (
	ksefPath = "/api/partner-services/ksef"
	ksefNIP  = "5213017228"
)

// withKSeF is a world whose partners sign in at a KSeF beside it.
func withKSeF(t *testing.T, engine string) (*world, *ksefd.Server) {
	t.Helper()
	k := ksefd.New(t)
	near := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.Host = strings.TrimSuffix(strings.TrimPrefix(ksefd.API, "https://"), "/v2")
		k.ServeHTTP(rw, r)
	}))
	t.Cleanup(near.Close)
	instance, err := config.InstanceOf("pl")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldOf(t, engine, instance, func(s *config.Settings) {
		s.KSeF = "test"
		if s.KSeFAPI, err = url.Parse(near.URL + "/v2"); err != nil {
			t.Fatal(err)
		}
	})
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
		p, err := partners.OwnProfile(tx, w.vault)
		if err != nil {
			return err
		}
		p.TaxID = ksefNIP
		return partners.SaveProfile(tx, w.vault, "PL", p)
	})
	return w, k
}

// ksefCertificate is what a person uploads: of a company, valid for 20 days more.
func (w *world) ksefCertificate(t *testing.T) map[string]any {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(0xAB), KeyUsage: x509.KeyUsageDigitalSignature,
		NotBefore: w.clock.Now().AddDate(0, -1, 0), NotAfter: w.clock.Now().AddDate(0, 0, 20).Add(time.Hour),
		Subject: pkix.Name{CommonName: "Flota", ExtraNames: []pkix.AttributeTypeAndValue{{Type: asn1.ObjectIdentifier{2, 5, 4, 97}, Value: "VATPL-" + ksefNIP}}}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"version": 0, "settings": map[string]any{"account": ""}, "certificate": certificate, "key": private}
}

type shownKSeF struct {
	Kind, State, Reason, Environment, Serial, RenewsOn string
	Version, Days, RenewalCode                         int64
	RenewalRefusedAt                                   string
	Settings                                           struct{ Account string }
}

func (w *world) ksefOf(t *testing.T, who string) *shownKSeF {
	t.Helper()
	var list struct{ Services []shownKSeF }
	w.into(t, 200, who, "GET", "/api/partner-services", nil, &list)
	for _, one := range list.Services {
		if one.Kind == "ksef" {
			return &one
		}
	}
	return nil
}

func TestKSeF_IsConnectedTriedAndRemoved(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w, k := withKSeF(t, engine)
			change := w.ksefCertificate(t)
			k.End("auth", 460)
			if text := w.must(t, http.StatusConflict, "partner", "PUT", ksefPath, change); !strings.Contains(text, "ksef.refused") {
				t.Error(text)
			}
			k.Script(ksefd.Fault{On: "POST /auth/challenge", Status: 429, Retry: 90 * time.Second})
			if status, text, head := w.ask(t, "partner", "PUT", ksefPath, change, "too fast"); status != 409 || !strings.Contains(text, "ksef.wait") || head.Get("Retry-After") != "90" || !strings.Contains(text, `"2"`) {
				t.Error(status, text, head)
			}
			if one := w.ksefOf(t, "partner"); one == nil || one.Version != 0 || one.State != "" || one.Environment != "test" {
				t.Errorf("%+v", one)
			}
			k.Calls()
			for range 2 { // the answer was lost: the same request comes again
				if status, text, _ := w.ask(t, "partner", "PUT", ksefPath, change, "connect once"); status != 200 || strings.Contains(text, "eyJ") {
					t.Error(status, text)
				}
			}
			if calls := strings.Join(k.Calls(), " "); strings.Count(calls, "challenge") != 1 {
				t.Error(calls)
			}
			if one := w.ksefOf(t, "partner"); one.State != "working" || one.Version != 1 || one.Days != 20 || one.Serial != "00000000000000AB" || one.Settings.Account != "Flota" {
				t.Errorf("%+v", one)
			}
			warsaw, err := time.LoadLocation("Europe/Warsaw")
			if err != nil {
				t.Fatal(err)
			}
			renews := w.clock.Now().AddDate(0, 0, 20).Add(time.Hour).In(warsaw).AddDate(0, 0, -60).Format(time.DateOnly)
			if one := w.ksefOf(t, "partner"); one.RenewsOn != renews || one.RenewalRefusedAt != "" {
				t.Errorf("%+v", one)
			}
			testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) error {
				_, err := tx.Exec(`INSERT INTO ksef_renewals (tenant_id, environment, purpose, id, key_sealed, request_sealed, reference, begun_at,
					asked_at, refused_at, code) VALUES ($1, 'test', 'Authentication', '', '', '', '', $2, '', $2, 25007)`, tx.Now)
				return err
			})
			if one := w.ksefOf(t, "partner"); one.RenewalRefusedAt == "" || one.RenewalCode != 25007 || one.State != "working" {
				t.Errorf("%+v", one)
			}
			var home struct{ Failing int64 }
			if w.into(t, 200, "partner", "GET", "/api/overview", nil, &home); home.Failing != 1 { // it ends soon
				t.Errorf("%d need a look", home.Failing)
			}
			if one := w.ksefOf(t, "other"); one.Version != 0 {
				t.Errorf("another partner sees %+v", one)
			}
			w.must(t, 409, "other", "PUT", ksefPath, change) // it has no NIP
			w.must(t, 404, "other", "POST", ksefPath+"/test", nil)
			w.must(t, 404, "other", "DELETE", ksefPath, nil)
			k.End("auth", 480)
			w.must(t, 200, "partner", "POST", ksefPath+"/test", nil)
			if one := w.ksefOf(t, "partner"); one.State != "stopped" || one.Reason != "blocked" {
				t.Errorf("%+v", one)
			}
			w.must(t, 409, "partner", "PUT", ksefPath, change) // made from nothing
			w.must(t, 204, "partner", "DELETE", ksefPath, nil)
			w.must(t, 404, "partner", "DELETE", ksefPath, nil)
			k.Script(ksefd.Fault{On: "POST /auth/challenge", Status: 500})
			if text := w.must(t, 409, "partner", "PUT", ksefPath, change); !strings.Contains(text, "ksef.away") {
				t.Error(text)
			}
		})
	}
}

func TestKSeF_OffIsNotThere(t *testing.T) {
	w := newWorld(t, testkit.Engine)
	if one := w.ksefOf(t, "partner"); one != nil {
		t.Errorf("%+v", one)
	}
	for _, c := range []struct {
		method, path string
		body         any
	}{{"PUT", ksefPath, w.ksefCertificate(t)}, {"POST", ksefPath + "/test", nil}, {"DELETE", ksefPath, nil}} {
		if text := w.must(t, 409, "partner", c.method, c.path, c.body); !strings.Contains(text, "ksef.off") {
			t.Error(text)
		}
	}
	var answer bytes.Buffer
	answer.WriteString(w.must(t, 200, "partner", "GET", "/api/overview", nil))
	if strings.Contains(strings.ToLower(answer.String()), "ksef") {
		t.Error(answer.String())
	}
}

// What KSeF says of itself is shown where it works else, and takes nobody's attention.
func TestKSeF_SaysItselfThatItDoesNotWork(t *testing.T) {
	w, _ := withKSeF(t, testkit.Engine)
	w.must(t, 200, "partner", "PUT", ksefPath, w.ksefCertificate(t))
	testkit.Write(t, w.app.DB(), access.Program("test"), func(tx *db.Tx) error {
		_, err := tx.Across().Exec(`INSERT INTO ksef_availability (tenant_id, environment, status, since, asked_at)
			VALUES ('', 'test', 'TOTAL_FAILURE', $1, $1)`, tx.Now)
		return err
	})
	if one := w.ksefOf(t, "partner"); one.State != "failing" || one.Reason != "total_failure" {
		t.Errorf("%+v", one)
	}
}

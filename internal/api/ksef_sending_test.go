package api_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/access"
	"saldo/internal/ksef"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/sending"
	"saldo/internal/platform/config"
	"saldo/internal/platform/jobs"
	"saldo/internal/settlements"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

// TestKSeF_InvoicesShowWhereTheyAre follows one that is held without access, and accepted with its confirmation.
func TestKSeF_InvoicesShowWhereTheyAre(t *testing.T) {
	for _, engine := range testkit.Engines {
		t.Run(engine, func(t *testing.T) {
			w, k := withKSeF(t, engine)
			instance, err := config.InstanceOf("pl")
			if err != nil {
				t.Fatal(err)
			}
			env := ksef.Env{API: ksefd.API, Codes: ksefd.Codes}
			service := &sending.Service{DB: w.app.DB(), Vault: w.vault, Blobs: w.files(t), Log: slog.New(slog.DiscardHandler),
				Billing: &billing.Service{Instance: instance, Vault: w.vault, Settlements: &settlements.Service{Instance: instance}, KSeF: env},
				Login:   &login.Service{DB: w.app.DB(), Vault: w.vault, Environment: "test", Env: env, HTTP: k.Client()}}
			settlement := w.billable(t)
			doc := w.issued(t, settlement)
			w.clock.Pass(k.Now().Sub(w.clock.Now())) // KSeF lives by the wall clock
			for _, who := range []string{"partner", "other"} {
				w.tokens[who] = w.mint.Token(t, principals[who].Subject, access.Partner, time.Hour, map[string]any{"auth_time": w.clock.Now().Unix()})
			}
			defer testkit.RunJobs(t, w.app.DB(), func(q *jobs.Queue) { q.Lease = 10_000 * time.Hour; service.Handle(q) })()
			shown := func() string {
				var offer struct {
					Documents []struct {
						AuthorityState, OnTheWay string
						HasUPO                   bool
					}
				}
				w.into(t, 200, "partner", "GET", "/api/settlements/"+settlement+"/documents", nil, &offer)
				return fmt.Sprint(offer.Documents)
			}
			upo := "/api/billing-documents/" + doc + "/xml?upo=true"
			becomes := func(want string) {
				t.Helper()
				testkit.Eventually(t, want, func() bool {
					if shown() == want {
						return true
					}
					w.clock.Pass(200 * time.Millisecond)
					k.Advance(200 * time.Millisecond)
					return false
				})
			}
			becomes("[{waiting no_access false}]")
			w.must(t, 404, "partner", "GET", upo, nil)
			var list struct {
				Services []struct {
					Kind             string
					Waiting, GivenUp int64
				}
			}
			if w.into(t, 200, "partner", "GET", "/api/partner-services", nil, &list); !strings.Contains(fmt.Sprint(list), "{ksef 0 1}") {
				t.Error(list)
			}
			k.Grant("1132191233", ksefNIP)
			w.must(t, 200, "partner", "PUT", ksefPath, w.ksefCertificate(t))
			becomes("[{accepted  true}]")
			if text := w.must(t, 200, "partner", "GET", upo, nil); !strings.Contains(text, "<NumerKSeFDokumentu>1132191233-") {
				t.Error(text)
			}
			w.must(t, 404, "other", "GET", upo, nil)
			if register := w.must(t, 200, "partner", "GET", "/api/billing-documents", nil); !strings.Contains(register, `"hasUpo":true`) {
				t.Error(register)
			}
		})
	}
}

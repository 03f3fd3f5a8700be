package messages_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"saldo/internal/messages"
	"saldo/internal/messages/sms"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

// TestMain turns the test binary into a process that sends SMS until it is killed, where a test asks for one.
func TestMain(m *testing.M) {
	if place := os.Getenv("SALDO_SMS_PLACE"); place != "" {
		fmt.Println("ended:", sendForEver(place))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func sendForEver(place string) error {
	now, err := time.Parse(time.RFC3339, os.Getenv("SALDO_SMS_NOW"))
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
	certificate, err := os.ReadFile(os.Getenv("SALDO_SMS_CERTIFICATE"))
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	v, err := vault.Open(testkit.Key)
	if err != nil {
		return err
	}
	instance, err := config.InstanceOf("pl")
	if err != nil {
		return err
	}
	s := &messages.Service{Vault: v, Instance: instance, PublicURL: "https://saldo.example", Gateways: messages.Gateways{
		SMSAPI: os.Getenv("SALDO_SMS_URL"), Twilio: os.Getenv("SALDO_SMS_URL"), Trust: &tls.Config{RootCAs: pool}}}
	q := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
	q.Poll = 5 * time.Millisecond
	q.Handle(messages.SMSKind, s.SendSMS)
	q.Run(ctx, 1)
	return nil
}

// The process is killed while the provider has the call, once after and once before the provider took the message: each driver gets one.
func TestKilledSMS_IsSentOnce(t *testing.T) {
	eachProvider(t, func(t *testing.T, w *fixture, p *testkit.SMSProvider, _ string) {
		certificate := filepath.Join(t.TempDir(), "certificate.pem")
		if err := os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Certificate().Raw}), 0o600); err != nil {
			t.Fatal(err)
		}
		ids := w.phoned(t, "pl", "200", "201")
		sent := map[string]messages.Message{}
		for i, fault := range []string{"hang", "stuck"} {
			p.Fail(fault)
			sent[ids[i]] = w.commission(t, draft(bySMS, ids[i]))
			process := exec.Command(os.Args[0], "-test.run=^$")
			process.Env = append(os.Environ(), "SALDO_SMS_PLACE="+w.place, "SALDO_SMS_NOW="+w.clock.Now().Format(time.RFC3339),
				"SALDO_SMS_CERTIFICATE="+certificate, "SALDO_SMS_URL="+p.URL())
			var said strings.Builder
			process.Stdout, process.Stderr = &said, &said
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-p.Hung:
			case <-time.After(time.Minute):
				t.Errorf("the provider was not called: %s", said.String())
			}
			_ = process.Process.Kill()
			_ = process.Wait()
			if s := w.smsOf(t, sent[ids[i]].ID)[ids[i]]; s.State != "queued" || s.AttemptedAt.IsZero() || s.Sealed == "" {
				t.Errorf("after the kill: %+v", s)
			}
		}
		if len(p.Accepted()) != 1 {
			t.Fatalf("accepted %+v", p.Accepted())
		}
		w.clock.Pass(time.Minute) // the lease is over, and it is too early to ask
		w.work(t)
		time.Sleep(100 * time.Millisecond)
		if calls := p.Calls(); calls != 2 {
			t.Errorf("%d calls before it may be asked", calls)
		}
		w.clock.Pass(sms.AskAfter)
		for _, id := range ids {
			w.eventually(t, sent[id].ID, id, "accepted", "")
		}
		if all := p.Accepted(); len(all) != 2 || all[0].To == all[1].To {
			t.Errorf("%+v", all)
		}
		w.wantUsed(t, 2)
	})
}

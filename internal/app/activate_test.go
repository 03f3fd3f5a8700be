package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/testkit"
)

func (p *recorder) EnsureUser(_ context.Context, u identity.NewUser) (string, bool, error) {
	if p.taken {
		return "", false, errors.Join(p.note("ensure "+u.Email), identity.ErrTaken)
	}
	return "u1", true, p.note("ensure " + u.Email + " " + u.FirstName + " " + u.Language + " " + string(u.Role))
}

func (p *recorder) SendActivation(_ context.Context, id, redirect string, _ time.Duration) error {
	return p.note("activate " + id + " " + redirect)
}

// mailQueue sends nothing: activations are only counted there.
func mailQueue(t *testing.T) *mail.Queue {
	t.Helper()
	v, err := vault.Open(testkit.Key)
	if err != nil {
		t.Fatal(err)
	}
	return mail.NewQueue(v, nil, mail.Address{Address: "saldo@example.com"})
}

func TestAnActivationReachesTheDriverAtTheNewestAddressHoweverOftenTheProviderFails(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		north := access.ProgramFor("north", "test")
		book := drivers.Service{Post: mailQueue(t), Country: "PL", Language: "pl"}
		testkit.Write(t, d, north, func(tx *db.Tx) error {
			if err := partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0); err != nil {
				return err
			}
			id, err := book.Add(tx, drivers.Details{FirstName: "Oleh", LastName: "Babiak", Email: "typo@example.com"})
			if err != nil {
				return err
			}
			if _, err = book.Add(tx, drivers.Details{FirstName: "No", LastName: "Address"}); err != nil {
				return err
			}
			return book.Save(tx, id, drivers.Details{FirstName: "Oleh", LastName: "Babiak", Email: "oleh@example.com"}, 1)
		})
		admin := &recorder{fails: 1}
		queue := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
		queue.Poll = 10 * time.Millisecond
		queue.Handle(identity.ActivateKind, activate(admin, nil, identity.Embedded, toApp, "pl"))
		ctx, stop := context.WithCancel(context.Background())
		var working sync.WaitGroup
		working.Go(func() { queue.Run(ctx, 1) })
		testkit.Eventually(t, "the link is mailed", func() bool {
			admin.mu.Lock()
			defer admin.mu.Unlock()
			return slices.Contains(admin.asked, "activate u1 https://saldo.example/app/?partner=north")
		})
		stop()
		working.Wait()
		ensure := "ensure oleh@example.com Oleh pl driver"
		if want := []string{ensure, ensure, "activate u1 https://saldo.example/app/?partner=north"}; !slices.Equal(admin.asked, want) {
			t.Errorf("asked %v", admin.asked)
		}
		testkit.Read(t, d, north, func(tx *db.Tx) error { // and the partner can be told when they register
			n, err := db.One[int64](tx, `SELECT COUNT(*) FROM drivers WHERE tenant_id = $1 AND activated_account = $2 AND account_id = ''`,
				identity.PersonOf(identity.Embedded, "u1"))
			if n != 1 {
				t.Errorf("%d drivers expect the account", n)
			}
			return err
		})
	})
}

func TestActivation_LeavesAnotherPartnersPersonAlone(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		north := access.ProgramFor("north", "test")
		var driver string
		testkit.Write(t, d, north, func(tx *db.Tx) (err error) {
			if err := partners.Found(tx, partners.Partner{Code: "north", Name: "North", Color: "#0B5D68"}, 0); err != nil {
				return err
			}
			driver, err = drivers.Service{Post: mailQueue(t), Country: "PL", Language: "pl"}.Add(tx, drivers.Details{FirstName: "Oleh", LastName: "Babiak", Email: "anna@south.example"})
			return err
		})
		admin := &recorder{taken: true}
		queue := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
		queue.Poll = 10 * time.Millisecond
		queue.Handle(identity.ActivateKind, activate(admin, nil, identity.Embedded, toApp, "pl"))
		ctx, stop := context.WithCancel(context.Background())
		var working sync.WaitGroup
		working.Go(func() { queue.Run(ctx, 1) })
		var sent, account string
		var trail []audit.Entry
		testkit.Eventually(t, "the partner is told", func() bool {
			testkit.Read(t, d, north, func(tx *db.Tx) (err error) {
				trail, err = audit.Of(tx, "driver", driver)
				return err
			})
			return len(trail) == 3
		})
		stop()
		working.Wait()
		testkit.Read(t, d, north, func(tx *db.Tx) (err error) {
			if sent, err = db.One[string](tx, `SELECT activation_sent_at FROM drivers WHERE tenant_id = $1 AND id = $2`, driver); err != nil {
				return err
			}
			account, err = db.One[string](tx, `SELECT activated_account FROM drivers WHERE tenant_id = $1 AND id = $2`, driver)
			return err
		})
		if len(admin.asked) != 1 || sent != "" || account != "" || trail[2].Action != "drivers.activation_refused" {
			t.Errorf("asked %v, sent %q, account %q, %+v", admin.asked, sent, account, trail)
		}
	})
}

func toApp(code string) string { return "https://saldo.example/app/?partner=" + code }

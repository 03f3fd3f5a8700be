package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/testkit"
)

// recorder stands where the process ends: it writes down what is asked of it
// and fails the first time.
type recorder struct {
	identity.Admin
	mu    sync.Mutex
	asked []string
	fails int
	taken bool // the address is that of a partner's person
}

func (p *recorder) note(what string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, what)
	if p.fails > 0 {
		p.fails--
		return errors.New("the recorder is away")
	}
	return nil
}

func (p *recorder) LogoutAll(_ context.Context, id string) error { return p.note("logout " + id) }
func (p *recorder) Delete(_ context.Context, id string) error    { return p.note("delete " + id) }

func TestAForgottenUserIsDeletedAtTheProviderHoweverOftenItFails(t *testing.T) {
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		admin := &recorder{fails: 1}
		queue := jobs.NewQueue(d, slog.New(slog.DiscardHandler))
		queue.Poll = 10 * time.Millisecond
		queue.Handle(identity.ForgetKind, forget(admin))
		testkit.Write(t, d, access.ProgramFor("somebody", "test"), func(tx *db.Tx) error { return identity.ForgetUser(tx, identity.Embedded, "u1") })
		ctx, stop := context.WithCancel(context.Background())
		var working sync.WaitGroup
		working.Go(func() { queue.Run(ctx, 1) })
		testkit.Eventually(t, "the user is deleted", func() bool {
			admin.mu.Lock()
			defer admin.mu.Unlock()
			return slices.Contains(admin.asked, "delete u1")
		})
		stop()
		working.Wait()
		if want := []string{"logout u1", "logout u1", "delete u1"}; !slices.Equal(admin.asked, want) {
			t.Errorf("asked %v", admin.asked)
		}
	})
}

package availability

import (
	"log/slog"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/ksef"
	"saldo/internal/ksef/deadlines"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/ksefd"
)

type world struct {
	testkit.Fleet
	*Service
	ksef *ksefd.Server
}

func newWorld(t *testing.T, engine string) *world {
	w := &world{Fleet: testkit.NewFleet(t, engine), ksef: ksefd.New(t)}
	w.Service = &Service{DB: w.Fleet.DB, Environment: "test", HTTP: w.ksef.Client(), Log: slog.New(slog.DiscardHandler),
		Env: ksef.Env{API: ksefd.API, Lighthouse: ksefd.Lighthouse}}
	return w
}

// asks lets the schedule come once, and says how often KSeF was asked.
func (w *world) asks(t *testing.T) int {
	t.Helper()
	w.ksef.Calls()
	testkit.Work(t, w.Fleet.DB, AskKind, w.ask)
	return len(w.ksef.Calls())
}

func (w *world) now(t *testing.T) (now Status, all []deadlines.Outage) {
	t.Helper()
	testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) (err error) {
		if now, err = w.Now(tx); err == nil {
			all, err = w.Outages(tx)
		}
		return err
	})
	return now, all
}

func TestAvailability_IsAskedOftenOnlyWhileSomethingIsWrong(t *testing.T) {
	testkit.EachFleet(t, newWorld, func(t *testing.T, w *world) {
		if now, _ := w.now(t); now.Status != "" {
			t.Error(now)
		}
		w.ksef.Script(ksefd.Fault{On: "GET lighthouse/status", Status: 500})
		if n := w.asks(t); n != 1 {
			t.Error(n)
		}
		if n := w.asks(t); n != 1 { // it did not answer before
			t.Error(n)
		}
		first, _ := w.now(t)
		if n := w.asks(t); n != 0 || first.Status != wire.Available {
			t.Error(n, first)
		}
		w.Clock.Pass(24 * time.Hour)
		start := w.Clock.Now().Add(-time.Hour).Truncate(time.Second)
		w.ksef.Weather("FAILURE", ksefd.Message{ID: "a", EventID: 7, Category: "FAILURE", Type: "FAILURE_START", Start: start, Version: 1})
		if n := w.asks(t); n != 1 {
			t.Error(n)
		}
		now, all := w.now(t)
		if now.Status != wire.Failure || !now.Since.After(first.Since) || len(all) != 1 || !all[0].From.Equal(start) || !all[0].To.IsZero() {
			t.Error(now, all)
		}
		on := deadlines.Of("2026-11-16", start.Add(time.Minute), all, w.Fleet.Instance.Location())
		if on.Mode != deadlines.Failure || on.On != "" {
			t.Error(on)
		}
		w.Clock.Pass(5 * time.Minute)
		end := w.Clock.Now().Truncate(time.Second)
		w.ksef.Weather("AVAILABLE", ksefd.Message{ID: "b", EventID: 7, Category: "FAILURE", Type: "FAILURE_END", Start: start, End: &end, Version: 2})
		if n := w.asks(t); n != 1 { // while it fails it is asked each time
			t.Error(n)
		}
		if now, all = w.now(t); now.Status != wire.Available || len(all) != 1 || !all[0].To.Equal(end) {
			t.Error(now, all)
		}
		if on = deadlines.Of("2026-11-16", start.Add(time.Minute), all, w.Fleet.Instance.Location()); on.On == "" {
			t.Error(on)
		}
		w.Clock.Pass(26 * time.Hour)
		if now, _ = w.now(t); now.Status != "" {
			t.Error("what KSeF said long ago counts:", now)
		}
		w.Env.Lighthouse = ""
		if n := w.asks(t); n != 0 {
			t.Error(n)
		}
	})
}

package orders

import (
	"context"
	"errors"
	"net/http"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// EventKind is the job that asks about the payment of an event.
const EventKind = "licences.event"

// waitsFor is how long an event waits for the answer that names its payment.
const waitsFor = 10 * time.Minute

// eventsKept is how long events are kept, so that a late repeat is known.
const eventsKept = 90 * 24 * time.Hour

type event struct {
	Provider, EventID, Ref, PaymentKey, Kind string
	ReceivedAt, AppliedAt                    time.Time
}

type eventTicket struct{ Provider, Event string }

// Receive keeps what a provider posted, once, and leaves a job that asks about its payment. Nothing else of the event is believed. It is
// answered well only when its row is kept: until then the provider sends it again.
func (s *Service) Receive(ctx context.Context, provider string, header http.Header, body []byte) error {
	g, err := s.gateway(provider)
	if err != nil {
		return err
	}
	e, err := g.Event(header, body, s.DB.Now())
	if errors.Is(err, payments.ErrForged) {
		return ErrForged
	}
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, access.Program("licences"), func(tx *db.Tx) error {
		n, err := tx.Across().Exec(`INSERT INTO payment_events (provider, event_id, ref, payment_key, kind, received_at, applied_at, outcome)
			VALUES ($1, $2, $3, $4, $5, $6, '', '') ON CONFLICT DO NOTHING`, provider, e.ID, e.Ref, e.Key, e.Kind, tx.Now)
		if err != nil || n == 0 {
			return err
		}
		return enqueueEvent(tx, eventTicket{provider, e.ID}, tx.Now)
	})
}

func enqueueEvent(tx *db.Tx, t eventTicket, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: EventKind, Key: t.Provider + " " + t.Event, Payload: t, At: at, Attempts: 50})
}

// OnEvent is the handler of EventKind. An event may come before the answer that names its payment is kept: it waits some minutes for it.
func (s *Service) OnEvent(ctx context.Context, run *jobs.Run) error {
	var t eventTicket
	if err := run.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var e event
	if err := run.Read(ctx, func(tx *db.Tx) (err error) {
		e, err = db.One[event](tx.Across(), `SELECT provider, event_id, ref, payment_key, kind, received_at, applied_at FROM payment_events
			WHERE provider = $1 AND event_id = $2`, t.Provider, t.Event)
		return err
	}); err != nil || !e.AppliedAt.IsZero() {
		return err
	}
	a, err := s.attemptAt(ctx, e.Provider, e.Ref, e.PaymentKey)
	outcome := "asked"
	switch {
	case errors.Is(err, db.ErrNone):
		if s.DB.Now().Before(e.ReceivedAt.Add(waitsFor)) {
			return run.Write(ctx, func(tx *db.Tx) error {
				if err := run.Finish(tx); err != nil {
					return err
				}
				return enqueueEvent(tx, t, tx.Now.Add(max(2*time.Second, min(tx.Now.Sub(e.ReceivedAt), time.Minute))))
			})
		}
		outcome = "unknown"
		s.Log.Error("a provider told of a payment that nobody here knows: see docs/operate/licences.md", "provider", e.Provider, "ref", e.Ref)
	case err != nil:
		return err
	default:
		// the try is asked again although somebody asks at this moment: that answer may be older than the event
		if err := s.DB.Write(ctx, s.program(a.TenantID), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE payment_attempts SET ask_at = $3 WHERE tenant_id = $1 AND id = $2 AND state NOT IN ('paid', 'overpaid',
				'review')`,
				a.ID, tx.Now)
			return err
		}); err != nil {
			return err
		}
		if err := s.adopt(ctx, e.Provider, a, e.Ref); err != nil {
			return err
		}
		if err := s.ask(ctx, a.TenantID, a.ID); err != nil {
			return err
		}
	}
	return run.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Across().Exec(`UPDATE payment_events SET applied_at = $3, outcome = $4 WHERE provider = $1 AND event_id = $2`, e.Provider,
			e.EventID, tx.Now, outcome); err != nil {
			return err
		}
		return run.Finish(tx)
	})
}

// SweepEvents forgets events that no provider sends again.
func SweepEvents(tx *db.Tx) error {
	_, err := tx.Across().Exec(`DELETE FROM payment_events WHERE received_at < $1 AND applied_at <> ''`, tx.Now.Add(-eventsKept))
	return err
}

package push

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
)

// life is how long a push service keeps a note for a device that is off: by then the driver has seen the board or does not care.
const life = 24 * time.Hour

// Tally is how many devices were told.
type Tally struct {
	Sent      int // a push service accepted it
	Forgotten int // the device is not subscribed any more
	Failed    int // it may be subscribed still
}

type subscriptionRow struct{ ID, Sealed string }

type outcome int

const (
	sent outcome = iota
	gone
	failed
)

// Send tells every device of a driver's account, one after the other. It reaches the network, so it is called outside of units of work; it
// opens two of its own. Nothing is tried twice. An error is of the database or of the note, never of a device.
func (s *Service) Send(ctx context.Context, account string, note Note) (tally Tally, err error) {
	payload, err := note.payload()
	if err != nil {
		return tally, err
	}
	who := access.ProgramFor(account, "push")
	var rows []subscriptionRow
	err = s.db.Read(ctx, who, func(tx *db.Tx) (err error) {
		rows, err = db.Select[subscriptionRow](tx, `SELECT id, sealed FROM push_subscriptions WHERE tenant_id = $1 ORDER BY id`)
		return err
	})
	if err != nil || len(rows) == 0 {
		return tally, err
	}
	public, private, err := s.keys(ctx)
	if err != nil {
		return tally, err
	}
	results := make([]outcome, len(rows))
	for i, row := range rows {
		results[i] = s.deliver(ctx, account, row.Sealed, payload, webpush.Options{HTTPClient: s.http, Subscriber: s.contact,
			TTL: int(life.Seconds()), Urgency: webpush.UrgencyNormal, VAPIDPublicKey: public, VAPIDPrivateKey: private})
		switch results[i] {
		case sent:
			tally.Sent++
		case gone:
			tally.Forgotten++
		case failed:
			tally.Failed++
		}
	}
	return tally, s.db.Write(ctx, who, func(tx *db.Tx) error {
		for i, row := range rows {
			if err := keep(tx, row, results[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// keep writes down what became of a device, unless it was subscribed anew meanwhile.
func keep(tx *db.Tx, row subscriptionRow, result outcome) (err error) {
	switch result {
	case sent:
		_, err = tx.Exec(`UPDATE push_subscriptions SET last_ok_at = $3, failures = 0 WHERE tenant_id = $1 AND id = $2`, row.ID, tx.Now)
	case gone:
		_, err = tx.Exec(`DELETE FROM push_subscriptions WHERE tenant_id = $1 AND id = $2`, row.ID)
	case failed:
		_, err = tx.Exec(`UPDATE push_subscriptions SET failures = failures + 1 WHERE tenant_id = $1 AND id = $2`, row.ID)
	}
	return err
}

// deliver hands a note to the push service of one device.
func (s *Service) deliver(ctx context.Context, account, sealed string, payload []byte, options webpush.Options) outcome {
	content, err := s.vault.Unseal(account, subscriptionPurpose, sealed)
	if err != nil {
		return failed
	}
	var to Subscription
	if err := json.Unmarshal(content, &to); err != nil || !isEndpoint(to.Endpoint) {
		return failed
	}
	// The library appends to the slice that it is given.
	response, err := webpush.SendNotificationWithContext(ctx, bytes.Clone(payload),
		&webpush.Subscription{Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth}}, &options)
	if err != nil {
		return failed
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, 1<<16)
	switch {
	case response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone:
		return gone
	case response.StatusCode >= 200 && response.StatusCode < 300:
		return sent
	}
	return failed
}

// Package push tells drivers on their devices that something new is on their board (Web Push, RFC 8030, 8291 and 8292). It is a hint, not a
// message: what a lock screen shows has no content and no amount, and what is lost is still on the board.
package push

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
)

// ErrInvalid is returned for a subscription that no browser makes.
var ErrInvalid = fault.Declare(fault.Invalid, "push.invalid")

const (
	keyPurpose          = "push key"
	subscriptionPurpose = "push subscription"

	// MostDevices is how many devices of a driver are told. One more takes the place of the one that was told longest ago.
	MostDevices = 10
)

// Service keeps subscriptions and sends to them.
type Service struct {
	db      *db.DB
	vault   *vault.Vault
	contact string // whom a push service may write to: an https address, or an e-mail address
	http    *http.Client
}

// New gives a service. Push services reach whoever runs the instance by the contact.
func New(d *db.DB, v *vault.Vault, contact string) *Service {
	return &Service{db: d, vault: v, contact: contact, http: newClient(isPublic, nil)}
}

func program(part string) access.Actor { return access.Program("push " + part) }

type keyPair struct{ PublicKey, Sealed string }

// keys reads the pair of the instance, and makes it when it is needed for the first time.
func (s *Service) keys(ctx context.Context) (public, private string, err error) {
	var pair keyPair
	find := func(tx *db.Tx) (err error) {
		pair, err = db.One[keyPair](tx.Across(), `SELECT public_key, sealed FROM push_keys WHERE id = 'vapid'`)
		return err
	}
	err = s.db.Read(ctx, program("keys"), find)
	if errors.Is(err, db.ErrNone) {
		err = s.db.Write(ctx, program("keys"), func(tx *db.Tx) error {
			if err := find(tx); !errors.Is(err, db.ErrNone) {
				return err
			}
			key, err := ecdh.P256().GenerateKey(rand.Reader)
			if err != nil {
				return err
			}
			_, err = tx.Across().Exec(`INSERT INTO push_keys (id, public_key, sealed, created_at) VALUES ('vapid', $1, $2, $3)
				ON CONFLICT DO NOTHING`,
				base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), s.vault.Seal("", keyPurpose, key.Bytes()), tx.Now)
			if err != nil {
				return err
			}
			return find(tx)
		})
	}
	if err != nil {
		return "", "", err
	}
	raw, err := s.vault.Unseal("", keyPurpose, pair.Sealed)
	return pair.PublicKey, base64.RawURLEncoding.EncodeToString(raw), err
}

// PublicKey is what a browser subscribes with.
func (s *Service) PublicKey(ctx context.Context) (string, error) {
	public, _, err := s.keys(ctx)
	return public, err
}

// Subscription is what a browser gives.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	P256dh   string `json:"p256dh"`
	Auth     string `json:"auth"`
	Device   string `json:"-"` // its name, for the driver
}

func (s Subscription) checked() (Subscription, error) {
	form := validate.New(ErrInvalid)
	if !isEndpoint(s.Endpoint) {
		form.Wrong("endpoint", fault.WrongFormat)
	}
	if key, err := decode(s.P256dh); err != nil || !isPoint(key) {
		form.Wrong("p256dh", fault.WrongFormat)
	}
	if secret, err := decode(s.Auth); err != nil || len(secret) != 16 {
		form.Wrong("auth", fault.WrongFormat)
	}
	s.Device = form.Text("device", s.Device, 100, false)
	return s, form.Err()
}

func isPoint(key []byte) bool {
	_, err := ecdh.P256().NewPublicKey(key)
	return err == nil
}

// decode reads base64url, with or without padding.
func decode(text string) ([]byte, error) {
	if raw, err := base64.RawURLEncoding.Strict().DecodeString(text); err == nil {
		return raw, nil
	}
	return base64.URLEncoding.Strict().DecodeString(text)
}

// HashOf names a subscription without telling its address.
func HashOf(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:])
}

// Device is a subscription as its driver sees it.
type Device struct {
	ID        string // its hash
	Device    string
	CreatedAt time.Time
}

// Subscribe keeps a subscription for a driver. The same browser again is one subscription, whoever it was for. The system acts.
func (s *Service) Subscribe(tx *db.Tx, who access.Actor, given Subscription) error {
	given, err := given.checked()
	if err != nil {
		return err
	}
	content, err := json.Marshal(given)
	if err != nil {
		return err
	}
	hash := HashOf(given.Endpoint)
	if _, err := tx.Across().Exec(`DELETE FROM push_subscriptions WHERE endpoint_hash = $1`, hash); err != nil {
		return err
	}
	return tx.As(who.AsDriver(), func() error {
		_, err := tx.Exec(`INSERT INTO push_subscriptions (tenant_id, id, endpoint_hash, sealed, device, created_at, last_ok_at, failures)
			VALUES ($1, $2, $3, $4, $5, $6, '', 0)`,
			tx.NewID(), hash, s.vault.Seal(tx.Actor.Tenant, subscriptionPurpose, content), given.Device, tx.Now)
		if err != nil {
			return err
		}
		return forgetExcess(tx)
	})
}

// forgetExcess keeps the devices that were told, or subscribed, last.
func forgetExcess(tx *db.Tx) error {
	ids, err := db.Select[string](tx, `SELECT id FROM push_subscriptions WHERE tenant_id = $1
		ORDER BY CASE WHEN last_ok_at > created_at THEN last_ok_at ELSE created_at END DESC, id DESC`)
	if err != nil || len(ids) <= MostDevices {
		return err
	}
	for _, id := range ids[MostDevices:] {
		if _, err := tx.Exec(`DELETE FROM push_subscriptions WHERE tenant_id = $1 AND id = $2`, id); err != nil {
			return err
		}
	}
	return nil
}

// Unsubscribe forgets a device of the driver who acts, by its hash. One that is not there is forgotten already.
func Unsubscribe(tx *db.Tx, hash string) error {
	_, err := tx.Exec(`DELETE FROM push_subscriptions WHERE tenant_id = $1 AND endpoint_hash = $2`, hash)
	return err
}

// Devices lists the devices of the driver who acts, the newest first.
func Devices(tx *db.Tx) ([]Device, error) {
	rows, err := db.Select[struct {
		EndpointHash, Device string
		CreatedAt            time.Time
	}](tx, `SELECT endpoint_hash, device, created_at FROM push_subscriptions WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC`)
	devices := make([]Device, len(rows))
	for i, r := range rows {
		devices[i] = Device{r.EndpointHash, r.Device, r.CreatedAt}
	}
	return devices, err
}

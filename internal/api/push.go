package api

import (
	"context"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/messages/push"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) pushRoutes(r *web.Router) {
	web.Plain(r, web.Route{Method: get, Path: "/api/push-subscriptions", Name: "push-subscriptions",
		Permission: access.AccountRead, Personal: true,
		Summary: "The key to subscribe a browser with, and the devices on which the driver is told of notes"}, s.pushSubscriptions)
	web.Driver(r, web.Route{Method: put, Path: "/api/push-subscriptions", Name: "subscribe-to-push", Permission: access.AccountWrite,
		Summary: "Tell the driver of notes on this device; the same browser again is one device"}, s.subscribeToPush)
	web.Write(r, web.Route{Method: del, Path: "/api/push-subscriptions", Name: "unsubscribe-from-push",
		Permission: access.AccountWrite, Personal: true,
		Summary: "Tell the driver nothing on a device any more; also before signing out there"}, unsubscribeFromPush)
}

// PushSubscriptions is what a browser needs to subscribe, and where the driver did.
type PushSubscriptions struct {
	PublicKey string       `json:"publicKey" doc:"applicationServerKey, base64url"`
	Devices   []PushDevice `json:"devices" nullable:"false" doc:"the newest first, at most 10"`
}

// PushDevice is a browser that shows notifications.
type PushDevice struct {
	ID        string    `json:"id" doc:"SHA-256 of the subscription's endpoint, hexadecimal"`
	Device    string    `json:"device" doc:"the name that it was given"`
	CreatedAt time.Time `json:"createdAt"`
}

func (s Settings) pushSubscriptions(ctx context.Context, c web.Call, _ *nothing) (out PushSubscriptions, err error) {
	out.Devices = []PushDevice{}
	if out.PublicKey, err = s.Push.PublicKey(ctx); err != nil {
		return out, err
	}
	err = s.DB.Read(ctx, c.Actor.AsDriver(), func(tx *db.Tx) error {
		devices, err := push.Devices(tx)
		out.Devices = make([]PushDevice, len(devices))
		for i, d := range devices {
			out.Devices[i] = PushDevice(d)
		}
		return err
	})
	return out, err
}

// NewPushSubscription is what PushManager.subscribe gives.
type NewPushSubscription struct {
	Endpoint string `json:"endpoint" maxLength:"1000"`
	P256dh   string `json:"p256dh" maxLength:"200"`
	Auth     string `json:"auth" maxLength:"100"`
	Device   string `json:"device" required:"false" maxLength:"100" doc:"its name, for the driver"`
}

func (s Settings) subscribeToPush(tx *db.Tx, who access.Actor, in *struct{ Body NewPushSubscription }) (web.None, error) {
	b := in.Body
	return web.None{}, s.Push.Subscribe(tx, who, push.Subscription{Endpoint: b.Endpoint, P256dh: b.P256dh, Auth: b.Auth, Device: b.Device})
}

func unsubscribeFromPush(tx *db.Tx, in *struct {
	Device string `query:"device" required:"true" pattern:"^[0-9a-f]{64}$" doc:"SHA-256 of the subscription's endpoint, hexadecimal"`
}) (web.None, error) {
	return web.None{}, push.Unsubscribe(tx, in.Device)
}

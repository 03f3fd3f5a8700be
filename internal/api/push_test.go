package api_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

const pushPath = "/api/push-subscriptions"

func pushEndpoint(name string) string { return "https://push.example.com/" + name }

func pushDevice(name string) string {
	sum := sha256.Sum256([]byte(pushEndpoint(name)))
	return hex.EncodeToString(sum[:])
}

// pushSubscription is what a browser gives.
func pushSubscription(name string) map[string]any {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return map[string]any{"endpoint": pushEndpoint(name), "p256dh": base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()),
		"auth": base64.RawURLEncoding.EncodeToString(key.Bytes()[:16]), "device": "Phone " + name}
}

func (w *world) pushDevices(t *testing.T, who string) (key string, names []string) {
	t.Helper()
	var answer struct {
		PublicKey string
		Devices   []struct{ ID, Device string }
	}
	if err := json.Unmarshal([]byte(w.must(t, 200, who, "GET", pushPath, nil)), &answer); err != nil {
		t.Fatal(err)
	}
	names = []string{}
	for _, d := range answer.Devices {
		names = append(names, d.Device)
	}
	return answer.PublicKey, names
}

func TestPushSubscriptions_AreTheDriversOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, none := w.pushDevices(t, "driver")
		if raw, err := base64.RawURLEncoding.DecodeString(key); err != nil || len(raw) != 65 || len(none) != 0 {
			t.Errorf("key %s, devices %v", key, none)
		}
		w.must(t, 204, "driver", "PUT", pushPath, pushSubscription("a"))
		w.must(t, 204, "driver", "PUT", pushPath, pushSubscription("a"))
		w.must(t, 204, "driver", "PUT", pushPath, pushSubscription("b"))
		other, theirs := w.pushDevices(t, "stranger")
		if other != key || len(theirs) != 0 {
			t.Errorf("another driver has the key %s and %v", other, theirs)
		}
		// A device of somebody else cannot be removed, and nobody learns whether it is there.
		w.must(t, 204, "stranger", "DELETE", pushPath+"?device="+pushDevice("a"), nil)
		if _, devices := w.pushDevices(t, "driver"); strings.Join(devices, ",") != "Phone b,Phone a" {
			t.Errorf("devices %v", devices)
		}
		w.must(t, 204, "driver", "DELETE", pushPath+"?device="+pushDevice("a"), nil)
		w.must(t, 204, "driver", "DELETE", pushPath+"?device="+pushDevice("a"), nil)
		// Whoever signs in on the same phone takes it over.
		w.must(t, 204, "stranger", "PUT", pushPath, pushSubscription("b"))
		_, devices := w.pushDevices(t, "driver")
		if _, theirs := w.pushDevices(t, "stranger"); len(devices) != 0 || len(theirs) != 1 {
			t.Errorf("devices %v and %v", devices, theirs)
		}
	})
}

func TestPushSubscriptions_RefuseOtherAddresses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, endpoint := range []string{"", "http://push.example.com/a", "https://127.0.0.1/a", "https://localhost/a",
			"https://10.0.0.1:5432/", "x"} {
			text := w.must(t, 422, "driver", "PUT", pushPath, with(pushSubscription("a"), "endpoint", endpoint))
			if !strings.Contains(text, "push.invalid") || endpoint != "" && endpoint != "x" && strings.Contains(text, endpoint) {
				t.Errorf("%q: %s", endpoint, text)
			}
		}
		w.must(t, 422, "driver", "DELETE", pushPath+"?device=x", nil)
	})
}

func TestPushSubscriptions_EndWithTheAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 204, "driver", "PUT", pushPath, pushSubscription("a"))
		w.must(t, 204, "stranger", "PUT", pushPath, pushSubscription("b"))
		w.sign(t, "driver", w.clock.Now().Add(-time.Minute))
		w.must(t, 204, "driver", "DELETE", accountsPath, nil)
		w.nothingLeftOf(t, "driver", "Phone a")
		if _, theirs := w.pushDevices(t, "stranger"); len(theirs) != 1 {
			t.Errorf("devices of another driver: %v", theirs)
		}
	})
}

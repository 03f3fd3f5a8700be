package connections_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"saldo/internal/connections"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/testkit"
)

// google lets somebody go to Google and back, and gives what they came back with.
func (w *world) google(t *testing.T, g *testkit.Google, who access.Actor) (answer string) {
	t.Helper()
	var address string
	testkit.Read(t, w.Fleet.DB, who, func(tx *db.Tx) (err error) { address, err = w.GoogleConsent(tx); return err })
	if strings.Contains(address, who.ID) || !strings.Contains(address, "https%3A%2F%2Fsaldo.example%2Fapi%2Fpartner-services%2Fgoogle%2Fcallback") {
		t.Errorf("%s", address)
	}
	code, state := g.Agree(t, address)
	return state + " " + code
}

func TestGoogle_IsConnectedByWhoeverWentThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		change := connections.Change{Public: connections.Public{Account: "nobody@asked.example", Deliver: connections.Deliveries()}}
		if _, err := w.Save(t.Context(), anna, connections.Google, change); !errors.Is(err, connections.ErrInvalid) && !errors.Is(err, connections.ErrOff) {
			t.Errorf("without the operator: %v", err)
		}
		g := testkit.NewGoogle(t)
		w.Service.Google = g.App()
		denied := connections.Refusal(drive.Denied)
		change.Password = w.google(t, g, anna)
		if _, err := w.Save(t.Context(), ola, connections.Google, change); !errors.Is(err, denied) {
			t.Errorf("with a consent of somebody else: %v", err)
		}
		c, err := w.Save(t.Context(), anna, connections.Google, change)
		if err != nil || c.State != connections.Working || c.Public.Account != "anna@fleet.example" || c.Free < 1 {
			t.Fatalf("%+v, %v", c, err)
		}
		change.Version = 1
		if _, err := w.Save(t.Context(), anna, connections.Google, change); !errors.Is(err, denied) {
			t.Errorf("a code was good twice: %v", err)
		}
		change.Password, change.Public.Deliver = "", nil // the ticks alone
		if c, err = w.Save(t.Context(), anna, connections.Google, change); err != nil || c.Public.Account != "anna@fleet.example" || len(c.Public.Deliver) != 0 {
			t.Errorf("%+v, %v", c, err)
		}
		testkit.Read(t, w.Fleet.DB, access.Program("test"), func(tx *db.Tx) error {
			text, err := db.One[string](tx.Across(), `SELECT public || sealed FROM service_connections`)
			if strings.Contains(text, "hunter2") || strings.Contains(text, "refresh") {
				t.Error("the token is open")
			}
			return err
		})
		g.TakeBack()
		if c, err = w.Try(t.Context(), anna, connections.Google); err != nil || c.State != connections.Stopped || c.Reason != drive.Denied {
			t.Errorf("%+v, %v", c, err)
		}
		late := w.google(t, g, anna)
		w.Clock.Pass(11 * time.Minute)
		change.Version, change.Password = c.Version, late
		if _, err := w.Save(t.Context(), anna, connections.Google, change); !errors.Is(err, denied) {
			t.Errorf("an old consent: %v", err)
		}
		change.Password = w.google(t, g, anna)
		if c, err = w.Save(t.Context(), anna, connections.Google, change); err != nil || c.State != connections.Working {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

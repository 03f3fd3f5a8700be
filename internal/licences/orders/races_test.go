package orders_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/licences/orders"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

// TestRace_TwoHundredDeliveriesGrantOnce posts one event two hundred times at once, while workers ask and somebody reconciles.
func TestRace_TwoHundredDeliveriesGrantOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var paid []orders.Order
		var events [][2]any
		for range 3 {
			o := w.place(t, wanted())
			if _, err := w.Pay(ctx, anna, w.key(), o.ID, ""); err != nil {
				t.Fatal(err)
			}
			w.provider.Pay(w.ref(t, o.ID))
			paid = append(paid, o)
		}
		deliveries := 200 // of the first; each of the others has fewer
		for _, d := range w.provider.Deliveries() {
			events = append(events, [2]any{d.Header, d.Body})
			var all sync.WaitGroup
			for range deliveries {
				all.Go(func() {
					if err := w.Receive(ctx, w.Providers[0], d.Header, d.Body); err != nil {
						t.Error(err)
					}
				})
			}
			for range 3 {
				all.Go(func() {
					if _, err := w.Reconcile(ctx); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			deliveries = 40
		}
		w.work(t)
		w.holds(t)
		numbers := map[string]bool{}
		for _, o := range paid {
			docs := w.documents(t, o.ID)
			if got := w.order(t, o.ID); got.State != orders.Success || len(docs) != 1 {
				t.Errorf("%+v %+v", got, docs)
				continue
			}
			numbers[docs[0].Number] = true
		}
		if w.left(t) != 100+3*wantedUnits || len(numbers) != 3 || !numbers["FL/2026/1"] || !numbers["FL/2026/2"] || !numbers["FL/2026/3"] {
			t.Errorf("%d units, numbers %v of %d events", w.left(t), numbers, len(events))
		}
		if mails := w.mails.to(buyerMail); len(mails) != 3 {
			t.Errorf("%d mails", len(mails))
		}
	})
}

// TestRace_TwoPeoplePayOneOrder gives both the same payment.
func TestRace_TwoPeoplePayOneOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.place(t, wanted())
		var mu sync.Mutex
		urls := map[string]int{}
		var all sync.WaitGroup
		for i := range 8 {
			who := []access.Actor{anna, oleh}[i%2]
			all.Go(func() {
				p, err := w.Pay(ctx, who, fmt.Sprint("race ", i), o.ID, "")
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				urls[p.URL]++
			})
		}
		all.Wait()
		if len(urls) > 1 || w.provider.Payments() != 1 {
			t.Errorf("%v, %d payments", urls, w.provider.Payments())
		}
		w.provider.Pay(w.ref(t, o.ID))
		w.deliver(t)
		w.succeeded(t, o.ID)
	})
}

// TestRace_CancelAndPay has somebody cancel while somebody pays: whoever was first at the provider is right.
func TestRace_CancelAndPay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		if p, err := w.Cancel(ctx, anna, w.key(), o.ID); !errors.Is(err, orders.ErrPaid) {
			t.Errorf("%+v %v", p, err)
		}
		w.deliver(t)
		w.succeeded(t, o.ID)
	})
}

// TestCancel_MakesPayingImpossible where the provider can.
func TestCancel_MakesPayingImpossible(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		key := w.key()
		p, err := w.Cancel(ctx, anna, key, o.ID)
		if w.Providers[0] == "przelewy24" {
			if !errors.Is(err, orders.ErrOnTheWay) {
				t.Errorf("%+v %v", p, err)
			}
			w.unpaid(t, o.ID, orders.Started)
			return
		}
		if err != nil || p.State != orders.Abandoned {
			t.Errorf("%+v %v", p, err)
		}
		if p, err = w.Cancel(ctx, anna, key, o.ID); err != nil || p.State != orders.Abandoned {
			t.Errorf("again: %+v %v", p, err)
		}
		w.unpaid(t, o.ID, orders.Abandoned)
		w.provider.Hold(ref) // money that is on its way all the same
		w.provider.Pay(ref)
		w.deliver(t)
		w.succeeded(t, o.ID)
	})
}

// TestPay_TheSameRequestAgain is the same payment; another order of the partner is another.
func TestPay_TheSameRequestAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.place(t, wanted())
		first, err := w.Pay(ctx, anna, "once", o.ID, "")
		again, err2 := w.Pay(ctx, anna, "once", o.ID, "")
		if err != nil || err2 != nil || first != again || w.provider.Payments() != 1 {
			t.Errorf("%+v %v, %+v %v", first, err, again, err2)
		}
		if _, err := w.Pay(ctx, south, "once", o.ID, ""); !errors.Is(err, orders.ErrNoOrder) {
			t.Errorf("somebody else pays: %v", err)
		}
		if _, err := w.Pay(ctx, anna, "other", o.ID, "nobody"); err != nil && !errors.Is(err, orders.ErrInvalid) {
			t.Error(err)
		}
	})
}

// TestCompare_NamesWhatIsUnknownHere loses the rows of a payment, as an old backup does.
func TestCompare_NamesWhatIsUnknownHere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, err := w.Gateways[w.Providers[0]].Start(ctx, payment(w, "a key of another life"))
		if err != nil {
			t.Fatal(err)
		}
		w.provider.Pay(p.Ref)
		_ = w.provider.Deliveries()
		if _, err := w.Gateways[w.Providers[0]].State(ctx, p.Ref); err != nil { // confirms it where that is needed
			t.Fatal(err)
		}
		r, err := w.Reconcile(ctx)
		if err != nil || len(r.Unknown) != 1 || r.Unknown[0].Ref != p.Ref || r.Unknown[0].Amount != 123_00 {
			t.Errorf("%+v %v", r, err)
		}
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		_ = w.provider.Deliveries()
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error { // nobody asks about it any more
			_, err := tx.Exec(`UPDATE payment_attempts SET ask_at = '' WHERE tenant_id = $1`)
			return err
		})
		if r, err = w.Reconcile(ctx); err != nil || len(r.Unknown) != 1 || r.Asked != 1 {
			t.Errorf("%+v %v", r, err)
		}
		w.work(t)
		w.succeeded(t, o.ID)
	})
}

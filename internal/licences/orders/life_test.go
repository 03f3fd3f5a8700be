package orders_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences"
	"saldo/internal/licences/orders"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

func TestLife_PaidOrderGivesItsUnits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		if w.left(t) != 100 || !strings.HasPrefix(o.Number, "L/NORTH/") {
			t.Errorf("%+v", o)
		}
		w.provider.Pay(ref)
		w.deliver(t)
		w.succeeded(t, o.ID)
		if !w.provider.Kept(ref) {
			t.Error("the money went back")
		}
		// nothing more happens to it
		if _, err := w.Pay(ctx, anna, w.key(), o.ID, ""); !errors.Is(err, orders.ErrPaid) {
			t.Error(err)
		}
		if _, err := w.Cancel(ctx, anna, w.key(), o.ID); !errors.Is(err, orders.ErrPaid) {
			t.Error(err)
		}
		w.pass(t, time.Hour, 2*time.Minute)
		w.succeeded(t, o.ID)
	})
}

func TestLife_RefusedCanBeRetried(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		final := w.provider.Refuse(ref)
		w.deliver(t)
		w.pass(t, 8*time.Minute, 2*time.Minute)
		w.unpaid(t, o.ID, map[bool]orders.State{true: orders.Failed, false: orders.Started}[final])
		p, err := w.Retry(ctx, anna, w.key(), o.ID, "")
		if err != nil || p.State != orders.Started || p.URL == "" {
			t.Fatalf("%+v %v", p, err)
		}
		w.provider.Pay(w.ref(t, o.ID))
		w.deliver(t)
		w.succeeded(t, o.ID)
	})
}

func TestLife_LostEventIsFoundByAsking(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		_ = w.provider.Deliveries() // lost
		w.pass(t, time.Minute)
		w.unpaid(t, o.ID, orders.Started)
		w.pass(t, time.Minute)
		w.succeeded(t, o.ID)
	})
}

func TestLife_EventTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		events := w.provider.Deliveries()
		for range 3 {
			for _, d := range events {
				if err := w.Receive(ctx, w.Providers[0], d.Header, d.Body); err != nil {
					t.Error(err)
				}
			}
		}
		w.work(t)
		for _, d := range events {
			if err := w.Receive(ctx, w.Providers[0], w.provider.Resign(d).Header, d.Body); err != nil {
				t.Error(err)
			}
		}
		w.work(t)
		w.succeeded(t, o.ID)
	})
}

// TestLife_EventBeforeTheAnswer has the answer to the first call lost: the payment is there, is paid, and its event comes before anybody
// here knows its id.
func TestLife_EventBeforeTheAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.place(t, wanted())
		w.provider.LoseAnswers(1)
		p, err := w.Pay(ctx, anna, w.key(), o.ID, "")
		if err != nil || p.State != orders.Started || p.URL != "" {
			t.Fatalf("%+v %v", p, err)
		}
		w.provider.Pay(w.ref(t, o.ID))
		w.deliver(t)
		w.pass(t, time.Minute, 30*time.Second)
		w.succeeded(t, o.ID)
		if n := w.provider.Payments(); n != 1 {
			t.Errorf("%d payments", n)
		}
	})
}

func TestLife_AnotherAmountIsReviewed(t *testing.T) {
	for what, paid := range map[string]struct {
		amount   money.Amount
		currency money.Currency
	}{"too little": {243_53, money.PLN}, "too much": {243_55, money.PLN}, "another currency": {243_54, money.EUR}} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				o, ref := w.begun(t)
				w.provider.PayOther(ref, paid.amount, paid.currency)
				w.deliver(t)
				w.unpaid(t, o.ID, orders.Review)
				if told := w.mails.to(operatorMail); len(told) != 1 || !strings.Contains(told[0].Subject, o.Number) {
					t.Errorf("the operator was told %+v", told)
				}
				if _, err := w.Pay(ctx, anna, w.key(), o.ID, ""); !errors.Is(err, orders.ErrReview) {
					t.Error(err)
				}
				back, err := w.Refund(ctx, orders.Return{Order: o.Number, All: true, Note: "a wrong amount"})
				if err != nil || back.Amount != paid.amount || back.Currency != paid.currency || back.Units != 0 {
					t.Fatalf("%+v %v", back, err)
				}
				w.work(t)
				w.provider.FinishRefunds()
				w.pass(t, time.Minute)
				if got := w.provider.Refunded(ref); got != paid.amount {
					t.Errorf("%s went back", got)
				}
				w.unpaid(t, o.ID, orders.Abandoned)
			})
		})
	}
}

func TestLife_ForgedEventDoesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		for _, d := range w.provider.Deliveries() {
			forged := w.provider.Forge(d)
			if err := w.Receive(ctx, w.Providers[0], forged.Header, forged.Body); !errors.Is(err, orders.ErrForged) {
				t.Error(err)
			}
		}
		w.work(t)
		w.unpaid(t, o.ID, orders.Started)
		testkit.Read(t, w.DB, access.Program("test"), func(tx *db.Tx) error {
			n, err := db.One[int64](tx.Across(), `SELECT COUNT(*) FROM payment_events`)
			if n != 0 {
				t.Errorf("%d events are kept", n)
			}
			return err
		})
	})
}

// TestLife_EventOfLongAgo replays an event after six minutes. Whether its signature is too old or not, it only causes asking.
func TestLife_EventOfLongAgo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		events := w.provider.Deliveries()
		w.clock.Pass(6 * time.Minute)
		for _, d := range events {
			if err := w.Receive(ctx, w.Providers[0], d.Header, d.Body); err != nil && !errors.Is(err, orders.ErrForged) {
				t.Error(err)
			}
		}
		w.work(t)
		w.pass(t, time.Minute)
		w.succeeded(t, o.ID)
	})
}

// TestLife_RetriedAndPaidTwice pays the first payment after it was given up, and the second as well.
func TestLife_RetriedAndPaidTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, first := w.begun(t)
		w.pass(t, 24*time.Hour) // where a payment cannot be ended it ends by itself
		w.unpaid(t, o.ID, orders.Abandoned)
		if _, err := w.Retry(ctx, anna, w.key(), o.ID, ""); err != nil {
			t.Fatal(err)
		}
		second := w.ref(t, o.ID)
		if second == first {
			t.Fatal("the same payment")
		}
		w.provider.Pay(first)
		w.deliver(t)
		w.succeeded(t, o.ID)
		w.provider.Pay(second)
		w.deliver(t)
		w.provider.FinishRefunds()
		w.pass(t, time.Minute, time.Minute)
		w.succeeded(t, o.ID)
		if one, two := w.provider.Refunded(first), w.provider.Refunded(second); one != 0 || two != o.Gross {
			t.Errorf("refunded %s and %s", one, two)
		}
		if told := w.mails.to(operatorMail); len(told) != 1 {
			t.Errorf("the operator was told %d times", len(told))
		}
	})
}

func TestLife_AbandonedAndThenPaid(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.pass(t, 22*time.Hour, 2*time.Minute, 8*time.Minute, 50*time.Minute)
		w.pass(t, time.Hour)
		w.unpaid(t, o.ID, orders.Abandoned)
		w.provider.Pay(ref) // the money was on its way
		w.deliver(t)
		w.pass(t, 61*time.Minute)
		w.succeeded(t, o.ID)
	})
}

func TestLife_RefundOfAllAndOfAPart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		w.deliver(t)
		back, err := w.Refund(ctx, orders.Return{Order: o.Number, Amount: 100_00, Units: 50, Note: "Reklamacja"})
		if err != nil || back.Units != 50 || back.Left != 250 {
			t.Fatalf("%+v %v", back, err)
		}
		w.work(t)
		w.provider.FinishRefunds()
		w.pass(t, time.Minute, time.Minute)
		w.holds(t)
		docs := w.documents(t, o.ID)
		if got := w.order(t, o.ID); got.State != orders.Refunded || got.Refunded != 100_00 || got.RefundedUnits != 50 || len(docs) != 2 ||
			docs[1].Number != "FLK/2026/1" || docs[1].Gross != -100_00 || docs[1].VAT != -18_70 || w.provider.Refunded(ref) != 100_00 {
			t.Errorf("%+v %+v", got, docs)
		}
		if _, err := w.Refund(ctx, orders.Return{Order: o.Number, Amount: 143_55, Note: "too much"}); err == nil {
			t.Error("more went back than was paid")
		}
		if _, err := w.Refund(ctx, orders.Return{Order: o.Number, All: true, Whole: true, Note: "Odstąpienie"}); err != nil {
			t.Fatal(err)
		}
		w.work(t)
		w.provider.FinishRefunds()
		w.pass(t, time.Minute, time.Minute)
		w.holds(t)
		docs = w.documents(t, o.ID)
		var net, vat, gross money.Amount
		for _, d := range docs {
			net, vat, gross = net+d.Net, vat+d.VAT, gross+d.Gross
		}
		if got := w.order(t, o.ID); got.Refunded != o.Gross || got.RefundedUnits != wantedUnits || len(docs) != 3 || net != 0 || vat != 0 || gross != 0 ||
			w.left(t) != 100 || w.provider.Refunded(ref) != o.Gross {
			t.Errorf("%+v %+v", got, docs)
		}
		if mails := w.mails.to(buyerMail); len(mails) != 3 {
			t.Errorf("%d mails", len(mails))
		}
	})
}

func TestLife_RefundOfUsedUnitsIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		w.deliver(t)
		testkit.Write(t, w.DB, north, func(tx *db.Tx) error { _, err := licences.Use(tx, 250); return err })
		_, err := w.Refund(ctx, orders.Return{Order: o.Number, All: true, Whole: true, Note: "too late"})
		if err == nil || !strings.Contains(err.Error(), "200 units") || !strings.Contains(err.Error(), "50 are not used") {
			t.Errorf("%v", err)
		}
		w.succeededButUsed(t, o, 50)
		// the money may go back without the units
		if back, err := w.Refund(ctx, orders.Return{Order: o.Number, All: true, Note: "goodwill"}); err != nil || back.Units != 0 {
			t.Errorf("%+v %v", back, err)
		}
		w.work(t)
		w.provider.FinishRefunds()
		w.pass(t, time.Minute, time.Minute)
		w.holds(t)
		if w.left(t) != 50 || w.provider.Refunded(ref) != o.Gross {
			t.Errorf("%d units, %s", w.left(t), w.provider.Refunded(ref))
		}
	})
}

func (w *world) succeededButUsed(t *testing.T, o orders.Order, left int64) {
	t.Helper()
	w.holds(t)
	if got := w.order(t, o.ID); got.State != orders.Success || got.Refunded != 0 || w.left(t) != left {
		t.Errorf("%+v, %d units", got, w.left(t))
	}
}

func TestLife_ProviderIsDown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.place(t, wanted())
		w.provider.Down(true)
		p, err := w.Pay(ctx, anna, w.key(), o.ID, "")
		if err != nil || p.URL != "" {
			t.Fatalf("%+v %v", p, err)
		}
		if _, err := w.Cancel(ctx, anna, w.key(), o.ID); p.State == orders.Started && !errors.Is(err, orders.ErrProvider) {
			t.Errorf("cancelled what may be paid: %v", err)
		}
		w.pass(t, 10*time.Minute, 2*time.Minute)
		w.provider.Down(false)
		w.pass(t, time.Hour)
		if w.order(t, o.ID).URL == "" {
			if p, err = w.Retry(ctx, anna, w.key(), o.ID, ""); err != nil || p.URL == "" {
				t.Fatalf("%+v %v", p, err)
			}
		}
		ref := w.ref(t, o.ID)
		w.provider.Pay(ref)
		w.provider.Down(true) // while it is paid
		_ = w.provider.Deliveries()
		w.pass(t, 20*time.Minute, 2*time.Minute)
		w.unpaid(t, o.ID, orders.Started)
		w.provider.Down(false)
		w.pass(t, 70*time.Minute)
		w.succeeded(t, o.ID)
	})
}

// TestLife_MoneyOnTheWayForDays has a direct debit that the bank carries out after five days, when the payment could long no more be made.
func TestLife_MoneyOnTheWayForDays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Hold(ref)
		for range 5 * 24 {
			w.pass(t, time.Hour)
		}
		// at Przelewy24 a payment ends by itself, whatever is on its way
		w.unpaid(t, o.ID, map[bool]orders.State{true: orders.Abandoned, false: orders.Started}[w.Providers[0] == "przelewy24"])
		w.provider.Pay(ref)
		w.deliver(t)
		w.succeeded(t, o.ID)
	})
}

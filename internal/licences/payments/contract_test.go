package payments_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
	"saldo/internal/testkit/payfake"
)

// line is a provider of tests with what the program talks to it with.
type line struct {
	payments.Gateway
	p     payfake.Provider
	clock *testkit.Clock
	db    *db.DB
}

// each runs a test for every provider. The sandbox runs on both engines.
func each(t *testing.T, test func(t *testing.T, l line)) {
	t.Helper()
	t.Parallel()
	for name, provider := range payfake.New {
		engines := []string{testkit.Engine}
		if name == "sandbox" {
			engines = testkit.Engines
		}
		for _, engine := range engines {
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				clock := testkit.NewClock()
				settings := testkit.Settings(t, engine)
				settings.Clock = clock.Now
				d := testkit.Open(t, settings)
				p := provider(t, d)
				test(t, line{p.Gateway(), p, clock, d})
			})
		}
	}
}

const (
	secretMail = "anna.tajna@example.com"
	secretText = "Licencja dla Anny <&>"
)

func (l line) payment(key string) payments.Payment {
	return payments.Payment{Key: key, Order: "L/2026/11/1", Text: secretText, Amount: 12300, Currency: money.PLN, Email: secretMail,
		Language: "uk", Return: "https://saldo.example/app/payment-service/1", Events: "https://saldo.example/api/payments/x/events",
		CreatedAt: l.clock.Now(), ExpiresAt: l.clock.Now().Add(time.Hour)}
}

func (l line) start(t *testing.T, key string) string {
	t.Helper()
	s, err := l.Start(t.Context(), l.payment(key))
	if err != nil {
		t.Fatal(err)
	}
	return s.Ref
}

func (l line) state(t *testing.T, ref string) payments.Status {
	t.Helper()
	st, err := l.State(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func (l line) want(t *testing.T, what, ref string, state payments.State) payments.Status {
	t.Helper()
	st := l.state(t, ref)
	if st.State != state || st.Ref != ref {
		t.Errorf("%s: %+v, not %s", what, st, state)
	}
	return st
}

// wantError checks what an error means, and that it has nothing of the payment and no key.
func wantError(t *testing.T, what string, err error, outcome payments.Outcome, reason payments.Reason) {
	t.Helper()
	var e *payments.Error
	if !errors.As(err, &e) || e.Outcome != outcome || e.Reason != reason {
		t.Errorf("%s: %v, not %s %s", what, err, outcome, reason)
	}
	secretFree(t, what, err)
}

func secretFree(t *testing.T, what string, err error) {
	t.Helper()
	text := fmt.Sprintf("%+v %#v", err, err)
	for _, secret := range []string{secretMail, "Licencja", payfake.StripeKey, payfake.StripeSecret, payfake.P24Key, payfake.P24CRC,
		payfake.SandboxSecret, "L/2026", "key-1"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s: the error names %q: %s", what, secret, text)
		}
	}
}

func TestStart_SameKeyIsSamePayment(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		first, err := l.Start(t.Context(), l.payment("key-1"))
		if err != nil || first.Ref == "" || !strings.HasPrefix(first.URL, "https://") || first.ExpiresAt.IsZero() {
			t.Fatalf("%+v %v", first, err)
		}
		again, err := l.Start(t.Context(), l.payment("key-1"))
		if err != nil || again != first || l.p.Payments() != 1 {
			t.Errorf("%+v %v after %+v; %d payments", again, err, first, l.p.Payments())
		}
		other := l.payment("key-1")
		other.Amount++
		_, err = l.Start(t.Context(), other)
		wantError(t, "another amount with the key", err, payments.Refused, payments.Invalid)
		if second := l.start(t, "key-2"); second == first.Ref || l.p.Payments() != 2 {
			t.Errorf("another key gave %q; %d payments", second, l.p.Payments())
		}
		st := l.want(t, "nobody paid", first.Ref, payments.Pending)
		if st.Key != "key-1" || st.Refunded != 0 || l.p.Ref("key-1") != first.Ref {
			t.Errorf("%+v; the provider has %q", st, l.p.Ref("key-1"))
		}
	})
}

func TestStart_RefusesBeforeTheNetwork(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		for what, change := range map[string]func(p *payments.Payment){
			"no key": func(p *payments.Payment) { p.Key = "" }, "nothing to pay": func(p *payments.Payment) { p.Amount = 0 },
			"less than nothing": func(p *payments.Payment) { p.Amount = -1 },
		} {
			p := l.payment("key-1")
			change(&p)
			_, err := l.Start(t.Context(), p)
			wantError(t, what, err, payments.Refused, payments.Invalid)
		}
		if l.p.Payments() != 0 {
			t.Errorf("%d payments", l.p.Payments())
		}
	})
}

func TestStart_AfterALostAnswerThereIsOnePayment(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		l.p.LoseAnswers(1)
		_, err := l.Start(t.Context(), l.payment("key-1"))
		wantError(t, "lost", err, payments.Unknown, payments.NoAnswer)
		if ref := l.start(t, "key-1"); ref != l.p.Ref("key-1") || l.p.Payments() != 1 {
			t.Errorf("%q; %d payments", ref, l.p.Payments())
		}
	})
}

func TestCalls_ThatFailSayWhatWasDone(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		paid := l.start(t, "key-paid")
		l.p.Pay(paid)
		l.want(t, "before", paid, payments.Paid)
		start := func() error { _, err := l.Start(context.Background(), l.payment("key-1")); return err }
		state := func() error { _, err := l.State(context.Background(), paid); return err }
		list := func() error {
			_, err := l.List(context.Background(), l.clock.Now().Add(-time.Hour), l.clock.Now().Add(time.Hour))
			return err
		}
		refund := func() error {
			_, err := l.Refund(context.Background(), paid, 100, money.PLN, "refund-1")
			return err
		}
		for _, c := range []struct {
			status  int
			changes payments.Outcome // of a call that changes something, else Later
			reason  payments.Reason
		}{
			{http.StatusTooManyRequests, payments.Later, payments.Busy}, {http.StatusInternalServerError, payments.Unknown, payments.NoAnswer},
			{http.StatusServiceUnavailable, payments.Unknown, payments.NoAnswer},
			{http.StatusUnauthorized, payments.Refused, payments.Unauthorized},
		} {
			l.p.Fail(c.status, 1)
			wantError(t, fmt.Sprint("start ", c.status), start(), c.changes, c.reason)
			asked := payments.Later
			if c.changes == payments.Refused {
				asked = payments.Refused
			}
			l.p.Fail(c.status, 1)
			wantError(t, fmt.Sprint("state ", c.status), state(), asked, c.reason)
			l.p.Fail(c.status, 1)
			wantError(t, fmt.Sprint("list ", c.status), list(), asked, c.reason)
			l.p.Fail(c.status, 1)
			secretFree(t, "refund", refund())
		}
		l.p.Down(true)
		for what, call := range map[string]func() error{"start": start, "state": state, "list": list, "refund": refund} {
			err := call()
			var e *payments.Error
			if !errors.As(err, &e) || e.Outcome == payments.Refused || e.Reason != payments.NoAnswer {
				t.Errorf("%s while it is down: %v", what, err)
			}
			secretFree(t, what, err)
		}
		l.p.Down(false)
		if err := start(); err != nil || l.p.Payments() != 2 || l.p.Refunded(paid) != 0 {
			t.Errorf("%v; %d payments, %s refunded", err, l.p.Payments(), l.p.Refunded(paid))
		}
		_, err := l.State(t.Context(), "")
		wantError(t, "no ref", err, payments.Refused, payments.NotFound)
	})
}

func TestState_FollowsTheMoney(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		ref := l.start(t, "key-1")
		l.p.Hold(ref)
		l.want(t, "on its way", ref, payments.Pending)
		l.p.Pay(ref)
		for range 2 {
			st := l.want(t, "paid", ref, payments.Paid)
			if st.Key != "key-1" || st.Amount != 12300 || st.Currency != money.PLN || st.At.IsZero() {
				t.Errorf("%+v", st)
			}
		}
		l.clock.Pass(3 * time.Hour)
		if !l.p.Kept(ref) {
			t.Error("the money went back")
		}
		l.want(t, "three hours later", ref, payments.Paid)

		other := l.start(t, "key-2")
		l.p.PayOther(other, 12299, money.EUR)
		if st := l.want(t, "something else", other, payments.Paid); st.Amount != 12299 || st.Currency != money.EUR {
			t.Errorf("%+v", st)
		}
		refused := l.start(t, "key-3")
		if l.p.Refuse(refused) {
			if st := l.want(t, "refused", refused, payments.Failed); st.Reason == "" {
				t.Errorf("%+v", st)
			}
		} else {
			l.want(t, "refused, may try again", refused, payments.Pending)
		}
	})
}

func TestState_LateMoneyIsPaid(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		ref := l.start(t, "key-1")
		l.p.Expire(ref)
		l.clock.Pass(2 * time.Hour)
		if st := l.want(t, "nobody paid", ref, payments.Expired); st.Reason != payments.TimedOut {
			t.Errorf("%+v", st)
		}
		l.p.Pay(ref)
		l.want(t, "paid late", ref, payments.Paid)
	})
}

func TestExpire_EndsWhatNobodyPaid(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		open, paid, held := l.start(t, "key-1"), l.start(t, "key-2"), l.start(t, "key-3")
		l.p.Pay(paid)
		l.p.Hold(held)
		for _, ref := range []string{open, open, paid, held} {
			if err := l.Expire(t.Context(), ref); err != nil {
				t.Errorf("%s: %v", ref, err)
			}
		}
		l.want(t, "paid", paid, payments.Paid)
		l.want(t, "on its way", held, payments.Pending)
		l.clock.Pass(2 * time.Hour) // where only time ends it
		l.want(t, "open", open, payments.Expired)
		l.p.Pay(held)
		l.want(t, "arrived", held, payments.Paid)
	})
}

func TestEvents_AreBelievedOnlyFromTheProvider(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		ref := l.start(t, "key-1")
		l.p.Pay(ref)
		deliveries := l.p.Deliveries()
		if len(deliveries) == 0 || len(l.p.Deliveries()) != 0 {
			t.Fatalf("%d deliveries", len(deliveries))
		}
		d := deliveries[len(deliveries)-1]
		event := func(d payfake.Delivery) (payments.Event, error) { return l.Event(d.Header, d.Body, l.clock.Now()) }
		e, err := event(d)
		if err != nil || e.ID == "" || e.Ref != ref || e.Key != "key-1" || e.Kind == "" {
			t.Fatalf("%+v %v", e, err)
		}
		if again, err := event(l.p.Resign(d)); err != nil || again != e {
			t.Errorf("delivered again: %+v %v", again, err)
		}
		changed := payfake.Delivery{Header: d.Header, Body: []byte(strings.Replace(string(d.Body), "key-1", "key-2", 1))}
		for what, wrong := range map[string]payfake.Delivery{
			"forged": l.p.Forge(d), "another body": changed, "nothing": {Header: d.Header}, "no JSON": {Header: d.Header, Body: []byte("paid")},
		} {
			if found, err := event(wrong); !errors.Is(err, payments.ErrForged) {
				t.Errorf("%s: %+v %v", what, found, err)
			}
		}
		l.clock.Pass(6 * time.Minute)
		if _, err := event(d); !errors.Is(err, payments.ErrForged) && l.p.Name() != "przelewy24" { // which signs no instant
			t.Errorf("six minutes later: %v", err)
		}
		if late, err := event(l.p.Resign(d)); err != nil || late != e {
			t.Errorf("delivered six minutes later: %+v %v", late, err)
		}
	})
}

func TestRefund_IsDoneOnceForAKey(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		ref := l.start(t, "key-1")
		_, err := l.Refund(t.Context(), ref, 100, money.PLN, "refund-0")
		wantError(t, "before it is paid", err, payments.Refused, payments.Invalid)
		l.p.Pay(ref)
		l.want(t, "paid", ref, payments.Paid)
		part, err := l.Refund(t.Context(), ref, 2300, money.PLN, "refund-1")
		if err != nil || part.Ref == "" || part.State == payments.Failed {
			t.Fatalf("%+v %v", part, err)
		}
		if again, err := l.Refund(t.Context(), ref, 2300, money.PLN, "refund-1"); err != nil || again.Ref != part.Ref {
			t.Errorf("again: %+v %v", again, err)
		}
		_, err = l.Refund(t.Context(), ref, 2301, money.PLN, "refund-1")
		wantError(t, "another amount with the key", err, payments.Refused, payments.Invalid)
		_, err = l.Refund(t.Context(), ref, 100, money.EUR, "refund-2")
		wantError(t, "another currency", err, payments.Refused, payments.Invalid)
		_, err = l.Refund(t.Context(), ref, 10001, money.PLN, "refund-3")
		wantError(t, "more than is left", err, payments.Refused, payments.Invalid)
		if st := l.want(t, "in part", ref, payments.Paid); st.Refunded != 2300 || st.Amount != 12300 {
			t.Errorf("%+v", st)
		}
		l.clock.Pass(25 * time.Hour) // longer than providers keep keys
		l.p.LoseAnswers(10)
		_, err = l.Refund(t.Context(), ref, 10000, money.PLN, "refund-4")
		secretFree(t, "lost", err)
		l.p.LoseAnswers(0)
		if _, err := l.Refund(t.Context(), ref, 10000, money.PLN, "refund-4"); err != nil || l.p.Refunded(ref) != 12300 {
			t.Errorf("%v; refunded %s", err, l.p.Refunded(ref))
		}
		l.p.FinishRefunds()
		for _, key := range []string{"refund-1", "refund-4"} {
			amount := map[string]money.Amount{"refund-1": 2300, "refund-4": 10000}[key]
			if done, err := l.Refund(t.Context(), ref, amount, money.PLN, key); err != nil || done.State != payments.Paid {
				t.Errorf("%s, carried out: %+v %v", key, done, err)
			}
		}
		if st := l.want(t, "whole", ref, payments.Paid); st.Refunded != 12300 || st.Amount != 12300 {
			t.Errorf("%+v", st)
		}
	})
}

func TestList_HasWhatWasMadeInASpan(t *testing.T) {
	each(t, func(t *testing.T, l line) {
		from := l.clock.Now()
		refs := map[string]payments.State{}
		for i := range 5 {
			ref := l.start(t, fmt.Sprint("key-", i))
			refs[ref] = payments.Pending
			if l.p.Hold(ref); i > 0 {
				l.p.Pay(ref)
				refs[ref] = l.state(t, ref).State
			}
			l.clock.Pass(2 * time.Second)
		}
		list, err := l.List(t.Context(), from, l.clock.Now())
		if err != nil || len(list) != 5 {
			t.Fatalf("%d of 5: %v", len(list), err)
		}
		for _, st := range list {
			if refs[st.Ref] != st.State || !strings.HasPrefix(st.Key, "key-") || st.Amount != 12300 || st.Currency != money.PLN {
				t.Errorf("%+v, not %s", st, refs[st.Ref])
			}
		}
		list, err = l.List(t.Context(), from.Add(2*time.Second), from.Add(4*time.Second))
		if err != nil || len(list) != 1 || list[0].Key != "key-1" {
			t.Errorf("%+v %v", list, err)
		}
	})
}

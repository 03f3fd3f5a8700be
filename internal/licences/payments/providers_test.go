package payments_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
	"saldo/internal/testkit"
	"saldo/internal/testkit/payfake"
)

func newStripe(t *testing.T) (*payfake.Stripe, line) {
	clock := testkit.NewClock()
	p := payfake.NewStripe(t, clock.Now)
	return p, line{Gateway: p.Gateway(), p: p, clock: clock}
}

func newP24(t *testing.T) (*payfake.Przelewy24, line) {
	clock := testkit.NewClock()
	p := payfake.NewPrzelewy24(t, clock.Now)
	return p, line{Gateway: p.Gateway(), p: p, clock: clock}
}

func TestSigned_TakesOneOfSeveral(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	body := []byte(`{"a":1}`)
	genuine := payments.Sign("new", now, body)
	v1 := strings.TrimPrefix(genuine, "t=1800000000,")
	for _, c := range []struct {
		what, signatures string
		now              time.Time
		want             bool
	}{
		{"genuine", genuine, now, true},
		{"five minutes old", genuine, now.Add(5 * time.Minute), true},
		{"older", genuine, now.Add(5*time.Minute + time.Second), false},
		{"a clock that is behind", genuine, now.Add(-5 * time.Minute), true},
		{"of the future", genuine, now.Add(-6 * time.Minute), false},
		{"beside another", "t=1800000000,v1=00ff," + v1 + ",v0=ab", now, true},
		{"of the old secret", payments.Sign("old", now, body), now, true},
		{"of a strange secret", payments.Sign("strange", now, body), now, false},
		{"of no secret", payments.Sign("", now, body), now, false},
		{"another scheme", strings.ReplaceAll(genuine, "v1=", "v0="), now, false},
		{"no instant", v1, now, false},
		{"two instants", "t=1800000000," + genuine, now, false},
		{"another instant", strings.Replace(genuine, "t=18", "t=19", 1), now.Add(100_000_000 * time.Second), false},
		{"not in hexadecimal", "t=1800000000,v1=zz", now, false},
		{"empty", "", now, false},
	} {
		if got := payments.Signed(c.signatures, []string{"new", "old", ""}, body, c.now); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

func TestStripe_TestModeIsNotMoney(t *testing.T) {
	p, l := newStripe(t)
	settings := p.Settings()
	settings.Live = false
	if _, err := payments.NewStripe(settings); err == nil {
		t.Error("a live key where only tests are paid")
	}
	settings.Live, settings.Key = true, "sk_test_of_tests"
	if _, err := payments.NewStripe(settings); err == nil || strings.Contains(err.Error(), "sk_test") {
		t.Errorf("a test key where money is real: %v", err)
	}
	settings = p.Settings()
	settings.EventSecrets = nil
	if _, err := payments.NewStripe(settings); err == nil {
		t.Error("no secret")
	}
	ref := l.start(t, "key-1")
	p.TestMode(true)
	p.Pay(ref)
	d := p.Deliveries()[0]
	if e, err := l.Event(d.Header, d.Body, l.clock.Now()); !errors.Is(err, payments.ErrForged) {
		t.Errorf("an event of the test mode: %+v %v", e, err)
	}
}

func TestStripe_ADeclinedCardIsNotTheEnd(t *testing.T) {
	p, l := newStripe(t)
	ref := l.start(t, "key-1")
	p.Decline(ref)
	l.want(t, "declined", ref, payments.Pending)
	p.Pay(ref)
	l.want(t, "with another card", ref, payments.Paid)
}

func TestStripe_ADirectDebitComesBack(t *testing.T) {
	p, l := newStripe(t)
	payment := l.payment("key-1")
	payment.Currency = money.EUR
	s, err := l.Start(t.Context(), payment)
	if err != nil {
		t.Fatal(err)
	}
	p.Hold(s.Ref)
	l.want(t, "ordered", s.Ref, payments.Pending)
	p.Refuse(s.Ref)
	if st := l.want(t, "sent back", s.Ref, payments.Failed); st.Reason != payments.NoFunds {
		t.Errorf("%+v", st)
	}
	other := l.payment("key-2")
	other.Currency = "CZK"
	_, err = l.Start(t.Context(), other)
	wantError(t, "a currency without a way to pay", err, payments.Refused, payments.Invalid)
}

func TestStripe_EventsAboutWhatBelongsToAPayment(t *testing.T) {
	p, l := newStripe(t)
	for body, want := range map[string]payments.Event{
		`{"id":"evt_1","type":"charge.refunded","livemode":true,"data":{"object":{"object":"charge","id":"ch_1","metadata":{"key":"key-1"}}}}`: {
			ID: "evt_1", Kind: "charge.refunded", Key: "key-1"},
		`{"id":"evt_2","type":"payout.paid","livemode":true,"data":{"object":{"object":"payout","id":"po_1"}}}`: {ID: "evt_2", Kind: "payout.paid"},
	} {
		d := p.Resign(payfake.Delivery{Body: []byte(body)})
		if e, err := l.Event(d.Header, d.Body, l.clock.Now()); err != nil || e != want {
			t.Errorf("%+v %v", e, err)
		}
	}
}

// Somebody else of us may verify a payment at the same moment.
func TestPrzelewy24_MoneyStaysWhereItWasVerified(t *testing.T) {
	p, l := newP24(t)
	ref := l.start(t, "key-1")
	p.Pay(ref)
	if p.Kept(ref) {
		t.Fatal("kept before it was verified")
	}
	answers := make(chan payments.Status, 8)
	for range cap(answers) {
		go func() {
			st, err := l.State(t.Context(), ref)
			if err != nil {
				t.Error(err)
			}
			answers <- st
		}()
	}
	for range cap(answers) {
		if st := <-answers; st.State != payments.Paid {
			t.Errorf("%+v", st)
		}
	}
	forgotten := l.start(t, "key-2")
	p.Pay(forgotten)
	l.clock.Pass(3 * time.Hour)
	if st := l.want(t, "nobody verified", forgotten, payments.Failed); st.Reason != payments.Returned || p.Kept(forgotten) || !p.Kept(ref) {
		t.Errorf("%+v", st)
	}
}

func TestPrzelewy24_ALostVerificationIsLookedAtAgain(t *testing.T) {
	p, l := newP24(t)
	ref := l.start(t, "key-1")
	p.Pay(ref)
	p.Fail(http.StatusInternalServerError, 1)
	_, err := l.State(t.Context(), ref)
	wantError(t, "the question", err, payments.Later, payments.NoAnswer)
	p.LoseAnswers(2)
	if _, err = l.State(t.Context(), ref); err == nil {
		t.Error("an answer that was lost")
	}
	p.LoseAnswers(0)
	l.want(t, "then", ref, payments.Paid)
}

func TestPrzelewy24_EndsAtItsOwnLimit(t *testing.T) {
	_, l := newP24(t)
	payment := l.payment("key-1")
	payment.ExpiresAt = l.clock.Now().Add(23 * time.Hour)
	first, err := l.Start(t.Context(), payment)
	if err != nil || !first.ExpiresAt.Equal(l.clock.Now().Add(99*time.Minute)) {
		t.Fatalf("%+v %v", first, err)
	}
	l.clock.Pass(10 * time.Minute)
	if again, err := l.Start(t.Context(), payment); err != nil || again != first {
		t.Errorf("%+v %v", again, err)
	}
	l.want(t, "before", first.Ref, payments.Pending)
	l.clock.Pass(90 * time.Minute)
	l.want(t, "after", first.Ref, payments.Expired)
}

func TestPrzelewy24_RefundsAreToldToo(t *testing.T) {
	p, l := newP24(t)
	ref := l.start(t, "key-1")
	p.Pay(ref)
	l.want(t, "paid", ref, payments.Paid)
	p.Deliveries()
	if _, err := l.Refund(t.Context(), ref, 12300, money.PLN, strings.Repeat("long", 20)); err != nil {
		t.Fatal(err)
	}
	p.FinishRefunds()
	d := p.Deliveries()[0]
	if e, err := l.Event(d.Header, d.Body, l.clock.Now()); err != nil || e.Kind != "refund" || e.Ref != ref || e.Key != "key-1" {
		t.Errorf("%+v %v", e, err)
	}
	d = p.Forge(d)
	if _, err := l.Event(d.Header, d.Body, l.clock.Now()); !errors.Is(err, payments.ErrForged) {
		t.Error(err)
	}
}

func TestPrzelewy24_EventsOfAnotherProgramOfTheShop(t *testing.T) {
	p, l := newP24(t)
	d := p.Resign(payfake.Delivery{Body: []byte(fmt.Sprintf(`{"merchantId":%d,"posId":%d,"sessionId":"theirs","amount":1,"originAmount":1,
		"currency":"PLN","orderId":7,"methodId":1,"statement":"x"}`, payfake.P24Merchant, payfake.P24Merchant))})
	if e, err := l.Event(d.Header, d.Body, l.clock.Now()); err != nil || e.Ref != "" || e.Key != "" || e.ID == "" {
		t.Errorf("%+v %v", e, err)
	}
}

// An answer that leads elsewhere, or is without end, costs nothing and gives nothing away.
func TestGateways_OverAStrangeServer(t *testing.T) {
	for what, answer := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"id": [`) },
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `"`, strings.Repeat("x", 8<<20), `"`)
		},
		"empty": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{}`) },
	} {
		asked := 0
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			answer(w, r)
		}))
		trust := server.Client().Transport.(*http.Transport).TLSClientConfig
		stripe, err := payments.NewStripe(payments.StripeSettings{Address: server.URL, Key: payfake.StripeKey,
			EventSecrets: []string{payfake.StripeSecret}, Live: true, Trust: trust})
		if err != nil {
			t.Fatal(err)
		}
		p24, err := payments.NewPrzelewy24(payments.Przelewy24Settings{Address: server.URL, Merchant: 1, Shop: 1, Key: payfake.P24Key,
			CRC: payfake.P24CRC, Clock: time.Now, Trust: trust})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []payments.Gateway{stripe, p24} {
			_, err := g.Start(t.Context(), line{clock: testkit.NewClock()}.payment("key-1"))
			var e *payments.Error
			if !errors.As(err, &e) || e.Outcome == payments.Refused {
				t.Errorf("%s: %v", what, err)
			}
			secretFree(t, what, err)
		}
		if asked != 2 {
			t.Errorf("%s: asked %d times", what, asked)
		}
		server.Close()
	}
	for _, address := range []string{"http://api.example", "https://user:word@api.example", "https://api.example?x=1", "://"} {
		if _, err := payments.NewStripe(payments.StripeSettings{Address: address, Key: payfake.StripeKey, EventSecrets: []string{"x"},
			Live: true}); err == nil {
			t.Errorf("%s is taken", address)
		}
	}
}

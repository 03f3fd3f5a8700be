package payfake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
)

// What Stripe knows its customer of tests by.
const (
	StripeKey    = "sk_live_of_tests"
	StripeSecret = "whsec_of_tests"
)

// Stripe is a Stripe over HTTP: payment pages, refunds, idempotency keys, events.
type Stripe struct {
	server
	sessions []*stripeSession
	answers  map[string]stripeAnswer // by idempotency key
	refunds  []*stripeRefund
	events   []Delivery
	test     bool
	n        int
}

type stripeSession struct {
	id, key, email, status, payment string
	asked, received, refunded       money.Amount
	currency, paidIn                string
	intent, intentStatus, declined  string
	created, expires                time.Time
}

type stripeRefund struct {
	id, intent, key, status string
	amount                  money.Amount
}

type stripeAnswer struct {
	request string
	status  int
	body    []byte
}

// NewStripe starts one.
func NewStripe(t *testing.T, now func() time.Time) *Stripe {
	s := &Stripe{answers: map[string]stripeAnswer{}}
	s.serve(t, now, s.answer)
	return s
}

// Name is "stripe".
func (s *Stripe) Name() string { return "stripe" }

// Settings are what a gateway needs.
func (s *Stripe) Settings() payments.StripeSettings {
	return payments.StripeSettings{Address: s.http.URL, Key: StripeKey, EventSecrets: []string{StripeSecret}, Live: true,
		Trust: s.http.Client().Transport.(*http.Transport).TLSClientConfig}
}

// Gateway talks to it.
func (s *Stripe) Gateway() payments.Gateway { return made(s.t)(payments.NewStripe(s.Settings())) }

// TestMode marks events from now on as those of the test mode.
func (s *Stripe) TestMode(on bool) {
	s.state.Lock()
	defer s.state.Unlock()
	s.test = on
}

func (s *Stripe) answer(w http.ResponseWriter, r *http.Request) {
	if user, _, _ := r.BasicAuth(); user != StripeKey {
		stripeSays(w, http.StatusUnauthorized, "invalid_request_error", "", "Invalid API Key provided: "+user)
		return
	}
	if r.Header.Get("Stripe-Version") != "2026-08-26.dahlia" {
		s.t.Errorf("version %q", r.Header.Get("Stripe-Version"))
	}
	key := r.Header.Get("Idempotency-Key")
	if key == "" || r.Method != http.MethodPost {
		s.carryOut(w, r)
		return
	}
	sum := sha256.Sum256([]byte(r.URL.Path + "?" + r.PostForm.Encode()))
	request := hex.EncodeToString(sum[:])
	kept, known := s.answers[key]
	switch {
	case known && kept.request != request:
		stripeSays(w, http.StatusBadRequest, "idempotency_error", "", "Keys for idempotent requests can only be used once: "+key)
		return
	case !known:
		recorded := httptest.NewRecorder()
		s.carryOut(recorded, r)
		kept = stripeAnswer{request, recorded.Code, recorded.Body.Bytes()}
		s.answers[key] = kept
	default:
		w.Header().Set("Idempotent-Replayed", "true")
	}
	w.WriteHeader(kept.status)
	_, _ = w.Write(kept.body)
}

func (s *Stripe) carryOut(w http.ResponseWriter, r *http.Request) {
	for _, session := range s.sessions {
		s.lapse(session)
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	switch at := r.Method + " " + strings.Join(parts[:min(2, len(parts))], "/"); {
	case at == "POST checkout/sessions" && len(parts) == 2:
		s.create(w, r.PostForm)
	case at == "GET checkout/sessions" && len(parts) == 2:
		s.list(w, r.Form)
	case at == "GET checkout/sessions" && len(parts) == 3, at == "POST checkout/sessions" && len(parts) == 4 && parts[3] == "expire":
		session := s.find(parts[2])
		switch {
		case session == nil:
			stripeSays(w, http.StatusNotFound, "invalid_request_error", "resource_missing", "No such checkout session: "+parts[2])
			return
		case r.Method == http.MethodPost && session.status != "open":
			stripeSays(w, http.StatusBadRequest, "invalid_request_error", "", "Only Checkout Sessions with a status in [\"open\"] can be expired.")
			return
		case r.Method == http.MethodPost:
			s.end(session)
		}
		stripeJSON(w, s.object(session, r.Form["expand[]"]))
	case at == "POST refunds":
		s.refund(w, r.PostForm)
	case at == "GET refunds":
		list := []any{}
		for _, refund := range s.refunds {
			if refund.intent == r.Form.Get("payment_intent") {
				list = append(list, refund.object())
			}
		}
		stripeJSON(w, map[string]any{"object": "list", "data": list, "has_more": false})
	default:
		s.t.Errorf("Stripe: %s %s", r.Method, r.URL.Path)
		stripeSays(w, http.StatusNotFound, "invalid_request_error", "", "Unrecognized request URL")
	}
}

func (s *Stripe) create(w http.ResponseWriter, f url.Values) {
	amount, _ := strconv.ParseInt(f.Get("line_items[0][price_data][unit_amount]"), 10, 64)
	expires, _ := strconv.ParseInt(f.Get("expires_at"), 10, 64)
	currency := f.Get("line_items[0][price_data][currency]")
	left := time.Unix(expires, 0).Sub(s.now())
	var methods []string
	for i := 0; f.Has(fmt.Sprintf("payment_method_types[%d]", i)); i++ {
		methods = append(methods, f.Get(fmt.Sprintf("payment_method_types[%d]", i)))
	}
	switch {
	case amount < 50, f.Get("mode") != "payment", f.Get("success_url") == "", f.Get("line_items[0][quantity]") != "1",
		f.Get("adaptive_pricing[enabled]") != "false",
		f.Get("line_items[0][price_data][product_data][name]") == "",
		strings.Join(methods, " ") != map[string]string{"pln": "card blik p24", "eur": "card sepa_debit"}[currency]:
		stripeSays(w, http.StatusBadRequest, "invalid_request_error", "parameter_invalid", "about "+f.Get("customer_email"))
		return
	case left < 30*time.Minute || left > 24*time.Hour:
		stripeSays(w, http.StatusBadRequest, "invalid_request_error", "", "The `expires_at` timestamp must be between 30 minutes and 24 hours")
		return
	}
	s.n++
	session := &stripeSession{id: fmt.Sprintf("cs_live_%d", s.n), key: f.Get("client_reference_id"), email: f.Get("customer_email"),
		status: "open", payment: "unpaid", asked: money.Amount(amount), currency: currency, created: s.now(),
		expires: time.Unix(expires, 0).UTC(), intent: fmt.Sprintf("pi_%d", s.n), intentStatus: "requires_payment_method"}
	s.sessions = append(s.sessions, session)
	stripeJSON(w, s.object(session, nil))
}

func (s *Stripe) list(w http.ResponseWriter, f url.Values) {
	from, _ := strconv.ParseInt(f.Get("created[gte]"), 10, 64)
	to, _ := strconv.ParseInt(f.Get("created[lt]"), 10, 64)
	list, more, after := []any{}, false, f.Get("starting_after")
	for i := len(s.sessions) - 1; i >= 0; i-- { // newest first
		session := s.sessions[i]
		switch {
		case after != "":
			if session.id == after {
				after = ""
			}
		case session.created.Unix() < from || session.created.Unix() >= to:
		case len(list) == 2: // pages are small, so that tests read more than one
			more = true
		default:
			expand := []string{}
			for _, e := range f["expand[]"] {
				expand = append(expand, strings.TrimPrefix(e, "data."))
			}
			list = append(list, s.object(session, expand))
		}
	}
	stripeJSON(w, map[string]any{"object": "list", "data": list, "has_more": more})
}

func (s *Stripe) refund(w http.ResponseWriter, f url.Values) {
	amount, _ := strconv.ParseInt(f.Get("amount"), 10, 64)
	for _, session := range s.sessions {
		if session.intent != f.Get("payment_intent") {
			continue
		}
		if session.payment != "paid" || session.refunded+money.Amount(amount) > session.received {
			stripeSays(w, http.StatusBadRequest, "invalid_request_error", "charge_already_refunded", "of "+session.email)
			return
		}
		session.refunded += money.Amount(amount)
		s.n++
		refund := &stripeRefund{fmt.Sprintf("re_%d", s.n), session.intent, f.Get("metadata[key]"), "pending", money.Amount(amount)}
		s.refunds = append(s.refunds, refund)
		stripeJSON(w, refund.object())
		return
	}
	stripeSays(w, http.StatusNotFound, "invalid_request_error", "resource_missing", "No such payment_intent")
}

func (r *stripeRefund) object() map[string]any {
	return map[string]any{"object": "refund", "id": r.id, "amount": r.amount, "status": r.status, "payment_intent": r.intent,
		"metadata": map[string]string{"key": r.key}}
}

func (s *Stripe) object(session *stripeSession, expand []string) map[string]any {
	o := map[string]any{"object": "checkout.session", "id": session.id, "client_reference_id": session.key, "status": session.status,
		"payment_status": session.payment, "amount_total": session.asked, "currency": session.currency, "livemode": !s.test,
		"created": session.created.Unix(), "expires_at": session.expires.Unix(), "url": nil, "payment_intent": nil,
		"customer_details": map[string]any{"email": session.email}}
	if session.status == "open" {
		o["url"] = "https://checkout.stripe.invalid/c/pay/" + session.id
		if session.declined == "" {
			return o
		}
	}
	o["payment_intent"] = session.intent
	if len(expand) > 0 {
		intent := map[string]any{"object": "payment_intent", "id": session.intent, "status": session.intentStatus,
			"amount_received": session.received, "currency": session.paidIn, "last_payment_error": nil, "latest_charge": nil}
		if session.declined != "" {
			intent["last_payment_error"] = map[string]any{"code": "card_declined", "decline_code": session.declined, "message": session.email}
		}
		if session.payment == "paid" {
			intent["latest_charge"] = map[string]any{"object": "charge", "id": "ch_1", "amount_refunded": session.refunded}
		}
		o["payment_intent"] = intent
	}
	return o
}

func (s *Stripe) find(id string) *stripeSession {
	for _, session := range s.sessions {
		if session.id == id {
			return session
		}
	}
	return nil
}

// lapse ends a session whose time is over.
func (s *Stripe) lapse(session *stripeSession) {
	if session.status == "open" && !session.expires.After(s.now()) {
		s.end(session)
	}
}

func (s *Stripe) end(session *stripeSession) {
	session.status = "expired"
	s.tell("checkout.session.expired", session)
}

func (s *Stripe) tell(kind string, session *stripeSession) {
	s.n++
	body, _ := json.Marshal(map[string]any{"object": "event", "id": fmt.Sprintf("evt_%d", s.n), "type": kind, "livemode": !s.test,
		"created": s.now().Unix(), "data": map[string]any{"object": s.object(session, nil)}})
	s.events = append(s.events, Delivery{Body: body})
}

// act does something to a session as the person who pays, or a bank.
func (s *Stripe) act(ref string, do func(session *stripeSession)) {
	s.t.Helper()
	s.state.Lock()
	defer s.state.Unlock()
	session := s.find(ref)
	if session == nil {
		s.t.Fatalf("Stripe has no session %q", ref)
	}
	s.lapse(session)
	do(session)
}

// Ref finds a session by our key.
func (s *Stripe) Ref(key string) string {
	s.state.Lock()
	defer s.state.Unlock()
	for _, session := range s.sessions {
		if session.key == key {
			return session.id
		}
	}
	return ""
}

// Pay pays what was asked for.
func (s *Stripe) Pay(ref string) {
	s.act(ref, func(session *stripeSession) { s.pay(session, session.asked, session.currency) })
}

// PayOther pays something else.
func (s *Stripe) PayOther(ref string, amount money.Amount, currency money.Currency) {
	s.act(ref, func(session *stripeSession) { s.pay(session, amount, strings.ToLower(string(currency))) })
}

func (s *Stripe) pay(session *stripeSession, amount money.Amount, currency string) {
	kind := "checkout.session.completed"
	if session.intentStatus == "processing" {
		kind = "checkout.session.async_payment_succeeded"
	}
	session.status, session.payment, session.intentStatus = "complete", "paid", "succeeded"
	session.received, session.paidIn, session.declined = amount, currency, ""
	s.tell(kind, session)
}

// Hold is a direct debit: the page is done with, the money comes later.
func (s *Stripe) Hold(ref string) {
	s.act(ref, func(session *stripeSession) {
		session.status, session.intentStatus = "complete", "processing"
		s.tell("checkout.session.completed", session)
	})
}

// Decline refuses a card on the page, where the person may try another one.
func (s *Stripe) Decline(ref string) {
	s.act(ref, func(session *stripeSession) { session.declined = "generic_decline" })
}

// Refuse is a direct debit that the bank sent back.
func (s *Stripe) Refuse(ref string) bool {
	s.act(ref, func(session *stripeSession) {
		session.status, session.intentStatus, session.declined = "complete", "requires_payment_method", "insufficient_funds"
		s.tell("checkout.session.async_payment_failed", session)
	})
	return true
}

// Expire lets the time of a session pass.
func (s *Stripe) Expire(ref string) {
	s.act(ref, func(session *stripeSession) {
		if session.status == "open" {
			session.expires = s.now()
			s.end(session)
		}
	})
}

// FinishRefunds carries the refunds out.
func (s *Stripe) FinishRefunds() {
	s.state.Lock()
	defer s.state.Unlock()
	for _, r := range s.refunds {
		r.status = "succeeded"
	}
}

// Deliveries are the events not asked for yet.
func (s *Stripe) Deliveries() []Delivery {
	s.state.Lock()
	defer s.state.Unlock()
	events := s.events
	s.events = nil
	for i := range events {
		events[i] = s.Resign(events[i])
	}
	return events
}

// Resign signs an event now.
func (s *Stripe) Resign(d Delivery) Delivery { return s.signed(d, StripeSecret) }

// Forge signs an event with another secret.
func (s *Stripe) Forge(d Delivery) Delivery { return s.signed(d, "whsec_of_somebody") }

func (s *Stripe) signed(d Delivery, secret string) Delivery {
	return Delivery{http.Header{"Content-Type": {"application/json; charset=utf-8"},
		"Stripe-Signature": {payments.Sign(secret, s.now(), d.Body) + ",v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39"}},
		d.Body}
}

// Payments counts the sessions.
func (s *Stripe) Payments() int {
	s.state.Lock()
	defer s.state.Unlock()
	return len(s.sessions)
}

// Refunded is how much of a session was given back.
func (s *Stripe) Refunded(ref string) (amount money.Amount) {
	s.act(ref, func(session *stripeSession) { amount = session.refunded })
	return amount
}

// Kept says whether a session is paid.
func (s *Stripe) Kept(ref string) (kept bool) {
	s.act(ref, func(session *stripeSession) { kept = session.payment == "paid" })
	return kept
}

func stripeSays(w http.ResponseWriter, status int, kind, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"type": kind, "code": code, "message": message}})
}

func stripeJSON(w http.ResponseWriter, what any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what)
}

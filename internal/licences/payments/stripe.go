package payments

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/platform/rest"
)

// StripeAddress is where Stripe answers.
const StripeAddress = "https://api.stripe.com"

// stripeVersion is the version of the API that this was written for. Without it an account answers by the version of its first day.
const stripeVersion = "2026-08-26.dahlia"

// StripeSettings are an operator's settings for Stripe.
type StripeSettings struct {
	Address      string   // StripeAddress; another one only in tests
	Key          string   // secret or restricted: checkout sessions and refunds written, payment intents and charges read
	EventSecrets []string // of the address for events; two while one replaces the other
	Live         bool     // money is real: keys and events of the test mode are refused

	Trust *tls.Config // nil: the certificates of the system
}

type stripe struct {
	StripeSettings
	client
}

// NewStripe gives a gateway to Stripe's own payment page (Checkout). It refuses a key of the other mode.
//
// Five calls and a signature are written by hand: stripe-go would cost 27 seconds of processor in every cold build and 2.4 MB.
//
// Stripe keeps the answer for an Idempotency-Key for a day, an answer of its own failure too: a payment whose Start failed there needs
// another key.
func NewStripe(s StripeSettings) (Gateway, error) {
	if live := strings.Contains(s.Key, "_live_"); live != s.Live {
		return nil, errors.New("payments: this key of Stripe is of the other mode, test or live")
	}
	if len(s.EventSecrets) == 0 || s.EventSecrets[0] == "" {
		return nil, errors.New("payments: Stripe needs the secret that events are signed with")
	}
	c, err := newClient(s.Address, s.Trust, func(r *http.Request) {
		r.SetBasicAuth(s.Key, "")
		r.Header.Set("Stripe-Version", stripeVersion)
	})
	return stripe{s, c}, err
}

// stripeMethods are the ways to pay by currency.
var stripeMethods = map[money.Currency][]string{money.PLN: {"card", "blik", "p24"}, money.EUR: {"card", "sepa_debit"}}

// stripeLocales are the languages of ours that Stripe's page speaks; in another it follows the browser.
var stripeLocales = map[string]bool{"pl": true, "en": true, "de": true, "ru": true}

type stripeSession struct {
	ID        string       `json:"id"`
	URL       string       `json:"url"`
	Status    string       `json:"status"`
	Payment   string       `json:"payment_status"`
	Key       string       `json:"client_reference_id"`
	Amount    money.Amount `json:"amount_total"`
	Currency  string       `json:"currency"`
	Created   int64        `json:"created"`
	ExpiresAt int64        `json:"expires_at"`
	Intent    stripeIntent `json:"payment_intent"`
}

// stripeIntent is what moves money for a session. It comes whole where it was asked for, else as its id, or null.
type stripeIntent struct {
	ID       string       `json:"id"`
	Status   string       `json:"status"`
	Received money.Amount `json:"amount_received"`
	Currency string       `json:"currency"`
	Wrong    struct {
		Code    string `json:"code"`
		Decline string `json:"decline_code"`
	} `json:"last_payment_error"`
	Charge stripeCharge `json:"latest_charge"`
}

type stripeCharge struct {
	Refunded money.Amount `json:"amount_refunded"`
}

func (i *stripeIntent) UnmarshalJSON(content []byte) error {
	type whole stripeIntent
	return idOrWhole(content, &i.ID, (*whole)(i))
}

func (c *stripeCharge) UnmarshalJSON(content []byte) error {
	type whole stripeCharge
	var id string
	return idOrWhole(content, &id, (*whole)(c))
}

func idOrWhole(content []byte, id *string, whole any) error {
	if bytes.HasPrefix(content, []byte(`"`)) {
		return json.Unmarshal(content, id)
	}
	return json.Unmarshal(content, whole)
}

// stripeError is what an answer other than success has.
type stripeError struct {
	Error struct {
		Type    string `json:"type"`
		Code    string `json:"code"`
		Decline string `json:"decline_code"`
	} `json:"error"`
}

// ask sends a form, or a question where there is no form, and reads the answer.
func (g stripe) ask(ctx context.Context, method, path string, form url.Values, key string, answer any) error {
	r := rest.Request{Method: method, Path: path, Query: form}
	if method == http.MethodPost {
		r.Query, r.Body = nil, form.Encode()
		r.Header = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
		if key != "" {
			r.Header["Idempotency-Key"] = key
		}
	}
	var content json.RawMessage
	status, err := g.call(ctx, r, &content)
	switch {
	case err != nil:
		return err
	case !ok(status):
		return stripeErrorOf(method, status, content)
	case json.Unmarshal(content, answer) != nil:
		return unanswered(method, status, true)
	}
	return nil
}

func stripeErrorOf(method string, status int, content []byte) *Error {
	e := byStatus(method, status)
	var said stripeError
	_ = json.Unmarshal(content, &said) // a proxy's page says nothing more than its status
	switch {
	case said.Error.Code == "idempotency_key_in_use" || said.Error.Code == "lock_timeout":
		e.Outcome, e.Reason = Later, Busy
	case status == http.StatusPaymentRequired:
		e.Reason = stripeReason(said.Error.Code, said.Error.Decline)
	}
	return e
}

func stripeReason(code, decline string) Reason {
	switch {
	case code == "":
		return Other
	case decline == "insufficient_funds" || code == "insufficient_funds":
		return NoFunds
	case strings.Contains(code, "timeout") || strings.Contains(code, "expired_blik") || code == "payment_intent_payment_attempt_expired":
		return TimedOut
	}
	return Declined
}

func (g stripe) Start(ctx context.Context, p Payment) (Started, error) {
	methods := stripeMethods[p.Currency]
	if methods == nil || p.Amount <= 0 || p.Key == "" {
		return Started{}, &Error{Outcome: Refused, Reason: Invalid}
	}
	form := url.Values{
		"mode": {"payment"}, "adaptive_pricing[enabled]": {"false"},
		"client_reference_id": {p.Key}, "success_url": {p.Return}, "cancel_url": {p.Return},
		"expires_at": {strconv.FormatInt(p.ExpiresAt.Unix(), 10)}, "locale": {"auto"}, "metadata[order]": {p.Order},
		"payment_intent_data[metadata][key]":            {p.Key},
		"payment_intent_data[metadata][order]":          {p.Order},
		"line_items[0][quantity]":                       {"1"},
		"line_items[0][price_data][currency]":           {strings.ToLower(string(p.Currency))},
		"line_items[0][price_data][unit_amount]":        {strconv.FormatInt(int64(p.Amount), 10)},
		"line_items[0][price_data][product_data][name]": {p.Text},
		"payment_intent_data[description]":              {p.Order},
	}
	if p.Email != "" {
		form.Set("customer_email", p.Email)
	}
	if stripeLocales[p.Language] {
		form.Set("locale", p.Language)
	}
	for i, method := range methods {
		form.Set("payment_method_types["+strconv.Itoa(i)+"]", method)
	}
	var s stripeSession
	if err := g.ask(ctx, http.MethodPost, "/v1/checkout/sessions", form, p.Key, &s); err != nil {
		return Started{}, err
	}
	if s.ID == "" || s.URL == "" {
		return Started{}, unanswered(http.MethodPost, http.StatusOK, true)
	}
	return Started{Ref: s.ID, URL: s.URL, ExpiresAt: time.Unix(s.ExpiresAt, 0).UTC()}, nil
}

func (g stripe) session(ctx context.Context, ref string) (s stripeSession, err error) {
	if ref == "" {
		return s, &Error{Outcome: Refused, Reason: NotFound}
	}
	err = g.ask(ctx, http.MethodGet, "/v1/checkout/sessions/"+url.PathEscape(ref),
		url.Values{"expand[]": {"payment_intent.latest_charge"}}, "", &s)
	return s, err
}

func (g stripe) State(ctx context.Context, ref string) (Status, error) {
	s, err := g.session(ctx, ref)
	if err != nil {
		return Status{}, err
	}
	return s.state(), nil
}

// state is what a session says. A session is complete once the person has done their part: the money of a direct debit comes days later,
// or does not.
func (s stripeSession) state() Status {
	st := Status{Ref: s.ID, Key: s.Key, State: Pending, Amount: s.Amount, Currency: money.Currency(strings.ToUpper(s.Currency)),
		At: time.Unix(s.Created, 0).UTC(), Refunded: s.Intent.Charge.Refunded}
	switch {
	case s.Payment == "paid" || s.Payment == "no_payment_required":
		st.State = Paid
		if s.Intent.Status != "" { // whole
			st.Amount, st.Currency = s.Intent.Received, money.Currency(strings.ToUpper(s.Intent.Currency))
		}
	case s.Status == "expired":
		st.State, st.Reason = Expired, TimedOut
	case s.Status == "complete" && s.Intent.Status == "requires_payment_method":
		st.State, st.Reason = Failed, stripeReason(s.Intent.Wrong.Code, s.Intent.Wrong.Decline)
	case s.Status == "complete" && s.Intent.Status == "canceled":
		st.State, st.Reason = Failed, Cancelled
	}
	return st
}

func (g stripe) Expire(ctx context.Context, ref string) error {
	var s stripeSession
	err := g.ask(ctx, http.MethodPost, "/v1/checkout/sessions/"+url.PathEscape(ref)+"/expire", url.Values{}, "", &s)
	var e *Error
	if errors.As(err, &e) && e.Reason == Invalid { // only an open session can be expired
		if s, asked := g.session(ctx, ref); asked == nil && s.Status != "open" {
			return nil
		}
	}
	return err
}

type stripeRefund struct {
	ID       string            `json:"id"`
	Amount   money.Amount      `json:"amount"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
}

func (r stripeRefund) refunded() Refunded {
	switch r.Status {
	case "succeeded":
		return Refunded{r.ID, Paid}
	case "failed", "canceled":
		return Refunded{r.ID, Failed}
	}
	return Refunded{r.ID, Pending}
}

// Refund looks for the refund before it asks for it: Stripe repeats the first answer to a key, and forgets the key after a day.
func (g stripe) Refund(ctx context.Context, ref string, amount money.Amount, currency money.Currency, key string) (Refunded, error) {
	s, err := g.session(ctx, ref)
	if err != nil {
		return Refunded{}, err
	}
	if st := s.state(); st.State != Paid || st.Currency != currency || amount <= 0 || key == "" {
		return Refunded{}, &Error{Outcome: Refused, Reason: Invalid}
	}
	var known struct {
		Data []stripeRefund `json:"data"`
	}
	question := url.Values{"payment_intent": {s.Intent.ID}, "limit": {"100"}}
	if err := g.ask(ctx, http.MethodGet, "/v1/refunds", question, "", &known); err != nil {
		return Refunded{}, err
	}
	for _, r := range known.Data {
		switch {
		case r.Metadata["key"] != key:
		case r.Amount != amount:
			return Refunded{}, &Error{Outcome: Refused, Reason: Invalid}
		default:
			return r.refunded(), nil
		}
	}
	var r stripeRefund
	err = g.ask(ctx, http.MethodPost, "/v1/refunds", url.Values{"payment_intent": {s.Intent.ID},
		"amount": {strconv.FormatInt(int64(amount), 10)}, "metadata[key]": {key}}, key, &r)
	if err == nil && r.ID == "" {
		err = unanswered(http.MethodPost, http.StatusOK, true)
	}
	return r.refunded(), err
}

// pagesMost is how many pages of a list are read. More are a mistake of the span or of the provider.
const pagesMost = 1000

func (g stripe) List(ctx context.Context, from, to time.Time) ([]Status, error) {
	all := []Status{}
	question := url.Values{"created[gte]": {strconv.FormatInt(from.Unix(), 10)}, "created[lt]": {strconv.FormatInt(to.Unix(), 10)},
		"limit": {"100"}, "expand[]": {"data.payment_intent.latest_charge"}}
	for range pagesMost {
		var page struct {
			Data []stripeSession `json:"data"`
			More bool            `json:"has_more"`
		}
		if err := g.ask(ctx, http.MethodGet, "/v1/checkout/sessions", question, "", &page); err != nil {
			return nil, err
		}
		for _, s := range page.Data {
			all = append(all, s.state())
		}
		if !page.More || len(page.Data) == 0 {
			return all, nil
		}
		question.Set("starting_after", page.Data[len(page.Data)-1].ID)
	}
	return nil, &Error{Outcome: Later, Reason: Other}
}

// Event names the session of events about sessions, and our key in events about what belongs to one.
func (g stripe) Event(header http.Header, body []byte, now time.Time) (Event, error) {
	if !Signed(header.Get("Stripe-Signature"), g.EventSecrets, body, now) {
		return Event{}, ErrForged
	}
	var e struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		Live bool   `json:"livemode"`
		Data struct {
			Object struct {
				Object   string            `json:"object"`
				ID       string            `json:"id"`
				Key      string            `json:"client_reference_id"`
				Metadata map[string]string `json:"metadata"`
			} `json:"object"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &e) != nil || e.ID == "" || e.Live != g.Live {
		return Event{}, ErrForged
	}
	found := Event{ID: e.ID, Kind: e.Type, Key: e.Data.Object.Metadata["key"]}
	if e.Data.Object.Object == "checkout.session" {
		found.Ref, found.Key = e.Data.Object.ID, e.Data.Object.Key
	}
	return found, nil
}

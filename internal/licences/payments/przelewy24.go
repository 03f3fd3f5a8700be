package payments

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Przelewy24 writes local time, and servers may lack the zones

	"saldo/internal/kernel/money"
	"saldo/internal/platform/rest"
)

// Where Przelewy24 answers.
const (
	Przelewy24Address = "https://secure.przelewy24.pl"
	Przelewy24Sandbox = "https://sandbox.przelewy24.pl"
)

// Przelewy24Settings are an operator's settings for Przelewy24.
type Przelewy24Settings struct {
	Address  string // Przelewy24Address or Przelewy24Sandbox; another one only in tests
	Merchant int64
	Shop     int64  // posId; mostly the same as Merchant
	Key      string // for reports
	CRC      string // what both sides sign with

	Clock func() time.Time
	Trust *tls.Config // nil: the certificates of the system
}

type przelewy24 struct {
	Przelewy24Settings
	client
}

// NewPrzelewy24 gives a gateway to Przelewy24.
//
// Its session id is ours: our key, a dot and when the payment expires, so that State can say Expired, which Przelewy24 does not. It
// gives the money back unless the seller verifies the payment. State verifies what was paid, whatever the amount: whether it is the
// right one is for the caller to decide, who can refund it.
func NewPrzelewy24(s Przelewy24Settings) (Gateway, error) {
	if s.Merchant == 0 || s.Shop == 0 || s.Key == "" || s.CRC == "" {
		return nil, errors.New("payments: Przelewy24 needs merchant, shop, key and CRC")
	}
	c, err := newClient(s.Address, s.Trust, func(r *http.Request) { r.SetBasicAuth(strconv.FormatInt(s.Shop, 10), s.Key) })
	return przelewy24{s, c}, err
}

const (
	p24API     = "/api/v1/"
	limitMost  = 99 // minutes for paying
	sessionMax = 100
)

// p24Languages are the languages of ours that its page speaks; English for the others.
var p24Languages = map[string]string{"pl": "pl", "en": "en", "de": "de"}

// endOf is when a payment ends: Przelewy24 lets nobody pay after its limit.
func endOf(p Payment) time.Time {
	if end := p.CreatedAt.Add(limitMost * time.Minute); !p.CreatedAt.IsZero() && end.Before(p.ExpiresAt) {
		return end
	}
	return p.ExpiresAt
}

func sessionOf(p Payment) string { return p.Key + "." + strconv.FormatInt(endOf(p).Unix(), 10) }

func partsOf(session string) (key string, expires time.Time, ok bool) {
	at := strings.LastIndexByte(session, '.')
	if at < 1 {
		return "", time.Time{}, false
	}
	seconds, err := strconv.ParseInt(session[at+1:], 10, 64)
	return session[:at], time.Unix(seconds, 0).UTC(), err == nil
}

// checksum is SHA-384 of the fields as JSON, in the order in which they are declared, with nothing escaped that JSON does not ask for.
func checksum(fields any) string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(fields); err != nil {
		panic(err) // only numbers and texts
	}
	sum := sha512.Sum384(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

func equalChecksums(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func (g przelewy24) send(ctx context.Context, method, path string, what, answer any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return &Error{Outcome: Refused, Reason: Invalid}
	}
	status, err := g.call(ctx, rest.Request{Method: method, Path: p24API + path, Body: string(body),
		Header: map[string]string{"Content-Type": "application/json"}}, answer)
	if err == nil && !ok(status) {
		return byStatus(method, status)
	}
	return err
}

func (g przelewy24) ask(ctx context.Context, path string, question url.Values, answer any) error {
	status, err := g.call(ctx, rest.Request{Method: http.MethodGet, Path: p24API + path, Query: question}, answer)
	if err == nil && !ok(status) {
		return byStatus(http.MethodGet, status)
	}
	return err
}

func (g przelewy24) Start(ctx context.Context, p Payment) (Started, error) {
	session := sessionOf(p)
	if p.Amount <= 0 || p.Key == "" || len(session) > sessionMax || p.Currency != money.PLN && p.Currency != money.EUR {
		return Started{}, &Error{Outcome: Refused, Reason: Invalid}
	}
	language := p24Languages[p.Language]
	if language == "" {
		language = "en"
	}
	minutes := min(limitMost, max(1, int64(endOf(p).Sub(g.Clock())/time.Minute)))
	var answer struct {
		Data struct {
			Token string `json:"token"`
		} `json:"data"`
	}
	err := g.send(ctx, http.MethodPost, "transaction/register", map[string]any{"merchantId": g.Merchant, "posId": g.Shop,
		"sessionId": session, "amount": p.Amount, "currency": p.Currency, "description": p.Text, "email": p.Email, "country": "PL",
		"language": language, "urlReturn": p.Return, "urlStatus": p.Events, "timeLimit": minutes, "encoding": "UTF-8",
		"sign": checksum(struct {
			Session  string         `json:"sessionId"`
			Merchant int64          `json:"merchantId"`
			Amount   money.Amount   `json:"amount"`
			Currency money.Currency `json:"currency"`
			CRC      string         `json:"crc"`
		}{session, g.Merchant, p.Amount, p.Currency, g.CRC})}, &answer)
	if err == nil && answer.Data.Token == "" {
		err = unanswered(http.MethodPost, http.StatusOK, true)
	}
	if err != nil {
		return Started{}, err
	}
	return Started{Ref: session, URL: g.Base + "/trnRequest/" + url.PathEscape(answer.Data.Token), ExpiresAt: endOf(p)}, nil
}

type p24Transaction struct {
	Order    int64          `json:"orderId"`
	Session  string         `json:"sessionId"`
	Status   int            `json:"status"`
	Amount   money.Amount   `json:"amount"`
	Currency money.Currency `json:"currency"`
	Date     string         `json:"date"` // of its registration
}

// The statuses of a transaction.
const (
	p24Unpaid = iota
	p24Unverified
	p24Verified
	p24Returned
)

// transaction asks for one. Przelewy24 knows it only from the moment at which the person chooses how to pay.
func (g przelewy24) transaction(ctx context.Context, ref string) (p24Transaction, error) {
	key, _, ours := partsOf(ref)
	if !ours || key == "" {
		return p24Transaction{}, &Error{Outcome: Refused, Reason: NotFound}
	}
	var answer struct {
		Data p24Transaction `json:"data"`
	}
	err := g.ask(ctx, "transaction/by/sessionId/"+url.PathEscape(ref), nil, &answer)
	var e *Error
	if errors.As(err, &e) && e.Reason == NotFound {
		return p24Transaction{Session: ref}, nil
	}
	if err == nil && answer.Data.Session != ref {
		err = unanswered(http.MethodGet, http.StatusOK, true)
	}
	return answer.Data, err
}

// State verifies what was paid. Whoever else verified it meanwhile has done the same, so the transaction is looked at again.
func (g przelewy24) State(ctx context.Context, ref string) (Status, error) {
	t, err := g.transaction(ctx, ref)
	if err != nil {
		return Status{}, err
	}
	if t.Status == p24Unverified {
		wrong := g.verify(ctx, t)
		if t, err = g.transaction(ctx, ref); err != nil {
			return Status{}, err
		}
		if t.Status == p24Unverified {
			if wrong == nil {
				wrong = unanswered(http.MethodGet, http.StatusOK, true)
			}
			return Status{}, wrong
		}
	}
	st := t.state(g.Clock())
	if t.Status == p24Verified || t.Status == p24Returned {
		refunds, err := g.refunds(ctx, t.Order)
		if err != nil {
			return Status{}, err
		}
		for _, r := range refunds {
			if r.Status != p24RefundRejected {
				st.Refunded += r.Amount
			}
		}
		if t.Status == p24Returned && st.Refunded > 0 {
			st.State, st.Reason = Paid, ""
		}
	}
	return st, nil
}

// warsaw is the time that Przelewy24 writes.
var warsaw = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		panic(err)
	}
	return zone
}()

func (t p24Transaction) state(now time.Time) Status {
	key, expires, _ := partsOf(t.Session)
	st := Status{Ref: t.Session, Key: key, State: Pending, Amount: t.Amount, Currency: t.Currency}
	for _, layout := range []string{"2006-01-02 15:04:05", "200601021504"} {
		if at, err := time.ParseInLocation(layout, t.Date, warsaw); err == nil {
			st.At = at.UTC()
		}
	}
	switch {
	case t.Status == p24Verified:
		st.State = Paid
	case t.Status == p24Returned:
		st.State, st.Reason = Failed, Returned
	case t.Status == p24Unpaid && !expires.After(now):
		st.State, st.Reason = Expired, TimedOut
	}
	return st
}

func (g przelewy24) verify(ctx context.Context, t p24Transaction) error {
	var answer json.RawMessage
	return g.send(ctx, http.MethodPut, "transaction/verify", map[string]any{"merchantId": g.Merchant, "posId": g.Shop,
		"sessionId": t.Session, "amount": t.Amount, "currency": t.Currency, "orderId": t.Order,
		"sign": checksum(struct {
			Session  string         `json:"sessionId"`
			Order    int64          `json:"orderId"`
			Amount   money.Amount   `json:"amount"`
			Currency money.Currency `json:"currency"`
			CRC      string         `json:"crc"`
		}{t.Session, t.Order, t.Amount, t.Currency, g.CRC})}, &answer)
}

// Expire has nothing to call: the payment ends at its time limit.
func (g przelewy24) Expire(context.Context, string) error { return nil }

type p24Refund struct {
	Request string       `json:"requestId"`
	Status  int          `json:"status"`
	Amount  money.Amount `json:"amount"`
}

// The statuses of a refund; the others are on their way.
const (
	p24RefundDone     = 1
	p24RefundRejected = 4
)

func (g przelewy24) refunds(ctx context.Context, order int64) ([]p24Refund, error) {
	var answer struct {
		Data struct {
			Refunds []p24Refund `json:"refunds"`
		} `json:"data"`
	}
	err := g.ask(ctx, "refund/by/orderId/"+strconv.FormatInt(order, 10), nil, &answer)
	var e *Error
	if errors.As(err, &e) && e.Reason == NotFound {
		return nil, nil
	}
	return answer.Data.Refunds, err
}

// refundID is a key in 32 characters: Przelewy24 takes 45 and 35 of them.
func refundID(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// Refund is carried out later by Przelewy24. It takes a request id once, so two of us cannot refund twice.
func (g przelewy24) Refund(ctx context.Context, ref string, amount money.Amount, currency money.Currency, key string) (Refunded, error) {
	t, err := g.transaction(ctx, ref)
	if err != nil {
		return Refunded{}, err
	}
	if t.Status != p24Verified && t.Status != p24Returned || t.Currency != currency || amount <= 0 || key == "" {
		return Refunded{}, &Error{Outcome: Refused, Reason: Invalid}
	}
	id := refundID(key)
	refunds, err := g.refunds(ctx, t.Order)
	if err != nil {
		return Refunded{}, err
	}
	for _, r := range refunds {
		switch {
		case r.Request != id:
		case r.Amount != amount:
			return Refunded{}, &Error{Outcome: Refused, Reason: Invalid}
		case r.Status == p24RefundDone:
			return Refunded{id, Paid}, nil
		case r.Status == p24RefundRejected:
			return Refunded{id, Failed}, nil
		default:
			return Refunded{id, Pending}, nil
		}
	}
	var answer json.RawMessage
	err = g.send(ctx, http.MethodPost, "transaction/refund", map[string]any{"requestId": id, "refundsUuid": id, "refunds": []any{
		map[string]any{"orderId": t.Order, "sessionId": t.Session, "amount": amount, "description": "Refund"}}}, &answer)
	if err != nil {
		return Refunded{}, err
	}
	return Refunded{id, Pending}, nil
}

// List reads the history of days, which has payments that somebody began to pay. It is asked in pages.
func (g przelewy24) List(ctx context.Context, from, to time.Time) ([]Status, error) {
	all := []Status{}
	path, question := "report/history", url.Values{"type": {"transaction"}, "dateFrom": {from.In(warsaw).Format("20060102")},
		"dateTo": {to.In(warsaw).Format("20060102")}}
	for range pagesMost {
		var page struct {
			Data []struct {
				Amount   money.Amount   `json:"amount"`
				Currency money.Currency `json:"currency"`
				Details  p24Details     `json:"details"`
			} `json:"data"`
			Token string `json:"token"`
		}
		if err := g.ask(ctx, path, question, &page); err != nil {
			return nil, err
		}
		for _, entry := range page.Data {
			t := p24Transaction(entry.Details)
			t.Amount, t.Currency = entry.Amount, entry.Currency
			if st := t.state(g.Clock()); !st.At.Before(from) && st.At.Before(to) {
				all = append(all, st)
			}
		}
		if page.Token == "" {
			return all, nil
		}
		path, question = "report/history/"+url.PathEscape(page.Token), nil
	}
	return nil, &Error{Outcome: Later, Reason: Other}
}

// p24Details is one object, or a list of it.
type p24Details p24Transaction

func (d *p24Details) UnmarshalJSON(content []byte) error {
	var one p24Transaction
	if bytes.HasPrefix(content, []byte("[")) {
		var list []p24Transaction
		if err := json.Unmarshal(content, &list); err != nil {
			return err
		}
		if len(list) > 0 {
			one = list[0]
		}
	} else if err := json.Unmarshal(content, &one); err != nil {
		return err
	}
	*d = p24Details(one)
	return nil
}

// p24Paid is what is posted when something was paid, and p24Returning when a refund was carried out or rejected. The tags are the order
// in which the fields are signed.
type p24Paid struct {
	Merchant  int64          `json:"merchantId"`
	Shop      int64          `json:"posId"`
	Session   string         `json:"sessionId"`
	Amount    money.Amount   `json:"amount"`
	Asked     money.Amount   `json:"originAmount"`
	Currency  money.Currency `json:"currency"`
	Order     int64          `json:"orderId"`
	Method    int64          `json:"methodId"`
	Statement string         `json:"statement"`
	CRC       string         `json:"crc"`
}

type p24Returning struct {
	Order    int64          `json:"orderId"`
	Session  string         `json:"sessionId"`
	Refund   string         `json:"refundsUuid"`
	Merchant int64          `json:"merchantId"`
	Amount   money.Amount   `json:"amount"`
	Currency money.Currency `json:"currency"`
	Status   int            `json:"status"`
	CRC      string         `json:"crc"`
}

// Event has no instant that is signed, so an old one cannot be told from a new one. It causes no more than asking.
func (g przelewy24) Event(_ http.Header, body []byte, _ time.Time) (Event, error) {
	var paid p24Paid
	var returning p24Returning
	var said struct {
		Sign   string  `json:"sign"`
		Refund *string `json:"refundsUuid"`
	}
	if json.Unmarshal(body, &said) != nil || json.Unmarshal(body, &paid) != nil || json.Unmarshal(body, &returning) != nil {
		return Event{}, ErrForged
	}
	found := Event{Ref: paid.Session, Kind: "paid", ID: "paid:" + strconv.FormatInt(paid.Order, 10)}
	paid.CRC, returning.CRC = g.CRC, g.CRC
	want := checksum(paid)
	if said.Refund != nil {
		found.Kind, found.ID, want = "refund", "refund:"+returning.Refund+":"+strconv.Itoa(returning.Status), checksum(returning)
	}
	if !equalChecksums(said.Sign, want) || paid.Merchant != g.Merchant || said.Refund == nil && paid.Shop != g.Shop {
		return Event{}, ErrForged
	}
	key, _, ours := partsOf(found.Ref)
	if !ours {
		return Event{ID: found.ID, Kind: found.Kind}, nil // of another program of the same shop
	}
	found.Key = key
	return found, nil
}

package payfake

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/licences/payments"
)

// What Przelewy24 knows its customer of tests by.
const (
	P24Merchant = 4711
	P24Key      = "key-of-p24"
	P24CRC      = "crc-&<of>-p24"
)

// Przelewy24 is a Przelewy24 over HTTP: money that nobody verifies goes back after two hours.
type Przelewy24 struct {
	server
	payments []*p24Payment
	events   []Delivery
	zone     *time.Location
}

type p24Payment struct {
	session, token, email string
	order                 int64
	status                int
	begun                 bool // known to the questions of the seller
	asked, amount         money.Amount
	asIn, currency        money.Currency
	at, paid              time.Time
	refunds               []*p24Refund
}

type p24Refund struct {
	id     string
	amount money.Amount
	status int
}

// returnedAfter is when the money of an unverified payment goes back.
const returnedAfter = 2 * time.Hour

// NewPrzelewy24 starts one.
func NewPrzelewy24(t *testing.T, now func() time.Time) *Przelewy24 {
	p := &Przelewy24{}
	var err error
	if p.zone, err = time.LoadLocation("Europe/Warsaw"); err != nil {
		t.Fatal(err)
	}
	p.serve(t, now, p.answer)
	return p
}

// Name is "przelewy24".
func (p *Przelewy24) Name() string { return "przelewy24" }

// Settings are what a gateway needs.
func (p *Przelewy24) Settings() payments.Przelewy24Settings {
	return payments.Przelewy24Settings{Address: p.http.URL, Merchant: P24Merchant, Shop: P24Merchant, Key: P24Key, CRC: P24CRC,
		Clock: p.now, Trust: p.http.Client().Transport.(*http.Transport).TLSClientConfig}
}

// Gateway talks to it.
func (p *Przelewy24) Gateway() payments.Gateway {
	return made(p.t)(payments.NewPrzelewy24(p.Settings()))
}

// p24Request has the fields of every request.
type p24Request struct {
	Merchant int64          `json:"merchantId"`
	Shop     int64          `json:"posId"`
	Session  string         `json:"sessionId"`
	Order    int64          `json:"orderId"`
	Amount   money.Amount   `json:"amount"`
	Currency money.Currency `json:"currency"`
	Email    string         `json:"email"`
	Text     string         `json:"description"`
	Limit    int64          `json:"timeLimit"`
	Sign     string         `json:"sign"`
	ID       string         `json:"requestId"`
	UUID     string         `json:"refundsUuid"`
	Refunds  []p24Request   `json:"refunds"`
}

func (p *Przelewy24) answer(w http.ResponseWriter, r *http.Request) {
	if user, password, _ := r.BasicAuth(); user != strconv.Itoa(P24Merchant) || password != P24Key {
		p24Says(w, http.StatusUnauthorized, "Incorrect authentication")
		return
	}
	for _, payment := range p.payments {
		p.giveBack(payment)
	}
	var q p24Request
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			p24Says(w, http.StatusBadRequest, "Invalid input data")
			return
		}
	}
	path := strings.TrimPrefix(r.URL.Path, "/api/v1/")
	last := path[strings.LastIndexByte(path, '/')+1:]
	switch at := r.Method + " " + path; {
	case at == "POST transaction/register":
		p.register(w, q)
	case at == "PUT transaction/verify":
		p.verify(w, q)
	case at == "POST transaction/refund":
		p.refund(w, q)
	case strings.HasPrefix(at, "GET transaction/by/sessionId/"):
		payment := p.find(last)
		if payment == nil || !payment.begun {
			p24Says(w, http.StatusNotFound, "Transaction not found")
			return
		}
		p24Data(w, http.StatusOK, payment.object(p.zone))
	case strings.HasPrefix(at, "GET refund/by/orderId/"):
		p.listRefunds(w, last)
	case strings.HasPrefix(at, "GET report/history"):
		p.history(w, r, strings.TrimPrefix(strings.TrimPrefix(path, "report/history"), "/"))
	default:
		p.t.Errorf("Przelewy24: %s", at)
		p24Says(w, http.StatusNotFound, "Not found")
	}
}

// signs is what both sides make of the fields in their order.
func p24Sign(pairs ...any) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", pairs[i])
		if n, ok := pairs[i+1].(string); ok {
			b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(n) + `"`)
		} else {
			fmt.Fprintf(&b, "%d", pairs[i+1])
		}
	}
	b.WriteByte('}')
	sum := sha512.Sum384(b.Bytes())
	return hex.EncodeToString(sum[:])
}

func (p *Przelewy24) register(w http.ResponseWriter, q p24Request) {
	known := p.find(q.Session)
	switch {
	case q.Sign != p24Sign("sessionId", q.Session, "merchantId", q.Merchant, "amount", int64(q.Amount), "currency", string(q.Currency),
		"crc", P24CRC):
		p24Says(w, http.StatusBadRequest, "Incorrect CRC value")
		return
	case q.Merchant != P24Merchant, q.Shop != P24Merchant, len(q.Session) > 100, q.Amount <= 0, q.Email == "", q.Text == "",
		q.Limit < 1 || q.Limit > 99:
		p24Says(w, http.StatusBadRequest, "Invalid input data of "+q.Email)
		return
	case known != nil && (known.asked != q.Amount || known.asIn != q.Currency || known.begun):
		p24Says(w, http.StatusBadRequest, "Session was used already")
		return
	}
	if known == nil {
		n := len(p.payments) + 1
		known = &p24Payment{session: q.Session, token: fmt.Sprintf("token-%d", n), order: int64(1000 + n), asked: q.Amount, asIn: q.Currency,
			amount: q.Amount, currency: q.Currency, email: q.Email, at: p.now()}
		p.payments = append(p.payments, known)
	}
	p24Data(w, http.StatusOK, map[string]any{"token": known.token})
}

func (p *Przelewy24) verify(w http.ResponseWriter, q p24Request) {
	payment := p.find(q.Session)
	switch {
	case payment == nil || payment.order != q.Order || payment.status != 1,
		payment.amount != q.Amount || payment.currency != q.Currency:
		p24Says(w, http.StatusBadRequest, "Transaction not found")
		return
	case q.Sign != p24Sign("sessionId", q.Session, "orderId", q.Order, "amount", int64(q.Amount), "currency", string(q.Currency),
		"crc", P24CRC):
		p24Says(w, http.StatusBadRequest, "Incorrect CRC value")
		return
	}
	payment.status = 2
	p24Data(w, http.StatusOK, map[string]any{"status": "success"})
}

func (p *Przelewy24) refund(w http.ResponseWriter, q p24Request) {
	if len(q.Refunds) != 1 || len(q.ID) > 45 || len(q.UUID) > 35 || q.ID == "" || q.UUID == "" {
		p24Says(w, http.StatusBadRequest, "Invalid input data")
		return
	}
	payment := p.find(q.Refunds[0].Session)
	if payment == nil || payment.status < 2 || payment.order != q.Refunds[0].Order {
		p24Says(w, http.StatusNotFound, "Transaction not found")
		return
	}
	amount := q.Refunds[0].Amount
	if payment.refunded()+amount > payment.amount {
		p24Says(w, http.StatusConflict, "The amount of refund exceeds available amount of "+payment.email)
		return
	}
	for _, r := range payment.refunds {
		if r.id == q.ID {
			p24Says(w, http.StatusConflict, "Request id was used already")
			return
		}
	}
	payment.refunds = append(payment.refunds, &p24Refund{q.ID, amount, 3})
	p24Data(w, http.StatusCreated, []any{map[string]any{"orderId": payment.order, "sessionId": payment.session, "amount": amount,
		"status": true, "message": "success"}})
}

func (p *Przelewy24) listRefunds(w http.ResponseWriter, order string) {
	for _, payment := range p.payments {
		if strconv.FormatInt(payment.order, 10) != order || len(payment.refunds) == 0 {
			continue
		}
		list := []any{}
		for _, r := range payment.refunds {
			list = append(list, map[string]any{"requestId": r.id, "amount": r.amount, "status": r.status})
		}
		p24Data(w, http.StatusOK, map[string]any{"orderId": payment.order, "sessionId": payment.session, "amount": payment.amount,
			"currency": payment.currency, "refunds": list})
		return
	}
	p24Says(w, http.StatusNotFound, "Refunds not found")
}

// history gives the payments of days, two on a page.
func (p *Przelewy24) history(w http.ResponseWriter, r *http.Request, token string) {
	from, to, after := r.FormValue("dateFrom"), r.FormValue("dateTo"), 0
	if token != "" {
		parts := strings.Split(token, "-")
		from, to = parts[0], parts[1]
		after, _ = strconv.Atoi(parts[2])
	}
	list, next := []any{}, ""
	for i, payment := range p.payments {
		day := payment.at.In(p.zone).Format("20060102")
		if i < after || !payment.begun || day < from || day > to {
			continue
		}
		if len(list) == 2 {
			next = fmt.Sprintf("%s-%s-%d", from, to, i)
			break
		}
		list = append(list, map[string]any{"type": "transaction", "amount": payment.amount, "currency": payment.currency,
			"details": payment.object(p.zone)})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"data": list, "token": next, "responseCode": 0})
}

func (p *p24Payment) object(zone *time.Location) map[string]any {
	return map[string]any{"statement": "p24-A1", "orderId": p.order, "sessionId": p.session, "status": p.status, "amount": p.amount,
		"currency": p.currency, "date": p.at.In(zone).Format("2006-01-02 15:04:05"), "clientEmail": p.email, "paymentMethod": 154}
}

func (p *p24Payment) refunded() (amount money.Amount) {
	for _, r := range p.refunds {
		if r.status != 4 {
			amount += r.amount
		}
	}
	return amount
}

func (p *Przelewy24) find(session string) *p24Payment {
	for _, payment := range p.payments {
		if payment.session == session {
			return payment
		}
	}
	return nil
}

func (p *Przelewy24) giveBack(payment *p24Payment) {
	if payment.status == 1 && p.now().Sub(payment.paid) >= returnedAfter {
		payment.status = 3
	}
}

func (p *Przelewy24) act(ref string, do func(payment *p24Payment)) {
	p.t.Helper()
	p.state.Lock()
	defer p.state.Unlock()
	payment := p.find(ref)
	if payment == nil {
		p.t.Fatalf("Przelewy24 has no session %q", ref)
	}
	p.giveBack(payment)
	do(payment)
}

// Ref is the session, which has our key in it.
func (p *Przelewy24) Ref(key string) string {
	p.state.Lock()
	defer p.state.Unlock()
	for _, payment := range p.payments {
		if strings.HasPrefix(payment.session, key+".") {
			return payment.session
		}
	}
	return ""
}

// Pay pays what was asked for.
func (p *Przelewy24) Pay(ref string) {
	p.act(ref, func(payment *p24Payment) { p.pay(payment, payment.asked, payment.asIn) })
}

// PayOther pays something else.
func (p *Przelewy24) PayOther(ref string, amount money.Amount, currency money.Currency) {
	p.act(ref, func(payment *p24Payment) { p.pay(payment, amount, currency) })
}

func (p *Przelewy24) pay(payment *p24Payment, amount money.Amount, currency money.Currency) {
	payment.begun, payment.status, payment.paid, payment.amount, payment.currency = true, 1, p.now(), amount, currency
	p.tell(map[string]any{"merchantId": P24Merchant, "posId": P24Merchant, "sessionId": payment.session, "amount": amount,
		"originAmount": payment.asked, "currency": currency, "orderId": payment.order, "methodId": 154, "statement": "p24-<A>&1"})
}

// Hold is a bank transfer that the person has ordered.
func (p *Przelewy24) Hold(ref string) {
	p.act(ref, func(payment *p24Payment) { payment.begun = true })
}

// Refuse changes nothing that the seller sees: the person may try again.
func (p *Przelewy24) Refuse(ref string) bool {
	p.act(ref, func(payment *p24Payment) { payment.begun = true })
	return false
}

// Expire changes nothing: nobody is told that a payment ended.
func (p *Przelewy24) Expire(string) {}

// FinishRefunds carries refunds out and tells so.
func (p *Przelewy24) FinishRefunds() {
	p.state.Lock()
	defer p.state.Unlock()
	for _, payment := range p.payments {
		for _, r := range payment.refunds {
			if r.status == 3 {
				r.status = 1
				p.tell(map[string]any{"orderId": payment.order, "sessionId": payment.session, "refundsUuid": r.id, "requestId": r.id,
					"merchantId": P24Merchant, "amount": r.amount, "currency": payment.currency, "status": 0})
			}
		}
		if payment.status == 2 && payment.refunded() == payment.amount {
			payment.status = 3
		}
	}
}

func (p *Przelewy24) tell(event map[string]any) {
	body, _ := json.Marshal(event)
	p.events = append(p.events, p.Resign(Delivery{Body: body}))
}

// Deliveries are the events not asked for yet.
func (p *Przelewy24) Deliveries() []Delivery {
	p.state.Lock()
	defer p.state.Unlock()
	events := p.events
	p.events = nil
	return events
}

// Resign gives the same: what is signed has no instant.
func (p *Przelewy24) Resign(d Delivery) Delivery { return p24Signed(d, P24CRC) }

// Forge signs with another CRC.
func (p *Przelewy24) Forge(d Delivery) Delivery { return p24Signed(d, "crc-of-somebody") }

func p24Signed(d Delivery, crc string) Delivery {
	var event map[string]any
	decoder := json.NewDecoder(bytes.NewReader(d.Body))
	decoder.UseNumber()
	_ = decoder.Decode(&event)
	order := []string{"merchantId", "posId", "sessionId", "amount", "originAmount", "currency", "orderId", "methodId", "statement"}
	if event["refundsUuid"] != nil {
		order = []string{"orderId", "sessionId", "refundsUuid", "merchantId", "amount", "currency", "status"}
	}
	pairs := []any{}
	for _, name := range order {
		value := event[name]
		if n, ok := value.(json.Number); ok {
			value, _ = n.Int64()
		}
		pairs = append(pairs, name, value)
	}
	event["sign"] = p24Sign(append(pairs, "crc", crc)...)
	body, _ := json.Marshal(event)
	return Delivery{http.Header{"Content-Type": {"application/json"}}, body}
}

// Payments counts those registered.
func (p *Przelewy24) Payments() int {
	p.state.Lock()
	defer p.state.Unlock()
	return len(p.payments)
}

// Refunded is how much was given back, or will be.
func (p *Przelewy24) Refunded(ref string) (amount money.Amount) {
	p.act(ref, func(payment *p24Payment) { amount = payment.refunded() })
	return amount
}

// Kept says whether a payment was verified.
func (p *Przelewy24) Kept(ref string) (kept bool) {
	p.act(ref, func(payment *p24Payment) { kept = payment.status == 2 })
	return kept
}

func p24Says(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": message, "code": status})
}

func p24Data(w http.ResponseWriter, status int, data any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "responseCode": 0})
}

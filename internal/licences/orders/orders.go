// Package orders sells units of licences: what can be bought, what was ordered, how it is paid and what of it goes back. An order that is
// paid gives its units once, whatever a provider tells how often and in which order; everything else may be repeated.
//
// A provider is never called inside a unit of work. What it posts is not believed: it is asked for the state of the payment, and what it
// answers is compared with what was asked for.
package orders

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/payments"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

var (
	// ErrClosed is the answer where nothing can be bought: the operator has no way to take money, or is not named for invoices.
	ErrClosed    = fault.Declare(fault.Conflict, "licences.closed")
	ErrNoPackage = fault.Declare(fault.NotFound, "licences.no_package")
	ErrNoOrder   = fault.Declare(fault.NotFound, "licences.no_order")
	// ErrInvalid names wrong fields of an order.
	ErrInvalid = fault.Declare(fault.Invalid, "licences.order_invalid")
	// ErrPrice is the answer to an order at another price than that of now.
	ErrPrice = fault.Declare(fault.Conflict, "licences.price_changed")
	// ErrPaid is the answer to paying or cancelling what is paid.
	ErrPaid = fault.Declare(fault.Conflict, "licences.paid")
	// ErrReview is the answer to paying an order of which another amount arrived.
	ErrReview = fault.Declare(fault.Conflict, "licences.in_review")
	// ErrOnTheWay is the answer to cancelling a payment that the provider is working on.
	ErrOnTheWay = fault.Declare(fault.Conflict, "licences.on_the_way")
	// ErrProvider is the answer where a provider could not be asked. Nothing was changed.
	ErrProvider = fault.Declare(fault.Busy, "licences.provider_unavailable")
	// ErrForged is the answer to an event that is not from the provider.
	ErrForged = fault.Declare(fault.Forbidden, "licences.event_refused")
)

// State is where an order stands.
type State string

// The states.
const (
	Draft     State = "draft"
	Started   State = "started" // waits for the money
	Success   State = "success"
	Failed    State = "failed"
	Abandoned State = "abandoned" // nobody paid in time, or it was cancelled
	Review    State = "review"    // something else was paid than was asked for
	Refunded  State = "refunded"  // part of the money or all went back
)

// States are all states, for the contract.
var States = []State{Draft, Started, Success, Failed, Abandoned, Review, Refunded}

// Reasons are why a payment may fail, for the contract.
var Reasons = []payments.Reason{payments.Declined, payments.NoFunds, payments.Cancelled, payments.TimedOut, payments.Returned,
	payments.NotFound, payments.Unauthorized, payments.Invalid, payments.Busy, payments.NoAnswer, payments.Other}

// Service sells.
type Service struct {
	DB        *db.DB
	Vault     *vault.Vault
	Instance  config.Instance
	Mails     *mail.Queue
	Log       *slog.Logger
	PublicURL string
	Gateways  map[string]payments.Gateway
	Providers []string // names of gateways in the order in which they are offered
	Invoices  *invoicing.Service
}

// Order is what was ordered, by value.
type Order struct {
	ID, Number             string
	PackageNames           map[i18n.Language]string `db:"-"`
	Quantity, Units        int64
	NetPrice               money.Amount
	VATRate                money.Rate
	ReverseCharge          bool
	Currency               money.Currency
	Net, VAT, Gross        money.Amount
	Language               i18n.Language
	State                  State
	Reason                 payments.Reason
	Attempts               int64
	Provider               string // of the last attempt
	URL                    string // where it can be paid now; empty: nowhere
	CreatedAt              time.Time
	CreatedBy              string
	PaidAt                 time.Time
	PaidAttempt            string
	Refunded               money.Amount
	RefundedUnits, Version int64
}

type orderRow struct {
	Order
	Names, BuyerSealed string
}

const orderColumns = `o.id, o.number, o.package_names AS names, o.quantity, o.units, o.net_price, o.vat_rate, o.reverse_charge, o.currency,
	o.net, o.vat, o.gross, o.language, o.state, o.reason, o.attempts, COALESCE(a.provider, '') AS provider,
	CASE WHEN a.state = 'pending' AND o.state = 'started' THEN a.url ELSE '' END AS url, o.created_at, o.created_by, o.paid_at, o.paid_attempt,
	o.refunded, o.refunded_units, o.version, o.buyer_sealed`

// fromOrders are orders o with their last attempt a.
const fromOrders = ` FROM licence_orders o LEFT JOIN payment_attempts a ON a.tenant_id = o.tenant_id AND a.order_id = o.id
	AND a.n = o.attempts
	WHERE o.tenant_id = $1`

func many(tx *db.Tx, where string, args ...any) ([]orderRow, error) {
	rows, err := db.Select[orderRow](tx, `SELECT `+orderColumns+fromOrders+where, args...)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if err := json.Unmarshal([]byte(rows[i].Names), &rows[i].PackageNames); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func one(tx *db.Tx, id string) (orderRow, error) {
	rows, err := many(tx, ` AND o.id = $2`, id)
	if err == nil && len(rows) == 0 {
		return orderRow{}, ErrNoOrder
	}
	if err != nil {
		return orderRow{}, err
	}
	return rows[0], nil
}

// Get is an order with its buyer.
func (s *Service) Get(tx *db.Tx, id string) (Order, Buyer, error) {
	row, err := one(tx, id)
	if err != nil {
		return Order{}, Buyer{}, err
	}
	b, err := s.unsealed(tx, row.BuyerSealed)
	return row.Order, b, err
}

// Wanted is what somebody orders.
type Wanted struct {
	Package  string
	Quantity int64
	Buyer    Buyer
	Expects  money.Amount // gross, as they saw it
	Language i18n.Language
}

// Place writes down an order at the price that the buyer saw. Nothing is paid yet.
func (s *Service) Place(tx *db.Tx, w Wanted) (Order, error) {
	if why := s.Closed(); why != "" {
		return Order{}, ErrClosed.With("reason", why)
	}
	buyer, err := s.checkedBuyer(w.Buyer)
	if err != nil {
		return Order{}, err
	}
	q, err := s.Quote(tx, w.Package, w.Quantity, buyer.Country)
	if err != nil {
		return Order{}, err
	}
	if q.Gross != w.Expects {
		return Order{}, ErrPrice.With("gross", int64(q.Gross))
	}
	if err := s.Invoices.Check(tx, invoicing.Sale{Text: q.Package.Names[s.Invoices.Language()], Quantity: q.Quantity,
		NetPrice: q.Package.NetPrice,
		Net:      q.Net, VAT: q.VAT, VATRate: q.VATRate, ReverseCharge: q.ReverseCharge, Currency: q.Package.Currency,
		Buyer: buyer.party()}); err != nil {
		return Order{}, err
	}
	own, err := partners.Own(tx)
	if err != nil {
		return Order{}, err
	}
	place, err := db.One[int64](tx, `INSERT INTO licence_series (tenant_id, series, last) VALUES ($1, 'orders', 1)
		ON CONFLICT (tenant_id, series) DO UPDATE SET last = licence_series.last + 1 RETURNING last`)
	if err != nil {
		return Order{}, err
	}
	sealed, err := s.seal(tx, buyer)
	if err != nil {
		return Order{}, err
	}
	id, number := tx.NewID(), fmt.Sprintf("L/%s/%d", strings.ToUpper(own.Code), place)
	if _, err := tx.Exec(`INSERT INTO licence_orders (tenant_id, id, place, number, package_id, package_names, quantity, units, net_price,
		vat_rate, reverse_charge, currency, net, vat, gross, buyer_sealed, language, state, reason, attempts, created_at, created_by, paid_at,
		paid_attempt, refunded, refunded_units, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
		'draft', '', 0, $18, $19, '', '', 0, 0, 1)`, id, place, number, q.Package.ID, db.JSON(q.Package.Names), q.Quantity, q.Units,
		int64(q.Package.NetPrice), int64(q.VATRate), q.ReverseCharge, string(q.Package.Currency), int64(q.Net), int64(q.VAT), int64(q.Gross),
		sealed, string(w.Language), tx.Now, tx.Actor.Name); err != nil {
		return Order{}, err
	}
	if err := s.remember(tx, sealed); err != nil {
		return Order{}, err
	}
	if err := audit.Record(tx, audit.Change{Action: "licences.order", Kind: "licence_order", ID: id,
		After: map[string]any{"number": number, "units": q.Units, "gross": q.Gross}}); err != nil {
		return Order{}, err
	}
	row, err := one(tx, id)
	return row.Order, err
}

// Filter chooses orders; what is empty chooses all.
type Filter struct {
	From, To calendar.Date // days of ordering on the clock of the instance
	States   []State
}

func (s *Service) where(f Filter) (text string, args []any, err error) {
	for _, bound := range []struct {
		field, sign string
		day         calendar.Date
		add         int
	}{{"from", ">=", f.From, 0}, {"to", "<", f.To, 1}} {
		if bound.day == "" {
			continue
		}
		if !bound.day.Exists() {
			return "", nil, ErrInvalid.Field(bound.field, fault.WrongFormat)
		}
		start, err := time.ParseInLocation(time.DateOnly, string(bound.day.AddDays(bound.add)), s.Instance.Location())
		if err != nil {
			return "", nil, err
		}
		args = append(args, start)
		text += fmt.Sprintf(` AND o.created_at %s $%d`, bound.sign, len(args)+1)
	}
	if len(f.States) > 0 {
		in, states := db.Among(len(args)+2, f.States)
		text, args = text+` AND o.state`+in, append(args, states...)
	}
	return text, args, nil
}

// History is a page of orders, newest first, with the sums of all that the filter chooses. Only what was paid counts.
type History struct {
	Items           []Order
	Total           int64
	Net, VAT, Gross money.Amount
	Units           int64
	Refunded        money.Amount
}

// History lists orders.
func (s *Service) History(tx *db.Tx, f Filter, page, size int64) (h History, err error) {
	where, args, err := s.where(f)
	if err != nil {
		return h, err
	}
	sums, err := db.One[struct {
		Total, Units    int64
		Net, VAT, Gross money.Amount
		Refunded        money.Amount
	}](tx, `SELECT COUNT(*) AS total, CAST(COALESCE(SUM(CASE WHEN o.paid_at <> '' THEN o.units - o.refunded_units END), 0) AS BIGINT) AS units,
		CAST(COALESCE(SUM(CASE WHEN o.paid_at <> '' THEN o.net END), 0) AS BIGINT) AS net,
		CAST(COALESCE(SUM(CASE WHEN o.paid_at <> '' THEN o.vat END), 0) AS BIGINT) AS vat,
		CAST(COALESCE(SUM(CASE WHEN o.paid_at <> '' THEN o.gross END), 0) AS BIGINT) AS gross,
		CAST(COALESCE(SUM(o.refunded), 0) AS BIGINT) AS refunded FROM licence_orders o WHERE o.tenant_id = $1`+where, args...)
	if err != nil {
		return h, err
	}
	h = History{Total: sums.Total, Net: sums.Net, VAT: sums.VAT, Gross: sums.Gross, Units: sums.Units, Refunded: sums.Refunded}
	rows, err := many(tx, where+fmt.Sprintf(` ORDER BY o.created_at DESC, o.id DESC LIMIT $%d OFFSET $%d`, len(args)+2, len(args)+3),
		append(args, size, (page-1)*size)...)
	for i := range rows {
		h.Items = append(h.Items, rows[i].Order)
	}
	return h, err
}

// Closed is why nothing can be bought, as a code; empty: it can.
func (s *Service) Closed() string {
	switch {
	case len(s.Providers) == 0:
		return "no_provider"
	case s.Invoices.Seller == nil:
		return "no_seller"
	}
	return ""
}

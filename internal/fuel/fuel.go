// Package fuel shows drivers and their partner the fuel cards: refuellings with what files say of them, what is charged next, limits and
// how much of them is used, and what looks odd. It counts nothing that a settlement counts.
package fuel

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/fuel/details"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/ledger/kinds"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/vault"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

var (
	// ErrOff is the answer where the operator has not switched fuel cards on for the partner, and to whoever the partner has not accepted.
	ErrOff     = fault.Declare(fault.NotFound, "fuel.off")
	ErrNoCard  = fault.Declare(fault.NotFound, "fuel.card_not_found")
	ErrInvalid = fault.Declare(fault.Invalid, "fuel.invalid")
	// ErrChanged is the answer to saving a card that somebody changed since it was read.
	ErrChanged = fault.Declare(fault.Conflict, "fuel.changed")
)

// Service reads and keeps what is known of fuel cards.
type Service struct {
	Vault       *vault.Vault
	Instance    config.Instance
	Settlements *settlements.Service
}

// Side is who looks: a driver sees settlements that were shared, and not what looks odd.
type Side bool

// The sides.
const (
	Driver  Side = true
	Partner Side = false
)

// DriverFuel is the fuel of a driver within some days: litres and gross of fuel alone, refuellings newest first. Next is null where no
// fuel is open.
type DriverFuel struct {
	Millilitres int64        `json:"millilitres"`
	Gross       money.Amount `json:"gross"`
	Next        *NextCharge  `json:"next"`
	Cards       []DriverCard `json:"cards" nullable:"false"`
	Refuellings []Refuelling `json:"refuellings" nullable:"false"`
}

// NextCharge is what the settlement charges in which the oldest open refuelling will be, as far as it is known now.
type NextCharge struct {
	_      struct{}        `nullable:"true"`
	Period calendar.Period `json:"period"`
	Cost   money.Amount    `json:"cost"`
	Refund money.Amount    `json:"refund"`
}

// Refuelling is a purchase with a fuel card, or fuel that was charged otherwise. Zero and empty: not known. What was paid back has a gross
// below zero; a correction takes a part of a settled one off. The price is in thousandths of a minor unit for a litre. Period and
// settlement are those in which it was settled, and oddities are told to the partner.
type Refuelling struct {
	ID           string          `json:"id"`
	On           calendar.Date   `json:"on"`
	At           *time.Time      `json:"at"`
	Type         string          `json:"type"`
	Card         string          `json:"card"`
	Station      string          `json:"station"`
	Town         string          `json:"town"`
	Product      string          `json:"product"`
	Millilitres  int64           `json:"millilitres"`
	UnitPrice    int64           `json:"unitPrice"`
	Gross        money.Amount    `json:"gross"`
	Odometer     int64           `json:"odometer"`
	Correction   bool            `json:"correction"`
	Period       calendar.Period `json:"period"`
	SettlementID string          `json:"settlementId"`
	Odd          []Oddity        `json:"odd" nullable:"false"`

	provider, card, kind, plate string
}

// Days is the span of an overview.
type Days struct{ From, To calendar.Date }

const (
	// daysMax is how many days an overview may have, and how far back cards are looked for.
	daysMax = 400
	// daysUsual is how many days it has if nobody says which.
	daysUsual = 13 * 7
)

// DaysOf are the days asked for; none: the last thirteen weeks.
func DaysOf(from, to string, today calendar.Date) (Days, error) {
	if from == "" && to == "" {
		return Days{today.AddDays(1 - daysUsual), today}, nil
	}
	first, err := calendar.ParseDate(from)
	if err != nil {
		return Days{}, ErrInvalid.Field("from", fault.WrongFormat)
	}
	last, err := calendar.ParseDate(to)
	if err != nil || last < first || last.DaysSince(first) >= daysMax {
		return Days{}, ErrInvalid.Field("to", fault.WrongFormat)
	}
	return Days{first, last}, nil
}

// Of is the fuel of a driver, where the partner has the feature.
func (s *Service) Of(tx *db.Tx, driver string, days Days, side Side) (o DriverFuel, err error) {
	if err := allowed(tx, driver, side); err != nil {
		return o, err
	}
	today := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	o = DriverFuel{Refuellings: []Refuelling{}}
	since := min(days.From, today.AddDays(-daysMax))
	all, err := s.refuellings(tx, driver, since, max(days.To, today), side)
	if err != nil {
		return o, err
	}
	if o.Cards, err = s.cards(tx, driver, all, today); err != nil {
		return o, err
	}
	if side == Partner {
		mark(all, o.Cards)
	}
	for _, r := range slices.Backward(all) {
		if r.On < days.From || r.On > days.To {
			continue
		}
		if r.Type == fuelType {
			o.Millilitres += r.Millilitres
			if o.Gross, err = o.Gross.Add(r.Gross); err != nil {
				return o, err
			}
		}
		o.Refuellings = append(o.Refuellings, r)
	}
	o.Next, err = s.next(tx, driver, all)
	return o, err
}

const fuelType = "FUEL"

// allowed says whether the fuel of a driver is shown at all. Whoever is blocked sees nothing of it.
func allowed(tx *db.Tx, driver string, side Side) error {
	on, err := partners.Has(tx, partners.Fuel)
	switch {
	case err != nil:
		return err
	case !on || driver == "":
		return ErrOff
	}
	d, err := db.One[struct{ Blocked bool }](tx, `SELECT blocked FROM drivers WHERE tenant_id = $1 AND id = $2`, driver)
	switch {
	case errors.Is(err, db.ErrNone):
		return drivers.ErrNotFound
	case err == nil && d.Blocked && side == Driver:
		return ErrOff
	}
	return err
}

// providers are those of fuel cards.
var providers = func() (codes []string) {
	for _, p := range kinds.Providers {
		if p.Group == kinds.FuelCards {
			codes = append(codes, p.Code)
		}
	}
	return codes
}()

// stored is a row with what the last file that contains it says of it. A correction has what is left of its litres without those of the
// settled row that it corrects.
type stored struct {
	ID, Provider, Type, Description string
	Amount                          money.Amount
	OccurredAt                      time.Time
	OccurredOn                      calendar.Date
	Corrects                        string
	SettlementID                    string
	Period                          calendar.Period
	SharedAt                        time.Time
	details.Facts
}

// refuellings are a driver's purchases of the days, oldest first.
func (s *Service) refuellings(tx *db.Tx, driver string, from, to calendar.Date, side Side) ([]Refuelling, error) {
	in, args := db.Among(5, providers)
	rows, err := db.Select[stored](tx, `SELECT t.id, t.provider, t.type, t.description, t.amount, t.occurred_at, t.occurred_on, t.corrects,
		t.settlement_id, COALESCE(s.period, '') AS period, COALESCE(s.shared_at, '') AS shared_at,
		COALESCE(r.card, q.card, '') AS card, COALESCE(r.card_kind, q.card_kind, '') AS card_kind, COALESCE(r.plate, q.plate, '') AS plate,
		COALESCE(r.station, q.station, '') AS station, COALESCE(r.town, q.town, '') AS town, COALESCE(r.product, q.product, '') AS product,
		COALESCE(r.millilitres, 0) - COALESCE(q.millilitres, 0) AS millilitres, COALESCE(r.unit_price, 0) AS unit_price,
		COALESCE(r.odometer, 0) AS odometer
		FROM transactions t LEFT JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
		LEFT JOIN transactions c ON c.tenant_id = t.tenant_id AND c.id = t.corrects AND t.corrects <> ''`+
		details.Join("t", "r")+details.Join("c", "q")+`
		WHERE t.tenant_id = $1 AND t.driver_id`+drivers.Those("$2")+` AND t.occurred_on BETWEEN $3 AND $4 AND t.deleted_at = ''
		AND (t.provider`+in+` OR t.type = 'FUEL')`, append([]any{driver, string(from), string(to)}, args...)...)
	if err != nil {
		return nil, err
	}
	list := make([]Refuelling, len(rows))
	for i := range rows {
		list[i] = s.shown(tx.Actor.Tenant, &rows[i], side)
	}
	slices.SortFunc(list, func(a, b Refuelling) int {
		return cmp.Or(cmp.Compare(a.On, b.On), a.time().Compare(b.time()), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

func (r *Refuelling) time() time.Time {
	if r.At == nil {
		return time.Time{}
	}
	return *r.At
}

func (s *Service) shown(tenant string, t *stored, side Side) Refuelling {
	r := Refuelling{ID: t.ID, On: t.OccurredOn, Type: t.Type, Station: t.Station, Town: t.Town, Product: cmp.Or(t.Product, t.Description),
		UnitPrice: t.UnitPrice, Gross: -t.Amount, Odometer: t.Odometer, Correction: t.Corrects != "", Odd: []Oddity{},
		provider: t.Provider, card: t.Card, kind: t.CardKind, plate: t.Plate}
	if !t.OccurredAt.IsZero() {
		r.At = &t.OccurredAt
	}
	if t.Card != "" {
		r.Card = s.idOf(tenant, t.Provider, t.Card)
	}
	if t.Type == fuelType {
		r.Millilitres = t.Millilitres
	}
	if t.Type != fuelType || r.Correction {
		r.UnitPrice = 0
	}
	if t.SettlementID != "" && (side == Partner || !t.SharedAt.IsZero()) {
		r.Period, r.SettlementID = t.Period, t.SettlementID
	}
	return r
}

// next is what the settlement charges that the oldest open fuel will be in. Its week may begin on another day than Monday, and it may
// have several.
func (s *Service) next(tx *db.Tx, driver string, all []Refuelling) (*NextCharge, error) {
	open, err := db.One[calendar.Date](tx, `SELECT COALESCE(MIN(occurred_on), '') FROM transactions WHERE tenant_id = $1
		AND driver_id = $2 AND type = 'FUEL' AND settlement_id = '' AND deleted_at = ''`, driver)
	if err != nil || open == "" {
		return nil, err
	}
	week := calendar.PeriodOf(open, 1).Prev()
	for range 6 {
		e, err := s.Settlements.ExplainPending(tx, driver, week)
		if err != nil && !errors.Is(err, settlements.ErrNotFound) {
			return nil, err
		}
		if err == nil && e.Computed.First <= open && open <= e.Computed.Last {
			return &NextCharge{Period: week, Cost: e.Computed.Figures[engine.FuelCost], Refund: e.Computed.Figures[engine.FuelRefund]}, nil
		}
		week = week.Next()
	}
	return nil, nil
}

// idOf names a card without telling its number.
func (s *Service) idOf(tenant, provider, number string) string {
	sum := s.Vault.Fingerprint(tenant, "fuel card", []byte(provider+" "+number))
	return sum[strings.LastIndexByte(sum, '.')+1:][:22]
}

// masked is a card's number as people see it: its last four digits, of a short one fewer.
func masked(number string) string {
	return "•••• " + number[max(0, len(number)-min(4, len(number)/2)):]
}

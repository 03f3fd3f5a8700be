package fuel

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// CardLimits are what a partner types of a card: litres in millilitres, the discount for a litre. 0 and empty: none, or not known; the
// version is 0 while nothing was typed.
type CardLimits struct {
	Version     int64         `json:"version" minimum:"0"`
	Plate       string        `json:"plate"`
	Tank        int64         `json:"tank"`
	Day         int64         `json:"day"`
	Month       int64         `json:"month"`
	MonthAmount money.Amount  `json:"monthAmount"`
	Discount    money.Amount  `json:"discount"`
	ValidFrom   calendar.Date `json:"validFrom"`
	ValidTo     calendar.Date `json:"validTo"`
}

// DriverCard is a fuel card of a driver: its masked number, whether it was issued for a car (S) or a person (K), and what was used today
// and this month. The amount is that of all purchases, the litres are those of fuel.
type DriverCard struct {
	ID         string `json:"id"`
	Provider   string `json:"provider"`
	Number     string `json:"number"`
	Kind       string `json:"kind" enum:",S,K"`
	CardLimits `json:"limits"`
	UsedDay    int64        `json:"usedDay"`
	UsedMonth  int64        `json:"usedMonth"`
	UsedAmount money.Amount `json:"usedAmount"`

	number string
}

type storedCard struct {
	Provider, Card             string
	Version                    int64
	Plate                      string
	Tank, DayLimit, MonthLimit int64
	MonthAmount, Discount      money.Amount
	ValidFrom, ValidTo         calendar.Date
	ChangedAt                  time.Time
}

// cards are those that a driver used or is known by, with what is typed of them and what was used up to today. Refuellings come oldest
// first, so the last one says what a card is.
func (s *Service) cards(tx *db.Tx, driver string, all []Refuelling, today calendar.Date) ([]DriverCard, error) {
	found := []DriverCard{}
	card := func(provider, number string) *DriverCard {
		id := s.idOf(tx.Actor.Tenant, provider, number)
		at := slices.IndexFunc(found, func(c DriverCard) bool { return c.ID == id })
		if at < 0 {
			at = len(found)
			found = append(found, DriverCard{ID: id, Provider: provider, Number: masked(number), number: number})
		}
		return &found[at]
	}
	in, args := db.Among(3, providers)
	known, err := db.Select[drivers.Identity](tx, `SELECT provider, value FROM driver_identities WHERE tenant_id = $1 AND driver_id = $2
		AND provider`+in, append([]any{driver}, args...)...)
	if err != nil {
		return nil, err
	}
	for _, i := range known {
		if number := numberOf(i.Value); number != "" {
			card(i.Provider, number)
		}
	}
	month := today[:len("2026-11")]
	for _, r := range all {
		if r.card == "" {
			continue
		}
		c := card(r.provider, r.card)
		c.Kind, c.Plate = cmp.Or(r.kind, c.Kind), cmp.Or(r.plate, c.Plate)
		if !strings.HasPrefix(string(r.On), string(month)) || r.On > today {
			continue
		}
		c.UsedMonth += r.Millilitres
		if c.UsedAmount, err = c.UsedAmount.Add(r.Gross); err != nil {
			return nil, err
		}
		if r.On == today {
			c.UsedDay += r.Millilitres
		}
	}
	for i := range found {
		c := &found[i]
		c.UsedDay, c.UsedMonth, c.UsedAmount = max(0, c.UsedDay), max(0, c.UsedMonth), max(0, c.UsedAmount)
		typed, err := db.One[storedCard](tx, cardQuery, c.Provider, c.number)
		if errors.Is(err, db.ErrNone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		plate := c.Plate
		c.CardLimits = typed.limits()
		c.Plate = cmp.Or(c.Plate, plate)
	}
	slices.SortFunc(found, func(a, b DriverCard) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
	return found, nil
}

const cardQuery = `SELECT provider, card, version, plate, tank, day_limit, month_limit, month_amount, discount, valid_from, valid_to,
	changed_at FROM fuel_cards WHERE tenant_id = $1 AND provider = $2 AND card = $3`

func (c *storedCard) limits() CardLimits {
	return CardLimits{c.Version, c.Plate, c.Tank, c.DayLimit, c.MonthLimit, c.MonthAmount, c.Discount, c.ValidFrom, c.ValidTo}
}

// numberOf is a card's number of what a driver is known by; empty: it is a plate or something else.
func numberOf(value string) string {
	number := strings.TrimLeft(strings.Join(strings.Fields(value), ""), "0")
	if len(number) < 4 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return number
}

// plain is a plate as plates are compared.
func plain(plate string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, plate)
}

// The largest figures that are believed: a thousand litres for a tank and a day, hundred thousand for a month.
const (
	tankMax   = 1_000_000
	monthMax  = 100_000_000
	amountMax = money.Amount(100_000_000)
	priceMax  = money.Amount(10_000)
)

func (l CardLimits) checked() (CardLimits, error) {
	f := validate.New(ErrInvalid)
	l.Plate = f.Text("plate", l.Plate, 20, false)
	for _, n := range []struct {
		field      string
		value, max int64
	}{{"tank", l.Tank, tankMax}, {"day", l.Day, tankMax}, {"month", l.Month, monthMax},
		{"monthAmount", int64(l.MonthAmount), int64(amountMax)},
		{"discount", int64(l.Discount), int64(priceMax)}} {
		if n.value < 0 || n.value > n.max {
			f.Wrong(n.field, fault.Wrong)
		}
	}
	for _, d := range []struct {
		field string
		value calendar.Date
	}{{"validFrom", l.ValidFrom}, {"validTo", l.ValidTo}} {
		if d.value != "" && !d.value.Exists() {
			f.Wrong(d.field, fault.WrongFormat)
		}
	}
	if l.ValidTo != "" && l.ValidTo < l.ValidFrom {
		f.Wrong("validTo", fault.Wrong)
	}
	return l, f.Err()
}

// Save keeps what a partner types of a card of a driver, unless somebody changed it since it was read.
func (s *Service) Save(tx *db.Tx, driver, id string, l CardLimits) error {
	if err := allowed(tx, driver, Partner); err != nil {
		return err
	}
	l, err := l.checked()
	if err != nil {
		return err
	}
	today := calendar.DateOf(tx.Now, s.Instance.Location(), 0)
	all, err := s.refuellings(tx, driver, today.AddDays(-daysMax), today, Partner)
	if err != nil {
		return err
	}
	cards, err := s.cards(tx, driver, all, today)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(cards, func(c DriverCard) bool { return c.ID == id })
	if at < 0 {
		return ErrNoCard
	}
	c := &cards[at]
	if c.Version != l.Version {
		return ErrChanged
	}
	before := c.CardLimits
	l.Version++
	next := storedCard{c.Provider, c.number, l.Version, l.Plate, l.Tank, l.Day, l.Month, l.MonthAmount, l.Discount, l.ValidFrom, l.ValidTo,
		tx.Now}
	var n int64
	if before.Version == 0 {
		n, err = db.InsertNew(tx, "fuel_cards", next)
	} else {
		n, err = db.Update(tx, "fuel_cards", next, `provider = $2 AND card = $3 AND version = $4`, c.Provider, c.number, before.Version)
	}
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	return audit.Record(tx, audit.Change{Action: "fuel.save_card", Kind: "fuel_card", ID: c.ID,
		Before: before, After: map[string]any{"driver": driver, "card": c.Number, "limits": l}})
}

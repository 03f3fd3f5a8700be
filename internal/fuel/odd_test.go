package fuel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// bought is a refuelling with a card at a moment.
func bought(card, at string, change func(r *Refuelling)) Refuelling {
	when, err := time.Parse("2006-01-02 15:04", at)
	if err != nil {
		panic(err)
	}
	r := Refuelling{ID: at, On: calendar.Date(at[:10]), At: &when, Type: fuelType, Card: card, Town: "Warszawa", Millilitres: 30_000, Gross: money.Amount(200_00)}
	if change != nil {
		change(&r)
	}
	return r
}

func town(name string) func(*Refuelling) { return func(r *Refuelling) { r.Town = name } }
func read(km int64) func(*Refuelling)    { return func(r *Refuelling) { r.Odometer = km } }

func TestOddities_AreFoundAndNearMissesAreNot(t *testing.T) {
	back := func(r *Refuelling) { r.Town, r.Gross = "Łódź", -200_00 }
	noTime := func(km int64) func(*Refuelling) { return func(r *Refuelling) { r.At, r.Odometer = nil, km } }
	for name, c := range map[string]struct {
		all  []Refuelling
		want string
	}{
		"two towns":                     {[]Refuelling{bought("a", "2026-10-25 00:10", nil), bought("a", "2026-10-25 00:40", town("Łódź"))}, "two_towns / two_towns"},
		"a minute later":                {[]Refuelling{bought("a", "2026-10-25 00:10", nil), bought("a", "2026-10-25 00:41", town("Łódź"))}, " / "},
		"one town in capitals":          {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("a", "2026-11-03 08:20", town("WARSZAWA"))}, " / "},
		"a town that nobody says":       {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("a", "2026-11-03 08:20", town(""))}, " / "},
		"over midnight":                 {[]Refuelling{bought("a", "2026-11-03 23:50", nil), bought("a", "2026-11-04 00:15", town("Łódź"))}, "two_towns / two_towns"},
		"it was paid back":              {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("a", "2026-11-03 08:20", back)}, " / "},
		"two cards":                     {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("b", "2026-11-03 08:15", nil)}, "two_cards / two_cards"},
		"two cards after another":       {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("b", "2026-11-03 08:16", nil)}, " / "},
		"two cards, one for a car wash": {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("b", "2026-11-03 08:10", func(r *Refuelling) { r.Type = "COST" })}, " / "},
		"two cards and two towns":       {[]Refuelling{bought("a", "2026-11-03 08:10", nil), bought("b", "2026-11-03 08:10", town("Łódź"))}, "two_cards / two_cards"},
		"above the tank":                {[]Refuelling{bought("a", "2026-11-03 08:10", func(r *Refuelling) { r.Millilitres = 50_001 })}, "over_tank"},
		"a full tank":                   {[]Refuelling{bought("a", "2026-11-03 08:10", func(r *Refuelling) { r.Millilitres = 50_000 })}, ""},
		"a tank that nobody knows":      {[]Refuelling{bought("b", "2026-11-03 08:10", func(r *Refuelling) { r.Millilitres = 90_000 })}, ""},
		"odometer back":                 {[]Refuelling{bought("a", "2026-11-03 08:10", read(88_411)), bought("a", "2026-11-05 08:10", read(88_410))}, " / odometer_back"},
		"odometer stands":               {[]Refuelling{bought("a", "2026-11-03 08:10", read(88_411)), bought("a", "2026-11-05 08:10", read(88_411))}, " / "},
		"nobody read it":                {[]Refuelling{bought("a", "2026-11-03 08:10", read(88_411)), bought("a", "2026-11-05 08:10", nil), bought("a", "2026-11-06 08:10", read(88_500))}, " /  / "},
		"odometer jumps":                {[]Refuelling{bought("a", "2026-11-03 08:10", read(10_000)), bought("a", "2026-11-04 08:10", read(12_001))}, " / odometer_jump"},
		"far, and possible":             {[]Refuelling{bought("a", "2026-11-03 08:10", read(10_000)), bought("a", "2026-11-04 08:10", read(12_000))}, " / "},
		"after more than a day":         {[]Refuelling{bought("a", "2026-11-03 08:10", read(10_000)), bought("a", "2026-11-04 08:11", read(15_000))}, " / "},
		"a day without times":           {[]Refuelling{bought("a", "2026-11-03 08:10", noTime(10_000)), bought("a", "2026-11-03 08:11", noTime(15_000))}, " / odometer_jump"},
		"two days without times":        {[]Refuelling{bought("a", "2026-11-03 08:10", noTime(10_000)), bought("a", "2026-11-04 08:10", noTime(15_000))}, " / "},
		"two cars of one person":        {[]Refuelling{bought("a", "2026-11-03 08:10", func(r *Refuelling) { r.plate, r.Odometer = "WX 1", 90_000 }), bought("a", "2026-11-04 08:10", func(r *Refuelling) { r.plate, r.Odometer = "WX 2", 10_000 })}, " / "},
		"one car by two cards":          {[]Refuelling{bought("a", "2026-11-03 08:10", func(r *Refuelling) { r.plate, r.Odometer = "WX 1", 90_000 }), bought("b", "2026-11-04 08:10", func(r *Refuelling) { r.plate, r.Odometer = "wx-1", 10_000 })}, " / odometer_back"},
	} {
		mark(c.all, []DriverCard{{ID: "a", CardLimits: CardLimits{Tank: 50_000}}, {ID: "b"}})
		got := make([]string, len(c.all))
		for i, r := range c.all {
			got[i] = strings.Trim(fmt.Sprint(r.Odd), "[]")
		}
		if text := strings.Join(got, " / "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

func TestCardNumbers_AreMasked(t *testing.T) {
	for number, want := range map[string]string{"7017830000004821": "•••• 4821", "123456": "•••• 456", "4821": "•••• 21", "1": "•••• "} {
		if got := masked(number); got != want {
			t.Errorf("%s is %s", number, got)
		}
	}
	for value, want := range map[string]string{"00 7017 8300 0000 4821": "7017830000004821", "WX1001A": "", "123": "", "": ""} {
		if got := numberOf(value); got != want {
			t.Errorf("%s is %q", value, got)
		}
	}
}

package fuel

import (
	"slices"
	"time"

	"saldo/internal/platform/i18n"
)

// Oddity is why somebody should look at a refuelling.
type Oddity string

// The oddities.
const (
	TwoTowns     Oddity = "two_towns"     // the card was in another town half an hour before or after
	TwoCards     Oddity = "two_cards"     // another card of the driver was used at the same time
	OverTank     Oddity = "over_tank"     // more litres than the tank holds
	OdometerBack Oddity = "odometer_back" // less than at the refuelling before
	OdometerJump Oddity = "odometer_jump" // more kilometres within a day than anybody drives
)

// Oddities are all there are.
func Oddities() []Oddity { return []Oddity{TwoTowns, TwoCards, OverTank, OdometerBack, OdometerJump} }

const (
	townsApart  = 30 * time.Minute // within which nobody is in two towns
	sameTime    = 5 * time.Minute
	dailyMost   = 2000 // kilometres
	dayOfDrives = 24 * time.Hour
)

// mark says of each refuelling what is odd about it. They come oldest first; what was paid back or corrects another one is left out.
func mark(all []Refuelling, cards []DriverCard) {
	bought := []*Refuelling{}
	for i := range all {
		if r := &all[i]; r.Gross > 0 && !r.Correction && r.Card != "" {
			bought = append(bought, r)
		}
	}
	tanks := map[string]int64{}
	for _, c := range cards {
		tanks[c.ID] = c.Tank
	}
	last := map[string]*Refuelling{} // with a mileage, by car
	for i, r := range bought {
		if tank := tanks[r.Card]; r.Type == fuelType && tank > 0 && r.Millilitres > tank {
			r.add(OverTank)
		}
		if r.At != nil {
			for _, other := range bought[i+1:] {
				if other.At == nil {
					continue
				}
				apart := other.At.Sub(*r.At)
				if apart > townsApart {
					break
				}
				if r.Card == other.Card && r.Town != "" && other.Town != "" && i18n.Fold(r.Town) != i18n.Fold(other.Town) {
					r.add(TwoTowns)
					other.add(TwoTowns)
				}
				if r.Card != other.Card && apart <= sameTime && r.Type == fuelType && other.Type == fuelType {
					r.add(TwoCards)
					other.add(TwoCards)
				}
			}
		}
		if r.Odometer == 0 || r.Type != fuelType {
			continue
		}
		car := r.Card
		if r.plate != "" {
			car = "plate " + plain(r.plate)
		}
		if before := last[car]; before != nil {
			switch driven := r.Odometer - before.Odometer; {
			case driven < 0:
				r.add(OdometerBack)
			case driven > dailyMost && withinADay(before, r):
				r.add(OdometerJump)
			}
		}
		last[car] = r
	}
}

func withinADay(before, after *Refuelling) bool {
	if before.At == nil || after.At == nil {
		return before.On == after.On
	}
	return after.At.Sub(*before.At) <= dayOfDrives
}

func (r *Refuelling) add(o Oddity) {
	if !slices.Contains(r.Odd, o) {
		r.Odd = append(r.Odd, o)
	}
}

package statement

import (
	"math/big"
	"strings"
)

// Fuel is what a fuel card's file says of a purchase beside its amount. It is shown and never counted; zero and empty: the file does not
// say it, or nobody can read it.
type Fuel struct {
	Card        string // number without leading zeros
	CardKind    string // S: issued for a car, K: for a person
	Plate       string
	Station     string
	Town        string
	Product     string
	Millilitres int64 // minus: taken back
	UnitPrice   int64 // thousandths of a minor unit for one litre, with VAT
	Odometer    int64 // kilometres
}

// scaledMax is how large a quantity, price or mileage may be before it is none.
const scaledMax = 1_000_000_000_000

// Scaled reads a number as so many times itself, rounded: of quantities and prices with a comma or a point, which are no money. What is
// none is 0.
func Scaled(cell string, times int64) int64 {
	text := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2212", "-").Replace(strings.TrimSpace(cell))
	if comma, point := strings.LastIndexByte(text, ','), strings.LastIndexByte(text, '.'); comma > point {
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	} else {
		text = strings.ReplaceAll(text, ",", "")
	}
	if text == "" || len(text) > longest || strings.Trim(text, "0123456789.-+") != "" {
		return 0
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0
	}
	exact.Mul(exact, big.NewRat(times, 1))
	half := big.NewRat(1, 2)
	if exact.Sign() < 0 {
		half.Neg(half)
	}
	exact.Add(exact, half)
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if !whole.IsInt64() || whole.CmpAbs(big.NewInt(scaledMax)) > 0 {
		return 0
	}
	return whole.Int64()
}

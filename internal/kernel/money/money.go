// Package money computes with amounts exactly: whole minor units, rates in basis points, one rounding at the end of each
// figure. No float touches money, and no overflow wraps silently.
package money

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// Amount is money in minor units (grosz, cent) of the instance's currency. Use Add, Sub, Neg and Sum rather than the
// operators, which wrap around beyond ±92 quadrillion.
type Amount int64

// Rate is a share in basis points: 850 is 8.5 %.
type Rate int64

// basis is the Rate that means the whole.
const basis = 10_000

// Currency is the code of the one currency an instance works in.
type Currency string

// The currencies of the two instances.
const (
	PLN Currency = "PLN"
	EUR Currency = "EUR"
)

// Sign is how people write the currency beside an amount.
func (c Currency) Sign() string {
	if c == PLN {
		return "zł"
	}
	return "€"
}

// ErrOverflow tells that a result is larger than an Amount can be.
var ErrOverflow = errors.New("the amount is too large")

// Add gives a + b, or ErrOverflow.
func (a Amount) Add(b Amount) (Amount, error) {
	sum := a + b
	// Only two amounts of the same sign can leave the range, and then the sign of the result differs.
	if (a < 0) == (b < 0) && (sum < 0) != (a < 0) {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Sub gives a - b, or ErrOverflow.
func (a Amount) Sub(b Amount) (Amount, error) {
	difference := a - b
	if (a < 0) != (b < 0) && (difference < 0) != (a < 0) {
		return 0, ErrOverflow
	}
	return difference, nil
}

// Neg gives -a, or ErrOverflow for the one amount that has no opposite.
func (a Amount) Neg() (Amount, error) { return Amount(0).Sub(a) }

// Sum adds all amounts; only the total can overflow, not the way to it.
func Sum(amounts ...Amount) (Amount, error) {
	var high, low uint64
	for _, a := range amounts {
		var carry uint64
		low, carry = bits.Add64(low, uint64(a), 0)
		high, _ = bits.Add64(high, uint64(int64(a)>>63), carry)
	}
	if total := int64(low); uint64(total>>63) == high {
		return Amount(total), nil
	}
	return 0, ErrOverflow
}

// Share gives the part of an amount that a rate stands for, computed exactly and rounded once, half away from zero.
func Share(amount Amount, rate Rate) (Amount, error) {
	high, low := bits.Mul64(size(int64(amount)), size(int64(rate)))
	low, carry := bits.Add64(low, basis/2, 0)
	high += carry // the product of two halves of the range leaves room
	if high >= basis {
		return 0, ErrOverflow
	}
	quotient, _ := bits.Div64(high, low, basis)
	return signed(quotient, (amount < 0) != (rate < 0))
}

// Split divides an amount by weights so that the parts sum to the whole: each part is its exact share rounded down in
// size, and the units left over go to the largest remainders, the earlier part first among equals. Weights are not
// negative and not all zero.
func Split(amount Amount, weights []int64) ([]Amount, error) {
	var total uint64
	for _, w := range weights {
		if w < 0 {
			return nil, errors.New("an amount cannot be split by a negative weight")
		}
		if total += uint64(w); total > 1<<63 {
			return nil, errors.New("the weights of a split are too large")
		}
	}
	if total == 0 {
		return nil, errors.New("an amount cannot be split by no weight at all")
	}
	whole := size(int64(amount))
	parts, remainders, order := make([]uint64, len(weights)), make([]uint64, len(weights)), make([]int, len(weights))
	left := whole
	for i, w := range weights {
		high, low := bits.Mul64(whole, uint64(w))
		parts[i], remainders[i] = bits.Div64(high, low, total)
		left -= parts[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(remainders[j], remainders[i]) })
	for _, i := range order[:left] {
		parts[i]++
	}
	result := make([]Amount, len(weights))
	for i, part := range parts {
		// No part is larger than the whole, so its sign always fits.
		result[i], _ = signed(part, amount < 0)
	}
	return result, nil
}

// Exact is a figure on its way: a sum of fractions of amounts that is rounded once, in the end. The zero value is 0.
//
// It is one fraction of a 128-bit numerator, since nearly every figure fits it; what does not is kept as a big.Rat.
type Exact struct {
	high, low uint64 // size of the numerator
	negative  bool
	below     uint64 // the denominator; 0: nothing was added yet
	large     *big.Rat
}

// Add adds amount × numerator ÷ denominator, exactly. The denominator is not zero.
func (e *Exact) Add(amount Amount, numerator, denominator int64) {
	if denominator == 0 {
		panic("money: nothing can be divided by zero")
	}
	if e.large == nil && e.addSmall(amount, numerator, denominator) {
		return
	}
	if e.large == nil {
		e.large = e.rat()
	}
	var term big.Rat
	term.SetFrac64(numerator, denominator)
	e.large.Add(e.large, term.Mul(&term, new(big.Rat).SetInt64(int64(amount))))
}

// addSmall says whether the sum still fits; where it does not, nothing has changed.
func (e *Exact) addSmall(amount Amount, numerator, denominator int64) bool {
	term := Exact{negative: ((amount < 0) != (numerator < 0)) != (denominator < 0), below: size(denominator)}
	term.high, term.low = bits.Mul64(size(int64(amount)), size(numerator))
	if e.below == 0 {
		*e = term
		return true
	}
	sum := *e
	if sum.below != term.below {
		common := gcd(sum.below, term.below)
		if over, _ := bits.Mul64(sum.below, term.below/common); over != 0 {
			return false
		}
		widen := sum.below / common
		if !sum.scale(term.below/common) || !term.scale(widen) {
			return false
		}
	}
	if sum.negative == term.negative {
		var carry uint64
		sum.low, carry = bits.Add64(sum.low, term.low, 0)
		if sum.high, carry = bits.Add64(sum.high, term.high, carry); carry != 0 {
			return false
		}
	} else {
		if sum.high < term.high || sum.high == term.high && sum.low < term.low {
			sum, term = term, sum
		}
		var borrow uint64
		sum.low, borrow = bits.Sub64(sum.low, term.low, 0)
		sum.high, _ = bits.Sub64(sum.high, term.high, borrow)
	}
	*e = sum
	return true
}

// scale multiplies numerator and denominator; the denominator has room.
func (e *Exact) scale(by uint64) bool {
	over, high := bits.Mul64(e.high, by)
	carried, low := bits.Mul64(e.low, by)
	high, carry := bits.Add64(high, carried, 0)
	e.high, e.low, e.below = high, low, e.below*by
	return over == 0 && carry == 0
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (e *Exact) rat() *big.Rat {
	above := new(big.Int).SetUint64(e.high)
	above.Lsh(above, 64).Or(above, new(big.Int).SetUint64(e.low))
	if e.negative {
		above.Neg(above)
	}
	return new(big.Rat).SetFrac(above, new(big.Int).SetUint64(max(e.below, 1)))
}

// Round gives the figure rounded half away from zero to the minor unit, or ErrOverflow.
func (e *Exact) Round() (Amount, error) {
	if e.large == nil {
		return e.roundSmall()
	}
	numerator, denominator := new(big.Int).Abs(e.large.Num()), e.large.Denom()
	// Half away from zero is floor((2n + d) / 2d) of the size.
	doubled := new(big.Int).Lsh(denominator, 1)
	quotient := numerator.Lsh(numerator, 1).Add(numerator, denominator).Quo(numerator, doubled)
	if !quotient.IsUint64() {
		return 0, ErrOverflow
	}
	return signed(quotient.Uint64(), e.large.Sign() < 0)
}

func (e *Exact) roundSmall() (Amount, error) {
	below := max(e.below, 1)
	if e.high >= below {
		return 0, ErrOverflow
	}
	quotient, remainder := bits.Div64(e.high, e.low, below)
	if remainder >= below-remainder {
		if quotient++; quotient == 0 {
			return 0, ErrOverflow
		}
	}
	return signed(quotient, e.negative)
}

// String writes the amount plainly, with a dot and two decimals: -1234.50.
func (a Amount) String() string {
	sign, units := "", size(int64(a))
	if a < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%02d", sign, units/100, units%100)
}

// size is the absolute value, also of the one number whose opposite does not exist.
func size(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func signed(size uint64, negative bool) (Amount, error) {
	switch {
	case negative && size <= 1<<63:
		return Amount(-size), nil
	case !negative && size < 1<<63:
		return Amount(size), nil
	}
	return 0, ErrOverflow
}

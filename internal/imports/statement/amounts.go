package statement

import (
	"math/big"
	"regexp"
	"strings"

	"saldo/internal/kernel/money"
)

// MaxAmount is the largest amount that is believed. Sums of as many of them as a row can have fit into an amount.
const MaxAmount money.Amount = 1e15

// Amount reads a money cell. Nothing in it is not there; what cannot be read is refused.
func (j *Checker) Amount(column int, decimal money.DecimalSign) (amount money.Amount, there bool) {
	switch cell := j.row.At(column); cell {
	case "":
		return 0, false
	case "0", "0.00", "0,00":
		return 0, true
	default:
		amount, err := Amount(cell, decimal)
		if err != nil || amount > MaxAmount || amount < -MaxAmount {
			j.Refuse(WrongAmount, column, expectedAmount(decimal))
			return 0, false
		}
		return amount, true
	}
}

// expectedAmount is an example of an amount as it must be written.
func expectedAmount(decimal money.DecimalSign) string {
	if decimal == money.CommaDecimal {
		return "1234,56"
	}
	return "1234.56"
}

var noise = regexp.MustCompile(`^-?[0-9]+\.[0-9]{6,}(?:[eE][+-]?[0-9]{1,3})?$|^-?[0-9](?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}$`)

// longest is how long the text of an amount may be: whoever writes more wants to keep the machine busy.
const longest = 64

// Amount reads a money cell. Workbooks keep binary fractions, so a long one that is a grosz within a millionth is that grosz.
func Amount(cell string, decimal money.DecimalSign) (money.Amount, error) {
	if len(cell) > longest {
		return 0, money.ErrNotAnAmount
	}
	if !long(cell) || !noise.MatchString(cell) {
		return money.Parse(cell, decimal)
	}
	exact, ok := new(big.Rat).SetString(cell)
	if !ok {
		return 0, money.ErrNotAnAmount
	}
	minor := new(big.Rat).Mul(exact, big.NewRat(100, 1))
	half := big.NewRat(1, 2)
	if minor.Sign() < 0 {
		half.Neg(half)
	}
	shifted := new(big.Rat).Add(minor, half)
	rounded := new(big.Int).Quo(shifted.Num(), shifted.Denom())
	off := new(big.Rat).Sub(minor, new(big.Rat).SetInt(rounded))
	if off.Abs(off).Cmp(big.NewRat(1, 10_000)) > 0 {
		return 0, money.ErrTooManyDecimals
	}
	if !rounded.IsInt64() {
		return 0, money.ErrOverflow
	}
	return money.Amount(rounded.Int64()), nil
}

// long says whether a number has so many decimals, or an exponent, that it can be noise.
func long(cell string) bool {
	_, decimals, _ := strings.Cut(cell, ".")
	return len(decimals) >= 6 || strings.ContainsAny(cell, "eE")
}

// digitsMax is how many digits a number without decimals may have to be money; with more it is an id, a phone or a day.
const digitsMax = 7

// Number reads the cell of a column that nobody knows: an amount is kept whatever it means, texts and ids are not.
func Number(cell string) (amount money.Amount, is bool) {
	digits := strings.TrimLeft(cell, "-+\u2212")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return 0, false
	}
	if len(digits) > digitsMax && strings.Trim(digits, "0123456789") == "" {
		return 0, false
	}
	amount, err := Amount(cell, money.AnyDecimal)
	return amount, err == nil && amount <= MaxAmount && amount >= -MaxAmount
}

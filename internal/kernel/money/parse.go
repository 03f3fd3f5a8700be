package money

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// DecimalSign is the sign between whole units and decimals in a text.
type DecimalSign byte

// What a source or a language is known to write. AnyDecimal means that it is not known: then a text that could mean two
// amounts is refused.
const (
	AnyDecimal   DecimalSign = 0
	CommaDecimal DecimalSign = ','
	DotDecimal   DecimalSign = '.'
)

// Why a text is not an amount; the errors of Parse are one of these or ErrOverflow, with the text.
var (
	ErrNotAnAmount     = errors.New("this is not an amount")
	ErrAmbiguous       = errors.New("this could be thousands or decimals, write it with two decimals")
	ErrGroups          = errors.New("the thousands are not divided into groups of three digits")
	ErrTooManyDecimals = errors.New("an amount has at most two decimals")
)

// Parse reads an amount as files and people write it: 1234,5 or 1 234,50 or -1.234,50 or 1,234.50-. Spaces of any kind
// and the sign that is not the decimal one may divide thousands; a minus, hyphen or U+2212, may lead or trail. Decimals
// beyond two must be zero.
func Parse(text string, decimal DecimalSign) (Amount, error) {
	amount, err := parse(text, decimal)
	if err != nil {
		return 0, fmt.Errorf("%.40q: %w", text, err)
	}
	return amount, nil
}

func parse(text string, decimal DecimalSign) (Amount, error) {
	number, negative, err := cutMinus(strings.TrimSpace(text))
	if err != nil {
		return 0, err
	}
	whole, decimals, err := cutDecimals(number, decimal)
	if err != nil {
		return 0, err
	}
	digits, err := joinGroups(whole)
	if err != nil {
		return 0, err
	}
	if digits+decimals == "" {
		return 0, ErrNotAnAmount
	}
	if len(decimals) > 2 {
		if strings.Trim(decimals[2:], "0") != "" {
			return 0, ErrTooManyDecimals
		}
		decimals = decimals[:2]
	}
	return count(digits+decimals+"00"[len(decimals):], negative)
}

// count turns digits into minor units.
func count(digits string, negative bool) (Amount, error) {
	var units uint64
	for _, d := range []byte(digits) {
		if units > 1<<63/10 {
			return 0, ErrOverflow
		}
		units = units*10 + uint64(d-'0')
	}
	return signed(units, negative)
}

func cutMinus(text string) (number string, negative bool, err error) {
	rest, leads := cutPrefixes(text, "-", "\u2212")
	if !leads {
		rest, _ = cutPrefixes(text, "+")
	}
	trails := false
	for _, minus := range []string{"-", "\u2212"} {
		if before, found := strings.CutSuffix(rest, minus); found {
			rest, trails = before, true
			break
		}
	}
	if leads && trails || trails && strings.HasPrefix(text, "+") {
		return "", false, ErrNotAnAmount
	}
	return strings.TrimSpace(rest), leads || trails, nil
}

func cutPrefixes(text string, prefixes ...string) (string, bool) {
	for _, prefix := range prefixes {
		if rest, found := strings.CutPrefix(text, prefix); found {
			return rest, true
		}
	}
	return text, false
}

// cutDecimals separates whole units, still in groups, from decimals.
func cutDecimals(number string, decimal DecimalSign) (whole, decimals string, err error) {
	if decimal == AnyDecimal {
		if decimal, err = guess(number); err != nil {
			return "", "", err
		}
	}
	if decimal == AnyDecimal {
		return number, "", nil
	}
	whole, decimals, found := strings.Cut(number, string(rune(decimal)))
	if found && (decimals == "" || strings.ContainsFunc(decimals, notDigit)) {
		return "", "", ErrNotAnAmount
	}
	if strings.ContainsRune(whole, rune(decimal)) {
		return "", "", ErrNotAnAmount
	}
	return whole, decimals, nil
}

// guess finds the decimal sign of a number where only one reading is possible; AnyDecimal means that it has no decimals.
func guess(number string) (DecimalSign, error) {
	commas, dots := strings.Count(number, ","), strings.Count(number, ".")
	switch {
	case commas > 0 && dots > 0:
		// The last sign is the decimal one.
		return DecimalSign(number[strings.LastIndexAny(number, ",.")]), nil
	case commas+dots != 1:
		return AnyDecimal, nil
	}
	at := strings.IndexAny(number, ",.")
	before, after := number[:at], number[at+1:]
	// Thousands cannot begin with a zero, nor have four digits or another group sign before.
	couldBeThousands := len(after) == 3 && len(before) >= 1 && len(before) <= 3 && before[0] != '0' &&
		!strings.ContainsFunc(before+after, notDigit)
	if couldBeThousands {
		return AnyDecimal, ErrAmbiguous
	}
	return DecimalSign(number[at]), nil
}

// joinGroups takes out the one kind of sign that divides thousands, and checks that it does.
func joinGroups(whole string) (string, error) {
	at := strings.IndexFunc(whole, notDigit)
	if at < 0 {
		return whole, nil
	}
	var sign rune
	for _, sign = range whole[at:] {
		break
	}
	if sign != '.' && sign != ',' && !unicode.Is(unicode.Zs, sign) {
		return "", ErrNotAnAmount
	}
	groups := strings.Split(whole, string(sign))
	for i, group := range groups {
		if strings.ContainsFunc(group, notDigit) {
			return "", ErrNotAnAmount
		}
		if first := i == 0; first && (group == "" || len(group) > 3 || group[0] == '0') || !first && len(group) != 3 {
			return "", ErrGroups
		}
	}
	return strings.Join(groups, ""), nil
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

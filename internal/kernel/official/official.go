// Package official checks the numbers and addresses that people type into forms and that an office, a bank or a mail
// server must accept later: tax ids, PESEL, REGON, bank accounts, post codes, phones, e-mail addresses.
//
// Each has a Parse function that takes what people really type or paste and gives the one canonical form, in which two
// texts are equal when they mean the same. Display is the form for reading; parsing it gives the same value again.
// The interface has a twin of this package; testdata/vectors.json is read by the tests of both.
package official

import "strings"

// Reason is why a text was refused. It never holds the text, which is personal.
type Reason string

// Every error of this package is one of these, unwrapped.
const (
	ErrLength     Reason = "length"      // too short or too long, or empty
	ErrCharacters Reason = "characters"  // something in it can never stand in such a number
	ErrForm       Reason = "form"        // allowed characters in a place where they cannot be
	ErrCheckDigit Reason = "check_digit" // a digit is wrong or two are swapped
	ErrCountry    Reason = "country"     // a country that has none, or is not known here
	ErrDate       Reason = "date"        // the date of birth in it does not exist
	ErrNotIssued  Reason = "not_issued"  // the sum is right, but no such number is given out
)

func (r Reason) Error() string { return "official number refused: " + string(r) }

// invisible are spaces and marks that nobody sees: numbers copied from web pages, PDF files and address books of
// phones are full of them. The list is written out, because tables of Unicode differ between languages and versions.
// U+202E is not on it: it turns digits round on the screen, so that the typist saw another number.
func invisible(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0x85, r == 0xa0, r == 0xad, r == 0x61c, r == 0x1680, r == 0x180e,
		r >= 0x2000 && r <= 0x200f, r >= 0x2028 && r <= 0x202d, r == 0x202f, r >= 0x205f && r <= 0x206f, r == 0x3000, r == 0xfeff:
		return true
	}
	return false
}

func dash(r rune) bool { return r == '-' || r >= 0x2010 && r <= 0x2015 || r == 0x2212 }

// compact leaves the ASCII letters, upper case, and digits of a text without its spaces and dashes. Anything else is
// refused and not replaced: a full-width or Arabic digit is no slip of the finger, it is another keyboard or an attack.
func compact(text string) (string, error) {
	var kept strings.Builder
	for _, r := range text {
		switch {
		case invisible(r) || dash(r):
		case r >= 'a' && r <= 'z':
			kept.WriteByte(byte(r) - 'a' + 'A')
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			kept.WriteByte(byte(r))
		default:
			return "", ErrCharacters
		}
	}
	return kept.String(), nil
}

// digitsOf is compact for a number of digits alone, which may be written with the letters of its country before it.
func digitsOf(text, country string) (string, error) {
	kept, err := compact(text)
	if err != nil {
		return "", err
	}
	digits := strings.TrimPrefix(kept, country)
	if !allDigits(digits) {
		return "", ErrCharacters
	}
	return digits, nil
}

func allDigits(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// repeated tells a placeholder such as 1111111111, which many check sums let through.
func repeated(text string) bool { return text != "" && strings.Trim(text, text[:1]) == "" }

// weighted adds each digit times its weight; digits without a weight do not count.
func weighted(digits string, weights ...int) int {
	sum := 0
	for i, weight := range weights {
		sum += int(digits[i]-'0') * weight
	}
	return sum
}

// mod1110 is the check of ISO 7064 MOD 11,10 over all digits, the last one being the check digit.
func mod1110(digits string) bool {
	product := 10
	for _, digit := range digits[:len(digits)-1] {
		sum := (int(digit-'0') + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = sum * 2 % 11
	}
	return (product+int(digits[len(digits)-1]-'0'))%10 == 1
}

// groups writes a text in groups of the given sizes, the last size for all that follow.
func groups(text, between string, sizes ...int) string {
	var parts []string
	for i := 0; text != ""; i++ {
		size := min(sizes[min(i, len(sizes)-1)], len(text))
		parts, text = append(parts, text[:size]), text[size:]
	}
	return strings.Join(parts, between)
}

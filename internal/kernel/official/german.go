package official

import (
	"regexp"
	"strings"
)

// UStIdNr is the German VAT id of a business: DE and nine digits.
type UStIdNr string

// ParseUStIdNr reads a USt-IdNr, with or without DE.
func ParseUStIdNr(text string) (UStIdNr, error) {
	digits, err := digitsOf(text, "DE")
	switch {
	case err != nil:
		return "", err
	case len(digits) != 9:
		return "", ErrLength
	case !mod1110(digits):
		return "", ErrCheckDigit
	case digits[0] == '0', repeated(digits):
		return "", ErrNotIssued
	}
	return UStIdNr("DE" + digits), nil
}

// Display is the USt-IdNr itself: the law shows it without groups.
func (u UStIdNr) Display() string { return string(u) }

// Steuernummer is the number that a German tax office gives a business.
type Steuernummer string

// steuernummer is how letters of a tax office print it, and the thirteen digits of its electronic form.
var steuernummer = regexp.MustCompile(`^([0-9]{2,3}/[0-9]{3,4}/[0-9]{4,5}|[0-9]{13})$`)

// ParseSteuernummer reads a Steuernummer. Its check digits differ by state and are not looked at.
func ParseSteuernummer(text string) (Steuernummer, error) {
	number := strings.Join(strings.Fields(text), "")
	if !steuernummer.MatchString(number) {
		return "", ErrLength
	}
	return Steuernummer(number), nil
}

// SteuerID is the German tax id of a person: eleven digits.
type SteuerID string

// ParseSteuerID reads a Steuer-ID.
func ParseSteuerID(text string) (SteuerID, error) {
	digits, err := digitsOf(text, "")
	switch {
	case err != nil:
		return "", err
	case len(digits) != 11:
		return "", ErrLength
	case !mod1110(digits):
		return "", ErrCheckDigit
	case digits[0] == '0', !drawn(digits[:10]):
		return "", ErrNotIssued
	}
	return SteuerID(digits), nil
}

// drawn tells whether ten digits can come from the office, which gives out only numbers in which one digit stands twice
// or, since 2016, three times but not in a row, and every other digit at most once.
func drawn(digits string) bool {
	several := 0
	for digit := '0'; digit <= '9'; digit++ {
		times := strings.Count(digits, string(digit))
		if times > 3 || strings.Contains(digits, strings.Repeat(string(digit), 3)) {
			return false
		}
		if times > 1 {
			several++
		}
	}
	return several == 1
}

// Display is the Steuer-ID as letters of the tax office show it: 36 574 261 809.
func (s SteuerID) Display() string { return groups(string(s), " ", 2, 3) }

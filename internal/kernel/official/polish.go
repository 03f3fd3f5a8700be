package official

import (
	"fmt"
	"time"
)

// NIP is the Polish tax id of a business: ten digits.
type NIP string

// ParseNIP reads a NIP, with or without PL, spaces and dashes.
func ParseNIP(text string) (NIP, error) {
	digits, err := digitsOf(text, "PL")
	switch {
	case err != nil:
		return "", err
	case len(digits) != 10:
		return "", ErrLength
	// A remainder of 10 is no digit: such numbers are never given out.
	case weighted(digits, 6, 5, 7, 2, 3, 4, 5, 6, 7)%11 != int(digits[9]-'0'):
		return "", ErrCheckDigit
	// The number begins with the code of a tax office; the schemas of the ministry refuse 0.. and .00.
	case digits[0] == '0', digits[1:3] == "00", repeated(digits):
		return "", ErrNotIssued
	}
	return NIP(digits), nil
}

// Display is the NIP as invoices show it: 123-456-32-18.
func (n NIP) Display() string { return groups(string(n), "-", 3, 3, 2, 2) }

// Sex is what a PESEL says of its bearer.
type Sex string

// The two that a PESEL knows.
const (
	Female Sex = "F"
	Male   Sex = "M"
)

// PESEL is the Polish number of a person: eleven digits that hold the date of birth and the sex.
type PESEL string

// ParsePESEL reads a PESEL. The date of birth in it exists, but may lie in the future.
func ParsePESEL(text string) (PESEL, error) {
	digits, err := digitsOf(text, "")
	switch {
	case err != nil:
		return "", err
	case len(digits) != 11:
		return "", ErrLength
	case weighted(digits, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)%10 != 0:
		return "", ErrCheckDigit
	case PESEL(digits).BirthOn() == "":
		return "", ErrDate
	case repeated(digits):
		return "", ErrNotIssued
	}
	return PESEL(digits), nil
}

// Display is the PESEL itself: nobody writes it in groups.
func (p PESEL) Display() string { return string(p) }

// BirthOn is the date of birth, such as 1944-05-14; empty when this is no PESEL.
func (p PESEL) BirthOn() string {
	if len(p) != 11 || !allDigits(string(p)) {
		return ""
	}
	year, month, day := weighted(string(p[0:2]), 10, 1), weighted(string(p[2:4]), 10, 1), p[4:6]
	// The century is added to the month: nothing for 19.., 20 for 20.., 40 for 21.., 60 for 22.., 80 for 18..
	century := [5]int{19, 20, 21, 22, 18}[month/20]
	date := fmt.Sprintf("%02d%02d-%02d-%s", century, year, month%20, day)
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return ""
	}
	return date
}

// Sex is the sex that stands in the tenth digit; empty when this is no PESEL.
func (p PESEL) Sex() Sex {
	switch {
	case p.BirthOn() == "":
		return ""
	case p[9]%2 == 0:
		return Female
	}
	return Male
}

// REGON is the Polish statistical number of a business: nine digits, or fourteen for a local unit of it.
type REGON string

// ParseREGON reads a REGON of either length.
func ParseREGON(text string) (REGON, error) {
	digits, err := digitsOf(text, "")
	switch {
	case err != nil:
		return "", err
	case len(digits) != 9 && len(digits) != 14:
		return "", ErrLength
	// A remainder of 10 counts as 0, so a few wrong digits pass unseen.
	case weighted(digits, 8, 9, 2, 3, 4, 5, 6, 7)%11%10 != int(digits[8]-'0'),
		len(digits) == 14 && weighted(digits, 2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8)%11%10 != int(digits[13]-'0'):
		return "", ErrCheckDigit
	case repeated(digits[:9]):
		return "", ErrNotIssued
	}
	return REGON(digits), nil
}

// Display is the REGON itself: registers show it without groups.
func (r REGON) Display() string { return string(r) }

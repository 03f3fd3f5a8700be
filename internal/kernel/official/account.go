package official

import (
	"strconv"
	"strings"
)

// Account is the number of a bank account, an IBAN: two letters of its country and the rest without spaces.
type Account string

// ParseAccount reads an IBAN of any country of the registry. Twenty-six digits without letters are a Polish account.
func ParseAccount(text string) (Account, error) {
	iban, err := compact(text)
	if err != nil {
		return "", err
	}
	if allDigits(iban) {
		if len(iban) != 26 {
			return "", ErrLength
		}
		iban = "PL" + iban
	}
	if len(iban) < 2 {
		return "", ErrLength
	}
	form, known := registry[iban[:2]]
	switch {
	case !fits(iban[:2], "2a"):
		return "", ErrCharacters
	case !known:
		return "", ErrCountry
	case len(iban) != 4+length(form):
		return "", ErrLength
	case !fits(iban[2:], "2n"+form):
		return "", ErrCharacters
	// The check digits are 98 minus a remainder. 00, 01 and 99 have the remainder of another pair, which is the right one.
	case iban[2:4] < "02", iban[2:4] > "98", mod97(iban[4:]+iban[:4]) != 1:
		return "", ErrCheckDigit
	case iban[:2] == "PL" && !sortCode(iban[4:12]):
		return "", ErrCheckDigit
	case repeated(iban[4:]):
		return "", ErrNotIssued
	}
	return Account(iban), nil
}

// Display is the IBAN as banks print it, in groups of four.
func (a Account) Display() string { return groups(string(a), " ", 4) }

// Country is the code of the country whose bank keeps the account; empty when this is no account.
func (a Account) Country() string {
	if len(a) < 2 {
		return ""
	}
	return string(a[:2])
}

// Domestic tells whether a transfer from the country stays in it; formats of national transfers hold no other.
func (a Account) Domestic(country string) bool { return country != "" && a.Country() == country }

// sortCode checks the eight digits of a bank and its branch at the head of a Polish account, which have a check digit
// of their own.
func sortCode(digits string) bool { return weighted(digits, 3, 9, 7, 1, 3, 9, 7, 1)%10 == 0 }

// mod97 is the remainder of a number in which A stands for 10 and Z for 35.
func mod97(text string) int {
	remainder := 0
	for _, r := range text {
		if r >= 'A' {
			remainder = (remainder*100 + int(r-'A') + 10) % 97
		} else {
			remainder = (remainder*10 + int(r-'0')) % 97
		}
	}
	return remainder
}

// part cuts the first part off a form of the registry: 4a14n is four letters, then 14n.
func part(form string) (size int, kind byte, rest string) {
	at := strings.IndexAny(form, "nac")
	size, _ = strconv.Atoi(form[:at])
	return size, form[at], form[at+1:]
}

func length(form string) int {
	total := 0
	for form != "" {
		size, _, rest := part(form)
		total, form = total+size, rest
	}
	return total
}

// fits tells whether a text of the right length has digits (n), letters (a) or either (c) where its form has them.
func fits(text, form string) bool {
	for form != "" {
		size, kind, rest := part(form)
		for _, r := range text[:size] {
			if digit := r <= '9'; kind == 'n' && !digit || kind == 'a' && digit {
				return false
			}
		}
		text, form = text[size:], rest
	}
	return true
}

// registry has the form of the account after the check digits, by country: the IBAN registry of SWIFT, version 101.
var registry = map[string]string{
	"AD": "8n12c", "AE": "19n", "AL": "8n16c", "AT": "16n", "AZ": "4a20c", "BA": "16n", "BE": "12n", "BG": "4a6n8c",
	"BH": "4a14c", "BI": "23n", "BR": "23n1a1c", "BY": "4c4n16c", "CH": "5n12c", "CR": "18n", "CY": "8n16c",
	"CZ": "20n", "DE": "18n", "DJ": "23n", "DK": "14n", "DO": "4c20n", "EE": "16n", "EG": "25n", "ES": "20n",
	"FI": "14n", "FK": "2a12n", "FO": "14n", "FR": "10n11c2n", "GB": "4a14n", "GE": "2a16n", "GI": "4a15c",
	"GL": "14n", "GR": "7n16c", "GT": "24c", "HN": "4a20n", "HR": "17n", "HU": "24n", "IE": "4a14n", "IL": "19n",
	"IQ": "4a15n", "IS": "22n", "IT": "1a10n12c", "JO": "4a4n18c", "KW": "4a22c", "KZ": "3n13c", "LB": "4n20c",
	"LC": "4a24c", "LI": "5n12c", "LT": "16n", "LU": "3n13c", "LV": "4a13c", "LY": "21n", "MC": "10n11c2n",
	"MD": "20c", "ME": "18n", "MK": "3n10c2n", "MN": "16n", "MR": "23n", "MT": "4a5n18c", "MU": "4a19n3a",
	"NI": "4a20n", "NL": "4a10n", "NO": "11n", "OM": "3n16c", "PK": "4a16c", "PL": "24n", "PS": "4a21c", "PT": "21n",
	"QA": "4a21c", "RO": "4a16c", "RS": "18n", "RU": "14n15c", "SA": "2n18c", "SC": "4a20n3a", "SD": "14n",
	"SE": "20n", "SI": "15n", "SK": "20n", "SM": "1a10n12c", "SO": "19n", "ST": "21n", "SV": "4a20n", "TL": "19n",
	"TN": "20n", "TR": "6n16c", "UA": "6n19c", "VA": "18n", "VG": "4a16n", "XK": "16n", "YE": "4a4n18c",
}

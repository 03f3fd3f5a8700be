package official

import (
	"regexp"
	"strings"
)

// vatForms are the VAT identification numbers of the European Union after the letters of the country, as the Commission lists them.
var vatForms = map[string]*regexp.Regexp{}

func init() {
	for country, form := range map[string]string{
		"AT": `U\d{8}`, "BE": `[01]\d{9}`, "BG": `\d{9,10}`, "CY": `\d{8}[A-Z]`, "CZ": `\d{8,10}`, "DE": `\d{9}`, "DK": `\d{8}`, "EE": `\d{9}`,
		"GR": `\d{9}`, "ES": `[A-Z0-9]\d{7}[A-Z0-9]`, "FI": `\d{8}`, "FR": `[A-HJ-NP-Z0-9]{2}\d{9}`, "HR": `\d{11}`, "HU": `\d{8}`,
		"IE": `\d[A-Z0-9]\d{5}[A-Z]{1,2}`, "IT": `\d{11}`, "LT": `(\d{9}|\d{12})`, "LU": `\d{8}`, "LV": `\d{11}`, "MT": `\d{8}`,
		"NL": `[A-Z0-9]{10}\d{2}`, "PL": `\d{10}`, "PT": `\d{9}`, "RO": `\d{2,10}`, "SE": `\d{12}`, "SI": `\d{8}`, "SK": `\d{10}`,
	} {
		vatForms[country] = regexp.MustCompile(`^` + form + `$`)
	}
}

// VATPrefix is how the numbers of a country of the European Union begin; empty: it is none.
func VATPrefix(country string) string {
	switch {
	case country == "GR":
		return "EL"
	case vatForms[country] == nil:
		return ""
	}
	return country
}

// ParseVATID reads the VAT identification number of a company in a country of the European Union, with or without the letters of the
// country, and gives it with them. Those of Poland and Germany must have the right check digit; of the others only the form is known.
func ParseVATID(text, country string) (string, error) {
	prefix := VATPrefix(country)
	if prefix == "" {
		return "", ErrCountry
	}
	number, err := compact(text)
	if err != nil {
		return "", err
	}
	number = strings.TrimPrefix(number, prefix)
	if !vatForms[country].MatchString(number) {
		return "", ErrForm
	}
	switch country {
	case "PL":
		_, err = ParseNIP(number)
	case "DE":
		_, err = ParseUStIdNr(prefix + number)
	}
	return prefix + number, err
}

package partners

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
)

// Limits of a profile, in characters; of a list, in entries.
const (
	nameMax     = 150
	partMax     = 100 // of a line of the address, a city, a service
	wwwMax      = 200
	numberMax   = 20
	listMax     = 50
	notesMax    = 5000
	referralMax = 300
	wholeRate   = money.Rate(10000)
)

// countries are where a partner may be registered: the European Union and its
// neighbours.
var countries = strings.Fields(`AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MD MT NL NO PL PT RO SE SI SK UA`)

var foreignPostCode = regexp.MustCompile(`^[0-9A-Z][0-9A-Z -]{1,10}[0-9A-Z]$`)

// check gathers what is wrong with a profile while it brings every field to
// its canonical form.
type check struct{ *validate.Form }

// checked is the profile in canonical form, or a fault that names every wrong field.
func checked(p Profile, country string) (Profile, error) {
	c := &check{validate.New(ErrProfileInvalid)}
	p.Name = c.line("name", p.Name, nameMax)
	if p.Name == "" {
		c.Wrong("name", fault.Required)
	}
	if !colour.MatchString(p.Color) {
		c.Wrong("color", fault.WrongFormat)
	}
	p.Color = strings.ToUpper(p.Color)
	c.official("email", &p.Email, func(text string) (string, error) { n, err := official.ParseEmail(text); return string(n), err })
	c.official("phone", &p.Phone, func(text string) (string, error) {
		n, err := official.ParsePhone(text, country)
		return string(n), err
	})
	c.official("taxId", &p.TaxID, func(text string) (string, error) { return official.ParseTaxID(text, country) })
	account := string(p.Account)
	c.official("account", &account, func(text string) (string, error) { n, err := official.ParseAccount(text); return string(n), err })
	p.Account = official.Account(account)
	p.WWW = c.www(p.WWW)
	p.Cities = c.list("cities", p.Cities)
	p.Services = c.list("services", p.Services)
	if p.Commission < 0 {
		c.Wrong("commission", fault.TooSmall, "min", "0")
	}
	if p.Commission > wholeRate {
		c.Wrong("commission", fault.TooBig, "max", fmt.Sprint(int64(wholeRate)))
	}
	if p.ProvisionCharge != ChargeAlways && p.ProvisionCharge != ChargeWhenDescribed {
		c.Wrong("provisionCharge", fault.NotOneOf)
	}
	if !slices.Contains([]int64{1, 2, 4}, p.SettlementFrequency) {
		c.Wrong("settlementFrequency", fault.NotOneOf)
	}
	p.Address = c.address(p.Address)
	p.Notes = c.text("notes", p.Notes, notesMax)
	p.Referral = c.line("referral", p.Referral, referralMax)
	if err := c.Err(); err != nil {
		return Profile{}, err
	}
	return p, nil
}

// line is a text of one line without spaces at its ends or twice in a row.
func (c *check) line(field, text string, maximum int) string {
	return c.text(field, strings.Join(strings.Fields(text), " "), maximum)
}

func (c *check) text(field, text string, maximum int) string {
	text = strings.TrimSpace(norm.NFC.String(text))
	switch {
	case utf8.RuneCountInString(text) > maximum:
		c.Wrong(field, fault.TooLong, "max", fmt.Sprint(maximum))
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }):
		c.Wrong(field, fault.WrongFormat)
	}
	return text
}

func (c *check) official(field string, text *string, parse func(string) (string, error)) {
	if strings.TrimSpace(*text) == "" {
		*text = ""
		return
	}
	canonical, err := parse(*text)
	switch {
	case errors.Is(err, official.ErrCheckDigit), errors.Is(err, official.ErrNotIssued), errors.Is(err, official.ErrCountry):
		c.Wrong(field, fault.Wrong)
	case err != nil:
		c.Wrong(field, fault.WrongFormat)
	}
	*text = canonical
}

func (c *check) www(text string) string {
	text = c.line("www", text, wwwMax)
	if text == "" {
		return ""
	}
	address, err := url.Parse(text)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Hostname() == "" || address.User != nil ||
		strings.ContainsFunc(text, unicode.IsSpace) {
		c.Wrong("www", fault.WrongFormat)
	}
	return text
}

// list is a list of short texts, none of them twice.
func (c *check) list(field string, entries []string) []string {
	kept := []string{}
	if len(entries) > listMax {
		c.Wrong(field, fault.TooLong, "max", fmt.Sprint(listMax))
		return kept
	}
	for i, entry := range entries {
		name := fmt.Sprintf("%s[%d]", field, i)
		entry = c.line(name, entry, partMax)
		switch {
		case entry == "":
			c.Wrong(name, fault.Required)
		case slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, entry) }):
			c.Wrong(name, fault.Duplicate)
		}
		kept = append(kept, entry)
	}
	return kept
}

// address may be empty or grow line by line, but a post code is only right in
// its country.
func (c *check) address(a Address) Address {
	a.Street = c.line("address.street", a.Street, partMax)
	a.HouseNumber = c.line("address.houseNumber", a.HouseNumber, numberMax)
	a.ApartmentNumber = c.line("address.apartmentNumber", a.ApartmentNumber, numberMax)
	a.City = c.line("address.city", a.City, partMax)
	a.Country = strings.ToUpper(strings.TrimSpace(a.Country))
	if a.Country != "" && !slices.Contains(countries, a.Country) {
		c.Wrong("address.country", fault.NotOneOf)
	}
	if a.PostCode = strings.ToUpper(strings.TrimSpace(a.PostCode)); a.PostCode == "" {
		return a
	}
	switch {
	case a.Country == "":
		c.Wrong("address.country", fault.Required)
	case a.Country == "PL" || a.Country == "DE":
		c.official("address.postCode", &a.PostCode, func(text string) (string, error) {
			n, err := official.ParsePostCode(text, a.Country)
			return string(n), err
		})
	case !foreignPostCode.MatchString(a.PostCode):
		c.Wrong("address.postCode", fault.WrongFormat)
	}
	return a
}

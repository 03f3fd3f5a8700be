package fleet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/i18n"
)

// Limits of what a driver types.
const (
	NameMax   = 50
	placeMax  = 100
	numberMax = 20
	citiesMax = 20
)

// What a driver can say of their car and of their work.
var (
	CarStatuses = []string{"want_to_rent", "own", "rented"}
	Activities  = []string{"unknown", "active", "plan_to", "self", "with_partner"}
)

// Details are what a driver fills in.
type Details struct {
	FirstName, LastName string
	Email, Phone        string
	Cities              Cities // where they drive, at least one
	TaxID               string // of their company; empty: none
	Newsletter          bool
	CarStatus           string // one of CarStatuses, or empty: not said
	Activity            string // one of Activities
	Street              string
	HouseNumber         string
	ApartmentNumber     string
	City                string
	PostCode            string
	Country             string // two letters; empty: the instance's
	SummaryLanguage     string
	Bailiff             bool
	Pesel               *string // nil: stays as it is; empty: none
}

// Cities are kept as one text.
type Cities []string

// Scan reads them back.
func (c *Cities) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("cities are stored as text, found %T", value)
	}
	return json.Unmarshal([]byte(text), c)
}

func (d Details) name() string { return d.FirstName + " " + d.LastName }

// MaskedName is a first name and an initial, for those who need not be the person.
func MaskedName(first, last string) string {
	initial, _ := utf8.DecodeRuneInString(strings.TrimSpace(last))
	if initial == utf8.RuneError {
		return first
	}
	return first + " " + string(initial) + "."
}

// clean is a typed text in one form of its letters, without line breaks and
// surplus spaces.
func clean(text string) string { return strings.Join(strings.Fields(norm.NFC.String(text)), " ") }

func cut(text string, most int) string {
	letters := []rune(clean(text))
	return string(letters[:min(len(letters), most)])
}

// checked gives the details in their one form, or a fault that names every
// wrong field as the request does.
func (d Details) checked(country string) (Details, error) {
	c := checker{refusal: ErrAccountInvalid, country: country}
	d.FirstName = c.text("firstName", d.FirstName, NameMax, true)
	d.LastName = c.text("lastName", d.LastName, NameMax, true)
	d.Email = number(&c, "email", d.Email, true, official.ParseEmail)
	d.Phone = number(&c, "phone", d.Phone, true, func(t string) (official.Phone, error) { return official.ParsePhone(t, country) })
	d.Cities = c.cities(d.Cities)
	d.TaxID = c.taxID(d.TaxID)
	d.CarStatus = c.oneOf("carStatus", d.CarStatus, append([]string{""}, CarStatuses...))
	d.Activity = c.oneOf("activity", cmp.Or(d.Activity, "unknown"), Activities)
	d.Street = c.text("address.street", d.Street, placeMax, false)
	d.HouseNumber = c.text("address.houseNumber", d.HouseNumber, numberMax, false)
	d.ApartmentNumber = c.text("address.apartmentNumber", d.ApartmentNumber, numberMax, false)
	d.City = c.text("address.city", d.City, placeMax, false)
	d.Country = c.countryCode(d.Country)
	d.PostCode = c.postCode(d.PostCode, cmp.Or(d.Country, country))
	if _, ok := i18n.Parse(cmp.Or(d.SummaryLanguage, strings.ToLower(country))); !ok {
		c.wrong("summaryLanguage", fault.NotOneOf)
	}
	d.SummaryLanguage = cmp.Or(d.SummaryLanguage, strings.ToLower(country))
	if d.Pesel != nil {
		pesel := number(&c, "pesel", *d.Pesel, false, official.ParsePESEL)
		d.Pesel = &pesel
	}
	if c.found != nil {
		return d, c.found
	}
	return d, nil
}

// checker collects what is wrong.
type checker struct {
	refusal *fault.Fault // what the wrong fields are told with
	country string
	found   *fault.Fault
}

func (c *checker) wrong(field string, code fault.FieldCode, params ...string) {
	if c.found == nil {
		c.found = c.refusal
	}
	c.found = c.found.Field(field, code, params...)
}

func (c *checker) text(field, typed string, most int, required bool) string {
	text := clean(typed)
	switch n := len([]rune(text)); {
	case n == 0 && required:
		c.wrong(field, fault.Required)
	case n > most:
		c.wrong(field, fault.TooLong, "max", strconv.Itoa(most))
	case strings.ContainsFunc(text, unicode.IsControl):
		c.wrong(field, fault.WrongFormat)
	}
	return text
}

// number reads an official number in its one form.
func number[T ~string](c *checker, field, typed string, required bool, parse func(string) (T, error)) string {
	if strings.TrimSpace(typed) == "" {
		if required {
			c.wrong(field, fault.Required)
		}
		return ""
	}
	value, err := parse(typed)
	if err != nil {
		c.wrong(field, fault.WrongFormat)
	}
	return string(value)
}

func (c *checker) cities(typed []string) Cities {
	cities := Cities{}
	for _, t := range typed {
		if city := c.text("cities", t, placeMax, false); city != "" && !slices.Contains(cities, city) {
			cities = append(cities, city)
		}
	}
	switch n := len(cities); {
	case n == 0:
		c.wrong("cities", fault.Required)
	case n > citiesMax:
		c.wrong("cities", fault.TooLong, "max", strconv.Itoa(citiesMax))
	}
	return cities
}

// taxID is the number of a driver's own company. In Germany a driver may have
// that of a business or only their own.
func (c *checker) taxID(typed string) string {
	if c.country != "DE" {
		return number(c, "taxId", typed, false, official.ParseNIP)
	}
	if id, err := official.ParseSteuerID(typed); err == nil {
		return string(id)
	}
	if number, err := official.ParseSteuernummer(typed); err == nil {
		return string(number)
	}
	return number(c, "taxId", typed, false, official.ParseUStIdNr)
}

func (c *checker) oneOf(field, value string, allowed []string) string {
	if !slices.Contains(allowed, value) {
		c.wrong(field, fault.NotOneOf)
	}
	return value
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

func (c *checker) countryCode(typed string) string {
	code := strings.ToUpper(strings.TrimSpace(typed))
	if code != "" && !countryCode.MatchString(code) {
		c.wrong("address.country", fault.WrongFormat)
	}
	return code
}

// postCode knows the form of the two countries that Saldo works in.
func (c *checker) postCode(typed, country string) string {
	if country != "PL" && country != "DE" {
		return c.text("address.postCode", typed, numberMax, false)
	}
	return number(c, "address.postCode", typed, false, func(t string) (official.PostCode, error) { return official.ParsePostCode(t, country) })
}

// changes names the fields in which details differ.
func (d Details) changes(after Details) (fields []string) {
	for _, f := range []struct {
		name string
		same bool
	}{
		{"firstName", d.FirstName == after.FirstName}, {"lastName", d.LastName == after.LastName}, {"email", d.Email == after.Email},
		{"phone", d.Phone == after.Phone}, {"cities", slices.Equal(d.Cities, after.Cities)}, {"taxId", d.TaxID == after.TaxID},
		{"newsletter", d.Newsletter == after.Newsletter}, {"carStatus", d.CarStatus == after.CarStatus},
		{"activity", d.Activity == after.Activity},
		{"address", d.Street == after.Street && d.HouseNumber == after.HouseNumber && d.ApartmentNumber == after.ApartmentNumber &&
			d.City == after.City && d.PostCode == after.PostCode && d.Country == after.Country},
		{"summaryLanguage", d.SummaryLanguage == after.SummaryLanguage}, {"bailiff", d.Bailiff == after.Bailiff}, {"pesel", after.Pesel == nil},
	} {
		if !f.same {
			fields = append(fields, f.name)
		}
	}
	return fields
}

var referenceID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

const linkMax = 255

// id and link are the parts of a reference that are what they should be; it
// comes from cookies, in which anything can stand.
func (r Reference) id() string {
	if !referenceID.MatchString(r.ID) {
		return ""
	}
	return r.ID
}

func (r Reference) link() string {
	link, err := url.Parse(r.Link)
	if err != nil || len(r.Link) > linkMax || link.Scheme != "https" || link.Host == "" || link.User != nil {
		return ""
	}
	return r.Link
}

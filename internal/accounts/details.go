package accounts

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
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
	Cities              []string // where they drive, at least one
	TaxID               string   // of their company; empty: none
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
	Pesel               *string `db:"-"` // nil: stays as it is; empty: none
}

func (d Details) fullName() string { return d.FirstName + " " + d.LastName }

// checked gives the details in their one form, or a fault that names every
// wrong field as the request does.
func (d Details) checked(country string) (Details, error) {
	c := validate.New(ErrInvalid)
	d.FirstName = c.Text("firstName", d.FirstName, NameMax, true)
	d.LastName = c.Text("lastName", d.LastName, NameMax, true)
	d.Email = validate.Number(c, "email", d.Email, true, official.ParseEmail)
	d.Phone = validate.Number(c, "phone", d.Phone, true, func(t string) (official.Phone, error) { return ownPhone(t, country) })
	d.Cities = checkedCities(c, d.Cities)
	d.TaxID = c.TaxID("taxId", d.TaxID, country)
	d.CarStatus = c.OneOf("carStatus", d.CarStatus, append([]string{""}, CarStatuses...))
	d.Activity = c.OneOf("activity", cmp.Or(d.Activity, "unknown"), Activities)
	d.Street = c.Text("address.street", d.Street, placeMax, false)
	d.HouseNumber = c.Text("address.houseNumber", d.HouseNumber, numberMax, false)
	d.ApartmentNumber = c.Text("address.apartmentNumber", d.ApartmentNumber, numberMax, false)
	d.City = c.Text("address.city", d.City, placeMax, false)
	d.Country = checkedCountry(c, d.Country)
	d.PostCode = checkedPostCode(c, d.PostCode, cmp.Or(d.Country, country))
	if _, ok := i18n.Parse(cmp.Or(d.SummaryLanguage, strings.ToLower(country))); !ok {
		c.Wrong("summaryLanguage", fault.NotOneOf)
	}
	d.SummaryLanguage = cmp.Or(d.SummaryLanguage, strings.ToLower(country))
	if d.Pesel != nil {
		pesel := validate.Number(c, "pesel", *d.Pesel, false, official.ParsePESEL)
		d.Pesel = &pesel
	}
	if err := c.Err(); err != nil {
		return d, err
	}
	return d, nil
}

// ownPhone is a phone number as its owner types it. A Polish one does not begin with 0: whoever types one has a number of another
// country, where it does, and must name the country.
func ownPhone(typed, country string) (official.Phone, error) {
	if t := strings.TrimSpace(typed); country == "PL" && strings.HasPrefix(t, "0") && !strings.HasPrefix(t, "00") {
		return official.ParsePhone(t, "")
	}
	return official.ParsePhone(typed, country)
}

func checkedCities(c *validate.Form, typed []string) []string {
	cities := []string{}
	for _, t := range typed {
		if city := c.Text("cities", t, placeMax, false); city != "" && !slices.Contains(cities, city) {
			cities = append(cities, city)
		}
	}
	switch n := len(cities); {
	case n == 0:
		c.Wrong("cities", fault.Required)
	case n > citiesMax:
		c.Wrong("cities", fault.TooLong, "max", strconv.Itoa(citiesMax))
	}
	return cities
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

func checkedCountry(c *validate.Form, typed string) string {
	code := strings.ToUpper(strings.TrimSpace(typed))
	if code != "" && !countryCode.MatchString(code) {
		c.Wrong("address.country", fault.WrongFormat)
	}
	return code
}

// checkedPostCode knows the form of the two countries that Saldo works in.
func checkedPostCode(c *validate.Form, typed, country string) string {
	if country != "PL" && country != "DE" {
		return c.Text("address.postCode", typed, numberMax, false)
	}
	return validate.Number(c, "address.postCode", typed, false,
		func(t string) (official.PostCode, error) { return official.ParsePostCode(t, country) })
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

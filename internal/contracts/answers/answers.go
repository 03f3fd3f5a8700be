// Package answers is what drivers fill in for their contracts, and what is wrong with it: the steps of the wizard.
package answers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/pdf"
	"saldo/internal/schemas"
)

// Answers are what the documents of a contract are filled with: the four steps of the wizard. They are sealed wherever they are kept.
type Answers struct {
	Personal   PersonalAnswers  `json:"personal"`
	Contract   TermsAnswers     `json:"contract"`
	Statements StatementAnswers `json:"statements"`
}

// HomeAddress is where somebody lives.
type HomeAddress struct {
	Street      string `json:"street,omitempty"`
	House       string `json:"house,omitempty"`
	Apartment   string `json:"apartment,omitempty"`
	PostCode    string `json:"postCode,omitempty"`
	City        string `json:"city,omitempty"`
	Commune     string `json:"commune,omitempty"`
	County      string `json:"county,omitempty"`
	Voivodeship string `json:"voivodeship,omitempty"`
	Country     string `json:"country,omitempty"`
}

// PersonalAnswers is the first step.
type PersonalAnswers struct {
	FirstNames     string        `json:"firstNames,omitempty"`
	LastName       string        `json:"lastName,omitempty"`
	FamilyName     string        `json:"familyName,omitempty"`
	BirthDate      calendar.Date `json:"birthDate,omitempty"`
	BirthPlace     string        `json:"birthPlace,omitempty"`
	Citizenship    string        `json:"citizenship,omitempty"` // country as two letters
	PESEL          string        `json:"pesel,omitempty"`
	TaxNumber      string        `json:"taxNumber,omitempty"`    // Steuer-ID
	SocialNumber   string        `json:"socialNumber,omitempty"` // Sozialversicherungsnummer
	IDKind         string        `json:"idKind,omitempty"`
	IDNumber       string        `json:"idNumber,omitempty"`
	IDValidTo      calendar.Date `json:"idValidTo,omitempty"`
	Registered     HomeAddress   `json:"registered,omitzero"`
	Actual         HomeAddress   `json:"actual,omitzero"`
	Correspondence HomeAddress   `json:"correspondence,omitzero"`
	Phone          string        `json:"phone,omitempty"`
	Email          string        `json:"email,omitempty"`
}

// VehicleAnswers is a car or a bike.
type VehicleAnswers struct {
	Kind         string `json:"kind,omitempty"`
	Make         string `json:"make,omitempty"`
	Model        string `json:"model,omitempty"`
	Registration string `json:"registration,omitempty"`
	Year         int64  `json:"year,omitempty"`
	VIN          string `json:"vin,omitempty"`
	FrameNumber  string `json:"frameNumber,omitempty"`
	Owner        string `json:"owner,omitempty"`
}

// CompanyAnswers is the driver's own.
type CompanyAnswers struct {
	Name     string `json:"name,omitempty"`
	TaxID    string `json:"taxId,omitempty"`
	REGON    string `json:"regon,omitempty"`
	VATPayer bool   `json:"vatPayer,omitempty"`
}

// TermsAnswers are the second step: what is agreed on.
type TermsAnswers struct {
	Kinds       []string       `json:"kinds,omitempty"`
	Date        calendar.Date  `json:"date,omitempty"`
	Place       string         `json:"place,omitempty"`
	From        calendar.Date  `json:"from,omitempty"`
	To          calendar.Date  `json:"to,omitempty"`
	Frequency   int64          `json:"settlementFrequency,omitempty"` // weeks: 1, 2 or 4
	Vehicle     VehicleAnswers `json:"vehicle,omitzero"`
	RentWeekly  money.Amount   `json:"rentWeekly,omitempty"`
	RentDeposit money.Amount   `json:"rentDeposit,omitempty"`
	IBANPayout  string         `json:"ibanPayout,omitempty"`
	IBANRefunds string         `json:"ibanRefunds,omitempty"`
	IBANRental  string         `json:"ibanRental,omitempty"`
	Company     CompanyAnswers `json:"company,omitzero"`
	Bailiff     bool           `json:"bailiff,omitempty"`
}

// StatementAnswers are the third step: what taxes and insurance are reckoned by.
type StatementAnswers struct {
	TaxOffice       string        `json:"taxOffice,omitempty"`
	NFZ             string        `json:"nfz,omitempty"` // branch, 01 to 16
	Student         bool          `json:"student,omitempty"`
	School          string        `json:"school,omitempty"`
	StudentUntil    calendar.Date `json:"studentUntil,omitempty"`
	Pensioner       bool          `json:"pensioner,omitempty"`
	PensionNumber   string        `json:"pensionNumber,omitempty"`
	Disability      string        `json:"disability,omitempty"`
	DisabilityUntil calendar.Date `json:"disabilityUntil,omitempty"`
	HealthConsent   bool          `json:"healthConsent,omitempty"` // to keeping what is said of a disability
	Employed        bool          `json:"employed,omitempty"`
	EmployedMinimum bool          `json:"employedMinimum,omitempty"`
	Business        bool          `json:"business,omitempty"`
	OtherContract   bool          `json:"otherContract,omitempty"`
	Sickness        bool          `json:"sickness,omitempty"`
	PPKResigned     bool          `json:"ppkResigned,omitempty"`
	PIT2            int64         `json:"pit2,omitempty"` // 300, 150, 100; 0: not asked for
	Under26         bool          `json:"under26,omitempty"`
	Returning       bool          `json:"returning,omitempty"`
	Family          bool          `json:"family,omitempty"`
	Senior          bool          `json:"senior,omitempty"`
	NoCosts         bool          `json:"noCosts,omitempty"`
	NoAdvance       bool          `json:"noAdvance,omitempty"`
	TaxResidence    string        `json:"taxResidence,omitempty"` // country as two letters
	TaxClass        int64         `json:"taxClass,omitempty"`     // Steuerklasse, 1 to 6
	ChildAllowance  string        `json:"childAllowance,omitempty"`
	Confession      string        `json:"confession,omitempty"`
	HealthInsurer   string        `json:"healthInsurer,omitempty"`
	MainEmployer    bool          `json:"mainEmployer,omitempty"`
	MiniJob         bool          `json:"miniJob,omitempty"`
	PensionExempt   bool          `json:"pensionExempt,omitempty"`
}

// What some fields may be.
var (
	ContractKinds = []string{"civil_contract", "employment", "b2b", "rent_from_driver", "rent_to_driver", "vehicle_entrusted"}
	IDKinds       = []string{"identity_card", "passport", "residence_card", "other"}
	VehicleKinds  = []string{"car", "bike", "scooter"}
	Owners        = []string{"driver", "fleet", "third"}
	Disabilities  = []string{"none", "light", "moderate", "severe"}

	vin          = regexp.MustCompile(`^[A-HJ-NPR-Z0-9]{17}$`)
	idNumber     = regexp.MustCompile(`^[A-Z0-9]{5,20}$`)
	registration = regexp.MustCompile(`^[A-ZÄÖÜ0-9]{2,12}$`)
	country      = regexp.MustCompile(`^[A-Z]{2}$`)
	allowance    = regexp.MustCompile(`^\d{1,2}([.,]5|[.,]0)?$`)
)

// Branches are those of the Polish health fund, whose codes are their places from 01 on.
var Branches = []string{"Dolnośląski", "Kujawsko-Pomorski", "Lubelski", "Lubuski", "Łódzki", "Małopolski", "Mazowiecki", "Opolski",
	"Podkarpacki", "Podlaski", "Pomorski", "Śląski", "Świętokrzyski", "Warmińsko-Mazurski", "Wielkopolski", "Zachodniopomorski"}

// Branch is the branch with its name, or nothing where there is none of that code.
func (s *StatementAnswers) Branch() string {
	n, err := strconv.Atoi(s.NFZ)
	if err != nil || n < 1 || n > len(Branches) || len(s.NFZ) != 2 {
		return ""
	}
	return s.NFZ + " " + Branches[n-1]
}

// KindsOf are the contracts that documents are chosen by.
func (d *Answers) KindsOf() []string {
	kinds := slices.Clone(d.Contract.Kinds)
	if d.Contract.Bailiff {
		kinds = append(kinds, "bailiff")
	}
	return kinds
}

// has says whether one of the kinds is agreed on.
func (t *TermsAnswers) has(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(t.Kinds, k) })
}

type form struct {
	*validate.Form
	country string
}

// text is a text that pages can show, letter by letter.
func (f form) text(field, typed string, most int, required bool) string {
	text := f.Text(field, typed, most, required)
	if strings.ContainsRune(pdf.Clean(text), '\ufffd') {
		f.Wrong(field, fault.WrongFormat)
	}
	return text
}

func (f form) day(field string, d calendar.Date, required bool) {
	switch {
	case d == "" && required:
		f.Wrong(field, fault.Required)
	case d != "" && (!d.Exists() || d < "1900-01-01" || d > "2199-12-31"):
		f.Wrong(field, fault.WrongFormat)
	}
}

func (f form) matching(field, typed string, shape *regexp.Regexp, required bool) string {
	text := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(validate.Line(typed)))
	switch {
	case text == "" && required:
		f.Wrong(field, fault.Required)
	case text != "" && !shape.MatchString(text):
		f.Wrong(field, fault.WrongFormat)
	}
	return text
}

func (f form) choice(field, value string, allowed []string, required bool) {
	switch {
	case value == "" && required:
		f.Wrong(field, fault.Required)
	case value != "" && !slices.Contains(allowed, value):
		f.Wrong(field, fault.NotOneOf)
	}
}

// Checked gives the data in their one form, or the refusal with every field that is wrong or missing, for a contract in a country.
func (d Answers) Checked(inCountry string, refusal *fault.Fault) (Answers, error) {
	f := form{validate.New(refusal), inCountry}
	d.Contract.Kinds = slices.Clone(d.Contract.Kinds)
	d.Personal.check(f, &d.Contract)
	d.Contract.check(f)
	d.Statements.check(f, &d)
	return d, f.Err()
}

func (p *PersonalAnswers) check(f form, t *TermsAnswers) {
	const at = "personal."
	p.FirstNames = f.text(at+"firstNames", p.FirstNames, 150, true)
	p.LastName = f.text(at+"lastName", p.LastName, 150, true)
	p.FamilyName = f.text(at+"familyName", p.FamilyName, 150, false)
	f.day(at+"birthDate", p.BirthDate, true)
	p.BirthPlace = f.text(at+"birthPlace", p.BirthPlace, 100, false)
	p.Citizenship = f.matching(at+"citizenship", p.Citizenship, country, true)
	german := f.country == "DE"
	passport := p.IDKind != "" && p.IDKind != "identity_card" // who has no PESEL is known by a passport or a residence card
	p.PESEL = validate.Number(f.Form, at+"pesel", p.PESEL, !german && !passport, official.ParsePESEL)
	if born := official.PESEL(p.PESEL); p.PESEL != "" && len(p.PESEL) == 11 && p.BirthDate.Exists() && born.BirthOn() != string(p.BirthDate) {
		f.Wrong(at+"birthDate", fault.Wrong)
	}
	p.TaxNumber = validate.Number(f.Form, at+"taxNumber", p.TaxNumber, german && t.has("employment"), official.ParseSteuerID)
	p.SocialNumber = validate.Number(f.Form, at+"socialNumber", p.SocialNumber, false, parseSocialNumber)
	f.choice(at+"idKind", p.IDKind, IDKinds, true)
	p.IDNumber = f.matching(at+"idNumber", p.IDNumber, idNumber, true)
	f.day(at+"idValidTo", p.IDValidTo, false)
	p.Registered.check(f, at+"registered.", true)
	p.Actual.check(f, at+"actual.", false)
	p.Correspondence.check(f, at+"correspondence.", false)
	p.Phone = validate.Number(f.Form, at+"phone", p.Phone, true,
		func(t string) (official.Phone, error) { return official.ParsePhone(t, f.country) })
	p.Email = validate.Number(f.Form, at+"email", p.Email, true, official.ParseEmail)
}

func (a *HomeAddress) check(f form, at string, required bool) {
	if !required && *a == (HomeAddress{}) {
		return
	}
	a.Street = f.text(at+"street", a.Street, 100, false)
	a.House = f.text(at+"house", a.House, 20, true)
	a.Apartment = f.text(at+"apartment", a.Apartment, 20, false)
	a.City = f.text(at+"city", a.City, 100, true)
	a.Commune = f.text(at+"commune", a.Commune, 100, false)
	a.County = f.text(at+"county", a.County, 100, false)
	a.Voivodeship = f.text(at+"voivodeship", a.Voivodeship, 100, false)
	if a.Country = f.matching(at+"country", a.Country, country, false); a.Country == "" {
		a.Country = f.country
	}
	a.PostCode = validate.Number(f.Form, at+"postCode", a.PostCode, true,
		func(t string) (official.PostCode, error) { return official.ParsePostCode(t, a.Country) })
}

func (t *TermsAnswers) check(f form) {
	const at = "contract."
	if len(t.Kinds) == 0 {
		f.Wrong(at+"kinds", fault.Required)
	}
	for _, k := range t.Kinds {
		if !slices.Contains(ContractKinds, k) {
			f.Wrong(at+"kinds", fault.NotOneOf)
		}
	}
	slices.Sort(t.Kinds)
	t.Kinds = slices.Compact(t.Kinds)
	f.day(at+"date", t.Date, true)
	t.Place = f.text(at+"place", t.Place, 100, true)
	f.day(at+"from", t.From, true)
	f.day(at+"to", t.To, false)
	if t.To != "" && t.To < t.From {
		f.Wrong(at+"to", fault.TooSmall)
	}
	if !slices.Contains(schemas.Frequencies, t.Frequency) {
		f.Wrong(at+"settlementFrequency", fault.NotOneOf)
	}
	rents, entrusted := t.has("rent_from_driver", "rent_to_driver"), t.has("vehicle_entrusted")
	t.Vehicle.check(f, rents || entrusted)
	for field, amount := range map[string]money.Amount{"rentWeekly": t.RentWeekly, "rentDeposit": t.RentDeposit} {
		switch {
		case amount < 0:
			f.Wrong(at+field, fault.TooSmall)
		case amount > 10_000_000:
			f.Wrong(at+field, fault.TooBig)
		case amount == 0 && rents && field == "rentWeekly":
			f.Wrong(at+field, fault.Required)
		}
	}
	t.IBANPayout = validate.Number(f.Form, at+"ibanPayout", t.IBANPayout, true, official.ParseAccount)
	t.IBANRefunds = validate.Number(f.Form, at+"ibanRefunds", t.IBANRefunds, false, official.ParseAccount)
	t.IBANRental = validate.Number(f.Form, at+"ibanRental", t.IBANRental, t.has("rent_from_driver"), official.ParseAccount)
	c, b2b := &t.Company, t.has("b2b")
	c.Name = f.text(at+"company.name", c.Name, 200, b2b)
	if c.TaxID = f.TaxID(at+"company.taxId", c.TaxID, f.country); c.TaxID == "" && b2b {
		f.Wrong(at+"company.taxId", fault.Required)
	}
	c.REGON = validate.Number(f.Form, at+"company.regon", c.REGON, false, official.ParseREGON)
}

func (v *VehicleAnswers) check(f form, required bool) {
	const at = "contract.vehicle."
	f.choice(at+"kind", v.Kind, VehicleKinds, required)
	motor := required && v.Kind != "bike"
	v.Make = f.text(at+"make", v.Make, 60, required)
	v.Model = f.text(at+"model", v.Model, 60, required)
	v.Registration = f.matching(at+"registration", v.Registration, registration, motor)
	if v.Year != 0 && (v.Year < 1950 || v.Year > 2100) {
		f.Wrong(at+"year", fault.WrongFormat)
	}
	v.VIN = f.matching(at+"vin", v.VIN, vin, false)
	v.FrameNumber = f.text(at+"frameNumber", v.FrameNumber, 40, required && !motor)
	f.choice(at+"owner", v.Owner, Owners, required)
}

func (s *StatementAnswers) check(f form, d *Answers) {
	const at = "statements."
	civil := d.Contract.has("civil_contract")
	s.TaxOffice = f.text(at+"taxOffice", s.TaxOffice, 120, civil && f.country == "PL")
	if s.NFZ != "" && s.Branch() == "" {
		f.Wrong(at+"nfz", fault.NotOneOf)
	} else if s.NFZ == "" && civil && f.country == "PL" {
		f.Wrong(at+"nfz", fault.Required)
	}
	s.School = f.text(at+"school", s.School, 150, s.Student)
	f.day(at+"studentUntil", s.StudentUntil, false)
	if s.Student && d.Personal.BirthDate.Exists() && d.Contract.From.Exists() && !youngerThan26(d.Personal.BirthDate, d.Contract.From) {
		f.Wrong(at+"student", fault.Wrong)
	}
	s.PensionNumber = f.text(at+"pensionNumber", s.PensionNumber, 40, false)
	f.choice(at+"disability", s.Disability, Disabilities, false)
	f.day(at+"disabilityUntil", s.DisabilityUntil, false)
	if s.Disability != "" && s.Disability != "none" && !s.HealthConsent {
		f.Wrong(at+"healthConsent", fault.Required)
	}
	if s.EmployedMinimum && !s.Employed {
		f.Wrong(at+"employed", fault.Required)
	}
	if !slices.Contains([]int64{0, 100, 150, 300}, s.PIT2) {
		f.Wrong(at+"pit2", fault.NotOneOf)
	}
	s.TaxResidence = f.matching(at+"taxResidence", s.TaxResidence, country, civil)
	if s.TaxClass < 0 || s.TaxClass > 6 {
		f.Wrong(at+"taxClass", fault.NotOneOf)
	}
	s.ChildAllowance = f.matching(at+"childAllowance", s.ChildAllowance, allowance, false)
	s.Confession = f.text(at+"confession", s.Confession, 20, false)
	s.HealthInsurer = f.text(at+"healthInsurer", s.HealthInsurer, 100, f.country == "DE" && d.Contract.has("employment"))
}

// youngerThan26 on a day; both days exist.
func youngerThan26(born, on calendar.Date) bool {
	year, err := strconv.Atoi(string(born[:4]))
	return err == nil && string(on) < strconv.Itoa(year+26)+string(born[4:])
}

var socialNumber = regexp.MustCompile(`^\d{8}[A-Z]\d{3}$`)

// parseSocialNumber reads a German social insurance number: the letter counts as its two digits, and the last digit checks the others.
func parseSocialNumber(typed string) (string, error) {
	text := strings.ToUpper(strings.ReplaceAll(typed, " ", ""))
	if !socialNumber.MatchString(text) {
		return text, official.ErrForm
	}
	letter := int(text[8]-'A') + 1
	digits := text[:8] + strconv.Itoa(letter/10) + strconv.Itoa(letter%10) + text[9:11]
	sum := 0
	for i, factor := range []int{2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1} {
		n := int(digits[i]-'0') * factor
		sum += n/10 + n%10
	}
	if sum%10 != int(text[11]-'0') {
		return text, official.ErrCheckDigit
	}
	return text, nil
}

// Name is how a person is called.
func (p *PersonalAnswers) Name() string { return strings.TrimSpace(p.FirstNames + " " + p.LastName) }

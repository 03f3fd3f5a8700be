// Package values says what the placeholders and boxes of contract documents stand for.
package values

import (
	"saldo/internal/contracts/answers"
	"slices"
	"strconv"
	"strings"

	"saldo/internal/contracts/template"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/i18n"
)

// words are the values of fields that documents write in words.
var words = map[string][]string{"contract-pages:id.": answers.IDKinds, "contract-pages:vehicle.": answers.VehicleKinds,
	"contract-pages:owner.": answers.Owners, "contract-pages:disability.": answers.Disabilities[1:],
	"contract-pages:frequency.": {"1", "2", "4"}, "contract-pages:sex.": {"F", "M"}}

// country is where the documents are used.
type country struct{ config.Instance }

func (c country) code() string { return strings.ToUpper(c.Code) }

// Of are what the placeholders of a document stand for, in its language. What is wrong in a draft is left out.
func Of(instance config.Instance, d *answers.Answers, p *partners.Profile, in i18n.Language) template.Values {
	c := country{instance}
	word := func(stem, value string) string {
		if !slices.Contains(words[stem], value) {
			return ""
		}
		return i18n.Of(in, stem+value)
	}
	day := func(on calendar.Date) string {
		if !on.Exists() {
			return ""
		}
		return i18n.Day(in, on)
	}
	amount := func(a money.Amount) string {
		if a == 0 {
			return ""
		}
		return i18n.Amount(in, a) + "\u00a0" + string(c.Currency)
	}
	account := func(a string) string { return official.Account(a).Display() }
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	o, t, st := &d.Personal, &d.Contract, &d.Statements
	disability, disabled := "", st.Disability != "" && st.Disability != "none"
	if disabled {
		disability = word("contract-pages:disability.", st.Disability)
	}
	sex := ""
	if pesel, err := official.ParsePESEL(o.PESEL); err == nil {
		sex = word("contract-pages:sex.", string(pesel.Sex()))
	}
	phone := o.Phone
	if parsed, err := official.ParsePhone(o.Phone, c.code()); err == nil {
		phone = parsed.Display()
	}
	pit2 := amount(money.Amount(st.PIT2 * 100))
	texts := map[string]string{
		"partner.name": p.Name, "partner.taxId": p.TaxID, "partner.city": p.Address.City, "partner.email": p.Email, "partner.phone": p.Phone,
		"partner.address": c.address(answers.HomeAddress{Street: p.Address.Street, House: p.Address.HouseNumber,
			Apartment: p.Address.ApartmentNumber, PostCode: p.Address.PostCode, City: p.Address.City, Country: p.Address.Country}),
		"driver.name": o.Name(), "driver.firstNames": o.FirstNames, "driver.lastName": o.LastName, "driver.familyName": o.FamilyName,
		"driver.birthDate": day(o.BirthDate), "driver.birthPlace": o.BirthPlace, "driver.citizenship": o.Citizenship, "driver.sex": sex,
		"driver.pesel": o.PESEL, "driver.taxNumber": official.SteuerID(o.TaxNumber).Display(), "driver.socialNumber": o.SocialNumber,
		"driver.idKind": word("contract-pages:id.", o.IDKind), "driver.idNumber": o.IDNumber, "driver.idValidTo": day(o.IDValidTo),
		"driver.address": c.address(o.Registered), "driver.actualAddress": c.address(o.Actual),
		"driver.mailAddress": c.address(o.Correspondence), "driver.phone": phone, "driver.email": o.Email,
		"contract.date": day(t.Date), "contract.place": t.Place, "contract.from": day(t.From), "contract.to": day(t.To),
		"contract.frequency": word("contract-pages:frequency.", number(t.Frequency)),
		"vehicle.kind":       word("contract-pages:vehicle.", t.Vehicle.Kind), "vehicle.make": t.Vehicle.Make, "vehicle.model": t.Vehicle.Model,
		"vehicle.registration": t.Vehicle.Registration, "vehicle.year": number(t.Vehicle.Year), "vehicle.vin": t.Vehicle.VIN,
		"vehicle.frameNumber": t.Vehicle.FrameNumber, "vehicle.owner": word("contract-pages:owner.", t.Vehicle.Owner),
		"rent.weekly": amount(t.RentWeekly), "rent.deposit": amount(t.RentDeposit),
		"account.payout": account(t.IBANPayout), "account.refunds": account(t.IBANRefunds), "account.rental": account(t.IBANRental),
		"company.name": t.Company.Name, "company.taxId": t.Company.TaxID, "company.regon": t.Company.REGON,
		"statement.taxOffice": st.TaxOffice, "statement.nfz": st.Branch(), "statement.school": st.School,
		"statement.studentUntil": day(st.StudentUntil), "statement.pensionNumber": st.PensionNumber, "statement.disability": disability,
		"statement.disabilityUntil": day(st.DisabilityUntil), "statement.pit2": pit2, "statement.taxResidence": st.TaxResidence,
		"statement.taxClass": number(st.TaxClass), "statement.childAllowance": st.ChildAllowance, "statement.confession": st.Confession,
		"statement.healthInsurer": st.HealthInsurer,
	}
	resident := st.TaxResidence == c.code()
	return template.Values{Texts: texts, Ticks: map[string]bool{
		"student": st.Student, "notStudent": !st.Student, "pensioner": st.Pensioner, "disabled": disabled, "employed": st.Employed,
		"employedMinimum": st.EmployedMinimum, "business": st.Business, "otherContract": st.OtherContract,
		"noOtherTitle": !st.Employed && !st.Business && !st.OtherContract && !st.Pensioner, "sickness": st.Sickness, "noSickness": !st.Sickness,
		"ppkResigned": st.PPKResigned, "ppk": !st.PPKResigned, "pit2": st.PIT2 > 0, "pit2Full": st.PIT2 == 300, "pit2Half": st.PIT2 == 150,
		"pit2Third": st.PIT2 == 100, "under26": st.Under26, "returning": st.Returning, "family": st.Family, "senior": st.Senior,
		"noCosts": st.NoCosts, "noAdvance": st.NoAdvance, "vatPayer": t.Company.VATPayer, "notVatPayer": !t.Company.VATPayer,
		"residentHere": resident, "residentElsewhere": st.TaxResidence != "" && !resident, "mainEmployer": st.MainEmployer,
		"otherEmployer": !st.MainEmployer, "miniJob": st.MiniJob, "pensionExempt": st.PensionExempt, "bailiff": t.Bailiff,
		"noBailiff": !t.Bailiff, "owner": t.Vehicle.Owner == "driver",
	}}
}

// address writes an address on one line, with its country where it is another one.
func (c country) address(a answers.HomeAddress) string {
	where := strings.TrimSpace(a.Street + " " + a.House)
	if a.Apartment != "" {
		where += "/" + a.Apartment
	}
	parts := []string{where, strings.TrimSpace(a.PostCode + " " + a.City)}
	if a.Voivodeship != "" {
		parts = append(parts, a.Voivodeship)
	}
	if a.Country != "" && a.Country != c.code() {
		parts = append(parts, a.Country)
	}
	filled := parts[:0]
	for _, p := range parts {
		if p != "" {
			filled = append(filled, p)
		}
	}
	return strings.Join(filled, ", ")
}

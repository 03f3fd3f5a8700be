package template

import (
	"slices"
	"strings"
	"unicode"
)

// proposals are what forms call their fields, folded, and what may stand there.
var proposals = map[string]string{
	"name": "driver.name", "imieinazwisko": "driver.name", "nazwiskoiimie": "driver.name", "fullname": "driver.name",
	"vornamename": "driver.name",
	"imie":        "driver.firstNames", "imiona": "driver.firstNames", "firstname": "driver.firstNames", "vorname": "driver.firstNames",
	"nazwisko": "driver.lastName", "lastname": "driver.lastName", "surname": "driver.lastName", "nachname": "driver.lastName",
	"pesel": "driver.pesel", "dataurodzenia": "driver.birthDate", "birthdate": "driver.birthDate", "geburtsdatum": "driver.birthDate",
	"miejsceurodzenia": "driver.birthPlace", "geburtsort": "driver.birthPlace", "obywatelstwo": "driver.citizenship",
	"adres": "driver.address", "address": "driver.address", "adresse": "driver.address", "anschrift": "driver.address",
	"telefon": "driver.phone", "phone": "driver.phone", "email": "driver.email", "mail": "driver.email",
	"dowod": "driver.idNumber", "nrdowodu": "driver.idNumber", "idnumber": "driver.idNumber", "ausweisnummer": "driver.idNumber",
	"data": "contract.date", "date": "contract.date", "datum": "contract.date", "miejsce": "contract.place", "place": "contract.place",
	"ort": "contract.place", "iban": "account.payout", "konto": "account.payout", "nrkonta": "account.payout", "rachunek": "account.payout",
	"rejestracja": "vehicle.registration", "nrrejestracyjny": "vehicle.registration", "kennzeichen": "vehicle.registration",
	"marka": "vehicle.make", "model": "vehicle.model", "vin": "vehicle.vin", "nip": "company.taxId", "firma": "company.name",
	"regon": "company.regon", "urzadskarbowy": "statement.taxOffice", "nfz": "statement.nfz",
}

// Proposed is what a field of a form may be for, by its name; empty: people say it.
func Proposed(kind, name string) string {
	switch kind {
	case PlacedText:
		if slices.Contains(Names, name) {
			return name
		}
		return proposals[folded(name)]
	case PlacedCheck:
		if slices.Contains(Boxes, name) {
			return name
		}
	case PlacedSignature:
		for _, word := range []string{"fleet", "flota", "partner", "zleceniodaw", "najemc", "auftraggeb", "arbeitgeb", "mieter", "employer",
			"company"} {
			if strings.Contains(folded(name), word) {
				return string(Partner)
			}
		}
		return string(Driver)
	}
	return ""
}

var plainLetters = strings.NewReplacer("ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ó", "o", "ś", "s", "ź", "z", "ż", "z",
	"ä", "a", "ö", "o", "ü", "u")

// folded is a name without signs, numbers and marks on letters.
func folded(name string) string {
	return plainLetters.Replace(strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, name)))
}

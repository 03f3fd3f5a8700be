package official

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// vector is a row of the file that the tests of the interface read too.
type vector struct {
	Kind, About, Country, Input string
	Times                       int // how often the input stands in the text; 0 is once
	OK                          bool
	Canonical, Display          string
	Reason                      Reason
	BirthOn, Sex                string
}

func (v vector) text() string { return strings.Repeat(v.Input, max(v.Times, 1)) }

type number interface{ Display() string }

// parsers has every kind of the vectors; the country matters to some of them.
var parsers = map[string]func(text, country string) (number, string, error){
	"nip":       alone(ParseNIP),
	"pesel":     alone(ParsePESEL),
	"regon":     alone(ParseREGON),
	"ust_id_nr": alone(ParseUStIdNr),
	"steuer_id": alone(ParseSteuerID),
	"account":   alone(ParseAccount),
	"email":     alone(ParseEmail),
	"post_code": inCountry(ParsePostCode),
	"phone":     inCountry(ParsePhone),
}

func inCountry[N interface {
	~string
	number
}](parse func(text, country string) (N, error)) func(text, country string) (number, string, error) {
	return func(text, country string) (number, string, error) {
		n, err := parse(text, country)
		return n, string(n), err
	}
}

func alone[N interface {
	~string
	number
}](parse func(text string) (N, error)) func(text, country string) (number, string, error) {
	return inCountry(func(text, _ string) (N, error) { return parse(text) })
}

var reasons = []Reason{ErrLength, ErrCharacters, ErrForm, ErrCheckDigit, ErrCountry, ErrDate, ErrNotIssued}

func vectors(t testing.TB) []vector {
	t.Helper()
	file, err := os.Open("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []vector
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryVectorIsCheckedAsTheFileSays(t *testing.T) {
	for _, v := range vectors(t) {
		parse, known := parsers[v.Kind]
		if !known {
			t.Fatalf("the kind %q has no parser", v.Kind)
		}
		n, canonical, err := parse(v.text(), v.Country)
		if !v.OK {
			if err != v.Reason || canonical != "" {
				t.Errorf("%s, %s, %.60q: is %q, %v; should be refused for %q", v.Kind, v.About, v.Input, canonical, err, v.Reason)
			}
			continue
		}
		if err != nil || canonical != v.Canonical || n.Display() != v.Display {
			t.Errorf("%s, %s, %.60q: is %q, %q, %v; should be %q, %q", v.Kind, v.About, v.Input, canonical, n.Display(), err, v.Canonical, v.Display)
		}
		if p, ok := n.(PESEL); ok && (p.BirthOn() != v.BirthOn || string(p.Sex()) != v.Sex) {
			t.Errorf("%s %q: born on %s, %s; should be %s, %s", v.Kind, v.Input, p.BirthOn(), p.Sex(), v.BirthOn, v.Sex)
		}
		if a, ok := n.(Account); ok && !a.Domestic(v.Canonical[:2]) {
			t.Errorf("%q is not of its country", v.Input)
		}
	}
}

func TestTheVectorsAreManyAndWhole(t *testing.T) {
	rows, refused, accounts := map[string]int{}, map[Reason]int{}, map[string]bool{}
	for _, v := range vectors(t) {
		rows[v.Kind]++
		if v.About == "" || v.OK != (v.Reason == "") || v.OK != (v.Canonical != "") || v.OK != (v.Display != "") {
			t.Errorf("a row is not whole: %+v", v)
		}
		refused[v.Reason]++
		if v.Kind == "account" && v.OK {
			accounts[v.Canonical[:2]] = true
		}
	}
	for kind := range parsers {
		if rows[kind] < 15 {
			t.Errorf("%s has only %d rows", kind, rows[kind])
		}
	}
	for _, reason := range reasons {
		if refused[reason] == 0 {
			t.Errorf("no row is refused for %s", reason)
		}
	}
	// Each country once, so that the table of the interface cannot lack one.
	for country := range registry {
		if !accounts[country] {
			t.Errorf("no account of %s", country)
		}
	}
}

func TestBrokenTextIsRefused(t *testing.T) {
	for kind, parse := range parsers {
		for _, text := range []string{"\xff", "5260250274\xff", "\xc0\x80", "\xed\xa0\x80", "anna@example.pl\xff", "+48601234567\x80", "1\xe2\x80"} {
			if _, canonical, err := parse(text, "PL"); err != ErrCharacters || canonical != "" {
				t.Errorf("%s %q is %q, %v", kind, text, canonical, err)
			}
		}
	}
}

func TestAnErrorNeverHoldsTheNumber(t *testing.T) {
	for _, v := range vectors(t) {
		if v.OK || len(v.Input) < 4 {
			continue
		}
		_, _, err := parsers[v.Kind](v.text(), v.Country)
		var reason Reason
		if !errors.As(err, &reason) || !slices.Contains(reasons, reason) {
			t.Errorf("%s, %s: %v is no declared reason", v.Kind, v.About, err)
		}
		if strings.Contains(err.Error(), v.Input) {
			t.Errorf("%s, %s: the error shows the number", v.Kind, v.About)
		}
	}
}

func TestWhatWasNeverParsedSaysNothing(t *testing.T) {
	for _, p := range []PESEL{"", "1", "4405140135x", "44051401359 ", "99999999999"} {
		if p.BirthOn() != "" || p.Sex() != "" {
			t.Errorf("%q was born on %q", string(p), p.BirthOn())
		}
	}
	if Account("").Country() != "" || Account("").Domestic("") || Account("P").Domestic("P") {
		t.Error("no account has a country")
	}
	for _, n := range []number{NIP(""), PESEL(""), REGON(""), UStIdNr(""), SteuerID(""), Account(""), PostCode(""), Phone(""), Email("")} {
		if n.Display() != "" {
			t.Errorf("%T shows %q", n, n.Display())
		}
	}
}

func TestOnlyAccountsOfTheCountryAreDomestic(t *testing.T) {
	for text, country := range map[string]string{"61109010140000071219812874": "PL", "DE89370400440532013000": "DE", "LT121000011101001000": "LT"} {
		account, err := ParseAccount(text)
		if err != nil || account.Country() != country {
			t.Fatalf("%q is of %q, %v", text, account.Country(), err)
		}
		for _, other := range []string{"PL", "DE", "LT", ""} {
			if account.Domestic(other) != (other == country) {
				t.Errorf("an account of %s is domestic in %q: %v", country, other, account.Domestic(other))
			}
		}
	}
}

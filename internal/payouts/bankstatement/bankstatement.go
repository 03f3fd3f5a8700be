// Package bankstatement reads what a bank says has happened on an account:
// MT940 as Polish and German banks write it, and CAMT.053. Nothing of a file is
// lost: what cannot be read refuses the whole file with its place, and so does
// a statement whose entries do not lead from its opening to its closing balance.
package bankstatement

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Entry is one movement on the account. What the file does not say is empty.
type Entry struct {
	Day       calendar.Date // of booking
	Amount    money.Amount  // negative: it left the account
	Currency  money.Currency
	Account   string // of the other side: letters and digits, with the country
	Name      string // of the other side
	Title     string
	EndToEnd  string // id that the payer gave
	Reference string // that the bank gave
	Returned  bool   // it came back, or takes back what came
	Reason    string // why it was returned
	Place     string // in the file, in words of the format
}

// Statement is what one account did between two balances.
type Statement struct {
	Account          string
	Number           string
	Currency         money.Currency
	Opening, Closing money.Amount
	Entries          []Entry
}

// Code says why a file was refused.
type Code string

// The codes.
const (
	Empty     Code = "empty"
	TooLarge  Code = "too_large"
	Unknown   Code = "unknown_format"
	Malformed Code = "malformed"  // a field is not what the format says
	Cut       Code = "cut_off"    // the statement does not end
	Unequal   Code = "balance"    // opening and entries are not the closing balance
	Divided   Code = "details"    // the parts of an entry are not its amount
	Currency  Code = "currency"   // two of them in one statement
	NoBalance Code = "no_balance" // nothing to check the entries against
)

// Refused is why and where a file was refused. Its text holds nothing of what
// the file says about people.
type Refused struct {
	Code  Code
	Place string
}

func (r *Refused) Error() string { return fmt.Sprintf("bankstatement: %s at %s", r.Code, r.Place) }

func refuse(code Code, place string) error { return &Refused{code, place} }

// Bounds of a file, so that nobody can make reading it need much memory.
const (
	SizeMost    = 16 << 20
	EntriesMost = 100_000
	linesMost   = 200 // of one field of MT940
)

// Read gives the statements of a file.
func Read(file []byte) ([]Statement, error) {
	if len(file) > SizeMost {
		return nil, refuse(TooLarge, "the file")
	}
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	switch begin := bytes.TrimSpace(file); {
	case len(begin) == 0:
		return nil, refuse(Empty, "the file")
	case begin[0] == '<':
		return readCAMT(begin)
	}
	return readMT940(decoded(file))
}

// lettersOf are those that tell code pages apart.
const lettersOf = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻäöüßÄÖÜ"

// decoded is a text in UTF-8, in the code page under which most of its foreign
// signs are letters of our languages; the earlier one where they are equal.
func decoded(file []byte) string {
	if utf8.Valid(file) {
		return string(file)
	}
	var best *charmap.Charmap
	maximum := -1
	for _, page := range []*charmap.Charmap{charmap.Windows1250, charmap.CodePage852, charmap.ISO8859_2} {
		letters := 0
		for _, b := range file {
			if b >= utf8.RuneSelf && strings.ContainsRune(lettersOf, page.DecodeByte(b)) {
				letters++
			}
		}
		if letters > maximum {
			best, maximum = page, letters
		}
	}
	var text strings.Builder
	for _, b := range file {
		if b == 0xFF { // what some banks fill empty fields with
			b = ' '
		}
		text.WriteRune(best.DecodeByte(b))
	}
	return text.String()
}

// check says whether the entries lead from the opening to the closing balance.
func (s *Statement) check(place string) error {
	sum := s.Opening
	for _, e := range s.Entries {
		var err error
		if sum, err = sum.Add(e.Amount); err != nil {
			return refuse(Malformed, e.Place)
		}
		if e.Currency != s.Currency {
			return refuse(Currency, e.Place)
		}
	}
	if sum != s.Closing {
		return refuse(Unequal, place)
	}
	return nil
}

// account is an account number by its letters and digits; what has the length
// of a Polish one gets its country.
func account(text string) string {
	number := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return -1
	}, text)
	if len(number) == 26 && digits(number) {
		return "PL" + number
	}
	return number
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// tidy is a text on one line without signs that cannot be seen.
func tidy(text string) string {
	return strings.Join(strings.FieldsFunc(text,
		func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf) }), " ")
}

// Package validate brings what people typed into its one form and collects what is wrong with it.
package validate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/official"
)

// Form collects the wrong fields of one request.
type Form struct {
	refusal *fault.Fault // what the wrong fields are told with
	found   *fault.Fault // nil: nothing is wrong
}

// New is a form that is refused with this fault.
func New(refusal *fault.Fault) *Form { return &Form{refusal: refusal} }

// Wrong notes a wrong field.
func (f *Form) Wrong(field string, code fault.FieldCode, params ...string) {
	if f.found == nil {
		f.found = f.refusal
	}
	f.found = f.found.Field(field, code, params...)
}

// Err is the refusal with every wrong field, or nil.
func (f *Form) Err() error {
	if f.found == nil {
		return nil
	}
	return f.found
}

// Text is a text of one line with at most so many characters.
func (f *Form) Text(field, typed string, most int, required bool) string {
	text := Line(typed)
	switch n := len([]rune(text)); {
	case n == 0 && required:
		f.Wrong(field, fault.Required)
	case n > most:
		f.Wrong(field, fault.TooLong, "max", strconv.Itoa(most))
	case strings.ContainsFunc(text, unicode.IsControl):
		f.Wrong(field, fault.WrongFormat)
	}
	return text
}

// OneOf is one of the allowed values.
func (f *Form) OneOf(field, value string, allowed []string) string {
	if !slices.Contains(allowed, value) {
		f.Wrong(field, fault.NotOneOf)
	}
	return value
}

// TaxID is the tax number of a company, in Germany also of a person.
func (f *Form) TaxID(field, typed, country string) string {
	return Number(f, field, typed, false, func(text string) (string, error) { return official.ParseTaxID(text, country) })
}

// Number reads an official number in its one form.
func Number[T ~string](f *Form, field, typed string, required bool, parse func(string) (T, error)) string {
	if strings.TrimSpace(typed) == "" {
		if required {
			f.Wrong(field, fault.Required)
		}
		return ""
	}
	value, err := parse(typed)
	if err != nil {
		f.Wrong(field, fault.WrongFormat)
	}
	return string(value)
}

// Line is a typed text in one form of its letters, without line breaks and
// surplus spaces.
func Line(text string) string { return strings.Join(strings.Fields(norm.NFC.String(text)), " ") }

// Cut is the beginning of a line, with at most so many characters.
func Cut(text string, most int) string {
	letters := []rune(Line(text))
	return string(letters[:min(len(letters), most)])
}

// fileNameMax is how much of a file's name is kept, in characters: its end, where the type stands.
const fileNameMax = 200

// FileName is a file's name without a path and without what cannot be seen.
func FileName(name string) string {
	name = strings.TrimRight(strings.ToValidUTF8(name, ""), `/\`)
	name = norm.NFC.String(name[strings.LastIndexAny(name, `/\`)+1:])
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name))
	if letters := []rune(name); len(letters) > fileNameMax {
		name = string(letters[len(letters)-fileNameMax:])
	}
	if name == "" || name == "." {
		return "file"
	}
	return name
}

// Package i18n puts what the server itself writes to people, in mails, pages and files, into their language. The texts
// are in locales.
package i18n

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"saldo/locales"
)

// Language is one of the languages Saldo speaks, as its two-letter code.
type Language string

// The languages Saldo speaks.
const (
	Polish    Language = "pl"
	English   Language = "en"
	German    Language = "de"
	Ukrainian Language = "uk"
	Russian   Language = "ru"

	// Default is for people who have not chosen.
	Default = Polish
	// Fallback is used where a chosen language is not one of ours.
	Fallback = English
)

// Languages lists all of them, the default first.
var Languages = []Language{Polish, English, German, Ukrainian, Russian}

// Names is what speakers call each of them.
var Names = map[Language]string{Polish: "Polski", English: "English", German: "Deutsch", Ukrainian: "Українська", Russian: "Русский"}

// Parse accepts exactly the five codes.
func Parse(code string) (Language, bool) {
	for _, language := range Languages {
		if code == string(language) {
			return language, true
		}
	}
	return "", false
}

// ParseOr is the language of a code, or another one where the code is of none.
func ParseOr(code string, otherwise Language) Language {
	if language, ok := Parse(code); ok {
		return language
	}
	return otherwise
}

// Preferred is the first language of a list of tags as browsers and the
// parameters of OpenID Connect write them: "uk-UA, ru;q=0.8" or "uk ru". Their
// order is taken as it stands.
func Preferred(tags string) (Language, bool) {
	for _, tag := range strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' }) {
		tag, _, _ = strings.Cut(tag, ";")
		tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
		if l, ok := Parse(tag); ok {
			return l, true
		}
	}
	return "", false
}

// Of gives a text in a language, with its parameters filled in: Of(lang, "mail:test.body", "instance", name). A text is
// named by its file in locales and its key there. A parameter written {{name}} takes a string, one written
// {{name, number}} an int. A text that counts takes the int count, which also chooses its form: "1 transaction",
// "2 transactions". An unknown key, a missing and a surplus parameter are mistakes of the caller and panic.
func Of(language Language, key string, params ...any) string {
	texts, ok := translations()[language]
	if !ok {
		language = Fallback
		texts = translations()[language]
	}
	text, ok := texts[key]
	if !ok {
		panic(fmt.Sprintf("texts: there is no text %q", key))
	}
	if len(params)%2 != 0 {
		panic(fmt.Sprintf("texts: %q needs names and values in turn", key))
	}
	values := map[string]string{}
	var chosen class
	for i := 0; i < len(params); i += 2 {
		name, ok := params[i].(string)
		if !ok {
			panic(fmt.Sprintf("texts: a parameter's name of %q is not a string", key))
		}
		switch value := params[i+1].(type) {
		case string:
			values["{{"+name+"}}"] = value
		case int:
			values["{{"+name+", number}}"] = grouped(language, value)
			if name == counted {
				chosen = pluralClass(language, value)
			}
		default:
			panic(fmt.Sprintf("texts: the parameter %q of %q is neither string nor int", name, key))
		}
	}
	if text.forms != nil && chosen == "" {
		panic(fmt.Sprintf("texts: %q needs the int parameter %q", key, counted))
	}
	return fill(key, text.form(chosen), values)
}

// counted is the parameter that chooses the plural form.
const counted = "count"

// parameter is what the web application's library fills in too.
var parameter = regexp.MustCompile(`\{\{([a-z][a-zA-Z]*)(, number)?\}\}`)

// fill replaces each parameter once; braces inside values stay as they are.
func fill(key, form string, values map[string]string) string {
	used := map[string]bool{}
	text := parameter.ReplaceAllStringFunc(form, func(found string) string {
		value, ok := values[found]
		if !ok {
			panic(fmt.Sprintf("texts: %q needs the parameter %s", key, found))
		}
		used[found] = true
		return value
	})
	if len(used) != len(values) {
		panic(fmt.Sprintf("texts: %q was given a parameter that it does not have", key))
	}
	return text
}

// translation is one text, or one per plural class.
type translation struct {
	plain string
	forms map[class]string
}

func (t translation) form(c class) string {
	if t.forms == nil {
		return t.plain
	}
	return t.forms[c]
}

var translations = sync.OnceValue(func() map[Language]map[string]translation {
	all := map[Language]map[string]translation{}
	for _, language := range Languages {
		texts, err := read(language)
		if err != nil {
			panic("texts: " + err.Error())
		}
		all[language] = texts
	}
	return all
})

// read reads the server's files of a language.
func read(language Language) (map[string]translation, error) {
	files, err := locales.Server.ReadDir(string(language))
	if err != nil {
		return nil, err
	}
	texts := map[string]translation{}
	for _, file := range files {
		data, err := locales.Server.ReadFile(string(language) + "/" + file.Name())
		if err != nil {
			return nil, err
		}
		var written map[string]string
		if err := json.Unmarshal(data, &written); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", language, file.Name(), err)
		}
		for key, text := range written {
			name := strings.TrimSuffix(file.Name(), ".json") + ":"
			stem, form := pluralForm(key)
			if _, counts := written[stem+"_"+string(other)]; form == "" || !counts {
				texts[name+key] = translation{plain: text}
				continue
			}
			if texts[name+stem].forms == nil {
				texts[name+stem] = translation{forms: map[class]string{}}
			}
			texts[name+stem].forms[form] = text
		}
	}
	return texts, nil
}

// grouped writes a count with the language's group sign from four digits on.
func grouped(language Language, n int) string {
	sign := "\u00a0"
	switch language {
	case English:
		sign = ","
	case German:
		sign = "."
	}
	digits := strconv.Itoa(n)
	minus := ""
	if n < 0 {
		minus, digits = "\u2212", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + sign + digits[i:]
	}
	return minus + digits
}

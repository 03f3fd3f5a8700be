package i18n

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestAllLanguagesHoldTheSameTexts(t *testing.T) {
	reference := translations()[Default]
	keys := slices.Sorted(maps.Keys(reference))
	for _, language := range Languages {
		texts := translations()[language]
		if got := slices.Sorted(maps.Keys(texts)); !slices.Equal(got, keys) {
			t.Errorf("%s has the keys %q, %s has %q", language, got, Default, keys)
			continue
		}
		for _, key := range keys {
			text := texts[key]
			if (text.forms == nil) != (reference[key].forms == nil) {
				t.Errorf("%s in %s counts, or does not, unlike in %s", key, language, Default)
				continue
			}
			want := classes(language)
			if text.forms == nil {
				want = []class{other}
			} else if len(text.forms) != len(want) {
				t.Errorf("%s in %s has the classes %q instead of %q", key, language, slices.Collect(maps.Keys(text.forms)), want)
			}
			for _, c := range want {
				form := text.form(c)
				if strings.TrimSpace(form) == "" {
					t.Errorf("%s in %s has no form for %q", key, language, c)
				}
				if got, want := parameters(form), parameters(reference[key].form(other)); !slices.Equal(got, want) {
					t.Errorf("%s in %s has the parameters %q instead of %q", key, language, got, want)
				}
				if text.forms != nil && !slices.Contains(parameters(form), "{{count, number}}") {
					t.Errorf("%s in %s counts without {{count, number}}", key, language)
				}
			}
		}
	}
}

// classes lists the plural classes a language has; "other" is for fractions in the Slavic ones.
func classes(language Language) []class {
	switch language {
	case Polish, Ukrainian, Russian:
		return []class{one, few, many, other}
	}
	return []class{one, other}
}

func parameters(form string) []string {
	var names []string
	for _, found := range parameter.FindAllStringSubmatch(form, -1) {
		names = append(names, found[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestEveryBraceIsPartOfAParameter(t *testing.T) {
	for language, texts := range translations() {
		for key, text := range texts {
			for _, form := range append(slices.Collect(maps.Values(text.forms)), text.plain) {
				if strings.ContainsAny(parameter.ReplaceAllString(form, ""), "{}") {
					t.Errorf("%s in %s: %q", key, language, form)
				}
			}
		}
	}
}

func TestPluralClassesFollowCLDR(t *testing.T) {
	numbers := []int{0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 102, 111, 112}
	for language, want := range map[Language]string{
		Polish:    "many one few few many many many many many few many many few many many",
		Ukrainian: "many one few few many many many many one few many one few many many",
		Russian:   "many one few few many many many many one few many one few many many",
		English:   "other one other other other other other other other other other other other other other",
		German:    "other one other other other other other other other other other other other other other",
	} {
		var got []string
		for _, n := range numbers {
			got = append(got, string(pluralClass(language, n)))
			if pluralClass(language, -n) != pluralClass(language, n) {
				t.Errorf("%s: -%d differs from %d", language, n, n)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s", language, got)
		}
	}
}

func TestCountsAreWrittenTheWayPeopleWriteThem(t *testing.T) {
	for _, c := range []struct {
		language Language
		n        int
		want     string
	}{
		{Polish, 0, "0 transakcji"}, {Polish, 1, "1 transakcja"}, {Polish, 3, "3 transakcje"}, {Polish, 21, "21 transakcji"},
		{Polish, 1234, "1\u00a0234 transakcje"}, {English, 1, "1 transaction"}, {English, 1234567, "1,234,567 transactions"},
		{German, 1, "1 Transaktion"}, {German, 10000, "10.000 Transaktionen"}, {Ukrainian, 21, "21 транзакція"},
		{Ukrainian, 999, "999 транзакцій"}, {Russian, 102, "102 транзакции"}, {Russian, -1000, "−1\u00a0000 транзакций"},
	} {
		if got := Of(c.language, "statement:transactions", "count", c.n); got != c.want {
			t.Errorf("%s %d: %q", c.language, c.n, got)
		}
	}
}

func TestParametersAreFilledInOnce(t *testing.T) {
	if got := Of(Polish, "mail:test.body", "instance", "Saldo {{count}} {{instance}}"); !strings.Contains(got, "że Saldo {{count}} {{instance}} może") {
		t.Errorf("%q", got)
	}
	if got, want := Of("fr", "mail:test.subject"), Of(Fallback, "mail:test.subject"); got != want {
		t.Errorf("an unknown language gives %q", got)
	}
}

func TestMistakesOfTheCallerPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"unknown key":         func() { Of(Polish, "no.such.key") },
		"missing parameter":   func() { Of(Polish, "mail:test.body") },
		"missing count":       func() { Of(Polish, "statement:transactions") },
		"count in words":      func() { Of(Polish, "statement:transactions", "count", "two") },
		"surplus parameter":   func() { Of(Polish, "mail:test.body", "instance", "a", "other", "b") },
		"name without value":  func() { Of(Polish, "mail:test.body", slices.Repeat([]any{"instance"}, 1)...) },
		"name is no string":   func() { Of(Polish, "mail:test.body", 1, "a") },
		"number in words":     func() { Of(Polish, "mail:test.body", "instance", 1) },
		"value is not a text": func() { Of(Polish, "mail:test.body", "instance", 1.5) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			call()
		})
	}
}

func TestOnlyTheFiveLanguagesAreParsed(t *testing.T) {
	for _, language := range Languages {
		if got, ok := Parse(string(language)); !ok || got != language {
			t.Errorf("%s is not parsed", language)
		}
	}
	for _, code := range []string{"", "PL", "pl-PL", "fr", "pl ", "ua"} {
		if got, ok := Parse(code); ok || got != "" {
			t.Errorf("%q is parsed as %q", code, got)
		}
	}
}

func TestTheFirstLanguageThatIsKnownIsPreferred(t *testing.T) {
	for tags, want := range map[string]Language{"uk-UA,uk;q=0.9,ru;q=0.8": "uk", "fr-FR, de-AT;q=0.5": "de", "fr PL": "pl", "": "", "xx": "", "en-GB": "en"} {
		if got, ok := Preferred(tags); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v", tags, got, ok)
		}
	}
}

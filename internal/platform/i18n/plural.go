package i18n

import "strings"

// class is a plural class of Unicode CLDR.
type class string

const (
	one   class = "one"
	few   class = "few"
	many  class = "many"
	other class = "other"
)

// pluralForm splits the key of a plural form: "count_few" is "count" and few. Other keys have no class.
func pluralForm(key string) (stem string, form class) {
	at := strings.LastIndexByte(key, '_')
	if at < 0 {
		return key, ""
	}
	switch form := class(key[at+1:]); form {
	case one, few, many, other:
		return key[:at], form
	}
	return key, ""
}

// pluralClass chooses the class of a whole number by the cardinal rules of CLDR. Polish differs from Ukrainian and
// Russian at 21, 31, 101 …: "21 rozliczeń", but "21 розрахунок".
func pluralClass(language Language, n int) class {
	if n < 0 {
		n = -n
	}
	tens, hundreds := n%10, n%100
	isFew := tens >= 2 && tens <= 4 && (hundreds < 12 || hundreds > 14)
	switch language {
	case Polish:
		switch {
		case n == 1:
			return one
		case isFew:
			return few
		}
		return many
	case Ukrainian, Russian:
		switch {
		case tens == 1 && hundreds != 11:
			return one
		case isFew:
			return few
		}
		return many
	}
	if n == 1 {
		return one
	}
	return other
}

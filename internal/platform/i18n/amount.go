package i18n

import (
	"fmt"
	"strconv"
	"strings"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
)

// Amount writes money as people of a language do: always two decimals, groups of three, a true minus.
func Amount(language Language, a money.Amount) string {
	plain := strings.TrimPrefix(a.String(), "-")
	units, cents, _ := strings.Cut(plain, ".")
	group, point := "\u00a0", ","
	switch language {
	case English:
		group, point = ",", "."
	case German:
		group = "."
	}
	for i := len(units) - 3; i > 0; i -= 3 {
		units = units[:i] + group + units[i:]
	}
	if a < 0 {
		units = "\u2212" + units
	}
	return units + point + cents
}

// Percent writes a rate in basis points without the sign: 8, 8,5, 12,25.
func Percent(language Language, r money.Rate) string {
	text := strings.TrimSuffix(strings.TrimSuffix(money.Amount(r).String(), "0"), "0")
	text = strings.TrimSuffix(text, ".")
	if language != English {
		text = strings.Replace(text, ".", ",", 1)
	}
	return strings.Replace(text, "-", "\u2212", 1)
}

var englishMonths = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// Day writes a day with its whole year.
func Day(language Language, d calendar.Date) string {
	if !d.Exists() {
		return string(d)
	}
	year, month, day := string(d[:4]), string(d[5:7]), string(d[8:])
	if language != English {
		return day + "." + month + "." + year
	}
	m, _ := strconv.Atoi(month)
	n, _ := strconv.Atoi(day)
	return fmt.Sprintf("%d\u00a0%s\u00a0%s", n, englishMonths[m-1], year)
}

// Days writes from which day until which.
func Days(language Language, first, last calendar.Date) string {
	return Day(language, first) + " – " + Day(language, last)
}

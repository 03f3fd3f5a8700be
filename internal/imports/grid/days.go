package grid

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/calendar"
)

// months are the short names that portals write into names of files, also without the marks that browsers drop.
var months = map[string]int{
	"sty": 1, "lut": 2, "mar": 3, "kwi": 4, "maj": 5, "cze": 6, "lip": 7, "sie": 8, "wrz": 9, "paź": 10, "paz": 10, "lis": 11, "gru": 12,
	"jan": 1, "feb": 2, "mär": 3, "märz": 3, "mrz": 3, "apr": 4, "mai": 5, "jun": 6, "juni": 6, "jul": 7, "juli": 7, "aug": 8, "sep": 9,
	"sept": 9,
	"okt":  10, "nov": 11, "dez": 12,
	"may": 5, "oct": 10, "dec": 12,
	"fev": 2, "abr": 4, "ago": 8, "set": 9, "out": 10,
	"січ": 1, "лют": 2, "бер": 3, "кві": 4, "квіт": 4, "тра": 5, "трав": 5, "чер": 6, "черв": 6, "лип": 7, "сер": 8, "серп": 8, "вер": 9,
	"верес": 9,
	"жов":   10, "жовт": 10, "лис": 11, "лист": 11, "гру": 12, "груд": 12,
	"янв": 1, "фев": 2, "февр": 2, "мар": 3, "апр": 4, "май": 5, "мая": 5, "июн": 6, "июл": 7, "авг": 8, "сен": 9, "сент": 9, "окт": 10,
	"ноя": 11, "нояб": 11, "дек": 12,
}

// Days reads the days that the name of a file covers: an ISO week (2026W39, 2026_W34), two dates (2026-09-21_2026-09-27,
// 13_09_2025-13_09_2025, 31 sie 2026-1 wrz 2026) or a month (2025-11), with whatever signs browsers put between. The first
// found counts: the name of the company stands behind.
func Days(name string) (statement.Span, bool) {
	words := strings.FieldsFunc(strings.ToLower(norm.NFC.String(name)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i := range words {
		for _, form := range []func([]string) (statement.Span, bool){week, twoDates, month} {
			if span, ok := form(words[i:]); ok {
				return span, true
			}
		}
	}
	return statement.Span{}, false
}

// FromName finds the days in the name of a file; the rows above a head say nothing.
func FromName(name string, _ [][]string) (statement.Span, bool) { return Days(name) }

func week(words []string) (statement.Span, bool) {
	year, number, joined := strings.Cut(words[0], "w")
	if !joined && len(words) > 1 {
		number, joined = strings.CutPrefix(words[1], "w")
	}
	if !joined || len(number) != 2 || !century(year) {
		return statement.Span{}, false
	}
	period, err := calendar.ParsePeriod(year + "-W" + number)
	if err != nil {
		return statement.Span{}, false
	}
	return statement.Span{From: period.Monday(), To: period.Monday().AddDays(6)}, true
}

func twoDates(words []string) (statement.Span, bool) {
	from, used := date(words)
	if used == 0 {
		return statement.Span{}, false
	}
	to, more := date(words[used:])
	return statement.Span{From: from, To: to}, more > 0 && from <= to
}

// date reads a date at the start of the words, and says how many of them it has.
func date(words []string) (on calendar.Date, used int) {
	var day, mon, year string
	switch {
	case len(words) >= 3 && len(words[0]) == 4:
		year, mon, day, used = words[0], words[1], words[2], 3
	case len(words) >= 5 && words[1] == "de" && words[3] == "de":
		day, mon, year, used = words[0], words[2], words[4], 5
	case len(words) >= 3:
		day, mon, year, used = words[0], words[1], words[2], 3
	default:
		return "", 0
	}
	if !century(year) {
		return "", 0
	}
	if n, named := months[mon]; named {
		mon = strconv.Itoa(n)
	}
	on, err := calendar.ParseDate(year + "-" + twoDigits(mon) + "-" + twoDigits(day))
	if err != nil {
		return "", 0
	}
	return on, used
}

// century says whether a word can be the year of a file.
func century(word string) bool { return len(word) == 4 && word[:2] == "20" }

func twoDigits(number string) string {
	if len(number) == 1 {
		return "0" + number
	}
	return number
}

// month reads a year and a month that no day follows.
func month(words []string) (statement.Span, bool) {
	if len(words) < 2 || !century(words[0]) || len(words[1]) != 2 {
		return statement.Span{}, false
	}
	if len(words) > 2 && len(words[2]) == 2 && strings.Trim(words[2], "0123456789") == "" {
		return statement.Span{}, false
	}
	first, err := calendar.ParseDate(words[0] + "-" + words[1] + "-01")
	if err != nil {
		return statement.Span{}, false
	}
	next := first.AddDays(31)
	return statement.Span{From: first, To: (next[:8] + "01").AddDays(-1)}, true
}

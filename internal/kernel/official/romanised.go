package official

import (
	"strings"
	"unicode"
)

// ukrainian is how passports of Ukraine write letters inside a word (resolution 55 of the cabinet of 27 January 2010), ukrainianFirst at
// its start.
var (
	ukrainian = map[rune]string{
		'а': "a", 'б': "b", 'в': "v", 'г': "h", 'ґ': "g", 'д': "d", 'е': "e", 'є': "ie", 'ж': "zh", 'з': "z", 'и': "y", 'і': "i", 'ї': "i",
		'й': "i", 'к': "k", 'л': "l",
		'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "kh", 'ц': "ts", 'ч': "ch", 'ш': "sh",
		'щ': "shch", 'ь': "", 'ю': "iu",
		'я': "ia", 'ў': "u", 'ё': "e", 'ъ': "", 'ы': "y", 'э': "e",
	}
	ukrainianFirst = map[rune]string{'є': "ye", 'ї': "yi", 'й': "y", 'ю': "yu", 'я': "ya"}
	// russian is the table of ICAO Doc 9303 by which Russian passports are written, where it differs.
	russian = map[rune]string{'г': "g", 'и': "i", 'ъ': "ie"}
)

// Letters that only one of the two languages has.
const (
	onlyUkrainian = "іїєґ"
	onlyRussian   = "ыэёъ"
	apostrophes   = "'’ʼ`´‘"
)

// Romanised writes Cyrillic words in Latin letters, as passports do. A text is Russian where a letter says so, Ukrainian otherwise.
func Romanised(text string) string {
	letters := []rune(text)
	folded := strings.ToLower(text)
	inRussian := strings.ContainsAny(folded, onlyRussian) && !strings.ContainsAny(folded, onlyUkrainian)
	var b strings.Builder
	for i, r := range letters {
		before, after := at(letters, i-1), at(letters, i+1)
		switch {
		case strings.ContainsRune(apostrophes, r) && cyrillic(before) && cyrillic(after): // Мар'яна is Mariana
		case !cyrillic(r):
			b.WriteRune(r)
		default:
			b.WriteString(cased(romanLetter(letters, i, inRussian), r, before, after))
		}
	}
	return b.String()
}

func at(letters []rune, i int) rune {
	if i < 0 || i >= len(letters) {
		return 0
	}
	return letters[i]
}

func cyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }

// romanLetter is one letter in its place. What is in no table stays, and is refused by whoever writes the file.
func romanLetter(letters []rune, i int, inRussian bool) string {
	small, before := unicode.ToLower(letters[i]), unicode.ToLower(at(letters, i-1))
	if inRussian {
		if text, ok := russian[small]; ok {
			return text
		}
	} else {
		if small == 'г' && before == 'з' {
			return "gh" // not as ж
		}
		if text, ok := ukrainianFirst[small]; ok && !unicode.IsLetter(before) && !strings.ContainsRune(apostrophes, before) {
			return text
		}
	}
	if text, ok := ukrainian[small]; ok {
		return text
	}
	return string(letters[i])
}

// cased gives the letters for one letter its case: all of them in a word of capitals, else the first.
func cased(text string, r, before, after rune) string {
	switch {
	case !unicode.IsUpper(r) || text == "":
		return text
	case unicode.IsUpper(after) || unicode.IsUpper(before) && !unicode.IsLower(after):
		return strings.ToUpper(text)
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

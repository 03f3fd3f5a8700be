package i18n

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters have no parts that normal forms could take apart.
var letters = strings.NewReplacer("ł", "l", "ß", "ss", "ø", "o", "đ", "d", "æ", "ae", "œ", "oe")

// latin is what each letter of the languages with Latin letters folds to: a
// million rows of an import are folded.
var latin = func() (table [0x180]string) {
	for r := range table {
		table[r] = folded(string(rune(r)))
	}
	return table
}()

// Fold is a text as people search for it: in small letters, without accents,
// with single spaces. Zielona Góra and "zielona  gora" are the same.
func Fold(text string) string {
	kept := make([]byte, 0, len(text))
	space := false
	for _, r := range text {
		switch {
		case r >= rune(len(latin)):
			return strings.Join(strings.Fields(folded(text)), " ")
		case unicode.IsSpace(r):
			space = true
			continue
		case space && len(kept) > 0:
			kept = append(kept, ' ')
		}
		space = false
		if r < utf8.RuneSelf && (r < 'A' || r > 'Z') {
			kept = append(kept, byte(r))
		} else {
			kept = append(kept, latin[r]...)
		}
	}
	return string(kept)
}

// folded is a text without capitals and accents.
func folded(text string) string {
	var kept strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			kept.WriteRune(r)
		}
	}
	return letters.Replace(kept.String())
}

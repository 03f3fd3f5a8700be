package texts

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters have no parts that normal forms could take apart.
var letters = strings.NewReplacer("ł", "l", "ß", "ss", "ø", "o", "đ", "d", "æ", "ae", "œ", "oe")

// Fold is a text as people search for it: in small letters, without accents,
// with single spaces. Zielona Góra and "zielona  gora" are the same.
func Fold(text string) string {
	var kept strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			kept.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(letters.Replace(kept.String())), " ")
}

package bankfile

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"saldo/internal/kernel/official"
)

// writer makes one file and collects what stands otherwise in it. The first thing that cannot be written refuses all.
type writer struct {
	profile Profile
	order   Order
	at      int // the payment that is being written
	changes []Change
	refused *Refusal
}

// basicSigns are those that every bank of SEPA takes, besides letters and digits.
const basicSigns = "/-?:().,'+ "

// text is a text of the order as the file can hold it, at most so many signs long: without signs that divide fields and
// records, and with others for what the code page lacks. What differs in more than white space is a change.
func (w *writer) text(field Field, was string, maximum int) string {
	var b strings.Builder
	was = norm.NFC.String(was)
	for _, r := range official.Romanised(was) {
		switch {
		case r == utf8.RuneError:
			w.refuse(Unwritable, field, "\uFFFD")
			return ""
		case unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(w.profile.refused, r):
			b.WriteByte(' ')
		case r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r): // marks of direction and width, which nobody sees
		case w.holds(r):
			b.WriteRune(r)
		default:
			other, ok := w.instead(r)
			if !ok {
				w.refuse(Unwritable, field, string(r))
				return ""
			}
			b.WriteString(other)
		}
	}
	is := strings.Join(strings.Fields(b.String()), " ")
	if runes := []rune(is); len(runes) > maximum {
		is = strings.TrimSpace(string(runes[:maximum]))
	}
	if is != strings.Join(strings.Fields(was), " ") {
		w.changes = append(w.changes, Change{w.at, field, was, is})
	}
	return is
}

func (w *writer) refuse(reason Reason, field Field, found string) {
	if w.refused == nil {
		w.refused = &Refusal{w.at, reason, field, found}
	}
}

// holds says whether the file has the sign.
func (w *writer) holds(r rune) bool {
	switch {
	case w.profile.basic:
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(basicSigns, r))
	case r < utf8.RuneSelf:
		return r >= ' '
	}
	// in UTF-8 too: what banks pass on to each other has no more letters than this
	_, ok := cmp.Or(w.profile.signs, charmap.ISO8859_2).EncodeRune(r)
	return ok
}

// instead is what stands for a sign that the file lacks: its letters in Latin, or the letter without its mark.
func (w *writer) instead(r rune) (string, bool) {
	text, ok := latin[unicode.ToLower(r)]
	if ok && unicode.IsUpper(r) && text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !ok {
		for _, part := range norm.NFD.String(string(r)) {
			if !unicode.Is(unicode.Mn, part) {
				text += string(part)
			}
		}
		ok = text != "" && text != string(r)
	}
	if !ok {
		return " ", w.profile.basic && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	}
	for _, part := range text {
		if !w.holds(part) {
			return " ", w.profile.basic && (unicode.IsPunct(part) || unicode.IsSymbol(part))
		}
	}
	return text, true
}

// latin is how letters that a file lacks are written, and what stands for signs of typography. Cyrillic words are written before: see
// romanised.
var latin = map[rune]string{
	'ł': "l", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'æ': "ae", 'œ': "oe", 'ß': "ss", 'ä': "ae", 'ö': "oe", 'ü': "ue", 'ı': "i", 'ħ': "h",
	'ŋ': "n", 'ə': "e",
	'’': "'", '‘': "'", 'ʼ': "'", '`': "'", '´': "'", '“': "'", '”': "'", '„': "'", '«': "'", '»': "'", '"': "'", '–': "-", '—': "-", '−': "-",
	'‑': "-", '…': "...", '&': "+", '_': "-",
	'€': "EUR", '№': "No",
}

// lines are a text in lines of so many signs, broken at spaces where that keeps it within as many lines as there may be.
func lines(text string, width, maximum int) []string {
	var broken []string
	for left := []rune(text); len(left) > 0; {
		n := len(left)
		if n > width {
			for n = width; n > 0 && left[n] != ' '; n-- {
			}
			if n == 0 {
				n = width
			}
		}
		broken = append(broken, strings.TrimSpace(string(left[:n])))
		left = []rune(strings.TrimSpace(string(left[n:])))
	}
	if len(broken) > maximum {
		return pieces(text, width, func([]rune, int) int { return width })
	}
	return broken
}

// pieces cuts a text where it is told to, at width signs at most, and loses nothing.
func pieces(text string, width int, at func(left []rune, n int) int) (cut []string) {
	for left := []rune(text); len(left) > 0; {
		n := len(left)
		if n > width {
			n = at(left, width)
		}
		cut, left = append(cut, string(left[:n])), left[n:]
	}
	return cut
}

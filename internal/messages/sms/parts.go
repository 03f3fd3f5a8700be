package sms

import (
	"strings"
	"unicode/utf16"
)

// Encoding is how the letters of a text are sent, which decides how many fit into a part.
type Encoding string

// GSM7 has 160 letters in a message of one part and 153 in each of several; UCS2 has 70 and 67. One letter outside of GSM 7-bit, as
// a Polish ł or anything Cyrillic, makes the whole text UCS2.
const (
	GSM7 Encoding = "gsm7"
	UCS2 Encoding = "ucs2"
)

// The alphabet of GSM 03.38 and its extension, whose letters take two places.
const (
	gsmBasic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtension = "\f^{}\\[~]|€"
)

// MostParts is how long a text may be: providers refuse longer ones.
const MostParts = 10

// Parts says in how many parts a text is sent and paid for. A letter of two places is never divided between parts. No text: no part.
func Parts(text string) (parts int, encoding Encoding) {
	width, single, each := gsmWidth, 160, 153
	encoding = GSM7
	for _, r := range text {
		if gsmWidth(r) == 0 {
			encoding, width, single, each = UCS2, utf16.RuneLen, 70, 67
			break
		}
	}
	all, used := 0, each
	for _, r := range text {
		w := max(1, width(r)) // what is no letter at all is sent as a replacement
		all += w
		if used+w > each {
			parts++
			used = 0
		}
		used += w
	}
	if all > 0 && all <= single {
		parts = 1
	}
	return parts, encoding
}

func gsmWidth(r rune) int {
	switch {
	case strings.ContainsRune(gsmBasic, r):
		return 1
	case strings.ContainsRune(gsmExtension, r):
		return 2
	}
	return 0
}

var plain = strings.NewReplacer(
	"ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ó", "o", "ś", "s", "ź", "z", "ż", "z",
	"Ą", "A", "Ć", "C", "Ę", "E", "Ł", "L", "Ń", "N", "Ó", "O", "Ś", "S", "Ź", "Z", "Ż", "Z",
	"„", `"`, "”", `"`, "“", `"`, "«", `"`, "»", `"`, "‚", "'", "’", "'", "‘", "'", "–", "-", "—", "-", "…", "...",
	"\u00a0", " ", "\u202f", " ", "\u2011", "-")

// WithoutDiacritics writes Polish letters without their marks, and quotes, dashes and spaces that GSM 7-bit does not have as
// those that it has. A Polish text then fits into fewer parts. Letters of other alphabets stay.
func WithoutDiacritics(text string) string { return plain.Replace(text) }

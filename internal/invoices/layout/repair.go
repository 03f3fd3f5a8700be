package layout

import (
	"strings"
	"unicode"
)

// vocabulary are words of labels, folded. A word of a picture that is nearly one of them becomes it; values are never repaired so.
var vocabulary = strings.Fields(`
faktura faktury rachunek numer wystawienia wystawienie wystawiono sprzedazy sprzedaz sprzedawca wystawca nabywca nabywcy
kupujacy odbiorca dostawca dostawy dokonania wykonania zakonczenia uslugi termin platnosci zaplaty zaplacono pozostaje razem
ogolem naleznosci kwota wartosc netto brutto podatek podatku stawka suma przebieg licznika pojazd pojazdu rejestracyjny
rejestracyjna paragonu zlecenie umowa klient konto numerem rechnung rechnungsnummer rechnungsdatum rechnungsbetrag
leistungsdatum lieferdatum leistungszeitraum belegnummer datum kunde kunden kundennummer auftrag steuernummer nettobetrag
bruttobetrag gesamtbetrag gesamtsumme endbetrag summe zwischensumme umsatzsteuer mehrwertsteuer kennzeichen kilometerstand
fahrzeug zahlbar zahlungsziel fallig verkaufer kaufer empfanger telefon`)

var inVocabulary = func() map[string]bool {
	known := map[string]bool{}
	for _, w := range vocabulary {
		known[w] = true
	}
	return known
}()

// repaired is a folded word of a picture with the errors of reading undone that labels show. What has digits is not touched.
func repaired(word string) string {
	body := strings.TrimRight(word, ".:,;")
	switch body {
	case "np", "n1p", "nif", "nlp", "n.i.p":
		return "nip" + word[len(body):]
	}
	letters := []rune(body)
	if len(letters) < 5 || inVocabulary[body] || strings.IndexFunc(body, func(r rune) bool { return !unicode.IsLetter(r) }) >= 0 {
		return word
	}
	most := 1
	if len(letters) >= 9 {
		most = 2
	}
	for _, known := range vocabulary {
		if apart := len(known) - len(letters); apart <= most && -apart <= most && Edits(letters, []rune(known), most) <= most {
			return known + word[len(body):]
		}
	}
	return word
}

// Edits is the number of letters that differ, counted up to most + 1.
func Edits(a, b []rune, most int) int {
	line := make([]int, len(b)+1)
	for j := range line {
		line[j] = j
	}
	for i := 1; i <= len(a); i++ {
		corner, low := line[0], i
		line[0] = i
		for j := 1; j <= len(b); j++ {
			cost := corner
			if a[i-1] != b[j-1] {
				cost = 1 + min(corner, line[j], line[j-1])
			}
			corner, line[j] = line[j], cost
			low = min(low, cost)
		}
		if low > most {
			return most + 1
		}
	}
	return line[len(b)]
}

package statement

import (
	"slices"
	"strings"
	"unicode"

	"saldo/internal/ledger/kinds"
)

// products are the words of what is sold at stations, in Polish, German and English. The first line that has one of the words
// decides: what is washed, poured into other tanks, driven on or eaten is no fuel, whatever else its name says. A word
// that ends in * is the start of one.
var products = []struct {
	typ   string
	words []string
}{
	{kinds.CostOf, []string{
		"myjni*", "mycie", "myci*", "odkurz*", "adblue*", "ad blue", "sklep*", "shop*", "store", "płyn*", "spryskiwacz*", "olej silnikowy",
		"oleje*", "smar*",
		"autostrad*", "toll*", "etoll", "e toll", "opłata drogowa", "opłaty drogowe", "winiet*", "parking*", "kawa", "hot dog*", "napoj*",
		"artykuł*", "żywno*", "gastro*", "akcesori*", "przegląd*",
		"wäsche*", "wasch*", "autowäsche*", "autowasch*", "motoröl*", "schmier*", "scheiben*", "maut*", "vignette*", "kaffee", "getränk*",
		"zubehör*",
		"wash*", "carwash*", "vacuum*", "engine oil", "lubricant*", "screen*", "coffee", "food*", "drink*", "accessor*", "motorway*",
	}},
	{"CARD_FEE", []string{
		"opłata", "opłaty", "abonament*", "prowizj*", "wydanie", "wznowieni*", "duplikat*",
		"gebühr*", "kartengebühr*", "servicegebühr*", "jahresgebühr*", "monatsgebühr*", "entgelt*",
		"fee", "fees", "card charge*", "service charge*", "subscription*", "commission*",
	}},
	{"FUEL", []string{
		"on", "pb*", "lpg", "cng", "lng", "hvo*", "95", "98", "100", "e5", "e10", "b7", "b10", "paliw*", "benzyn*", "olej napędowy", "napędow*",
		"gaz", "autogaz*", "verva*", "efecta*", "eurosuper*", "ekodiesel*",
		"ładowani*", "energia elektryczna", "wodór*",
		"diesel*", "benzin*", "kraftstoff*", "treibstoff*", "super", "superplus*", "super95", "super98", "autogas*", "erdgas*", "wasserstoff*",
		"ladestrom*", "ladevorgang*", "strom",
		"petrol*", "gasoline*", "unleaded*", "fuel*", "v power*", "ultimate*", "miles*", "milesplus*", "charging*", "hydrogen*", "gasoil*",
	}},
}

// ProductType is what a product of a fuel card is: FUEL, COST or CARD_FEE; UNKNOWN where its name says none of them.
func ProductType(product string) string {
	name := " " + strings.Join(strings.FieldsFunc(strings.ToLower(product),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
	for _, p := range products {
		if slices.ContainsFunc(p.words, func(word string) bool { return hasWord(name, word) }) {
			return p.typ
		}
	}
	return kinds.Unknown
}

// hasWord looks for a word, or for the start of one, without making texts of its own.
func hasWord(name, word string) bool {
	stem, open := strings.CutSuffix(word, "*")
	for at := 0; ; {
		found := strings.Index(name[at:], stem)
		if found < 0 {
			return false
		}
		at += found + len(stem)
		if name[at-len(stem)-1] == ' ' && (open || name[at] == ' ') {
			return true
		}
	}
}

// bearers are the words on cards that are nobody's.
var bearers = []string{"okaziciel", "na okaziciela", "bearer", "inhaber", "überbringer"}

// Bearer says whether what stands on a card for a name means whoever holds it.
func Bearer(name string) bool {
	return slices.Contains(bearers, strings.ToLower(strings.TrimSpace(name)))
}

// Card is a card number as a file has it, with its zeros. One that a program rounded is none: 7.01783E+15 is many cards.
func Card(cell string) string {
	number := Plain(cell)
	if strings.ContainsAny(number, "eE") && strings.ContainsAny(number, ".,+") {
		return ""
	}
	return number
}

// SameCard says whether two card numbers are one: programs that take them for numbers drop the zeros before them.
func SameCard(a, b string) bool { return bareCard(a) == bareCard(b) && bareCard(a) != "" }

func bareCard(number string) string { return strings.TrimLeft(Plain(number), "0") }

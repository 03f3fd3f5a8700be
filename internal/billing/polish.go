package billing

import (
	"fmt"
	"strings"

	"saldo/internal/kernel/money"
)

var (
	polishUnits = [...]string{"", "jeden", "dwa", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć", "dziesięć", "jedenaście",
		"dwanaście", "trzynaście", "czternaście",
		"piętnaście", "szesnaście", "siedemnaście", "osiemnaście", "dziewiętnaście"}
	polishTens = [...]string{"", "", "dwadzieścia", "trzydzieści", "czterdzieści", "pięćdziesiąt", "sześćdziesiąt", "siedemdziesiąt",
		"osiemdziesiąt", "dziewięćdziesiąt"}
	polishHundreds = [...]string{"", "sto", "dwieście", "trzysta", "czterysta", "pięćset", "sześćset", "siedemset", "osiemset", "dziewięćset"}
)

// inPolish writes an amount in words as bills have it: "dwa tysiące sto pięć zł 07/100". It is not negative.
func inPolish(a money.Amount) string {
	whole, cents := int64(a)/100, int64(a)%100
	parts := []string{}
	if whole >= 1_000_000_000 { // nobody bills that; figures say it as well
		return fmt.Sprintf("%s zł", a)
	}
	for _, step := range []struct {
		of             int64
		one, few, many string
	}{{1_000_000, "milion", "miliony", "milionów"}, {1000, "tysiąc", "tysiące", "tysięcy"}} {
		n := whole / step.of
		whole %= step.of
		switch {
		case n == 0:
		case n == 1:
			parts = append(parts, step.one)
		case n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
			parts = append(parts, hundreds(n)...)
			parts = append(parts, step.few)
		default:
			parts = append(parts, hundreds(n)...)
			parts = append(parts, step.many)
		}
	}
	parts = append(parts, hundreds(whole)...)
	if len(parts) == 0 {
		parts = append(parts, "zero")
	}
	return strings.Join(parts, " ") + fmt.Sprintf(" zł %02d/100", cents)
}

// hundreds are the words of a number below a thousand.
func hundreds(n int64) (spelled []string) {
	rest := n % 100
	parts := []string{polishHundreds[n/100], polishTens[rest/10], polishUnits[rest%10]}
	if rest < 20 {
		parts = []string{polishHundreds[n/100], polishUnits[rest]}
	}
	for _, word := range parts {
		if word != "" {
			spelled = append(spelled, word)
		}
	}
	return spelled
}

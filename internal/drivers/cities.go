package drivers

import (
	"embed"
	"strings"
	"sync"

	"saldo/internal/platform/i18n"
)

//go:embed cities/*.txt
var cityFiles embed.FS

// city is a name and the form in which people look for it.
type city struct{ name, folded string }

// cities are the larger ones of a country, largest first.
var cities = sync.OnceValue(func() map[string][]city {
	all := map[string][]city{}
	for _, country := range []string{"PL", "DE"} {
		content, err := cityFiles.ReadFile("cities/" + country + ".txt")
		if err != nil {
			panic("drivers: " + err.Error())
		}
		for line := range strings.Lines(string(content)) {
			name := strings.TrimSpace(line)
			all[country] = append(all[country], city{name, i18n.Fold(name)})
		}
	}
	return all
})

// SuggestCities are cities of a country whose name, or a word of it, begins
// with what was typed, whatever its case and accents; limit at most. They help
// typing: a driver may work in a place that is not among them.
func SuggestCities(country, typed string, limit int) []string {
	wanted := i18n.Fold(typed)
	first, later := []string{}, []string{}
	for _, c := range cities()[country] {
		switch {
		case strings.HasPrefix(c.folded, wanted):
			first = append(first, c.name)
		case strings.Contains(" "+strings.ReplaceAll(c.folded, "-", " "), " "+wanted):
			later = append(later, c.name)
		}
	}
	found := append(first, later...)
	return found[:min(len(found), limit)]
}

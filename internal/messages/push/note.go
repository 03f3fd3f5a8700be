package push

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"saldo/internal/kernel/validate"
)

// Note is what a device is told.
type Note struct {
	Title string `json:"title"` // at most 60 characters; the rest is cut off
	Topic string `json:"topic"` // what it is about, at most 120 characters
	Path  string `json:"path"`  // where a tap leads, inside the application
}

const (
	mostTitle = 60
	mostTopic = 120
)

var (
	// amount is a number with a currency before or after it.
	currency = `(?:zł|zl|złot\pL*|zlot\pL*|gr|grosz\pL*|pln|eur|euro|usd|uah|rub|gbp|chf|czk|грн|грив\pL*|руб\pL*|€|\$|£|₴|₽)`
	amount   = regexp.MustCompile(`(?i)[0-9][0-9.,'’\s\p{Z}]*` + currency + `(?:\PL|$)|(?:\PL|^)` + currency + `[\s\p{Z}.:]*[0-9]`)
	path     = regexp.MustCompile(`^/[A-Za-z0-9/_-]{0,200}$`)
)

// HasAmount tells whether a text names an amount of money.
func HasAmount(text string) bool { return amount.MatchString(text) }

// payload is what is encrypted. Anybody may read a lock screen, so a text with an amount is left out, whoever wrote it.
func (n Note) payload() ([]byte, error) {
	n.Title, n.Topic = validate.Cut(validate.Line(n.Title), mostTitle), validate.Cut(validate.Line(n.Topic), mostTopic)
	if HasAmount(n.Title) {
		n.Title = ""
	}
	if HasAmount(n.Topic) {
		n.Topic = ""
	}
	if n.Title == "" {
		n.Title = "Saldo"
	}
	if !path.MatchString(n.Path) || strings.HasPrefix(n.Path, "//") {
		return nil, errors.New("push: a note leads to a path of the application")
	}
	return json.Marshal(n)
}

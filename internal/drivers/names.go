package drivers

import (
	"errors"
	"strings"
	"unicode/utf8"

	"saldo/internal/platform/db"
)

// Name is a driver as far as lists name them.
type Name struct{ ID, FirstName, LastName string }

// Named is the name of a driver, also of one that was merged into another.
func Named(tx *db.Tx, id string) (Name, error) {
	d, err := db.One[Name](tx, `SELECT id, first_name, last_name FROM drivers WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		return d, ErrNotFound
	}
	return d, err
}

func (d Name) FullName() string { return d.FirstName + " " + d.LastName }

// MaskedName is a first name and an initial, for those who need not be the person.
func MaskedName(first, last string) string {
	initial, _ := utf8.DecodeRuneInString(strings.TrimSpace(last))
	if initial == utf8.RuneError {
		return first
	}
	return first + " " + string(initial) + "."
}

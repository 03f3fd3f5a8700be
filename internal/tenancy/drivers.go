package tenancy

import (
	"cmp"
	"slices"
	"strings"

	"saldo/internal/db"
	"saldo/internal/texts"
)

// Choice is what every driver may know of a partner before choosing it.
type Choice struct {
	TenantID   string
	Code, Name string
	Cities     []string
}

// Choices are the partners whose name, code or city holds what a driver typed,
// by name, limit at most.
func Choices(tx *db.Tx, query string, limit int) ([]Choice, error) {
	// No SQL of both engines folds letters alike, so that is done here; partners are few.
	all, err := db.Select[Partner](tx.Across(), `SELECT `+columns+` FROM partners`)
	if err != nil {
		return nil, err
	}
	wanted := texts.Fold(query)
	found := []Choice{}
	for _, p := range all {
		c := Choice{TenantID: p.TenantID, Code: p.Code, Name: p.Name, Cities: []string{}} // the cities come with the partner's profile
		if strings.Contains(texts.Fold(p.Name+" "+p.Code+" "+strings.Join(c.Cities, " ")), wanted) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(texts.Fold(a.Name), texts.Fold(b.Name)), cmp.Compare(a.TenantID, b.TenantID))
	})
	return found[:min(len(found), limit)], nil
}

// Card is what the drivers of a partner see of it.
type Card struct {
	TenantID          string
	Code, Name        string
	Phone, Email, WWW string
	Cities            []string
}

// OwnCard is the card of the partner in whose tenant the unit of work runs.
func OwnCard(tx *db.Tx) (Card, error) {
	p, err := Own(tx)
	return Card{TenantID: p.TenantID, Code: p.Code, Name: p.Name, Cities: []string{}}, err // phone, e-mail, address and cities come with the partner's profile
}

// DriverFunctions are the four switches of what the partner's drivers see;
// function 1 is the first.
func DriverFunctions(*db.Tx) ([4]bool, error) {
	return [4]bool{true, true, true, true}, nil // fixed until the partner's profile has them
}

// Frequency is how often the partner settles, in weeks, and whether its
// drivers may choose otherwise.
func Frequency(*db.Tx) (weeks int, driversChoose bool, err error) {
	return 1, true, nil // fixed until the partner's profile has them
}

package partners

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
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
	all, err := db.Select[struct{ TenantID, Code, Name, Cities string }](tx.Across(), `SELECT p.tenant_id, p.code, p.name, f.cities
		FROM partners p JOIN partner_profiles f ON f.tenant_id = p.tenant_id`)
	if err != nil {
		return nil, err
	}
	wanted := i18n.Fold(query)
	found := []Choice{}
	for _, p := range all {
		c := Choice{TenantID: p.TenantID, Code: p.Code, Name: p.Name, Cities: []string{}}
		if err := json.Unmarshal([]byte(p.Cities), &c.Cities); err != nil {
			return nil, err
		}
		if strings.Contains(i18n.Fold(p.Name+" "+p.Code+" "+strings.Join(c.Cities, " ")), wanted) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(i18n.Fold(a.Name), i18n.Fold(b.Name)), cmp.Compare(a.TenantID, b.TenantID))
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
	row, err := db.One[struct{ TenantID, Code, Name, Phone, Email, WWW, Cities string }](tx,
		`SELECT p.tenant_id, p.code, p.name, f.phone, f.email, f.www, f.cities
		FROM partners p JOIN partner_profiles f ON f.tenant_id = p.tenant_id WHERE p.tenant_id = $1`)
	if err != nil {
		return Card{}, err
	}
	c := Card{TenantID: row.TenantID, Code: row.Code, Name: row.Name, Phone: row.Phone, Email: row.Email, WWW: row.WWW, Cities: []string{}}
	err = json.Unmarshal([]byte(row.Cities), &c.Cities)
	return c, err
}

package partners

import (
	"fmt"
	"slices"
	"strings"

	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Feature is something that the operator switches on for single partners.
type Feature string

// The features.
const (
	Fuel             Feature = "fuel"              // drivers see their fuel cards and refuellings
	LogisticsMenu    Feature = "logistics_menu"    // drivers have a shorter menu
	LanguageSelector Feature = "language_selector" // the language can be changed at the top of every screen
)

// Features are all there are.
func Features() []Feature { return []Feature{Fuel, LogisticsMenu, LanguageSelector} }

// FeaturesOf are those of the partner in whose tenant the unit of work runs, by name.
func FeaturesOf(tx *db.Tx) ([]Feature, error) {
	return db.Select[Feature](tx, `SELECT feature FROM partner_features WHERE tenant_id = $1 ORDER BY feature`)
}

// Has says whether the partner in whose tenant the unit of work runs has a feature.
func Has(tx *db.Tx, f Feature) (bool, error) {
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM partner_features WHERE tenant_id = $1 AND feature = $2`, string(f))
	return n > 0, err
}

// SetFeature switches a feature of the partner on or off. What is so already stays as it is.
func SetFeature(tx *db.Tx, f Feature, on bool) error {
	if !slices.Contains(Features(), f) {
		names := make([]string, len(Features()))
		for i, one := range Features() {
			names[i] = string(one)
		}
		return fmt.Errorf("%q is no feature: choose %s", f, strings.Join(names, ", "))
	}
	text, args := `DELETE FROM partner_features WHERE tenant_id = $1 AND feature = $2`, []any{string(f)}
	if on {
		text = `INSERT INTO partner_features (tenant_id, feature, set_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
		args = append(args, tx.Now)
	}
	changed, err := tx.Exec(text, args...)
	if err != nil || changed == 0 {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "partners.set_feature", Kind: "partner", ID: tx.Actor.Tenant,
		After: map[string]any{"feature": f, "on": on}})
}

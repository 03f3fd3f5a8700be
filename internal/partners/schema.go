package partners

import (
	"encoding/json"
	"strings"

	"saldo/internal/platform/db"
	"saldo/internal/schemas/rules"
)

// foundSchema gives a new partner its first schema, the default one: there is
// no moment at which a partner's drivers could not be settled. What happens to
// schemas afterwards is in schemas.
func foundSchema(tx *db.Tx) error {
	first := rules.Default()
	encoded, err := json.Marshal(first)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO schemas (tenant_id, number, name_key, is_default, current_version, created_at, deleted_at)
		VALUES ($1, 1, $2, TRUE, 1, $3, '')`, strings.ToLower(first.Name), tx.Now); err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO schema_versions (tenant_id, schema_number, version, rules, created_at, created_by)
		VALUES ($1, 1, 1, $2, $3, $4)`, string(encoded), tx.Now, tx.Actor.Name)
	return err
}

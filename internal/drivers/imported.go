package drivers

import (
	"slices"

	"saldo/internal/kernel/official"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// Teach adds what providers know a driver by, and says what was new. What
// another driver has already stays theirs.
func (b Service) Teach(tx *db.Tx, driverID string, identities []Identity) (taught []Identity, err error) {
	before, err := Get(tx, b.Vault, driverID)
	if err != nil {
		return nil, err
	}
	identities = slices.DeleteFunc(slices.Clone(identities), func(i Identity) bool { return slices.Contains(before.Identities, i) })
	if _, err := checkedIdentities(append(slices.Clone(before.Identities), identities...)); err != nil {
		return nil, err
	}
	taught = []Identity{}
	for _, one := range identities {
		n, err := tx.Exec(`INSERT INTO driver_identities (tenant_id, driver_id, provider, value, created_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT DO NOTHING`,
			driverID, one.Provider, one.Value, tx.Now)
		if err != nil {
			return nil, err
		}
		if n == 1 {
			taught = append(taught, one)
		}
	}
	return taught, identitiesChanged(tx, driverID, before.Identities, append(slices.Clone(before.Identities), taught...))
}

// Unteach takes away what Teach added, as far as the driver, or whoever stands
// for them now, still has it.
func (b Service) Unteach(tx *db.Tx, driverID string, identities []Identity) error {
	now, err := db.One[string](tx, `SELECT `+CanonicalID("d")+` FROM drivers d WHERE d.tenant_id = $1 AND d.id = $2`, driverID)
	if err != nil {
		return err
	}
	before, err := Get(tx, b.Vault, now)
	if err != nil {
		return err
	}
	for _, one := range identities {
		if _, err := tx.Exec(`DELETE FROM driver_identities WHERE tenant_id = $1 AND driver_id = $2 AND provider = $3 AND value = $4`, now,
			one.Provider, one.Value); err != nil {
			return err
		}
	}
	return identitiesChanged(tx, now, before.Identities,
		slices.DeleteFunc(slices.Clone(before.Identities), func(i Identity) bool { return slices.Contains(identities, i) }))
}

func identitiesChanged(tx *db.Tx, driverID string, before, after []Identity) error {
	if sameIdentities(before, after) {
		return nil
	}
	if _, err := tx.Exec(`UPDATE drivers SET version = version + 1, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, driverID,
		tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.identities", Kind: AuditKind, ID: driverID,
		Before: map[string]any{"identities": spelled(before)}, After: map[string]any{"identities": spelled(after)}})
}

// Standing is a driver as a file may name them.
type Standing struct {
	ID, FirstName, LastName string
	Email, Phone            string
}

// ListStanding are all drivers of the partner whom nobody stands for.
func ListStanding(tx *db.Tx) ([]Standing, error) {
	return db.Select[Standing](tx, `SELECT id, first_name, last_name, email, phone FROM drivers WHERE tenant_id = $1 AND merged_into = ''`)
}

// Known is what a provider knows one of the drivers by.
type Known struct{ Provider, Value, DriverID string }

// KnownIdentities are those of all drivers.
func KnownIdentities(tx *db.Tx) ([]Known, error) {
	return db.Select[Known](tx, `SELECT provider, value, driver_id FROM driver_identities WHERE tenant_id = $1`)
}

// FillContact writes down how a driver can be reached where that is not known yet. What cannot be an address or a number is left out, and
// so is what
// another driver has.
func (b Service) FillContact(tx *db.Tx, driverID, email, phone string) error {
	before, err := Get(tx, b.Vault, driverID)
	if err != nil {
		return err
	}
	after := before.Details
	if address, err := official.ParseEmail(email); err == nil && after.Email == "" {
		after.Email = string(address)
	}
	if number, err := official.ParsePhone(phone, b.Country); err == nil && after.Phone == "" {
		after.Phone = string(number)
	}
	taken, err := db.Select[struct{ Email, Phone string }](tx, `SELECT email, phone FROM drivers WHERE tenant_id = $1 AND id <> $2
		AND merged_into = ''
		AND (email = $3 AND email <> '' OR phone = $4 AND phone <> '')`, driverID, after.Email, after.Phone)
	if err != nil {
		return err
	}
	for _, other := range taken {
		if other.Email == after.Email {
			after.Email = before.Email
		}
		if other.Phone == after.Phone {
			after.Phone = before.Phone
		}
	}
	if after == before.Details {
		return nil
	}
	if _, err := tx.Exec(`UPDATE drivers SET email = $3, phone = $4, search_key = $5, version = version + 1, updated_at = $6
		WHERE tenant_id = $1 AND id = $2`,
		driverID, after.Email, after.Phone, after.SearchKey(), tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "drivers.save", Kind: AuditKind, ID: driverID, Before: before.AuditView(before.Details),
		After: after.AuditView(before.Details)})
}

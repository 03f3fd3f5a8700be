package drivers

import (
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

// ProfileKind is what the trail calls a driver profile. Its lines name nobody:
// they outlive the account.
const ProfileKind = "driver_profile"

// Blocking works from two sides, the driver and the profile, and one rule: of a linked
// pair both are kept out or neither. Letting in again brings back what was: a
// profile that is still tied to a driver is linked, any other is new.

// BlockProfile keeps the profile of an account out, or lets it in again.
func BlockProfile(tx *db.Tx, account string, blocked bool) error {
	if account == "" {
		return nil
	}
	text, action := `UPDATE driver_profiles SET state = 'blocked', updated_at = $3 WHERE tenant_id = $1 AND account_id = $2
		AND state <> 'blocked' RETURNING id`, "driver_profiles.block"
	if !blocked {
		text, action = `UPDATE driver_profiles SET state = CASE WHEN linked_at <> '' THEN 'linked' ELSE 'new' END, updated_at = $3
			WHERE tenant_id = $1 AND account_id = $2 AND state = 'blocked' RETURNING id`, "driver_profiles.unblock"
	}
	ids, err := db.Select[string](tx, text, account, tx.Now)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := audit.Record(tx, audit.Change{Action: action, Kind: ProfileKind, ID: id, Before: map[string]bool{"blocked": !blocked},
			After: map[string]bool{"blocked": blocked}}); err != nil {
			return err
		}
	}
	return nil
}

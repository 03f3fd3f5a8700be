package accounts

import (
	"saldo/internal/platform/db"
)

// AddressOfDriver says whether an e-mail address is that of a driver of the
// tenant, or of any driver who has an account. It runs in a unit of the system.
func AddressOfDriver(tx *db.Tx, tenant, email string) (bool, error) {
	return db.One[bool](tx.Across(), `SELECT EXISTS (SELECT 1 FROM drivers WHERE tenant_id = $1 AND email = $2 AND email <> '')
		OR EXISTS (SELECT 1 FROM driver_profiles WHERE tenant_id = $1 AND email = $2 AND email <> '' AND left_at = '')
		OR EXISTS (SELECT 1 FROM driver_accounts WHERE email = $2 AND email <> '')`, tenant, email)
}

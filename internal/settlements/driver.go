package settlements

import (
	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
)

// SharedWith are a driver's settlements that they may see, newest first: of
// periods that end on a day or later, so many at most.
func SharedWith(tx *db.Tx, driver string, from calendar.Date, maximum int64) ([]Settlement, error) {
	return db.Select[Settlement](tx, settlementQuery+
		` AND s.driver_id`+drivers.Those("$2")+` AND s.shared_at <> '' AND s.last_on >= $3 AND s.state <> 'revoked'
		ORDER BY s.last_on DESC, s.number DESC LIMIT $4`, driver, string(from), maximum)
}

// IsShared is an error unless the driver may see the settlement.
func IsShared(tx *db.Tx, id, driver string) error {
	found, err := db.Select[string](tx, `SELECT s.id FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		WHERE s.tenant_id = $1 AND s.id = $2 AND `+drivers.SameDriver("d", "$3")+` AND s.shared_at <> '' AND s.state <> 'revoked'`, id, driver)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	return err
}

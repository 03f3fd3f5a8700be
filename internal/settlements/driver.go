package settlements

import (
	"errors"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
)

// SharedWith are a driver's settlements that they may see, newest first: of
// periods that end on a day or later, so many at most.
func SharedWith(tx *db.Tx, driver string, from calendar.Date, maximum int64) ([]Settlement, error) {
	return db.Select[Settlement](tx, settlementQuery+
		` AND `+drivers.SameDriver("d", "$2")+` AND s.shared_at <> '' AND s.last_on >= $3 AND s.state <> 'revoked'
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

// SharedUnpaid are a driver's settlements that they may see and that are to be paid, oldest first.
func SharedUnpaid(tx *db.Tx, driver string) ([]Settlement, error) {
	return db.Select[Settlement](tx, settlementQuery+` AND `+drivers.SameDriver("d", "$2")+` AND s.shared_at <> '' AND s.state = 'settled'
		AND s.payout > 0 AND s.absorbed_into = '' ORDER BY s.last_on, s.number`, driver)
}

// SettledTo is the last day of a driver that is settled; empty: none is.
func SettledTo(tx *db.Tx, driver string) (calendar.Date, error) {
	day, err := db.One[calendar.Date](tx, `SELECT settled_on FROM drivers WHERE tenant_id = $1 AND id = $2`, driver)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return day, err
}

// Payday is a day on which settlements of one period were paid.
type Payday struct {
	LastOn, PaidOn calendar.Date // LastOn: of the period
	Count          int64
}

// Paydays are the days of payment from a day on.
func Paydays(tx *db.Tx, from calendar.Date) ([]Payday, error) {
	return db.Select[Payday](tx, `SELECT last_on, paid_on, COUNT(*) AS count FROM settlements WHERE tenant_id = $1 AND state = 'paid'
		AND paid_on >= $2 GROUP BY last_on, paid_on`, string(from))
}

// ShownAt is when the figures of a settlement were shown to whoever settled it; zero: nobody knows.
func ShownAt(tx *db.Tx, id string) (time.Time, error) {
	at, err := db.One[time.Time](tx, `SELECT r.created_at FROM settlements s JOIN settlement_runs r ON r.tenant_id = s.tenant_id
		AND r.id = s.run_id WHERE s.tenant_id = $1 AND s.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}
	return at, err
}

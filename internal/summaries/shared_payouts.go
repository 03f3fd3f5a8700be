package summaries

import (
	"slices"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
)

// SharedPayouts are what drivers were paid out, or will be, for a period, as far as they may see it: with supplementary settlements, and
// of those who were merged as of who they are now. No drivers: of everybody.
func SharedPayouts(tx *db.Tx, period calendar.Period, of []string) (map[string]messages.Settled, error) {
	found := map[string]messages.Settled{}
	parts := [][]string{nil}
	if len(of) > 0 {
		parts = slices.Collect(slices.Chunk(of, 200))
	}
	for _, some := range parts {
		condition, args := "", []any{string(period)}
		if len(some) > 0 {
			in, ids := db.Among(3, some)
			condition, args = ` AND `+drivers.CanonicalID("d")+in, append(args, ids...)
		}
		rows, err := db.Select[struct {
			DriverID string
			messages.Settled
		}](tx, `SELECT `+drivers.CanonicalID("d")+` AS driver_id, MIN(s.first_on) AS first_on, MAX(s.last_on) AS last_on,
			CAST(SUM(s.payout) AS BIGINT) AS payout FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
			WHERE s.tenant_id = $1 AND s.period = $2 AND s.state <> 'revoked' AND s.absorbed_into = '' AND s.shared_at <> ''`+condition+`
			GROUP BY `+drivers.CanonicalID("d"), args...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[r.DriverID] = r.Settled
		}
	}
	return found, nil
}

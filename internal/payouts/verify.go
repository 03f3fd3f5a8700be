package payouts

import (
	"fmt"

	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// Verify checks what must always hold of a partner's batches and names what
// does not.
func Verify(tx *db.Tx) (problems []settlements.Problem, err error) {
	for _, rule := range []struct{ what, query string }{
		{"a batch is the sum of its transfers", `SELECT b.number FROM payout_batches b LEFT JOIN payout_transfers t ON t.tenant_id = b.tenant_id
			AND t.batch = b.number WHERE b.tenant_id = $1
			GROUP BY b.number, b.sum, b.transfers, b.settlements HAVING b.sum <> COALESCE(SUM(t.amount), 0) OR b.transfers <> COUNT(t.place) OR
			b.settlements <> COUNT(DISTINCT t.settlement_id)`},
		{"no settlement is paid more than it says", `SELECT MAX(t.batch) FROM payout_transfers t
			JOIN payout_batches b ON b.tenant_id = t.tenant_id AND b.number = t.batch
			JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id WHERE t.tenant_id = $1 AND ` + standing +
			` GROUP BY s.id, s.payout HAVING SUM(t.amount) > s.payout`},
		{"what a batch paid is all of the payout", `SELECT s.batch FROM settlements s WHERE s.tenant_id = $1 AND s.batch > 0 AND s.state = 'paid'
			AND s.payout <> (SELECT COALESCE(SUM(t.amount), 0)` + standingTransfers + ` AND t.settlement_id = s.id)`},
		{"a live batch has its settlements", `SELECT DISTINCT t.batch FROM payout_transfers t JOIN payout_batches b ON b.tenant_id = t.tenant_id
			AND b.number = t.batch
			JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id WHERE t.tenant_id = $1 AND b.state <> 'cancelled'
			AND s.batch <> b.number
			AND NOT EXISTS (SELECT 1 FROM payout_removals x WHERE x.tenant_id = t.tenant_id AND x.batch = t.batch AND x.place = t.place)
			AND NOT EXISTS (SELECT 1 FROM payout_outcomes o WHERE o.tenant_id = t.tenant_id AND o.batch = t.batch AND o.place = t.place
			AND o.outcome = 'returned')`},
		{"what came back is not called paid", `SELECT DISTINCT t.batch FROM payout_outcomes o
			JOIN payout_transfers t ON t.tenant_id = o.tenant_id AND t.batch = o.batch AND t.place = o.place
			JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id AND s.batch = t.batch WHERE o.tenant_id = $1
			AND o.outcome = 'returned'
			AND NOT EXISTS (SELECT 1 FROM payout_transfers u WHERE u.tenant_id = t.tenant_id AND u.batch = t.batch
			AND u.settlement_id = t.settlement_id
				AND NOT EXISTS (SELECT 1 FROM payout_outcomes x WHERE x.tenant_id = u.tenant_id AND x.batch = u.batch AND x.place = u.place
				AND x.outcome = 'returned'))`},
		{"a settlement is held by a live batch only", `SELECT s.batch FROM settlements s LEFT JOIN payout_batches b ON b.tenant_id = s.tenant_id
			AND b.number = s.batch WHERE s.tenant_id = $1 AND s.batch > 0
			AND (b.number IS NULL OR b.state = 'cancelled' OR s.state = 'revoked')`},
		{"a batch has a transfer for what it holds", `SELECT s.batch FROM settlements s WHERE s.tenant_id = $1 AND s.batch > 0
			AND NOT EXISTS (SELECT 1 FROM payout_transfers t WHERE t.tenant_id = s.tenant_id AND t.batch = s.batch AND t.settlement_id = s.id)`},
	} {
		found, err := db.Select[int64](tx, rule.query)
		if err != nil {
			return nil, err
		}
		for _, number := range found {
			problems = append(problems, settlements.Problem{What: rule.what, ID: fmt.Sprint(number)})
		}
	}
	return problems, nil
}

// Package consistency has the rules that stored settlements never break and that one query can check.
package consistency

import (
	"fmt"

	"saldo/internal/drivers"
	"saldo/internal/platform/db"
)

// Problem is something in the data that must never be.
type Problem struct {
	What string // which rule does not hold
	ID   string // of the row
	Says string
}

func (p Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.What, p.ID, p.Says) }

// broken are rules that one query finds the breaches of: id and what it says.
var broken = []struct{ what, query string }{
	{"a transaction is settled by one live settlement of its driver and its days",
		`SELECT t.id, t.settlement_id AS says FROM transactions t LEFT JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
		WHERE t.tenant_id = $1 AND t.settlement_id <> '' AND (s.id IS NULL OR s.state = 'revoked' OR s.driver_id <> t.driver_id OR t.occurred_on
		< s.first_on OR t.occurred_on > s.last_on OR t.deleted_at <> '')`},
	{"a settlement has what it took",
		`SELECT s.id, CAST(s.transactions AS TEXT) AS says FROM settlements s WHERE s.tenant_id = $1 AND
		(CASE WHEN s.state = 'revoked' THEN 0 ELSE s.transactions END) <> (SELECT COUNT(*) FROM transactions t WHERE t.tenant_id = s.tenant_id
		AND t.driver_id = s.driver_id
		AND t.occurred_on BETWEEN s.first_on AND s.last_on AND t.settlement_id = s.id)`},
	{"an invoice is taken by one live settlement, approved and not deleted",
		`SELECT i.id, i.settlement_id AS says FROM invoice_images i LEFT JOIN settlements s ON s.tenant_id = i.tenant_id
		AND s.id = i.settlement_id WHERE i.tenant_id = $1 AND i.settlement_id <> ''
		AND (s.id IS NULL OR s.state = 'revoked' OR i.state <> 'approved' OR i.deleted_at <> '')`},
	{"a trip is taken by one live settlement that has its day, and is neither deleted nor refused",
		`SELECT t.id, t.settlement_id AS says FROM trips t LEFT JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
		WHERE t.tenant_id = $1 AND t.settlement_id <> '' AND (s.id IS NULL OR s.state = 'revoked' OR t.deleted_at <> '' OR t.refused_at <> ''
		OR t.occurred_on < s.first_on OR t.occurred_on > s.last_on)`},
	{"a trip is no transaction: it would count twice",
		`SELECT id, type AS says FROM transactions WHERE tenant_id = $1 AND source = 'trip'`},
	{"used units of the licence are live settlements and reserved ones",
		`SELECT p.tenant_id AS id, CAST(p.used AS TEXT) AS says FROM licence_balances p WHERE p.tenant_id = $1 AND p.used <>
		(SELECT COUNT(*) FROM settlements s WHERE s.tenant_id = p.tenant_id AND s.state <> 'revoked' AND s.absorbed_into = '')
		+ (SELECT CAST(COALESCE(SUM(r.reserved), 0) AS BIGINT) FROM settlement_runs r WHERE r.tenant_id = p.tenant_id)`},
	{"only runs that go on hold units", `SELECT id, state AS says FROM settlement_runs WHERE tenant_id = $1 AND reserved <> 0
		AND state <> 'running'`},
	{"numbers are not above the last one", `SELECT s.id, CAST(s.number AS TEXT) AS says FROM settlements s WHERE s.tenant_id = $1
		AND s.number > COALESCE((SELECT last FROM settlement_numbers n WHERE n.tenant_id = s.tenant_id), 0)`},
	{"what absorbed another is live with it",
		`SELECT s.id, s.absorbed_into AS says FROM settlements s LEFT JOIN settlements a ON a.tenant_id = s.tenant_id AND a.id = s.absorbed_into
		WHERE s.tenant_id = $1 AND s.absorbed_into <> '' AND (a.id IS NULL OR (a.state = 'revoked') <> (s.state = 'revoked') OR a.driver_id <>
		s.driver_id OR s.payout <> 0)`},
	{"the debt of absorbed ones is carried in",
		`SELECT s.id, CAST(s.carry_in AS TEXT) AS says FROM settlements s LEFT
			JOIN (SELECT absorbed_into, due, ROW_NUMBER() OVER (PARTITION BY absorbed_into ORDER BY period DESC) AS place
		FROM settlements WHERE tenant_id = $1 AND absorbed_into <> '') a ON a.absorbed_into = s.id AND a.place = 1
		WHERE s.tenant_id = $1 AND s.absorbed_into = '' AND s.carry_in <> COALESCE(a.due, 0)`},
	{"what a settlement leaves is carried or waits, and nothing else is",
		`SELECT s.id, CAST(s.next_period_transfer AS TEXT) AS says FROM settlements s
		LEFT JOIN (SELECT settlement_id, CAST(SUM(CASE WHEN type = 'PREV_PERIOD_TRANSFER' THEN amount ELSE 0 END) AS BIGINT) AS debt,
		CAST(SUM(CASE WHEN type = 'TAX_OVERPAYMENT' THEN amount ELSE 0 END) AS BIGINT) AS tax
		FROM settlement_carries WHERE tenant_id = $1 GROUP BY settlement_id) c ON c.settlement_id = s.id
		LEFT JOIN (SELECT absorbed_into, CAST(SUM(tax_excess) AS BIGINT) AS tax_excess FROM settlements WHERE tenant_id = $1
		AND absorbed_into <> '' GROUP BY absorbed_into) a ON a.absorbed_into = s.id
		WHERE s.tenant_id = $1 AND s.state <> 'revoked' AND s.absorbed_into = ''
		AND (s.next_period_transfer <> COALESCE(c.debt, 0) OR s.tax_excess + COALESCE(a.tax_excess, 0) <> COALESCE(c.tax, 0))`},
	{"a revoked settlement carries nothing",
		`SELECT c.id, c.settlement_id AS says FROM settlement_carries c JOIN settlements s ON s.tenant_id = c.tenant_id
			AND s.id = c.settlement_id WHERE c.tenant_id = $1 AND (s.state = 'revoked' OR s.absorbed_into <> '')`},
	{"what was carried is a transaction",
		`SELECT c.id, c.transaction_id AS says FROM settlement_carries c LEFT JOIN transactions t ON t.tenant_id = c.tenant_id
			AND t.id = c.transaction_id
		WHERE c.tenant_id = $1 AND c.transaction_id <> '' AND (t.id IS NULL OR t.amount <> c.amount OR t.type <> c.type OR t.occurred_on <>
		c.occurred_on OR t.source <> 'carry' OR t.deleted_at <> '')`},
	{"every carried transaction comes from a settlement",
		`SELECT t.id, t.type AS says FROM transactions t WHERE t.tenant_id = $1 AND t.source = 'carry' AND NOT EXISTS (SELECT 1
			FROM settlement_carries c WHERE c.tenant_id = t.tenant_id AND c.transaction_id = t.id)`},
	{"a driver's last settled day is that of the last settlement",
		`SELECT d.id, d.settled_on AS says FROM drivers d LEFT JOIN (SELECT ` + drivers.CanonicalID("o") + ` AS
			driver_id, MAX(s.last_on) AS last_on FROM settlements s
		JOIN drivers o ON o.tenant_id = s.tenant_id AND o.id = s.driver_id WHERE s.tenant_id = $1 AND s.state <> 'revoked'
		GROUP BY 1) l ON l.driver_id = d.id
		WHERE d.tenant_id = $1 AND d.merged_into = '' AND d.settled_on <> COALESCE(l.last_on, '')`},
}

// Broken names what breaks a rule.
func Broken(tx *db.Tx) (problems []Problem, err error) {
	for _, rule := range broken {
		found, err := db.Select[struct{ ID, Says string }](tx, rule.query)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rule.what, err)
		}
		for _, f := range found {
			problems = append(problems, Problem{rule.what, f.ID, f.Says})
		}
	}
	return problems, nil
}

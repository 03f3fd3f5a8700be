package orders

import (
	"saldo/internal/platform/db"
)

// Problem is something in the data that must never be.
type Problem struct{ What, ID, Says string }

// broken are rules that one query finds the breaches of in a tenant: id and what it says.
var broken = []struct{ what, query string }{
	{"a paid order gave its units once, and no other did",
		`SELECT o.number AS id, CAST(o.units AS TEXT) AS says FROM licence_orders o LEFT JOIN licence_entries e ON e.tenant_id = o.tenant_id
		AND e.order_id = o.id AND e.kind = 'order' WHERE o.tenant_id = $1 AND CASE WHEN o.paid_at <> '' THEN o.units ELSE 0 END
		<> COALESCE(e.units, 0)`},
	{"units of an order are of an order",
		`SELECT e.id, e.order_id AS says FROM licence_entries e WHERE e.tenant_id = $1 AND e.order_id <> '' AND NOT EXISTS (SELECT 1
		FROM licence_orders o WHERE o.tenant_id = e.tenant_id AND o.id = e.order_id)`},
	{"units taken back are those of refunds",
		`SELECT o.number AS id, CAST(o.refunded_units AS TEXT) AS says FROM licence_orders o WHERE o.tenant_id = $1 AND o.refunded_units
		<> -(SELECT CAST(COALESCE(SUM(e.units), 0) AS BIGINT) FROM licence_entries e WHERE e.tenant_id = o.tenant_id AND e.order_id = o.id
		AND e.kind = 'refund')`},
	{"what is refunded of an order is its refunds",
		`SELECT o.number AS id, CAST(o.refunded AS TEXT) AS says FROM licence_orders o LEFT JOIN (SELECT order_id,
		CAST(SUM(amount) AS BIGINT) AS amount, CAST(SUM(units) AS BIGINT) AS units FROM payment_refunds WHERE tenant_id = $1 AND kind = 'order'
		AND state <> 'failed' GROUP BY order_id) r ON r.order_id = o.id WHERE o.tenant_id = $1 AND (o.refunded <> COALESCE(r.amount, 0)
		OR o.refunded_units <> COALESCE(r.units, 0) OR (o.state = 'refunded') <> (o.refunded > 0))`},
	{"a paid order was paid by one try, by as much as it costs",
		`SELECT o.number AS id, o.paid_attempt AS says FROM licence_orders o LEFT JOIN payment_attempts a ON a.tenant_id = o.tenant_id
		AND a.order_id = o.id AND a.state = 'paid' LEFT JOIN payment_attempts b ON b.tenant_id = o.tenant_id AND b.order_id = o.id
		AND b.state = 'paid' AND b.id <> a.id WHERE o.tenant_id = $1 AND (b.id IS NOT NULL OR COALESCE(a.id, '') <> o.paid_attempt
		OR a.id IS NOT NULL AND (a.paid_amount <> o.gross OR a.paid_currency <> o.currency OR o.paid_at = ''))`},
	{"what was paid twice goes back",
		`SELECT a.id, a.order_id AS says FROM payment_attempts a LEFT JOIN payment_refunds r ON r.tenant_id = a.tenant_id
		AND r.attempt_id = a.id AND r.kind = 'overpaid' AND r.amount = a.paid_amount
		WHERE a.tenant_id = $1 AND a.state = 'overpaid' AND r.id IS NULL`},
	{"an order that waits has a try that goes on",
		`SELECT o.number AS id, o.state AS says FROM licence_orders o WHERE o.tenant_id = $1 AND o.state = 'started' AND NOT EXISTS (SELECT 1
		FROM payment_attempts a WHERE a.tenant_id = o.tenant_id AND a.order_id = o.id AND a.state IN ('created', 'pending'))`},
	{"a payment that goes on is asked about",
		`SELECT a.id, a.state AS says FROM payment_attempts a WHERE a.tenant_id = $1 AND a.state IN ('created', 'pending') AND a.ask_at = ''`},
	{"a paid order has one invoice of its amounts, and no other has one",
		`SELECT o.number AS id, COALESCE(d.number, '') AS says FROM licence_orders o LEFT JOIN licence_documents d ON d.tenant_id = o.tenant_id
		AND d.order_id = o.id AND d.kind = 'invoice' WHERE o.tenant_id = $1 AND (o.paid_at <> '' AND o.gross > 0) <> (d.id IS NOT NULL
		AND d.net = o.net AND d.vat = o.vat AND d.gross = o.gross AND d.currency = o.currency)`},
	{"money that went back of an order is in a correction",
		`SELECT r.id, CAST(r.amount AS TEXT) AS says FROM payment_refunds r LEFT JOIN licence_documents d ON d.tenant_id = r.tenant_id
		AND d.refund_id = r.id AND d.kind = 'correction' WHERE r.tenant_id = $1 AND (r.kind = 'order' AND r.state = 'paid') <>
		(d.id IS NOT NULL AND d.gross = -r.amount AND d.order_id = r.order_id)`},
}

// Verify names what breaks a rule in a tenant.
func Verify(tx *db.Tx) (problems []Problem, err error) {
	for _, rule := range broken {
		found, err := db.Select[struct{ ID, Says string }](tx, rule.query)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			problems = append(problems, Problem{rule.what, f.ID, f.Says})
		}
	}
	return problems, nil
}

// VerifyNumbers names series of documents whose numbers have gaps, or are given twice. The unit of work is the program's.
func VerifyNumbers(tx *db.Tx) (problems []Problem, err error) {
	found, err := db.Select[struct{ ID, Says string }](tx.Across(), `SELECT s.series AS id, CAST(s.last AS TEXT) AS says FROM licence_series s
		LEFT JOIN (SELECT series, COUNT(*) AS n, MAX(place) AS last FROM licence_documents GROUP BY series) d ON d.series = s.series
		WHERE s.tenant_id = '' AND (COALESCE(d.n, 0) <> s.last OR COALESCE(d.last, 0) <> s.last)`)
	for _, f := range found {
		problems = append(problems, Problem{"numbers of invoices have no gap", f.ID, "the last one given is " + f.Says})
	}
	return problems, err
}

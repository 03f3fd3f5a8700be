package orders

import (
	"time"

	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
)

// Listed is an order as the operator sees it. It names no person.
type Listed struct {
	Number, Partner string
	State           State
	Provider, Ref   string
	Units           int64
	Gross, Refunded money.Amount
	Currency        money.Currency
	Invoice         string
	CreatedAt       time.Time
}

// List hands out the orders of all partners, newest first. The unit of work is the program's.
func List(tx *db.Tx, each func(Listed)) error {
	return db.Each(tx.Across(), func(l *Listed) error { each(*l); return nil }, `SELECT o.number, p.code AS partner, o.state,
		COALESCE(a.provider, '') AS provider, COALESCE(a.ref, '') AS ref, o.units, o.gross, o.refunded, o.currency,
		COALESCE(d.number, '') AS invoice, o.created_at FROM licence_orders o JOIN partners p ON p.tenant_id = o.tenant_id
		LEFT JOIN payment_attempts a ON a.tenant_id = o.tenant_id AND a.order_id = o.id AND a.n = o.attempts
		LEFT JOIN licence_documents d ON d.tenant_id = o.tenant_id AND d.order_id = o.id AND d.kind = 'invoice'
		ORDER BY o.created_at DESC, o.id DESC`)
}

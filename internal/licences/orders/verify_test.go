package orders_test

import (
	"errors"
	"testing"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/money"
	"saldo/internal/licences/orders"
	"saldo/internal/licences/payments"
	"saldo/internal/platform/db"
)

// payment is one that nobody here began.
func payment(w *world, key string) payments.Payment {
	return payments.Payment{Key: key, Order: "L/LOST/1", Text: "Licence", Amount: 123_00, Currency: money.PLN, Email: "x@x.example",
		Language: "pl", Return: "https://saldo.example/app/payment-service/1", Events: "https://saldo.example/api/payments/x/events",
		CreatedAt: w.clock.Now(), ExpiresAt: w.clock.Now().Add(time.Hour)}
}

// TestVerify_FindsPlantedBreaches writes around the package what must never be, and takes it back.
func TestVerify_FindsPlantedBreaches(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *world) {
		o, ref := w.begun(t)
		w.provider.Pay(ref)
		w.deliver(t)
		if _, err := w.Refund(ctx, orders.Return{Order: o.Number, Amount: 50_00, Units: 10, Note: "part"}); err != nil {
			t.Fatal(err)
		}
		w.work(t)
		open, _ := w.begun(t)
		w.holds(t)
		for what, text := range map[string]string{
			"a paid order gave its units once, and no other did":       `INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by) VALUES ($1, 'x', 'order', 5, '` + open.ID + `', '', '', '')`,
			"units of an order are of an order":                        `INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by) VALUES ($1, 'x', 'refund', -5, 'nowhere', '', '', '')`,
			"units taken back are those of refunds":                    `INSERT INTO licence_entries (tenant_id, id, kind, units, order_id, note, created_at, created_by) VALUES ($1, 'x', 'refund', -5, '` + o.ID + `', '', '', '')`,
			"what is refunded of an order is its refunds":              `UPDATE licence_orders SET refunded = refunded + 1 WHERE tenant_id = $1 AND id = '` + o.ID + `'`,
			"a paid order was paid by one try, by as much as it costs": `UPDATE payment_attempts SET paid_amount = 1 WHERE tenant_id = $1 AND order_id = '` + o.ID + `'`,
			"what was paid twice goes back":                            `UPDATE payment_attempts SET state = 'overpaid' WHERE tenant_id = $1 AND order_id = '` + open.ID + `'`,
			"an order that waits has a try that goes on":               `UPDATE payment_attempts SET state = 'failed' WHERE tenant_id = $1 AND order_id = '` + open.ID + `'`,
			"a payment that goes on is asked about":                    `UPDATE payment_attempts SET ask_at = '' WHERE tenant_id = $1 AND order_id = '` + open.ID + `'`,
			"a paid order has one invoice of its amounts, and no other has one": `INSERT INTO licence_documents (tenant_id, id, order_id, kind, refund_id, series, place, number, issued_on, currency, net, vat, gross, content_sealed, file_sealed, authority_state, authority_number, authority_reason, authority_at, issued_at)
				SELECT $1, 'x', id, 'invoice', '', 'X/2026', 1, 'X/2026/1', '', currency, net, vat, gross, '', '', '', '', '', '', '' FROM licence_orders WHERE tenant_id = $1 AND id = '` + open.ID + `'`,
			"money that went back of an order is in a correction": `UPDATE payment_refunds SET amount = amount + 1 WHERE tenant_id = $1`,
		} {
			undone := errors.New("undone")
			err := w.DB.Write(ctx, north, func(tx *db.Tx) error {
				n, err := tx.Exec(text)
				if err != nil || n == 0 {
					t.Errorf("%s: %d rows, %v", what, n, err)
					return undone
				}
				problems, err := orders.Verify(tx)
				found := false
				for _, p := range problems {
					found = found || p.What == what
				}
				if !found || err != nil {
					t.Errorf("%s is not found: %v %v", what, problems, err)
				}
				return undone
			})
			if !errors.Is(err, undone) {
				t.Error(what, err)
			}
		}
		err := w.DB.Write(ctx, access.Program("test"), func(tx *db.Tx) error {
			if _, err := tx.Across().Exec(`UPDATE licence_series SET last = last + 1 WHERE tenant_id = ''`); err != nil {
				return err
			}
			problems, err := orders.VerifyNumbers(tx)
			if len(problems) != 2 {
				t.Errorf("gaps: %v", problems)
			}
			return errors.Join(err, errors.New("undone"))
		})
		if err == nil {
			t.Error("kept")
		}
		w.holds(t)
	})
}

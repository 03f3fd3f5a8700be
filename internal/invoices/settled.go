package invoices

import (
	"cmp"
	"fmt"
	"slices"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements/engine"
)

// What a settlement reads, takes and gives back. Who was merged into another driver is settled with that driver; undone, what is not
// settled is their own again.

// Asked is an invoice as the engine asks for it.
type Asked struct {
	ID, SettlementID               string
	Canonical                      string // the driver now
	SoldOn, IssuedOn               calendar.Date
	Gross, VATStandard, VATReduced money.Amount
	DescribedBy                    Side
}

// Engine is the invoice in the engine's words.
func (o *Asked) Engine() engine.Invoice {
	on := o.SoldOn
	if on == "" {
		on = o.IssuedOn
	}
	return engine.Invoice{ID: o.ID, On: on, Gross: o.Gross, VATStandard: o.VATStandard, VATReduced: o.VATReduced,
		ByPartner: o.DescribedBy == ByPartner}
}

const (
	openColumns = `i.id, i.settlement_id, i.sold_on, i.issued_on, i.gross, i.vat_standard, i.vat_reduced, i.described_by`
	isOpen      = `i.state = 'approved' AND i.settlement_id = '' AND i.deleted_at = ''`
)

// Open gives the approved invoices up to a day that no settlement has taken, by the driver they are settled with, in the order of their
// ids: of some drivers, a hundred at most, or of all.
func Open(tx *db.Tx, upTo calendar.Date, whose []string) (map[string][]engine.Invoice, error) {
	query, args := `SELECT `+openColumns+`, `+drivers.CanonicalID("d")+` AS canonical FROM invoice_images i
		JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id
		WHERE i.tenant_id = $1 AND `+isOpen+` AND CASE WHEN i.sold_on = '' THEN i.issued_on ELSE i.sold_on END <= $2`, []any{string(upTo)}
	if len(whose) > 0 {
		in, ids := db.Among(3, whose)
		query += ` AND i.driver_id IN (SELECT id FROM drivers WHERE tenant_id = $1 AND id` + in + `
			UNION ALL SELECT id FROM drivers WHERE tenant_id = $1 AND merged_into` + in + ` AND merged_into <> '')`
		args = append(args, ids...)
	}
	found, err := db.Select[Asked](tx, query, args...)
	return byID(found, func(o *Asked) string { return o.Canonical }), err
}

// TakenBy gives what settlements took, by the settlement.
func TakenBy(tx *db.Tx, settlements []string) (map[string][]engine.Invoice, error) {
	in, args := db.Among(2, settlements)
	found, err := db.Select[Asked](tx, `SELECT `+openColumns+`, i.driver_id AS canonical FROM invoice_images i WHERE i.tenant_id = $1
		AND i.settlement_id`+in+` AND i.settlement_id <> ''`, args...)
	return byID(found, func(o *Asked) string { return o.SettlementID }), err
}

func byID(found []Asked, key func(*Asked) string) map[string][]engine.Invoice {
	slices.SortFunc(found, func(a, b Asked) int { return cmp.Compare(a.ID, b.ID) })
	by := make(map[string][]engine.Invoice, len(found))
	for n := range found {
		by[key(&found[n])] = append(by[key(&found[n])], found[n].Engine())
	}
	return by
}

// Take gives a settlement its invoices. One that is not open any more is an error: the figures were made of something else.
func Take(tx *db.Tx, settlement string, ids []string) error {
	for some := range slices.Chunk(ids, 100) {
		in, args := db.Among(3, some)
		n, err := tx.Exec(`UPDATE invoice_images SET settlement_id = $2, version = version + 1 WHERE tenant_id = $1 AND state = 'approved'
			AND settlement_id = '' AND deleted_at = '' AND id`+in, append([]any{settlement}, args...)...)
		if err != nil {
			return err
		}
		if n != int64(len(some)) {
			return fmt.Errorf("invoices: %d were taken, not %d", n, len(some))
		}
	}
	return nil
}

// Free gives back what a settlement took.
func Free(tx *db.Tx, settlement string) error {
	_, err := tx.Exec(`UPDATE invoice_images SET settlement_id = '', version = version + 1 WHERE tenant_id = $1 AND settlement_id = $2
		AND settlement_id <> ''`, settlement)
	return err
}

// Brief is an invoice as an explanation names it.
type Brief struct {
	ID, Number, IssuerName, IssuerTaxID string
	IssuedOn, SoldOn                    calendar.Date
	Net, Gross, VATStandard, VATReduced money.Amount
	DescribedBy                         Side
}

// Briefs are the invoices behind a figure, by the day.
func Briefs(tx *db.Tx, ids []string) ([]Brief, error) {
	all := []Brief{}
	for some := range slices.Chunk(ids, 200) {
		in, args := db.Among(2, some)
		found, err := db.Select[Brief](tx, `SELECT id, number, issuer_name, issuer_tax_id, issued_on, sold_on, net, gross, vat_standard,
			vat_reduced, described_by FROM invoice_images WHERE tenant_id = $1 AND id`+in, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(a, b Brief) int { return cmp.Compare(string(a.IssuedOn)+a.ID, string(b.IssuedOn)+b.ID) })
	return all, nil
}

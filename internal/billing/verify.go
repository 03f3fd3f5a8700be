package billing

import (
	"fmt"

	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

// Verify names what must never be of a partner's documents: a series with a gap, a document that is not what its settlement
// pays, one that cannot be opened any more.
func (d *Service) Verify(tx *db.Tx) ([]settlements.Problem, error) {
	problems := []settlements.Problem{}
	gaps, err := db.Select[struct {
		Series string
		Last   int64
		Count  int64
		Most   int64
	}](tx, `SELECT n.series, n.last, COUNT(b.id) AS count, COALESCE(MAX(b.place), 0) AS most FROM billing_series n LEFT
		JOIN billing_documents b ON b.tenant_id = n.tenant_id AND b.series = n.series
		WHERE n.tenant_id = $1 GROUP BY n.series, n.last`)
	if err != nil {
		return nil, err
	}
	for _, s := range gaps {
		if s.Count != s.Last || s.Most != s.Last {
			problems = append(problems, settlements.Problem{What: "a series of numbers has no gap", ID: s.Series,
				Says: fmt.Sprintf("%d numbers, %d documents, the last is %d", s.Last, s.Count, s.Most)})
		}
	}
	documents, err := many(tx, ` ORDER BY b.id`)
	if err != nil {
		return nil, err
	}
	for _, doc := range documents {
		says, err := d.wrong(tx, &doc)
		if err != nil {
			return nil, err
		}
		if says != "" {
			problems = append(problems, settlements.Problem{What: "a document is what its settlement pays", ID: doc.ID, Says: says})
		}
	}
	drafts, err := looseDrafts(tx)
	return append(append(problems, uncorrected(documents)...), drafts...), err
}

// wrong says how a document differs from its settlement; empty: it does not.
func (d *Service) wrong(tx *db.Tx, doc *Document) (string, error) {
	s, err := settlements.Of(tx, doc.SettlementID)
	if err != nil {
		return "", err
	}
	transfers, err := s.KeptTransfers()
	if err != nil {
		return "", err
	}
	var gross, vat, net money.Amount
	for _, t := range transfers {
		if t.Purpose != engine.DeductionCost {
			gross, vat = gross+t.Amount, vat+t.VAT
		}
	}
	sign := money.Amount(1)
	if doc.Kind == Correction {
		sign, gross, vat = -1, -gross, -vat
	}
	c, err := d.opened(tx, doc.contentSealed)
	if err != nil {
		return "it cannot be opened", nil
	}
	for _, l := range c.Lines {
		net += sign * l.Net
	}
	if doc.Gross != gross || doc.VAT != vat || doc.Net != net {
		return fmt.Sprintf("%s with VAT %s, paid are %s with %s", doc.Gross, doc.VAT, gross, vat), nil
	}
	return "", nil
}

// looseDrafts are drafts that cannot be: of a revoked settlement, of one that has its invoice, or issued as something else.
func looseDrafts(tx *db.Tx) (problems []settlements.Problem, err error) {
	found, err := db.Select[string](tx, `SELECT f.id FROM billing_drafts f JOIN settlements s ON s.tenant_id = f.tenant_id
		AND s.id = f.settlement_id
		LEFT JOIN billing_documents b ON b.tenant_id = f.tenant_id AND b.settlement_id = f.settlement_id AND b.kind = 'invoice'
		WHERE f.tenant_id = $1 AND (f.state IN ('waiting', 'approved') AND (s.revoked_at <> '' OR b.id IS NOT NULL)
			OR f.state = 'issued' AND (b.id IS NULL OR b.id <> f.document_id OR b.gross <> f.gross OR b.vat <> f.vat))`)
	for _, id := range found {
		problems = append(problems,
			settlements.Problem{What: "a draft waits only while its settlement stands without an invoice, and is issued as it was approved", ID: id})
	}
	return problems, err
}

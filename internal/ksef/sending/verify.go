package sending

import (
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
)

// Verify names what must never be of a partner's invoices at KSeF.
func Verify(tx *db.Tx) (problems []settlements.Problem, err error) {
	for _, check := range []struct{ what, query string }{
		{"an invoice is accepted exactly if it has its receipt from KSeF", `SELECT b.id FROM billing_documents b
			LEFT JOIN ksef_receipts r ON r.tenant_id = b.tenant_id AND r.document_id = b.id
			WHERE b.tenant_id = $1 AND ((b.authority_state = 'accepted') <> (r.document_id IS NOT NULL)
			OR r.number <> b.authority_number OR r.edition <> b.edition) ORDER BY b.id`},
		{"an invoice was sent exactly if it is accepted or refused", `SELECT b.id FROM billing_documents b
			JOIN ksef_sendings k ON k.tenant_id = b.tenant_id AND k.document_id = b.id AND k.edition = b.edition WHERE b.tenant_id = $1
			AND b.authority_state <> CASE WHEN k.state IN ('accepted', 'refused') THEN k.state ELSE 'waiting' END ORDER BY b.id`},
		{"a number of KSeF is that of one invoice", `SELECT r.document_id FROM ksef_receipts r WHERE r.tenant_id = $1 AND EXISTS (
			SELECT 1 FROM ksef_receipts o WHERE o.tenant_id = r.tenant_id AND o.number = r.number AND o.document_id <> r.document_id)
			ORDER BY r.document_id`},
		{"an invoice that is sent is in a session that goes on", `SELECT k.document_id FROM ksef_sendings k
			LEFT JOIN ksef_sessions x ON x.tenant_id = k.tenant_id AND x.id = k.session_id WHERE k.tenant_id = $1 AND k.state = 'sent'
			AND (x.id IS NULL OR x.state IN ('opening', 'done', 'lost')) ORDER BY k.document_id`},
	} {
		ids, err := db.Select[string](tx, check.query)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			problems = append(problems, settlements.Problem{What: check.what, ID: id})
		}
	}
	return problems, nil
}

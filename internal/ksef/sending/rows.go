package sending

import (
	"encoding/json"
	"fmt"
	"time"

	"saldo/internal/billing"
	"saldo/internal/ksef"
	"saldo/internal/ksef/wire"
	"saldo/internal/platform/db"
)

// forDetails is what KSeF's words are sealed for.
const forDetails = "ksef details"

// collect writes down the invoices that wait and are not written down yet.
func (s *Service) collect(tx *db.Tx) error {
	found, err := db.Select[item](tx, `SELECT b.id AS document_id, b.edition, '' AS sum FROM billing_documents b WHERE b.tenant_id = $1
		AND b.authority_state = 'waiting' AND NOT EXISTS (SELECT 1 FROM ksef_sendings k WHERE k.tenant_id = b.tenant_id
		AND k.document_id = b.id AND k.edition = b.edition) ORDER BY b.id LIMIT $2`, batchMost)
	if err != nil {
		return err
	}
	for _, i := range found {
		file, seller, err := s.Billing.Outgoing(tx, i.DocumentID)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO ksef_sendings (tenant_id, document_id, edition, state, reason, seller, sum, session_id, reference,
			code, details_sealed, tries, since, next_at) VALUES ($1, $2, $3, 'waiting', '', $4, $5, '', '', 0, '', 0, $6, '')`,
			i.DocumentID, i.Edition, string(seller), ksef.Hash(file), tx.Now); err != nil {
			return err
		}
	}
	return nil
}

// hold keeps back what waits and is in no session.
func hold(tx *db.Tx, why Reason) error {
	_, err := tx.Exec(`UPDATE ksef_sendings SET state = 'held', reason = $2, since = $3 WHERE tenant_id = $1 AND state = 'waiting'
		AND session_id = ''`, string(why), tx.Now)
	return err
}

// release lets go what is held for some reasons.
func release(tx *db.Tx, reasons ...Reason) error {
	in, args := db.Among(3, reasons)
	_, err := tx.Exec(`UPDATE ksef_sendings SET state = 'waiting', reason = '', since = $2 WHERE tenant_id = $1 AND state = 'held'
		AND reason`+in, append([]any{tx.Now}, args...)...)
	return err
}

// detach takes an invoice out of a session that KSeF does not have it in.
func detach(tx *db.Tx, i item) error {
	_, err := tx.Exec(`UPDATE ksef_sendings SET session_id = '' WHERE tenant_id = $1 AND document_id = $2 AND edition = $3
		AND state = 'waiting'`, i.DocumentID, i.Edition)
	return err
}

// sent keeps that KSeF took an invoice, which it has not accepted yet.
func sent(tx *db.Tx, i item, reference string) error {
	return one(tx.Exec(`UPDATE ksef_sendings SET state = 'sent', reference = $4, since = $5 WHERE tenant_id = $1 AND document_id = $2
		AND edition = $3 AND state = 'waiting'`, i.DocumentID, i.Edition, reference, tx.Now))
}

// one is an error unless one row was changed.
func one(n int64, err error) error {
	if err == nil && n != 1 {
		return fmt.Errorf("ksef: %d rows are changed instead of one", n)
	}
	return err
}

// refusedAtOnce keeps that KSeF does not even look at an invoice.
func (s *Service) refusedAtOnce(tx *db.Tx, i item, said *wire.Said) error {
	if err := sent(tx, i, ""); err != nil {
		return err
	}
	code := 0
	if len(said.Codes) > 0 {
		code = said.Codes[0]
	}
	return s.refuse(tx, i, code, said.Words)
}

// refuse keeps that KSeF refused an invoice, and in which words.
func (s *Service) refuse(tx *db.Tx, i item, code int, words []string) error {
	details, err := json.Marshal(words)
	if err != nil {
		return err
	}
	if err := one(tx.Exec(`UPDATE ksef_sendings SET state = 'refused', code = $4, details_sealed = $5, since = $6 WHERE tenant_id = $1
		AND document_id = $2 AND edition = $3 AND state = 'sent'`, i.DocumentID, i.Edition, code,
		s.Vault.Seal(tx.Actor.Tenant, forDetails, details), tx.Now)); err != nil {
		return err
	}
	s.Log.Error("KSeF refuses an invoice", "partner", tx.Actor.Tenant, "document", i.DocumentID, "code", code)
	reason := fmt.Sprint(code)
	if len(words) > 0 { // the first says what the code means, and names nobody
		reason += " " + words[0]
	}
	return s.Billing.Answered(tx, i.DocumentID, i.Edition, billing.Answer{Refused: cut(reason)})
}

func cut(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 500)])
}

// waitAgain lets an invoice be sent anew after a pause.
func waitAgain(tx *db.Tx, i item, code int, pause time.Duration) error {
	return one(tx.Exec(`UPDATE ksef_sendings SET state = 'waiting', session_id = '', reference = '', code = $4, since = $5, next_at = $6
		WHERE tenant_id = $1 AND document_id = $2 AND edition = $3 AND state IN ('waiting', 'sent')`, i.DocumentID, i.Edition, code, tx.Now,
		tx.Now.Add(pause)))
}

// holdOne holds one invoice that KSeF sent back.
func holdOne(tx *db.Tx, i item, code int, why Reason) error {
	return one(tx.Exec(`UPDATE ksef_sendings SET state = 'held', reason = $4, session_id = '', reference = '', code = $5, since = $6
		WHERE tenant_id = $1 AND document_id = $2 AND edition = $3 AND state = 'sent'`, i.DocumentID, i.Edition, string(why), code, tx.Now))
}

// opened keeps the reference of a session.
func (x *session) opened(tx *db.Tx) error {
	x.State = "open"
	return one(tx.Exec(`UPDATE ksef_sessions SET state = 'open', reference = $3 WHERE tenant_id = $1 AND id = $2 AND state = 'opening'`, x.ID,
		x.Reference))
}

// goOn keeps the next state of a session.
func (x *session) goOn(tx *db.Tx, state string) error {
	x.State = state
	closed := time.Time{}
	if state == "closed" || state == "done" {
		closed = tx.Now
	}
	return one(tx.Exec(`UPDATE ksef_sessions SET state = $3, closed_at = CASE WHEN closed_at = '' THEN $4 ELSE closed_at END
		WHERE tenant_id = $1 AND id = $2`, x.ID, state, closed))
}

// lose gives up a session in which KSeF has nothing and will have nothing: its invoices wait for another one.
func (x *session) lose(tx *db.Tx) error {
	if _, err := tx.Exec(`UPDATE ksef_sendings SET state = 'waiting', session_id = '', reference = '', since = $3 WHERE tenant_id = $1
		AND session_id = $2 AND state IN ('waiting', 'sent')`, x.ID, tx.Now); err != nil {
		return err
	}
	return x.goOn(tx, "lost")
}

// abandon gives up sessions that were begun and in which nothing can have arrived: those of which not even the reference is known, and
// batches whose close was not decided.
func abandon(tx *db.Tx) error {
	found, err := db.Select[session](tx, `SELECT id, kind, reference, state FROM ksef_sessions WHERE tenant_id = $1
		AND state NOT IN ('done', 'lost') AND (state = 'opening' OR state = 'open' AND kind = 'batch') ORDER BY id`)
	for n := range found {
		if err == nil {
			err = found[n].lose(tx)
		}
	}
	return err
}

// unfinished are sessions that are to be closed.
func unfinished(tx *db.Tx) ([]session, error) {
	return db.Select[session](tx, `SELECT id, kind, reference, state FROM ksef_sessions WHERE tenant_id = $1 AND state NOT IN ('done', 'lost')
		AND state IN ('open', 'closing') ORDER BY id`)
}

package sending

import (
	"context"
	"encoding/json"
	"time"

	"saldo/internal/billing"
	"saldo/internal/kernel/calendar"
	"saldo/internal/ksef/deadlines"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/db"
)

// Standing is where an invoice is on its way, for people.
type Standing struct {
	State  State
	Reason Reason
	Words  []string // KSeF's own, of a refusal
	UPO    bool     // its confirmation is kept
}

// Standings are those of some invoices, by their ids. Of an invoice that no job has looked at yet there is none.
func (s *Service) Standings(tx *db.Tx, documents []string) (map[string]Standing, error) {
	found := map[string]Standing{}
	if len(documents) == 0 {
		return found, nil
	}
	in, args := db.Among(2, documents)
	rows, err := db.Select[struct {
		ID, State, Reason, DetailsSealed string
		UPO                              bool
	}](tx, `SELECT b.id, k.state, k.reason, k.details_sealed, COALESCE(r.upo_key, '') <> '' AS upo FROM billing_documents b
		JOIN ksef_sendings k ON k.tenant_id = b.tenant_id AND k.document_id = b.id AND k.edition = b.edition
		LEFT JOIN ksef_receipts r ON r.tenant_id = b.tenant_id AND r.document_id = b.id WHERE b.tenant_id = $1 AND b.id`+in, args...)
	for _, r := range rows {
		one := Standing{State: State(r.State), Reason: Reason(r.Reason), UPO: r.UPO}
		if r.DetailsSealed != "" {
			words, err := s.Vault.Unseal(tx.Actor.Tenant, forDetails, r.DetailsSealed)
			if err != nil {
				return nil, err
			}
			if err := json.Unmarshal(words, &one.Words); err != nil {
				return nil, err
			}
		}
		found[r.ID] = one
	}
	return found, err
}

// Counts are the partner's invoices that are not at their end.
type Counts struct {
	Accepted int64
	OnTheWay int64
	Held     int64
	Late     int64 // of those, whose last day to be sent is over
}

// Count counts them.
func (s *Service) Count(tx *db.Tx) (n Counts, err error) {
	if n, err = db.One[Counts](tx, `SELECT COUNT(CASE WHEN state = 'accepted' THEN 1 END) AS accepted,
		COUNT(CASE WHEN state IN ('waiting', 'sent') THEN 1 END) AS on_the_way, COUNT(CASE WHEN state = 'held' THEN 1 END) AS held,
		0 AS late FROM ksef_sendings WHERE tenant_id = $1`); err != nil {
		return n, err
	}
	days, err := db.Select[struct {
		IssuedOn calendar.Date
		IssuedAt time.Time
		N        int64
	}](tx, `SELECT b.issued_on, MAX(b.issued_at) AS issued_at, COUNT(*) AS n FROM billing_documents b WHERE b.tenant_id = $1
		AND b.authority_state = 'waiting' GROUP BY b.issued_on ORDER BY b.issued_on`)
	if err != nil {
		return n, err
	}
	outages, err := s.Announced.Outages(tx)
	zone := s.Billing.Instance.Location()
	for _, d := range days {
		if deadlines.Of(d.IssuedOn, d.IssuedAt, outages, zone).Late(tx.Now, zone) {
			n.Late += d.N
		}
	}
	return n, err
}

// upoMost is the size of the longest confirmation: that of 10,000 invoices has about 6 MB.
const upoMost = 16 << 20

// UPOKey is where the confirmation of an invoice is kept, with the number that the file is named by.
func UPOKey(tx *db.Tx, document string) (key, number string, err error) {
	rows, err := db.Select[struct{ UpoKey, Number string }](tx, `SELECT upo_key, number FROM ksef_receipts WHERE tenant_id = $1
		AND document_id = $2 AND upo_key <> ''`, document)
	if err == nil && len(rows) == 0 {
		err = billing.ErrNoFile
	}
	if err != nil {
		return "", "", err
	}
	return rows[0].UpoKey, rows[0].Number, nil
}

// UPO reads a confirmation.
func (s *Service) UPO(ctx context.Context, key string) ([]byte, error) {
	return blob.Whole(ctx, s.Blobs, key, upoMost)
}

package messages

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"saldo/internal/messages/sms"
	"saldo/internal/platform/db"
)

// SMSReports are reports that are from the provider of a partner.
type SMSReports struct {
	Tenant   string
	all      []sms.Report
	partCost int64
}

// SMSReports reads what a provider tells of SMS. The secret in the address says whose provider it is; the gateway believes only what has
// the secret, and with Twilio the signature.
func (s *Service) SMSReports(tx *db.Tx, provider string, r *http.Request) (reports SMSReports, err error) {
	secret := r.URL.Query().Get("secret")
	if secret == "" {
		return reports, ErrSMSReport
	}
	found, err := db.One[struct {
		TenantID string
		smsRow
	}](tx.Across(), `SELECT tenant_id, provider, sender, part_cost, month_parts, sealed, credentials_id, report_hash, changed_at, changed_by
		FROM sms_settings WHERE report_hash = $1 AND provider = $2 AND sealed <> ''`, hashOf(secret), provider)
	if errors.Is(err, db.ErrNone) {
		return reports, ErrSMSReport
	}
	if err != nil {
		return reports, err
	}
	gateway, err := s.gateway(found.TenantID, &found.smsRow)
	if err != nil {
		return reports, err
	}
	all, err := gateway.Report(r)
	if err != nil {
		return reports, ErrSMSReport.Because(err)
	}
	// in one order, so that two messages of a provider do not wait for each other
	slices.SortStableFunc(all, func(a, b sms.Report) int { return cmp.Compare(a.ID+a.Ref, b.ID+b.Ref) })
	return SMSReports{found.TenantID, all, found.PartCost}, nil
}

// Keep changes the SMS that are told of, in the tenant of the reports. They come in any order and more than once; those of SMS that nobody
// knows are passed over.
func (r SMSReports) Keep(tx *db.Tx) error {
	var unsent []monthParts
	for _, one := range r.all {
		more, err := keepReport(tx, one, r.partCost)
		if err != nil {
			return err
		}
		unsent = append(unsent, more...)
	}
	return giveAllBack(tx, unsent)
}

// keepReport changes an SMS by a report that follows what is known, and says which parts were not sent. That a provider tells of an SMS
// proves that it has it, whatever became of the answer.
func keepReport(tx *db.Tx, r sms.Report, partCost int64) ([]monthParts, error) {
	const one = ` WHERE tenant_id = $1 AND (id = $2 OR $2 = '' AND provider_ref = $3 AND provider_ref <> '')`
	switch {
	case r.ID == "" && r.Ref == "":
		return nil, nil
	case !r.State.Final():
		_, err := tx.Exec(`UPDATE message_sms SET state = 'accepted', accepted_at = $4, sealed = '', cost = parts * $5,
			provider_ref = CASE WHEN provider_ref = '' THEN $3 ELSE provider_ref END`+one+` AND state = 'queued' AND attempted_at <> ''`,
			r.ID, r.Ref, tx.Now, partCost)
		return nil, err
	case r.State == sms.Failed: // it was not sent
		return db.Select[monthParts](tx, `UPDATE message_sms SET state = 'failed', reason = $4, decided_at = $5, cost = 0, sealed = ''`+one+`
			AND state IN ('queued', 'accepted') AND attempted_at <> '' RETURNING month, parts`, r.ID, r.Ref, string(r.Reason), tx.Now)
	}
	_, err := tx.Exec(`UPDATE message_sms SET state = $4, reason = $5, decided_at = $6, sealed = '',
		accepted_at = CASE WHEN accepted_at = '' THEN $6 ELSE accepted_at END, cost = CASE WHEN cost = 0 THEN parts * $7 ELSE cost END,
		provider_ref = CASE WHEN provider_ref = '' THEN $3 ELSE provider_ref END`+one+`
		AND state IN ('queued', 'accepted') AND attempted_at <> ''`, r.ID, r.Ref, string(r.State), string(r.Reason), tx.Now, partCost)
	return nil, err
}

package messages

import (
	"fmt"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/messages/sms"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
)

// Outcome is what became of a message, in one word.
type Outcome string

// The outcomes.
const (
	Commissioned Outcome = "commissioned" // somebody has not got it yet
	Sent         Outcome = "sent"         // everybody is decided, and somebody got it
	Failed       Outcome = "error"        // nobody got it
	TakenBack    Outcome = "cancelled"
)

// Delivery counts the drivers of a message by what became of it. Whoever is on the board and whose mail failed has failed.
type Delivery struct {
	Delivered, Failed, Waiting int64
	Read, Confirmed            int64
}

// Listed is a message and what became of it.
type Listed struct {
	Message
	Delivery
	Outcome Outcome
	Unsent  int64 // SMS that no provider was asked for: they can be cancelled
}

// Filter chooses messages.
type Filter struct {
	Query      string
	Channel    Channel
	From, To   time.Time // when they were written
	Page, Size int64     // pages begin with 1
}

// PageMax is the most messages on a page.
const PageMax = 50

// List is a page of the partner's messages, newest first, and how many there are. Those that were withdrawn are not listed.
func List(tx *db.Tx, f Filter) (items []Listed, total int64, err error) {
	where, args := `m.tenant_id = $1 AND m.withdrawn_at = ''`, []any{}
	put := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args)+1)
	}
	for _, word := range strings.Fields(i18n.Fold(f.Query)) {
		where += ` AND m.search_key LIKE ` + put("%"+db.Literal(word)+"%") + ` ESCAPE '!'`
	}
	if f.Channel != "" {
		where += ` AND m.channels LIKE ` + put(`%"`+string(f.Channel)+`"%`)
	}
	if !f.From.IsZero() {
		where += ` AND m.created_at >= ` + put(f.From)
	}
	if !f.To.IsZero() {
		where += ` AND m.created_at < ` + put(f.To)
	}
	if total, err = db.One[int64](tx, `SELECT COUNT(*) FROM messages m WHERE `+where, args...); err != nil {
		return nil, 0, err
	}
	size := min(max(f.Size, 1), PageMax)
	limit, offset := put(size), put((max(f.Page, 1)-1)*size)
	found, err := db.Select[Message](tx, `SELECT `+messageColumns+` FROM messages m WHERE `+where+` ORDER BY m.id DESC LIMIT `+limit+
		` OFFSET `+offset, args...)
	if err != nil {
		return nil, 0, err
	}
	for _, m := range found {
		one, err := listed(tx, m)
		if err != nil {
			return nil, 0, err
		}
		items = append(items, one)
	}
	return items, total, nil
}

// ListedOf is one message with what became of it.
func ListedOf(tx *db.Tx, id string) (Listed, error) {
	m, err := Of(tx, id)
	if err != nil {
		return Listed{}, err
	}
	return listed(tx, m)
}

func listed(tx *db.Tx, m Message) (l Listed, err error) {
	l.Message = m
	told := m.Recipients // who of them are told is known by the place of the message
	if m.State != Done {
		if told, err = db.One[int64](tx, `SELECT COUNT(*) FROM message_recipients WHERE tenant_id = $1 AND message_id = $2 AND place <= $3
			AND refusal = ''`, m.ID, m.Place); err != nil {
			return l, err
		}
	}
	sent := struct{ Queued, Failed int64 }{}
	if m.Has(Mail) || m.Has(SMS) {
		// a driver whose mail or SMS failed has failed, once
		if sent, err = db.One[struct{ Queued, Failed int64 }](tx, `SELECT COUNT(CASE WHEN failed = 0 AND queued = 1 THEN 1 END) AS queued,
			COUNT(CASE WHEN failed = 1 THEN 1 END) AS failed FROM (
			SELECT driver_id, MAX(queued) AS queued, MAX(failed) AS failed FROM (
			SELECT x.driver_id, CASE WHEN l.state = 'queued' THEN 1 ELSE 0 END AS queued,
			CASE WHEN x.refusal NOT IN ('', 'no_mails') OR l.state = 'failed' THEN 1 ELSE 0 END AS failed FROM message_mails x
			LEFT JOIN mails l ON l.tenant_id = x.tenant_id AND l.id = x.mail_id WHERE x.tenant_id = $1 AND x.message_id = $2
			UNION ALL
			SELECT t.driver_id, CASE WHEN t.state = 'queued' OR t.state = 'accepted' AND t.accepted_at > $3 THEN 1 ELSE 0 END AS queued,
			CASE WHEN t.state IN ('undelivered', 'failed', 'expired') THEN 1 ELSE 0 END AS failed FROM message_sms t
			WHERE t.tenant_id = $1 AND t.message_id = $2 AND t.state <> 'reserved') each_way GROUP BY driver_id) each_driver`, m.ID,
			tx.Now.Add(-reported)); err != nil {
			return l, err
		}
	}
	if m.Has(SMS) {
		if l.Unsent, err = db.One[int64](tx, `SELECT COUNT(*) FROM message_sms WHERE tenant_id = $1 AND message_id = $2 AND state = 'queued'
			AND attempted_at = ''`, m.ID); err != nil {
			return l, err
		}
	}
	l.Failed, l.Waiting = sent.Failed, m.Recipients-told+sent.Queued
	l.Delivered = m.Recipients - l.Failed - l.Waiting
	if m.Has(Board) {
		read, err := db.One[struct{ Read, Confirmed int64 }](tx, `SELECT COUNT(CASE WHEN read_at <> '' THEN 1 END) AS read,
			COUNT(CASE WHEN confirmed_at <> '' THEN 1 END) AS confirmed FROM notes WHERE tenant_id = $1 AND message_id = $2
			AND message_id <> ''`, m.ID)
		if err != nil {
			return l, err
		}
		l.Read, l.Confirmed = read.Read, read.Confirmed
	}
	switch {
	case m.State == Cancelled:
		l.Outcome, l.Delivery = TakenBack, Delivery{}
	case l.Waiting > 0 || m.State != Done:
		l.Outcome = Commissioned
	case l.Delivered == 0 && !m.Has(Board):
		l.Outcome = Failed
	default:
		l.Outcome = Sent
	}
	return l, nil
}

// Recipient is a driver of a message and what became of it.
type Recipient struct {
	DriverID, FirstName, LastName string
	Refusal                       Refusal // why they get nothing; or no mail, where there is a note
	Placed                        bool    // it stands on their board
	MailState                     mail.State
	Reason                        string // why the mail failed, or waits for another try, in the server's words
	SMSState                      sms.State
	SMSReason                     sms.Reason
	Phone                         string // where the SMS went: the last digits
	ReadAt, ConfirmedAt           time.Time
}

// RecipientsMax is the most recipients on a page.
const RecipientsMax = 100

// Recipients are a page of a message's drivers: those whose mail or SMS failed first, then those left out, then the others.
func Recipients(tx *db.Tx, id string, page int64) ([]Recipient, error) {
	return db.Select[Recipient](tx, `SELECT k.id AS driver_id, k.first_name, k.last_name,
		CASE WHEN r.refusal <> '' THEN r.refusal ELSE COALESCE(x.refusal, '') END AS refusal, n.id IS NOT NULL AS placed,
		COALESCE(l.state, '') AS mail_state, COALESCE(l.reason, '') AS reason,
		CASE WHEN t.state = 'reserved' THEN '' ELSE COALESCE(t.state, '') END AS sms_state, COALESCE(t.reason, '') AS sms_reason,
		COALESCE(t.phone, '') AS phone, COALESCE(n.read_at, '') AS read_at,
		COALESCE(n.confirmed_at, '') AS confirmed_at
		FROM message_recipients r JOIN drivers d ON d.tenant_id = r.tenant_id AND d.id = r.driver_id
		JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		LEFT JOIN notes n ON n.tenant_id = r.tenant_id AND n.message_id = r.message_id AND n.message_id <> '' AND n.driver_id = (
		SELECT y.driver_id FROM notes y WHERE y.tenant_id = r.tenant_id AND y.message_id = r.message_id AND y.message_id <> ''
		AND y.driver_id IN (d.id, k.id) ORDER BY CASE WHEN y.driver_id = d.id THEN 0 ELSE 1 END LIMIT 1)
		LEFT JOIN message_mails x ON x.tenant_id = r.tenant_id AND x.message_id = r.message_id AND x.driver_id = (
		SELECT y.driver_id FROM message_mails y WHERE y.tenant_id = r.tenant_id AND y.message_id = r.message_id
		AND y.driver_id IN (d.id, k.id) ORDER BY CASE WHEN y.driver_id = d.id THEN 0 ELSE 1 END LIMIT 1)
		LEFT JOIN mails l ON l.tenant_id = x.tenant_id AND l.id = x.mail_id
		LEFT JOIN message_sms t ON t.tenant_id = r.tenant_id AND t.message_id = r.message_id AND t.driver_id = (
		SELECT y.driver_id FROM message_sms y WHERE y.tenant_id = r.tenant_id AND y.message_id = r.message_id
		AND y.driver_id IN (d.id, k.id) ORDER BY CASE WHEN y.driver_id = d.id THEN 0 ELSE 1 END LIMIT 1)
		WHERE r.tenant_id = $1 AND r.message_id = $2
		ORDER BY CASE WHEN l.state = 'failed' OR COALESCE(x.refusal, '') NOT IN ('', 'no_mails')
		OR t.state IN ('undelivered', 'failed', 'expired') THEN 0
		WHEN r.refusal <> '' THEN 1 WHEN l.state = 'queued' OR t.state IN ('queued', 'accepted') THEN 2 ELSE 3 END,
		r.place LIMIT $3 OFFSET $4`, id, RecipientsMax, (max(page, 1)-1)*RecipientsMax)
}

// Package summaries sends drivers their bills: a mail with a link to the
// summary of a settlement, which opens without signing in. What is called sent
// was taken by a mail server; nobody is mailed before the unit of work that
// wants it is committed.
package summaries

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/partners"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
)

var (
	ErrNotFound        = fault.Declare(fault.NotFound, "summaries.not_found")
	ErrSendingNotFound = fault.Declare(fault.NotFound, "summaries.sending_not_found")
	// ErrNothing is the answer to sending where no settlement is chosen, or none of them can be sent.
	ErrNothing = fault.Declare(fault.Conflict, "summaries.nothing")
	// ErrTooLate is the answer to cancelling what has begun or ended.
	ErrTooLate = fault.Declare(fault.Conflict, "summaries.too_late")
	// ErrNotFailed is the answer to trying again what has not failed.
	ErrNotFailed = fault.Declare(fault.Conflict, "summaries.not_failed")
	// ErrBlocked is the answer to trying again to reach a blocked driver.
	ErrBlocked = fault.Declare(fault.Conflict, "summaries.blocked")
	// ErrNoAddress is the answer to trying again where the driver has no e-mail address any more.
	ErrNoAddress = fault.Declare(fault.Conflict, "summaries.no_address")
	// ErrLink is the one answer to every link that opens nothing: unknown, expired, ended, or of a revoked settlement.
	ErrLink = fault.Declare(fault.NotFound, "summaries.link_invalid")
)

const (
	// Life is how long a link opens a summary.
	Life = 90 * 24 * time.Hour
	// Window is how long a sending of many can be cancelled as a whole.
	Window = 30 * time.Second

	kindOfSettlement = "settlement"
	kindOfSending    = "summary_sending"
)

// Service sends summaries.
type Service struct {
	Mails     *mail.Queue
	Instance  config.Instance
	PublicURL string
	// Statement gathers in a unit of work what the statement behind a link says, and gives what makes its pages after it. The mail of a
	// summary carries the same file.
	Statement func(tx *db.Tx, settlement string, language i18n.Language) (func(context.Context) (mail.Attachment, error), error)
	Log       *slog.Logger
}

// State is where the mail of a summary stands.
type State = mail.State

// Summary is a bill that was sent.
type Summary struct {
	ID, SendingID, SettlementID, DriverID string
	FirstName, LastName                   string
	Number                                int64
	Period                                calendar.Period
	FirstOn, LastOn                       calendar.Date
	Payout                                money.Amount
	Address, Language                     string
	MailID                                string
	State                                 State
	Reason                                string // why it failed, or why it waits for another try, in the server's words
	SentBy                                string
	CreatedAt, DecidedAt                  time.Time
	ExpiresAt, OpenedAt                   time.Time
	Works                                 bool // its link opens it, until it expires
	Newest                                bool // of its settlement
}

// works says whether a link opens its summary while it is not expired: its
// settlement stands, and the account that the driver had is still the driver's.
const (
	works = `(s.state <> 'revoked' AND (x.account_id = '' OR x.account_id = COALESCE(k.account_id, d.account_id)))`
	tied  = ` JOIN settlements s ON s.tenant_id = x.tenant_id AND s.id = x.settlement_id JOIN drivers d ON d.tenant_id = x.tenant_id
		AND d.id = x.driver_id
		LEFT JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = d.merged_into`
)

const summaryQuery = `SELECT x.id, x.sending_id, x.settlement_id, x.driver_id, d.first_name, d.last_name, s.number, s.period, s.first_on,
	s.last_on, s.payout, x.address, x.language, x.mail_id,
	m.state, m.reason, x.sent_by, x.created_at, m.decided_at, x.expires_at, x.opened_at, ` + works + ` AS works,
	NOT EXISTS (SELECT 1 FROM summaries y WHERE y.tenant_id = x.tenant_id AND y.settlement_id = x.settlement_id AND y.id > x.id) AS newest
	FROM summaries x` + tied + ` JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id WHERE x.tenant_id = $1`

// Of is one summary.
func Of(tx *db.Tx, id string) (Summary, error) {
	s, err := db.One[Summary](tx, summaryQuery+` AND x.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return s, err
}

// OfSettlement are all that were sent of a settlement, newest first.
func OfSettlement(tx *db.Tx, settlement string) ([]Summary, error) {
	return db.Select[Summary](tx, summaryQuery+` AND x.settlement_id = $2 ORDER BY x.id DESC`, settlement)
}

// failedMax is how many failures are listed.
const failedMax = 500

// Failed are the bills that no mail server took and that nothing newer stands
// for, newest first. One whose settlement is revoked is nobody's concern.
func Failed(tx *db.Tx) ([]Summary, error) {
	return db.Select[Summary](tx, summaryQuery+` AND m.state = 'failed' AND s.state <> 'revoked'
		AND NOT EXISTS (SELECT 1 FROM summaries y WHERE y.tenant_id = x.tenant_id AND y.settlement_id = x.settlement_id AND y.id > x.id)
		ORDER BY x.id DESC LIMIT $2`, failedMax)
}

// Open counts what is settled, not paid yet, could be sent to its driver and never was, and the mails that failed and nothing newer is of.
func Open(tx *db.Tx) (unsent, failed int64, err error) {
	if unsent, err = db.One[int64](tx, `SELECT COUNT(*) FROM settlements s
		JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
		JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		WHERE s.tenant_id = $1 AND s.state = 'settled' AND s.absorbed_into = '' AND NOT k.blocked AND k.email <> ''
		AND NOT EXISTS (SELECT 1 FROM summaries x WHERE x.tenant_id = s.tenant_id AND x.settlement_id = s.id)`); err != nil {
		return 0, 0, err
	}
	failed, err = db.One[int64](tx, `SELECT COUNT(*) FROM settlements s
		JOIN summaries x ON x.tenant_id = s.tenant_id AND x.settlement_id = s.id
		JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id
		WHERE s.tenant_id = $1 AND s.state = 'settled' AND m.state = 'failed'
		AND NOT EXISTS (SELECT 1 FROM summaries y WHERE y.tenant_id = x.tenant_id AND y.settlement_id = x.settlement_id AND y.id > x.id)`)
	return unsent, failed, err
}

// Standing is where the newest bill of a settlement stands.
type Standing struct {
	SettlementID, ID string
	State            State
	Reason           string
	At               time.Time // sent or failed; else written
	OpenedAt         time.Time
	Times            int64 // how many were sent of it
}

// Standings are the newest bills of settlements; one of which none was sent has none.
func Standings(tx *db.Tx, settlements []string) (map[string]Standing, error) {
	found := map[string]Standing{}
	for from := 0; from < len(settlements); from += chunk {
		in, args := db.Among(2, settlements[from:min(from+chunk, len(settlements))])
		list, err := db.Select[Standing](tx, `SELECT x.settlement_id, x.id, m.state, m.reason, CASE WHEN m.decided_at <> '' THEN m.decided_at
			ELSE x.created_at END AS at, x.opened_at,
			(SELECT COUNT(*) FROM summaries y WHERE y.tenant_id = x.tenant_id AND y.settlement_id = x.settlement_id) AS times
			FROM summaries x JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id WHERE x.tenant_id = $1 AND x.settlement_id`+in+`
			AND NOT EXISTS (SELECT 1 FROM summaries y WHERE y.tenant_id = x.tenant_id AND y.settlement_id = x.settlement_id AND y.id > x.id)`,
			args...)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			found[s.SettlementID] = s
		}
	}
	return found, nil
}

// Retry gives a failed bill new tries: the same mail, or a new one where the
// driver has another address by now, or where the link of the mail opens nothing any more.
func (d *Service) Retry(tx *db.Tx, id string) error {
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	if s.State != mail.Failed || !s.Newest {
		return ErrNotFailed
	}
	c, err := candidateOf(tx, s.SettlementID)
	if err != nil {
		return err
	}
	switch c.refusal(true) {
	case NoAddress:
		return ErrNoAddress
	case Blocked:
		return ErrBlocked
	case Revoked:
		return settlements.ErrRevoked.With("number", c.Number)
	case Absorbed:
		return settlements.ErrAbsorbed.With("settlement", c.AbsorbedInto).With("period", string(c.Period))
	}
	if c.Email != s.Address || !s.Works || !s.ExpiresAt.After(tx.Now) {
		if err := d.Mails.Reserve(tx, c.Email); err != nil {
			return err
		}
		return d.write(tx, s.SendingID, &c)
	}
	had, err := mail.Retry(tx, s.MailID)
	if err != nil {
		return err
	}
	if !had {
		return ErrNotFailed
	}
	return audit.Record(tx, audit.Change{Action: "summaries.retry", Kind: kindOfSettlement, ID: s.SettlementID,
		After: map[string]any{"summary": id}})
}

// write makes the link, writes the mail down, which was reserved before, and lets the driver see the settlement.
func (d *Service) write(tx *db.Tx, sending string, c *candidate) error {
	if err := settlements.Share(tx, c.ID); err != nil {
		return err
	}
	brand, err := partners.MailBrand(tx)
	if err != nil {
		return err
	}
	token := newToken()
	id, expires, language := tx.NewID(), tx.Now.Add(Life), d.languageOf(c)
	if err := endWhere(tx, `settlement_id = $3`, c.ID); err != nil { // the new mail's link is the one that works
		return err
	}
	message := d.mail(c, brand, language, token, expires)
	message.Counted, message.FileOf = true, id
	mailID, err := d.Mails.Enqueue(tx, message)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO summaries (tenant_id, id, sending_id, settlement_id, driver_id, address, language, mail_id, token_sum,
		sent_by, created_at, expires_at, opened_at, account_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '', $13)`,
		id, sending, c.ID, c.DriverID, c.Email, string(language), mailID, sumOf(token), tx.Actor.Name, tx.Now, expires, c.AccountID); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "summaries.send", Kind: kindOfSettlement, ID: c.ID,
		After: map[string]any{"summary": id, "language": language}})
}

// newToken has 256 random bits.
func newToken() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: the program ends before it gives less
	return base64.RawURLEncoding.EncodeToString(secret[:])
}

func sumOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// endWhere lets links that are alive open nothing any more.
func endWhere(tx *db.Tx, which, id string) error {
	_, err := tx.Exec(`UPDATE summaries SET expires_at = $2 WHERE tenant_id = $1 AND `+which+` AND expires_at > $2`, tx.Now, id)
	return err
}

// End lets the link of one summary open nothing any more, as when it went to a
// wrong address. Of one that opens nothing it does nothing.
func End(tx *db.Tx, id string) error {
	s, err := Of(tx, id)
	if err != nil {
		return err
	}
	if err := endWhere(tx, `id = $3`, id); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "summaries.end", Kind: kindOfSettlement, ID: s.SettlementID,
		After: map[string]any{"summary": id}})
}

// EndAll does so with every link to a settlement, as the driver may.
func EndAll(tx *db.Tx, settlement string) error {
	if err := endWhere(tx, `settlement_id = $3`, settlement); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "summaries.end", Kind: kindOfSettlement, ID: settlement})
}

// LinkUntil is when the last link to a settlement expires; zero: none opens it.
func LinkUntil(tx *db.Tx, settlement string) (time.Time, error) {
	until, err := db.One[time.Time](tx, `SELECT x.expires_at FROM summaries x`+tied+` WHERE x.tenant_id = $1 AND x.settlement_id = $2
		AND x.expires_at > $3 AND `+works+` ORDER BY x.expires_at DESC LIMIT 1`, settlement, tx.Now)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}
	return until, err
}

// Opened is what a link leads to.
type Opened struct {
	TenantID, ID, SettlementID string
	Language                   string
	ExpiresAt                  time.Time
}

// ByToken finds what a link leads to, by one question whatever the answer:
// unknown, expired, ended and revoked are the same. The system acts.
func ByToken(tx *db.Tx, token string) (Opened, error) {
	o, err := db.One[Opened](tx.Across(), `SELECT x.tenant_id, x.id, x.settlement_id, x.language, x.expires_at FROM summaries x`+tied+
		` WHERE x.token_sum = $1 AND x.expires_at > $2 AND `+works, sumOf(token), tx.Now)
	if errors.Is(err, db.ErrNone) {
		err = ErrLink
	}
	return o, err
}

// MarkOpened remembers when a summary was first seen. Pages say so themselves:
// what fetches links to look for viruses opens nothing. The system acts.
func MarkOpened(tx *db.Tx, token string) error {
	o, err := ByToken(tx, token)
	if err != nil {
		return err
	}
	_, err = tx.Across().Exec(`UPDATE summaries SET opened_at = $3 WHERE tenant_id = $1 AND id = $2 AND opened_at = ''`, o.TenantID, o.ID,
		tx.Now)
	return err
}

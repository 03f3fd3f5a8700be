package mail

import (
	"errors"
	"strings"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
)

var (
	// ErrDayQuota is the answer to a mail of a partner that has sent as many as it may today.
	ErrDayQuota = fault.Declare(fault.TooMany, "mails.day_quota")
	// ErrAddressQuota is the answer to a mail to an address that got as many as it may this hour.
	ErrAddressQuota = fault.Declare(fault.TooMany, "mails.address_quota")
)

// Quota is how many mails may be asked for: by one partner on a day, and to one
// address in an hour. Days and hours are those of UTC.
type Quota struct{ PerDay, PerAddress int64 }

// DefaultQuota is the quota of a queue without Within.
var DefaultQuota = Quota{PerDay: 20_000, PerAddress: 60}

const (
	quotaPurpose = "mail quota"
	daily        = "day"
)

// Reserve counts a mail of the acting partner before it is written, or refuses
// it. Whoever has mail sent by somebody else, as an identity provider, calls it
// in the unit of work that asks; Enqueue does so itself.
func (o *Queue) Reserve(tx *db.Tx, to string) error {
	left, err := take(tx, daily, 24*time.Hour, o.quota.PerDay)
	if err != nil {
		return err
	}
	if left > 0 {
		return refused(ErrDayQuota, o.quota.PerDay, left)
	}
	if err = o.ReserveAddress(tx, to, o.quota.PerAddress); errors.Is(err, ErrAddressQuota) {
		// what is refused was not sent: callers may go on with others
		if _, undo := tx.Exec(`UPDATE mail_quotas SET used = used - 1 WHERE tenant_id = $1 AND subject = $2 AND window_start = $3 AND used > 0`,
			daily, tx.Now.UTC().Truncate(24*time.Hour)); undo != nil {
			return undo
		}
	}
	return err
}

// ReserveAddress counts a mail to an address, whether or not one is written
// then: where people must not learn whether an address is known, both count.
func (o *Queue) ReserveAddress(tx *db.Tx, to string, limit int64) error {
	subject := "to:" + o.vault.Fingerprint(tx.Actor.Tenant, quotaPurpose, []byte(strings.ToLower(strings.TrimSpace(to))))
	left, err := take(tx, subject, time.Hour, limit)
	if err == nil && left > 0 {
		err = refused(ErrAddressQuota, limit, left)
	}
	return err
}

// take counts one more within the window that holds now. One statement decides,
// so that two at the same moment do not pass the limit together; it says how
// long the window lasts when it is full.
func take(tx *db.Tx, subject string, window time.Duration, limit int64) (left time.Duration, err error) {
	start := tx.Now.UTC().Truncate(window)
	n, err := tx.Exec(`INSERT INTO mail_quotas (tenant_id, subject, window_start, used) VALUES ($1, $2, $3, 1)
		ON CONFLICT (tenant_id, subject, window_start) DO UPDATE SET used = mail_quotas.used + 1 WHERE mail_quotas.used < $4`, subject, start,
		limit)
	if err != nil || n == 1 {
		return 0, err
	}
	return start.Add(window).Sub(tx.Now), nil
}

func refused(why *fault.Fault, limit int64, left time.Duration) error {
	return why.With("max", limit).With("minutes", int64((left+time.Minute-1)/time.Minute)).After(left)
}

// SweepQuotas forgets the windows that are over.
func SweepQuotas(tx *db.Tx) error {
	_, err := tx.Across().Exec(`DELETE FROM mail_quotas WHERE window_start < $1`, tx.Now.Add(-24*time.Hour))
	return err
}

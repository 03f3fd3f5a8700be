package idp

import (
	"errors"
	"time"

	"saldo/internal/platform/db"
)

// limit is how often something may fail, or be asked for, before it has to
// wait. Nothing is shut for good, and success clears the count.
type limit struct {
	kind    string
	free    int64         // in one window
	window  time.Duration // after which the count starts anew
	longest time.Duration // of a wait; waits double from a minute
}

var (
	byAccount = limit{"account", 10, 15 * time.Minute, 15 * time.Minute}
	byAddress = limit{"address", 30, time.Minute, time.Minute}
	mailsTo   = limit{"mails-to", 3, 15 * time.Minute, 15 * time.Minute}
	mailsFrom = limit{"mails-from", 20, 15 * time.Minute, 15 * time.Minute}
)

type throttleRow struct {
	Failures              int64
	SinceAt, BlockedUntil time.Time
}

// id hides whom a row is about.
func (p *Provider) throttleID(l limit, who string) string {
	return l.kind + ":" + p.vault.Fingerprint("", "throttle", []byte(who))
}

// wait says how long somebody still has to wait.
func (p *Provider) wait(tx *db.Tx, l limit, who string) (time.Duration, error) {
	until, err := db.One[time.Time](tx.Across(), `SELECT blocked_until FROM idp_throttles WHERE id = $1`, p.throttleID(l, who))
	if errors.Is(err, db.ErrNone) {
		return 0, nil
	}
	return max(until.Sub(tx.Now), 0), err
}

// count adds one and says how long the next one has to wait.
func (p *Provider) count(tx *db.Tx, l limit, who string) (time.Duration, error) {
	id := p.throttleID(l, who)
	row, err := db.One[throttleRow](tx.Across(), `SELECT failures, since_at, blocked_until FROM idp_throttles WHERE id = $1`, id)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return 0, err
	}
	if tx.Now.Sub(row.SinceAt) >= l.window && tx.Now.Sub(row.BlockedUntil) >= l.window {
		row = throttleRow{SinceAt: tx.Now}
	}
	row.Failures++
	if over := row.Failures - l.free; over >= 0 {
		steps := min(uint(over), 6)
		row.BlockedUntil = tx.Now.Add(min(time.Minute<<steps, l.longest))
	}
	_, err = tx.Across().Exec(`INSERT INTO idp_throttles (id, failures, since_at, blocked_until) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET failures = excluded.failures, since_at = excluded.since_at, blocked_until = excluded.blocked_until`,
		id, row.Failures, row.SinceAt, row.BlockedUntil)
	return max(row.BlockedUntil.Sub(tx.Now), 0), err
}

// reserve counts an attempt before anybody looks whether it is right: of many
// at the same moment no more get through than one after the other. It says how
// long to wait, when nothing was counted; and whether others failed, or are
// being tried, before it.
func (p *Provider) reserve(tx *db.Tx, email, visitor string) (wait time.Duration, suspect bool, err error) {
	if wait, err = p.blocked(tx, email, visitor); err != nil || wait > 0 {
		return wait, true, err
	}
	for _, l := range limited(email, visitor) {
		if _, err = p.count(tx, l.limit, l.who); err != nil {
			return 0, false, err
		}
		failures, err := db.One[int64](tx.Across(), `SELECT failures FROM idp_throttles WHERE id = $1`, p.throttleID(l.limit, l.who))
		if err != nil {
			return 0, false, err
		}
		suspect = suspect || failures > 1
	}
	return 0, suspect, nil
}

type counted struct {
	limit
	who string
}

// limited is what an attempt counts for.
func limited(email, visitor string) []counted {
	return []counted{{byAccount, email}, {byAddress, visitor}}
}

// blocked says how long an account or an address still has to wait.
func (p *Provider) blocked(tx *db.Tx, email, visitor string) (wait time.Duration, err error) {
	for _, l := range limited(email, visitor) {
		if wait, err = p.wait(tx, l.limit, l.who); err != nil || wait > 0 {
			return wait, err
		}
	}
	return 0, nil
}

// right takes back what reserve counted: the account's failures are forgotten, the address has one fewer.
func (p *Provider) right(tx *db.Tx, email, visitor string) error {
	if err := p.clear(tx, byAccount, email); err != nil {
		return err
	}
	id := p.throttleID(byAddress, visitor)
	_, err := tx.Across().Exec(`UPDATE idp_throttles SET failures = failures - 1 WHERE id = $1 AND failures > 0`, id)
	return err
}

func (p *Provider) clear(tx *db.Tx, l limit, who string) error {
	_, err := tx.Across().Exec(`DELETE FROM idp_throttles WHERE id = $1`, p.throttleID(l, who))
	return err
}

// Package outbox sends mail truthfully: a mail is written down in the unit of
// work that wants it, sent later by a job, and called sent only when the mail
// server took it.
package outbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

// Kind is the kind of the job that sends one mail.
const Kind = "mail.send"

const purpose = "mail"

// Attempts are the tries at one mail: over about five hours.
const attempts = 14

// State is what happened to a mail.
type State string

const (
	Queued State = "queued"
	Sent   State = "sent"
	Failed State = "failed"
)

// Outbox writes mails and sends them.
type Outbox struct {
	vault  *vault.Vault
	sender mail.Sender
	from   mail.Address
	quota  Quota
}

// New makes an outbox that sends as from.
func New(v *vault.Vault, sender mail.Sender, from mail.Address) *Outbox {
	return &Outbox{vault: v, sender: sender, from: from, quota: Usual}
}

// Within gives the outbox another quota; what is zero stays the usual one.
func (o *Outbox) Within(q Quota) *Outbox {
	o.quota = Quota{PerDay: cmp.Or(q.PerDay, Usual.PerDay), PerAddress: cmp.Or(q.PerAddress, Usual.PerAddress)}
	return o
}

// Letter is a mail to one recipient.
type Letter struct {
	To          mail.Address
	Subject     string
	Text, HTML  string
	Language    string
	Attachments []mail.Attachment
	Key         string // a second mail with the same key is not written; empty: no limit
	Counted     bool   `json:"-"` // it was reserved before, or is one that nobody can ask for at will
}

// Post writes a mail down and leaves the job that sends it; both exist exactly
// if the unit of work is committed. It gives the mail's id, or none when a
// mail with the same key exists. What is over the quota is refused.
func (o *Outbox) Post(tx *db.Tx, l Letter) (id string, err error) {
	id = tx.NewID()
	content, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	n, err := tx.Exec(`INSERT INTO mails (tenant_id, id, unique_key, sealed, state, reason, created_at, decided_at)
		VALUES ($1, $2, $3, $4, 'queued', '', $5, '') ON CONFLICT DO NOTHING`,
		id, l.Key, o.vault.Seal(tx.Actor.Tenant, purpose, content), tx.Now)
	if err != nil || n == 0 {
		return "", err
	}
	if !l.Counted {
		if err := o.Reserve(tx, l.To.Address); err != nil {
			return "", err
		}
	}
	return id, jobs.Enqueue(tx, jobs.Order{Kind: Kind, Payload: payload{id}, Key: id, Attempts: attempts})
}

type payload struct {
	Mail string `json:"mail"`
}

// Mail is what is known of one recipient's mail.
type Mail struct {
	ID        string
	To        mail.Address
	Subject   string
	State     State
	Reason    string // why it failed, in the server's words
	CreatedAt time.Time
	DecidedAt time.Time // sent or failed
}

type row struct {
	ID, Sealed, Reason   string
	State                State
	CreatedAt, DecidedAt time.Time
}

// Mails lists the tenant's newest mails.
func (o *Outbox) Mails(tx *db.Tx, limit int) ([]Mail, error) {
	rows, err := db.Select[row](tx, `SELECT id, sealed, state, reason, created_at, decided_at FROM mails WHERE tenant_id = $1
		ORDER BY id DESC LIMIT $2`, limit)
	if err != nil {
		return nil, err
	}
	mails := make([]Mail, len(rows))
	for i, r := range rows {
		l, err := o.open(tx, r)
		if err != nil {
			return nil, err
		}
		mails[i] = Mail{r.ID, l.To, l.Subject, r.State, r.Reason, r.CreatedAt, r.DecidedAt}
	}
	return mails, nil
}

// Again gives a failed mail a new set of tries. It stays the same mail: a server
// that took it before sees the same Message-ID. It says whether the mail had
// failed; one whose last try is just ending has not yet.
func Again(tx *db.Tx, id string) (bool, error) {
	job, err := jobs.Latest(tx, Kind, id)
	swept := errors.Is(err, db.ErrNone)
	switch {
	case err != nil && !swept:
		return false, err
	case !swept && job.State != jobs.Failed:
		return false, nil
	}
	n, err := tx.Exec(`UPDATE mails SET state = 'queued', reason = '', decided_at = '' WHERE tenant_id = $1 AND id = $2 AND state = 'failed'`,
		id)
	if err != nil || n == 0 {
		return false, err
	}
	if swept {
		return true, jobs.Enqueue(tx, jobs.Order{Kind: Kind, Payload: payload{id}, Key: id, Attempts: attempts})
	}
	return true, jobs.Retry(tx, job.ID)
}

func (o *Outbox) open(tx *db.Tx, r row) (l Letter, err error) {
	content, err := o.vault.Unseal(tx.Actor.Tenant, purpose, r.Sealed)
	if err != nil {
		return l, fmt.Errorf("outbox: mail %s: %w", r.ID, err)
	}
	return l, json.Unmarshal(content, &l)
}

// Deliver is the handler of Kind. A mail server that took the mail and then
// went silent gets it again under the same Message-ID.
func (o *Outbox) Deliver(ctx context.Context, run *jobs.Run) error {
	var p payload
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	var r row
	var l Letter
	err := run.Read(ctx, func(tx *db.Tx) (err error) {
		if r, err = db.One[row](tx, `SELECT id, sealed, state, reason, created_at, decided_at FROM mails WHERE tenant_id = $1 AND id = $2`,
			p.Mail); err != nil {
			return err
		}
		l, err = o.open(tx, r)
		return err
	})
	if errors.Is(err, db.ErrNone) {
		return jobs.Permanent(err)
	}
	if err != nil || r.State == Sent {
		return err
	}
	failure := o.sender.Send(ctx, mail.Message{ID: r.ID, From: o.from, To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML,
		Language: l.Language, Attachments: l.Attachments, WrittenAt: r.CreatedAt})
	if failure == nil {
		return run.Write(ctx, func(tx *db.Tx) error {
			if err := decide(tx, p.Mail, Sent, ""); err != nil {
				return err
			}
			return run.Finish(tx)
		})
	}
	state := Queued
	if final := mail.Permanent(failure); final || run.Attempts >= run.MaxAttempts {
		state = Failed
	}
	if err := run.Write(ctx, func(tx *db.Tx) error { return decide(tx, p.Mail, state, failure.Error()) }); err != nil {
		return err
	}
	// the reason may name the recipient, and what a job says reaches the log
	said := errors.New(strings.ReplaceAll(failure.Error(), l.To.Address, "(recipient)"))
	if state == Failed {
		return jobs.Permanent(said)
	}
	return said
}

// GaveUp is the ending of Kind: a mail whose last try nobody saw the end of has
// failed, and can be tried again.
func GaveUp(tx *db.Tx, run *jobs.Run, why error) error {
	var p payload
	if err := run.Into(&p); err != nil {
		return nil // it names no mail, and so none waits for it
	}
	_, err := tx.Exec(`UPDATE mails SET state = 'failed', reason = CASE WHEN reason = '' THEN $3 ELSE reason END, decided_at = $4
		WHERE tenant_id = $1 AND id = $2 AND state = 'queued'`,
		p.Mail, why.Error(), tx.Now)
	return err
}

func decide(tx *db.Tx, id string, s State, reason string) error {
	at := tx.Now
	if s == Queued {
		at = time.Time{}
	}
	_, err := tx.Exec(`UPDATE mails SET state = $3, reason = $4, decided_at = $5 WHERE tenant_id = $1 AND id = $2`, id, string(s), reason, at)
	return err
}

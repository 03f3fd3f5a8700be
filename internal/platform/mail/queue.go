package mail

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
	"saldo/internal/platform/vault"
)

// SendKind is the kind of the job that sends one mail.
const SendKind = "mail.send"

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

// Queue stores mails and sends them in jobs. A mail is sent only after the unit
// of work that enqueued it is committed, and is marked as sent only when the mail
// server accepted it.
type Queue struct {
	vault  *vault.Vault
	sender Sender
	from   Address
	quota  Quota
	attach Attaching
	// publicURL is where people reach the instance: pictures in mails are there
	publicURL string
}

// NewQueue makes a queue that sends as from.
func NewQueue(v *vault.Vault, sender Sender, from Address) *Queue {
	return &Queue{vault: v, sender: sender, from: from, quota: DefaultQuota}
}

// At tells the queue where people reach the instance.
func (o *Queue) At(publicURL string) *Queue {
	o.publicURL = publicURL
	return o
}

// Attaching makes the file of a mail while it is sent, so that no file waits in the database. It is asked again at every try. No file:
// the mail goes without one. ErrWithdrawn: it is not sent any more. Any other error: it is tried later.
type Attaching func(ctx context.Context, run *jobs.Run, of string) (*Attachment, error)

// ErrWithdrawn says that a mail must not be sent any more. It is a failure for good.
var ErrWithdrawn = refuse("it was not sent: what it says does not hold any more")

// Attach tells the queue who makes the files of mails that are sent with one.
func (o *Queue) Attach(by Attaching) { o.attach = by }

// Name is what the instance is called in mails that no partner sends.
func (o *Queue) Name() string { return cmp.Or(o.from.Name, "Saldo") }

// Within gives the queue another quota; fields that are zero keep their default.
func (o *Queue) Within(q Quota) *Queue {
	o.quota = Quota{PerDay: cmp.Or(q.PerDay, DefaultQuota.PerDay), PerAddress: cmp.Or(q.PerAddress, DefaultQuota.PerAddress)}
	return o
}

// Message is a mail to one recipient.
type Message struct {
	To       Address
	Brand    Brand    `json:"-"` // in whose name and colours
	Strong   string   `json:"-"` // the amount in the text that it is about; empty: none
	Actions  []Action `json:"-"` // addresses in the text that are buttons in its HTML
	FromName string   // follows from the brand
	ReplyTo  Address  // follows from the brand
	Subject  string
	Text     string
	Content  string `json:"-"` // the text as HTML, where it is formatted; empty: as it is. Actions follow it
	HTML     string // follows from the text
	Language string
	// Unsubscribe is where mails of its sort are stopped, by opening it or with one click of the mail program; empty: nowhere.
	Unsubscribe string
	FileOf      string // what a file is made of while it is sent, for whoever makes it; empty: it has no file
	Key         string // a second mail with the same key is not written; empty: no limit
	Counted     bool   `json:"-"` // it was reserved before, or is one that nobody can ask for at will
}

// Enqueue stores a mail and the job that sends it; both exist exactly
// if the unit of work is committed. It gives the mail's id, or none when a
// mail with the same key exists. What is over the quota is refused.
func (o *Queue) Enqueue(tx *db.Tx, l Message) (id string, err error) {
	id = tx.NewID()
	if l, err = o.branded(l); err != nil {
		return "", err
	}
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
	return id, jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Payload: payload{id}, Key: id, Attempts: attempts})
}

type payload struct {
	Mail string `json:"mail"`
}

// Status is what is known of one recipient's mail.
type Status struct {
	ID        string
	To        Address
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
func (o *Queue) Mails(tx *db.Tx, limit int) ([]Status, error) {
	rows, err := db.Select[row](tx, `SELECT id, sealed, state, reason, created_at, decided_at FROM mails WHERE tenant_id = $1
		ORDER BY id DESC LIMIT $2`, limit)
	if err != nil {
		return nil, err
	}
	mails := make([]Status, len(rows))
	for i, r := range rows {
		l, err := o.open(tx, r)
		if err != nil {
			return nil, err
		}
		mails[i] = Status{r.ID, l.To, l.Subject, r.State, r.Reason, r.CreatedAt, r.DecidedAt}
	}
	return mails, nil
}

// Retry gives a failed mail a new set of tries. It stays the same mail: a server
// that took it before sees the same Message-ID. It says whether the mail had
// failed; one whose last try is just ending has not yet.
func Retry(tx *db.Tx, id string) (bool, error) {
	job, err := jobs.Latest(tx, SendKind, id)
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
		return true, jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Payload: payload{id}, Key: id, Attempts: attempts})
	}
	return true, jobs.Retry(tx, job.ID)
}

func (o *Queue) open(tx *db.Tx, r row) (l Message, err error) {
	content, err := o.vault.Unseal(tx.Actor.Tenant, purpose, r.Sealed)
	if err != nil {
		return l, fmt.Errorf("mail: %s: %w", r.ID, err)
	}
	return l, json.Unmarshal(content, &l)
}

// Deliver is the handler of SendKind. A mail server that took the mail and then
// went silent gets it again under the same Message-ID.
func (o *Queue) Deliver(ctx context.Context, run *jobs.Run) error {
	var p payload
	if err := run.Into(&p); err != nil {
		return jobs.Permanent(err)
	}
	var r row
	var l Message
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
	failure, err := o.send(ctx, run, r, l)
	if err != nil {
		return err
	}
	if failure == nil {
		return run.Write(ctx, func(tx *db.Tx) error {
			if err := decide(tx, p.Mail, Sent, ""); err != nil {
				return err
			}
			return run.Finish(tx)
		})
	}
	state := Queued
	if final := Permanent(failure); final || run.Attempts >= run.MaxAttempts {
		state = Failed
	}
	if err := run.Write(ctx, func(tx *db.Tx) error { return decide(tx, p.Mail, state, failure.Error()) }); err != nil {
		return err
	}
	// the reason may name the recipient, and what a job says reaches the log
	reason := errors.New(strings.ReplaceAll(failure.Error(), l.To.Address, "(recipient)"))
	if state == Failed {
		return jobs.Permanent(reason)
	}
	return reason
}

// send hands the mail to the server, with its file, which is made outside of every unit of work that writes. failure is why the mail was
// not taken; err is why it was not tried.
func (o *Queue) send(ctx context.Context, run *jobs.Run, r row, l Message) (failure, err error) {
	var files []Attachment
	if l.FileOf != "" && o.attach != nil {
		file, err := o.attach(ctx, run, l.FileOf)
		switch {
		case errors.Is(err, ErrWithdrawn):
			return ErrWithdrawn, nil
		case err != nil:
			return nil, err
		case file != nil:
			files = append(files, *file)
		}
	}
	from := Address{Name: cmp.Or(l.FromName, o.from.Name), Address: o.from.Address}
	return o.sender.Send(ctx, Delivery{ID: r.ID, From: from, ReplyTo: l.ReplyTo, To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML,
		Unsubscribe: l.Unsubscribe, Language: l.Language, Attachments: files, WrittenAt: r.CreatedAt}), nil
}

// OnFailure is called when a job of SendKind has failed for good: its mail has
// failed, and can be tried again.
func OnFailure(tx *db.Tx, run *jobs.Run, why error) error {
	var p payload
	if err := run.Into(&p); err != nil {
		return nil // it names no mail, and so none waits for it
	}
	_, err := tx.Exec(`UPDATE mails SET state = 'failed', reason = CASE WHEN reason = '' THEN $3 ELSE reason END, decided_at = $4
		WHERE tenant_id = $1 AND id = $2 AND state = 'queued'`,
		p.Mail, why.Error(), tx.Now)
	return err
}

// Hold fails the mails of all tenants that were not sent yet. Each can be tried again.
func Hold(tx *db.Tx, why string) error {
	if err := jobs.FailAll(tx, SendKind, why); err != nil {
		return err
	}
	_, err := tx.Across().Exec(`UPDATE mails SET state = 'failed', reason = $1, decided_at = $2 WHERE state = 'queued'`, why, tx.Now)
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

package messages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/messages/sms"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
)

// SMSKind is the job that sends one SMS.
const SMSKind = "messages.sms"

// Reasons of our own why an SMS was not sent; the others are the provider's.
const (
	NoPhone   sms.Reason = "no_phone"
	TurnedOff sms.Reason = "turned_off"
	OverCap   sms.Reason = "over_cap"
	Withdrawn sms.Reason = "withdrawn"
	Stopped   sms.Reason = "stopped" // it waited for the morning and was cancelled; it is never sent
	// Unclear is the reason of an SMS that was perhaps sent, and nobody can be asked any more. It is never sent again.
	Unclear sms.Reason = "unclear"
)

// SMSReasons are all reasons why an SMS was not sent or not delivered.
var SMSReasons = []sms.Reason{NoPhone, TurnedOff, OverCap, Withdrawn, Stopped, Unclear, sms.Reason(Blocked), sms.Reason(Inactive),
	sms.InvalidNumber, sms.OptedOut, sms.Unreachable, sms.NotAllowed, sms.InvalidSender, sms.InvalidText, sms.Unauthorized,
	sms.NoCredit, sms.Busy, sms.NoAnswer, sms.Other}

const (
	smsTries = 12             // of what a provider put off
	askFor   = 24 * time.Hour // how long a provider is asked what became of an attempt
	// reported is how long a report is waited for. Providers give up by then; what was accepted counts as delivered after it, as a mail does.
	reported = 72 * time.Hour
)

type smsTicket struct{ SMS string }

// smsMessage is what is sealed until it is known what became of it: every attempt has the same number and text.
type smsMessage struct{ To, Text string }

// one is the SMS of a driver.
type one struct {
	ID, MessageID, DriverID      string
	State                        sms.State
	Month, Sealed, CredentialsID string
	Parts, Tries                 int64
	AttemptedAt                  time.Time
}

// reserveSMS takes the parts of a message from its month and keeps an SMS for each driver, who is told later.
func (s *Service) reserveSMS(tx *db.Tx, m *Message, d *Draft, all []candidate) error {
	month := s.monthOf(sms.QuietUntil(m.StartsAt, s.Instance.Location()))
	p, err := s.plan(tx, d, all, month)
	if err != nil {
		return err
	}
	if err := reserve(tx, month, p.Parts); err != nil {
		return err
	}
	_, err = tx.Insert("message_sms", db.Columns(`message_id, driver_id, id, state, reason, month, parts, cost, phone, sealed, credentials_id,
		provider_ref, tries, created_at, attempted_at, accepted_at, decided_at`), func(yield func([]any) bool) {
		for i := range all {
			if all[i].refusal(d.Channels) == "" && !yield([]any{m.ID, all[i].ID, tx.NewID(), "reserved", "", month, p.parts[all[i].ID], int64(0),
				"", "", "", "", int64(0), db.Instant(tx.Now), "", "", ""}) {
				return
			}
		}
	})
	return err
}

// release hands the SMS of a driver over to its job, or keeps why there is none. In quiet hours it waits for the morning.
func (s *Service) release(tx *db.Tx, message, driver string, on, phone bool) error {
	reserved, err := db.Select[one](tx, smsQuery+` AND message_id = $2 AND driver_id = $3 AND state = 'reserved'`, message, driver)
	if err != nil || len(reserved) == 0 {
		return err
	}
	row := &reserved[0]
	if _, err := tx.Exec(`UPDATE message_sms SET state = 'queued' WHERE tenant_id = $1 AND id = $2`, row.ID); err != nil {
		return err
	}
	switch {
	case !on:
		return fail(tx, row, TurnedOff)
	case !phone:
		return fail(tx, row, NoPhone)
	}
	return s.enqueueSMS(tx, row.ID, tx.Now)
}

func (s *Service) enqueueSMS(tx *db.Tx, id string, at time.Time) error {
	return jobs.Enqueue(tx, jobs.Order{Kind: SMSKind, Key: id, Payload: smsTicket{id}, At: sms.QuietUntil(at, s.Instance.Location()),
		Attempts: 100})
}

const smsQuery = `SELECT id, message_id, driver_id, state, month, sealed, credentials_id, parts, tries, attempted_at FROM message_sms
	WHERE tenant_id = $1`

// fail ends an SMS that was not sent, and gives its parts back.
func fail(tx *db.Tx, row *one, why sms.Reason) error {
	n, err := tx.Exec(`UPDATE message_sms SET state = 'failed', reason = $3, decided_at = $4, sealed = '' WHERE tenant_id = $1
		AND id = $2 AND state = 'queued'`, row.ID, string(why), tx.Now)
	if err != nil || n == 0 {
		return err
	}
	return giveBack(tx, row.Month, row.Parts)
}

// failWaiting ends the SMS that no provider was asked for: of one message, or all. They are known by one statement, so that what a job
// takes at the same moment is the job's.
func failWaiting(tx *db.Tx, why sms.Reason, message string) (n int, err error) {
	return taken(tx, `UPDATE message_sms SET state = 'failed', reason = $3, decided_at = $4 WHERE tenant_id = $1
		AND ($2 = '' OR message_id = $2) AND state = 'queued' AND attempted_at = '' RETURNING month, parts`, message, string(why), tx.Now)
}

// forgetReserved removes the SMS of a message that nobody was told.
func forgetReserved(tx *db.Tx, message string) error {
	_, err := taken(tx, `DELETE FROM message_sms WHERE tenant_id = $1 AND message_id = $2 AND state = 'reserved'
		RETURNING month, parts`, message)
	return err
}

// taken gives back the parts of the SMS that a statement ended, and says how many these are.
func taken(tx *db.Tx, text string, args ...any) (int, error) {
	ended, err := db.Select[monthParts](tx, text, args...)
	if err != nil {
		return 0, err
	}
	return len(ended), giveAllBack(tx, ended)
}

// attempt is a call that is about to be made.
type attempt struct {
	one
	smsMessage
	gateway  sms.Gateway
	partCost int64
	resume   bool
}

// SendSMS sends one SMS. That it is attempted is written down before the provider is called, outside of any unit of work. After an
// attempt that nobody knows the end of, also because the process was killed, the provider is asked before anything is sent again.
func (s *Service) SendSMS(ctx context.Context, job *jobs.Run) error {
	var t smsTicket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	var a *attempt
	if err := job.Write(ctx, func(tx *db.Tx) (err error) {
		a, err = s.attempt(tx, job, t.SMS)
		return err
	}); err != nil || a == nil {
		return err
	}
	var sent sms.Sent
	var err error
	if a.resume {
		sent, err = a.gateway.Resume(ctx, a.ID, a.To, a.Text, a.AttemptedAt)
	} else {
		sent, err = a.gateway.Send(ctx, a.ID, a.To, a.Text)
	}
	return job.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error { return s.note(tx, job, a, sent, err) })
}

// attempt decides what is to be done with an SMS and writes it down; nil: nothing now.
func (s *Service) attempt(tx *db.Tx, job *jobs.Run, id string) (*attempt, error) {
	row, err := db.One[one](tx, smsQuery+` AND id = $2`, id)
	if errors.Is(err, db.ErrNone) || err == nil && row.State != sms.Queued {
		return nil, nil // taken back, tried anew under another id, or told of by the provider
	}
	if err != nil {
		return nil, err
	}
	if morning := sms.QuietUntil(tx.Now, s.Instance.Location()); morning.After(tx.Now) {
		return nil, s.postpone(tx, job, row.ID, morning)
	}
	settings, err := smsSettings(tx)
	if err != nil {
		return nil, err
	}
	a := &attempt{one: row, partCost: settings.PartCost, resume: !row.AttemptedAt.IsZero()}
	if a.resume {
		if !settings.on() || settings.CredentialsID != row.CredentialsID || tx.Now.After(row.AttemptedAt.Add(askFor)) {
			return nil, unclear(tx, row.ID)
		}
		if due := row.AttemptedAt.Add(sms.AskAfter); due.After(tx.Now) {
			return nil, s.postpone(tx, job, row.ID, due)
		}
		content, err := s.Vault.Unseal(tx.Actor.Tenant, purposeOfText, row.Sealed)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(content, &a.smsMessage); err != nil {
			return nil, err
		}
		if _, err := tx.Exec(`UPDATE message_sms SET tries = tries + 1 WHERE tenant_id = $1 AND id = $2`, row.ID); err != nil {
			return nil, err
		}
	} else if going, err := s.begin(tx, a, &settings); err != nil || !going {
		return nil, err
	}
	a.gateway, err = s.gateway(tx.Actor.Tenant, &settings)
	return a, err
}

func unclear(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE message_sms SET state = 'failed', reason = $3, decided_at = $4, sealed = '' WHERE tenant_id = $1 AND id = $2
		AND state = 'queued'`, id, string(Unclear), tx.Now)
	return err
}

// begin writes the first attempt of an SMS, with the number and the name that its driver has now, unless there is a reason not to.
func (s *Service) begin(tx *db.Tx, a *attempt, settings *smsRow) (going bool, err error) {
	m, err := Of(tx, a.MessageID)
	if err != nil {
		return false, err
	}
	to, err := db.One[candidate](tx, `SELECT k.id, k.first_name, k.last_name, k.email, k.phone, k.account_id, k.summary_language, k.blocked,
		k.active FROM drivers d JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = `+drivers.CanonicalID("d")+`
		WHERE d.tenant_id = $1 AND d.id = $2`, a.DriverID)
	if err != nil {
		return false, err
	}
	if to.ID != a.DriverID {
		if only, err := move(tx, a, to.ID); err != nil || !only {
			return false, err
		}
	}
	telling, err := s.telling(tx, &m)
	if err != nil {
		return false, err
	}
	now := []candidate{to}
	if err := chosen(tx, now); err != nil {
		return false, err
	}
	if err := s.settled(tx, m.Period, now); err != nil {
		return false, err
	}
	to = now[0]
	text := s.smsTexts(telling.texts, m.Language, telling.brand.Name, m.Plain).of(&to)
	switch {
	case !m.WithdrawnAt.IsZero():
		return false, fail(tx, &a.one, Withdrawn)
	case !settings.on():
		return false, fail(tx, &a.one, TurnedOff)
	case to.Blocked:
		return false, fail(tx, &a.one, sms.Reason(Blocked))
	case !to.Active:
		return false, fail(tx, &a.one, sms.Reason(Inactive))
	case to.Unsettled:
		return false, fail(tx, &a.one, sms.Reason(Unsettled))
	case to.Phone == "":
		return false, fail(tx, &a.one, NoPhone)
	case text.parts == 0 || text.parts > sms.MostParts:
		return false, fail(tx, &a.one, sms.InvalidText)
	}
	if more := text.parts - a.Parts; more > 0 {
		err = reserve(tx, a.Month, more)
	} else {
		err = giveBack(tx, a.Month, -more)
	}
	if errors.Is(err, ErrSMSCap) {
		return false, fail(tx, &a.one, OverCap)
	}
	if err != nil {
		return false, err
	}
	a.smsMessage = smsMessage{to.Phone, text.text}
	content, err := json.Marshal(a.smsMessage)
	if err != nil {
		return false, err
	}
	a.Parts, a.AttemptedAt = text.parts, tx.Now
	n, err := tx.Exec(`UPDATE message_sms SET attempted_at = $3, sealed = $4, phone = $5, parts = $6, credentials_id = $7, tries = tries + 1
		WHERE tenant_id = $1 AND id = $2 AND state = 'queued' AND attempted_at = ''`, a.ID, tx.Now,
		s.Vault.Seal(tx.Actor.Tenant, purposeOfText, content), masked(to.Phone), a.Parts, settings.CredentialsID)
	if err == nil && n != 1 {
		err = fmt.Errorf("messages: the SMS %s was taken back at this moment", a.ID) // the next try sees it
	}
	return true, err
}

// move gives an SMS to the driver whom its own was merged into. Whoever has one of this message already gets no second: false.
func move(tx *db.Tx, a *attempt, driver string) (bool, error) {
	n, err := tx.Exec(`UPDATE message_sms SET driver_id = $3 WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (SELECT 1 FROM message_sms y
		WHERE y.tenant_id = $1 AND y.message_id = $4 AND y.driver_id = $3)`, a.ID, driver, a.MessageID)
	if err != nil || n == 1 {
		return n == 1, err
	}
	_, err = taken(tx, `DELETE FROM message_sms WHERE tenant_id = $1 AND id = $2 AND state = 'queued' AND attempted_at = ''
		RETURNING month, parts`, a.ID)
	return false, err
}

// masked is a number by which its owner knows it and nobody calls it.
func masked(phone string) string { return "…" + phone[max(0, len(phone)-3):] }

// postpone ends this job and leaves another for later.
func (s *Service) postpone(tx *db.Tx, job *jobs.Run, id string, at time.Time) error {
	if err := job.Finish(tx); err != nil {
		return err
	}
	return s.enqueueSMS(tx, id, at)
}

// note writes down what a provider answered.
func (s *Service) note(tx *db.Tx, job *jobs.Run, a *attempt, sent sms.Sent, failure error) error {
	var e *sms.Error
	switch {
	case failure == nil:
		return accept(tx, a, sent)
	case !errors.As(failure, &e):
		return failure
	}
	pause := min(time.Minute<<min(a.Tries, 6), time.Hour)
	switch {
	case e.Outcome == sms.Unknown:
		return s.postpone(tx, job, a.ID, tx.Now.Add(max(pause, sms.AskAfter)))
	case e.Outcome == sms.Later && a.Tries+1 < smsTries:
		n, err := tx.Exec(`UPDATE message_sms SET attempted_at = '', sealed = '' WHERE tenant_id = $1 AND id = $2 AND state = 'queued'`, a.ID)
		if err != nil || n == 0 {
			return err
		}
		return s.postpone(tx, job, a.ID, tx.Now.Add(pause))
	}
	return fail(tx, &a.one, e.Reason)
}

// accept keeps what a provider took over. A report may have come before its answer.
func accept(tx *db.Tx, a *attempt, sent sms.Sent) error {
	parts := max(int64(sent.Parts), 1)
	n, err := tx.Exec(`UPDATE message_sms SET state = CASE WHEN state = 'queued' THEN 'accepted' ELSE state END, parts = $4, cost = $5,
		provider_ref = CASE WHEN $3 = '' THEN provider_ref ELSE $3 END, sealed = '', accepted_at = $6
		WHERE tenant_id = $1 AND id = $2 AND state <> 'failed'`, a.ID, sent.Ref, parts, parts*a.partCost, tx.Now)
	if err != nil || n == 0 {
		return err
	}
	return giveBack(tx, a.Month, a.Parts-parts)
}

// OnSMSFailure ends an SMS whose job has failed for good.
func OnSMSFailure(tx *db.Tx, job *jobs.Run, _ error) error {
	var t smsTicket
	if err := job.Into(&t); err != nil {
		return nil
	}
	row, err := db.One[one](tx, smsQuery+` AND id = $2 AND state = 'queued'`, t.SMS)
	switch {
	case errors.Is(err, db.ErrNone):
		return nil
	case err != nil:
		return err
	case !row.AttemptedAt.IsZero():
		return unclear(tx, row.ID)
	}
	return fail(tx, &row, sms.Other)
}

// retrySMS tries the failed SMS of a message again, or that of one driver, each under a new id: providers refuse an id that they have.
// What was perhaps sent is not tried, nor what was cancelled.
func (s *Service) retrySMS(tx *db.Tx, m *Message, driver string) (tried int64, err error) {
	if !m.Has(SMS) || m.State != Done || !m.WithdrawnAt.IsZero() {
		return 0, nil
	}
	failed, err := db.Select[one](tx, smsQuery+` AND message_id = $2 AND state IN ('undelivered', 'failed', 'expired')
		AND reason NOT IN ($3, $4) AND ($5 = '' OR driver_id = $5) ORDER BY driver_id`, m.ID, string(Unclear), string(Stopped), driver)
	if err != nil || len(failed) == 0 {
		return 0, err
	}
	if settings, err := smsSettings(tx); err != nil || !settings.on() {
		return 0, errors.Join(err, ErrSMSOff)
	}
	telling, err := s.telling(tx, m)
	if err != nil {
		return 0, err
	}
	texts := s.smsTexts(telling.texts, m.Language, telling.brand.Name, m.Plain)
	at := sms.QuietUntil(tx.Now, s.Instance.Location())
	all := int64(0)
	for _, f := range failed {
		to, err := named(tx, []string{f.DriverID})
		if err == nil {
			err = s.settled(tx, m.Period, to)
		}
		if err != nil {
			return 0, err
		}
		if len(to) == 0 || to[0].refusal([]Channel{SMS}) != "" {
			continue // merged, blocked or without a number
		}
		id, parts := tx.NewID(), texts.of(&to[0]).parts
		n, err := tx.Exec(`UPDATE message_sms SET id = $3, state = 'queued', reason = '', month = $4, parts = $5, cost = 0, provider_ref = '',
			tries = 0, attempted_at = '', accepted_at = '', decided_at = '', phone = '' WHERE tenant_id = $1 AND id = $2 AND state = $6`, f.ID, id,
			s.monthOf(at), parts, string(f.State))
		if err != nil {
			return 0, err
		}
		if n == 0 {
			continue // somebody else tried it at this moment
		}
		if err := s.enqueueSMS(tx, id, tx.Now); err != nil {
			return 0, err
		}
		tried, all = tried+1, all+parts
	}
	return tried, reserve(tx, s.monthOf(at), all)
}

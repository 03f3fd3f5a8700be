// Package messages is what drivers are told: messages that a partner writes, by board, mail and SMS, and notes of the program. It knows
// drivers alone, so that whatever happens to their money can be told in the unit of work in which it happens.
package messages

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/validate"
	"saldo/internal/messages/markdown"
	"saldo/internal/messages/push"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "messages.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "messages.invalid")
	// ErrNobody is the answer to a message that would reach no driver.
	ErrNobody = fault.Declare(fault.Conflict, "messages.nobody")
	// ErrAudienceChanged is the answer where another number of drivers would get the message than was shown.
	ErrAudienceChanged = fault.Declare(fault.Conflict, "messages.audience_changed")
	// ErrTooMany is the answer to more large messages on a day than a partner may send.
	ErrTooMany = fault.Declare(fault.TooMany, "messages.too_many")
	// ErrTooLate is the answer to cancelling what has begun or ended.
	ErrTooLate = fault.Declare(fault.Conflict, "messages.too_late")
	// ErrNoneFailed is the answer to trying again where nothing has failed.
	ErrNoneFailed = fault.Declare(fault.Conflict, "messages.none_failed")
	// ErrNothingToConfirm is the answer to confirming a note that does not ask for it.
	ErrNothingToConfirm = fault.Declare(fault.Conflict, "messages.nothing_to_confirm")
)

// Limits of messages.
const (
	TopicMax   = 120
	ContentMax = 5000
	// Window is how long a message to many can be cancelled before it is sent.
	Window = 30 * time.Second
	// AheadMax is how far ahead a message can be ordered.
	AheadMax = 365 * 24 * time.Hour

	largeFrom   = 100 // a message to more drivers is a large one
	largePerDay = 5
	atOnce      = 50 // drivers whom the unit of work that asks for it tells
)

const kindOfMessage = "message"

// Channel is a way by which a message reaches a driver.
type Channel string

// The channels.
const (
	Board Channel = "board"
	Mail  Channel = "mail"
	SMS   Channel = "sms"
)

// State is where the sending of a message stands.
type State string

// The states of a message.
const (
	Waiting   State = "waiting" // can be cancelled
	Running   State = "running"
	Done      State = "done" // every note and mail is written
	Cancelled State = "cancelled"
)

// Service sends messages.
type Service struct {
	Mails *mail.Queue
	Push  *push.Service
	Vault *vault.Vault
	// Payouts gives what drivers are paid out for a period, as far as they may see it, by driver; of no drivers: of all.
	Payouts   func(tx *db.Tx, period calendar.Period, drivers []string) (map[string]Settled, error)
	Gateways  Gateways
	Instance  config.Instance
	PublicURL string

	gateways sync.Map // of tenants that have sent SMS
}

// Settled is what a driver is paid out for the days of a period.
type Settled struct {
	FirstOn, LastOn calendar.Date
	Payout          money.Amount
}

// Text is a message in one language.
type Text struct {
	Language       i18n.Language
	Topic, Content string
}

// Draft is a message as the partner wrote it.
type Draft struct {
	Text
	Translations    []Text
	Channels        []Channel
	Pinned, Confirm bool
	Plain           bool // SMS without Polish letters
	To              Audience
	Period          string // the week whose days and payouts its text names; empty: none
	LocalTime       string // YYYY-MM-DDTHH:MM on the instance's clock; empty: at once
	Expects         int64  // to how many drivers it goes, as was shown; 0: nothing was shown
}

// Message is a message of the partner.
type Message struct {
	ID                         string
	Topic, Content             string
	Language                   i18n.Language
	Channels                   []string
	Pinned, Confirm, Everybody bool
	Plain                      bool
	Recipients, LeftOut        int64
	State                      State
	Place                      int64
	LocalTime, Period          string
	StartsAt, CreatedAt        time.Time
	CreatedBy                  string
	FinishedAt, WithdrawnAt    time.Time
}

// Has says whether a message goes by a channel.
func (m *Message) Has(c Channel) bool { return slices.Contains(m.Channels, string(c)) }

const messageColumns = `m.id, m.topic, m.content, m.language, m.channels, m.pinned, m.confirm, m.everybody, m.plain, m.recipients,
	m.left_out, m.state, m.place, m.local_time, m.period, m.starts_at, m.created_at, m.created_by, m.finished_at, m.withdrawn_at`

// Of is one of the partner's messages.
func Of(tx *db.Tx, id string) (Message, error) {
	m, err := db.One[Message](tx, `SELECT `+messageColumns+` FROM messages m WHERE m.tenant_id = $1 AND m.id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return m, err
}

// Translations are a message's texts in other languages.
func Translations(tx *db.Tx, id string) ([]Text, error) {
	return db.Select[Text](tx, `SELECT language, topic, content FROM message_texts WHERE tenant_id = $1 AND message_id = $2 ORDER BY language`,
		id)
}

// checked is the draft in its canonical form, and when it is to be sent; zero: at once.
func (s *Service) checked(tx *db.Tx, d Draft) (Draft, time.Time, error) {
	f := validate.New(ErrInvalid)
	known := []string{"first_name", "partner"}
	if d.Period != "" {
		if _, err := calendar.ParsePeriod(d.Period); err != nil {
			f.Wrong("period", fault.WrongFormat)
		}
		known = append(known, "period", "payout")
	}
	d.Text = d.Text.checked(f, "", known)
	seen := []i18n.Language{d.Language}
	for i, t := range d.Translations {
		d.Translations[i] = t.checked(f, "translations.", known)
		if slices.Contains(seen, t.Language) {
			f.Wrong("translations.language", fault.Duplicate)
		}
		seen = append(seen, t.Language)
	}
	if len(d.Channels) == 0 {
		f.Wrong("channel", fault.Required)
	}
	slices.Sort(d.Channels)
	d.Channels = slices.Compact(d.Channels)
	var at time.Time
	if d.LocalTime != "" {
		zone := s.Instance.Location()
		var err error
		at, err = time.ParseInLocation("2006-01-02T15:04", d.LocalTime, zone)
		switch {
		case err != nil:
			f.Wrong("sendAt", fault.WrongFormat)
		case !at.After(tx.Now):
			f.Wrong("sendAt", fault.TooSmall)
		case at.After(tx.Now.Add(AheadMax)):
			f.Wrong("sendAt", fault.TooBig)
		}
	}
	return d, at, f.Err()
}

func (t Text) checked(f *validate.Form, before string, known []string) Text {
	t.Topic = f.Text(before+"topic", t.Topic, TopicMax, false)
	t.Content = strings.TrimSpace(strings.ReplaceAll(t.Content, "\r\n", "\n"))
	switch n := len([]rune(t.Content)); {
	case n == 0:
		f.Wrong(before+"content", fault.Required)
	case n > ContentMax:
		f.Wrong(before+"content", fault.TooLong, "max", "5000")
	}
	checkPlaceholders(f, before+"content", t.Topic+"\n"+t.Content, known)
	if t.Topic == "" {
		first, _, _ := strings.Cut(markdown.Text(markdown.Parse(t.Content)), "\n")
		t.Topic = validate.Cut(validate.Line(first), TopicMax)
	}
	return t
}

// Commission keeps a message with the drivers to whom it goes. To a few it is sent in this unit of work; to many, or to everybody, half
// a minute later, so that it can be cancelled, and at its time where it has one.
func (s *Service) Commission(tx *db.Tx, d Draft) (m Message, err error) {
	d, at, err := s.checked(tx, d)
	if err != nil {
		return m, err
	}
	all, err := candidates(tx, d.To)
	if err == nil {
		err = s.settled(tx, d.Period, all)
	}
	if err != nil {
		return m, err
	}
	m = Message{ID: tx.NewID(), Topic: d.Topic, Content: d.Content, Language: d.Language, Pinned: d.Pinned, Confirm: d.Confirm,
		Plain: d.Plain, Everybody: d.To.Everybody, State: Running, LocalTime: d.LocalTime, Period: d.Period, StartsAt: tx.Now,
		CreatedAt: tx.Now, CreatedBy: tx.Actor.Name}
	for _, c := range d.Channels {
		m.Channels = append(m.Channels, string(c))
	}
	for i := range all {
		if all[i].refusal(d.Channels) == "" {
			m.Recipients++
		} else {
			m.LeftOut++
		}
	}
	switch {
	case m.Recipients == 0:
		return m, ErrNobody
	case d.Expects != m.Recipients && (d.Expects != 0 || d.To.Everybody):
		return m, ErrAudienceChanged.With("count", m.Recipients)
	case !at.IsZero():
		m.State, m.StartsAt = Waiting, at
	case d.To.Everybody || m.Recipients > atOnce:
		m.State, m.StartsAt = Waiting, tx.Now.Add(Window)
	}
	if m.Recipients > largeFrom {
		if err := mayBeLarge(tx); err != nil {
			return m, err
		}
	}
	if err := keep(tx, m, d, all); err != nil {
		return m, err
	}
	if m.Has(SMS) {
		if err := s.reserveSMS(tx, &m, &d, all); err != nil {
			return m, err
		}
	}
	if err := audit.Record(tx, audit.Change{Action: "messages.commission", Kind: kindOfMessage, ID: m.ID,
		After: map[string]any{"topic": m.Topic, "channels": m.Channels, "recipients": m.Recipients}}); err != nil {
		return m, err
	}
	if m.State == Waiting {
		return m, jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Key: m.ID, Payload: ticket{m.ID}, At: m.StartsAt, Attempts: 1000})
	}
	return m, s.advance(tx, &m, atOnce+1)
}

// mayBeLarge refuses one more large message than a partner may send within a day.
func mayBeLarge(tx *db.Tx) error {
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM messages WHERE tenant_id = $1 AND created_at > $2 AND recipients > $3
		AND state <> 'cancelled'`, tx.Now.Add(-24*time.Hour), largeFrom)
	if err == nil && n >= largePerDay {
		err = ErrTooMany.With("max", largePerDay).With("drivers", largeFrom)
	}
	return err
}

func keep(tx *db.Tx, m Message, d Draft, all []candidate) error {
	if err := db.Insert(tx, "messages", struct {
		Message
		SearchKey string
	}{m, i18n.Fold(m.Topic + " " + m.Content)}); err != nil {
		return err
	}
	for _, t := range d.Translations {
		if err := db.Insert(tx, "message_texts", struct {
			MessageID string
			Text
		}{m.ID, t}); err != nil {
			return err
		}
	}
	_, err := tx.Insert("message_recipients", []string{"message_id", "place", "driver_id", "refusal"}, func(yield func([]any) bool) {
		for i := range all {
			if !yield([]any{m.ID, int64(i + 1), all[i].ID, string(all[i].refusal(d.Channels))}) {
				return
			}
		}
	})
	return err
}

// Cancel takes a message back while it waits: nobody gets it. Of one that has begun it stops the SMS that wait for the morning. One
// statement decides between it and the job.
func Cancel(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE messages SET state = 'cancelled', finished_at = $3 WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`, id,
		tx.Now)
	if err != nil {
		return err
	}
	if n == 1 {
		if err := forgetReserved(tx, id); err != nil {
			return err
		}
		return audit.Record(tx, audit.Change{Action: "messages.cancel", Kind: kindOfMessage, ID: id})
	}
	m, err := Of(tx, id)
	if err != nil || m.State == Cancelled {
		return err
	}
	stopped, err := failWaiting(tx, Stopped, id)
	if err != nil {
		return err
	}
	if stopped == 0 {
		return ErrTooLate
	}
	return audit.Record(tx, audit.Change{Action: "messages.cancel", Kind: kindOfMessage, ID: id, After: map[string]any{"sms": stopped}})
}

// Withdraw takes a message off every board, and one that waits is cancelled. Mails and SMS that are sent stay sent; SMS that wait for the
// morning are not sent.
func Withdraw(tx *db.Tx, id string) error {
	m, err := Of(tx, id)
	if err != nil || !m.WithdrawnAt.IsZero() {
		return err
	}
	if m.State == Waiting {
		if err := Cancel(tx, id); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`UPDATE messages SET withdrawn_at = $3 WHERE tenant_id = $1 AND id = $2`, id, tx.Now); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE notes SET hidden_at = $3, taken_back = TRUE WHERE tenant_id = $1 AND message_id = $2
		AND message_id <> ''`, id, tx.Now); err != nil {
		return err
	}
	if err := forgetReserved(tx, id); err != nil {
		return err
	}
	if _, err := failWaiting(tx, Withdrawn, id); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "messages.withdraw", Kind: kindOfMessage, ID: id})
}

// Pin puts a message first on every board, or back among the others.
func Pin(tx *db.Tx, id string, pinned bool) error {
	if _, err := Of(tx, id); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE messages SET pinned = $3 WHERE tenant_id = $1 AND id = $2`, id, pinned); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE notes SET pinned = $3 WHERE tenant_id = $1 AND message_id = $2 AND message_id <> ''`, id,
		pinned); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "messages.pin", Kind: kindOfMessage, ID: id, After: map[string]any{"pinned": pinned}})
}

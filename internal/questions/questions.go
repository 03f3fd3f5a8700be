// Package questions keeps what drivers ask about their settlements and what the partner answers: one thread about one thing, be it a
// whole settlement, a line of it or a row behind a line. An answer may carry a correction.
package questions

import (
	"errors"
	"strings"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/validate"
	"saldo/internal/ledger"
	"saldo/internal/ledger/kinds"
	"saldo/internal/messages"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/settlements"
	"saldo/internal/settlements/engine"
)

var (
	ErrNotFound = fault.Declare(fault.NotFound, "questions.not_found")
	ErrInvalid  = fault.Declare(fault.Invalid, "questions.invalid")
	// ErrChanged is the answer to writing into a thread in which somebody has written meanwhile.
	ErrChanged = fault.Declare(fault.Conflict, "questions.changed")
	// ErrTooMany is the answer to more than a driver may write within a day.
	ErrTooMany = fault.Declare(fault.Conflict, "questions.too_many")
)

const (
	// TextMax is the longest text of an entry.
	TextMax = 2000
	// dailyMax is how much a driver may write within a day.
	dailyMax = 40

	kindOfThread = "question"
)

// State is where a thread stands.
type State string

// The states of a thread.
const (
	Open     State = "open" // the driver waits for an answer
	Answered State = "answered"
	Closed   State = "closed"
)

// Author is the side that wrote an entry.
type Author string

// The authors.
const (
	ByDriver  Author = "driver"
	ByPartner Author = "partner"
)

// Subject is what is asked about.
type Subject struct {
	SettlementID string
	Figure       string // the line; empty: the whole settlement
	Provider     string // the app, of a line that each app has
	RowID        string // a transaction behind the line; empty: the line itself
}

// Thread is what was asked and answered about one thing.
type Thread struct {
	ID       string
	DriverID string
	Subject
	RowType      string
	RowOn        calendar.Date
	Amount       money.Amount // what it was when it was asked about
	State        State
	Entries      int64
	WaitingSince time.Time // of one that is open
	ChangedAt    time.Time
}

const threadColumns = `t.id, t.driver_id, t.settlement_id, t.figure, t.provider, t.row_id, t.row_type, t.row_on, t.amount, t.state,
	t.entries, t.waiting_since, t.changed_at`

// Entry is one text of a thread, or its closing.
type Entry struct {
	ThreadID      string
	Place         int64
	Kind          string // text or closed
	Author        Author
	AuthorName    string
	Content       string
	TransactionID string
	CreatedAt     time.Time
}

const (
	kindText   = "text"
	kindClosed = "closed"
)

func of(tx *db.Tx, condition string, args ...any) (Thread, error) {
	t, err := db.One[Thread](tx, `SELECT `+threadColumns+` FROM threads t WHERE t.tenant_id = $1 AND `+condition, args...)
	if errors.Is(err, db.ErrNone) {
		err = ErrNotFound
	}
	return t, err
}

// checked is a text as it is kept.
func checked(text string, required bool) (string, error) {
	f := validate.New(ErrInvalid)
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch n := len([]rune(text)); {
	case n == 0 && required:
		f.Wrong("text", fault.Required)
	case n > TextMax:
		f.Wrong("text", fault.TooLong, "max", "2000")
	}
	return text, f.Err()
}

// Ask writes a driver's question. The settlement must be shared with them. Whoever asks about the same thing again writes into the same
// thread, which is open again.
func Ask(tx *db.Tx, s *settlements.Service, driver string, about Subject, text string) (Thread, error) {
	text, err := checked(text, true)
	if err != nil {
		return Thread{}, err
	}
	if err := settlements.IsShared(tx, about.SettlementID, driver); err != nil {
		return Thread{}, err
	}
	t, err := of(tx, `t.settlement_id = $2 AND t.figure = $3 AND t.provider = $4 AND t.row_id = $5`, about.SettlementID, about.Figure,
		about.Provider, about.RowID)
	if errors.Is(err, ErrNotFound) {
		t, err = open(tx, s, driver, about)
	}
	if err != nil {
		return Thread{}, err
	}
	return t, t.write(tx, Entry{Author: ByDriver, Kind: kindText, Content: text}, Open)
}

// open makes an empty thread about something that the settlement has.
func open(tx *db.Tx, s *settlements.Service, driver string, about Subject) (Thread, error) {
	e, err := s.Explain(tx, about.SettlementID)
	if err != nil {
		return Thread{}, err
	}
	t := Thread{ID: tx.NewID(), DriverID: driver, Subject: about, State: Open, WaitingSince: tx.Now, ChangedAt: tx.Now}
	if err := t.find(&e); err != nil {
		return t, err
	}
	return t, db.Insert(tx, "threads", t)
}

// find looks up what is asked about, or names the field that leads nowhere.
func (t *Thread) find(e *settlements.Explained) error {
	f := validate.New(ErrInvalid)
	if t.Figure == "" {
		if t.Provider != "" { // it names an app of a line
			f.Wrong("provider", fault.Unknown)
		}
		t.Amount = e.Settled.Payout
		if e.Settled.Due < 0 {
			t.Amount = e.Settled.Due
		}
	} else {
		lines, err := e.Lines(engine.CashAsOne)
		if err != nil {
			return err
		}
		known := false
		for _, l := range lines {
			if l.Name == t.Figure && l.Provider == t.Provider {
				t.Amount, known = l.Amount, true
			}
		}
		if !known {
			f.Wrong("figure", fault.Unknown)
		}
	}
	if t.RowID != "" {
		known := false
		for i := range e.Rows {
			if r := &e.Rows[i]; r.ID == t.RowID {
				t.Amount, t.RowType, t.RowOn, known = r.Amount, r.Type, r.OccurredOn, true
			}
		}
		for i := range e.Trips {
			if r := &e.Trips[i]; r.ID == t.RowID {
				t.Amount, t.RowType, t.RowOn, known = r.Amount, kinds.Trip, r.OccurredOn, true
			}
		}
		if !known {
			f.Wrong("rowId", fault.Unknown)
		}
	}
	return f.Err()
}

// write adds an entry and says where the thread then stands. Of two people who write at once the second is told of it.
func (t *Thread) write(tx *db.Tx, e Entry, state State) error {
	since := t.WaitingSince
	switch {
	case state != Open:
		since = time.Time{}
	case t.State != Open || t.Entries == 0:
		since = tx.Now
	}
	e.AuthorName = tx.Actor.Name
	if e.Author == ByDriver {
		who, err := drivers.Named(tx, t.DriverID)
		if err != nil {
			return err
		}
		e.AuthorName = who.FullName()
		if err := mayWrite(tx, t.DriverID); err != nil {
			return err
		}
	}
	n, err := tx.Exec(`UPDATE threads SET entries = entries + 1, state = $4, waiting_since = $5, changed_at = $6
		WHERE tenant_id = $1 AND id = $2 AND entries = $3`, t.ID, t.Entries, string(state), db.Instant(since), tx.Now)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	if err != nil {
		return err
	}
	t.Entries++
	t.State, t.WaitingSince, t.ChangedAt = state, since, tx.Now
	e.ThreadID, e.Place, e.CreatedAt = t.ID, t.Entries, tx.Now
	return db.Insert(tx, "thread_entries", e)
}

// mayWrite refuses more than a driver may write within a day.
func mayWrite(tx *db.Tx, driver string) error {
	n, err := db.One[int64](tx, `SELECT COUNT(*) FROM threads t JOIN thread_entries e ON e.tenant_id = t.tenant_id AND e.thread_id = t.id
		WHERE t.tenant_id = $1 AND t.driver_id = $2 AND e.author = 'driver' AND e.created_at > $3`, driver, tx.Now.Add(-24*time.Hour))
	if err == nil && n >= dailyMax {
		err = ErrTooMany.With("max", dailyMax)
	}
	return err
}

// own is a thread of a driver, or of somebody merged into them.
func own(tx *db.Tx, driver, id string) (Thread, error) {
	return of(tx, `t.id = $2 AND t.driver_id`+drivers.Those("$3"), id, driver)
}

// AskMore is a driver's further text: the thread is open again.
func AskMore(tx *db.Tx, driver, id, text string) error {
	text, err := checked(text, true)
	if err != nil {
		return err
	}
	t, err := own(tx, driver, id)
	if err != nil {
		return err
	}
	return t.write(tx, Entry{Author: ByDriver, Kind: kindText, Content: text}, Open)
}

// CloseOwn is the driver's word that nothing is left to answer. Done again it changes nothing.
func CloseOwn(tx *db.Tx, driver, id string) error {
	t, err := own(tx, driver, id)
	if err != nil || t.State == Closed {
		return err
	}
	return t.write(tx, Entry{Author: ByDriver, Kind: kindClosed}, Closed)
}

// Reply is what a partner writes into a thread.
type Reply struct {
	Text       string
	Correction *ledger.Entry // entered for the driver with the answer; nil: none
	Seen       int64         // how many entries the thread had when the reply was written
	Close      bool          // nothing is left to answer
}

// Answer writes a partner's reply, enters its correction in the same unit of work, and tells the driver. Without a text it must close the
// thread. A colleague who wrote meanwhile is not passed over: then nothing is written.
func Answer(tx *db.Tx, in config.Instance, id string, r Reply) (Thread, error) {
	text, err := checked(r.Text, !r.Close || r.Correction != nil)
	if err != nil {
		return Thread{}, err
	}
	t, err := of(tx, `t.id = $2`, id)
	if err != nil {
		return t, err
	}
	if t.Entries != r.Seen {
		return t, ErrChanged
	}
	e := Entry{Author: ByPartner, Kind: kindText, Content: text}
	state, kind, action := Answered, messages.QuestionAnswered, "questions.answer"
	if r.Close {
		e.Kind, state, kind, action = kindClosed, Closed, messages.QuestionClosed, "questions.close"
	}
	s, err := settlements.Of(tx, t.SettlementID)
	if err != nil {
		return t, err
	}
	if r.Correction != nil {
		entered, _, err := ledger.Add(tx, in, s.CanonicalDriver(), *r.Correction)
		if err != nil {
			return t, err
		}
		e.TransactionID = entered.ID
	}
	if err := t.write(tx, e, state); err != nil {
		return t, err
	}
	if err := audit.Record(tx, audit.Change{Action: action, Kind: kindOfThread, ID: t.ID,
		After: map[string]any{"settlement": s.Number, "transaction": e.TransactionID}}); err != nil {
		return t, err
	}
	if text != "" { // closed without a word, the driver has nothing to read
		kind = messages.QuestionAnswered
	}
	return t, messages.Tell(tx, messages.Notice{Kind: kind, DriverID: s.CanonicalDriver(), ObjectID: t.ID,
		Params: map[string]string{"first": string(s.FirstOn), "last": string(s.LastOn)}})
}

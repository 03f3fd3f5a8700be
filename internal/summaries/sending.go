package summaries

import (
	"context"
	"errors"
	"slices"
	"time"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/settlements"
)

// SendingState is where a sending stands.
type SendingState string

// The states of a sending.
const (
	Preview   SendingState = "preview" // shown, nothing is written
	Waiting   SendingState = "waiting" // can be cancelled as a whole
	Running   SendingState = "running"
	Done      SendingState = "done" // every mail is written down
	Cancelled SendingState = "cancelled"
)

// Refusal is why no bill of a settlement is sent.
type Refusal string

// The refusals; empty: it is sent.
const (
	NoAddress   Refusal = "no_address"
	AlreadySent Refusal = "sent"
	Revoked     Refusal = "revoked"
	Absorbed    Refusal = "absorbed" // its debt is in another settlement
	Blocked     Refusal = "blocked"  // the driver is
	OverQuota   Refusal = "quota"    // as many mails as may be were sent today, or to this address this hour
)

// SendKind is the job that goes on with a sending.
const SendKind = "summaries.send"

const (
	atOnce  = 50  // bills that are written in the unit of work that asks for it
	batch   = 100 // that one unit of work of a job writes
	chunk   = 200 // settlements that one query asks for
	maximum = 100_000
)

// Sending is a request to send bills, from what was shown before it to what
// became of it.
type Sending struct {
	ID                   string
	State                SendingState
	Again, Whole         bool
	Recipients, Refused  int64
	Place                int64
	StartsAt             time.Time
	CreatedAt, StartedAt time.Time
	StartedBy            string
	FinishedAt           time.Time
}

// SendingOf is one of the partner's sendings.
func SendingOf(tx *db.Tx, id string) (Sending, error) {
	s, err := db.One[Sending](tx, `SELECT id, state, again, whole, recipients, refused, place, starts_at, created_at, started_at, started_by,
		finished_at
		FROM summary_sendings WHERE tenant_id = $1 AND id = $2`, id)
	if errors.Is(err, db.ErrNone) {
		err = ErrSendingNotFound
	}
	return s, err
}

// SendRequest says of which settlements bills are sent: these, or all of a filter.
type SendRequest struct {
	Settlements []string
	Filter      settlements.Filter
	Again       bool // also of those of which one was sent before
}

// candidate is a settlement of which a bill may be sent.
type candidate struct {
	ID                  string
	Number              int64
	State               settlements.State
	AbsorbedInto        string
	Period              calendar.Period
	FirstOn, LastOn     calendar.Date
	Payout              money.Amount
	Currency            money.Currency
	DriverID            string // who stands for whom it was settled
	FirstName, LastName string
	Email, AccountID    string
	SummaryLanguage     string
	Blocked             bool
	Sent                bool // a bill was, or is about to be
}

var candidateQuery = `SELECT s.id, s.number, s.state, s.absorbed_into, s.period, s.first_on, s.last_on, s.payout, s.currency, k.id AS
	driver_id, k.first_name, k.last_name, k.email, k.account_id, k.summary_language, k.blocked,
	EXISTS (SELECT 1 FROM summaries x JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id WHERE x.tenant_id = s.tenant_id
	AND x.settlement_id = s.id AND m.state <> 'failed') AS sent
	FROM settlements s JOIN drivers d ON d.tenant_id = s.tenant_id AND d.id = s.driver_id
	JOIN drivers k ON k.tenant_id = d.tenant_id AND k.id = ` + drivers.CanonicalID("d") + `
	WHERE s.tenant_id = $1`

func candidateOf(tx *db.Tx, settlementID string) (candidate, error) {
	c, err := db.One[candidate](tx, candidateQuery+` AND s.id = $2`, settlementID)
	if errors.Is(err, db.ErrNone) {
		err = settlements.ErrNotFound
	}
	return c, err
}

func (c *candidate) refusal(again bool) Refusal {
	switch {
	case c.State == settlements.Revoked:
		return Revoked
	case c.AbsorbedInto != "":
		return Absorbed
	case c.Blocked:
		return Blocked
	case c.Sent && !again:
		return AlreadySent
	case c.Email == "":
		return NoAddress
	}
	return ""
}

// Prepare keeps what a request would do, so that exactly these can be sent. One
// settlement that is not there refuses all.
func (d *Service) Prepare(tx *db.Tx, w SendRequest) (Sending, error) {
	s := Sending{ID: tx.NewID(), State: Preview, Again: w.Again, Whole: len(w.Settlements) == 0}
	ids := w.Settlements
	if s.Whole {
		w.Filter.Page, w.Filter.Size = 1, maximum
		page, err := settlements.List(tx, w.Filter)
		if err != nil {
			return s, err
		}
		for i := range page.Items {
			ids = append(ids, page.Items[i].ID)
		}
	}
	if len(ids) == 0 {
		return s, ErrNothing
	}
	refusals := make([]Refusal, len(ids))
	for from := 0; from < len(ids); from += chunk {
		in, args := db.Among(2, ids[from:min(from+chunk, len(ids))])
		found, err := db.Select[candidate](tx, candidateQuery+` AND s.id`+in, args...)
		if err != nil {
			return s, err
		}
		by := map[string]*candidate{}
		for i := range found {
			by[found[i].ID] = &found[i]
		}
		for i, id := range ids[from:min(from+chunk, len(ids))] {
			c := by[id]
			if c == nil {
				return s, settlements.ErrNotFound
			}
			if refusals[from+i] = c.refusal(w.Again); refusals[from+i] == "" {
				s.Recipients++
			} else {
				s.Refused++
			}
		}
	}
	if _, err := tx.Exec(`INSERT INTO summary_sendings (tenant_id, id, state, again, whole, recipients, refused, place, starts_at, created_at,
		created_by, started_at, started_by, finished_at)
		VALUES ($1, $2, 'preview', $3, $4, $5, $6, 0, '', $7, $8, '', '', '')`, s.ID, s.Again, s.Whole, s.Recipients, s.Refused, tx.Now,
		tx.Actor.Name); err != nil {
		return s, err
	}
	_, err := tx.Insert("summary_recipients", []string{"sending_id", "place", "settlement_id", "refusal"}, func(yield func([]any) bool) {
		for i, id := range ids {
			if !yield([]any{s.ID, int64(i + 1), id, string(refusals[i])}) {
				return
			}
		}
	})
	return s, err
}

// Start sends what was shown: a few at once; many, or all of a filter, in a job
// that begins when the window for cancelling is over. Who starts it again joins it.
func (d *Service) Start(tx *db.Tx, id string) (Sending, error) {
	s, err := SendingOf(tx, id)
	if err != nil || s.State != Preview {
		return s, err
	}
	if s.Recipients == 0 {
		return s, ErrNothing
	}
	state, starts := Running, tx.Now
	if s.Whole || s.Recipients > atOnce {
		state, starts = Waiting, tx.Now.Add(Window)
	}
	if _, err := tx.Exec(`UPDATE summary_sendings SET state = $3, starts_at = $4, started_at = $5, started_by = $6 WHERE tenant_id = $1
		AND id = $2 AND state = 'preview'`,
		id, string(state), starts, tx.Now, tx.Actor.Name); err != nil {
		return s, err
	}
	if err := audit.Record(tx, audit.Change{Action: "summaries.start", Kind: kindOfSending, ID: id,
		After: map[string]any{"recipients": s.Recipients, "again": s.Again}}); err != nil {
		return s, err
	}
	if state == Waiting {
		if err := jobs.Enqueue(tx, jobs.Order{Kind: SendKind, Key: id, Payload: ticket{id}, At: starts, Attempts: 1000}); err != nil {
			return s, err
		}
		return SendingOf(tx, id)
	}
	if s, err = SendingOf(tx, id); err != nil {
		return s, err
	}
	return s, d.advance(tx, &s, atOnce+1)
}

type ticket struct{ Sending string }

// Cancel takes a sending back while it waits: nobody is mailed. One statement
// decides between it and the job.
func Cancel(tx *db.Tx, id string) error {
	n, err := tx.Exec(`UPDATE summary_sendings SET state = 'cancelled', finished_at = $3 WHERE tenant_id = $1 AND id = $2
		AND state = 'waiting'`, id, tx.Now)
	if err != nil {
		return err
	}
	if n == 1 {
		return audit.Record(tx, audit.Change{Action: "summaries.cancel", Kind: kindOfSending, ID: id})
	}
	s, err := SendingOf(tx, id)
	if err == nil && s.State != Cancelled {
		err = ErrTooLate
	}
	return err
}

// Send goes on with a sending from where it is, however often it was interrupted.
func (d *Service) Send(ctx context.Context, job *jobs.Run) error {
	var t ticket
	if err := job.Into(&t); err != nil {
		return jobs.Permanent(err)
	}
	for going := true; going; {
		if err := job.Write(ctx, func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE summary_sendings SET state = 'running' WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`,
				t.Sending); err != nil {
				return err
			}
			s, err := SendingOf(tx, t.Sending)
			if err != nil {
				return err
			}
			if s.State == Running {
				// for the person who started it: theirs is the name on every bill
				tx.Actor.Name = s.StartedBy
				err = d.advance(tx, &s, batch)
			}
			going = s.State == Running
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// advance writes the next bills. Whoever cannot get one any more is refused
// with why, and the others go on.
func (d *Service) advance(tx *db.Tx, s *Sending, size int) error {
	next, err := db.Select[struct {
		Place        int64
		SettlementID string
	}](tx, `SELECT place, settlement_id FROM summary_recipients WHERE tenant_id = $1 AND sending_id = $2 AND place > $3 AND refusal = ''
		ORDER BY place LIMIT $4`, s.ID, s.Place, size)
	if err != nil {
		return err
	}
	for _, one := range next {
		s.Place = one.Place
		c, err := candidateOf(tx, one.SettlementID)
		if err != nil {
			return err
		}
		refusal := c.refusal(s.Again)
		if refusal == "" {
			err := d.Mails.Reserve(tx, c.Email)
			switch {
			case errors.Is(err, mail.ErrDayQuota) || errors.Is(err, mail.ErrAddressQuota):
				refusal = OverQuota
			case err != nil:
				return err
			}
		}
		if refusal == "" {
			if err := d.write(tx, s.ID, &c); err != nil {
				return err
			}
			continue
		}
		if _, err := tx.Exec(`UPDATE summary_recipients SET refusal = $4 WHERE tenant_id = $1 AND sending_id = $2 AND place = $3`, s.ID,
			one.Place, string(refusal)); err != nil {
			return err
		}
		s.Recipients--
		s.Refused++
	}
	if len(next) < size {
		s.State, s.FinishedAt = Done, tx.Now
	}
	_, err = tx.Exec(`UPDATE summary_sendings SET state = $3, place = $4, recipients = $5, refused = $6, finished_at = $7 WHERE tenant_id = $1
		AND id = $2`,
		s.ID, string(s.State), s.Place, s.Recipients, s.Refused, s.FinishedAt)
	return err
}

// Refused are the settlements of a sending of which no bill is sent, in groups.
type RefusedGroup struct {
	Refusal Refusal
	Count   int64
	Drivers []NamedDriver // the first
}

// NamedDriver is a driver of whom a reason speaks.
type NamedDriver struct{ ID, FirstName, LastName string }

// namedMax is how many drivers a reason names.
const namedMax = 5

// RefusedOf says who of a sending gets nothing, and why.
func RefusedOf(tx *db.Tx, id string) ([]RefusedGroup, error) {
	groups, err := db.Select[RefusedGroup](tx, `SELECT refusal, COUNT(*) AS count FROM summary_recipients WHERE tenant_id = $1
		AND sending_id = $2 AND refusal <> '' GROUP BY refusal ORDER BY refusal`, id)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		if groups[i].Drivers, err = db.Select[NamedDriver](tx, `SELECT d.id, d.first_name, d.last_name FROM summary_recipients r
			JOIN settlements s ON s.tenant_id = r.tenant_id AND s.id = r.settlement_id
			JOIN drivers o ON o.tenant_id = s.tenant_id AND o.id = s.driver_id JOIN drivers d ON d.tenant_id = o.tenant_id
			AND d.id = `+drivers.CanonicalID("o")+`
			WHERE r.tenant_id = $1 AND r.sending_id = $2 AND r.refusal = $3 ORDER BY r.place LIMIT $4`, id, string(groups[i].Refusal),
			namedMax); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// Delivery counts where the mails of a sending stand.
type Delivery struct{ Queued, Sent, Failed int64 }

// DeliveryOf is that of a sending; those not yet written down are in none of the counts.
func DeliveryOf(tx *db.Tx, id string) (Delivery, error) {
	return db.One[Delivery](tx, `SELECT COUNT(CASE WHEN m.state = 'queued' THEN 1 END) AS queued, COUNT(CASE WHEN m.state = 'sent' THEN 1 END)
		AS sent, COUNT(CASE WHEN m.state = 'failed' THEN 1 END) AS failed
		FROM summaries x JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id WHERE x.tenant_id = $1 AND x.sending_id = $2`, id)
}

// Progress is how far a sending is.
type Progress struct {
	ID                   string
	StartedAt            time.Time
	Recipients           int64
	Written              bool // every mail of it is written down
	Queued, Sent, Failed int64
}

// Recent are the sendings that were started since an instant and not cancelled, newest first.
func Recent(tx *db.Tx, since time.Time) ([]Progress, error) {
	return db.Select[Progress](tx, `SELECT s.id, s.started_at, s.recipients, s.state = 'done' AS written,
		COUNT(CASE WHEN m.state = 'queued' THEN 1 END) AS queued, COUNT(CASE WHEN m.state = 'sent' THEN 1 END) AS sent,
		COUNT(CASE WHEN m.state = 'failed' THEN 1 END) AS failed
		FROM summary_sendings s LEFT JOIN summaries x ON x.tenant_id = s.tenant_id AND x.sending_id = s.id
		LEFT JOIN mails m ON m.tenant_id = x.tenant_id AND m.id = x.mail_id
		WHERE s.tenant_id = $1 AND s.started_at > $2 AND s.state <> 'cancelled'
		GROUP BY s.id, s.started_at, s.recipients, s.state ORDER BY s.started_at DESC LIMIT 20`, since)
}

// AreOf says which mails are those of bills.
func AreOf(tx *db.Tx, mails []string) (map[string]bool, error) {
	are := map[string]bool{}
	for some := range slices.Chunk(mails, chunk) {
		in, args := db.Among(2, some)
		found, err := db.Select[string](tx, `SELECT mail_id FROM summaries WHERE tenant_id = $1 AND mail_id`+in, args...)
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			are[id] = true
		}
	}
	return are, nil
}

// Sweep forgets what was shown and never sent.
func Sweep(tx *db.Tx, before time.Time) error {
	at := db.Instant(before)
	if _, err := tx.Across().Exec(`DELETE FROM summary_recipients WHERE EXISTS (SELECT 1 FROM summary_sendings s
		WHERE s.tenant_id = summary_recipients.tenant_id
		AND s.id = summary_recipients.sending_id AND s.state = 'preview' AND s.created_at < $1)`, at); err != nil {
		return err
	}
	_, err := tx.Across().Exec(`DELETE FROM summary_sendings WHERE state = 'preview' AND created_at < $1`, at)
	return err
}

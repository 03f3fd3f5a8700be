package questions

import (
	"fmt"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/kernel/money"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Listed is a thread with what a list shows of it.
type Listed struct {
	Thread
	Number              int64 // of the settlement
	Period              calendar.Period
	FirstOn, LastOn     calendar.Date
	Revoked             bool // the settlement holds no longer
	FirstName, LastName string
	Canonical           string // the driver, after any merge
	LastText            string // of the newest entry that has one
	LastAuthor          Author
}

var listQuery = `SELECT ` + threadColumns + `, s.number, s.period, s.first_on, s.last_on, s.state = 'revoked' AS revoked, d.first_name,
	d.last_name, ` + drivers.CanonicalID("d") + ` AS canonical, l.content AS last_text, l.author AS last_author
	FROM threads t JOIN settlements s ON s.tenant_id = t.tenant_id AND s.id = t.settlement_id
	JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id
	JOIN thread_entries l ON l.tenant_id = t.tenant_id AND l.thread_id = t.id AND l.place = (SELECT MAX(e.place) FROM thread_entries e
		WHERE e.tenant_id = t.tenant_id AND e.thread_id = t.id AND e.content <> '')
	WHERE t.tenant_id = $1`

// PageMax is the most threads on a page.
const PageMax = 50

// Filter chooses threads.
type Filter struct {
	State State  // empty: any
	Query string // words of the driver's name
	Page  int64  // from 1
}

// List is a page of the partner's threads and how many there are: of open ones the one that waits longest first, of others the newest.
func List(tx *db.Tx, f Filter) (items []Listed, total int64, err error) {
	where, args := ``, []any{}
	put := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args)+1)
	}
	if f.State != "" {
		where += ` AND t.state = ` + put(string(f.State))
	}
	for _, word := range strings.Fields(i18n.Fold(f.Query)) {
		where += ` AND d.search_key LIKE ` + put("%"+db.Literal(word)+"%") + ` ESCAPE '!'`
	}
	total, err = db.One[int64](tx, `SELECT COUNT(*) FROM threads t JOIN drivers d ON d.tenant_id = t.tenant_id AND d.id = t.driver_id
		WHERE t.tenant_id = $1`+where, args...)
	if err != nil {
		return nil, 0, err
	}
	order := ` ORDER BY t.changed_at DESC, t.id DESC`
	if f.State == Open {
		order = ` ORDER BY t.waiting_since, t.id`
	}
	limit, offset := put(PageMax), put((max(f.Page, 1)-1)*PageMax)
	items, err = db.Select[Listed](tx, listQuery+where+order+` LIMIT `+limit+` OFFSET `+offset, args...)
	return items, total, err
}

// CountOpen counts the threads in which a driver waits for an answer.
func CountOpen(tx *db.Tx) (int64, error) {
	return db.One[int64](tx, `SELECT COUNT(*) FROM threads WHERE tenant_id = $1 AND state = 'open'`)
}

// OwnMax is the most threads that a driver is given at once.
const OwnMax = 200

// Own are the threads of a driver, newest first; about one settlement, where it is given.
func Own(tx *db.Tx, driver, settlement string) ([]Listed, error) {
	where, args := ` AND t.driver_id`+drivers.Those("$2"), []any{driver}
	if settlement != "" {
		where, args = where+` AND t.settlement_id = $3`, append(args, settlement)
	}
	return db.Select[Listed](tx, fmt.Sprintf(`%s%s ORDER BY t.changed_at DESC, t.id DESC LIMIT %d`, listQuery, where, OwnMax), args...)
}

// Correction is a transaction that came with an answer, as it is now.
type Correction struct {
	ID         string
	Name       string
	Amount     money.Amount
	OccurredOn calendar.Date
	Removed    bool
	Settlement int64 // number of the settlement that took it; 0: none yet
}

// Written is an entry with its correction.
type Written struct {
	Entry
	Correction *Correction
}

// Opened is a thread with everything in it.
type Opened struct {
	Listed
	Written []Written
}

// Of is a thread of the partner.
func Of(tx *db.Tx, id string) (Opened, error) { return opened(tx, ` AND t.id = $2`, id) }

// OfDriver is a thread of a driver, or of somebody merged into them.
func OfDriver(tx *db.Tx, driver, id string) (Opened, error) {
	return opened(tx, ` AND t.id = $2 AND t.driver_id`+drivers.Those("$3"), id, driver)
}

func opened(tx *db.Tx, condition string, args ...any) (o Opened, err error) {
	found, err := db.Select[Listed](tx, listQuery+condition, args...)
	if err != nil {
		return o, err
	}
	if len(found) == 0 {
		return o, ErrNotFound
	}
	o.Listed = found[0]
	entries, err := db.Select[Entry](tx, `SELECT thread_id, place, kind, author, author_name, content, transaction_id, created_at
		FROM thread_entries WHERE tenant_id = $1 AND thread_id = $2 ORDER BY place`, o.ID)
	if err != nil {
		return o, err
	}
	corrections, err := db.Select[Correction](tx, `SELECT x.id, x.name, x.amount, x.occurred_on, x.deleted_at <> '' AS removed,
		COALESCE((SELECT s.number FROM settlements s WHERE s.tenant_id = x.tenant_id AND s.id = x.settlement_id), 0) AS settlement
		FROM thread_entries e JOIN transactions x ON x.tenant_id = e.tenant_id AND x.id = e.transaction_id
		WHERE e.tenant_id = $1 AND e.thread_id = $2 AND e.transaction_id <> ''`, o.ID)
	if err != nil {
		return o, err
	}
	for _, e := range entries {
		w := Written{Entry: e}
		for i := range corrections {
			if corrections[i].ID == e.TransactionID {
				w.Correction = &corrections[i]
			}
		}
		o.Written = append(o.Written, w)
	}
	return o, nil
}

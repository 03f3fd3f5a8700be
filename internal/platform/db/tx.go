package db

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"saldo/internal/kernel/access"
)

// Tx is one unit of work: one transaction, for one actor, at one instant.
// Its queries see only the actor's tenant, whose id is always $1: callers
// number their own arguments from $2 and cannot pass another tenant.
type Tx struct {
	Actor access.Actor
	Now   time.Time

	ctx         context.Context
	engine      *engine
	conn        *sql.Conn
	raw         *sql.Tx
	over        bool
	half        error // of an Insert that wrote some of its rows: the unit can no longer be committed
	topics      []string
	interactive *interactive
	observer    *atomic.Pointer[func(text string, args []any)]
	at          time.Time // when it yielded last

	background bool
}

// Wide is a unit of work that is not bound to a tenant. Only the system gets one.
type Wide struct{ tx *Tx }

// Queries is what Select, One and Value ask: a Tx or its Wide twin.
type Queries interface {
	query(text string, args []any) (*sql.Rows, error)
	// Exec runs a statement and says how many rows it changed.
	Exec(text string, args ...any) (int64, error)
}

// Across lifts the tenant from the unit of work, for tables that have none and
// for work on all tenants. It panics unless the system acts.
func (tx *Tx) Across() Wide {
	if tx.Actor.Role != access.System {
		panic("db: " + string(tx.Actor.Role) + " cannot act across tenants")
	}
	return Wide{tx}
}

// As runs fn in this unit of work for another actor, so that what happens in
// two tenants happens in both or in neither. It panics unless the system acts.
func (tx *Tx) As(who access.Actor, fn func() error) error {
	own := tx.Actor
	if own.Role != access.System {
		panic("db: " + string(own.Role) + " cannot hand its unit of work to another actor")
	}
	tx.Actor = who
	defer func() { tx.Actor = own }()
	return fn()
}

// Notify wakes whoever waits for the topic in this process once the unit is
// committed. It only saves waiting: what must happen belongs in a job.
func (tx *Tx) Notify(topic string) { tx.topics = append(tx.topics, topic) }

// NewID makes an id: a UUID whose order is that of creation.
func (tx *Tx) NewID() string { return uuid.Must(uuid.NewV7()).String() }

// Exec runs a statement within the tenant and says how many rows it changed.
func (tx *Tx) Exec(text string, args ...any) (int64, error) {
	return tx.exec(text, tx.scoped(text, args))
}

func (tx *Tx) query(text string, args []any) (*sql.Rows, error) {
	return tx.ask(text, tx.scoped(text, args))
}

// Exec runs a statement across tenants.
func (w Wide) Exec(text string, args ...any) (int64, error) { return w.tx.exec(text, args) }

func (w Wide) query(text string, args []any) (*sql.Rows, error) { return w.tx.ask(text, args) }

// scoped puts the tenant first. A text that does not use it is a hole in the
// wall between two fleets, so it panics: its first test finds it.
func (tx *Tx) scoped(text string, args []any) []any {
	if !bound(text) {
		panic("db: this query is not bound to its tenant ($1): " + text)
	}
	return append([]any{tx.tenant(text)}, args...)
}

func (tx *Tx) tenant(text string) string {
	if tx.Actor.Tenant == "" {
		panic("db: " + tx.Actor.ID + " has no tenant; query: " + text)
	}
	return tx.Actor.Tenant
}

var (
	seen       sync.Map // query text → whether it is bound
	comparison = regexp.MustCompile(`(?i)\btenant_id\s*=\s*\$1\b`)
	insertion  = regexp.MustCompile(`(?is)^\s*INSERT\s+INTO\s+\w+\s*\(\s*tenant_id\b[^)]*\)\s*(VALUES\s*\(\s*\$1\b|SELECT\s+\$1\b)`)
)

func bound(text string) bool {
	if known, ok := seen.Load(text); ok {
		return known.(bool)
	}
	ok := comparison.MatchString(text)
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), "INSERT") {
		ok = insertion.MatchString(text)
	}
	seen.Store(text, ok)
	return ok
}

func (tx *Tx) exec(text string, args []any) (int64, error) {
	tx.alive()
	tx.observe(text, args)
	result, err := tx.raw.ExecContext(tx.ctx, tx.engine.text(text), stored(args)...)
	if err != nil {
		return 0, fmt.Errorf("db: %w", err)
	}
	return result.RowsAffected()
}

func (tx *Tx) ask(text string, args []any) (*sql.Rows, error) {
	tx.alive()
	tx.observe(text, args)
	rows, err := tx.raw.QueryContext(tx.ctx, tx.engine.text(text), stored(args)...)
	if err != nil {
		return nil, fmt.Errorf("db: %w", err)
	}
	return rows, nil
}

func (tx *Tx) alive() {
	if tx.over {
		panic("db: the unit of work is over")
	}
}

// instantLayout has one width, so that the order of texts is the order of time.
const instantLayout = "2006-01-02T15:04:05.000000Z"

// Instant is how an instant is stored; the zero time is stored as no text.
func Instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instantLayout)
}

func stored(args []any) []any {
	for i, a := range args {
		if t, ok := a.(time.Time); ok {
			args[i] = Instant(t)
		}
	}
	return args
}

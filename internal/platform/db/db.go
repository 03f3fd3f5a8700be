// Package db is the only way to the database: units of work on SQLite or
// PostgreSQL with one SQL text for both.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"saldo/internal/kernel/access"
)

// ErrNone is the answer of One when no row matches.
var ErrNone = errors.New("db: no such row")

// ErrContended is the answer of Write when it lost the race for its rows too
// often. Nothing was written.
var ErrContended = errors.New("db: too many units of work want the same rows")

// Settings say which database to open.
type Settings struct {
	URL    string           // empty: SQLite in Folder; postgres://…: PostgreSQL
	Folder string           // where SQLite keeps its file
	Clock  func() time.Time // gives each unit of work its instant; nil is the wall clock
	AsIs   bool             // the schema is not brought up to date: one that is not this program's is refused
}

// DB is an open, migrated database.
type DB struct {
	engine      engine
	clock       func() time.Time
	topics      sync.Map // topic → chan struct{}
	interactive interactive

	observer atomic.Pointer[func(text string, args []any)]
}

// Open connects and brings the schema up to date. Its errors are one sentence
// that says what to do.
func Open(ctx context.Context, s Settings) (*DB, error) {
	e, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	d := &DB{engine: e, clock: s.Clock}
	if d.clock == nil {
		d.clock = time.Now
	}
	bring := d.migrate
	if s.AsIs {
		bring = d.current
	}
	if err := bring(ctx); err != nil {
		e.close()
		return nil, err
	}
	return d, nil
}

// Close waits for running statements and closes every connection.
func (d *DB) Close() error { return d.engine.close() }

// Engine names the engine: sqlite or postgres.
func (d *DB) Engine() string { return d.engine.name }

// Ping says whether the database answers.
func (d *DB) Ping(ctx context.Context) error { return d.engine.reader.PingContext(ctx) }

// Now is the instant that a unit of work starting now would get.
func (d *DB) Now() time.Time { return d.clock().UTC().Truncate(time.Microsecond) }

// Read runs fn on one read-only snapshot. Like Write it may run fn again from
// the start, when the database could not be read at that moment.
func (d *DB) Read(ctx context.Context, who access.Actor, fn func(*Tx) error) error {
	return d.rerun(ctx, func() error { return d.unit(ctx, who, d.engine.reader, d.engine.read, fn) })
}

// Write runs fn as a serial unit of work: as if no other ran at the same time.
// A unit that lost a race is rolled back and run again from the start, so fn
// must keep nothing from an earlier run.
func (d *DB) Write(ctx context.Context, who access.Actor, fn func(*Tx) error) error {
	return d.rerun(ctx, func() error { return d.unit(ctx, who, d.engine.writer, d.engine.write, fn) })
}

// Claim runs fn where each statement alone is atomic but the unit is not
// serial. It exists for taking jobs from the queue by one guarded statement
// with {skip_locked}: serial claimers would undo each other for nothing.
func (d *DB) Claim(ctx context.Context, who access.Actor, fn func(*Tx) error) error {
	return d.rerun(ctx, func() error { return d.unit(ctx, who, d.engine.writer, d.engine.claim, fn) })
}

const attempts = 60

func (d *DB) rerun(ctx context.Context, run func() error) error {
	for n := range attempts {
		err := run()
		if err == nil || !d.engine.lostRace(err) {
			return err
		}
		pause := time.Duration(1+rand.IntN(1<<min(n, 7))) * time.Millisecond
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	return ErrContended
}

func (d *DB) unit(ctx context.Context, who access.Actor, pool *sql.DB, opts sql.TxOptions, fn func(*Tx) error) (err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("db: connecting: %w", err)
	}
	defer conn.Close()
	raw, err := conn.BeginTx(ctx, &opts)
	if err != nil {
		return fmt.Errorf("db: beginning: %w", err)
	}
	tx := &Tx{Actor: who, Now: d.Now(), ctx: ctx, engine: &d.engine, conn: conn, raw: raw, interactive: &d.interactive, observer: &d.observer}
	if tx.background = ctx.Value(background{}) != nil; !tx.background {
		d.interactive.begin()
		defer d.interactive.end()
	}
	committed := false
	defer func() {
		tx.over = true
		if !committed {
			// also on a panic in fn; an error of the rollback of a dead
			// connection says nothing that err does not say better
			_ = raw.Rollback()
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if tx.half != nil {
		return tx.half
	}
	if err := raw.Commit(); err != nil {
		return fmt.Errorf("db: committing: %w", err)
	}
	committed = true
	for _, topic := range tx.topics {
		select {
		case d.Notified(topic) <- struct{}{}:
		default: // somebody was woken already
		}
	}
	return nil
}

// Refresh tells the engine that much was written into a table. PostgreSQL finds
// out by itself within a minute; until then it takes a filled table for an
// empty one and reads all of it where it should look a row up.
func (d *DB) Refresh(ctx context.Context, table string) error {
	if d.engine.name != postgresName {
		return nil
	}
	if _, err := d.engine.writer.ExecContext(ctx, "ANALYZE "+table); err != nil {
		return fmt.Errorf("db: %w", err)
	}
	return nil
}

// Notified is the channel on which one waiter learns of Notify.
func (d *DB) Notified(topic string) chan struct{} {
	channel, _ := d.topics.LoadOrStore(topic, make(chan struct{}, 1))
	return channel.(chan struct{})
}
